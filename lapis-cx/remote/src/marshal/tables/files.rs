//! File descriptors that one side passes to the other, by ids that the caller assigns: the guest uses even ids, the worker odd ids.
//!
//! The callee reports when it no longer uses a descriptor, and whether the library or program closed it. If so, the caller closes its own
//! descriptor, as a native call would have closed it.

use std::collections::HashMap;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

use super::Owner;
use crate::files::{GivenFile, identity};

/// The file descriptors of one connection.
#[derive(Default)]
pub(crate) struct Files {
    lent: HashMap<u32, Lent>,
    taken: HashMap<u32, Taken>,
    last: u32,
    /// Files that stay open because a path in a region names them, by the id of the region.
    behind: HashMap<u32, OwnedFd>,
    over: Over,
}

/// Files that ended. They are closed without holding the lock, as closing a file can block.
#[derive(Default)]
pub(crate) struct Over {
    given: Vec<GivenFile>,
    files: Vec<OwnedFd>,
}

/// A descriptor of this side that the other side uses.
struct Lent {
    number: RawFd,
    identity: Option<(u64, u64)>,
    /// The number of running calls that use the descriptor, including asynchronous calls that were sent.
    uses: usize,
    /// The other side keeps the descriptor after the call and reuses it for later calls.
    stays: bool,
    /// This side closes the descriptor if the other side closes its own.
    follows: bool,
}

/// A descriptor of the other side.
struct Taken {
    file: GivenFile,
    uses: usize,
    /// The owners that keep the descriptor after the call. Each of them is one use.
    owners: Vec<Owner>,
}

impl Files {
    /// Assigns an id to a descriptor that is sent. Returns the id, and whether the other side has the descriptor already. `stays` is true
    /// if the other side keeps it after the call; otherwise [`keep`](Files::keep) sets this once the call succeeded.
    pub fn lend(&mut self, number: RawFd, (stays, follows): (bool, bool), is_worker: bool) -> (u32, bool) {
        let identity = identity(number);
        // The program may have closed the descriptor and opened another file with the same number.
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

    /// Returns this side's number of a descriptor that it already received, and adds one use.
    pub fn again(&mut self, id: u32) -> Option<RawFd> {
        let known = self.taken.get_mut(&id)?;
        known.uses += 1;
        Some(known.file.number())
    }

    /// Returns whether the other side may assign this id to a new descriptor.
    pub fn may_be_theirs(&self, id: u32, is_worker: bool, most: usize) -> bool {
        id > 1 && (id & 1 == 1) != is_worker && !self.taken.contains_key(&id) && self.taken.len() < most
    }

    /// Stores a received descriptor and returns its number on this side.
    pub fn take(&mut self, id: u32, file: GivenFile) -> RawFd {
        let number = file.number();
        self.taken.insert(id, Taken { file, uses: 1, owners: Vec::new() });
        number
    }

    /// Adds an owner to a descriptor. Returns whether the owner is new.
    pub fn keep(&mut self, id: u32, owner: Owner) -> bool {
        if let Some(lent) = self.lent.get_mut(&id) {
            lent.stays = true;
        }
        let Some(taken) = self.taken.get_mut(&id) else { return false };
        if taken.owners.contains(&owner) {
            // The existing owner already has a use, so the use of the call ends.
            taken.uses = taken.uses.saturating_sub(1).max(1);
            return false;
        }
        taken.owners.push(owner);
        true
    }

    /// Removes an owner. Returns the same as [`release`](Files::release).
    pub fn leave(&mut self, id: u32, owner: Owner) -> Option<bool> {
        let taken = self.taken.get_mut(&id)?;
        let at = taken.owners.iter().position(|known| *known == owner)?;
        taken.owners.swap_remove(at);
        self.release(id)
    }

    /// Ends one use of a descriptor. After the last use, returns whether the descriptor was closed on this side.
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

    /// Removes and returns the files that ended since the last call.
    pub fn take_over(&mut self) -> Over {
        std::mem::take(&mut self.over)
    }

    /// Ends a descriptor that the other side reported as ended. `is_closed` is whether the other side closed it.
    pub fn told(&mut self, id: u32, is_closed: bool) {
        let Some(lent) = self.lent.remove(&id) else { return };
        if is_closed && lent.follows && identity(lent.number) == lent.identity {
            // SAFETY: the program passed the descriptor to a function that closes it, and `identity` confirms that the number still refers
            // to the same file.
            self.over.files.push(unsafe { OwnedFd::from_raw_fd(lent.number) });
        }
    }

    /// Returns the number of files that are open for paths.
    pub fn count_behind(&self) -> usize {
        self.behind.len()
    }

    /// Keeps a file open as long as a region, which contains a path to it.
    pub fn open_behind(&mut self, region: u32, file: OwnedFd) {
        self.behind.insert(region, file);
    }

    /// Ends the file that a path in this region names.
    pub fn close_behind(&mut self, region: u32) {
        self.over.files.extend(self.behind.remove(&region));
    }
}
