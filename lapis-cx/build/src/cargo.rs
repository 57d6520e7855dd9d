//! What the script and cargo say to each other.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{self, Path, PathBuf};
use std::{env, fs};

use crate::Error;

/// A variable that cargo sets for build scripts. It is no news to cargo, so it is not told that it was read.
///
/// # Errors
///
/// It is not set, or no text: no build script runs.
pub fn variable(name: &str) -> Result<String, Error> {
    env::var(name)
        .map_err(|error| Error::new(format!("{name}: {error}; `compile` is for build scripts, which cargo runs")))
}

/// A folder that cargo names.
///
/// # Errors
///
/// As [`variable`].
pub fn folder(name: &str) -> Result<PathBuf, Error> {
    variable(name).map(PathBuf::from)
}

/// Refuses a folder in which are some of those that this script writes: it would never be done.
///
/// # Errors
///
/// One that is in it.
pub fn holds_none_of(folder: &Path, written: &[&Path]) -> Result<(), Error> {
    // One that is not there yet is known by its name.
    let real =
        |path: &Path| fs::canonicalize(path).or_else(|_| path::absolute(path)).unwrap_or_else(|_| path.to_owned());
    let top = real(folder);
    match written.iter().find(|path| real(path).starts_with(&top)) {
        None => Ok(()),
        Some(inside) => {
            let why = format!(
                "`{}` is in it, so that each build would be followed by another; name a folder that has specs only, or its \
                 files",
                inside.display()
            );
            Err(Error::about(folder, "take all specs of", why))
        }
    }
}

/// Instructions for cargo. They are printed when all went well: a script that failed runs again anyway, and people then
/// see nothing but what is wrong.
#[derive(Debug, Default)]
pub struct Instructions {
    lines: Vec<String>,
    said: HashSet<String>,
}

impl Instructions {
    /// The script runs again if this file changes, or something in this folder.
    ///
    /// # Errors
    ///
    /// The path cannot be said in a line.
    pub fn rerun_if_changed(&mut self, path: &Path) -> Result<(), Error> {
        self.say("rerun-if-changed", path_line(path)?);
        Ok(())
    }

    /// The crate is compiled with this variable, the path of a file.
    ///
    /// # Errors
    ///
    /// The path cannot be said in a line.
    pub fn set_env(&mut self, name: &str, path: &Path) -> Result<(), Error> {
        self.say("rustc-env", &format!("{name}={}", path_line(path)?));
        Ok(())
    }

    /// A warning, in one line.
    pub fn warn(&mut self, text: &str) {
        self.say("warning", &text.split_whitespace().collect::<Vec<_>>().join(" "));
    }

    /// Says it once.
    fn say(&mut self, key: &str, value: &str) {
        let line = format!("cargo::{key}={value}");
        if self.said.insert(line.clone()) {
            self.lines.push(line);
        }
    }

    /// Says all of it to cargo.
    ///
    /// # Errors
    ///
    /// Nobody listens.
    pub fn print(self) -> Result<(), Error> {
        let text: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        let mut out = io::stdout().lock();
        let done = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        done.map_err(|error| Error::new(format!("cannot speak to cargo: {error}")))
    }
}

/// A path as cargo reads it from a line.
fn path_line(path: &Path) -> Result<&str, Error> {
    let plain = path.to_str().filter(|text| !text.contains(['\n', '\r']) && text.trim_end() == *text);
    plain.ok_or_else(|| {
        Error::about(path, "tell cargo of", "a path must be text of one line; rename that file or folder")
    })
}
