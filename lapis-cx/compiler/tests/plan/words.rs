//! The words of plans: they are what the grammar says, to the last one.

use std::collections::HashSet;
use std::path::Path;
use std::{env, fs};

use lapis_cx::lower::plan::{NativeText, plan_library, table};

use lapis_cx::lower::plan::{At, Kind, Op};

use super::contract;
use super::reader::read;

#[test]
fn words_follow_the_grammar() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut libraries = 0;
    for entry in fs::read_dir(here.join("../../specs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "cxspec") {
            continue;
        }
        for library in contract(&path).libraries() {
            let table = table(library, &plan_library(library));
            read(&table);
            libraries += 1;
            let mut texts = HashSet::new();
            assert!(table.texts.iter().all(|text| texts.insert(text)), "{}: a text is there twice", path.display());
            let mut natives = HashSet::new();
            assert!(table.natives.iter().all(|native| natives.insert(native)), "{}: a function twice", path.display());
            let empty = |text: &NativeText| matches!(text, NativeText::Expression(text) if text.trim().is_empty());
            assert!(!table.natives.iter().any(|native| empty(&native.text)), "{}", path.display());
        }
    }
    assert!(libraries >= 5, "{libraries}");
}

#[test]
fn words_are_as_expected() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let contract = contract(&here.join("tests/plan/words.cxspec"));
    let library = contract.libraries().next().unwrap();
    let found = read(&table(library, &plan_library(library)));
    let expected = here.join("tests/plan/words.words.txt");
    if env::var_os("BLESS").is_some() {
        fs::write(&expected, &found).unwrap();
    }
    assert!(found == fs::read_to_string(&expected).unwrap(), "{} differs; BLESS=1 writes it", expected.display());
}

/// `self` in a length is the value whose length it is, also where another length needs it.
#[test]
fn self_is_the_value_that_is_measured() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let contract = contract(&here.join("tests/plan/places.cxspec"));
    let library = contract.libraries().next().unwrap();
    let plan = plan_library(library);
    let position = library.functions.iter().position(|function| function.name == "measured").unwrap();
    let block = &plan.blocks[plan.functions[position].as_ref().unwrap().arguments.index()];
    let count = |n: u32| {
        let (_, value) = block.values.iter().find(|(at, _)| *at == At::Param(n)).unwrap();
        let Kind::Buffer(buffer) = &value.kind else { panic!("{value:?}") };
        buffer.count.clone().unwrap().ops
    };
    assert!(matches!(count(0).as_slice(), [Op::This, Op::Follow(_), Op::Received, Op::Strlen, ..]), "{:?}", count(0));
    assert!(!count(1).contains(&Op::This), "{:?}", count(1));
    let reads_s = |op: &&Op| matches!(op, Op::Field(_, At::Param(0)));
    assert_eq!(count(1).iter().filter(reads_s).count(), 2, "{:?}", count(1));
}
