//! Files of the other process that code which is not the engine's has here: a library, or a program in a callback. It may close them, as
//! it would natively; the engine closes those that it did not.
//!
//! Which of both happened is found by looking: does the number still mean that file? Numbers are used again, so each one that is
//! given is noted, and it is noted too when the kernel gives it out anew, for another file that came.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::transport::locks::{Mutex, MutexGuard};

/// What a process has given. The child of a fork begins anew: a thread that it does not have may hold the lock of its parent.
struct OfProcess {
    process: u32,
    given: Mutex<Given>,
}

static GIVEN: AtomicPtr<OfProcess> = AtomicPtr::new(std::ptr::null_mut());

/// Numbers that are given, and which gift it was.
struct Given {
    by_number: BTreeMap<RawFd, u64>,
    last: u64,
}

fn given() -> MutexGuard<'static, Given> {
    let process = std::process::id();
    let mut known = GIVEN.load(Ordering::Acquire);
    loop {
        // SAFETY: null, or one that is never freed.
        if let Some(one) = unsafe { known.as_ref() }.filter(|one| one.process == process) {
            return one.given.lock().unwrap_or_else(PoisonError::into_inner);
        }
        let given = Mutex::new(Given { by_number: BTreeMap::new(), last: 0 });
        let new = Box::into_raw(Box::new(OfProcess { process, given }));
        match GIVEN.compare_exchange(known, new, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => known = new,
            Err(other) => {
                // SAFETY: nobody else has it.
                drop(unsafe { Box::from_raw(new) });
                known = other;
            }
        }
    }
}

/// Receives a file that somebody sent. Nothing may wait in `receive`.
///
/// # Errors
///
/// Those of `receive`.
pub(crate) fn receive<T>(
    receive: impl FnOnce() -> io::Result<(T, Option<OwnedFd>)>,
) -> io::Result<(T, Option<OwnedFd>)> {
    // Until it is noted nobody else looks whether the number means what it meant before.
    let mut given = given();
    let received = receive()?;
    if let Some(file) = &received.1 {
        given.by_number.remove(&file.as_raw_fd());
    }
    Ok(received)
}

/// What a file is: device and number there. Two that were opened apart may be the same.
pub(crate) fn identity(file: RawFd) -> Option<(u64, u64)> {
    // SAFETY: numbers only.
    let mut about: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: there is a place for what is known.
    if unsafe { libc::fstat(file, &raw mut about) } != 0 { None } else { Some((about.st_dev, about.st_ino)) }
}

/// A file that code which is not ours may close.
#[derive(Debug)]
pub(crate) struct GivenFile {
    number: RawFd,
    gift: u64,
    /// The same open file, to compare with.
    same: OwnedFd,
    /// What it left open.
    left: Option<OwnedFd>,
    is_over: bool,
    /// Whose it is: the child of a fork has one of its own.
    process: u32,
}

impl GivenFile {
    /// Gives it away.
    ///
    /// # Errors
    ///
    /// The process has no more files.
    pub fn new(file: OwnedFd) -> io::Result<GivenFile> {
        let mut given = given();
        let same = file.try_clone()?;
        // What had that number closed it.
        given.by_number.remove(&same.as_raw_fd());
        given.last += 1;
        let (number, gift) = (file.into_raw_fd(), given.last);
        given.by_number.insert(number, gift);
        Ok(GivenFile { number, gift, same, left: None, is_over: false, process: std::process::id() })
    }

    /// The number by which that code knows it.
    pub fn number(&self) -> RawFd {
        self.number
    }

    /// The gift is over: whether that code closed it. What it left open is closed when this is dropped, which may take its time.
    pub fn end(&mut self) -> bool {
        if std::mem::replace(&mut self.is_over, true) || self.process != std::process::id() {
            return true;
        }
        let is_mine = |given: &Given| given.by_number.get(&self.number) == Some(&self.gift);
        if !is_mine(&given()) {
            return true;
        }
        // It may ask the file's own system, which is the other process perhaps: nobody waits for that.
        let is_closed = !is_same(self.number, self.same.as_raw_fd());
        let mut given = given();
        if !is_mine(&given) {
            // The number was closed, and given out anew: for the same file, if that is what was seen.
            return true;
        }
        given.by_number.remove(&self.number);
        drop(given);
        if !is_closed {
            // SAFETY: it means the file that was given, and so nobody closed it. From now on nobody has it.
            self.left = Some(unsafe { OwnedFd::from_raw_fd(self.number) });
        }
        is_closed
    }
}

impl Drop for GivenFile {
    fn drop(&mut self) {
        self.end();
    }
}

/// Whether two numbers mean one open file: one that was opened again is another, also of the same name.
fn is_same(one: RawFd, other: RawFd) -> bool {
    const KCMP_FILE: libc::c_long = 0;
    // SAFETY: without pointers.
    let order = unsafe {
        let process = libc::c_long::from(libc::getpid());
        libc::syscall(libc::SYS_kcmp, process, process, KCMP_FILE, libc::c_long::from(one), libc::c_long::from(other))
    };
    let why = io::Error::last_os_error().raw_os_error();
    if order >= 0 || why == Some(libc::EBADF) {
        return order == 0;
    }
    // Who must not ask that sees what both say of themselves.
    // SAFETY: without pointers.
    let flags = |file| unsafe { libc::fcntl(file, libc::F_GETFL) };
    identity(one).is_some_and(|one| Some(one) == identity(other)) && flags(one) == flags(other)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::fs::File;

    fn is_open(number: RawFd) -> bool {
        identity(number).is_some()
    }

    #[test]
    fn what_is_still_open_is_closed() {
        let mut given = GivenFile::new(File::open("/").unwrap().into()).unwrap();
        let number = given.number();
        assert!(is_open(number));
        assert!(!given.end());
    }

    /// Numbers are used again at once, also by other tests: what is closed here is its own only.
    #[test]
    fn what_was_closed_is_not_closed_again() {
        for _ in 0..100 {
            let file: OwnedFd = File::open("/").unwrap().into();
            let mut given = GivenFile::new(file).unwrap();
            // SAFETY: it was given to this test.
            drop(unsafe { OwnedFd::from_raw_fd(given.number()) });
            let opened_again = File::open("/").unwrap();
            assert!(given.end());
            assert!(is_open(opened_again.as_raw_fd()));
        }
    }

    #[test]
    fn a_number_that_came_again_is_another_file() {
        for _ in 0..100 {
            let mut given = GivenFile::new(File::open("/").unwrap().into()).unwrap();
            let same = given.same.try_clone().unwrap();
            // SAFETY: it was given to this test.
            drop(unsafe { OwnedFd::from_raw_fd(given.number()) });
            // The same open file, perhaps by the same number.
            let (_, came) = receive(|| Ok(((), Some(same.try_clone()?)))).unwrap();
            assert!(given.end());
            assert!(is_open(came.unwrap().as_raw_fd()));
        }
    }
}
