//! The sending end of a ring.

use std::time::Duration;

use crate::transport::Error;
use crate::transport::error::ProtocolError;
use crate::transport::header::{BYTES, LINE, MORE, NOT_FIRST, Part, URGENT};
use crate::transport::life::Ends;
use crate::transport::memory::Ring;
use crate::transport::stream::Half;
use crate::transport::sync::{Arc, Ordering, is_over, registered};
use crate::transport::timeout::Timeout;
use crate::transport::wait::{Before, Spin, Waiter, wake, wake_sleeper};

/// The number of bytes of a ring that stay unused: for the header after a record, the padding of an urgent part, and the header that aborts a
/// record.
const RESERVE: usize = 2 * LINE;
/// The largest part of a record in bytes. The peer copies it in less time than it spins.
const LARGEST_PART: usize = 32 << 10;

/// Returns the largest part of a record in a ring, in bytes. Four parts fit, so the receiver copies one while the sender fills another.
pub(crate) fn largest_part(ring: &Ring) -> usize {
    (ring.size() / 4).min(LARGEST_PART)
}

/// When the peer should receive a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// At once, because this thread is about to wait for the reply.
    Now,
    /// Soon, without a further call of the sender. This costs less for each record if a sender sends many records.
    Later,
}

/// Sends records to one thread of the other process.
pub struct Sender {
    ring: Ring,
    ends: Arc<Ends>,
    waiter: Waiter,
    /// The position of the next part. Positions count bytes since the channel was opened.
    at: u64,
    /// The last known read position of the receiver.
    consumed: u64,
    /// The largest part in bytes.
    largest: usize,
    /// Whether the last record was not urgent and the receiver executes heavy fences. The next record needs no full fence then.
    is_streaming: bool,
    /// The position up to which [`send_one_way`](Sender::send_one_way) may write; 0 if it may not.
    one_way_limit: u64,
    /// The timeout for space in the ring.
    timeout: Timeout,
    /// The position of the next byte of the current record.
    next: usize,
    /// The end of the space for the current part.
    limit: usize,
    /// The kind of the current record.
    kind: u32,
    /// Whether a part of the current record was sent.
    has_sent_part: bool,
    failed: Option<Error>,
}

impl Sender {
    pub(crate) fn new(ring: Ring, ends: Arc<Ends>, spin: Spin) -> Sender {
        let largest = largest_part(&ring);
        let waiter = Waiter::new(spin, ring.which);
        Sender {
            ring,
            ends,
            waiter,
            at: 0,
            consumed: 0,
            largest,
            is_streaming: false,
            one_way_limit: 0,
            timeout: Timeout::default(),
            next: 0,
            limit: 0,
            kind: 0,
            has_sent_part: false,
            failed: None,
        }
    }

    #[cfg_attr(all(loom, test), allow(dead_code))] // the models send and receive otherwise
    pub(crate) fn set_timeout(&mut self, most: Option<Duration>) {
        self.timeout = Timeout::new(most);
    }

