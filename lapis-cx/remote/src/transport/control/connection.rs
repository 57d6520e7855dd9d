//! A connection between guest and worker: shared memory, channels, and a thread that detects the death of the peer.

mod carrier;
mod files;
mod handshake;

use std::collections::{HashSet, VecDeque};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

pub use self::carrier::Capabilities;
use self::carrier::Carrier;
pub(crate) use self::files::most_files;
pub use self::handshake::ConnectError;
use super::link::{Credentials, Link};
use crate::transport::channel::{Channel, Side, Transport};
use crate::transport::descriptors::EngineFile;
use crate::transport::locks::{Condvar, Mutex, MutexGuard, guard};
use crate::transport::memory::Geometry;
use crate::transport::stream::Half;
use crate::transport::sync::register_fences;
use crate::transport::timeout::Timeout;
use crate::transport::{Error, Life, ProtocolError, Spin, threads};

// A control message is one of these bytes, and the index of a channel or the number of a file as a little-endian `u32`.

/// Opens a channel. Over sockets, the message carries the peer's end of the channel's stream socket.
pub(super) const OPEN: u8 = 1;
/// Reports that both halves of a channel were dropped.
pub(super) const CLOSE: u8 = 2;
/// Over sockets: reports that the sender of a channel was dropped.
pub(super) const SENDER_CLOSED: u8 = 3;
/// Over sockets: reports that the receiver of a channel was dropped.
pub(super) const RECEIVER_CLOSED: u8 = 4;
/// Carries a file.
pub(super) const FILE: u8 = 5;
/// Withdraws a file that the receiver may not have taken yet.
pub(super) const WITHDRAW: u8 = 6;

/// The guest's channel that is open from the start if the processes share memory. The worker serves it without an `OPEN` message.
const FIRST: u32 = 0;

/// The default timeout for the next record over a carrier that does not report the death of the other process.
const SILENCE: Duration = Duration::from_secs(60);

/// One end of a connection.
pub struct Connection {
    shared: Arc<Shared>,
    watcher: Option<JoinHandle<()>>,
}

struct Shared {
    link: Arc<Link>,
    geometry: Geometry,
    carrier: Box<dyn Carrier>,
    side: Side,
    spin: Spin,
    life: Life,
    credentials: Credentials,
    state: Mutex<State>,
    changed: Condvar,
    /// The number of the next file that this side sends.
    next_file: Mutex<u32>,
    /// The timeouts of [`Connection::set_timeout`].
    timeout: OnceLock<[Option<Duration>; 2]>,
}

#[derive(Default)]
struct State {
    /// The channels that this side opened and uses.
    used_here: HashSet<u32>,
    /// The channels that this side opened and the peer uses.
    used_there: HashSet<u32>,
    /// The channels that the peer opened and [`Connection::accept`] has not returned.
    waiting: VecDeque<u32>,
    /// The channels that the peer opened and this side has not closed.
    opened: HashSet<u32>,
    /// The channels that the peer opened and closed, and that this side has not closed.
    left: HashSet<u32>,
    /// Whether the guest has not used [`FIRST`] yet, which the worker has open.
    is_first_open: bool,
    files: self::files::Arrived,
    ended: Option<Error>,
}

impl Connection {
    fn new(
        link: Arc<Link>,
        geometry: Geometry,
        carrier: Box<dyn Carrier>,
        side: Side,
        spin: Spin,
    ) -> Result<Connection, ConnectError> {
        let credentials = link.credentials()?;
        let process = link.process();
        let mut state = State { is_first_open: carrier.capabilities().shares_memory, ..State::default() };
        if state.is_first_open && side == Side::B {
            state.opened.insert(FIRST);
            state.waiting.push_back(FIRST);
        }
        let (life, state, changed, timeout) = (Life::default(), Mutex::new(state), Condvar::new(), OnceLock::new());
        let shared = Arc::new(Shared {
            link,
            geometry,
            carrier,
            side,
            spin,
            life,
            credentials,
            state,
            changed,
            next_file: Mutex::default(),
            timeout,
        });
        // While the process may have a single thread, registration is fast.
        register_fences();
        let (watched, (sends, task)) = (Arc::clone(&shared), std::sync::mpsc::channel());
        let watcher = threads::thread("lapis-cx-watch", move || {
            // Only a guest receives the id, so sending fails on a worker.
            let _ = sends.send(threads::id());
            watched.watch(process.as_ref());
        });
        let watcher = watcher.ok_or_else(|| io::Error::from_raw_os_error(libc::EAGAIN))?;
        if side == Side::A
            && let Ok(task) = task.recv()
        {
            // A program may close descriptors that it did not open. The socket stays connected while a system call of this thread uses it.
            threads::wait_until_it_sleeps(task);
        }
        Ok(Connection { shared, watcher: Some(watcher) })
    }

