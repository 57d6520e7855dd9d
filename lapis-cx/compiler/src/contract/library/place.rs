//! Places: what a parameter, a member, an element or a result holds, and how it travels.

use super::expr::Expr;
use super::{CallbackId, FunctionId, HandleId, Param, StructId, TypeId};
use crate::contract::core;
use crate::contract::{EnumId, Section};
use crate::int::Int;
use crate::json::{Deserialize, JsonSchema, Serialize};

/// The type of a place with all that is said of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// How C declares it, where the source says so: the left side of `as`, or the spelling of a named type.
    pub c: Option<Declared>,
    /// How it travels.
    pub ty: Type,
    /// The named type that was written, if any: metadata may be attached to it.
    pub named: Option<TypeId>,
    /// What travels when, and who owns it.
    #[serde(flatten)]
    pub directions: Directions,
    /// `?`: it may be null.
    pub optional: bool,
    /// `@valid(e)`: only so many elements carry contents; evaluated at exit for `out`, else at entry.
    pub valid: Option<Box<Expr>>,
    /// `@on(c)`: replaces success as the condition of what happens at exit.
    pub on: Option<Box<Expr>>,
    /// `@lifetime(…)`: how long the other side's copy lives.
    pub lifetime: Option<Lifetime>,
    /// `@allocator(a, d)`: where the memory comes from, and where it goes.
    pub allocator: Option<Allocator>,
    /// `@room(n)`: bytes behind a handle on its own side.
    pub room: Option<Box<Expr>>,
    /// `@zero_copy`: it lies in a region that both sides share.
    pub zero_copy: Option<ZeroCopy>,
    /// `@align(n)`: the least alignment of the other side's copy, a power of two of bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub align: Option<u32>,
}

impl Place {
    /// The type in the language of a scalar or enum, at the XLEN of a section of its library; `None` for all else.
    pub fn number(&self, section: &Section) -> Option<core::Type> {
        match &self.ty {
            Type::Scalar(scalar) => scalar.number(section.xlen),
            Type::Enum(id) => Some(core::Type::Enum { id: *id, width: section.enums.get(id.index())?.width }),
            _ => None,
        }
    }
}

impl Scalar {
    /// The bytes with which a scalar is sent: those that it has in C on a machine of 64 bits.
    pub fn wire_bytes(self) -> u32 {
        match self {
            Scalar::Bool | Scalar::Char => 1,
            Scalar::Short | Scalar::UShort => 2,
            Scalar::Int | Scalar::UInt | Scalar::Float => 4,
            Scalar::Long | Scalar::ULong | Scalar::Size | Scalar::IntPtr | Scalar::UIntPtr | Scalar::Double => 8,
            Scalar::Unsigned(bits) | Scalar::Signed(bits) => bits.div_ceil(8),
        }
    }

    /// The type in the language, at an XLEN; `None` for a float.
    pub fn number(self, xlen: u32) -> Option<core::Type> {
        Some(match self {
            Scalar::Bool => core::Type::Bool,
            Scalar::Char => core::Type::U(8),
            Scalar::Short => core::Type::S(16),
            Scalar::UShort => core::Type::U(16),
            Scalar::Int => core::Type::S(32),
            Scalar::UInt => core::Type::U(32),
            Scalar::Long | Scalar::IntPtr => core::Type::S(xlen),
            Scalar::ULong | Scalar::Size | Scalar::UIntPtr => core::Type::U(xlen),
            Scalar::Unsigned(bits) => core::Type::U(bits),
            Scalar::Signed(bits) => core::Type::S(bits),
            Scalar::Float | Scalar::Double => return None,
        })
    }
}

/// How C declares a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Declared {
    /// A type of C, spelled out.
    Spelling(String),
    /// As a place of this type.
    Type(Box<Place>),
}

/// Direction and ownership.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Directions {
    /// `in`, `inout`: contents go at entry.
    #[serde(rename = "in")]
    pub input: bool,
    /// `out`, `inout`: contents come back at exit.
    #[serde(rename = "out")]
    pub output: bool,
    /// `new`: the receiver gains a reference, or owns a copy.
    pub new: bool,
    /// `own`: the call takes a reference, or ends the block.
    pub own: bool,
    /// `local`: never travels.
    pub local: bool,
}

/// How long the copy of the other side lives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Lifetime {
    /// To the exit of the call: the default.
    Call,
    /// For ever; made once.
    Static,
    /// Until a call takes it with `own`.
    Manual,
    /// Until a handle or twin dies, a scope ends, or a callback was called.
    Until(Box<Expr>),
}

