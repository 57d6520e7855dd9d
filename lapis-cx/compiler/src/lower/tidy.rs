//! Removes what nobody reads, so that targets need not warn about it, and answers whether a block can be left.

use super::ir::{Base, Body, LocalId, Stmt};
use super::uses::{Use, block_uses};

/// Whether the end of a block cannot be reached.
pub fn ends(block: &[Stmt]) -> bool {
    match block.last() {
        Some(Stmt::Return(_) | Stmt::Finish(..)) => true,
        Some(Stmt::If(_, a, b)) => ends(a) && ends(b),
        Some(Stmt::Switch { arms, default, .. }) => ends(default) && arms.iter().all(|(_, body)| ends(body)),
        _ => false,
    }
}

/// Drops statements after an end, and locals that are written but never read. Expressions have no effect, so nothing
/// else changes.
pub fn tidy(mut body: Body) -> Body {
    cut(&mut body.stmts);
    loop {
        let mut reads = vec![0usize; body.locals.len()];
        block_uses(&body.stmts, &mut |used| {
            if let Use::Local(id) = used
                && let Some(n) = reads.get_mut(id.index())
            {
                *n += 1;
            }
        });
        let unread = |id: LocalId| reads.get(id.index()).is_none_or(|&n| n == 0);
        if !sweep(&mut body.stmts, &unread) {
            return body;
        }
    }
}

fn cut(block: &mut Vec<Stmt>) {
    for stmt in block.iter_mut() {
        for inner in inner_blocks(stmt) {
            cut(inner);
        }
    }
    if let Some(last) = (0..block.len()).find(|&i| block.get(i).is_some_and(|s| ends(std::slice::from_ref(s)))) {
        block.truncate(last + 1);
    }
}

fn inner_blocks(stmt: &mut Stmt) -> Vec<&mut Vec<Stmt>> {
    match stmt {
        Stmt::If(_, a, b) => vec![a, b],
        Stmt::For { body, .. } => vec![body],
        Stmt::Switch { arms, default, .. } => arms.iter_mut().map(|(_, body)| body).chain([default]).collect(),
        _ => Vec::new(),
    }
}

/// The local that a statement without any other effect writes.
fn only_writes(stmt: &Stmt) -> Option<LocalId> {
    let local = |base: &Base| match base {
        Base::Local(id) => Some(*id),
        _ => None,
    };
    match stmt {
        Stmt::Declare(id) | Stmt::Let(id, _) | Stmt::Assign(id, _) => Some(*id),
        Stmt::Store(base, ..) => local(base),
        Stmt::Copy { dst, .. } | Stmt::Fill { dst, .. } | Stmt::CallInto(_, _, dst) | Stmt::Wide { dst, .. } => {
            local(&dst.base)
        }
        _ => None,
    }
}

/// Removes writes of unread locals and what is empty then; says whether anything went.
fn sweep(block: &mut Vec<Stmt>, unread: &impl Fn(LocalId) -> bool) -> bool {
    let before = block.len();
    let mut changed = false;
    for stmt in block.iter_mut() {
        for inner in inner_blocks(stmt) {
            changed |= sweep(inner, unread);
        }
        if let Stmt::If(c, then, other) = stmt
            && then.is_empty()
            && !other.is_empty()
        {
            let condition = super::value::logical_not(c.clone());
            *stmt = Stmt::If(condition, std::mem::take(other), Vec::new());
        }
    }
    block.retain(|stmt| match stmt {
        Stmt::If(_, a, b) => !(a.is_empty() && b.is_empty()),
        Stmt::For { body, .. } => !body.is_empty(),
        Stmt::Switch { arms, default, .. } => !(default.is_empty() && arms.iter().all(|(_, body)| body.is_empty())),
        other => !only_writes(other).is_some_and(unread),
    });
    changed || block.len() != before
}
