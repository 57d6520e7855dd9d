//! Lowers the functions of libraries that have a body in this language.
//!
//! The order of work: [`flatten`] gives each command and each call a statement of its own; [`specialise`] makes of each
//! `with` one arm for every interface that it tries, and one for the fallback; [`merge`] issues pure commands once for
//! many; [`place`] puts selections and saved states where the CX calling conventions want them; [`emit`] prints all that
//! as words.

mod effect;
mod emit;
mod flatten;
mod merge;
mod place;
mod specialise;
mod walk;

pub use effect::is_pure;

use super::ir::{self, Cx};
use super::lowerer::Tables;
use crate::contract::core::{Argument, Expr, LocalId, Stmt, Type};
use crate::contract::library::clause::{ImplBody, Use};
use crate::contract::library::{Function, FunctionId, Library};
use crate::contract::{Section, Sharing, Standard};

/// What functions may rely on when they are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Abi {
    /// The callee preserves the caller's selection (CX API, section "CX calling conventions").
    #[default]
    Preserved,
    /// The older one: at each call and return the built-in custom instructions are selected, and no convention is attributed.
    Ambient,
}

/// A statement of a body on its way.
#[derive(Clone, Debug, PartialEq)]
enum Node {
    /// One without effects on anything but locals and buffers: `Let`, `Set`, or a `Match` of such.
    Stmt(Stmt),
    /// A command. Until it is specialised, `context` and `command` are those of the source; then the number of a
    /// [`Context`] and a position among the commands of its section.
    Issue {
        context: u32,
        command: u32,
        args: Vec<Expr>,
        ty: Type,
        into: Option<LocalId>,
    },
    /// A call.
    Foreign {
        function: FunctionId,
        args: Vec<Argument>,
        ty: Type,
        into: Option<LocalId>,
    },
    If(Expr, Vec<Node>, Vec<Node>),
    For {
        local: LocalId,
        lo: Expr,
        hi: Expr,
        body: Vec<Node>,
    },
    Return(Option<Expr>),
    /// `with`, as the source has it.
    With {
        context: u32,
        body: Vec<Node>,
        otherwise: Option<Vec<Node>>,
    },
    /// The first arm whose context can be opened runs, else what is last.
    Try(Vec<(u32, Vec<Node>)>, Vec<Node>),
    /// What is decided by [`place`].
    Cx(Cx),
    /// Whether a context was opened.
    IfOpen(u32, Vec<Node>, Vec<Node>),
}

impl Node {
    /// The blocks inside.
    fn blocks(&self) -> Vec<&[Node]> {
        match self {
            Node::If(_, a, b) | Node::IfOpen(_, a, b) => vec![a, b],
            Node::For { body, .. } => vec![body],
            Node::With { body, otherwise, .. } => {
                std::iter::once(body.as_slice()).chain(otherwise.as_deref()).collect()
            }
            Node::Try(arms, otherwise) => {
                arms.iter().map(|(_, arm)| arm.as_slice()).chain([otherwise.as_slice()]).collect()
            }
            Node::Stmt(_) | Node::Issue { .. } | Node::Foreign { .. } | Node::Return(_) | Node::Cx(_) => Vec::new(),
        }
    }
}

/// Whether something holds of a statement or of one inside of it.
fn any(nodes: &[Node], test: &dyn Fn(&Node) -> bool) -> bool {
    nodes.iter().any(|node| test(node) || node.blocks().into_iter().any(|block| any(block, test)))
}

/// Whether the end of a block cannot be reached.
fn ends(nodes: &[Node]) -> bool {
    match nodes.last() {
        Some(Node::Return(_)) => true,
        Some(Node::If(_, a, b) | Node::IfOpen(_, a, b)) => ends(a) && ends(b),
        Some(Node::Try(arms, otherwise)) => arms.iter().all(|(_, arm)| ends(arm)) && ends(otherwise),
        _ => false,
    }
}

/// A use of an interface.
struct Context<'a> {
    /// Position in [`Library::used`].
    interface: u32,
    /// The interface at the XLEN at hand.
    section: &'a Section,
    software: bool,
    held: bool,
    fresh: bool,
    saves_own: bool,
    saves_caller: bool,
    /// Whether the `with` issues commands of IStateContext, to which the status word is state too.
    reads_status: bool,
    /// Whether some function of the library may leave an instance of the interface off.
    is_turned_off: bool,
}

