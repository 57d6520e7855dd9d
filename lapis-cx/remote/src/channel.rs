//! Both directions between two threads.

use std::io;

use crate::life::{Closed, Ends, Life};
use crate::memory::{Geometry, Ring, Segment};
use crate::sync::Arc;
use crate::{Receiver, Sender, Spin};

/// One end of a pair of streams of records: between one thread here and one thread of the other process.
///
/// The two halves may be used by two threads.
pub struct Channel {
    /// To the other end.
    pub sender: Sender,
    /// From the other end.
    pub receiver: Receiver,
}

/// Which of the two rings a side sends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    A,
    B,
}

impl Channel {
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
        let ends = Arc::new(Ends::new(&sends, &receives, sends.fences.clone()).on_close(closed));
        life.add(&ends);
        let sender = Sender::new(sends, Arc::clone(&ends), spin);
        Channel { sender, receiver: Receiver::new(receives, ends, spin) }
    }

    /// Both ends in one process, with the lives that each has.
    ///
    /// # Errors
    ///
    /// The system has no memory, or `ring` is no power of two from a page to 64 MiB.
    pub fn pair(ring: u32, spin: Spin) -> io::Result<[(Channel, Life); 2]> {
        let segment = Segment::new(Geometry { ring, channels: 1 })?;
        let rings = segment.channel(0)?;
        Ok([Side::A, Side::B].map(|side| {
            let life = Life::default();
            (Channel::new(rings.clone(), side, &life, spin), life)
        }))
    }
}
