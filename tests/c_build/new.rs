//! Projects that `cxc new` starts: what their README says works at once.

use std::fs;
use std::path::Path;

use lapis_cx_tests::blocks;
use lapis_cx_tests::cc::run;

use crate::project::{at_home, text};

/// Starts a project and runs what its README says, from its folder; what that prints.
fn started(name: &str, build: &str, folder: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    run(at_home("cxc").args(["new", name, "--project", build]).current_dir(dir.path()));
    let project = dir.path().join(folder);
    let files = || tree(&project);
    let written = files();
    let readme = fs::read_to_string(project.join("README.md")).unwrap();
    let output = run(at_home("bash").args(["-euc", &blocks(&readme, "sh")[0]]).current_dir(&project));

    // What was built lies in the one folder that version control leaves out.
    let ignored = fs::read_to_string(project.join(".gitignore")).unwrap();
    let built = ignored.trim().trim_start_matches('/');
    fs::remove_dir_all(project.join(built)).unwrap();
    assert_eq!(files(), written);
    // Names of the template are all replaced, and what is written stays.
    assert!(written.iter().all(|(path, text)| !format!("{path}{text}").to_lowercase().contains("starter")));
    let again = at_home("cxc").args(["new", name, "--project", build]).current_dir(dir.path()).output().unwrap();
    assert_eq!(again.status.code(), Some(2));
    assert_eq!(files(), written);
    String::from_utf8(output.stdout).unwrap()
}

/// All files below a folder and their texts.
fn tree(top: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![top.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(top).unwrap().to_str().unwrap().to_owned(), text));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_project_for_make_runs_at_once() {
    assert!(started("Counter", "make", "counter").ends_with("\nmean 4\n"));
    assert!(started("Foo_2Bar", "make", "foo2bar").ends_with("\nmean 4\n"));
}

#[test]
fn a_project_for_cmake_runs_at_once() {
    assert!(started("Counter", "cmake", "counter").ends_with("\nmean 4\n"));
    assert!(started("Foo_2Bar", "cmake", "foo2bar").ends_with("\nmean 4\n"));
}

#[test]
fn a_project_for_meson_runs_at_once() {
    assert!(started("Counter", "meson", "counter").ends_with("\nmean 4\n"));
    assert!(started("Foo_2Bar", "meson", "foo2bar").ends_with("\nmean 4\n"));
}

/// From an empty folder and the README to a called command.
#[test]
fn the_readme_leads_from_nothing_to_a_program_in_c() {
    let dir = tempfile::tempdir().unwrap();
    let commands = lapis_cx_tests::start::commands("make").join("\n");
    let output = run(at_home("bash").args(["-euc", &commands]).current_dir(dir.path()));
    assert!(String::from_utf8_lossy(&output.stdout).contains("\nmean 4\n"));
}

#[test]
fn a_runtime_that_is_missing_is_said() {
    let dir = tempfile::tempdir().unwrap();
    run(at_home("cxc").args(["new", "Counter", "--project", "make"]).current_dir(dir.path()));
    let mut make = at_home("make");
    let output = make.env("HOME", dir.path()).current_dir(dir.path().join("counter")).output().unwrap();
    assert!(!output.status.success() && text(&output).contains("README.md says how to install it"), "{output:?}");
}
