//! What a caller gets from a call that was not made, or not waited for.

use std::collections::HashSet;

use crate::contract::library::clause::Outcome;
use crate::contract::library::expr::{Expr, ExprKind, ValueKind, When};
use crate::contract::library::place::{Lifetime, Place, Scalar, Type};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::library as codes;
use crate::int::Int;
use crate::syntax::{Kind, Node};

use super::Lib;
use super::expr::constant_of;
use super::inherit::{Reaching, is_replaced, word_of};
use super::scope::{Scope, Typed};
use super::table::Row;

impl<'t> Lib<'_, 't> {
    /// Complains where a function has a result, and nothing says which one it is without the real call.
    pub(super) fn check_results(&mut self, scope: &Scope<'t>, reaching: &[Reaching<'t>], name: Node<'t>) {
        if scope.ret.is_none() {
            return;
        }
        let decide = |one: &Reaching<'t>, test: &dyn Fn(Node<'t>) -> bool| decide(&[one.clause], &one.replaced, test);
        let fails = reaching
            .iter()
            .any(|one| decide(one, &|clause| clause.kind() == Kind::fails_clause && gives_result(clause)));
        // `when` wins over what holds always.
        let mut timed = reaching.iter().filter(|one| one.clause.kind() == Kind::when_clause);
        let is_timed = timed.any(|one| decide(one, &|clause| clause.kind() == Kind::timing));
        for one in reaching.iter().filter(|r| !(is_timed && r.clause.kind() == Kind::timing)) {
            self.check_result(one.clause, (fails, &one.replaced), one.inherited.then_some(name));
        }
    }

    fn check_result(
        &mut self,
        clause: Node<'t>,
        (fails, replaced): (bool, &HashSet<String>),
        arrives: Option<Node<'t>>,
    ) {
        let word = word_of(clause).map_or("", |w| w.text());
        match clause.kind() {
            Kind::when_clause => {
                for body in clause.children_of(Kind::clauses) {
                    let all: Vec<_> = body.children().filter(|clause| !is_replaced(*clause, replaced)).collect();
                    let here = decide(&all, replaced, &|c| c.kind() == Kind::fails_clause && gives_result(c));
                    all.into_iter().for_each(|c| self.check_result(c, (fails || here, replaced), arrives));
                }
            }
            Kind::requires_clause if !gives_result(clause) && (!fails || clause.has(Kind::outcome)) => {
                let message = "missing failure result: the function returns a value, and this clause gives none for a call that it rejects";
                let help = "add `else value`, or `fails value;` for every call that is not made";
                self.no_result(clause, message, help, word, arrives);
            }
            Kind::timing if word != "sync" && !gives_result(clause) => {
                let message = format!("missing result: a function with `{word}` returns before the library does");
                let help = format!("write `{word} returns value;`");
                self.no_result(clause, &message, &help, word, arrives);
            }
            _ => {}
        }
    }

    /// A made-up result: `value` for `ret`, or `place = value`.
    pub(super) fn outcome(&mut self, scope: &Scope<'t>, node: Node<'t>, row: &Row) -> Vec<Outcome> {
        let what = format!("`{}`", row.name);
        let mut outcomes = Vec::new();
        for item in node.children_of(Kind::outcome_item) {
            let parts: Vec<_> = item.exprs().collect();
            match parts.as_slice() {
                [value] => {
                    let Some(ret) = scope.ret.clone() else {
                        // What all functions of a body return, those without a result do not.
                        if self.inherited {
                            continue;
                        }
                        let message = "a failure result for a function without a result";
                        self.report(
                            Diagnostic::error(&codes::OUTCOME, message, value.span(), "for no result")
                                .help("remove it, or assign it: `errno = value`"),
                        );
                        continue;
                    };
                    let value_node = *value;
                    let value = self.value_at(scope, value_node, row.at, &what).expr;
                    let target = Typed::of((*ret).clone(), When::Exit, ExprKind::Ret).expr;
                    self.assignable(&target, &value, value_node);
                    if self.holds(&ret, &value, value_node, row) {
                        outcomes.push(Outcome { target, value });
                    }
                }
                [place, value] => {
                    let typed = self.value(scope, *place);
                    let comes = comes_back(scope, &typed);
                    let target = typed.expr;
                    if !is_result(&target, comes) {
                        let message = "invalid target of a failure result: expected `ret`, `errno` or memory behind an `out` pointer";
                        self.error(&codes::OUTCOME, *place, message, "not a result");
                        continue;
                    }
                    let value_node = *value;
                    let value = self.value_at(scope, value_node, row.at, &what).expr;
                    self.assignable(&target, &value, value_node);
                    if typed.place.is_none_or(|place| self.holds(&place, &value, value_node, row)) {
                        outcomes.push(Outcome { target, value });
                    }
                }
                _ => {}
            }
        }
        outcomes
    }

    /// Complains about a constant that its place cannot be, which then does not apply, and about null where none is expected.
    fn holds(&mut self, place: &Place, value: &Expr, node: Node<'t>, row: &Row) -> bool {
        // Null is how a library says that it made nothing; texts and tables are looked at.
        let is_text = matches!(&place.ty, Type::Buffer { until: Some(_), .. });
        let is_looked_at = is_text || matches!(place.lifetime, Some(Lifetime::Static));
        if is_looked_at && !place.optional && !place.directions.new && matches!(value.kind, ExprKind::Null) {
            let message = format!("`{}` gives null, and this text or table is never null", row.name);
            let help = "write a text that the caller's side has, as `fails c\"\"\" \"no text\" \"\"\"`, or `?` behind the type";
            let found = Diagnostic::warning(&codes::NULL_RESULT, message, node.span(), "callers look at it");
            self.report(found.help(help));
        }
        let Some((least, most)) = range_of(&place.ty) else { return true };
        let Some(value) = constant_of(value).filter(|value| *value < least || *value > most) else { return true };
        let message = format!("`{}` gives {value}, and this result is from {least} to {most}", row.name);
        let help = "write a value that the result can be, which the caller knows from those of a call that was made";
        self.report(Diagnostic::error(&codes::OUT_OF_RANGE, message, node.span(), "out of range").help(help));
        false
    }

    /// A value of `defaults` is none of a function that it reaches. `fails` is for many functions at once: it does not apply there.
    pub(super) fn does_not_hold(&mut self, found: Diagnostic, word: &str, name: Node<'t>) {
        let Some(label) = found.labels.first() else { return };
        let message = format!("`{word}` reaches `{}`, which cannot return this: {}", name.text(), found.message);
        let help = format!("write another `{word}` for this one");
        self.report(
            match word {
                "fails" => Diagnostic::warning(&codes::OUT_OF_RANGE, message, name.span(), "returns 0 instead"),
                _ => Diagnostic::error(&codes::OUT_OF_RANGE, message, name.span(), "cannot be returned"),
            }
            .label(label.span, "inherited from here")
            .help(help),
        );
    }

    fn no_result(&mut self, clause: Node<'t>, message: &str, help: &str, word: &str, arrives: Option<Node<'t>>) {
        self.report(match arrives {
            None => Diagnostic::error(&codes::NO_RESULT, message, clause.span(), "without a result").help(help),
            Some(name) => {
                let message = format!("`{word}` reaches `{}`, which has a result: {message}", name.text());
                Diagnostic::error(&codes::NO_RESULT, message, name.span(), "has a result")
                    .label(clause.span(), "inherited from here")
                    .help(format!("{help}, or another `{word}` here"))
            }
        });
    }
}

