//! What a caller gets from a call that was not made, or not waited for.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::library as codes;
use crate::syntax::{Kind, Node};

use super::Lib;
use super::inherit::{Reaching, word_of};
use super::scope::Scope;

impl<'t> Lib<'_, 't> {
    /// Complains where a function has a result, and nothing says which one it is without the real call.
    pub(super) fn check_results(&mut self, scope: &Scope<'t>, reaching: &[Reaching<'t>], name: Node<'t>) {
        if scope.ret.is_none() {
            return;
        }
        let all: Vec<_> = reaching.iter().map(|r| r.clause).collect();
        let fails = decide(&all, &|clause| clause.kind() == Kind::fails_clause && gives_result(clause));
        // `when` wins over what holds always.
        let timed: Vec<_> = all.iter().copied().filter(|c| c.kind() == Kind::when_clause).collect();
        let is_timed = decide(&timed, &|clause| clause.kind() == Kind::timing);
        for one in reaching.iter().filter(|r| !(is_timed && r.clause.kind() == Kind::timing)) {
            self.check_result(one.clause, fails, one.inherited.then_some(name));
        }
    }

    fn check_result(&mut self, clause: Node<'t>, fails: bool, arrives: Option<Node<'t>>) {
        let word = word_of(clause).map_or("", |w| w.text());
        match clause.kind() {
            Kind::when_clause => {
                for body in clause.children_of(Kind::clauses) {
                    let all: Vec<_> = body.children().collect();
                    let here = decide(&all, &|c| c.kind() == Kind::fails_clause && gives_result(c));
                    all.into_iter().for_each(|c| self.check_result(c, fails || here, arrives));
                }
            }
            Kind::requires_clause if !gives_result(clause) && (!fails || clause.has(Kind::outcome)) => {
                let message = "nothing says what a call returns for which this does not hold";
                let help = "add `else value`, or `fails value;` for every call that is not made";
                self.no_result(clause, message, help, word, arrives);
            }
            Kind::timing if word != "sync" && !gives_result(clause) => {
                let message = format!("`{word}` returns at once, and nothing says what");
                let help = format!("write `{word} returns value;`: what `success` says is no value");
                self.no_result(clause, &message, &help, word, arrives);
            }
            _ => {}
        }
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
fn decide<'t>(clauses: &[Node<'t>], test: &impl Fn(Node<'t>) -> bool) -> bool {
    clauses.iter().any(|clause| {
        if clause.kind() != Kind::when_clause {
            return test(*clause);
        }
        let bodies: Vec<Vec<_>> = clause.children_of(Kind::clauses).map(|b| b.children().collect()).collect();
        bodies.len() == 2 && bodies.iter().all(|body| decide(body, test))
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
