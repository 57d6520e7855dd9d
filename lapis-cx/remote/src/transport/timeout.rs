//! How long the other side is waited for while it owes the rest of something.

use std::time::Duration;

#[cfg(not(all(loom, test)))]
use {crate::transport::Error, std::time::Instant};

/// For so many bytes that come it may be waited as long again.
const STEP: u64 = 1 << 20;

/// All that one record, or one message, is waited for.
///
/// A limit of each wait cuts off who is silent, but not who sends a byte now and then: that ends each wait, and never the record. A
/// limit of the whole alone cuts off who sends much, and does so steadily. So it is one of the whole, which grows with what came.
/// Only waiting counts: what this side does meanwhile is not the other one's fault.
#[derive(Default)]
pub(crate) struct Timeout {
    most: Option<Duration>,
    /// Where what is waited for begins.
    record: Option<u64>,
    spent: Duration,
    moved: u64,
}

impl Timeout {
    /// For ever, if it is not said.
    pub fn new(most: Option<Duration>) -> Timeout {
        Timeout { most, ..Timeout::default() }
    }

    /// Something else is waited for, of which nothing is known.
    pub fn restart(&mut self) {
        *self = Timeout::new(self.most);
    }

    /// The record that begins at this place is waited for: another one, or still the same.
    pub fn begin(&mut self, record: u64) {
        if self.record != Some(record) {
            *self = Timeout { record: Some(record), ..Timeout::new(self.most) };
        }
    }

    /// So many bytes of it came, or went.
    pub fn moved(&mut self, bytes: usize) {
        self.moved = self.moved.saturating_add(bytes as u64);
    }

    /// It was waited so long.
    pub fn spend(&mut self, time: Duration) {
        self.spent = self.spent.saturating_add(time);
    }

    /// How long it may be waited yet.
    pub fn left(&self) -> Option<Duration> {
        let times = u32::try_from(self.moved / STEP).unwrap_or(u32::MAX).saturating_add(1);
        self.most.map(|most| most.saturating_mul(times).saturating_sub(self.spent))
    }

    /// Waits for one of these files. It may return for no reason: who shares a socket may take what has come.
    ///
    /// The time is this call's own. One that is set in a socket can be changed by whoever else has that.
    #[cfg(not(all(loom, test)))]
    pub fn poll(&mut self, watched: &mut [libc::pollfd]) -> Result<(), Error> {
        let milliseconds = match self.left() {
            None => -1,
            Some(Duration::ZERO) => return Err(Error::Silent),
            Some(left) => i32::try_from(left.as_millis()).unwrap_or(i32::MAX).saturating_add(1),
        };
        let began = Instant::now();
        // SAFETY: the files are in place while they are borrowed.
        let code = unsafe { libc::poll(watched.as_mut_ptr(), watched.len() as libc::nfds_t, milliseconds) };
        let why = Error::last();
        self.spend(began.elapsed());
        if code < 0 && why != Error::System(libc::EINTR) { Err(why) } else { Ok(()) }
    }
}

/// What is watched of a file.
#[cfg(not(all(loom, test)))]
pub(crate) fn watch(file: libc::c_int, events: libc::c_short) -> libc::pollfd {
    libc::pollfd { fd: file, events, revents: 0 }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn time_is_counted_and_bytes_give_more() {
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

    /// 1 GiB that comes at 20 KiB in a second takes more than 14 hours. At 10 KiB it is too slow.
    #[test]
    fn who_sends_much_steadily_may_take_its_time() {
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
    fn for_ever_is_for_ever_and_nothing_overflows() {
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
