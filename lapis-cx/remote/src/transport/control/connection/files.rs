//! Files that accompany records. The control socket carries the file, and the record contains its number. Each direction numbers its files, so a
//! number identifies a file across threads.

use std::collections::HashMap;
use std::os::fd::{BorrowedFd, OwnedFd};

use super::{Connection, FILE, WITHDRAW, message};
use crate::transport::Error;
use crate::transport::locks::guard;
use crate::transport::timeout::Timeout;

impl Connection {
    /// Sends a duplicate of a file and returns the number by which a record names it.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if the file cannot be sent, with `EOPNOTSUPP` if the carrier passes no files; [`Error::Died`], [`Error::Stopped`] or
    /// [`Error::Protocol`] after the connection ended.
    pub(crate) fn send_file(&self, file: BorrowedFd<'_>) -> Result<u32, Error> {
        if !self.capabilities().passes_files {
            return Err(Error::System(libc::EOPNOTSUPP));
        }
        // The lock keeps the numbers in the order of the messages.
        let mut next = guard(&self.shared.next_file);
        self.shared
            .link
            .send(&message(FILE, *next), Some(file))
            .map_err(|why| self.shared.state().ended.unwrap_or(Error::System(why.raw_os_error().unwrap_or(0))))?;
        let number = *next;
        *next = next.wrapping_add(1);
        Ok(number)
    }

    /// Withdraws a file that was sent but that no record will name.
    pub(crate) fn take_file_back(&self, number: u32) {
        // An error is ignored, because a peer that ended needs no message.
        let _ = self.shared.link.send(&message(WITHDRAW, number), None);
    }

    /// Returns the file that a record names, and waits if it has not arrived yet. The peer sent it before the record.
    ///
    /// # Errors
    ///
    /// [`Error::System`] with `EMFILE` if the file was dropped for lack of descriptors, withdrawn or already taken; [`Error::Silent`] after
    /// the timeout; [`Error::Died`], [`Error::Stopped`] or [`Error::Protocol`] after the connection ended.
    pub(crate) fn take_file(&self, number: u32) -> Result<OwnedFd, Error> {
        let shared = &self.shared;
        let mut timeout = Timeout::new(shared.timeout.get().and_then(|[rest, _]| *rest));
        let mut state = shared.state();
        loop {
            match state.files.take(number) {
                Lookup::Found(file) => return Ok(file),
                Lookup::Gone => return Err(Error::System(libc::EMFILE)),
                Lookup::Pending => {}
            }
            state.ended.map_or(Ok(()), Err)?;
            state = shared.wait_within(state, &mut timeout)?;
        }
    }
}

/// The files that arrived and were not taken.
pub(super) struct Arrived {
    /// The number of the next file.
    next: u32,
    waiting: HashMap<u32, OwnedFd>,
    /// The largest number of files that may wait. Further files are closed.
    most: usize,
}

/// The result of looking a file up.
pub(super) enum Lookup {
    Found(OwnedFd),
    /// The file was taken, withdrawn or dropped.
    Gone,
    Pending,
}

impl Default for Arrived {
    fn default() -> Arrived {
        Arrived { next: 0, waiting: HashMap::new(), most: most_files() }
    }
}

impl Arrived {
    /// Adds the next file, or `None` if no descriptor was free for it. Returns `false` if `number` is not the next number.
    pub fn add(&mut self, number: u32, file: Option<OwnedFd>) -> bool {
        if number != self.next {
            return false;
        }
        self.next = self.next.wrapping_add(1);
        if self.waiting.len() < self.most {
            self.waiting.extend(file.map(|file| (number, file)));
        }
        true
    }

    /// Removes a file that no record will name.
    pub fn withdraw(&mut self, number: u32) -> Option<OwnedFd> {
        self.waiting.remove(&number)
    }

    /// Takes a file.
    pub fn take(&mut self, number: u32) -> Lookup {
        match self.waiting.remove(&number) {
            Some(file) => Lookup::Found(file),
            // Numbers wrap around.
            None if self.next.wrapping_sub(number).cast_signed() > 0 => Lookup::Gone,
            None => Lookup::Pending,
        }
    }
}

/// Returns the largest number of files that one table of a connection may keep: a quarter of the process's limit. A connection has at most
/// three tables of files, so a quarter of the limit remains for the program.
pub(crate) fn most_files() -> usize {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is a local of the right type.
    let is_known = unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) } == 0;
    let most = if is_known { limit.rlim_cur } else { 1024 };
    usize::try_from(most / 4).unwrap_or(usize::MAX).clamp(1, 1 << 16)
}

