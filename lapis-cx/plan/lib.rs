//! A marshalling plan as words: what a compiler prints and the engine of remoting reads.
//!
//! A plan is an array of 32-bit words, an array of texts and an array of functions. Offsets and sizes of C are words too: the
//! compiler of the target fills them in, so one plan serves each data model. This crate has the numbers that both sides must
//! mean the same by, and nothing else.
//!
//! # Grammar
//!
//! `x*` is a count and so many x; `[x]` is 0, or 1 and an x; `text` is an index into the texts, `native` one into the functions;
//! `offset` and `size` are bytes in C; `int` is four words, the lowest first: a number of 128 bits in two's complement. Inside of
//! other things `handle`, `metadata`, `resource`, `block`, `function` and `callback` are positions, and `member` is one in its
//! table. The value of an element or of a case begins where its array, buffer or choice does: its text is empty, its offset 0.
//!
//! ```text
//! plan        MAGIC  handle*  metadata*  resource*  block*  (text [call])* of functions  call* of callbacks
//!             text: the name of the function in C
//! handle      text  size  parent  memory-size  initial*  computed*  struct
//!             parent: 0, or 1 + its handle; memory-size: 0 without `as`; struct: 0, or 1 + the block of its members that are copied
//! initial     offset  size  int
//! computed    offset  size  native                           gets the address of that memory, and gives the initial value
//! metadata    text  (text  is-scope)*
//! resource    text  is-store
//! block       text  size  code* (the olds)  value*
//! value       text  offset  flags (VALUE)  code if ON  kind
//! kind        KIND, then by kind:
//!   Nothing
//!   Scalar    SCALAR flags  bytes in C (size)  bytes on the wire
//!   Address   is-own
//!   Handle    handle  flags (HANDLE)  size  code if ROOM
//!   Block     block
//!   Array     flags (BUFFER: VALID)  size of an element  code (count)  code if VALID  value
//!   Buffer    flags (BUFFER)  OWNERSHIP  size of an element  lifetime  allocate  free  code if COUNT
//!             (SCALAR flags  size  code) if UNTIL  code if VALID  value
//!             allocate, free: 0, or 1 + a function; UNTIL: what is compared, at the start of an element, and its last value
//!   Callback  callback  is-optional  lifetime
//!   Userdata  code*  lifetime
//!   Within    is-optional  [code]
//!   File      flags (FILE)  size  lifetime
//!   Function  code
//!   Stream    flags (FILE)
//!   Match     code  ((int int)*  value)*  [value]            ranges are half-open
//!   Local     [code  size  lifetime]
//! lifetime    LIFETIME, then: Handle: handle code; Twin: code; Scope: metadata member code; Callback: code
//! call        text  block  flags (CALL)  slots (0: none)  implicit*  when(timing)*  when(key*)* of order  when(key*)* of monitor
//!             when(THREAD)*  when(code)* of success  when(code store*)* of requires  when(store*)* of fails
//!             when(is-on)* of errno  when(store)* of passes  when(effect)*  when(is-before native)*
//! when(x)     [code]  x
//! implicit    offset  size  at-exit  code
//! timing      MODE  store*  [code]
//! key         KEY  code if Value
//! store       TARGET, then: Memory: code size; Pointer: code; Metadata: metadata member code; Errno; and the code of what is stored
//!             (a handle is stored as memory of its size)
//! effect      EFFECT, then: Set: store; Ends: metadata member code; Account: CHANGE resource at-entry code;
//!             Record: code*; DependsOn: code*; Snapshot: function function
//! code        text  words  op*                               words: how many all the ops have, without their count before them
//! op          OP, then its operands, see [`Op`]
//! ```
#![no_std]

/// The first word of a plan, and its version: "CXP" and 1.
pub const MAGIC: u32 = 0x0150_5843;

/// How many functions of one callback type with userdata have a trampoline of their own in the worker, behind the one of all others.
pub const TRAMPOLINES: u32 = 16;

/// Words that name a choice.
macro_rules! words {
    ($($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $number:literal,)* })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub enum $name { $($(#[$doc])* $variant = $number,)* }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The choice that a word names.
            #[must_use]
            pub const fn of(word: u32) -> Option<$name> {
                match word {
                    $($number => Some($name::$variant),)*
                    _ => None,
                }
            }

            /// Its word.
            #[must_use]
            pub const fn word(self) -> u32 {
                self as u32
            }
        }
    )*};
}

