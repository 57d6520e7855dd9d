//! The control socket: short messages, each of which may carry one file.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::time::Duration;

use crate::transport::Error;
use crate::transport::timeout::{Timeout, watch};

/// Longer messages are cut, and no message of ours is: bytes.
const LONGEST: usize = 1024;
/// Linux 6.5; `libc` does not name it for all.
const SO_PEERPIDFD: libc::c_int = 77;

/// Who the other process is, as the kernel says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// Its process id, when it connected.
    pub process: i32,
    /// Its effective user.
    pub user: u32,
    /// Its effective group.
    pub group: u32,
}

/// A connected socket that keeps messages apart.
pub(super) struct Link {
    socket: OwnedFd,
    /// How long a message is waited for, or room for one.
    timeout: Option<Duration>,
}

fn made(file: libc::c_int) -> io::Result<OwnedFd> {
    if file < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the system made it just now.
    Ok(unsafe { OwnedFd::from_raw_fd(file) })
}

/// As [`made`], for a file that this process keeps: above the standard files. A program that closed one of those may open it anew.
fn kept(file: libc::c_int) -> io::Result<OwnedFd> {
    let file = made(file)?;
    if file.as_raw_fd() > libc::STDERR_FILENO {
        return Ok(file);
    }
    // SAFETY: no pointers.
    made(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_DUPFD_CLOEXEC, libc::STDERR_FILENO + 1) })
}

fn done(code: libc::c_int) -> io::Result<()> {
    if code < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Two sockets that are connected: one for this process, one for a child to inherit or to be sent.
///
/// # Errors
///
/// The process has no more files.
pub fn socket_pair() -> io::Result<[OwnedFd; 2]> {
    pair(libc::SOCK_SEQPACKET)
}

/// Two sockets for bytes.
pub(crate) fn stream_pair() -> io::Result<[OwnedFd; 2]> {
    pair(libc::SOCK_STREAM)
}

fn pair(kind: libc::c_int) -> io::Result<[OwnedFd; 2]> {
    let mut files = [0; 2];
    // SAFETY: there is a place for both.
    done(unsafe { libc::socketpair(libc::AF_UNIX, kind | libc::SOCK_CLOEXEC, 0, files.as_mut_ptr()) })?;
    let [mine, other] = files.map(kept);
    Ok([mine?, other?])
}

/// Whether this is a socket for bytes.
pub(super) fn is_stream(file: &OwnedFd) -> bool {
    let (domain, kind) = (option(file, libc::SO_DOMAIN, 0), option(file, libc::SO_TYPE, 0));
    matches!((domain, kind), (Ok(libc::AF_UNIX), Ok(libc::SOCK_STREAM)))
}

/// What a socket says of itself and of the other process.
fn option<T: Copy>(socket: &OwnedFd, name: libc::c_int, value: T) -> io::Result<T> {
    let mut value = value;
    let mut size = size_of::<T>() as libc::socklen_t;
    // SAFETY: a place of that many bytes; the callers name plain numbers.
    done(unsafe {
        libc::getsockopt(socket.as_raw_fd(), libc::SOL_SOCKET, name, (&raw mut value).cast(), &raw mut size)
    })?;
    Ok(value)
}

/// A socket that is connected to a listener, for which it waits so long.
pub(crate) fn connected(path: &std::path::Path, most: Option<Duration>) -> io::Result<OwnedFd> {
    let socket = socket()?;
    let most = most.unwrap_or_default();
    let seconds = libc::time_t::try_from(most.as_secs()).unwrap_or(libc::time_t::MAX);
    let time = libc::timeval { tv_sec: seconds, tv_usec: most.subsec_micros().into() };
    let (size, name) = (size_of_val(&time) as libc::socklen_t, libc::SO_SNDTIMEO);
    // Nobody else has this socket. For ever, if it is 0.
    // SAFETY: a place of that many bytes, of the type that this has.
    done(unsafe { libc::setsockopt(socket.as_raw_fd(), libc::SOL_SOCKET, name, (&raw const time).cast(), size) })?;
    let address = address(path)?;
    // SAFETY: an address of that many bytes.
    match done(unsafe { libc::connect(socket.as_raw_fd(), (&raw const address).cast(), ADDRESS) }) {
        Err(why) if why.kind() == io::ErrorKind::WouldBlock => Err(silent()),
        done => done.map(|()| socket),
    }
}

fn silent() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the other process does not answer")
}

