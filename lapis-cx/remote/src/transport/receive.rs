//! The receiving end of a ring.
//!
//! Everything that the peer wrote is read once, into private memory, and validated there.

use std::time::Duration;

use crate::transport::Error;
use crate::transport::error::ProtocolError;
use crate::transport::header::{BYTES, LINE, MORE, NOT_FIRST, Part, URGENT};
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
    /// The position of the next part. Positions count bytes since the channel was opened.
    at: u64,
    /// The read position that was last published to the sender.
    published: u64,
    /// The position of the last wait.
    waited: u64,
    largest: usize,
    /// The number of bytes after which the read position is published: a quarter of the ring.
    quarter: u64,
    /// Whether the last part was not urgent. More parts may follow soon, without a full fence.
    is_streaming: bool,
    /// Whether this process can execute heavy fences, and has published that.
    heavy: bool,
    /// The timeout for the rest of a record.
    rest: Timeout,
    /// The timeout for the next record.
    next_record: Option<Duration>,
    /// Whether the next part continues a record.
    within: bool,
    /// The current part.
    part: Part,
    /// The position of the next byte of the current part.
    next: usize,
    /// The position of the end of the current part.
    end: usize,
    /// Whether the receiver has not passed the current part yet.
    open: bool,
    /// Reassembles parts of a channel without shared memory.
    inbox: Option<Box<Inbox>>,
    /// A buffer for copies of one-way records.
    window: Vec<u64>,
    /// The bytes of a record that was set aside and is read now, and the offset of the next byte.
    replayed: Option<(Vec<u8>, usize)>,
}

