//! Running the real `cxc` in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What a run of `cxc` gave.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// Both streams are text; the process ended by itself.
    pub fn new(output: Output) -> Run {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Run { code: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// The findings on stdout; panics unless each line is one JSON object of the documented shape.
    pub fn findings(&self) -> Vec<serde_json::Value> {
        let parse = |line: &str| {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            let mut members: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
            members.sort();
            assert_eq!(members, ["code", "help", "labels", "message", "note", "severity"]);
            for label in value["labels"].as_array().unwrap() {
                assert!(label["file"].is_string() && label["text"].is_string(), "{label}");
                for end in ["start", "end"] {
                    assert!(["byte", "line", "column"].iter().all(|m| label[end][m].is_u64()), "{label}");
                }
            }
            value
        };
        self.stdout.lines().map(parse).collect()
    }

    /// The codes of the findings.
    pub fn codes(&self) -> Vec<String> {
        self.findings().iter().map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
    }
}

/// A folder in which `cxc` runs.
pub struct Folder {
    dir: tempfile::TempDir,
}

impl Folder {
    pub fn new() -> Folder {
        Folder { dir: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// Paths of the files below a folder, but for those in `.cxc`.
    pub fn list(&self, path: &str) -> Vec<String> {
        let top = self.path(path);
        let mut names = Vec::new();
        let mut folders = vec![top.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                match path.file_name().unwrap() {
                    name if name == ".cxc" => {}
                    _ if path.is_dir() => folders.push(path),
                    _ => names.push(path.strip_prefix(&top).unwrap().to_str().unwrap().to_owned()),
                }
            }
        }
        names.sort();
        names
    }

    /// `cxc` with the same environment on every machine; arguments are split at spaces.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cxc"));
        command.args(arguments.split_whitespace()).current_dir(self.dir.path());
        command.env_clear().env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
        command
    }

    pub fn cxc(&self, arguments: &str) -> Run {
        Run::new(self.command(arguments).output().unwrap())
    }
}

/// Compares with a file in `tests/cli/golden`; with `BLESS=1` writes it.
pub fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/golden").join(name);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, text).unwrap();
    }
    let want = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, want, "{name} differs; if it should, run with BLESS=1");
}
