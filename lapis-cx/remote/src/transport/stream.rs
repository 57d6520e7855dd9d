//! A channel without shared memory: each direction of a stream socket carries what would stand in a ring.
//!
//! Both ends have rings of their own, which nobody else sees. Whoever sends writes the record into his, and then the bytes of the
//! ring, word for word, into the socket. Whoever receives reads them into his, at the same place; a part shows there once it is
//! there as a whole. So all that is known of records, and all that is checked, is the same, and nothing is allocated for what the
//! other side says.
//!
//! That an end was dropped is told by the connection, not by the socket, which says the same when the process died. So the socket
//! stays open until both sides have told it.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::transport::Error;
use crate::transport::error::ProtocolError;
use crate::transport::header::{BYTES, Part};
use crate::transport::memory::Ring;
use crate::transport::timeout::{Timeout, watch};

/// An end of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    Sender,
    Receiver,
}

/// Tells the other side that an end of this one was dropped.
pub(crate) type Tell = Box<dyn Fn(Half) + Send + Sync>;

/// The socket of one channel.
pub(crate) struct Stream {
    socket: OwnedFd,
    tell: Tell,
    /// What the other side has dropped.
    gone: [AtomicBool; 2],
    /// A file that can be read once nothing can be sent any more: if only that direction of a socket is shut down, poll does not return.
    deaf: OwnedFd,
}

impl Stream {
    pub fn new(socket: OwnedFd, tell: Tell) -> io::Result<Stream> {
        // SAFETY: without pointers.
        let deaf = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
        if deaf < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the system made it just now.
        let deaf = unsafe { OwnedFd::from_raw_fd(deaf) };
        Ok(Stream { socket, tell, gone: Default::default(), deaf })
    }

    pub fn tell(&self, half: Half) {
        (self.tell)(half);
    }

    /// The other side has dropped this end of its own. Who waits for that end is woken.
    pub fn set_gone(&self, half: Half) {
        self.gone[half as usize].store(true, Ordering::Release);
        self.shut_down(if half == Half::Sender { libc::SHUT_RD } else { libc::SHUT_WR });
    }

    pub fn is_gone(&self, half: Half) -> bool {
        self.gone[half as usize].load(Ordering::Acquire)
    }

    /// Nobody waits any more, now or later. What has come can still be read.
    pub fn end(&self) {
        self.shut_down(libc::SHUT_RDWR);
    }

    fn shut_down(&self, how: libc::c_int) {
        // SAFETY: without pointers.
        unsafe { libc::shutdown(self.socket.as_raw_fd(), how) };
        if how != libc::SHUT_RD {
            let one = 1u64.to_ne_bytes();
            // It is written once or twice, so it never has no room.
            // SAFETY: eight bytes.
            unsafe { libc::write(self.deaf.as_raw_fd(), one.as_ptr().cast(), one.len()) };
        }
    }

    /// Sends bytes of a ring, and waits for room: how many; 0 if nothing can be sent any more.
    pub fn send(&self, ring: &Ring, at: u64, size: usize, timeout: &mut Timeout) -> Result<usize, Error> {
        let part = ring.span(at as usize, size);
        let flags = libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT;
        loop {
            // SAFETY: the bytes are mapped as long as the ring is borrowed.
            let code = unsafe { libc::send(self.socket.as_raw_fd(), part.iov_base, part.iov_len, flags) };
            match usize::try_from(code) {
                Ok(sent) => return Ok(sent),
                Err(_) => match Error::last() {
                    Error::System(libc::EPIPE | libc::ECONNRESET) => return Ok(0),
                    Error::System(libc::EAGAIN) => timeout.poll(&mut [
                        watch(self.socket.as_raw_fd(), libc::POLLOUT),
                        watch(self.deaf.as_raw_fd(), libc::POLLIN),
                    ])?,
                    why => again(why)?,
                },
            }
        }
    }

