//! Channels between a process and the worker that does its calls.

#![cfg(target_os = "linux")]

#[cfg(not(target_pointer_width = "64"))]
compile_error!("positions in a ring are 64 bits wide, and processes that share one agree on that");

mod channel;
mod copy;
mod error;
mod life;
mod memory;
mod receive;
mod send;
mod sync;
mod wait;
mod word;

pub use channel::Channel;
pub use error::{Error, Lie};
pub use life::Life;
pub use memory::Geometry;
pub use receive::{Reader, Receiver};
pub use send::{Sender, Wake, Writer};
pub use wait::Spin;
