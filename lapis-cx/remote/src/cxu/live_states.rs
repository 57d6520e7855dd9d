//! The states of the program: the memory of each contains a record that names a state of the worker.
//!
//! A descriptor has no function that ends a state, so this module infers the end. A state ended if another state begins in its memory. When
//! there are twice as limit records as after the last check, or the worker has no memory left, all records are checked: a runtime clears
//! memory that it frees, or the allocator overwrites it. The kernel reads the records, because the memory may be unmapped. A record in
//! freed memory that nothing overwrote is kept, to be safe.

use std::collections::BTreeMap;
use std::mem::{align_of, size_of};

/// The contents of the memory of a state in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(super) struct Record {
    /// The id of the worker's state; 0 if there is none.
    pub state: u64,
    /// The address of this record. A copy at another address is not a state.
    pub address: usize,
    /// The guest, and the number of forks when the state was created.
    pub guest: usize,
    pub forks: u64,
}

/// The size and alignment of a state in a descriptor.
pub(super) const SIZE: usize = size_of::<Record>();
pub(super) const ALIGN: usize = align_of::<Record>();

/// The minimum number of records for a check.
const FEW: usize = 64;

pub(super) struct LiveStates {
    /// The records by address.
    records: BTreeMap<usize, Record>,
    /// The number of records at which they are checked.
    limit: usize,
}

impl Default for LiveStates {
    fn default() -> LiveStates {
        LiveStates { records: BTreeMap::new(), limit: FEW }
    }
}

impl LiveStates {
    /// Begins a state at an address. Returns the worker's state that had exactly this address, and the other states that ended.
    pub fn begin(&mut self, address: usize) -> (Option<u64>, Vec<u64>) {
        let near: Vec<usize> = self
            .records
            .range(address.saturating_sub(SIZE - 1)..address.saturating_add(SIZE))
            .map(|(at, _)| *at)
            .collect();
        let mut replaced = None;
        let mut ended: Vec<u64> = Vec::new();
        for at in near {
            let Some(record) = self.records.remove(&at) else { continue };
            if at == address {
                replaced = Some(record.state);
            } else {
                ended.push(record.state);
            }
        }
        if self.records.len() >= self.limit {
            ended.extend(self.remove_ended());
            self.limit = (2 * self.records.len()).max(FEW);
        }
        (replaced, ended)
    }

    /// Adds the record of a state, after it was written to memory.
    pub fn add(&mut self, record: Record) {
        self.records.insert(record.address, record);
    }

    /// Removes the records that are not in memory any more, and returns their states.
    pub fn remove_ended(&mut self) -> Vec<u64> {
        let mut ended = Vec::new();
        self.records.retain(|_, record| {
            let is_there = read(record.address).is_none_or(|found| found.is_some_and(|found| found == *record));
            if !is_there {
                ended.push(record.state);
            }
            is_there
        });
        ended
    }
}

/// Reads the record at an address: `Some(None)` if the memory is unmapped, `None` if the kernel does not allow the read.
fn read(address: usize) -> Option<Option<Record>> {
    let mut record = Record { state: 0, address: 0, guest: 0, forks: 0 };
    let to = libc::iovec { iov_base: (&raw mut record).cast(), iov_len: SIZE };
    let from = libc::iovec { iov_base: std::ptr::with_exposed_provenance_mut(address), iov_len: SIZE };
    // SAFETY: `record` is valid for any bytes, and the kernel checks that the source can be read.
    let size = unsafe { libc::process_vm_readv(libc::getpid(), &raw const to, 1, &raw const from, 1, 0) };
    if size == SIZE as isize {
        return Some(Some(record));
    }
    let is_gone = size >= 0 || std::io::Error::last_os_error().raw_os_error() == Some(libc::EFAULT);
    is_gone.then_some(None)
}
