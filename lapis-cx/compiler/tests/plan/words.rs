//! The words of plans: they are what the grammar says, to the last one.

use std::collections::HashSet;
use std::path::Path;
use std::{env, fs};

use lapis_cx::lower::plan::{NativeText, plan_library, table};

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
