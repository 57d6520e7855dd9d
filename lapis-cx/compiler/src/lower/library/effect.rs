//! What a command does to the state of its context, as far as its typed body shows.

use std::collections::BTreeSet;

use super::walk;
use crate::contract::core::{Expr, ExprKind, Place, PlaceRoot, PlaceStep, Stmt};
use crate::contract::{Command, FieldId, Section, Semantics, Standard};
use crate::lower::command::traps;
use crate::lower::flow;

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Its result depends on its operands alone, and nothing else happens: it may be issued once for many, early, or not.
    pub is_pure: bool,
    /// It may read state, or leave some as it was.
    pub needs_state: bool,
    /// It may change state.
    pub changes_state: bool,
}

const UNKNOWN: Effect = Effect { is_pure: false, needs_state: true, changes_state: true };

/// The effect of a command of this section.
pub fn of(section: &Section, command: &Command) -> Effect {
    let is_stateless = section.state.is_none();
    match &command.semantics {
        Semantics::Opaque if is_stateless => Effect { is_pure: false, needs_state: false, changes_state: false },
        Semantics::Opaque => UNKNOWN,
        Semantics::Standard(Standard::ReadStatus | Standard::ReadState) => Effect { changes_state: false, ..UNKNOWN },
        Semantics::Standard(_) => UNKNOWN,
        Semantics::Body(body) => {
            let fails = body.stmts.iter().any(|stmt| stmt.raises() || traps(stmt));
            let (mut reads, mut writes) = (false, false);
            touches(&body.stmts, &mut reads, &mut writes);
            let touches = reads || writes;
            // An error is noted in the status word, and takes back what was written.
            let needs = !is_stateless && (touches && !sets_all(section, &body.stmts) || fails);
            Effect {
                is_pure: !touches && !fails,
                needs_state: needs,
                changes_state: !is_stateless && (writes || fails),
            }
        }
    }
}

/// Whether the result of a command of this section depends on its operands alone, and nothing else happens: it may be
/// issued once for many, early, or not.
pub fn is_pure(section: &Section, command: &Command) -> bool {
    of(section, command).is_pure
}

fn reads_state(e: &Expr) -> bool {
    walk::any(e, &mut |e| matches!(e.kind, ExprKind::State(_)))
}

/// The expressions of a statement itself.
fn exprs(stmt: &Stmt) -> Vec<&Expr> {
    match stmt {
        Stmt::Let(_, e) | Stmt::Do(e) | Stmt::If(e, ..) | Stmt::Match { value: e, .. } => vec![e],
        Stmt::Set(place, e) => {
            let mut all = vec![e];
            all.extend(place.path.iter().map(|step| match step {
                PlaceStep::Index(at) | PlaceStep::Bits { at, .. } => at,
            }));
            all
        }
        Stmt::For { lo, hi, .. } => vec![lo, hi],
        Stmt::Return(e) | Stmt::Raise { value: e, .. } => e.iter().collect(),
        Stmt::Trap | Stmt::With(_) => Vec::new(),
    }
}

fn touches(stmts: &[Stmt], reads: &mut bool, writes: &mut bool) {
    for stmt in stmts {
        *reads |= exprs(stmt).into_iter().any(reads_state);
        *writes |= matches!(stmt, Stmt::Set(Place { root: PlaceRoot::State(_), .. }, _));
        flow::blocks(stmt).into_iter().for_each(|block| touches(block, reads, writes));
    }
}

/// Whether a body assigns every field, each as a whole, before it reads any.
fn sets_all(section: &Section, stmts: &[Stmt]) -> bool {
    let fields = section.state.as_ref().map_or(0, |state| state.fields.len());
    let mut set = BTreeSet::<FieldId>::new();
    for stmt in stmts {
        let (mut reads, mut writes) = (false, false);
        touches(std::slice::from_ref(stmt), &mut reads, &mut writes);
        match stmt {
            _ if reads => return false,
            Stmt::Set(Place { root: PlaceRoot::State(id), path, .. }, _) if path.is_empty() => {
                set.insert(*id);
            }
            Stmt::Let(..) | Stmt::Set(..) => {}
            _ => return false,
        }
        if set.len() == fields {
            return true;
        }
    }
    fields == 0
}
