//! Provisional ids: the guest assigns them to objects of asynchronous calls before the worker creates the objects.

use std::collections::{BTreeSet, HashMap};
use std::sync::PoisonError;

use crate::locks::{Condvar, Mutex, MutexGuard, guard};
use crate::protocol::MOST;

/// The state of an object with a provisional id, after its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// The library's value of the object.
    Made(u64),
    /// The call failed.
    Failed,
}

/// Returns the identifier of a handle value that represents no object (0, or -1 to -4096): the value itself, with its sign. APIs return such
/// values for a failure.
pub(crate) fn id_without_object(bits: u64, bytes: usize) -> Option<u64> {
    let unused = 64 - 8 * bytes.clamp(4, 8);
    let id = ((bits << unused).cast_signed() >> unused).cast_unsigned();
    is_without_object(id).then_some(id)
}

/// Returns whether an identifier represents no object, as [`id_without_object`] defines.
pub(crate) fn is_without_object(id: u64) -> bool {
    id == 0 || id >= 4096_u64.wrapping_neg()
}

/// Returns whether an identifier is provisional, as its highest bit indicates.
pub(crate) fn is_provisional(id: u64, bytes: usize) -> bool {
    id >> (8 * bytes.clamp(4, 8) - 1) & 1 == 1 && (bytes == 8 || id >> 32 == 0)
}

/// Converts a provisional number to an identifier with `bytes` bytes.
pub(crate) fn provisional_id(number: u64, bytes: usize) -> u64 {
    let bits = 8 * bytes.clamp(4, 8) - 1;
    1 << bits | number & ((1 << bits) - 1)
}

/// Converts a provisional id to its number.
pub(crate) fn number_of(id: u64, bytes: usize) -> u64 {
    id & ((1 << (8 * bytes.clamp(4, 8) - 1)) - 1)
}

/// Returns whether a guest may assign the id `id` of the kind `kind` to a new object of the kind `of` with `bytes` bytes.
pub(crate) fn may_name((of, bytes): (u32, usize), (kind, id): (u32, u64)) -> bool {
    let has_size = bytes == 8 || id >> 32 == 0;
    kind == of && has_size && is_provisional(id, bytes)
}

/// The objects with provisional ids.
#[derive(Default)]
pub(crate) struct Names {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    known: HashMap<(u32, u64), Named>,
    /// The numbers whose calls are over. All numbers below `first` are over, too.
    seen: BTreeSet<u64>,
    first: u64,
    /// The number of threads that wait for an object.
    waiting: usize,
    is_over: bool,
}

impl Names {
    fn state(&self) -> MutexGuard<'_, State> {
        guard(&self.state)
    }

    /// Records the result of the call that creates an object.
    pub fn name(&self, kind: u32, id: u64, number: u64, named: Named) {
        let mut state = self.state();
        // A failed call needs no entry: an unknown object whose call is over was not created.
        if let Named::Made(_) = named {
            state.known.insert((kind, id), named);
        }
        if number >= state.first {
            state.seen.insert(number);
        }
        // A guest numbers its objects in order. If it leaves out too many numbers, their calls count as over.
        if state.seen.len() > MOST as usize {
            state.first = state.seen.first().copied().unwrap_or(state.first);
        }
        while let first = state.first
            && state.seen.remove(&first)
        {
            state.first += 1;
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Returns the object of a provisional id. Blocks until the call that creates the object is over. Returns `None` for an object that ended or
    /// was not created.
    pub fn find(&self, kind: u32, id: u64, number: u64) -> Option<Named> {
        let mut state = self.state();
        loop {
            if let Some(named) = state.known.get(&(kind, id)) {
                return Some(*named);
            }
            if state.is_over || number < state.first || state.seen.contains(&number) {
                return None;
            }
            state.waiting += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
    }

    /// Returns the number of threads that wait for an object.
    pub fn waiting(&self) -> usize {
        self.state().waiting
    }

    /// Removes an object that ended.
    pub fn forget(&self, kind: u32, id: u64) {
        self.state().known.remove(&(kind, id));
    }

    /// Wakes all threads that wait for an object, and lets none wait again: the calls that create these objects will not arrive.
    pub fn end(&self) {
        self.state().is_over = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_without_object_is_the_value_with_its_sign() {
        let ids = [0, 0xffff_ffff, 0xffff_f000, 0xffff_efff, 7].map(|bits| id_without_object(bits, 4));
        assert_eq!(ids, [Some(0), Some(u64::MAX), Some(4096_u64.wrapping_neg()), None, None]);
        assert_eq!((id_without_object(u64::MAX, 8), id_without_object(0xffff_ffff, 8)), (Some(u64::MAX), None));
    }

    #[test]
    fn provisional_ids_have_the_kind_and_the_size_of_the_new_object() {
        for bytes in [4, 8] {
            let id = provisional_id(7, bytes);
            assert!(may_name((3, bytes), (3, id)));
            assert!(!may_name((3, bytes), (4, id)) && !may_name((3, 12 - bytes), (3, id)));
            assert!(!may_name((3, bytes), (3, 7)));
        }
    }

    #[test]
    fn numbers_that_a_guest_leaves_out_are_not_kept_for_ever() {
        let names = Names::default();
        for number in (1..4 * u64::from(MOST)).step_by(2) {
            names.name(0, provisional_id(number, 8), number, Named::Failed);
        }
        assert!(names.state().seen.len() <= MOST as usize);
        // A call with a number that was left out counts as over.
        assert_eq!(names.find(0, provisional_id(2, 8), 2), None);
    }
}
