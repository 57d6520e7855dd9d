//! Files that travel beside records: the control socket carries them, and a record says their numbers. They are counted, on each side
//! those that it sent and those that came, so each number means one file whichever thread sends or takes it.

use std::collections::HashMap;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::PoisonError;

use super::{Connection, FILE, TAKE_BACK, message};
use crate::transport::Error;
use crate::transport::timeout::Timeout;

impl Connection {
    /// Sends a file, which stays this process's: the number that a record names it by.
    ///
    /// # Errors
    ///
    /// The system does not send it; [`Error::Died`] and the like once the connection ended.
    pub(crate) fn send_file(&self, file: BorrowedFd<'_>) -> Result<u32, Error> {
        // Numbers come in the order in which files are sent.
        let mut next = self.shared.next_file.lock().unwrap_or_else(PoisonError::into_inner);
        self.shared
            .link
            .send(&message(FILE, *next), Some(file))
            .map_err(|why| self.shared.state().ended.unwrap_or(Error::System(why.raw_os_error().unwrap_or(0))))?;
        let number = *next;
        *next = next.wrapping_add(1);
        Ok(number)
    }

    /// No record will name this file that was sent.
    pub(crate) fn take_file_back(&self, number: u32) {
        // Who is gone does not need to know.
        let _ = self.shared.link.send(&message(TAKE_BACK, number), None);
    }

    /// The file that a record names: it was sent before the record, but perhaps not received yet.
    ///
    /// # Errors
    ///
    /// [`Error::System`] with `EMFILE` if it came, and there was no room for it or somebody took it; [`Error::Silent`] if it does not come;
    /// [`Error::Died`] and the like once the connection ended.
    pub(crate) fn take_file(&self, number: u32) -> Result<OwnedFd, Error> {
        let shared = &self.shared;
        let mut timeout = Timeout::new(shared.timeout.get().and_then(|[rest, _]| *rest));
        let mut state = shared.state();
        loop {
            match state.files.take(number) {
                Asked::Here(file) => return Ok(file),
                Asked::Gone => return Err(Error::System(libc::EMFILE)),
                Asked::NotYet => {}
            }
            state.ended.map_or(Ok(()), Err)?;
            state = shared.wait_within(state, &mut timeout)?;
        }
    }
}

/// What came and was not taken yet.
pub(super) struct Arrived {
    /// The number of the next one.
    next: u32,
    waiting: HashMap<u32, OwnedFd>,
    /// So many may wait: what comes when there are more is closed.
    most: usize,
}

/// What there is of a file.
pub(super) enum Asked {
    Here(OwnedFd),
    /// It came, and is no longer there; or there was no room.
    Gone,
    NotYet,
}

impl Default for Arrived {
    fn default() -> Arrived {
        Arrived { next: 0, waiting: HashMap::new(), most: most_files() }
    }
}

impl Arrived {
    /// The next one came, or would have if this process had room for more files: false if it has another number.
    pub fn came(&mut self, number: u32, file: Option<OwnedFd>) -> bool {
        if number != self.next {
            return false;
        }
        self.next = self.next.wrapping_add(1);
        if self.waiting.len() < self.most {
            self.waiting.extend(file.map(|file| (number, file)));
        }
        true
    }

    /// Nobody will ask for it.
    pub fn taken_back(&mut self, number: u32) -> Option<OwnedFd> {
        self.waiting.remove(&number)
    }

    /// Takes one.
    pub fn take(&mut self, number: u32) -> Asked {
        match self.waiting.remove(&number) {
            Some(file) => Asked::Here(file),
            // Numbers begin anew after the last.
            None if self.next.wrapping_sub(number).cast_signed() > 0 => Asked::Gone,
            None => Asked::NotYet,
        }
    }
}

/// How many files of this process one connection may have in each place where they are kept, a quarter of all: three places are in use
/// at most, so some are left for others.
pub(crate) fn most_files() -> usize {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: there is a place for both.
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
        let rings = Geometry { ring: 4096, channels: 4, room: 0 };
        let worker =
            spawn(move || Connection::worker_over(&[over], other, &library(), rings, Spin::Never, |_| Ok(())).unwrap());
        [Connection::guest_over(&[over], one, &library(), rings, Spin::Never).unwrap(), worker.join().unwrap()]
    }

    /// An unnamed file that holds a number, and its beginning.
    fn file(number: u32) -> File {
        // SAFETY: a name that ends.
        let file = unsafe { libc::memfd_create(c"a file".as_ptr(), libc::MFD_CLOEXEC) };
        // SAFETY: it was made just now.
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
    fn each_number_means_one_file_whoever_sends_and_takes_it() {
        for over in [Transport::Shared, Transport::Socket] {
            let ends = connected(over);
            let start = Barrier::new(8);
            scope(|threads| {
                // Two threads of each side send, and for each of them one of the other side takes.
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
    fn what_was_taken_back_or_never_sent_does_not_come() {
        let [guest, worker] = connected(Transport::Shared);
        let sent = guest.send_file(file(1).as_fd()).unwrap();
        guest.take_file_back(sent);
        // What comes later came after it.
        let later = guest.send_file(file(2).as_fd()).unwrap();
        assert_eq!(number_in(worker.take_file(later).unwrap()), 2);
        assert_eq!(worker.take_file(sent).err(), Some(Error::System(libc::EMFILE)));
        assert_eq!(worker.take_file(later).err(), Some(Error::System(libc::EMFILE)));
        worker.set_timeout(Some(Duration::from_millis(1)), None);
        assert_eq!(worker.take_file(later + 1).err(), Some(Error::Silent));
        drop(guest);
        assert_eq!(worker.take_file(later + 1).err(), Some(Error::Died));
    }

    #[test]
    fn each_is_taken_once_and_what_is_too_much_is_gone() {
        let file = || Some(file(0).into());
        let mut arrived = Arrived { next: u32::MAX, waiting: HashMap::new(), most: 2 };
        assert!(!arrived.came(0, file()) && matches!(arrived.take(u32::MAX), Asked::NotYet));
        assert!(arrived.came(u32::MAX, file()) && arrived.came(0, file()) && arrived.came(1, file()));
        assert!(matches!(arrived.take(1), Asked::Gone) && matches!(arrived.take(2), Asked::NotYet));
        assert!(matches!(arrived.take(u32::MAX), Asked::Here(_)) && matches!(arrived.take(u32::MAX), Asked::Gone));
        assert!(arrived.taken_back(0).is_some() && matches!(arrived.take(0), Asked::Gone));
        // Its file was dropped on the way.
        assert!(arrived.came(2, None) && matches!(arrived.take(2), Asked::Gone));
    }
}
