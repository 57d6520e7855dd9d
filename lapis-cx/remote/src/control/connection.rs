//! A connection of a guest and a worker: shared memory, its channels, and a thread that learns of the other's death.

use std::collections::{HashSet, VecDeque};
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::hello::{Hello, Library, refusal};
use super::link::{self, Credentials, Link};
use crate::channel::{Channel, Side};
use crate::memory::{Geometry, Segment};
use crate::{Error, Life, Spin};

/// Why there is no connection.
#[derive(Debug)]
pub enum ConnectError {
    /// The worker serves no such guest. Both sides have these words.
    Refused(String),
    /// The system failed.
    System(io::Error),
}

impl std::fmt::Display for ConnectError {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ConnectError::Refused(why) => write!(to, "the worker refused the guest: {why}"),
            ConnectError::System(why) => write!(to, "{why}"),
        }
    }
}

impl std::error::Error for ConnectError {}

impl From<io::Error> for ConnectError {
    fn from(why: io::Error) -> ConnectError {
        ConnectError::System(why)
    }
}

/// Messages: this byte, and the index of a channel as a little-endian `u32`.
const OPEN: u8 = 1;
const CLOSE: u8 = 2;

/// One end of a connection.
pub struct Connection {
    shared: Arc<Shared>,
    watcher: Option<JoinHandle<()>>,
}

struct Shared {
    link: Link,
    segment: Segment,
    side: Side,
    spin: Spin,
    life: Life,
    credentials: Credentials,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Channels of this side that are in use by it, and by the other side.
    here: HashSet<u32>,
    there: HashSet<u32>,
    /// What the other side opened, and nobody took yet; and what it has open.
    waiting: VecDeque<u32>,
    opened: HashSet<u32>,
    ended: Option<Error>,
}

impl Connection {
    /// The guest's end, on a socket of [`socket_pair`](super::socket_pair). `geometry` is what is wished for: the worker may give less.
    ///
    /// # Errors
    ///
    /// The worker refuses, in words, or the system fails.
    pub fn guest(
        socket: OwnedFd,
        library: &Library,
        geometry: Geometry,
        spin: Spin,
    ) -> Result<Connection, ConnectError> {
        let link = Link::new(socket);
        link.send(&Hello::new(library, geometry).ask(), None)?;
        let (answer, file) = link.receive()?;
        if answer.is_empty() {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the worker ended before it answered").into());
        }
        let worker = Hello::answered(&answer).map_err(ConnectError::Refused)?;
        let file = file.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the worker sent no memory"))?;
        Connection::new(link, Segment::of(file, worker.geometry)?, Side::A, spin)
    }

    /// As [`guest`](Connection::guest), to a worker that listens.
    ///
    /// # Errors
    ///
    /// As there; nobody listens.
    pub fn connect(path: &Path, library: &Library, geometry: Geometry, spin: Spin) -> Result<Connection, ConnectError> {
        let socket = link::socket()?;
        link::connect(&socket, path)?;
        Connection::guest(socket, library, geometry, spin)
    }

    /// The worker's end: `most` is what it gives to a guest at most, `policy` says who is served, or in words why not.
    ///
    /// # Errors
    ///
    /// The guest was refused, or the system fails.
    pub fn worker(
        socket: OwnedFd,
        library: &Library,
        most: Geometry,
        spin: Spin,
        policy: impl FnOnce(&Credentials) -> Result<(), String>,
    ) -> Result<Connection, ConnectError> {
        let link = Link::new(socket);
        let credentials = link.credentials()?;
        let mine = Hello::new(library, most);
        let (asked, _) = link.receive()?;
        let agreed = policy(&credentials).and_then(|()| {
            let guest = Hello::asked(&asked)?;
            mine.refuses(&guest).map_or(Ok(()), Err)?;
            let (ring, channels) = (guest.geometry.ring.min(most.ring), guest.geometry.channels.min(most.channels));
            let geometry = Geometry { ring, channels };
            if geometry.is_valid() { Ok(geometry) } else { Err(format!("there are no rings of {ring} bytes")) }
        });
        match agreed {
            Ok(geometry) => {
                let segment = Segment::new(geometry)?;
                link.send(&Hello::new(library, geometry).welcome(), Some(segment.file()))?;
                Connection::new(link, segment, Side::B, spin)
            }
            Err(why) => {
                // Who is gone does not need to know.
                let _ = link.send(&refusal(&why), None);
                Err(ConnectError::Refused(why))
            }
        }
    }

