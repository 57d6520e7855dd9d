//! The end of a ring that receives.
//!
//! What the sender wrote is read once, into private memory, and looked at there.

use std::time::Duration;

use crate::transport::Error;
use crate::transport::error::ProtocolError;
use crate::transport::header::{BYTES, LATER, LINE, MORE, Part, URGENT};
use crate::transport::life::Ends;
use crate::transport::memory::Ring;
use crate::transport::send::largest_part;
use crate::transport::stream::{Filled, Half, Inbox};
use crate::transport::sync::{Arc, Ordering, is_over, pause, registered};
use crate::transport::timeout::Timeout;
use crate::transport::wait::{Before, Spin, Waiter, wake};

/// Receives the records of one thread of the other process.
pub struct Receiver {
    ring: Ring,
    ends: Arc<Ends>,
    waiter: Waiter,
    /// Where the next part begins, and what of that the sender was told: bytes since ever.
    at: u64,
    published: u64,
    /// Where it was waited last.
    waited: u64,
    largest: usize,
    /// How many bytes are read before the sender is told.
    quarter: u64,
    /// The last part that was read was not urgent: others may come soon, and without a fence.
    streams: bool,
    heavy: bool,
    /// How long it waits for the rest of a record, and for the next one.
    rest: Timeout,
    next_record: Option<Duration>,
    /// The next part belongs to a record whose first part was read.
    within: bool,
    /// The part that is read, its next byte and its end; `open` until it is passed.
    part: Part,
    next: usize,
    end: usize,
    open: bool,
    /// Of a channel without shared memory.
    inbox: Option<Box<Inbox>>,
    /// Copies of records that nobody waits for.
    window: Vec<u64>,
    /// The record that is read was set aside: its bytes, and the next one.
    replayed: Option<(Vec<u8>, usize)>,
}

/// Whether the receiver of `ring` fences heavily before it sleeps in a stream. Then it tells the sender so.
fn fences_heavily(ring: &Ring) -> bool {
    let heavy = registered();
    if heavy {
        ring.receiver().heavy.store(1, Ordering::Relaxed);
    }
    heavy
}

impl Receiver {
    pub(crate) fn new(ring: Ring, ends: Arc<Ends>, spin: Spin) -> Receiver {
        let (largest, quarter) = (largest_part(&ring), ring.size() as u64 / 4);
        let heavy = fences_heavily(&ring);
        let waiter = Waiter::new(spin, 1 - ring.which);
        let inbox = ends.stream().map(|_| Box::new(Inbox::new(largest)));
        let (streams, within, open, part) = (false, false, false, Part::NONE);
        let (at, published, waited, next, end) = (0, 0, 0, 0, 0);
        Receiver {
            ring,
            ends,
            waiter,
            at,
            published,
            waited,
            largest,
            quarter,
            streams,
            heavy,
            rest: Timeout::default(),
            next_record: None,
            within,
            part,
            next,
            end,
            open,
            inbox,
            window: Vec::new(),
            replayed: None,
        }
    }

    #[cfg_attr(all(loom, test), allow(dead_code))] // no model has timeout
    pub(crate) fn set_timeout(&mut self, rest: Option<Duration>, next: Option<Duration>) {
        (self.rest, self.next_record) = (Timeout::new(rest), next);
    }

