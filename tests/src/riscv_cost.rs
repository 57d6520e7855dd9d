//! What commands cost on RISC-V: an emulated one beside the signal that it takes, and a loop of stubs beside one by hand.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cc::{self, Language, run};
use crate::riscv::{gcc, link, qemu, qemu_with};
use crate::spec;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Nanoseconds of a signal whose handler does nothing, of a command, and of a selection.
///
/// # Panics
///
/// If a tool is missing.
pub fn emulated(folder: &Path) -> [f64; 3] {
    let c = here("../lapis-cx/runtime/tests/c");
    let mut command = gcc(Language::C11);
    command.arg("-O2").arg("-I").arg(&c);
    let exe = link(command, &[here("riscv_linux/cost.c"), c.join("mulacc_soft.c")], &folder.join("cost"));
    let said = run(&mut qemu(&exe)).stdout;
    let costs: Vec<f64> = String::from_utf8_lossy(&said).split_whitespace().filter_map(|n| n.parse().ok()).collect();
    <[f64; 3]>::try_from(costs).unwrap_or_else(|costs| panic!("{costs:?}"))
}

/// A loop, the instructions of it by stubs, and by hand: those that it executed itself, not those of the handler.
///
/// # Panics
///
/// If a tool is missing, or both come to different results.
pub fn loops(folder: &Path, level: &str) -> Vec<(String, u64, u64)> {
    for name in ["mulacc", "crc32c"] {
        spec::write(&spec::build(name), folder);
    }
    let plugin = folder.join("libcount.so");
    let mut command = Command::new("gcc");
    command.args(["-O2", "-shared", "-fPIC"]).args(cc::WARNINGS);
    run(command.arg(here("riscv_linux/count.c")).arg("-o").arg(&plugin));
    let mut command = gcc(Language::C11);
    // Addresses are those of the file.
    command.args([level, "-fno-pie", "-no-pie"]).arg("-I").arg(folder.join("include"));
    let sources =
        [here("riscv_linux/loops.c"), folder.join("src/mulacc_fallback.c"), folder.join("src/crc32c_fallback.c")];
    let exe = link(command, &sources, &folder.join("loops"));
    let symbols = run(Command::new("riscv64-linux-gnu-nm").arg("-S").arg(&exe)).stdout;
    let mut argument = plugin.display().to_string();
    for line in String::from_utf8_lossy(&symbols).lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let [first, size, _, name] = words.as_slice()
            && (name.ends_with("_by_stub") || name.ends_with("_by_hand"))
        {
            let number = |text: &str| u64::from_str_radix(text, 16).unwrap_or_else(|e| panic!("{text}: {e}"));
            let first = number(first);
            argument += &format!(",{name}={first:x}:{:x}", first + number(size));
        }
    }
    let said = run(&mut qemu_with(&["-d", "plugin", "-plugin", &argument], &exe)).stderr;
    let said = String::from_utf8_lossy(&said).into_owned();
    let count = |name: &str| {
        let line = said.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
        line.unwrap_or_else(|| panic!("{name}: {said}"))
    };
    ["dot", "crc"]
        .map(|name| (name.to_owned(), count(&format!("{name}_by_stub ")), count(&format!("{name}_by_hand "))))
        .into()
}
