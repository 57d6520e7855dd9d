//! The C declarations that are derived from the libraries are those of the real headers: gcc accepts each as a
//! redeclaration, and says that it is one.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::process::{Command, Output};

use lapis_cx::contract::Item;
use lapis_cx::contract::library::Library;
use lapis_cx_backend_c::library::{Prototype, callback_types, prototypes};
use lapis_cx_tests::spec;

fn library(name: &str) -> Library {
    let outcome = spec::build(name);
    let items = spec::contract(&outcome).items.iter();
    let mut libraries = items.filter_map(|item| match item {
        Item::Library(library) => Some((**library).clone()),
        _ => None,
    });
    libraries.next().unwrap()
}

/// Compiles the library's headers, then these declarations.
fn compile(library: &Library, declarations: &[Prototype], flags: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("redeclared.c");
    let mut text = String::from("#include <stddef.h>\n#include <stdint.h>\n");
    for header in &library.binding.headers {
        text += &format!("#include <{header}>\n");
    }
    for declaration in declarations {
        text += &format!("{}\n", declaration.text);
    }
    std::fs::write(&path, text).unwrap();
    let mut command = Command::new("gcc");
    command.env("LC_ALL", "C").args(["-std=c11", "-fsyntax-only", "-Wall", "-Wextra"]);
    command.args(flags).args(&library.binding.cflags).arg(&path);
    command.output().unwrap_or_else(|e| panic!("gcc cannot be started ({e}): `tests/run` installs it"))
}

/// Holds a library against its headers; `own` are functions of the specification that no header declares.
fn holds(name: &str, own: &[&str], least: usize) {
    let library = library(name);
    let functions = prototypes(&library);
    assert!(functions.len() >= least, "{}", functions.len());
    let all: Vec<_> = callback_types(&library).into_iter().chain(functions.iter().cloned()).collect();
    let output = compile(&library, &all, &["-Werror"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    // The compiler knows each from the header: otherwise any declaration would do.
    let output = compile(&library, &functions, &["-Wredundant-decls"]);
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    for function in &functions {
        let redeclared = said.contains(&format!("redundant redeclaration of '{}'", function.name));
        assert_eq!(redeclared, !own.contains(&function.name.as_str()), "{}: {}", function.name, function.text);
    }

    // A wrong type is not accepted, at any function.
    for function in functions.iter().filter(|f| !own.contains(&f.name.as_str())).step_by(7) {
        let text = format!("struct wrong {{ int x; }}; struct wrong ({})(struct wrong);", function.name);
        let wrong = Prototype { name: function.name.clone(), text };
        let output = compile(&library, &[wrong], &["-Werror"]);
        assert!(!output.status.success(), "{}", function.name);
        assert!(String::from_utf8_lossy(&output.stderr).contains("conflicting types"), "{}", function.name);
    }
}

#[test]
fn zlib() {
    holds("zlib", &[], 40);
}

#[test]
fn sqlite() {
    holds("sqlite", &[], 50);
}

#[test]
fn opencl() {
    holds("opencl", &[], 55);
}

/// Qualifiers and levels of pointers count, not only the number of parameters.
#[test]
fn a_missing_const_is_noticed() {
    let library = library("zlib");
    let mut function = prototypes(&library).into_iter().find(|f| f.name == "compress2").unwrap();
    let text = function.text.replace("const uint8_t *source", "uint8_t *source");
    assert_ne!(text, function.text);
    function.text = text;
    assert!(!compile(&library, &[function], &["-Werror"]).status.success());
}
