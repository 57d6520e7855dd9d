//! What a side remembers of a connection between calls: regions, objects, registrations, and what is attached to them.

mod files;
mod objects;
mod regions;
mod registrations;

use std::collections::{BTreeMap, HashMap};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, PoisonError};

use super::eval::Attached;
use super::memory::Allocation;
use crate::locks::{Mutex, MutexGuard};
use crate::plan::Metadata;
use crate::protocol::Ended;
use files::{Files, Over};
use objects::Object;
pub(crate) use regions::Region;
use registrations::Registration;
pub(crate) use registrations::is_function;

/// Until when something lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    /// The connection.
    Static,
    /// A call takes it.
    Manual,
    /// The next call of a function of the program, one for each such owner.
    Once,
    /// An object, by its identifier and kind.
    Handle(u32, u64),
    /// A region.
    Region(u32),
    /// A scope of what has this key: metadata and member.
    Scope(u32, u32, u64),
}

/// The most of each that a connection has.
const MOST: usize = 1 << 20;

#[derive(Default)]
pub(crate) struct Tables {
    pub is_worker: bool,
    regions: HashMap<u32, Region>,
    by_address: BTreeMap<usize, u32>,
    owned: HashMap<Owner, Vec<Ended>>,
    last_region: u32,
    /// Bytes of regions that are the engine's.
    kept: usize,
    /// Memory of regions that ended, for who ended them.
    over: Vec<Arc<Allocation>>,
    /// On the worker: objects by position.
    objects: Vec<Object>,
    free: Vec<u32>,
    by_value: HashMap<(u32, u64), u64>,
    named: HashMap<(u32, u64), Object>,
    /// What there is to attach.
    metadata: &'static [Metadata],
    attached: HashMap<(u32, u64), Vec<i128>>,
    pub registrations: HashMap<u32, Registration>,
    /// On the guest: functions with a trampoline of their own, by callback.
    functions: HashMap<u32, Vec<usize>>,
    by_record: HashMap<usize, u32>,
    /// The memory of records, by registration.
    records: HashMap<u32, Allocation>,
    last_registration: u32,
    pub files: Files,
}

/// Tables that nobody else has now. Files that ended meanwhile are closed when others have them again: to close one may take its time.
pub(crate) struct Locked<'a> {
    tables: MutexGuard<'a, Tables>,
    /// Behind the lock: it is dropped after it.
    over: Over,
}

impl<'a> Locked<'a> {
    pub fn new(tables: &'a Mutex<Tables>) -> Locked<'a> {
        Locked { tables: tables.lock().unwrap_or_else(PoisonError::into_inner), over: Over::default() }
    }
}

impl Deref for Locked<'_> {
    type Target = Tables;

    fn deref(&self) -> &Tables {
        &self.tables
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut Tables {
        &mut self.tables
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        self.over = self.tables.files.take_over();
    }
}

impl Attached for Tables {
    fn get(&self, of: u32, key: u64, member: u32) -> i128 {
        self.attached.get(&(of, key)).and_then(|values| values.get(member as usize)).copied().unwrap_or(0)
    }
}

impl Tables {
    pub fn new(is_worker: bool, metadata: &'static [Metadata]) -> Tables {
        Tables { is_worker, metadata, ..Tables::default() }
    }

    /// Forgets what the other side says has ended.
    pub fn forget(&mut self, ended: &[Ended]) {
        for one in ended {
            self.end(*one, &mut Vec::new());
        }
        self.take_over();
    }

    pub fn attach(&mut self, of: u32, key: u64, member: u32, value: i128) {
        if key == 0 || self.attached.len() > MOST {
            return;
        }
        let values = self.attached.entry((of, key)).or_default();
        if values.len() <= member as usize {
            values.resize(member as usize + 1, 0);
        }
        if let Some(place) = values.get_mut(member as usize) {
            *place = value;
        }
    }

    /// Forgets what is attached to something that ended, an object of this kind or memory, and ends all that lives in its scopes. The
    /// same number may stand for something else too: an object of another kind, or memory that begins where an object does.
    fn end_attached(&mut self, kind: Option<u32>, key: u64, ended: &mut Vec<Ended>) {
        let metadata = self.metadata;
        for (of, Metadata { members, .. }) in (0..).zip(metadata).filter(|(_, one)| one.of.is_none() || one.of == kind)
        {
            self.attached.remove(&(of, key));
            for member in 0..*members as u32 {
                let owner = Owner::Scope(of, member, key);
                for one in self.owned.remove(&owner).unwrap_or_default() {
                    match one {
                        // The other side sees that by itself, as the object ends there too.
                        Ended::Registration(id) => self.leave(id, owner, &mut Vec::new()),
                        Ended::File(id, _) => self.leave_file(id, owner, ended),
                        other => self.end(other, ended),
                    }
                }
            }
        }
    }

