//! Finds changes of the library in memory of the program that it keeps, made in a call that does not name the memory. The program would not see
//! them: only calls that pass a pointer to the memory, or name it with `implicit`, carry its contents. Used while memory is
//! [watched](super::watched_memory).

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::access::bytes;
use super::marshaller::Marshaller;
use super::memory::Allocation;
use super::shape::Shape;
use super::watched_memory;
use crate::protocol::{Finding, Mistake};

/// The most kept memory that is compared in each call, in bytes.
const MOST_COMPARED: usize = 64 << 20;

/// The number of calls that have begun, and of messages that this process has decoded. Decoding a message can change kept memory.
static MESSAGES: AtomicU64 = AtomicU64::new(0);
/// The number of calls that run.
static RUNNING: AtomicU64 = AtomicU64::new(0);

/// Counts a message that this process decodes.
pub(super) fn count_message() {
    if watched_memory::is_on() {
        MESSAGES.fetch_add(1, Ordering::SeqCst);
    }
}

/// The kept memory that a call does not name, before the library runs.
pub(crate) struct KeptMemory {
    copies: Vec<Kept>,
    named: Vec<Range<usize>>,
    /// The value of `MESSAGES`, if no other call ran.
    messages: Option<u64>,
}

struct Kept {
    /// Keeps the memory allocated.
    _memory: Arc<Allocation>,
    here: usize,
    shape: Shape,
    contents: Vec<u8>,
}

impl KeptMemory {
    /// Copies the contents of the kept memory.
    pub fn before(marshaller: &Marshaller<'_>) -> KeptMemory {
        let named: Vec<_> = marshaller.entries.iter().map(|one| one.here..one.end()).collect();
        let is_named = |start: usize, end: usize| named.iter().any(|one| one.start <= start && end <= one.end);
        let (mut copies, mut left) = (Vec::new(), MOST_COMPARED);
        for (memory, here, size, shape) in marshaller.lock().copies() {
            if size > left || is_named(here, here + size) || !watched_memory::is_open(here) {
                continue;
            }
            left -= size;
            // SAFETY: the memory of a region has at least its size.
            let contents = unsafe { bytes(here, size) }.to_vec();
            copies.push(Kept { _memory: Arc::clone(memory), here, shape, contents });
        }
        let messages = MESSAGES.fetch_add(1, Ordering::SeqCst) + 1;
        KeptMemory { copies, named, messages: (RUNNING.fetch_add(1, Ordering::SeqCst) == 0).then_some(messages) }
    }

    /// Records the first change of the library in a call of `function`. Bytes count if the specification describes them and the call does not name
    /// them. A call during which other calls ran is not checked.
    pub fn check(self, marshaller: &Marshaller<'_>, function: &str) {
        RUNNING.fetch_sub(1, Ordering::SeqCst);
        if Some(MESSAGES.load(Ordering::SeqCst)) != self.messages {
            return;
        }
        let tables = marshaller.lock();
        for Kept { here, shape, contents, .. } in &self.copies {
            // SAFETY: the memory is still allocated.
            let now = unsafe { bytes(*here, contents.len()) };
            let is_changed = |at: &usize| {
                now[*at] != contents[*at]
                    && tables.is_described(*shape, *at)
                    && !self.named.iter().any(|one| one.contains(&(here + at)))
            };
            if let Some(first) = (0..contents.len()).find(is_changed) {
                let memory = watched_memory::name_of(*here).unwrap_or_default();
                let text =
                    format!("the library changes byte {first} of {memory}, which this call does not name (`implicit`)");
                return watched_memory::add(Finding::of(function, "", Mistake::Direction, text));
            }
        }
    }
}
