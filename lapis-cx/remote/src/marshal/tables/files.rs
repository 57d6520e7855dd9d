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
    sent: HashMap<u32, SentDescriptor>,
    received: HashMap<u32, ReceivedDescriptor>,
    /// The last id that this side assigned.
    last: u32,
    /// Files that stay open because a path in a region names them, by the id of the region.
    of_paths: HashMap<u32, OwnedFd>,
    ended: EndedFiles,
}

/// Files that ended. They are closed without holding the lock, as closing a file can block.
#[derive(Default)]
pub(crate) struct EndedFiles {
    given: Vec<GivenFile>,
    files: Vec<OwnedFd>,
}

/// A descriptor of this side that the other side uses.
struct SentDescriptor {
    number: RawFd,
    identity: Option<(u64, u64)>,
    /// The number of running calls that use the descriptor, including asynchronous calls that were sent.
    uses: usize,
    /// The other side keeps the descriptor after the call and reuses it for later calls.
    stays: bool,
    /// This side closes the descriptor if the library or program on the other side closes it there.
    follows: bool,
}

/// A descriptor of the other side.
struct ReceivedDescriptor {
    file: GivenFile,
    uses: usize,
    /// The owners that keep the descriptor after the call. Each of them is one use.
    owners: Vec<Owner>,
}

impl Files {
    /// Assigns an id to a descriptor for sending, or returns the id of a descriptor that the other side has already. Returns the id, and whether the
    /// other side has the descriptor. `stays` is true if the other side keeps it after the call; otherwise [`keep`](Files::keep) sets this once the
    /// call succeeded.
    pub fn assign_id(&mut self, number: RawFd, (stays, follows): (bool, bool), is_worker: bool) -> (u32, bool) {
        let identity = identity(number);
        // The program may have closed the descriptor and opened another file with the same number.
        let is_it = |one: &SentDescriptor| one.stays && one.number == number && one.identity == identity;
        if let Some((id, known)) = self.sent.iter_mut().find(|(_, one)| is_it(one)) {
            known.uses += 1;
            return (*id, true);
        }
        loop {
            self.last = self.last.wrapping_add(2);
            let id = self.last & !1 | u32::from(is_worker);
            if id > 1 && !self.sent.contains_key(&id) {
                self.sent.insert(id, SentDescriptor { number, identity, uses: 1, stays, follows });
                return (id, false);
            }
        }
    }

    /// Adds a use to a descriptor that this side has already received. Returns its number on this side.
    pub fn use_again(&mut self, id: u32) -> Option<RawFd> {
        let known = self.received.get_mut(&id)?;
        known.uses += 1;
        Some(known.file.number())
    }

    /// Returns whether the other side may assign this id to a new descriptor.
    pub fn may_be_theirs(&self, id: u32, is_worker: bool, most: usize) -> bool {
        id > 1 && (id & 1 == 1) != is_worker && !self.received.contains_key(&id) && self.received.len() < most
    }

    /// Stores a received descriptor and returns its number on this side.
    pub fn add_received(&mut self, id: u32, file: GivenFile) -> RawFd {
        let number = file.number();
        self.received.insert(id, ReceivedDescriptor { file, uses: 1, owners: Vec::new() });
        number
    }

    /// Adds an owner to a descriptor. Returns whether the owner is new.
    pub fn keep(&mut self, id: u32, owner: Owner) -> bool {
        if let Some(sent) = self.sent.get_mut(&id) {
            sent.stays = true;
        }
        let Some(received) = self.received.get_mut(&id) else { return false };
        if received.owners.contains(&owner) {
            // The existing owner already has a use, so the use of the call ends.
            received.uses = received.uses.saturating_sub(1).max(1);
            return false;
        }
        received.owners.push(owner);
        true
    }

    /// Removes an owner. Returns the same as [`release`](Files::release).
    pub fn leave(&mut self, id: u32, owner: Owner) -> Option<bool> {
        let received = self.received.get_mut(&id)?;
        let at = received.owners.iter().position(|known| *known == owner)?;
        received.owners.swap_remove(at);
        self.release(id)
    }

    /// Ends one use of a descriptor. After the last use, returns whether the descriptor was closed on this side.
    pub fn release(&mut self, id: u32) -> Option<bool> {
        if let Some(sent) = self.sent.get_mut(&id) {
            sent.uses = sent.uses.saturating_sub(1);
            if sent.uses == 0 {
                self.sent.remove(&id);
            }
            return None;
        }
        let received = self.received.get_mut(&id)?;
        received.uses = received.uses.saturating_sub(1);
        if received.uses != 0 {
            return None;
        }
        let mut received = self.received.remove(&id)?;
        let is_closed = received.file.end();
        self.ended.given.push(received.file);
        Some(is_closed)
    }

    /// Removes and returns the files that ended since the last call, if any.
    pub fn take_ended(&mut self) -> Option<EndedFiles> {
        let has_ended = !self.ended.given.is_empty() || !self.ended.files.is_empty();
        has_ended.then(|| std::mem::take(&mut self.ended))
    }

    /// Ends a descriptor of this side that the other side reported as ended. `is_closed` is whether the other side closed it.
    pub fn end_sent(&mut self, id: u32, is_closed: bool) {
        let Some(sent) = self.sent.remove(&id) else { return };
        if is_closed && sent.follows && identity(sent.number) == sent.identity {
            // SAFETY: the program passed the descriptor to a function that closes it, and `identity` confirms that the number still refers
            // to the same file.
            self.ended.files.push(unsafe { OwnedFd::from_raw_fd(sent.number) });
        }
    }

    /// Returns the number of files that are open for paths.
    pub fn count_for_paths(&self) -> usize {
        self.of_paths.len()
    }

    /// Keeps a file open until a region ends that contains a path to it.
    pub fn keep_for_path(&mut self, region: u32, file: OwnedFd) {
        self.of_paths.insert(region, file);
    }

    /// Ends the file to which a path in this region leads.
    pub fn end_for_path(&mut self, region: u32) {
        self.ended.files.extend(self.of_paths.remove(&region));
    }
}