/// Whether clauses hold one of a kind in any case: one that holds always, or one in both branches of a `when`.
fn decide<'t>(clauses: &[Node<'t>], replaced: &HashSet<String>, test: &dyn Fn(Node<'t>) -> bool) -> bool {
    clauses.iter().any(|clause| {
        if clause.kind() != Kind::when_clause {
            return test(*clause);
        }
        let in_body = |body: Node<'t>| body.children().filter(|one| !is_replaced(*one, replaced)).collect();
        let bodies: Vec<Vec<_>> = clause.children_of(Kind::clauses).map(in_body).collect();
        bodies.len() == 2 && bodies.iter().all(|body| decide(body, replaced, test))
    })
}

/// Whether the outcome of a clause has a value for the result, or for a part of it.
fn gives_result(clause: Node<'_>) -> bool {
    let items = clause.child(Kind::outcome).into_iter().flat_map(|o| o.children_of(Kind::outcome_item));
    items.into_iter().any(|item| {
        let parts: Vec<_> = item.exprs().collect();
        let first = parts.first().and_then(|p| p.leaves().find(|leaf| !leaf.is_trivia()));
        parts.len() == 1 || first.is_some_and(|leaf| leaf.text() == "ret")
    })
}

/// Whether a place comes back with what goes there and back: it is one itself, or lies in one and is not `local`.
fn comes_back(scope: &Scope<'_>, typed: &Typed) -> bool {
    let mut at = &typed.expr;
    while let ExprKind::Element(base, _) | ExprKind::Member { base, .. } = &at.kind {
        at = base;
    }
    let around = match at.kind {
        ExprKind::Param(n) => scope.params.get(n as usize).is_some_and(|param| param.place.directions.output),
        _ => false,
    };
    typed.place.as_ref().is_some_and(|place| !place.directions.local && (place.directions.output || around))
}

/// Whether a made-up result can go there.
fn is_result(target: &Expr, comes: bool) -> bool {
    match &target.kind {
        ExprKind::Ret | ExprKind::Errno => true,
        ExprKind::Element(..) | ExprKind::Member { .. } => {
            comes || target.when == When::Exit || target.value == ValueKind::Any
        }
        _ => false,
    }
}

/// What a number can be on any machine, of which the widest words have 64 bits; `None` for all that is none.
pub(super) fn range_of(ty: &Type) -> Option<(Int, Int)> {
    match ty {
        // Signed or not, as the machine has it.
        Type::Scalar(Scalar::Char) => Some((-&Int::pow2(7), Int::ones(8))),
        Type::Scalar(scalar) => scalar.number(64).map(|ty| ty.range()),
        _ => None,
    }
}
