//! Counts of faults, in a file that processes share.
//!
//! The file has a row of 40 bytes for each name: the name in 32 bytes, padded with zeros, and the count as a number of 64 bits of this machine.
//! A process that is killed loses no counts.

use std::fs::OpenOptions;
use std::os::fd::AsRawFd;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

const LOG: &str = "CX_REMOTE_FAULT_LOG";
/// The name of the count of records that were corrupted.
pub const RECORDS: &str = "records";

const NAMES: [&str; 17] = [
    RECORDS,
    super::FAILURE,
    super::ENDED,
    super::LATER,
    "byte",
    "number",
    "wide number",
    "number of this record",
    "number of an earlier record",
    "size of the record",
    "length",
    "tag",
    "handle",
    "region",
    "offset",
    "flags",
    "version",
];

#[repr(C)]
struct Row {
    name: [u8; 32],
    count: AtomicU64,
}

/// Counts a fault with this name.
pub fn count(name: &str) {
    static ROWS: OnceLock<Option<&[Row; NAMES.len()]>> = OnceLock::new();
    if let (Some(rows), Some(at)) = (ROWS.get_or_init(open), NAMES.iter().position(|one| *one == name)) {
        rows[at].count.fetch_add(1, Ordering::Relaxed);
    }
}

fn open() -> Option<&'static [Row; NAMES.len()]> {
    let size = size_of::<[Row; NAMES.len()]>();
    let file =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(std::env::var_os(LOG)?).ok()?;
    file.set_len(size as u64).ok()?;
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping of an open file, which overlaps no memory of this process.
    let map = unsafe { libc::mmap(std::ptr::null_mut(), size, protection, libc::MAP_SHARED, file.as_raw_fd(), 0) };
    if map == libc::MAP_FAILED {
        return None;
    }
    let rows = map.cast::<[Row; NAMES.len()]>();
    for (at, name) in NAMES.iter().enumerate() {
        // SAFETY: the name of row `at` is inside the mapping. All processes write the same bytes, and none reads them.
        unsafe { (*rows).as_mut_ptr().add(at).cast::<u8>().copy_from(name.as_ptr(), name.len()) };
    }
    // SAFETY: the mapping is never unmapped; names are not written after this, and counts are atomic.
    Some(unsafe { &*rows })
}
