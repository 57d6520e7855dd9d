//! Tree to contract: names, types, widths and constants, once per XLEN.
//!
//! [`world`] knows files, packages and items. A `checker::Checker` analyses one interface at one XLEN: it resolves
//! names lazily from the members of the interface, the items of the file and its imports, and writes a
//! [`Section`](crate::contract::Section). What is wrong becomes a diagnostic, and a poisoned type that nobody complains about again.

mod builtins;
mod checker;
mod command;
mod constant;
mod convert;
mod example;
mod expr;
mod function;
mod identity;
mod interface;
mod literal;
mod methods;
mod names;
mod operators;
mod place;
mod prune;
mod state;
mod stmt;
mod typed;
mod types;
pub mod world;

use std::collections::HashSet;

use crate::contract::{Contract, Head, Item};
use crate::diagnostic::Diagnostic;
use crate::syntax::{Kind, Node};
use world::World;

/// Resolves the items of the world's root file. The contract is meant for use only if no finding is an error.
pub fn analyze(world: &World<'_>, diagnostics: &mut Vec<Diagnostic>) -> Contract {
    let root = world.root();
    let mut found = Vec::new();
    let mut items = Vec::new();
    for node in root.tree.root().children() {
        match node.kind() {
            Kind::interface => items.extend(interface::interface(world, node, &mut found).map(Item::Interface)),
            Kind::library => items.push(Item::Library(head(node))),
            Kind::platform => items.push(Item::Platform(head(node))),
            _ => {}
        }
    }
    function::check_package(world, &mut found);
    // The same mistake is found once at each XLEN, perhaps in other words; and in a base once for each heir.
    let mut seen = HashSet::new();
    found.retain(|d| seen.insert((d.code, d.span())));
    diagnostics.append(&mut found);
    Contract { edition: 1, package: root.package.clone(), items }
}

fn head(node: Node<'_>) -> Head {
    Head { name: node.name().text().to_owned(), docs: node.docs(), span: node.name().span() }
}
