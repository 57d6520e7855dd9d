//! Objects of the worker's library, by identifiers that the worker or the guest assigns.

use std::ops::RangeInclusive;

use super::{MOST, Owner, Tables};
use crate::marshal::memory::Allocation;
use crate::plan::Metadata;
use crate::protocol::Ended;

/// An object for which the other side has an identifier.
pub(crate) struct Object {
    pub generation: u32,
    pub kind: u32,
    /// The value of the handle on this side. On a guest whose handles are pointers, it is the address of stand-in memory: memory that the guest
    /// allocates so that the program's handle has an address.
    pub value: u64,
    pub references: u64,
    pub is_alive: bool,
    /// The stand-in memory, which is freed with the object.
    pub memory: Option<Allocation>,
    /// On the worker: the object whose end also ends this object.
    pub parent: Option<Owner>,
    /// On the guest: the struct behind the handle, as last received from the worker or sent to it.
    pub seen: Vec<u8>,
}

impl Object {
    fn new(kind: u32, value: u64, references: u64) -> Object {
        let (memory, parent, seen) = (None, None, Vec::new());
        Object { generation: 0, kind, value, references, is_alive: true, memory, parent, seen }
    }

    /// Returns the size in bytes of the memory that the engine keeps for the object.
    fn cost(&self) -> usize {
        self.memory.as_ref().map_or(0, |memory| STAND_IN + memory.bytes() + self.seen.len())
    }
}

/// The size in bytes that is charged for the bookkeeping of an object with stand-in memory.
pub(crate) const STAND_IN: usize = 256;

impl Tables {
    /// On the worker: returns the position of an object that has no provisional id.
    fn object_at(&self, kind: u32, id: u64, bytes: usize) -> Option<usize> {
        let (generation, index) = split(id, bytes);
        let at = index.checked_sub(1)? as usize;
        let object = self.objects.get(at)?;
        let is_same = object.is_alive && object.kind == kind && mask(object.generation, bytes) == generation;
        is_same.then_some(at)
    }

    fn object_mut(&mut self, kind: u32, id: u64, bytes: usize) -> Option<&mut Object> {
        match self.object_at(kind, id, bytes) {
            Some(at) => self.objects.get_mut(at),
            None => self.named.get_mut(&(kind, id)),
        }
    }

    /// On the worker: records an object that the library created for a provisional id. Returns false if there are too many objects, or another
    /// object has the id.
    pub fn name(&mut self, kind: u32, id: u64, value: u64) -> bool {
        if self.named.len() >= MOST || self.named.contains_key(&(kind, id)) {
            return false;
        }
        self.by_value.insert((kind, value), id);
        self.named.insert((kind, id), Object::new(kind, value, 1));
        true
    }

    /// On the worker: returns the library's value of an object.
    pub fn value_of(&self, kind: u32, id: u64, bytes: usize) -> Option<u64> {
        self.object_at(kind, id, bytes).and_then(|at| self.objects.get(at)).map(|object| object.value)
    }

