//! A board with overloadable opcodes, generated from one platform item: the processors in C and in Rust answer every step
//! of long programs the same, and what is generated for its interfaces runs on them.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lapis_cx_core::xext::UuidDevice;
use lapis_cx_tests::cc::{self, COMPILERS, LANGUAGES, WARNINGS};
use lapis_cx_tests::rust::{EDITIONS, command, program};
use lapis_cx_tests::spec;

const BOARD: &str = include_str!("board.cxspec");

/// The files of the board at an XLEN, in a folder.
fn generated(xlen: u32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = BOARD.replace("xlen   64;", &format!("xlen   {xlen};"));
    spec::write(&spec::build_text("board", text), folder.path());
    folder
}

/// A program in Rust, with the board's modules.
fn rust_program(folder: &Path, text: &str, edition: &str, xlen: u32) -> PathBuf {
    let source = folder.join("program.rs");
    fs::write(&source, text.replace("WIDTH", &xlen.to_string())).unwrap();
    let mut rustc = command("rustc", edition);
    rustc.arg("--check-cfg=cfg(cx_xlen,values(any()))").arg(format!("--cfg=cx_xlen=\"{xlen}\"")).arg("-Adead_code");
    program(rustc, &source, &folder.join("program"))
}

/// What a program prints that reads `input`.
fn printed(program: &Path, input: &str) -> String {
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33 | self.0 << 31
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

/// Steps of a program: levels, lookups, and commands to luns that are there, that are not, and that a lookup or a command gave.
fn steps(xlen: u32, count: usize) -> String {
    let mut dice = Dice(u64::from(xlen));
    let mask = u64::MAX >> (64 - xlen);
    let ids = [0, 1, 2, 0x12345, 0xABCDE, 0xBEB0B, 0x54321, 0xF_FFFF];
    let luns = [0, 1, 2, 3, 9, 30, 31, 32, 32, 33, 33, 34, 34, 35, 35, 36, 4095];
    let mut text = String::new();
    for _ in 0..count {
        let rs2 = match dice.below(3) {
            0 => dice.below(4),
            1 => dice.one(&luns),
            _ => dice.next() & mask,
        };
        let command = if dice.below(12) == 0 { 7 + dice.below(3) } else { dice.below(8) };
        let (kind, a, rs1) = match dice.below(8) {
            0 => (0, dice.one(&[1, 2, 4, 8, 8, 3, 12]), 0),
            1 | 2 => {
                let id: u64 = dice.one(&ids);
                // As `lui` makes it of 20 bits.
                let uuid = if xlen == 64 && id >> 19 == 1 { id | 0xFFFF_FFFF << 20 } else { id };
                let dev = if dice.below(6) == 0 { dice.below(4096) } else { dice.below(3) } as u16;
                let register = match xlen {
                    32 => UuidDevice { uuid, dev }.register::<32>(),
                    _ => UuidDevice { uuid, dev }.register::<64>(),
                };
                (1, dice.below(3), register.unwrap() as u64)
            }
            3 => (3, command, 0),
            _ => (2, command, (dice.next() << 12 | dice.one(&luns)) & mask),
        };
        let _ = writeln!(text, "{kind} {a} {rs1:x} {rs2:x}");
    }
    text
}

#[test]
fn processors_in_c_and_in_rust_answer_the_same() {
    for xlen in [32, 64] {
        let folder = generated(xlen);
        let path = |name: &str| folder.path().join(name);
        fs::write(path("program.c"), include_str!("program.c")).unwrap();
        let input = steps(xlen, 20_000);
        let mut said = Vec::new();
        for compiler in COMPILERS {
            for language in LANGUAGES {
                let mut command = compiler.command(language);
                command.args(WARNINGS).args(compiler.sanitize()).arg("-O1").arg(format!("-DCX_XLEN={xlen}"));
                command.arg("-I").arg(path("include"));
                let sources =
                    ["Frobate", "Jazz"].map(|name| path(&format!("src/org_example_board__{name}_fallback.c")));
                let board = path("src/org_example_board__Board_platform.c");
                let all: Vec<_> =
                    [path("program.c"), board, path("src/sums_fallback.c")].into_iter().chain(sources).collect();
                said.push(printed(&cc::program(command, &all, &path("program")), &input));
            }
        }
        for edition in EDITIONS {
            let program = rust_program(folder.path(), include_str!("program.rs"), edition, xlen);
            said.push(printed(&program, &input));
        }
        // Each cause occurs, and each level.
        for cause in 1..=5 {
            assert!(said[0].contains(&format!("trap {cause} ")), "{xlen}: nothing traps with cause {cause}");
        }
        for levels in ["1 2 2", "2 4 4", "4 8 8", "8 0 8"] {
            assert!(said[0].contains(&format!(" {levels};")), "{xlen}: nothing traps as {levels}");
        }
        for other in &said {
            for (line, (expected, found)) in said[0].lines().zip(other.lines()).enumerate() {
                assert_eq!(expected, found, "XLEN {xlen}, {:?}", input.lines().nth(line));
            }
            assert_eq!(said[0].len(), other.len());
        }
    }
}

#[test]
fn guards_of_interfaces_run_on_the_processor() {
    for xlen in [32, 64] {
        let folder = generated(xlen);
        let program = rust_program(folder.path(), include_str!("stubs.rs"), "2024", xlen);
        let want = "32 42 -5\n\
                    xcmd1 at the level user: the command of lun 32 traps; it traps to super\n119\n\
                    -1\n\
                    xcmd0 at the level user: no device was found (lun 0); it traps to super\n119\n\
                    0 1 Some(11)\n40 42\n42 12\n[0, 1]\n";
        assert_eq!(printed(&program, ""), want, "{xlen}");
    }
}

/// What rustc says of a change of the program with guards, which is wrong then.
fn refusal(changes: &[(&str, &str)]) -> String {
    let folder = generated(64);
    let mut text = include_str!("stubs.rs").replace("WIDTH", "64");
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let source = folder.path().join("wrong.rs");
    fs::write(&source, text).unwrap();
    let mut rustc = command("rustc", "2024");
    let output = rustc.arg("-o").arg(folder.path().join("wrong")).arg(&source).output().unwrap();
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_device_of_other_units_does_not_compile() {
    let said = refusal(&[("sums::Soft::default(), frobate::Soft)", "sums::Soft::default(), sums::Soft::default())")]);
    assert!(said.contains("unit 64 of `dev1` answers org.example.board:Frobate"), "{said}");
}

#[test]
fn a_processor_of_another_width_does_not_compile() {
    let narrow = [("frobate::xext", "frobate::xlen32::xext"), ("use frobate::", "use frobate::xlen32::")];
    let said = refusal(&narrow);
    assert!(said.contains("this processor has another XLEN than the contract"), "{said}");
}
