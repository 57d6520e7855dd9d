//! Determines how long memory, registrations and files outlive a call, and gives them their owners when the call is over.

use super::entries::BufferEntry;
use super::frame::Retained;
use super::marshaller::Marshaller;
use super::names::id_without_object;
use super::tables::{Owner, is_function};
use crate::plan::{Buffer, Code, Lifetime, Ownership};
use crate::protocol::Ended;

/// One lifetime for all buffers with `@lifetime(static)`, so that a pointer can repeat the contents of a pointer that another member declares.
static STATIC: Lifetime = Lifetime::Static;
/// One lifetime for all buffers with `@lifetime(manual)`.
static MANUAL: Lifetime = Lifetime::Manual;

impl Marshaller<'_> {
    /// Returns the lifetime of the other side's copy of a buffer, if the copy outlives the call.
    pub(super) fn retained(&mut self, buffer: &'static Buffer) -> Option<Retained> {
        match (&buffer.lifetime, buffer.ownership) {
            (Lifetime::Call, ownership) if ownership != Ownership::MirroredStruct => self.inherited,
            (Lifetime::Static, Ownership::Borrowed) => Some(Retained { lifetime: &STATIC, scope: 0 }),
            (Lifetime::Manual, Ownership::Borrowed) => Some(Retained { lifetime: &MANUAL, scope: 0 }),
            (lifetime, _) => Some(Retained { lifetime, scope: self.keep_scope() }),
        }
    }

    /// Returns the lifetime of a registration: that of the buffer around it, unless it declares its own.
    pub(super) fn registered(&mut self, lifetime: &'static Lifetime) -> Retained {
        match (lifetime, self.inherited) {
            (Lifetime::Call, Some(inherited)) => inherited,
            (Lifetime::Call, None) => Retained { lifetime, scope: 0 },
            (_, _) => Retained { lifetime, scope: self.keep_scope() },
        }
    }

    /// Returns the owner for the lifetime of a buffer.
    pub(super) fn owner_of(&mut self, entry: &BufferEntry) -> Option<Owner> {
        match entry.lifetime {
            Lifetime::Scope(of, _) if entry.is_own_scope => Some(Owner::Scope(of.of, of.member, entry.here as u64)),
            lifetime => self.owner(lifetime, entry.scope),
        }
    }

    /// Returns the owner for a lifetime: with the owner, the memory or registration ends. Returns `None` if the expression of the lifetime has no
    /// value, or if no `once` callback is expected.
    pub(super) fn owner(&mut self, lifetime: &Lifetime, scope: usize) -> Option<Owner> {
        Some(match lifetime {
            // A copy that a call ends explicitly.
            Lifetime::Call | Lifetime::Manual => Owner::Manual,
            // Memory with `@lifetime(callback)` stays until the connection ends, because the callback may not have reached the guest yet.
            Lifetime::Callback(_) => Owner::Connection,
            Lifetime::Static => Owner::Static,
            Lifetime::Handle(of, code) => {
                let value = self.eval_in(code, scope)? as u64;
                let handle = self.stage.plan.handles.get(*of as usize)?;
                // A value without an object never ends.
                let has_end = id_without_object(value, handle.bytes).is_none();
                if has_end { Owner::Handle(*of, self.id_here(*of, value)?) } else { Owner::Static }
            }
            Lifetime::MirroredStruct(code) => {
                let address = self.eval_in(code, scope)? as usize;
                Owner::Region(self.lock().find_region(address)?.0)
            }
            Lifetime::Scope(of, code) => {
                let key = self.eval_in(code, scope)? as u64;
                if !self.lock().has_scopes(of.of, key) {
                    return None;
                }
                Owner::Scope(of.of, of.member, key)
            }
            Lifetime::Once(codes) => {
                let is_there = |code: &&Code| self.eval_in(code, scope).is_some_and(|at| is_function(at as usize));
                let calls = if codes.is_empty() { 1 } else { codes.iter().filter(is_there).count() };
                if calls == 0 {
                    return None;
                }
                Owner::Once(calls)
            }
        })
    }

    /// Returns the identifier of the object that this side represents by `value`.
    pub fn id_here(&self, of: u32, value: u64) -> Option<u64> {
        let has_memory = self.stage.plan.handles.get(of as usize).is_some_and(|handle| handle.has_memory);
        if self.is_worker() || has_memory { self.lock().known_id(of, value) } else { Some(value) }.filter(|id| *id != 0)
    }

    /// Settles a call that the program left. The library may have kept memory and functions of the call, so they get their owners as after a
    /// successful call. This side frees no blocks that the call passed, because the library may or may not have taken them.
    pub fn settle_left(&mut self, ended: &mut Vec<Ended>) {
        self.entries.keep_passed_blocks();
        self.settle(true, ended);
    }

    /// Assigns owners to the regions of an asynchronous call whose results arrive later, because calls before that can end the owners. The regions stay
    /// in use until the call is settled.
    pub fn own_regions(&mut self) {
        let (mut entries, mut unsent) = (self.entries.take(), std::mem::take(self.unsent));
        for entry in entries.iter_mut().chain(&mut unsent).filter(|one| one.region != 0 && !one.has_unknown_end) {
            if let Some(owner) = self.owner_of(entry) {
                entry.is_owned = true;
                let mut tables = self.lock();
                tables.set_may_be_freed(entry.region, entry.is_inherited);
                tables.own_region(entry.region, owner);
            }
        }
        self.entries.set(entries);
        *self.unsent = unsent;
    }

    /// Assigns owners to the regions and registrations of this call if it succeeded, and ends them if it failed. Frees the blocks that the
    /// caller passed, or the callee's copies if the call failed.
    pub fn settle(&mut self, success: bool, ended: &mut Vec<Ended>) {
        let (mut entries, mut unsent) = (self.entries.take(), std::mem::take(self.unsent));
        let mut passed = Vec::new();
        for entry in entries.drain(..).chain(unsent.drain(..)) {
            let frees = match entry.frees_on {
                // In shadow mode the library in the program's process frees the program's block, and callbacks get blocks of that library.
                Some(when) if self.side.substitutes().is_some() => !when,
                when => when == Some(success),
            };
            if frees {
                passed.push((entry.free, entry.here));
            }
            if entry.region != 0 {
                let is_kept = success || entry.is_returned;
                let is_known = is_kept && !entry.has_unknown_end && !entry.is_gone && !entry.is_owned;
                let owner = if is_known { self.owner_of(&entry) } else { None };
                let is_lasting = entry.is_returned || is_kept && entry.has_unknown_end;
                let owner = owner.or(is_lasting.then_some(Owner::Connection));
                let mut tables = self.lock();
                if owner.is_some() && is_known {
                    tables.set_may_be_freed(entry.region, entry.is_inherited);
                }
                tables.settle_region(entry.region, owner, ended);
                self.keep_ended_regions(&mut tables);
            }
        }
        self.entries.set(entries);
        *self.unsent = unsent;
        for (function, here) in passed {
            let mut tables = self.lock();
            if let (true, Some((id, 0))) = (success, tables.find_region(here)) {
                // The other side had a copy of the block from an earlier call, to which it no longer refers.
                self.record(&mut tables, |tables| tables.end_region(id, ended));
                self.keep_ended_regions(&mut tables);
            }
            drop(tables);
            self.side.free(function, here);
        }
        let mut all_kept = std::mem::take(self.kept);
        for kept in all_kept.drain(..) {
            // The worker reports the end of the use, or a call that did not keep the registration.
            let is_expected = self.is_sent && !self.is_worker() && matches!(kept.what, Ended::Registration(_));
            let owner = match kept.lifetime {
                Lifetime::Call => None,
                Lifetime::Once(_) => self.owner(kept.lifetime, kept.scope),
                lifetime => self.owner(lifetime, kept.scope).or(is_expected.then_some(Owner::Connection)),
            };
            let mut tables = self.lock();
            match (owner, kept.what) {
                (Some(owner), what) if success || is_expected => tables.keep(what, owner, ended),
                (None, _) if is_expected => {}
                (owner, Ended::Registration(id)) => {
                    let report = if let Some(Owner::Once(calls)) = owner {
                        // The guest has ended the uses of the callbacks that were called.
                        let expected = calls - tables.fail_once(id, calls, ended);
                        (expected != 0).then_some(Ended::Use(id, expected as u32))
                    } else {
                        tables.release(id, ended);
                        let has_owner = !matches!(kept.lifetime, Lifetime::Call | Lifetime::Once(_));
                        Some(if has_owner { Ended::NotKept(id) } else { Ended::Use(id, 0) })
                    };
                    ended.extend(report.filter(|_| self.is_async && self.is_worker()));
                }
                (_, what) => tables.end_use(what, ended),
            }
        }
        *self.kept = all_kept;
    }
}

/// Returns the lifetime of memory that the elements of a buffer point to: that of the buffer, unless the members declare their own.
pub(super) fn inherited_lifetime(buffer: &Buffer, lifetime: Option<Retained>) -> Option<Retained> {
    if buffer.ownership == Ownership::MirroredStruct { None } else { lifetime }
}
