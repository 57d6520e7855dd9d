//! What the machine has: known to the process, and the same for each thread's hart.

use lapis_cx_core::machine::PlatformCxu;
use lapis_cx_core::{Error, Uuid};

use crate::sync::{AtomicU32, AtomicUsize, Ordering, RwLock, change, look};

struct Platform {
    /// The CXUs of a hart; before a platform is loaded, each software CXU has as many contexts as are opened.
    cxus: Option<Vec<PlatformCxu>>,
    /// The absent CXs for which software stands in.
    emulated: Vec<Uuid>,
}

/// The most CXUs of a platform.
const CXUS: usize = 256;

shared! {
    static PLATFORM: RwLock<Platform> = RwLock::new(Platform { cxus: None, emulated: Vec::new() });
    /// A bit for each CXU of the platform, by its place: it was taken away. Written with the lock held, and read without, as
    /// by a trap handler, which may have interrupted whoever holds it.
    static REVOKED: [AtomicU32; CXUS / 32] = [
        AtomicU32::new(0), AtomicU32::new(0), AtomicU32::new(0), AtomicU32::new(0),
        AtomicU32::new(0), AtomicU32::new(0), AtomicU32::new(0), AtomicU32::new(0),
    ];
    /// How many revocations there were.
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
    if cxus.len() > CXUS || cxus.iter().any(|cxu| cxu.contexts > 256) {
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
    change(&PLATFORM, |Platform { emulated, .. }| {
        if !emulated.contains(&uuid) {
            emulated.try_reserve(1).map_err(|_| Error::NoMemory)?;
            emulated.push(uuid);
        }
        Ok(())
    })
}

/// Takes the CXUs of a CX away from all harts, as when a device goes. The next command to an open one is answered with
/// [`Response::Cxu`](crate::Response::Cxu), and it cannot be opened again, unless [`emulate_absent`] lists it.
///
/// # Errors
/// [`Error::NoDevice`] if the platform has no such CX.
pub fn revoke(uuid: Uuid) -> Result<(), Error> {
    change(&PLATFORM, |platform| {
        let mut has_it = false;
        for (place, _) in platform.of(uuid) {
            REVOKED[place / 32].fetch_or(1 << (place % 32), Ordering::Relaxed);
            has_it = true;
        }
        has_it.then_some(()).ok_or(Error::NoDevice)?;
        // Whoever sees the number sees the bits.
        REVOCATIONS.fetch_add(1, Ordering::Release);
        Ok(())
    })
}

impl Platform {
    /// The CXUs of a CX, with their places.
    fn of(&self, uuid: Uuid) -> impl Iterator<Item = (usize, &PlatformCxu)> {
        self.cxus.iter().flatten().enumerate().filter(move |(_, cxu)| cxu.uuid == uuid)
    }
}

/// What stands behind a CX on this platform.
pub(crate) enum Found {
    /// Units, by their places in the platform, with so many contexts.
    Units(Vec<(usize, u32)>),
    /// Software, in place of a CXU.
    Software,
    /// Nothing.
    Absent,
}

/// Looks for a CX.
pub(crate) fn find(uuid: Uuid) -> Found {
    look(&PLATFORM, |platform| {
        if platform.cxus.is_none() {
            return Found::Software;
        }
        let there = platform.of(uuid).filter(|(place, _)| !is_revoked(*place));
        let units: Vec<_> = there.map(|(place, cxu)| (place, cxu.contexts)).collect();
        if !units.is_empty() {
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

/// Whether something was revoked after the first `seen` revocations; `seen` is brought up to date. No lock is taken.
pub(crate) fn was_revoked_since(seen: &mut usize) -> bool {
    let now = REVOCATIONS.load(Ordering::Acquire);
    std::mem::replace(seen, now) != now
}

/// Whether the CXU at a place of the platform was taken away. No lock is taken.
pub(crate) fn is_revoked(place: usize) -> bool {
    REVOKED.get(place / 32).is_some_and(|bits| bits.load(Ordering::Relaxed) & 1 << (place % 32) != 0)
}
