//! The engine: makes calls of a library in another process, as its plan says.
//!
//! One side is the guest ([`guest`]): it has the program. The other is the worker ([`worker`]): it has the library. Each thread of
//! the program has a channel of its own, and a thread of the worker that does its calls and nobody else's. While that thread
//! runs a call it may call back over the same channel; a thread of the library that calls back opens a channel the other way.

mod eval;
mod files;
pub(crate) mod guest;
mod later;
mod link;
mod links;
mod make;
mod memory;
mod order;
mod party;
pub(crate) mod run;
mod serve;
pub(crate) mod shadow;
mod spawn;
mod stack;
pub(crate) mod start;
mod straight;
mod tables;
mod walk;
pub(crate) mod worker;

pub use eval::Native;
#[cfg(all(feature = "spoil", not(loom)))]
pub(crate) use tables::Ended;
pub(crate) use walk::Fault;

use crate::plan::Plan;

/// Kinds of records. `PROTOCOL.md` says who may send which one when.
mod record {
    /// Guest to worker: function, mode, flags and id of a request, its tickets, and its number if it is asynchronous; then the
    /// arguments. The fast path has another form ([`super::straight`]).
    pub const CALL: u32 = 1;
    /// Worker to guest: flags (below), the id of the request and `errno`, what the flags announce; then what comes back.
    pub const RETURN: u32 = 2;
    /// Worker to guest: callback, mode and id of a request; the id of the call during which it is made, 0 if there is none; the
    /// registration; then the arguments.
    pub const CALLBACK: u32 = 3;
    /// Guest to worker: as `RETURN`, of a callback.
    pub const ANSWER: u32 = 4;
    /// Guest to worker: tickets of an asynchronous call that is not made.
    pub const SKIPPED: u32 = 5;
    /// Follows a call that makes objects and that nobody waits for: how the guest names them.
    pub const NAMED: u32 = 6;
}

/// Flags of an answer.
mod answer {
    /// The call was not made, or its result could not be sent. Nothing follows but what ended.
    pub const FAILED: u8 = 1;
    /// It succeeded.
    pub const SUCCEEDED: u8 = 2;
    /// `errno` follows.
    pub const ERRNO: u8 = 4;
    /// A list of what ended follows.
    pub const ENDED: u8 = 8;
    /// Results of calls follow that nobody waited for.
    pub const LATE: u8 = 16;
    /// Mistakes of the specification follow, which the worker found.
    pub const FOUND: u8 = 32;
}

/// How deep calls may be nested unless `CX_REMOTE_CALL_DEPTH` says otherwise.
const DEPTH: usize = 4096;

/// What the engine keeps within.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes that one call may have on a side.
    pub call: usize,
    /// Bytes that one connection may have on a side for longer than a call.
    pub kept: usize,
    /// Requests that wait, nested, on one channel.
    pub depth: u32,
}

impl Limits {
    /// What the environment says.
    pub fn of_environment() -> Limits {
        let said = |name, otherwise| start::number_of(name).unwrap_or(otherwise);
        let depth = u32::try_from(said("CX_REMOTE_CALL_DEPTH", DEPTH)).unwrap_or(u32::MAX);
        Limits { call: said("CX_REMOTE_CALL_BYTES", 1 << 30), kept: said("CX_REMOTE_KEPT_BYTES", 4 << 30), depth }
    }
}

/// A library, as both sides know it.
pub(crate) struct Described {
    pub name: String,
    pub soname: String,
    pub contract: [u8; 32],
    /// It stays as long as the process: calls that nobody waits for refer to it.
    pub plan: &'static Plan,
    pub natives: Vec<Option<Native>>,
    /// Text that runs at events, by [`lapis_cx_plan::Hook`].
    pub hooks: Vec<Option<Hook>>,
}

/// Text that runs at an event.
pub type Hook = unsafe extern "C" fn();

/// What a library says of itself.
pub(crate) struct Said<'a> {
    pub name: String,
    pub soname: String,
    pub contract: [u8; 32],
    pub words: &'a [u32],
    pub texts: Vec<String>,
    pub natives: Vec<Option<Native>>,
    pub hooks: Vec<Option<Hook>>,
    /// How many functions and callbacks it has.
    pub counts: (usize, usize),
}

impl Described {
    /// Reads the plan of a library.
    ///
    /// # Errors
    ///
    /// It is none, or that of another library.
    pub fn new(said: Said<'_>) -> Result<Described, String> {
        let Said { name, soname, contract, words, texts, natives, hooks, counts } = said;
        let plan = Plan::read(words, texts, natives.len()).map_err(|why| format!("{name}: {why}"))?;
        if (plan.functions.len(), plan.callbacks.len()) != counts {
            return Err(format!("{name}: the plan has other functions than the library"));
        }
        let plan = Box::leak(Box::new(plan));
        Ok(Described { name, soname, contract, plan, natives, hooks })
    }

    /// Runs the text of an event.
    pub fn at(&self, event: lapis_cx_plan::Hook) {
        if let Some(hook) = self.hooks.get(event.word() as usize).copied().flatten() {
            // SAFETY: a function of the library's own, without arguments.
            unsafe { hook() };
        }
    }
}
