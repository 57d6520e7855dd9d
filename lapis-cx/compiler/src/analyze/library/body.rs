//! `impl`: a body in this language, checked by the same [`Checker`](crate::analyze::checker::Checker) as commands.
//!
//! Parameters that are numbers are locals as wide as in C at the XLEN at hand; buffers of numbers are arrays, to which
//! `out` and `inout` ones may be assigned. A loop may run to a number that is known at run time.

use std::collections::HashMap;
use std::rc::Rc;

use crate::contract::core::{self, Body, Type as CoreType};
use crate::contract::library::clause::{Clause, ImplBody, Use};
use crate::contract::library::expr::{Expr, ExprKind};
use crate::contract::library::place::{Place, Type};
use crate::contract::library::{FunctionId, InterfaceName};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::library as codes;
use crate::int::Int;
use crate::syntax::{Kind, Node};

use super::Lib;
use super::declare::{HOME, Meaning};
use crate::analyze::checker::{BodyKind, Checker, Frame, NameInBody};
use crate::analyze::foreign::{ForeignFunction, ForeignResult, Parameter};
use crate::analyze::interface::interface;
use crate::analyze::literal::MAX_WIDTH;
use crate::analyze::typed::{Ty, Typed, UNKNOWN_LENGTH};
use crate::analyze::types::MAX_LENGTH;

/// A function, as its body sees it.
pub(super) struct Around<'t> {
    /// The names of its parameters, and what they are: lengths included, which the shapes of other expressions lack.
    pub(super) params: Vec<(Node<'t>, Place)>,
    pub(super) result: Place,
    /// Whether something is wrong with the result, which is said there.
    pub(super) is_broken: bool,
}

impl<'t> Lib<'_, 't> {
    /// Tells the checkers which functions bodies may call.
    pub(super) fn declare_foreign(&mut self) {
        for at in 0..self.checkers.len() {
            let mut foreign = HashMap::new();
            for (name, symbol) in &self.symbols {
                let Meaning::Function(id) = symbol.meaning else { continue };
                let (Some(signature), Some(checker)) = (self.signatures.get(id.index()), self.checkers.get(at)) else {
                    continue;
                };
                let params = signature.params.iter().map(|place| match number(checker, place) {
                    Some(ty) => Parameter::Number(ty),
                    None => Parameter::Other(place.clone()),
                });
                let result = match number(checker, &signature.result) {
                    Some(ty) => ForeignResult::Number(ty),
                    None if signature.result.ty == Type::Void => ForeignResult::Nothing,
                    None => ForeignResult::Other,
                };
                foreign.insert(*name, ForeignFunction { id, params: params.collect(), result, span: symbol.span });
            }
            if let Some(checker) = self.checkers.get_mut(at) {
                checker.foreign = Rc::new(foreign);
            }
        }
    }

    /// Warns of functions that promise what those that they call do not.
    pub(super) fn check_conventions(&mut self) {
        for (caller, callee, span) in std::mem::take(&mut self.calls) {
            let function = |id: FunctionId| self.library.functions.get(id.index());
            let (Some(caller), Some(callee)) = (function(caller), function(callee)) else { continue };
            if caller.follows_cx() && !callee.follows_cx() {
                let message = format!("`{}` preserves shared state, `{}` does not", caller.name, callee.name);
                let found = Diagnostic::warning(&codes::CONVENTION, message, span, "of the default calling convention");
                self.report(
                    found
                        .label(caller.span, "of the CX calling convention")
                        .label(callee.span, "called")
                        .help("give the callee `cx_call;` if it preserves shared state, or leave it out here"),
                );
            }
        }
    }

    pub(super) fn impl_body(&mut self, node: Node<'t>) -> Option<Clause> {
        let block = node.child(Kind::block)?;
        let around = self.around.clone()?;
        for path in node.descendants(|n| n.kind() == Kind::path) {
            let resolved = self.interface_of(path).and_then(|item| {
                // What is wrong with it is said where it is declared.
                interface(self.world, item, &mut Vec::new()).map(Rc::new)
            });
            if let Some(used) = &resolved
                && !self.library.used.iter().any(|i| i.package == used.package && i.name == used.name)
            {
                self.library.used.push((**used).clone());
            }
            for checker in &mut self.checkers {
                checker.interfaces.insert(path.span(), resolved.clone());
            }
        }
        let none = Clause::Impl { uses: Vec::new(), bodies: Vec::new() };
        if around.is_broken {
            return Some(none);
        }
        if around.result.ty != Type::Void
            && let Some(checker) = self.checkers.first()
            && number(checker, &around.result).is_none()
        {
            let at = node.child(Kind::kw_impl).unwrap_or(node);
            let message = "a body returns a number or nothing";
            let found = Diagnostic::error(&codes::BODY, message, at.span(), "this function returns something else");
            self.report(found.help("give the buffer as an `out` parameter, or write `replace c\"\"\"…\"\"\"`"));
            return Some(none);
        }
        let (mut uses, mut bodies) = (Vec::new(), Vec::new());
        for at in 0..self.checkers.len() {
            let Some(checker) = self.checkers.get_mut(at) else { continue };
            let mut frame = Frame::new(BodyKind::Impl, HOME);
            frame.passed = around.params.iter().map(|(_, place)| place.clone()).collect();
            let mut lengths = Vec::new();
            for (at, (name, place)) in around.params.iter().enumerate() {
                let name = *name;
                let (held, length) = match (number(checker, place), buffer(checker, place)) {
                    (Some(ty), _) => (Ok((ty, "a parameter", false)), None),
                    (None, Some((ty, elements))) => match elements.and_then(|len| length(checker, &frame, len)) {
                        Some(length) => {
                            let output = place.directions.output;
                            (Ok((ty, if output { "an `out` buffer" } else { "a parameter" }, output)), Some(length))
                        }
                        None => (Err("has no length that a body can compute"), None),
                    },
                    (None, None) => (Err("is no number and no buffer of numbers"), None),
                };
                lengths.push(length);
                match held {
                    Ok((ty, info, mutable)) => {
                        checker.declare(&mut frame, name, Ty::Sized(ty), (info, mutable));
                    }
                    Err(why) => {
                        // A local that nobody can name, so that each parameter is the local of its position.
                        checker.declare(&mut frame, name, Ty::Error, ("a parameter", false));
                        frame.bind(name.text(), NameInBody::Passed(at as u32, why));
                    }
                }
            }
            frame.result = number(checker, &around.result);
            let stmts = checker.body(&mut frame, block, node.child(Kind::kw_impl).unwrap_or(node));
            if at == 0 {
                // The function at hand is the next one.
                let caller = FunctionId(self.library.functions.len() as u32);
                self.calls.extend(frame.calls.drain(..).map(|(callee, span)| (caller, callee, span)));
            }
            let body = Body { locals: frame.locals, params: around.params.len() as u32, stmts };
            bodies.push(ImplBody { body, lengths });
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
        Some(Clause::Impl { uses, bodies })
    }
}