    /// Begins a record. The meaning of `kind` is up to the caller.
    ///
    /// A record that fits in one part is sent by [`commit`](Writer::commit). Each part of a larger record is sent when it is full.
    #[inline(always)]
    pub fn record(&mut self, kind: u32) -> Writer<'_> {
        if self.has_sent_part {
            self.abort();
        }
        (self.kind, self.failed) = (kind, None);
        self.next = self.at as usize + BYTES;
        self.limit = self.space_end();
        if self.limit <= self.next || self.ends.check().is_err() {
            self.make_space();
        }
        Writer { sender: self }
    }

    /// Begins a record of `size` bytes that is sent in one part. Returns `None` if the known space is too small, or the channel uses a
    /// socket, failed, or has a record to abort.
    #[inline(always)]
    #[cfg_attr(all(loom, test), allow(dead_code))] // the models send and receive otherwise
    pub(crate) fn small(&mut self, kind: u32, size: usize, wake: Wake) -> Option<Small<'_>> {
        let next = self.at as usize + BYTES;
        let is_next = !self.has_sent_part && self.ends.check().is_ok() && self.ends.stream().is_none();
        (is_next && size <= self.largest && next + size <= self.consumed as usize + self.ring.size() - RESERVE).then(
            || Small { part: Part::new(kind, size, if wake == Wake::Now { URGENT } else { 0 }), sender: self, next },
        )
    }

    /// Sends a one-way record in one part. `put` writes its payload, from the given position on. Returns `false` without sending if this end is
    /// not streaming, or if there is not enough known space.
    #[inline(always)]
    pub(crate) fn send_one_way(&mut self, part: Part, stride: usize, put: impl FnOnce(&Ring, usize)) -> bool {
        // Fault injection needs the general path.
        if self.at + stride as u64 > self.one_way_limit || cfg!(all(feature = "fault-injection", not(loom))) {
            return false;
        }
        let (ring, start) = (&self.ring, self.at as usize);
        put(ring, start + BYTES);
        // The next header still contains bytes of an earlier lap.
        ring.word(start + stride).store(0, Ordering::Relaxed);
        ring.word(start).store(part.word(), Ordering::Release);
        self.at += stride as u64;
        ring.one_way_end().store(self.at, Ordering::Release);
        ring.fences.light();
        if ring.receiver().asleep.load(Ordering::Relaxed) != 0 {
            self.wake_receiver();
        }
        true
    }

    /// Computes [`one_way_limit`](Sender::one_way_limit).
    #[inline(always)]
    fn update_one_way_limit(&mut self) {
        // A private ring never streams, because its receiver is a socket.
        let may = self.is_streaming && !self.has_sent_part;
        self.one_way_limit = if may { self.consumed + (self.ring.size() - RESERVE) as u64 } else { 0 };
    }

    /// Returns the end of the space for the current part, which may precede its first byte. A part is at most `largest` bytes long.
    #[inline]
    fn space_end(&self) -> usize {
        let end = self.consumed as usize + self.ring.size() - RESERVE;
        end.min(self.at as usize + BYTES + self.largest)
    }

    /// Reads the position of the receiver.
    #[inline]
    fn update_consumed(&mut self) -> Result<(), Error> {
        read_consumed(&self.ring, self.at, &mut self.consumed)?;
        self.update_one_way_limit();
        Ok(())
    }

    #[inline(always)]
    fn publish(&mut self, part: Part) {
        let start = self.at as usize;
        let stride = part.stride(start);
        // The next header still contains bytes of an earlier lap.
        self.ring.word(start + stride).store(0, Ordering::Relaxed);
        self.ring.word(start).store(part.word(), Ordering::Release);
        self.at += stride as u64;
        if self.is_streaming && !part.has(URGENT) {
            self.ring.fences.light();
        } else {
            self.ring.fences.full();
            self.is_streaming =
                !part.has(URGENT) && registered() && self.ring.receiver().heavy.load(Ordering::Relaxed) != 0;
        }
        self.update_one_way_limit();
        if self.ring.receiver().asleep.load(Ordering::Relaxed) != 0 {
            self.wake_receiver();
        }
        if part.has(URGENT) {
            self.ring.will_write(self.at as usize + LINE, stride);
        }
    }

    #[cold]
    fn wake_receiver(&mut self) {
        if self.ends.stream().is_none() {
            return wake_sleeper(&self.ring.receiver());
        }
        if !self.has_sent_part {
            self.timeout.restart();
        }
        // Errors are returned by the next record.
        if self.flush() == Err(Error::Silent)
            && let Some(stream) = self.ends.stream()
        {
            self.ends.set_silent(stream);
        }
    }

    /// Sends the contents of a private ring over the socket.
    fn flush(&mut self) -> Result<(), Error> {
        let Some(stream) = self.ends.stream() else { return Ok(()) };
        while self.consumed < self.at {
            let size = (self.at - self.consumed) as usize;
            match stream.send(&self.ring, self.consumed, size, &mut self.timeout)? {
                0 => return Err(self.ends.close_reason(stream, Half::Receiver)),
                sent => self.consumed += sent as u64,
            }
            self.ring.consumed().store(self.consumed, Ordering::Relaxed);
        }
        Ok(())
    }

    #[inline(always)]
    fn send_part(&mut self, more: bool, urgent: bool) {
        let size = self.next - self.at as usize - BYTES;
        #[cfg(all(feature = "fault-injection", not(loom)))]
        let size = super::inject::corrupt(&self.ring, self.kind, self.at as usize + BYTES, size);
        let flag = |is_set: bool, flag: u64| if is_set { flag } else { 0 };
        let flags = flag(more, MORE) | flag(self.has_sent_part, NOT_FIRST) | flag(urgent, URGENT);
        self.has_sent_part = more;
        self.publish(Part::new(self.kind, size, flags));
    }

    /// Sends the bytes written so far as a part, and begins the next part.
    fn send_so_far(&mut self, urgent: bool) {
        if !self.has_sent_part {
            self.timeout.begin(self.at);
        }
        self.timeout.moved(self.next - self.at as usize - BYTES);
        self.send_part(true, urgent);
        self.next = self.at as usize + BYTES;
    }

    /// Aborts a record of which a part was sent. [`RESERVE`] leaves space for the header.
    #[cold]
    fn abort(&mut self) {
        self.has_sent_part = false;
        self.publish(Part::aborted(self.kind));
    }

    #[cold]
    fn fail(&mut self, why: Error) {
        self.failed = Some(why);
        self.limit = self.next;
    }

    /// Waits for space for at least one byte, or sets `failed`.
    #[cold]
    fn make_space(&mut self) {
        // The receiver may have advanced since the last read of its position, or may have ended.
        match self.ends.check().and_then(|()| self.update_consumed()) {
            Ok(()) => self.limit = self.space_end(),
            Err(why) => self.fail(why),
        }
        if self.limit <= self.next && self.failed.is_none() {
            self.wait_for_space();
        }
    }

    #[cold]
    fn wait_for_space(&mut self) {
        if !self.has_sent_part {
            self.timeout.begin(self.at);
        }
        if self.ends.stream().is_some() {
            return match self.flush() {
                Ok(()) => self.limit = self.space_end(),
                Err(why) => self.fail(why),
            };
        }
        let Sender { ring, ends, waiter, at, consumed, next, timeout, .. } = self;
        let ready = || {
            read_consumed(ring, *at, consumed)?;
            Ok(*consumed as usize + ring.size() - RESERVE > *next)
        };
        let (ends_of_ring, most) = ((ring.sender(), ring.receiver()), timeout.left());
        match waiter.wait(ends_of_ring, ends, &ring.fences, (Before::Full, None), most, ready) {
            Ok(slept) => {
                self.timeout.spend(slept);
                self.update_one_way_limit();
                self.limit = self.space_end();
            }
            Err(why) => self.fail(why),
        }
    }

    /// Appends bytes that do not fit in the current part.
    #[cold]
    fn put_parts(&mut self, mut bytes: &[u8]) {
        while self.failed.is_none() {
            let (now, rest) = bytes.split_at(bytes.len().min(self.limit.saturating_sub(self.next)));
            self.ring.write(self.next, now);
            self.next += now.len();
            bytes = rest;
            if bytes.is_empty() {
                return;
            }
            if self.next - self.at as usize - BYTES >= self.largest {
                self.send_so_far(false);
            }
            self.make_space();
        }
    }
}

