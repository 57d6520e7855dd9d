//! Connects a guest to a worker, reads settings, and logs. The process belongs to the program, so the functions here avoid effects on it.

use std::ffi::{CStr, CString, OsStr, OsString};
use std::fmt::Write as _;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::described::Described;
use super::spawn::spawn;
use crate::control::{ConnectError, Connection, Library, connected, socket_pair};
use crate::locks::{Mutex, guard};
use crate::marshal::{CallError, Limits};
use crate::memory::LARGEST;
use crate::transport::{register_fences, without_signals};
use crate::{Geometry, Spin};

/// Marks a process as a worker. A guest library that is loaded in a worker must not start another worker.
pub(crate) const IS_WORKER: &str = "CX_REMOTE_IS_WORKER";
/// How the guest reaches its worker: empty, `private`, `shadow` or `unix:PATH`.
const REMOTE: &str = "CX_REMOTE";
/// The worker's file, instead of the file next to the guest library.
const WORKER: &str = "CX_REMOTE_WORKER";

/// The size in bytes of each direction's shared memory, for each thread of the program.
const RING: &str = "CX_REMOTE_RING_BYTES";
/// The size in bytes of the shared memory for buffers that the worker's library uses in place, for each thread of the program.
const IN_PLACE: &str = "CX_REMOTE_IN_PLACE_BYTES";
/// The minimum ring size. No supported machine has a larger page.
const LEAST_RING: u32 = 64 << 10;

/// The timeout in seconds for the rest of a record, for free space in a ring, and for the reply to a greeting.
const SILENT: &str = "CX_REMOTE_SILENT_SECONDS";
/// The timeout in seconds for the reply to a call.
const CALL: &str = "CX_REMOTE_CALL_SECONDS";

/// Which refused calls each side logs: none (`0`), all (other values), or the first of each function (unset).
const VERBOSE: &str = "CX_REMOTE_VERBOSE";

/// How a guest connects to its worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Starts a private worker from this file. The second path is the directory of the guest library, which the worker's environment omits.
    Private(PathBuf, Option<PathBuf>),
    /// Connects to the worker that listens on this socket.
    Shared(PathBuf),
    /// No worker is available, for this reason.
    None(String),
}

impl Reach {
    /// Reads the environment. `library` is the file of the guest library, `worker` the file name of its worker.
    pub fn of_environment(library: Option<PathBuf>, worker: &str) -> Reach {
        if std::env::var_os(IS_WORKER).is_some() {
            let what = "this is the guest library, and the process is a worker: it must load the real one";
            return Reach::None(what.to_owned());
        }
        let folder = library.as_deref().and_then(Path::parent).map(Path::to_owned);
        match std::env::var_os(REMOTE).as_deref().map(OsStr::as_bytes) {
            None | Some(b"" | b"private" | b"shadow") => match (std::env::var_os(WORKER), &folder) {
                (Some(path), _) => Reach::Private(absolute(path.into()), folder),
                (None, Some(beside)) => Reach::Private(beside.join(worker), folder),
                (None, None) => Reach::None(format!("the path of {worker} is unknown: set {WORKER}")),
            },
            Some(setting) => match setting.strip_prefix(b"unix:") {
                Some(path) => Reach::Shared(absolute(OsStr::from_bytes(path).into())),
                None => {
                    let setting = String::from_utf8_lossy(setting);
                    Reach::None(format!("{REMOTE}={setting} is not `private`, `shadow` or `unix:PATH`"))
                }
            },
        }
    }
}

/// Returns whether shadow mode is on. A guest then makes each call twice and compares; a worker watches its memory.
pub(crate) fn is_shadow() -> bool {
    std::env::var_os(REMOTE).is_some_and(|value| value == "shadow")
}

/// Parses a numeric setting of the environment. Logs an invalid value once and ignores it.
pub(crate) fn number_of<T: std::str::FromStr>(name: &'static str) -> Option<T> {
    static LOGGED: Mutex<Vec<&str>> = Mutex::new(Vec::new());
    let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
    let number = value.to_str().and_then(|value| value.parse().ok());
    let mut logged = guard(&LOGGED);
    if number.is_none() && !logged.contains(&name) {
        logged.push(name);
        say(&format!("{name}={} is no number that it can be, and is ignored", value.display()));
    }
    number
}

/// Returns the timeout for an unfinished or unread record. `None` means no timeout.
pub(crate) fn timeout() -> Option<Duration> {
    seconds(SILENT, 60)
}

/// The default of `CX_REMOTE_CALL_DEPTH`, the maximum number of nested requests.
const DEPTH: usize = 4096;

