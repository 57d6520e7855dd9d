//! Connects a guest to a worker. The process belongs to the program, so the functions here avoid effects on it.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::described::Described;
use super::loaded_files::absolute;
use super::settings::{REMOTE, call_timeout, geometry, timeout};
use super::spawn::spawn;
use crate::Spin;
use crate::control::{ConnectError, Connection, Library, connected, socket_pair};
use crate::transport::{register_fences, without_signals};

/// Marks a process as a worker. A guest library that is loaded in a worker must not start another worker.
pub(crate) const IS_WORKER: &str = "CX_REMOTE_IS_WORKER";
/// The worker's file, instead of the file next to the guest library.
const WORKER: &str = "CX_REMOTE_WORKER";

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
    connection.set_timeout(timeout(), call_timeout());
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