impl Context<'_> {
    fn sharing(&self) -> Option<Sharing> {
        self.section.state.as_ref().map(|state| state.sharing)
    }

    /// Whether all who use the interface on a thread use one state.
    fn is_shared(&self) -> bool {
        !matches!(self.sharing(), None | Some(Sharing::Exclusive))
    }

    /// Whether a command sets the reset state.
    fn can_be_reset(&self) -> bool {
        self.section.standard(Standard::WriteStatus).is_some()
    }

    /// Whether a function of the default calling convention may change the state.
    fn is_lost_in_calls(&self) -> bool {
        self.is_shared() && self.sharing() != Some(Sharing::CalleeSave)
    }

    fn lowered(&self) -> ir::Context {
        let words = match self.section.state {
            Some(_) => crate::contract::layout::Layout::new(self.section).words,
            None => 0,
        };
        ir::Context {
            interface: self.interface,
            software: self.software,
            held: self.held,
            fresh: self.fresh,
            words: u32::try_from(words).unwrap_or(u32::MAX),
            saves_own: self.saves_own,
            saves_caller: self.saves_caller,
        }
    }
}

/// Lowers the functions of a library that have a body.
pub fn lower_library(library: &Library, abi: Abi) -> ir::Library {
    let has_bodies = library.functions.iter().any(Function::has_body);
    let sections = if has_bodies { library.sections.as_slice() } else { &[] };
    ir::Library {
        sections: sections.iter().enumerate().map(|(at, section)| lower(library, abi, at, section)).collect(),
    }
}

/// Lowers the functions of the language that expressions of a library call, and what those call, at the position of a section.
pub fn lower_functions(library: &Library, at: usize) -> ir::Section {
    let Some(section) = library.sections.get(at) else { return ir::Section::default() };
    let mut tables = Tables::default();
    let functions: Vec<_> = section.fns.iter().map(|f| super::lower_function(section, &mut tables, f)).collect();
    let mut reached = super::Reached::new(&functions, tables.tables.len());
    let called = library.fns.iter().filter_map(|used| used.instances.get(at));
    called.for_each(|id| reached.call(*id));
    let (call_order, recursive, used_tables) = (reached.order, reached.recursive, reached.tables);
    let (xlen, tables) = (section.xlen, tables.tables);
    ir::Section { xlen, tables, used_tables, functions, call_order, recursive, ..ir::Section::default() }
}

fn lower(library: &Library, abi: Abi, at: usize, section: &Section) -> ir::LibrarySection {
    let mut tables = Tables::default();
    let functions: Vec<_> = section.fns.iter().map(|f| super::lower_function(section, &mut tables, f)).collect();
    let mut routines = Vec::new();
    for (i, function) in library.functions.iter().enumerate() {
        let Some((uses, bodies)) = function.body() else { continue };
        let Some(body) = bodies.get(at) else { continue };
        let id = FunctionId(i as u32);
        routines.push(routine(library, abi, section, &mut tables, (id, function), uses, body));
    }
    let mut reached = super::Reached::new(&functions, tables.tables.len());
    routines.iter().for_each(|routine| reached.visit(&routine.body));
    let (call_order, recursive, used_tables) = (reached.order, reached.recursive, reached.tables);
    let section = ir::Section {
        xlen: section.xlen,
        tables: tables.tables,
        used_tables,
        functions,
        call_order,
        recursive,
        ..ir::Section::default()
    };
    ir::LibrarySection { section, routines }
}

fn routine(
    library: &Library,
    abi: Abi,
    section: &Section,
    tables: &mut Tables,
    (id, function): (FunctionId, &Function),
    uses: &[Use],
    body: &ImplBody,
) -> ir::Routine {
    let mut locals = body.body.locals.clone();
    let params = body.body.params;
    let nodes = flatten::Flattener { locals: &mut locals, params }.block(&body.body.stmts);
    let mut contexts = Vec::new();
    let mut nodes = specialise::specialise(library, section.xlen, uses, &mut locals, &mut contexts, nodes);
    merge::merge(&mut nodes, &contexts, &locals, params);
    let conventions: Vec<_> = library.functions.iter().map(|f| abi == Abi::Preserved && f.follows_cx()).collect();
    let follows_cx = abi == Abi::Preserved && function.follows_cx();
    let nodes = place::place(nodes, &mut contexts, &conventions, follows_cx);
    let routine = emit::Routine { section, id, function, body, contexts: &contexts };
    routine.emit(tables, locals, &nodes)
}
