//! The end of a ring that sends.

use std::time::Duration;

use crate::transport::Error;
use crate::transport::error::ProtocolError;
use crate::transport::header::{BYTES, LATER, LINE, MORE, Part, URGENT};
use crate::transport::life::Ends;
use crate::transport::memory::Ring;
use crate::transport::stream::Half;
use crate::transport::sync::{Arc, Ordering, is_over, registered};
use crate::transport::timeout::Timeout;
use crate::transport::wait::{Before, Spin, Waiter, wake, wake_sleeper};

/// What is never used of a ring: the word behind a record, what an urgent one is padded with, and the end of a record that is given up.
const RESERVE: usize = 2 * LINE;
/// The largest part of a record: bytes. The other side copies it in less time than it spins.
const LARGEST_PART: usize = 32 << 10;

/// The largest part of a record in a ring. Four fit: the receiver copies one while the sender fills another.
pub(crate) fn largest_part(ring: &Ring) -> usize {
    (ring.size() / 4).min(LARGEST_PART)
}

/// When the other side should see a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// At once: this thread is about to wait for the answer.
    Now,
    /// Soon, and without a call that follows, but others come: the cost of each matters more.
    Later,
}

/// Sends records to one thread of the other process.
pub struct Sender {
    ring: Ring,
    ends: Arc<Ends>,
    waiter: Waiter,
    /// Where the next record begins, and what the receiver is known to have read: bytes since ever.
    at: u64,
    consumed: u64,
    largest: usize,
    /// The last record was not urgent, so the receiver fences heavily before it sleeps. Then the next need not be fenced.
    streams: bool,
    /// Where records end that need nothing but to be written: bytes since ever.
    room_to_tell: u64,
    /// How long the receiver may leave a record without room.
    timeout: Timeout,
    /// Of the record that is written: where its next byte goes, and where the room ends.
    next: usize,
    limit: usize,
    kind: u32,
    /// A part of it was sent.
    later: bool,
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
            streams: false,
            room_to_tell: 0,
            timeout: Timeout::default(),
            next: 0,
            limit: 0,
            kind: 0,
            later: false,
            failed: None,
        }
    }

    #[cfg_attr(all(loom, test), allow(dead_code))] // the models send and receive otherwise
    pub(crate) fn set_timeout(&mut self, most: Option<Duration>) {
        self.timeout = Timeout::new(most);
    }

    /// Begins a record. What `kind` means is the caller's.
    ///
    /// Nothing is sent before [`commit`](Writer::commit), unless the record is larger than what fits: then its parts are sent as
    /// they come.
    #[inline(always)]
    pub fn record(&mut self, kind: u32) -> Writer<'_> {
        if self.later {
            self.give_up();
        }
        (self.kind, self.failed) = (kind, None);
        self.next = self.at as usize + BYTES;
        self.limit = self.room();
        if self.limit <= self.next || self.ends.check().is_err() {
            self.make_room();
        }
        Writer { sender: self }
    }

    /// Begins a record of so many bytes that is sent in one part. None if there is no room that is known of, or something else is to
    /// be done first.
    #[inline(always)]
    #[cfg_attr(all(loom, test), allow(dead_code))] // the models send and receive otherwise
    pub(crate) fn small(&mut self, kind: u32, size: usize, wake: Wake) -> Option<Small<'_>> {
        let next = self.at as usize + BYTES;
        let is_next = !self.later && self.ends.check().is_ok() && self.ends.stream().is_none();
        (is_next && size <= self.largest && next + size <= self.consumed as usize + self.ring.size() - RESERVE).then(
            || Small { part: Part::new(kind, size, if wake == Wake::Now { URGENT } else { 0 }), sender: self, next },
        )
    }

    /// Sends a record of one part that nobody waits for: true. Not if the last one was of another kind, or something else is to be done
    /// first. `put` writes its payload, from the byte on that it is given.
    #[inline(always)]
    pub(crate) fn tell(&mut self, part: Part, stride: usize, put: impl FnOnce(&Ring, usize)) -> bool {
        // Fault injection needs the general path.
        if self.at + stride as u64 > self.room_to_tell || cfg!(all(feature = "fault-injection", not(loom))) {
            return false;
        }
        let (ring, start) = (&self.ring, self.at as usize);
        put(ring, start + BYTES);
        // What stands behind is of an earlier record.
        ring.word(start + stride).store(0, Ordering::Relaxed);
        ring.word(start).store(part.word(), Ordering::Release);
        self.at += stride as u64;
        ring.told().store(self.at, Ordering::Release);
        ring.fences.light();
        if ring.receiver().asleep.load(Ordering::Relaxed) != 0 {
            self.wake_receiver();
        }
        true
    }

    /// Up to where [`tell`](Sender::tell) may write.
    #[inline(always)]
    fn set_room_to_tell(&mut self) {
        // A ring of this process's own, whose receiver is no process, never streams.
        let may = self.streams && !self.later;
        self.room_to_tell = if may { self.consumed + (self.ring.size() - RESERVE) as u64 } else { 0 };
    }

    /// Where the room for the part ends: at most the largest part, and maybe before its first byte.
    #[inline]
    fn room(&self) -> usize {
        let room = self.consumed as usize + self.ring.size() - RESERVE;
        room.min(self.at as usize + BYTES + self.largest)
    }

    /// Reads how far the receiver is.
    #[inline]
    fn look(&mut self) -> Result<(), Error> {
        look(&self.ring, self.at, &mut self.consumed)?;
        self.set_room_to_tell();
        Ok(())
    }

    #[inline(always)]
    fn publish(&mut self, part: Part) {
        let start = self.at as usize;
        let stride = part.stride(start);
        // What stands behind is of an earlier record.
        self.ring.word(start + stride).store(0, Ordering::Relaxed);
        self.ring.word(start).store(part.word(), Ordering::Release);
        self.at += stride as u64;
        if self.streams && !part.has(URGENT) {
            self.ring.fences.light();
        } else {
            self.ring.fences.full();
            self.streams = !part.has(URGENT) && registered() && self.ring.receiver().heavy.load(Ordering::Relaxed) != 0;
        }
        self.set_room_to_tell();
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
        if !self.later {
            self.timeout.restart();
        }
        // What fails is said with the next record.
        if self.flush() == Err(Error::Silent)
            && let Some(stream) = self.ends.stream()
        {
            self.ends.give_up(stream);
        }
    }

    /// Sends what is in the ring, if it is this process's own: then its receiver sleeps always.
    fn flush(&mut self) -> Result<(), Error> {
        let Some(stream) = self.ends.stream() else { return Ok(()) };
        while self.consumed < self.at {
            let size = (self.at - self.consumed) as usize;
            match stream.send(&self.ring, self.consumed, size, &mut self.timeout)? {
                0 => return Err(self.ends.hung_up(stream, Half::Receiver)),
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
        let flags = flag(more, MORE) | flag(self.later, LATER) | flag(urgent, URGENT);
        self.later = more;
        self.publish(Part::new(self.kind, size, flags));
    }

    /// Sends what was put as a part of the record, and goes on behind it.
    fn send_so_far(&mut self, urgent: bool) {
        if !self.later {
            self.timeout.begin(self.at);
        }
        self.timeout.moved(self.next - self.at as usize - BYTES);
        self.send_part(true, urgent);
        self.next = self.at as usize + BYTES;
    }

    /// The receiver has a part of the record that was written. There is room for this always.
    #[cold]
    fn give_up(&mut self) {
        self.later = false;
        self.publish(Part::given_up(self.kind));
    }

    #[cold]
    fn fail(&mut self, why: Error) {
        self.failed = Some(why);
        self.limit = self.next;
    }

    /// Finds room for one byte at least, unless that fails.
    #[cold]
    fn make_room(&mut self) {
        // There may be more room than was known, and the other side may be gone.
        match self.ends.check().and_then(|()| self.look()) {
            Ok(()) => self.limit = self.room(),
            Err(why) => self.fail(why),
        }
        if self.limit <= self.next && self.failed.is_none() {
            self.wait_for_room();
        }
    }

    #[cold]
    fn wait_for_room(&mut self) {
        if !self.later {
            self.timeout.begin(self.at);
        }
        if self.ends.stream().is_some() {
            return match self.flush() {
                Ok(()) => self.limit = self.room(),
                Err(why) => self.fail(why),
            };
        }
        let Sender { ring, ends, waiter, at, consumed, next, timeout, .. } = self;
        let ready = || {
            look(ring, *at, consumed)?;
            Ok(*consumed as usize + ring.size() - RESERVE > *next)
        };
        let (ends_of_ring, most) = ((ring.sender(), ring.receiver()), timeout.left());
        match waiter.wait(ends_of_ring, ends, &ring.fences, (Before::Full, None), most, ready) {
            Ok(slept) => {
                self.timeout.spend(slept);
                self.set_room_to_tell();
                self.limit = self.room();
            }
            Err(why) => self.fail(why),
        }
    }

    /// Appends what does not fit at once.
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
            self.make_room();
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
fn look(ring: &Ring, at: u64, known: &mut u64) -> Result<(), Error> {
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
            return stream.tell(Half::Sender);
        }
        self.ring.sender().closed.store(1, Ordering::Release);
        self.ring.fences.full();
        wake(self.ring.receiver());
    }
}