    /// Waits for the next record. What was not read of the last is skipped.
    ///
    /// # Errors
    ///
    /// [`Error::Died`], [`Error::Closed`] or [`Error::Stopped`] once all that came before was received; [`Error::Protocol`].
    #[inline(always)]
    #[allow(clippy::should_implement_trait)] // what it gives borrows the receiver
    pub fn next(&mut self) -> Result<Reader<'_>, Error> {
        self.pass();
        loop {
            let word = match self.look() {
                0 => self.wait()?,
                word => word,
            };
            if self.begin(word)? {
                return Ok(Reader { receiver: self });
            }
        }
    }

    /// Waits for the next record, as [`next`](Receiver::next), and stays there: [`again`](Receiver::again) reads it from its start. It is
    /// returned if it is of this kind, and of one part of no more than `limit` bytes, which no ring refuses.
    #[inline(always)]
    #[cfg_attr(all(loom, test), allow(dead_code))] // the models send and receive otherwise
    pub(crate) fn next_small(&mut self, kind: u32, limit: usize) -> Result<Option<Small<'_>>, Error> {
        self.pass();
        let word = match self.look() {
            0 => self.wait()?,
            word => word,
        };
        match Part::small(word, kind, limit).filter(|_| !self.within) {
            Some(part) => {
                self.open(part);
                Ok(Some(Small { receiver: self }))
            }
            None => {
                self.next()?.keep();
                Ok(None)
            }
        }
    }

    /// Waits until something is there. What was not read of the last record is skipped.
    ///
    /// # Errors
    ///
    /// As [`next`](Receiver::next).
    #[inline(always)]
    pub(crate) fn stand(&mut self) -> Result<(), Error> {
        self.pass();
        if self.look() == 0 {
            self.wait()?;
        }
        Ok(())
    }

    /// Takes records that nobody waits for, of this kind and of one part, as long as they are there and `take` knows them: it gets the
    /// words from such a record on, and says how many it took, or 0. True if it took some.
    ///
    /// They are copied many at a time. Whoever reads a line that the sender writes stops both: so it looks seldom while there are many,
    /// at most a microsecond late.
    #[inline(always)]
    pub(crate) fn take_told(&mut self, kind: u32, mut take: impl FnMut(&[u64]) -> usize) -> bool {
        self.pass();
        if self.within {
            return false;
        }
        let (began, mut gap) = (self.at, 0);
        while let Some(size) = self.told(kind) {
            self.window.resize(WINDOW / BYTES, 0);
            let window = self.window.get_mut(..size / BYTES).unwrap_or_default();
            self.ring.read_words(self.at as usize, window);
            let mut rest = &*window;
            while let Some((_, others)) = rest.split_at_checked(take(rest)).filter(|(taken, _)| !taken.is_empty()) {
                rest = others;
            }
            let taken = size_of_val(window) - size_of_val(rest);
            if taken == 0 {
                break;
            }
            self.at += taken as u64;
            if self.at - self.published >= self.quarter {
                self.publish();
            }
            gap = if size < WINDOW { (2 * gap + 1).min(self.waiter.pauses()) } else { gap / 2 };
            (0..gap).for_each(|_| pause());
        }
        self.streams |= self.at != began;
        self.at != began
    }

    /// How many bytes of such records are there, without the line that the sender writes now if there are others: at most a window, and
    /// up to where the sender is told how much was read.
    #[inline(always)]
    fn told(&self, kind: u32) -> Option<usize> {
        let there = self.ring.told().load(Ordering::Acquire).wrapping_sub(self.at) as usize;
        if !(1..=self.ring.size()).contains(&there) {
            return Part::told(self.look(), kind, WINDOW - BYTES).map(Part::told_stride);
        }
        let there = if there < 4 * LINE { there } else { there - LINE };
        Some(there.min((self.published + self.quarter - self.at) as usize).min(WINDOW))
    }

    /// The record at which the receiver stands, from its start: nothing but its first bytes was read.
    #[cfg_attr(all(loom, test), allow(dead_code))] // the models send and receive otherwise
    pub(crate) fn again(&mut self) -> Reader<'_> {
        match &mut self.replayed {
            Some((_, next)) => *next = 0,
            None => self.next = self.at as usize + BYTES,
        }
        Reader { receiver: self }
    }

    /// The record at which the receiver stands, from where the reader that was [kept](Reader::keep) stopped.
    #[cfg_attr(all(loom, test), allow(dead_code))] // as `again`
    pub(crate) fn resume(&mut self) -> Reader<'_> {
        Reader { receiver: self }
    }

    /// Makes a record that was set aside ([`Reader::copy`]) the one at which the receiver stands, for [`again`](Receiver::again). The
    /// next record of the channel comes after it.
    #[cfg_attr(all(loom, test), allow(dead_code))] // the models send and receive otherwise
    pub(crate) fn replay(&mut self, kind: u32, bytes: Vec<u8>) {
        self.pass();
        self.part = Part::new(kind, 0, 0);
        // Every read finds nothing in the ring, and takes the way of records with many parts.
        (self.next, self.end) = (0, 0);
        self.replayed = Some((bytes, 0));
    }

    /// The next record, if it is there.
    ///
    /// # Errors
    ///
    /// As [`next`](Receiver::next).
    #[inline]
    pub fn try_next(&mut self) -> Result<Option<Reader<'_>>, Error> {
        self.pass();
        loop {
            let word = match self.look() {
                0 => {
                    if self.inbox.is_some() {
                        self.fill(false)?;
                    } else {
                        self.ended()?;
                    }
                    // What was sent before the end is there now.
                    match self.look() {
                        0 => return Ok(None),
                        word => word,
                    }
                }
                word => word,
            };
            if self.begin(word)? {
                return Ok(Some(Reader { receiver: self }));
            }
        }
    }

    /// An error if the other end is gone, and everything that it sent was read.
    fn ended(&self) -> Result<(), Error> {
        let closed = self.ring.sender().closed.load(Ordering::Acquire) != 0;
        let ended = self.ends.check().and(if closed { Err(Error::Closed) } else { Ok(()) });
        if self.look() == 0 { ended } else { Ok(()) }
    }

    #[inline(always)]
    fn look(&self) -> u64 {
        self.ring.word(self.at as usize).load(Ordering::Acquire)
    }

    /// True at the first part of a record; others, of a record that was not read to its end, are skipped.
    #[inline(always)]
    fn begin(&mut self, word: u64) -> Result<bool, Error> {
        let part = Part::read(word, self.largest).map_err(Error::Protocol)?;
        if part.has(LATER) != self.within {
            return Err(Error::Protocol(ProtocolError::Order));
        }
        if part.has(LATER) {
            self.open_later(part);
            self.pass();
        } else {
            self.open(part);
        }
        Ok(!part.has(LATER))
    }

    /// Opens a part that is not the first.
    #[cold]
    fn open_later(&mut self, part: Part) {
        self.count();
        self.rest.moved(part.size());
        self.open(part);
    }

    /// What is waited from here on, or comes, is of another record, if this part is its first, or the first that is not there at once.
    fn count(&mut self) {
        if !self.within || !self.part.has(LATER) {
            self.rest.begin(self.at);
        }
    }

    #[inline(always)]
    fn open(&mut self, part: Part) {
        self.next = self.at as usize + BYTES;
        self.end = self.next + part.size();
        (self.part, self.open) = (part, true);
    }

    /// Waits for the first word of the next part.
    #[cold]
    fn wait(&mut self) -> Result<u64, Error> {
        self.count();
        if self.inbox.is_some() {
            self.fill(true)?;
            return Ok(self.look());
        }
        let most = if self.within { self.rest.left() } else { self.next_record };
        let mut word = 0;
        let Receiver { ring, ends, waiter, at, streams, heavy, waited, .. } = self;
        let stream = streams.then(|| *at - *waited);
        *waited = *at;
        // Before the wait: from here on the sender may leave its fences out.
        *heavy = *heavy || fences_heavily(ring);
        let before = if *streams && *heavy { Before::Heavy } else { Before::Full };
        let ready = || {
            word = ring.word(*at as usize).load(Ordering::Acquire);
            Ok(word != 0)
        };
        let slept = waiter.wait((ring.receiver(), ring.sender()), ends, &ring.fences, (before, stream), most, ready)?;
        if self.within {
            self.rest.spend(slept);
        }
        Ok(word)
    }

    /// Receives the next part over the stream. If it does not wait, the part may be missing then.
    #[cold]
    fn fill(&mut self, waits: bool) -> Result<(), Error> {
        let (Some(inbox), Some(stream)) = (&mut self.inbox, self.ends.stream()) else { return Ok(()) };
        let next = if self.within { None } else { Some(Timeout::new(self.next_record)) };
        let timeout = waits.then_some((&mut self.rest, next));
        match inbox.fill(stream, &self.ring, self.at, timeout)? {
            Filled::Part | Filled::Nothing => Ok(()),
            Filled::End => Err(self.ends.hung_up(stream, Half::Sender)),
        }
    }

    /// The part was read, or is not wanted.
    #[inline(always)]
    fn pass(&mut self) {
        if !self.open {
            return self.end_replay();
        }
        self.open = false;
        self.at += self.part.stride(self.at as usize) as u64;
        self.within = self.part.has(MORE);
        self.streams = !self.part.has(URGENT);
        if self.at - self.published >= self.quarter {
            self.publish();
        }
    }

    #[inline]
    fn end_replay(&mut self) {
        if self.replayed.is_some() {
            self.replayed = None;
        }
    }

    /// Goes to the next part of the record, which it waits for.
    fn next_part(&mut self) -> Result<(), Error> {
        if !self.part.has(MORE) {
            return Err(if self.part.is_given_up() { Error::Cut } else { Error::End });
        }
        self.pass();
        let word = match self.look() {
            0 => self.wait()?,
            word => word,
        };
        let part = Part::read(word, self.largest).map_err(Error::Protocol)?;
        if !part.has(LATER) || part.kind() != self.part.kind() {
            return Err(Error::Protocol(ProtocolError::Order));
        }
        self.open_later(part);
        Ok(())
    }

    /// What does not come from one part.
    #[cold]
    fn get_parts(&mut self, mut to: &mut [u8]) -> Result<(), Error> {
        if let Some((bytes, next)) = &mut self.replayed {
            let rest = bytes.get(*next..).and_then(|rest| rest.get(..to.len())).ok_or(Error::End)?;
            to.copy_from_slice(rest);
            *next += to.len();
            return Ok(());
        }
        loop {
            let count = to.len().min(self.end - self.next);
            let (now, rest) = to.split_at_mut(count);
            self.ring.read(self.next, now);
            self.next += count;
            to = rest;
            if to.is_empty() {
                return Ok(());
            }
            self.next_part()?;
        }
    }

    /// Tells the sender how much was read.
    #[cold]
    fn publish(&mut self) {
        self.published = self.at;
        self.ring.consumed().store(self.at, Ordering::Release);
        self.ring.fences.full();
        wake(self.ring.sender());
    }
}

