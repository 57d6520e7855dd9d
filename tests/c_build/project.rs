//! A copy of an example in a folder of its own, built by a build system, and what that says and does.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::SystemTime;

use lapis_cx_tests::cc::run;
use lapis_cx_tests::repository;

/// What is installed once for all tests: `cxc`, and the runtime in `.local` of a home with a blank in its name.
pub struct Installed {
    pub cxc: PathBuf,
    pub home: PathBuf,
    _dir: tempfile::TempDir,
}

pub fn installed() -> &'static Installed {
    static INSTALLED: OnceLock<Installed> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join("ho me");
        run(Command::new(repository().join("lapis-cx/runtime/install")).arg("--prefix").arg(home.join(".local")));
        // Another test may build another one meanwhile.
        let cxc = dir.path().join("b in").join("cxc");
        fs::create_dir(cxc.parent().unwrap()).unwrap();
        fs::copy(lapis_cx_tests::cxc(), &cxc).unwrap();
        Installed { cxc, home, _dir: dir }
    })
}

/// A command with `cxc` on the PATH, and nothing of how this machine is set up.
pub fn at_home(program: impl AsRef<OsStr>) -> Command {
    let Installed { cxc, home, .. } = installed();
    let mut command = Command::new(program);
    let path = format!("{}:{}", cxc.parent().unwrap().display(), std::env::var("PATH").unwrap());
    command.env("PATH", path).env("HOME", home).env("LC_ALL", "C.UTF-8");
    for name in ["CFLAGS", "MAKEFLAGS", "PKG_CONFIG_PATH", "CMAKE_PREFIX_PATH", "CMAKE_GENERATOR"] {
        command.env_remove(name);
    }
    command
}

/// Such a command, with the runtime where pkg-config and CMake find it.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let prefix = installed().home.join(".local");
    let mut command = at_home(program);
    command.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")).env("CMAKE_PREFIX_PATH", prefix);
    command
}

/// A build system.
pub struct Tool {
    /// The folder of its example.
    pub example: &'static str,
    /// What configures `src` into `build`, if it is not done by the build itself.
    pub configure: Option<fn(&Path, &Path) -> Command>,
    /// What builds.
    pub build: fn(&Path, &Path) -> Command,
    /// What it says if there was nothing to do; nothing if it only leaves lines out.
    pub idle: Option<&'static str>,
    /// What it says when it runs `cxc`.
    pub generates: &'static str,
    /// The generated header, below `build`.
    pub header: &'static str,
}

/// What one build did.
#[derive(Debug, Default)]
pub struct Done {
    pub succeeded: bool,
    /// All that was said.
    pub said: String,
    /// Objects and programs that are new, by name.
    pub compiled: Vec<String>,
}

/// A copy of an example.
pub struct Project {
    tool: &'static Tool,
    dir: tempfile::TempDir,
}

impl Project {
    /// Outside of the repository, in folders with blanks in their names.
    pub fn new(tool: &'static Tool) -> Project {
        let dir = tempfile::tempdir().unwrap();
        let project = Project { tool, dir };
        run(Command::new("cp").arg("-R").arg(repository().join("examples").join(tool.example)).arg(project.src()));
        project.configure();
        project
    }

    /// Configures it, if that is a step of its own.
    pub fn configure(&self) {
        if let Some(configure) = self.tool.configure {
            run(&mut configure(&self.src(), &self.folder()));
        }
    }

    pub fn src(&self) -> PathBuf {
        self.dir.path().join("the src")
    }

    /// Where it is built.
    pub fn folder(&self) -> PathBuf {
        self.dir.path().join(if self.tool.configure.is_some() { "the build" } else { "the src/build" })
    }

    /// Builds, whether that succeeds or not.
    pub fn build(&self) -> Done {
        let before = times(&self.folder());
        let output = (self.tool.build)(&self.src(), &self.folder()).output().unwrap();
        let after = times(&self.folder());
        let is_made = |path: &Path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            let parent = path.parent().unwrap().to_str().unwrap();
            !parent.contains("CompilerId") && (name.ends_with(".o") || ["main", "check", "test"].contains(&name))
        };
        let news = after.iter().filter(|(path, time)| before.get(*path) != Some(time) && is_made(path));
        let compiled = news.map(|(path, _)| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
        Done { succeeded: output.status.success(), said: text(&output), compiled }
    }

    /// A build that succeeds.
    pub fn good(&self) -> Done {
        let done = self.build();
        assert!(done.succeeded, "{}", done.said);
        done
    }

    /// What the program prints.
    pub fn printed(&self) -> String {
        String::from_utf8(run(&mut Command::new(self.folder().join("main"))).stdout).unwrap()
    }

    /// Asserts that a build does nothing at all.
    pub fn is_done(&self) {
        let done = self.good();
        assert_eq!(done.compiled, [""; 0], "{}", done.said);
        assert!(!done.said.contains(self.tool.generates), "{}", done.said);
        assert!(self.tool.idle.is_none_or(|idle| done.said.contains(idle)), "{}", done.said);
    }

    /// Asserts that a build runs `cxc`, compiles what is named, and that then nothing is left to do.
    pub fn makes(&self, compiled: &[&str]) {
        let done = self.good();
        assert!(done.said.contains(self.tool.generates), "{}", done.said);
        for name in compiled {
            assert!(done.compiled.iter().any(|found| found.contains(name)), "{name}: {done:?}");
        }
        assert!(!compiled.is_empty() || done.compiled.is_empty(), "{done:?}");
        self.is_done();
    }

    /// Asserts that a build fails with a finding of `cxc`, not with a complaint of the build system about a file.
    pub fn fails_with(&self, code: &str) {
        let done = self.build();
        assert!(!done.succeeded && done.said.contains(code), "{}", done.said);
        for complaint in ["No rule to make", "no known rule", "still dirty"] {
            assert!(!done.said.contains(complaint), "{}", done.said);
        }
    }

    /// Changes a file of the sources, and makes it newer than all that was built.
    pub fn edit(&self, path: &str, change: impl FnOnce(String) -> String) {
        let path = self.src().join(path);
        let old = fs::read_to_string(&path).unwrap_or_default();
        fs::write(&path, change(old)).unwrap();
        self.touch(&path);
    }

    /// Makes a file newer than all that was built, and than all that is built now.
    pub fn touch(&self, path: &Path) {
        let newest = times(self.dir.path()).into_values().max().unwrap();
        let probe = self.dir.path().join("probe");
        // The clock of a file system goes in steps; the next one is a few milliseconds away.
        let now = loop {
            fs::write(&probe, "x").unwrap();
            let now = fs::metadata(&probe).unwrap().modified().unwrap();
            if now > newest {
                break now;
            }
        };
        File::options().append(true).open(path).unwrap().set_modified(now).unwrap();
    }
}

/// Both streams.
pub fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// All files below a folder, with their times.
fn times(top: &Path) -> BTreeMap<PathBuf, SystemTime> {
    let mut found = BTreeMap::new();
    let mut folders = vec![top.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            match fs::metadata(&path) {
                Ok(data) if data.is_dir() => folders.push(path),
                Ok(data) => drop(found.insert(path, data.modified().unwrap())),
                Err(_) => {}
            }
        }
    }
    found
}
