//! Expressions.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::codec::{Decode, Decoding, Encode, Facts, Reader, Result, Side, choice, read};
use crate::plan::list;
use crate::{Scalar, Slot};

/// An expression: a program for a stack of exact integers. It leaves one number.
///
/// An address is an integer too. Null is 0, and what is read through null is 0. An integer that does not fit 128 bits, and what is
/// computed from it, is no number.
#[derive(Clone, Debug, PartialEq)]
pub struct Code<S: Side> {
    /// The expression as the specification has it: a text.
    pub text: u32,
    /// The program.
    pub ops: Box<[Op<S>]>,
    /// What the side derives.
    pub facts: Facts<S::Code>,
}

impl<S: Side> Encode<S> for Code<S> {
    fn encode(&self, out: &mut Vec<S::Word>) {
        out.push(self.text.into());
        Encode::<S>::encode(&self.ops.len(), out);
        self.ops.iter().for_each(|op| op.encode(out));
    }
}

impl<S: Decoding> Decode<S> for Code<S> {
    fn decode(from: &mut Reader<'_>) -> Result<Code<S>> {
        from.whole(|from| {
            let text = from.text()?;
            let count = from.count()?;
            let (mut stack, mut entered) = (0u32, 0u32);
            let ops: Vec<Op<S>> = list(count, || {
                let op = Op::decode(from)?;
                let (takes, gives) = op.effect();
                from.check(takes <= stack, "an expression that takes more numbers than there are")?;
                stack = stack - takes + gives;
                match op {
                    Op::EnterArguments | Op::EnterOuter | Op::Enter | Op::EnterElement => entered += 1,
                    Op::Leave if entered == 0 => return from.fail("an expression that leaves what it did not enter"),
                    Op::Leave => entered -= 1,
                    _ => {}
                }
                Ok(op)
            })?;
            from.check(stack == 1 && entered == 0, "an expression that does not end with one number")?;
            Ok(Code { text, facts: Facts(S::code(&ops)), ops: ops.into() })
        })
    }
}

