//! Descriptors received from the other process and passed to foreign code: to the library, or to the program in a callback. Foreign code
//! may close them, as it would natively; the engine closes those that are still open.
//!
//! To detect that, the engine checks whether the number still refers to the same open file. The kernel reuses numbers, so the engine records each
//! number that it passes on, and removes the record when it receives another file under that number.

use std::collections::BTreeMap;
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::transport::locks::{Mutex, MutexGuard, guard};

/// The numbers that a process passed on. The child of a fork starts with a new table, because a thread that only exists in the parent may hold the
/// lock of the old table.
struct ProcessTable {
    process: u32,
    numbers: Mutex<Numbers>,
}

static TABLE: AtomicPtr<ProcessTable> = AtomicPtr::new(std::ptr::null_mut());

/// The passed numbers, each with a generation that distinguishes reuses.
struct Numbers {
    by_number: BTreeMap<RawFd, u64>,
    last: u64,
}

fn numbers() -> MutexGuard<'static, Numbers> {
    let process = std::process::id();
    let mut known = TABLE.load(Ordering::Acquire);
    loop {
        // SAFETY: the pointer is null or refers to a table that is never freed.
        if let Some(one) = unsafe { known.as_ref() }.filter(|one| one.process == process) {
            return guard(&one.numbers);
        }
        let numbers = Mutex::new(Numbers { by_number: BTreeMap::new(), last: 0 });
        let new = Box::into_raw(Box::new(ProcessTable { process, numbers }));
        match TABLE.compare_exchange(known, new, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => known = new,
            Err(other) => {
                // SAFETY: the exchange failed, so this thread still owns the new table.
                drop(unsafe { Box::from_raw(new) });
                known = other;
            }
        }
    }
}

/// Runs `receive`, which receives a message that may carry a file, under the lock of the table. `receive` must not block.
///
/// # Errors
///
/// Returns the errors of `receive`.
pub(crate) fn receive<T>(
    receive: impl FnOnce() -> io::Result<(T, Option<OwnedFd>)>,
) -> io::Result<(T, Option<OwnedFd>)> {
    // The lock keeps other threads from comparing a number between its reception and the removal of its old record.
    let mut numbers = numbers();
    let received = receive()?;
    if let Some(file) = &received.1 {
        numbers.by_number.remove(&file.as_raw_fd());
    }
    Ok(received)
}

/// Returns the device and inode numbers of a file. Separate opens of the same file have the same identity.
pub(crate) fn identity(file: RawFd) -> Option<(u64, u64)> {
    // SAFETY: `stat` consists of integers, for which zero is valid.
    let mut about: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: `about` is a local of the right type.
    if unsafe { libc::fstat(file, &raw mut about) } != 0 { None } else { Some((about.st_dev, about.st_ino)) }
}

/// Takes the descriptor that a system call returned.
///
/// # Errors
///
/// The system call failed.
pub(crate) fn owned_fd(file: RawFd) -> io::Result<OwnedFd> {
    if file < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the system call returned this descriptor, and nothing else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(file) })
}

/// Moves a descriptor above the numbers of the standard streams. A program that closed a standard stream may use or open its number.
pub(crate) fn above_stdio(file: OwnedFd) -> io::Result<OwnedFd> {
    if file.as_raw_fd() > libc::STDERR_FILENO {
        return Ok(file);
    }
    // SAFETY: F_DUPFD_CLOEXEC takes no pointers.
    owned_fd(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_DUPFD_CLOEXEC, libc::STDERR_FILENO + 1) })
}

/// A descriptor of the engine. Foreign code may close all descriptors of the process, and open other files under their numbers. The engine neither uses
/// nor closes those.
#[derive(Debug)]
pub(crate) struct EngineFile {
    file: ManuallyDrop<OwnedFd>,
    identity: Option<(u64, u64)>,
}

impl EngineFile {
    pub fn new(file: OwnedFd) -> EngineFile {
        EngineFile { identity: identity(file.as_raw_fd()), file: ManuallyDrop::new(file) }
    }

    /// Returns the descriptor.
    ///
    /// # Errors
    ///
    /// Fails with `EBADF` if foreign code has closed the descriptor.
    pub fn get(&self) -> io::Result<BorrowedFd<'_>> {
        let is_open = self.identity.is_some() && self.identity == identity(self.file.as_raw_fd());
        if is_open { Ok(self.file.as_fd()) } else { Err(io::Error::from_raw_os_error(libc::EBADF)) }
    }
}

impl AsRawFd for EngineFile {
    fn as_raw_fd(&self) -> RawFd {
        self.file.as_raw_fd()
    }
}

impl Drop for EngineFile {
    fn drop(&mut self) {
        if self.get().is_ok() {
            // SAFETY: the descriptor is not used any more.
            unsafe { ManuallyDrop::drop(&mut self.file) };
        }
    }
}

