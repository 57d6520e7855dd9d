//! What a side remembers of a connection between calls: regions, objects, registrations, and what is attached to them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::eval::Attached;
use super::files::Files;
use super::memory::Allocation;
use crate::plan::Metadata;

/// Until when something lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    /// The connection.
    Static,
    /// A call takes it.
    Manual,
    /// An object, by its identifier and kind.
    Handle(u32, u64),
    /// A region.
    Region(u32),
    /// A scope of what has this key: metadata and member.
    Scope(u32, u32, u64),
}

/// What memory holds, as far as it matters who writes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Numbers only.
    Flat,
    /// Structs of so many bytes, with pointers or members of one side. A specification may have several for one struct of C.
    Blocks(usize),
    /// What the buffer at this address of the plan has.
    Other(usize),
}

impl Shape {
    /// Whether what has this shape may lie `offset` bytes behind the start of what has that one: numbers over pointers, or one
    /// struct over another, would be forged pointers.
    pub fn fits(self, into: Shape, offset: usize) -> bool {
        match self {
            Shape::Blocks(bytes) => self == into && offset.is_multiple_of(bytes.max(1)),
            _ => self == into,
        }
    }
}

/// Memory that both sides have.
pub(crate) struct Region {
    /// On this side.
    pub start: usize,
    pub bytes: usize,
    pub shape: Shape,
    /// The other side knows it.
    pub is_shared: bool,
    pub owner: Owner,
    /// What the engine frees with it, and with the last call that uses it; without, the memory is somebody else's.
    pub memory: Option<Arc<Allocation>>,
    /// Who made it gave it away: it is no longer the library's.
    pub is_given: bool,
}

/// An object of which the other side has an identifier.
pub(crate) struct Object {
    pub generation: u32,
    pub kind: u32,
    /// What this side knows it by; on the guest, where memory stands for it, its address.
    pub value: u64,
    pub references: u64,
    pub is_alive: bool,
    /// What the engine frees with it.
    #[expect(dead_code, reason = "it is only dropped")]
    pub memory: Option<Allocation>,
}

/// Something that ended: the other side forgets it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Region(u32),
    /// Kind and identifier.
    Object(u32, u64),
    Registration(u32),
    /// A descriptor, and whether it was closed.
    File(u32, bool),
}

/// Functions of the program that the worker may call, and their tag.
#[derive(Clone, Debug)]
pub(crate) struct Registration {
    /// By callback; 0 where there is none.
    pub functions: Vec<(u32, usize)>,
    pub tag: usize,
    /// Calls that are under way with it, and owners: it ends with the last.
    uses: usize,
    owners: Vec<Owner>,
    /// It was called, which ends it, before the call that registered it was over.
    is_over: bool,
    /// On the worker: what stands for it there.
    pub address: usize,
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
    by_record: HashMap<usize, u32>,
    /// The memory of records, by registration.
    records: HashMap<u32, Allocation>,
    last_registration: u32,
    pub files: Files,
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

    // ---- regions ------------------------------------------------------------------------------------------------

    /// Bytes that the engine keeps for longer than a call.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// A number for a region that this side makes: the guest's are even, the worker's odd.
    pub fn new_region_id(&mut self) -> u32 {
        loop {
            self.last_region = self.last_region.wrapping_add(2);
            let id = self.last_region & !1 | u32::from(self.is_worker);
            if id > 1 && !self.regions.contains_key(&id) {
                return id;
            }
        }
    }

    /// Whether the other side may have made a region of this number.
    pub fn may_be_theirs(&self, id: u32) -> bool {
        id > 1 && (id & 1 == 1) != self.is_worker && !self.regions.contains_key(&id) && self.regions.len() < MOST
    }

    pub fn add_region(&mut self, id: u32, region: Region) {
        if region.is_shared {
            self.by_address.insert(region.start, id);
        }
        self.kept += if region.memory.is_some() { region.bytes } else { 0 };
        self.owned.entry(region.owner).or_default().push(Ended::Region(id));
        self.regions.insert(id, region);
    }

    pub fn region(&self, id: u32) -> Option<&Region> {
        self.regions.get(&id)
    }

    /// The region in which an address lies, and how far from its start.
    pub fn find_region(&self, address: usize) -> Option<(u32, usize)> {
        self.find_end_of_region(address)
            .filter(|(id, offset)| self.regions.get(id).is_some_and(|region| *offset < region.bytes.max(1)))
    }

