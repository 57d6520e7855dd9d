//! Puts selections, and what is saved and restored of states, where they are needed and nowhere else.
//!
//! The rules are those of the CX API, sections "CX state isolation models" and "CX calling conventions":
//!
//! - A function gives its caller's selection back. One of the CX calling convention, and each that uses a CX of the model
//!   `callee_save`, also gives back the state of shared CXs.
//! - While a function of the default calling convention runs, the built-in instructions are selected, and shared state is
//!   lost (unless the model is `callee_save`): it is *parked* in an image before, if a command may still read it.
//! - A `with` begins in the reset state, so that it means the same on every CX and in the fallback. Nothing is done for that
//!   where its first commands set all of the state.
//!
//! Both the selection and what is parked change as late as possible: two calls with no command between them need one
//! switch. Where paths meet, they must agree.

use std::collections::BTreeSet;

use super::{Context, Node, any, effect, ends};
use crate::contract::Sharing;
use crate::contract::library::FunctionId;
use crate::lower::ir::{Cx, Owner, Selection};

/// Places everything; `conventions` says which functions of the library follow the CX calling convention, and
/// `follows_cx` whether this one does.
pub fn place(nodes: Vec<Node>, contexts: &mut [Context<'_>], conventions: &[bool], follows_cx: bool) -> Vec<Node> {
    let mut placer = Placer { contexts, conventions, follows_cx, slots: 0, around: Vec::new() };
    placer.outside(nodes)
}

/// What is selected, and which states are in images, at a point inside of a `with`.
#[derive(Clone, Debug, PartialEq)]
struct Now {
    selected: Selection,
    parked: BTreeSet<u32>,
}

/// A context of hardware around the point at hand.
#[derive(Clone, Copy)]
struct Around {
    context: u32,
    /// What was selected before it: the slot of the outermost one, else a selection.
    before: Before,
}

#[derive(Clone, Copy)]
enum Before {
    Slot(u32),
    Selected(Selection),
}

/// Whether the state of a context is read later, if it is not, or is, read after the end of a block.
type Transfer = (bool, bool);

struct Placer<'p, 'a> {
    contexts: &'p mut [Context<'a>],
    conventions: &'p [bool],
    follows_cx: bool,
    slots: u32,
    around: Vec<Around>,
}

/// What a statement needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    Context(u32),
    Builtin,
}

impl Placer<'_, '_> {
    fn slot(&mut self) -> u32 {
        self.slots += 1;
        self.slots - 1
    }

    /// Whether a function of the default calling convention is called.
    fn is_legacy(&self, function: FunctionId) -> bool {
        !self.conventions.get(function.index()).copied().unwrap_or(false)
    }

    fn is_hardware(&self, context: u32) -> bool {
        self.contexts.get(context as usize).is_some_and(|context| !context.software)
    }

    /// A block that no context of hardware is around.
    fn outside(&mut self, nodes: Vec<Node>) -> Vec<Node> {
        let mut out = Vec::new();
        for node in nodes {
            match node {
                // What is selected is the caller's, whatever that is.
                Node::Foreign { function, .. } if self.follows_cx && self.is_legacy(function) => {
                    let slot = self.slot();
                    out.push(Node::Cx(Cx::Enter(slot, Selection::Builtin)));
                    out.push(node);
                    out.push(Node::Cx(Cx::Leave(slot)));
                }
                Node::If(c, a, b) => out.push(Node::If(c, self.outside(a), self.outside(b))),
                Node::For { local, lo, hi, body } => {
                    out.push(Node::For { local, lo, hi, body: self.outside(body) });
                }
                Node::Try(arms, otherwise) => {
                    let mut chain = self.outside(otherwise);
                    for (context, arm) in arms.into_iter().rev() {
                        let slot = self.slot();
                        let mut now = Now { selected: Selection::Context(context), parked: BTreeSet::new() };
                        let enter = Node::Cx(Cx::Enter(slot, Selection::Context(context)));
                        let arm = self.arm(context, Before::Slot(slot), arm, &mut now, enter, &[]);
                        chain = opened(context, arm, chain);
                    }
                    out.extend(chain);
                }
                other => out.push(other),
            }
        }
        out
    }

