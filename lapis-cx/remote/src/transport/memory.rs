//! The memory that two processes share: an anonymous file with room for channels, and rings that are mapped of it.
//!
//! ```text
//! channel 0                   channel 1     ...
//! control | ring | ring | room | control | ring | ring | room
//! ```
//!
//! The control page has the words of both rings. Ring 0 is written by side A, ring 1 by side B. Each ring is mapped twice in a row,
//! so that no access needs to look where it ends. In a room, if there is one, buffers of calls lie in place. A page is there once it was
//! touched.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr::NonNull;

use crate::transport::copy;
use crate::transport::header::{BYTES, LINE};
use crate::transport::sync::{Arc, AtomicU32, AtomicU64, Fences, Ordering};

/// How a segment is laid out. Both sides have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Bytes of a ring: a power of two, at least a page and at most 64 MiB.
    pub ring: u32,
    /// How many channels there can be at a time: at least one.
    pub channels: u32,
    /// Bytes of a channel in which a worker lets buffers of calls lie in place, without a copy of its own: none, or a power of two, at
    /// least a page and at most 64 MiB.
    pub room: u32,
}

impl Default for Geometry {
    /// 256 channels with rings of 1 MiB: whoever sends as much never waits for whoever reads it. Pages that nobody touches take no
    /// memory. There is no room for buffers: who grants some trusts the other side not to change them during a call.
    fn default() -> Geometry {
        Geometry { ring: 1 << 20, channels: 256, room: 0 }
    }
}

/// As many bytes are fetched ahead at most.
const MOST_AHEAD: usize = 8192;

/// The largest ring, and the largest room: bytes.
pub(crate) const LARGEST: u32 = 64 << 20;
/// The most channels.
const MOST: u32 = 1 << 16;

impl Geometry {
    pub(crate) fn is_valid(self) -> bool {
        let can_be = |size: u32| size.is_power_of_two() && size as usize >= page_size() && size <= LARGEST;
        can_be(self.ring) && (self.room == 0 || can_be(self.room)) && (1..=MOST).contains(&self.channels)
    }

    /// Bytes of a channel.
    pub(crate) fn channel_bytes(self) -> usize {
        page_size() + 2 * self.ring as usize + self.room as usize
    }

    /// Bytes of all.
    pub(crate) fn bytes(self) -> usize {
        self.channel_bytes() * self.channels as usize
    }
}

/// Bytes.
pub(crate) fn page_size() -> usize {
    // SAFETY: without pointers.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}

/// What two processes share.
#[derive(Debug)]
pub(crate) struct Segment {
    file: OwnedFd,
    geometry: Geometry,
}

/// Nobody can change the size, or what is sealed.
const SEALS: libc::c_int = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;

impl Segment {
    /// Makes one without a name: it goes when no process has it any more.
    pub fn new(geometry: Geometry) -> io::Result<Segment> {
        if !geometry.is_valid() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "such rings cannot be"));
        }
        let make = |more: libc::c_uint| {
            // SAFETY: the name ends with 0.
            unsafe { libc::memfd_create(c"lapis-cx".as_ptr(), libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING | more) }
        };
        // Linux before 6.3 does not know files that can never be executed.
        let mut file = make(libc::MFD_NOEXEC_SEAL);
        if file < 0 {
            file = make(0);
        }
        if file < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: it was made just now.
        let file = unsafe { OwnedFd::from_raw_fd(file) };
        let file = File::from(file);
        file.set_len(geometry.bytes() as u64)?;
        // SAFETY: without pointers.
        if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, SEALS) } < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Segment { file: file.into(), geometry })
    }

    /// One that another process made and said to be laid out like this. It must be large enough, and nobody may make it smaller.
    pub fn of(file: OwnedFd, geometry: Geometry) -> io::Result<Segment> {
        let wrong = |why| Err(io::Error::new(io::ErrorKind::InvalidData, why));
        if !geometry.is_valid() {
            return wrong("the other process describes shared memory that cannot be");
        }
        // SAFETY: without pointers.
        let seals = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GET_SEALS) };
        if seals < 0 || seals & SEALS != SEALS {
            return wrong("the shared memory of the other process is not sealed");
        }
        let file = File::from(file);
        if file.metadata()?.len() != geometry.bytes() as u64 {
            return wrong("the shared memory of the other process has another size than it says");
        }
        Ok(Segment { file: file.into(), geometry })
    }

    pub fn file(&self) -> BorrowedFd<'_> {
        use std::os::fd::AsFd;
        self.file.as_fd()
    }

    /// Maps both rings of a channel.
    pub fn channel(&self, index: u32) -> io::Result<[Ring; 2]> {
        if index >= self.geometry.channels {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "there is no such channel"));
        }
        let map = Arc::new(Map::new(self, index)?);
        Ok([0, 1].map(|which| Ring::new(&map, which)))
    }

    /// Gives the pages of a channel back, which is all 0 then. Nobody may use it.
    pub fn clear(&self, index: u32) -> io::Result<()> {
        let bytes = self.geometry.channel_bytes() as libc::off_t;
        let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        // SAFETY: without pointers.
        if unsafe { libc::fallocate(self.file.as_raw_fd(), mode, libc::off_t::from(index) * bytes, bytes) } < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    }
}

