//! The marshalling plan of a library: what a compiler stores in generated code and the engine of remoting reads.
//!
//! A plan is an array of 32-bit words, an array of texts and an array of functions of C, which words name by position. Sizes and
//! offsets of C are words too: the compiler of the target fills them in, so one plan serves each data model. Each type here says how
//! it is written: [`codec`] has the rules.
#![no_std]

extern crate alloc;

mod call;
mod code;
pub mod codec;
mod plan;
#[cfg(test)]
mod tests;
mod value;

pub use self::call::*;
pub use self::code::*;
pub use self::codec::{DEEPEST, LARGEST, MOST_MEMBER_ELEMENTS};
pub use self::codec::{Decoding, Encode, Facts, Invalid, Plain, Result, Side};
pub use self::plan::*;
pub use self::value::*;

/// How many functions of one callback type with userdata have a trampoline of their own in the worker, besides the one of all others.
pub const TRAMPOLINES: u32 = 16;

/// When text of C runs that stands at an event. A table of functions has an entry for each, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    /// Before the caller's side starts.
    GuestInitBefore,
    /// After it started.
    GuestInitAfter,
    /// Before it ends.
    GuestFiniBefore,
    /// After it ended.
    GuestFiniAfter,
    /// Before the worker serves a guest.
    WorkerInitBefore,
    /// After it is ready.
    WorkerInitAfter,
    /// Before it ends.
    WorkerFiniBefore,
    /// After it ended.
    WorkerFiniAfter,
    /// In the child of a fork.
    ForkChild,
    /// A call is sent.
    Send,
    /// A reply is sent.
    Reply,
    /// The worker decoded the arguments of a call.
    Arguments,
}

impl Hook {
    /// The number of events.
    pub const COUNT: usize = Hook::Arguments as usize + 1;
}
