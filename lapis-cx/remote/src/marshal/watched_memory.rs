//! Watches the memory of a worker: page protection detects uses of buffers that the specification does not allow.
//!
//! Each buffer ends at an inaccessible page. While the library runs, `in` buffers cannot be written, and `out` buffers cannot be read
//! before they are written. Reads are only detected on x86-64, where a fault indicates the kind of access, and only the first access to
//! each page counts. Freed buffers stay mapped without access for some time. The SIGSEGV handler records the fault and allows the
//! access, and the library continues.

use std::cell::Cell;
use std::collections::VecDeque;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Once, OnceLock};

use super::access::{bytes, bytes_mut};
use super::entries::BufferEntry;
use crate::locks::{Mutex, guard};
use crate::memory::page_size;
use crate::protocol::{Finding, Mistake};

/// The largest number of mappings, including those of freed buffers.
const MAPPINGS: usize = 1 << 13;
/// The limits for freed buffers whose mappings stay: their number, and their total size in bytes. Uses of buffers freed earlier are not detected.
const MOST_FREED: usize = MAPPINGS / 2;
const MOST_FREED_BYTES: usize = 256 << 20;
/// The size in bytes of the inaccessible range after each buffer.
const GUARD: usize = 64 << 10;
/// The fill byte between the start of the page and the first byte of the buffer.
const BEFORE: u8 = 0xc5;
/// The fill byte of `out` buffers before they are written.
pub(crate) const BLANK: u8 = 0xa5;

// Access states of a mapping: no check; writes are mistakes; reads are mistakes; all accesses are, as the buffer was freed.
const OPEN: u8 = 0;
const READ_ONLY: u8 = 1;
const UNREAD: u8 = 2;
const FREED: u8 = 3;

/// The function and the parameter that a buffer belongs to.
#[derive(Debug)]
pub(crate) struct BufferName {
    pub function: &'static str,
    pub parameter: &'static str,
    /// A bit for each kind of mistake that was recorded for the buffer, so each kind is recorded once.
    recorded: AtomicUsize,
}

/// A mapping: an inaccessible page, the padding before the buffer, the buffer, and its inaccessible range.
struct Mapping {
    /// The address of the mapping, 0 if the slot is free, or 1 while it is being filled.
    map: AtomicUsize,
    start: AtomicUsize,
    end: AtomicUsize,
    state: AtomicU8,
    buffer_name: AtomicPtr<BufferName>,
}

static TABLE: [Mapping; MAPPINGS] = [const {
    Mapping {
        map: AtomicUsize::new(0),
        start: AtomicUsize::new(0),
        end: AtomicUsize::new(0),
        state: AtomicU8::new(OPEN),
        buffer_name: AtomicPtr::new(std::ptr::null_mut()),
    }
}; MAPPINGS];

/// A mistake that the signal handler recorded.
struct Recorded {
    buffer_name: AtomicPtr<BufferName>,
    what: AtomicU8,
    /// The name of the running function: its address and length.
    during: (AtomicPtr<u8>, AtomicUsize),
    /// The offset of the access from the start of the buffer.
    offset: AtomicUsize,
    is_complete: AtomicBool,
}

/// The largest number of mistakes that are recorded between two calls of [`take_found`]. Further mistakes are dropped.
const MOST_RECORDED: usize = 256;
/// The mistakes by number, modulo the size: from `TAKEN` up to, but not including, `COUNT`.
static RECORDED: [Recorded; MOST_RECORDED] = [const {
    Recorded {
        buffer_name: AtomicPtr::new(std::ptr::null_mut()),
        what: AtomicU8::new(0),
        during: (AtomicPtr::new(std::ptr::null_mut()), AtomicUsize::new(0)),
        offset: AtomicUsize::new(0),
        is_complete: AtomicBool::new(false),
    }
}; MOST_RECORDED];
static COUNT: AtomicUsize = AtomicUsize::new(0);
static TAKEN: AtomicUsize = AtomicUsize::new(0);
/// Serializes [`take_recorded`].
static TAKING: Mutex<()> = Mutex::new(());

// Kinds of mistakes.
const BEYOND_READ: u8 = 0;
const BEYOND_WRITTEN: u8 = 1;
const BEYOND: u8 = 2;
const IN_FRONT: u8 = 3;
const WRITTEN: u8 = 4;
const READ: u8 = 5;
const LATE: u8 = 6;

