//! What a generated spec is made of: the constructs of the source, with numbers for names.

use lapis_cx::contract::core::Type;
use lapis_cx::int::Int;

use super::types::Static;

/// A name, by its place in [`Spec::names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(pub u32);

/// What a name is for; this decides what it may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An interface.
    Interface,
    /// A constant, function, enum, field, error, command or law: all of a file differ.
    Global,
    /// A case of an enum.
    Case,
    /// A generic, a family index, a parameter or a local; the number of its body.
    Local(u32),
}

/// A file.
#[derive(Clone, Debug)]
pub struct Spec {
    /// What each name is for.
    pub names: Vec<Role>,
    /// The last part of the package's name.
    pub package: String,
    /// Whether the standard state context is imported.
    pub imports_context: bool,
    /// The items.
    pub items: Vec<Item>,
}

/// An item of a file.
#[derive(Clone, Debug)]
pub enum Item {
    /// `const`
    Const(Const),
    /// `fn`
    Function(Function),
    /// `interface`
    Interface(Interface),
    /// `law`
    Law(Law),
}

/// An interface.
#[derive(Clone, Debug)]
pub struct Interface {
    /// Its name.
    pub name: Name,
    /// `abstract`
    pub is_abstract: bool,
    /// `: IStateContext`
    pub has_context: bool,
    /// The interfaces it inherits from.
    pub bases: Vec<Name>,
    /// `refines`
    pub refines: Option<Name>,
    /// A literal UUID, which makes it a draft; else `uuid auto`.
    pub uuid: Option<u128>,
    /// `xintf auto`
    pub xintf: bool,
    /// Whether it has a short name.
    pub short: bool,
    /// The `xlen` clause; the default if none.
    pub xlens: Option<Vec<u32>>,
    /// The members in order.
    pub members: Vec<Member>,
}

/// A member of an interface.
#[derive(Clone, Debug)]
pub enum Member {
    /// `const`
    Const(Const),
    /// `fn`
    Function(Function),
    /// `enum`
    Enum(Enum),
    /// `error`
    Error(Name, u8),
    /// `state`
    State(State),
    /// `csr`
    Csr(Csr),
    /// `command`
    Command(Command),
    /// `example`
    Example(Example),
    /// `law`
    Law(Law),
}

/// `const name: ty = init;`
#[derive(Clone, Debug)]
pub struct Const {
    /// Its name.
    pub name: Name,
    /// Its type, if written.
    pub ty: Option<TypeText>,
    /// Its value; open if none.
    pub init: Option<Expr>,
}

/// `fn`
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Its generics.
    pub generics: Vec<Name>,
    /// Its parameters.
    pub params: Vec<(Name, TypeText)>,
    /// Its result.
    pub result: TypeText,
    /// Its statements.
    pub body: Vec<Stmt>,
}

/// `enum`
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its name.
    pub name: Name,
    /// Its base.
    pub base: Type,
    /// Names and values.
    pub cases: Vec<(Name, Int)>,
}

/// `state`
#[derive(Clone, Debug)]
pub struct State {
    /// The sharing model as written, unless it is `custom`.
    pub sharing: &'static str,
    /// The functions of `shared(custom, save: …, restore: …)`.
    pub live: Option<(Name, Name)>,
    /// `@ucontext`
    pub ucontext: Option<bool>,
    /// Name, type and value after reset.
    pub fields: Vec<(Name, TypeText, Expr)>,
}

/// `csr`
#[derive(Clone, Debug)]
pub struct Csr {
    /// Its name.
    pub name: Name,
    /// Its address.
    pub address: u16,
    /// `rw`
    pub writable: bool,
    /// Its fields.
    pub fields: Vec<CsrField>,
}

/// A field of a CSR.
#[derive(Clone, Debug)]
pub struct CsrField {
    /// Its name.
    pub name: Name,
    /// Its highest bit.
    pub hi: Expr,
    /// Its lowest bit, if written.
    pub lo: Option<Expr>,
    /// Its type.
    pub ty: TypeText,
    /// What it reads.
    pub value: Expr,
    /// `@warl`
    pub warl: bool,
}

/// `command`
#[derive(Clone, Debug)]
pub struct Command {
    /// Its name, or that of the family.
    pub name: Name,
    /// Index, first and end of a family.
    pub family: Option<(Name, u32, u32)>,
    /// Its id, or that of index 0.
    pub id: u32,
    /// Its forms as written; the default if none.
    pub forms: Vec<&'static str>,
    /// Its operands.
    pub operands: Vec<Operand>,
    /// Its result.
    pub result: Option<TypeText>,
    /// `@xlen`
    pub xlen: Option<u32>,
    /// `@latency`
    pub latency: Option<(u32, u32)>,
    /// Its statements; none if it is declared without a body.
    pub body: Option<Vec<Stmt>>,
}

/// An operand of a command.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeText,
    /// `imm`
    pub is_imm: bool,
    /// `@rs2`
    pub rs2: bool,
}

/// `example`
#[derive(Clone, Debug)]
pub struct Example {
    /// `@xlen`
    pub xlen: Option<u32>,
    /// The steps.
    pub steps: Vec<Step>,
}

/// A step of an example.
#[derive(Clone, Debug)]
pub enum Step {
    /// `reset;`
    Reset,
    /// A command, its family index, its arguments, the value it gives and the error it raises (by name, or as a word).
    Call {
        /// The command.
        command: Name,
        /// Its member.
        index: Option<u32>,
        /// Arguments.
        args: Vec<Expr>,
        /// What it gives.
        value: Option<Expr>,
        /// What it raises.
        raises: Option<Raised>,
    },
    /// A CSR, what is written, and what it gives.
    Access {
        /// The CSR.
        csr: Name,
        /// What is written.
        written: Option<Expr>,
        /// What was in it.
        value: Expr,
    },
}

