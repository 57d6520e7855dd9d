//! A connection of a guest and a worker: shared memory, its channels, and a thread that learns of the other's death.

mod files;
mod handshake;

use std::collections::{HashMap, HashSet, VecDeque};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

pub(crate) use self::files::most_files;
pub use self::handshake::ConnectError;
use super::link::{self, Credentials, Link};
use crate::transport::channel::{Channel, Side, Transport};
use crate::transport::locks::{Condvar, Mutex, MutexGuard};
use crate::transport::memory::{Geometry, Segment};
use crate::transport::stream::{Half, Stream};
use crate::transport::sync::register_fences;
use crate::transport::timeout::Timeout;
use crate::transport::{Error, Life, ProtocolError, Spin};

/// Messages: this byte, and the index of a channel, or the number of a file, as a little-endian `u32`.
///
/// Over sockets, who opens a channel sends a socket with `OPEN`. That an end of it was dropped is told at once, and `CLOSE` comes once
/// both are.
pub(super) const OPEN: u8 = 1;
pub(super) const CLOSE: u8 = 2;
pub(super) const SENDER_GONE: u8 = 3;
pub(super) const RECEIVER_GONE: u8 = 4;
/// A file comes with it.
pub(super) const FILE: u8 = 5;
/// It is not needed any more, if it was not taken yet.
pub(super) const TAKE_BACK: u8 = 6;

/// The channel of a guest that is open in shared memory from the start: a worker serves it without waiting for a message.
const FIRST: u32 = 0;

/// One end of a connection.
pub struct Connection {
    shared: Arc<Shared>,
    watcher: Option<JoinHandle<()>>,
}

struct Shared {
    link: Link,
    geometry: Geometry,
    /// None over sockets.
    segment: Option<Segment>,
    side: Side,
    spin: Spin,
    life: Life,
    credentials: Credentials,
    state: Mutex<State>,
    changed: Condvar,
    /// The number of the next file that this side sends.
    next_file: Mutex<u32>,
    /// How long the other side is waited for; and by who made a channel, for the next record.
    timeout: OnceLock<[Option<Duration>; 2]>,
}

#[derive(Default)]
struct State {
    /// Channels of this side that are in use by it, and by the other side.
    here: HashSet<u32>,
    there: HashSet<u32>,
    /// What the other side opened, and nobody took yet; and what it has open.
    waiting: VecDeque<u32>,
    opened: HashSet<u32>,
    /// The sockets of channels, until both sides have closed the channel.
    streams: HashMap<u32, Arc<Stream>>,
    /// What the other side opened and closed, and this one has open.
    left: HashSet<u32>,
    /// The worker has [`FIRST`] open already.
    is_first_open: bool,
    files: self::files::Arrived,
    ended: Option<Error>,
}

impl Connection {
    fn new(
        link: Link,
        geometry: Geometry,
        segment: Option<Segment>,
        side: Side,
        spin: Spin,
    ) -> Result<Connection, ConnectError> {
        let credentials = link.credentials()?;
        let process = link.process();
        let mut state = State { is_first_open: segment.is_some(), ..State::default() };
        if state.is_first_open && side == Side::B {
            state.opened.insert(FIRST);
            state.waiting.push_back(FIRST);
        }
        let (life, state, changed, timeout) = (Life::default(), Mutex::new(state), Condvar::new(), OnceLock::new());
        let shared = Arc::new(Shared {
            link,
            geometry,
            segment,
            side,
            spin,
            life,
            credentials,
            state,
            changed,
            next_file: Mutex::default(),
            timeout,
        });
        // Before there is another thread, if the process has only this one.
        register_fences();
        let watched = Arc::clone(&shared);
        let watcher = std::thread::Builder::new()
            .name("lapis-cx-watch".to_owned())
            .spawn(move || watched.watch(process.as_ref()))?;
        Ok(Connection { shared, watcher: Some(watcher) })
    }

    /// Who the other process is.
    #[must_use]
    pub fn credentials(&self) -> Credentials {
        self.shared.credentials
    }

    /// How large rings are, and how many channels there can be.
    #[must_use]
    pub fn geometry(&self) -> Geometry {
        self.shared.geometry
    }

    /// How long channels that are made from now on wait, as [`Channel::set_timeout`] has it; `next` is for those which this side
    /// opens. Said once.
    pub(crate) fn set_timeout(&self, rest: Option<Duration>, next: Option<Duration>) {
        let _ = self.shared.timeout.set([rest, next]);
    }

    /// What carries the records.
    #[must_use]
    pub fn transport(&self) -> Transport {
        if self.shared.segment.is_some() { Transport::Shared } else { Transport::Socket }
    }

    /// Tells of the death of the other process, and ends all waiting of this one.
    #[must_use]
    pub fn life(&self) -> Life {
        self.shared.life.clone()
    }

