//! What is built again when something changed, and what is not.

use std::fs;
use std::path::PathBuf;

use crate::project::Project;

const NOTHING: [&str; 0] = [];

/// The paths that a script told cargo to look at, sorted.
fn watched(project: &Project, package: &str) -> Vec<String> {
    let mut paths = project.told(package, "rerun-if-changed");
    paths.sort();
    paths
}

#[test]
fn a_changed_import_is_built_again_and_nothing_else() {
    let project = Project::of_example("cargo-workspace");
    project.write("pixel/specs/neighbour.cxspec", "cxspec 1;\npackage org.example.other;\nconst ONE = 1;\n");
    project.cargo(&["build"]).good();
    assert_eq!(watched(&project, "pixel"), ["../blend/specs/blend.cxspec", "specs/pixel.cxspec"]);
    assert_eq!(watched(&project, "blend"), ["../pixel/specs/pixel.cxspec", "specs/blend.cxspec"]);
    assert_eq!(project.build(), NOTHING);

    // What no spec imports, also in a folder that is searched.
    project.touch("pixel/specs/neighbour.cxspec");
    project.write("blend/specs/notes.txt", "notes");
    assert_eq!(project.build(), NOTHING);

    // A spec, and what imports it.
    project.edit("blend/specs/blend.cxspec", ">> 1)", "+ 1 >> 1)");
    project.edit("blend/specs/blend.cxspec", "mean(0, 255) == 127", "mean(0, 255) == 128");
    project.edit("pixel/specs/pixel.cxspec", "0x7FFF2030", "0x80FF2030");
    assert_eq!(project.build(), ["blend", "blend script", "pixel", "pixel script"]);
    assert_eq!(project.cargo(&["run"]).good().stdout, "80FF2030 80FF2030\n");
    assert_eq!(project.build(), NOTHING);
}

#[test]
fn what_is_the_same_is_not_written() {
    let project = Project::of_example("cargo-fallback");
    project.cargo(&["build"]).good();
    let written = |path: &PathBuf| fs::metadata(path).unwrap().modified().unwrap();
    let out = project.script("cargo-fallback").join("out");
    let files = [out.join("rust/crc32c.rs"), out.join("lapis_cx_specs.rs")];
    let before = files.each_ref().map(written);
    // A comment changes nothing of what is printed.
    project.edit("specs/crc32c.cxspec", "/// One step", "// A comment.\n/// One step");
    assert_eq!(project.build(), ["cargo-fallback", "cargo-fallback script"]);
    assert_eq!(project.script("cargo-fallback").join("out"), out);
    assert_eq!(files.each_ref().map(written), before);
}

#[test]
fn a_new_file_in_a_folder_of_specs_is_a_new_spec() {
    let lib = "pub mod a { lapis_cx_core::include_spec!(\"a\"); }\n";
    let project = Project::of_library("folder-of-specs", ".spec(\"specs\")", lib);
    let spec = |name: &str, digit: &str| {
        format!(
            "cxspec 1;\npackage org.example.{name};\ndraft interface I {{\n    uuid \"aa0f7d0e-00ff-4000-8000-00000000000{digit}\";\n    \
             short {name};\n    command one = 0 : R () -> word {{ return 1; }}\n}}\n"
        )
    };
    project.write("specs/a.cxspec", &spec("a", "1"));
    project.cargo(&["build"]).good();
    assert_eq!(watched(&project, "folder-of-specs"), ["specs", "specs/a.cxspec"]);
    assert_eq!(project.build(), NOTHING);
    project.write("specs/more/b.cxspec", &spec("b", "2"));
    project.write("src/lib.rs", &format!("{lib}pub mod b {{ lapis_cx_core::include_spec!(\"b\"); }}\n"));
    assert_eq!(project.build(), ["folder-of-specs", "folder-of-specs script"]);
    // A spec that is gone takes its module with it.
    fs::remove_file(project.folder.join("specs/a.cxspec")).unwrap();
    let said = project.cargo(&["build"]).refused();
    assert!(said.contains("there is no module \"a\": the build script of this crate made \"b\""), "{said}");
}

#[test]
fn cargo_is_told_files_of_the_project_only() {
    let project = Project::of_example("cargo-c-and-rust");
    project.cargo(&["build"]).good();
    assert_eq!(watched(&project, "cargo-c-and-rust"), ["specs/mulacc.cxspec", "src/dot.c"]);
    let variables = project.told("cargo-c-and-rust", "rerun-if-env-changed");
    assert!(variables.iter().any(|name| name == "CFLAGS"), "{variables:?}");
    project.edit("src/dot.c", "(void)mulacc_mulacc(a[i], b[i])", "(void)mulacc_mulacc(a[i], b[i] + 1u)");
    assert_eq!(project.build(), ["cargo-c-and-rust", "cargo-c-and-rust script"]);
    assert_eq!(project.cargo(&["run"]).good().stdout, "registered: 0\n12\n56\n");
}

#[test]
fn a_file_that_a_failed_import_waited_for_is_found() {
    let lib = "pub mod a { lapis_cx_core::include_spec!(\"a\"); }\n";
    let project = Project::of_library("absent", ".spec(\"a.cxspec\").import_dir(\"lib\")", lib);
    let spec = "cxspec 1;\npackage org.example.a;\nuse org.example.b:ONE;\ndraft interface I {\n    uuid \
                \"aa0f7d0e-00ff-4000-8000-000000000003\";\n    short a;\n    command one = 0 : R () -> word { return ONE; }\n}\n";
    project.write("a.cxspec", spec);
    let said = project.cargo(&["build"]).refused();
    assert!(said.contains("cannot read `lib`: no such folder"), "{said}");
    fs::create_dir(project.folder.join("lib")).unwrap();
    let said = project.cargo(&["build"]).refused();
    assert!(said.contains("org.example.b") && said.contains("note: searched in `.`, `lib`"), "{said}");
    project.write("lib/b.cxspec", "cxspec 1;\npackage org.example.b;\nconst ONE = 1;\n");
    assert_eq!(project.build(), ["absent", "absent script"]);
    assert_eq!(watched(&project, "absent"), ["a.cxspec", "lib/b.cxspec"]);
}
