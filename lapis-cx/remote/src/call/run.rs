//! The main function of a worker: serves the guest that started it, or all guests that connect.

use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{log, settings, start};
use crate::control::{ConnectError, Credentials};
use crate::transport::threads;
use crate::{Connection, Geometry, Library as Name, Listener, Spin};

/// Serves guests according to the process's `arguments`, which exclude the program's name. `serve` serves one guest until it disconnects. The
/// geometry is the upper limit of a guest's shared memory.
///
/// # Errors
///
/// The reason why the process cannot serve.
pub(crate) fn run(
    what: (Name, Geometry),
    arguments: &[String],
    serve: impl Fn(Connection) + Send + Sync + 'static,
) -> Result<(), String> {
    match arguments {
        [] => serve_one(&what, serve),
        [listen, _] if listen == "--listen" && settings::is_shadow() => {
            Err("CX_REMOTE=shadow works with the worker that a program starts; unset it for a worker that listens"
                .to_owned())
        }
        [listen, path] if listen == "--listen" => serve_all(what, Path::new(path), serve),
        _ => Err("usage: --listen PATH serves all guests that connect there; without it, the one on standard input"
            .to_owned()),
    }
}

/// Whether this process serves only the guest that started it.
static IS_PRIVATE: AtomicBool = AtomicBool::new(false);

/// Ends a private worker whose guest has disconnected, once no record was served for the length of the timeout. `served` returns the number of
/// served records.
pub(crate) fn end_when_idle(served: impl Fn() -> u64 + Send + 'static) {
    let Some(timeout) = settings::timeout().filter(|_| IS_PRIVATE.load(Ordering::Relaxed)) else { return };
    threads::thread("lapis-cx-end", move || {
        let mut before = None;
        while before != Some(served()) {
            before = Some(served());
            std::thread::sleep(timeout);
        }
        // SAFETY: `_exit` does not return. It skips exit handlers, because threads of the library may still run.
        unsafe { libc::_exit(0) }
    });
}

/// Serves the guest that started this worker.
fn serve_one(what: &(Name, Geometry), serve: impl Fn(Connection)) -> Result<(), String> {
    IS_PRIVATE.store(true, Ordering::Relaxed);
    let socket = std::io::stdin().as_fd().try_clone_to_owned().map_err(|why| why.to_string())?;
    let null = std::fs::File::open("/dev/null").map_err(|why| why.to_string())?;
    // SAFETY: both numbers are open descriptors of this process. This closes the former standard input, which duplicates `socket`.
    unsafe { libc::dup2(null.as_raw_fd(), 0) };
    serve(accepted(socket, what, |_| Ok(())).map_err(|why| why.to_string())?);
    Ok(())
}

/// Accepts a guest: makes the handshake and sets the timeout.
fn accepted(
    socket: OwnedFd,
    (name, most): &(Name, Geometry),
    policy: impl FnOnce(&Credentials) -> Result<(), String>,
) -> Result<Connection, ConnectError> {
    let (timeout, spin) = (settings::timeout(), Spin::Adaptive);
    let connection = Connection::worker_within(timeout, socket, name, *most, spin, policy)?;
    connection.set_timeout(timeout, None);
    Ok(connection)
}

/// Serves all guests of this user.
fn serve_all(
    what: (Name, Geometry),
    path: &Path,
    serve: impl Fn(Connection) + Send + Sync + 'static,
) -> Result<(), String> {
    let failed = |why: std::io::Error| format!("{}: {why}", path.display());
    let listener = Listener::bind(path).map_err(failed)?;
    listener.remove_at_signals().map_err(failed)?;
    // SAFETY: `geteuid` has no parameters and cannot fail.
    let me = unsafe { libc::geteuid() };
    let shared = Arc::new((what, serve));
    loop {
        let socket = match listener.accept() {
            Ok(socket) => socket,
            // One guest disconnected, or this process lacks resources for another guest. Other guests remain connected.
            Err(why) if start::is_temporary(&why) => {
                std::thread::sleep(std::time::Duration::from_millis(10));
                continue;
            }
            Err(why) => return Err(failed(why)),
        };
        let shared = Arc::clone(&shared);
        threads::thread_with("lapis-cx-guest", threads::WORK_STACK, move || {
            let (what, serve) = &*shared;
            let policy = |who: &Credentials| {
                if who.user == me { Ok(()) } else { Err("this worker serves its own user only".to_owned()) }
            };
            match accepted(socket, what, policy) {
                Ok(connection) => serve(connection),
                Err(why) => log::say(&why.to_string()),
            }
        });
    }
}