static IS_ON: AtomicBool = AtomicBool::new(false);
static PREVIOUS_ACTION: OnceLock<libc::sigaction> = OnceLock::new();

thread_local! {
    /// The name of the function that runs on this thread.
    static CURRENT: Cell<&'static str> = const { Cell::new("") };
    /// The reason why the current call of this thread is rejected.
    static REFUSED: Cell<Option<Finding>> = const { Cell::new(None) };
    /// Mistakes that the next reply of this thread carries.
    static UNSENT: Cell<Vec<Finding>> = const { Cell::new(Vec::new()) };
}

/// A watched buffer.
pub(crate) struct Guarded(usize);

/// Returns whether this process watches memory.
pub(crate) fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// Starts watching: installs the SIGSEGV handler.
pub(crate) fn start() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: `on_fault` has the signature that `SA_SIGINFO` requires, and a zeroed `sigaction` is valid.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_fault as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            let mut old: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(libc::SIGSEGV, &raw const action, &raw mut old) == 0 {
                let _ = PREVIOUS_ACTION.set(old);
                IS_ON.store(true, Ordering::Relaxed);
            }
        }
    });
}

/// Sets the name of the function that runs on this thread. Returns the previous name.
pub(crate) fn set_running(function: &'static str) -> &'static str {
    CURRENT.with(|current| current.replace(function))
}

fn protect_range(from: usize, to: usize, protection: c_int) {
    if from < to {
        // SAFETY: the callers pass a range within a `Mapping`, whose protection only this module changes.
        unsafe { libc::mprotect(std::ptr::with_exposed_provenance_mut(from), to - from, protection) };
    }
}

const READ_WRITE: c_int = libc::PROT_READ | libc::PROT_WRITE;

impl Mapping {
    /// Returns the address range of the padding and the buffer.
    fn pages(&self) -> (usize, usize) {
        (self.map.load(Ordering::Acquire) + page_size(), self.end.load(Ordering::Relaxed))
    }

    fn allow(&self, protection: c_int) {
        let (from, to) = self.pages();
        protect_range(from, to, protection);
    }

    /// Returns whether the padding before the buffer is unchanged.
    fn is_front_whole(&self) -> bool {
        let (from, to) = (self.pages().0, self.start.load(Ordering::Relaxed));
        // SAFETY: the range belongs to this mapping, which is readable now. No other thread writes to it.
        unsafe { bytes(from, to.saturating_sub(from)) }.iter().all(|byte| *byte == BEFORE)
    }
}

impl Guarded {
    /// Allocates a zeroed, watched buffer. Returns `None` if there is no free slot or no memory.
    pub fn new(bytes: usize, function: &'static str, parameter: &'static str) -> Option<Guarded> {
        static LAST: AtomicUsize = AtomicUsize::new(0);
        let page = page_size();
        let inner = bytes.checked_next_multiple_of(page)?;
        let total = inner.checked_add(page + GUARD)?;
        let from = LAST.fetch_add(1, Ordering::Relaxed);
        let claim = |n: &usize| {
            let free = TABLE.get(*n).map(|mapping| &mapping.map);
            free.is_some_and(|map| map.compare_exchange(0, 1, Ordering::AcqRel, Ordering::Relaxed).is_ok())
        };
        let at = (from..from + MAPPINGS).map(|n| n % MAPPINGS).find(claim)?;
        let mapping = TABLE.get(at)?;
        // SAFETY: this creates a new mapping at an address that the kernel chooses.
        let map = unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            libc::mmap(std::ptr::null_mut(), total, libc::PROT_NONE, flags, -1, 0)
        };
        if map == libc::MAP_FAILED {
            mapping.map.store(0, Ordering::Release);
            return None;
        }
        let map = map.expose_provenance();
        let end = map + page + inner;
        let buffer_name = BufferName { function, parameter, recorded: AtomicUsize::new(0) };
        // Recorded mistakes refer to the name until the process ends, so it is never freed.
        mapping.buffer_name.store(Box::into_raw(Box::new(buffer_name)), Ordering::Relaxed);
        mapping.start.store(end - bytes, Ordering::Relaxed);
        mapping.end.store(end, Ordering::Relaxed);
        mapping.state.store(OPEN, Ordering::Relaxed);
        mapping.map.store(map, Ordering::Release);
        mapping.allow(READ_WRITE);
        // SAFETY: the range is the padding at the start of the new mapping, which is writable.
        unsafe { bytes_mut(map + page, inner - bytes) }.fill(BEFORE);
        Some(Guarded(at))
    }

    pub fn address(&self) -> usize {
        TABLE.get(self.0).map_or(0, |mapping| mapping.start.load(Ordering::Relaxed))
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> usize {
        TABLE.get(self.0).map_or(0, |mapping| mapping.end.load(Ordering::Relaxed)) - self.address()
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        /// The slots of freed buffers with their sizes in bytes, oldest first, and the sum of the sizes.
        static FREED_MAPPINGS: Mutex<(VecDeque<(usize, usize)>, usize)> = Mutex::new((VecDeque::new(), 0));
        let Some(mapping) = TABLE.get(self.0) else { return };
        mapping.allow(READ_WRITE);
        if !mapping.is_front_whole() {
            record(mapping, IN_FRONT, 0);
        }
        mapping.state.store(FREED, Ordering::Release);
        mapping.allow(libc::PROT_NONE);
        let (from, to) = mapping.pages();
        let mut freed = guard(&FREED_MAPPINGS);
        freed.0.push_back((self.0, to - from));
        freed.1 += to - from;
        while freed.0.len() > MOST_FREED || freed.1 > MOST_FREED_BYTES {
            let Some((at, bytes)) = freed.0.pop_front() else { break };
            freed.1 -= bytes;
            if let Some(mapping) = TABLE.get(at) {
                let map = mapping.map.load(Ordering::Acquire);
                let total = mapping.end.load(Ordering::Relaxed) + GUARD - map;
                // SAFETY: this module created the mapping with this size, and its buffer was dropped.
                unsafe { libc::munmap(std::ptr::with_exposed_provenance_mut(map), total) };
                mapping.map.store(0, Ordering::Release);
            }
        }
    }
}

/// Returns the mapping of the buffer that starts at an address.
fn mapping_at(start: usize) -> Option<&'static Mapping> {
    let is_it =
        |mapping: &&Mapping| mapping.map.load(Ordering::Acquire) > 1 && mapping.start.load(Ordering::Relaxed) == start;
    TABLE.iter().find(|mapping| is_it(mapping) && mapping.state.load(Ordering::Relaxed) != FREED)
}

