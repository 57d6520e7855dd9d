//! The scopes of a call: the blocks in whose context expressions are evaluated, as a tree.
//!
//! A scope is identified by its position in the traversal, not by the address of its block: a struct and its first member have the same
//! address, and two pointers can lead to one struct. Scopes that are needed after the traversal has left them are kept.

use std::collections::HashMap;

use smallvec::SmallVec;

use crate::plan::{Block, Match};

/// The result of an expression; `None` if it has no value.
pub(crate) type Number = Option<i128>;

/// Marks the absence of a scope or of a position.
const NONE: usize = usize::MAX;

/// A block in whose context expressions are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    /// The address of the block.
    pub own: usize,
    /// The address of the value that the expression belongs to.
    pub this: usize,
    /// The index of that value if it is an element.
    pub index: u64,
    /// The position of the enclosing scope.
    pub parent: usize,
    /// The block of the plan, and the address that the block has in the reply.
    key: (usize, usize),
    /// The scope of the same block in the request, or `NONE` if the request did not contain the block.
    request: usize,
}

impl Scope {
    /// Creates a scope that only lasts as long as the evaluation of an expression.
    pub fn entered(own: usize, parent: usize) -> Scope {
        Scope { own, this: own, index: 0, parent, key: (NONE, own), request: NONE }
    }
}

/// The scopes of one call. The first scope is that of the arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scopes {
    all: SmallVec<[Scope; 4]>,
    /// The position of the scope of the block that is being traversed.
    current: usize,
    /// The number of scopes that stay when the traversal leaves them.
    kept: usize,
    /// Scopes of the request that the reply needs, by the enclosing scope and the [`key`](Scope::key).
    requests: HashMap<(usize, (usize, usize)), usize>,
    /// The position of the first snapshot of a scope of the request.
    snapshots_of: HashMap<usize, usize>,
    snapshots: Vec<Number>,
    /// The cases that the request selected, by scope, address of the value, and `match` of the plan.
    choices: HashMap<(usize, usize, usize), usize>,
}

/// Returns an address that identifies a part of the plan.
fn id_of<T>(part: &T) -> usize {
    std::ptr::from_ref(part).addr()
}

impl Scopes {
    /// Removes all scopes except that of the arguments.
    pub fn start(&mut self, arguments: usize) {
        self.all.clear();
        self.all.push(Scope { request: 0, ..Scope::entered(arguments, 0) });
        (self.current, self.kept) = (0, 1);
        self.requests.clear();
        self.snapshots_of.clear();
        self.snapshots.clear();
        self.choices.clear();
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns the position of the scope of the block that is being traversed.
    pub fn current(&self) -> usize {
        self.current
    }

    /// Makes a scope the current scope. Returns the previous current scope.
    pub fn set_current(&mut self, at: usize) -> usize {
        std::mem::replace(&mut self.current, at)
    }

    pub fn get(&self, at: usize) -> Scope {
        self.all.get(at).copied().unwrap_or(Scope::entered(0, 0))
    }

    /// Returns the address that the block of a scope has in the reply.
    pub fn address_in_reply(&self, at: usize) -> usize {
        self.get(at).key.1
    }

    /// Returns the scope of the block that is being traversed.
    pub fn innermost(&self) -> Scope {
        self.get(self.current)
    }

    /// Sets the current value of the block that is being traversed.
    pub fn set_current_value(&mut self, this: usize) {
        if let Some(scope) = self.all.get_mut(self.current) {
            scope.this = this;
        }
    }

    /// Sets the current value to an element, with its index.
    pub fn set_current_element(&mut self, this: usize, index: u64) {
        if let Some(scope) = self.all.get_mut(self.current) {
            (scope.this, scope.index) = (this, index);
        }
    }

    /// Adds a scope without entering it. Returns its position.
    pub fn push(&mut self, scope: Scope) -> usize {
        self.all.push(scope);
        self.all.len() - 1
    }

    pub fn truncate(&mut self, count: usize) {
        self.all.truncate(count);
    }

    /// Enters a block at `own`, which has the address `reply_address` in the reply. `is_request` is whether this is the traversal of a request.
    pub fn enter(&mut self, block: &'static Block, own: usize, reply_address: usize, is_request: bool) {
        let (at, parent, key) = (self.all.len(), self.current, (id_of(block), reply_address));
        let known = || self.requests.get(&(self.innermost().request, key)).copied().unwrap_or(NONE);
        let request = if is_request { at } else { known() };
        self.current = self.push(Scope { key, request, ..Scope::entered(own, parent) });
    }

    /// Leaves the current scope. It is removed unless it was kept. The scope of the arguments is never left.
    pub fn leave(&mut self) {
        let left = self.current;
        self.current = self.innermost().parent;
        if left >= self.kept {
            self.all.truncate(left);
        }
    }

    /// Keeps the current scope and its current value for an expression that is evaluated later. Returns the position of the kept scope.
    pub fn keep(&mut self) -> usize {
        let (now, last) = (self.innermost(), self.all.len().saturating_sub(1));
        let is_kept = last != self.current && self.get(last) == now;
        let at = if is_kept { last } else { self.push(now) };
        self.kept = self.all.len();
        at
    }

    /// Keeps the current scope of the request for the reply. Returns its position.
    fn remember(&mut self) -> usize {
        self.kept = self.all.len();
        let mut at = self.current;
        while at != 0 {
            let scope = self.get(at);
            if self.requests.insert((scope.parent, scope.key), at) == Some(at) {
                break;
            }
            at = scope.parent;
        }
        self.current
    }

    /// Stores the values that `old` returns in the reply for the current block.
    pub fn add_snapshots(&mut self, values: Vec<Number>) {
        let at = self.remember();
        self.snapshots_of.insert(at, self.snapshots.len());
        self.snapshots.extend(values);
    }

    /// Returns the value that an expression had in the request. `None` if the request did not contain the block.
    pub fn old(&self, scope: Scope, position: u32) -> Number {
        let start = self.snapshots_of.get(&scope.request)?;
        self.snapshots.get(start + position as usize).copied().flatten()
    }

    /// Stores the case that the request selected for the `match` at `reply_address`, its address in the reply.
    pub fn add_choice(&mut self, choice: &'static Match, reply_address: usize, at: usize) {
        let scope = self.remember();
        self.choices.insert((scope, reply_address, id_of(choice)), at);
    }

    /// Returns the case that the request selected for the `match` that is being traversed.
    pub fn choice(&self, choice: &'static Match) -> Option<usize> {
        let scope = self.innermost();
        self.choices.get(&(scope.request, scope.this, id_of(choice))).copied()
    }

    /// Adapts the scopes of an asynchronous call whose arguments, `size` bytes, moved from the address `from` to `to`.
    pub fn move_arguments(&mut self, from: usize, size: usize, to: usize) {
        let moved = |address: usize| match address.checked_sub(from) {
            Some(offset) if offset < size => to + offset,
            _ => address,
        };
        for scope in &mut self.all {
            (scope.own, scope.this, scope.key.1) = (moved(scope.own), moved(scope.this), moved(scope.key.1));
        }
        let requests = self.requests.drain().map(|((parent, (block, own)), at)| ((parent, (block, moved(own))), at));
        self.requests = requests.collect();
        let choices = self
            .choices
            .drain()
            .map(|((scope, reply_address, choice), at)| ((scope, moved(reply_address), choice), at));
        self.choices = choices.collect();
    }
}
