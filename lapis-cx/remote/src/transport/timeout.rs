//! The timeout for the rest of a record or message that the peer has begun.

use std::time::Duration;

#[cfg(not(all(loom, test)))]
use {crate::transport::Error, std::time::Instant};

/// The number of transferred bytes that extends the timeout by its value.
const STEP: u64 = 1 << 20;

/// The time spent waiting for one record or message, and its limit.
///
/// A limit for each wait would stop a silent peer, but not one that sends a byte before each wait ends. A fixed limit for the whole record
/// would stop a peer that steadily sends a large record. So the limit applies to the whole record and grows with the bytes transferred.
/// Only waiting counts, not the work of this side.
#[derive(Default)]
pub(crate) struct Timeout {
    most: Option<Duration>,
    /// The position at which the record begins.
    record: Option<u64>,
    spent: Duration,
    moved: u64,
}

impl Timeout {
    /// Creates a timeout with the limit `most`. `None` means no timeout.
    pub fn new(most: Option<Duration>) -> Timeout {
        Timeout { most, ..Timeout::default() }
    }

    /// Resets the timeout for another record at an unknown position.
    pub fn restart(&mut self) {
        *self = Timeout::new(self.most);
    }

    /// Resets the timeout, unless it already applies to the record at this position.
    pub fn begin(&mut self, record: u64) {
        if self.record != Some(record) {
            *self = Timeout { record: Some(record), ..Timeout::new(self.most) };
        }
    }

    /// Adds to the transferred bytes.
    pub fn moved(&mut self, bytes: usize) {
        self.moved = self.moved.saturating_add(bytes as u64);
    }

    /// Adds to the time spent waiting.
    pub fn spend(&mut self, time: Duration) {
        self.spent = self.spent.saturating_add(time);
    }

    /// Returns the time left, or `None` if there is no timeout.
    pub fn left(&self) -> Option<Duration> {
        let times = u32::try_from(self.moved / STEP).unwrap_or(u32::MAX).saturating_add(1);
        self.most.map(|most| most.saturating_mul(times).saturating_sub(self.spent))
    }

    /// Waits until one of the descriptors is ready. It may return early: a process that shares a socket may take the data.
    ///
    /// # Errors
    ///
    /// [`Error::Silent`] if no time is left.
    ///
    /// The timeout is passed with the call, because any process that has the socket can change the timeouts set on it.
    #[cfg(not(all(loom, test)))]
    pub fn poll(&mut self, watched: &mut [libc::pollfd]) -> Result<(), Error> {
        let milliseconds = match self.left() {
            None => -1,
            Some(Duration::ZERO) => return Err(Error::Silent),
            Some(left) => i32::try_from(left.as_millis()).unwrap_or(i32::MAX).saturating_add(1),
        };
        let began = Instant::now();
        // SAFETY: `watched` is borrowed during the call, which gets its length.
        let code = unsafe { libc::poll(watched.as_mut_ptr(), watched.len() as libc::nfds_t, milliseconds) };
        let why = Error::last();
        self.spend(began.elapsed());
        if code < 0 && why != Error::System(libc::EINTR) { Err(why) } else { Ok(()) }
    }
}

/// Makes an entry for [`poll`](Timeout::poll).
#[cfg(not(all(loom, test)))]
pub(crate) fn watch(file: libc::c_int, events: libc::c_short) -> libc::pollfd {
    libc::pollfd { fd: file, events, revents: 0 }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn timeout_counts_waits_and_grows_with_bytes() {
        let mut timeout = Timeout::new(Some(60 * SECOND));
        timeout.begin(8);
        timeout.spend(50 * SECOND);
        timeout.begin(8);
        assert_eq!(timeout.left(), Some(10 * SECOND));
        timeout.moved(STEP as usize - 1);
        timeout.spend(20 * SECOND);
        assert_eq!(timeout.left(), Some(Duration::ZERO));
        timeout.moved(1);
        assert_eq!(timeout.left(), Some(50 * SECOND));
        timeout.begin(16);
        assert_eq!(timeout.left(), Some(60 * SECOND));
    }

    /// 1 GiB at 20 KiB per second takes more than 14 hours and is accepted. 10 KiB per second is too slow.
    #[test]
    fn timeout_steady_transfer_of_1_gib_is_within_limit() {
        let last = |each_second: usize| {
            let mut timeout = Timeout::new(Some(60 * SECOND));
            (0..1 << 30).step_by(each_second).find(|_| {
                timeout.moved(each_second);
                timeout.spend(SECOND);
                timeout.left() == Some(Duration::ZERO)
            })
        };
        assert_eq!(last(20 << 10), None);
        assert!(last(10 << 10).is_some_and(|at| at < 2 << 20));
    }

    #[test]
    fn timeout_none_never_ends_and_sums_saturate() {
        let mut timeout = Timeout::new(None);
        timeout.spend(Duration::MAX);
        assert_eq!(timeout.left(), None);
        let mut timeout = Timeout::new(Some(Duration::MAX));
        timeout.moved(usize::MAX);
        timeout.moved(usize::MAX);
        timeout.spend(SECOND);
        timeout.spend(Duration::MAX);
        assert_eq!(timeout.left(), Some(Duration::ZERO));
    }
}
