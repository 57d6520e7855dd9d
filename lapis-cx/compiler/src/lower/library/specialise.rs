//! Each `with` becomes an arm for every interface that it tries, in which all commands are known.

use std::collections::HashMap;

use super::walk;
use super::{Context, Node};
use crate::contract::core::{Argument, Local, LocalId, Place, PlaceRoot, PlaceStep, Stmt};
use crate::contract::library::Library;
use crate::contract::library::clause::Use;
use crate::contract::{Section, Sharing, Standard};
use crate::lower::ir::Cx;

struct Specialiser<'a, 'l> {
    library: &'a Library,
    xlen: u32,
    uses: &'a [Use],
    locals: &'l mut Vec<Local>,
    contexts: &'l mut Vec<Context<'a>>,
}

/// Specialises a body; the contexts are numbered as they are pushed.
pub fn specialise<'a>(
    library: &'a Library,
    xlen: u32,
    uses: &'a [Use],
    locals: &mut Vec<Local>,
    contexts: &mut Vec<Context<'a>>,
    nodes: Vec<Node>,
) -> Vec<Node> {
    let mut specialiser = Specialiser { library, xlen, uses, locals, contexts };
    specialiser.block(nodes, &HashMap::new())
}

impl<'a> Specialiser<'a, '_> {
    /// `known` has the context that each `with` around has here.
    fn block(&mut self, nodes: Vec<Node>, known: &HashMap<u32, u32>) -> Vec<Node> {
        nodes.into_iter().map(|node| self.node(node, known)).collect()
    }

    fn node(&mut self, node: Node, known: &HashMap<u32, u32>) -> Node {
        match node {
            Node::Issue { context, command, args, ty, into } => {
                let name = self.uses.get(context as usize).and_then(|one| one.commands.get(command as usize));
                let context = known.get(&context).copied().unwrap_or(context);
                let section = self.contexts.get(context as usize).map(|context| context.section);
                let position = section.and_then(|s| s.commands.iter().position(|c| Some(&c.name) == name));
                Node::Issue { context, command: position.map_or(u32::MAX, |at| at as u32), args, ty, into }
            }
            Node::If(c, a, b) => Node::If(c, self.block(a, known), self.block(b, known)),
            Node::For { local, lo, hi, body } => Node::For { local, lo, hi, body: self.block(body, known) },
            Node::With { context, body, otherwise } => self.with(context, body, otherwise, known),
            other => other,
        }
    }

    fn with(&mut self, source: u32, body: Vec<Node>, otherwise: Option<Vec<Node>>, known: &HashMap<u32, u32>) -> Node {
        let library = self.library;
        let interfaces = self.uses.get(source as usize).map(|one| one.interfaces.as_slice()).unwrap_or_default();
        let tried: Vec<_> = interfaces
            .iter()
            .filter_map(|name| {
                let used = library.used.iter().enumerate();
                let (at, interface) = used.clone().find(|(_, i)| i.package == name.package && i.name == name.name)?;
                let section = interface.sections.iter().find(|s| s.xlen == self.xlen)?;
                Some((at as u32, section, interface.uuid.is_some()))
            })
            .collect();
        let mut arms = Vec::new();
        // The state of a shared one that nothing resets is what its last user left, so no `with` can begin there.
        let can_begin = |section: &Section| {
            let is_shared = section.state.as_ref().is_some_and(|state| state.sharing != Sharing::Exclusive);
            !is_shared || section.standard(Standard::WriteStatus).is_some()
        };
        let found = tried.iter().filter(|(_, section, has_uuid)| *has_uuid && can_begin(section));
        for (interface, section, _) in found {
            let context = self.open(source, *interface, section, false);
            let arm = self.copy(&body);
            let arm = self.block(arm, &with(known, source, context));
            arms.push((context, arm));
        }
        let last = match (otherwise, tried.first()) {
            (Some(otherwise), _) => self.block(otherwise, known),
            (None, Some((interface, section, _))) => {
                let context = self.open(source, *interface, section, true);
                let mut nodes = vec![Node::Cx(Cx::Begin(context))];
                nodes.extend(self.block(body, &with(known, source, context)));
                nodes
            }
            (None, None) => Vec::new(),
        };
        Node::Try(arms, last)
    }

    fn open(&mut self, source: u32, interface: u32, section: &'a Section, software: bool) -> u32 {
        let standard = |name: &String, which: &[Standard]| {
            which.iter().any(|one| section.standard(*one).is_some_and(|command| command.name == *name))
        };
        let all = [Standard::ReadStatus, Standard::WriteStatus, Standard::ReadState, Standard::WriteState];
        let here = self.uses.get(source as usize);
        let reads_status = here.is_some_and(|one| one.commands.iter().any(|name| standard(name, &all)));
        let of_library =
            self.library.functions.iter().filter_map(|function| function.body()).flat_map(|(uses, _)| uses);
        let is_turned_off =
            of_library.flat_map(|one| &one.commands).any(|name| standard(name, &[Standard::WriteStatus]));
        self.contexts.push(Context {
            interface,
            section,
            software,
            held: false,
            fresh: false,
            saves_own: false,
            saves_caller: false,
            reads_status,
            is_turned_off,
        });
        self.contexts.len() as u32 - 1
    }

    /// The same statements with locals of their own: what is known of a local holds in one arm.
    fn copy(&mut self, nodes: &[Node]) -> Vec<Node> {
        let mut fresh = HashMap::new();
        let mut declared = Vec::new();
        declarations(nodes, &mut declared);
        for id in declared {
            if let Some(local) = self.locals.get(id.index()).cloned() {
                self.locals.push(local);
                fresh.insert(id, LocalId(self.locals.len() as u32 - 1));
            }
        }
        let mut nodes = nodes.to_vec();
        let to = |id: LocalId| fresh.get(&id).copied().unwrap_or(id);
        nodes.iter_mut().for_each(|node| rename(node, &to));
        nodes
    }
}

