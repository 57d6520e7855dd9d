//! The state that a side keeps for a connection between calls: regions, objects, registrations, files and metadata.

mod files;
mod objects;
mod regions;
mod registrations;
mod versions;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::{Deref, DerefMut, RangeInclusive};
use std::sync::Weak;

use super::eval::Attached;
use super::intervals::Ranges;
use super::memory::Allocation;
use super::names::is_without_object;
use crate::locks::{Mutex, MutexGuard, guard};
use crate::plan::{Layout, Metadata, Plan};
use crate::protocol::Ended;
use files::{EndedFiles, Files};
use objects::Object;
pub(crate) use objects::STAND_IN;
pub(crate) use regions::{EndedRegion, Region, capacity_for, is_id_of_other_side};
use registrations::Registration;
pub(crate) use registrations::is_function;
pub(crate) use versions::{MOST as MOST_VERSIONS, MOST_CHANGES, Offsets, Stored, Versions};

/// An owner of regions, objects, files and registrations. Each of these ends with its last owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Owner {
    /// The connection.
    Static,
    /// The connection, because the end is unknown: the memory may be freed and reused earlier.
    Connection,
    /// No owner: a call ends the memory explicitly.
    Manual,
    /// The next calls of `once` callbacks: the number of calls.
    Once(usize),
    /// An object: its kind and identifier.
    Handle(u32, u64),
    /// A region: its id.
    Region(u32),
    /// A scope: metadata, member, and the key of the object or memory that has the metadata.
    Scope(u32, u32, u64),
}

/// What ended while a call in a callback took effect.
#[derive(Default)]
pub(crate) struct EndedNow {
    pub regions: Vec<u32>,
    pub owners: Vec<RangeInclusive<Owner>>,
}

/// The largest number of entries in each table of a connection.
const MOST: usize = 1 << 20;

/// The state of a connection on one side.
#[derive(Default)]
pub(crate) struct Tables {
    pub is_worker: bool,
    regions: HashMap<u32, Region>,
    /// Regions by their addresses on this side.
    by_address: Ranges,
    /// Regions inside larger memory that replaced them. Only pointers that the other side already has lead to these regions.
    replaced: Ranges,
    /// Regions, objects, files and registrations by owner.
    owned: BTreeMap<Owner, BTreeSet<Ended>>,
    last_region: u32,
    last_message: u64,
    /// The size in bytes of the memory that the engine keeps for longer than a call: of regions, stand-in memory and results.
    kept: usize,
    /// Ended regions, until [`take_ended_regions`](Tables::take_ended_regions) returns them.
    ended_regions: Vec<EndedRegion>,
    /// Owners that ended, whose entries [`end_owned`](Tables::end_owned) has yet to end.
    ending: Vec<Owner>,
    /// Whether `end_owned` is running.
    is_ending: bool,
    /// If set, everything that ends is added to it.
    pub ended_now: Option<EndedNow>,
    /// On the worker: objects by position.
    objects: Vec<Object>,
    /// Positions of `objects` without a live object.
    free: Vec<u32>,
    /// Identifiers of objects by kind and value on this side.
    by_value: HashMap<(u32, u64), u64>,
    /// Objects by kind and identifier: on the worker those with provisional ids, on the guest those with stand-in memory.
    named: HashMap<(u32, u64), Object>,
    /// On the worker: kind and identifier of the values without an object that the library has returned.
    pub without_object: HashSet<(u32, u64)>,
    /// The metadata types of the plan.
    metadata: &'static [Metadata],
    layouts: &'static [Layout],
    /// The values of metadata, by type and by the handle value or address that has it.
    attached: BTreeMap<(u32, u64), Vec<i128>>,
    pub registrations: HashMap<u32, Registration>,
    /// On the guest: registrations by their userdata.
    by_userdata: HashMap<usize, BTreeSet<u32>>,
    /// On the guest: functions with a separate trampoline, by callback. The trampoline is the position.
    functions: HashMap<u32, Vec<usize>>,
    /// On the worker: registrations by the address that the library gets as userdata.
    by_userdata_address: HashMap<usize, u32>,
    /// On the worker: the memory that provides these addresses.
    userdata_memory: HashMap<u32, Allocation>,
    last_registration: u32,
    /// On the guest: asynchronous calls that keep memory were sent, and may fail. The worker has not been asked since what has ended.
    pub may_fail_to_keep: bool,
    /// The memory of ended regions that calls still use, and the size in bytes that it counts against the limit of kept memory.
    ended_in_use: Vec<(Weak<Allocation>, usize)>,
    /// If set, registrations without uses are added here and stay until [`end_hold`](Tables::end_hold).
    pub held: Option<Vec<u32>>,
    pub files: Files,
}