/// A socket without an address.
pub(super) fn socket() -> io::Result<OwnedFd> {
    // SAFETY: without pointers.
    kept(unsafe { libc::socket(libc::AF_UNIX, libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC, 0) })
}

/// The address of a path.
fn address(path: &std::path::Path) -> io::Result<libc::sockaddr_un> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = path.as_os_str().as_bytes();
    // SAFETY: numbers only.
    let mut address: libc::sockaddr_un = unsafe { std::mem::zeroed() };
    address.sun_family = libc::AF_UNIX as libc::sa_family_t;
    if bytes.len() >= address.sun_path.len() || bytes.contains(&0) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path is too long for a socket"));
    }
    for (to, &from) in address.sun_path.iter_mut().zip(bytes) {
        *to = from as libc::c_char;
    }
    Ok(address)
}

const ADDRESS: libc::socklen_t = size_of::<libc::sockaddr_un>() as libc::socklen_t;

pub(super) fn bind(socket: &OwnedFd, path: &std::path::Path) -> io::Result<()> {
    let address = address(path)?;
    // SAFETY: an address of that many bytes.
    done(unsafe { libc::bind(socket.as_raw_fd(), (&raw const address).cast(), ADDRESS) })?;
    // SAFETY: without pointers.
    done(unsafe { libc::listen(socket.as_raw_fd(), 64) })
}

pub(super) fn accept(socket: &OwnedFd) -> io::Result<OwnedFd> {
    // SAFETY: no address is asked for.
    made(unsafe { libc::accept4(socket.as_raw_fd(), std::ptr::null_mut(), std::ptr::null_mut(), libc::SOCK_CLOEXEC) })
}

impl Link {
    /// With timeout, [`send`](Link::send) and [`receive`](Link::receive) fail with `TimedOut`.
    pub fn new(socket: OwnedFd, timeout: Option<Duration>) -> Link {
        Link { socket, timeout }
    }

    /// After a call that failed, as it does not wait: waits until it can be made again.
    fn again(&self, events: libc::c_short, timeout: &mut Timeout) -> io::Result<()> {
        let why = io::Error::last_os_error();
        match why.kind() {
            io::ErrorKind::Interrupted => Ok(()),
            io::ErrorKind::WouldBlock => {
                timeout.poll(&mut [watch(self.socket.as_raw_fd(), events)]).map_err(|why| match why {
                    Error::System(code) => io::Error::from_raw_os_error(code),
                    _ => silent(),
                })
            }
            _ => Err(why),
        }
    }

    pub fn credentials(&self) -> io::Result<Credentials> {
        let said = option(&self.socket, libc::SO_PEERCRED, libc::ucred { pid: 0, uid: 0, gid: 0 })?;
        Ok(Credentials { process: said.pid, user: said.uid, group: said.gid })
    }

    /// A file that can be read once the process has ended that made the other end. A socket alone stays open as long as a child of
    /// it has it.
    pub fn process(&self) -> Option<OwnedFd> {
        if let Ok(file) = option::<libc::c_int>(&self.socket, SO_PEERPIDFD, -1) {
            return made(file).ok();
        }
        let process = self.credentials().ok().filter(|who| who.process > 0)?.process;
        // SAFETY: without pointers.
        let file = unsafe { libc::syscall(libc::SYS_pidfd_open, process, 0) };
        made(libc::c_int::try_from(file).ok()?).ok()
    }