    /// An arm of hardware: from the switch to the context to the switch back.
    fn arm(
        &mut self,
        context: u32,
        before: Before,
        nodes: Vec<Node>,
        now: &mut Now,
        enter: Node,
        live_around: &[bool],
    ) -> Vec<Node> {
        let mut out = vec![enter];
        let issues = |placer: &Self, test: fn(effect::Effect) -> bool| {
            any(&nodes, &|node| placer.effect_on(node, context).is_some_and(test))
        };
        let (changes, reads) = (issues(self, |e| e.changes_state), self.transfer(&nodes, context).0);
        let kept = |around: &Around| {
            self.same_state(around.context, context)
                && self.contexts.get(around.context as usize).is_some_and(|context| context.saves_caller)
        };
        let kept_around = self.around.iter().any(kept);
        // A function that it calls may be this one, and a `with` inside may be of the same interface.
        let interface = self.contexts.get(context as usize).map(|context| context.interface);
        let is_used_inside = any(&nodes, &|node| match node {
            Node::Foreign { .. } => true,
            Node::Try(arms, _) => arms
                .iter()
                .any(|(inner, _)| self.contexts.get(*inner as usize).map(|inner| inner.interface) == interface),
            _ => false,
        });
        if let Some(one) = self.contexts.get_mut(context as usize) {
            let gives_back = self.follows_cx || one.sharing() == Some(Sharing::CalleeSave);
            one.saves_caller = one.is_shared() && gives_back && (changes || reads) && !kept_around;
            // One that is kept would hold the context that the next use has to open.
            one.fresh = one.sharing() == Some(Sharing::Exclusive) && !one.can_be_reset();
            one.held = one.sharing() == Some(Sharing::Exclusive) && is_used_inside;
            // Who used a shared one before may have left it off, and then no command but this one is answered.
            let may_be_off = one.is_shared() || one.is_turned_off;
            let resets = one.can_be_reset() && (reads || changes && may_be_off);
            if one.saves_caller {
                out.push(Node::Cx(Cx::Save(context, Owner::Caller)));
            }
            if resets {
                out.push(Node::Cx(Cx::Reset(context)));
            }
        }
        self.around.push(Around { context, before });
        let live: Vec<bool> = live_around.iter().copied().chain([false]).collect();
        let ended = ends(&nodes);
        out.extend(self.inside(nodes, now, &live));
        if !ended {
            self.leave(self.around.len() - 1, now, &mut out);
        }
        self.around.pop();
        out
    }

    fn reads_status(&self, context: u32) -> bool {
        self.contexts.get(context as usize).is_some_and(|context| context.reads_status)
    }

    /// Whether two contexts are one state of the thread.
    fn same_state(&self, a: u32, b: u32) -> bool {
        match (self.contexts.get(a as usize), self.contexts.get(b as usize)) {
            (Some(a), Some(b)) => a.interface == b.interface && a.is_shared(),
            _ => false,
        }
    }

    /// What a command does to the state of a context of hardware; `None` for all else.
    fn effect_on(&self, node: &Node, of: u32) -> Option<effect::Effect> {
        match node {
            Node::Issue { context, command, .. } if *context == of => {
                let section = self.contexts.get(of as usize)?.section;
                Some(effect::of(section, section.commands.get(*command as usize)?))
            }
            _ => None,
        }
    }

    /// Whether the state of a context is read before all of it is set.
    fn transfer(&self, nodes: &[Node], context: u32) -> Transfer {
        nodes.iter().rev().fold((false, true), |after, node| self.before(node, context, after))
    }

    /// The same for a statement, with what comes behind it.
    fn before(&self, node: &Node, context: u32, after: Transfer) -> Transfer {
        let then = |block: Transfer| (pick(block, after.0), pick(block, after.1));
        match node {
            Node::Issue { context: of, command, .. } if *of == context => {
                let section = self.contexts.get(*of as usize).map(|context| context.section);
                let effect = section.and_then(|s| Some(effect::of(s, s.commands.get(*command as usize)?)));
                match effect {
                    Some(effect) if effect.needs_state => (true, true),
                    // The status word, which others may set, is no field.
                    Some(effect) if effect.changes_state && self.reads_status(context) => (true, true),
                    Some(effect) if effect.changes_state => (false, false),
                    _ => after,
                }
            }
            Node::Return(_) => (false, false),
            Node::For { body, .. } => {
                let body = self.transfer(body, context);
                (after.0 || pick(body, after.0), after.1 || pick(body, after.1))
            }
            Node::If(..) | Node::Try(..) | Node::IfOpen(..) => {
                let either = node.blocks().into_iter().map(|block| then(self.transfer(block, context)));
                either.reduce(|a, b| (a.0 || b.0, a.1 || b.1)).unwrap_or(after)
            }
            _ => after,
        }
    }

