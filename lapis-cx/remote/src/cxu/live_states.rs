//! Where the program has its states: in place of each a record, which names a state of the worker.
//!
//! A descriptor has no function that ends a state. So a state is over once another begins where its record was; and when there are
//! twice as many as were needed last, or when the worker has no room, the records are looked at: a runtime clears memory that it gives
//! back, or the allocator writes over it. That is done by the kernel, as the memory may be gone. A record in memory of which nobody
//! knows any more is kept, for safety.

use std::collections::BTreeMap;
use std::mem::{align_of, size_of};

/// What a state is in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(super) struct Record {
    /// The state of the worker; 0 if there is none.
    pub state: u64,
    /// Where this lies: a copy of it is no state.
    pub address: usize,
    /// The guest, and how often the process had forked.
    pub guest: usize,
    pub forks: u64,
}

/// What a descriptor says of its states here.
pub(super) const SIZE: usize = size_of::<Record>();
pub(super) const ALIGN: usize = align_of::<Record>();

/// Fewer are never looked at: the records of a small program.
const FEW: usize = 64;

pub(super) struct Places {
    /// By address.
    records: BTreeMap<usize, Record>,
    /// With so many of them they are looked at.
    many: usize,
}

impl Default for Places {
    fn default() -> Places {
        Places { records: BTreeMap::new(), many: FEW }
    }
}

impl Places {
    /// A state begins here: which of the worker's was at this very address, and which others are over.
    pub fn begin(&mut self, address: usize) -> (Option<u64>, Vec<u64>) {
        let near: Vec<usize> = self
            .records
            .range(address.saturating_sub(SIZE - 1)..address.saturating_add(SIZE))
            .map(|(at, _)| *at)
            .collect();
        let mut same = None;
        let mut over: Vec<u64> = Vec::new();
        for at in near {
            let Some(record) = self.records.remove(&at) else { continue };
            if at == address {
                same = Some(record.state);
            } else {
                over.push(record.state);
            }
        }
        if self.records.len() >= self.many {
            over.extend(self.look());
            self.many = (2 * self.records.len()).max(FEW);
        }
        (same, over)
    }

    /// It has begun: its record was written.
    pub fn add(&mut self, record: Record) {
        self.records.insert(record.address, record);
    }

    /// Looks whether records are where they were: the states of those that are not.
    pub fn look(&mut self) -> Vec<u64> {
        let mut over = Vec::new();
        self.records.retain(|_, record| {
            let is_there = read(record.address).is_none_or(|found| found.is_some_and(|found| found == *record));
            if !is_there {
                over.push(record.state);
            }
            is_there
        });
        over
    }
}

/// The record at an address, if the memory is there; `None` if the kernel does not say.
fn read(address: usize) -> Option<Option<Record>> {
    let mut record = Record { state: 0, address: 0, guest: 0, forks: 0 };
    let to = libc::iovec { iov_base: (&raw mut record).cast(), iov_len: SIZE };
    let from = libc::iovec { iov_base: std::ptr::with_exposed_provenance_mut(address), iov_len: SIZE };
    // SAFETY: there is room for the record, which any bytes are; the kernel looks whether the memory can be read.
    let size = unsafe { libc::process_vm_readv(libc::getpid(), &raw const to, 1, &raw const from, 1, 0) };
    if size == SIZE as isize {
        return Some(Some(record));
    }
    let is_gone = size >= 0 || std::io::Error::last_os_error().raw_os_error() == Some(libc::EFAULT);
    is_gone.then_some(None)
}