    /// Returns the credentials of the other process.
    #[must_use]
    pub fn credentials(&self) -> Credentials {
        self.shared.credentials
    }

    /// Returns the size of the rings and the number of channels.
    #[must_use]
    pub fn geometry(&self) -> Geometry {
        self.shared.geometry
    }

    /// Sets the timeouts of channels that are opened later, as [`Channel::set_timeout`] describes; `next` applies to channels that this
    /// side opens. Only the first call has an effect.
    pub(crate) fn set_timeout(&self, rest: Option<Duration>, next: Option<Duration>) {
        let _ = self.shared.timeout.set([rest, next]);
    }

    /// Returns the transport of the records.
    #[must_use]
    pub fn transport(&self) -> Transport {
        self.shared.carrier.transport()
    }

    /// Returns what the two processes can do besides sending records.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        self.shared.carrier.capabilities()
    }

    /// Returns the state of the connection, which also ends all waits of this process.
    #[must_use]
    pub fn life(&self) -> Life {
        self.shared.life.clone()
    }

    /// Opens a channel, which can be used at once. The peer gets its end from [`accept`](Connection::accept).
    ///
    /// If all free channels are still in use by the peer, this waits until the peer closes one.
    ///
    /// # Errors
    ///
    /// [`Error::System`] with `EMFILE` if this side has all its channels in use, or with the error of a system call; [`Error::Died`],
    /// [`Error::Stopped`] and [`Error::Silent`].
    pub fn open(&self) -> Result<Channel, Error> {
        let shared = &self.shared;
        let index = {
            let mut state = shared.state();
            let mut timeout = Timeout::new(shared.timeout.get().and_then(|[rest, _]| *rest));
            let index = loop {
                state.ended.map_or(Ok(()), Err)?;
                if let Some(index) =
                    shared.own().find(|index| !state.used_here.contains(index) && !state.used_there.contains(index))
                {
                    break index;
                }
                if shared.own().all(|index| state.used_here.contains(&index)) {
                    return Err(Error::System(libc::EMFILE));
                }
                state = shared.wait_within(state, &mut timeout)?;
            };
            state.used_here.insert(index);
            state.used_there.insert(index);
            index
        };
        shared.begin(index).map_err(|why| {
            let mut state = shared.state();
            state.used_there.remove(&index);
            state.used_here.remove(&index);
            shared.carrier.release(index);
            shared.changed.notify_all();
            state.ended.unwrap_or(Error::System(why.raw_os_error().unwrap_or(0)))
        })
    }

    /// Waits until the peer opens a channel, and returns it.
    ///
    /// # Errors
    ///
    /// [`Error::Died`], [`Error::Stopped`] or [`Error::Protocol`] after the connection ended; [`Error::System`].
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
            // The peer must not wait for this channel to be closed.
            shared.carrier.release(index);
            shared.closed_here(index);
            Error::System(why.raw_os_error().unwrap_or(0))
        })
    }

    /// Ends the connection. All waits of this process fail with [`Error::Stopped`].
    pub fn stop(&self) {
        self.shared.end(Error::Stopped);
        self.shared.link.shut_down();
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.stop();
        // If the program has closed the socket, the watcher waits until the other process ends.
        if let Some(watcher) = self.watcher.take().filter(|_| self.shared.link.is_open()) {
            // The watcher does not panic; if it did, the panic hook reported it.
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
        guard(&self.state)
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

    /// Returns the channels that this side may open: even indices for a guest, odd indices for a worker.
    fn own(&self) -> impl Iterator<Item = u32> + use<> {
        (self.side as u32..self.geometry.channels).step_by(2)
    }

    fn is_own(&self, index: u32) -> bool {
        index % 2 == self.side as u32
    }

    /// Opens a free channel and notifies the peer.
    fn begin(self: &Arc<Shared>, index: u32) -> io::Result<Channel> {
        if index == FIRST && self.state().is_first_open {
            let channel = self.channel(index)?;
            self.state().is_first_open = false;
            return Ok(channel);
        }
        let peer = self.carrier.open(index)?;
        let channel = self.channel(index)?;
        self.link.send(&message(OPEN, index), peer.as_ref().map(AsFd::as_fd))?;
        Ok(channel)
    }

    fn channel(self: &Arc<Shared>, index: u32) -> io::Result<Channel> {
        // The side that opens a channel is its side A.
        let side = if self.is_own(index) { Side::A } else { Side::B };
        let [rest, next] = self.timeout.get().copied().unwrap_or_default();
        let reports_death = self.carrier.capabilities().reports_death;
        let next = next.filter(|_| side == Side::A).or_else(|| (!reports_death).then_some(SILENCE));
        let shared = Arc::downgrade(self);
        let closed = Box::new(move || {
            if let Some(shared) = shared.upgrade() {
                shared.closed_here(index);
            }
        });
        let mut channel = self.carrier.channel(index, side, (&self.life, self.spin), closed)?;
        channel.set_timeout(rest, next);
        Ok(channel)
    }

    fn closed_here(&self, index: u32) {
        // Errors are ignored, because a peer that ended needs no message.
        let notify = || self.link.send(&message(CLOSE, index), None);
        if self.is_own(index) {
            // The message is sent first: once the state changes, another thread may open the channel and send `OPEN`.
            let _ = notify();
            let mut state = self.state();
            state.used_here.remove(&index);
            if !state.used_there.contains(&index) {
                self.carrier.release(index);
            }
            drop(state);
            self.changed.notify_all();
        } else {
            // The message is sent last: the peer may open the channel again as soon as it arrives.
            let mut state = self.state();
            state.opened.remove(&index);
            if state.left.remove(&index) {
                self.carrier.release(index);
            }
            drop(state);
            let _ = notify();
        }
    }

    /// Handles a control message. An invalid message ends the connection.
    fn handle_message(self: &Arc<Shared>, bytes: &[u8], file: Option<OwnedFd>) -> Result<(), Error> {
        let invalid = Err(Error::Protocol(ProtocolError::Message));
        let &[what, a, b, c, d] = bytes else { return invalid };
        let index = u32::from_le_bytes([a, b, c, d]);
        if what == FILE {
            let is_next = self.state().files.add(index, file);
            self.changed.notify_all();
            return if is_next { Ok(()) } else { invalid };
        }
        if what == WITHDRAW {
            let taken = self.state().files.withdraw(index);
            // Closing a file may block, so the lock is not held.
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
                if self.carrier.opened(index, file).map_err(Error::Protocol)? {
                    state.waiting.push_back(index);
                    self.changed.notify_all();
                } else {
                    // No descriptor is free here, so this channel is closed at once.
                    state.opened.remove(&index);
                    drop(state);
                    let _ = self.link.send(&message(CLOSE, index), None);
                }
            }
            CLOSE if is_own => {
                state.used_there.remove(&index);
                if !state.used_here.contains(&index) {
                    self.carrier.release(index);
                }
                self.changed.notify_all();
            }
            // This side still has the channel. The peer reports separately which of its ends were dropped.
            CLOSE if state.opened.contains(&index) => {
                state.left.insert(index);
            }
            CLOSE => self.carrier.release(index),
            SENDER_CLOSED => self.carrier.dropped(index, Half::Sender).map_err(Error::Protocol)?,
            RECEIVER_CLOSED => self.carrier.dropped(index, Half::Receiver).map_err(Error::Protocol)?,
            _ => return invalid,
        }
        Ok(())
    }

    fn watch(self: &Arc<Shared>, process: Option<&EngineFile>) {
        let why = loop {
            match self.link.wait(process) {
                Ok(true) => {}
                _ => break Error::Died,
            }
            match crate::transport::descriptors::receive(|| self.link.receive()) {
                Ok((bytes, file)) if !bytes.is_empty() => {
                    if let Err(why) = self.handle_message(&bytes, file) {
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