/// What a step or a statement raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raised {
    /// A word of the language.
    Word(&'static str),
    /// A declared error.
    Error(Name),
}

/// `law`
#[derive(Clone, Debug)]
pub struct Law {
    /// Its name.
    pub name: Name,
    /// What it is about.
    pub params: Vec<(Name, TypeText)>,
    /// What is always true.
    pub holds: Expr,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `let`
    Let(Name, Option<TypeText>, Expr),
    /// `var`
    Var(Name, TypeText, Expr),
    /// An assignment; the operator as written.
    Assign(Name, Vec<PlaceStep>, &'static str, Expr),
    /// `if`
    If(Expr, Vec<Stmt>, Option<Vec<Stmt>>),
    /// `for`
    For(Name, Expr, Expr, Vec<Stmt>),
    /// `match`
    Match(Expr, Vec<Arm>),
    /// `return`
    Return(Option<Expr>),
    /// `raise`
    Raise {
        /// What.
        error: Raised,
        /// `@commit`
        commit: bool,
        /// The value of rd.
        value: Option<Expr>,
    },
    /// `trap`
    Trap,
}

/// A step into a place.
#[derive(Clone, Debug)]
pub enum PlaceStep {
    /// `[i]`
    Index(Expr),
    /// `[h:l]`
    Slice(Expr, Expr),
    /// `[b +: w]`
    Part(Expr, Expr),
}

/// An arm of a `match`.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Its patterns.
    pub patterns: Vec<Pattern>,
    /// Its statements.
    pub body: Vec<Stmt>,
}

/// A pattern.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// A number.
    Int(Int),
    /// A half-open range.
    Range(Int, Int),
    /// `true` or `false`
    Bool(bool),
    /// A case or a constant.
    Name(Name),
    /// `_`
    Any,
}

/// A type as written.
#[derive(Clone, Debug)]
pub enum TypeText {
    /// `bool`
    Bool,
    /// `word`
    Word,
    /// `sword`
    Sword,
    /// `int`, for constants only.
    Int,
    /// `u8`
    Plain(bool, u32),
    /// `u<N>`
    Computed(bool, Box<Expr>),
    /// An enum.
    Enum(Name),
    /// `T[4][2]`
    Array(Box<TypeText>, Vec<Expr>),
}

/// An expression, and what is known of it in each world of its body.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Type and value.
    pub of: Vec<Static>,
}

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Radix {
    /// 10
    Decimal,
    /// 0xA
    Hex,
    /// 0b1010
    Binary,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number that is not negative; its type, if written.
    Lit(Int, Radix, Option<Type>),
    /// `true` or `false`
    Bool(bool),
    /// `XLEN`
    Xlen,
    /// A local, field, constant, generic or index.
    Name(Name),
    /// `E.c`
    Case(Name, Name),
    /// `-x`
    Unary(&'static str, Box<Expr>),
    /// `a + b`
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `x[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `x[h:l]`
    Slice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `x[b +: w]`
    Part(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `[for i in lo..hi => e]`
    Comprehension(Name, Box<Expr>, Box<Expr>, Box<Expr>),
    /// `clog2(x)` and the like.
    Builtin(&'static str, Vec<Expr>),
    /// `u32(x)`; the type is a single word.
    Convert(TypeText, Box<Expr>),
    /// `x.trunc(8)`
    Method(Box<Expr>, &'static str, Option<Box<Expr>>),
    /// A call of a function; in a law also of a command or a CSR.
    Call(Name, Vec<Expr>),
    /// A call of a member of a family.
    Member(Name, u32, Vec<Expr>),
}

impl ExprKind {
    /// The expressions in it, in order.
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            ExprKind::Lit(..) | ExprKind::Bool(_) | ExprKind::Xlen | ExprKind::Name(_) | ExprKind::Case(..) => {
                Vec::new()
            }
            ExprKind::Unary(_, a) | ExprKind::Convert(_, a) => vec![a],
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => vec![a, b],
            ExprKind::Select(a, b, c)
            | ExprKind::Slice(a, b, c)
            | ExprKind::Part(a, b, c)
            | ExprKind::Comprehension(_, a, b, c) => vec![a, b, c],
            ExprKind::List(items)
            | ExprKind::Builtin(_, items)
            | ExprKind::Call(_, items)
            | ExprKind::Member(_, _, items) => items.iter().collect(),
            ExprKind::Method(a, _, n) => std::iter::once(a).chain(n).map(|e| &**e).collect(),
        }
    }

    /// The expressions in it, in order, to be changed.
    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            ExprKind::Lit(..) | ExprKind::Bool(_) | ExprKind::Xlen | ExprKind::Name(_) | ExprKind::Case(..) => {
                Vec::new()
            }
            ExprKind::Unary(_, a) | ExprKind::Convert(_, a) => vec![a],
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => vec![a, b],
            ExprKind::Select(a, b, c)
            | ExprKind::Slice(a, b, c)
            | ExprKind::Part(a, b, c)
            | ExprKind::Comprehension(_, a, b, c) => vec![a, b, c],
            ExprKind::List(items)
            | ExprKind::Builtin(_, items)
            | ExprKind::Call(_, items)
            | ExprKind::Member(_, _, items) => items.iter_mut().collect(),
            ExprKind::Method(a, _, n) => std::iter::once(a).chain(n).map(|e| &mut **e).collect(),
        }
    }
}