/// Protects the buffers of a call before the library runs. If `waits` is true, the library makes system calls. They would fail with
/// inaccessible buffers, so `out` buffers stay accessible.
pub(crate) fn protect(entries: &[BufferEntry], waits: bool) {
    for entry in entries.iter().filter(|entry| entry.here != 0) {
        let Some(mapping) = mapping_at(entry.here) else { continue };
        // Two parameters can share memory.
        let same = || {
            entries
                .iter()
                .filter(|other| other.here < entry.here + entry.bytes && entry.here < other.here + other.bytes)
        };
        let (state, protection) = if same().all(|other| other.is_in && !other.is_out) {
            (READ_ONLY, libc::PROT_READ)
        } else if same().all(|other| other.is_blank) && cfg!(target_arch = "x86_64") && !waits {
            (UNREAD, libc::PROT_NONE)
        } else {
            continue;
        };
        mapping.state.store(state, Ordering::Release);
        mapping.allow(protection);
    }
}

/// Makes the buffers of a call accessible after the library returned.
pub(crate) fn unprotect(entries: &[BufferEntry]) {
    for entry in entries.iter().filter(|entry| entry.here != 0) {
        let Some(mapping) = mapping_at(entry.here) else { continue };
        if mapping.state.swap(OPEN, Ordering::AcqRel) != OPEN {
            mapping.allow(READ_WRITE);
        }
        if !mapping.is_front_whole() {
            record(mapping, IN_FRONT, 0);
        }
    }
}

/// Returns whether the buffer that starts at an address can be read without a recorded mistake.
pub(super) fn is_open(start: usize) -> bool {
    mapping_at(start).is_none_or(|mapping| mapping.state.load(Ordering::Acquire) == OPEN)
}

