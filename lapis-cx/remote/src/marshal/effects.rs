//! Applies the effects of a call beyond its arguments: objects, scopes and memory end, and metadata is stored.

use super::marshaller::Marshaller;
use super::tables::Owner;
use crate::plan::{Call, Effect, Lifetime};
use crate::protocol::Ended;

impl<'a> Marshaller<'a> {
    /// On the callee: applies the effects of a call after it returned. If it succeeded, scopes, owned objects and memory end, in this
    /// order.
    pub fn finish(&mut self, call: &'static Call, success: bool, ended: &mut Vec<Ended>) {
        self.end_descriptors(success, ended);
        if success {
            self.each_ending_scope(call, |marshaller, scope| {
                let mut tables = marshaller.lock();
                tables.end_owned(scope, ended);
                marshaller.in_use.extend(tables.take_over());
            });
        }
        self.take_references(success, ended);
        if success {
            for here in self.ending() {
                let mut tables = self.lock();
                if let Some((id, 0)) = tables.find_region(here) {
                    tables.end_region(id, ended);
                    self.in_use.extend(tables.take_over());
                }
            }
        }
    }

    /// Calls `then` for each scope that ends with a successful call.
    fn each_ending_scope(&mut self, call: &'static Call, mut then: impl FnMut(&mut Self, Owner)) {
        for effect in &call.effects {
            if let Effect::Ends(scope, code) = &effect.then
                && self.holds(effect.condition.as_ref())
                && let Some(key) = self.eval(code)
            {
                then(self, Owner::Scope(scope.of, scope.member, key as u64));
            }
        }
    }

    /// Returns the addresses of the memory that ends with the call.
    fn ending(&self) -> Vec<usize> {
        let all = self.entries.iter().chain(&*self.unsent);
        all.filter(|entry| entry.ends_twin).map(|entry| entry.here).collect()
    }

    /// On the guest: removes the regions that a sent asynchronous call ends, or whose object or scope it ends. The program may reuse their
    /// addresses before the worker ends them. If the call fails, the worker keeps its copies as long as the connection.
    pub fn forget_ending(&mut self, call: &'static Call) {
        let released = self.handles.iter().filter(|entry| entry.value.on.is_none());
        let mut owners: Vec<Owner> = released.map(|entry| Owner::Handle(entry.of, entry.id)).collect();
        self.each_ending_scope(call, |_, scope| owners.push(scope));
        let own = self.ending();
        let mut tables = self.lock();
        let own = own.into_iter().filter_map(|here| tables.find_region(here)).filter(|(_, offset)| *offset == 0);
        let mut regions: Vec<u32> = own.map(|(id, _)| id).collect();
        for one in owners.iter().flat_map(|owner| tables.owned_by(*owner)) {
            if let Ended::Region(id) = one {
                regions.push(*id);
            }
        }
        regions.into_iter().for_each(|id| tables.end_region(id, &mut Vec::new()));
        self.in_use.extend(tables.take_over());
    }

    /// Updates the reference counts of objects that the call created or released.
    fn take_references(&mut self, success: bool, ended: &mut Vec<Ended>) {
        for n in 0..self.handles.len() {
            let entry = self.handles[n];
            let happens = match &entry.value.on {
                Some(code) => self.eval_in(code, entry.own).is_some_and(|value| value != 0),
                None => success,
            };
            if happens {
                let mut tables = self.lock();
                let is_last = tables.refer(entry.of, entry.id, entry.bytes, !entry.is_own);
                if is_last && entry.is_own {
                    tables.end(Ended::Object(entry.of, entry.id), ended);
                    self.in_use.extend(tables.take_over());
                }
            }
        }
        if let Some(names) = self.side.names() {
            for one in ended.iter() {
                if let Ended::Object(kind, id) = one {
                    names.forget(*kind, *id);
                }
            }
        }
    }

    /// On the worker: applies the list of ended things that the reply to a callback contains. Only things end that the callback was allowed
    /// to end, as the library may use all others. Returns what the guest does not know yet.
    pub fn end_given(&mut self, call: &'static Call, success: bool, said: &[Ended]) -> Vec<Ended> {
        let mut given = Vec::new();
        let mut ended = Vec::new();
        if success {
            self.each_ending_scope(call, |marshaller, scope| {
                given.extend_from_slice(marshaller.lock().owned_by(scope))
            });
            let tables = self.lock();
            let regions = self.ending().into_iter().filter_map(|here| tables.find_region(here));
            given.extend(regions.map(|(id, _)| Ended::Region(id)));
        }
        self.take_references(success, &mut ended);
        let mut tables = self.lock();
        let mut more = Vec::new();
        for one in said.iter().filter(|one| given.contains(one)) {
            tables.end(*one, &mut more);
        }
        self.in_use.extend(tables.take_over());
        ended.extend(more.into_iter().filter(|one| matches!(one, Ended::Callbacks(..))));
        ended
    }

    /// On the worker, before the reply: ends the uses of registrations that last as long as the call.
    pub fn end_call_registrations(&mut self, success: bool, ended: &mut Vec<Ended>) {
        let mut kept = std::mem::take(self.kept);
        kept.retain(|one| match one.what {
            Ended::Registration(id) if !success || matches!(one.lifetime, Lifetime::Call) => {
                self.lock().release(id, ended);
                false
            }
            _ => true,
        });
        *self.kept = kept;
    }

    /// Stores the metadata and variables that a successful call sets.
    pub fn remember(&mut self, call: &'static Call, errno: &mut Option<i32>) {
        for effect in &call.effects {
            if let Effect::Set(store) = &effect.then
                && self.holds(effect.condition.as_ref())
            {
                // Metadata exists on both sides. All other targets are memory of the program.
                let is_here = matches!(store.target, crate::plan::Target::Metadata(..)) || !self.is_worker();
                if is_here {
                    self.store(store, errno);
                }
            }
        }
    }
}
