//! Generated Rust on RISC-V: each command is the one instruction that `lapis_cx_core::encoding` says, inside its
//! selection; equal commands without state are one; a fallible one costs two accesses to `cx_status`. So is each access of
//! a CSR, and each command of an overloadable opcode.
//!
//! It needs `core` for a bare RISC-V: from `rustup target add`, or else built with Debian's compiler from its sources.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::Command;

use lapis_cx_core::encoding::{Csr, CsrAccess, CsrSource, Instruction, Profile};
use lapis_cx_tests::cc::run;
use lapis_cx_tests::rust::bare;
use lapis_cx_tests::spec;

/// Functions, and what is in each beside preparation.
const SOURCE: &str = "\
#![no_std]
#[path = \"rust/bk.rs\"]
pub mod bk;
#[path = \"rust/mulacc.rs\"]
pub mod mulacc;
#[path = \"rust/names.rs\"]
pub mod names;
#[path = \"rust/dev.rs\"]
pub mod dev;
#[path = \"rust/mixed.rs\"]
pub mod mixed;

use bk::BitKit;
use dev::Feeder;
use lapis_cx_core::{OnHart, Selector, XcmdOnHart};
use mulacc::MulAcc;
use names::Result_;

#[cfg(target_pointer_width = \"32\")]
type Word = u32;
#[cfg(target_pointer_width = \"64\")]
type Word = u64;

#[no_mangle]
pub fn one(s: Selector, a: Word, b: Word) -> Word {
    mulacc::Selected::new(OnHart::select(s)).mulacc(a, b)
}
#[no_mangle]
pub fn state(s: Selector, a: Word) -> Word {
    let mut cx = mulacc::Selected::new(OnHart::select(s));
    cx.mulacc(a, a);
    cx.mulacc(a, a)
}
#[no_mangle]
pub fn merged(s: Selector, a: Word) -> u8 {
    let cx = bk::Selected::new(OnHart::select(s));
    cx.popcnt(a) ^ cx.popcnt(a).wrapping_add(1)
}
#[no_mangle]
pub fn windows(s: Selector, t: Selector, a: Word) -> u8 {
    let one = bk::Selected::new(OnHart::select(s)).popcnt(a);
    let two = bk::Selected::new(OnHart::select(t)).popcnt(a);
    one ^ two
}
#[no_mangle]
pub fn nested(s: Selector, t: Selector, a: Word) -> u8 {
    let outer = bk::Selected::new(OnHart::select(s));
    let one = outer.popcnt(a);
    let two = bk::Selected::new(OnHart::select(t)).popcnt(a);
    one ^ two.wrapping_add(1) ^ outer.popcnt(a).wrapping_add(2)
}
#[no_mangle]
pub fn late(s: Selector, a: Word, b: bool) -> u8 {
    let one = bk::Selected::new(OnHart::select(s)).popcnt(a);
    if b { one } else { 0 }
}
#[no_mangle]
pub fn around(s: Selector, t: Selector, a: Word, n: u32) -> u8 {
    let mut r = 0u8;
    for _ in 0..n {
        r = r.wrapping_add(bk::Selected::new(OnHart::select(s)).popcnt(a));
        r ^= bk::Selected::new(OnHart::select(t)).popcnt(a);
    }
    r
}
#[no_mangle]
pub fn invariant(s: Selector, a: Word, p: &[Word]) -> Word {
    let cx = bk::Selected::new(OnHart::select(s));
    p.iter().fold(0, |r: Word, x| r.wrapping_add(x ^ Word::from(cx.popcnt(a))))
}
#[no_mangle]
pub fn constant(s: Selector, a: Word) -> Word {
    bk::Selected::new(OnHart::select(s)).bfx::<0xFC1>(a)
}
#[no_mangle]
pub fn flex(s: Selector, a: Word) {
    let mut cx = names::Selected::new(OnHart::select(s));
    cx.nothing();
    cx.bare(a, a);
    cx.third::<21>(a, a);
    cx.all::<0x7C1F>();
}
#[no_mangle]
pub fn fallible(s: Selector, a: Word, b: Word) -> bool {
    bk::Selected::new(OnHart::select(s)).try_divchk(a, b).is_ok()
}
#[no_mangle]
pub fn access(s: Selector, a: Word) -> Word {
    let mut cx = names::Selected::new(OnHart::select(s));
    cx.x_write(names::csr::X(a));
    cx.x_swap(names::csr::X(a)).0 ^ cx.x_set(a).0 ^ cx.x_clear(a).0 ^ cx.x_read().0 ^ cx.x_read().0
}
#[no_mangle]
pub fn constants(s: Selector) -> Word {
    let mut cx = names::Selected::new(OnHart::select(s));
    cx.fn_write_i::<0>();
    cx.fn_write_i::<31>();
    cx.fn_write_i::<32>();
    cx.fn_set_i::<{ names::csr::Fn_::FMT_MASK }>();
    cx.fn_clear_i::<{ names::csr::Fn_::ON_MASK }>();
    cx.fn_set_i::<0>().0 ^ cx.fn_clear_i::<0>().0
}
#[no_mangle]
pub fn device(a: Word, b: Word) -> Word {
    let device = dev::xext(XcmdOnHart::new(), 0);
    device.shut(b);
    let fed = device.feed(a, b) ^ device.read();
    fed ^ device.try_feed(a, b).unwrap_or(0)
}
#[no_mangle]
pub fn fallbacks(b: i16) -> bool {
    mixed::xext0(XcmdOnHart::<0x7B>, 3).both(b) ^ mixed::xextm1(XcmdOnHart::<0x7B>, 3).both(b)
}
";