#[cfg(all(test, not(loom)))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::fs::File;
    use std::io::{Read, Seek, Write};
    use std::os::fd::AsFd;
    use std::sync::Barrier;
    use std::thread::{scope, spawn};
    use std::time::Duration;

    use super::*;
    use crate::transport::control::{Library, socket_pair};
    use crate::transport::{Geometry, Spin, Transport};

    fn connected(over: Transport) -> [Connection; 2] {
        let [one, other] = socket_pair().unwrap();
        let library = || Library { name: "files".to_owned(), contract: [7; 32] };
        let rings = Geometry { ring: 4096, channels: 4, in_place: 0 };
        let worker =
            spawn(move || Connection::worker_over(&[over], other, &library(), rings, Spin::Never, |_| Ok(())).unwrap());
        [Connection::guest_over(&[over], one, &library(), rings, Spin::Never).unwrap(), worker.join().unwrap()]
    }

    /// Creates an unnamed file that contains a number, positioned at its start.
    fn file(number: u32) -> File {
        // SAFETY: the name is a C string literal.
        let file = unsafe { libc::memfd_create(c"a file".as_ptr(), libc::MFD_CLOEXEC) };
        // SAFETY: `memfd_create` returned this descriptor, and nothing else owns it.
        let mut file = unsafe { <File as std::os::fd::FromRawFd>::from_raw_fd(file) };
        file.write_all(&number.to_le_bytes()).unwrap();
        file.rewind().unwrap();
        file
    }

    fn number_in(file: OwnedFd) -> u32 {
        let mut bytes = [0; 4];
        File::from(file).read_exact(&mut bytes).unwrap();
        u32::from_le_bytes(bytes)
    }

    #[test]
    fn files_numbers_identify_files_across_threads() {
        for over in [Transport::Shared, Transport::Socket] {
            let ends = connected(over);
            let start = Barrier::new(8);
            scope(|threads| {
                // Two threads of each side send, and two threads of the other side take.
                for (n, side) in [(0, 0), (1, 0), (2, 1), (3, 1)] {
                    let (send, take) = std::sync::mpsc::channel();
                    let (ends, start) = (&ends, &start);
                    threads.spawn(move || {
                        start.wait();
                        for i in 0..50 {
                            let sent = ends[side].send_file(file(n * 1000 + i).as_fd()).unwrap();
                            send.send((sent, n * 1000 + i)).unwrap();
                        }
                    });
                    threads.spawn(move || {
                        start.wait();
                        for (sent, number) in take {
                            assert_eq!(number_in(ends[1 - side].take_file(sent).unwrap()), number);
                        }
                    });
                }
            });
        }
    }

    #[test]
    fn files_withdrawn_or_never_sent_are_not_found() {
        let [guest, worker] = connected(Transport::Shared);
        let sent = guest.send_file(file(1).as_fd()).unwrap();
        guest.take_file_back(sent);
        // The second file arrives after the withdrawal of the first.
        let later = guest.send_file(file(2).as_fd()).unwrap();
        assert_eq!(number_in(worker.take_file(later).unwrap()), 2);
        assert_eq!(worker.take_file(sent).err(), Some(Error::System(libc::EMFILE)));
        assert_eq!(worker.take_file(later).err(), Some(Error::System(libc::EMFILE)));
        worker.set_timeout(Some(Duration::from_millis(1)), None);
        assert_eq!(worker.take_file(later + 1).err(), Some(Error::Silent));
        drop(guest);
        // The worker notices the end of the guest some time later. Until then, each attempt times out.
        while worker.take_file(later + 1).err() == Some(Error::Silent) {}
        assert_eq!(worker.take_file(later + 1).err(), Some(Error::Died));
    }

    #[test]
    fn files_taken_once_and_excess_files_are_dropped() {
        let file = || Some(file(0).into());
        let mut arrived = Arrived { next: u32::MAX, waiting: HashMap::new(), most: 2 };
        assert!(!arrived.add(0, file()) && matches!(arrived.take(u32::MAX), Lookup::Pending));
        assert!(arrived.add(u32::MAX, file()) && arrived.add(0, file()) && arrived.add(1, file()));
        assert!(matches!(arrived.take(1), Lookup::Gone) && matches!(arrived.take(2), Lookup::Pending));
        assert!(matches!(arrived.take(u32::MAX), Lookup::Found(_)) && matches!(arrived.take(u32::MAX), Lookup::Gone));
        assert!(arrived.withdraw(0).is_some() && matches!(arrived.take(0), Lookup::Gone));
        // No descriptor was free for this file.
        assert!(arrived.add(2, None) && matches!(arrived.take(2), Lookup::Gone));
    }
}
