//! Checks claims in a program's reply to a callback against the results in the same reply. The claims are whether the program's function
//! succeeded, which conditions hold, and how many elements buffers have. The library relies on them.

use super::entries::BufferEntry;
use super::known_pointers::KnownPointer;
use super::marshaller::{DeferredCount, Marshaller};
use super::pointer::Known;
use super::side::{CallError, CallResult, NO_SIZE};
use crate::plan::{Array, Buffer, Call, Code, Value, carries_valid_only};

const VALID: &str = "the number of valid elements sent is";

impl Marshaller<'_> {
    /// Records the other side's claim whether a condition holds.
    pub(super) fn claim(&mut self, code: &'static Code, claimed: bool) {
        // Elements of one buffer repeat the same condition.
        if self.is_worker()
            && let Some(simple) = &code.facts.simple
            && !self
                .deferred
                .claims
                .last()
                .is_some_and(|(last, last_claimed)| std::ptr::eq(*last, simple) && *last_claimed == claimed)
        {
            self.deferred.claims.push((simple, claimed));
        }
    }

    /// Checks that a pointer may be null in a reply.
    pub(super) fn check_null(&mut self, buffer: &'static Buffer, name: u32) -> CallResult<()> {
        let may_be = !self.is_worker()
            || buffer.is_optional
            || buffer.until.is_none() && buffer.count.as_ref().is_none_or(|code| self.eval(code) == Some(0));
        if may_be { Ok(()) } else { Err(CallError::null(name)) }
    }

    /// Checks the number of elements of a buffer that carry contents. Buffers with an end marker are checked elsewhere.
    pub(super) fn check_valid(
        &mut self,
        buffer: &'static Buffer,
        (valid, count): (u64, u64),
        name: u32,
    ) -> CallResult<()> {
        if !self.is_worker() || buffer.until.is_some() {
            return Ok(());
        }
        let at_entry = (!buffer.is_out, carries_valid_only(buffer.is_valid_known, buffer.facts.is_flat));
        self.check_count_of_elements((buffer.valid.as_ref(), u64::MAX), at_entry, (valid, count), name)
    }

    /// Checks the number of elements of an array within a struct.
    pub(super) fn check_array(&mut self, value: &Value, array: &'static Array, sent: u64) -> CallResult<()> {
        if !self.is_worker() {
            return Ok(());
        }
        let count = self.count(&array.count, value.name)?;
        let has_valid_only = value.copy_in && carries_valid_only(array.is_valid_known, array.facts.is_flat);
        let at_entry = (value.copy_in && !value.copy_out, has_valid_only);
        self.check_count_of_elements((array.valid.as_ref(), count), at_entry, (sent, count), value.name)
    }

    /// Compares a received element count with the count that this side computes. If that count depends on results, the comparison is deferred to
    /// [`check_claims`](Marshaller::check_claims), and `limit` caps the computed count. `at_entry` is as for
    /// [`carried_at_entry`](Marshaller::carried_at_entry).
    fn check_count_of_elements(
        &mut self,
        (valid, limit): (Option<&'static Code>, u64),
        at_entry: (bool, bool),
        (received, count): (u64, u64),
        name: u32,
    ) -> CallResult<()> {
        if let Some(code) = valid.filter(|_| !self.stage.is_entry) {
            // The values that the expression reads may not be decoded yet.
            self.defer_count(code, (received, limit), name);
            return Ok(());
        }
        let expected = self.carried_at_entry(valid, at_entry, count, name)?;
        if received == expected { Ok(()) } else { Err(CallError::Differs(VALID, name, received, expected)) }
    }

    /// Records a received element count, which is checked once all results are decoded.
    fn defer_count(&mut self, code: &'static Code, (received, limit): (u64, u64), name: u32) {
        let scope = self.keep_scope();
        self.deferred.counts.push(DeferredCount { code, scope, received, limit, name });
    }

    /// Checks that a buffer with an end marker contains the marker, or is filled up to its capacity.
    pub(super) fn check_end_of_out(
        &mut self,
        buffer: &'static Buffer,
        here: usize,
        (valid, count): (u64, u64),
        name: u32,
    ) -> CallResult<()> {
        match (&buffer.valid, self.check_end(buffer, here, (valid, count), name)) {
            (Some(code), Err(_)) => {
                self.defer_count(code, (valid, u64::MAX), name);
                Ok(())
            }
            (_, checked) => checked,
        }
    }

    /// Checks a pointer that the reply reports as unchanged.
    pub(super) fn check_same(
        &mut self,
        buffer: &'static Buffer,
        entry: Option<BufferEntry>,
        name: u32,
    ) -> CallResult<()> {
        let place = entry.and_then(|entry| Known::within(entry.here, entry.bytes, 0, entry.shape, entry.accepts_data));
        self.check_known(buffer, place.ok_or(CallError::Refused("it is not the pointer of the request", name))?, name)
    }

    /// Checks that a pointer without new contents points to enough valid elements. On the guest, values that determine the required number may
    /// follow in the reply, so [`check_pointers`](Self::check_pointers) checks the number later.
    pub(super) fn check_known(&mut self, buffer: &'static Buffer, place: Known, name: u32) -> CallResult<()> {
        if !place.fits(self.shape(buffer), buffer.stride, &self.stage.plan.layouts) {
            return Err(CallError::Refused("it points into memory of another type", name));
        }
        let last = buffer.until.as_ref().map(|until| self.last_element(&until.value, name)).transpose()?;
        let pointer = KnownPointer {
            buffer,
            here: place.here,
            bytes_left: place.bytes_left,
            last,
            scope: self.keep_scope(),
            name,
        };
        if self.is_worker() {
            let count = buffer.count.as_ref().map(|code| self.count(code, name)).transpose()?;
            return pointer.check(count);
        }
        self.charge(size_of::<KnownPointer>())?;
        self.deferred.known_pointers.push(pointer);
        Ok(())
    }

    /// On the guest, after the reply was decoded: checks that its pointers without new contents point to enough valid elements.
    pub(super) fn check_pointers(&mut self) -> CallResult<()> {
        for pointer in std::mem::take(&mut self.deferred.known_pointers) {
            self.stage.received = pointer.buffer.is_measured.then(|| pointer.elements());
            // The guest cannot evaluate expressions that read state of the worker.
            let count = pointer.buffer.count.as_ref().and_then(|code| self.eval_in(code, pointer.scope));
            self.stage.received = None;
            pointer.check(count.and_then(|count| u64::try_from(count).ok()))?;
        }
        Ok(())
    }

    /// Checks the conditions and counts that the program reported against the decoded results.
    ///
    /// # Errors
    ///
    /// Fails if a reported condition or count contradicts the results.
    ///
    /// # Safety
    ///
    /// `arguments` must be the address of the arguments of this call, and the reply must have been decoded.
    pub unsafe fn check_claims(&mut self, call: &'static Call, arguments: usize, success: bool) -> CallResult<()> {
        if !self.is_worker() {
            return Ok(());
        }
        match call.success.as_slice() {
            [] if !success => {
                return Err(CallError::Refused("the reply reports a failure, but the function cannot fail", call.name));
            }
            [only] if only.condition.is_none() => self.claim(&only.then, success),
            _ => {}
        }
        if success
            && let Some(code) = self.last(&call.success)
            && self.eval(code) == Some(0)
        {
            return Err(CallError::Refused("the reply reports a success, which the results contradict", call.name));
        }
        for DeferredCount { code, scope, received, limit, name } in std::mem::take(&mut self.deferred.counts) {
            let expected = self.eval_in(code, scope).and_then(|count| u64::try_from(count).ok());
            let expected = expected.ok_or(CallError::Refused(NO_SIZE, name))?.min(limit);
            if expected != received {
                return Err(CallError::Differs(VALID, name, received, expected));
            }
        }
        for (simple, claimed) in std::mem::take(&mut self.deferred.claims) {
            // SAFETY: the caller upholds the contract of this function.
            let holds = unsafe { simple.value(arguments) };
            if holds.is_some_and(|value| (value != 0) != claimed) {
                return Err(CallError::Refused(
                    "the results contradict a condition that the program reported",
                    call.name,
                ));
            }
        }
        Ok(())
    }
}
