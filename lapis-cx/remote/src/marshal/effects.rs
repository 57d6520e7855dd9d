//! Applies the effects of a call beyond its arguments: objects, scopes and memory end, and metadata is stored.

use super::access::{bytes, load};
use super::ended_memory::{EndedMemory, OwnMemory};
use super::entries::BufferEntry;
use super::intervals::OuterRanges;
use super::marshaller::Marshaller;
use super::side::{CallError, CallResult};
use super::tables::{EndedNow, Owner, Tables};
use crate::plan::{Call, Effect, Kind, Lifetime, Scalar, Target};
use crate::protocol::Ended;

impl<'a> Marshaller<'a> {
    /// Applies the effects of a call that returned: on the callee, and on the worker also those of a callback. If the call succeeded, scopes, owned
    /// objects and memory end, in this order.
    pub fn finish(&mut self, call: &'static Call, success: bool, ended: &mut Vec<Ended>) {
        if success {
            self.each_ending_scope(call, |marshaller, scope| marshaller.end(|tables| tables.end_owned(scope, ended)));
        }
        let returned = if success && !self.is_async { self.new_results(call) } else { Vec::new() };
        self.take_references(success, &returned, ended);
        if success {
            for here in self.ending() {
                self.end(|tables| {
                    if let Some((id, 0)) = tables.find_region(here) {
                        tables.end_explicitly(id, ended);
                    }
                });
            }
        }
    }

    /// Ends entries of the tables with `then`. Their memory, and registrations on the worker, stay until the call is over, because the reply may
    /// refer to them.
    fn end(&mut self, then: impl FnOnce(&mut Tables)) {
        let mut tables = self.lock();
        tables.held = self.is_worker().then(Vec::new);
        self.record(&mut tables, then);
        self.effects.held.extend(tables.held.take().unwrap_or_default());
        self.keep_ended_regions(&mut tables);
    }

    /// Changes the tables with `then`, and records what ends if calls wait for a callback in which this call is made.
    pub(super) fn record<T>(&mut self, tables: &mut Tables, then: impl FnOnce(&mut Tables) -> T) -> T {
        let Some(ended) = &mut self.effects.ended else { return then(tables) };
        tables.ended_now = Some(std::mem::take(&mut ended.now));
        let result = then(tables);
        ended.now = tables.ended_now.take().unwrap_or_default();
        result
    }

    /// On the guest: ends what a successful call ends by name and the worker does not report: scopes, and `@lifetime(manual)` of the program's memory.
    pub fn end_named(&mut self, call: &'static Call) {
        let mut scopes = Vec::new();
        self.each_ending_scope(call, |_, scope| scopes.push(scope));
        let (memory, mut tables, mut ended) = (self.ending(), self.lock(), Vec::new());
        self.record(&mut tables, |tables| {
            for here in memory {
                // The worker refuses to end other copies of the program's memory: only copies with `Owner::Manual` last until such a call.
                if let Some((id, 0)) = tables.find_region(here)
                    && tables.region(id).is_some_and(|one| one.memory.is_none() && one.owners.contains(&Owner::Manual))
                {
                    tables.end_manual(id, &mut ended);
                }
            }
            scopes.into_iter().for_each(|scope| tables.end_own_regions(scope, &mut ended));
        });
        self.keep_ended_regions(&mut tables);
    }

    /// On the guest: removes everything that the worker reported as ended. It does not report regions that calls around this call still use.
    pub fn forget(&mut self, ended: &[Ended]) {
        let mut tables = self.lock();
        self.record(&mut tables, |tables| tables.forget(ended));
    }

    /// On the worker, after the reply: removes the registrations that ended with the call.
    pub fn end_held(&mut self) {
        let held = std::mem::take(&mut self.effects.held);
        held.into_iter().for_each(|id| self.lock().end_hold(id));
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
        all.filter(|entry| entry.ends_region).map(|entry| entry.here).collect()
    }

    /// On the guest: returns whether the call may end memory that both sides have, if it succeeds. An object counts as the parent of all objects of the
    /// kinds that end with its kind, because only the worker knows the parents.
    pub fn may_end_memory(&mut self, call: &'static Call) -> bool {
        let mut scopes = Vec::new();
        self.each_ending_scope(call, |_, scope| scopes.push(scope));
        let (ending, plan) = (self.ending(), self.stage.plan);
        let mut owners = Vec::new();
        let tables = self.lock();
        for one in self.handles.iter().filter(|one| one.is_own) {
            owners.push(Owner::Handle(one.of, one.id)..=Owner::Handle(one.of, one.id));
            scopes.extend(tables.scopes_of(one.of, one.id));
            for kind in plan.kinds_that_end_with(one.of) {
                owners.push(Owner::Handle(kind, 0)..=Owner::Handle(kind, u64::MAX));
                owners.extend(tables.scopes_of_kind(kind));
            }
        }
        owners.extend(scopes.into_iter().map(|scope| scope..=scope));
        ending.into_iter().any(|here| tables.find_region(here).is_some())
            || owners.into_iter().any(|range| tables.owns_memory(range))
    }

