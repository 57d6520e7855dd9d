//! The trap vector on a board: what traps may have any registers and come from any mode, and compilers may see all of a program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lapis_cx_tests::cc::{WARNINGS, run};
use lapis_cx_tests::spec;

use super::board::{for_harts, here};
use super::{build, includes};

/// The program, by a compiler, with floating point or as one that the linker compiles.
fn image(folder: &Path, xlen: u32, is_gcc: bool, has_floats: bool) -> PathBuf {
    let (mut compiler, mut flags) = for_harts(is_gcc, xlen);
    if is_gcc {
        // That of Linux has limits.h for its own ABI only.
        compiler = "riscv64-unknown-elf-gcc";
    }
    if has_floats {
        flags.retain(|flag| !flag.starts_with("-march") && !flag.starts_with("-mabi"));
        let march = format!("-march=rv{xlen}imafdc{}", if is_gcc { "_zicsr" } else { "" });
        flags.extend([march, format!("-mabi={}d", if xlen == 64 { "lp64" } else { "ilp32" })]);
    }
    let is_one = is_gcc && !has_floats;
    let machine = folder.join("src/org_example_traps__Traps_machine.c");
    let mut objects = Vec::new();
    for source in [machine, here("traps.c"), here("start.c")] {
        let object = folder.join(source.with_extension("o").file_name().unwrap());
        let mut command = Command::new(compiler);
        command.args(["-std=c11", "-fno-pic", "-c"]).args(&flags).args(WARNINGS).args(includes(folder));
        // What a compiler calls for loops it has to find as code.
        if is_one && source != here("start.c") {
            command.args(["-O2", "-flto"]);
        }
        run(command.arg("-I").arg(here("")).arg(source).arg("-o").arg(&object));
        objects.push(object);
    }
    let image = folder.join("image");
    let mut link = Command::new(if is_one { compiler } else { "riscv64-linux-gnu-ld" });
    if is_one {
        link.args(&flags).args(["-O2", "-flto", "-nostdlib", "-static", "-fno-pic", "-Wl,--no-warn-rwx-segments"]);
        link.arg("-Wl,--build-id=none");
    } else {
        link.args(["-m", if xlen == 64 { "elf64lriscv" } else { "elf32lriscv" }, "--no-warn-rwx-segments"]);
    }
    run(link.arg("-T").arg(here("board.ld")).args(objects).arg("-o").arg(&image));
    image
}

#[test]
fn traps_come_from_everywhere() {
    for xlen in [32, 64] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        spec::write(&build("traps", &include_str!("traps.cxspec").replace("XLEN;", &format!("{xlen};"))), folder);
        spec::write(&spec::build("mulacc"), folder);
        for (is_gcc, has_floats) in [(true, false), (true, true), (false, xlen == 64)] {
            let image = image(folder, xlen, is_gcc, has_floats);
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
            let said = String::from_utf8_lossy(&said);
            assert_eq!(said, "done\n", "XLEN {xlen}, gcc {is_gcc}, floating point {has_floats}");
        }
    }
}