words! {
    /// What a value is.
    Kind {
        /// Nothing.
        Nothing = 0,
        /// A number.
        Scalar = 1,
        /// An address that nobody follows.
        Address = 2,
        /// An identifier of an object.
        Handle = 3,
        /// A struct by value.
        Block = 4,
        /// An inline array.
        Array = 5,
        /// A pointer and the elements behind it.
        Buffer = 6,
        /// A function of the caller.
        Callback = 7,
        /// The tag of a registration.
        Userdata = 8,
        /// A pointer into a region.
        Within = 9,
        /// A path or descriptor of a file.
        File = 10,
        /// The caller's stub of a function.
        Function = 11,
        /// Sequential bytes.
        Stream = 12,
        /// It depends on a number.
        Match = 13,
        /// Memory that each side has for itself.
        Local = 14,
    }

    /// How long the other side's copy lives.
    Lifetime {
        /// To the exit of the call.
        Call = 0,
        /// For ever, and made once.
        Static = 1,
        /// Until a call takes it.
        Manual = 2,
        /// Until a handle dies.
        Handle = 3,
        /// Until the twin at an address ends.
        Twin = 4,
        /// Until a scope ends.
        Scope = 5,
        /// Until a callback was called.
        Callback = 6,
    }

    /// Who has the memory of a buffer.
    Ownership {
        /// The sender.
        Lent = 0,
        /// The receiver from now on.
        Given = 1,
        /// Whoever is called from now on.
        Taken = 2,
        /// The caller; the worker has a twin at an address that stays.
        Twin = 3,
        /// The twin ends.
        EndsTwin = 4,
    }

    /// How a caller waits.
    Mode {
        /// To the exit.
        Sync = 0,
        /// Not at all.
        Async = 1,
        /// Not at all, and what came before is executable.
        Flush = 2,
    }

    /// Where a call runs.
    Thread {
        /// On the thread that stands for the caller's.
        Caller = 0,
        /// On any.
        Any = 1,
        /// On the first.
        Main = 2,
    }

    /// What calls share.
    Key {
        /// All share it.
        Global = 0,
        /// Those of one thread.
        Thread = 1,
        /// Those with a value.
        Value = 2,
    }

    /// Where a value is written.
    Target {
        /// Memory at an address.
        Memory = 0,
        /// A pointer or handle at an address.
        Pointer = 1,
        /// Metadata.
        Metadata = 2,
        /// `errno`.
        Errno = 3,
    }

    /// What happens at exit.
    Effect {
        /// Something is remembered.
        Set = 0,
        /// A scope ends.
        Ends = 1,
        /// A resource is taken or given back.
        Account = 2,
        /// The call is replayed.
        Record = 3,
        /// Objects exist after others.
        DependsOn = 4,
        /// How the state of the object is saved and loaded.
        Snapshot = 5,
    }

    /// What is done to a resource.
    Change {
        /// Taken until it is given back.
        Acquires = 0,
        /// Given back.
        Releases = 1,
        /// Used up.
        Consumes = 2,
    }

    /// When text of C runs that stands at an event; a table of functions has a place for each, in this order.
    Hook {
        /// Before the caller's side starts.
        GuestInitBefore = 0,
        /// After it started.
        GuestInitAfter = 1,
        /// Before it ends.
        GuestFiniBefore = 2,
        /// After it ended.
        GuestFiniAfter = 3,
        /// Before the worker serves a guest.
        WorkerInitBefore = 4,
        /// After it is ready.
        WorkerInitAfter = 5,
        /// Before it ends.
        WorkerFiniBefore = 6,
        /// After it ended.
        WorkerFiniAfter = 7,
        /// In the child of a fork.
        ForkChild = 8,
        /// A call is sent.
        Send = 9,
        /// An answer is sent.
        Reply = 10,
        /// The worker unpacked the arguments of a call.
        Arguments = 11,
    }

    /// A step of an expression, which works on a stack of numbers. Addresses are numbers. Words behind it are its operands.
    Op {
        /// Pushes a number: one word, signed.
        Int = 0,
        /// Pushes a number: an `int`.
        Wide = 1,
        /// Pushes the address of a text.
        Text = 2,
        /// Pushes the address of the arguments.
        Arguments = 3,
        /// Pushes the address of the block in which the expression stands.
        Own = 4,
        /// What follows, up to its `Leave`, stands in the arguments.
        EnterArguments = 5,
        /// What follows stands in the block around.
        EnterOuter = 6,
        /// What follows stands in the block at an address, which is popped; outside of it is the block of before.
        Enter = 7,
        /// What follows stands at a position among elements, which is popped.
        EnterElement = 8,
        /// Ends the last of these.
        Leave = 9,
        /// Pushes the address of the value that the expression is part of.
        This = 10,
        /// Pushes the position of that value among the elements around it, or 0.
        Index = 11,
        /// Adds an `offset` to an address; null stays null.
        Field = 12,
        /// An address becomes the number there: flags (SCALAR), `size`.
        Load = 13,
        /// An address becomes the pointer or handle there: `size`.
        Follow = 14,
        /// Address, position and count become the address of the element, or null: `size` of an element.
        Element = 15,
        /// A handle or pointer becomes what is attached to it: metadata, member.
        Metadata = 16,
        /// Pushes what was computed at entry: its position in the block.
        Old = 17,
        /// Pushes the worker's `errno`.
        Errno = 18,
        /// Pushes how long the call took: nanoseconds.
        Elapsed = 19,
        /// Pushes 1 at entry, 0 at exit.
        IsEntry = 20,
        /// Pushes 1 on the worker, 0 in the guest.
        IsWorker = 21,
        /// Pushes a `size`.
        Sizeof = 22,
        /// Address, limit (below 0: none) and value become the number of elements, the last one has that value: flags (SCALAR)
        /// and `size` of what is compared, `size` of an element.
        Until = 23,
        /// Address and limit become the length of a string.
        Strlen = 24,
        /// Address, limit and character become its position from 1, or 0.
        Strchr = 25,
        /// An address becomes its physical address.
        Physical = 26,
        /// The smaller of two.
        Min = 27,
        /// The greater of two.
        Max = 28,
        /// Arguments become the result of a function: `native`, how many.
        Native = 29,
        /// The same, asked on the worker only.
        WorkerNative = 30,
        /// A condition and two values become one of these.
        Select = 31,
        /// Sum.
        Add = 32,
        /// Difference.
        Sub = 33,
        /// Product.
        Mul = 34,
        /// Quotient, rounded to 0; by 0 it is -1.
        Div = 35,
        /// Remainder of that; by 0 the dividend.
        Rem = 36,
        /// Shift to the left.
        Shl = 37,
        /// Shift to the right, of the sign too.
        Shr = 38,
        /// Bits that both have.
        And = 39,
        /// Bits that one has.
        Or = 40,
        /// Bits that differ.
        Xor = 41,
        /// Equal: 1 or 0.
        Eq = 42,
        /// Not equal.
        Ne = 43,
        /// Less.
        Lt = 44,
        /// Less or equal.
        Le = 45,
        /// Greater.
        Gt = 46,
        /// Greater or equal.
        Ge = 47,
        /// Both are not 0.
        LogicalAnd = 48,
        /// One is not 0.
        LogicalOr = 49,
        /// It is 0.
        LogicalNot = 50,
        /// The other bits.
        Not = 51,
        /// The other sign.
        Neg = 52,
        /// Pushes how many elements the buffer of which this is the number of elements was received with. Below 0 on the side that
        /// sends it, which measures its own memory.
        Received = 53,
        /// A handle or pointer and a position become one of several numbers that are attached to it, or 0 beyond the last:
        /// metadata, the first member, how many.
        MetadataElement = 54,
    }
}

