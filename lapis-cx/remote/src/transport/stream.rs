//! A channel without shared memory: each direction of a stream socket carries the bytes of a ring.
//!
//! Each end has a private ring. The sender writes a record into its ring and then sends these bytes over the socket. The receiver reads
//! them into its ring, at the same position, and publishes a part when all of it has arrived. So records are encoded and validated as in
//! shared memory, and the peer's input causes no allocation.
//!
//! The control socket reports that a half was dropped, because end-of-file on the stream socket could also mean that the process died. So the socket
//! stays open until both sides have reported it.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::transport::Error;
use crate::transport::error::ProtocolError;
use crate::transport::header::{BYTES, Part};
use crate::transport::memory::Ring;
use crate::transport::timeout::{Timeout, watch};

/// One end of one direction of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    Sender,
    Receiver,
}

/// Notifies the peer that an end of this side was dropped.
pub(crate) type NotifyClosed = Box<dyn Fn(Half) + Send + Sync>;

/// The socket of one channel.
pub(crate) struct Stream {
    socket: OwnedFd,
    notify: NotifyClosed,
    /// The ends that the peer has dropped.
    closed: [AtomicBool; 2],
    /// An eventfd that becomes readable when the write direction is shut down, because `poll` does not return for that alone.
    write_shut_down: OwnedFd,
}

impl Stream {
    pub fn new(socket: OwnedFd, notify: NotifyClosed) -> io::Result<Stream> {
        // SAFETY: `eventfd` takes no pointers.
        let write_shut_down = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
        if write_shut_down < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: `eventfd` returned this descriptor, and nothing else owns it.
        let write_shut_down = unsafe { OwnedFd::from_raw_fd(write_shut_down) };
        Ok(Stream { socket, notify, closed: Default::default(), write_shut_down })
    }

    pub fn notify_closed(&self, half: Half) {
        (self.notify)(half);
    }

    /// Records that the peer dropped this end, and wakes the thread that waits for it.
    pub fn set_closed(&self, half: Half) {
        self.closed[half as usize].store(true, Ordering::Release);
        self.shut_down(if half == Half::Sender { libc::SHUT_RD } else { libc::SHUT_WR });
    }

    pub fn is_closed(&self, half: Half) -> bool {
        self.closed[half as usize].load(Ordering::Acquire)
    }

    /// Ends all current and later waits. Bytes that have arrived can still be read.
    pub fn end(&self) {
        self.shut_down(libc::SHUT_RDWR);
    }

    fn shut_down(&self, how: libc::c_int) {
        // SAFETY: `shutdown` takes no pointers.
        unsafe { libc::shutdown(self.socket.as_raw_fd(), how) };
        if how != libc::SHUT_RD {
            let one = 1u64.to_ne_bytes();
            // At most two writes happen, so the counter cannot overflow and the write cannot block.
            // SAFETY: `one` has eight readable bytes.
            unsafe { libc::write(self.write_shut_down.as_raw_fd(), one.as_ptr().cast(), one.len()) };
        }
    }

    /// Sends bytes of a ring and waits for space in the socket. Returns the number of bytes sent, or 0 if the peer receives no more.
    pub fn send(&self, ring: &Ring, at: u64, size: usize, timeout: &mut Timeout) -> Result<usize, Error> {
        let part = ring.span(at as usize, size);
        let flags = libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT;
        loop {
            // SAFETY: `span` returns mapped bytes, and the ring is borrowed during the call.
            let code = unsafe { libc::send(self.socket.as_raw_fd(), part.iov_base, part.iov_len, flags) };
            match usize::try_from(code) {
                Ok(sent) => return Ok(sent),
                Err(_) => match Error::last() {
                    Error::System(libc::EPIPE | libc::ECONNRESET) => return Ok(0),
                    Error::System(libc::EAGAIN) => timeout.poll(&mut [
                        watch(self.socket.as_raw_fd(), libc::POLLOUT),
                        watch(self.write_shut_down.as_raw_fd(), libc::POLLIN),
                    ])?,
                    why => again(why)?,
                },
            }
        }
    }

