//! Fault injection: functions that a test installs to corrupt records just before they are sent (feature `fault-injection`).

use std::sync::OnceLock;

use super::memory::Ring;

/// The functions of a fault injector.
pub(crate) struct Injector {
    /// Reports a field of the record that is being written: its position in the ring and its size in bytes.
    pub field: fn(at: usize, size: usize),
    /// Corrupts a record in place and returns its new size. `start` is the position of its first byte after the header.
    pub corrupt: fn(ring: &Ring, kind: u32, start: usize, size: usize) -> usize,
}

static INJECTOR: OnceLock<Injector> = OnceLock::new();

/// Installs the injector of this process. Later calls have no effect.
pub(crate) fn install(injector: Injector) {
    let _ = INJECTOR.set(injector);
}

pub(super) fn field(at: usize, size: usize) {
    if let Some(injector) = INJECTOR.get() {
        (injector.field)(at, size);
    }
}

pub(super) fn corrupt(ring: &Ring, kind: u32, start: usize, size: usize) -> usize {
    INJECTOR.get().map_or(size, |injector| (injector.corrupt)(ring, kind, start, size))
}
