//! Registrations: functions of the program that the library can call, with their userdata.

use super::{MOST, Owner, Tables};
use crate::marshal::memory::Allocation;
use crate::protocol::Ended;

/// Functions of the program that the worker may call, with their userdata.
#[derive(Clone, Debug)]
pub(crate) struct Registration {
    /// Pairs of callback type and function address.
    pub functions: Vec<(u32, usize)>,
    pub userdata: usize,
    /// The number of uses: running calls and owners. The registration ends with the last use.
    pub(super) uses: usize,
    /// The number of replies that may still name the registration after its last use.
    holds: usize,
    /// The number of asynchronous callbacks that the worker sent. The guest knows it from [`Ended::Callbacks`].
    sent: u64,
    /// On the guest: the number of asynchronous callbacks that are over.
    finished: u64,
    pub(super) owners: Vec<Owner>,
    /// The number of calls that use the registration, or that may have given it an owner. Without such calls it has no owners. The guest gives
    /// it the owners of an asynchronous call before the call has succeeded.
    pub(super) calls: usize,
    /// The number of expected calls of `once` callbacks. Each of them is a use.
    pub(super) due: usize,
    /// The number of calls of `once` callbacks that are not assigned yet. They count for the running calls that use the registration first, and
    /// then for the expected calls.
    pub(super) called: usize,
    /// On the worker: the address that the library gets as userdata.
    pub address: usize,
}

/// Returns whether a function can be at an address. The first and the last page of memory contain no functions: APIs use their addresses for
/// constants such as `SIG_IGN` and `SQLITE_TRANSIENT`.
pub(crate) fn is_function(address: usize) -> bool {
    (CONSTANTS..0_usize.wrapping_sub(CONSTANTS)).contains(&address)
}

const CONSTANTS: usize = 4096;

/// Numbers of registrations have 31 bits.
const MOST_REGISTRATIONS: u32 = u32::MAX >> 1;

impl Tables {
    /// On the guest: returns the number of the trampoline of a function, starting at 1, and assigns one if there is a free trampoline. Otherwise
    /// returns 0, for the trampoline that all other functions of the callback type share.
    pub fn slot_of(&mut self, callback: u32, function: usize) -> u32 {
        let known = self.functions.entry(callback).or_default();
        let at = known.iter().position(|one| *one == function).unwrap_or(known.len());
        if at == lapis_cx_plan::TRAMPOLINES as usize {
            return 0;
        }
        if at == known.len() {
            known.push(function);
        }
        at as u32 + 1
    }

    /// On the guest: returns the function of a trampoline.
    pub fn function_of(&self, callback: u32, slot: u32) -> Option<usize> {
        self.functions.get(&callback)?.get(slot.checked_sub(1)? as usize).copied()
    }

    /// On the guest: returns the id of a registration of functions with userdata, and adds one use. Uses an existing registration that contains
    /// these functions, or creates one.
    pub fn register(&mut self, functions: &[(u32, usize)], userdata: usize) -> u32 {
        // A registration without uses is not used again: the worker has ended it, and counts the callbacks of a new registration from 0.
        let has_all = |one: &Registration| functions.iter().all(|function| one.functions.contains(function));
        let fits = |one: &Registration| one.uses > 0 && one.userdata == userdata && has_all(one);
        let known = self.by_userdata.get(&userdata).into_iter().flatten();
        let fitting = known.filter_map(|id| self.registrations.get(id).filter(|one| fits(one)).map(|one| (one, *id)));
        if let Some((_, id)) = fitting.min_by_key(|(one, id)| (one.functions.len(), *id)) {
            self.registrations.entry(id).and_modify(Registration::begin_call);
            return id;
        }
        self.last_registration = (self.last_registration.wrapping_add(1) & MOST_REGISTRATIONS).max(1);
        let id = self.last_registration;
        self.registrations.insert(id, Registration::new(functions.to_vec(), userdata, 0));
        self.by_userdata.entry(userdata).or_default().insert(id);
        id
    }

    /// On the worker: returns the userdata address of a registration of the guest and adds one use.
    pub fn use_registration(&mut self, id: u32) -> Option<usize> {
        if let Some(known) = self.registrations.get_mut(&id) {
            known.begin_call();
            return Some(known.address);
        }
        if self.registrations.len() >= MOST {
            return None;
        }
        // The allocation provides a unique address. Its memory is never read.
        let memory = Allocation::zeroed(1)?;
        let address = memory.address();
        self.userdata_memory.insert(id, memory);
        self.by_userdata_address.insert(address, id);
        self.registrations.insert(id, Registration::new(Vec::new(), 0, address));
        Some(address)
    }