/// Bytes of records that are copied at a time, at most.
const WINDOW: usize = 16 << 10;

impl Drop for Receiver {
    fn drop(&mut self) {
        if is_over() {
            return;
        }
        if let Some(stream) = self.ends.stream() {
            return stream.tell(Half::Receiver);
        }
        self.ring.receiver().closed.store(1, Ordering::Release);
        self.ring.fences.full();
        wake(self.ring.sender());
    }
}

/// A small record that is read: all of it is there.
#[cfg_attr(all(loom, test), allow(dead_code))] // as `Receiver::next_small`
pub(crate) struct Small<'a> {
    receiver: &'a mut Receiver,
}

#[cfg_attr(all(loom, test), allow(dead_code))] // as `Receiver::next_small`
impl Small<'_> {
    /// Bytes.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.receiver.part.size()
    }

    /// The next number. Behind the record it is anything.
    #[inline(always)]
    pub fn get_u64(&mut self) -> u64 {
        let bytes = self.receiver.ring.load(self.receiver.next);
        self.receiver.next += bytes.len();
        u64::from_ne_bytes(bytes)
    }

    /// The next bytes. Behind the record they are anything.
    #[inline(always)]
    pub fn get(&mut self, to: &mut [u8]) {
        self.receiver.ring.read(self.receiver.next, to);
        self.receiver.next += to.len();
    }
}

