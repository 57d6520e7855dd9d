//! The page of a package: the laws that a file of it states, and the functions and constants that they are about.

use lapis_cx::contract::{Laws, Section as At};

use super::interface::{Bodies, anchor};
use super::{example, named};
use crate::Spec;
use crate::document::{Block, Kind, Page, Target, code};
use crate::notation::Names;
use crate::sources::Declarations;

/// The page.
pub fn page(spec: &Spec<'_>, declarations: &Declarations<'_>, laws: &Laws, path: String) -> Page {
    let mut bodies = Bodies::new(&laws.sections, declarations, names(&laws.sections, &path));
    let facts = vec![("Source".to_owned(), vec![code(spec.name)])];
    let mut blocks = vec![Block::Facts(facts)];
    let intro = "These hold for all values: they are tried on edge cases and many random values.";
    blocks.extend(example::laws(&mut bodies, intro));
    blocks.extend(named::consts(&mut bodies));
    blocks.extend(named::functions(&mut bodies));
    blocks.extend(bodies.used.section());
    Page {
        path,
        kind: Kind::Package,
        title: spec.contract.package.clone(),
        over: Kind::Package.name().to_owned(),
        summary: "Laws, and the functions that they are about.".to_owned(),
        blocks,
        entries: bodies.entries,
    }
}

/// What the names in laws and functions lead to.
fn names(sections: &[At], path: &str) -> Names {
    let mut names = Names::new();
    for section in sections {
        for function in &section.fns {
            names.insert(function.name.clone(), Target::anchor(path, anchor("fn", &function.name)));
        }
        for constant in &section.consts {
            names.insert(constant.name.clone(), Target::anchor(path, "constants"));
        }
    }
    names
}