    /// Keeps the contents of the buffers that go in and come back, also in parts, and are no regions, before a function runs that may change them. The
    /// reply then brings only what the other side has changed. `callbacks` is the number of callbacks so far, if none runs.
    pub fn keep_contents(&mut self, callbacks: Option<u64>) {
        if self.effects.before.is_some() {
            return;
        }
        self.effects.callbacks = callbacks;
        let comes_back = |entry: &&BufferEntry| {
            entry.at.id == 0 && entry.is_in && entry.is_changed && entry.bytes != 0 && entry.repeats.is_none()
        };
        let contents = |entry: &BufferEntry| {
            let carried = entry.bytes / entry.count.max(1) as usize * entry.valid as usize;
            // SAFETY: the memory of the caller has this size while the call waits.
            ((entry.here, entry.bytes), unsafe { bytes(entry.here, carried.min(entry.bytes)) }.into())
        };
        self.effects.before = Some(self.entries.iter().filter(comes_back).map(contents).collect());
    }

    /// Prepares [`end_own_memory`](Self::end_own_memory) for this call or callback, around an inner call. Objects of owners must exist.
    pub fn list_own_memory(&mut self) {
        if self.effects.own_memory.is_some() {
            return;
        }
        let mut own = OwnMemory::default();
        for n in 0..self.entries.len() {
            let entry = self.entries[n];
            let BufferEntry { at, lifetime, .. } = entry;
            if at.id == 0 || self.is_theirs(at.id) {
                continue;
            }
            own.regions.insert((at.id, n));
            if !matches!(lifetime, Lifetime::Call | Lifetime::Manual)
                && let Some(owner) = self.owner_of(&entry)
            {
                own.owners.insert((owner, n), at.id);
            }
        }
        self.effects.own_memory = Some(Box::new(own));
    }

    /// Makes this call, which is made in a callback, record what it ends.
    pub fn watch_ended(&mut self) {
        let tables = self.lock_regions();
        let ends = |entry: &&BufferEntry| entry.ends_region || entry.frees_on == Some(true);
        let ending = self.entries.iter().chain(&*self.unsent).filter(ends);
        let named = ending.filter_map(|entry| tables.find_region(entry.here).map(|(id, _)| id)).collect();
        self.effects.ended = Some(Box::new(EndedMemory { named, now: EndedNow::default() }));
    }

    /// Returns what this call has ended since [`watch_ended`](Self::watch_ended).
    pub fn take_ended(&mut self) -> Option<Box<EndedMemory>> {
        self.effects.ended.take()
    }

    /// Returns the memory of this side that an asynchronous call sends, if there is any.
    pub fn take_own_memory(&mut self) -> Option<Box<OwnMemory>> {
        self.list_own_memory();
        self.effects.own_memory.take().filter(|own| !own.is_empty())
    }

    /// Records that an inner call has ended memory of this side that this call or callback sent or received. It may have been freed when the reply is
    /// made or arrives.
    pub fn end_own_memory(&mut self, ended: &EndedMemory) {
        let Some(own) = &self.effects.own_memory else { return };
        let gone = own.end(ended, &mut self.lock_regions());
        self.entries.set_gone(&gone);
    }

    /// Before the reply: removes the buffers of the request whose memory an inner call has ended, and the pointers in them. This side may have freed the
    /// memory since, and then a pointer to such an address leads to other memory.
    pub(super) fn remove_gone(&mut self) {
        let is_own =
            |entry: &&BufferEntry| entry.at.id != 0 && entry.frees_on.is_none() && !self.is_theirs(entry.at.id);
        let mut own = self.entries.iter().filter(is_own).peekable();
        if own.peek().is_none() {
            return;
        }
        let tables = self.lock_regions();
        // A region that the call uses ends only with a call that names it, perhaps of another thread.
        let is_over = |entry: &BufferEntry| tables.region(entry.at.id).map_or(entry.region != 0, |one| one.is_over);
        let mut gone = OuterRanges::default();
        own.filter(|one| one.is_gone || is_over(one)).for_each(|one| gone.add(one.here, one.end(), ()));
        drop(tables);
        if !gone.is_empty() {
            self.entries.remove_in(&gone);
        }
    }

    /// Returns kind and value of the objects that the call returns to the caller in its result or in `out` arguments.
    fn new_results(&self, call: &'static Call) -> Vec<(u32, u64)> {
        let Some(block) = self.block(call.arguments) else { return Vec::new() };
        if self.handles.iter().all(|entry| !entry.is_own) {
            return Vec::new();
        }
        let mut all = Vec::new();
        for value in &block.values {
            let slot = self.stage.arguments + value.offset;
            let (handle, here, count) = match &value.kind {
                Kind::Handle(handle) if value.copy_out && !value.copy_in => (handle, slot, 1),
                Kind::Buffer(buffer) if buffer.is_out => {
                    let Kind::Handle(handle) = &buffer.element.kind else { continue };
                    let Some(entry) = self.entries.iter().find(|entry| entry.slot == slot) else { continue };
                    (handle, entry.here, entry.count)
                }
                _ => continue,
            };
            for n in (0..count as usize).filter(|_| handle.is_new) {
                // SAFETY: the call has returned, and its results are valid at these addresses.
                let bits = unsafe { load(here + n * handle.bytes, Scalar::unsigned(handle.bytes)) };
                all.push((handle.of, bits as u64));
            }
        }
        all
    }

