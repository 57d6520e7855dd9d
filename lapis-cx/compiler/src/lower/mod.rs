//! The lowered core: what backends print. See [`ir`] for the model.
//!
//! Everything that concerns layout, arithmetic and the order of effects is decided here, so that a backend only prints
//! and two backends cannot differ. The rules are those of the language ("Lowering").

mod array;
mod command;
mod csr;
#[cfg(feature = "json")]
mod exact;
mod flow;
pub mod interp;
pub mod ir;
mod library;
mod lowerer;
pub mod plan;
mod scalar;
mod state;
mod statement;
mod sums;
#[cfg(test)]
mod tests;
mod tidy;
mod uses;
mod value;
mod wide;

pub use command::{can_trap, edge};
pub(crate) use flow::blocks;
pub use ir::Program;
pub use library::{Abi, is_pure, lower_functions, lower_library};
pub use tidy::ends;
pub use uses::{Use, block_uses};

use self::command::Ending;
use self::ir::{Body, Expr, Stmt, TableId};
use self::lowerer::{Lowerer, Tables, in_memory, local_shape, memory_shape};
use crate::contract::{self, Contract, FnId};

/// Lowers every interface of a contract. Any well-typed core gives a program without undefined behaviour.
pub fn lower(contract: &Contract) -> Program {
    let libraries = contract.libraries().map(|library| lower_library(library, Abi::Preserved));
    Program { interfaces: contract.interfaces().map(lower_interface).collect(), libraries: libraries.collect() }
}

/// Lowers one interface.
pub fn lower_interface(interface: &contract::Interface) -> ir::Interface {
    let sections = if interface.is_abstract { &[] } else { interface.sections.as_slice() };
    ir::Interface { sections: sections.iter().map(lower_section).collect() }
}

fn lower_section(section: &contract::Section) -> ir::Section {
    let mut tables = Tables::default();
    let state = state::state(section, &mut tables);
    let words = state.as_ref().map(|s| s.words);
    let functions: Vec<_> = section.fns.iter().map(|f| lower_function(section, &mut tables, f)).collect();
    let commands: Vec<_> =
        section.commands.iter().filter_map(|c| command::command(section, &mut tables, c, words)).collect();
    let csrs: Vec<_> = section.csrs.iter().map(|c| csr::csr(section, &mut tables, c)).collect();
    let is_opaque = |c: &&contract::Command| matches!(c.semantics, contract::Semantics::Opaque);
    let opaque = section.commands.iter().filter(is_opaque).map(|c| command::opaque(c, state.is_some())).collect();
    let roots = commands.iter().map(|c| &c.body);
    let roots = roots.chain(csrs.iter().flat_map(|c| std::iter::once(&c.read).chain(&c.write)));
    let roots = roots.chain(state.iter().flat_map(|s| [&s.reset, &s.restore, &s.read_word, &s.write_word]));
    let live = state.iter().flat_map(|s| &s.live);
    let roots = roots.chain(live.flat_map(|live| [&live.save, &live.restore]));
    let mut reached = Reached::new(&functions, tables.tables.len());
    roots.for_each(|body| reached.visit(body));
    let (call_order, recursive, used_tables) = (reached.order, reached.recursive, reached.tables);
    let tables = tables.tables;
    ir::Section {
        xlen: section.xlen,
        state,
        tables,
        used_tables,
        functions,
        call_order,
        recursive,
        commands,
        opaque,
        csrs,
    }
}

fn lower_function(section: &contract::Section, tables: &mut Tables, source: &contract::Function) -> ir::Function {
    let ending = Ending::Function(Some(&source.result));
    let mut lowerer = Lowerer::new(section, tables, &source.body, ending);
    lowerer.statements(&source.body.stmts);
    if !tidy::ends(&lowerer.block) {
        // Typed code cannot come here; a target that does not see this wants a value all the same.
        let value = (!in_memory(&source.result)).then(|| Expr::constant(lowerer::scalar_ty(&source.result), 0));
        lowerer.emit(Stmt::Return(value));
    }
    let result = if in_memory(&source.result) { memory_shape(&source.result) } else { local_shape(&source.result) };
    ir::Function {
        name: source.name.clone(),
        generics: source.generics.clone(),
        docs: source.docs.clone(),
        params: source.body.params,
        result,
        body: lowerer.finish(),
    }
}

/// What commands, CSRs and the state reach.
struct Reached<'a> {
    functions: &'a [ir::Function],
    begun: Vec<bool>,
    done: Vec<bool>,
    order: Vec<FnId>,
    recursive: bool,
    table_used: Vec<bool>,
    tables: Vec<TableId>,
}

impl<'a> Reached<'a> {
    fn new(functions: &'a [ir::Function], tables: usize) -> Self {
        let none = vec![false; functions.len()];
        let (begun, done) = (none.clone(), none);
        let table_used = vec![false; tables];
        Reached { functions, begun, done, order: Vec::new(), recursive: false, table_used, tables: Vec::new() }
    }

    fn visit(&mut self, body: &Body) {
        let mut used = Vec::new();
        uses::block_uses(&body.stmts, &mut |u| used.push(u));
        for u in used {
            match u {
                Use::Local(_) | Use::Argument(_) => {}
                Use::Table(id) => {
                    if let Some(seen) = self.table_used.get_mut(id.0 as usize)
                        && !std::mem::replace(seen, true)
                    {
                        self.tables.push(id);
                    }
                }
                Use::Function(id) => self.call(id),
            }
        }
    }

    fn call(&mut self, id: FnId) {
        let (Some(function), Some(begun)) = (self.functions.get(id.index()), self.begun.get_mut(id.index())) else {
            return;
        };
        if std::mem::replace(begun, true) {
            self.recursive |= !self.done.get(id.index()).copied().unwrap_or(true);
            return;
        }
        self.visit(&function.body);
        if let Some(done) = self.done.get_mut(id.index()) {
            *done = true;
        }
        self.order.push(id);
    }
}