    /// On the worker: returns the registration with a userdata address.
    pub fn registration_at(&self, address: usize) -> Option<u32> {
        self.by_userdata_address.get(&address).copied()
    }

    /// Records the call of a `once` callback.
    pub fn called_once(&mut self, id: u32, ended: &mut Vec<Ended>) {
        let Some(one) = self.registrations.get_mut(&id) else { return };
        one.called += 1;
        one.end_called();
        self.end_if_unused(id, ended);
    }

    /// Ends the use of a registration by a call that failed and registered this many `once` callbacks. Returns how many of them the library has
    /// called. These calls do not count for callbacks that other calls of the program still expect.
    pub fn fail_once(&mut self, id: u32, callbacks: usize, ended: &mut Vec<Ended>) -> usize {
        let Some(one) = self.registrations.get_mut(&id) else { return 0 };
        let called = one.called.min(callbacks);
        one.called -= called;
        self.release(id, ended);
        called
    }

    /// Removes expected calls of `once` callbacks, because the asynchronous call that registered them failed.
    pub(super) fn end_expected(&mut self, id: u32, calls: u32, ended: &mut Vec<Ended>) {
        let Some(one) = self.registrations.get_mut(&id) else { return };
        let calls = (calls as usize).min(one.due);
        one.due -= calls;
        self.end_uses(id, calls, ended);
    }

    /// Removes an owner. The other side is notified of the end of every owner except scopes, so the end of the last scope is added to `ended`.
    pub(super) fn leave_registration(&mut self, id: u32, owner: Owner, ended: &mut Vec<Ended>) {
        let Some(one) = self.registrations.get_mut(&id) else { return };
        let Some(at) = one.owners.iter().position(|known| *known == owner) else { return };
        one.owners.swap_remove(at);
        let is_scope = |owner: &Owner| matches!(owner, Owner::Scope(..));
        if is_scope(&owner) && !one.owners.iter().any(is_scope) {
            ended.push(Ended::Registration(id));
        }
        self.end_uses(id, 1, ended);
    }

    /// Removes all scopes from the owners, because the other side reported that the last of them ended.
    pub(super) fn leave_scopes(&mut self, id: u32, ended: &mut Vec<Ended>) {
        self.leave_owners(id, |owner| matches!(owner, Owner::Scope(..)), ended);
    }

    fn leave_owners(&mut self, id: u32, is_left: impl Fn(&Owner) -> bool, ended: &mut Vec<Ended>) {
        let Some(one) = self.registrations.get_mut(&id) else { return };
        let owners: Vec<Owner> = one.owners.extract_if(.., |owner| is_left(owner)).collect();
        for owner in &owners {
            if let Some(owned) = self.owned.get_mut(owner) {
                owned.remove(&Ended::Registration(id));
            }
        }
        self.end_uses(id, owners.len(), ended);
    }

    /// Records that a call is over and did not give a registration an owner.
    pub(super) fn end_call(&mut self, id: u32, ended: &mut Vec<Ended>) {
        let Some(one) = self.registrations.get_mut(&id) else { return };
        one.calls = one.calls.saturating_sub(1);
        if one.calls == 0 {
            self.leave_owners(id, |_| true, ended);
        }
    }

    /// Removes a registration that was [held](Tables::held), unless it has new uses.
    pub fn end_hold(&mut self, id: u32) {
        if let Some(one) = self.registrations.get_mut(&id) {
            one.holds = one.holds.saturating_sub(1);
            self.remove_if_over(id);
        }
    }

    /// Ends the use of a registration by a call that did not give it an owner.
    pub fn release(&mut self, id: u32, ended: &mut Vec<Ended>) {
        self.end_call(id, ended);
        self.end_uses(id, 1, ended);
    }

    /// Ends uses of a registration, and the registration with its last use. The worker then reports how many asynchronous callbacks it sent:
    /// callbacks on other channels may arrive after the reply that ends the registration.
    pub(super) fn end_uses(&mut self, id: u32, uses: usize, ended: &mut Vec<Ended>) {
        let Some(one) = self.registrations.get_mut(&id) else { return };
        one.uses = one.uses.saturating_sub(uses);
        one.end_called();
        self.end_if_unused(id, ended);
    }

