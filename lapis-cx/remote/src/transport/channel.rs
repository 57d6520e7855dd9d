//! Both directions between two threads.

use std::io;
use std::sync::OnceLock;
use std::time::Duration;

use crate::transport::control::stream_pair;
use crate::transport::life::{Closed, Ends, Life};
use crate::transport::memory::{Geometry, Ring, Room, Segment};
use crate::transport::stream::{Half, Stream};
use crate::transport::sync::{Arc, Ordering, register_fences};
use crate::transport::{Receiver, Sender, Spin};

/// One end of a pair of streams of records: between one thread here and one thread of the other process.
///
/// The two halves may be used by two threads.
pub struct Channel {
    /// To the other end.
    pub sender: Sender,
    /// From the other end.
    pub receiver: Receiver,
    /// Where buffers of calls lie in place, if the worker wants that.
    pub(crate) room: Option<Room>,
}

/// What carries the records of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Rings in memory that both processes share.
    Shared,
    /// A stream socket for each channel. Each record is a call of the system on both sides.
    Socket,
}

/// Which of the two rings a side sends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    A,
    B,
}

impl Channel {
    /// How long this end waits before it is [`Error::Silent`](crate::transport::Error::Silent): `rest` for the rest of a record, or for room for one,
    /// in all, and as long again for each MiB of it; `next` for a record. For ever, if it is not said.
    pub fn set_timeout(&mut self, rest: Option<Duration>, next: Option<Duration>) {
        self.sender.set_timeout(rest);
        self.receiver.set_timeout(rest, next);
    }

    pub(crate) fn new(rings: [Ring; 2], side: Side, life: &Life, spin: Spin) -> Channel {
        Channel::with_close(rings, side, life, spin, None)
    }

    /// `rings` are of side A and of side B. `closed` is called once both halves were dropped.
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

    /// Over a socket, with rings of this process alone.
    pub(crate) fn over(
        stream: Arc<Stream>,
        ring: u32,
        life: &Life,
        spin: Spin,
        closed: Option<Closed>,
    ) -> io::Result<Channel> {
        let rings = Segment::new(Geometry { ring, channels: 1, room: 0 })?.channel(0)?;
        // Who receives what is sent on it always has to be told: a look at this word is all that it costs channels that share memory.
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
        let ends = Arc::new(Ends::new(&sends, &receives, sends.fences.clone()).over(stream).on_close(closed));
        life.add(&ends);
        let room = sends.room();
        let sender = Sender::new(sends, Arc::clone(&ends), spin);
        Channel { sender, receiver: Receiver::new(receives, ends, spin), room }
    }

    /// Both ends in one process, with the lives that each has.
    ///
    /// # Errors
    ///
    /// The system has no memory, or `ring` is no power of two from a page to 64 MiB.
    pub fn pair(ring: u32, spin: Spin) -> io::Result<[(Channel, Life); 2]> {
        let segment = Segment::new(Geometry { ring, channels: 1, room: 0 })?;
        let rings = segment.channel(0)?;
        Ok([Side::A, Side::B].map(|side| {
            let life = Life::default();
            (Channel::new(rings.clone(), side, &life, spin), life)
        }))
    }

    /// As [`pair`](Channel::pair), over a transport.
    ///
    /// # Errors
    ///
    /// As there; the process has no more files.
    pub fn pair_over(transport: Transport, ring: u32, spin: Spin) -> io::Result<[(Channel, Life); 2]> {
        if transport == Transport::Shared {
            return Channel::pair(ring, spin);
        }
        // Each tells the other directly: there is no connection.
        let ends: Arc<[OnceLock<std::sync::Weak<Stream>>; 2]> = Arc::default();
        let [a, b] = stream_pair()?;
        let streams = [(a, 0), (b, 1)].map(|(socket, which)| {
            let ends_of_both = Arc::clone(&ends);
            let tell = move |half: Half| {
                if let Some(other) = ends_of_both[1 - which].get().and_then(std::sync::Weak::upgrade) {
                    other.set_gone(half);
                }
            };
            let stream = Arc::new(Stream::new(socket, Box::new(tell))?);
            let _ = ends[which].set(Arc::downgrade(&stream));
            Ok::<_, io::Error>(stream)
        });
        // A socket stays open until both ends were told: as long as the other one is there.
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