/// A store, if the opcode were taken as it is.
const STORE: &str = "\
#![no_std]
#[no_mangle]
pub fn store(address: usize, value: usize) -> usize {
    let hart = lapis_cx_core::XcmdOnHart::<0x23>::default();
    lapis_cx_core::abi1::xcmd::<_, { usize::BITS }, 3>(&hart, address, Some(value))
}
";

/// The 32-bit instructions of a function that a CX knows, without the numbers of registers that are not x0.
fn instructions(object: &Path, function: &str) -> Vec<String> {
    let mut command = Command::new("llvm-objdump");
    command.args(["-d", "--no-leading-addr"]).arg(format!("--disassemble-symbols={function}")).arg(object);
    let listing = String::from_utf8(run(&mut command).stdout).unwrap();
    let words = listing.lines().filter_map(|line| {
        let hex = line.split_whitespace().take(4).collect::<String>();
        (hex.len() == 8).then(|| u32::from_str_radix(&hex, 16).ok().map(u32::swap_bytes)).flatten()
    });
    words.filter_map(said).collect()
}

fn said(word: u32) -> Option<String> {
    let register = |n: u8| if n == 0 { "x0" } else { "r" };
    if let Some(access) = CsrAccess::decode(word) {
        let source = match access.source {
            CsrSource::Register(n) => register(n).to_owned(),
            CsrSource::Immediate(n) => n.to_string(),
        };
        let name = || format!("{:?} {:#x} {} {source}", access.operation, access.csr, register(access.rd));
        return Some(Csr::from_number(access.csr).map_or_else(name, |csr| csr.name().to_owned()));
    }
    Some(match Instruction::decode(word, Profile::DEFAULT)? {
        Instruction::R { function, rd, rs1, rs2 } => {
            format!("R {function} {} {} {}", register(rd), register(rs1), register(rs2))
        }
        Instruction::I { function, rd, rs1, immediate } => {
            format!("I {function} {} {} {immediate}", register(rd), register(rs1))
        }
        flex @ Instruction::Flex { function, immediate, rs1, rs2 } => match function {
            12 => format!("flex25 {function} {:#x}", flex.immediate25()?),
            _ => format!("flex {function} {immediate} {} {}", register(rs1), register(rs2)),
        },
        Instruction::Xcmd { command, rd, rs1, rs2 } => {
            format!("xcmd{command} {} {} {}", register(rd), register(rs1), register(rs2))
        }
        Instruction::Xext { fallback, rd, rs1, rs2 } => {
            format!("{} {} {} {}", fallback.mnemonic(), register(rd), register(rs1), register(rs2))
        }
        other => format!("{other:?}"),
    })
}

