//! The control socket: the handshake, which agrees on version, library and shared memory; messages that open and close channels; and the
//! detection of the peer's death.

mod connection;
#[cfg(all(test, not(loom)))]
mod corrupt_peer;
mod hello;
mod link;
mod listener;

pub(crate) use connection::most_files;
pub use connection::{Capabilities, ConnectError, Connection};
pub use hello::Library;
pub use link::{Credentials, socket_pair};
pub(crate) use link::{connected, stream_pair};
pub use listener::Listener;
