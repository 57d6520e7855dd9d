//! What the guards of Rust do by themselves. The lowered core says where a function gives back what it took; where that is at
//! the end of a block, or before a `return`, the guards of the block are dropped anyway, the last one first.

use std::borrow::Cow;
use std::collections::BTreeSet;

use lapis_cx::lower::ir::{Cx, ExprKind, Owner, Selection, Stmt};

/// What is given back in the middle of a block.
#[derive(Clone, Debug, Default)]
pub struct Explicit {
    /// Selections, by slot.
    pub slots: BTreeSet<u32>,
    /// States of callers, by context.
    pub callers: BTreeSet<u32>,
}

fn cx(stmt: &Stmt) -> Option<&Cx> {
    match stmt {
        Stmt::Cx(cx) => Some(cx),
        _ => None,
    }
}

/// Whether a statement in this block makes the guard that a statement ends.
fn is_made_in(stmts: &[&Stmt], end: &Cx) -> bool {
    stmts.iter().filter_map(|stmt| cx(stmt)).any(|made| match (made, end) {
        (Cx::Enter(made, _), Cx::Leave(slot)) => made == slot,
        (Cx::Save(made, Owner::Caller), Cx::Restore(context, Owner::Caller)) => made == context,
        // The block that has an instance begins so.
        (Cx::Enter(_, Selection::Context(made)) | Cx::Select(Selection::Context(made)), Cx::Close(context)) => {
            made == context
        }
        _ => false,
    })
}

/// The statements at the end that guards do, as positions.
fn implied(stmts: &[&Stmt]) -> std::ops::Range<usize> {
    let returns = matches!(stmts.last(), Some(Stmt::Finish(..) | Stmt::Return(_)));
    let end = stmts.len() - usize::from(returns);
    let mut start = end;
    while let Some(stmt) = start.checked_sub(1).and_then(|at| stmts.get(at)).and_then(|stmt| cx(stmt)) {
        let is_implied = match stmt {
            Cx::Leave(_) | Cx::Restore(_, Owner::Caller) | Cx::Close(_) => returns || is_made_in(stmts, stmt),
            // The guard selects what it restores.
            Cx::Select(Selection::Context(context)) => {
                let next = stmts.get(start).filter(|_| start < end).and_then(|stmt| cx(stmt));
                matches!(next, Some(Cx::Restore(of, Owner::Caller)) if of == context)
            }
            _ => false,
        };
        if !is_implied {
            break;
        }
        start -= 1;
    }
    start..end
}

/// The statements of a block that are printed: not those that guards do, and not the search for an instance, which stands in
/// the `if let` behind it.
pub fn kept<'b, 's>(stmts: &'b [&'s Stmt]) -> Cow<'b, [&'s Stmt]> {
    if !stmts.iter().any(|stmt| matches!(stmt, Stmt::Cx(_))) {
        return Cow::Borrowed(stmts);
    }
    let implied = implied(stmts);
    let kept = stmts.iter().enumerate().filter(|(at, stmt)| {
        let is_open = matches!(stmt, Stmt::Cx(cx) if matches!(**cx, Cx::Open(_)));
        !implied.contains(at) && !is_open
    });
    Cow::Owned(kept.map(|(_, stmt)| *stmt).collect())
}

/// A block without the search for an instance that an `if` right behind it asks for.
pub fn without_open(stmts: &[Stmt]) -> &[Stmt] {
    match stmts {
        [Stmt::Cx(cx), rest @ ..] if rest.len() == 1 => match (&**cx, rest) {
            (Cx::Open(context), [Stmt::If(c, ..)]) if c.kind == ExprKind::IsOpen(*context) => rest,
            _ => stmts,
        },
        _ => stmts,
    }
}

/// The blocks inside of a statement.
pub fn blocks(stmt: &Stmt) -> Vec<&[Stmt]> {
    match stmt {
        Stmt::If(_, a, b) => vec![a, b],
        Stmt::For { body, .. } => vec![body],
        Stmt::Switch { arms, default, .. } => {
            arms.iter().map(|(_, body)| body.as_slice()).chain([default.as_slice()]).collect()
        }
        _ => Vec::new(),
    }
}

/// What the statements of a body give back themselves.
pub fn explicit(stmts: &[Stmt], found: &mut Explicit) {
    let all: Vec<&Stmt> = stmts.iter().collect();
    for stmt in kept(&all).iter() {
        match cx(stmt) {
            Some(Cx::Leave(slot)) => {
                found.slots.insert(*slot);
            }
            Some(Cx::Restore(context, Owner::Caller)) => {
                found.callers.insert(*context);
            }
            _ => {}
        }
        blocks(stmt).into_iter().for_each(|block| explicit(block, found));
    }
}

/// Calls `f` with each statement that only bodies of libraries have.
pub fn each<'s>(stmts: &'s [Stmt], f: &mut dyn FnMut(&'s Cx)) {
    for stmt in stmts {
        if let Stmt::Cx(cx) = stmt {
            f(cx);
        }
        blocks(stmt).into_iter().for_each(|block| each(block, f));
    }
}