/// The type of a number in a body.
fn number(checker: &Checker<'_, '_>, place: &Place) -> Option<CoreType> {
    place.number(&checker.section)
}

/// The type of a buffer of numbers in a body, and how many elements it has.
fn buffer<'p>(checker: &Checker<'_, '_>, place: &'p Place) -> Option<(CoreType, Option<&'p Expr>)> {
    let Type::Buffer { element, len, until, .. } = &place.ty else { return None };
    let element = number(checker, element)?;
    let len = len.as_deref().filter(|_| until.is_none());
    let known = len.and_then(|len| match &len.kind {
        ExprKind::Int(v) => v.to_u32().filter(|len| *len <= MAX_LENGTH),
        _ => None,
    });
    Some((CoreType::array(element, known.unwrap_or(UNKNOWN_LENGTH)), len))
}

/// A length as the body computes it: exactly, out of parameters that are numbers. `None` if it takes more than that.
fn length(checker: &Checker<'_, '_>, frame: &Frame<'_>, expr: &Expr) -> Option<core::Expr> {
    use core::BinaryOp::{Add, Mul, Sub};
    let of = |lo: Int, hi: Int, kind| {
        let ty = CoreType::smallest(&lo, &hi);
        (ty.width() <= MAX_WIDTH).then_some(core::Expr { ty, kind })
    };
    match &expr.kind {
        ExprKind::Int(v) | ExprKind::Case { value: v, .. } => Some(Typed::number(v.clone()).expr),
        ExprKind::Param(at) => {
            let ty = number(checker, frame.passed.get(*at as usize)?)?;
            Some(core::Expr { ty, kind: core::ExprKind::Local(core::LocalId(*at)) })
        }
        ExprKind::Binary(op @ (Add | Sub | Mul), a, b) => {
            let (a, b) = (length(checker, frame, a)?, length(checker, frame, b)?);
            let ((al, ah), (bl, bh)) = (a.ty.range(), b.ty.range());
            let ends = match op {
                Add => vec![&al + &bl, &ah + &bh],
                Sub => vec![&al - &bh, &ah - &bl],
                _ => vec![&al * &bl, &al * &bh, &ah * &bl, &ah * &bh],
            };
            let (lo, hi) = (ends.iter().min()?.clone(), ends.iter().max()?.clone());
            of(lo, hi, core::ExprKind::Binary(*op, Box::new(a), Box::new(b)))
        }
        _ => None,
    }
}