    /// Receives into both buffers. Without a timeout it does not block.
    fn receive(&self, mut buffers: [libc::iovec; 2], mut timeout: Option<&mut Timeout>) -> Result<Received, Error> {
        // SAFETY: `msghdr` consists of integers and pointers, for which zero is valid.
        let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
        (message.msg_iov, message.msg_iovlen) = (buffers.as_mut_ptr(), 2);
        loop {
            // SAFETY: the message refers to the caller's buffers, which nothing else uses. Without a control buffer, the kernel closes
            // received files.
            let code = unsafe { libc::recvmsg(self.socket.as_raw_fd(), &raw mut message, libc::MSG_DONTWAIT) };
            match usize::try_from(code) {
                Ok(0) => return Ok(Received::End),
                Ok(size) => return Ok(Received::Bytes(size)),
                Err(_) => match Error::last() {
                    Error::System(libc::ECONNRESET) => return Ok(Received::End),
                    Error::System(libc::EAGAIN) => match &mut timeout {
                        None => return Ok(Received::Nothing),
                        Some(timeout) => timeout.poll(&mut [watch(self.socket.as_raw_fd(), libc::POLLIN)])?,
                    },
                    why => again(why)?,
                },
            }
        }
    }
}

/// Returns `Ok` for a call that was interrupted and must be repeated.
fn again(why: Error) -> Result<(), Error> {
    if why == Error::System(libc::EINTR) { Ok(()) } else { Err(why) }
}

/// The result of a read of a socket.
enum Received {
    Bytes(usize),
    /// No bytes are available now.
    Nothing,
    /// The peer sends no more bytes.
    End,
}

/// The result of [`Inbox::fill`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filled {
    /// The next part is in the ring.
    Part,
    /// The next part has not arrived completely.
    Nothing,
    /// The next part will not arrive.
    End,
}

/// Reassembles the parts that arrive over a stream in the ring of the receiver.
pub(crate) struct Inbox {
    /// The received bytes of the next part's header. The ring contains 0 there until the part is complete.
    word: [u8; BYTES],
    /// The position of that part. Positions count bytes since the channel was opened.
    next: u64,
    /// The position of the end of the received bytes.
    received: u64,
    /// The error of an invalid header, after which nothing is read.
    broken: Option<ProtocolError>,
    /// The largest valid part in bytes.
    largest: usize,
}

impl Inbox {
    pub fn new(largest: usize) -> Inbox {
        Inbox { word: [0; BYTES], next: 0, received: 0, broken: None, largest }
    }

    /// Receives until the part at position `at` is in the ring. Without `timeout` it does not block; otherwise the first timeout applies to
    /// the rest of a record, and the second, if any, to the first byte of a record.
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
            let present = self.word_bytes(self.next);
            // The last word of the ring is left free for the zero header after the last part.
            let (from, to) = (self.received.max(self.next + BYTES as u64), at + (ring.size() - BYTES) as u64);
            let word = &mut self.word[present..];
            let word = libc::iovec { iov_base: word.as_mut_ptr().cast(), iov_len: word.len() };
            let timeout = timeout.as_mut().map(|(rest, next)| match next {
                Some(next) if present == 0 => next,
                _ => &mut **rest,
            });
            let received = stream.receive([word, ring.span(from as usize, (to - from) as usize)], timeout)?;
            match received {
                Received::Bytes(size) => self.received += size as u64,
                Received::Nothing => return Ok(Filled::Nothing),
                Received::End => return Ok(Filled::End),
            }
            self.broken = self.publish_parts(ring).err();
        }
        Ok(Filled::Part)
    }

    /// Returns the number of received bytes of the header at a position.
    fn word_bytes(&self, at: u64) -> usize {
        (self.received - at).min(BYTES as u64) as usize
    }

    /// Publishes the parts that have arrived completely.
    fn publish_parts(&mut self, ring: &Ring) -> Result<(), ProtocolError> {
        while self.word_bytes(self.next) == BYTES {
            let word = u64::from_ne_bytes(self.word);
            let part = Part::read(word, self.largest)?;
            let end = self.next + part.stride(self.next as usize) as u64;
            if self.received < end {
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
