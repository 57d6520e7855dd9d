//! Calls of the library's functions in the body of another one.

use crate::contract::core::{Argument, ExprKind, Foreign, Stmt, Type};
use crate::contract::library::FunctionId;
use crate::contract::library::place::{Place, Type as PlaceType};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{library, names as name_codes, statements, types as codes};
use crate::source::Span;
use crate::syntax::{Kind, Node};

use super::checker::{BodyKind, Checker, Frame, NameInBody};
use super::expr::without_parentheses;
use super::methods::wrong_count;
use super::typed::Typed;

/// A function that a library declares, as a body calls it.
#[derive(Clone, Debug)]
pub(super) struct ForeignFunction {
    pub(super) id: FunctionId,
    pub(super) params: Vec<Parameter>,
    pub(super) result: ForeignResult,
    /// Where its name stands.
    pub(super) span: Span,
}

/// A parameter of it.
#[derive(Clone, Debug)]
pub(super) enum Parameter {
    /// A number of this type.
    Number(Type),
    /// Something else, which the caller has as a parameter.
    Other(Place),
}

/// What it gives.
#[derive(Clone, Debug)]
pub(super) enum ForeignResult {
    Nothing,
    Number(Type),
    /// What no body can hold.
    Other,
}

impl<'t> Checker<'_, 't> {
    /// `f(…);`
    pub(super) fn call_stmt(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Option<Stmt> {
        let table = self.foreign.clone();
        let function = table.get(node.name().text()).filter(|_| frame.kind == BodyKind::Impl);
        let Some(function) = function else {
            let found = Diagnostic::error(&statements::NOT_PURE, "a call alone does nothing", node.span(), "a call");
            self.report(
                found.help("assign what it returns: `x = f(…);`; functions of the language change nothing themselves"),
            );
            return None;
        };
        let args: Vec<_> =
            node.child(Kind::args).into_iter().flat_map(|args| args.exprs().collect::<Vec<_>>()).collect();
        let typed = self.foreign_call(frame, function, node, &args, true);
        (!typed.is_error()).then_some(Stmt::Do(typed.expr))
    }

    /// A call of a function of the library, in an expression or alone.
    pub(super) fn foreign_call(
        &mut self,
        frame: &mut Frame<'t>,
        function: &ForeignFunction,
        node: Node<'t>,
        args: &[Node<'t>],
        is_alone: bool,
    ) -> Typed {
        let name = node.name();
        frame.calls.push((function.id, name.span()));
        if function.params.len() != args.len() {
            self.names_only(frame, args);
            let found = wrong_count(name, name.text(), function.params.len(), args.len());
            self.report(found.label(function.span, "declared here"));
            return Typed::error();
        }
        let mut arguments = Vec::new();
        for (param, arg) in function.params.iter().zip(args) {
            match param {
                Parameter::Number(ty) => {
                    let typed = self.expr(frame, *arg, Some(ty));
                    let wrong = typed.is_error();
                    let expr = self.coerce(typed, ty, *arg);
                    arguments.extend((!wrong).then_some(Argument::Value(expr)));
                }
                Parameter::Other(place) => arguments.extend(self.passed_on(frame, place, *arg).map(Argument::Param)),
            }
        }
        if arguments.len() != args.len() || self.is_written_twice(function, &arguments, args) {
            return Typed::error();
        }
        let ty = match &function.result {
            ForeignResult::Number(ty) => ty.clone(),
            _ if is_alone => Type::U(1),
            result => {
                let (message, label) = match result {
                    ForeignResult::Nothing => ("returns nothing", "no value"),
                    _ => ("returns what no body can hold", "no number"),
                };
                let found =
                    Diagnostic::error(&codes::OPERANDS, format!("`{}` {message}", name.text()), node.span(), label);
                self.report(found.label(function.span, "declared here").help("call it in a statement of its own"));
                return Typed::error();
            }
        };
        Typed::sized(ty, ExprKind::Foreign(Foreign { function: function.id, args: arguments }))
    }

    /// Refuses one buffer as two arguments, if the callee writes to either: in C it may not expect that, in Rust it cannot.
    fn is_written_twice(&mut self, callee: &ForeignFunction, arguments: &[Argument], nodes: &[Node<'t>]) -> bool {
        let writes = |param: &Parameter| matches!(param, Parameter::Other(place) if place.directions.output);
        for (i, argument) in arguments.iter().enumerate() {
            let before = arguments.iter().take(i).position(|other| match (other, argument) {
                (Argument::Param(a), Argument::Param(b)) => a == b,
                _ => false,
            });
            let Some(before) = before else { continue };
            let written = [before, i].into_iter().filter_map(|at| callee.params.get(at)).any(writes);
            if let (true, Some(first), Some(second)) = (written, nodes.get(before), nodes.get(i)) {
                let message = format!("`{}` is given twice to a function that writes to it", second.text());
                let found = Diagnostic::error(&library::BODY, message, second.span(), "the same buffer again");
                self.report(
                    found
                        .label(first.span(), "given here")
                        .label(callee.span, "declared here")
                        .help("pass a buffer of its own for each, or write `replace c\"\"\"…\"\"\"`"),
                );
                return true;
            }
        }
        false
    }

    /// The parameter of the caller that an argument names, if it is what the callee takes.
    fn passed_on(&mut self, frame: &mut Frame<'t>, wanted: &Place, arg: Node<'t>) -> Option<u32> {
        let arg = without_parentheses(arg);
        let position = match frame.find(arg.name().text()).filter(|_| arg.kind() == Kind::name) {
            Some(NameInBody::Local(id)) if id.index() < frame.passed.len() => Some(id.0),
            Some(NameInBody::Passed(at, _)) => Some(*at),
            Some(NameInBody::Broken) => return None,
            _ => None,
        };
        let given = position.and_then(|at| frame.passed.get(at as usize));
        match (position, given) {
            (Some(at), Some(place)) if is_taken(place, wanted) => Some(at),
            (Some(_), Some(_)) => {
                let message = format!("`{}` is of another type than this parameter", arg.text());
                self.error(&codes::OPERANDS, arg, message, "not what the function takes");
                None
            }
            _ => {
                let found = Diagnostic::error(
                    &name_codes::WRONG_KIND,
                    "a buffer, a handle or a pointer is passed on as a parameter has it",
                    arg.span(),
                    "no parameter",
                );
                self.report(found.help("name a parameter of the function around"));
                None
            }
        }
    }
}

/// Whether what a parameter holds can be given to another one: it is the same in C, and contents come back only to where
/// they may.
fn is_taken(given: &Place, wanted: &Place) -> bool {
    let (from, to) = (given.directions, wanted.directions);
    let directed = (from.output || !to.output) && (from.input || !to.input) && (to.new, to.own) == (from.new, from.own);
    let same = match (&given.ty, &wanted.ty) {
        // Whether the length is what the callee expects, is the caller's to see to, as in C.
        (PlaceType::Buffer { element: a, until: s, .. }, PlaceType::Buffer { element: b, until: t, .. }) => {
            a.ty == b.ty && s.is_some() == t.is_some() && directed
        }
        (a, b) => a == b && directed,
    };
    same && given.c == wanted.c && (wanted.optional || !given.optional)
}
