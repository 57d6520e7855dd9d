//! Questions about typed statements that lowering must answer before it prints them.

use std::collections::BTreeSet;

use crate::contract::FieldId;
use crate::contract::core::{Argument, Expr, ExprKind, LocalId, Place, PlaceRoot, Stmt};

/// Marks the locals that are the target of an assignment.
pub fn mark_assigned(stmts: &[Stmt], assigned: &mut [bool]) {
    for stmt in stmts {
        if let Stmt::Set(Place { root: PlaceRoot::Local(id), .. }, _) = stmt
            && let Some(flag) = assigned.get_mut(id.index())
        {
            *flag = true;
        }
        for block in blocks(stmt) {
            mark_assigned(block, assigned);
        }
    }
}

/// The blocks inside a statement.
pub fn blocks(stmt: &Stmt) -> Vec<&[Stmt]> {
    match stmt {
        Stmt::If(_, a, b) => vec![a, b],
        Stmt::For { body, .. } => vec![body],
        Stmt::Match { arms, default, .. } => {
            arms.iter().map(|arm| arm.body.as_slice()).chain([default.as_slice()]).collect()
        }
        Stmt::With(with) => {
            let mut blocks = vec![with.body.as_slice()];
            blocks.extend(with.otherwise.as_deref());
            blocks
        }
        _ => Vec::new(),
    }
}

/// Whether an expression reads a local or a field.
pub fn mentions(e: &Expr, root: PlaceRoot) -> bool {
    let any = |list: &[Expr]| list.iter().any(|e| mentions(e, root));
    match &e.kind {
        ExprKind::Const(_) | ExprKind::Table(_) => false,
        ExprKind::Local(id) => root == PlaceRoot::Local(*id),
        ExprKind::State(id) => root == PlaceRoot::State(*id),
        ExprKind::Unary(_, a)
        | ExprKind::Convert(a)
        | ExprKind::Saturate(a)
        | ExprKind::Rep(a, _)
        | ExprKind::Fill(a)
        | ExprKind::Split(a)
        | ExprKind::Join(a) => mentions(a, root),
        ExprKind::Comprehension(map) => mentions(&map.elem, root),
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) | ExprKind::Bits(a, b) => {
            mentions(a, root) || mentions(b, root)
        }
        ExprKind::Select(a, b, c) => mentions(a, root) || mentions(b, root) || mentions(c, root),
        ExprKind::Csr(_, value) => value.as_deref().is_some_and(|e| mentions(e, root)),
        ExprKind::Issue(issue) => any(&issue.args),
        ExprKind::Foreign(call) => call.args.iter().any(|arg| match arg {
            Argument::Value(e) => mentions(e, root),
            Argument::Param(at) => root == PlaceRoot::Local(LocalId(*at)),
        }),
        ExprKind::Cat(list) | ExprKind::Array(list) | ExprKind::Call(_, list) | ExprKind::Command(_, list) => any(list),
    }
}

/// Whether a block may end the body before its own end.
fn may_end(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| match stmt {
        Stmt::Return(_) | Stmt::Raise { .. } | Stmt::Trap => true,
        other => blocks(other).into_iter().any(may_end),
    })
}

/// Whether every run of a statement assigns state.
pub fn surely_sets_state(stmt: &Stmt) -> bool {
    fn block(stmts: &[Stmt]) -> bool {
        for stmt in stmts {
            if surely_sets_state(stmt) {
                return true;
            }
            if may_end(std::slice::from_ref(stmt)) {
                return false;
            }
        }
        false
    }
    match stmt {
        Stmt::Set(Place { root: PlaceRoot::State(_), .. }, _) => true,
        Stmt::If(_, a, b) => block(a) && block(b),
        // Only bounds that are constants show that the loop runs at all.
        Stmt::For { lo, hi, body, .. } => match (&lo.kind, &hi.kind) {
            (ExprKind::Const(lo), ExprKind::Const(hi)) => lo.int() < hi.int() && block(body),
            _ => false,
        },
        Stmt::Match { arms, default, .. } => arms.iter().all(|arm| block(&arm.body)) && block(default),
        _ => false,
    }
}

/// The fields that may have been written before an end that takes writes back.
#[derive(Debug, Default, PartialEq)]
pub struct Rollback {
    /// The fields to keep a copy of.
    pub fields: BTreeSet<FieldId>,
}

/// Collects what a `raise` without `@commit`, or a `trap`, may have to take back.
pub fn rollback(stmts: &[Stmt]) -> Rollback {
    let mut result = Rollback::default();
    walk(stmts, &mut BTreeSet::new(), &mut result);
    result
}

/// Adds every field that some statement of the block, however deep, assigns to.
fn assigned(stmts: &[Stmt], fields: &mut BTreeSet<FieldId>) {
    for stmt in stmts {
        if let Stmt::Set(Place { root: PlaceRoot::State(id), .. }, _) = stmt {
            fields.insert(*id);
        }
        blocks(stmt).into_iter().for_each(|block| assigned(block, fields));
    }
}

/// Returns whether the end of the block can be reached; `written` is what may have been written so far.
fn walk(stmts: &[Stmt], written: &mut BTreeSet<FieldId>, result: &mut Rollback) -> bool {
    for stmt in stmts {
        match stmt {
            Stmt::Set(Place { root: PlaceRoot::State(id), .. }, _) => {
                written.insert(*id);
            }
            Stmt::Let(..) | Stmt::Set(..) | Stmt::Do(_) | Stmt::With(_) => {}
            Stmt::Return(_) => return false,
            Stmt::Raise { commit: true, .. } => return false,
            Stmt::Raise { .. } | Stmt::Trap => {
                result.fields.extend(written.iter().copied());
                return false;
            }
            Stmt::For { body, .. } => {
                // A later round starts with what an earlier one wrote.
                assigned(body, written);
                walk(body, written, result);
            }
            Stmt::If(..) | Stmt::Match { .. } => {
                let before = written.clone();
                let mut reached = matches!(stmt, Stmt::Match { .. });
                for block in blocks(stmt) {
                    let mut branch = before.clone();
                    if walk(block, &mut branch, result) {
                        written.extend(branch);
                        reached = true;
                    }
                }
                if !reached {
                    return false;
                }
            }
        }
    }
    true
}
