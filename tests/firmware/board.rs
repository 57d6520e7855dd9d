//! A program on qemu's machine `virt`, without an operating system: what it says on the UART is what it says on this computer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lapis_cx_tests::cc::{self, COMPILERS, LANGUAGES, Language, WARNINGS, run};
use lapis_cx_tests::spec;

use super::{build, includes};

const BOARD: &str = "cxspec 1;
package org.example.firmware;
use org.example.dsp:MulAcc;
use org.example.bits:BitKit;
/// Two libraries share the one state context.
platform Board { xlen XLEN; cxu 0 = MulAcc { level 2; contexts 1; } cxu 7 = BitKit { level 0; } }
";

pub fn here(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("firmware").join(file)
}

/// The board and the fallbacks of its CXUs.
fn generated(xlen: u32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    spec::write(&build("board", &BOARD.replace("XLEN", &xlen.to_string())), folder.path());
    for name in ["mulacc", "bitkit"] {
        spec::write(&spec::build(name), folder.path());
    }
    folder
}

fn machine(folder: &Path) -> PathBuf {
    folder.join("src/org_example_firmware__Board_machine.c")
}

/// What the program says here.
fn on_this_computer(folder: &Path, xlen: u32) -> Vec<u8> {
    let mut said = Vec::new();
    for (compiler, language) in COMPILERS.into_iter().flat_map(|c| LANGUAGES.map(|l| (c, l))) {
        for table in [0, 1] {
            let mut command = compiler.command(language);
            command.args(WARNINGS).args(compiler.sanitize()).args(includes(folder)).arg("-I").arg(here(""));
            command.args([format!("-DCX_XLEN={xlen}"), format!("-DCX_MCX_TABLE={table}")]);
            let sources = [machine(folder), here("dotp.c"), here("host.c")];
            let program = cc::program(command, &sources, &folder.join("host"));
            said.push(run(&mut Command::new(program)).stdout);
        }
    }
    said.dedup();
    assert_eq!(said.len(), 1, "{said:?}");
    said.remove(0)
}

/// A compiler for harts of an XLEN, and its flags.
pub fn for_harts(is_gcc: bool, xlen: u32) -> (&'static str, Vec<String>) {
    let (abi, architecture) = (if xlen == 64 { "lp64" } else { "ilp32" }, format!("-march=rv{xlen}imac_zicsr"));
    let mut flags = vec![format!("-mabi={abi}"), "-mcmodel=medany".into(), "-ffreestanding".into(), "-Os".into()];
    if is_gcc {
        flags.push(architecture);
        return ("riscv64-linux-gnu-gcc", flags);
    }
    // Its assembler knows CSRs without the extension's name, which it does not know.
    flags.extend([format!("--target=riscv{xlen}-unknown-elf"), architecture.replace("_zicsr", "")]);
    ("clang", flags)
}

/// The image of the program.
fn image(folder: &Path, xlen: u32, is_gcc: bool, table: u32) -> PathBuf {
    let (compiler, flags) = for_harts(is_gcc, xlen);
    let mut objects = Vec::new();
    for source in [machine(folder), here("dotp.c"), here("start.c")] {
        let object = folder.join(source.with_extension("o").file_name().unwrap());
        let mut command = Command::new(compiler);
        command.args(["-std=c11", "-fno-pic", "-c"]).args(&flags).args(WARNINGS).args(includes(folder));
        command.arg("-I").arg(here("")).arg(format!("-DCX_MCX_TABLE={table}"));
        run(command.arg(source).arg("-o").arg(&object));
        objects.push(object);
    }
    let image = folder.join("image");
    let mut link = Command::new("riscv64-linux-gnu-ld");
    link.args(["-m", if xlen == 64 { "elf64lriscv" } else { "elf32lriscv" }, "--no-warn-rwx-segments", "-T"]);
    run(link.arg(here("board.ld")).args(objects).arg("-o").arg(&image));
    image
}

