//! Channels between two processes: byte streams and rings in shared memory, how threads wait on them, and the control socket that sets
//! them up and reports the death of the peer.
//!
//! This is the lowest layer: nothing in it depends on the plan, on marshalling or on calls.

#[cfg(not(all(loom, test)))]
pub(crate) mod channel;
#[cfg(not(all(loom, test)))]
pub(crate) mod control;
#[cfg(not(all(loom, test)))]
mod copy;
#[cfg(not(all(loom, test)))]
pub(crate) mod descriptors;
mod error;
#[cfg(not(all(loom, test)))]
pub(crate) mod field_kind;
pub(crate) mod header;
#[cfg(all(feature = "fault-injection", not(loom)))]
pub mod inject;
mod life;
pub(crate) mod locks;
#[cfg(not(all(loom, test)))]
pub(crate) mod memory;
#[cfg(all(loom, test))]
mod models;
mod receive;
pub(crate) mod send;
#[cfg(not(all(loom, test)))]
mod stream;
mod sync;
#[cfg(all(test, not(loom)))]
pub(crate) mod tests;
#[cfg(not(all(loom, test)))]
pub(crate) mod threads;
mod timeout;
mod wait;

#[cfg(all(loom, test))]
use models::{memory, stream};

#[cfg(not(all(loom, test)))]
pub use channel::{Channel, Transport};
#[cfg(not(all(loom, test)))]
pub use control::{Capabilities, ConnectError, Connection, Credentials, Library, Listener, socket_pair};
pub use error::{Error, ProtocolError};
pub use life::Life;
#[cfg(not(all(loom, test)))]
pub use memory::Geometry;
pub use receive::{Reader, Receiver};
pub use send::{Sender, Wake, Writer};
#[cfg(not(all(loom, test)))]
pub(crate) use sync::{count_threads, register_fences, without_signals};
pub use wait::Spin;
