//! The calls of a library in another process.
//!
//! The guest ([`guest`]) has the program, the worker ([`worker`]) has the library. Each thread of the program has a channel of its own,
//! and the worker has one thread for each channel, which makes the calls of that thread only. While it makes a call it may call back
//! over the same channel. A thread of the library that calls back opens a channel in the other direction.

mod asynchronous;
pub(crate) mod described;
pub(crate) mod endpoint;
mod fast_path;
pub(crate) mod guest;
mod late_replies;
pub(crate) mod link;
mod links;
pub(crate) mod make;
mod order;
pub(crate) mod run;
pub(crate) mod serve;
mod session;
mod spawn;
mod stack;
pub(crate) mod start;
pub(crate) mod worker;

pub(crate) use described::{Described, Hook, Said};