    /// Opens a channel. It can be used at once: the other side gets its end from [`accept`](Connection::accept).
    ///
    /// Waits if the other side has all channels that are not in use here: it is about to close those.
    ///
    /// # Errors
    ///
    /// [`Error::System`] with `EMFILE` if all channels of this side are in use by it, or for another reason; [`Error::Died`],
    /// [`Error::Stopped`] and [`Error::Silent`].
    pub fn open(&self) -> Result<Channel, Error> {
        let shared = &self.shared;
        let index = {
            let mut state = shared.state();
            let mut timeout = Timeout::new(shared.timeout.get().and_then(|[rest, _]| *rest));
            let index = loop {
                state.ended.map_or(Ok(()), Err)?;
                if let Some(index) =
                    shared.own().find(|index| !state.here.contains(index) && !state.there.contains(index))
                {
                    break index;
                }
                if shared.own().all(|index| state.here.contains(&index)) {
                    return Err(Error::System(libc::EMFILE));
                }
                state = shared.wait_within(state, &mut timeout)?;
            };
            state.here.insert(index);
            state.there.insert(index);
            index
        };
        shared.begin(index).map_err(|why| {
            let mut state = shared.state();
            state.there.remove(&index);
            state.here.remove(&index);
            state.streams.remove(&index);
            shared.changed.notify_all();
            state.ended.unwrap_or(Error::System(why.raw_os_error().unwrap_or(0)))
        })
    }

    /// Waits for a channel that the other side opens.
    ///
    /// # Errors
    ///
    /// [`Error::Died`], [`Error::Stopped`], [`Error::Protocol`] once the connection ended; [`Error::System`].
    pub fn accept(&self) -> Result<Channel, Error> {
        let shared = &self.shared;
        let mut state = shared.state();
        let index = loop {
            if let Some(index) = state.waiting.pop_front() {
                break index;
            }
            state.ended.map_or(Ok(()), Err)?;
            state = shared.wait(state);
        };
        drop(state);
        shared.channel(index).map_err(|why| {
            // The other side need not wait for it.
            shared.state().streams.remove(&index);
            shared.closed_here(index);
            Error::System(why.raw_os_error().unwrap_or(0))
        })
    }

    /// Ends the connection: whoever waits, of this process, gets [`Error::Stopped`].
    pub fn stop(&self) {
        self.shared.end(Error::Stopped);
        self.shared.link.shut_down();
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.stop();
        if let Some(watcher) = self.watcher.take() {
            // It does not panic; if it did, it has said so.
            let _ = watcher.join();
        }
    }
}

