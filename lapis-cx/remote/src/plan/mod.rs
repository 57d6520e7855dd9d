//! The marshalling plan of a library, as the engine uses it.
//!
//! [`Plan::read`] decodes it with `lapis-cx-plan`, which has the types, and derives facts from it. C code is represented by its position
//! among the functions of the library. All sizes and offsets are those of the C compiler that compiled the library.

mod blocks_read;
mod facts;
mod fast_call;
mod layouts;
mod load;
mod out_numbers;
mod simple;
mod steps;

pub(crate) use self::blocks_read::is_of_block;
pub(crate) use self::facts::Members;
pub(crate) use self::fast_call::{Constant, FEW, FastCall, Flat, Object};
pub(crate) use self::layouts::Layout;
pub(crate) use self::simple::Simple;
pub(crate) use self::steps::{Step, plain_buffer};
pub(crate) use lapis_cx_plan::{Binary, Mode, Ownership, Slot, Unary};

use std::ffi::CString;
use std::ops::Range;

use lapis_cx_plan::Side;

/// The engine as the side that decodes a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Engine;

impl Side for Engine {
    type Bytes = usize;
    type Word = u32;
    type Code = CodeFacts;
    type Value = ValueFacts;
    type Block = BlockFacts;
    type Call = CallFacts;
    type Handle = Option<Members>;
}

impl lapis_cx_plan::Decoding for Engine {
    fn code(ops: &[Op]) -> CodeFacts {
        let reads_metadata = ops.iter().any(|op| matches!(op, Op::Metadata(_) | Op::MetadataElement { .. }));
        CodeFacts { simple: Simple::of(ops), reads_metadata, blocks_read: blocks_read::of_ops(ops) }
    }
}

pub(crate) type Arm = lapis_cx_plan::Arm<Engine>;
pub(crate) type Array = lapis_cx_plan::Array<Engine>;
pub(crate) type Block = lapis_cx_plan::Block<Engine>;
pub(crate) type Buffer = lapis_cx_plan::Buffer<Engine>;
pub(crate) type Call = lapis_cx_plan::Call<Engine>;
pub(crate) type Code = lapis_cx_plan::Code<Engine>;
pub(crate) type Effect = lapis_cx_plan::Effect<Engine>;
pub(crate) type File = lapis_cx_plan::File<Engine>;
pub(crate) type Function = lapis_cx_plan::Function<Engine>;
pub(crate) type Handle = lapis_cx_plan::Handle<Engine>;
pub(crate) type HandleValue = lapis_cx_plan::HandleValue<Engine>;
pub(crate) type Implicit = lapis_cx_plan::Implicit<Engine>;
pub(crate) type Key = lapis_cx_plan::Key<Engine>;
pub(crate) type Kind = lapis_cx_plan::Kind<Engine>;
pub(crate) type Lifetime = lapis_cx_plan::Lifetime<Engine>;
pub(crate) type Match = lapis_cx_plan::Match<Engine>;
pub(crate) type Op = lapis_cx_plan::Op<Engine>;
pub(crate) type Scalar = lapis_cx_plan::Scalar<Engine>;
pub(crate) type Store = lapis_cx_plan::Store<Engine>;
pub(crate) type Tagged = lapis_cx_plan::Tagged<Engine>;
pub(crate) type Target = lapis_cx_plan::Target<Engine>;
pub(crate) type Value = lapis_cx_plan::Value<Engine>;
pub(crate) type When<T> = lapis_cx_plan::When<Engine, T>;

/// The position of a block in the plan.
pub(crate) type BlockId = u32;

/// The description of how the functions and callbacks of a library are marshalled.
#[derive(Debug, Default)]
pub struct Plan {
    /// The texts as null-terminated UTF-8.
    pub(crate) texts: Vec<CString>,
    pub(crate) handles: Vec<Handle>,
    pub(crate) metadata: Vec<Metadata>,
    pub(crate) blocks: Vec<Block>,
    /// What structs contain, by [`BlockFacts::layout`].
    pub(crate) layouts: Vec<Layout>,
    pub(crate) functions: Vec<Function>,
    pub(crate) callbacks: Vec<Call>,
    /// The library has functions that can be called asynchronously.
    pub(crate) has_async: bool,
    /// There are handles with members that are copied.
    pub(crate) has_members: bool,
    /// The library has functions that end objects or memory.
    pub(crate) has_ends: bool,
}

