//! The memory that two processes share: an anonymous file that is divided into channels.
//!
//! ```text
//! channel 0                   channel 1     ...
//! control | ring | ring | in-place | control | ring | ring | in-place
//! ```
//!
//! The control page has the words of both rings. Side A writes ring 0, side B ring 1. Each ring is mapped twice in a row, so no access
//! needs to check where the ring ends. The in-place area, which may be empty, holds buffers that calls use in place. The kernel allocates a
//! page when it is first touched.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr::NonNull;

use crate::transport::copy;
use crate::transport::descriptors::{EngineFile, above_stdio};
use crate::transport::header::{BYTES, LINE};
use crate::transport::sync::{Arc, AtomicU32, AtomicU64, Fences, Ordering};

/// The layout of shared memory, which is the same on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// The size of a ring in bytes: a power of two from the page size to 64 MiB.
    pub ring: u32,
    /// The maximum number of open channels, at least 1.
    pub channels: u32,
    /// The size in bytes of the in-place area of a channel, where the worker uses buffers without copying them: 0, or a power of two from
    /// the page size to 64 MiB.
    pub in_place: u32,
}

impl Default for Geometry {
    /// 256 channels with rings of 1 MiB, so a record of up to 1 MiB does not wait for the receiver. Untouched pages use no memory. There is
    /// no in-place area: a worker that grants one trusts the guest not to change buffers during a call.
    fn default() -> Geometry {
        Geometry { ring: 1 << 20, channels: 256, in_place: 0 }
    }
}

/// The largest number of bytes that [`Ring::will_write`] prefetches.
const MOST_AHEAD: usize = 8192;

/// The largest size of a ring and of an in-place area, in bytes.
pub(crate) const LARGEST: u32 = 64 << 20;
/// The largest number of channels.
const MOST: u32 = 1 << 16;

impl Geometry {
    pub(crate) fn is_valid(self) -> bool {
        let can_be = |size: u32| size.is_power_of_two() && size as usize >= page_size() && size <= LARGEST;
        can_be(self.ring) && (self.in_place == 0 || can_be(self.in_place)) && (1..=MOST).contains(&self.channels)
    }

    /// Returns the size of a channel in bytes.
    pub(crate) fn channel_bytes(self) -> usize {
        page_size() + 2 * self.ring as usize + self.in_place as usize
    }

    /// Returns the size of all channels in bytes.
    pub(crate) fn bytes(self) -> usize {
        self.channel_bytes() * self.channels as usize
    }
}

/// Returns the page size in bytes.
pub(crate) fn page_size() -> usize {
    // SAFETY: `sysconf` takes no pointers.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}

/// A file of shared memory.
#[derive(Debug)]
pub(crate) struct Segment {
    file: EngineFile,
    geometry: Geometry,
}

/// The seals of a segment: neither process can change the size or the seals.
const SEALS: libc::c_int = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;

impl Segment {
    /// Creates an unnamed segment. The kernel frees it when no process uses it.
    pub fn new(geometry: Geometry) -> io::Result<Segment> {
        if !geometry.is_valid() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "ring and in-place sizes must be powers of two from the page size to 64 MiB, with 1 to 65536 channels",
            ));
        }
        let make = |more: libc::c_uint| {
            // SAFETY: the name is a C string literal.
            unsafe { libc::memfd_create(c"lapis-cx".as_ptr(), libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING | more) }
        };
        // Linux before 6.3 lacks MFD_NOEXEC_SEAL.
        let mut file = make(libc::MFD_NOEXEC_SEAL);
        if file < 0 {
            file = make(0);
        }
        if file < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: `memfd_create` returned this descriptor, and nothing else owns it.
        let file = unsafe { OwnedFd::from_raw_fd(file) };
        let file = File::from(file);
        file.set_len(geometry.bytes() as u64)?;
        // SAFETY: `F_ADD_SEALS` takes no pointers.
        if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, SEALS) } < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Segment { file: EngineFile::new(above_stdio(file.into())?), geometry })
    }

    /// Opens a segment that another process created with the given layout.
    ///
    /// # Errors
    ///
    /// The layout is invalid, or the file is not sealed against changes of its size, or has another size.
    pub fn of(file: OwnedFd, geometry: Geometry) -> io::Result<Segment> {
        let wrong = |why| Err(io::Error::new(io::ErrorKind::InvalidData, why));
        if !geometry.is_valid() {
            return wrong("the other process describes shared memory with an invalid layout");
        }
        // SAFETY: `F_GET_SEALS` takes no pointers.
        let seals = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GET_SEALS) };
        if seals < 0 || seals & SEALS != SEALS {
            return wrong("the shared memory of the other process is not sealed against changes of its size");
        }
        let file = File::from(file);
        if file.metadata()?.len() != geometry.bytes() as u64 {
            return wrong("the shared memory of the other process has another size than its layout");
        }
        Ok(Segment { file: EngineFile::new(above_stdio(file.into())?), geometry })
    }

    /// Returns the file of the segment.
    ///
    /// # Errors
    ///
    /// Fails with `EBADF` if foreign code has closed the file.
    pub fn file(&self) -> io::Result<BorrowedFd<'_>> {
        self.file.get()
    }

    /// Maps a channel and returns its rings.
    ///
    /// # Errors
    ///
    /// Fails if `index` is not below the number of channels, if the process has too little memory, or with `EBADF` if foreign code has closed the file.
    pub fn channel(&self, index: u32) -> io::Result<[Ring; 2]> {
        if index >= self.geometry.channels {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "the channel index is beyond the number of channels",
            ));
        }
        let map = Arc::new(Map::new(self, index)?);
        Ok([0, 1].map(|which| Ring::new(&map, which)))
    }

    /// Frees the pages of a channel, which then contain 0. The channel must not be in use.
    pub fn clear(&self, index: u32) -> io::Result<()> {
        let bytes = self.geometry.channel_bytes() as libc::off_t;
        let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        // SAFETY: `fallocate` takes no pointers.
        if unsafe { libc::fallocate(self.file()?.as_raw_fd(), mode, libc::off_t::from(index) * bytes, bytes) } < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    }
}

