//! Expressions that only read the arguments of a call, as trees. Most sizes and conditions are such expressions.

use smallvec::SmallVec;

use super::{Binary, Op, Scalar, Unary};

/// An expression that only reads the arguments of a call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Simple {
    Int(i128),
    /// A number among the arguments, by its offset.
    Member(usize, Scalar),
    LogicalNot(Box<Simple>),
    Two(Binary, Box<(Simple, Simple)>),
    /// A condition, and the values for true and false.
    Select(Box<(Simple, Simple, Simple)>),
}

/// The largest number of operations that is converted to a tree. It also bounds the depth.
const LONGEST: usize = 32;

/// An entry of the stack during conversion.
enum Stacked {
    Value(Simple),
    /// An offset from the start of the arguments.
    Address(usize),
}

type Stack = SmallVec<[Stacked; 4]>;

impl Simple {
    /// Converts an expression to a tree, if it only reads arguments.
    pub(super) fn of(ops: &[Op]) -> Option<Simple> {
        if ops.len() > LONGEST {
            return None;
        }
        let mut stack = Stack::new();
        for op in ops {
            let next = match *op {
                Op::Int(value) => Stacked::Value(Simple::Int(value)),
                Op::Sizeof(bytes) => Stacked::Value(Simple::Int(bytes as i128)),
                Op::Arguments => Stacked::Address(0),
                Op::Field(more) => match stack.pop()? {
                    Stacked::Address(offset) => Stacked::Address(offset.checked_add(more)?),
                    Stacked::Value(_) => return None,
                },
                Op::Load(scalar) if !scalar.is_float => match stack.pop()? {
                    Stacked::Address(offset) => Stacked::Value(Simple::Member(offset, scalar)),
                    Stacked::Value(_) => return None,
                },
                Op::Unary(Unary::LogicalNot) => Stacked::Value(Simple::LogicalNot(Box::new(pop(&mut stack)?))),
                Op::Binary(op) => {
                    let (b, a) = (pop(&mut stack)?, pop(&mut stack)?);
                    Stacked::Value(Simple::Two(op, Box::new((a, b))))
                }
                Op::Select => {
                    let (otherwise, then, condition) = (pop(&mut stack)?, pop(&mut stack)?, pop(&mut stack)?);
                    Stacked::Value(Simple::Select(Box::new((condition, then, otherwise))))
                }
                _ => return None,
            };
            stack.push(next);
        }
        let only = pop(&mut stack)?;
        stack.is_empty().then_some(only)
    }
}

fn pop(stack: &mut Stack) -> Option<Simple> {
    match stack.pop()? {
        Stacked::Value(value) => Some(value),
        Stacked::Address(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBER: Scalar = Scalar::unsigned(8);

    #[test]
    fn what_reads_the_arguments_only_is_a_tree() {
        let size = [Op::Arguments, Op::Field(8), Op::Field(16), Op::Load(MEMBER)];
        assert_eq!(Simple::of(&size), Some(Simple::Member(24, MEMBER)));
        let times = [&size[..], &[Op::Int(4), Op::Binary(Binary::Mul)]].concat();
        let both = Box::new((Simple::Member(24, MEMBER), Simple::Int(4)));
        assert_eq!(Simple::of(&times), Some(Simple::Two(Binary::Mul, both)));
    }

    #[test]
    fn all_else_is_none() {
        let float = Scalar { is_float: true, ..MEMBER };
        let follows = [Op::Arguments, Op::Load(MEMBER), Op::Field(8), Op::Load(MEMBER)];
        let long = [&[Op::Int(1)][..], &[Op::Unary(Unary::LogicalNot); LONGEST]].concat();
        for ops in [
            &[Op::Own, Op::Load(MEMBER)][..],
            &[Op::Arguments],
            &[Op::Arguments, Op::Load(float)],
            &[Op::Int(1), Op::Int(2)],
            &[Op::Binary(Binary::Add)],
            &[Op::IsEntry],
            &follows,
            &long,
            &[],
        ] {
            assert_eq!(Simple::of(ops), None, "{ops:?}");
        }
    }
}
