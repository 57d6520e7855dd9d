//! Projects that `cxc new --project cargo` starts.

use std::fs;
use std::process::Command;

use lapis_cx_tests::cc::run;

use lapis_cx_tests::repository;

use crate::project::Project;

/// Starts a project and runs what its README says; what that prints.
fn started(name: &str, folder: &str) -> String {
    let project = Project::new(folder);
    fs::remove_dir_all(&project.folder).unwrap();
    let mut cxc = Command::new(lapis_cx_tests::cxc());
    cxc.args(["new", name, "--project", "cargo", "--source"]).arg(repository());
    run(cxc.arg("--out-dir").arg(project.folder.parent().unwrap()));
    let readme = fs::read_to_string(project.folder.join("README.md")).unwrap();
    assert!(readme.contains("```sh\ncargo run\n```"), "{readme}");
    let template =
        |path: &str| fs::read_to_string(project.folder.join(path)).unwrap().to_lowercase().contains("starter");
    assert!(!["Cargo.toml", "build.rs", "src/main.rs", "README.md"].into_iter().any(template));
    project.write("Cargo.lock", &fs::read_to_string(repository().join("Cargo.lock")).unwrap());
    project.cargo(&["run"]).good().stdout
}

#[test]
fn a_project_for_cargo_runs_at_once() {
    assert_eq!(started("Counter", "counter"), "mean 4\n");
    assert_eq!(started("Foo_2Bar", "foo2bar"), "mean 4\n");
}

/// From an empty folder and the README to a called command.
#[test]
fn the_readme_leads_from_nothing_to_a_program_in_rust() {
    let project = Project::new("from_nothing");
    let commands = lapis_cx_tests::start::commands("cargo");
    let (last, first) = commands.split_last().unwrap();
    let folder = lapis_cx_tests::cxc();
    let path = format!("{}:{}", folder.parent().unwrap().display(), std::env::var("PATH").unwrap());
    for command in first {
        run(Command::new("bash").args(["-euc", command]).env("PATH", &path).current_dir(&project.folder));
    }
    // Offline, cargo takes the versions that the workspace has.
    project.write("counter/Cargo.lock", &fs::read_to_string(repository().join("Cargo.lock")).unwrap());
    let arguments: Vec<&str> = last.strip_prefix("cargo ").unwrap().split(' ').collect();
    assert_eq!(project.cargo(&arguments).good().stdout, "mean 4\n");
}
