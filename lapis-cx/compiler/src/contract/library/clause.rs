//! Clauses: what holds of a function, a callback or a handle.

use super::expr::Expr;
use super::place::Place;
use super::{Code, FunctionId, InterfaceName, Moment, ResourceId};
use crate::contract::core::{self, Body};
use crate::json::{Deserialize, JsonSchema, Serialize};

/// Clauses of one family exclude each other: the innermost statement of one replaces the outer ones as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// `sync`, `async`, `flush`.
    Timing,
    /// `ordered`, `unordered`.
    Order,
    /// `monitor`, `atomic`.
    Concurrency,
    /// `success`.
    Success,
    /// `fails`.
    Failure,
}

/// A resolved clause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Clause {
    /// `sync`, `async`, `flush`.
    Timing {
        /// Which.
        mode: Mode,
        /// What the caller gets at once; empty means success without a value.
        returns: Vec<Outcome>,
        /// Out places and lent memory are final when this holds, asked on the worker.
        until: Option<Expr>,
    },
    /// Starts in the caller's order among calls that share a key.
    Ordered(Vec<Key>),
    /// Ordered with no call.
    Unordered,
    /// Never runs at the same time as a call that shares a key.
    Monitor(Vec<Key>),
    /// Runs at the same time as any call.
    Atomic,
    /// Where it runs.
    Thread(Thread),
    /// What success is.
    Success(Expr),
    /// The made-up result of a call that is not made.
    Fails(Vec<Outcome>),
    /// What must hold at entry; otherwise the call is not made.
    Requires {
        /// The condition.
        condition: Expr,
        /// The made-up result; empty for that of [`Clause::Fails`].
        otherwise: Vec<Outcome>,
    },
    /// The worker's errno comes back.
    Errno,
    /// At exit, on both sides, metadata or a local place gets a value.
    Set {
        /// Metadata, or a place in the caller's memory.
        target: Expr,
        /// The value.
        value: Expr,
    },
    /// The worker gives the library another value in place of an argument.
    Pass {
        /// A parameter.
        target: Expr,
        /// The value.
        value: Expr,
    },
    /// At exit, before results are stored, scopes end.
    Ends(Vec<Expr>),
    /// The registration ends after its first call.
    Once,
    /// How many callbacks without userdata may be registered at once.
    Slots(u32),
    /// Only [`Type::Function`](super::place::Type::Function) gives the address of this function.
    ByName,
    /// Takes from or gives back to a resource.
    Account {
        /// How.
        change: Change,
        /// Which.
        resource: ResourceId,
        /// How much.
        amount: Expr,
    },
    /// The call is replayed to make the objects again: those named, else those that are new or own, else the arguments.
    Record(Vec<Expr>),
    /// The object exists only after these.
    DependsOn(Vec<Expr>),
    /// Functions that write the state of the object to a stream and read it back.
    Snapshot {
        /// Writes.
        extract: FunctionId,
        /// Reads.
        restore: FunctionId,
    },
    /// Gives a place inside of an argument another type, or more attributes.
    Refine {
        /// Where.
        place: Path,
        /// The place, whole.
        to: Place,
    },
    /// Text around the real call.
    Around(Moment, Code),
    /// Text in place of the call, in the caller.
    Replace(Code),
    /// A body in this language.
    Impl {
        /// Each `with`, in source order.
        uses: Vec<Use>,
        /// The body at the XLEN of each of [`Library::sections`](super::Library::sections).
        bodies: Vec<ImplBody>,
    },
    /// The CX calling convention: the callee preserves the caller's selection and the state of shared CXs (CX API, section
    /// "CX calling conventions"). Without it the default calling convention holds.
    CxCall,
    /// Clauses that apply if a condition holds; they win over the others.
    When {
        /// The condition.
        condition: Expr,
        /// What applies if it holds.
        then: Vec<Clause>,
        /// What applies otherwise.
        otherwise: Vec<Clause>,
    },
}

/// The body of a function at one XLEN.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImplBody {
    /// What it does. Its parameters are those of the function: numbers, and buffers of numbers as arrays. A buffer whose
    /// length is no constant is an array of length 0; a parameter that can only be passed on is a `bool` that nobody reads.
    pub body: Body,
    /// For each parameter that is a buffer its number of elements, computed from other parameters. An element at or behind
    /// it reads as 0, as all do of a null buffer, and writes there are dropped.
    pub lengths: Vec<Option<core::Expr>>,
}

/// A `with` of a body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Use {
    /// The interfaces that are tried, first one first.
    pub interfaces: Vec<InterfaceName>,
    /// The commands that are issued, in order of first use.
    pub commands: Vec<String>,
    /// Whether an `else` stands in for all of them; without one, their generated fallbacks do.
    pub has_else: bool,
}

/// How a caller waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Until exit.
    Sync,
    /// Not at all.
    Async,
    /// Not at all, and all that came before can be executed.
    Flush,
}

/// What calls share that are ordered or exclude each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Key {
    /// All calls.
    Global,
    /// The calls of one thread.
    Thread,
    /// The calls with this value.
    Value(Expr),
}

/// Where a call runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Thread {
    /// On the thread of the other side's caller.
    Caller,
    /// On any.
    Any,
    /// On the first one.
    Main,
}

/// How a resource changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Of a store, until it is released.
    Acquires,
    /// Of a store.
    Releases,
    /// Of a rate.
    Consumes,
}

/// A part of a made-up result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// `ret`, an out place or errno.
    pub target: Expr,
    /// Its value.
    pub value: Expr,
}

/// A place inside of an argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Path {
    /// Where it begins.
    pub root: Root,
    /// How it goes on.
    pub steps: Vec<Step>,
}

/// Where a [`Path`] begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Root {
    /// A parameter.
    Param(u32),
    /// An implicit argument.
    Implicit(u32),
    /// The result.
    Ret,
}

/// A step of a [`Path`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Into each element.
    Elements,
    /// Into a member.
    Member(u32),
}