    /// Receives into both places. Without timeout it does not wait.
    fn receive(&self, mut places: [libc::iovec; 2], mut timeout: Option<&mut Timeout>) -> Result<Came, Error> {
        // SAFETY: numbers and null pointers.
        let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
        (message.msg_iov, message.msg_iovlen) = (places.as_mut_ptr(), 2);
        loop {
            // SAFETY: the message names the places of the caller, to which nothing else refers. A file that comes is closed: there
            // is no place for it.
            let code = unsafe { libc::recvmsg(self.socket.as_raw_fd(), &raw mut message, libc::MSG_DONTWAIT) };
            match usize::try_from(code) {
                Ok(0) => return Ok(Came::End),
                Ok(size) => return Ok(Came::Bytes(size)),
                Err(_) => match Error::last() {
                    Error::System(libc::ECONNRESET) => return Ok(Came::End),
                    Error::System(libc::EAGAIN) => match &mut timeout {
                        None => return Ok(Came::Nothing),
                        Some(timeout) => timeout.poll(&mut [watch(self.socket.as_raw_fd(), libc::POLLIN)])?,
                    },
                    why => again(why)?,
                },
            }
        }
    }
}

/// A call that was only interrupted is made again.
fn again(why: Error) -> Result<(), Error> {
    if why == Error::System(libc::EINTR) { Ok(()) } else { Err(why) }
}

/// What came out of a socket.
enum Came {
    Bytes(usize),
    /// Not now.
    Nothing,
    /// Not any more.
    End,
}

/// What an [`Inbox`] has for its receiver.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filled {
    /// The next part is in the ring.
    Part,
    /// It did not come yet.
    Nothing,
    /// It will not come.
    End,
}

/// What came over a stream, on its way into the ring of the receiver.
pub(crate) struct Inbox {
    /// The first word of the next part, as far as it came. In the ring it is 0 until the part is there.
    word: [u8; BYTES],
    /// Where that part begins, and what has come: bytes since ever.
    next: u64,
    came: u64,
    /// The error after which nothing is read.
    broken: Option<ProtocolError>,
    /// The largest part that may come: bytes.
    largest: usize,
}

impl Inbox {
    pub fn new(largest: usize) -> Inbox {
        Inbox { word: [0; BYTES], next: 0, came: 0, broken: None, largest }
    }

    /// Brings the part that begins at `at` into the ring, and what has come behind it. With timeout it waits: with the first one for what
    /// is missing of a record, and for the first byte of one with the second, if there is that.
    pub fn fill(
        &mut self,
        stream: &Stream,
        ring: &Ring,
        at: u64,
        mut timeout: Option<(&mut Timeout, Option<Timeout>)>,
    ) -> Result<Filled, Error> {
        while self.next == at {
            if let Some(error) = self.broken {
                return Err(Error::Protocol(error));
            }
            let held = self.held(self.next);
            // The word behind the last part is 0: there is room for it.
            let (from, to) = (self.came.max(self.next + BYTES as u64), at + (ring.size() - BYTES) as u64);
            let word = &mut self.word[held..];
            let word = libc::iovec { iov_base: word.as_mut_ptr().cast(), iov_len: word.len() };
            let timeout = timeout.as_mut().map(|(rest, next)| match next {
                Some(next) if held == 0 => next,
                _ => &mut **rest,
            });
            let came = stream.receive([word, ring.span(from as usize, (to - from) as usize)], timeout)?;
            match came {
                Came::Bytes(size) => self.came += size as u64,
                Came::Nothing => return Ok(Filled::Nothing),
                Came::End => return Ok(Filled::End),
            }
            self.broken = self.show(ring).err();
        }
        Ok(Filled::Part)
    }

    /// How many bytes of a word have come.
    fn held(&self, at: u64) -> usize {
        (self.came - at).min(BYTES as u64) as usize
    }

    /// Shows the parts that are there as a whole.
    fn show(&mut self, ring: &Ring) -> Result<(), ProtocolError> {
        while self.held(self.next) == BYTES {
            let word = u64::from_ne_bytes(self.word);
            let part = Part::read(word, self.largest)?;
            let end = self.next + part.stride(self.next as usize) as u64;
            if self.came < end {
                break;
            }
            self.word = ring.load(end as usize);
            ring.word(end as usize).store(0, Ordering::Relaxed);
            ring.word(self.next as usize).store(word, Ordering::Release);
            self.next = end;
        }
        Ok(())
    }
}