    fn end_if_unused(&mut self, id: u32, ended: &mut Vec<Ended>) {
        let is_worker = self.is_worker;
        let Some(one) = self.registrations.get_mut(&id) else { return };
        if one.uses == 0 && is_worker && one.sent != 0 {
            ended.push(Ended::Callbacks(id, std::mem::take(&mut one.sent)));
        }
        self.remove_if_over(id);
    }

    /// Records asynchronous callbacks: on the worker those that it sent, on the guest those that the worker reported as sent.
    pub fn sent_callbacks(&mut self, id: u32, count: u64) {
        if let Some(one) = self.registrations.get_mut(&id) {
            one.sent = one.sent.saturating_add(count);
            self.remove_if_over(id);
        }
    }

    /// On the guest: records that an asynchronous callback is over.
    pub fn finished_callback(&mut self, id: u32) {
        if let Some(one) = self.registrations.get_mut(&id) {
            one.finished += 1;
            self.remove_if_over(id);
        }
    }

    fn remove_if_over(&mut self, id: u32) {
        let Some(one) = self.registrations.get_mut(&id) else { return };
        // If the guest has run more callbacks than the worker has reported, the worker still has the registration.
        if one.uses == 0 && one.holds == 0 && (self.is_worker || one.finished == one.sent) {
            if let Some(held) = &mut self.held {
                one.holds += 1;
                return held.push(id);
            }
            self.by_userdata_address.remove(&one.address);
            self.userdata_memory.remove(&id);
            if let Some(known) = self.by_userdata.get_mut(&one.userdata)
                && known.remove(&id)
                && known.is_empty()
            {
                self.by_userdata.remove(&one.userdata);
            }
            self.registrations.remove(&id);
        }
    }
}

impl Registration {
    fn begin_call(&mut self) {
        self.uses += 1;
        self.calls += 1;
    }

    /// Adds a use for each of `calls` calls of `once` callbacks that was not made yet.
    pub(super) fn expect_calls(&mut self, calls: usize) {
        let made = self.called.min(calls);
        self.called -= made;
        self.due += calls - made;
        self.uses += calls - made;
    }

    /// Ends one use for each expected call that was made, unless a running call uses the registration: the calls may count for that call.
    fn end_called(&mut self) {
        if self.uses <= self.owners.len() + self.due {
            let made = std::mem::take(&mut self.called).min(self.due);
            self.due -= made;
            self.uses = self.uses.saturating_sub(made);
        }
    }