/// A record that is read. What was not read when it is dropped is skipped.
pub struct Reader<'a> {
    receiver: &'a mut Receiver,
}

macro_rules! gets {
    ($($name:ident $type:ty),*) => {$(
        /// The next number, in the order of bytes of this machine.
        ///
        /// # Errors
        ///
        /// As [`get`](Reader::get).
        #[inline]
        pub fn $name(&mut self) -> Result<$type, Error> {
            self.get_array().map(<$type>::from_ne_bytes)
        }
    )*};
}

impl Reader<'_> {
    /// Leaves the receiver at this record, for [`again`](Receiver::again).
    #[cfg_attr(all(loom, test), allow(dead_code))] // the models send and receive otherwise
    pub(crate) fn keep(self) {
        std::mem::forget(self);
    }

    /// What the sender gave.
    #[inline(always)]
    #[must_use]
    pub fn kind(&self) -> u32 {
        self.receiver.part.kind()
    }

    /// How many bytes can be read without waiting: all that are left, unless [`is_open`](Reader::is_open).
    #[inline]
    #[must_use]
    pub fn remaining(&self) -> usize {
        match &self.receiver.replayed {
            Some((bytes, next)) => bytes.len() - next,
            None => self.receiver.end - self.receiver.next,
        }
    }

    /// Copies the whole record, to be read later ([`Receiver::replay`]).
    ///
    /// # Errors
    ///
    /// As [`get`](Reader::get); [`Error::Protocol`] if it has more than `limit` bytes.
    #[cfg_attr(all(loom, test), allow(dead_code))] // the models send and receive otherwise
    pub(crate) fn copy(mut self, limit: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        loop {
            let (start, more) = (bytes.len(), self.remaining());
            if start + more > limit || bytes.try_reserve(more).is_err() {
                return Err(Error::Protocol(ProtocolError::Size));
            }
            bytes.resize(start + more, 0);
            self.get(bytes.get_mut(start..).unwrap_or_default())?;
            if !self.is_open() {
                return if self.receiver.part.is_given_up() { Err(Error::Cut) } else { Ok(bytes) };
            }
            self.receiver.next_part()?;
        }
    }

    /// Whether more may follow what [`remaining`](Reader::remaining) says: the record is too large to be in the ring as a whole.
    #[inline]
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.receiver.part.has(MORE)
    }

    gets!(get_u8 u8, get_u16 u16, get_u32 u32, get_u64 u64);

    /// The next bytes, up to 4096: a load where they are in one part.
    ///
    /// # Errors
    ///
    /// As [`get`](Reader::get).
    #[inline]
    pub fn get_array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let receiver = &mut *self.receiver;
        if receiver.end - receiver.next >= N {
            let bytes = receiver.ring.load(receiver.next);
            receiver.next += N;
            return Ok(bytes);
        }
        let mut bytes = [0; N];
        receiver.get_parts(&mut bytes)?;
        Ok(bytes)
    }

    /// Fills `to` with the next bytes.
    ///
    /// # Errors
    ///
    /// [`Error::End`] if there are not as many, [`Error::Cut`] if the sender gave the record up, and those of
    /// [`next`](Receiver::next). What `to` has then is of no use.
    #[inline(always)]
    pub fn get(&mut self, to: &mut [u8]) -> Result<(), Error> {
        let receiver = &mut *self.receiver;
        if receiver.end - receiver.next >= to.len() {
            receiver.ring.read(receiver.next, to);
            receiver.next += to.len();
            return Ok(());
        }
        receiver.get_parts(to)
    }

    /// Goes on behind `count` bytes.
    ///
    /// # Errors
    ///
    /// As [`get`](Reader::get).
    pub fn skip(&mut self, mut count: usize) -> Result<(), Error> {
        let receiver = &mut *self.receiver;
        if let Some((bytes, next)) = &mut receiver.replayed {
            *next = next.checked_add(count).filter(|next| *next <= bytes.len()).ok_or(Error::End)?;
            return Ok(());
        }
        loop {
            let now = count.min(receiver.end - receiver.next);
            receiver.next += now;
            count -= now;
            if count == 0 {
                return Ok(());
            }
            receiver.next_part()?;
        }
    }
}

impl Drop for Reader<'_> {
    #[inline]
    fn drop(&mut self) {
        self.receiver.pass();
    }
}