/// Returns the function and the parameter of the buffer that starts at an address, for messages.
pub(super) fn name_of(start: usize) -> Option<String> {
    // SAFETY: names are never freed.
    let name = unsafe { mapping_at(start)?.buffer_name.load(Ordering::Acquire).as_ref() }?;
    Some(format!("`{}` of `{}`", name.parameter, name.function))
}

/// Records a mistake that the next reply of this thread carries.
pub(super) fn add(finding: Finding) {
    let mut found = UNSENT.take();
    found.push(finding);
    UNSENT.set(found);
}

/// Records a mistake. It neither locks nor allocates, as the signal handler calls it.
fn record(mapping: &Mapping, what: u8, offset: usize) {
    let buffer_name = mapping.buffer_name.load(Ordering::Acquire);
    // SAFETY: names are never freed.
    let Some(known) = (unsafe { buffer_name.as_ref() }) else { return };
    let bit = 1usize << what;
    if known.recorded.fetch_or(bit, Ordering::AcqRel) & bit != 0 {
        return;
    }
    let has_slot =
        |count: usize| (count.saturating_sub(TAKEN.load(Ordering::Acquire)) < MOST_RECORDED).then_some(count + 1);
    let number = COUNT.fetch_update(Ordering::AcqRel, Ordering::Acquire, has_slot);
    let Some(slot) = number.ok().and_then(|number| RECORDED.get(number % MOST_RECORDED)) else { return };
    let current = CURRENT.with(Cell::get);
    slot.buffer_name.store(buffer_name, Ordering::Relaxed);
    slot.what.store(what, Ordering::Relaxed);
    slot.during.0.store(current.as_ptr().cast_mut(), Ordering::Relaxed);
    slot.during.1.store(current.len(), Ordering::Relaxed);
    slot.offset.store(offset, Ordering::Relaxed);
    slot.is_complete.store(true, Ordering::Release);
}

/// Records why the current call of this thread is rejected.
pub(crate) fn record_refusal(finding: Finding) {
    REFUSED.set(Some(finding));
}

/// Returns the mistakes recorded since the previous call of this function, and the reason why the call of this thread is rejected.
pub(crate) fn take_found() -> Vec<Finding> {
    if !is_on() {
        return Vec::new();
    }
    let mut found = UNSENT.take();
    found.append(&mut take_recorded());
    found.extend(REFUSED.take());
    found
}

/// Stores mistakes whose reply cannot be sent. The reply that replaces it carries them.
pub(crate) fn put_back(found: Vec<Finding>) {
    if !found.is_empty() {
        UNSENT.set(found);
    }
}

fn take_recorded() -> Vec<Finding> {
    if COUNT.load(Ordering::Acquire) == TAKEN.load(Ordering::Acquire) {
        return Vec::new();
    }
    let _taking = guard(&TAKING);
    let mut found = Vec::new();
    let next = || RECORDED.get(TAKEN.load(Ordering::Relaxed) % MOST_RECORDED);
    while let Some(slot) = next().filter(|slot| slot.is_complete.load(Ordering::Acquire)) {
        // SAFETY: `record` stored a name, which is never freed.
        let buffer_name = unsafe { &*slot.buffer_name.load(Ordering::Relaxed) };
        let (name, bytes) = (slot.during.0.load(Ordering::Relaxed), slot.during.1.load(Ordering::Relaxed));
        // SAFETY: address and length are those of a `&'static str` that was passed to `set_running`.
        let during = unsafe { std::str::from_utf8_unchecked(std::slice::from_raw_parts(name, bytes)) };
        let (offset, what) = (slot.offset.load(Ordering::Relaxed), slot.what.load(Ordering::Relaxed));
        slot.is_complete.store(false, Ordering::Relaxed);
        // From now on, `record` can use the slot again.
        TAKEN.fetch_add(1, Ordering::AcqRel);
        let (mistake, text) = match what {
            BEYOND_READ => (Mistake::Size, format!("the library reads byte {offset}, which is beyond its end")),
            BEYOND_WRITTEN => (Mistake::Size, format!("the library writes byte {offset}, which is beyond its end")),
            BEYOND => (Mistake::Size, format!("the library uses byte {offset}, which is beyond its end")),
            IN_FRONT => (Mistake::Size, "the library writes before its first byte".to_owned()),
            WRITTEN => (Mistake::Direction, "the library writes it, and it is `in`".to_owned()),
            READ => (Mistake::Direction, "the library reads it before it is written, and it is `out`".to_owned()),
            _ => (Mistake::Lifetime, "the library uses it after it has ended".to_owned()),
        };
        let text =
            if during.is_empty() || during == buffer_name.function { text } else { format!("{text} (in `{during}`)") };
        found.push(Finding::of(buffer_name.function, buffer_name.parameter, mistake, text));
    }
    found
}