    fn new(functions: Vec<(u32, usize)>, userdata: usize, address: usize) -> Registration {
        Registration {
            functions,
            userdata,
            uses: 1,
            holds: 0,
            sent: 0,
            finished: 0,
            owners: Vec::new(),
            calls: 1,
            due: 0,
            called: 0,
            address,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registration_lasts_as_long_as_its_last_use() {
        let mut tables = Tables::default();
        let (one, other) = (tables.register(&[(0, 0x1000)], 7), tables.register(&[(0, 0x1000)], 8));
        assert_ne!(one, other);
        // A registration of more functions contains those of one.
        let several = tables.register(&[(0, 0x2000), (1, 0x3000)], 7);
        assert_eq!(tables.register(&[(1, 0x3000)], 7), several);
        assert_ne!(tables.register(&[(1, 0x4000)], 7), several);
        // Two calls use the registration at the same time.
        assert_eq!(tables.register(&[(0, 0x1000)], 7), one);
        tables.end_use(Ended::Registration(one), &mut Vec::new());
        assert!(tables.registrations.contains_key(&one));
        // The second call keeps it for two objects. The third call has an owner that keeps it already.
        let what = Ended::Registration(one);
        tables.keep(what, Owner::Handle(0, 1), &mut Vec::new());
        assert_eq!(tables.register(&[(0, 0x1000)], 7), one);
        tables.keep(what, Owner::Handle(0, 2), &mut Vec::new());
        assert_eq!(tables.register(&[(0, 0x1000)], 7), one);
        tables.keep(what, Owner::Handle(0, 2), &mut Vec::new());
        tables.end_owned(Owner::Handle(0, 1), &mut Vec::new());
        assert!(tables.registrations.contains_key(&one));
        tables.end_owned(Owner::Handle(0, 2), &mut Vec::new());
        assert!(!tables.registrations.contains_key(&one) && tables.registrations.contains_key(&other));
    }

    #[test]
    fn once_callback_ends_whether_it_is_called_before_or_after_its_call_is_over() {
        for is_kept_first in [true, false] {
            let mut tables = Tables::default();
            // Two calls have the same function and userdata.
            let ids = [(); 2].map(|()| tables.register(&[(0, 0x1000)], 7));
            for id in ids {
                if is_kept_first {
                    tables.keep(Ended::Registration(id), Owner::Once(1), &mut Vec::new());
                } else {
                    tables.called_once(id, &mut Vec::new());
                }
            }
            assert!(tables.registrations.contains_key(&ids[0]));
            for id in ids {
                if is_kept_first {
                    tables.called_once(id, &mut Vec::new());
                } else {
                    tables.keep(Ended::Registration(id), Owner::Once(1), &mut Vec::new());
                }
            }
            assert!(tables.registrations.is_empty());
        }
    }

    #[test]
    fn registration_kept_by_asynchronous_calls_ends_when_all_of_them_failed() {
        let mut tables = Tables::default();
        let failed = |tables: &mut Tables, id| tables.end(Ended::NotKept(id), &mut Vec::new());
        for is_reported_first in [true, false] {
            let ids = [(); 3].map(|()| tables.register(&[(0, 0x1000)], 7));
            assert!(ids.iter().all(|id| *id == ids[0]));
            for (n, id) in (1..).zip(ids) {
                if is_reported_first {
                    failed(&mut tables, id);
                }
                tables.keep(Ended::Registration(id), Owner::Handle(0, n), &mut Vec::new());
            }
            if !is_reported_first {
                ids[1..].iter().for_each(|id| failed(&mut tables, *id));
                assert!(tables.registrations.contains_key(&ids[0]));
                failed(&mut tables, ids[0]);
            }
            assert!(tables.registrations.is_empty());
        }
    }

    #[test]
    fn once_callback_of_a_failed_call_does_not_end_that_of_an_earlier_call() {
        let mut tables = Tables::default();
        let id = tables.register(&[(0, 0x1000)], 7);
        tables.keep(Ended::Registration(id), Owner::Once(1), &mut Vec::new());
        // The library calls the callback of a call that fails, and none of another one.
        for is_called in [true, false] {
            assert_eq!(tables.register(&[(0, 0x1000)], 7), id);
            if is_called {
                tables.called_once(id, &mut Vec::new());
            }
            assert_eq!(tables.fail_once(id, 1, &mut Vec::new()), usize::from(is_called));
            assert!(tables.registrations.contains_key(&id));
        }
        // The third call expects its callback too; the library calls both while a fourth call runs, which succeeds.
        for calls in [0, 3] {
            assert_eq!(tables.register(&[(0, 0x1000)], 7), id);
            (0..calls).for_each(|_| tables.called_once(id, &mut Vec::new()));
            assert!(tables.registrations.contains_key(&id));
            tables.keep(Ended::Registration(id), Owner::Once(1), &mut Vec::new());
        }
        assert!(tables.registrations.is_empty());
    }

    #[test]
    fn once_callback_of_an_asynchronous_call_that_failed_is_expected_no_more() {
        let mut tables = Tables::default();
        let id = tables.register(&[(0, 0x1000)], 7);
        tables.keep(Ended::Registration(id), Owner::Once(1), &mut Vec::new());
        // The guest expects the callback of an asynchronous call until the worker reports that the call failed.
        assert_eq!(tables.register(&[(0, 0x1000)], 7), id);
        tables.keep(Ended::Registration(id), Owner::Once(1), &mut Vec::new());
        tables.end(Ended::Use(id, 1), &mut Vec::new());
        // The callback of a call that fails leaves the first call's callback.
        assert_eq!(tables.register(&[(0, 0x1000)], 7), id);
        tables.called_once(id, &mut Vec::new());
        assert_eq!(tables.fail_once(id, 1, &mut Vec::new()), 1);
        assert!(tables.registrations.contains_key(&id));
        tables.called_once(id, &mut Vec::new());
        assert!(tables.registrations.is_empty());
    }
}
