//! What the guards of Rust do by themselves. The lowered core says where a function gives back what it took; where that is at
//! the end of a block, or before a `return`, the guards of the block are dropped anyway, the last one first.

use std::borrow::Cow;
use std::collections::BTreeSet;

use lapis_cx::lower::ir::{Cx, ExprKind, Selection, Stmt};

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
        let is_of_guard = matches!(stmt, Cx::Leave(_) | Cx::Close(_));
        if !is_of_guard || !(returns || is_made_in(stmts, stmt)) {
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

/// The slots of selections that are given back in the middle of a block.
pub fn explicit(stmts: &[Stmt], slots: &mut BTreeSet<u32>) {
    let all: Vec<&Stmt> = stmts.iter().collect();
    for stmt in kept(&all).iter() {
        if let Some(Cx::Leave(slot)) = cx(stmt) {
            slots.insert(*slot);
        }
        blocks(stmt).into_iter().for_each(|block| explicit(block, slots));
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
