//! The hook for fault injection (feature `fault-injection`): a test crate corrupts records just before they are sent.

use std::cell::RefCell;

pub use super::field_kind::FieldKind;
use super::field_kind::take_kind;
use super::memory::Ring;

/// A field of a record.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The position in the record, in bytes.
    pub at: usize,
    /// The size in bytes.
    pub size: usize,
    /// The kind of its value.
    pub kind: FieldKind,
}

/// The number of bytes that an injector may append to a record.
pub const BEHIND: usize = 16;

/// The functions of a fault injector.
#[derive(Debug)]
pub struct Injector {
    /// Corrupts a record of this kind, or a part of a record, and returns its new size, at most `size` plus [`BEHIND`] bytes. The slice contains the
    /// record's `size` bytes and the `BEHIND` bytes that follow in the ring.
    pub corrupt: fn(kind: u32, record: &mut [u8], size: usize, fields: &[Field]) -> usize,
    /// Returns whether each reply to a callback lists all objects, regions and registrations as ended.
    pub ends_everything: fn() -> bool,
    /// Returns whether a guest that lost its worker connects again.
    pub reconnects: fn() -> bool,
}

unsafe extern "Rust" {
    /// The injector. The crate that links this one with the feature must define it.
    safe static LAPIS_CX_FAULT_INJECTOR: Injector;
}

thread_local! {
    /// The fields of the record that is being written, with their positions in the ring.
    static FIELDS: RefCell<Vec<Field>> = const { RefCell::new(Vec::new()) };
}

/// Records a field of the record that is being written: its position in the ring and its size in bytes.
pub(super) fn field(at: usize, size: usize) {
    let kind = take_kind();
    FIELDS.with_borrow_mut(|all| all.push(Field { at, size, kind }));
}

/// Corrupts the record of `size` bytes at `start` of the ring, and returns its new size.
pub(super) fn corrupt(ring: &Ring, kind: u32, start: usize, size: usize) -> usize {
    let is_within = |field: &Field| field.at >= start && field.at + field.size <= start + size;
    let moved = |field: Field| Field { at: field.at - start, ..field };
    let fields: Vec<Field> = FIELDS.take().into_iter().filter(is_within).map(moved).collect();
    let mut record = vec![0; size + BEHIND];
    ring.read(start, &mut record);
    let left = (LAPIS_CX_FAULT_INJECTOR.corrupt)(kind, &mut record, size, &fields).min(size + BEHIND);
    ring.write(start, record.get(..left.max(size)).unwrap_or_default());
    left
}

/// Returns whether each reply to a callback lists all objects, regions and registrations as ended.
pub(crate) fn ends_everything() -> bool {
    (LAPIS_CX_FAULT_INJECTOR.ends_everything)()
}

/// Returns whether a guest that lost its worker connects again.
pub(crate) fn reconnects() -> bool {
    (LAPIS_CX_FAULT_INJECTOR.reconnects)()
}
