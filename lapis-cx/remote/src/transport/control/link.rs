//! The control socket: short messages, each of which may carry one file.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use crate::transport::Error;
use crate::transport::descriptors::{EngineFile, above_stdio, owned_fd};
use crate::transport::timeout::{Timeout, watch};

/// The largest message in bytes. Longer messages are truncated; this crate sends none.
const LONGEST: usize = 1024;
/// Since Linux 6.5; `libc` does not define it on all targets.
const SO_PEERPIDFD: libc::c_int = 77;

/// The credentials of the other process, from the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The process id at the time of the connection.
    pub process: i32,
    /// The effective user id.
    pub user: u32,
    /// The effective group id.
    pub group: u32,
}

/// A connected `SOCK_SEQPACKET` socket.
pub(super) struct Link {
    socket: EngineFile,
    /// The timeout for the arrival of a message, or for space to send one.
    timeout: Option<Duration>,
}

fn check(code: libc::c_int) -> io::Result<()> {
    if code < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Creates two connected sockets: one for this process, and one for a child to inherit or to be sent.
///
/// # Errors
///
/// The process has no free descriptors.
pub fn socket_pair() -> io::Result<[OwnedFd; 2]> {
    pair(libc::SOCK_SEQPACKET)
}

/// Creates two connected stream sockets.
pub(crate) fn stream_pair() -> io::Result<[OwnedFd; 2]> {
    pair(libc::SOCK_STREAM)
}

fn pair(kind: libc::c_int) -> io::Result<[OwnedFd; 2]> {
    let mut files = [0; 2];
    // SAFETY: `files` has two elements.
    check(unsafe { libc::socketpair(libc::AF_UNIX, kind | libc::SOCK_CLOEXEC, 0, files.as_mut_ptr()) })?;
    let [first, second] = files.map(|file| above_stdio(owned_fd(file)?));
    Ok([first?, second?])
}

/// Returns whether this is a Unix stream socket.
pub(super) fn is_stream(file: &OwnedFd) -> bool {
    let (domain, kind) = (option(file, libc::SO_DOMAIN, 0), option(file, libc::SO_TYPE, 0));
    matches!((domain, kind), (Ok(libc::AF_UNIX), Ok(libc::SOCK_STREAM)))
}

/// Returns a socket option of type `T`, which must be valid for any bytes.
fn option<T: Copy>(socket: &impl AsRawFd, name: libc::c_int, value: T) -> io::Result<T> {
    let mut value = value;
    let mut size = size_of::<T>() as libc::socklen_t;
    // SAFETY: `value` has `size` bytes, and the callers pass types of integers only.
    check(unsafe {
        libc::getsockopt(socket.as_raw_fd(), libc::SOL_SOCKET, name, (&raw mut value).cast(), &raw mut size)
    })?;
    Ok(value)
}

/// Connects to the listener at `path`. `most` limits the wait for the listener to accept; `None` means no timeout.
pub(crate) fn connected(path: &std::path::Path, most: Option<Duration>) -> io::Result<OwnedFd> {
    let socket = socket()?;
    let most = most.unwrap_or_default();
    let seconds = libc::time_t::try_from(most.as_secs()).unwrap_or(libc::time_t::MAX);
    let time = libc::timeval { tv_sec: seconds, tv_usec: most.subsec_micros().into() };
    let (size, name) = (size_of_val(&time) as libc::socklen_t, libc::SO_SNDTIMEO);
    // No other process has this socket, so the option stays. 0 means no timeout.
    // SAFETY: `time` is a local of the type that this option takes.
    check(unsafe { libc::setsockopt(socket.as_raw_fd(), libc::SOL_SOCKET, name, (&raw const time).cast(), size) })?;
    let address = address(path)?;
    // SAFETY: `address` is a local of size `ADDRESS`.
    match check(unsafe { libc::connect(socket.as_raw_fd(), (&raw const address).cast(), ADDRESS) }) {
        Err(why) if why.kind() == io::ErrorKind::WouldBlock => Err(silent()),
        done => done.map(|()| socket),
    }
}

fn silent() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the other process did not answer before the timeout")
}

/// Creates a socket without an address.
pub(super) fn socket() -> io::Result<OwnedFd> {
    // SAFETY: `socket` takes no pointers.
    above_stdio(owned_fd(unsafe { libc::socket(libc::AF_UNIX, libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC, 0) })?)
}

/// Converts a path to a socket address.
fn address(path: &std::path::Path) -> io::Result<libc::sockaddr_un> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = path.as_os_str().as_bytes();
    // SAFETY: `sockaddr_un` consists of integers, for which zero is valid.
    let mut address: libc::sockaddr_un = unsafe { std::mem::zeroed() };
    address.sun_family = libc::AF_UNIX as libc::sa_family_t;
    if bytes.len() >= address.sun_path.len() || bytes.contains(&0) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "the path of the socket contains a zero byte or is longer than 107 bytes",
        ));
    }
    for (to, &from) in address.sun_path.iter_mut().zip(bytes) {
        *to = from as libc::c_char;
    }
    Ok(address)
}

const ADDRESS: libc::socklen_t = size_of::<libc::sockaddr_un>() as libc::socklen_t;

pub(super) fn bind(socket: &OwnedFd, path: &std::path::Path) -> io::Result<()> {
    let address = address(path)?;
    // SAFETY: `address` is a local of size `ADDRESS`.
    check(unsafe { libc::bind(socket.as_raw_fd(), (&raw const address).cast(), ADDRESS) })?;
    // SAFETY: `listen` takes no pointers.
    check(unsafe { libc::listen(socket.as_raw_fd(), 64) })
}

