//! What `lapis-cx/runtime/install` puts where.

use std::fs;
use std::process::Command;

use lapis_cx_tests::cc::run;

use lapis_cx_tests::repository;

use crate::project::{command, text};

const FILES: [&str; 16] = [
    "include/ckernel.h",
    "include/ckernel_abi.h",
    "include/cx.h",
    "include/cx_abi.h",
    "include/cx_ckernel.h",
    "include/cx_context.h",
    "include/cx_insn.h",
    "include/xext.h",
    "lib/cmake/LapisCx/LapisCxConfig.cmake",
    "lib/cmake/LapisCx/LapisCxConfigVersion.cmake",
    "lib/cmake/LapisCx/LapisCxGenerate.cmake",
    "lib/liblapis_cx_runtime.a",
    concat!("lib/liblapis_cx_runtime.so.", env!("CARGO_PKG_VERSION")),
    "lib/pkgconfig/lapis-cx-runtime-shared.pc",
    "lib/pkgconfig/lapis-cx-runtime.pc",
    "share/lapis-cx/cx_interpose.c",
];

fn install() -> Command {
    Command::new(repository().join("lapis-cx/runtime/install"))
}

#[test]
fn an_install_goes_where_it_is_told_and_can_be_moved() {
    let dir = tempfile::tempdir().unwrap();
    run(install().arg("--prefix=/opt/cx").env("DESTDIR", dir.path().join("stage")));
    let staged = dir.path().join("stage/opt/cx");
    let find = run(Command::new("find").arg(".").args(["-type", "f"]).current_dir(&staged));
    let mut found: Vec<_> = String::from_utf8(find.stdout).unwrap().lines().map(|line| line[2..].to_owned()).collect();
    found.sort();
    assert_eq!(found, FILES);

    // No file names the folder that it was made for, nor one of this machine, and all values are filled in.
    for file in FILES.iter().filter(|file| file.contains("pkgconfig") || file.contains("cmake")) {
        let text = fs::read_to_string(staged.join(file)).unwrap();
        assert!(!text.contains("/opt") && !text.contains(dir.path().to_str().unwrap()), "{text}");
        assert!(!text.contains("@VERSION@") && !text.contains("LIBS@"), "{text}");
    }

    // A file that does not change keeps its time.
    let time = || FILES.map(|file| fs::metadata(staged.join(file)).unwrap().modified().unwrap());
    let before = time();
    run(install().arg("--prefix").arg("/opt/cx").env("DESTDIR", dir.path().join("stage")));
    assert_eq!(time(), before);

    let version = |folder: &std::path::Path| {
        let mut config = Command::new("pkg-config");
        config.args(["--modversion", "lapis-cx-runtime"]).env("PKG_CONFIG_PATH", folder.join("lib/pkgconfig"));
        String::from_utf8(run(&mut config).stdout).unwrap()
    };
    let moved = dir.path().join("moved here");
    fs::rename(&staged, &moved).unwrap();
    assert_eq!(version(&moved), concat!(env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn mistakes_in_its_command_line_install_nothing() {
    for arguments in [&["--prefix"][..], &["--prefix", ""], &["--prefx", "/tmp/x"], &["/tmp/x"]] {
        let output = install().args(arguments).output().unwrap();
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{arguments:?}: {output:?}");
    }
    let help = install().arg("--help").output().unwrap();
    assert!(help.status.success() && text(&help).contains("--prefix DIR"), "{help:?}");
}

/// The program of the README, by nothing but what pkg-config says; once with everything linked statically.
#[test]
fn pkg_config_says_all_that_a_program_needs() {
    let dir = tempfile::tempdir().unwrap();
    let spec = repository().join("specs/mulacc.cxspec");
    run(command("cxc").arg("build").arg(spec).args(["-q", "--backend", "c", "--out-dir"]).arg(dir.path()));
    for (name, how) in [("dynamic", ""), ("static", "-static")] {
        let flags = run(command("pkg-config").args(["--cflags", "--libs", "lapis-cx-runtime"])).stdout;
        // The prefix has a blank in its name, which comes escaped for a shell.
        let line = format!(
            "cc -std=c11 -Wall -Wextra -Werror {how} -Iinclude '{}' src/mulacc_fallback.c -o {name} {}",
            repository().join("examples/mulacc/main.c").display(),
            String::from_utf8(flags).unwrap().trim(),
        );
        run(command("bash").args(["-c", &line]).current_dir(dir.path()));
        let printed = run(&mut Command::new(dir.path().join(name))).stdout;
        assert_eq!(printed, b"12\n42\n", "{name}");
    }
}

/// `find_package` takes the versions that fit, and says why it does not take others.
#[test]
fn cmake_takes_versions_that_fit() {
    let dir = tempfile::tempdir().unwrap();
    for (wanted, fits) in [
        ("", true),
        ("0.1", true),
        ("0.1.0", true),
        ("0.1.0 EXACT", true),
        ("0.1.7", false),
        ("0.2", false),
        ("0.0.9", false),
        ("0.0...0.1", true),
        ("0.0...<0.1", false),
        ("1", false),
    ] {
        let folder = dir.path().join(format!("v{wanted}").replace(['<', ' '], "_"));
        fs::create_dir(&folder).unwrap();
        let lists = format!(
            "cmake_minimum_required(VERSION 3.20)\nproject(p NONE)\nfind_package(LapisCx {wanted})\n\
             message(STATUS \"found ${{LapisCx_FOUND}}\")\n"
        );
        fs::write(folder.join("CMakeLists.txt"), lists).unwrap();
        let said = text(&run(command("cmake").args(["-B", "b"]).current_dir(&folder)));
        assert!(said.contains(if fits { "found 1" } else { "found 0" }), "{wanted}: {said}");
    }
}

/// A program that links the shared library asks for it by its name with a version, and finds it beside.
#[test]
fn the_shared_library_has_a_version() {
    let dir = tempfile::tempdir().unwrap();
    let prefix = dir.path().join("cx");
    run(install().arg("--prefix").arg(&prefix));
    let source = dir.path().join("program.c");
    fs::write(&source, "#include <cx.h>\nint main(void) { return cx_get_sel(); }\n").unwrap();
    let mut config = Command::new("pkg-config");
    config.args(["--cflags", "--libs", "lapis-cx-runtime-shared"]).env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
    let flags = String::from_utf8(run(&mut config).stdout).unwrap();
    let exe = dir.path().join("program");
    run(Command::new("cc").arg(&source).args(flags.split_whitespace()).arg("-o").arg(&exe));
    let needed = String::from_utf8(run(Command::new("readelf").arg("-d").arg(&exe)).stdout).unwrap();
    let parts = [env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR")];
    let version = if parts[0] == "0" { parts.join(".") } else { parts[0].to_owned() };
    assert!(needed.contains(&format!("Shared library: [liblapis_cx_runtime.so.{version}]")), "{needed}");
    run(Command::new(&exe).env("LD_LIBRARY_PATH", prefix.join("lib")));
}
