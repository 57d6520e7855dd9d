//! The carriers of a connection's records, behind one trait: rings in shared memory, or a stream socket for each channel.
//!
//! A connection requests channels and capabilities from its carrier, so code outside this directory does not depend on the kind of carrier.

use std::collections::HashMap;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use super::{RECEIVER_CLOSED, SENDER_CLOSED, message};
use crate::transport::channel::{Channel, Side, Transport};
use crate::transport::control::link::{self, Link};
use crate::transport::life::Closed;
use crate::transport::locks::{Mutex, MutexGuard, guard};
use crate::transport::memory::Segment;
use crate::transport::stream::{Half, Stream};
use crate::transport::{Life, ProtocolError, Spin};

/// What the two processes of a connection can do besides sending records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// The processes map the same memory: calls can use buffers in place, and the first channel is open from the start.
    pub shares_memory: bool,
    /// Open files can be sent.
    pub passes_files: bool,
    /// The connection ends when the other process dies. Otherwise only a timeout ends waits.
    pub reports_death: bool,
}

/// Carries the records of channels. At most one channel has an index at a time.
pub(super) trait Carrier: Send + Sync {
    fn transport(&self) -> Transport;

    fn capabilities(&self) -> Capabilities;

    /// Prepares a channel that this side opens. Returns the file that the peer needs for it.
    fn open(&self, index: u32) -> io::Result<Option<OwnedFd>>;

    /// Takes the file of a channel that the peer opened. Returns false if this process has no free descriptor for it.
    fn opened(&self, index: u32, file: Option<OwnedFd>) -> Result<bool, ProtocolError>;

    /// Makes this side's end of an open channel. `closed` runs after both of its halves were dropped.
    fn channel(&self, index: u32, side: Side, life: (&Life, Spin), closed: Closed) -> io::Result<Channel>;

    /// Records that the peer dropped one half of a channel. Fails if the peer cannot report that over this carrier.
    fn dropped(&self, index: u32, half: Half) -> Result<(), ProtocolError>;

    /// Frees a channel that neither side uses.
    fn release(&self, index: u32);
}

/// Rings in shared memory. They also report to each side which halves the other side dropped.
pub(super) struct Rings(pub Segment);

impl Carrier for Rings {
    fn transport(&self) -> Transport {
        Transport::Shared
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { shares_memory: true, passes_files: true, reports_death: true }
    }

    fn open(&self, index: u32) -> io::Result<Option<OwnedFd>> {
        // The channel may have been used before.
        self.0.clear(index).map(|()| None)
    }

    fn opened(&self, _: u32, _: Option<OwnedFd>) -> Result<bool, ProtocolError> {
        Ok(true)
    }

    fn channel(&self, index: u32, side: Side, (life, spin): (&Life, Spin), closed: Closed) -> io::Result<Channel> {
        Ok(Channel::with_close(self.0.channel(index)?, side, life, spin, Some(closed)))
    }

    fn dropped(&self, _: u32, _: Half) -> Result<(), ProtocolError> {
        Err(ProtocolError::Message)
    }

    fn release(&self, _: u32) {}
}

/// A stream socket for each channel. The side that opens a channel sends one end of it over the control socket.
pub(super) struct Sockets {
    link: Arc<Link>,
    /// The size of a ring in bytes.
    ring: u32,
    /// The sockets of channels that at least one side has not closed.
    streams: Mutex<HashMap<u32, Arc<Stream>>>,
}

impl Sockets {
    pub fn new(link: Arc<Link>, ring: u32) -> Sockets {
        Sockets { link, ring, streams: Mutex::default() }
    }

    fn streams(&self) -> MutexGuard<'_, HashMap<u32, Arc<Stream>>> {
        guard(&self.streams)
    }

    fn add(&self, index: u32, socket: OwnedFd) -> io::Result<()> {
        let link = Arc::clone(&self.link);
        let notify = move |half| {
            let what = if half == Half::Sender { SENDER_CLOSED } else { RECEIVER_CLOSED };
            // An error is ignored, because a peer that ended needs no message.
            let _ = link.send(&message(what, index), None);
        };
        let stream = Stream::new(socket, Box::new(notify))?;
        self.streams().insert(index, Arc::new(stream));
        Ok(())
    }
}

impl Carrier for Sockets {
    fn transport(&self) -> Transport {
        Transport::Socket
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { shares_memory: false, passes_files: true, reports_death: true }
    }

    fn open(&self, index: u32) -> io::Result<Option<OwnedFd>> {
        let [own, peer] = link::stream_pair()?;
        self.add(index, own)?;
        Ok(Some(peer))
    }

    fn opened(&self, index: u32, file: Option<OwnedFd>) -> Result<bool, ProtocolError> {
        match file {
            Some(file) if !link::is_stream(&file) => Err(ProtocolError::Message),
            Some(file) => Ok(self.add(index, file).is_ok()),
            None => Ok(false),
        }
    }

    fn channel(&self, index: u32, _: Side, (life, spin): (&Life, Spin), closed: Closed) -> io::Result<Channel> {
        let stream = self.streams().get(&index).cloned();
        let stream = stream.ok_or_else(|| io::Error::from_raw_os_error(libc::ECONNRESET))?;
        Channel::over(stream, self.ring, life, spin, Some(closed))
    }

    fn dropped(&self, index: u32, half: Half) -> Result<(), ProtocolError> {
        let stream = self.streams().get(&index).cloned();
        stream.iter().for_each(|stream| stream.set_closed(half));
        Ok(())
    }

    fn release(&self, index: u32) {
        self.streams().remove(&index);
    }
}