/// The mapped memory of a channel: its control page, each ring twice, and its room.
struct Map {
    at: NonNull<u8>,
    page: usize,
    ring: usize,
    room: usize,
}

// SAFETY: an address. What is there is only used by atomic and volatile accesses, as another process may change it anyway.
unsafe impl Send for Map {}
// SAFETY: as above.
unsafe impl Sync for Map {}

impl Map {
    fn new(segment: &Segment, index: u32) -> io::Result<Map> {
        let (page, ring, room) = (page_size(), segment.geometry.ring as usize, segment.geometry.room as usize);
        // First a place for all, and a page behind which is nobody's: what a library writes behind a room ends there.
        let bytes = page + 4 * ring + room + page;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping, wherever the system wants it.
        let at = unsafe { libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_NONE, flags, -1, 0) };
        if at == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let at = NonNull::new(at.cast::<u8>()).ok_or_else(io::Error::last_os_error)?;
        let map = Map { at, page, ring, room };
        let file = segment.geometry.channel_bytes() * index as usize;
        let first = (0, page + ring, file);
        let parts = [first, (page + ring, ring, file + page), (page + 2 * ring, ring, file + page + ring)];
        // What is behind the second ring in the file is mapped with it, the second time.
        let last = (page + 3 * ring, ring + room, file + page + ring);
        for (place, size, offset) in parts.into_iter().chain([last]) {
            let access = libc::PROT_READ | libc::PROT_WRITE;
            let flags = libc::MAP_SHARED | libc::MAP_FIXED;
            // SAFETY: the place is a part of the mapping above, which is not used yet.
            let part = unsafe {
                let place = at.as_ptr().add(place).cast();
                libc::mmap(place, size, access, flags, segment.file.as_raw_fd(), offset as libc::off_t)
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
        // SAFETY: what was mapped, and is of no use to anybody any more.
        unsafe { libc::munmap(self.at.as_ptr().cast(), 2 * self.page + 4 * self.ring + self.room) };
    }
}

/// A ring, and its words in the control page. All methods stay inside, whatever their arguments are.
#[derive(Clone)]
pub(crate) struct Ring {
    data: NonNull<u8>,
    mask: usize,
    control: NonNull<u8>,
    /// 0 of the one that side A writes, 1 of the other.
    pub which: usize,
    pub fences: Fences,
    map: Arc<Map>,
}

// SAFETY: as for `Map`, which it keeps.
unsafe impl Send for Ring {}
// SAFETY: as above.
unsafe impl Sync for Ring {}

/// Words of an end of a ring, which the other end reads and, to wake, changes.
pub(crate) struct End<'a> {
    /// 1 while this end sleeps, on this very word.
    pub asleep: &'a AtomicU32,
    /// The processor on which this end waited last, and 1.
    pub cpu: &'a AtomicU32,
    /// 1 once this end was dropped.
    pub closed: &'a AtomicU32,
    /// 1 if this end fences heavily before it sleeps.
    pub heavy: &'a AtomicU32,
    /// When this end was woken last: nanoseconds of the system's clock, without the high bits.
    pub woken: &'a AtomicU32,
}

/// Two lines: processors fetch them in pairs.
const APART: usize = 128;

impl Ring {
    fn new(map: &Arc<Map>, which: usize) -> Ring {
        // SAFETY: both are inside of the mapping.
        let (data, control) =
            unsafe { (map.at.add(map.page + which * 2 * map.ring), map.at.add(which * (map.page / 2))) };
        Ring { data, mask: map.ring - 1, control, which, fences: Fences, map: Arc::clone(map) }
    }

    /// Bytes.
    #[inline]
    pub fn size(&self) -> usize {
        self.mask + 1
    }

    /// The room of its channel, if it has one.
    pub fn room(&self) -> Option<Room> {
        (self.map.room != 0).then(|| Room { map: Arc::clone(&self.map) })
    }

    #[inline]
    fn control_word(&self, at: usize) -> &AtomicU32 {
        // SAFETY: all words of the control page are aligned, inside, and used atomically only.
        unsafe { AtomicU32::from_ptr(self.control.as_ptr().add(at).cast()) }
    }

    /// How many bytes the receiver has read, since ever.
    #[inline]
    pub fn consumed(&self) -> &AtomicU64 {
        // SAFETY: as in `control_word`.
        unsafe { AtomicU64::from_ptr(self.control.as_ptr().cast()) }
    }

    /// Up to where records that nobody waits for were written at least, since ever: bytes. The receiver need not touch the line that
    /// the sender writes to learn it.
    #[inline]
    pub fn told(&self) -> &AtomicU64 {
        // SAFETY: as in `control_word`.
        unsafe { AtomicU64::from_ptr(self.control.as_ptr().add(3 * APART).cast()) }
    }

