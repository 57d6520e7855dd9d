//! A project of a user: a folder outside of the workspace that cargo builds offline.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use lapis_cx_tests::repository;

/// Where everything is that these tests make. It stays, so that `lapis-cx` is compiled once for all of them, and for the next
/// run.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cargo_build")
}

/// A copy of an example, or a new crate.
pub struct Project {
    /// Its folder.
    pub folder: PathBuf,
    /// Cargo's folder is that of one test at a time; what it says is then about this project only.
    _turn: (MutexGuard<'static, ()>, File),
}

/// What a run of cargo came to.
pub struct Run {
    /// What it printed.
    pub stdout: String,
    /// What it said.
    pub stderr: String,
    good: bool,
}

impl Project {
    /// An empty folder of this name.
    pub fn new(name: &str) -> Project {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let all = folder();
        fs::create_dir_all(&all).unwrap();
        let other_processes = File::create(all.join("lock")).unwrap();
        other_processes.lock().unwrap();
        let folder = all.join("projects").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        fs::create_dir_all(&folder).unwrap();
        let project = Project { folder, _turn: (turn, other_processes) };
        // Offline, cargo takes the versions that the workspace has.
        project.write("Cargo.lock", &fs::read_to_string(repository().join("Cargo.lock")).unwrap());
        project
    }

    /// A copy of an example, as a user makes it.
    pub fn of_example(name: &str) -> Project {
        let project = Project::new(name);
        let from = repository().join("examples").join(name);
        let mut folders = vec![from.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.file_name() != Some(OsStr::new("Cargo.lock")) {
                    let to = path.strip_prefix(&from).unwrap().to_str().unwrap();
                    let text = fs::read_to_string(&path).unwrap();
                    project.write(
                        to,
                        &text.replace("\"../../lapis-cx/", &format!("\"{}/lapis-cx/", repository().display())),
                    );
                }
            }
        }
        project
    }

    /// A library that includes modules, and lists these specs, which are the files of this project with such names.
    pub fn of_library(name: &str, build: &str, lib: &str) -> Project {
        let project = Project::new(name);
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nlapis-cx-core.path = \
             \"{0}/lapis-cx/core\"\n[build-dependencies]\nlapis-cx-build.path = \"{0}/lapis-cx/build\"\n[workspace]\n",
            repository().display()
        );
        project.write("Cargo.toml", &manifest);
        project.write(
            "build.rs",
            &format!("fn main() -> Result<(), lapis_cx_build::Error> {{\n    lapis_cx_build::Build::new(){build}.compile()\n}}\n"),
        );
        project.write("src/lib.rs", lib);
        project
    }

    /// Writes a file, which is then newer than all that was built.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        touch(&path);
    }

    /// Changes a file.
    pub fn edit(&self, path: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.folder.join(path)).unwrap();
        assert!(text.contains(from), "{path} has no {from}");
        self.write(path, &text.replace(from, to));
    }

    /// Makes a file newer than all that was built, and leaves its contents.
    pub fn touch(&self, path: &str) {
        touch(&self.folder.join(path));
    }

    /// A command of cargo, as a user runs it, but with warnings as errors.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        for (name, _) in std::env::vars_os() {
            let name_text = name.to_string_lossy();
            if name_text.starts_with("CARGO_") && name_text != "CARGO_HOME" || name_text.starts_with("LAPIS_CX") {
                command.env_remove(&name);
            }
        }
        command.args(arguments).arg("--offline").current_dir(&self.folder);
        command.env("CARGO_TARGET_DIR", folder().join("target")).env("RUSTFLAGS", "-D warnings");
        // Without debug information, crates of build scripts and of programs are the same, and are compiled once.
        command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0").env("CARGO_TERM_COLOR", "never");
        command
    }

    /// Runs cargo.
    pub fn cargo(&self, arguments: &[&str]) -> Run {
        let Output { status, stdout, stderr } = self.command(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Run { stdout: text(stdout), stderr: text(stderr), good: status.success() }
    }

    /// Builds, and says which build scripts ran and which crates were compiled, of those in this project: `name script` and
    /// `name`, sorted.
    pub fn build(&self) -> Vec<String> {
        let run = self.cargo(&["build", "-vv"]).good();
        let running = run.stderr.lines().filter_map(|line| line.trim_start().strip_prefix("Running `"));
        let mut done: Vec<String> = running.filter_map(|line| self.what_ran(line)).collect();
        done.sort();
        done
    }

    /// What a line is about that cargo shows for a program that it starts.
    fn what_ran(&self, line: &str) -> Option<String> {
        if !line.contains(&format!("CARGO_MANIFEST_DIR={}", self.folder.display())) {
            return None;
        }
        let package = line.split("CARGO_PKG_NAME=").nth(1)?.split(' ').next()?;
        if line.trim_end().ends_with("/build-script-build`") {
            return Some(format!("{package} script"));
        }
        // The script is compiled once.
        (!line.contains("--crate-name build_script_build")).then(|| package.to_owned())
    }

    /// The folder in which a package's build script worked last.
    pub fn script(&self, package: &str) -> PathBuf {
        let all = fs::read_dir(folder().join("target/debug/build")).unwrap().map(|entry| entry.unwrap().path());
        let is_of_it = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_str().unwrap();
            name.rsplit_once('-').is_some_and(|(start, _)| start == package) && path.join("output").exists()
        };
        let mut found: Vec<_> = all.filter(is_of_it).collect();
        found.sort_by_key(|path| fs::metadata(path.join("output")).unwrap().modified().unwrap());
        found.pop().unwrap()
    }

    /// The values that a build script told cargo under a key.
    pub fn told(&self, package: &str, key: &str) -> Vec<String> {
        let output = fs::read_to_string(self.script(package).join("output")).unwrap();
        let value = |line: &str| {
            line.strip_prefix("cargo:")?.trim_start_matches(':').strip_prefix(key)?.strip_prefix('=').map(str::to_owned)
        };
        output.lines().filter_map(value).collect()
    }
}

fn touch(path: &Path) {
    File::options().append(true).open(path).unwrap().set_modified(SystemTime::now()).unwrap();
}

impl Run {
    /// That of a run that went well.
    pub fn good(self) -> Run {
        assert!(self.good, "{}\n{}", self.stdout, self.stderr);
        self
    }

    /// What is said of a run that did not.
    pub fn refused(self) -> String {
        assert!(!self.good, "{}\n{}", self.stdout, self.stderr);
        self.stderr
    }
}
