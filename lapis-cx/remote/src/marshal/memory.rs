//! Memory for decoded data.

use std::alloc::Layout;
use std::collections::BTreeMap;

use super::watched_memory::{self, Guarded};
use crate::locks::{Mutex, MutexGuard, guard, try_lock};

/// Allocates `bytes` bytes with a C allocator, or with `malloc` if `function` is 0. Returns 0 if it fails.
///
/// # Safety
///
/// `function` must be 0 or the address of a C function that takes a size and returns memory.
pub(crate) unsafe fn allocate(function: usize, bytes: usize) -> usize {
    // SAFETY: the caller upholds the contract of this function.
    unsafe {
        if function == 0 {
            return libc::malloc(bytes).expose_provenance();
        }
        let function: *const () = std::ptr::with_exposed_provenance(function);
        let function = std::mem::transmute::<*const (), unsafe extern "C" fn(usize) -> *mut libc::c_void>(function);
        function(bytes).expose_provenance()
    }
}

/// Frees memory with a C deallocator, or with `free` if `function` is 0.
///
/// # Safety
///
/// `function` must be 0 or the address of a C function that takes a pointer, and `address` a block that it frees.
pub(crate) unsafe fn free(function: usize, address: usize) {
    let pointer = std::ptr::with_exposed_provenance_mut(address);
    // SAFETY: the caller upholds the contract of this function.
    unsafe {
        if function == 0 {
            return libc::free(pointer);
        }
        let function: *const () = std::ptr::with_exposed_provenance(function);
        std::mem::transmute::<*const (), unsafe extern "C" fn(*mut libc::c_void)>(function)(pointer);
    }
}

/// The number of zero bytes after each allocation. They terminate a string whose terminator is missing, and ensure that the end address of an
/// allocation is in no other allocation.
const TAIL: usize = 16;
/// The size in bytes from which memory is mapped. The pages of a mapping are zero and cost nothing until they are used.
const MAPPED: usize = 128 << 10;
/// The largest alignment of a C type.
const ALIGN: usize = 16;

/// The start and end of each block of memory that the engine allocated in this process: arguments of calls, and copies of the other side's
/// memory.
static ALL: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

/// Returns whether the engine allocated a byte of this memory. Neither library nor program own such memory: it ends with a call or a region.
pub(super) fn is_of_engine(start: usize, bytes: usize) -> bool {
    let end = start.saturating_add(bytes.max(1));
    let all = guard(&ALL);
    all.range(..end).next_back().is_some_and(|(_, last)| start < *last)
}

/// Acquires the lock of the list of the engine's memory, for a fork. Returns `None` if another thread holds it.
pub(crate) fn try_lock_all() -> Option<MutexGuard<'static, BTreeMap<usize, usize>>> {
    try_lock(&ALL)
}

/// Memory from the heap, or a mapping.
pub(crate) struct Heap {
    address: usize,
    layout: Layout,
}

impl Heap {
    /// Allocates `bytes` zeroed bytes and a tail. Returns `None` if the system has no memory.
    fn zeroed(bytes: usize, align: usize) -> Option<Heap> {
        let layout = Layout::from_size_align(bytes.checked_add(TAIL)?, align.max(ALIGN)).ok()?;
        if layout.size() < MAPPED {
            // SAFETY: the layout is not empty, as it includes the tail.
            let memory = unsafe { std::alloc::alloc_zeroed(layout) };
            let address = memory.expose_provenance();
            return (address != 0).then_some(Heap { address, layout });
        }
        let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: this creates a new mapping at an address that the kernel chooses.
        let memory = unsafe { libc::mmap(std::ptr::null_mut(), layout.size(), protection, flags, -1, 0) };
        (memory != libc::MAP_FAILED).then(|| Heap { address: memory.expose_provenance(), layout })
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        let memory = std::ptr::with_exposed_provenance_mut::<u8>(self.address);
        // SAFETY: `zeroed` allocated the memory in the way that its size determines. The owner is dropped, so no other code uses the memory.
        unsafe {
            if self.layout.size() < MAPPED {
                std::alloc::dealloc(memory, self.layout);
            } else {
                libc::munmap(memory.cast(), self.layout.size());
            }
        }
    }
}