/// A record that is written. Dropped without [`commit`](Writer::commit), it is given up.
///
/// What goes wrong is said by `commit`; what is put after that is dropped.
#[must_use = "a record that is not committed is not sent"]
pub struct Writer<'a> {
    sender: &'a mut Sender,
}

/// A small record that is written. Dropped without [`send`](Small::send), it was none.
#[cfg_attr(all(loom, test), allow(dead_code))] // as `Sender::small`
pub(crate) struct Small<'a> {
    sender: &'a mut Sender,
    part: Part,
    next: usize,
}

#[cfg_attr(all(loom, test), allow(dead_code))] // as `Sender::small`
impl Small<'_> {
    /// Appends bytes of a known number: no more in all than was said.
    #[inline(always)]
    pub fn put_array<const N: usize>(&mut self, bytes: [u8; N]) {
        #[cfg(all(feature = "fault-injection", not(loom)))]
        super::inject::field(self.next, N);
        self.sender.ring.store(self.next, bytes);
        self.next += N;
    }

    /// Appends bytes: no more in all than was said.
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
        /// Appends a number, in the order of bytes of this machine.
        #[inline]
        pub fn $name(&mut self, value: $type) {
            self.put_array(value.to_ne_bytes());
        }
    )*};
}

impl Writer<'_> {
    puts!(put_u8 u8, put_u16 u16, put_u32 u32, put_u64 u64);

    /// Appends bytes of a known number, up to 4096: a store where there is room.
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

    /// Sends what was put so far if the other side is awake: it waits for the rest, which comes soon, and does not sleep meanwhile.
    #[cfg_attr(all(loom, test), allow(dead_code))] // as `Sender::small`
    pub(crate) fn keep_awake(&mut self) {
        let sender = &mut *self.sender;
        if sender.failed.is_some() || sender.ring.receiver().asleep.load(Ordering::Relaxed) != 0 {
            return;
        }
        sender.send_so_far(true);
        sender.make_room();
    }

    /// Why the record cannot be sent any more: sooner than `commit` says it.
    ///
    /// # Errors
    ///
    /// [`Error::Died`], [`Error::Closed`], [`Error::Stopped`] or [`Error::Protocol`].
    #[inline]
    pub fn check(&self) -> Result<(), Error> {
        self.sender.failed.map_or(Ok(()), Err)
    }

    /// Sends the record, or the rest of it.
    ///
    /// # Errors
    ///
    /// As [`check`](Writer::check). Then the record is not received, or not as a whole.
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
        if self.sender.later {
            self.sender.give_up();
        }
    }
}