/// Reads the limits from the environment.
pub(crate) fn limits() -> Limits {
    let setting = |name, otherwise| number_of(name).unwrap_or(otherwise);
    let depth = u32::try_from(setting("CX_REMOTE_CALL_DEPTH", DEPTH)).unwrap_or(u32::MAX);
    Limits { call: setting("CX_REMOTE_CALL_BYTES", 2 << 30), kept: setting("CX_REMOTE_KEPT_BYTES", 4 << 30), depth }
}

/// A decimal number of seconds.
struct Seconds(Duration);

impl std::str::FromStr for Seconds {
    type Err = ();

    fn from_str(text: &str) -> Result<Seconds, ()> {
        let seconds = text.parse().map_err(|_| ())?;
        Duration::try_from_secs_f64(seconds).map(Seconds).map_err(|_| ())
    }
}

/// Reads a timeout in seconds from the environment. 0 means no timeout.
fn seconds(name: &'static str, otherwise: u64) -> Option<Duration> {
    let timeout = number_of(name).map_or(Duration::from_secs(otherwise), |Seconds(timeout)| timeout);
    Some(timeout).filter(|timeout| !timeout.is_zero())
}

/// Reads the ring size from the environment. It can only lower the default.
fn geometry() -> Geometry {
    let most = Geometry::default();
    let ring =
        number_of(RING).map_or(most.ring, |setting: u32| setting.clamp(LEAST_RING, most.ring)).next_power_of_two();
    // Requests the largest in-place memory. The worker decides how much it grants.
    let in_place = if is_unlimited(libc::RLIMIT_AS) { LARGEST } else { 0 };
    Geometry { ring, in_place, ..most }
}

/// Returns whether this process has no limit of a resource. In-place memory reserves much of a file and of the address space.
fn is_unlimited(resource: libc::__rlimit_resource_t) -> bool {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is valid for writing.
    unsafe { libc::getrlimit(resource, &raw mut limit) == 0 && limit.rlim_cur == libc::RLIM_INFINITY }
}

/// Returns the worker's upper limits of a guest's shared memory. Unless the environment sets it, a worker grants in-place memory only to the
/// guest that started it (`is_private`). A worker that watches its memory grants none.
pub(crate) fn most(is_private: bool) -> Geometry {
    let is_granted = is_private && is_unlimited(libc::RLIMIT_FSIZE) && is_unlimited(libc::RLIMIT_AS);
    let in_place = match number_of(IN_PLACE).unwrap_or(if is_granted { LARGEST } else { 0 }) {
        _ if is_shadow() => 0,
        0 => 0,
        setting => setting.clamp(LEAST_RING, LARGEST).next_power_of_two(),
    };
    Geometry { in_place, ..Geometry::default() }
}

/// The reason why the guest has no connection to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unreached {
    /// No worker is available, and later attempts would fail too.
    Missing(String),
    /// No worker is available now, for a temporary reason: a resource is exhausted, or the worker is being replaced.
    Temporary(String),
    /// The worker refused the guest.
    Refused(String),
}

impl Unreached {
    /// Classifies a failure to start a private worker (`is_private`), or to connect to a listening worker.
    fn new(why: &ConnectError, what: &str, is_private: bool) -> Unreached {
        let message = format!("{what}{why}");
        match why {
            ConnectError::Refused(_) => Unreached::Refused(message),
            ConnectError::System(why) if is_temporary(why) => Unreached::Temporary(message),
            // A listening worker may be restarted. A worker that this process started has failed itself.
            ConnectError::System(why)
                if !is_private
                    && matches!(
                        why.kind(),
                        io::ErrorKind::ConnectionRefused
                            | io::ErrorKind::ConnectionReset
                            | io::ErrorKind::BrokenPipe
                            | io::ErrorKind::UnexpectedEof
                    ) =>
            {
                Unreached::Temporary(message)
            }
            ConnectError::System(_) => Unreached::Missing(message),
        }
    }

    pub fn message(self) -> String {
        match self {
            Unreached::Missing(why) | Unreached::Temporary(why) | Unreached::Refused(why) => why,
        }
    }
}

/// Returns whether an operation may succeed later: memory, files, processes or disk space are exhausted, or a file is missing or being written, as
/// during an installation.
pub(crate) fn is_temporary(why: &io::Error) -> bool {
    const TEMPORARY: [i32; 11] = [
        libc::EINTR,
        libc::EAGAIN,
        libc::ENOMEM,
        libc::EMFILE,
        libc::ENFILE,
        libc::ENOBUFS,
        libc::ENOSPC,
        libc::ECONNABORTED,
        libc::ENOENT,
        libc::ETXTBSY,
        libc::EBUSY,
    ];
    why.raw_os_error().is_some_and(|code| TEMPORARY.contains(&code))
}