    /// A block inside of contexts of hardware. `live` says for each of them whether its state is read after the block.
    fn inside(&mut self, nodes: Vec<Node>, now: &mut Now, live: &[bool]) -> Vec<Node> {
        // What is read from each statement on, the last one first.
        let around: Vec<u32> = self.around.iter().map(|around| around.context).collect();
        let mut later = vec![live.to_vec()];
        for node in nodes.iter().rev() {
            let after = later.last().cloned().unwrap_or_default();
            let of = |(context, after): (&u32, &bool)| pick(self.before(node, *context, (false, true)), *after);
            later.push(around.iter().zip(&after).map(of).collect());
        }
        let mut out = Vec::new();
        for node in nodes {
            let here = later.pop().unwrap_or_default();
            let after = later.last().cloned().unwrap_or_default();
            self.node(node, now, (&here, &after), &mut out);
        }
        out
    }

    fn node(&mut self, node: Node, now: &mut Now, (here, after): (&[bool], &[bool]), out: &mut Vec<Node>) {
        match node {
            Node::Issue { context, .. } => {
                if self.is_hardware(context) {
                    self.reach(Need::Context(context), now, here, out);
                }
                out.push(node);
            }
            Node::Foreign { function, .. } => {
                if self.is_legacy(function) {
                    self.reach(Need::Builtin, now, after, out);
                }
                out.push(node);
            }
            Node::If(c, a, b) => {
                let mut blocks = self.branches(vec![a, b], now, after).into_iter();
                if let (Some(a), Some(b)) = (blocks.next(), blocks.next()) {
                    out.push(Node::If(c, a, b));
                }
            }
            Node::For { local, lo, hi, body } => {
                if let Some(need) = self.head(&body) {
                    // What the loop reads in its first round, or what comes behind it.
                    self.reach(need, now, here, out);
                }
                let head = now.clone();
                // A later round reads what the first one does.
                let around: Vec<u32> = self.around.iter().map(|around| around.context).collect();
                let again = around.iter().zip(after).map(|(context, after)| {
                    let body = self.transfer(&body, *context);
                    *after || pick(body, *after)
                });
                let again: Vec<bool> = again.collect();
                let mut body = self.inside(body, now, &again);
                if !ends(&body) {
                    self.become_again(&head, now, &again, &mut body);
                }
                *now = head;
                out.push(Node::For { local, lo, hi, body });
            }
            Node::Return(e) => {
                // The value is computed first: nothing that follows writes a local or a buffer.
                let mut now = now.clone();
                for at in (0..self.around.len()).rev() {
                    self.leave(at, &mut now, out);
                }
                out.push(Node::Return(e));
            }
            Node::Try(arms, otherwise) => self.nested(arms, otherwise, now, (here, after), out),
            other => out.push(other),
        }
    }

    /// Paths that meet again.
    fn branches(&mut self, blocks: Vec<Vec<Node>>, now: &mut Now, after: &[bool]) -> Vec<Vec<Node>> {
        let start = now.clone();
        let mut placed = Vec::new();
        for block in blocks {
            let mut end = start.clone();
            let block = self.inside(block, &mut end, after);
            placed.push((block, end));
        }
        let mut open = placed.iter().filter(|(block, _)| !ends(block)).map(|(_, end)| end);
        let first = open.next().cloned();
        let agree = first.as_ref().is_some_and(|first| open.all(|end| end == first));
        let target = if agree { first.unwrap_or(start) } else { start };
        for (block, end) in &mut placed {
            if !ends(block) {
                self.become_again(&target, end, after, block);
            }
        }
        *now = target;
        placed.into_iter().map(|(block, _)| block).collect()
    }

    /// A `with` inside of another one.
    fn nested(
        &mut self,
        arms: Vec<(u32, Vec<Node>)>,
        otherwise: Vec<Node>,
        now: &mut Now,
        (here, after): (&[bool], &[bool]),
        out: &mut Vec<Node>,
    ) {
        // A shared state that is used anew inside is the outer one's too.
        let outer: Vec<_> = self.around.iter().map(|around| around.context).zip(here.iter().copied()).collect();
        for (context, is_live) in outer {
            if arms.iter().any(|(inner, _)| self.same_state(context, *inner)) {
                self.park(context, is_live, now, out);
            }
        }
        let start = now.clone();
        let mut end = start.clone();
        let mut chain = self.inside(otherwise, &mut end, after);
        if !ends(&chain) {
            self.become_again(&start, &mut end, after, &mut chain);
        }
        for (context, arm) in arms.into_iter().rev() {
            let mut inner = Now { selected: Selection::Context(context), parked: start.parked.clone() };
            let enter = Node::Cx(Cx::Select(Selection::Context(context)));
            let before = Before::Selected(start.selected);
            let mut arm = self.arm(context, before, arm, &mut inner, enter, after);
            if !ends(&arm) {
                self.become_again(&start, &mut inner, after, &mut arm);
            }
            chain = opened(context, arm, chain);
        }
        *now = start;
        out.extend(chain);
    }

