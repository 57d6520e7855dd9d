//! The typed core: what bodies mean, before any lowering.
//!
//! A value is an exact integer (or an array of values) within its type. An arithmetic node computes exactly on its
//! operands and reduces the result modulo 2^width of its own type; so one `add` serves `+` and `+%`. Nothing is
//! undefined: reading bits or elements outside gives 0, writing there is dropped, `x / 0` is all ones and `x % 0` is
//! `x` (RISC-V M), a shift by the width or more gives 0 (or the sign).
//!
//! Every integer node is sized. Where the source has an unsized integer that varies (a loop variable and what is
//! computed from it), the node has the smallest type that holds its range, so reduction never changes it.

use super::library::FunctionId;
use super::{CommandId, ConstId, CsrId, EnumId, ErrorId, FieldId, FnId, Section};
use crate::int::Int;
use crate::json::{Deserialize, JsonSchema, Serialize};

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    /// `bool`: 0 or 1.
    Bool,
    /// `uN`: 0 to 2^N - 1.
    U(u32),
    /// `sN`: -2^(N-1) to 2^(N-1) - 1.
    S(u32),
    /// An enum: its values are the unsigned patterns of its base.
    Enum {
        /// Which.
        id: EnumId,
        /// Width of the base in bits.
        width: u32,
    },
    /// `T[N]`: a value that is assigned, passed and returned whole.
    Array {
        /// Number of elements, at least 1.
        len: u32,
        /// Type of an element.
        elem: Box<Type>,
    },
}

impl Type {
    /// `len` elements of `elem`.
    pub fn array(elem: Type, len: u32) -> Type {
        Type::Array { len, elem: Box::new(elem) }
    }

    /// As the source writes it; `section` has its enums.
    pub fn text(&self, section: &Section) -> String {
        match self {
            Type::Bool => "bool".into(),
            Type::U(n) => format!("u{n}"),
            Type::S(n) => format!("s{n}"),
            Type::Enum { id, width } => {
                section.enums.get(id.index()).map_or_else(|| format!("an enum of {width} bits"), |def| def.name.clone())
            }
            Type::Array { len, elem } => {
                // The outer length is written first.
                let (mut lengths, mut inner) = (format!("[{len}]"), &**elem);
                while let Type::Array { len, elem } = inner {
                    lengths += &format!("[{len}]");
                    inner = elem;
                }
                format!("{}{lengths}", inner.text(section))
            }
        }
    }

    /// Total width in bits: elements are packed without gaps.
    pub fn bits(&self) -> u64 {
        match self {
            Type::Bool => 1,
            Type::U(n) | Type::S(n) => u64::from(*n),
            Type::Enum { width, .. } => u64::from(*width),
            Type::Array { len, elem } => u64::from(*len).saturating_mul(elem.bits()),
        }
    }

    /// Width of a scalar in bits; 0 for an array.
    pub fn width(&self) -> u32 {
        match self {
            Type::Array { .. } => 0,
            scalar => scalar.bits() as u32,
        }
    }

    /// Whether values may be negative.
    pub fn is_signed(&self) -> bool {
        matches!(self, Type::S(_))
    }

    /// Whether this is `uN` or `sN`.
    pub fn is_integer(&self) -> bool {
        matches!(self, Type::U(_) | Type::S(_))
    }

    /// The scalar type at the bottom and how many of it there are.
    pub fn flattened(&self) -> (&Type, u64) {
        match self {
            Type::Array { len, elem } => {
                let (scalar, n) = elem.flattened();
                (scalar, n.saturating_mul(u64::from(*len)))
            }
            scalar => (scalar, 1),
        }
    }

    /// The smallest type that holds all of `lo..=hi`.
    pub fn smallest(lo: &Int, hi: &Int) -> Type {
        if lo.is_negative() {
            let hi_bits = if hi.is_negative() || hi.is_zero() { 1 } else { hi.bits() + 1 };
            Type::S(lo.bits().max(hi_bits))
        } else {
            Type::U(hi.bits())
        }
    }

    /// The least and the greatest value of a scalar type.
    pub fn range(&self) -> (Int, Int) {
        match self {
            Type::S(n) => (-&Int::pow2(n - 1), Int::ones(n - 1)),
            scalar => (Int::ZERO, Int::ones(scalar.width())),
        }
    }

    /// Reduces an exact result modulo 2^width into this scalar type.
    pub fn reduce(&self, v: &Int) -> Int {
        v.wrap(self.width(), self.is_signed())
    }
}

/// A constant of any type: booleans and enums by their pattern.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    /// A scalar.
    Int(Int),
    /// An array, element 0 first.
    Array(Vec<Value>),
}