    /// Ends all that lives as long as something.
    pub fn end_owned(&mut self, owner: Owner, ended: &mut Vec<Ended>) {
        for one in self.owned.remove(&owner).unwrap_or_default() {
            match one {
                Ended::Registration(id) => self.leave(id, owner, ended),
                Ended::File(id, _) => self.leave_file(id, owner, ended),
                other => self.end(other, ended),
            }
        }
    }

    /// What lives as long as something.
    pub fn owned_by(&self, owner: Owner) -> &[Ended] {
        self.owned.get(&owner).map_or(&[], Vec::as_slice)
    }

    /// Ends one thing.
    pub fn end(&mut self, what: Ended, ended: &mut Vec<Ended>) {
        match what {
            Ended::Region(id) => self.end_region(id, ended),
            Ended::Object(kind, id) => self.end_object(kind, id, ended),
            Ended::File(id, is_closed) => self.files.told(id, is_closed),
            Ended::Use(id) => self.release(id),
            Ended::Registration(id) => {
                let owners = self.registrations.get(&id).map_or(&[][..], |one| &one.owners);
                if let Some(owner) = owners.iter().find(|owner| matches!(owner, Owner::Scope(..))).copied() {
                    self.leave(id, owner, ended);
                }
            }
        }
    }

    /// Something dies with an object.
    pub fn own(&mut self, owner: Owner, what: Ended) {
        let of = self.owned.entry(owner).or_default();
        if !of.contains(&what) {
            of.push(what);
        }
    }

    /// What a call used lives as long as its owner.
    pub fn keep(&mut self, what: Ended, owner: Owner) {
        if let Ended::File(id, _) = what
            && self.files.keep(id, owner)
        {
            self.own(owner, what);
        }
        let Ended::Registration(id) = what else { return };
        let Some(one) = self.registrations.get_mut(&id) else { return };
        if owner == Owner::Once && one.called > 0 {
            one.called -= 1;
            self.release(id);
        } else if owner == Owner::Once {
            one.due += 1;
        } else if one.owners.contains(&owner) {
            self.release(id);
        } else {
            one.owners.push(owner);
            self.own(owner, what);
        }
    }

    /// A call is over with what it used.
    pub fn end_use(&mut self, what: Ended, ended: &mut Vec<Ended>) {
        match what {
            Ended::Registration(id) | Ended::Use(id) => self.release(id),
            Ended::File(id, _) => ended.extend(self.files.release(id).map(|is_closed| Ended::File(id, is_closed))),
            Ended::Region(_) | Ended::Object(..) => {}
        }
    }

    fn leave_file(&mut self, id: u32, owner: Owner, ended: &mut Vec<Ended>) {
        ended.extend(self.files.leave(id, owner).map(|is_closed| Ended::File(id, is_closed)));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::io::{Read, pipe};

    use super::*;
    use crate::files::GivenFile;

    #[test]
    fn the_other_side_learns_of_what_ended_with_a_scope() {
        let (mut worker, mut guest) = (Tables::new(true, &[]), Tables::new(false, &[]));
        let (id, scope) = (guest.register(&[(0, 0x1000)], 7), Owner::Scope(0, 0, 5));
        assert!(worker.record(id).is_some());
        for tables in [&mut worker, &mut guest] {
            tables.keep(Ended::Registration(id), scope);
        }
        let mut ended = Vec::new();
        worker.end_owned(scope, &mut ended);
        assert_eq!(ended, [Ended::Registration(id)]);
        guest.end(ended[0], &mut Vec::new());
        assert!(worker.registrations.is_empty() && guest.registrations.is_empty());
    }

    /// To close a file can take as long as its system likes.
    #[test]
    fn files_are_closed_when_others_have_the_tables_again() {
        let (mut read, write) = pipe().unwrap();
        let tables = Mutex::new(Tables::new(true, &[]));
        let mut locked = Locked::new(&tables);
        locked.files.take(2, GivenFile::new(write.into()).unwrap());
        let mut ended = Vec::new();
        locked.end_use(Ended::File(2, false), &mut ended);
        assert_eq!(ended, [Ended::File(2, false)]);
        // Its end is open as long as the tables are locked.
        let mut end = libc::pollfd { fd: std::os::fd::AsRawFd::as_raw_fd(&read), events: libc::POLLIN, revents: 0 };
        // SAFETY: one descriptor, which is of this process.
        assert_eq!(unsafe { libc::poll(&raw mut end, 1, 0) }, 0);
        drop(locked);
        assert_eq!(read.read(&mut [0]).unwrap(), 0);
    }
}