    /// What the head of a loop should have: what all of it needs, else what its end needs.
    fn head(&self, body: &[Node]) -> Option<Need> {
        let mut last = None;
        for node in body.iter().rev() {
            let need = match node {
                Node::Issue { context, .. } if self.is_hardware(*context) => Some(Need::Context(*context)),
                Node::Foreign { function, .. } if self.is_legacy(*function) => Some(Need::Builtin),
                Node::If(..) | Node::For { .. } => node.blocks().into_iter().rev().find_map(|block| self.head(block)),
                _ => None,
            };
            last = last.or(need);
        }
        // A context that begins inside of the loop cannot be selected before it.
        last.filter(|need| match need {
            Need::Context(context) => self.around.iter().any(|around| around.context == *context),
            Need::Builtin => true,
        })
    }

    fn select(&self, selection: Selection, now: &mut Now, out: &mut Vec<Node>) {
        if now.selected != selection {
            now.selected = selection;
            out.push(Node::Cx(Cx::Select(selection)));
        }
    }

    fn park(&mut self, context: u32, is_live: bool, now: &mut Now, out: &mut Vec<Node>) {
        if now.parked.insert(context) && is_live {
            self.select(Selection::Context(context), now, out);
            out.push(Node::Cx(Cx::Save(context, Owner::Own)));
            if let Some(context) = self.contexts.get_mut(context as usize) {
                context.saves_own = true;
            }
        }
    }

    fn unpark(&mut self, context: u32, is_live: bool, now: &mut Now, out: &mut Vec<Node>) {
        if now.parked.remove(&context) {
            self.select(Selection::Context(context), now, out);
            // What nobody reads any more may be off.
            let cx = if is_live { Cx::Restore(context, Owner::Own) } else { Cx::Reset(context) };
            out.push(Node::Cx(cx));
        }
    }

    /// Makes a point fit for what comes next.
    fn reach(&mut self, need: Need, now: &mut Now, live: &[bool], out: &mut Vec<Node>) {
        let around: Vec<_> = self.around.iter().map(|around| around.context).zip(live.iter().copied()).collect();
        match need {
            Need::Context(context) => {
                // Of those that are one state only one can be there.
                for (other, is_live) in &around {
                    if *other != context && self.same_state(*other, context) {
                        self.park(*other, *is_live, now, out);
                    }
                }
                let is_live = around.iter().any(|(of, is_live)| *of == context && *is_live);
                self.unpark(context, is_live, now, out);
                self.select(Selection::Context(context), now, out);
            }
            Need::Builtin => {
                for (context, is_live) in around {
                    if self.contexts.get(context as usize).is_some_and(Context::is_lost_in_calls) {
                        self.park(context, is_live, now, out);
                    }
                }
                self.select(Selection::Builtin, now, out);
            }
        }
    }

    /// Makes the end of a path what another point is.
    fn become_again(&mut self, target: &Now, now: &mut Now, live: &[bool], out: &mut Vec<Node>) {
        let around: Vec<_> = self.around.iter().map(|around| around.context).zip(live.iter().copied()).collect();
        let (parked, others): (Vec<_>, Vec<_>) =
            around.into_iter().partition(|(context, _)| target.parked.contains(context));
        parked.into_iter().for_each(|(context, is_live)| self.park(context, is_live, now, out));
        others.into_iter().for_each(|(context, is_live)| self.unpark(context, is_live, now, out));
        self.select(target.selected, now, out);
    }

    /// Ends the use of one of the contexts around.
    fn leave(&self, at: usize, now: &mut Now, out: &mut Vec<Node>) {
        let Some(around) = self.around.get(at) else { return };
        let Some(context) = self.contexts.get(around.context as usize) else { return };
        if context.saves_caller {
            self.select(Selection::Context(around.context), now, out);
            out.push(Node::Cx(Cx::Restore(around.context, Owner::Caller)));
        }
        match around.before {
            Before::Slot(slot) => out.push(Node::Cx(Cx::Leave(slot))),
            Before::Selected(selection) => self.select(selection, now, out),
        }
        now.parked.remove(&around.context);
        if context.held || context.fresh {
            out.push(Node::Cx(Cx::Close(around.context)));
        }
    }
}

fn pick(transfer: Transfer, after: bool) -> bool {
    if after { transfer.1 } else { transfer.0 }
}

/// An arm that runs if its context can be opened.
fn opened(context: u32, arm: Vec<Node>, otherwise: Vec<Node>) -> Vec<Node> {
    vec![Node::Cx(Cx::Open(context)), Node::IfOpen(context, arm, otherwise)]
}
