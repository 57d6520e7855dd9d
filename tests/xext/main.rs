//! A board with overloadable opcodes, generated from one platform item: the processors in C and in Rust answer every step
//! of long programs the same, and what is generated for its interfaces runs on them.

#![allow(clippy::unwrap_used, clippy::panic)]

mod random;

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lapis_cx::backend::platforms;
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, SourceText, compile};
use lapis_cx_core::Cookie;
use lapis_cx_core::encoding::Fallback;
use lapis_cx_core::xext::{Cpu, Device, Platform, Port, Privilege, UuidDevice};
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
        self.0.rotate_left(31)
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

// Sentences: overloadable-opcodes 8, 59-68.
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

// Sentences: overloadable-opcodes 12, 19-20, 23.
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

/// What the compiler says of an interface or of a whole spec that is wrong.
fn refused(items: &str) -> String {
    let text = format!("cxspec 1;\npackage a.b;\n{items}\n");
    let source = SourceText { name: "a.cxspec".into(), bytes: text.into() };
    let outcome = compile(source, &mut NoImports, &mut NoVerdicts, Effort::Build, lapis_cx_backends::all());
    assert!(outcome.has_errors(), "{items}");
    outcome.diagnostics.iter().map(|d| format!("{}\n", d.message)).collect()
}

// Sentences: overloadable-opcodes 9, 22.
#[test]
fn an_interface_has_up_to_eight_commands_of_two_inputs() {
    let interface = |command: &str| format!("interface X {{ xintf 0x12345; {command} }}");
    let eight: String =
        (0..8).map(|k| format!("command c{k} = {k} : xcmd (a: u8, b: word) -> word {{ return b; }} ")).collect();
    let good = spec::build_text("eight", format!("cxspec 1;\npackage a.b;\n{}", interface(&eight)));
    assert!(!good.files.is_empty());
    let ninth = refused(&interface("command c = 8 : xcmd (a: u8, b: word) -> word { return b; }"));
    assert!(ninth.contains("`xcmd` has room for function ids 0 to 7, not 8"), "{ninth}");
    let third = refused(&interface("command c = 0 : xcmd (a: u8, b: word, c: word) -> word { return b; }"));
    assert!(third.contains("`xcmd` carries at most 2 operands, not 3"), "{third}");
    let wide = refused(&interface("command c = 0 : xcmd (a: word, b: word) -> word { return b; }"));
    assert!(wide.contains("shares its register with the 12 bits of the lun"), "{wide}");
}

// Sentences: overloadable-opcodes 54.
#[test]
fn one_id_is_one_interface() {
    let two = "interface X { xintf 0x12345; command c = 0 : xcmd (a: u8, b: word) -> word { return b; } }
               interface Y { xintf 0x12345; command c = 0 : xcmd (a: u8, b: word) -> word { return b; } }";
    let said = refused(two);
    assert!(said.contains("0x12345"), "{said}");
}

// Sentences: overloadable-opcodes 14, 21, 49, 53, 56, 70-71, 73-76, 82.
#[test]
fn the_example_of_the_document_is_a_processor() {
    let outcome = spec::build("demo_board");
    let platform = platforms(spec::contract(&outcome)).next().unwrap();
    let (luns, routes): (Vec<_>, Vec<_>) = (
        platform.lun_rows().into_iter().map(|(row, _)| row).collect(),
        platform.device_rows().into_iter().map(|(row, _)| row).collect(),
    );
    let tables = Platform::<64> {
        name: "DemoBoard",
        levels: platform.privileges(),
        xcmds: platform.xcmds as u8,
        devices: platform.devices.len() as u16,
        luns: &luns,
        routes: &routes,
    };
    let tell = |device: usize| move |port: Port, _: Cookie, _: usize| Ok(device << 16 | usize::from(port.bits()));
    let (dev1, dev2) = (tell(1), tell(2));
    let devices: [&dyn Device; 2] = [&dev1, &dev2];
    let cpu = Cpu::new(&tables, &devices).unwrap();
    // Ids with bit 19 set, as `lui` extends them on RV64.
    let [frobate, rocknroll, jazz] = [0xF_FFFF_FFFA_BCDE, 0x12345, 0xF_FFFF_FFFB_EB0B];
    let found = |level, uuid, dev| {
        cpu.set_level(level).unwrap();
        let rs1 = UuidDevice { uuid, dev }.register::<64>().unwrap();
        let cookie = cpu.xext(Fallback::Trap, rs1, 0);
        (cookie.lun(), cpu.xcmd(1, cookie.bits(), 0).ok().map(|told| (told >> 16, told & 0xFFF)))
    };
    let at_each = |uuid, dev| Privilege::ALL.map(|level| found(level, uuid, dev));
    let nowhere = (0, None);
    let (dev1_frobate, dev2_frobate) = ((32, Some((1, 0))), (34, Some((2, 0))));
    assert_eq!(at_each(frobate, 0), [dev1_frobate, dev2_frobate, dev2_frobate, dev2_frobate]);
    assert_eq!(at_each(frobate, 1), [nowhere, dev1_frobate, dev1_frobate, (32, Some((1, 64)))]);
    let rocknroll_at = (33, Some((1, 1)));
    assert_eq!(at_each(rocknroll, 0), [rocknroll_at, rocknroll_at, rocknroll_at, nowhere]);
    assert_eq!(at_each(jazz, 0), [nowhere, (35, Some((2, 1))), (35, Some((2, 1))), nowhere]);
}

// Sentences: overloadable-opcodes 55.
#[test]
fn half_of_the_ids_are_registered_and_half_are_a_hash() {
    let id_of = |id: &str| {
        let text = format!(
            "cxspec 1;\npackage org.tinker.tinker;\ninterface RocknRoll {{ xintf {id}; \
             command rock = 0 : xcmd (a: u8, b: word) -> word {{ return b; }} }}\n"
        );
        let outcome = spec::build_text("rocknroll", text);
        let xintf = spec::contract(&outcome).interfaces().next().unwrap().xintf.unwrap();
        (xintf.id20, xintf.id52)
    };
    // The first 31 bits of a hash of the long name give 19, and bit 19 is set.
    assert_eq!(id_of("auto"), (0xA_98D6, 0xF_FFFF_FFFA_98D6));
    assert_eq!(id_of("0x7FFFF"), (0x7_FFFF, 0x7_FFFF));
}
