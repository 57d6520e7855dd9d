//! Generated modules in a crate with strict settings.

use std::fmt::Write;
use std::fs;

use lapis_cx_backend_rust::naming;
use lapis_cx_tests::repository;

use crate::project::Project;

/// Documentation with what rustdoc would take for tests, if it were printed as it stands.
const FENCED: &str = "cxspec 1;
package org.example.fenced;

/// Text.
///
///     not_rust(1)
///
/// ```
/// not_rust(2)
/// ```
draft interface Fenced {
    uuid \"aa0f7d0e-00ff-4000-8000-000000000005\";
    short fenced;
    /// ~~~rust
    /// not_rust(3)
    /// ~~~
    command one = 0 : R () -> word { return 1; }
}
";

/// No lint of generated code shows in a crate that denies all, and nothing in it becomes a test.
#[test]
fn nothing_leaks_into_the_crate() {
    let head = "//! Every module.\n#![no_std]\n#![forbid(unsafe_code)]\n#![deny(warnings, clippy::all, clippy::pedantic, missing_docs)]\n\
                #![deny(unreachable_pub, unused_macro_rules, unused_qualifications, rust_2018_idioms)]\n";
    // Those that are awkward have ids of shipped ones, so they are another build.
    let build = ".spec(\"specs\").compile()?;\n    lapis_cx_build::Build::new().spec(\"more\")";
    let project = Project::of_library("lints", build, "");
    let mut lib = head.to_owned();
    let shipped = fs::read_dir(repository().join("specs")).unwrap().map(|entry| ("specs", entry.unwrap().path()));
    let awkward = [
        "backends/torture.cxspec",
        "backends/open.cxspec",
        "backends/rust/tests/names.cxspec",
        "backends/rust/tests/routines.cxspec",
    ];
    for (folder, path) in shipped.chain(awkward.map(|path| ("more", repository().join(path)))) {
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.ends_with(".cxspec") && !["std.cxspec", "fallback.cxspec"].contains(&name) {
            project.write(&format!("{folder}/{name}"), &fs::read_to_string(&path).unwrap());
        }
    }
    project.write("more/fenced.cxspec", FENCED);
    project.write("src/lib.rs", "");
    project.cargo(&["build"]).good();
    let mut count = 0;
    for entry in fs::read_dir(project.script("lints").join("out/rust")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let name = name.strip_suffix(".rs").unwrap();
        // One module that others see, and one that nobody uses.
        let (doc, keyword) = if count % 2 == 0 { ("/// A module.\n", "pub mod") } else { ("", "mod") };
        // Modules of libraries look for those of interfaces by their names.
        let module = naming::snake(name);
        let _ = writeln!(lib, "{doc}{keyword} {module} {{\n    lapis_cx_core::include_spec!(\"{name}\");\n}}");
        count += 1;
    }
    assert!(count > 15, "{count} modules");
    project.write("src/lib.rs", &lib);
    project.cargo(&["clippy"]).good();
    let run = project.cargo(&["test"]).good();
    assert_eq!(run.stdout.matches("running 0 tests").count(), 2, "{}", run.stdout);
}
