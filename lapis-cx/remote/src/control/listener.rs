//! A worker that guests find by a path.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

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
        match link::bind(&socket, path) {
            Err(why) if why.kind() == io::ErrorKind::AddrInUse => {
                if link::connected(path, None).is_ok() {
                    return Err(why);
                }
                fs::remove_file(path)?;
                link::bind(&socket, path)?;
            }
            bound => bound?,
        }
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
        Ok(Listener { socket, path: path.to_owned(), file: identity(path)? })
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

impl Drop for Listener {
    fn drop(&mut self) {
        if identity(&self.path).is_ok_and(|file| file == self.file) {
            let _ = fs::remove_file(&self.path);
        }
    }
}
