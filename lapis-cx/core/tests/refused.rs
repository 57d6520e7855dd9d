//! What must not compile: safe code names function ids, addresses and opcodes as constants, and a number that is not of a CX
//! would be another instruction. The checks stand before the instructions, so each target refuses the same.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::Command;

/// Before each program: a CX and processors in software, which code of users can write as well.
const PRELUDE: &str = "\
#![forbid(unsafe_code)]
use lapis_cx_core::{abi1, encoding::Fallback, Cookie, Target, Xcmd};
struct Processor<const OPCODE: u8>;
impl<const OPCODE: u8> Xcmd for Processor<OPCODE> {
    const OPCODE: Option<u8> = Some(OPCODE);
    fn xext(&self, fallback: Fallback, _: usize) -> usize { fallback.lun().into() }
    fn xcmd(&self, _: u32, rs1: usize, _: usize) -> usize { rs1 }
}
const XLEN: u32 = usize::BITS;
pub fn lookup(x: &Processor<0x5B>) -> Cookie { abi1::xext::<_, XLEN>(x, 0) }
fn main() {
    let cx = &Target::INVALID;
    let _ = cx;
";

const ID: &str = "a function id is below 1024";
const SMALL: &str = "the function id of this form is below 8";
const ADDRESS: &str = "a CSR of a CX has an address for custom use";
const OPCODE: &str = "the opcode of `xcmd` is one of custom-0 to custom-3";

/// Statements, and why they do not compile; `None` for those that do.
const CASES: &[(&str, Option<&str>)] = &[
    ("abi1::value::<_, 1023>(cx, None, None);", None),
    ("abi1::value::<_, 1024>(cx, None, None);", Some(ID)),
    // Its low 16 bits are those of function 3.
    ("abi1::value::<_, 65539>(cx, None, None);", Some(ID)),
    ("abi1::try_silent::<_, 65539>(cx, None, None);", Some(ID)),
    ("abi1::flex::<_, 65539>(cx, None, None);", Some(ID)),
    ("abi1::flex_immediate::<_, 65539, 5, abi1::U8<1>>(cx, None, None);", Some(ID)),
    ("abi1::flex25::<_, 65539, abi1::U8<1>>(cx);", Some(ID)),
    ("abi1::immediate::<_, 7, abi1::U8<1>>(cx, None);", None),
    ("abi1::immediate::<_, 8, abi1::U8<1>>(cx, None);", Some(SMALL)),
    ("abi1::csr_write::<_, 0x802>(cx, 1);", None),
    ("abi1::csr_read::<_, 0xFFF>(cx, 0);", None),
    // cx_index, cx_status, mcx_selector, mcx_table.
    ("abi1::csr_write::<_, 0x800>(cx, 1);", Some(ADDRESS)),
    ("abi1::csr_swap::<_, 0x801>(cx, 1);", Some(ADDRESS)),
    ("abi1::csr_set::<_, 0xBC0>(cx, 1);", Some(ADDRESS)),
    ("abi1::csr_clear::<_, 0xBC1>(cx, 1);", Some(ADDRESS)),
    // satp, mstatus, mtvec, and no CSR at all.
    ("abi1::csr_write::<_, 0x180>(cx, 1);", Some(ADDRESS)),
    ("abi1::csr_read::<_, 0x300>(cx, 0);", Some(ADDRESS)),
    ("abi1::csr_write_constant::<_, 0x305, abi1::U8<1>>(cx);", Some(ADDRESS)),
    ("abi1::csr_set_constant::<_, 0x1810, abi1::U8<1>>(cx);", Some(ADDRESS)),
    ("abi1::xcmd::<_, XLEN, 7>(&Processor::<0x0B>, 0, None);", None),
    ("abi1::xcmd::<_, XLEN, 8>(&Processor::<0x0B>, 0, None);", Some(SMALL)),
    // Stores, loads, `ecall`, and no opcode at all.
    ("abi1::xcmd::<_, XLEN, 3>(&Processor::<0x23>, 0, Some(1));", Some(OPCODE)),
    ("abi1::silent_xcmd::<_, XLEN, 3>(&Processor::<0x23>, 0, Some(1));", Some(OPCODE)),
    ("abi1::xext::<_, XLEN>(&Processor::<0x03>, 0);", Some(OPCODE)),
    ("abi1::xext0::<_, XLEN>(&Processor::<0x73>, 0);", Some(OPCODE)),
    ("abi1::xextm1::<_, XLEN>(&Processor::<0xFB>, 0);", Some(OPCODE)),
];

#[test]
fn only_numbers_of_a_cx_compile() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let mut build = Command::new("rustc");
    build.args(["--crate-name", "lapis_cx_core", "--crate-type", "rlib", "--edition", "2024", "--out-dir"]);
    assert!(build.arg(folder).arg(library).status().unwrap().success());
    for (number, (statement, refusal)) in CASES.iter().enumerate() {
        let source = folder.join(format!("refused_{number}.rs"));
        fs::write(&source, format!("{PRELUDE}    {statement}\n}}\n")).unwrap();
        let mut compile = Command::new("rustc");
        compile.args(["--edition", "2021", "--emit=obj", "--extern"]);
        compile.arg(format!("lapis_cx_core={}", folder.join("liblapis_cx_core.rlib").display()));
        let output = compile.arg(&source).arg("-o").arg(folder.join("refused.o")).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.success(), refusal.is_none(), "{statement}\n{said}");
        if let Some(refusal) = refusal {
            assert!(said.contains("E0080") && said.contains(refusal), "{statement}\n{said}");
        }
    }
}