    /// The same of an address that may be one behind the last byte.
    pub fn find_end_of_region(&self, address: usize) -> Option<(u32, usize)> {
        if address == 0 || self.regions.is_empty() {
            return None;
        }
        let (start, id) = self.by_address.range(..=address).next_back()?;
        let region = self.regions.get(id)?;
        let offset = address - start;
        (offset <= region.bytes).then_some((*id, offset))
    }

    pub fn set_owner(&mut self, id: u32, owner: Owner) {
        let Some(region) = self.regions.get_mut(&id) else { return };
        if region.owner == owner {
            return;
        }
        let old = std::mem::replace(&mut region.owner, owner);
        if let Some(of) = self.owned.get_mut(&old) {
            of.retain(|one| *one != Ended::Region(id));
        }
        self.owned.entry(owner).or_default().push(Ended::Region(id));
    }

    /// Ends a region, and all that lives as long; what ended goes into the list.
    pub fn end_region(&mut self, id: u32, ended: &mut Vec<Ended>) {
        let Some(mut region) = self.regions.remove(&id) else { return };
        self.over.extend(region.memory.take().inspect(|_| self.kept -= region.bytes));
        if self.by_address.get(&region.start) == Some(&id) {
            self.by_address.remove(&region.start);
        }
        if let Some(of) = self.owned.get_mut(&region.owner) {
            of.retain(|one| *one != Ended::Region(id));
            if of.is_empty() {
                self.owned.remove(&region.owner);
            }
        }
        self.files.close_behind(id);
        ended.push(Ended::Region(id));
        self.end_attached(None, region.start as u64, ended);
        self.end_owned(Owner::Region(id), ended);
    }

