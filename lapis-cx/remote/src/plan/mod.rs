//! A marshalling plan as the engine reads it.
//!
//! [`Plan::read`] makes it of words, whose grammar is that of `lapis-cx-plan`. Texts of C are positions among the functions of a
//! library; all offsets and sizes are those of the C compiler that compiled it.

mod facts;
mod fast_call;
mod read;
mod read_value;
mod simple;
mod steps;

pub(crate) use self::fast_call::{Constant, FEW, FastCall, Flat, Object};
pub(crate) use self::simple::Simple;
pub(crate) use self::steps::Step;
pub(crate) use lapis_cx_plan::{Key as KeyKind, Mode, Op as OpCode, Ownership};

impl Scalar {
    /// A number without a sign, of so many bytes.
    pub const fn unsigned(bytes: usize) -> Scalar {
        Scalar { bytes, is_signed: false, is_float: false }
    }
}

/// A position among the blocks of a plan.
pub(crate) type BlockId = u32;

/// How the functions and callbacks of a library are marshalled.
#[derive(Debug, Default)]
pub struct Plan {
    pub(crate) texts: Vec<String>,
    /// The same, as C reads them.
    pub(crate) c_texts: Vec<std::ffi::CString>,
    pub(crate) handles: Vec<Handle>,
    pub(crate) metadata: Vec<Metadata>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) functions: Vec<Option<Call>>,
    /// Their names in C.
    pub(crate) function_names: Vec<u32>,
    pub(crate) callbacks: Vec<Call>,
    /// There are functions for which nobody waits.
    pub(crate) has_async: bool,
    /// There are handles with members that are copied.
    pub(crate) has_members: bool,
}

#[derive(Debug)]
pub(crate) struct Handle {
    pub name: u32,
    pub parent: Option<u32>,
    /// Some memory stands for such an object on the side that did not make it.
    pub has_memory: bool,
    /// Bytes of the struct behind a handle, on the side that did not make the object; 0 without.
    pub memory: usize,
    pub initial: Vec<Initial>,
    /// Members that begin with what a function says of the struct: offset, bytes and function.
    pub computed: Vec<(usize, usize, u32)>,
    /// The members of the struct that are copied.
    pub members: Option<Members>,
}

/// The members of a struct behind a handle that the worker sends to the guest.
#[derive(Debug, Default)]
pub(crate) struct Members {
    pub block: BlockId,
    /// Numbers, as offset and bytes: the guest sends those that the program changed.
    pub numbers: Vec<(usize, usize)>,
    /// Pointers and objects, which the program does not change.
    pub others: Vec<(usize, usize)>,
}

/// What a member of such a struct begins with.
#[derive(Debug)]
pub(crate) struct Initial {
    pub offset: usize,
    pub bytes: usize,
    pub value: i128,
}

#[derive(Debug)]
pub(crate) struct Metadata {
    /// The handle that it is attached to; pointers without.
    pub of: Option<u32>,
    pub members: usize,
}

/// Memory whose values travel.
#[derive(Debug, Default)]
pub(crate) struct Block {
    pub bytes: usize,
    pub snapshots: Vec<Code>,
    pub values: Vec<Value>,
    /// What a request does with it, in order.
    pub request: Box<[Step]>,
    /// What a reply does with it.
    pub reply: Box<[Step]>,
    /// Positions of buffers of numbers that may overlap, if one of them is written: none if there is only one.
    pub may_overlap: Box<[usize]>,
    /// All of it travels as it lies in memory, both ways alike.
    pub is_flat: bool,
    /// It ends with an array of any length.
    pub varies: bool,
}

