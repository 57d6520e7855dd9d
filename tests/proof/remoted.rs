//! The address sanitizer over both sides of a library in another process: the engine in Rust, what is printed in C, the library and
//! its program, which is that of `behaviours`.

use std::path::Path;
use std::process::Command;

use lapis_cx_tests::cc::run;
use lapis_cx_tests::{remoted, repository, spec};

use crate::Skipped;
use crate::sanitizers::{ADDRESS, cargo, nightly};

pub fn under_the_address_sanitizer() -> Skipped {
    let (host, library) = match nightly(ADDRESS) {
        Ok(nightly) => nightly,
        Err(why) => return Some(why),
    };
    let (mut build, built) = cargo(ADDRESS, &host);
    build.args(["rustc", "--locked", "-p", "lapis-cx-remote", "--lib", "--crate-type", "staticlib", "--target", &host]);
    run(&mut build);
    let here = repository().join("tests/behaviours");
    let folder = built.join("remoted");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let (real, program) = (folder.join("libplaces.so.1"), folder.join("program"));
    let flags = format!("-O1 -g -fno-sanitize-recover=all {}", ADDRESS.c);
    let gcc = || {
        let mut gcc = Command::new("gcc");
        gcc.args(flags.split(' ')).args(["-std=c11", "-fPIC", "-pthread"]);
        gcc
    };
    // A program has the sanitizer of the toolchain, which serves both languages and all its libraries.
    let sanitizer = format!("-Wl,--export-dynamic -Wl,--whole-archive {} -Wl,--no-whole-archive", library.display());
    let others = "-lpthread -ldl -lm -lrt -lgcc_s -lgcc -lc";
    let objects = |source: &str| {
        let object = folder.join(source).with_extension("o");
        run(gcc().arg("-c").arg(here.join(source)).arg("-o").arg(&object));
        object
    };
    let mut link = Command::new("gcc");
    link.args(["-shared", "-Wl,-soname,libplaces.so.1", "-pthread", "-o"]);
    run(link.arg(&real).arg(objects("places.c")));
    let mut link = Command::new("gcc");
    link.arg(objects("program.c")).arg(&real).args(sanitizer.split(' ')).args(others.split(' '));
    run(link.arg("-o").arg(&program));
    let outcome = spec::build_text("places", std::fs::read(here.join("places.cxspec")).unwrap());
    spec::write(&outcome, &folder);
    let remoting = folder.join("remoting");
    let make = |target: &str, engine: &str| {
        let mut make = Command::new("make");
        make.arg("-C").arg(&remoting).env_remove("MAKEFLAGS").arg(target);
        make.arg(format!("CX_REMOTE_INCLUDE={}", remoted::headers().display()));
        make.arg(format!("CX_REMOTE_LIB={} {engine}", built.join("liblapis_cx_remote.a").display()));
        make.arg(format!("PLACES_REAL={}", real.display())).arg(format!("SOURCE_DIR={}", here.display()));
        // The sanitizer of the toolchain is in the program; gcc's own is one of its default libraries.
        make.arg(format!("CFLAGS={flags}")).arg("LDFLAGS=-Wl,-z,undefs -nodefaultlibs");
        run(&mut make);
    };
    make("libplaces.so.1", others);
    make("places_worker", &format!("{sanitizer} {others}"));
    for (file, function) in [("libplaces.so.1", "places_copy"), ("places_worker", "places_cxr_thunk_copy")] {
        let mut objdump = Command::new("objdump");
        let text = run(objdump.arg(format!("--disassemble={function}")).arg(remoting.join(file))).stdout;
        assert!(String::from_utf8_lossy(&text).contains("asan_"), "{function} of {file} is not instrumented");
    }
    for where_ in [Path::new(&folder), &remoting] {
        let mut command = remoted::command(&program, where_, &real);
        command.args((where_ == remoting).then_some("remote"));
        // What a guest knows it knows until its process ends.
        command.env("ASAN_OPTIONS", "detect_leaks=0");
        remoted::said(&mut command);
    }
    None
}
