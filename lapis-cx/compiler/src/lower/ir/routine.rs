//! The functions of libraries, lowered: bodies that discover, select and use interfaces.
//!
//! Where the selection switches and where states are saved is decided here (CX API, sections "CX state isolation models"
//! and "CX calling conventions"); a backend prints each [`Cx`] as a call of the CX API, or of the software fallback.

use super::{Body, Edge, Expr, LocalId, Section, Storage};
use crate::contract::library::FunctionId;
use crate::json::{JsonSchema, Serialize};

/// The functions of a library that have a body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Library {
    /// One for each section of the contract's library, in the same order. None if no function has a body.
    pub sections: Vec<LibrarySection>,
}

/// The same at one XLEN.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct LibrarySection {
    /// Tables, and the functions of the language that bodies call. It has neither state nor commands.
    pub section: Section,
    /// The functions in source order.
    pub routines: Vec<Routine>,
}

/// A function of a library.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Routine {
    /// Which.
    pub function: FunctionId,
    /// Its parameters, in order.
    pub params: Vec<RoutineParam>,
    /// Its result; `None` if there is none.
    pub result: Option<Edge>,
    /// The uses of interfaces, by their number in [`Cx`]: each `with` has one for every interface that it tries, and one for
    /// the fallback.
    pub contexts: Vec<Context>,
    /// What it does; each path ends in `Stmt::Finish` with `Answer::Ok`.
    pub body: Body,
}

/// A parameter of a routine.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RoutineParam {
    /// Its name in the source.
    pub name: String,
    /// What it is.
    pub kind: ParamKind,
}

/// What a parameter of a routine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ParamKind {
    /// A number; the body reads it as `ExprKind::Arg` of its position.
    Value(Edge),
    /// A buffer; the body reads and writes it as `Base::Buffer` of its position, inside of its length.
    Buffer {
        /// An element as the body sees it.
        storage: Storage,
        /// An element as its user sees it.
        edge: Edge,
        /// Whether the body may write it.
        written: bool,
        /// Whether it may be null; then the body asks (`ExprKind::IsNull`).
        optional: bool,
    },
    /// Something that is only passed on.
    Passed,
}

/// One use of an interface.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Context {
    /// Position in the contract's `Library::used`.
    pub interface: u32,
    /// Whether the fallback serves: a state in memory, and no selector.
    pub software: bool,
    /// Whether the instance is held alone while it is used, as the function may be called again meanwhile.
    pub held: bool,
    /// Whether an instance is opened for each use, as nothing else gives it the reset state.
    pub fresh: bool,
    /// State words of an image, without the status word.
    pub words: u32,
    /// Whether the state of the function itself is saved somewhere.
    pub saves_own: bool,
    /// Whether the state of the function's caller is saved.
    pub saves_caller: bool,
}

/// Whose state an image holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// The function's.
    Own,
    /// That of its caller.
    Caller,
}

/// What can be selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Selection {
    /// The built-in custom instructions.
    Builtin,
    /// The instance of a context.
    Context(u32),
}

/// What only the body of a library's function does.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cx {
    /// Looks for an instance; `ExprKind::IsOpen` says whether there is one. Begins the context until the end of its block.
    Open(u32),
    /// Begins a context of the fallback, in the reset state, until the end of its block.
    Begin(u32),
    /// Selects, and keeps what was selected before in the slot of this number, until the end of its block.
    Enter(u32, Selection),
    /// Selects again what a slot holds.
    Leave(u32),
    /// Selects.
    Select(Selection),
    /// Saves the state of a context, which is selected.
    Save(u32, Owner),
    /// Restores it; the context is selected.
    Restore(u32, Owner),
    /// Sets the state of a context, which is selected, to the reset state.
    Reset(u32),
    /// Ends the use of an instance that is held or fresh. It is not selected.
    Close(u32),
    /// Issues a command: to the selected context, or to the fallback.
    Issue {
        /// The context.
        context: u32,
        /// The function id of the command.
        id: u16,
        /// Operands at their edges.
        args: Vec<Expr>,
        /// The local that begins with the result, a pattern of this edge, if it is wanted.
        into: Option<(LocalId, Edge)>,
    },
    /// Calls a function that the library declares.
    Foreign {
        /// Which.
        function: FunctionId,
        /// Its arguments.
        args: Vec<ForeignArg>,
        /// The local that begins with the result, a pattern of this edge, if it is wanted.
        into: Option<(LocalId, Edge)>,
    },
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ForeignArg {
    /// A number at its edge.
    Value(Expr, Edge),
    /// A parameter of the routine, as it is.
    Param(u32),
}