fn with(known: &HashMap<u32, u32>, source: u32, context: u32) -> HashMap<u32, u32> {
    let mut known = known.clone();
    known.insert(source, context);
    known
}

/// The locals that begin in a block.
fn declarations(nodes: &[Node], out: &mut Vec<LocalId>) {
    let mut of_expr = |e: &crate::contract::core::Expr, out: &mut Vec<LocalId>| {
        walk::any(e, &mut |e| {
            if let crate::contract::core::ExprKind::Comprehension(map) = &e.kind {
                out.push(map.local);
            }
            false
        });
    };
    for node in nodes {
        match node {
            Node::Stmt(stmt) => of_stmt(stmt, out, &mut of_expr),
            Node::Issue { args, into, .. } => {
                out.extend(*into);
                args.iter().for_each(|e| of_expr(e, out));
            }
            Node::Foreign { args, into, .. } => {
                out.extend(*into);
                for arg in args {
                    if let Argument::Value(e) = arg {
                        of_expr(e, out);
                    }
                }
            }
            Node::If(e, ..) => of_expr(e, out),
            Node::For { local, lo, hi, .. } => {
                out.push(*local);
                of_expr(lo, out);
                of_expr(hi, out);
            }
            Node::Return(e) => e.iter().for_each(|e| of_expr(e, out)),
            Node::With { .. } | Node::Try(..) | Node::Cx(_) | Node::IfOpen(..) => {}
        }
        node.blocks().into_iter().for_each(|block| declarations(block, out));
    }
}

fn of_stmt(
    stmt: &Stmt,
    out: &mut Vec<LocalId>,
    of_expr: &mut dyn FnMut(&crate::contract::core::Expr, &mut Vec<LocalId>),
) {
    match stmt {
        Stmt::Let(id, e) => {
            out.push(*id);
            of_expr(e, out);
        }
        Stmt::Set(place, e) => {
            of_expr(e, out);
            for step in &place.path {
                let (PlaceStep::Index(at) | PlaceStep::Bits { at, .. }) = step;
                of_expr(at, out);
            }
        }
        Stmt::Match { value, arms, default } => {
            of_expr(value, out);
            for stmt in arms.iter().flat_map(|arm| &arm.body).chain(default) {
                of_stmt(stmt, out, of_expr);
            }
        }
        _ => {}
    }
}

fn rename(node: &mut Node, to: &dyn Fn(LocalId) -> LocalId) {
    match node {
        Node::Stmt(stmt) => rename_stmt(stmt, to),
        Node::Issue { args, into, .. } => {
            args.iter_mut().for_each(|e| walk::rename(e, to));
            *into = into.map(to);
        }
        Node::Foreign { args, into, .. } => {
            for arg in args {
                if let Argument::Value(e) = arg {
                    walk::rename(e, to);
                }
            }
            *into = into.map(to);
        }
        Node::If(e, a, b) => {
            walk::rename(e, to);
            a.iter_mut().chain(b).for_each(|node| rename(node, to));
        }
        Node::For { local, lo, hi, body } => {
            *local = to(*local);
            walk::rename(lo, to);
            walk::rename(hi, to);
            body.iter_mut().for_each(|node| rename(node, to));
        }
        Node::Return(e) => e.iter_mut().for_each(|e| walk::rename(e, to)),
        Node::With { body, otherwise, .. } => {
            body.iter_mut().chain(otherwise.iter_mut().flatten()).for_each(|node| rename(node, to));
        }
        Node::Try(arms, otherwise) => {
            arms.iter_mut().flat_map(|(_, arm)| arm).chain(otherwise).for_each(|node| rename(node, to));
        }
        Node::IfOpen(_, a, b) => a.iter_mut().chain(b).for_each(|node| rename(node, to)),
        Node::Cx(_) => {}
    }
}

fn rename_stmt(stmt: &mut Stmt, to: &dyn Fn(LocalId) -> LocalId) {
    match stmt {
        Stmt::Let(id, e) => {
            *id = to(*id);
            walk::rename(e, to);
        }
        Stmt::Set(Place { root, path, .. }, e) => {
            if let PlaceRoot::Local(id) = root {
                *id = to(*id);
            }
            for step in path {
                let (PlaceStep::Index(at) | PlaceStep::Bits { at, .. }) = step;
                walk::rename(at, to);
            }
            walk::rename(e, to);
        }
        Stmt::Match { value, arms, default } => {
            walk::rename(value, to);
            let inner = arms.iter_mut().flat_map(|arm| &mut arm.body).chain(default);
            inner.for_each(|stmt| rename_stmt(stmt, to));
        }
        _ => {}
    }
}
