//! What a lowered program may do wrong.

use crate::lower::ir::{Answer, LocalId};

/// A promise of [`ir`](crate::lower::ir) that a program breaks, or a limit of the interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// More than [`STEPS`](super::STEPS).
    #[error("the steps are used up")]
    Steps,
    /// Expressions, blocks and calls nest too deeply.
    #[error("expressions, blocks and calls nest too deeply")]
    Depth,
    /// Something that is not there, or a function or table that would not be printed.
    #[error("a {0:?} is not there")]
    Absent(Thing),
    /// Types, storages or shapes differ where they must be the same.
    #[error("types do not agree")]
    Type,
    /// A shift by the width of the word or more.
    #[error("a word of {bits} bits is shifted by {amount}")]
    Shift {
        /// By how much.
        amount: u64,
        /// Width of the word.
        bits: u32,
    },
    /// A division by zero.
    #[error("a divisor is zero")]
    ZeroDivisor,
    /// An index, or the end of a run of elements, outside its array.
    #[error("element {index} of {len}")]
    Outside {
        /// The first element outside.
        index: u64,
        /// How many there are.
        len: u64,
    },
    /// Memory is read that was not written.
    #[error("memory is read before it is written")]
    Unset,
    /// A local is used outside the block where it begins.
    #[error("local {} is used where it has not begun", .0.0)]
    NotBegun(LocalId),
    /// A local begins where it is there already.
    #[error("local {} begins twice", .0.0)]
    BegunTwice(LocalId),
    /// A pattern has bits where zeros are promised.
    #[error("{value:#x} is no pattern of {bits} bits")]
    Pattern {
        /// The word.
        value: u64,
        /// Above these bits are zeros.
        bits: u32,
    },
    /// A result overlaps an operand.
    #[error("a result overlaps an operand")]
    Overlap,
    /// A table, an array parameter or a loop variable is written, or the place of a result is read.
    #[error("memory is written that is only read, or read that is only written")]
    Access,
    /// A body does what only others may: a function has no state, only a command has operands and a status.
    #[error("a body of this kind does not do that")]
    Role,
    /// A body ends as it must not, or not at all.
    #[error("a body does not end as it must")]
    Ending,
    /// A command that cannot fail answers this.
    #[error("a command that cannot fail answers {0:?}")]
    Answer(Answer),
    /// The bound of a loop is neither a constant nor a local, or changes.
    #[error("the bound of a loop is computed again")]
    Bound,
    /// Two arms of a switch name the same value.
    #[error("two arms of a switch name {0}")]
    Arms(u64),
}

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