/// Returns whether the access was a write, or `None` if the processor does not report it.
#[cfg(target_arch = "x86_64")]
unsafe fn was_write(context: *mut c_void) -> Option<bool> {
    // SAFETY: the kernel passes a valid `ucontext_t` to the handler.
    let context = unsafe { &*context.cast::<libc::ucontext_t>() };
    context.uc_mcontext.gregs.get(libc::REG_ERR as usize).map(|error| error & 2 != 0)
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn was_write(_: *mut c_void) -> Option<bool> {
    None
}

/// Handles SIGSEGV.
unsafe extern "C" fn on_fault(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes valid pointers to the handler.
    let (address, is_write) = unsafe { ((*info).si_addr().addr(), was_write(context)) };
    let holds = |mapping: &&Mapping| {
        let map = mapping.map.load(Ordering::Acquire);
        map > 1 && (map..mapping.end.load(Ordering::Relaxed) + GUARD).contains(&address)
    };
    let Some(mapping) = TABLE.iter().find(holds) else {
        // SAFETY: the arguments are those that the kernel passed to this handler.
        unsafe { call_previous_handler(signal, info, context) };
        return;
    };
    let (map, page) = (mapping.map.load(Ordering::Acquire), page_size());
    let (start, end) = (mapping.start.load(Ordering::Relaxed), mapping.end.load(Ordering::Relaxed));
    let state = mapping.state.load(Ordering::Acquire);
    if state == FREED {
        record(mapping, LATE, 0);
        protect_range(map, end + GUARD, READ_WRITE);
    } else if address < map + page {
        record(mapping, IN_FRONT, 0);
        protect_range(map, map + page, READ_WRITE);
    } else if address >= end {
        let what = match is_write {
            Some(true) => BEYOND_WRITTEN,
            Some(false) => BEYOND_READ,
            None => BEYOND,
        };
        record(mapping, what, address - start);
        protect_range(end, end + GUARD, READ_WRITE);
    } else if state == UNREAD {
        if is_write == Some(false) {
            record(mapping, READ, address.saturating_sub(start));
        }
        let from = address & !(page - 1);
        protect_range(from, from + page, READ_WRITE);
    } else {
        record(mapping, WRITTEN, address.saturating_sub(start));
        mapping.allow(READ_WRITE);
    }
}

/// Passes a fault outside of watched memory to the previous handler. That handler usually ends the process, so this function first prints the
/// mistakes that were not taken.
unsafe fn call_previous_handler(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    for slot in RECORDED.iter().filter(|slot| slot.is_complete.load(Ordering::Acquire)) {
        // SAFETY: names are never freed, and `write` is async-signal-safe.
        unsafe {
            let Some(buffer_name) = slot.buffer_name.load(Ordering::Relaxed).as_ref() else { continue };
            let what = match slot.what.load(Ordering::Relaxed) {
                WRITTEN | READ => "direction",
                LATE => "lifetime",
                _ => "size",
            };
            for text in [
                "cx_remote: shadow: ",
                buffer_name.function,
                ": ",
                buffer_name.parameter,
                ": ",
                what,
                ", before the worker crashed\n",
            ] {
                libc::write(2, text.as_ptr().cast(), text.len());
            }
        }
    }
    // SAFETY: the arguments are those that the kernel passed, and `sa_flags` guarantees that the previous handler has this signature.
    unsafe {
        match PREVIOUS_ACTION.get() {
            Some(old) if old.sa_sigaction > libc::SIG_IGN && old.sa_flags & libc::SA_SIGINFO != 0 => {
                type Handler = unsafe extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);
                std::mem::transmute::<usize, Handler>(old.sa_sigaction)(signal, info, context);
            }
            _ => {
                // The thread repeats the access, and the default action ends the process.
                let mut ends = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
                ends.sa_sigaction = libc::SIG_DFL;
                libc::sigaction(signal, &raw const ends, std::ptr::null_mut());
            }
        }
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    fn found(function: &str) -> Vec<(String, Mistake)> {
        static ALL_FOUND: Mutex<Vec<Finding>> = Mutex::new(Vec::new());
        let mut all = guard(&ALL_FOUND);
        all.extend(take_found());
        all.iter().filter(|one| one.function == function).map(|one| (one.parameter.clone(), one.mistake)).collect()
    }

    fn entry(memory: &Guarded, bytes: usize, is_out: bool, is_blank: bool) -> BufferEntry {
        let (here, count, is_in) = (memory.address(), bytes as u64, !is_out);
        BufferEntry { here, count, bytes, is_in, is_out, is_blank, ..BufferEntry::NONE }
    }

    fn peek(address: usize) -> u8 {
        // SAFETY: the address is in a mapping of this module; the handler makes it accessible.
        unsafe { (address as *const u8).read_volatile() }
    }

    fn poke(address: usize) {
        // SAFETY: the address is in a mapping of this module; the handler makes it accessible.
        unsafe { (address as *mut u8).write_volatile(1) };
    }

    #[test]
    #[cfg_attr(miri, ignore)]
    fn what_is_beyond_the_end_is_found_and_the_library_goes_on() {
        start();
        let memory = |name| Guarded::new(100, "sizes", name).unwrap_or_else(|| panic!("no memory"));
        let (fine, read, written, front) = (memory("fine"), memory("read"), memory("written"), memory("front"));
        for at in [0, 99] {
            poke(fine.address() + at);
            assert_eq!(peek(fine.address() + at), 1);
        }
        assert_eq!(peek(read.address() + 100), 0);
        peek(read.address() + 101);
        poke(written.address() + 100);
        poke(front.address() - 1);
        unprotect(&[entry(&front, 100, true, false)]);
        let all = ["read", "written", "front"].map(|name| (name.to_owned(), Mistake::Size));
        assert_eq!(found("sizes"), all);
    }

    #[test]
    #[cfg_attr(miri, ignore)]
    fn directions_are_watched_while_the_library_works() {
        start();
        let memory = |name| Guarded::new(10_000, "directions", name).unwrap_or_else(|| panic!("no memory"));
        let (input, output, both, unread) = (memory("input"), memory("output"), memory("both"), memory("unread"));
        let entries = [
            entry(&input, 10_000, false, false),
            entry(&output, 10_000, true, true),
            entry(&both, 10_000, true, false),
            entry(&unread, 10_000, true, true),
        ];
        let of = |one: usize| entries.get(one).map_or(0, |entry| entry.here);
        protect(&entries, false);
        peek(of(0));
        // Each page is first written, then read.
        for at in (0..10_000).step_by(100) {
            poke(of(1) + at);
            peek(of(1) + at);
        }
        peek(of(2));
        poke(of(2));
        unprotect(&entries);
        assert_eq!(found("directions"), []);
        protect(&entries, false);
        poke(of(0));
        peek(of(3) + 5_000);
        unprotect(&entries);
        let reads = [("unread".to_owned(), Mistake::Direction)];
        let reads = if cfg!(target_arch = "x86_64") { &reads[..] } else { &[] };
        let all: Vec<_> = [("input".to_owned(), Mistake::Direction)].iter().chain(reads).cloned().collect();
        assert_eq!(found("directions"), all);
    }

    #[test]
    #[cfg_attr(miri, ignore)]
    fn take_found_many_mistakes_returns_all() {
        start();
        let names: Vec<&str> = (0..2 * MOST_RECORDED).map(|n| &*n.to_string().leak()).collect();
        for name in &names {
            let memory = Guarded::new(1, "many", name).unwrap_or_else(|| panic!("no memory"));
            poke(memory.address() + 1);
            found("many");
        }
        assert!(found("many").iter().map(|(name, _)| name).eq(names));
    }

    #[test]
    #[cfg_attr(miri, ignore)]
    fn what_ended_is_not_to_be_used() {
        start();
        let memory = Guarded::new(8, "lifetimes", "kept").unwrap_or_else(|| panic!("no memory"));
        let address = memory.address();
        poke(address);
        drop(memory);
        assert_eq!(found("lifetimes"), []);
        assert_eq!(peek(address), 1);
        assert_eq!(found("lifetimes"), [("kept".to_owned(), Mistake::Lifetime)]);
    }
}
