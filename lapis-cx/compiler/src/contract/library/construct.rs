//! Constructs of libraries that a backend may not carry out. Such a backend declares them
//! ([`Capabilities::not_carried_out`](crate::backend::Capabilities)), and the driver rejects their uses.

use crate::source::Span;

/// A construct that needs more of what runs the calls than marshalling of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Construct {
    /// `sync until`, `async until`, `flush until`: results are final when a condition holds.
    Until,
    /// `@zero_copy` and `physical(…)`: memory that both processes share.
    ZeroCopy,
    /// `acquires`, `releases`, `consumes`: resources are accounted for.
    Resource,
    /// `record`, `depends_on`, `snapshot`: calls are replayed.
    Replay,
    /// `thread(main)`: the call runs on the first thread of the process.
    MainThread,
    /// `stream`: bytes that are never held whole.
    Stream,
    /// A file that the library opens for the caller.
    FileResult,
    /// `on send after`, `on reply after`: text that runs behind the sending of a message.
    AfterMessage,
    /// `ordered(…)` and `monitor(…)` of a callback.
    CallbackOrder,
    /// `userdata(f) as [T; n]`: the address of a buffer is the tag of a registration.
    UserdataBuffer,
    /// `userdata` as an argument of a function, without the callbacks that it belongs to.
    UnboundUserdata,
    /// Contents that come back of an `async` call which no later call delivers.
    AsyncContents,
    /// An `out` buffer in a case of `match (is_in)` that holds only before the call.
    EntryContents,
    /// A block that `own` passes, with contents that come back, a condition, or something in it that outlives the call.
    PassedContents,
    /// `set` of a value that is known only after an `async` call has run.
    AsyncSet,
    /// An optional `out` member of a struct that an expression at exit reads.
    RoomInStruct,
    /// A function that a callback gives to the library.
    CallbackFunction,
    /// Variable arguments whose case is not the value of a parameter.
    VariableChoice,
    /// An object that a call may take with `own` and give back with `new`, in contents or in an `async` call.
    ObjectGivenBack,
    /// A floating-point number in an expression, or an expression that is stored as one and is neither an integer constant nor text of C.
    Fraction,
    /// A member of a struct behind a handle that cannot be copied to the caller.
    PublicMember,
    /// `@lifetime` of a handle that goes in: the library keeps the object after the call that takes it.
    HandleLifetime,
    /// A handle whose value the caller chooses.
    ForeignHandle,
    /// A function that text of C calls and that nothing defines.
    Undefined,
}

impl Construct {
    /// Every construct.
    pub const ALL: &'static [Construct] = &[
        Construct::Until,
        Construct::ZeroCopy,
        Construct::Resource,
        Construct::Replay,
        Construct::MainThread,
        Construct::Stream,
        Construct::FileResult,
        Construct::AfterMessage,
        Construct::CallbackOrder,
        Construct::UserdataBuffer,
        Construct::UnboundUserdata,
        Construct::AsyncContents,
        Construct::EntryContents,
        Construct::PassedContents,
        Construct::AsyncSet,
        Construct::RoomInStruct,
        Construct::CallbackFunction,
        Construct::VariableChoice,
        Construct::ObjectGivenBack,
        Construct::Fraction,
        Construct::PublicMember,
        Construct::HandleLifetime,
        Construct::ForeignHandle,
        Construct::Undefined,
    ];

    /// What to write instead.
    pub fn help(self) -> &'static str {
        match self {
            Construct::Until => "let a call that waits for the results bring them: `sync`, without `until`",
            Construct::ZeroCopy => "remove it: the contents are copied",
            Construct::Resource => "remove the clause: nothing counts what calls take",
            Construct::Replay => "remove the clause: a worker that ends is not made again",
            Construct::MainThread => "remove it: each thread of the caller has a thread of its own in the worker",
            Construct::Stream => "pass a buffer and its length",
            Construct::FileResult => "let the caller open the file and pass it: `file` over a parameter",
            Construct::AfterMessage => "write `before`, or nothing: the text runs before the message is sent",
            Construct::CallbackOrder => {
                "remove the clause: callbacks run in the order in which each thread of the worker makes them"
            }
            Construct::UserdataBuffer => "pass the buffer and the tag as two arguments",
            Construct::UnboundUserdata => "name the arguments that are its callbacks: `userdata(f)`",
            Construct::AsyncContents => {
                "write `sync`; or give the call an `ordered(…)` key that a later call which is waited for shares"
            }
            Construct::EntryContents => {
                "write `out [T; n]` without the choice: the caller's pointer follows that of the library into the buffer"
            }
            Construct::PassedContents => {
                "write `own in` without `@on`, and pass what comes back or outlives the call as a separate argument"
            }
            Construct::AsyncSet => "write `sync`, or set a value that is known before the call",
            Construct::RoomInStruct => "let the expression read an argument, or a member that is always there",
            Construct::CallbackFunction => "let the program pass the function as an argument of a call",
            Construct::VariableChoice => {
                "write one integer argument in `match (…)`, with a case for each of its values; `v => ()` has no arguments"
            }
            Construct::ObjectGivenBack => {
                "return the object as the result or in `out [new H; n]` of a synchronous call; or write the handle without `own` and `new` if the call \
                 keeps it alive"
            }
            Construct::Fraction => "write the expression as text of C: c\"\"\"x > 0.5\"\"\"",
            Construct::PublicMember => {
                "write `local` if only the caller uses it; numbers, handles, and buffers that the library fills are copied"
            }
            Construct::HandleLifetime => {
                "remove it, and let the program keep the object as long as the library uses it; or write `new` if the library counts a reference"
            }
            Construct::ForeignHandle => "declare a number, and pass what depends on it as an argument of its own",
            Construct::Undefined => {
                "name the library that has it with `c libs`, or its source with `c sources`; or define it in `utility`"
            }
        }
    }
}

/// A use of a construct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstructUse {
    /// Which construct.
    pub construct: Construct,
    /// What the source says there, as a message begins: "`until`".
    pub what: String,
    /// Where.
    pub span: Span,
}
