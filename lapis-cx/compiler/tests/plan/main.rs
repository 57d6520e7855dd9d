//! How calls of libraries are marshalled, as text: of each spec with a library. `BLESS=1` writes the expected texts anew.
#![allow(clippy::unwrap_used, clippy::panic)]

mod bounds;
mod words;

use std::path::Path;
use std::{env, fs};

use lapis_cx::contract::Contract;
use lapis_cx::driver::{Effort, Imports, SourceText, Unjudged, compile};
use lapis_cx::lower::plan::{At, Kind, describe, plan_library};

/// The specs that ship.
struct Specs;

impl Imports for Specs {
    fn files(&mut self) -> Vec<SourceText> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs");
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        files
            .filter(|path| path.extension().is_some_and(|extension| extension == "cxspec"))
            .map(|path| read(&path))
            .collect()
    }
}

fn read(path: &Path) -> SourceText {
    SourceText { name: path.display().to_string(), bytes: fs::read(path).unwrap() }
}

fn contract(path: &Path) -> Contract {
    let outcome = compile(read(path), &mut Specs, &mut Unjudged, Effort::Build, &[]);
    assert!(!outcome.has_errors(), "{}: {:?}", path.display(), outcome.diagnostics);
    outcome.contract.unwrap()
}

fn text(contract: &Contract) -> String {
    let mut text = String::new();
    for library in contract.libraries() {
        let plan = plan_library(library);
        for (function, call) in library.functions.iter().zip(&plan.functions) {
            let Some(call) = call else { continue };
            text += &describe(library, &plan, function, call);
            text.push('\n');
        }
        for (callback, call) in library.callbacks.iter().zip(&plan.callbacks) {
            text += &describe(library, &plan, callback, call);
            text.push('\n');
        }
    }
    text
}

#[test]
fn plans_are_as_expected() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["places", "rows", "tinycl", "zlib"] {
        let own = here.join(format!("tests/plan/{name}.cxspec"));
        let shipped = here.join(format!("../../specs/{name}.cxspec"));
        let found = text(&contract(if own.exists() { &own } else { &shipped }));
        let expected = here.join(format!("tests/plan/{name}.txt"));
        if env::var_os("BLESS").is_some() {
            fs::write(&expected, &found).unwrap();
        }
        assert!(found == fs::read_to_string(&expected).unwrap(), "{} differs; BLESS=1 writes it", expected.display());
    }
}

/// What a struct's members name of the place where it is used is looked up there, at any depth; uses that name nothing share a
/// block.
#[test]
fn blocks_are_shared_where_they_can_be() {
    let contract = contract(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plan/places.cxspec"));
    let library = contract.libraries().next().unwrap();
    let plan = plan_library(library);
    let block_of = |name: &str| {
        let position = library.functions.iter().position(|function| function.name == name).unwrap();
        let arguments = plan.functions[position].as_ref().unwrap().arguments;
        let values = &plan.blocks[arguments.index()].values;
        let (_, value) = values.iter().find(|(at, _)| *at == At::Param(0)).unwrap();
        let Kind::Buffer(buffer) = &value.kind else { panic!("{name}: {value:?}") };
        let Kind::Block(id) = buffer.element.kind else { panic!("{name}: {buffer:?}") };
        id
    };
    assert_eq!(block_of("plain"), block_of("plain_too"));
    assert_ne!(block_of("plain"), block_of("plain_back"));
    assert_ne!(block_of("named"), block_of("named_too"));
    // A list: each element has the next, of the same block.
    let list = block_of("list");
    let next = &plan.blocks[list.index()].values.last().unwrap().1;
    assert!(matches!(&next.kind, Kind::Buffer(buffer) if matches!(buffer.element.kind, Kind::Block(id) if id == list)));
}