    /// Memory of what ended since this was asked last, by whoever has the tables: what comes back of a call may lie there.
    pub fn take_over(&mut self) -> std::vec::Drain<'_, Arc<Allocation>> {
        self.over.drain(..)
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
            Ended::Registration(id) => {
                let owners = self.registrations.get(&id).map_or(&[][..], |one| &one.owners);
                if let Some(owner) = owners.iter().find(|owner| matches!(owner, Owner::Scope(..))).copied() {
                    self.leave(id, owner, ended);
                }
            }
        }
    }

    // ---- objects ------------------------------------------------------------------------------------------------

    fn object_at(&self, kind: u32, id: u64, bytes: usize) -> Option<usize> {
        let (generation, index) = split(id, bytes);
        let at = index.checked_sub(1)? as usize;
        let object = self.objects.get(at)?;
        let is_same = object.is_alive && object.kind == kind && mask(object.generation, bytes) == generation;
        is_same.then_some(at)
    }

    /// On the worker: the library made an object that the guest had named.
    pub fn name(&mut self, kind: u32, id: u64, value: u64) {
        let object = Object { generation: 0, kind, value, references: 1, is_alive: true, memory: None };
        self.by_value.insert((kind, value), id);
        self.named.insert((kind, id), object);
    }

    /// On the worker: what the library knows an object by.
    pub fn value_of(&self, kind: u32, id: u64, bytes: usize) -> Option<u64> {
        self.object_at(kind, id, bytes).and_then(|at| self.objects.get(at)).map(|object| object.value)
    }

    /// On the worker: the identifier of what the library knows by a value, made if it is new. None if there are too many.
    pub fn id_of(&mut self, kind: u32, value: u64, bytes: usize) -> Option<u64> {
        if value == 0 {
            return Some(0);
        }
        if let Some(id) = self.by_value.get(&(kind, value)) {
            return Some(*id);
        }
        let at = match self.free.pop() {
            Some(at) => at as usize,
            None if self.objects.len() >= MOST => return None,
            None => {
                self.objects.push(Object {
                    generation: 0,
                    kind,
                    value: 0,
                    references: 0,
                    is_alive: false,
                    memory: None,
                });
                self.objects.len() - 1
            }
        };
        let object = self.objects.get_mut(at)?;
        let generation = object.generation.wrapping_add(1).max(1);
        *object = Object { generation, kind, value, references: 0, is_alive: true, memory: None };
        let id = join(mask(generation, bytes), at as u32 + 1, bytes);
        self.by_value.insert((kind, value), id);
        Some(id)
    }

    /// On the worker: the identifier of what the library knows by a value, if the guest has one.
    pub fn known_id(&self, kind: u32, value: u64) -> Option<u64> {
        self.by_value.get(&(kind, value)).copied()
    }

    /// Changes the references to an object; true if there are none any more.
    pub fn refer(&mut self, kind: u32, id: u64, bytes: usize, more: bool) -> bool {
        let object = match self.object_at(kind, id, bytes) {
            Some(at) => self.objects.get_mut(at),
            None => self.named.get_mut(&(kind, id)),
        };
        let Some(object) = object else { return false };
        object.references = if more { object.references + 1 } else { object.references.saturating_sub(1) };
        !more && object.references == 0
    }

    fn end_object(&mut self, kind: u32, id: u64, ended: &mut Vec<Ended>) {
        let bytes = if id >> 32 == 0 { 4 } else { 8 };
        let key = if let Some(object) = self.named.remove(&(kind, id)) {
            object.value
        } else if let Some(at) = self.object_at(kind, id, bytes)
            && let Some(object) = self.objects.get_mut(at)
        {
            object.is_alive = false;
            self.free.push(at as u32);
            object.value
        } else if self.is_worker {
            return;
        } else {
            // The program has the identifier itself.
            id
        };
        self.by_value.remove(&(kind, key));
        ended.push(Ended::Object(kind, id));
        self.end_attached(Some(kind), key, ended);
        self.end_owned(Owner::Handle(kind, id), ended);
    }

    /// Something dies with an object.
    pub fn own(&mut self, owner: Owner, what: Ended) {
        let of = self.owned.entry(owner).or_default();
        if !of.contains(&what) {
            of.push(what);
        }
    }

    /// On the guest: the address of the memory that stands for an object.
    pub fn stand_in(&self, kind: u32, id: u64) -> Option<u64> {
        self.named.get(&(kind, id)).map(|object| object.value)
    }

    /// On the guest: makes memory that stands for an object.
    pub fn add_stand_in(&mut self, kind: u32, id: u64, memory: Allocation) -> u64 {
        let value = memory.address() as u64;
        let object = Object { generation: 0, kind, value, references: 0, is_alive: true, memory: Some(memory) };
        self.by_value.insert((kind, value), id);
        self.named.insert((kind, id), object);
        value
    }

    // ---- registrations ------------------------------------------------------------------------------------------

    /// On the guest: the number of a registration of functions with a tag, made if it is new. It has one use more.
    pub fn register(&mut self, functions: &[(u32, usize)], tag: usize) -> u32 {
        let same = |one: &Registration| one.tag == tag && one.functions == functions;
        if let Some((id, one)) = self.registrations.iter_mut().find(|(_, one)| same(one)) {
            one.uses += 1;
            return *id;
        }
        self.last_registration = self.last_registration.wrapping_add(1).max(1);
        let id = self.last_registration;
        self.registrations.insert(id, Registration::new(functions.to_vec(), tag, 0));
        id
    }

    /// On the worker: what stands for a registration of the guest. It has one use more.
    pub fn record(&mut self, id: u32) -> Option<usize> {
        if let Some(known) = self.registrations.get_mut(&id) {
            known.uses += 1;
            return Some(known.address);
        }
        if self.registrations.len() >= MOST {
            return None;
        }
        // An address that nobody else has: nothing is ever read there.
        let memory = Allocation::zeroed(1)?;
        let address = memory.address();
        self.records.insert(id, memory);
        self.by_record.insert(address, id);
        self.registrations.insert(id, Registration::new(Vec::new(), 0, address));
        Some(address)
    }

    /// On the worker: the registration that stands at an address.
    pub fn registration_at(&self, address: usize) -> Option<u32> {
        self.by_record.get(&address).copied()
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
        if one.is_over || one.owners.contains(&owner) {
            one.is_over = false;
            self.release(id);
        } else {
            one.owners.push(owner);
            self.own(owner, what);
        }
    }

    /// A call is over with what it used.
    pub fn end_use(&mut self, what: Ended, ended: &mut Vec<Ended>) {
        match what {
            Ended::Registration(id) => self.release(id),
            Ended::File(id, _) => ended.extend(self.files.release(id).map(|is_closed| Ended::File(id, is_closed))),
            Ended::Region(_) | Ended::Object(..) => {}
        }
    }

    fn leave_file(&mut self, id: u32, owner: Owner, ended: &mut Vec<Ended>) {
        ended.extend(self.files.leave(id, owner).map(|is_closed| Ended::File(id, is_closed)));
    }

    /// A function of which the specification says so was called once.
    pub fn called_once(&mut self, id: u32) {
        let Some(one) = self.registrations.get_mut(&id) else { return };
        match one.owners.iter().position(|owner| *owner == Owner::Manual) {
            Some(at) => {
                one.owners.swap_remove(at);
                self.release(id);
            }
            None => one.is_over = true,
        }
    }

    /// One owner ended. The other side sees that by itself, but for scopes.
    fn leave(&mut self, id: u32, owner: Owner, ended: &mut Vec<Ended>) {
        let Some(one) = self.registrations.get_mut(&id) else { return };
        let Some(at) = one.owners.iter().position(|known| *known == owner) else { return };
        one.owners.swap_remove(at);
        if matches!(owner, Owner::Scope(..)) {
            ended.push(Ended::Registration(id));
        }
        self.release(id);
    }

    fn release(&mut self, id: u32) {
        let Some(one) = self.registrations.get_mut(&id) else { return };
        one.uses = one.uses.saturating_sub(1);
        if one.uses == 0 {
            self.by_record.remove(&one.address);
            self.records.remove(&id);
            self.registrations.remove(&id);
        }
    }
}

