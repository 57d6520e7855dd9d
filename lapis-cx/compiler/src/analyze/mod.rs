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
mod csr;
mod example;
mod expr;
mod foreign;
mod function;
mod identity;
mod interface;
mod issue;
mod library;
mod lints;
mod literal;
mod methods;
mod names;
mod operators;
mod place;
mod platform;
mod prune;
mod refines;
mod shift;
mod state;
mod stmt;
mod typed;
mod types;
pub mod world;

pub use identity::{Claimed, imported_identities};

use std::collections::{HashMap, HashSet};

use crate::contract::{Contract, Item};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::Kind;
use world::World;

/// Resolves the items of the world's root file. The contract is meant for use only if no finding is an error.
pub fn analyze(world: &World<'_>, diagnostics: &mut Vec<Diagnostic>) -> Contract {
    let root = world.root();
    let mut found = Vec::new();
    let mut items = Vec::new();
    for node in root.tree.root().children() {
        match node.kind() {
            Kind::interface => {
                let item = world::Item { node, file: 0 };
                items.extend(interface::interface(world, item, &mut found).map(Item::Interface));
            }
            Kind::library => items.push(Item::Library(Box::new(library::library(world, node, &mut found)))),
            _ => {}
        }
    }
    library::between(&items, &mut found);
    // Platforms name interfaces wherever they stand, so they come after them.
    for node in root.tree.root().children_of(Kind::platform) {
        let platform = platform::platform(world, node, &items, &mut found);
        items.push(Item::Platform(platform));
    }
    items.sort_by_key(Item::span);
    items.extend(function::check_package(world, &mut found).map(Item::Laws));
    // The same mistake is found once at each XLEN, perhaps in other words; and in a base once for each heir.
    let mut seen = HashSet::new();
    found.retain(|d| seen.insert((d.code, d.span())));
    diagnostics.append(&mut found);
    Contract { edition: 1, package: root.package.clone(), items }
}

/// The findings at each XLEN as one list; what is wrong at one of several only says so.
fn join_findings(mut by_xlen: Vec<(u32, Vec<Diagnostic>)>) -> Vec<Diagnostic> {
    let place = |d: &Diagnostic| (d.code, d.span());
    // Mostly the same is wrong at each.
    if let Some(((_, first), others)) = by_xlen.split_first_mut()
        && others.iter().all(|(_, found)| found.iter().map(place).eq(first.iter().map(place)))
    {
        return std::mem::take(first);
    }
    let sections = by_xlen.len();
    let mut times: HashMap<(Code, Option<Span>), usize> = HashMap::new();
    for (_, found) in &by_xlen {
        found.iter().for_each(|d| *times.entry(place(d)).or_default() += 1);
    }
    let mut joined = Vec::new();
    for (xlen, found) in by_xlen {
        for mut diagnostic in found {
            let says_so = diagnostic.message.contains("XLEN");
            if !says_so && times.get(&place(&diagnostic)).is_some_and(|n| *n < sections) {
                diagnostic.note = Some(match diagnostic.note {
                    Some(note) => format!("{note}, at XLEN {xlen}"),
                    None => format!("at XLEN {xlen}"),
                });
            }
            joined.push(diagnostic);
        }
    }
    joined
}
