//! Shapes of CMake projects that the examples do not have.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use lapis_cx_tests::cc::run;

use lapis_cx_tests::repository;

use crate::project::{command, text};

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn configure(dir: &Path, arguments: &[&str]) -> Output {
    command("cmake").args(["-G", "Ninja", "-B", "b"]).args(arguments).current_dir(dir).output().unwrap()
}

fn build(dir: &Path) -> String {
    text(&run(command("cmake").args(["--build", "b"]).current_dir(dir)))
}

/// A spec with one interface of this `short` name.
fn spec(package: &str, short: &str) -> String {
    format!(
        "cxspec 1;\npackage org.example.{package};\ndraft interface {package} {{\n    uuid auto;\n    short {short};\n    \
         xlen 64;\n    command f = 0 : R (a: word, b: word) -> word {{ return a +% b; }}\n}}\n"
    )
}

/// The specs lie in a part of a larger project, which asks for no policies of its own: two of one name, one from which nothing
/// is generated, and one of which only the header is wanted.
#[test]
fn a_part_of_a_larger_project_is_built() {
    let platform = fs::read_to_string(repository().join("lapis-cx/cli/templates/library.cxspec")).unwrap();
    let dir = folder(&[
        (
            "CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.15)\nproject(whole C)\nfind_package(LapisCx REQUIRED)\n\
             set(CMAKE_UNITY_BUILD ON)\nadd_subdirectory(\"the part\")\n",
        ),
        (
            "the part/CMakeLists.txt",
            "cxc_generate(TARGET calls SPECS a/spec.cxspec b/spec.cxspec)\n\
             cxc_generate(TARGET checked SPECS library.cxspec)\nadd_executable(program main.c)\n\
             target_link_libraries(program PRIVATE calls checked)\n\
             cxc_generate(TARGET heads SPECS heads.cxspec HEADERS_ONLY)\nadd_library(object OBJECT object.c)\n\
             target_link_libraries(object PRIVATE heads)\n",
        ),
        ("the part/a/spec.cxspec", &spec("A", "first")),
        ("the part/b/spec.cxspec", &spec("B", "second").replace("a +% b", "a -% b")),
        ("the part/library.cxspec", &platform),
        ("the part/heads.cxspec", &spec("C", "third")),
        ("the part/object.c", "#include \"third.h\"\n#ifdef CX_H\n#error \"no runtime here\"\n#endif\n"),
        (
            "the part/main.c",
            "#include \"first.h\"\n#include \"second.h\"\nint main(void) { return (int)(first_sw_f(2, 1) + second_sw_f(1, \
             4)); }\n",
        ),
    ]);
    let configured = configure(dir.path(), &[]);
    assert!(configured.status.success(), "{}", text(&configured));
    let said = build(dir.path());
    for spec in ["a/spec.cxspec", "b/spec.cxspec", "library.cxspec", "heads.cxspec"] {
        assert!(said.contains(&format!("Compiling {spec} with cxc")), "{said}");
    }
    run(&mut Command::new(dir.path().join("b/the part/program")));
    let built = |name: &str| said.contains(&format!("{name}_fallback.c.o"));
    assert!(built("first") && built("second") && !built("third"), "{said}");
    assert!(build(dir.path()).contains("no work to do"));
}

#[test]
fn mistakes_are_said_when_cmake_runs() {
    let lists = |call: &str, languages: &str| {
        format!(
            "cmake_minimum_required(VERSION 3.20)\nproject(p {languages})\nfind_package(LapisCx REQUIRED)\n\
             cxc_generate({call})\n"
        )
    };
    let bad = spec("A", "a").replace("a +% b", "c");
    for (call, languages, extra, says) in [
        ("TARGET x", "C", "", "cxc_generate wants TARGET"),
        ("TARGET x SPECS a.cxspec IMPORTS lib", "C", "", "CX0901"),
        ("TARGET x SPECS a.cxspec OPTIONS", "C", "", "cxc_generate wants TARGET"),
        ("TARGET x SPECS a.cxspec", "NONE", "", "must have the"),
        ("TARGET x SPECS a.cxspec", "C", "-DCXC=CXC-NOTFOUND", "there is no cxc on the PATH"),
        ("TARGET x SPECS bad.cxspec", "C", "", "CX0101"),
        ("TARGET x SPECS none.cxspec", "C", "", "CX0901"),
    ] {
        let lists = lists(call, languages);
        let dir = folder(&[("CMakeLists.txt", &lists), ("a.cxspec", &spec("A", "a")), ("bad.cxspec", &bad)]);
        let mut cmake = command("cmake");
        cmake.args(["-G", "Ninja", "-B", "b", extra]).current_dir(dir.path());
        if extra.contains("CXC") {
            cmake.env("PATH", "/usr/bin:/bin").env_remove("CARGO_HOME");
        }
        let output = cmake.output().unwrap();
        assert!(!output.status.success() && text(&output).contains(says), "{call}: {}", text(&output));
    }
}
