//! Encodes large buffers of replies as runs of pages. Pages that the library did not use are not sent.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;

use super::access::bytes;
use super::frame::MemoryKind;
use super::marshaller::Marshaller;
use super::side::{CallError, CallResult};
use crate::field_kind::{FieldKind, next_field};
use crate::memory::page_size;
use crate::{Reader, Writer};

/// The size in bytes from which a buffer is sent as runs. Memory of this size is mapped for each call, so unused pages are zero.
pub(crate) const LEAST: usize = super::memory::MOST_SPARE + 1;
/// Bits of an entry of `/proc/self/pagemap`: the page is present, or swapped out.
const IN_USE: u64 = 1 << 63 | 1 << 62;
/// The number of entries that are read at a time.
const ENTRIES: usize = 8192;

/// Returns the runs of bytes in the pages in use of `size` bytes at `here`, as offsets. Returns all bytes if the kernel does not report
/// which pages are in use.
fn runs_in_use(here: usize, size: usize) -> Vec<Range<usize>> {
    runs_of_pages(here, size).unwrap_or_else(|| whole(size))
}

fn whole(size: usize) -> Vec<Range<usize>> {
    std::iter::once(0..size).collect()
}

fn runs_of_pages(here: usize, size: usize) -> Option<Vec<Range<usize>>> {
    let page = page_size();
    let map = File::open("/proc/self/pagemap").ok()?;
    let (first, end) = (here / page, here.checked_add(size)?.div_ceil(page));
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut entries = vec![0; 8 * ENTRIES];
    for start in (first..end).step_by(ENTRIES) {
        let entries = entries.get_mut(..8 * ENTRIES.min(end - start))?;
        map.read_exact_at(entries, 8 * start as u64).ok()?;
        for (n, entry) in (start..).zip(entries.as_chunks::<8>().0) {
            if u64::from_ne_bytes(*entry) & IN_USE == 0 {
                continue;
            }
            let (from, to) = ((n * page).saturating_sub(here), ((n + 1) * page - here).min(size));
            match runs.last_mut().filter(|last| last.end == from) {
                Some(last) => last.end = to,
                None => runs.push(from..to),
            }
        }
    }
    Some(runs)
}

impl Marshaller<'_> {
    /// Encodes `size` bytes at `here`, at least [`LEAST`].
    ///
    /// # Safety
    ///
    /// The bytes must be readable.
    pub(super) unsafe fn encode_runs(&self, here: usize, size: usize, to: &mut Writer<'_>) {
        // Only memory that was mapped for this call is known to be zero where it was not used.
        let runs = if self.arena.maps(here) { runs_in_use(here, size) } else { whole(size) };
        next_field(FieldKind::Length);
        to.put_u64(runs.len() as u64);
        for run in runs {
            next_field(FieldKind::Offset);
            to.put_u64(run.start as u64);
            next_field(FieldKind::Length);
            to.put_u64(run.len() as u64);
            // SAFETY: the run is within the bytes.
            to.put(unsafe { bytes(here + run.start, run.len()) });
        }
    }

    /// Decodes what [`encode_runs`](Self::encode_runs) encoded. Bytes outside of all runs keep their values.
    ///
    /// # Errors
    ///
    /// Fails if the channel fails, or if a run is empty, out of order or not in the buffer.
    ///
    /// # Safety
    ///
    /// The bytes must be writable.
    pub(super) unsafe fn decode_runs(
        &mut self,
        (here, size): (usize, usize),
        kind: MemoryKind,
        name: u32,
        from: &mut Reader<'_>,
    ) -> CallResult<()> {
        let mut end = 0;
        for _ in 0..from.get_u64()? {
            let (start, length) = (from.get_u64()?, from.get_u64()?);
            let is_next = length != 0 && start >= end;
            let misplaced =
                CallError::TooLarge("a run of bytes is out of order or ends beyond", name, start, size as u64);
            end = start.checked_add(length).filter(|end| is_next && *end <= size as u64).ok_or(misplaced)?;
            // SAFETY: the run is within the bytes.
            unsafe { self.decode_bytes(here + start as usize, length as usize, kind, from)? };
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::access::bytes_mut;
    use super::super::memory::Allocation;
    use super::*;

    #[test]
    fn runs_contain_the_pages_in_use() {
        let (page, size) = (page_size(), 1 << 24);
        let Some(memory) = Allocation::aligned(size, page) else { panic!("no memory") };
        let here = memory.address();
        for at in [0, 5 * page - 1, 5 * page, size - 1] {
            // SAFETY: the byte is in the allocation.
            unsafe { bytes_mut(here + at, 1) }.fill(1);
        }
        // Pages may be larger than the smallest ones, so a run may contain more.
        let all = runs_in_use(here, size);
        for at in [0, 5 * page - 1, 5 * page, size - 1] {
            assert!(all.iter().any(|run| run.contains(&at)), "{at}: {all:?}");
        }
        assert!(all.is_sorted_by(|one, next| one.end < next.start), "{all:?}");
        // A buffer may begin in the middle of a page.
        let part = runs_in_use(here + 100, 5 * page - 100);
        assert_eq!(part.first().map(|run| run.start), Some(0), "{part:?}");
        assert_eq!(part.last().map(|run| run.end), Some(5 * page - 100), "{part:?}");
    }
}
