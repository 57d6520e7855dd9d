//! A channel: both directions of records between two threads.

use std::io;
use std::sync::OnceLock;
use std::time::Duration;

use crate::transport::control::stream_pair;
use crate::transport::life::{Closed, Ends, Life};
use crate::transport::memory::{Geometry, InPlaceArea, Ring, Segment};
use crate::transport::stream::{Half, Stream};
use crate::transport::sync::{Arc, Ordering, register_fences};
use crate::transport::{Receiver, Sender, Spin};

/// One end of a channel: sends records to one thread of the other process and receives records from it.
///
/// The two halves can be used by two threads.
pub struct Channel {
    /// Sends records to the peer.
    pub sender: Sender,
    /// Receives records from the peer.
    pub receiver: Receiver,
    /// Memory for buffers that calls use in place, if the worker grants it.
    pub(crate) in_place: Option<InPlaceArea>,
}

/// The transport of the records of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Rings in memory that both processes share.
    Shared,
    /// A stream socket for each channel. Each record costs a system call on both sides.
    Socket,
}

/// The side of a channel. Side A sends on ring 0, side B on ring 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    A,
    B,
}

impl Channel {
    /// Sets the timeouts after which this end fails with [`Error::Silent`](crate::transport::Error::Silent). `rest` limits the time spent
    /// waiting for the rest of a record, or for space for one; each MiB of the record extends it by the same time. `next` limits the wait
    /// for the next record. `None` means no timeout.
    pub fn set_timeout(&mut self, rest: Option<Duration>, next: Option<Duration>) {
        self.sender.set_timeout(rest);
        self.receiver.set_timeout(rest, next);
    }

    pub(crate) fn new(rings: [Ring; 2], side: Side, life: &Life, spin: Spin) -> Channel {
        Channel::with_close(rings, side, life, spin, None)
    }

    /// Makes the end of `side` of a channel over the rings of side A and side B. `closed` runs after both halves were dropped.
    pub(crate) fn with_close(
        [a, b]: [Ring; 2],
        side: Side,
        life: &Life,
        spin: Spin,
        closed: Option<Closed>,
    ) -> Channel {
        let (sends, receives) = match side {
            Side::A => (a, b),
            Side::B => (b, a),
        };
        Channel::of([sends, receives], None, life, spin, closed)
    }

    /// Makes a channel over a socket. Its rings are private to this process.
    pub(crate) fn over(
        stream: Arc<Stream>,
        ring: u32,
        life: &Life,
        spin: Spin,
        closed: Option<Closed>,
    ) -> io::Result<Channel> {
        let rings = Segment::new(Geometry { ring, channels: 1, in_place: 0 })?.channel(0)?;
        // The receiver of this ring is a socket, which needs a system call for each record. A set `asleep` word makes the sender make that call,
        // without a further check that would slow down channels over shared memory.
        rings[0].receiver().asleep.store(1, Ordering::Relaxed);
        Ok(Channel::of(rings, Some(stream), life, spin, closed))
    }

    fn of(
        [sends, receives]: [Ring; 2],
        stream: Option<Arc<Stream>>,
        life: &Life,
        spin: Spin,
        closed: Option<Closed>,
    ) -> Channel {
        register_fences();
        let ends = Arc::new(Ends::new(&sends, &receives, sends.fences.clone()).with_stream(stream).on_close(closed));
        life.add(&ends);
        let in_place = sends.in_place_area();
        let sender = Sender::new(sends, Arc::clone(&ends), spin);
        Channel { sender, receiver: Receiver::new(receives, ends, spin), in_place }
    }

    /// Makes both ends of a channel in one process, each with its own [`Life`].
    ///
    /// # Errors
    ///
    /// There is no memory, or `ring` is not a power of two from the page size to 64 MiB.
    pub fn pair(ring: u32, spin: Spin) -> io::Result<[(Channel, Life); 2]> {
        let segment = Segment::new(Geometry { ring, channels: 1, in_place: 0 })?;
        let rings = segment.channel(0)?;
        Ok([Side::A, Side::B].map(|side| {
            let life = Life::default();
            (Channel::new(rings.clone(), side, &life, spin), life)
        }))
    }

    /// Same as [`pair`](Channel::pair), over the given transport.
    ///
    /// # Errors
    ///
    /// Same as [`pair`](Channel::pair), or the process has no free descriptors.
    pub fn pair_over(transport: Transport, ring: u32, spin: Spin) -> io::Result<[(Channel, Life); 2]> {
        if transport == Transport::Shared {
            return Channel::pair(ring, spin);
        }
        // There is no control socket here, so each end notifies the other directly.
        let ends: Arc<[OnceLock<std::sync::Weak<Stream>>; 2]> = Arc::default();
        let [a, b] = stream_pair()?;
        let streams = [(a, 0), (b, 1)].map(|(socket, which)| {
            let ends_of_both = Arc::clone(&ends);
            let notify = move |half: Half| {
                if let Some(other) = ends_of_both[1 - which].get().and_then(std::sync::Weak::upgrade) {
                    other.set_closed(half);
                }
            };
            let stream = Arc::new(Stream::new(socket, Box::new(notify))?);
            let _ = ends[which].set(Arc::downgrade(&stream));
            Ok::<_, io::Error>(stream)
        });
        // A socket must stay open until both ends were notified, so each channel keeps the stream of the other channel.
        let [a, b] = streams;
        let (a, b) = (a?, b?);
        let made = |stream: &Arc<Stream>, other: &Arc<Stream>| {
            let (life, other) = (Life::default(), Arc::clone(other));
            let closed: Closed = Box::new(move || drop(other));
            Channel::over(Arc::clone(stream), ring, &life, spin, Some(closed)).map(|channel| (channel, life))
        };
        Ok([made(&a, &b)?, made(&b, &a)?])
    }
}
