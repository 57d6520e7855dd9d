//! Memory for what the other side sent.

use std::alloc::Layout;

use super::watched_memory::{self, Guarded};

/// So many bytes of an allocator of C, or of `malloc` if that is 0. 0 if there are none.
///
/// # Safety
///
/// The function takes a size, and returns memory.
pub(crate) unsafe fn allocate(function: usize, bytes: usize) -> usize {
    // SAFETY: as the caller says.
    unsafe {
        if function == 0 {
            return libc::malloc(bytes).expose_provenance();
        }
        let function: *const () = std::ptr::with_exposed_provenance(function);
        let function = std::mem::transmute::<*const (), unsafe extern "C" fn(usize) -> *mut libc::c_void>(function);
        function(bytes).expose_provenance()
    }
}

/// Bytes behind all memory of the engine, which are 0: a text without an end ends there, and an address one behind the last byte is in no
/// other memory.
const TAIL: usize = 16;
/// Memory of so many bytes is mapped: its pages are zero, and take no time before they are used.
const MAPPED: usize = 128 << 10;
/// The alignment of all that C has.
const ALIGN: usize = 16;

/// Memory from the heap, or a mapping.
pub(crate) struct Heap {
    address: usize,
    layout: Layout,
}

impl Heap {
    /// Zeroed memory of `bytes` and a tail; none if the system has no more.
    fn zeroed(bytes: usize, align: usize) -> Option<Heap> {
        let layout = Layout::from_size_align(bytes.checked_add(TAIL)?, align.max(ALIGN)).ok()?;
        if layout.size() < MAPPED {
            // SAFETY: it has a size, that of the tail at least.
            let memory = unsafe { std::alloc::alloc_zeroed(layout) };
            let address = memory.expose_provenance();
            return (address != 0).then_some(Heap { address, layout });
        }
        let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping, at an address that the kernel chooses.
        let memory = unsafe { libc::mmap(std::ptr::null_mut(), layout.size(), protection, flags, -1, 0) };
        (memory != libc::MAP_FAILED).then(|| Heap { address: memory.expose_provenance(), layout })
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        let memory = std::ptr::with_exposed_provenance_mut::<u8>(self.address);
        // SAFETY: it was made by `zeroed` in one of these ways, and nobody uses it any more.
        unsafe {
            if self.layout.size() < MAPPED {
                std::alloc::dealloc(memory, self.layout);
            } else {
                libc::munmap(memory.cast(), self.layout.size());
            }
        }
    }
}

/// Memory that has one owner and stays where it is.
pub(crate) enum Allocation {
    Own(Heap),
    /// The worker's, for who checks a specification.
    Watched(Guarded),
}

impl Allocation {
    /// Zeroed memory that is aligned for all that C has; none if the system has no more.
    pub fn zeroed(bytes: usize) -> Option<Allocation> {
        Allocation::aligned(bytes, 1)
    }

    /// The same with an alignment of up to a page, in bytes.
    pub fn aligned(bytes: usize, align: usize) -> Option<Allocation> {
        Heap::zeroed(bytes, align).map(Allocation::Own)
    }

    /// The same of memory that is watched, if that is wanted: of a parameter of a function.
    pub fn watched(bytes: usize, function: &'static str, parameter: &'static str) -> Option<Allocation> {
        watched_memory::is_on().then(|| Guarded::new(bytes, function, parameter).map(Allocation::Watched)).flatten()
    }

    pub fn address(&self) -> usize {
        match self {
            Allocation::Own(heap) => heap.address,
            Allocation::Watched(memory) => memory.address(),
        }
    }

    /// Bytes that it has room for, and their alignment.
    fn room(&self) -> (usize, usize) {
        match self {
            Allocation::Own(heap) => (heap.layout.size() - TAIL, heap.layout.align()),
            Allocation::Watched(_) => (0, ALIGN),
        }
    }
}

/// Bytes of a chunk of an [`Arena`]; what is larger than a quarter has memory of its own.
const CHUNK: usize = 64 << 10;
/// So much memory of larger blocks is kept for the next call: a fresh mapping is many times slower than a copy.
const KEPT: usize = 64 << 20;

/// Memory of one call, which ends as a whole.
#[derive(Default)]
pub(crate) struct Arena {
    chunks: Vec<Allocation>,
    /// The chunk that is filled, and up to where.
    chunk: usize,
    used: usize,
    large: Vec<Allocation>,
    spare: Vec<Allocation>,
    watched: Vec<Allocation>,
    total: usize,
}