impl Tables {
    /// Closes the files, and leaves the memory and the functions allocated. The child of a fork can use what the library returned to the parent, as
    /// it natively could.
    pub fn leave_memory(mut self) {
        drop(std::mem::take(&mut self.files));
        std::mem::forget(self);
    }
}

/// Exclusive access to the tables. Closes files that ended meanwhile after it released the lock, because closing a file can block.
pub(crate) struct Locked<'a> {
    tables: MutexGuard<'a, Tables>,
    /// Declared after the lock, so it is dropped after the lock is released.
    ended_files: Option<EndedFiles>,
}

impl<'a> Locked<'a> {
    pub fn new(tables: &'a Mutex<Tables>) -> Locked<'a> {
        Locked { tables: guard(tables), ended_files: None }
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
        self.ended_files = self.tables.files.take_ended();
    }
}

impl Attached for Tables {
    fn get(&self, of: u32, key: u64, member: u32) -> i128 {
        self.attached.get(&(of, key)).and_then(|values| values.get(member as usize)).copied().unwrap_or(0)
    }
}

impl Tables {
    pub fn new(is_worker: bool, plan: &'static Plan) -> Tables {
        Tables { is_worker, metadata: &plan.metadata, layouts: &plan.layouts, ..Tables::default() }
    }

    /// Removes everything that the other side reported as ended.
    pub fn forget(&mut self, ended: &[Ended]) {
        // The numbers of callbacks come first: a registration that another entry ends lasts until its callbacks are over.
        let (callbacks, rest): (Vec<Ended>, Vec<Ended>) =
            ended.iter().partition(|one| matches!(one, Ended::Callbacks(..)));
        for one in callbacks.into_iter().chain(rest) {
            self.end(one, &mut Vec::new());
        }
        self.take_ended_regions();
    }

    /// Stores metadata of a handle or of memory. Null and other values without an object have none.
    ///
    /// # Errors
    ///
    /// Fails if there are too many handles and addresses with metadata.
    pub fn attach(&mut self, of: u32, key: u64, member: u32, value: i128) -> Result<(), &'static str> {
        if is_without_object(key) {
            return Ok(());
        }
        if self.attached.len() >= MOST && !self.attached.contains_key(&(of, key)) {
            return Err("`set` would give more than 1048576 handles and addresses metadata");
        }
        let values = self.attached.entry((of, key)).or_default();
        if values.len() <= member as usize {
            values.resize(member as usize + 1, 0);
        }
        if let Some(place) = values.get_mut(member as usize) {
            *place = value;
        }
        Ok(())
    }

    /// Returns whether the metadata belongs to a handle, or to memory that both sides have for longer than a call. Removes the metadata of other
    /// memory, because a later object can have its address.
    pub fn keeps_attached(&mut self, of: u32, key: u64) -> bool {
        let is_of_handle = self.metadata.get(of as usize).is_none_or(|one| one.of.is_some());
        let is_kept = is_of_handle || is_without_object(key) || self.find_region(key as usize).is_some();
        if !is_kept {
            self.attached.remove(&(of, key));
        }
        is_kept
    }

    /// Returns whether the key of metadata can have scopes. On the worker an object that has ended has none.
    pub fn has_scopes(&self, of: u32, key: u64) -> bool {
        let kind = self.metadata.get(of as usize).and_then(|one| one.of).filter(|_| self.is_worker);
        is_without_object(key) || kind.is_none_or(|kind| self.known_id(kind, key).is_some())
    }

