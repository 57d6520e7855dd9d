//! Reads the settings of the environment.

use std::time::Duration;

use super::log::say;
use crate::Geometry;
use crate::locks::{Mutex, guard};
use crate::marshal::Limits;
use crate::memory::LARGEST;

/// How the guest reaches its worker: empty, `private`, `shadow` or `unix:PATH`.
pub(super) const REMOTE: &str = "CX_REMOTE";
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

/// Returns the timeout for the reply to a call. `None` means no timeout.
pub(super) fn call_timeout() -> Option<Duration> {
    seconds(CALL, 0)
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
pub(super) fn geometry() -> Geometry {
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