    fn new(link: Link, segment: Segment, side: Side, spin: Spin) -> Result<Connection, ConnectError> {
        let credentials = link.credentials()?;
        let process = link.process();
        let (life, state, changed) = (Life::default(), Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { link, segment, side, spin, life, credentials, state, changed });
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

    /// How the shared memory is laid out.
    #[must_use]
    pub fn geometry(&self) -> Geometry {
        self.shared.segment.geometry()
    }

    /// Tells of the death of the other process, and ends all waiting of this one.
    #[must_use]
    pub fn life(&self) -> Life {
        self.shared.life.clone()
    }

    /// Opens a channel. It can be used at once: the other side gets its end from [`accept`](Connection::accept).
    ///
    /// # Errors
    ///
    /// [`Error::System`] with `EMFILE` if all channels of this side are in use, or for another reason; [`Error::Died`] and
    /// [`Error::Stopped`].
    pub fn open(&self) -> Result<Channel, Error> {
        let shared = &self.shared;
        let index = {
            let mut state = shared.state();
            state.ended.map_or(Ok(()), Err)?;
            let mut own = shared.own();
            let free = own.find(|index| !state.here.contains(index) && !state.there.contains(index));
            let index = free.ok_or(Error::System(libc::EMFILE))?;
            state.here.insert(index);
            state.there.insert(index);
            index
        };
        // Nobody uses it: it is empty again.
        let channel = shared.segment.clear(index).and_then(|()| shared.channel(index)).and_then(|channel| {
            shared.link.send(&message(OPEN, index), None)?;
            Ok(channel)
        });
        channel.map_err(|why| {
            let mut state = shared.state();
            state.there.remove(&index);
            state.here.remove(&index);
            state.ended.unwrap_or(Error::System(why.raw_os_error().unwrap_or(0)))
        })
    }

    /// Waits for a channel that the other side opens.
    ///
    /// # Errors
    ///
    /// [`Error::Died`], [`Error::Stopped`], [`Error::Lied`] once the connection ended; [`Error::System`].
    pub fn accept(&self) -> Result<Channel, Error> {
        let shared = &self.shared;
        let mut state = shared.state();
        let index = loop {
            if let Some(index) = state.waiting.pop_front() {
                break index;
            }
            state.ended.map_or(Ok(()), Err)?;
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        };
        drop(state);
        shared.channel(index).map_err(|why| Error::System(why.raw_os_error().unwrap_or(0)))
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

fn message(what: u8, index: u32) -> [u8; 5] {
    let [a, b, c, d] = index.to_le_bytes();
    [what, a, b, c, d]
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The channels that this side opens: a guest the even ones, a worker the odd ones.
    fn own(&self) -> impl Iterator<Item = u32> + use<> {
        (self.side as u32..self.segment.geometry().channels).step_by(2)
    }

    fn channel(self: &Arc<Shared>, index: u32) -> io::Result<Channel> {
        // Who opens a channel is side A of it.
        let side = if index % 2 == self.side as u32 { Side::A } else { Side::B };
        let rings = self.segment.channel(index)?;
        let shared = Arc::downgrade(self);
        let closed = Box::new(move || {
            if let Some(shared) = shared.upgrade() {
                shared.closed_here(index);
            }
        });
        Ok(Channel::with_close(rings, side, &self.life, self.spin, Some(closed)))
    }

    fn closed_here(&self, index: u32) {
        let mut state = self.state();
        if !state.here.remove(&index) {
            state.opened.remove(&index);
        }
        drop(state);
        // Who is gone does not need to know.
        let _ = self.link.send(&message(CLOSE, index), None);
    }

    /// What the other side says. A wrong message ends the connection.
    fn told(&self, said: &[u8]) -> Result<(), Error> {
        let lied = Err(Error::Lied(crate::Lie::Message));
        let &[what, a, b, c, d] = said else { return lied };
        let index = u32::from_le_bytes([a, b, c, d]);
        if index >= self.segment.geometry().channels {
            return lied;
        }
        let mut state = self.state();
        let is_own = index % 2 == self.side as u32;
        match what {
            OPEN if !is_own && state.opened.insert(index) => {
                state.waiting.push_back(index);
                self.changed.notify_all();
            }
            CLOSE if is_own => {
                state.there.remove(&index);
            }
            // Its end was dropped: ours says so itself.
            CLOSE => {}
            _ => return lied,
        }
        Ok(())
    }

    fn watch(&self, process: Option<&OwnedFd>) {
        let why = loop {
            match self.link.wait(process) {
                Ok(true) => {}
                _ => break Error::Died,
            }
            match self.link.receive() {
                Ok((said, _)) if !said.is_empty() => {
                    if let Err(why) = self.told(&said) {
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
