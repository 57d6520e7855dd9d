//! What a user reads when something is wrong.

use std::fs;

use lapis_cx_tests::rust::command;
use lapis_cx_tests::spec;

use crate::project::Project;

const LIB: &str = "//! Says.\n\n/// A module.\npub mod a {\n    lapis_cx_core::include_spec!(\"a\");\n}\n";

const SPEC: &str = "cxspec 1;\npackage org.example.a;\n\nfn spare<N>(x: u<N>) -> u16 { let y: u16 = x; return y + x[12] > 9 \
                    ? y : 0; }\n\ndraft interface I \
                    {\n    uuid \"aa0f7d0e-00ff-4000-8000-000000000004\";\n    short a;\n\n    command one = 0 : R () -> word { \
                    return 1; }\n}\n";

const WARNING: &str = "warning: says@0.1.0: a.cxspec:4:4: nothing calls the generic function `spare`, so it is not checked; \
                       note: at XLEN 32; help: state a `law` about it [CX0330]\n";

#[test]
fn findings_are_shown_with_their_lines() {
    let project = Project::of_library("says", ".spec(\"a.cxspec\")", LIB);
    project.write("a.cxspec", SPEC);
    let run = project.cargo(&["build"]).good();
    assert!(run.stderr.contains(WARNING), "{}", run.stderr);
    // Cargo remembers them.
    let run = project.cargo(&["build"]).good();
    assert!(run.stderr.contains(WARNING), "{}", run.stderr);

    project.edit("a.cxspec", "return 1;", "return two;");
    let said = project.cargo(&["build"]).refused();
    let start = "  --- stderr\n  Error: 1 error, 1 warning\n\n  warning[CX0330]: nothing calls the generic function";
    let shown = "
  error[CX0101]: there is no value `two`
    --> a.cxspec:10:45
     |
  10 |     command one = 0 : R () -> word { return two; }
     |                                             ^^^ not found here
";
    assert!(said.contains(start) && said.contains(shown), "{said}");
    assert!(!said.contains("--- stdout") && !said.contains("panicked"), "{said}");

    // Outputs of before are there again.
    project.edit("a.cxspec", "return two;", "return 1;");
    assert_eq!(project.build(), ["says", "says script"]);
}

/// What is wrong with how a script calls the crate, and the words for it.
const MISTAKES: [(&str, &str); 9] = [
    ("", "there is nothing to build: name a spec with `Build::spec`"),
    (".spec(\".\").out_dir(\"generated\")", "cannot take all specs of `.`: `generated` is in it, so that each build"),
    (".spec(\"none.cxspec\")", "cannot read `none.cxspec`: "),
    (".spec(\".\").option(\"asm.r-opcode=0x6B\")", "`asm` is no backend of this build"),
    (".spec(\".\").option(\"rust.form\")", "`rust.form` is not `backend.key=value`"),
    (".spec(\".\").option(\"rust.form=x\")", "`x` is neither `module` nor `included`"),
    (".spec(\"empty\")", "cannot read `empty`: there is no `.cxspec` file in it"),
    (".spec(\"src\").import_dir(\"none\")", "cannot read `none`: no such folder"),
    (".spec(\"a.cxspec\").out_dir(\"Cargo.toml\")", "cannot write `Cargo.toml`: it is not a folder"),
];

/// One script makes all mistakes, as each script takes a while to link.
#[test]
fn mistakes_of_the_script_are_told() {
    let project = Project::of_library("says", "", LIB);
    let calls =
        MISTAKES.map(|(build, _)| format!("    told(lapis_cx_build::Build::new(){build}.compile());\n")).concat();
    let told =
        "fn told(result: Result<(), lapis_cx_build::Error>) {\n    eprintln!(\"<{:?}>\", result.unwrap_err());\n}\n";
    project.write("build.rs", &format!("fn main() {{\n{calls}    std::process::exit(1);\n}}\n{told}"));
    project.write("a.cxspec", SPEC);
    fs::create_dir_all(project.folder.join("empty")).unwrap();
    let said = project.cargo(&["build"]).refused();
    let parts: Vec<&str> = said.split_once("--- stderr").unwrap().1.split('<').skip(1).collect();
    assert_eq!(parts.len(), MISTAKES.len(), "{said}");
    for ((build, words), part) in MISTAKES.iter().zip(parts) {
        assert!(part.contains(words), "{build}: {part}");
    }
}

#[test]
fn a_folder_of_the_users_choice_keeps_edits() {
    let project = Project::of_library("says", ".spec(\"a.cxspec\").out_dir(\"generated\")", LIB);
    project.write("a.cxspec", SPEC);
    project.cargo(&["build"]).good();
    assert_eq!(project.told("says", "rerun-if-changed"), ["a.cxspec"]);
    project.edit("generated/rust/a.rs", "// a.rs", "// edited");
    project.touch("a.cxspec");
    let said = project.cargo(&["build"]).refused();
    assert!(said.contains("`generated/rust/a.rs` was edited since the last build wrote it"), "{said}");
}

#[test]
fn a_crate_without_specs_is_told_how_to_have_them() {
    let project = Project::of_library("says", "", LIB);
    let want = "error: no spec was built for this crate: its build.rs must call \
                `lapis_cx_build::Build::new().spec(\"...\").compile()`";
    project.write("build.rs", "fn main() {}\n");
    let said = project.cargo(&["build"]).refused();
    assert!(said.contains(want), "{said}");
    fs::remove_file(project.folder.join("build.rs")).unwrap();
    let said = project.cargo(&["build"]).refused();
    assert!(said.contains(want), "{said}");
}

/// Code of another version is told in one message that names both, also where all else that it leans on is not there.
#[test]
fn code_of_another_version_is_told() {
    let release = env!("CARGO_PKG_VERSION");
    let abi = lapis_cx_core::ABI_VERSION;
    let outcome = spec::build("mulacc");
    let module = &outcome.files.iter().find(|file| file.path == "rust/mulacc.rs").unwrap().text;
    let call = format!("self::cx::check_abi!(\"mulacc.rs\", {abi}, \"{release}\");");
    assert_eq!(module.matches(&call).count(), 1);
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("later.rs");
    let next = abi + 1;
    let later = module.replace(&call, &format!("self::cx::check_abi!(\"mulacc.rs\", {next}, \"9.8.7\");"));
    for text in [later.replace("abi1", "abi9"), later] {
        fs::write(&source, text).unwrap();
        let mut rustc = command("rustc", "2024");
        let output = rustc
            .args(["--crate-type", "lib", "--emit=metadata", "--out-dir"])
            .arg(folder.path())
            .arg(&source)
            .output();
        let said = String::from_utf8(output.unwrap().stderr).unwrap();
        let first = said.lines().next().unwrap();
        assert_eq!(
            first,
            format!(
                "error: mulacc.rs was generated for CX ABI {next} by lapis-cx 9.8.7, but this is lapis-cx-core {release} for CX ABI \
                 {abi}: generate it with cxc or lapis-cx-build {release}, or depend on lapis-cx-core and lapis-cx-runtime 9.8.7"
            )
        );
    }
}
