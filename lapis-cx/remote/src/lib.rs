//! Channels between a process and the worker that does its calls.

#![cfg(target_os = "linux")]

#[cfg(not(target_pointer_width = "64"))]
compile_error!("positions in a ring are 64 bits wide, and processes that share one agree on that");

#[cfg(not(all(loom, test)))]
pub mod abi1;
#[cfg(not(all(loom, test)))]
mod capi;
#[cfg(not(all(loom, test)))]
mod channel;
#[cfg(not(all(loom, test)))]
mod control;
#[cfg(not(all(loom, test)))]
mod copy;
#[cfg(not(all(loom, test)))]
pub mod cxu;
#[cfg(not(all(loom, test)))]
mod engine;
mod error;
#[cfg(not(all(loom, test)))]
mod files;
#[cfg(all(test, not(loom)))]
mod hostile;
mod life;
mod locks;
#[cfg(not(all(loom, test)))]
mod meaning;
#[cfg(not(all(loom, test)))]
mod memory;
#[cfg(all(loom, test))]
mod models;
mod patience;
#[cfg(not(all(loom, test)))]
mod plan;
mod receive;
mod send;
#[cfg(all(test, not(loom)))]
mod slow;
#[cfg(all(feature = "spoil", not(loom)))]
mod spoil;
#[cfg(not(all(loom, test)))]
mod stream;
mod sync;
mod wait;
mod word;

#[cfg(all(loom, test))]
use models::{memory, stream};

#[cfg(not(all(loom, test)))]
pub use channel::{Channel, Transport};
#[cfg(not(all(loom, test)))]
pub use control::{ConnectError, Connection, Credentials, Library, Listener, socket_pair};
pub use error::{Error, Lie};
pub use life::Life;
#[cfg(not(all(loom, test)))]
pub use memory::Geometry;
pub use receive::{Reader, Receiver};
pub use send::{Sender, Wake, Writer};
pub use wait::Spin;