/// Functions that allocate and free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Allocator {
    /// Makes the caller's copy; `None` where only the deallocator is named, as of memory that the call itself makes.
    pub allocate: Option<FunctionId>,
    /// Frees the worker's own.
    pub free: FunctionId,
}

/// What is known of a shared region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ZeroCopy {
    /// It is shared.
    Virtual,
    /// It is also pinned: `physical(p)` tells its address.
    Physical,
}

/// A scalar of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scalar {
    /// `bool`.
    Bool,
    /// `char`.
    Char,
    /// `short`.
    Short,
    /// `ushort`: `unsigned short`.
    UShort,
    /// `int`.
    Int,
    /// `uint`: `unsigned int`.
    UInt,
    /// `long`.
    Long,
    /// `ulong`: `unsigned long`.
    ULong,
    /// `size`: `size_t`.
    Size,
    /// `intptr`: `intptr_t`.
    IntPtr,
    /// `uintptr`: `uintptr_t`.
    UIntPtr,
    /// `u8`, `u16`, `u32`, `u64`: exactly so many bits.
    Unsigned(u32),
    /// `s8`, `s16`, `s32`, `s64`.
    Signed(u32),
    /// `float`.
    Float,
    /// `double`.
    Double,
}

/// How a value travels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    /// Nothing.
    Void,
    /// Bits, unchanged.
    Scalar(Scalar),
    /// The bits of an enum's base.
    Enum(EnumId),
    /// An address whose bits travel unchanged; it is never followed.
    Ptr,
    /// An identifier of an object.
    Handle(HandleId),
    /// A struct by value.
    Struct {
        /// Which.
        id: StructId,
        /// Values for [`Struct::outer`](super::Struct::outer).
        outer: Vec<Expr>,
    },
    /// `U.m`: a union with this member live.
    Live {
        /// The union.
        id: StructId,
        /// Position of the member.
        member: u32,
        /// Values for [`Struct::outer`](super::Struct::outer).
        outer: Vec<Expr>,
    },
    /// A function of the caller that the worker calls.
    Callback(CallbackId),
    /// A pointer to elements. Without a length it ends with the element `until`.
    Buffer {
        /// The elements.
        element: Box<Place>,
        /// How many there are, or at most, if `until` is given.
        len: Option<Box<Expr>>,
        /// The last element: equal to this (of a struct, its first member), and included.
        until: Option<Box<Expr>>,
    },
    /// An inline array.
    Array {
        /// The elements.
        element: Box<Place>,
        /// How many; with a member as length, a trailing array.
        len: Box<Expr>,
    },
    /// The type depends on a value.
    Match {
        /// The value.
        value: Box<Expr>,
        /// The cases in source order.
        arms: Vec<Arm>,
        /// `_`; `None` if all values have an arm.
        default: Option<Box<Place>>,
    },
    /// A pointer into another buffer, of which only the offset travels; `None` for any region.
    Within(Option<Box<Expr>>),
    /// The tag of registrations: for each, a callback or a struct of callbacks. In a callback itself there are none.
    Userdata(Vec<Expr>),
    /// A path or a descriptor of a file of the caller.
    File,
    /// The caller's stub of the function whose name the expression is.
    Function(Box<Expr>),
    /// Sequential bytes.
    Stream,
    /// A scope: what lives in it is freed when it ends.
    Lifetime,
    /// What `...` stands for.
    Tuple(Vec<Param>),
}

/// A case of a [`Type::Match`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Arm {
    /// Half-open ranges of values, as in [`core::Arm`]; `false` is 0, `true` 1.
    pub patterns: Vec<(Int, Int)>,
    /// The type then.
    pub place: Place,
}

impl Place {
    /// A place of a type of which nothing else is said.
    pub fn of(ty: Type) -> Place {
        Place {
            c: None,
            ty,
            named: None,
            directions: Directions::default(),
            optional: false,
            valid: None,
            on: None,
            lifetime: None,
            allocator: None,
            room: None,
            zero_copy: None,
            align: None,
        }
    }
}

impl Directions {
    /// Whether nothing is said.
    pub fn is_empty(self) -> bool {
        self == Directions::default()
    }

    /// Both together.
    pub fn and(self, other: Directions) -> Directions {
        Directions {
            input: self.input || other.input,
            output: self.output || other.output,
            new: self.new || other.new,
            own: self.own || other.own,
            local: self.local || other.local,
        }
    }
}
