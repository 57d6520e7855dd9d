//! C compilers for RISC-V, and the instruction words that they make of functions.

use std::path::Path;
use std::process::Command;

use lapis_cx_tests::cc::{WARNINGS, run};

/// A compiler with what it compiles for.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub program: &'static str,
    pub xlen: u32,
    arguments: &'static [&'static str],
}

impl Target {
    pub fn is_gcc(self) -> bool {
        self.program.ends_with("gcc")
    }
}

/// Without compressed instructions, so that each has four bytes; gcc wants CSR instructions named, clang 14 does not know
/// the name. Without relaxation, so that branches have their targets in the object.
pub const TARGETS: [Target; 7] = [
    target("riscv64-unknown-elf-gcc", 32, &["-march=rv32im_zicsr", "-mabi=ilp32"]),
    target("riscv64-unknown-elf-gcc", 64, &["-march=rv64im_zicsr", "-mabi=lp64"]),
    target("riscv64-linux-gnu-gcc", 64, &["-march=rv64imafd_zicsr"]),
    target("clang-14", 32, &["--target=riscv32-unknown-elf", "-march=rv32im", "-mno-relax"]),
    target("clang-14", 64, &["--target=riscv64-unknown-elf", "-march=rv64im", "-mno-relax"]),
    target("clang-19", 32, &["--target=riscv32-unknown-elf", "-march=rv32im_zicsr", "-mno-relax"]),
    target("clang-19", 64, &["--target=riscv64-unknown-elf", "-march=rv64im_zicsr", "-mno-relax"]),
];

const fn target(program: &'static str, xlen: u32, arguments: &'static [&'static str]) -> Target {
    Target { program, xlen, arguments }
}

/// The functions of a C file, and their instruction words.
///
/// # Panics
///
/// If it does not compile without warnings.
pub fn functions(
    target: Target,
    level: &str,
    source: &Path,
    includes: &[&Path],
    object: &Path,
) -> Vec<(String, Vec<u32>)> {
    let mut command = Command::new(target.program);
    command.args(target.arguments).args(WARNINGS).args(["-std=c11", "-ffreestanding", "-fno-pic", level, "-c"]);
    for folder in includes {
        command.arg("-I").arg(folder);
    }
    run(command.arg(source).arg("-o").arg(object));
    let listing = run(Command::new("llvm-objdump").args(["-d", "--no-leading-addr"]).arg(object)).stdout;
    let mut functions: Vec<(String, Vec<u32>)> = Vec::new();
    for line in String::from_utf8_lossy(&listing).lines() {
        if let Some(name) = line.strip_prefix('<').and_then(|line| line.strip_suffix(">:")) {
            // gcc keeps the labels of branches.
            if !name.starts_with(".L") {
                functions.push((name.to_owned(), Vec::new()));
            }
            continue;
        }
        let hex: String = line.split_whitespace().take(4).collect();
        if let (8, Ok(word), Some((_, words))) = (hex.len(), u32::from_str_radix(&hex, 16), functions.last_mut()) {
            words.push(word.swap_bytes());
        }
    }
    functions
}

/// Compiles a C file as C++17 too, without optimisation.
///
/// # Panics
///
/// If it does not compile without warnings.
pub fn as_cpp(target: Target, source: &Path, include: &Path, object: &Path) {
    let mut command = Command::new(target.program);
    command.args(target.arguments).args(WARNINGS).args(["-x", "c++", "-std=c++17", "-ffreestanding", "-c", "-I"]);
    run(command.arg(include).arg(source).arg("-o").arg(object));
}
