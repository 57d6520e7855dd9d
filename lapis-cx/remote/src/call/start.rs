//! How a guest gets a worker, and what the engine needs of the process that it is in: it belongs to somebody else.

use std::ffi::{CStr, CString, OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::described::Described;
use super::spawn::spawn;
use crate::control::{ConnectError, Connection, Library, connected, socket_pair};
use crate::locks::Mutex;
use crate::marshal::{CallError, Limits};
use crate::memory::LARGEST;
use crate::transport::{register_fences, without_signals};
use crate::{Geometry, Spin};

/// Set for workers: a guest library that is loaded there must not start another.
pub(crate) const IS_WORKER: &str = "CX_REMOTE_IS_WORKER";
/// Where guests find their worker: nothing or `private`, or `unix:PATH`.
const REMOTE: &str = "CX_REMOTE";
/// The file of the worker, in place of the one beside the guest library.
const WORKER: &str = "CX_REMOTE_WORKER";

/// Bytes of shared memory that a thread of the program has in each direction.
const RING: &str = "CX_REMOTE_RING_BYTES";
/// Bytes of shared memory that a worker gives a thread of a guest for buffers that its library uses in place.
const ROOM: &str = "CX_REMOTE_IN_PLACE_BYTES";
/// No page of a supported machine is larger.
const LEAST_RING: u32 = 64 << 10;

/// For how long a side waits for the rest of what the other one has begun, for room, and for an answer to its greeting: seconds.
const SILENT: &str = "CX_REMOTE_SILENT_SECONDS";
/// The same of a guest that has made a call, until something comes back: seconds.
const CALL: &str = "CX_REMOTE_CALL_SECONDS";

/// Whether each side says which calls it refuses, and why.
const VERBOSE: &str = "CX_REMOTE_VERBOSE";

/// How a guest gets to its worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// It starts one of its own from this file, without the guest library of this folder.
    Private(PathBuf, Option<PathBuf>),
    /// One listens there.
    Shared(PathBuf),
    /// There is none, and why.
    None(String),
}

impl Reach {
    /// What the environment says; `library` is the file of the guest library, `worker` the name of its worker's.
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
                (None, None) => Reach::None(format!("nobody knows where {worker} is: set {WORKER}")),
            },
            Some(said) => match said.strip_prefix(b"unix:") {
                Some(path) => Reach::Shared(absolute(OsStr::from_bytes(path).into())),
                None => {
                    let said = String::from_utf8_lossy(said);
                    Reach::None(format!("{REMOTE}={said} is none of `private`, `shadow` and `unix:PATH`"))
                }
            },
        }
    }
}

/// Whether each call is to be made here too, and compared; in a worker, whether memory is watched.
pub(crate) fn is_shadow() -> bool {
    std::env::var_os(REMOTE).is_some_and(|value| value == "shadow")
}

/// A setting of the environment that is a number. What is none is said, once.
pub(crate) fn number_of<T: std::str::FromStr>(name: &'static str) -> Option<T> {
    static SAID: Mutex<Vec<&str>> = Mutex::new(Vec::new());
    let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
    let number = value.to_str().and_then(|value| value.parse().ok());
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if number.is_none() && !said.contains(&name) {
        said.push(name);
        say(&format!("{name}={} is no number that it can be, and is ignored", value.display()));
    }
    number
}

/// How long the other side may leave something half said, or unread.
pub(crate) fn timeout() -> Option<Duration> {
    seconds(SILENT, 60)
}

/// A time that the environment may say: 0 is for ever.
/// Nested requests unless `CX_REMOTE_CALL_DEPTH` says otherwise.
const DEPTH: usize = 4096;

/// The limits that the environment sets.
pub(crate) fn limits() -> Limits {
    let said = |name, otherwise| number_of(name).unwrap_or(otherwise);
    let depth = u32::try_from(said("CX_REMOTE_CALL_DEPTH", DEPTH)).unwrap_or(u32::MAX);
    Limits { call: said("CX_REMOTE_CALL_BYTES", 1 << 30), kept: said("CX_REMOTE_KEPT_BYTES", 4 << 30), depth }
}