/// A descriptor that foreign code may close.
#[derive(Debug)]
pub(crate) struct GivenFile {
    number: RawFd,
    generation: u64,
    /// A duplicate of the descriptor, for comparison.
    same: OwnedFd,
    /// The descriptor, if foreign code did not close it.
    still_open: Option<OwnedFd>,
    is_over: bool,
    /// The process that passed the descriptor on. The child of a fork has a separate copy of the descriptor.
    process: u32,
}

impl GivenFile {
    /// Passes a descriptor on to foreign code.
    ///
    /// # Errors
    ///
    /// The process has no free descriptors.
    pub fn new(file: OwnedFd) -> io::Result<GivenFile> {
        let mut numbers = numbers();
        let same = file.try_clone()?;
        // If a record of this number exists, foreign code has closed that descriptor.
        numbers.by_number.remove(&same.as_raw_fd());
        numbers.last += 1;
        let (number, generation) = (file.into_raw_fd(), numbers.last);
        numbers.by_number.insert(number, generation);
        Ok(GivenFile { number, generation, same, still_open: None, is_over: false, process: std::process::id() })
    }

    /// Returns the descriptor number that foreign code uses.
    pub fn number(&self) -> RawFd {
        self.number
    }

    /// Takes the descriptor back and returns whether foreign code closed it. If it did not, the descriptor is closed when this is dropped,
    /// which may block.
    pub fn end(&mut self) -> bool {
        if std::mem::replace(&mut self.is_over, true) || self.process != std::process::id() {
            return true;
        }
        let is_current = |numbers: &Numbers| numbers.by_number.get(&self.number) == Some(&self.generation);
        if !is_current(&numbers()) {
            return true;
        }
        // The comparison may query the file's file system, which the other process may serve. So it runs without the lock.
        let is_closed = !is_same(self.number, self.same.as_raw_fd());
        let mut numbers = numbers();
        if !is_current(&numbers) {
            // The number was closed and reused meanwhile; the comparison may have seen the new file.
            return true;
        }
        numbers.by_number.remove(&self.number);
        drop(numbers);
        if !is_closed {
            // SAFETY: the number still refers to the passed file, so foreign code did not close it; the record is removed, so this is its
            // only owner.
            self.still_open = Some(unsafe { OwnedFd::from_raw_fd(self.number) });
        }
        is_closed
    }
}

impl Drop for GivenFile {
    fn drop(&mut self) {
        self.end();
    }
}

/// Returns whether two numbers refer to the same open file description. A file that was opened twice has two descriptions.
fn is_same(one: RawFd, other: RawFd) -> bool {
    const KCMP_FILE: libc::c_long = 0;
    // SAFETY: `kcmp` takes no pointers.
    let order = unsafe {
        let process = libc::c_long::from(libc::getpid());
        libc::syscall(libc::SYS_kcmp, process, process, KCMP_FILE, libc::c_long::from(one), libc::c_long::from(other))
    };
    let why = io::Error::last_os_error().raw_os_error();
    if order >= 0 || why == Some(libc::EBADF) {
        return order == 0;
    }
    // The process may not use `kcmp`, so compare the identity and the flags of both.
    // SAFETY: F_GETFL takes no pointers.
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
    fn descriptor_still_open_is_reported_open() {
        let mut given = GivenFile::new(File::open("/").unwrap().into()).unwrap();
        let number = given.number();
        assert!(is_open(number));
        assert!(!given.end());
    }

    /// Other tests reuse numbers at once, so this test checks that only its own descriptor is closed.
    #[test]
    fn descriptor_closed_by_foreign_code_is_not_closed_again() {
        for _ in 0..100 {
            let file: OwnedFd = File::open("/").unwrap().into();
            let mut given = GivenFile::new(file).unwrap();
            // SAFETY: this test plays the foreign code, which owns the number.
            drop(unsafe { OwnedFd::from_raw_fd(given.number()) });
            let opened_again = File::open("/").unwrap();
            assert!(given.end());
            assert!(is_open(opened_again.as_raw_fd()));
        }
    }

    #[test]
    fn descriptor_number_received_again_is_another_file() {
        for _ in 0..100 {
            let mut given = GivenFile::new(File::open("/").unwrap().into()).unwrap();
            let same = given.same.try_clone().unwrap();
            // SAFETY: this test plays the foreign code, which owns the number.
            drop(unsafe { OwnedFd::from_raw_fd(given.number()) });
            // The same open file, possibly under the same number.
            let (_, received) = receive(|| Ok(((), Some(same.try_clone()?)))).unwrap();
            assert!(given.end());
            assert!(is_open(received.unwrap().as_raw_fd()));
        }
    }
}