    /// Removes the metadata of an object of this kind, or of `bytes` bytes of memory if `kind` is `None`, and ends everything in its scopes. An
    /// object of another kind or a region can have the same key, so their metadata is kept.
    fn end_attached(&mut self, kind: Option<u32>, (key, bytes): (u64, usize), ended: &mut Vec<Ended>) {
        let metadata = self.metadata;
        for (of, Metadata { members, .. }) in (0..).zip(metadata).filter(|(_, one)| one.of.is_none() || one.of == kind)
        {
            let end = key.saturating_add(bytes.max(1) as u64);
            self.attached.extract_if((of, key)..(of, end), |_, _| true).for_each(drop);
            for member in 0..*members as u32 {
                if let Some(now) = &mut self.ended_now {
                    now.owners.push(Owner::Scope(of, member, key)..=Owner::Scope(of, member, key.max(end - 1)));
                }
                let scopes = self.owned.range(Owner::Scope(of, member, key)..Owner::Scope(of, member, end));
                let scopes: Vec<Owner> = scopes.map(|(owner, _)| *owner).collect();
                scopes.into_iter().for_each(|owner| self.end_owned(owner, ended));
            }
        }
    }

    /// Ends all entries that have this owner and no other, and all entries that these own. Appends them to `ended`. Chains of owners can be long, so
    /// owners that end meanwhile are added to a list instead of a recursion.
    pub fn end_owned(&mut self, owner: Owner, ended: &mut Vec<Ended>) {
        self.ending.push(owner);
        if std::mem::replace(&mut self.is_ending, true) {
            return;
        }
        while let Some(owner) = self.ending.pop() {
            if let Some(now) = &mut self.ended_now {
                now.owners.push(owner..=owner);
            }
            for one in self.owned.remove(&owner).unwrap_or_default() {
                self.leave(one, owner, ended);
            }
        }
        self.is_ending = false;
    }

    /// Ends the regions of this side's own memory that have this owner and no other. Copies of the other side's memory stay.
    pub fn end_own_regions(&mut self, owner: Owner, ended: &mut Vec<Ended>) {
        let Tables { owned, regions, ended_now, .. } = self;
        if let Some(now) = ended_now {
            now.owners.push(owner..=owner);
        }
        let Some(owned) = owned.get_mut(&owner) else { return };
        let is_own = |one: &Ended| match one {
            Ended::Region(id) => regions.get(id).is_some_and(|region| region.memory.is_none()),
            _ => false,
        };
        let own: Vec<Ended> = owned.extract_if(.., |one| is_own(one)).collect();
        own.into_iter().for_each(|one| self.leave(one, owner, ended));
    }

    /// Returns whether one of these owners has a region.
    pub fn owns_memory(&self, owners: RangeInclusive<Owner>) -> bool {
        let is_region =
            |owned: &BTreeSet<Ended>| owned.range(Ended::Region(0)..=Ended::Region(u32::MAX)).next().is_some();
        self.owned.range(owners).any(|(_, owned)| is_region(owned))
    }

    /// Removes an owner. Ends the entry if it was the last owner.
    fn leave(&mut self, what: Ended, owner: Owner, ended: &mut Vec<Ended>) {
        match what {
            Ended::Region(id) => self.leave_region(id, owner, ended),
            Ended::Registration(id) => self.leave_registration(id, owner, ended),
            Ended::File(id, _) => self.leave_file(id, owner, ended),
            other => self.end(other, ended),
        }
    }

    /// Ends a region, an object, a file or a registration.
    pub fn end(&mut self, what: Ended, ended: &mut Vec<Ended>) {
        match what {
            Ended::Region(id) => self.end_region(id, ended),
            Ended::Object(kind, id) => self.end_object(kind, id, ended),
            Ended::File(id, is_closed) => self.files.end_sent(id, is_closed),
            Ended::Use(id, 0) => self.release(id, ended),
            Ended::Use(id, calls) => self.end_expected(id, calls, ended),
            Ended::NotKept(id) => self.end_call(id, ended),
            // Only the worker sends such callbacks.
            Ended::Callbacks(id, count) if !self.is_worker => self.sent_callbacks(id, count),
            Ended::Callbacks(..) => {}
            Ended::Registration(id) => self.leave_scopes(id, ended),
            Ended::Copy(id, references) => self.end_copy(id, references, ended),
        }
    }

    /// Adds an entry that ends with an owner. Returns false if the owner had it already.
    pub fn own(&mut self, owner: Owner, what: Ended) -> bool {
        self.owned.entry(owner).or_default().insert(what)
    }

