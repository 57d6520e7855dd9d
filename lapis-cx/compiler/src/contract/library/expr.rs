//! Expressions over arguments, results and metadata.
//!
//! Integers are exact: no width, no overflow. An expression has no side effect. `p[i]` through NULL or outside of the
//! buffer is 0. Where an integer becomes a size or the argument of a function and does not fit, the call fails before
//! anything is copied.

use super::place::Place;
use super::{Code, FnUseId, FunctionId, HandleId, MetadataId, StructId};
use crate::contract::EnumId;
use crate::contract::core::{BinaryOp, UnaryOp};
use crate::int::Int;
use crate::json::{Deserialize, JsonSchema, Serialize};

/// The kind of a value, as far as expressions tell values apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValueKind {
    /// An exact integer; scalars and enums of C are read as one.
    Int,
    /// `true` or `false`.
    Bool,
    /// `float` or `double`: it can be passed on and compared only.
    Float,
    /// `null`.
    Null,
    /// An address: a buffer, a callback, userdata.
    Pointer,
    /// A handle.
    Handle(HandleId),
    /// A struct by value.
    Struct(StructId),
    /// An inline array.
    Array,
    /// A scope of lifetimes.
    Scope,
    /// Nothing.
    Void,
    /// Known only when it runs: a `match` type, or text of another language.
    Any,
}

/// When a value is known first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// Before the call is sent, on both sides.
    Entry,
    /// After the real call returned, on the worker.
    Exit,
}

/// A checked expression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Expr {
    /// What its value is.
    pub value: ValueKind,
    /// When it is known first. Whoever holds the expression says when it is evaluated; never earlier.
    pub when: When,
    /// What it is.
    pub kind: ExprKind,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExprKind {
    /// An integer.
    Int(Int),
    /// A truth value.
    Bool(bool),
    /// The null pointer.
    Null,
    /// A text.
    Text(String),
    /// A case of an enum.
    Case {
        /// The enum.
        of: EnumId,
        /// Position among its cases.
        case: u32,
        /// Its value.
        value: Int,
    },
    /// A parameter, by position.
    Param(u32),
    /// A parameter of the tuple that `...` stands for, by position.
    Variable(u32),
    /// An implicit argument, by position.
    Implicit(u32),
    /// A member of the struct in which the expression stands.
    Sibling(u32),
    /// A name of the place where the struct around the expression is used, by position in
    /// [`Struct::outer`](super::Struct::outer).
    Outer(u32),
    /// The result.
    Ret,
    /// The value whose type the expression is part of.
    SelfValue,
    /// Its position among the elements around it; 0 if there are none.
    Index,
    /// The worker's `errno` after the call.
    Errno,
    /// How long the real call took, in nanoseconds.
    Elapsed,
    /// `is_in`: entry, not exit.
    IsIn,
    /// `is_out`: exit, not entry.
    IsOut,
    /// `on_worker`.
    OnWorker,
    /// `on_guest`: in the caller.
    OnGuest,
    /// `old(e)`: the value at entry.
    Old(Box<Expr>),
    /// A member of a struct.
    Member {
        /// The struct: a value, or a pointer that is followed.
        base: Box<Expr>,
        /// Which struct.
        of: StructId,
        /// Position among its members.
        member: u32,
    },
    /// A value that is attached to a handle or a pointer.
    Metadata {
        /// The handle or pointer.
        base: Box<Expr>,
        /// Which table.
        of: MetadataId,
        /// Position among its members.
        member: u32,
    },
    /// An element of a buffer or an inline array.
    Element(Box<Expr>, Box<Expr>),
    /// Bytes of a type in C.
    SizeofType(Box<Place>),
    /// Bytes of a value's type in C.
    SizeofValue(Box<Expr>),
    /// Characters before the first NUL; 0 for NULL.
    Strlen(Box<Expr>),
    /// Position of the first such character, counted from 1; 0 if there is none.
    Strchr(Box<Expr>, Box<Expr>),
    /// The physical address of a pinned region.
    Physical(Box<Expr>),
    /// The smallest.
    Min(Vec<Expr>),
    /// The greatest.
    Max(Vec<Expr>),
    /// Asks a function of the API, on the worker.
    Call(FunctionId, Vec<Expr>),
    /// Calls a function of the language.
    Fn(FnUseId, Vec<Expr>),
    /// Calls a function that a `utility` defines.
    Utility(String, Vec<Expr>),
    /// An expression of another language.
    Code(Code),
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
}
