//! Commands as ckernels: the kept text, what can be set, names, and warnings as errors. `tests/ckernel` runs them.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::path::Path;

use lapis_cx::backend::{Backend, File, Input};
use lapis_cx::contract::{Contract, Item};
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, SourceText, compile};
use lapis_cx_backend_c::C;
use support::{WARNINGS, compilers, mulacc, must, write};

fn emit(contract: &Contract) -> Vec<File> {
    let program = lapis_cx::lower::lower(contract);
    C::WITH_CKERNELS.emit(Input::new(contract, &program)).unwrap()
}

#[test]
fn mulacc_prints_as_kept() {
    let files = emit(&mulacc());
    let paths: Vec<&str> = files.iter().map(|f| f.path.as_str()).collect();
    let expected = ["include/mulacc.h", "src/mulacc_fallback.c", "include/mulacc_ckernels.h", "src/mulacc_ckernels.c"];
    assert_eq!(paths, expected);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/mulacc_ckernels.c");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &files[3].text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == files[3].text, "mulacc_ckernels.c differs from the kept text; look at it, then run with BLESS=1");
    // The two that are there without them are the same.
    assert_eq!(files[..2], support::emit(&mulacc()));
}

#[test]
fn every_compiler_takes_them_without_a_warning() {
    let torture = SourceText { name: "torture".into(), bytes: include_bytes!("../../torture.cxspec").to_vec() };
    let outcome = compile(torture, &mut NoImports, &mut NoVerdicts, Effort::Build, &[]);
    let dir = tempfile::tempdir().unwrap();
    for (contract, source, level) in
        [(mulacc(), "src/mulacc_ckernels.c", "-O2"), (outcome.contract.unwrap(), "src/tt_ckernels.c", "-fsyntax-only")]
    {
        write(dir.path(), &emit(&contract));
        for (compiler, language) in compilers() {
            for xlen in ["-DCX_XLEN=32", "-DCX_XLEN=64"] {
                let mut args = language.to_vec();
                args.extend(WARNINGS);
                args.extend([xlen, level, "-Iinclude", "-c", source, "-o", "out.o"]);
                must(compiler, &args, dir.path());
            }
        }
        // Firmware has no <string.h>.
        for (target, xlen) in [("--target=riscv32", "-DCX_XLEN=32"), ("--target=riscv64", "-DCX_XLEN=64")] {
            let args = ["-std=c11", target, "-ffreestanding", "-fsyntax-only", xlen, "-Iinclude", source];
            must("clang", &args, dir.path());
        }
    }
}

#[test]
fn the_option_turns_them_on() {
    let contract = mulacc();
    let files = |options: &[(&str, &str)]| {
        let program = lapis_cx::lower::lower(&contract);
        C.with_options(options).unwrap().emit(Input::new(&contract, &program)).unwrap().len()
    };
    assert_eq!(files(&[("ckernels", "on")]), 4);
    assert_eq!(files(&[("ckernels", "off")]), 2);
    assert_eq!(files(&[("ckernels", "on"), ("ckernels", "off")]), 2);
    let refused = |options: &[(&str, &str)]| C.with_options(options).err().map(|e| e.to_string()).unwrap();
    assert_eq!(refused(&[("ckernels", "yes")]), "option `ckernels`: `yes` is neither `on` nor `off`");
    assert!(refused(&[("kernels", "on")]).contains("the options are `ckernels`"));
}

/// Names that only the ckernels have clash only with them.
#[test]
fn their_names_are_known() {
    let contract = mulacc();
    let names = |backend: C| {
        let names = backend.names(&contract);
        names.into_iter().map(|n| n.name).collect::<Vec<_>>()
    };
    let more: Vec<String> = names(C::WITH_CKERNELS).into_iter().filter(|name| !names(C).contains(name)).collect();
    let expected =
        ["include/mulacc_ckernels.h", "src/mulacc_ckernels.c", "mulacc_ckernels", "CX_GENERATED_mulacc_CKERNELS_H"];
    assert_eq!(more, expected);
}

/// What errors are called is text of the spec, and so of any kind.
#[test]
fn texts_of_errors_are_literals() {
    let mut contract = mulacc();
    for item in &mut contract.items {
        if let Item::Interface(interface) = item {
            for section in &mut interface.sections {
                section.errors.push(lapis_cx::contract::ErrorDef {
                    name: "odd".into(),
                    code: 9,
                    message: Some("\"\\??/\n\u{e9}1*/".into()),
                    docs: String::new(),
                    span: section.commands[0].span,
                });
            }
        }
    }
    let files = emit(&contract);
    assert!(files[3].text.contains(r#"what = "\"\\\?\?/\012\303\2511*/";"#), "{}", files[3].text);
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &files);
    let args = [
        "-std=c11",
        "-trigraphs",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fsyntax-only",
        "-Iinclude",
        "src/mulacc_ckernels.c",
    ];
    must("gcc", &args, dir.path());
}
