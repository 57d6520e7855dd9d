//! Descriptors of one side that the other one has, by numbers that the caller gives: even ones are the guest's, odd ones the worker's.
//!
//! The callee knows when one ends, and whether it was closed there by who was called. Then it is closed at the caller too, whose
//! program would find it closed natively.

use std::collections::HashMap;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

use super::Owner;
use crate::files::{GivenFile, identity};

/// What a connection has of them.
#[derive(Default)]
pub(crate) struct Files {
    lent: HashMap<u32, Lent>,
    taken: HashMap<u32, Taken>,
    last: u32,
    /// What a path leads to, by the region that the path is in.
    behind: HashMap<u32, OwnedFd>,
    over: Over,
}

/// Files that are over. To close one may take its time, so that is left to who has no lock.
#[derive(Default)]
pub(crate) struct Over {
    given: Vec<GivenFile>,
    files: Vec<OwnedFd>,
}

/// A descriptor of this side.
struct Lent {
    number: RawFd,
    identity: Option<(u64, u64)>,
    /// Calls that are under way with it, and those that left it to the other side.
    uses: usize,
    /// The other side has it for longer than a call: from now on it is the same there.
    stays: bool,
    /// It is closed here if it is closed there.
    follows: bool,
}

/// A descriptor of the other side.
struct Taken {
    file: GivenFile,
    uses: usize,
    /// What keeps it for longer than a call; each is a use.
    owners: Vec<Owner>,
}

impl Files {
    /// A descriptor goes to the other side: its number, and whether it is there already. `stays`: it is there for longer than a call;
    /// of others that is said once the call succeeded, by [`keep`](Files::keep).
    pub fn lend(&mut self, number: RawFd, (stays, follows): (bool, bool), is_worker: bool) -> (u32, bool) {
        let identity = identity(number);
        // The program may have closed it, and opened another one by the same number.
        let is_it = |one: &Lent| one.stays && one.number == number && one.identity == identity;
        if let Some((id, known)) = self.lent.iter_mut().find(|(_, one)| is_it(one)) {
            known.uses += 1;
            return (*id, true);
        }
        loop {
            self.last = self.last.wrapping_add(2);
            let id = self.last & !1 | u32::from(is_worker);
            if id > 1 && !self.lent.contains_key(&id) {
                self.lent.insert(id, Lent { number, identity, uses: 1, stays, follows });
                return (id, false);
            }
        }
    }

    /// A descriptor of the other side is used by another call: its number here.
    pub fn again(&mut self, id: u32) -> Option<RawFd> {
        let known = self.taken.get_mut(&id)?;
        known.uses += 1;
        Some(known.file.number())
    }

    /// Whether the other side may name a new one so.
    pub fn may_be_theirs(&self, id: u32, is_worker: bool, most: usize) -> bool {
        id > 1 && (id & 1 == 1) != is_worker && !self.taken.contains_key(&id) && self.taken.len() < most
    }

    /// One came: its number here.
    pub fn take(&mut self, id: u32, file: GivenFile) -> RawFd {
        let number = file.number();
        self.taken.insert(id, Taken { file, uses: 1, owners: Vec::new() });
        number
    }

    /// It lives as long as an owner; true if that is new.
    pub fn keep(&mut self, id: u32, owner: Owner) -> bool {
        if let Some(lent) = self.lent.get_mut(&id) {
            lent.stays = true;
        }
        let Some(taken) = self.taken.get_mut(&id) else { return false };
        if taken.owners.contains(&owner) {
            // It keeps one use.
            taken.uses = taken.uses.saturating_sub(1).max(1);
            return false;
        }
        taken.owners.push(owner);
        true
    }

    /// An owner ended; as [`release`](Files::release).
    pub fn leave(&mut self, id: u32, owner: Owner) -> Option<bool> {
        let taken = self.taken.get_mut(&id)?;
        let at = taken.owners.iter().position(|known| *known == owner)?;
        taken.owners.swap_remove(at);
        self.release(id)
    }

    /// A call is over with it. If nothing else uses it, it ends: whether it was closed here.
    pub fn release(&mut self, id: u32) -> Option<bool> {
        if let Some(lent) = self.lent.get_mut(&id) {
            lent.uses = lent.uses.saturating_sub(1);
            if lent.uses == 0 {
                self.lent.remove(&id);
            }
            return None;
        }
        let taken = self.taken.get_mut(&id)?;
        taken.uses = taken.uses.saturating_sub(1);
        if taken.uses != 0 {
            return None;
        }
        let mut taken = self.taken.remove(&id)?;
        let is_closed = taken.file.end();
        self.over.given.push(taken.file);
        Some(is_closed)
    }

    /// What is over since this was asked last.
    pub fn take_over(&mut self) -> Over {
        std::mem::take(&mut self.over)
    }

    /// The other side says that it ended one, and whether it was closed there.
    pub fn told(&mut self, id: u32, is_closed: bool) {
        let Some(lent) = self.lent.remove(&id) else { return };
        if is_closed && lent.follows && identity(lent.number) == lent.identity {
            // SAFETY: the program gave it to a function that closes it, and it means the same file still.
            self.over.files.push(unsafe { OwnedFd::from_raw_fd(lent.number) });
        }
    }

    /// How many files paths lead to.
    pub fn count_behind(&self) -> usize {
        self.behind.len()
    }

    /// A path in this region leads to a file that must stay open.
    pub fn open_behind(&mut self, region: u32, file: OwnedFd) {
        self.behind.insert(region, file);
    }

    /// A region ended.
    pub fn close_behind(&mut self, region: u32) {
        self.over.files.extend(self.behind.remove(&region));
    }
}
