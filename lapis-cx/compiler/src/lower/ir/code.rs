//! What bodies are made of: places in memory, expressions and statements.

use super::{Answer, Cx, LocalId, TableId, Ty};
use crate::contract::{FieldId, FnId};
use crate::json::{JsonSchema, Serialize};

/// An array in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Base {
    /// A local or a parameter.
    Local(LocalId),
    /// A state field.
    Field(FieldId),
    /// A constant array.
    Table(TableId),
    /// Where a function puts its array or wide result; only written.
    Out,
    /// A parameter of a [`Routine`](super::Routine), by position. Its indices are words of any width.
    Buffer(u32),
}

/// A run of elements of an array.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Slice {
    /// The array.
    pub base: Base,
    /// Its first element, a [`Ty::W32`].
    pub at: Box<Expr>,
}

/// A scalar expression without effect.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Expr {
    /// Its type.
    pub ty: Ty,
    /// What it is.
    pub kind: ExprKind,
}

/// What an expression is. Operands have the node's type unless it says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExprKind {
    /// A constant; a bool is 0 or 1.
    Const(
        #[serde(serialize_with = "crate::lower::exact::word")]
        #[schemars(with = "crate::int::Int")]
        u64,
    ),
    /// A scalar local.
    Local(LocalId),
    /// Operand of a command as its caller passed it: the pattern of its `Edge`, zero-extended.
    Arg(u32),
    /// A scalar field.
    Field(FieldId),
    /// An element; the index is a W32 inside the array.
    Element(Base, Box<Expr>),
    /// The status word of the state context, a W32.
    Status,
    /// The state word of an index of XLEN bits, as `State::read_word` returns it.
    StateWord(Box<Expr>),
    /// All bits inverted; `!` on bool.
    Not(Box<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Two operands of one type, compared as unsigned; the node is a bool.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// Both are true; the second operand is evaluated only if the first is true. All three are bool.
    And(Box<Expr>, Box<Expr>),
    /// One is true; the second operand is evaluated only if the first is false. All three are bool.
    Or(Box<Expr>, Box<Expr>),
    /// The other word type: zero-extended or cut. From bool: 0 or 1.
    Convert(Box<Expr>),
    /// A pattern of this many bits, fewer than the word has and with zeros above them, with its top bit copied to all
    /// above: a signed value in a whole word. Targets say it as `(x ^ g) - g`, with `g` the top bit, or by conversion.
    SignExtend(Box<Expr>, u32),
    /// The second if the first, a bool, is true, else the third; only that one is evaluated.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Calls a function with a scalar result.
    Call(FnId, Vec<CallArg>),
    /// `left < right` of two wide values; a bool.
    WideLess(Slice, Slice, u32),
    /// `left == right` of two wide values; a bool.
    WideEqual(Slice, Slice, u32),
    /// The word of a wide value that starts at a bit (a W32); 0 beyond the top.
    WideWord {
        /// The value.
        src: Slice,
        /// Its limbs.
        limbs: u32,
        /// The lowest bit.
        at: Box<Expr>,
    },
    /// A W32: the wide value if that is below 2^32 - 1, else 2^32 - 1.
    WideClamp(Slice, u32),
    /// Whether a buffer of a [`Routine`](super::Routine) is null; a bool.
    IsNull(u32),
    /// Whether [`Cx::Open`] found an instance for a context; a bool.
    IsOpen(u32),
}

/// Operators on two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BinaryOp {
    /// Sum modulo 2^width of the word.
    Add,
    /// Difference modulo 2^width of the word.
    Sub,
    /// Product modulo 2^width of the word.
    Mul,
    /// Unsigned quotient; the divisor is not zero.
    Div,
    /// Unsigned remainder; the divisor is not zero.
    Rem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Left shift by less than the width of the word; the amount is a W32.
    Shl,
    /// Right shift with zeros by less than the width of the word; the amount is a W32.
    Shr,
}