    /// On the worker: returns the identifier of an object, and assigns one if it is new. Returns `None` if there are too many objects.
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
                self.objects.push(Object { is_alive: false, ..Object::new(kind, 0, 0) });
                self.objects.len() - 1
            }
        };
        let object = self.objects.get_mut(at)?;
        let generation = object.generation.wrapping_add(1).max(1);
        *object = Object { generation, ..Object::new(kind, value, 0) };
        let id = join(mask(generation, bytes), at as u32 + 1, bytes);
        self.by_value.insert((kind, value), id);
        Some(id)
    }

    /// On the worker: makes an object end with its parent.
    pub fn set_parent(&mut self, kind: u32, id: u64, bytes: usize, parent: Owner) {
        if let Some(object) = self.object_mut(kind, id, bytes) {
            object.parent = Some(parent);
            self.own(parent, Ended::Object(kind, id));
        }
    }

    /// On the worker: returns the identifier of an object, if it has one.
    pub fn known_id(&self, kind: u32, value: u64) -> Option<u64> {
        self.by_value.get(&(kind, value)).copied()
    }

    /// Changes the reference count of an object. Returns whether the last reference was released.
    pub fn refer(&mut self, kind: u32, id: u64, bytes: usize, more: bool) -> bool {
        let Some(object) = self.object_mut(kind, id, bytes) else { return false };
        object.references = if more { object.references + 1 } else { object.references.saturating_sub(1) };
        !more && object.references == 0
    }

    /// On the guest: returns the scopes in the metadata of an object, as owners of memory.
    pub fn scopes_of(&self, kind: u32, id: u64) -> Vec<Owner> {
        // Without stand-in memory the program's handle is the identifier itself.
        let key = self.named.get(&(kind, id)).map_or(id, |object| object.value);
        let members =
            self.metadata_of(kind).flat_map(|(of, one)| (0..one.members as u32).map(move |member| (of, member)));
        members.map(|(of, member)| Owner::Scope(of, member, key)).collect()
    }

    /// On the guest: returns the scopes in the metadata of all objects of a kind, as ranges of owners.
    pub fn scopes_of_kind(&self, kind: u32) -> impl Iterator<Item = RangeInclusive<Owner>> {
        self.metadata_of(kind).map(|(of, _)| Owner::Scope(of, 0, 0)..=Owner::Scope(of, u32::MAX, u64::MAX))
    }

    /// Returns the metadata types of a kind of objects, with their numbers.
    fn metadata_of(&self, kind: u32) -> impl Iterator<Item = (u32, &'static Metadata)> + use<> {
        (0..).zip(self.metadata).filter(move |(_, one)| one.of == Some(kind))
    }

    pub(super) fn end_object(&mut self, kind: u32, id: u64, ended: &mut Vec<Ended>) {
        let bytes = if id >> 32 == 0 { 4 } else { 8 };
        let mut parent = None;
        let key = if let Some(mut object) = self.named.remove(&(kind, id)) {
            self.kept -= object.cost();
            parent = object.parent.take();
            object.value
        } else if let Some(at) = self.object_at(kind, id, bytes)
            && let Some(object) = self.objects.get_mut(at)
        {
            object.is_alive = false;
            parent = object.parent.take();
            self.free.push(at as u32);
            object.value
        } else if self.is_worker {
            return;
        } else {
            // Without stand-in memory the program's handle is the identifier itself.
            id
        };
        // A later object can have the same id.
        if let Some(parent) = parent
            && let Some(owned) = self.owned.get_mut(&parent)
            && owned.remove(&Ended::Object(kind, id))
            && owned.is_empty()
        {
            self.owned.remove(&parent);
        }
        // An asynchronous call can have given the object a second id.
        if self.by_value.get(&(kind, key)) == Some(&id) {
            self.by_value.remove(&(kind, key));
        }
        ended.push(Ended::Object(kind, id));
        self.end_attached(Some(kind), (key, 1), ended);
        self.end_owned(Owner::Handle(kind, id), ended);
    }

    /// On the worker: returns the address of a live object whose identifier has `bytes` bytes.
    pub fn address_of(&self, kind: u32, id: u64, bytes: usize) -> Option<usize> {
        let named = self.named.get(&(kind, id)).map(|object| object.value);
        named.or_else(|| self.value_of(kind, id, bytes)).map(|value| value as usize).filter(|address| *address != 0)
    }

    /// On the guest: returns the address of the stand-in memory of an object, and the struct in it as last received or sent.
    pub fn stand_in_and_seen(&mut self, kind: u32, id: u64) -> Option<(usize, &mut Vec<u8>)> {
        let object = self.named.get_mut(&(kind, id))?;
        Some((object.value as usize, &mut object.seen))
    }

    /// On the guest: returns the address of the stand-in memory of an object.
    pub fn stand_in(&self, kind: u32, id: u64) -> Option<u64> {
        self.named.get(&(kind, id)).map(|object| object.value)
    }

    /// On the guest: adds stand-in memory for an object. `seen` are the contents of the struct at its beginning. Returns the address of the object's
    /// stand-in memory, which another thread may have added before.
    pub fn add_stand_in(&mut self, kind: u32, id: u64, memory: Allocation, seen: Vec<u8>) -> u64 {
        if let Some(value) = self.stand_in(kind, id) {
            return value;
        }
        let value = memory.address() as u64;
        let object = Object { memory: Some(memory), seen, ..Object::new(kind, value, 0) };
        self.kept += object.cost();
        self.by_value.insert((kind, value), id);
        self.named.insert((kind, id), object);
        value
    }
}

/// Splits an identifier into generation and position. Handles with 4 bytes have 11 bits for the generation and 20 bits for the position.
/// The highest bit marks provisional ids.
fn split(id: u64, bytes: usize) -> (u32, u32) {
    if bytes == 4 { ((id >> 20) as u32, id as u32 & 0xf_ffff) } else { ((id >> 32) as u32, id as u32) }
}

/// Joins generation and position to an identifier.
fn join(generation: u32, index: u32, bytes: usize) -> u64 {
    let shift = if bytes == 4 { 20 } else { 32 };
    u64::from(generation) << shift | u64::from(index)
}

/// Returns the part of a generation that identifiers contain.
fn mask(generation: u32, bytes: usize) -> u32 {
    // With a generation of 0 the identifier would be a small number, which APIs may use as a special value.
    generation % if bytes == 4 { 0x7ff } else { 0x7fff_ffff } + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Identifiers of 4 bytes repeat. The end of a parent must not end a child of another parent.
    #[test]
    fn ended_children_are_not_ended_with_their_parent() {
        let mut worker = Tables { is_worker: true, ..Tables::default() };
        let child = worker.id_of(1, 7, 4).unwrap_or(0);
        worker.set_parent(1, child, 4, Owner::Handle(0, 1));
        worker.end(Ended::Object(1, child), &mut Vec::new());
        assert!(worker.owned.is_empty());
        let mut other = 0;
        while other != child {
            worker.end(Ended::Object(1, other), &mut Vec::new());
            other = worker.id_of(1, 8, 4).unwrap_or(child);
        }
        worker.set_parent(1, other, 4, Owner::Handle(0, 2));
        worker.end_owned(Owner::Handle(0, 1), &mut Vec::new());
        assert_eq!(worker.value_of(1, other, 4), Some(8));
        worker.end_owned(Owner::Handle(0, 2), &mut Vec::new());
        assert_eq!(worker.value_of(1, other, 4), None);
    }

    #[test]
    fn memory_that_stands_for_objects_counts_as_kept() {
        let mut guest = Tables::default();
        let memory = Allocation::zeroed(4096);
        guest.add_stand_in(0, 5, memory.unwrap_or_else(|| unreachable!("4 KiB")), Vec::new());
        assert!(guest.kept() >= 4096);
        guest.end(Ended::Object(0, 5), &mut Vec::new());
        assert_eq!(guest.kept(), 0);
    }
}