/// The mapping of a channel: its control page, each ring twice, and its in-place area.
struct Map {
    at: NonNull<u8>,
    page: usize,
    ring: usize,
    in_place: usize,
}

// SAFETY: the mapping is accessed with atomic and volatile operations only, because another process may change it anyway.
unsafe impl Send for Map {}
// SAFETY: as above.
unsafe impl Sync for Map {}

impl Map {
    fn new(segment: &Segment, index: u32) -> io::Result<Map> {
        let (page, ring, in_place) = (page_size(), segment.geometry.ring as usize, segment.geometry.in_place as usize);
        // Reserves the address space, with an inaccessible page at the end, which catches writes beyond the in-place area.
        let bytes = page + 4 * ring + in_place + page;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: the kernel chooses the address of the new mapping.
        let at = unsafe { libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_NONE, flags, -1, 0) };
        if at == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let at = NonNull::new(at.cast::<u8>()).ok_or_else(io::Error::last_os_error)?;
        let map = Map { at, page, ring, in_place };
        let (descriptor, file) = (segment.file()?.as_raw_fd(), segment.geometry.channel_bytes() * index as usize);
        let first = (0, page + ring, file);
        let parts = [first, (page + ring, ring, file + page), (page + 2 * ring, ring, file + page + ring)];
        // The in-place area follows the second ring in the file, so the second mapping of that ring includes it.
        let last = (page + 3 * ring, ring + in_place, file + page + ring);
        for (start, size, offset) in parts.into_iter().chain([last]) {
            let access = libc::PROT_READ | libc::PROT_WRITE;
            let flags = libc::MAP_SHARED | libc::MAP_FIXED;
            // SAFETY: `start` and `size` are within the reservation above, which is not used yet.
            let part = unsafe {
                let start = at.as_ptr().add(start).cast();
                libc::mmap(start, size, access, flags, descriptor, offset as libc::off_t)
            };
            if part == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(map)
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        // SAFETY: this is the whole reservation of `new`, and each `Ring` and `InPlaceArea` keeps the map alive.
        unsafe { libc::munmap(self.at.as_ptr().cast(), 2 * self.page + 4 * self.ring + self.in_place) };
    }
}

/// A ring and its words in the control page. Positions are taken modulo the size of the ring, so no argument leads outside the mapping.
#[derive(Clone)]
pub(crate) struct Ring {
    data: NonNull<u8>,
    mask: usize,
    control: NonNull<u8>,
    /// 0 if side A writes the ring, 1 if side B does.
    pub which: usize,
    pub fences: Fences,
    map: Arc<Map>,
}

// SAFETY: as for `Map`, which the ring keeps alive.
unsafe impl Send for Ring {}
// SAFETY: as above.
unsafe impl Sync for Ring {}