#[derive(Debug)]
pub(crate) struct Metadata {
    /// The handle type that has the metadata. It is `None` for metadata of pointers.
    pub of: Option<u32>,
    pub members: usize,
}

/// Facts about an expression.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CodeFacts {
    /// The expression as a tree, if it only reads arguments.
    pub simple: Option<Simple>,
    /// The expression reads metadata.
    pub reads_metadata: bool,
    /// The number of blocks that the expression reads, from its own block outwards.
    pub blocks_read: usize,
}

/// Facts about an array, a buffer or a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ValueFacts {
    /// The elements are copied unchanged.
    pub is_flat: bool,
    /// The element of the buffer ends with an array of variable length.
    pub varies: bool,
    /// A number of the layout of the buffer's elements, if these are neither numbers nor structs. Buffers whose elements describe memory alike have
    /// the same one.
    pub element: u32,
    /// The elements of the buffer contain values that the reply carries, even if the buffer itself is `in`.
    pub has_inner_results: bool,
    /// The elements of the buffer themselves contain such values, not only memory behind their pointers.
    pub has_own_results: bool,
    /// What the elements of the buffer contain depends on the block that has the pointer, or on a block around it.
    pub reads_outer: bool,
    /// The number of the choice is part of the value itself, so the message carries the selected case.
    pub sends_case: bool,
}

/// Adjacent numbers, or other values, of one size in a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Numbers {
    pub offset: usize,
    pub bytes: usize,
    /// The size of each value in bytes.
    pub each: usize,
}

impl Numbers {
    fn one(offset: usize, bytes: usize) -> Numbers {
        Numbers { offset, bytes, each: bytes }
    }

    /// Returns the offsets of the values.
    pub fn range(&self) -> Range<usize> {
        self.offset..self.offset + self.bytes
    }
}

/// Facts about a block.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct BlockFacts {
    /// The operations of a request, in order.
    pub request: Box<[Step]>,
    /// The operations of a reply, in order.
    pub reply: Box<[Step]>,
    /// Positions of the plain buffers, if they may overlap each other or buffers inside of other values.
    pub may_overlap: Box<[usize]>,
    /// The block is copied unchanged, in the same directions as a whole.
    pub is_flat: bool,
    /// The block ends with an array of variable length.
    pub varies: bool,
    /// The numbers of the block and of the blocks in it, in order.
    pub numbers: Box<[Numbers]>,
    /// The numbers, pointers and handles of the block and of the blocks in it, in order.
    pub values: Box<[Numbers]>,
    /// A number that the block shares with the blocks that describe memory alike.
    pub layout: u32,
}

/// Facts about a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CallFacts {
    /// The position of the result among the values of the arguments.
    pub result: Option<usize>,
    /// It is a callback with a userdata argument.
    pub has_userdata: bool,
    /// All values are numbers, so the call leaves no state.
    pub is_numbers: bool,
    /// The values that are copied, if the call can take the fast path.
    pub fast: Option<FastCall>,
    /// The call ends objects or memory that earlier calls used.
    pub ends: bool,
    /// The call sets metadata unless it fails.
    pub may_set: bool,
    /// The call creates objects. If it is asynchronous, the guest assigns provisional ids to them.
    pub makes_objects: bool,
}

impl Plan {
    pub(crate) fn text(&self, at: u32) -> &str {
        self.texts.get(at as usize).and_then(|text| text.to_str().ok()).unwrap_or_default()
    }

    /// Returns the kinds of objects that end with an object of a kind at the latest: those whose chain of parents contains it.
    pub(crate) fn kinds_that_end_with(&self, kind: u32) -> impl Iterator<Item = u32> {
        let parent = |of: u32| self.handles.get(of as usize).and_then(|one| one.parent);
        let ends_with = move |of: &u32| {
            // The kinds limit the length of the chain, which may be a circle in a plan that no compiler wrote.
            std::iter::successors(parent(*of), |of| parent(*of)).take(self.handles.len()).any(|one| one == kind)
        };
        (0..self.handles.len() as u32).filter(ends_with)
    }