impl Value {
    /// The value whose every scalar is 0.
    pub fn zero(ty: &Type) -> Value {
        Value::fill(ty, &Int::ZERO)
    }

    /// The value whose every scalar is `v`.
    pub fn fill(ty: &Type, v: &Int) -> Value {
        match ty {
            Type::Array { len, elem } => Value::Array(vec![Value::fill(elem, v); *len as usize]),
            _ => Value::Int(v.clone()),
        }
    }

    /// The scalar; 0 for an array, which typed code never asks for.
    pub fn int(&self) -> Int {
        match self {
            Value::Int(v) => v.clone(),
            Value::Array(_) => Int::ZERO,
        }
    }

    /// All scalars, element 0 (row 0) first.
    pub fn scalars(&self) -> Vec<&Int> {
        match self {
            Value::Int(v) => vec![v],
            Value::Array(items) => items.iter().flat_map(Value::scalars).collect(),
        }
    }
}

/// A local of a [`Body`], by its place in [`Body::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct LocalId(pub u32);

impl LocalId {
    /// The position in [`Body::locals`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A parameter, `let`, `var` or loop variable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Local {
    /// Its name in the source.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// A typed body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Body {
    /// Parameters first, then the others in order of declaration, each used by one declaration only.
    pub locals: Vec<Local>,
    /// How many of the locals are parameters.
    pub params: u32,
    /// The statements.
    pub stmts: Vec<Stmt>,
}

/// A typed expression. It has no effect, except that an [`ExprKind::Command`], [`ExprKind::Csr`], [`ExprKind::Issue`] or
/// [`ExprKind::Foreign`] runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Expr {
    /// Its type.
    pub ty: Type,
    /// What it is.
    pub kind: ExprKind,
}

/// What an expression is. Operands of one node may differ in type unless it says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExprKind {
    /// A constant.
    Const(Value),
    /// A named array constant, kept shared.
    Table(ConstId),
    /// A local.
    Local(LocalId),
    /// A state field.
    State(FieldId),
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// The operand modulo 2^width of the node's type: every conversion between integers, and `.unsigned()` of bool and enum.
    Convert(Box<Expr>),
    /// The operand clamped to the range of the node's type.
    Saturate(Box<Expr>),
    /// `c ? a : b`; `c` is bool; `a` and `b` have the node's type, which may be an array.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Element of an array; zero outside. The index is an unsigned integer.
    Index(Box<Expr>, Box<Expr>),
    /// The node's width many bits of an integer's pattern, from the position given; zero beyond the top.
    Bits(Box<Expr>, Box<Expr>),
    /// Patterns side by side, the first one highest.
    Cat(Vec<Expr>),
    /// The pattern `n` times side by side.
    Rep(Box<Expr>, u32),
    /// Elements of the node's array type.
    Array(Vec<Expr>),
    /// `[for local in lo..hi => elem]`
    Comprehension(Box<Comprehension>),
    /// An array of the node's type with every element equal to the operand.
    Fill(Box<Expr>),
    /// The pattern cut into elements, element 0 lowest.
    Split(Box<Expr>),
    /// An array of integers as one pattern, element 0 lowest.
    Join(Box<Expr>),
    /// A call of a pure function; arguments have the parameters' types.
    Call(FnId, Vec<Expr>),
    /// Issues a command; only in examples and laws. Without a result it is a word of value 0, as rd is.
    Command(CommandId, Vec<Expr>),
    /// Accesses a CSR: reads the word, or writes one and gives what was there before; only in examples and laws.
    Csr(CsrId, Option<Box<Expr>>),
    /// Issues a command of the context of a `with`; only in bodies of libraries. Without a result it is a word of value 0.
    Issue(Issue),
    /// Calls a function that the library declares; only in bodies of libraries. One without a result is a `u1` of value 0.
    Foreign(Foreign),
}

/// `m.command(…)` in the body of a library's function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Issue {
    /// The `with` that made the context: position among those of the body.
    pub context: u32,
    /// Position in [`Use::commands`](super::library::clause::Use::commands): each interface that is tried has such a command.
    pub command: u32,
    /// The operands, of the types that the command has.
    pub args: Vec<Expr>,
}

/// A call of a function that the library declares, in the body of another one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Foreign {
    /// Which.
    pub function: FunctionId,
    /// One for each of its parameters.
    pub args: Vec<Argument>,
}

/// An argument of a [`Foreign`] call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Argument {
    /// A number.
    Value(Expr),
    /// A parameter of the caller, passed on as it is: buffers, handles and pointers.
    Param(u32),
}

/// `[for local in lo..hi => elem]`; the bounds are constant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comprehension {
    /// The variable.
    pub local: LocalId,
    /// First value.
    pub lo: Int,
    /// One past the last value.
    pub hi: Int,
    /// The element.
    pub elem: Expr,
}