impl Registration {
    fn new(functions: Vec<(u32, usize)>, tag: usize, address: usize) -> Registration {
        Registration { functions, tag, uses: 1, owners: Vec::new(), is_over: false, address }
    }
}

/// Of an identifier: generation and position. What has 4 bytes in C has 11 bits of the one and 20 of the other; the highest bit is that
/// of identifiers which the guest makes.
fn split(id: u64, bytes: usize) -> (u32, u32) {
    if bytes == 4 { ((id >> 20) as u32, id as u32 & 0xf_ffff) } else { ((id >> 32) as u32, id as u32) }
}

fn join(generation: u32, index: u32, bytes: usize) -> u64 {
    let shift = if bytes == 4 { 20 } else { 32 };
    u64::from(generation) << shift | u64::from(index)
}

fn mask(generation: u32, bytes: usize) -> u32 {
    // A generation of 0 would make a small number of the identifier.
    generation % if bytes == 4 { 0x7ff } else { 0x7fff_ffff } + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_memory_is_not_taken_for_something_else() {
        let (row, pair) = (Shape::Blocks(16), Shape::Blocks(24));
        assert!(row.fits(row, 0) && row.fits(row, 32) && !row.fits(row, 8));
        assert!(!row.fits(pair, 0) && !Shape::Flat.fits(row, 0) && !row.fits(Shape::Flat, 0));
        assert!(Shape::Flat.fits(Shape::Flat, 3));
    }

    #[test]
    fn a_registration_lasts_as_long_as_its_last_use() {
        let mut tables = Tables::new(false, &[]);
        let (one, other) = (tables.register(&[(0, 0x1000)], 7), tables.register(&[(0, 0x1000)], 8));
        assert_ne!(one, other);
        // Two calls at a time.
        assert_eq!(tables.register(&[(0, 0x1000)], 7), one);
        tables.end_use(Ended::Registration(one), &mut Vec::new());
        assert!(tables.registrations.contains_key(&one));
        // The second keeps it for two objects; a third has nothing to keep then.
        let what = Ended::Registration(one);
        tables.keep(what, Owner::Handle(0, 1));
        assert_eq!(tables.register(&[(0, 0x1000)], 7), one);
        tables.keep(what, Owner::Handle(0, 2));
        assert_eq!(tables.register(&[(0, 0x1000)], 7), one);
        tables.keep(what, Owner::Handle(0, 2));
        tables.end_owned(Owner::Handle(0, 1), &mut Vec::new());
        assert!(tables.registrations.contains_key(&one));
        tables.end_owned(Owner::Handle(0, 2), &mut Vec::new());
        assert!(!tables.registrations.contains_key(&one) && tables.registrations.contains_key(&other));
    }

    #[test]
    fn what_is_called_once_ends_whether_it_was_kept_before_or_after() {
        for is_kept_first in [true, false] {
            let mut tables = Tables::new(false, &[]);
            let id = tables.register(&[(0, 0x1000)], 7);
            if is_kept_first {
                tables.keep(Ended::Registration(id), Owner::Manual);
                tables.called_once(id);
            } else {
                tables.called_once(id);
                assert!(tables.registrations.contains_key(&id));
                tables.keep(Ended::Registration(id), Owner::Manual);
            }
            assert!(tables.registrations.is_empty());
        }
    }

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
}