    /// Returns the name in C of the function whose call has a name: both are texts. A callback keeps its name.
    pub(crate) fn name_in_c(&self, call: u32) -> u32 {
        let has_call = |function: &&Function| function.call.as_ref().is_some_and(|one| one.name == call);
        self.functions.iter().find(has_call).map_or(call, |function| function.name)
    }

    /// Returns whether a text is not empty.
    pub(crate) fn has_text(&self, at: u32) -> bool {
        self.texts.get(at as usize).is_some_and(|text| !text.is_empty())
    }

    /// Returns how a function is called. `None` if there is no such function, or if the guest carries it out itself.
    pub(crate) fn call(&self, function: u32) -> Option<&Call> {
        self.functions.get(function as usize)?.call.as_ref()
    }
}

/// Returns whether an array has variable length and ends its struct. The C size of the struct does not include it.
pub(crate) fn is_tail(array: &Array) -> bool {
    !matches!(*array.count.ops, [Op::Int(_) | Op::Sizeof(_)])
}

/// Returns whether a reply carries something of the memory of a buffer: its contents, or values in them.
pub(crate) fn is_written(buffer: &Buffer) -> bool {
    buffer.is_out || buffer.facts.has_inner_results
}

/// Returns whether the message carries only the address of the memory (`local`): each side has its own contents, which the callee may change.
pub(crate) fn is_local(buffer: &Buffer) -> bool {
    !buffer.is_in && !buffer.is_out && buffer.ownership == Ownership::Borrowed
}

/// Returns whether a request carries the pointer in whose place the callee puts a new block.
pub(crate) fn is_replaced(buffer: &Buffer) -> bool {
    buffer.ownership == Ownership::Given && buffer.is_in
}

/// Returns whether a result is a block that the receiver frees. Other memory has an owner that ends it.
pub(crate) fn gives_block(buffer: &Buffer) -> bool {
    buffer.ownership == Ownership::Given && matches!(buffer.lifetime, Lifetime::Call)
}

/// Returns whether C code measures the contents: the length of the buffer, or how many elements are valid.
pub(crate) fn is_measured_by_c(buffer: &Buffer) -> bool {
    let is_c = |code: &Code| code.ops.iter().any(|op| matches!(op, Op::Native { .. }));
    buffer.count.as_ref().filter(|_| buffer.is_measured).is_some_and(is_c) || buffer.valid.as_ref().is_some_and(is_c)
}

/// Returns whether the contents themselves say how many elements are valid, as a text does.
pub(crate) fn tells_valid(buffer: &Buffer) -> bool {
    let measures = |op: &Op| matches!(op, Op::Strlen | Op::Strchr | Op::Native { .. });
    buffer.until.is_some() || buffer.valid.as_ref().is_some_and(|code| code.ops.iter().any(measures))
}

/// Returns whether the request of an `inout` buffer or array carries the valid elements only: pointers in other elements may lead anywhere.
pub(crate) fn carries_valid_only(is_valid_known: bool, is_flat: bool) -> bool {
    is_valid_known && !is_flat
}

/// Returns the number of zero bytes that a receiver appends to the elements, as an expression or C code can search for the end of a text.
pub(crate) fn bytes_behind(buffer: &Buffer) -> usize {
    if buffer.is_measured || buffer.valid.is_some() { buffer.stride } else { 0 }
}

/// Returns the size in bytes of a value in memory. Returns `None` for a value without contents, and for structs, arrays and choices.
pub(crate) fn single_bytes(kind: &Kind) -> Option<usize> {
    match kind {
        Kind::Nothing | Kind::Local { .. } | Kind::Block(_) | Kind::Array(_) | Kind::Match(_) => None,
        Kind::Scalar { scalar, .. } => Some(scalar.bytes),
        Kind::Handle(handle) => Some(handle.bytes),
        Kind::File(file) => Some(file.bytes),
        _ => Some(size_of::<usize>()),
    }
}

/// Returns the callback type of a function that has a userdata, or `u32::MAX` if the plan does not know it.
pub(crate) fn callback_of(function: &Tagged) -> u32 {
    function.callback.unwrap_or(u32::MAX)
}