impl Arena {
    /// Memory with an alignment of up to a page, in bytes. If `zeroed` and they are few they are 0; otherwise they may be what an earlier
    /// call of the same thread left there. None if that is more than `limit` in all, or the system has no more.
    pub fn allocate(&mut self, bytes: usize, align: usize, zeroed: bool, limit: usize) -> Option<usize> {
        // A small buffer takes what its alignment leaves free, too.
        if !self.charge(bytes.checked_add(if align > ALIGN && bytes <= CHUNK / 4 { align } else { 0 })?, limit) {
            return None;
        }
        if bytes > CHUNK / 4 || align > CHUNK / 16 {
            return self.allocate_large(bytes, align);
        }
        let room = (bytes + TAIL).next_multiple_of(ALIGN);
        let padding = |arena: &Arena| {
            let start = arena.chunks.get(arena.chunk).map_or(0, Allocation::address) + arena.used;
            start.next_multiple_of(align.max(ALIGN)) - start
        };
        if self.chunks.is_empty() || self.used + padding(self) + room > CHUNK {
            self.chunk += usize::from(!self.chunks.is_empty());
            self.used = 0;
            if self.chunk == self.chunks.len() {
                self.chunks.push(Allocation::zeroed(CHUNK)?);
            }
        }
        self.used += padding(self);
        let address = self.chunks.get(self.chunk)?.address() + self.used;
        self.used += room;
        let first = if zeroed { 0 } else { bytes };
        // SAFETY: of this chunk, behind what was given out; the tail is always 0.
        unsafe { std::ptr::write_bytes((address + first) as *mut u8, 0, room - first) };
        Some(address)
    }

    /// Counts memory that a call needs beside its own; false if that is more than `limit` in all.
    pub fn charge(&mut self, bytes: usize, limit: usize) -> bool {
        let total = self.total.checked_add(bytes).filter(|total| *total <= limit);
        self.total = total.unwrap_or(self.total);
        total.is_some()
    }

    /// The same, watched if that is wanted: of a parameter of a function.
    pub fn allocate_watched(
        &mut self,
        bytes: usize,
        align: usize,
        limit: usize,
        (function, parameter): (&'static str, &'static str),
    ) -> Option<usize> {
        let Some(memory) = Allocation::watched(bytes, function, parameter) else {
            return self.allocate(bytes, align, true, limit);
        };
        if !self.charge(bytes, limit) {
            return None;
        }
        let address = memory.address();
        self.watched.push(memory);
        Some(address)
    }

    fn allocate_large(&mut self, bytes: usize, align: usize) -> Option<usize> {
        let fits = |one: &Allocation| {
            let (room, has) = one.room();
            (bytes..=bytes.saturating_mul(2)).contains(&room) && has >= align
        };
        let found = match self.spare.iter().position(fits) {
            Some(at) => self.spare.swap_remove(at),
            // A page, so that the next call can use it whatever it needs.
            None => Allocation::aligned(bytes, 4096.max(align))?,
        };
        let address = found.address();
        // SAFETY: the tail, which an earlier call with a larger buffer may have filled.
        unsafe { std::ptr::write_bytes((address + bytes) as *mut u8, 0, TAIL) };
        self.large.push(found);
        Some(address)
    }

    /// Ends all of it.
    pub fn clear(&mut self) {
        (self.chunk, self.used, self.total) = (0, 0, 0);
        self.chunks.truncate(4);
        self.watched.clear();
        if self.large.is_empty() {
            return;
        }
        self.spare.append(&mut self.large);
        let mut kept = 0;
        // The latest are kept.
        let first = self.spare.iter().rposition(|one| {
            kept += one.room().0;
            kept > KEPT
        });
        if let Some(last_to_go) = first {
            self.spare.drain(..=last_to_go);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::access::bytes_mut;
    use super::*;

    #[test]
    fn an_arena_gives_each_its_own_and_has_a_limit() {
        let mut arena = Arena::default();
        for round in 0..3 {
            let mut given: Vec<(usize, usize)> = Vec::new();
            for bytes in [0, 1, 15, 16, 17, 16384, 16385, 70_000, 5, 60_000, 1 << 20] {
                let at = arena.allocate(bytes, 64, true, 4 << 20).unwrap_or_default();
                assert!(at != 0 && at % 64 == 0, "{round}");
                assert!(given.iter().all(|(from, size)| at >= from + size || at + bytes.max(1) <= *from));
                given.push((at, bytes.max(1)));
                // SAFETY: it was given.
                unsafe { bytes_mut(at, bytes) }.fill(round);
            }
            assert!(arena.allocate(4 << 20, 1, true, 4 << 20).is_none());
            arena.clear();
        }
    }
}