fn seconds(name: &'static str, otherwise: u64) -> Option<Duration> {
    Some(number_of(name).unwrap_or(otherwise)).filter(|seconds| *seconds != 0).map(Duration::from_secs)
}

/// What the environment says of rings: it may be less than both sides have without it.
fn geometry() -> Geometry {
    let most = Geometry::default();
    let ring = number_of(RING).map_or(most.ring, |said: u32| said.clamp(LEAST_RING, most.ring)).next_power_of_two();
    // Whether a worker uses in place what its guest may change is for the worker to say.
    Geometry { ring, room: LARGEST, ..most }
}

/// What a worker gives guests at most. If their memory is watched, a call has none in place.
pub(crate) fn most() -> Geometry {
    let room = number_of(ROOM).filter(|said: &u32| *said != 0 && !is_shadow());
    let room = room.map_or(0, |said| said.clamp(LEAST_RING, LARGEST).next_power_of_two());
    Geometry { room, ..Geometry::default() }
}

/// Why there is no connection to a worker, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unreached {
    /// There is no worker, and a later attempt fails as well.
    Missing(String),
    /// There is no worker now, for a reason that may pass: the system is short of something, or the worker is being replaced.
    Passing(String),
    /// It serves no such guest.
    Refused(String),
}

impl Unreached {
    /// Sorts a failure to start a worker from a file (`is_private`), or to connect to one that listens.
    fn new(why: &ConnectError, what: &str, is_private: bool) -> Unreached {
        let words = format!("{what}{why}");
        match why {
            ConnectError::Refused(_) => Unreached::Refused(words),
            ConnectError::System(why) if is_passing(why) => Unreached::Passing(words),
            // A worker that listens may be started anew; one that this process started has failed itself.
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
                Unreached::Passing(words)
            }
            ConnectError::System(_) => Unreached::Missing(words),
        }
    }

    pub fn words(self) -> String {
        match self {
            Unreached::Missing(why) | Unreached::Passing(why) | Unreached::Refused(why) => why,
        }
    }
}

/// Whether what failed may work later: the process or the system lacks memory, files, processes or space, or a file is missing or written
/// just now, as while a program is installed.
pub(crate) fn is_passing(why: &io::Error) -> bool {
    const PASSING: [i32; 11] = [
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
    why.raw_os_error().is_some_and(|code| PASSING.contains(&code))
}

/// When a start that failed for a passing reason is tried again: with the next call, then after 2 ms, and each time after twice as long,
/// up to 1 s.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Backoff {
    failures: u32,
    last: Option<Instant>,
}

impl Backoff {
    /// The longest time between two attempts is 2 to this power, in ms.
    const LONGEST: u32 = 10;

    /// Whether it may be tried now.
    pub fn is_over(&self) -> bool {
        let pause = if self.failures < 2 { 0 } else { 1 << (self.failures - 1).min(Backoff::LONGEST) };
        self.last.is_none_or(|last| last.elapsed() >= Duration::from_millis(pause))
    }