/// The control words of one end of a ring. The peer reads them, and changes `asleep` and `woken` to wake this end.
pub(crate) struct End<'a> {
    /// 1 while this end sleeps. It is the futex word.
    pub asleep: &'a AtomicU32,
    /// The number of the processor on which the thread of this end waited last, plus 1. The sending and the receiving end of a thread, which
    /// belong to different rings, share this word.
    pub cpu: &'a AtomicU32,
    /// 1 once this end was dropped.
    pub closed: &'a AtomicU32,
    /// 1 if this end executes a heavy fence before it sleeps.
    pub heavy: &'a AtomicU32,
    /// The time of the last wake-up of this end: the low 32 bits of the monotonic clock in nanoseconds.
    pub woken: &'a AtomicU32,
}

/// The distance between the words of different ends: two cache lines, because processors prefetch in pairs.
const APART: usize = 128;

impl Ring {
    fn new(map: &Arc<Map>, which: usize) -> Ring {
        // SAFETY: both offsets are inside the mapping.
        let (data, control) =
            unsafe { (map.at.add(map.page + which * 2 * map.ring), map.at.add(which * (map.page / 2))) };
        Ring { data, mask: map.ring - 1, control, which, fences: Fences, map: Arc::clone(map) }
    }

    /// Returns the size in bytes.
    #[inline]
    pub fn size(&self) -> usize {
        self.mask + 1
    }

    /// Returns the in-place area of the channel, if it has one.
    pub fn in_place_area(&self) -> Option<InPlaceArea> {
        (self.map.in_place != 0).then(|| InPlaceArea { map: Arc::clone(&self.map) })
    }

    #[inline]
    fn control_word(&self, at: usize) -> &AtomicU32 {
        // SAFETY: the word is aligned and inside the control page, and all accesses to it are atomic.
        unsafe { AtomicU32::from_ptr(self.control.as_ptr().add(at).cast()) }
    }

    /// Returns the position up to which the receiver has read. Positions count bytes since the channel was opened.
    #[inline]
    pub fn consumed(&self) -> &AtomicU64 {
        // SAFETY: as in `control_word`.
        unsafe { AtomicU64::from_ptr(self.control.as_ptr().cast()) }
    }

    /// Returns a lower bound of the position up to which one-way records were written. The receiver can poll it without a read of the cache line that
    /// the sender writes.
    #[inline]
    pub fn one_way_end(&self) -> &AtomicU64 {
        // SAFETY: as in `control_word`.
        unsafe { AtomicU64::from_ptr(self.control.as_ptr().add(3 * APART).cast()) }
    }