    /// On the worker, after the reply: releases the references to objects that the call took and returned.
    pub fn take_returned(&mut self, ended: &mut Vec<Ended>) {
        for (kind, id, bytes) in std::mem::take(&mut self.effects.given_back) {
            self.release_object((kind, id, bytes), ended);
        }
    }

    fn release_object(&mut self, (kind, id, bytes): (u32, u64, usize), ended: &mut Vec<Ended>) {
        self.end(|tables| {
            if tables.refer(kind, id, bytes, false) {
                tables.end(Ended::Object(kind, id), ended);
            }
        });
    }

    /// Updates the reference counts of objects that the call created or released. An object that the call took and returns in `returned`
    /// does not end: it is released [after the reply](Self::take_returned), which counts the reference that the caller gains.
    fn take_references(&mut self, success: bool, returned: &[(u32, u64)], ended: &mut Vec<Ended>) {
        // Adds references before it takes references: both may be to the same object.
        self.handles.sort_by_key(|entry| entry.is_own);
        for n in 0..self.handles.len() {
            let entry = self.handles[n];
            let happens = match &entry.value.on {
                Some(code) => self.eval_in(code, entry.scope).is_some_and(|value| value != 0),
                None => success,
            };
            let object = (entry.of, entry.id, entry.bytes);
            let is_returned = || {
                let tables = self.lock();
                returned.iter().any(|(of, value)| *of == entry.of && tables.known_id(*of, *value) == Some(entry.id))
            };
            match entry.is_own {
                _ if !happens => {}
                false => {
                    self.lock().refer(entry.of, entry.id, entry.bytes, true);
                }
                true if is_returned() => self.effects.given_back.push(object),
                true => self.release_object(object, ended),
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

    /// On the worker, before the reply: ends the uses of registrations that last as long as the call.
    pub fn end_call_registrations(&mut self, success: bool, ended: &mut Vec<Ended>) {
        let mut kept = std::mem::take(self.kept);
        kept.retain(|one| match one.what {
            Ended::Registration(id) if !success || matches!(one.lifetime, Lifetime::Call) => {
                match self.owner(one.lifetime, one.scope) {
                    Some(Owner::Once(calls)) => self.end(|tables| _ = tables.fail_once(id, calls, ended)),
                    _ => self.end(|tables| tables.release(id, ended)),
                }
                false
            }
            _ => true,
        });
        *self.kept = kept;
    }

    /// Takes back the references of a request that the guest did not send or the worker refused, or of which the worker has received a part.
    pub fn take_back_references(&mut self) {
        let mut tables = self.lock();
        for entry in self.entries.iter().filter(|entry| entry.counted != 0) {
            tables.take_back_reference(entry.counted);
        }
    }

    /// Stores the metadata and variables that a successful call sets.
    ///
    /// # Errors
    ///
    /// Fails if there is too much metadata.
    pub fn remember(&mut self, call: &'static Call, errno: &mut Option<i32>) -> CallResult<()> {
        for effect in &call.effects {
            let Effect::Set(store) = &effect.then else { continue };
            if !self.holds(effect.condition.as_ref()) {
                continue;
            }
            // Metadata exists on both sides. All other targets are memory of the program.
            let Target::Metadata(member, code) = &store.target else {
                if !self.is_worker() {
                    self.store(store, errno);
                }
                continue;
            };
            let value = self.eval(&store.value).unwrap_or(0);
            if let Some(key) = self.eval(code) {
                let attached = self.lock().attach(member.of, key as u64, member.member, value);
                attached.map_err(|why| CallError::Refused(why, call.name))?;
                self.effects.attached.push((member.of, key as u64));
            }
        }
        Ok(())
    }

    /// Checks that handles and memory that got metadata outlive the call. Must run after the reply was encoded or decoded, when memory that it
    /// returns is known.
    ///
    /// # Errors
    ///
    /// The other side has the memory for this call only, so it could not find the metadata in later calls.
    pub fn check_attached(&mut self) -> CallResult<()> {
        // In shadow mode the program uses the memory of the real library in its process.
        if self.side.substitutes().is_some() {
            return Ok(());
        }
        for (of, key) in std::mem::take(&mut self.effects.attached) {
            if !self.lock().keeps_attached(of, key) {
                let why = "`set` gives metadata to memory that the other side has for this call only; write `@lifetime`, or `new` for a struct";
                return Err(CallError::Refused(why, self.call));
            }
        }
        Ok(())
    }
}
