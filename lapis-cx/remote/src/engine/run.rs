//! What a worker does after it is made: it serves the guest that started it, or all that connect.

use std::os::fd::{AsFd, AsRawFd};
use std::path::Path;
use std::sync::Arc;

use super::start;
use super::worker::Worker;
use crate::{Connection, Geometry, Library as Name, Listener, Spin};

/// Serves as the arguments of the program say, without its name.
///
/// # Errors
///
/// What stands against it, in words.
pub(crate) fn run(worker: &Arc<Worker>, arguments: &[String]) -> Result<(), String> {
    match arguments {
        [] => serve_one(worker),
        [listen, path] if listen == "--listen" => serve_all(worker, Path::new(path)),
        _ => Err("usage: --listen PATH serves all guests that connect there; without it, the one on standard input"
            .to_owned()),
    }
}

fn name_of(worker: &Worker) -> Name {
    Name { name: worker.described.name.clone(), contract: worker.described.contract }
}

/// Serves the guest that started this worker.
fn serve_one(worker: &Arc<Worker>) -> Result<(), String> {
    let socket = std::io::stdin().as_fd().try_clone_to_owned().map_err(|why| why.to_string())?;
    let null = std::fs::File::open("/dev/null").map_err(|why| why.to_string())?;
    // SAFETY: both are files of this process. Standard input must not keep the socket open.
    unsafe { libc::dup2(null.as_raw_fd(), 0) };
    let connection = Connection::worker(socket, &name_of(worker), Geometry::default(), Spin::Adaptive, |_| Ok(()));
    worker.serve(connection.map_err(|why| why.to_string())?);
    Ok(())
}

/// Serves all guests of this user.
fn serve_all(worker: &Arc<Worker>, path: &Path) -> Result<(), String> {
    let listener = Listener::bind(path).map_err(|why| format!("{}: {why}", path.display()))?;
    // SAFETY: it takes nothing.
    let me = unsafe { libc::geteuid() };
    loop {
        let socket = listener.accept().map_err(|why| format!("{}: {why}", path.display()))?;
        let worker = Arc::clone(worker);
        start::thread("lapis-cx-guest", move || {
            let policy = |who: &crate::Credentials| {
                if who.user == me { Ok(()) } else { Err("this worker serves its own user only".to_owned()) }
            };
            let connection = Connection::worker(socket, &name_of(&worker), Geometry::default(), Spin::Adaptive, policy);
            match connection {
                Ok(connection) => worker.serve(connection),
                Err(why) => start::say(&why.to_string()),
            }
        });
    }
}