#[test]
fn a_board_says_what_a_computer_says() {
    for xlen in [32, 64] {
        let folder = generated(xlen);
        let wanted = String::from_utf8(on_this_computer(folder.path(), xlen)).unwrap();
        assert!(wanted.lines().count() == 10, "{wanted}");
        for (is_gcc, table) in [(true, 0), (true, 1), (false, 0), (false, 1)] {
            let image = image(folder.path(), xlen, is_gcc, table);
            let mut qemu = Command::new("timeout");
            qemu.args([
                "60",
                &format!("qemu-system-riscv{xlen}"),
                "-M",
                "virt",
                "-nographic",
                "-bios",
                "none",
                "-kernel",
            ]);
            let said = run(qemu.arg(image).stdin(Stdio::null())).stdout;
            assert_eq!(String::from_utf8_lossy(&said), wanted, "XLEN {xlen}, gcc {is_gcc}, table {table}");
        }
    }
}

/// Bytes of the frames of all functions that the compiler reports.
fn frames(report: &Path) -> u64 {
    let text = fs::read_to_string(report).unwrap();
    // Every function once, as if each called the next: no path of calls without recursion is deeper.
    text.lines().map(|line| line.split('\t').nth(1).unwrap().parse::<u64>().unwrap()).sum()
}

/// Code size is that of the object. The stack is a bound: the frames of all functions of the file, each once.
#[test]
fn sizes_stay_small() {
    for xlen in [32, 64] {
        let folder = generated(xlen);
        for hardware in [0, 1] {
            for table in [0, 1] {
                let (compiler, flags) = for_harts(true, xlen);
                let object = folder.path().join("machine.o");
                let mut command = Command::new(compiler);
                command.args(["-std=c11", "-fno-pic", "-c", "-fstack-usage"]).args(flags).args(WARNINGS);
                command.args(includes(folder.path())).arg(format!("-DCX_MCX_TABLE={table}"));
                command.arg(format!("-DCX_HARDWARE={hardware}")).arg(machine(folder.path())).arg("-o").arg(&object);
                run(&mut command);
                let said = run(Command::new("riscv64-linux-gnu-size").arg(&object)).stdout;
                let said = String::from_utf8_lossy(&said).into_owned();
                let sizes: Vec<u64> =
                    said.lines().nth(1).unwrap().split_whitespace().take(3).map(|n| n.parse().unwrap()).collect();
                let stack = frames(&object.with_extension("su"));
                println!(
                    "RV{xlen} hardware {hardware} table {table}: code and constants {} bytes, data {}, zeroed {}, stack at most {stack} and a frame of {}",
                    sizes[0],
                    sizes[1],
                    sizes[2],
                    if xlen == 64 { 288 } else { 144 }
                );
                assert!(sizes[0] < 12 * 1024 && stack + 288 < 4096, "{said}");
            }
        }
    }
}

/// The configuration for harts that have the registers is C and C++ without warnings, by both compilers.
#[test]
fn harts_with_the_registers_compile() {
    for xlen in [32, 64] {
        let folder = generated(xlen);
        for (is_gcc, language) in [true, false].into_iter().flat_map(|c| LANGUAGES.map(|l| (c, l))) {
            let (compiler, flags) = for_harts(is_gcc, xlen);
            let compiler = match (language, is_gcc) {
                (Language::C11, _) => compiler,
                // That of Linux is not among the packages of the tests.
                (Language::Cpp17, true) => "riscv64-unknown-elf-g++",
                (Language::Cpp17, false) => "clang++",
            };
            let dialect = if language == Language::C11 { ["-std=c11", "-x", "c"] } else { ["-std=c++17", "-x", "c++"] };
            for (hardware, table) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let mut command = Command::new(compiler);
                command.args(dialect).args(&flags).args(WARNINGS).args(includes(folder.path())).arg("-c");
                command.args([format!("-DCX_HARDWARE={hardware}"), format!("-DCX_MCX_TABLE={table}")]);
                run(command.arg(machine(folder.path())).arg("-o").arg(folder.path().join("checked.o")));
            }
        }
    }
}
