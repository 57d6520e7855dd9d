//! How a connection begins: the guest says what it is and what it takes, and the worker answers with what both have, or why not.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Duration;

use super::Connection;
use crate::transport::Spin;
use crate::transport::channel::{Side, Transport};
use crate::transport::control::hello::{Hello, Library, Transports, refusal};
use crate::transport::control::link::{self, Credentials, Link};
use crate::transport::memory::{Geometry, Segment};

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

/// Whatever both have: shared memory if they can.
const ANY: [Transport; 2] = [Transport::Shared, Transport::Socket];

impl Connection {
    /// The guest's end, on a socket of [`socket_pair`](crate::socket_pair). `geometry` is what is wished for: the worker may give less.
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
        Connection::guest_over(&ANY, socket, library, geometry, spin)
    }

    /// As [`guest`](Connection::guest), over one of these transports: shared memory, if both sides take it.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn guest_over(
        transports: &[Transport],
        socket: OwnedFd,
        library: &Library,
        geometry: Geometry,
        spin: Spin,
    ) -> Result<Connection, ConnectError> {
        Connection::greet(transports, Link::new(socket, None), library, geometry, spin)
    }

    /// As [`guest`](Connection::guest), with a limit of each message that it waits for, or for room for one.
    pub(crate) fn guest_within(
        most: Option<Duration>,
        socket: OwnedFd,
        library: &Library,
        geometry: Geometry,
        spin: Spin,
    ) -> Result<Connection, ConnectError> {
        Connection::greet(&ANY, Link::new(socket, most), library, geometry, spin)
    }

    fn greet(
        transports: &[Transport],
        link: Link,
        library: &Library,
        geometry: Geometry,
        spin: Spin,
    ) -> Result<Connection, ConnectError> {
        let asked = Hello::new(library, geometry, Transports::new(transports));
        link.send(&asked.ask(), None)?;
        let (answer, file) = link.receive()?;
        if answer.is_empty() {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the worker ended before it answered").into());
        }
        let worker = Hello::answered(&answer).map_err(ConnectError::Refused)?;
        let wrong = |why| io::Error::new(io::ErrorKind::InvalidData, why);
        let given = worker.geometry;
        let is_more = given.ring > geometry.ring || given.channels > geometry.channels || given.room > geometry.room;
        if !given.is_valid() || is_more {
            return Err(wrong("the worker gives other rings than it was asked for").into());
        }
        let segment = match worker.transport().filter(|_| asked.common(&worker) == worker.common(&worker)) {
            Some(Transport::Shared) => {
                Some(Segment::of(file.ok_or_else(|| wrong("the worker sent no memory"))?, given)?)
            }
            Some(Transport::Socket) => None,
            None => return Err(wrong("the worker chose a transport that it was not asked for").into()),
        };
        Connection::new(link, given, segment, Side::A, spin)
    }

    /// As [`guest`](Connection::guest), to a worker that listens.
    ///
    /// # Errors
    ///
    /// As there; nobody listens.
    pub fn connect(path: &Path, library: &Library, geometry: Geometry, spin: Spin) -> Result<Connection, ConnectError> {
        Connection::connect_over(&ANY, path, library, geometry, spin)
    }

    /// As [`connect`](Connection::connect), over one of these transports.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn connect_over(
        transports: &[Transport],
        path: &Path,
        library: &Library,
        geometry: Geometry,
        spin: Spin,
    ) -> Result<Connection, ConnectError> {
        let socket = link::connected(path, None)?;
        Connection::guest_over(transports, socket, library, geometry, spin)
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
        Connection::worker_over(&ANY, socket, library, most, spin, policy)
    }

    /// As [`worker`](Connection::worker), over one of these transports. If there is no memory to share, a guest that takes sockets gets
    /// those.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn worker_over(
        transports: &[Transport],
        socket: OwnedFd,
        library: &Library,
        most: Geometry,
        spin: Spin,
        policy: impl FnOnce(&Credentials) -> Result<(), String>,
    ) -> Result<Connection, ConnectError> {
        Connection::answer(transports, Link::new(socket, None), library, most, spin, policy)
    }

    /// As [`worker`](Connection::worker), with a limit of each message that it waits for, or for room for one.
    pub(crate) fn worker_within(
        timeout: Option<Duration>,
        socket: OwnedFd,
        library: &Library,
        most: Geometry,
        spin: Spin,
        policy: impl FnOnce(&Credentials) -> Result<(), String>,
    ) -> Result<Connection, ConnectError> {
        Connection::answer(&ANY, Link::new(socket, timeout), library, most, spin, policy)
    }

    fn answer(
        transports: &[Transport],
        link: Link,
        library: &Library,
        most: Geometry,
        spin: Spin,
        policy: impl FnOnce(&Credentials) -> Result<(), String>,
    ) -> Result<Connection, ConnectError> {
        let credentials = link.credentials()?;
        let mine = Hello::new(library, most, Transports::new(transports));
        let (asked, _) = link.receive()?;
        let agreed = policy(&credentials).and_then(|()| {
            let guest = Hello::asked(&asked)?;
            mine.refuses(&guest).map_or(Ok(()), Err)?;
            let (ring, channels) = (guest.geometry.ring.min(most.ring), guest.geometry.channels.min(most.channels));
            let geometry = Geometry { ring, channels, room: guest.geometry.room.min(most.room) };
            if geometry.is_valid() {
                Ok((geometry, mine.common(&guest)))
            } else {
                Err(format!("there are no rings of {ring} bytes, or no room of {}", geometry.room))
            }
        });
        match agreed {
            Ok((geometry, both)) => {
                let segment = match both.has(Transport::Shared).then(|| Segment::new(geometry)) {
                    Some(Ok(segment)) => Some(segment),
                    Some(Err(why)) if !both.has(Transport::Socket) => return Err(why.into()),
                    _ => None,
                };
                let chosen = if segment.is_some() { Transport::Shared } else { Transport::Socket };
                let welcome = Hello::new(library, geometry, Transports::new(&[chosen])).welcome();
                link.send(&welcome, segment.as_ref().map(Segment::file))?;
                Connection::new(link, geometry, segment, Side::B, spin)
            }
            Err(why) => {
                // Who is gone does not need to know.
                let _ = link.send(&refusal(&why), None);
                Err(ConnectError::Refused(why))
            }
        }
    }
}
