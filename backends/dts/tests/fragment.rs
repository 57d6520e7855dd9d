//! The fragment of a platform, as it was kept, and as the device-tree compiler and its reader take it. `BLESS=1` writes the kept
//! text anew.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::process::Command;

use lapis_cx::backend::{Backend, File};
use lapis_cx::diagnostic::Severity;
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, SourceText, compile};
use lapis_cx_backend_dts::Dts;

const BOARD: &str = r#"cxspec 1;
package org.example.fragments;

draft interface Sum {
    uuid "6d2c3d0e-5c1f-4a35-9d21-7a0b1c2d3e4f";
    state exclusive { sum: u32 = 0; }
    command add = 0 : R (a: u32) -> u32 { sum = sum +% a; return sum; }
    command sub = 1 : R (a: u32) -> u32 { sum = sum -% a; return sum; }
}

draft interface Bits {
    uuid "6d2c3d0e-5c1f-4a35-9d21-7a0b1c2d3e50";
    xintf 0x12345, 0x8000000012345;
    command parity = 0 : R | xcmd (a: u20) -> bool { return a[0] == 1; }
}

/// Two units, of which one leaves a command to software. */ / {
platform Board {
    xlen 64;
    xcmds 4;
    harts 2;
    levels u, m;
    device one { unit 3 = Bits; }
    lun 40 = Bits { u, m -> one.3; }
    discover Bits { 0 at u, m -> lun 40; 1 at m -> lun 40; }
    cxu 0 = Sum { level 2; latency 1..4; contexts 3; omits sub; }
    cxu 255 = Bits { level 0; }
}

/// No device is behind an opcode.
platform Small {
    xlen 32;
    harts 1;
    cxu 1 = Bits { level 0; }
}
"#;

fn files() -> Vec<File> {
    let root = SourceText { name: "board.cxspec".to_owned(), bytes: BOARD.into() };
    let backends: [&dyn Backend; 1] = [&Dts];
    let outcome = compile(root, &mut NoImports, &mut NoVerdicts, Effort::Build, &backends);
    // Two drafts, and nothing else.
    let errors = outcome.diagnostics.iter().any(|finding| finding.severity == Severity::Error);
    assert!(!errors, "{:?}", outcome.diagnostics);
    outcome.files
}

#[test]
fn the_fragments_are_the_kept_ones() {
    let files = files();
    let names: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(names, ["dts/org_example_fragments__Board.dtsi", "dts/org_example_fragments__Small.dtsi"]);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for file in files {
        let path = folder.join(file.path.strip_prefix("dts/").unwrap());
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &file.text).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == file.text, "{path:?} differs from the kept text; look at it, then run with BLESS=1");
    }
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}: `tests/run` installs it"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    said
}

/// What a kernel reads: the fragment in the tree of a board.
#[test]
fn a_board_includes_the_fragment() {
    let folder = tempfile::tempdir().unwrap();
    for file in files() {
        let path = folder.path().join(file.path.strip_prefix("dts/").unwrap());
        std::fs::write(&path, &file.text).unwrap();
        let board = folder.path().join("board.dts");
        let name = path.file_name().unwrap().to_str().unwrap();
        std::fs::write(&board, format!("/dts-v1/;\n/include/ \"{name}\"\n/ {{ model = \"board\"; }};\n")).unwrap();
        let blob = path.with_extension("dtb");
        let said = run(Command::new("dtc").args(["-I", "dts", "-O", "dtb", "-o"]).arg(&blob).arg(&board));
        assert_eq!(said, "", "no warnings");
    }
    let board = folder.path().join("org_example_fragments__Board.dtb");
    let property = |kind: &str, node: &str, name: &str| {
        run(Command::new("fdtget").args(["-t", kind]).arg(&board).args([node, name])).trim().to_owned()
    };
    let (sum, bits, lun) = ("/cx/cxu@0", "/cx/cxu@ff", "/xcmd/lun@28");
    assert_eq!(property("s", "/", "model"), "board");
    assert_eq!(property("u", "/cx", "lapis,harts"), "2");
    assert_eq!(property("bx", sum, "lapis,uuid"), "6d 2c 3d e 5c 1f 4a 35 9d 21 7a b 1c 2d 3e 4f");
    assert_eq!(property("bx", sum, "lapis,contract").split(' ').count(), 32);
    assert_eq!(property("u", sum, "lapis,state-contexts"), "3");
    assert_eq!(property("u", sum, "lapis,latency"), "1 4");
    assert_eq!(property("u", sum, "lapis,omits"), "1");
    assert_eq!(property("u", bits, "reg"), "255");
    assert_eq!(property("s", bits, "label"), "org.example.fragments:Bits");
    assert_eq!(property("u", bits, "lapis,state-contexts"), "0");
    assert_eq!(property("x", lun, "lapis,xintf"), "80000 12345");
    // Found as 0 at levels u and m, as 1 at m; from both levels it leads to unit 3 of the first device.
    assert_eq!(property("u", lun, "lapis,found"), "0 9 1 8");
    assert_eq!(property("u", lun, "lapis,routes"), "9 0 3");
    assert_eq!(property("s", "/xcmd", "lapis,devices"), "one");
    let small = folder.path().join("org_example_fragments__Small.dtb");
    assert!(!Command::new("fdtget").arg(&small).args(["/xcmd", "compatible"]).output().unwrap().status.success());
}
