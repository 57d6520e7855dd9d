//! What a lowered program may do wrong.

use std::fmt;

use crate::lower::ir::{Answer, LocalId};

/// A promise of [`ir`](crate::lower::ir) that a program breaks, or a limit of the interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// More than [`STEPS`](super::STEPS).
    Steps,
    /// Expressions, blocks and calls nest too deeply.
    Depth,
    /// Something that is not there, or a function or table that would not be printed.
    Absent(Thing),
    /// Types, storages or shapes differ where they must be the same.
    Type,
    /// A shift by the width of the word or more.
    Shift {
        /// By how much.
        amount: u64,
        /// Width of the word.
        bits: u32,
    },
    /// A division by zero.
    ZeroDivisor,
    /// An index, or the end of a run of elements, outside its array.
    Outside {
        /// The first element outside.
        index: u64,
        /// How many there are.
        len: u64,
    },
    /// Memory is read that was not written.
    Unset,
    /// A local is used outside the block where it begins.
    NotBegun(LocalId),
    /// A local begins where it is there already.
    BegunTwice(LocalId),
    /// A pattern has bits where zeros are promised.
    Pattern {
        /// The word.
        value: u64,
        /// Above these bits are zeros.
        bits: u32,
    },
    /// A result overlaps an operand.
    Overlap,
    /// A table, an array parameter or a loop variable is written, or the place of a result is read.
    Access,
    /// A body does what only others may: a function has no state, only a command has operands and a status.
    Role,
    /// A body ends as it must not, or not at all.
    Ending,
    /// A command that cannot fail answers this.
    Answer(Answer),
    /// The bound of a loop is neither a constant nor a local, or changes.
    Bound,
    /// Two arms of a switch name the same value.
    Arms(u64),
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Defect::Steps => f.write_str("the steps are used up"),
            Defect::Depth => f.write_str("expressions, blocks and calls nest too deeply"),
            Defect::Absent(thing) => write!(f, "a {thing:?} is not there"),
            Defect::Type => f.write_str("types do not agree"),
            Defect::Shift { amount, bits } => write!(f, "a word of {bits} bits is shifted by {amount}"),
            Defect::ZeroDivisor => f.write_str("a divisor is zero"),
            Defect::Outside { index, len } => write!(f, "element {index} of {len}"),
            Defect::Unset => f.write_str("memory is read before it is written"),
            Defect::NotBegun(local) => write!(f, "local {} is used where it has not begun", local.0),
            Defect::BegunTwice(local) => write!(f, "local {} begins twice", local.0),
            Defect::Pattern { value, bits } => write!(f, "{value:#x} is no pattern of {bits} bits"),
            Defect::Overlap => f.write_str("a result overlaps an operand"),
            Defect::Access => f.write_str("memory is written that is only read, or read that is only written"),
            Defect::Role => f.write_str("a body of this kind does not do that"),
            Defect::Ending => f.write_str("a body does not end as it must"),
            Defect::Answer(answer) => write!(f, "a command that cannot fail answers {answer:?}"),
            Defect::Bound => f.write_str("the bound of a loop is computed again"),
            Defect::Arms(value) => write!(f, "two arms of a switch name {value}"),
        }
    }
}

impl std::error::Error for Defect {}

/// What can be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// A local of the body.
    Local,
    /// An operand of the command, or an argument of a call.
    Argument,
    /// A field, or the state.
    State,
    /// A table.
    Table,
    /// A function.
    Function,
    /// The place of an array or wide result.
    Out,
}