/// Flags of a value.
pub mod value {
    /// It is sent at entry.
    pub const GOES: u32 = 1;
    /// It is sent at exit, if the call succeeded.
    pub const COMES: u32 = 2;
    /// A condition in place of success.
    pub const ON: u32 = 4;
}

/// Flags of a number.
pub mod scalar {
    /// It has a sign.
    pub const SIGNED: u32 = 1;
    /// It is a floating-point number: expressions do not read it.
    pub const FLOAT: u32 = 2;
}

/// Flags of a handle.
pub mod handle {
    /// The receiver gains a reference.
    pub const NEW: u32 = 1;
    /// The call takes one.
    pub const OWN: u32 = 2;
    /// It may be null.
    pub const OPTIONAL: u32 = 4;
    /// It has memory of its own size behind it.
    pub const ROOM: u32 = 8;
}

/// Flags of a buffer or array.
pub mod buffer {
    /// It has a number of elements.
    pub const COUNT: u32 = 1;
    /// An element ends it.
    pub const UNTIL: u32 = 2;
    /// Only some elements carry contents.
    pub const VALID: u32 = 4;
    /// Contents go at entry.
    pub const IN: u32 = 8;
    /// Contents come at exit.
    pub const OUT: u32 = 16;
    /// It may be null.
    pub const OPTIONAL: u32 = 32;
    /// Both sides share it.
    pub const SHARED: u32 = 64;
    /// And it is pinned.
    pub const PINNED: u32 = 128;
    /// The number of elements is read from the contents, as in `[char; strlen(self) + 1]`. The sender evaluates it before it sends.
    /// The receiver takes the number that was sent, receives the contents, and then evaluates the expression and compares. It
    /// puts a zero element behind the contents, so that a library which looks for the end of a string finds one.
    pub const MEASURED: u32 = 256;
    /// An `out` argument that an expression at exit reads: if the caller passes null, the callee gets memory all the same.
    pub const ALWAYS_ROOM: u32 = 512;
}

/// Flags of a file.
pub mod file {
    /// It is a descriptor rather than a path.
    pub const DESCRIPTOR: u32 = 1;
    /// Contents go.
    pub const IN: u32 = 2;
    /// Contents come back.
    pub const OUT: u32 = 4;
}

/// Flags of a call.
pub mod call {
    /// The registration of a callback ends with its first call.
    pub const ONCE: u32 = 1;
}