#[test]
fn a_command_is_one_instruction_inside_its_selection() {
    let folder = tempfile::tempdir().unwrap();
    let names = include_str!("../../backends/rust/tests/names.cxspec");
    let open = include_str!("../../backends/open.cxspec");
    let awkward = [("names", names), ("open", open)].map(|(name, text)| spec::build_text(name, text));
    for outcome in [spec::build("mulacc"), spec::build("bitkit")].into_iter().chain(awkward) {
        spec::write(&outcome, folder.path());
    }
    let source = folder.path().join("uses.rs");
    fs::write(&source, SOURCE).unwrap();
    let store = folder.path().join("store.rs");
    fs::write(&store, STORE).unwrap();
    for target in ["riscv32imac-unknown-none-elf", "riscv64imac-unknown-none-elf"] {
        let (rustc, flags) = bare(target, Path::new(env!("CARGO_TARGET_TMPDIR")));
        let command = |edition: &str| {
            let mut command = Command::new(&rustc);
            command.env("RUSTC_BOOTSTRAP", "1").args(&flags).args(["--target", target, "--edition", edition]);
            command.args(["-Copt-level=3", "-Cpanic=abort", "-Dwarnings"]);
            command
        };
        let core = folder.path().join("liblapis_cx_core.rlib");
        let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lapis-cx/core/src/lib.rs");
        let mut build = command("2024");
        build.args(["--crate-name", "lapis_cx_core", "--crate-type", "rlib", "-o"]).arg(&core).arg(library);
        run(&mut build);
        let object = folder.path().join("uses.o");
        let user = |source: &Path| {
            let mut build = command("2021");
            build
                .args(["--crate-type", "lib", "--emit=obj", "--extern"])
                .arg(format!("lapis_cx_core={}", core.display()));
            build.arg(source).arg("-o").arg(&object);
            build
        };
        let refused = user(&store).output().unwrap();
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && said.contains("one of custom-0 to custom-3"), "{target}: {said}");
        run(&mut user(&source));
        let select = "cx_index";
        for (function, want) in [
            ("one", vec![select, "R 1 r r r", select]),
            ("state", vec![select, "R 1 r r r", "R 1 r r r", select]),
            ("merged", vec![select, "R 1 r r x0", select]),
            ("windows", vec![select, "R 1 r r x0", select, select, "R 1 r r x0", select]),
            // Not even one of a selection around another, or one whose result is used later, on one way only.
            ("nested", vec![select, "R 1 r r x0", select, "R 1 r r x0", select, "R 1 r r x0", select]),
            ("late", vec![select, "R 1 r r x0", select]),
            // In a loop.
            ("around", vec![select, "R 1 r r x0", select, select, "R 1 r r x0", select]),
            ("invariant", vec![select, "R 1 r r x0", select]),
            ("constant", vec![select, "I 3 r r -63", select]),
            (
                "access",
                vec![
                    select,
                    "Write 0x8ff x0 r",
                    "Write 0x8ff r r",
                    "Set 0x8ff r r",
                    "Clear 0x8ff r r",
                    "Set 0x8ff r x0",
                    "Set 0x8ff r x0",
                    select,
                ],
            ),
            (
                "constants",
                vec![
                    select,
                    "Write 0x802 x0 0",
                    "Write 0x802 x0 31",
                    "Write 0x802 x0 r",
                    "Set 0x802 r 7",
                    "Clear 0x802 r r",
                    // Of x0 it would not write.
                    "Set 0x802 r r",
                    "Clear 0x802 r r",
                    select,
                ],
            ),
            // The lookups have no effect, so there is one of each.
            ("device", vec!["xext r r x0", "xcmd7 x0 r r", "xcmd0 r r r", "xcmd2 r r x0", "xcmd0 r r r"]),
            ("flex", vec![select, "flex 10 0 x0 x0", "flex 13 0 r r", "flex 11 21 r r", "flex25 12 0x7c1f", select]),
        ] {
            assert_eq!(instructions(&object, function), want, "{target}: {function}");
        }
        // A lookup may stand before a command to another device.
        let (lookups, commands): (Vec<_>, Vec<_>) =
            instructions(&object, "fallbacks").into_iter().partition(|text| text.starts_with("xext"));
        assert_eq!(lookups, ["xext0 r r x0", "xextm1 r r x0"], "{target}: fallbacks");
        assert_eq!(commands, ["xcmd0 r r r", "xcmd0 r r r"], "{target}: fallbacks");
        let fallible = instructions(&object, "fallible");
        assert_eq!(fallible[..4], [select, "cx_status", "R 5 r r r", "cx_status"], "{target}: {fallible:?}");
    }
}