choice! {
    /// A step of an expression.
    #[derive(Copy)]
    Op<S> {
        /// Pushes a number.
        Int = 0(value: i128),
        /// Pushes the address of a text.
        Text = 1(text: u32 = text),
        /// Pushes the address of the arguments.
        Arguments = 2,
        /// Pushes the address of the block in which the expression stands.
        Own = 3,
        /// The steps up to [`Op::Leave`] stand in the arguments.
        EnterArguments = 4,
        /// The steps up to [`Op::Leave`] stand in the block around.
        EnterOuter = 5,
        /// The steps up to [`Op::Leave`] stand in the block at an address, which is popped. The block around is the one before.
        Enter = 6,
        /// The steps up to [`Op::Leave`] stand at a position among elements, which is popped.
        EnterElement = 7,
        /// Ends the last of these.
        Leave = 8,
        /// Pushes the address of the value that the expression is part of.
        This = 9,
        /// Pushes the position of that value among the elements around it, or 0.
        Index = 10,
        /// Pushes the number of elements that was received for the buffer of which this is the number of elements. It is less than 0
        /// on the side that sends the buffer, which measures its own memory.
        Received = 11,
        /// Adds an offset to an address. Null stays null.
        Field = 12(offset: S::Bytes = size),
        /// An address becomes the number there.
        Load = 13(scalar: Scalar<S>),
        /// An address becomes the pointer or handle there.
        Follow = 14(bytes: S::Bytes = pointer_size),
        /// Address, position and count become the address of the element, or null.
        Element = 15(stride: S::Bytes = size),
        /// A handle or pointer becomes a number that is attached to it.
        Metadata = 16(member: Slot),
        /// A handle or pointer and a position become one of several numbers that are attached to it, or 0 beyond the last one.
        MetadataElement = 17 {
            /// The first of them.
            first: Slot,
            /// How many there are.
            count: u32 = word
        },
        /// Pushes what was computed at entry: a position in [`Block::snapshots`](crate::Block::snapshots).
        Old = 18(position: u32 = word),
        /// Pushes the worker's `errno`.
        Errno = 19,
        /// Pushes how many nanoseconds the call took.
        Elapsed = 20,
        /// Pushes 1 at entry, 0 at exit.
        IsEntry = 21,
        /// Pushes 1 on the worker, 0 in the guest.
        IsWorker = 22,
        /// Pushes the size of a type.
        Sizeof = 23(bytes: S::Bytes = size),
        /// Address, limit (below 0: none) and value become the number of elements, of which the last one has the value.
        Until = 24 {
            /// What is compared.
            scalar: Scalar<S>,
            /// The size of an element.
            stride: S::Bytes = size
        },
        /// Address and limit become the length of a string.
        Strlen = 25,
        /// Address, limit and character become its position from 1, or 0.
        Strchr = 26,
        /// An address becomes its physical address.
        Physical = 27,
        /// Operands become the result of a function of C.
        Native = 28 {
            /// The function.
            native: u32 = native,
            /// The number of operands.
            operands: u32 = word,
            /// Only the worker evaluates it.
            worker: bool
        },
        /// A condition and two values become one of these.
        Select = 29,
        /// One operand becomes the result.
        Unary = 30(op: Unary),
        /// Two operands become the result.
        Binary = 31(op: Binary),
    }

    /// An operator with one operand.
    #[derive(Copy, Eq)]
    Unary {
        /// The other sign.
        Neg = 0,
        /// The other bits.
        Not = 1,
        /// 1 for 0, otherwise 0.
        LogicalNot = 2,
    }

    /// An operator with two operands.
    #[derive(Copy, Eq)]
    Binary {
        /// Sum.
        Add = 0,
        /// Difference.
        Sub = 1,
        /// Product.
        Mul = 2,
        /// Quotient, rounded to 0. Division by 0 gives -1.
        Div = 3,
        /// Remainder of that. Division by 0 gives the dividend.
        Rem = 4,
        /// Bits that both have.
        And = 5,
        /// Bits that one has.
        Or = 6,
        /// Bits that differ.
        Xor = 7,
        /// Shift to the left.
        Shl = 8,
        /// Shift to the right, with the sign.
        Shr = 9,
        /// The smaller of two.
        Min = 10,
        /// The greater of two.
        Max = 11,
        /// 1 if equal, otherwise 0.
        Eq = 12,
        /// 1 if not equal.
        Ne = 13,
        /// 1 if less.
        Lt = 14,
        /// 1 if less or equal.
        Le = 15,
        /// 1 if greater.
        Gt = 16,
        /// 1 if greater or equal.
        Ge = 17,
        /// 1 if neither is 0.
        LogicalAnd = 18,
        /// 1 if one is not 0.
        LogicalOr = 19,
    }
}

impl<S: Side> Op<S> {
    /// Returns how many numbers the step takes from the stack, and how many it pushes.
    fn effect(&self) -> (u32, u32) {
        match self {
            Op::EnterArguments | Op::EnterOuter | Op::Leave => (0, 0),
            Op::Enter | Op::EnterElement => (1, 0),
            Op::Int(_)
            | Op::Text(_)
            | Op::Arguments
            | Op::Own
            | Op::This
            | Op::Index
            | Op::Received
            | Op::Old(_)
            | Op::Errno
            | Op::Elapsed
            | Op::IsEntry
            | Op::IsWorker
            | Op::Sizeof(_) => (0, 1),
            Op::Field(_) | Op::Load(_) | Op::Follow(_) | Op::Metadata(_) | Op::Physical | Op::Unary(_) => (1, 1),
            Op::Strlen | Op::MetadataElement { .. } | Op::Binary(_) => (2, 1),
            Op::Element(_) | Op::Until { .. } | Op::Strchr | Op::Select => (3, 1),
            Op::Native { operands, .. } => (*operands, 1),
        }
    }
}