/// Memory with one owner and a fixed address.
pub(crate) enum Allocation {
    Own(Heap),
    /// Watched memory of a worker, in shadow mode.
    Watched(Guarded),
}

impl Allocation {
    /// Allocates zeroed memory that is aligned for all C types. Returns `None` if the system has no memory.
    pub fn zeroed(bytes: usize) -> Option<Allocation> {
        Allocation::aligned(bytes, 1)
    }

    /// Like [`zeroed`](Self::zeroed), with an alignment of `align` bytes, at most a page.
    pub fn aligned(bytes: usize, align: usize) -> Option<Allocation> {
        Heap::zeroed(bytes, align).map(Allocation::Own).map(|one| one.listed(bytes))
    }

    /// Allocates watched memory for a parameter of a function. Returns `None` if this process does not watch memory.
    pub fn watched(bytes: usize, function: &'static str, parameter: &'static str) -> Option<Allocation> {
        let memory = watched_memory::is_on().then(|| Guarded::new(bytes, function, parameter)).flatten();
        memory.map(Allocation::Watched).map(|one| one.listed(bytes))
    }

    /// Adds the memory to the list of the engine's memory.
    fn listed(self, bytes: usize) -> Allocation {
        let start = self.address();
        guard(&ALL).insert(start, start + bytes.max(1));
        self
    }

    pub fn address(&self) -> usize {
        match self {
            Allocation::Own(heap) => heap.address,
            Allocation::Watched(memory) => memory.address(),
        }
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> usize {
        self.capacity_and_align().0
    }

    /// Returns the capacity and the alignment in bytes.
    fn capacity_and_align(&self) -> (usize, usize) {
        match self {
            Allocation::Own(heap) => (heap.layout.size() - TAIL, heap.layout.align()),
            Allocation::Watched(memory) => (memory.bytes(), 1),
        }
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        guard(&ALL).remove(&self.address());
    }
}

/// The size of a chunk of an [`Arena`] in bytes. Requests above a quarter of it get a separate allocation.
const CHUNK: usize = 64 << 10;
/// The largest total size in bytes of the large allocations that are kept for the next call. Reusing memory is many times faster than mapping it.
pub(super) const MOST_SPARE: usize = 64 << 20;

/// The memory of one call, which is released as a whole.
#[derive(Default)]
pub(crate) struct Arena {
    chunks: Vec<Allocation>,
    /// The position of the chunk that is being filled, and the number of bytes used in it.
    chunk: usize,
    used: usize,
    large: Vec<Allocation>,
    spare: Vec<Allocation>,
    watched: Vec<Allocation>,
    total: usize,
}

impl Arena {
    /// Allocates memory with an alignment of `align` bytes, at most a page. Unless `zeroed`, it may contain data of an earlier call of this
    /// thread; the bytes after its end are zero. Returns `None` if the total exceeds `limit` or the system has no memory.
    pub fn allocate(&mut self, bytes: usize, align: usize, zeroed: bool, limit: usize) -> Option<usize> {
        // A small buffer can also use the padding that its alignment requires.
        if !self.charge(bytes.checked_add(if align > ALIGN && bytes <= CHUNK / 4 { align } else { 0 })?, limit) {
            return None;
        }
        if bytes > CHUNK / 4 || align > CHUNK / 16 {
            return self.allocate_large(bytes, align, zeroed);
        }
        let size = (bytes + TAIL).next_multiple_of(ALIGN);
        let padding = |arena: &Arena| {
            let start = arena.chunks.get(arena.chunk).map_or(0, Allocation::address) + arena.used;
            start.next_multiple_of(align.max(ALIGN)) - start
        };
        if self.chunks.is_empty() || self.used + padding(self) + size > CHUNK {
            self.chunk += usize::from(!self.chunks.is_empty());
            self.used = 0;
            if self.chunk == self.chunks.len() {
                self.chunks.push(Allocation::zeroed(CHUNK)?);
            }
        }
        self.used += padding(self);
        let address = self.chunks.get(self.chunk)?.address() + self.used;
        self.used += size;
        let first = if zeroed { 0 } else { bytes };
        // SAFETY: the range is within this chunk and after all earlier allocations; `size` includes the tail.
        unsafe { std::ptr::write_bytes((address + first) as *mut u8, 0, size - first) };
        Some(address)
    }

