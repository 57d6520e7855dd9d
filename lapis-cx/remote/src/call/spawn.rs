//! Starts the process of a private worker.

use std::ffi::{CStr, CString, OsStr, OsString, c_void};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

/// The stack size in bytes of a child until it executes the worker. The child only makes system calls.
const STACK: usize = 32 << 10;
/// The signal numbers on Linux.
const SIGNALS: std::ops::RangeInclusive<libc::c_int> = 1..=64;

/// The data that a child needs. The parent prepares it, because a child may not allocate.
struct Worker<'a> {
    path: &'a CStr,
    arguments: *const *const libc::c_char,
    environment: *const *const libc::c_char,
    socket: libc::c_int,
    /// The pipe to which a child writes the `errno` of a failure. It closes when the worker is executed.
    failure: libc::c_int,
    stack: *mut c_void,
}

/// Starts the program `file` with `socket` as its standard input. `arguments` does not include the program's name.
///
/// The worker is not a child of this process, so a program that waits for its children does not see the worker and gets no signal when it ends. An
/// intermediate child starts the worker and ends at once. It shares the memory of this thread, which is suspended meanwhile (as with `vfork`), so
/// page tables are not copied even if the program is large.
///
/// # Errors
///
/// The system has no memory, files or processes left, or cannot execute the file.
pub(super) fn spawn(
    file: &Path,
    arguments: &[OsString],
    environment: impl Iterator<Item = (OsString, OsString)>,
    socket: OwnedFd,
) -> io::Result<()> {
    let text = |text: &OsStr| CString::new(text.as_bytes()).map_err(io::Error::from);
    let path = text(file.as_os_str())?;
    let arguments: Vec<CString> = arguments.iter().map(|one| text(one)).collect::<io::Result<_>>()?;
    let variable = |(mut name, value): (OsString, OsString)| {
        name.push("=");
        name.push(value);
        text(&name)
    };
    let environment: Vec<CString> = environment.map(variable).collect::<io::Result<_>>()?;
    let pointers = |texts: &[CString]| texts.iter().map(|one| one.as_ptr()).chain([ptr::null()]).collect::<Vec<_>>();
    let words: Vec<_> = [path.as_ptr()].into_iter().chain(pointers(&arguments)).collect();
    let variables = pointers(&environment);
    let mut ends = [0; 2];
    // SAFETY: `pipe2` writes two descriptors, and the array has two elements.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel created both descriptors above, and no other code owns them.
    let [read, write] = ends.map(|end| unsafe { OwnedFd::from_raw_fd(end) });
    let (mut outer, mut inner) = (vec![0u128; STACK / 16], vec![0u128; STACK / 16]);
    let worker = Worker {
        path: &path,
        arguments: words.as_ptr(),
        environment: variables.as_ptr(),
        socket: socket.as_raw_fd(),
        failure: write.as_raw_fd(),
        stack: inner.as_mut_ptr_range().end.cast(),
    };
    // SAFETY: `start_and_end` gets a `Worker` that lives until this call returns, and a separate stack. It never returns.
    let child = unsafe {
        let stack = outer.as_mut_ptr_range().end.cast();
        libc::clone(start_and_end, stack, libc::CLONE_VM | libc::CLONE_VFORK, (&raw const worker).cast_mut().cast())
    };
    if child < 0 {
        return Err(io::Error::last_os_error());
    }
    drop(write);
    // SAFETY: a null status pointer is allowed. `__WALL` is required because the child sends no signal when it ends.
    while unsafe { libc::waitpid(child, ptr::null_mut(), libc::__WALL) } < 0 && is_interrupted() {}
    let mut code = [0u8; 4];
    let size = loop {
        // SAFETY: `code` is a local buffer of `code.len()` bytes.
        let size = unsafe { libc::read(read.as_raw_fd(), code.as_mut_ptr().cast(), code.len()) };
        if size >= 0 || !is_interrupted() {
            break size;
        }
    };
    // The pipe closes without data if the worker was executed.
    if size == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(i32::from_ne_bytes(code))) }
}

fn is_interrupted() -> bool {
    io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
}

/// Starts the process that becomes the worker, and ends. Runs in the intermediate child. `argument` is a [`Worker`].
extern "C" fn start_and_end(argument: *mut c_void) -> libc::c_int {
    // SAFETY: `spawn` passes a `Worker` that lives until this process and its child have ended or executed the worker. The block only makes
    // system calls.
    unsafe {
        let worker = &*argument.cast::<Worker<'_>>();
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        if libc::clone(become_worker, worker.stack, flags, argument) < 0 {
            report(worker.failure);
        }
        libc::_exit(0)
    }
}

/// Becomes the worker, or reports the failure. `argument` is a [`Worker`].
extern "C" fn become_worker(argument: *mut c_void) -> libc::c_int {
    // SAFETY: same guarantee as in `start_and_end`. This process shares the memory of its parent but not its file table.
    unsafe {
        let worker = &*argument.cast::<Worker<'_>>();
        libc::setsid();
        // The pipe is moved above the standard files, and the socket becomes standard input.
        let failure = libc::fcntl(worker.failure, libc::F_DUPFD_CLOEXEC, 3);
        let is_ready = failure >= 0 && libc::dup2(worker.socket, 0) == 0 && libc::fcntl(0, libc::F_SETFD, 0) == 0;
        if is_ready {
            close_other_files(failure);
            reset_signals();
            libc::execve(worker.path.as_ptr(), worker.arguments, worker.environment);
        }
        report(if failure < 0 { worker.failure } else { failure });
        libc::_exit(127)
    }
}

/// Closes all files except standard input, output, error and `kept`. Readers of the program's pipes would see no end while the worker keeps the
/// pipes open.
///
/// # Safety
///
/// This process must not share its file table.
unsafe fn close_other_files(kept: libc::c_int) {
    for (first, last) in [(3, kept as u32 - 1), (kept as u32 + 1, u32::MAX)] {
        // SAFETY: both system calls take numbers only, and the caller guarantees a separate file table.
        unsafe {
            if first <= last && libc::syscall(libc::SYS_close_range, first, last, 0) != 0 {
                for file in first..last.min(4096) {
                    libc::close(file as libc::c_int);
                }
            }
        }
    }
}

/// Resets handled signals to their default action and unblocks all signals. A handler of the program must not run in this process, which
/// shares its memory.
///
/// # Safety
///
/// This process must not share its signal handlers.
unsafe fn reset_signals() {
    // SAFETY: each call gets pointers to initialised locals of the expected type.
    unsafe {
        let mut default: libc::sigaction = std::mem::zeroed();
        default.sa_sigaction = libc::SIG_DFL;
        for signal in SIGNALS {
            let mut known: libc::sigaction = std::mem::zeroed();
            let is_known = libc::sigaction(signal, ptr::null(), &raw mut known) == 0;
            if is_known && !matches!(known.sa_sigaction, libc::SIG_DFL | libc::SIG_IGN) {
                libc::sigaction(signal, &raw const default, ptr::null_mut());
            }
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut());
    }
}

/// Writes `errno` to the pipe.
///
/// # Safety
///
/// `pipe` must be an open file of this process.
unsafe fn report(pipe: libc::c_int) {
    // SAFETY: `errno` belongs to the thread whose memory this process shares; `code` is a local buffer of 4 bytes.
    unsafe {
        let code = (*libc::__errno_location()).to_ne_bytes();
        libc::write(pipe, code.as_ptr().cast(), code.len());
    }
}