    /// `cpu_of` is the ring that has the word `cpu`.
    #[inline]
    fn end(&self, at: usize, cpu_of: usize) -> End<'_> {
        let word = |index: usize| self.control_word(at + 4 * index);
        // SAFETY: the control words of both rings are in the first page of the mapping, and all accesses to this word are atomic.
        let cpu =
            unsafe { AtomicU32::from_ptr(self.map.at.add(cpu_of * (self.map.page / 2) + APART + 4).as_ptr().cast()) };
        End { asleep: word(0), cpu, closed: word(2), heavy: word(3), woken: word(4) }
    }

    #[inline]
    pub fn receiver(&self) -> End<'_> {
        self.end(APART, self.which)
    }

    #[inline]
    pub fn sender(&self) -> End<'_> {
        self.end(2 * APART, 1 - self.which)
    }

    /// Returns the word at a position, rounded down to a multiple of 8.
    #[inline]
    pub fn word(&self, at: usize) -> &AtomicU64 {
        // SAFETY: the masked position is inside the mapping and a multiple of 8.
        unsafe { AtomicU64::from_ptr(self.data.as_ptr().add(at & self.mask & !(BYTES - 1)).cast()) }
    }

    /// Stores up to 4096 bytes.
    #[inline]
    pub fn store<const N: usize>(&self, at: usize, bytes: [u8; N]) {
        const { assert!(N <= 4096) };
        // SAFETY: the access begins inside the ring and is not longer than it, and the ring is mapped twice.
        unsafe { copy::to_shared(self.data.as_ptr().add(at & self.mask), bytes.as_ptr(), N) }
    }

    /// Loads up to 4096 bytes.
    #[inline]
    pub fn load<const N: usize>(&self, at: usize) -> [u8; N] {
        const { assert!(N <= 4096) };
        let mut bytes = [0; N];
        // SAFETY: as above.
        unsafe { copy::from_shared(bytes.as_mut_ptr(), self.data.as_ptr().add(at & self.mask), N) };
        bytes
    }

    /// Returns a range of the ring for a system call: at most the whole ring.
    pub fn span(&self, at: usize, size: usize) -> libc::iovec {
        // SAFETY: the access begins inside the ring and is not longer than it, and the ring is mapped twice.
        let start = unsafe { self.data.as_ptr().add(at & self.mask) };
        libc::iovec { iov_base: start.cast(), iov_len: size.min(self.size()) }
    }

    /// Prefetches the cache lines of a range for writing, at most [`MOST_AHEAD`] bytes.
    #[inline]
    pub fn will_write(&self, at: usize, size: usize) {
        for line in (0..size.min(MOST_AHEAD)).step_by(LINE) {
            // SAFETY: the address is at most inside the second mapping of the ring, and a prefetch does not access it.
            copy::prefetch_to_write(unsafe { self.data.as_ptr().add((at + line) & self.mask) });
        }
    }

    /// Copies `from` to the ring, at most the whole ring.
    #[inline]
    pub fn write(&self, at: usize, from: &[u8]) {
        let size = from.len().min(self.size());
        // SAFETY: the access begins inside the ring and is not longer than it, and the ring is mapped twice.
        unsafe { copy::to_shared(self.data.as_ptr().add(at & self.mask), from.as_ptr(), size) }
    }

    /// Stores up to 512 words at a position, rounded down to a multiple of 8.
    #[inline(always)]
    pub fn store_words<const N: usize>(&self, at: usize, words: [u64; N]) {
        const { assert!(N <= 512) };
        // SAFETY: the masked position is inside the mapping and a multiple of 8.
        let start = unsafe { self.data.as_ptr().add(at & self.mask & !(BYTES - 1)).cast::<u64>() };
        for (n, word) in words.into_iter().enumerate() {
            // SAFETY: the word is at most 4096 bytes from the start, and the ring is mapped twice.
            unsafe { AtomicU64::from_ptr(start.add(n)) }.store(word, Ordering::Relaxed);
        }
    }

    /// Copies words from the ring to `to`, at most the whole ring.
    #[inline]
    pub fn read_words(&self, at: usize, to: &mut [u64]) {
        let size = size_of_val(to).min(self.size());
        // SAFETY: as above.
        unsafe { copy::from_shared(to.as_mut_ptr().cast(), self.data.as_ptr().add(at & self.mask), size) }
    }

    /// Copies bytes from the ring to `to`, at most the whole ring.
    #[inline]
    pub fn read(&self, at: usize, to: &mut [u8]) {
        let size = to.len().min(self.size());
        // SAFETY: as above.
        unsafe { copy::from_shared(to.as_mut_ptr(), self.data.as_ptr().add(at & self.mask), size) }
    }
}

/// The in-place area of a channel. All methods check that their range is inside.
pub(crate) struct InPlaceArea {
    map: Arc<Map>,
}

impl InPlaceArea {
    /// Returns the size in bytes.
    pub fn size(&self) -> usize {
        self.map.in_place
    }

    /// Returns the address of `size` bytes at offset `at`, or `None` if they are not inside. The peer can change them at any time.
    pub fn address(&self, at: usize, size: usize) -> Option<usize> {
        let is_inside = at.checked_add(size).is_some_and(|end| end <= self.size());
        is_inside.then(|| self.map.at.as_ptr().expose_provenance() + self.map.page + 4 * self.map.ring + at)
    }

    /// Copies `from` to offset `at`, or nothing if it does not fit.
    pub fn write(&self, at: usize, from: &[u8]) {
        if let Some(to) = self.address(at, from.len()) {
            // SAFETY: `address` checked that the range is inside the mapping.
            unsafe { copy::to_shared(std::ptr::with_exposed_provenance_mut(to), from.as_ptr(), from.len()) }
        }
    }

    /// Copies bytes from offset `at` to `to`, or nothing if they are not inside.
    pub fn read(&self, at: usize, to: &mut [u8]) {
        if let Some(from) = self.address(at, to.len()) {
            // SAFETY: `address` checked that the range is inside the mapping.
            unsafe { copy::from_shared(to.as_mut_ptr(), std::ptr::with_exposed_provenance(from), to.len()) }
        }
    }
}