    /// Sends a message, with a file.
    pub fn send(&self, bytes: &[u8], file: Option<BorrowedFd<'_>>) -> io::Result<()> {
        let mut part = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
        // Aligned as the header of a control message is.
        let mut space = [0u64; 4];
        // SAFETY: numbers and null pointers.
        let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
        (message.msg_iov, message.msg_iovlen) = (&raw mut part, 1);
        if let Some(file) = file {
            message.msg_control = space.as_mut_ptr().cast();
            // SAFETY: numbers only; 24 bytes are in `space`, and the first header begins there.
            unsafe {
                message.msg_controllen = libc::CMSG_SPACE(4) as _;
                let header = libc::CMSG_FIRSTHDR(&raw const message);
                (*header).cmsg_level = libc::SOL_SOCKET;
                (*header).cmsg_type = libc::SCM_RIGHTS;
                (*header).cmsg_len = libc::CMSG_LEN(4) as _;
                libc::CMSG_DATA(header).cast::<libc::c_int>().write_unaligned(file.as_raw_fd());
            }
        }
        let (mut timeout, flags) = (Timeout::new(self.timeout), libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT);
        // SAFETY: the message names what is above.
        while unsafe { libc::sendmsg(self.socket.as_raw_fd(), &raw const message, flags) } < 0 {
            self.again(libc::POLLOUT, &mut timeout)?;
        }
        Ok(())
    }

    /// Waits for a message; nothing once the other end was closed. Files beyond the first are closed.
    pub fn receive(&self) -> io::Result<(Vec<u8>, Option<OwnedFd>)> {
        let mut bytes = vec![0; LONGEST];
        let mut part = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
        let mut space = [0u64; 4];
        // SAFETY: numbers and null pointers.
        let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
        (message.msg_iov, message.msg_iovlen) = (&raw mut part, 1);
        message.msg_control = space.as_mut_ptr().cast();
        // SAFETY: a number. There is room for one file, so the kernel closes others.
        message.msg_controllen = unsafe { libc::CMSG_LEN(4) } as _;
        let (mut timeout, flags) = (Timeout::new(self.timeout), libc::MSG_CMSG_CLOEXEC | libc::MSG_DONTWAIT);
        let size = loop {
            // SAFETY: the message names what is above.
            let code = unsafe { libc::recvmsg(self.socket.as_raw_fd(), &raw mut message, flags) };
            match usize::try_from(code) {
                Ok(size) => break size,
                Err(_) => self.again(libc::POLLIN, &mut timeout)?,
            }
        };
        // SAFETY: the kernel wrote the header, if there is one; a file of it is nobody else's.
        let file = unsafe {
            let header = libc::CMSG_FIRSTHDR(&raw const message);
            if header.is_null() || ((*header).cmsg_level, (*header).cmsg_type) != (libc::SOL_SOCKET, libc::SCM_RIGHTS) {
                None
            } else {
                made(libc::CMSG_DATA(header).cast::<libc::c_int>().read_unaligned()).ok()
            }
        };
        bytes.truncate(size);
        Ok((bytes, file))
    }

    /// Waits until there is a message (true), or until `process` has ended and there is none (false).
    pub fn wait(&self, process: Option<&OwnedFd>) -> io::Result<bool> {
        let process = process.map_or(-1, AsRawFd::as_raw_fd);
        let mut watched = [watch(self.socket.as_raw_fd(), libc::POLLIN), watch(process, libc::POLLIN)];
        loop {
            // SAFETY: two of them.
            if unsafe { libc::poll(watched.as_mut_ptr(), 2, -1) } >= 0 {
                return Ok(watched[0].revents != 0);
            }
            match io::Error::last_os_error() {
                error if error.kind() == io::ErrorKind::Interrupted => {}
                error => return Err(error),
            }
        }
    }

    /// Both sides read an end.
    pub fn shut_down(&self) {
        // SAFETY: without pointers.
        unsafe { libc::shutdown(self.socket.as_raw_fd(), libc::SHUT_RDWR) };
    }
}
