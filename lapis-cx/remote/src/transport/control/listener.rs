//! A worker that guests find by a path.

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

/// A socket that guests connect to: its folder is for its owner only (0700), and so is the socket (0600).
pub struct Listener {
    socket: OwnedFd,
    path: PathBuf,
    /// Of the file: somebody else may have put another there.
    file: (u64, u64),
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    fs::symlink_metadata(path).map(|about| (about.dev(), about.ino()))
}

/// Locks a folder against other listeners that start there, until the result is dropped. The kernel unlocks it if the process ends.
fn lock(folder: &Path) -> io::Result<fs::File> {
    let folder = fs::File::open(folder)?;
    loop {
        // SAFETY: no pointers.
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
    /// Listens at `path`. Its folder is made if it is missing. What a listener left that was killed is replaced.
    ///
    /// # Errors
    ///
    /// The folder is not this user's, or others may enter it; somebody listens there; the system fails.
    pub fn bind(path: &Path) -> io::Result<Listener> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match fs::DirBuilder::new().mode(0o700).create(folder) {
            Err(why) if why.kind() != io::ErrorKind::AlreadyExists => return Err(why),
            _ => {}
        }
        let about = fs::metadata(folder)?;
        // SAFETY: it takes nothing.
        let me = unsafe { libc::geteuid() };
        if about.uid() != me || about.permissions().mode() & 0o077 != 0 {
            let why = format!("{} must belong to this user alone: `chmod 700` it", folder.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        }
        let socket = link::socket()?;
        // Two that start at once must not both find the socket of a worker that was killed: the second would remove that of the first.
        let _locked = lock(folder)?;
        match link::bind(&socket, path) {
            Err(why) if why.kind() == io::ErrorKind::AddrInUse => {
                if !was_left(path) {
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

    /// From now on the socket's file is removed too when a signal asks this process to end; it ends by that signal. A signal that is
    /// ignored, or that somebody else looks after, stays as it is. Each process has one listener of which that is so: the last one.
    ///
    /// # Errors
    ///
    /// The system fails, or the path has a zero in it.
    pub(crate) fn remove_at_signals(&self) -> io::Result<()> {
        let path = CString::new(self.path.as_os_str().as_bytes())?;
        // SAFETY: it takes nothing.
        let process = unsafe { libc::getpid() };
        // It is never freed, as a handler may run at any time.
        LEFT.store(Box::into_raw(Box::new(Left { path, file: self.file, process })), Ordering::Release);
        for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
            // SAFETY: sets and places of this function; the handler makes calls of the system alone.
            let done = unsafe {
                let mut known: libc::sigaction = std::mem::zeroed();
                let mut ours: libc::sigaction = std::mem::zeroed();
                ours.sa_sigaction = removes as extern "C" fn(libc::c_int) as usize;
                // The next one, which it raises itself, ends the process.
                ours.sa_flags = libc::SA_RESETHAND | libc::SA_NODEFER;
                libc::sigemptyset(&raw mut ours.sa_mask);
                match libc::sigaction(signal, ptr::null(), &raw mut known) {
                    0 if known.sa_sigaction == libc::SIG_DFL => {
                        libc::sigaction(signal, &raw const ours, ptr::null_mut())
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

    /// Waits for a guest: a socket for [`Connection::worker`](super::Connection::worker).
    ///
    /// # Errors
    ///
    /// The system fails.
    pub fn accept(&self) -> io::Result<OwnedFd> {
        link::accept(&self.socket)
    }
}

/// Whether this is the socket of a process that is gone. Any other file is somebody's, and so is a socket that does not answer.
fn was_left(path: &Path) -> bool {
    let is_socket = fs::symlink_metadata(path).is_ok_and(|about| about.file_type().is_socket());
    let answer = || link::connected(path, Some(Duration::from_secs(1)));
    is_socket && answer().is_err_and(|why| why.kind() == io::ErrorKind::ConnectionRefused)
}

/// What [`removes`] removes.
struct Left {
    path: CString,
    file: (u64, u64),
    /// A process that a library started has this too, and its end is no end of the listener.
    process: libc::pid_t,
}

static LEFT: AtomicPtr<Left> = AtomicPtr::new(ptr::null_mut());

/// A signal asks this process to end.
extern "C" fn removes(signal: libc::c_int) {
    // SAFETY: what is stored is never freed. A handler may make these calls of the system.
    unsafe {
        if let Some(left) = LEFT.load(Ordering::Acquire).as_ref()
            && libc::getpid() == left.process
        {
            let mut about: libc::stat = std::mem::zeroed();
            if libc::lstat(left.path.as_ptr(), &raw mut about) == 0 && (about.st_dev, about.st_ino) == left.file {
                libc::unlink(left.path.as_ptr());
            }
        }
        libc::raise(signal);
        // The first process of a namespace does not end by a signal without a handler, and nobody can reach it any more.
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