/// The backoff after a temporary failure to start a worker. The next call tries again at once, later calls after 2 ms, then twice as long
/// each time, up to 1 s.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Backoff {
    failures: u32,
    last: Option<Instant>,
}

impl Backoff {
    /// The longest pause is 2 to this power, in ms.
    const LONGEST: u32 = 10;

    /// Returns whether the pause is over.
    pub fn is_over(&self) -> bool {
        let pause = if self.failures < 2 { 0 } else { 1 << (self.failures - 1).min(Backoff::LONGEST) };
        self.last.is_none_or(|last| last.elapsed() >= Duration::from_millis(pause))
    }

    /// Records a failure. Returns whether it is the first failure.
    pub fn failed(&mut self) -> bool {
        self.failures = self.failures.saturating_add(1);
        self.last = Some(Instant::now());
        self.failures == 1
    }
}

/// Connects to the worker of a library.
pub(crate) fn connect(described: &Described, reach: &Reach) -> Result<Connection, Unreached> {
    let library = Library { name: described.name.clone(), contract: described.contract };
    connect_to(&library, reach, &[])
}

/// Connects to the worker of this library. A worker that is started gets these arguments.
pub(crate) fn connect_to(library: &Library, reach: &Reach, arguments: &[OsString]) -> Result<Connection, Unreached> {
    let (geometry, spin) = (geometry(), Spin::Adaptive);
    let connection = without_signals(|| match reach {
        Reach::None(why) => Err(Unreached::Missing(why.clone())),
        Reach::Shared(path) => connected(path, timeout())
            .map_err(ConnectError::from)
            .and_then(|socket| Connection::guest_within(timeout(), socket, library, geometry, spin))
            .map_err(|why| Unreached::new(&why, &format!("no connection to {}: ", path.display()), false)),
        Reach::Private(file, without) => {
            let failed = |why: ConnectError| {
                let is_refused = matches!(why, ConnectError::Refused(_));
                let what = format!("the worker {} does not start: ", file.display());
                Unreached::new(&why, if is_refused { "" } else { &what }, true)
            };
            let environment = environment(without.as_deref()).chain([(IS_WORKER.into(), "1".into())]);
            let [mine, other] = socket_pair().map_err(|why| failed(why.into()))?;
            spawn(file, arguments, environment, other).map_err(|why| failed(why.into()))?;
            Connection::guest_within(timeout(), mine, library, geometry, spin).map_err(failed)
        }
    })?;
    connection.set_timeout(timeout(), seconds(CALL, 0));
    Ok(connection)
}

/// Restarts this worker without the guest library in its environment, because the loader would load the guest library instead of the real library. A
/// user who starts a listening worker may have set the environment for programs. Returns if no restart is needed or the restart fails.
pub(crate) fn leave_guest_library(arguments: &[String]) {
    use std::os::unix::process::CommandExt;
    // Registration requires a process with one thread.
    register_fences();
    let Ok(program) = std::fs::read_link("/proc/self/exe") else { return };
    let is_changed = |(name, kept): &(OsString, OsString)| std::env::var_os(name).as_ref() != Some(kept);
    let changed: Vec<_> = environment(program.parent()).filter(is_changed).collect();
    if changed.is_empty() {
        return;
    }
    let mut restarted = std::process::Command::new(&program);
    if let Some((name, rest)) = arguments.split_first() {
        restarted.arg0(name).args(rest);
    }
    // `exec` returns only on failure.
    let _ = restarted.envs(changed).exec();
}

/// Returns the environment of a worker. It omits the directory `without` of the guest library, and makes relative paths absolute, because they refer
/// to the directory in which the program was started.
fn environment(without: Option<&Path>) -> impl Iterator<Item = (OsString, OsString)> + use<> {
    let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let without = without.map(canonical);
    std::env::vars_os().map(move |(name, value)| {
        let is_ours = |path: &Path| without.as_ref().is_some_and(|without| canonical(path) == *without);
        let resolved = |path: &[u8]| absolute(OsStr::from_bytes(path).into()).into_os_string().into_vec();
        // The loader searches for names without a slash in its own folders.
        let resolved_file = |file: &[u8]| if file.contains(&b'/') { resolved(file) } else { file.to_owned() };
        let value = match name.as_bytes() {
            b"LD_LIBRARY_PATH" if !value.is_empty() => {
                let kept: Vec<Vec<u8>> = value
                    .as_bytes()
                    .split(|byte| matches!(byte, b':' | b';'))
                    .map(resolved)
                    .filter(|path| !is_ours(Path::new(OsStr::from_bytes(path))))
                    .collect();
                OsString::from_vec(kept.join(&b':'))
            }
            b"LD_PRELOAD" => {
                let kept: Vec<Vec<u8>> = value
                    .as_bytes()
                    .split(|byte| matches!(byte, b':' | b' '))
                    .map(resolved_file)
                    .filter(|path| !Path::new(OsStr::from_bytes(path)).parent().is_some_and(is_ours))
                    .collect();
                OsString::from_vec(kept.join(&b':'))
            }
            b"CX_REMOTE_LIBRARY" => OsString::from_vec(resolved_file(value.as_bytes())),
            _ => value,
        };
        (name, value)
    })
}

