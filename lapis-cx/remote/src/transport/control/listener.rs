//! Listens for guests at a path.

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::Duration;

use super::link;

/// A socket that guests connect to. Only its owner may access the directory (0700) and the socket (0600).
pub struct Listener {
    socket: OwnedFd,
    path: PathBuf,
    /// The identity of the socket's file. Another process may have replaced the file.
    file: (u64, u64),
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    fs::symlink_metadata(path).map(|about| (about.dev(), about.ino()))
}

/// Locks a directory against other listeners that start there, until the result is dropped. The kernel unlocks it if the process ends.
fn lock(folder: &Path) -> io::Result<fs::File> {
    let folder = fs::File::open(folder)?;
    loop {
        // SAFETY: `flock` takes no pointers.
        if unsafe { libc::flock(folder.as_raw_fd(), libc::LOCK_EX) } == 0 {
            return Ok(folder);
        }
        match io::Error::last_os_error() {
            why if why.kind() == io::ErrorKind::Interrupted => {}
            why => return Err(why),
        }
    }
}

impl Listener {
    /// Listens at `path`. Creates its directory if it is missing, and replaces the socket of a listener that was killed.
    ///
    /// # Errors
    ///
    /// The directory belongs to another user or grants access to others; another process listens at `path`; a system call failed.
    pub fn bind(path: &Path) -> io::Result<Listener> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match fs::DirBuilder::new().mode(0o700).create(folder) {
            Err(why) if why.kind() != io::ErrorKind::AlreadyExists => return Err(why),
            _ => {}
        }
        let about = fs::metadata(folder)?;
        // SAFETY: `geteuid` takes no arguments.
        let me = unsafe { libc::geteuid() };
        if about.uid() != me || about.permissions().mode() & 0o077 != 0 {
            let why = format!(
                "{} must belong to this user, without access for others; run `chmod 700` on it",
                folder.display()
            );
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        }
        let socket = link::socket()?;
        // Without the lock, two workers that start at once could both find the socket of a killed worker, and the second would remove the
        // socket of the first.
        let _locked = lock(folder)?;
        match link::bind(&socket, path) {
            Err(why) if why.kind() == io::ErrorKind::AddrInUse => {
                if !is_abandoned(path) {
                    return Err(why);
                }
                fs::remove_file(path)?;
                link::bind(&socket, path)?;
            }
            bound => bound?,
        }
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
        Ok(Listener { socket, path: std::path::absolute(path)?, file: identity(path)? })
    }

    /// Installs handlers for SIGTERM, SIGINT and SIGHUP that remove the socket's file and then end the process by that signal. A signal that is
    /// ignored or has a handler gets no new handler. The handlers remove only the last listener of a process.
    ///
    /// # Errors
    ///
    /// A system call failed, or the path contains a zero byte.
    pub(crate) fn remove_at_signals(&self) -> io::Result<()> {
        let path = CString::new(self.path.as_os_str().as_bytes())?;
        // SAFETY: `getpid` takes no arguments.
        let process = unsafe { libc::getpid() };
        // Never freed, because a handler may run at any time.
        SOCKET_FILE.store(Box::into_raw(Box::new(SocketFile { path, file: self.file, process })), Ordering::Release);
        for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
            // SAFETY: the calls get locals of the right types, and the handler only uses async-signal-safe functions.
            let done = unsafe {
                let mut known: libc::sigaction = std::mem::zeroed();
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = remove_socket as extern "C" fn(libc::c_int) as usize;
                // The handler raises the signal again, which then ends the process.
                action.sa_flags = libc::SA_RESETHAND | libc::SA_NODEFER;
                libc::sigemptyset(&raw mut action.sa_mask);
                match libc::sigaction(signal, ptr::null(), &raw mut known) {
                    0 if known.sa_sigaction == libc::SIG_DFL => {
                        libc::sigaction(signal, &raw const action, ptr::null_mut())
                    }
                    other => other,
                }
            };
            if done != 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    }

    /// Waits for a guest and returns the socket for [`Connection::worker`](super::Connection::worker).
    ///
    /// # Errors
    ///
    /// A system call failed.
    pub fn accept(&self) -> io::Result<OwnedFd> {
        link::accept(&self.socket)
    }
}

/// Returns whether `path` is the socket of a process that ended: a socket that refuses connections. Other files, and sockets that do not answer,
/// may be in use.
fn is_abandoned(path: &Path) -> bool {
    let is_socket = fs::symlink_metadata(path).is_ok_and(|about| about.file_type().is_socket());
    let answer = || link::connected(path, Some(Duration::from_secs(1)));
    is_socket && answer().is_err_and(|why| why.kind() == io::ErrorKind::ConnectionRefused)
}

/// The file that [`remove_socket`] removes.
struct SocketFile {
    path: CString,
    file: (u64, u64),
    /// The process of the listener. A child that a library forked inherits the handler, but does not own the socket.
    process: libc::pid_t,
}

static SOCKET_FILE: AtomicPtr<SocketFile> = AtomicPtr::new(ptr::null_mut());

/// Signal handler: removes the socket and ends the process.
extern "C" fn remove_socket(signal: libc::c_int) {
    // SAFETY: the stored pointer is never freed, and all functions called here are async-signal-safe.
    unsafe {
        if let Some(socket) = SOCKET_FILE.load(Ordering::Acquire).as_ref()
            && libc::getpid() == socket.process
        {
            let mut about: libc::stat = std::mem::zeroed();
            if libc::lstat(socket.path.as_ptr(), &raw mut about) == 0 && (about.st_dev, about.st_ino) == socket.file {
                libc::unlink(socket.path.as_ptr());
            }
        }
        libc::raise(signal);
        // A signal without a handler does not end the first process of a PID namespace.
        libc::_exit(128 + signal);
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if identity(&self.path).is_ok_and(|file| file == self.file) {
            let _ = fs::remove_file(&self.path);
        }
    }
}
