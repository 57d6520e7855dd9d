//! Pure commands are issued once for many: one that was issued before with the same operands is not issued again, and one
//! whose operands do not change in a loop is issued before it. Commands run on the CX, where no C compiler sees that.

use std::collections::HashSet;

use super::{Context, Node, effect, walk};
use crate::contract::core::{Expr, ExprKind, Local, LocalId, Place, PlaceRoot, Stmt};

/// So many results are remembered, so that a body of thousands of commands takes no time of their square.
const MAX_KNOWN: usize = 64;

/// A pure command that was issued.
#[derive(Clone)]
struct Issued {
    context: u32,
    command: u32,
    args: Vec<Expr>,
    into: LocalId,
}

struct Merger<'c, 'a> {
    contexts: &'c [Context<'a>],
    locals: &'c [Local],
    params: u32,
    /// The locals that are assigned after they begin.
    assigned: HashSet<LocalId>,
}

/// What a block changes.
#[derive(Default)]
struct Changes {
    locals: HashSet<LocalId>,
    memory: bool,
}

/// Merges the pure commands of a body.
pub fn merge(nodes: &mut Vec<Node>, contexts: &[Context<'_>], locals: &[Local], params: u32) {
    let mut changes = Changes::default();
    assignments(nodes, params, &mut changes);
    let merger = Merger { contexts, locals, params, assigned: changes.locals };
    merger.hoist(nodes);
    merger.share(nodes, &mut Vec::new());
}

/// The locals that a block assigns, not those that begin in it.
fn assignments(nodes: &[Node], params: u32, changes: &mut Changes) {
    fn stmt_changes(stmt: &Stmt, params: u32, changes: &mut Changes) {
        match stmt {
            Stmt::Set(Place { root: PlaceRoot::Local(id), .. }, _) if id.0 < params => changes.memory = true,
            Stmt::Set(Place { root: PlaceRoot::Local(id), .. }, _) => {
                changes.locals.insert(*id);
            }
            Stmt::Match { arms, default, .. } => {
                let inner = arms.iter().flat_map(|arm| &arm.body).chain(default);
                inner.for_each(|stmt| stmt_changes(stmt, params, changes));
            }
            _ => {}
        }
    }
    for node in nodes {
        match node {
            Node::Stmt(stmt) => stmt_changes(stmt, params, changes),
            Node::Foreign { .. } => changes.memory = true,
            _ => {}
        }
        node.blocks().into_iter().for_each(|block| assignments(block, params, changes));
    }
}

/// The locals that begin in a block, its own level only.
fn begun(nodes: &[Node]) -> HashSet<LocalId> {
    let of = |node: &Node| match node {
        Node::Stmt(Stmt::Let(id, _)) => Some(*id),
        Node::Issue { into, .. } | Node::Foreign { into, .. } => *into,
        _ => None,
    };
    nodes.iter().filter_map(of).collect()
}

impl Merger<'_, '_> {
    fn is_pure(&self, context: u32, command: u32) -> bool {
        let section = self.contexts.get(context as usize).map(|context| context.section);
        let command = section.and_then(|section| Some((section, section.commands.get(command as usize)?)));
        command.is_some_and(|(section, command)| effect::of(section, command).is_pure)
    }

    /// Whether operands have other values after these changes.
    fn changed(&self, args: &[Expr], changes: &Changes) -> bool {
        let mut reads = |e: &Expr| matches!(e.kind, ExprKind::Local(id) if changes.locals.contains(&id));
        args.iter().any(|e| walk::any(e, &mut reads) || changes.memory && walk::reads_memory(e, self.params))
    }

    /// Moves out of each loop what is the same in all its rounds, inner loops first.
    fn hoist(&self, nodes: &mut Vec<Node>) {
        let mut done = Vec::with_capacity(nodes.len());
        for mut node in std::mem::take(nodes) {
            match &mut node {
                Node::If(_, a, b) => {
                    self.hoist(a);
                    self.hoist(b);
                }
                Node::Try(arms, otherwise) => {
                    arms.iter_mut().for_each(|(_, arm)| self.hoist(arm));
                    self.hoist(otherwise);
                }
                Node::For { local, body, .. } => {
                    self.hoist(body);
                    let mut changes = Changes::default();
                    assignments(body, self.params, &mut changes);
                    changes.locals.insert(*local);
                    changes.locals.extend(begun(body));
                    let mut kept = Vec::with_capacity(body.len());
                    for inner in std::mem::take(body) {
                        match inner {
                            Node::Issue { context, command, args, ty, into: Some(into) }
                                if self.is_pure(context, command)
                                    && !self.assigned.contains(&into)
                                    && !self.changed(&args, &changes) =>
                            {
                                // What follows may be computed from it.
                                changes.locals.remove(&into);
                                done.push(Node::Issue { context, command, args, ty, into: Some(into) });
                            }
                            other => kept.push(other),
                        }
                    }
                    *body = kept;
                }
                _ => {}
            }
            done.push(node);
        }
        *nodes = done;
    }

    /// Takes results that are known already, and drops commands whose result nobody wants.
    fn share(&self, nodes: &mut Vec<Node>, known: &mut Vec<Issued>) {
        nodes.retain(|node| {
            !matches!(node, Node::Issue { context, command, into: None, .. } if self.is_pure(*context, *command))
        });
        for node in nodes {
            let mut changes = Changes::default();
            assignments(std::slice::from_ref(node), self.params, &mut changes);
            let stays = |one: &Issued| !self.changed(&one.args, &changes);
            match node {
                Node::Issue { context, command, args, into: Some(into), .. } if self.is_pure(*context, *command) => {
                    let same = |one: &&Issued| (one.context, one.command) == (*context, *command) && one.args == *args;
                    if let Some(earlier) = known.iter().find(same) {
                        let Some(ty) = self.locals.get(earlier.into.index()).map(|local| local.ty.clone()) else {
                            continue;
                        };
                        let value = Expr { ty, kind: ExprKind::Local(earlier.into) };
                        *node = Node::Stmt(Stmt::Let(*into, value));
                    } else if !self.assigned.contains(into) {
                        let (context, command, args) = (*context, *command, args.clone());
                        if known.len() >= MAX_KNOWN {
                            known.remove(0);
                        }
                        known.push(Issued { context, command, args, into: *into });
                    }
                }
                Node::If(_, a, b) => {
                    self.share(a, &mut known.clone());
                    self.share(b, &mut known.clone());
                }
                Node::Try(arms, otherwise) => {
                    for block in arms.iter_mut().map(|(_, arm)| arm).chain([otherwise]) {
                        self.share(block, &mut known.clone());
                    }
                }
                Node::For { body, .. } => {
                    let mut inside: Vec<_> = known.iter().filter(|one| stays(one)).cloned().collect();
                    self.share(body, &mut inside);
                }
                _ => {}
            }
            known.retain(|one| !self.changed(&one.args, &changes));
        }
    }
}
