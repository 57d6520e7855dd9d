//! Rust without an operating system: firmware in qemu's machines, whose harts have no CXs, so that each custom instruction traps.
//! `examples/bare-metal` prints what it prints on this computer; `traps.rs` tries the entry of traps.
//!
//! It needs `core` for a bare RISC-V: from `rustup target add`, or else built with Debian's compiler from its sources.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic)]

// The build script is compiled once for this and the tests of other examples.
#[allow(dead_code)]
#[path = "../cargo_build/project.rs"]
mod project;

use std::path::{Path, PathBuf};
use std::process::Command;

use lapis_cx_tests::cc::run;
use lapis_cx_tests::repository;
use lapis_cx_tests::rust::{bare, bare_linker};
use project::Project;

const TARGETS: [(&str, &str); 2] =
    [("riscv32imac-unknown-none-elf", "riscv32"), ("riscv64imac-unknown-none-elf", "riscv64")];

/// A compiler for a target, and what it has compiled.
struct Firmware {
    target: &'static str,
    machine: &'static str,
    folder: tempfile::TempDir,
    rustc: PathBuf,
    flags: Vec<String>,
}

impl Firmware {
    /// With `lapis-cx-core`.
    fn new((target, machine): (&'static str, &'static str)) -> Firmware {
        let (rustc, flags) = bare(target, Path::new(env!("CARGO_TARGET_TMPDIR")));
        let firmware = Firmware { target, machine, folder: tempfile::tempdir().unwrap(), rustc, flags };
        firmware.library("lapis_cx_core", &repository().join("lapis-cx/core/src/lib.rs"), &[], None);
        firmware
    }

    fn rustc(&self) -> Command {
        let mut command = Command::new(&self.rustc);
        command.env("RUSTC_BOOTSTRAP", "1").args(&self.flags).args(["--target", self.target, "--edition", "2024"]);
        // As cargo does with the profile of the example.
        command.args(["-Dwarnings", "-Cpanic=abort", "-Copt-level=s", "-L"]).arg(self.folder.path());
        command
    }

    fn library(&self, name: &str, source: &Path, arguments: &[&str], specs: Option<(&str, &str)>) {
        let mut command = self.rustc();
        command
            .envs(specs)
            .args(arguments)
            .args(["--crate-type", "rlib", "--crate-name", name, "--out-dir"])
            .arg(self.folder.path());
        run(command.arg(source));
    }

    /// A program of one file and its modules.
    fn program(&self, source: &Path, arguments: &[&str]) -> PathBuf {
        let to = self.folder.path().join("firmware");
        let mut command = self.rustc();
        command.args(["--crate-name", "firmware", "--extern", "lapis_cx_core"]).args(arguments);
        let script = repository().join("examples/bare-metal/virt.ld");
        command.args(bare_linker(self.target)).arg(format!("-Clink-arg=-T{}", script.display()));
        run(command.arg(source).arg("-o").arg(&to));
        to
    }

    /// What it prints.
    fn said(&self, program: &Path) -> String {
        // A firmware that hangs is ended.
        let mut command = Command::new("timeout");
        command.args(["60", &format!("qemu-system-{}", self.machine)]);
        command.args(["-M", "virt", "-bios", "none", "-display", "none", "-monitor", "none", "-serial", "stdio"]);
        String::from_utf8(run(command.arg("-kernel").arg(program)).stdout).unwrap().replace('\r', "")
    }
}

#[test]
fn libraries_share_a_context_as_they_do_on_the_host() {
    let project = Project::of_example("bare-metal");
    let host = project.cargo(&["run"]).good().stdout;
    assert!(host.contains("4: squares 30, thousands 10000, dotp 44\ncrc32c e3069283\nsquares 30\n"), "{host}");
    let told = project.told("bare-metal", "rustc-env");
    let specs = told[0].split_once('=').unwrap();
    for target in TARGETS {
        let firmware = Firmware::new(target);
        let source = project.folder.join("src/lib.rs");
        firmware.library("bare_metal", &source, &["--extern", "lapis_cx_core"], Some(specs));
        for (name, configuration) in
            [("without mcx_table", None), ("with mcx_table", Some("--cfg=feature=\"mcx-table\""))]
        {
            let mut arguments = vec!["--extern", "bare_metal", "--check-cfg=cfg(feature,values(\"mcx-table\"))"];
            arguments.extend(configuration);
            let program = firmware.program(&project.folder.join("src/main.rs"), &arguments);
            let said = firmware.said(&program);
            let (text, measured) = said.split_once("# ").unwrap_or((&said, ""));
            assert_eq!(text, host, "{} {name}", firmware.machine);
            // Three open CXs on one context: the first and the others take it from each other.
            let (swaps, _) = measured.split_once(" swaps; bytes of stack: ").unwrap_or(("0", ""));
            assert_eq!(swaps, "12", "{} {name}: {said}", firmware.machine);
            let size = run(Command::new("riscv64-linux-gnu-size").arg(&program)).stdout;
            let size = String::from_utf8(size).unwrap();
            let bytes: Vec<_> = size.lines().nth(1).unwrap_or_default().split_whitespace().take(3).collect();
            println!(
                "{} {name}: bytes of text, data, bss: {}; {}",
                firmware.machine,
                bytes.join(", "),
                measured.trim()
            );
        }
    }
}

#[test]
fn traps_leave_no_trace() {
    for target in TARGETS {
        let firmware = Firmware::new(target);
        let program = firmware.program(&repository().join("tests/bare_metal/traps.rs"), &[]);
        assert_eq!(firmware.said(&program), "good\n", "{}", firmware.machine);
    }
}
