//! Removes what nobody reads, so that targets need not warn about it, and answers whether a block can be left.

use super::ir::{Base, Body, Cx, LocalId, Stmt};
use super::uses::{self, Use, own_uses};

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
    while !body.locals.is_empty() {
        let live = live(&body);
        let dead = |id: LocalId| !live.get(id.index()).copied().unwrap_or(false);
        if !sweep(&mut body.stmts, &dead) {
            break;
        }
    }
    body
}

/// The locals whose value matters: those that something with an effect reads, and those that go into such a local.
fn live(body: &Body) -> Vec<bool> {
    let mut live = vec![false; body.locals.len()];
    // From a local to one that is computed from it.
    let mut flows = Vec::new();
    let mut matters = Vec::new();
    collect(&body.stmts, &mut flows, &mut matters);
    // By what they flow into.
    flows.sort_unstable_by_key(|(_, to)| *to);
    while let Some(id) = matters.pop() {
        if let Some(flag) = live.get_mut(id.index())
            && !std::mem::replace(flag, true)
        {
            let first = flows.partition_point(|(_, to)| *to < id);
            let into = flows.iter().skip(first).take_while(|(_, to)| *to == id);
            matters.extend(into.map(|(from, _)| *from));
        }
    }
    live
}

fn collect(block: &[Stmt], flows: &mut Vec<(LocalId, LocalId)>, matters: &mut Vec<LocalId>) {
    for stmt in block {
        let target = only_writes(stmt);
        own_uses(stmt, &mut |used| {
            if let Use::Local(id) = used {
                match target {
                    Some(target) => flows.push((id, target)),
                    None => matters.push(id),
                }
            }
        });
        for inner in uses::inner_blocks(stmt) {
            collect(inner, flows, matters);
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
        if let Stmt::Cx(cx) = stmt
            && let Cx::Issue { into, .. } | Cx::Foreign { into, .. } = &mut **cx
            && into.is_some_and(|(id, _)| unread(id))
        {
            // It has effects, whoever reads its result.
            *into = None;
            changed = true;
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
