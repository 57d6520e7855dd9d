//! The scratch memory of the calls on a channel, which later calls reuse.

use std::cell::{Cell, RefCell};
use std::ops::{Deref, DerefMut};

use crate::marshal::Scratch;
use crate::marshal::memory::Arena;

/// The scratch memory of a channel.
pub(crate) struct ScratchPool {
    #[allow(clippy::vec_box)] // boxes are moved in and out without copying their contents
    free: RefCell<Vec<Box<Scratch>>>,
    /// The scratch memory in use, with the level of the call that uses it. Calls are nested, so levels increase.
    used: RefCell<Vec<(u32, *mut Scratch)>>,
    /// The lowest level that the program left. `longjmp` skips the destructors of its frames.
    left: Cell<u32>,
}

/// Returns the level of a request that is made or served while `depth` requests of this side wait.
fn level(depth: u32, is_made: bool) -> u32 {
    2 * depth + u32::from(is_made)
}

impl ScratchPool {
    pub fn new() -> ScratchPool {
        ScratchPool { free: RefCell::default(), used: RefCell::default(), left: Cell::new(u32::MAX) }
    }

    /// Returns scratch memory for a request that is made or served while `depth` requests of this side wait.
    pub fn take(&self, depth: u32, is_made: bool) -> UsedScratch<'_> {
        let level = level(depth, is_made);
        self.reclaim(level);
        let scratch = self.free.try_borrow_mut().ok().and_then(|mut free| free.pop()).unwrap_or_default();
        let scratch = Box::into_raw(scratch);
        if let Ok(mut used) = self.used.try_borrow_mut() {
            used.push((level, scratch));
        }
        UsedScratch { pool: self, scratch, has_only_arena: true }
    }

    /// Records that the program leaves the request that it made while `depth` requests of this side waited, and the requests nested in it.
    pub fn leave(&self, depth: u32) {
        self.left.set(self.left.get().min(level(depth, true)));
    }

    /// Reclaims the memory of requests that the program left, when a request begins at `level`. Requests whose destructors ran are no longer in the
    /// list; the frames of the others no longer exist.
    fn reclaim(&self, level: u32) {
        let left = self.left.replace(u32::MAX).max(level);
        if left == u32::MAX {
            return;
        }
        let Ok(mut used) = self.used.try_borrow_mut() else { return };
        let left_scratch: Vec<*mut Scratch> =
            used.extract_if(.., |(at, _)| *at >= left).map(|(_, scratch)| scratch).collect();
        drop(used);
        for scratch in left_scratch {
            // SAFETY: `take` created the pointer from a box. It was in the list, so no destructor has freed the box, and the program left its frame.
            self.give_back(unsafe { Box::from_raw(scratch) }, false);
        }
    }

    fn give_back(&self, mut scratch: Box<Scratch>, has_only_arena: bool) {
        if has_only_arena {
            scratch.arena.clear();
        } else {
            scratch.clear();
        }
        if let Ok(mut free) = self.free.try_borrow_mut() {
            free.push(scratch);
        }
    }
}

impl Drop for ScratchPool {
    fn drop(&mut self) {
        self.reclaim(0);
    }
}

/// Scratch memory in use, which the channel gets back when this is dropped.
pub(crate) struct UsedScratch<'a> {
    pool: &'a ScratchPool,
    scratch: *mut Scratch,
    /// Whether only the arena was used, as in calls on the fast path.
    has_only_arena: bool,
}

impl UsedScratch<'_> {
    /// Returns the arena. A call that uses nothing else gives the scratch memory back faster.
    pub fn arena(&mut self) -> &mut Arena {
        // SAFETY: this value owns the memory.
        unsafe { &mut (*self.scratch).arena }
    }

    /// Removes the memory from the channel's pool.
    pub fn into_box(self) -> Box<Scratch> {
        let this = std::mem::ManuallyDrop::new(self);
        this.release()
    }

    fn release(&self) -> Box<Scratch> {
        if let Ok(mut used) = self.pool.used.try_borrow_mut() {
            used.retain(|(_, scratch)| *scratch != self.scratch);
        }
        // SAFETY: `take` created the pointer from a box. Only this function and `reclaim` convert it back, and `reclaim` only if the program left
        // this frame.
        unsafe { Box::from_raw(self.scratch) }
    }
}

impl Drop for UsedScratch<'_> {
    fn drop(&mut self) {
        self.pool.give_back(self.release(), self.has_only_arena);
    }
}

impl Deref for UsedScratch<'_> {
    type Target = Scratch;

    fn deref(&self) -> &Scratch {
        // SAFETY: this value owns the memory.
        unsafe { &*self.scratch }
    }
}

impl DerefMut for UsedScratch<'_> {
    fn deref_mut(&mut self) -> &mut Scratch {
        self.has_only_arena = false;
        // SAFETY: as above.
        unsafe { &mut *self.scratch }
    }
}
