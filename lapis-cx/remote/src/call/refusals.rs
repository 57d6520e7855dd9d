//! Refused and failed calls: logs them, reports them to the program, and marks them for the caller.

use std::ffi::CString;
use std::time::Duration;

use super::described::Described;
use super::log::{say, say_line};
use super::settings::is_shadow;
use crate::marshal::CallError;

/// Which refused calls each side logs: none (`0`), all (other values), or the first of each function (unset).
const VERBOSE: &str = "CX_REMOTE_VERBOSE";

/// Returns whether all refused calls are logged, or none. The first caller runs before any call, because signal handlers may not read the
/// environment. Shadow mode reports refused calls itself, if they are mistakes.
fn verbosity() -> Option<bool> {
    static WANTED: std::sync::OnceLock<Option<bool>> = std::sync::OnceLock::new();
    *WANTED.get_or_init(|| {
        let setting = std::env::var_os(VERBOSE).filter(|value| !value.is_empty());
        setting.map(|value| value != "0").or(is_shadow().then_some(false))
    })
}

pub(crate) fn is_verbose() -> bool {
    verbosity() == Some(true)
}

/// The time after which a call that waits for a monitor is logged in verbose mode.
pub(crate) const SLOW: Duration = Duration::from_secs(5);

/// Logs that a call waits for another call.
pub(crate) fn say_waits(described: &Described, call: u32, other: u32) {
    let [call, other] = [call, other].map(|call| described.plan.text(described.plan.name_in_c(call)));
    let (process, seconds) = (std::process::id(), SLOW.as_secs());
    say(&format!(
        "{process}: {call} has waited {seconds} s for {other} of another thread, which holds its `monitor`; write `unordered; atomic` for \
         functions that may run at the same time"
    ));
}

/// Logs why a call was refused. By default it logs the first refusal of each function, on the side that determined the reason; a lost worker has a
/// separate message. Takes no lock and does not allocate, because a signal handler may have made the call.
pub(crate) fn explain(described: &Described, call: u32, why: &CallError) {
    let has_reason = why.name().is_some() && !why.is_of_other_side();
    if !verbosity().unwrap_or_else(|| has_reason && described.is_first_refusal(call)) {
        return;
    }
    let (plan, process) = (&described.plan, std::process::id());
    let parameter = why.name().filter(|name| *name != call);
    let call = plan.text(plan.name_in_c(call));
    match parameter.map_or("", |name| plan.text(name)) {
        "" => say_line(format_args!("{process}: {call}: {why}")),
        name => say_line(format_args!("{process}: {call}: `{name}`: {why}")),
    }
}

std::thread_local! {
    /// Whether the last thunk or function of the program on this thread refused its call.
    static HAS_REFUSED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Marks the current call as refused by a thunk or a function of the program. The caller gets the failure result.
pub(crate) fn refuse() {
    HAS_REFUSED.with(|has_refused| has_refused.set(true));
}

/// Returns whether the last call was refused, and clears the mark.
pub(crate) fn has_refused() -> bool {
    HAS_REFUSED.with(|has_refused| has_refused.replace(false))
}

/// Runs `work`, which makes several calls and checks the mark of refusal itself.
pub(crate) fn watch_refusals<T>(work: impl FnOnce(&std::cell::Cell<bool>) -> T) -> T {
    HAS_REFUSED.with(|has_refused| {
        has_refused.set(false);
        work(has_refused)
    })
}

/// Reports an asynchronous call that failed. Calls the program's `cx_remote_late_error` if it exists, or else logs in verbose mode.
pub(crate) fn report_late_failure(described: &Described, function: &str, result: i64) {
    type Hook = unsafe extern "C" fn(library: *const libc::c_char, function: *const libc::c_char, result: i64);
    // SAFETY: `dlsym` gets a valid string and only searches loaded libraries.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"cx_remote_late_error".as_ptr()) };
    let texts = (CString::new(described.soname.as_str()), CString::new(function));
    if !found.is_null()
        && let (Ok(library), Ok(function)) = texts
    {
        // SAFETY: `cx_remote.h` declares the function of this name with this type; both strings live until it returns.
        unsafe { std::mem::transmute::<*mut libc::c_void, Hook>(found)(library.as_ptr(), function.as_ptr(), result) };
    } else if is_verbose() {
        say(&format!("{function} failed after it had returned: {result}"));
    }
}

/// The type of the program's `cx_remote_not_made`.
type NotMade = unsafe extern "C" fn(library: *const libc::c_char, function: *const libc::c_char);

/// Returns the program's `cx_remote_not_made`. The first caller runs before any call, because signal handlers make calls and may not use the
/// loader.
pub(crate) fn hook_of_not_made() -> Option<NotMade> {
    static FOUND: std::sync::OnceLock<Option<NotMade>> = std::sync::OnceLock::new();
    *FOUND.get_or_init(|| {
        // SAFETY: `dlsym` gets a valid string and only searches loaded libraries.
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"cx_remote_not_made".as_ptr()) };
        // SAFETY: `cx_remote.h` declares the function of this name with this type.
        (!found.is_null()).then(|| unsafe { std::mem::transmute::<*mut libc::c_void, NotMade>(found) })
    })
}

/// Notifies the program of a call that was not made. Allocates no memory, because a signal handler may have made the call. Calls that the
/// hook itself makes are not reported, to avoid recursion.
pub(crate) fn not_made(described: &Described, function: &str) {
    std::thread_local! {
        static IS_RUNNING: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    }
    if let Some(hook) = hook_of_not_made()
        && !IS_RUNNING.replace(true)
    {
        let (library, function) = (short(&described.soname), short(function));
        // SAFETY: `cx_remote.h` declares this type; both strings are NUL-terminated and live until the hook returns.
        unsafe { hook(library.as_ptr(), function.as_ptr()) };
        IS_RUNNING.set(false);
    }
}

/// Copies the first 255 bytes of a text into a NUL-terminated buffer.
fn short(text: &str) -> [libc::c_char; 256] {
    let mut short = [0; 256];
    for (to, from) in short[..255].iter_mut().zip(text.bytes()) {
        *to = from as libc::c_char;
    }
    short
}
