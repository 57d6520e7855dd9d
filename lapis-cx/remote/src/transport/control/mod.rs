//! The control socket: who speaks, in which version and of which library; the shared memory; channels that come and go; and the
//! end of the other process.

mod connection;
#[cfg(all(test, not(loom)))]
mod corrupt_peer;
mod hello;
mod link;
mod listener;

pub(crate) use connection::most_files;
pub use connection::{ConnectError, Connection};
pub use hello::Library;
pub use link::{Credentials, socket_pair};
pub(crate) use link::{connected, stream_pair};
pub use listener::Listener;
