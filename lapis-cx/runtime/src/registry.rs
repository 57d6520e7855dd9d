//! The software CXUs that this process knows.

use std::any::TypeId;

use lapis_cx_core::{Error, SoftCxu, Uuid};

use crate::last_error::Failure;
use crate::sync::{RwLock, change, look};

struct Entry {
    cxu: &'static SoftCxu,
    /// The type that implements it, if it came from Rust.
    owner: Option<TypeId>,
}

shared! {
    /// Sorted by UUID.
    static ENTRIES: RwLock<Vec<Entry>> = RwLock::new(Vec::new());
}

/// Makes a software CXU known to all threads. To register the same descriptor again changes nothing.
///
/// # Errors
/// [`Error::Invalid`] for a descriptor that [`SoftCxu::check`] refuses, [`Error::Busy`] if another CXU has this UUID, and
/// [`Error::NoMemory`].
///
/// # Safety
/// The descriptor's functions and pointers keep what `cx_abi.h` asks of them, until the process ends.
pub unsafe fn register(cxu: &'static SoftCxu) -> Result<(), Error> {
    cxu.check()?;
    add(cxu, None)
}

/// Adds a descriptor that was checked.
pub(crate) fn add(cxu: &'static SoftCxu, owner: Option<TypeId>) -> Result<(), Error> {
    change(&ENTRIES, |entries| match entries.binary_search_by_key(&cxu.uuid, |entry| entry.cxu.uuid) {
        Ok(place) => {
            let same = entries
                .get(place)
                .is_some_and(|entry| std::ptr::eq(entry.cxu, cxu) || (owner.is_some() && entry.owner == owner));
            same.then_some(()).ok_or(Error::Busy)
        }
        Err(place) => {
            entries.try_reserve(1).map_err(|_| Error::NoMemory)?;
            entries.insert(place, Entry { cxu, owner });
            Ok(())
        }
    })
}

/// Forgets a CXU. Where it is open it stays open.
pub(crate) fn remove(cxu: &SoftCxu) {
    change(&ENTRIES, |entries| entries.retain(|entry| !std::ptr::eq(entry.cxu, cxu)));
}

/// Why [`add`] failed, in words that say more than those of the number.
pub(crate) fn taken(error: Error) -> Failure {
    match error {
        Error::Busy => Failure::said(error, c"busy: another CXU has this UUID"),
        other => other.into(),
    }
}

/// The software CXU with a UUID.
pub(crate) fn find(uuid: Uuid) -> Option<&'static SoftCxu> {
    look(&ENTRIES, |entries| {
        let place = entries.binary_search_by_key(&uuid, |entry| entry.cxu.uuid);
        entries.get(place.ok()?).map(|entry| entry.cxu)
    })
}
