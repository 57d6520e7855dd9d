//! What the machine has: known to the process, and the same for each thread's hart.

use lapis_cx_core::machine::PlatformCxu;
use lapis_cx_core::{Error, Uuid};

use crate::sync::{AtomicUsize, Ordering, RwLock, change, look};

struct Platform {
    /// The CXUs of a hart; before a platform is loaded, each software CXU has as many contexts as are opened.
    cxus: Option<Vec<PlatformCxu>>,
    /// The absent CXs for which software stands in.
    emulated: Vec<Uuid>,
    /// What was taken away, in this order.
    revoked: Vec<Uuid>,
}

shared! {
    static PLATFORM: RwLock<Platform> = RwLock::new(Platform { cxus: None, emulated: Vec::new(), revoked: Vec::new() });
    static REVOCATIONS: AtomicUsize = AtomicUsize::new(0);
    /// How many opens began, without those that failed: from the first on the platform is what it is.
    static OPENS: AtomicUsize = AtomicUsize::new(0);
}

/// Opens a CX: meanwhile no platform is loaded, nor after it if it does not fail.
pub(crate) fn settled<R>(open: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
    // Before it looks at the platform: whoever takes the lock later, to load one, sees the number. Whoever had it before has
    // loaded what is found.
    OPENS.fetch_add(1, Ordering::Relaxed);
    let opened = open();
    if opened.is_err() {
        OPENS.fetch_sub(1, Ordering::Relaxed);
    }
    opened
}

/// Says which CXUs each hart has, and how many state contexts these have. Any number of CXs can be open over them: the
/// states of those that are not in use are kept in memory (state context virtualization). A CX that is not among them is
/// absent, unless [`emulate_absent`] lists it.
///
/// Without a platform each software CXU that is registered has as many contexts as are opened. A program loads its platform
/// once, before it opens a CX.
///
/// # Errors
/// [`Error::Busy`] if a platform is loaded already, or a CX was opened or is being opened; [`Error::Invalid`] if there are more than 256 CXUs,
/// or one has more than 256 contexts; [`Error::NoMemory`].
pub fn load_platform(cxus: &[PlatformCxu]) -> Result<(), Error> {
    if cxus.len() > 256 || cxus.iter().any(|cxu| cxu.contexts > 256) {
        return Err(Error::Invalid);
    }
    change(&PLATFORM, |platform| {
        if platform.cxus.is_some() || OPENS.load(Ordering::Relaxed) > 0 {
            return Err(Error::Busy);
        }
        let mut list = Vec::new();
        list.try_reserve_exact(cxus.len()).map_err(|_| Error::NoMemory)?;
        list.extend_from_slice(cxus);
        platform.cxus = Some(list);
        Ok(())
    })
}

/// Lets the registered software CXU stand in for a CX that the platform lacks. Without this the CX is absent: to open it
/// fails, so that a library takes the fallback that it has.
///
/// # Errors
/// [`Error::NoMemory`].
pub fn emulate_absent(uuid: Uuid) -> Result<(), Error> {
    change(&PLATFORM, |platform| add(&mut platform.emulated, uuid))
}

/// Takes the CXUs of a CX away from all harts, as when a device goes. The next command to an open one is answered with
/// [`Response::Cxu`](crate::Response::Cxu), and it cannot be opened again, unless [`emulate_absent`] lists it.
///
/// # Errors
/// [`Error::NoDevice`] if the platform has no such CX; [`Error::NoMemory`].
pub fn revoke(uuid: Uuid) -> Result<(), Error> {
    change(&PLATFORM, |platform| {
        let has_it = platform.cxus.iter().flatten().any(|cxu| cxu.uuid == uuid);
        has_it.then_some(()).ok_or(Error::NoDevice)?;
        add(&mut platform.revoked, uuid)?;
        REVOCATIONS.store(platform.revoked.len(), Ordering::Relaxed);
        Ok(())
    })
}

fn add(list: &mut Vec<Uuid>, uuid: Uuid) -> Result<(), Error> {
    if !list.contains(&uuid) {
        list.try_reserve(1).map_err(|_| Error::NoMemory)?;
        list.push(uuid);
    }
    Ok(())
}

/// What stands behind a CX on this platform.
pub(crate) enum Found {
    /// Units with so many contexts.
    Units(Vec<u32>),
    /// Software, in place of a CXU.
    Software,
    /// Nothing.
    Absent,
}

/// Looks for a CX.
pub(crate) fn find(uuid: Uuid) -> Found {
    look(&PLATFORM, |platform| {
        let Some(cxus) = &platform.cxus else { return Found::Software };
        let units: Vec<u32> = cxus.iter().filter(|cxu| cxu.uuid == uuid).map(|cxu| cxu.contexts).collect();
        let gone = platform.revoked.contains(&uuid);
        if !units.is_empty() && !gone {
            Found::Units(units)
        } else if platform.emulated.contains(&uuid) {
            Found::Software
        } else {
            Found::Absent
        }
    })
}

/// Whether a platform is loaded.
pub(crate) fn is_loaded() -> bool {
    look(&PLATFORM, |platform| platform.cxus.is_some())
}

/// What was revoked after the first `seen` revocations; `seen` is brought up to date.
pub(crate) fn revoked_since(seen: &mut usize) -> Vec<Uuid> {
    // It only says whether there is something to look for: the lock, with which it is changed, has the rest wait.
    if REVOCATIONS.load(Ordering::Relaxed) == *seen {
        return Vec::new();
    }
    look(&PLATFORM, |platform| {
        let new = platform.revoked.get(*seen..).unwrap_or_default().to_vec();
        *seen = platform.revoked.len();
        new
    })
}
