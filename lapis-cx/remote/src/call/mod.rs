//! Calls of a library in another process.
//!
//! The program loads the guest ([`guest`]); the worker process ([`worker`]) loads the library. Each thread of the program has a separate
//! channel. The worker runs one thread for each channel, and that thread serves the calls of one program thread only. During a call the
//! library may call back over the same channel. A library thread that calls back outside of a call opens a channel in the other direction.

mod asynchronous;
mod collect;
mod described;
pub(crate) mod endpoint;
pub(crate) mod errno;
mod fast_path;
pub(crate) mod forks;
pub(crate) mod guest;
mod guest_endpoint;
mod last_thread;
mod leave;
pub(crate) mod link;
pub(crate) mod links;
pub(crate) mod loaded_files;
pub(crate) mod log;
pub(crate) mod make;
mod order;
pub(crate) mod refusals;
pub(crate) mod run;
mod scratch;
pub(crate) mod serve;
mod serving;
mod session;
pub(crate) mod settings;
mod spawn;
mod stack;
pub(crate) mod start;
mod waiting;
pub(crate) mod worker;

pub(crate) use described::{Described, Enter, Hook, RawDescription, Thunk};