#[cfg(all(loom, test))]
impl Sender {
    pub(crate) fn ring_for_test(&self) -> &Ring {
        &self.ring
    }
}

#[inline]
fn read_consumed(ring: &Ring, at: u64, known: &mut u64) -> Result<(), Error> {
    let consumed = ring.consumed().load(Ordering::Acquire);
    if consumed < *known || consumed > at {
        return Err(Error::Protocol(ProtocolError::Cursor));
    }
    *known = consumed;
    Ok(())
}

impl Drop for Sender {
    fn drop(&mut self) {
        if is_over() {
            return;
        }
        if let Some(stream) = self.ends.stream() {
            return stream.notify_closed(Half::Sender);
        }
        self.ring.sender().closed.store(1, Ordering::Release);
        self.ring.fences.full();
        wake(self.ring.receiver());
    }
}

/// A writer of a record. Dropping it without [`commit`](Writer::commit) aborts the record.
///
/// Errors are returned by `commit`; later writes have no effect.
#[must_use = "a record that is not committed is not sent"]
pub struct Writer<'a> {
    sender: &'a mut Sender,
}

/// A writer of a record of known size in one part. Dropping it without [`send`](Small::send) sends nothing.
#[cfg_attr(all(loom, test), allow(dead_code))] // as `Sender::small`
pub(crate) struct Small<'a> {
    sender: &'a mut Sender,
    part: Part,
    next: usize,
}