    /// Charges memory that a call needs outside the arena. Returns false if the total would exceed `limit`.
    pub fn charge(&mut self, bytes: usize, limit: usize) -> bool {
        let total = self.total.checked_add(bytes).filter(|total| *total <= limit);
        self.total = total.unwrap_or(self.total);
        total.is_some()
    }

    /// Returns the memory of the call in bytes.
    pub fn total(&self) -> usize {
        self.total
    }

    /// Like [`allocate`](Self::allocate), but allocates watched memory for a parameter of a function if this process watches memory.
    pub fn allocate_watched(
        &mut self,
        bytes: usize,
        align: usize,
        (zeroed, limit): (bool, usize),
        (function, parameter): (&'static str, &'static str),
    ) -> Option<usize> {
        let Some(memory) = Allocation::watched(bytes, function, parameter) else {
            return self.allocate(bytes, align, zeroed, limit);
        };
        if !self.charge(bytes, limit) {
            return None;
        }
        let address = memory.address();
        self.watched.push(memory);
        Some(address)
    }

    fn allocate_large(&mut self, bytes: usize, align: usize, zeroed: bool) -> Option<usize> {
        let fits = |one: &Allocation| {
            let (capacity, has) = one.capacity_and_align();
            (bytes..=bytes.saturating_mul(2)).contains(&capacity) && has >= align
        };
        let (found, cleared) = match self.spare.iter().position(fits) {
            Some(at) => (self.spare.swap_remove(at), if zeroed { 0 } else { bytes }),
            // The alignment is at least a page, so that any later call can reuse the allocation.
            None => (Allocation::aligned(bytes, 4096.max(align))?, bytes),
        };
        let address = found.address();
        // SAFETY: the allocation has `TAIL` bytes after its capacity. An earlier call may have overwritten this range.
        unsafe { std::ptr::write_bytes((address + cleared) as *mut u8, 0, bytes + TAIL - cleared) };
        self.large.push(found);
        Some(address)
    }

    /// Frees the memory that the call does not use, and returns the size in bytes of the rest.
    pub fn trim(&mut self) -> usize {
        self.spare = Vec::new();
        self.chunks.truncate(self.chunk + 1);
        self.chunks.iter().chain(&self.large).chain(&self.watched).map(Allocation::bytes).sum()
    }

    /// Returns whether `address` is in memory of the call that was mapped for it, so that unused pages are zero.
    pub fn maps(&self, address: usize) -> bool {
        let contains = |one: &Allocation| {
            address.checked_sub(one.address()).is_some_and(|offset| offset < one.capacity_and_align().0)
        };
        self.large.iter().any(|one| one.capacity_and_align().0 > MOST_SPARE && contains(one))
    }

    /// Releases all memory of the call.
    pub fn clear(&mut self) {
        (self.chunk, self.used, self.total) = (0, 0, 0);
        self.chunks.truncate(4);
        self.watched.clear();
        if self.large.is_empty() {
            return;
        }
        self.spare.append(&mut self.large);
        let mut kept = 0;
        // Keeps the most recent allocations.
        let first = self.spare.iter().rposition(|one| {
            kept += one.capacity_and_align().0;
            kept > MOST_SPARE
        });
        if let Some(last_freed) = first {
            self.spare.drain(..=last_freed);
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
                // SAFETY: the arena just returned this memory with this size.
                let memory = unsafe { bytes_mut(at, bytes) };
                assert!(memory.iter().all(|byte| *byte == 0), "{bytes} bytes, round {round}");
                memory.fill(round + 1);
            }
            assert!(arena.allocate(4 << 20, 1, true, 4 << 20).is_none());
            arena.clear();
        }
    }
}
