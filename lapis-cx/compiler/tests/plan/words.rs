//! The words of plans.

use std::collections::HashSet;
use std::fmt::{Debug, Write};
use std::path::Path;
use std::{env, fs};

use lapis_cx::contract::library::place::Scalar;
use lapis_cx::lower::plan::{At, Kind, NativeText, Op, Size, Table, Word, plan_library, table};
use lapis_cx_plan::{Plain, Plan};

use super::contract;

/// Decodes a plan for a target with 64 bits on which structs are large and all members are at their start.
fn decoded(table: &Table) -> Plan<Plain> {
    fn size(of: &Size) -> u32 {
        match of {
            Size::Scalar(Scalar::Long | Scalar::ULong) | Size::Pointer | Size::Handle(_) => 8,
            Size::Scalar(scalar) => scalar.wire_bytes(),
            Size::Bytes(bytes) => *bytes,
            Size::Spelling(_) => 4,
            Size::Struct(_) | Size::Arguments(_) | Size::CallbackArguments(_) => 1 << 12,
            Size::Array(element, count) => size(element) * count.to_u32().unwrap(),
            Size::Nothing => 0,
        }
    }
    let words = table.words.iter().map(|word| match word {
        Word::Number(number) => *number,
        Word::Offset(..) => 0,
        Word::Size(of) => size(of),
    });
    Plan::decode(&words.collect::<Vec<_>>(), table.texts.len(), table.natives.len()).unwrap()
}

/// A plan as text: a line for each of its parts.
fn text(table: &Table, plan: &Plan<Plain>) -> String {
    let mut out = String::new();
    fn lines<T: Debug>(out: &mut String, name: &str, parts: &[T]) {
        for (at, part) in parts.iter().enumerate() {
            writeln!(out, "{name} {at} {part:?}").unwrap();
        }
    }
    lines(&mut out, "text", &table.texts);
    lines(&mut out, "native", &table.natives);
    lines(&mut out, "handle", &plan.handles);
    lines(&mut out, "metadata", &plan.metadata);
    lines(&mut out, "resource", &plan.resources);
    for (at, block) in plan.blocks.iter().enumerate() {
        writeln!(out, "block {at} {} {} {:?}", table.texts[block.name as usize], block.bytes, block.snapshots).unwrap();
        lines(&mut out, "  value", &block.values);
    }
    lines(&mut out, "function", &plan.functions);
    lines(&mut out, "callback", &plan.callbacks);
    out
}

#[test]
fn words_of_all_specs_are_decoded() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut libraries = 0;
    for entry in fs::read_dir(here.join("../../specs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "cxspec") {
            continue;
        }
        for library in contract(&path).libraries() {
            let table = table(library, &plan_library(library));
            decoded(&table);
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
    let table = table(library, &plan_library(library));
    let found = text(&table, &decoded(&table)).replace(", facts: Facts(())", "");
    let expected = here.join("tests/plan/words.txt");
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
