//! Calls: how they are made, and what happens besides the values.

use alloc::vec::Vec;

use crate::codec::{Decode, Decoding, Encode, Facts, Reader, Result, Side, choice, put_flags, read, record};
use crate::{Code, Slot};

choice! {
    /// How a caller waits.
    #[derive(Copy, Eq)]
    Mode {
        /// The caller waits for the reply.
        Sync = 0,
        /// The caller does not wait.
        Async = 1,
        /// The caller does not wait, and the worker can run all earlier calls.
        Flush = 2,
    }

    /// Where a call runs.
    #[derive(Copy, Eq)]
    Thread {
        /// On the worker's thread for the thread of the caller.
        Caller = 0,
        /// On any thread.
        Any = 1,
        /// On the first thread.
        Main = 2,
    }

    /// What calls share.
    Key<S> {
        /// All calls have this key.
        Global = 0,
        /// The calls of one thread.
        Thread = 1,
        /// The calls with this value.
        Value = 2(value: Code<S>),
    }

    /// Where a value is stored.
    Target<S> {
        /// Memory at an address. A handle is stored as memory of its size.
        Memory = 0(address: Code<S>, bytes: S::Bytes = scalar_size),
        /// A pointer at an address.
        Pointer = 1(address: Code<S>),
        /// Metadata of a handle or pointer.
        Metadata = 2(member: Slot, owner: Code<S>),
        /// `errno`.
        Errno = 3,
    }

    /// What happens at exit, if the call succeeded.
    Effect<S> {
        /// A value is stored.
        Set = 0(store: Store<S>),
        /// A scope ends.
        Ends = 1(scope: Slot, owner: Code<S>),
        /// A resource is used or given back.
        Account = 2 {
            /// Which of these.
            change: Change,
            /// The resource.
            resource: u32 = resource,
            /// The amount is known at entry.
            at_entry: bool,
            /// The amount.
            amount: Code<S>
        },
        /// The call is replayed to make these objects again.
        Record = 3(objects: Vec<Code<S>>),
        /// The objects exist only after these.
        DependsOn = 4(objects: Vec<Code<S>>),
        /// Functions that save and load the state of the object.
        Snapshot = 5(save: u32 = function, load: u32 = function),
    }

    /// How a call changes a resource.
    #[derive(Copy, Eq)]
    Change {
        /// The call takes an amount until another call releases it.
        Acquires = 0,
        /// The call releases an amount.
        Releases = 1,
        /// The call uses an amount up.
        Consumes = 2,
    }
}

record! {
    /// A function or a callback.
    Call<S> [
        /// The registration of a callback ends with its first call.
        is_once,
        /// An expression of the call reads `errno`.
        reads_errno,
    ] {
        /// The text with the name of the function or callback.
        name: u32 = text,
        /// The block of its arguments.
        arguments: u32 = block,
        /// How many callbacks without userdata may be registered at once. 0 means the default.
        slots: u32 = word,
        /// Arguments that are sent beside those of C.
        implicits: Vec<Implicit<S>>,
        /// How the caller waits. The last one that applies.
        timing: Vec<When<S, Timing<S>>>,
        /// A call starts in the caller's order among calls that share a key. The last one that applies.
        order: Vec<When<S, Vec<Key<S>>>>,
        /// A call never runs at the same time as a call that shares a key. The last one that applies.
        monitor: Vec<When<S, Vec<Key<S>>>>,
        /// Where it runs. The last one that applies.
        thread: Vec<When<S, Thread>>,
        /// What success is. The last one that applies. Without any, every call succeeds.
        success: Vec<When<S, Code<S>>>,
        /// What must hold at entry, each of them.
        requires: Vec<When<S, Requirement<S>>>,
        /// The result of a call that cannot be made. The last one that applies.
        fails: Vec<When<S, Vec<Store<S>>>>,
        /// Whether the worker's `errno` is sent at exit.
        errno: Vec<When<S, bool>>,
        /// Values that the library gets instead of arguments.
        passes: Vec<When<S, Store<S>>>,
        /// What happens at exit if the call succeeded, in order.
        effects: Vec<When<S, Effect<S>>>,
        /// Text of C around the real call, in order.
        c_text: Vec<When<S, CText>>,
        /// Facts that the side derives.
        facts: Facts<S::Call>,
    }

    /// An argument that is sent beside those of C.
    Implicit<S> [
        /// The worker computes it at exit, not the caller at entry.
        at_exit,
    ] {
        /// Where it is among the arguments.
        offset: S::Bytes = size,
        /// Its size.
        bytes: S::Bytes = size,
        /// Its value.
        value: Code<S>,
    }

    /// How a caller waits.
    Timing<S> {
        /// Whether the caller waits.
        mode: Mode,
        /// The values that a caller gets which does not wait.
        returns: Vec<Store<S>>,
        /// When results are final. The worker evaluates it.
        until: Option<Code<S>>,
    }

    /// What must hold at entry.
    Requirement<S> {
        /// The condition.
        condition: Code<S>,
        /// The result otherwise. Without stores it is that of `fails`.
        otherwise: Vec<Store<S>>,
    }

    /// A value that is stored.
    Store<S> {
        /// Where.
        target: Target<S>,
        /// What.
        value: Code<S>,
    }

    /// Text of C around a call.
    CText [
        /// It runs before the call, not after it.
        is_before,
    ] {
        /// The function that has the text.
        native: u32 = native,
    }
}

/// Something that holds under a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct When<S: Side, T> {
    /// The condition. `None` means always.
    pub condition: Option<Code<S>>,
    /// What holds.
    pub then: T,
}

impl<S: Side, T: Encode<S>> Encode<S> for When<S, T> {
    fn encode(&self, out: &mut Vec<S::Word>) {
        self.condition.encode(out);
        self.then.encode(out);
    }
}

impl<S: Decoding, T: Decode<S>> Decode<S> for When<S, T> {
    fn decode(from: &mut Reader<'_>) -> Result<Self> {
        Ok(When { condition: Decode::decode(from)?, then: T::decode(from)? })
    }
}
