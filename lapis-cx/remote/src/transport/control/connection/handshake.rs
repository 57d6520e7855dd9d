//! The handshake. The guest sends its hello; the worker answers with the common settings, or with the reason why it refuses.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::Connection;
use super::carrier::{Carrier, Rings, Sockets};
use crate::transport::Spin;
use crate::transport::channel::{Side, Transport};
use crate::transport::control::hello::{Hello, Library, Transports, encode_refusal};
use crate::transport::control::link::{self, Credentials, Link};
use crate::transport::memory::{Geometry, Segment};

/// The reason why a connection was not made.
#[derive(Debug)]
pub enum ConnectError {
    /// The worker refused the guest for this reason. Both sides get the same text.
    Refused(String),
    /// A system call failed, or the worker's answer is invalid.
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

/// All transports; shared memory is preferred.
const ANY: [Transport; 2] = [Transport::Shared, Transport::Socket];

impl Connection {
    /// Connects as a guest over a socket of [`socket_pair`](crate::socket_pair). `geometry` is the largest geometry that the guest wants;
    /// the worker may grant less.
    ///
    /// # Errors
    ///
    /// The worker refused the guest, or a system call failed.
    pub fn guest(
        socket: OwnedFd,
        library: &Library,
        geometry: Geometry,
        spin: Spin,
    ) -> Result<Connection, ConnectError> {
        Connection::guest_over(&ANY, socket, library, geometry, spin)
    }

    /// Same as [`guest`](Connection::guest), over one of these transports. Shared memory is used if both sides accept it.
    ///
    /// # Errors
    ///
    /// Same as [`guest`](Connection::guest).
    pub fn guest_over(
        transports: &[Transport],
        socket: OwnedFd,
        library: &Library,
        geometry: Geometry,
        spin: Spin,
    ) -> Result<Connection, ConnectError> {
        Connection::greet(transports, Link::new(socket, None), library, geometry, spin)
    }

    /// Same as [`guest`](Connection::guest), with a timeout for each control message: for its arrival, or for space to send it.
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
        link.send(&asked.encode_request(), None)?;
        let (answer, file) = link.receive()?;
        if answer.is_empty() {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the worker ended before it answered the greeting",
            )
            .into());
        }
        let worker = Hello::decode_reply(&answer).map_err(ConnectError::Refused)?;
        let wrong = |why| io::Error::new(io::ErrorKind::InvalidData, why);
        let granted = worker.geometry;
        let is_more = granted.ring > geometry.ring
            || granted.channels > geometry.channels
            || granted.in_place > geometry.in_place;
        if !granted.is_valid() || is_more {
            return Err(
                wrong("the worker granted rings, channels or in-place memory beyond what the guest requested").into()
            );
        }
        let link = Arc::new(link);
        let carrier: Box<dyn Carrier> =
            match worker.transport().filter(|_| asked.common(&worker) == worker.common(&worker)) {
                Some(Transport::Shared) => {
                    let file = file.ok_or_else(|| wrong("the worker chose shared memory but sent none"))?;
                    Box::new(Rings(Segment::of(file, granted)?))
                }
                Some(Transport::Socket) => Box::new(Sockets::new(Arc::clone(&link), granted.ring)),
                None => return Err(wrong("the worker chose a transport that the guest did not offer").into()),
            };
        Connection::new(link, granted, carrier, Side::A, spin)
    }

    /// Connects as a guest to the worker that listens at `path`.
    ///
    /// # Errors
    ///
    /// Same as [`guest`](Connection::guest), or no worker listens there.
    pub fn connect(path: &Path, library: &Library, geometry: Geometry, spin: Spin) -> Result<Connection, ConnectError> {
        Connection::connect_over(&ANY, path, library, geometry, spin)
    }

    /// Same as [`connect`](Connection::connect), over one of these transports.
    ///
    /// # Errors
    ///
    /// Same as [`guest`](Connection::guest).
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

    /// Accepts a guest as a worker. `most` is the largest geometry that the worker grants. `policy` returns the reason if it refuses a
    /// guest with these credentials.
    ///
    /// # Errors
    ///
    /// The guest was refused, or a system call failed.
    pub fn worker(
        socket: OwnedFd,
        library: &Library,
        most: Geometry,
        spin: Spin,
        policy: impl FnOnce(&Credentials) -> Result<(), String>,
    ) -> Result<Connection, ConnectError> {
        Connection::worker_over(&ANY, socket, library, most, spin, policy)
    }

    /// Same as [`worker`](Connection::worker), over one of these transports. If shared memory cannot be created, a guest that accepts
    /// sockets gets those.
    ///
    /// # Errors
    ///
    /// Same as [`guest`](Connection::guest).
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

    /// Same as [`worker`](Connection::worker), with a timeout for each control message: for its arrival, or for space to send it.
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
        let own = Hello::new(library, most, Transports::new(transports));
        let (asked, _) = link.receive()?;
        let agreed = policy(&credentials).and_then(|()| {
            let guest = Hello::decode_request(&asked)?;
            own.mismatch(&guest).map_or(Ok(()), Err)?;
            let (ring, channels) = (guest.geometry.ring.min(most.ring), guest.geometry.channels.min(most.channels));
            let geometry = Geometry { ring, channels, in_place: guest.geometry.in_place.min(most.in_place) };
            if geometry.is_valid() {
                Ok((geometry, own.common(&guest)))
            } else {
                Err(format!(
                    "invalid sizes: rings of {ring} bytes, {channels} channels, {} bytes in place",
                    geometry.in_place
                ))
            }
        });
        match agreed {
            Ok((geometry, common)) => {
                let segment = match common.has(Transport::Shared).then(|| Segment::new(geometry)) {
                    Some(Ok(segment)) => Some(segment),
                    Some(Err(why)) if !common.has(Transport::Socket) => return Err(why.into()),
                    _ => None,
                };
                let chosen = if segment.is_some() { Transport::Shared } else { Transport::Socket };
                let welcome = Hello::new(library, geometry, Transports::new(&[chosen])).encode_welcome();
                link.send(&welcome, segment.as_ref().map(Segment::file).transpose()?)?;
                let link = Arc::new(link);
                let carrier: Box<dyn Carrier> = match segment {
                    Some(segment) => Box::new(Rings(segment)),
                    None => Box::new(Sockets::new(Arc::clone(&link), geometry.ring)),
                };
                Connection::new(link, geometry, carrier, Side::B, spin)
            }
            Err(why) => {
                // An error is ignored, because a peer that ended needs no message.
                let _ = link.send(&encode_refusal(&why), None);
                Err(ConnectError::Refused(why))
            }
        }
    }
}