#[derive(Debug)]
pub(crate) struct Value {
    pub name: u32,
    pub offset: usize,
    pub goes: bool,
    pub comes: bool,
    pub on: Option<Code>,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scalar {
    pub bytes: usize,
    pub is_signed: bool,
    pub is_float: bool,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Nothing,
    Scalar {
        scalar: Scalar,
        wire: usize,
    },
    Address {
        is_own: bool,
    },
    Handle(HandleValue),
    Block(BlockId),
    Array(Box<Array>),
    Buffer(Box<Buffer>),
    Callback {
        of: u32,
        is_optional: bool,
        lifetime: Lifetime,
    },
    /// Each callback with the place where its function is.
    Userdata {
        of: Vec<(u32, Code)>,
        lifetime: Lifetime,
    },
    Within {
        is_optional: bool,
        /// The memory that it lies in.
        inside: Option<Code>,
    },
    File(Box<File>),
    Function(Code),
    Stream,
    Match(Box<Match>),
    Local(Option<Box<Room>>),
}

#[derive(Debug)]
pub(crate) struct HandleValue {
    pub of: u32,
    pub is_new: bool,
    pub is_own: bool,
    pub is_optional: bool,
    pub bytes: usize,
    pub room: Option<Code>,
}

#[derive(Debug)]
pub(crate) struct Array {
    pub stride: usize,
    pub count: Code,
    pub valid: Option<Code>,
    pub element: Value,
    /// Elements travel as they lie in memory.
    pub is_flat: bool,
    /// Its length is a value: it ends its struct, and what C says of the size of that is without it.
    pub is_tail: bool,
}

#[derive(Debug)]
pub(crate) struct Buffer {
    pub takes_in: bool,
    pub takes_out: bool,
    pub is_optional: bool,
    pub ownership: Ownership,
    pub stride: usize,
    pub lifetime: Lifetime,
    pub allocate: Option<u32>,
    pub free: Option<u32>,
    pub count: Option<Code>,
    pub until: Option<(Scalar, Code)>,
    pub valid: Option<Code>,
    pub element: Value,
    /// Elements travel as they lie in memory.
    pub is_flat: bool,
    /// Its element ends with an array of any length.
    pub varies: bool,
    /// The count is read from the contents: the receiver evaluates it after it received them.
    pub is_measured: bool,
    /// If the caller passes null, the callee gets memory all the same: an expression at exit reads it.
    pub has_always_room: bool,
    /// Its elements contain places that travel back, whatever the buffer itself does.
    pub has_inner_results: bool,
}

impl Buffer {
    /// Bytes of zeros that a receiver puts behind the elements.
    pub fn behind(&self) -> usize {
        if self.is_measured { self.stride } else { 0 }
    }
}

/// A path, or a descriptor.
#[derive(Debug)]
pub(crate) struct File {
    pub is_descriptor: bool,
    /// Of the descriptor.
    pub bytes: usize,
    pub takes_out: bool,
    pub lifetime: Lifetime,
}

#[derive(Debug)]
pub(crate) struct Match {
    pub value: Code,
    /// It reads the place that it is about: who receives that is told what was chosen.
    pub is_told: bool,
    pub arms: Vec<(Vec<(i128, i128)>, Value)>,
    pub default: Option<Value>,
}

/// Memory that only the other side has.
#[derive(Debug)]
pub(crate) struct Room {
    pub count: Code,
    pub bytes: usize,
    pub lifetime: Lifetime,
}

#[derive(Debug)]
pub(crate) enum Lifetime {
    Call,
    Static,
    Manual,
    Handle(u32, Code),
    Twin(Code),
    Scope(u32, u32, Code),
    Callback(#[expect(dead_code, reason = "kept until a call takes it")] Code),
    /// A function of the program, until a `once` callback of it was called.
    Once,
}

/// A function or a callback.
#[derive(Debug)]
pub(crate) struct Call {
    pub name: u32,
    pub arguments: BlockId,
    pub is_once: bool,
    pub implicits: Vec<Implicit>,
    pub timing: Vec<When<Timing>>,
    pub order: Vec<When<Vec<Key>>>,
    pub monitor: Vec<When<Vec<Key>>>,
    pub success: Vec<When<Code>>,
    pub requires: Vec<When<(Code, Vec<Store>)>>,
    pub fails: Vec<When<Vec<Store>>>,
    pub errno: Vec<When<bool>>,
    pub passes: Vec<When<Store>>,
    pub effects: Vec<When<Effect>>,
    pub around: Vec<When<(bool, u32)>>,
    /// Where the result is among the values of the arguments.
    pub result: Option<usize>,
    /// Expressions of it read `errno`: the library finds 0 there before it runs.
    pub reads_errno: bool,
    /// Where a callback carries its userdata.
    pub has_userdata: bool,
    /// Nothing but numbers travels, and so nothing comes back later.
    pub is_numbers: bool,
    /// What travels, if no walk is needed.
    pub fast: Option<FastCall>,
    /// It makes objects: if nobody waits for it, the guest names them.
    pub makes_objects: bool,
}

#[derive(Debug)]
pub(crate) struct When<T> {
    pub condition: Option<Code>,
    pub then: T,
}

#[derive(Debug)]
pub(crate) struct Implicit {
    pub offset: usize,
    pub bytes: usize,
    pub at_exit: bool,
    pub value: Code,
}

#[derive(Debug)]
pub(crate) struct Timing {
    pub mode: Mode,
    pub returns: Vec<Store>,
}

#[derive(Debug)]
pub(crate) enum Key {
    Global,
    Thread,
    Value(Code),
}

#[derive(Debug)]
pub(crate) struct Store {
    pub target: Target,
    pub value: Code,
}

#[derive(Debug)]
pub(crate) enum Target {
    Memory(Code, usize),
    Pointer(Code),
    Metadata(u32, u32, Code),
    Errno,
}

#[derive(Debug)]
pub(crate) enum Effect {
    Set(Store),
    Ends(u32, u32, Code),
    /// What is accounted, and what migration replays.
    Other,
}

/// An expression.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub text: u32,
    pub ops: Box<[Op]>,
    /// The same as a tree, if it is about the arguments alone.
    pub simple: Option<Simple>,
    /// Whether it asks what is attached to something.
    pub asks: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Op {
    Int(i128),
    Text(u32),
    Arguments,
    Own,
    EnterArguments,
    EnterOuter,
    Enter,
    EnterElement,
    Leave,
    This,
    Index,
    Received,
    Field(usize),
    Load(Scalar),
    Follow(usize),
    Element(usize),
    Metadata(u32, u32),
    MetadataElement(u32, u32, u32),
    Old(u32),
    Errno,
    Elapsed,
    IsEntry,
    IsWorker,
    Until(Scalar, usize),
    Strlen,
    Strchr,
    Physical,
    Native { native: u32, operands: u32, worker: bool },
    Select,
    Not,
    Neg,
    LogicalNot,
    Two(OpCode),
}

impl Match {
    /// All cases.
    pub fn cases(&self) -> impl Iterator<Item = &Value> {
        self.arms.iter().map(|(_, value)| value).chain(&self.default)
    }

    /// A case by its position; the last one is that of all other numbers.
    pub fn case(&self, at: usize) -> Option<&Value> {
        self.arms.get(at).map(|(_, value)| value).or(self.default.as_ref().filter(|_| at == self.arms.len()))
    }
}

impl Plan {
    pub(crate) fn text(&self, at: u32) -> &str {
        self.texts.get(at as usize).map_or("?", String::as_str)
    }
}