    /// Turns the use of a registration or file by a call into ownership by `owner`.
    pub fn keep(&mut self, what: Ended, owner: Owner, ended: &mut Vec<Ended>) {
        if let Ended::File(id, _) = what
            && self.files.keep(id, owner)
        {
            self.own(owner, what);
        }
        let Ended::Registration(id) = what else { return };
        let Some(one) = self.registrations.get_mut(&id) else { return };
        if let Owner::Once(calls) = owner {
            one.expect_calls(calls);
            self.release(id, ended);
        } else if one.calls == 0 || one.owners.contains(&owner) {
            // The other side may already have reported that this call did not keep the registration.
            self.end_uses(id, 1, ended);
        } else {
            one.owners.push(owner);
            self.own(owner, what);
        }
    }

    /// Ends the use of a registration or file by a call.
    pub fn end_use(&mut self, what: Ended, ended: &mut Vec<Ended>) {
        match what {
            Ended::Registration(id) => self.release(id, ended),
            Ended::File(id, _) => ended.extend(self.files.release(id).map(|is_closed| Ended::File(id, is_closed))),
            _ => {}
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
    use crate::marshal::shape::Shape;

    #[test]
    fn the_other_side_learns_of_what_ended_with_a_scope() {
        let (mut worker, mut guest) = (Tables { is_worker: true, ..Tables::default() }, Tables::default());
        let (id, scope) = (guest.register(&[(0, 0x1000)], 7), Owner::Scope(0, 0, 5));
        assert!(worker.use_registration(id).is_some());
        for tables in [&mut worker, &mut guest] {
            tables.keep(Ended::Registration(id), scope, &mut Vec::new());
        }
        let mut ended = Vec::new();
        worker.end_owned(scope, &mut ended);
        assert_eq!(ended, [Ended::Registration(id)]);
        guest.end(ended[0], &mut Vec::new());
        assert!(worker.registrations.is_empty() && guest.registrations.is_empty());
    }

    #[test]
    fn end_owned_chain_of_regions_and_objects_ends_all() {
        const COUNT: u32 = 200_000;
        let mut tables = Tables::default();
        let mut owner = Owner::Handle(0, 1);
        for n in 0..COUNT {
            let (id, object) = (2 * n + 2, u64::from(n) + 2);
            let region = Region { uses: 0, owners: vec![owner], ..Region::new(16 * id as usize, 8, Shape::Flat) };
            tables.add_region(id, region);
            tables.own(owner, Ended::Region(id));
            tables.own(Owner::Region(id), Ended::Object(0, object));
            owner = Owner::Handle(0, object);
        }
        let mut ended = Vec::new();
        tables.end_owned(Owner::Handle(0, 1), &mut ended);
        assert_eq!(ended.len(), 2 * COUNT as usize);
        assert!(tables.owned.is_empty() && tables.regions.is_empty());
    }

    #[test]
    fn attach_beyond_the_limit_is_refused() {
        let mut tables = Tables { is_worker: true, ..Tables::default() };
        assert!((1..=MOST as u64).all(|key| tables.attach(0, key, 0, 7).is_ok()));
        assert!(tables.attach(0, MOST as u64 + 1, 0, 7).is_err() && tables.attach(0, 1, 0, 8).is_ok());
        assert_eq!((tables.get(0, 1, 0), tables.get(0, MOST as u64 + 1, 0)), (8, 0));
    }

    /// Closing a file can block for any time, so it must not happen under the lock.
    #[test]
    fn files_are_closed_when_others_have_the_tables_again() {
        let (mut read, write) = pipe().unwrap();
        let tables = Mutex::new(Tables { is_worker: true, ..Tables::default() });
        let mut locked = Locked::new(&tables);
        locked.files.add_received(2, GivenFile::new(write.into()).unwrap());
        let mut ended = Vec::new();
        locked.end_use(Ended::File(2, false), &mut ended);
        assert_eq!(ended, [Ended::File(2, false)]);
        // The pipe is still open while the tables are locked.
        let mut end = libc::pollfd { fd: std::os::fd::AsRawFd::as_raw_fd(&read), events: libc::POLLIN, revents: 0 };
        // SAFETY: `end` is one valid entry with an open descriptor of this test.
        assert_eq!(unsafe { libc::poll(&raw mut end, 1, 0) }, 0);
        drop(locked);
        assert_eq!(read.read(&mut [0]).unwrap(), 0);
    }
}