    #[inline]
    fn end(&self, at: usize) -> End<'_> {
        let word = |index: usize| self.control_word(at + 4 * index);
        End { asleep: word(0), cpu: word(1), closed: word(2), heavy: word(3), woken: word(4) }
    }

    #[inline]
    pub fn receiver(&self) -> End<'_> {
        self.end(APART)
    }

    #[inline]
    pub fn sender(&self) -> End<'_> {
        self.end(2 * APART)
    }

    /// The word at a byte: a multiple of 8.
    #[inline]
    pub fn word(&self, at: usize) -> &AtomicU64 {
        // SAFETY: inside, and aligned.
        unsafe { AtomicU64::from_ptr(self.data.as_ptr().add(at & self.mask & !(BYTES - 1)).cast()) }
    }

    /// Stores up to a page.
    #[inline]
    pub fn store<const N: usize>(&self, at: usize, bytes: [u8; N]) {
        const { assert!(N <= 4096) };
        // SAFETY: inside: behind the ring it begins again.
        unsafe { copy::to_shared(self.data.as_ptr().add(at & self.mask), bytes.as_ptr(), N) }
    }

    /// Loads up to a page.
    #[inline]
    pub fn load<const N: usize>(&self, at: usize) -> [u8; N] {
        const { assert!(N <= 4096) };
        let mut bytes = [0; N];
        // SAFETY: as above.
        unsafe { copy::from_shared(bytes.as_mut_ptr(), self.data.as_ptr().add(at & self.mask), N) };
        bytes
    }

    /// Bytes for the system to read or to write: at most a whole ring.
    pub fn span(&self, at: usize, size: usize) -> libc::iovec {
        // SAFETY: inside: behind the ring it begins again.
        let place = unsafe { self.data.as_ptr().add(at & self.mask) };
        libc::iovec { iov_base: place.cast(), iov_len: size.min(self.size()) }
    }

    /// Takes lines that will be written soon, so that the stores need not wait for them.
    #[inline]
    pub fn will_write(&self, at: usize, size: usize) {
        for line in (0..size.min(MOST_AHEAD)).step_by(LINE) {
            // SAFETY: an address within the second mapping at most, of which nothing is read.
            copy::prefetch_to_write(unsafe { self.data.as_ptr().add((at + line) & self.mask) });
        }
    }

    /// At most a whole ring.
    #[inline]
    pub fn write(&self, at: usize, from: &[u8]) {
        let size = from.len().min(self.size());
        // SAFETY: inside: behind the ring it begins again.
        unsafe { copy::to_shared(self.data.as_ptr().add(at & self.mask), from.as_ptr(), size) }
    }

    /// Stores few words at a byte, a multiple of 8.
    #[inline(always)]
    pub fn store_words<const N: usize>(&self, at: usize, words: [u64; N]) {
        const { assert!(N <= 512) };
        // SAFETY: inside, and aligned.
        let place = unsafe { self.data.as_ptr().add(at & self.mask & !(BYTES - 1)).cast::<u64>() };
        for (n, word) in words.into_iter().enumerate() {
            // SAFETY: as above: behind the ring it begins again.
            unsafe { AtomicU64::from_ptr(place.add(n)) }.store(word, Ordering::Relaxed);
        }
    }

    /// Loads words: at most a whole ring.
    #[inline]
    pub fn read_words(&self, at: usize, to: &mut [u64]) {
        let size = size_of_val(to).min(self.size());
        // SAFETY: as above.
        unsafe { copy::from_shared(to.as_mut_ptr().cast(), self.data.as_ptr().add(at & self.mask), size) }
    }

    /// At most a whole ring.
    #[inline]
    pub fn read(&self, at: usize, to: &mut [u8]) {
        let size = to.len().min(self.size());
        // SAFETY: as above.
        unsafe { copy::from_shared(to.as_mut_ptr(), self.data.as_ptr().add(at & self.mask), size) }
    }
}

/// Where buffers of calls lie in place. All methods stay inside, whatever their arguments are.
pub(crate) struct Room {
    map: Arc<Map>,
}

impl Room {
    /// Bytes.
    pub fn size(&self) -> usize {
        self.map.room
    }

    /// The address of so many bytes, if they are inside. The other side may change them at any time.
    pub fn place(&self, at: usize, size: usize) -> Option<usize> {
        let is_inside = at.checked_add(size).is_some_and(|end| end <= self.size());
        is_inside.then(|| self.map.at.as_ptr().expose_provenance() + self.map.page + 4 * self.map.ring + at)
    }

    /// Copies bytes there, or nothing if they are not inside.
    pub fn write(&self, at: usize, from: &[u8]) {
        if let Some(to) = self.place(at, from.len()) {
            // SAFETY: inside of the mapping.
            unsafe { copy::to_shared(std::ptr::with_exposed_provenance_mut(to), from.as_ptr(), from.len()) }
        }
    }

    /// Copies bytes from there, or nothing if they are not inside.
    pub fn read(&self, at: usize, to: &mut [u8]) {
        if let Some(from) = self.place(at, to.len()) {
            // SAFETY: inside of the mapping.
            unsafe { copy::from_shared(to.as_mut_ptr(), std::ptr::with_exposed_provenance(from), to.len()) }
        }
    }
}