#[cfg_attr(all(loom, test), allow(dead_code))] // as `Sender::small`
impl Small<'_> {
    /// Appends `N` bytes. All bytes together must not exceed the size of the record.
    #[inline(always)]
    pub fn put_array<const N: usize>(&mut self, bytes: [u8; N]) {
        #[cfg(all(feature = "fault-injection", not(loom)))]
        super::inject::field(self.next, N);
        self.sender.ring.store(self.next, bytes);
        self.next += N;
    }

    /// Appends bytes. All bytes together must not exceed the size of the record.
    #[inline]
    pub fn put(&mut self, bytes: &[u8]) {
        self.sender.ring.write(self.next, bytes);
        self.next += bytes.len();
    }

    #[inline(always)]
    pub fn send(self) {
        debug_assert_eq!(self.next, self.sender.at as usize + BYTES + self.part.size());
        let part = self.part;
        #[cfg(all(feature = "fault-injection", not(loom)))]
        let part = part.with_size(super::inject::corrupt(
            &self.sender.ring,
            part.kind(),
            self.sender.at as usize + BYTES,
            part.size(),
        ));
        self.sender.publish(part);
    }
}

macro_rules! puts {
    ($($name:ident $type:ty),*) => {$(
        /// Appends a number, in native byte order.
        #[inline]
        pub fn $name(&mut self, value: $type) {
            self.put_array(value.to_ne_bytes());
        }
    )*};
}

impl Writer<'_> {
    puts!(put_u8 u8, put_u16 u16, put_u32 u32, put_u64 u64);

    /// Appends `N` bytes, at most 4096. This is a plain store if there is space.
    #[inline(always)]
    pub fn put_array<const N: usize>(&mut self, bytes: [u8; N]) {
        let sender = &mut *self.sender;
        if sender.limit.wrapping_sub(sender.next) as isize >= N as isize {
            #[cfg(all(feature = "fault-injection", not(loom)))]
            super::inject::field(sender.next, N);
            sender.ring.store(sender.next, bytes);
            sender.next += N;
        } else {
            sender.put_parts(&bytes);
        }
    }

    /// Appends bytes.
    #[inline]
    pub fn put(&mut self, bytes: &[u8]) {
        let sender = &mut *self.sender;
        if sender.limit.wrapping_sub(sender.next) as isize >= bytes.len() as isize {
            sender.ring.write(sender.next, bytes);
            sender.next += bytes.len();
        } else {
            sender.put_parts(bytes);
        }
    }

    /// Sends the bytes written so far if the peer is awake. The peer then waits for the rest of the record, and does not sleep if the rest
    /// arrives soon.
    #[cfg_attr(all(loom, test), allow(dead_code))] // as `Sender::small`
    pub(crate) fn keep_awake(&mut self) {
        let sender = &mut *self.sender;
        if sender.failed.is_some() || sender.ring.receiver().asleep.load(Ordering::Relaxed) != 0 {
            return;
        }
        sender.send_so_far(true);
        sender.make_space();
    }

    /// Returns an error if the record cannot be sent any more, earlier than `commit` does.
    ///
    /// # Errors
    ///
    /// [`Error::Died`], [`Error::Closed`], [`Error::Stopped`], [`Error::Silent`] or [`Error::Protocol`].
    #[inline]
    pub fn check(&self) -> Result<(), Error> {
        self.sender.failed.map_or(Ok(()), Err)
    }

    /// Sends the record, or its last part.
    ///
    /// # Errors
    ///
    /// Same as [`check`](Writer::check). The peer does not receive the record then, or finds it aborted.
    #[inline(always)]
    pub fn commit(self, wake: Wake) -> Result<(), Error> {
        self.check()?;
        self.sender.send_part(false, wake == Wake::Now);
        Ok(())
    }
}

impl Drop for Writer<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.sender.has_sent_part {
            self.sender.abort();
        }
    }
}