    /// It failed again. Returns whether that is the first time.
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

/// Connects to a worker of what has this name. One that is started gets these arguments.
pub(crate) fn connect_to(library: &Library, reach: &Reach, arguments: &[OsString]) -> Result<Connection, Unreached> {
    #[cfg(all(feature = "fault-injection", not(loom)))]
    crate::fault_injection::install();
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

/// Begins this worker anew if its environment would make it load the guest library that lies beside it, as that of a program does: who
/// starts a worker that listens may have set it for programs. If that cannot be, it goes on.
pub(crate) fn leave_guest_library(arguments: &[String]) {
    use std::os::unix::process::CommandExt;
    // While this process has one thread.
    register_fences();
    let Ok(program) = std::fs::read_link("/proc/self/exe") else { return };
    let is_changed = |(name, kept): &(OsString, OsString)| std::env::var_os(name).as_ref() != Some(kept);
    let changed: Vec<_> = environment(program.parent()).filter(is_changed).collect();
    if changed.is_empty() {
        return;
    }
    let mut anew = std::process::Command::new(&program);
    if let Some((name, rest)) = arguments.split_first() {
        anew.arg0(name).args(rest);
    }
    // It returns only if it fails.
    let _ = anew.envs(changed).exec();
}

/// The environment of a worker: without what would make it load the guest library from `without`, and with absolute paths where the
/// program's may be relative to the folder in which it was started.
fn environment(without: Option<&Path>) -> impl Iterator<Item = (OsString, OsString)> + use<> {
    let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let without = without.map(canonical);
    std::env::vars_os().map(move |(name, value)| {
        let is_ours = |path: &Path| without.as_ref().is_some_and(|without| canonical(path) == *without);
        let resolved = |path: &[u8]| absolute(OsStr::from_bytes(path).into()).into_os_string().into_vec();
        // The loader searches a name without a slash.
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
/// The files of the guest libraries that are loaded, by the address of their `cxr_guest`.
static LOADED: Mutex<Vec<(usize, Option<PathBuf>)>> = Mutex::new(Vec::new());

/// Records the file of a guest library and the working directory, while a relative path of the loader is still valid.
pub(crate) fn loaded(address: usize) {
    if let Ok(folder) = std::env::current_dir() {
        LOADED_IN.get_or_init(|| folder);
    }
    let file = find_file_of(address);
    LOADED.lock().unwrap_or_else(PoisonError::into_inner).push((address, file));
}

/// A path that does not depend on later changes of the working directory.
pub(crate) fn absolute(path: PathBuf) -> PathBuf {
    LOADED_IN.get().map_or_else(|| path.clone(), |folder| folder.join(&path))
}

/// The file that an address was loaded from.
pub(crate) fn file_of(address: usize) -> Option<PathBuf> {
    let loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = loaded.iter().rev().find(|(known, _)| *known == address).map(|(_, file)| file.clone());
    drop(loaded);
    known.unwrap_or_else(|| find_file_of(address))
}

fn find_file_of(address: usize) -> Option<PathBuf> {
    // SAFETY: numbers and null pointers.
    let mut about: libc::Dl_info = unsafe { std::mem::zeroed() };
    let address = std::ptr::with_exposed_provenance(address);
    // SAFETY: there is a place for what is known.
    if unsafe { libc::dladdr(address, &raw mut about) } == 0 || about.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the loader's own text.
    let name = unsafe { CStr::from_ptr(about.dli_fname) };
    let path = Path::new(OsStr::from_bytes(name.to_bytes()));
    let path = absolute(path.to_owned());
    Some(path.canonicalize().unwrap_or(path))
}

pub(crate) fn errno() -> i32 {
    // SAFETY: the thread's own.
    unsafe { *libc::__errno_location() }
}

pub(crate) fn set_errno(value: i32) {
    // SAFETY: as above.
    unsafe { *libc::__errno_location() = value };
}

/// Says something to whoever started the program: there is nobody else whom it could be returned to.
pub(crate) fn say(text: &str) {
    use std::io::Write;
    // In one piece, since the other process often writes to the same place; and who has no standard error does not hear it.
    let _ = io::stderr().write_all(format!("cx_remote: {text}\n").as_bytes());
}

/// A call that nobody waited for failed. The program may have a function of this name; else it is said if that is wanted.
pub(crate) fn failed_late(described: &Described, function: &str, result: i64) {
    type Hook = unsafe extern "C" fn(library: *const libc::c_char, function: *const libc::c_char, result: i64);
    // SAFETY: a search by name among what the program has loaded.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"cx_remote_late_error".as_ptr()) };
    let texts = (CString::new(described.soname.as_str()), CString::new(function));
    if !found.is_null()
        && let (Ok(library), Ok(function)) = texts
    {
        // SAFETY: a program that has a function of this name has it for this, as cx_remote.h says.
        unsafe { std::mem::transmute::<*mut libc::c_void, Hook>(found)(library.as_ptr(), function.as_ptr(), result) };
    } else if is_verbose() {
        say(&format!("{function} failed after it had returned: {result}"));
    }
}

/// A program's function that is told of calls which were not made.
type NotMade = unsafe extern "C" fn(library: *const libc::c_char, function: *const libc::c_char);

/// The program's, if it has one. It is looked for once, before there are calls: signal handlers make some, and may not ask the loader.
pub(crate) fn hook_of_not_made() -> Option<NotMade> {
    static FOUND: std::sync::OnceLock<Option<NotMade>> = std::sync::OnceLock::new();
    *FOUND.get_or_init(|| {
        // SAFETY: a search by name among what the program has loaded.
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"cx_remote_not_made".as_ptr()) };
        // SAFETY: a program that has a function of this name has it for this, as cx_remote.h says.
        (!found.is_null()).then(|| unsafe { std::mem::transmute::<*mut libc::c_void, NotMade>(found) })
    })
}

/// Tells the program that a call was not made. It takes no memory: a signal handler may have made the call. What it calls itself meanwhile
/// it is not told of: that may not be made either.
pub(crate) fn not_made(described: &Described, function: &str) {
    std::thread_local! {
        static IS_TOLD: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    }
    if let Some(hook) = hook_of_not_made()
        && !IS_TOLD.replace(true)
    {
        let (library, function) = (short(&described.soname), short(function));
        // SAFETY: as there; both texts end, and are there until it returns.
        unsafe { hook(library.as_ptr(), function.as_ptr()) };
        IS_TOLD.set(false);
    }
}

/// The beginning of a text, with an end.
fn short(text: &str) -> [libc::c_char; 256] {
    let mut short = [0; 256];
    for (to, from) in short[..255].iter_mut().zip(text.bytes()) {
        *to = from as libc::c_char;
    }
    short
}

std::thread_local! {
    /// What was called last on this thread refused the call.
    static HAS_REFUSED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// A thunk or a function of the program says that it did not do what was asked: its caller gets the result of a call that failed.
pub(crate) fn refuse() {
    HAS_REFUSED.with(|has_refused| has_refused.set(true));
}

/// Whether what was called last said so. It is asked once.
pub(crate) fn has_refused() -> bool {
    HAS_REFUSED.with(|has_refused| has_refused.replace(false))
}

/// Runs `work`, which calls many, and looks itself whether they said so.
pub(crate) fn watch_refusals<T>(work: impl FnOnce(&std::cell::Cell<bool>) -> T) -> T {
    HAS_REFUSED.with(|has_refused| {
        has_refused.set(false);
        work(has_refused)
    })
}

pub(crate) fn is_verbose() -> bool {
    static IS_WANTED: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *IS_WANTED.get_or_init(|| std::env::var_os(VERBOSE).is_some_and(|value| value != "0"))
}

/// Says why something was refused, if whoever started the program wants to know.
pub(crate) fn explain(described: &Described, call: u32, why: &CallError) {
    if !is_verbose() {
        return;
    }
    let (plan, process) = (&described.plan, std::process::id());
    let call = plan.text(call);
    match why {
        CallError::Channel(why) => say(&format!("{process}: {call}: {why}")),
        CallError::Refused(why, name) | CallError::TooLarge(why, name) => {
            say(&format!("{process}: {call}: `{}`: {why}", plan.text(*name)));
        }
    }
}

/// Logs a message, at most once in this process for messages of its kind.
#[cold]
pub(crate) fn say_once(message: &str) {
    static IS_SAID: std::sync::Once = std::sync::Once::new();
    IS_SAID.call_once(|| say(message));
}

/// Starts a thread that gets no signals. None if the system has no more.
pub(crate) fn thread(name: &str, what: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
    let builder = std::thread::Builder::new().name(name.to_owned());
    without_signals(|| builder.spawn(what).ok())
}

/// Bytes of stack of a thread of the worker that makes calls: room for calls nested in callbacks. Only what is used has memory.
pub(crate) const WORK_STACK: usize = 64 << 20;
/// The same of a thread of the guest that runs callbacks: what a thread of the library has by default.
pub(crate) const CALLBACK_STACK: usize = 8 << 20;

/// The same with so many bytes of stack.
pub(crate) fn thread_with(name: &str, stack: usize, what: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
    let builder = std::thread::Builder::new().name(name.to_owned()).stack_size(stack);
    without_signals(|| builder.spawn(what).ok())
}
