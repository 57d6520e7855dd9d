//! The allocations of a call, which the next call of its channel reuses.

use std::os::fd::OwnedFd;
use std::sync::Arc;

use super::entries::{BufferEntries, BufferEntry, HandleEntry};
use super::eval::Lists;
use super::frame::Frame;
use super::memory::{Allocation, Arena};
use super::region_contents::RegionContents;
use crate::plan::Lifetime;
use crate::protocol::Ended;

/// A registration, an object or a file that outlives the call: its id, its lifetime, and the scope in which its lifetime is evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    pub what: Ended,
    pub lifetime: &'static Lifetime,
    pub scope: usize,
}

/// Allocations that one call needs and the next call reuses.
#[derive(Default)]
pub(crate) struct Scratch {
    pub arena: Arena,
    pub(super) lists: Lists,
    pub(super) entries: BufferEntries,
    pub(super) returned: BufferEntries,
    pub(super) unsent: Vec<BufferEntry>,
    pub(super) handles: Vec<HandleEntry>,
    pub(super) arguments: Vec<(u32, u64)>,
    pub(super) kept: Vec<Kept>,
    pub(super) frees: Vec<(Option<u32>, usize)>,
    pub in_use: Vec<Arc<Allocation>>,
    pub opened: Vec<OwnedFd>,
    pub(super) with_members: Vec<(u32, u64)>,
    pub(super) frames: Vec<Frame>,
    pub(super) contents: RegionContents,
}

impl Scratch {
    /// Frees the memory of the call and drops the memory and files that it kept in use.
    pub fn clear(&mut self) {
        self.arena.clear();
        self.in_use.clear();
        self.opened.clear();
        for entries in [&mut self.entries, &mut self.returned] {
            entries.clear();
            trim(&mut entries.all);
        }
        trim(&mut self.unsent);
        trim(&mut self.handles);
        trim(&mut self.arguments);
        trim(&mut self.kept);
        trim(&mut self.frees);
        trim(&mut self.in_use);
        trim(&mut self.with_members);
        trim(&mut self.frames);
        self.contents.clear();
        trim(&mut self.contents.sent);
        trim(&mut self.contents.received);
    }
}

/// Frees a list of a large call, so that its thread does not keep the memory.
fn trim<T>(all: &mut Vec<T>) {
    /// The largest capacity that the next call reuses.
    const SPARE: usize = 4096;
    if all.capacity() > SPARE {
        *all = Vec::new();
    }
}