/// The working directory when the first guest library was loaded. Relative paths in the environment are relative to it: the program
/// may change its working directory before the first call.
static LOADED_IN: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
/// The files of the loaded guest libraries, by the address of their `cxr_guest`.
static LOADED: Mutex<Vec<(usize, Option<PathBuf>)>> = Mutex::new(Vec::new());

/// Records the file of a guest library and the working directory, while a relative path of the loader is still valid.
pub(crate) fn loaded(address: usize) {
    if let Ok(folder) = std::env::current_dir() {
        LOADED_IN.get_or_init(|| folder);
    }
    let file = find_file_of(address);
    guard(&LOADED).push((address, file));
}

/// Returns a path that does not depend on later changes of the working directory.
pub(crate) fn absolute(path: PathBuf) -> PathBuf {
    LOADED_IN.get().map_or_else(|| path.clone(), |folder| folder.join(&path))
}

/// Returns the file from which an address was loaded.
pub(crate) fn file_of(address: usize) -> Option<PathBuf> {
    let loaded = guard(&LOADED);
    let known = loaded.iter().rev().find(|(known, _)| *known == address).map(|(_, file)| file.clone());
    drop(loaded);
    known.unwrap_or_else(|| find_file_of(address))
}

fn find_file_of(address: usize) -> Option<PathBuf> {
    // SAFETY: `Dl_info` holds numbers and pointers, for which all zeros is a valid value.
    let mut about: libc::Dl_info = unsafe { std::mem::zeroed() };
    let address = std::ptr::with_exposed_provenance(address);
    // SAFETY: `about` is a valid output parameter.
    if unsafe { libc::dladdr(address, &raw mut about) } == 0 || about.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the loader returns a NUL-terminated string, which lives while the library is loaded.
    let name = unsafe { CStr::from_ptr(about.dli_fname) };
    let path = Path::new(OsStr::from_bytes(name.to_bytes()));
    let path = absolute(path.to_owned());
    Some(path.canonicalize().unwrap_or(path))
}

pub(crate) fn errno() -> i32 {
    // SAFETY: the C library returns a valid pointer to the thread's `errno`.
    unsafe { *libc::__errno_location() }
}

pub(crate) fn set_errno(value: i32) {
    // SAFETY: the C library returns a valid pointer to the thread's `errno`.
    unsafe { *libc::__errno_location() = value };
}

/// Logs a message to standard error. Takes no lock and does not allocate, because signal handlers and children of forks may call it.
pub(crate) fn say(text: &str) {
    let parts = ["cx_remote: ", text, "\n"]
        .map(|part| libc::iovec { iov_base: part.as_ptr().cast_mut().cast(), iov_len: part.len() });
    // One write keeps the line intact, since the other process often writes to the same file. A missing standard error is ignored.
    // SAFETY: the parts are texts that live until `writev` returns, and it only reads them.
    let _ = unsafe { libc::writev(libc::STDERR_FILENO, parts.as_ptr(), parts.len() as libc::c_int) };
}

/// A line of text on the stack. Text beyond its capacity is dropped.
struct Line {
    bytes: [u8; 1024],
    used: usize,
}

impl std::fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = text.floor_char_boundary(self.bytes.len() - self.used);
        self.bytes[self.used..][..end].copy_from_slice(&text.as_bytes()[..end]);
        self.used += end;
        Ok(())
    }
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
    let mut line = Line { bytes: [0; 1024], used: 0 };
    let _ = match parameter.map_or("", |name| plan.text(name)) {
        "" => write!(line, "{process}: {call}: {why}"),
        name => write!(line, "{process}: {call}: `{name}`: {why}"),
    };
    say(std::str::from_utf8(&line.bytes[..line.used]).unwrap_or_default());
}