/// Returns whether this process can execute heavy fences before it sleeps, and publishes that to the sender.
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
        let (is_streaming, within, open, part) = (false, false, false, Part::NONE);
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
            is_streaming,
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

    #[cfg_attr(all(loom, test), allow(dead_code))] // models have no timeouts
    pub(crate) fn set_timeout(&mut self, rest: Option<Duration>, next: Option<Duration>) {
        (self.rest, self.next_record) = (Timeout::new(rest), next);
    }

    /// Waits for the next record. Skips the rest of the current record.
    ///
    /// # Errors
    ///
    /// [`Error::Died`], [`Error::Closed`] or [`Error::Stopped`] after all records that arrived before were received; [`Error::Silent`];
    /// [`Error::Protocol`].
    #[inline(always)]
    #[allow(clippy::should_implement_trait)] // the result borrows the receiver
    pub fn next(&mut self) -> Result<Reader<'_>, Error> {
        self.pass();
        loop {
            let word = match self.next_word() {
                0 => self.wait()?,
                word => word,
            };
            if self.begin(word)? {
                return Ok(Reader { receiver: self });
            }
        }
    }

    /// Waits for the next record and stays at its start, where [`again`](Receiver::again) reads it. Returns the record if it is complete,
    /// has this kind and at most `limit` bytes. `limit` must not exceed the largest part of the ring.
    #[inline(always)]
    #[cfg_attr(all(loom, test), allow(dead_code))] // the models send and receive otherwise
    pub(crate) fn next_small(&mut self, kind: u32, limit: usize) -> Result<Option<Small<'_>>, Error> {
        self.pass();
        let word = match self.next_word() {
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

    /// Waits until a part is present. Skips the rest of the current record.
    ///
    /// # Errors
    ///
    /// Same as [`next`](Receiver::next).
    #[inline(always)]
    pub(crate) fn wait_for_record(&mut self) -> Result<(), Error> {
        self.pass();
        if self.next_word() == 0 {
            self.wait()?;
        }
        Ok(())
    }

    /// Takes the one-way records of this kind that have arrived. `take` gets the words from the start of a record on, and returns the number of words
    /// that it took, or 0 if it does not accept the record. Returns whether `take` accepted a record.
    ///
    /// Records are copied in batches. A read of a cache line that the sender is writing slows both sides down, so while many records arrive
    /// the receiver polls less often. That delays a record by a microsecond at most.
    #[inline(always)]
    pub(crate) fn take_one_way(&mut self, kind: u32, mut take: impl FnMut(&[u64]) -> usize) -> bool {
        self.pass();
        if self.within {
            return false;
        }
        let (began, mut gap) = (self.at, 0);
        while let Some(size) = self.one_way_bytes(kind) {
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
        self.is_streaming |= self.at != began;
        self.at != began
    }

    /// Returns the number of bytes of one-way records to copy next. That excludes the cache line that the sender is writing, if other lines are
    /// available, and ends at the next position that is published.
    #[inline(always)]
    fn one_way_bytes(&self, kind: u32) -> Option<usize> {
        let available = self.ring.one_way_end().load(Ordering::Acquire).wrapping_sub(self.at) as usize;
        if !(1..=self.ring.size()).contains(&available) {
            return Part::one_way(self.next_word(), kind, WINDOW - BYTES).map(Part::one_way_stride);
        }
        let available = if available < 4 * LINE { available } else { available - LINE };
        Some(available.min((self.published + self.quarter - self.at) as usize).min(WINDOW))
    }

    /// Returns a reader at the start of the current record. Only bytes of the first part may have been read.
    #[cfg_attr(all(loom, test), allow(dead_code))] // the models send and receive otherwise
    pub(crate) fn again(&mut self) -> Reader<'_> {
        match &mut self.replayed {
            Some((_, next)) => *next = 0,
            None => self.next = self.at as usize + BYTES,
        }
        Reader { receiver: self }
    }

    /// Returns a reader at the position where the reader that was [kept](Reader::keep) stopped. Dropping it skips the rest of the record.
    #[cfg_attr(all(loom, test), allow(dead_code))] // as `again`
    pub(crate) fn resume(&mut self) -> Reader<'_> {
        Reader { receiver: self }
    }

    /// Makes a record that was set aside ([`Reader::copy`]) the current record, for [`again`](Receiver::again). The next record of the
    /// channel follows it.
    #[cfg_attr(all(loom, test), allow(dead_code))] // the models send and receive otherwise
    pub(crate) fn replay(&mut self, kind: u32, bytes: Vec<u8>) {
        self.pass();
        self.part = Part::new(kind, 0, 0);
        // The current part is empty, so every read calls `get_parts`.
        (self.next, self.end) = (0, 0);
        self.replayed = Some((bytes, 0));
    }

    /// Returns the next record, or `None` if none has arrived.
    ///
    /// # Errors
    ///
    /// Same as [`next`](Receiver::next).
    #[inline]
    pub fn try_next(&mut self) -> Result<Option<Reader<'_>>, Error> {
        self.pass();
        loop {
            let word = match self.next_word() {
                0 => {
                    if self.inbox.is_some() {
                        self.fill(false)?;
                    } else {
                        self.ended()?;
                    }
                    // Parts that were sent before the end are visible now.
                    match self.next_word() {
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

    /// Returns an error if the connection ended or the peer's sender was dropped, and all parts that were sent before were read.
    fn ended(&self) -> Result<(), Error> {
        let closed = self.ring.sender().closed.load(Ordering::Acquire) != 0;
        let ended = self.ends.check().and(if closed { Err(Error::Closed) } else { Ok(()) });
        if self.next_word() == 0 { ended } else { Ok(()) }
    }

    #[inline(always)]
    fn next_word(&self) -> u64 {
        self.ring.word(self.at as usize).load(Ordering::Acquire)
    }

    /// Enters the part with this header, and returns whether it begins a record. Continuation parts, of a record that was not read to its
    /// end, are skipped.
    #[inline(always)]
    fn begin(&mut self, word: u64) -> Result<bool, Error> {
        let part = Part::read(word, self.largest).map_err(Error::Protocol)?;
        if part.has(NOT_FIRST) != self.within {
            return Err(Error::Protocol(ProtocolError::Order));
        }
        if part.has(NOT_FIRST) {
            self.open_continuation(part);
            self.pass();
        } else {
            self.open(part);
        }
        Ok(!part.has(NOT_FIRST))
    }

    /// Enters a continuation part.
    #[cold]
    fn open_continuation(&mut self, part: Part) {
        self.begin_timeout();
        self.rest.moved(part.size());
        self.open(part);
    }

    /// Starts the timeout of a record, unless more than its first part was read.
    fn begin_timeout(&mut self) {
        if !self.within || !self.part.has(NOT_FIRST) {
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
        self.begin_timeout();
        if self.inbox.is_some() {
            self.fill(true)?;
            return Ok(self.next_word());
        }
        let most = if self.within { self.rest.left() } else { self.next_record };
        let mut word = 0;
        let Receiver { ring, ends, waiter, at, is_streaming, heavy, waited, .. } = self;
        let stream = is_streaming.then(|| *at - *waited);
        *waited = *at;
        // Published before the wait, because the sender may omit its full fences from then on.
        *heavy = *heavy || fences_heavily(ring);
        let before = if *is_streaming && *heavy { Before::Heavy } else { Before::Full };
        let ready = || {
            word = ring.word(*at as usize).load(Ordering::Acquire);
            Ok(word != 0)
        };
        let ends_of_ring = (ring.receiver(), ring.sender());
        let slept = waiter.wait(ends_of_ring, ends, &ring.fences, (before, stream), most, ready)?;
        if self.within {
            self.rest.spend(slept);
        }
        Ok(word)
    }

    /// Receives the next part over the socket. Without `waits` the part may still be missing afterwards.
    #[cold]
    fn fill(&mut self, waits: bool) -> Result<(), Error> {
        let (Some(inbox), Some(stream)) = (&mut self.inbox, self.ends.stream()) else { return Ok(()) };
        let next = if self.within { None } else { Some(Timeout::new(self.next_record)) };
        let timeout = waits.then_some((&mut self.rest, next));
        match inbox.fill(stream, &self.ring, self.at, timeout)? {
            Filled::Part | Filled::Nothing => Ok(()),
            Filled::End => Err(self.ends.close_reason(stream, Half::Sender)),
        }
    }

    /// Leaves the current part.
    #[inline(always)]
    fn pass(&mut self) {
        if !self.open {
            return self.end_replay();
        }
        self.open = false;
        self.at += self.part.stride(self.at as usize) as u64;
        self.within = self.part.has(MORE);
        self.is_streaming = !self.part.has(URGENT);
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

    /// Waits for the next part of the current record and enters it.
    fn next_part(&mut self) -> Result<(), Error> {
        if !self.part.has(MORE) {
            return Err(if self.part.is_aborted() { Error::Cut } else { Error::End });
        }
        self.pass();
        let word = match self.next_word() {
            0 => self.wait()?,
            word => word,
        };
        let part = Part::read(word, self.largest).map_err(Error::Protocol)?;
        if !part.has(NOT_FIRST) || part.kind() != self.part.kind() {
            return Err(Error::Protocol(ProtocolError::Order));
        }
        self.open_continuation(part);
        Ok(())
    }

    /// Copies bytes of a record that was set aside, or of several parts.
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

    /// Publishes the read position to the sender.
    #[cold]
    fn publish(&mut self) {
        self.published = self.at;
        self.ring.consumed().store(self.at, Ordering::Release);
        self.ring.fences.full();
        wake(self.ring.sender());
    }
}

/// The largest number of bytes of one-way records that are copied at a time.
const WINDOW: usize = 16 << 10;

impl Drop for Receiver {
    fn drop(&mut self) {
        if is_over() {
            return;
        }
        if let Some(stream) = self.ends.stream() {
            return stream.notify_closed(Half::Receiver);
        }
        self.ring.receiver().closed.store(1, Ordering::Release);
        self.ring.fences.full();
        wake(self.ring.sender());
    }
}

/// A reader of a record that is complete in the ring.
#[cfg_attr(all(loom, test), allow(dead_code))] // as `Receiver::next_small`
pub(crate) struct Small<'a> {
    receiver: &'a mut Receiver,
}

#[cfg_attr(all(loom, test), allow(dead_code))] // as `Receiver::next_small`
impl Small<'_> {
    /// Returns the size in bytes.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.receiver.part.size()
    }

    /// Reads the next number. Beyond the record the value is arbitrary.
    #[inline(always)]
    pub fn get_u64(&mut self) -> u64 {
        let bytes = self.receiver.ring.load(self.receiver.next);
        self.receiver.next += bytes.len();
        u64::from_ne_bytes(bytes)
    }

    /// Reads the next bytes. Beyond the record their values are arbitrary.
    #[inline(always)]
    pub fn get(&mut self, to: &mut [u8]) {
        self.receiver.ring.read(self.receiver.next, to);
        self.receiver.next += to.len();
    }
}

/// A reader of a record. Dropping it skips the rest of the record.
pub struct Reader<'a> {
    receiver: &'a mut Receiver,
}

macro_rules! gets {
    ($($name:ident $type:ty),*) => {$(
        /// Reads the next number, in native byte order.
        ///
        /// # Errors
        ///
        /// Same as [`get`](Reader::get).
        #[inline]
        pub fn $name(&mut self) -> Result<$type, Error> {
            self.get_array().map(<$type>::from_ne_bytes)
        }
    )*};
}

impl Reader<'_> {
    /// Keeps the receiver at this record, for [`again`](Receiver::again).
    #[cfg_attr(all(loom, test), allow(dead_code))] // the models send and receive otherwise
    pub(crate) fn keep(self) {
        std::mem::forget(self);
    }

    /// Returns the kind that the sender passed to [`record`](crate::Sender::record).
    #[inline(always)]
    #[must_use]
    pub fn kind(&self) -> u32 {
        self.receiver.part.kind()
    }

    /// Returns the number of bytes that can be read without waiting: the rest of the record, unless [`is_open`](Reader::is_open).
    #[inline]
    #[must_use]
    pub fn remaining(&self) -> usize {
        match &self.receiver.replayed {
            Some((bytes, next)) => bytes.len() - next,
            None => self.receiver.end - self.receiver.next,
        }
    }

    /// Copies the whole record, so it can be read later ([`Receiver::replay`]).
    ///
    /// # Errors
    ///
    /// Same as [`get`](Reader::get); [`Error::Protocol`] if the record has more than `limit` bytes.
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
                return if self.receiver.part.is_aborted() { Err(Error::Cut) } else { Ok(bytes) };
            }
            self.receiver.next_part()?;
        }
    }

    /// Returns whether more bytes may follow those of [`remaining`](Reader::remaining): the record is larger than a part.
    #[inline]
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.receiver.part.has(MORE)
    }

    gets!(get_u8 u8, get_u16 u16, get_u32 u32, get_u64 u64);

    /// Reads the next `N` bytes, at most 4096. This is a plain load if they are in one part.
    ///
    /// # Errors
    ///
    /// Same as [`get`](Reader::get).
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

    /// Fills `to` with the next bytes of the record.
    ///
    /// # Errors
    ///
    /// [`Error::End`] if the record has fewer bytes left, [`Error::Cut`] if the sender aborted the record, and those of
    /// [`next`](Receiver::next). The contents of `to` are unspecified after an error.
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

    /// Reads the last 8 bytes of the record.
    ///
    /// # Errors
    ///
    /// Same as [`get`](Reader::get).
    #[cfg_attr(all(loom, test), allow(dead_code))] // the models send and receive otherwise
    pub(crate) fn last_u64(&mut self) -> Result<u64, Error> {
        let (mut last, mut count) = ([0; 8], 0usize);
        loop {
            let skipped = self.remaining().saturating_sub(last.len());
            self.skip(skipped)?;
            match self.get_array() {
                Ok([next]) => {
                    last.rotate_left(1);
                    last[7] = next;
                    count += 1;
                }
                Err(Error::End) if count >= last.len() => return Ok(u64::from_le_bytes(last)),
                Err(why) => return Err(why),
            }
        }
    }

    /// Skips `count` bytes.
    ///
    /// # Errors
    ///
    /// Same as [`get`](Reader::get).
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