/// Operators on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnaryOp {
    /// `0 - x`
    Neg,
    /// All bits of the pattern inverted; the node has the operand's type.
    Not,
    /// `!x` on bool.
    LogicalNot,
}

/// Operators on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BinaryOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient towards zero; all ones for a zero divisor. Both operands have the node's type.
    Div,
    /// Remainder with the dividend's sign; the dividend for a zero divisor. Both operands have the node's type.
    Rem,
    /// Bitwise and; both operands have the node's type.
    And,
    /// Bitwise or; both operands have the node's type.
    Or,
    /// Bitwise exclusive or; both operands have the node's type.
    Xor,
    /// Left shift of the left operand, which has the node's type, by an unsigned amount of any width.
    Shl,
    /// Right shift, arithmetic if the type is signed, by an unsigned amount of any width.
    Shr,
    /// The smaller one; both operands have the node's type.
    Min,
    /// The greater one; both operands have the node's type.
    Max,
    /// Equal as numbers; the node is bool, as for all comparisons.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
    /// `&&` on bool.
    LogicalAnd,
    /// `||` on bool.
    LogicalOr,
}

impl BinaryOp {
    /// Whether the node is a comparison of two numbers.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stmt {
    /// `let` and `var`: the local begins.
    Let(LocalId, Expr),
    /// Assignment to a local or a state field, or to a part of it.
    Set(Place, Expr),
    /// Branch; the condition is bool.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// The variable runs from `lo` up to, not including, `hi`; both are evaluated once.
    For {
        /// The variable.
        local: LocalId,
        /// First value.
        lo: Box<Expr>,
        /// One past the last value.
        hi: Box<Expr>,
        /// What is repeated.
        body: Vec<Stmt>,
    },
    /// The first arm that has the value runs, else `default`.
    Match {
        /// An integer, an enum or a bool.
        value: Expr,
        /// The arms.
        arms: Vec<Arm>,
        /// The `_` arm; empty also when all patterns are named.
        default: Vec<Stmt>,
    },
    /// Ends the body.
    Return(Option<Expr>),
    /// Ends a command with an error.
    Raise {
        /// Which error.
        error: Raised,
        /// `@commit`: state changes so far are kept.
        commit: bool,
        /// The value of rd; 0 if absent.
        value: Option<Expr>,
    },
    /// `trap`: the command has no effect and traps one level higher.
    Trap,
    /// An expression that stands alone, for its effect; only in bodies of libraries.
    Do(Expr),
    /// Commands of a context; only in bodies of libraries.
    With(With),
}

/// `with A | B as m { … } else { … }`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct With {
    /// Position among those of the body, in source order.
    pub context: u32,
    /// What runs with the first of the interfaces that can be had; with their fallback if there is no `else`.
    pub body: Vec<Stmt>,
    /// What runs if none of them can be had.
    pub otherwise: Option<Vec<Stmt>>,
}

impl Stmt {
    /// Whether a `raise` stands here or below.
    pub fn raises(&self) -> bool {
        match self {
            Stmt::Raise { .. } => true,
            Stmt::If(_, a, b) => a.iter().chain(b).any(Stmt::raises),
            Stmt::For { body, .. } => body.iter().any(Stmt::raises),
            Stmt::With(with) => with.body.iter().chain(with.otherwise.iter().flatten()).any(Stmt::raises),
            Stmt::Match { arms, default, .. } => arms.iter().flat_map(|arm| &arm.body).chain(default).any(Stmt::raises),
            Stmt::Let(..) | Stmt::Set(..) | Stmt::Return(_) | Stmt::Trap | Stmt::Do(_) => false,
        }
    }
}

/// What a `raise` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Raised {
    /// `op`: response 5; the error code in the status word stays.
    Op,
    /// A declared error: response 6.
    Error(ErrorId),
}

/// An arm of a `match`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Arm {
    /// Half-open ranges of values; a single value `v` is `(v, v + 1)`.
    pub patterns: Vec<(Int, Int)>,
    /// What runs.
    pub body: Vec<Stmt>,
}

/// The target of an assignment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// Where it starts.
    pub root: PlaceRoot,
    /// Steps into it; [`PlaceStep::Bits`] can only be the last.
    pub path: Vec<PlaceStep>,
    /// Type of the part that is assigned.
    pub ty: Type,
}

/// Where a place starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlaceRoot {
    /// A local.
    Local(LocalId),
    /// A state field.
    State(FieldId),
}

/// A step into a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlaceStep {
    /// An element; an assignment outside is dropped.
    Index(Expr),
    /// `width` bits from a position; bits beyond the top are dropped.
    Bits {
        /// The lowest bit.
        at: Expr,
        /// How many.
        width: u32,
    },
}
