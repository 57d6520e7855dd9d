//! Tests with a small library that has each kind of text and of function, and a header whose macros hide its functions.

use std::fs;
use std::path::Path;
use std::process::Command;

use lapis_cx::driver::Outcome;
use lapis_cx_tests::spec;

use super::{COMPILERS, compile, engine_headers, here, out, printed};

fn small() -> Outcome {
    spec::build_text("small", fs::read(here().join("small.cxspec")).unwrap())
}

/// Builds the real library, with versions of symbols.
pub fn real(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("real").join("libsmall.so.1");
    fs::create_dir_all(folder.join("real")).unwrap();
    let mut command = Command::new("gcc");
    command
        .args(["-std=gnu11", "-shared", "-fPIC", "-Wl,-soname,libsmall.so.1", "-o"])
        .arg(&path)
        .arg("-I")
        .arg(here());
    command.arg(format!("-Wl,--version-script={}", here().join("small.map").display())).arg(here().join("small.c"));
    out(&mut command);
    path
}

#[test]
fn generated_files_match_golden_files() {
    let outcome = small();
    let mut count = 0;
    for file in outcome.files.iter().filter(|file| file.path.starts_with("remoting/")) {
        let path = here().join("kept").join(file.path.trim_start_matches("remoting/"));
        if std::env::var_os("BLESS").is_some() {
            fs::create_dir_all(here().join("kept")).unwrap();
            fs::write(&path, &file.text).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == file.text, "{path:?} differs; look at it, then run with BLESS=1");
        count += 1;
    }
    assert_eq!(count, 6);
}

#[test]
fn small_library_compiles() {
    let folder = printed(&small(), "small");
    for compiler in COMPILERS {
        for file in ["small_guest.c", "small_worker.c"] {
            assert_eq!(compile(compiler, folder.path(), file, &[]), Ok(()), "{compiler:?}");
        }
    }
    let text = fs::read(here().join("small.cxspec")).unwrap();
    super::fuzzer_compiles(&text, ("small", "small"), folder.path(), &[]);
    // A reader who searches for a function without a stub finds the reason.
    let fuzzer = fs::read_to_string(folder.path().join("remoting/small_fuzz.c")).unwrap();
    for (function, why) in [
        ("small_format", "text of C in place of the call (`replace`)"),
        ("small_control", "variable arguments"),
        ("small_secret", "only another function gives its address (`by_name`)"),
    ] {
        assert!(fuzzer.contains(&format!(" *   {function}: {why}\n")), "{fuzzer}");
    }
}

/// In C++ a function with another name than `main` would have a mangled name.
const C_LINKAGE: &str = "
#ifdef __cplusplus
extern \"C\"
#endif
int worker_main(int argc, char **argv);
";

/// A program calls each function through stub and thunk, as C and as C++, and evaluates natives on both sides.
#[test]
fn calls_reach_the_real_functions() {
    let backend = lapis_cx_backends::by_name("remoting").unwrap().with_options(&[("missing", "zero")]).unwrap();
    let text = fs::read(here().join("small.cxspec")).unwrap();
    let folder = printed(&spec::build_with("small", text, &[&*backend]), "small");
    let real = real(folder.path());
    let main = folder.path().join("main.h");
    fs::write(&main, C_LINKAGE).unwrap();
    let expected = fs::read_to_string(here().join("small_main.txt")).unwrap();
    for (compiler, name) in COMPILERS.iter().zip(["gcc", "clang", "gxx", "clangxx"]) {
        let object = |file: &Path, name_of_main: &str| {
            let path = folder.path().join(format!("{name}_{}.o", file.file_stem().unwrap().display()));
            let [program, rest @ ..] = compiler else { panic!("no compiler") };
            let mut command = Command::new(program);
            command
                .args(rest)
                .args(["-D_GNU_SOURCE", "-O1", "-fPIC", "-c", "-o"])
                .arg(&path)
                .arg(format!("-Dmain={name_of_main}"));
            command.arg("-include").arg(&main);
            command.arg("-I").arg(engine_headers()).arg("-I").arg(here()).arg("-I").arg(folder.path().join("remoting"));
            out(command.arg(file));
            // Worker and guest are one program here, so symbols of the worker stay local to its object.
            out(Command::new("objcopy").arg("--localize-hidden").arg(&path));
            path
        };
        let remoting = folder.path().join("remoting");
        let program = folder.path().join(name);
        let mut link = Command::new("gcc");
        // The program is in C.
        let program_object = {
            let path = folder.path().join("main.o");
            let mut command = Command::new("gcc");
            command.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-c", "-o"]).arg(&path);
            command.arg("-I").arg(engine_headers()).arg("-I").arg(here()).arg("-I").arg(&remoting);
            out(command.arg(here().join("small_main.c")));
            path
        };
        link.arg("-o").arg(&program).arg(program_object);
        link.arg(object(&remoting.join("small_guest.c"), "main"))
            .arg(object(&remoting.join("small_worker.c"), "worker_main"));
        out(link.arg("-ldl"));
        let said = out(Command::new(&program).arg(&real));
        assert_eq!(said, expected, "{compiler:?}");
    }
}
