//! What users get from a registry is whole: crates hold all that they include, and build there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use lapis_cx_tests::cc::run;
use lapis_cx_tests::repository;

use crate::project::Project;

/// The folders of the crates that are published, by their names.
fn crates() -> Vec<(String, PathBuf)> {
    let metadata = run(Command::new("cargo").current_dir(repository()).args([
        "metadata",
        "--no-deps",
        "--offline",
        "--format-version=1",
    ]));
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let published = metadata["packages"].as_array().unwrap().iter().filter(|package| package["publish"].is_null());
    published
        .map(|package| {
            let manifest = Path::new(package["manifest_path"].as_str().unwrap());
            (package["name"].as_str().unwrap().to_owned(), manifest.parent().unwrap().to_owned())
        })
        .collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            // A crate in the folder of another is not part of it, and tests stay here.
            if !path.join("Cargo.toml").exists() && !path.ends_with("tests") && !path.ends_with("benches") {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn a_crate_includes_nothing_from_outside() {
    let (mut files, mut includes) = (Vec::new(), 0);
    for (name, folder) in crates() {
        files.clear();
        sources(&folder, &mut files);
        for file in &files {
            let text = fs::read_to_string(file).unwrap();
            for macro_ in ["include_str!(\"", "include!(\"", "include_bytes!(\""] {
                for rest in text.split(macro_).skip(1) {
                    let Some((path, _)) = rest.split_once("\")") else { continue };
                    // Text of generated code names files that are not here.
                    if let Ok(target) = file.parent().unwrap().join(path).canonicalize() {
                        assert!(target.starts_with(&folder), "{name}: {} includes {path}", file.display());
                        includes += 1;
                    }
                }
            }
        }
    }
    assert!(includes > 10, "{includes}");
}

#[test]
fn built_in_specs_are_those_that_ship() {
    for name in ["std.cxspec", "fallback.cxspec"] {
        let [shipped, built_in] = ["specs", "lapis-cx/compiler/builtin"].map(|folder| {
            let path = repository().join(folder).join(name);
            fs::read_to_string(&path).unwrap()
        });
        assert!(shipped == built_in, "{name}: copy specs/{name} to lapis-cx/compiler/builtin");
    }
}

/// The packages that a registry gets, as a registry in a folder.
#[test]
#[ignore = "packages every crate, and compiles lapis-cx once more"]
fn an_example_builds_with_published_crates() {
    let project = Project::of_example("cargo-fallback");
    project.cargo(&["build"]).good();
    let registry = project.folder.join("registry");
    run(project.command(&["vendor", "--quiet", "--versioned-dirs"]).arg(&registry));
    let names: Vec<String> = crates().into_iter().map(|(name, _)| name).collect();
    let mut package = Command::new("cargo");
    package.current_dir(repository()).args(["package", "--offline", "--no-verify", "--allow-dirty", "--quiet"]);
    package.args(names.iter().flat_map(|name| ["-p", name])).arg("--target-dir").arg(project.folder.join("packed"));
    run(&mut package);
    for name in &names {
        let packed = format!("{name}-{}", env!("CARGO_PKG_VERSION"));
        let archive = project.folder.join(format!("packed/package/{packed}.crate"));
        run(Command::new("tar").arg("xzf").arg(archive).arg("-C").arg(&registry));
        project.write(&format!("registry/{packed}/.cargo-checksum.json"), "{\"files\":{}}");
    }
    project.write(
        ".cargo/config.toml",
        &format!(
            "[source.crates-io]\nreplace-with = \"here\"\n[source.here]\ndirectory = {:?}\n",
            registry.to_str().unwrap()
        ),
    );
    let manifest = fs::read_to_string(project.folder.join("Cargo.toml")).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let lines = manifest.lines().map(|line| match line.split_once(" = { path = ") {
        Some((name, _)) => format!("{name} = \"{version}\"\n"),
        None => format!("{line}\n"),
    });
    project.write("Cargo.toml", &lines.collect::<String>());
    fs::remove_file(project.folder.join("Cargo.lock")).unwrap();
    project.cargo(&["test", "-q"]).good();
}
