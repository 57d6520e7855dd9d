//! Collects and logs the findings of comparisons.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::{OnceLock, PoisonError};

use crate::call::log;
use crate::locks::Mutex;
use crate::protocol::{Finding, Mistake};

/// The findings of all guests of this process.
#[derive(Default)]
struct Report {
    known: BTreeSet<(String, String, Mistake)>,
    /// The parameters that could not be compared, with their functions.
    apart: BTreeSet<(String, String)>,
    compared: u64,
    not_compared: u64,
}

static REPORT: Mutex<Option<Report>> = Mutex::new(None);

/// The file for findings, instead of standard error.
const LOG: &str = "CX_REMOTE_SHADOW_LOG";

fn say(text: &str) {
    static FILE: OnceLock<Option<std::fs::File>> = OnceLock::new();
    let file = FILE.get_or_init(|| {
        let path = std::env::var_os(LOG)?;
        let opened = std::fs::OpenOptions::new().create(true).append(true).open(&path);
        opened.map_err(|why| log::say(&format!("shadow: {}: {why}", path.display()))).ok()
    });
    match file {
        Some(file) => {
            // One write per line, because programs may share the file.
            let mut file: &std::fs::File = file;
            let _ = file.write_all(format!("{text}\n").as_bytes());
        }
        None => log::say(&format!("shadow: {text}")),
    }
}

fn with<T>(what: impl FnOnce(&mut Report) -> T) -> T {
    what(REPORT.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default())
}

/// Logs an error in the specification, once for each parameter.
pub(crate) fn found(finding: &Finding) {
    let Finding { function, parameter, mistake, text } = finding;
    let is_new = with(|report| report.known.insert((function.clone(), parameter.clone(), *mistake)));
    if is_new {
        let parameter = if parameter.is_empty() { String::new() } else { format!("{parameter}: ") };
        say(&format!("{function}: {parameter}{mistake}: {text}"));
    }
}

/// Logs a parameter that cannot be compared, once. This is not an error in the specification.
pub(crate) fn apart(function: &str, parameter: &str, why: &str) {
    let is_new = with(|report| report.apart.insert((function.to_owned(), parameter.to_owned())));
    if is_new {
        let parameter = if parameter.is_empty() { String::new() } else { format!("{parameter}: ") };
        say(&format!("{function}: {parameter}not compared: {why}"));
    }
}

/// Counts a call: made on both sides, or on one only.
pub(crate) fn compared(was: bool) {
    with(|report| if was { report.compared += 1 } else { report.not_compared += 1 });
}

extern "C" fn at_exit() {
    super::file_copies::remove_copies();
    let (compared, not_compared, mistakes) = with(|report| (report.compared, report.not_compared, report.known.len()));
    let rest = if not_compared == 0 { String::new() } else { format!(", {not_compared} not compared") };
    say(&format!("process {}: {compared} calls compared{rest}, mistakes found: {mistakes}", std::process::id()));
}

/// Registers the summary that is logged at the end of the process.
pub(crate) fn begin() {
    static BEGINS: std::sync::Once = std::sync::Once::new();
    BEGINS.call_once(|| {
        // SAFETY: `at_exit` is a function of this module, which is never unloaded.
        unsafe { libc::atexit(at_exit) };
    });
}