/// Unsigned comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CompareOp {
    /// `==`, also of two bools.
    Eq,
    /// `!=`, also of two bools.
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CallArg {
    /// A scalar by value.
    Value(Expr),
    /// An array or wide value by reference.
    Array(Slice),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stmt {
    /// A local begins, until the end of its block, without a value: an array, or a scalar that both arms of the next
    /// `If` assign.
    Declare(LocalId),
    /// A scalar local begins, until the end of its block.
    Let(LocalId, Expr),
    /// Assigns a scalar local.
    Assign(LocalId, Expr),
    /// Assigns a scalar field; the value fits its storage.
    SetField(FieldId, Expr),
    /// Assigns an element; the index is a W32 inside the array, the value fits its storage.
    Store(Base, Expr, Expr),
    /// Copies `len` elements; the two do not overlap.
    Copy {
        /// Where to.
        dst: Slice,
        /// Where from; of the same storage.
        src: Slice,
        /// How many elements.
        len: u32,
    },
    /// Sets `len` elements to a value that fits their storage.
    Fill {
        /// Where to.
        dst: Slice,
        /// How many elements.
        len: u32,
        /// The value.
        value: Expr,
    },
    /// Calls a function with an array or wide result, which overlaps no argument.
    CallInto(FnId, Vec<CallArg>, Slice),
    /// Works on a wide value: `dst` has `limbs` limbs and overlaps no operand unless the operation says so.
    Wide {
        /// The result.
        dst: Slice,
        /// Its limbs; the operands' too unless the operation says so.
        limbs: u32,
        /// What is done.
        op: WideOp,
    },
    /// Branch on a bool.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// The variable, a W32 or W64 that the body does not assign, runs from `lo` up to, not including, `hi`.
    For {
        /// The variable.
        var: LocalId,
        /// First value.
        lo: Expr,
        /// One past the last value: a constant or an unchanging local.
        hi: Expr,
        /// What is repeated.
        body: Vec<Stmt>,
    },
    /// The arm that names the value of a word runs, else `default`. No value is named twice.
    Switch {
        /// The word.
        value: Expr,
        /// Values and what runs.
        #[serde(serialize_with = "crate::lower::exact::arms")]
        #[schemars(with = "Vec<(Vec<crate::int::Int>, Vec<Stmt>)>")]
        arms: Vec<(Vec<u64>, Vec<Stmt>)>,
        /// What runs otherwise.
        default: Vec<Stmt>,
    },
    /// Ends a function; no value if the result is an array or wide. Also ends the bodies of `State`.
    Return(Option<Expr>),
    /// Ends a command. The value has the word type of the result's `Edge` and is extended to its
    /// width, above which a signed one may have any bits; absent if the command has no result.
    Finish(Answer, Option<Expr>),
    /// Sets the status word.
    SetStatus(Expr),
    /// Writes the state word of an index of XLEN bits, as `State::write_word` does.
    SetStateWord(Expr, Expr),
    /// Sets every field to its reset value, as `State::reset` does.
    Reset,
    /// In a [`Routine`](super::Routine) only.
    Cx(Box<Cx>),
}

/// Operations on wide values. Each target implements them once, as loops over limbs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WideOp {
    /// A word, zero-extended.
    Word(Expr),
    /// A value of another number of limbs, zero-extended or cut.
    Resize(Slice, u32),
    /// Sum modulo 2^(32 limbs).
    Add(Slice, Slice),
    /// Difference modulo 2^(32 limbs).
    Sub(Slice, Slice),
    /// Product modulo 2^(32 limbs).
    Mul(Slice, Slice),
    /// Bitwise and.
    And(Slice, Slice),
    /// Bitwise or.
    Or(Slice, Slice),
    /// Bitwise exclusive or.
    Xor(Slice, Slice),
    /// All bits inverted.
    Not(Slice),
    /// Left shift by a W32; 0 if that is 32 limbs or more.
    Shl(Slice, Expr),
    /// Right shift with zeros by a W32; 0 if that is 32 limbs or more.
    Shr(Slice, Expr),
    /// Unsigned quotient; all ones for a zero divisor.
    Div(Slice, Slice),
    /// Unsigned remainder; the dividend for a zero divisor.
    Rem(Slice, Slice),
    /// In place: clears all bits from this one up.
    Mask(u32),
    /// In place: copies the bit below this one (1 to 32 times the limbs) to all bits from this one up.
    SignExtend(u32),
}

impl Expr {
    /// A constant.
    pub fn constant(ty: Ty, v: u64) -> Expr {
        Expr { ty, kind: ExprKind::Const(v & ty.max()) }
    }

    /// The value of a constant.
    pub fn as_const(&self) -> Option<u64> {
        match self.kind {
            ExprKind::Const(v) => Some(v),
            _ => None,
        }
    }
}

impl Slice {
    /// From the first element on.
    pub fn start(base: Base) -> Slice {
        Slice::new(base, Expr::constant(Ty::W32, 0))
    }

    /// From an element on.
    pub fn new(base: Base, at: Expr) -> Slice {
        Slice { base, at: Box::new(at) }
    }
}