pub(super) fn message(what: u8, index: u32) -> [u8; 5] {
    let [a, b, c, d] = index.to_le_bytes();
    [what, a, b, c, d]
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_within<'a>(
        &self,
        state: MutexGuard<'a, State>,
        timeout: &mut Timeout,
    ) -> Result<MutexGuard<'a, State>, Error> {
        let Some(left) = timeout.left() else { return Ok(self.wait(state)) };
        let began = Instant::now();
        let (state, ended) = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner);
        timeout.spend(began.elapsed());
        if ended.timed_out() { Err(Error::Silent) } else { Ok(state) }
    }

    /// The channels that this side opens: a guest the even ones, a worker the odd ones.
    fn own(&self) -> impl Iterator<Item = u32> + use<> {
        (self.side as u32..self.geometry.channels).step_by(2)
    }

    fn is_own(&self, index: u32) -> bool {
        index % 2 == self.side as u32
    }

    /// Makes a channel that nobody uses, and tells the other side.
    fn begin(self: &Arc<Shared>, index: u32) -> io::Result<Channel> {
        if index == FIRST && self.state().is_first_open {
            let channel = self.channel(index)?;
            self.state().is_first_open = false;
            return Ok(channel);
        }
        let theirs = match &self.segment {
            // It is empty again.
            Some(segment) => segment.clear(index).map(|()| None)?,
            None => {
                let [mine, theirs] = link::stream_pair()?;
                let mine = self.stream(mine, index)?;
                self.state().streams.insert(index, mine);
                Some(theirs)
            }
        };
        let channel = self.channel(index)?;
        self.link.send(&message(OPEN, index), theirs.as_ref().map(AsFd::as_fd))?;
        Ok(channel)
    }

    fn stream(self: &Arc<Shared>, socket: OwnedFd, index: u32) -> io::Result<Arc<Stream>> {
        let shared = Arc::downgrade(self);
        let tell = move |half| {
            if let Some(shared) = shared.upgrade() {
                let what = if half == Half::Sender { SENDER_GONE } else { RECEIVER_GONE };
                // Who is gone does not need to know.
                let _ = shared.link.send(&message(what, index), None);
            }
        };
        Stream::new(socket, Box::new(tell)).map(Arc::new)
    }

    fn channel(self: &Arc<Shared>, index: u32) -> io::Result<Channel> {
        // Who opens a channel is side A of it.
        let side = if self.is_own(index) { Side::A } else { Side::B };
        let [rest, next] = self.timeout.get().copied().unwrap_or_default();
        let next = next.filter(|_| side == Side::A);
        let shared = Arc::downgrade(self);
        let closed = Box::new(move || {
            if let Some(shared) = shared.upgrade() {
                shared.closed_here(index);
            }
        });
        let mut channel = if let Some(segment) = &self.segment {
            Channel::with_close(segment.channel(index)?, side, &self.life, self.spin, Some(closed))
        } else {
            let stream = self.state().streams.get(&index).cloned();
            let stream = stream.ok_or_else(|| io::Error::from_raw_os_error(libc::ECONNRESET))?;
            Channel::over(stream, self.geometry.ring, &self.life, self.spin, Some(closed))?
        };
        channel.set_timeout(rest, next);
        Ok(channel)
    }

    fn closed_here(&self, index: u32) {
        // Who is gone does not need to know.
        let tell = || self.link.send(&message(CLOSE, index), None);
        if self.is_own(index) {
            // First: another thread may open it at once, and its message must come later.
            let _ = tell();
            let mut state = self.state();
            state.here.remove(&index);
            if !state.there.contains(&index) {
                state.streams.remove(&index);
            }
            drop(state);
            self.changed.notify_all();
        } else {
            // Last: the other side may open it at once.
            let mut state = self.state();
            state.opened.remove(&index);
            if state.left.remove(&index) {
                state.streams.remove(&index);
            }
            drop(state);
            let _ = tell();
        }
    }

    /// What the other side says. A wrong message ends the connection.
    fn told(self: &Arc<Shared>, said: &[u8], file: Option<OwnedFd>) -> Result<(), Error> {
        let invalid = Err(Error::Protocol(ProtocolError::Message));
        let &[what, a, b, c, d] = said else { return invalid };
        let index = u32::from_le_bytes([a, b, c, d]);
        if what == FILE {
            let is_next = self.state().files.came(index, file);
            self.changed.notify_all();
            return if is_next { Ok(()) } else { invalid };
        }
        if what == TAKE_BACK {
            let taken = self.state().files.taken_back(index);
            // Without the lock, as it may take its time.
            drop(taken);
            return Ok(());
        }
        if index >= self.geometry.channels {
            return invalid;
        }
        let mut state = self.state();
        let is_own = self.is_own(index);
        match what {
            OPEN if !is_own && state.opened.insert(index) => {
                if self.segment.is_none() {
                    if file.as_ref().is_some_and(|file| !link::is_stream(file)) {
                        return invalid;
                    }
                    match file.and_then(|file| self.stream(file, index).ok()) {
                        Some(stream) => {
                            state.streams.insert(index, stream);
                        }
                        // The process has no more files: this channel ends at once.
                        None => {
                            state.opened.remove(&index);
                            drop(state);
                            let _ = self.link.send(&message(CLOSE, index), None);
                            return Ok(());
                        }
                    }
                }
                state.waiting.push_back(index);
                self.changed.notify_all();
            }
            CLOSE if is_own => {
                state.there.remove(&index);
                if !state.here.contains(&index) {
                    state.streams.remove(&index);
                }
                self.changed.notify_all();
            }
            // Its end was dropped: ours says so itself.
            CLOSE if self.segment.is_none() && state.opened.contains(&index) => {
                state.left.insert(index);
            }
            CLOSE => {
                state.streams.remove(&index);
            }
            SENDER_GONE | RECEIVER_GONE if self.segment.is_none() => {
                let half = if what == SENDER_GONE { Half::Sender } else { Half::Receiver };
                if let Some(stream) = state.streams.get(&index) {
                    stream.set_gone(half);
                }
            }
            _ => return invalid,
        }
        Ok(())
    }

    fn watch(self: &Arc<Shared>, process: Option<&OwnedFd>) {
        let why = loop {
            match self.link.wait(process) {
                Ok(true) => {}
                _ => break Error::Died,
            }
            match crate::transport::descriptors::receive(|| self.link.receive()) {
                Ok((said, file)) if !said.is_empty() => {
                    if let Err(why) = self.told(&said, file) {
                        break why;
                    }
                }
                _ => break Error::Died,
            }
        };
        self.end(why);
    }

    fn end(&self, why: Error) {
        let mut state = self.state();
        let why = *state.ended.get_or_insert(why);
        self.changed.notify_all();
        drop(state);
        match why {
            Error::Stopped => self.life.stop(),
            _ => self.life.died(),
        }
    }
}