pub(super) fn accept(socket: &OwnedFd) -> io::Result<OwnedFd> {
    // SAFETY: null pointers request no address.
    owned_fd(unsafe {
        libc::accept4(socket.as_raw_fd(), std::ptr::null_mut(), std::ptr::null_mut(), libc::SOCK_CLOEXEC)
    })
}

impl Link {
    /// Wraps a socket. `timeout` limits [`send`](Link::send) and [`receive`](Link::receive), which then fail with `TimedOut`.
    pub fn new(socket: OwnedFd, timeout: Option<Duration>) -> Link {
        Link { socket: EngineFile::new(socket), timeout }
    }

    /// Returns whether the descriptor still refers to the socket. The program may have closed it, and opened another file under its number.
    pub fn is_open(&self) -> bool {
        self.socket.get().is_ok()
    }

    /// Waits until a call that failed with `EAGAIN` can be repeated. Returns other errors of that call.
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
        let peer = option(&self.socket, libc::SO_PEERCRED, libc::ucred { pid: 0, uid: 0, gid: 0 })?;
        Ok(Credentials { process: peer.pid, user: peer.uid, group: peer.gid })
    }

    /// Returns a pidfd of the process that created the other end. The end of the socket does not show the end of that process, because its children
    /// may have the socket too.
    pub fn process(&self) -> Option<EngineFile> {
        self.pidfd().and_then(|file| above_stdio(file).ok()).map(EngineFile::new)
    }

    fn pidfd(&self) -> Option<OwnedFd> {
        if let Ok(file) = option::<libc::c_int>(&self.socket, SO_PEERPIDFD, -1) {
            return owned_fd(file).ok();
        }
        let process = self.credentials().ok().filter(|who| who.process > 0)?.process;
        // SAFETY: `pidfd_open` takes no pointers.
        let file = unsafe { libc::syscall(libc::SYS_pidfd_open, process, 0) };
        owned_fd(libc::c_int::try_from(file).ok()?).ok()
    }

    /// Sends a message, optionally with a file.
    pub fn send(&self, bytes: &[u8], file: Option<BorrowedFd<'_>>) -> io::Result<()> {
        self.socket.get()?;
        let mut part = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
        // `u64` has the alignment of a control message header.
        let mut space = [0u64; 4];
        // SAFETY: `msghdr` consists of integers and pointers, for which zero is valid.
        let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
        (message.msg_iov, message.msg_iovlen) = (&raw mut part, 1);
        if let Some(file) = file {
            message.msg_control = space.as_mut_ptr().cast();
            // SAFETY: `space` holds the 24 bytes of `CMSG_SPACE(4)`, so the first header and its data are inside.
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
        // SAFETY: the message refers to locals of this function.
        while unsafe { libc::sendmsg(self.socket.as_raw_fd(), &raw const message, flags) } < 0 {
            self.again(libc::POLLOUT, &mut timeout)?;
        }
        Ok(())
    }

    /// Waits for a message. Returns an empty message after the other end was closed. Files beyond the first are closed.
    pub fn receive(&self) -> io::Result<(Vec<u8>, Option<OwnedFd>)> {
        let mut bytes = vec![0; LONGEST];
        let mut part = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
        let mut space = [0u64; 4];
        // SAFETY: `msghdr` consists of integers and pointers, for which zero is valid.
        let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
        (message.msg_iov, message.msg_iovlen) = (&raw mut part, 1);
        message.msg_control = space.as_mut_ptr().cast();
        // SAFETY: `CMSG_LEN` only computes a number. The buffer has space for one file, so the kernel closes others.
        message.msg_controllen = unsafe { libc::CMSG_LEN(4) } as _;
        let (mut timeout, flags) = (Timeout::new(self.timeout), libc::MSG_CMSG_CLOEXEC | libc::MSG_DONTWAIT);
        let size = loop {
            self.socket.get()?;
            // SAFETY: the message refers to locals of this function.
            let code = unsafe { libc::recvmsg(self.socket.as_raw_fd(), &raw mut message, flags) };
            match usize::try_from(code) {
                Ok(size) => break size,
                Err(_) => self.again(libc::POLLIN, &mut timeout)?,
            }
        };
        // SAFETY: the kernel wrote the header, if it is not null, and nothing else owns the received file.
        let file = unsafe {
            let header = libc::CMSG_FIRSTHDR(&raw const message);
            if header.is_null() || ((*header).cmsg_level, (*header).cmsg_type) != (libc::SOL_SOCKET, libc::SCM_RIGHTS) {
                None
            } else {
                owned_fd(libc::CMSG_DATA(header).cast::<libc::c_int>().read_unaligned()).ok()
            }
        };
        bytes.truncate(size);
        Ok((bytes, file))
    }

    /// Waits until a message arrived (`true`), or until `process` ended and no message is left (`false`).
    pub fn wait(&self, process: Option<&EngineFile>) -> io::Result<bool> {
        self.socket.get()?;
        let process = process.and_then(|process| process.get().ok()).map_or(-1, |process| process.as_raw_fd());
        let mut watched = [watch(self.socket.as_raw_fd(), libc::POLLIN), watch(process, libc::POLLIN)];
        loop {
            // SAFETY: `watched` has two elements.
            if unsafe { libc::poll(watched.as_mut_ptr(), 2, -1) } >= 0 {
                return Ok(watched[0].revents != 0);
            }
            match io::Error::last_os_error() {
                error if error.kind() == io::ErrorKind::Interrupted => {}
                error => return Err(error),
            }
        }
    }

    /// Shuts the socket down, so both sides read end-of-file.
    pub fn shut_down(&self) {
        if !self.is_open() {
            return;
        }
        // SAFETY: `shutdown` takes no pointers.
        unsafe { libc::shutdown(self.socket.as_raw_fd(), libc::SHUT_RDWR) };
    }
}
