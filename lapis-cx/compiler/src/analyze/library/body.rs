//! `impl`: a body in this language, checked by the same [`Checker`](crate::analyze::checker::Checker) as commands.
//!
//! Parameters that are numbers are locals as wide as in C at the XLEN at hand; buffers of numbers are arrays, to which
//! `out` and `inout` ones may be assigned. A loop may run to a number that is known at run time.

use std::rc::Rc;

use crate::contract::core::Type as CoreType;
use crate::contract::library::InterfaceName;
use crate::contract::library::clause::{Clause, Use};
use crate::contract::library::expr::ExprKind;
use crate::contract::library::place::{Place, Scalar, Type};
use crate::syntax::{Kind, Node};

use super::Lib;
use super::declare::HOME;
use crate::analyze::checker::{BodyKind, Checker, Frame, NameInBody};
use crate::analyze::interface::interface;
use crate::analyze::typed::{Ty, UNKNOWN_LENGTH};

/// A function, as its body sees it.
pub(super) struct Around<'t> {
    /// The names of its parameters, and what they are: lengths included, which the shapes of other expressions lack.
    pub(super) params: Vec<(Node<'t>, Place)>,
    pub(super) result: Place,
}

impl<'t> Lib<'_, 't> {
    pub(super) fn impl_body(&mut self, node: Node<'t>) -> Option<Clause> {
        let block = node.child(Kind::block)?;
        let around = self.around.clone()?;
        for path in node.descendants(|n| n.kind() == Kind::path) {
            let resolved = self.interface_of(path).and_then(|item| {
                // What is wrong with it is said where it is declared.
                interface(self.world, item, &mut Vec::new()).map(Rc::new)
            });
            for checker in &mut self.checkers {
                checker.interfaces.insert(path.span(), resolved.clone());
            }
        }
        let mut uses = Vec::new();
        for at in 0..self.checkers.len() {
            let Some(checker) = self.checkers.get_mut(at) else { continue };
            let mut frame = Frame::new(BodyKind::Impl, HOME);
            for (name, place) in &around.params {
                let name = *name;
                match core_type(checker, place) {
                    Some((ty, mutable)) => {
                        let info = if mutable { "an `out` buffer" } else { "a parameter" };
                        checker.declare(&mut frame, name, Ty::Sized(ty), (info, mutable));
                    }
                    // Handles and the like can be passed on only, which no statement does.
                    None => frame.bind(name.text(), NameInBody::Broken),
                }
            }
            frame.result = core_type(checker, &around.result).map(|(ty, _)| ty);
            checker.body(&mut frame, block, node.child(Kind::kw_impl).unwrap_or(node));
            uses = frame
                .contexts
                .into_iter()
                .map(|context| Use {
                    interfaces: context
                        .interfaces
                        .iter()
                        .map(|i| InterfaceName { package: i.package.clone(), name: i.name.clone() })
                        .collect(),
                    commands: context.commands,
                    has_else: context.has_else,
                })
                .collect();
        }
        Some(Clause::Impl { uses })
    }
}

/// The type of a parameter in a body, and whether it may be assigned.
fn core_type(checker: &Checker<'_, '_>, place: &Place) -> Option<(CoreType, bool)> {
    let xlen = checker.xlen;
    let number = |signed: bool, bits: u32| if signed { CoreType::S(bits) } else { CoreType::U(bits) };
    let ty = match &place.ty {
        Type::Scalar(scalar) => match scalar {
            Scalar::Bool => CoreType::Bool,
            Scalar::Char => CoreType::U(8),
            Scalar::Short => CoreType::S(16),
            Scalar::UShort => CoreType::U(16),
            Scalar::Int => CoreType::S(32),
            Scalar::UInt => CoreType::U(32),
            Scalar::Long | Scalar::IntPtr => number(true, xlen),
            Scalar::ULong | Scalar::Size | Scalar::UIntPtr => number(false, xlen),
            Scalar::Unsigned(bits) => CoreType::U(*bits),
            Scalar::Signed(bits) => CoreType::S(*bits),
            Scalar::Float | Scalar::Double => return None,
        },
        Type::Enum(id) => {
            let width = checker.section.enums.get(id.index())?.width;
            CoreType::Enum { id: *id, width }
        }
        Type::Buffer { element, len, .. } => {
            let (element, _) = core_type(checker, element)?;
            let known = len.as_ref().and_then(|len| match &len.kind {
                ExprKind::Int(v) => v.to_u32(),
                _ => None,
            });
            return Some((CoreType::array(element, known.unwrap_or(UNKNOWN_LENGTH)), place.directions.output));
        }
        _ => return None,
    };
    Some((ty, false))
}
