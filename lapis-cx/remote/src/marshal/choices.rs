//! The cases of a `match` in requests and replies. A reply selects the case by the values after the call.

use super::entries::BufferEntry;
use super::marshaller::Marshaller;
use super::side::{CallError, CallResult};
use crate::plan::{Kind, Match, Op, Value, is_written};

/// The pointers of a case to memory that the caller passes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Memory {
    /// The case has no such pointer.
    Nothing,
    /// The callee only reads the memory.
    Read,
    /// The reply carries contents of the memory.
    Written,
}

impl Marshaller<'_> {
    /// Stores the case that a request selects, if it passes memory, for [`chosen_at_exit`](Self::chosen_at_exit).
    pub(super) fn remember_choice(
        &mut self,
        choice: &'static Match,
        at: usize,
        case: &'static Value,
    ) -> CallResult<()> {
        // If the value reads `is_in`, the specification itself distinguishes request and reply.
        if choice.value.ops.contains(&Op::IsEntry) || self.memory_of(case) == Memory::Nothing {
            return Ok(());
        }
        self.charge(size_of::<[usize; 8]>())?;
        let place = self.address_in_reply(self.stage.scopes.innermost().this);
        self.stage.scopes.add_choice(choice, place, at);
        Ok(())
    }

    /// Returns the case that a reply selects, or `None` if the specification does not describe it. `copy_out` is whether the reply carries the value.
    ///
    /// # Errors
    ///
    /// The callee changed the value that selects the case, and may have written memory that the caller passed for this call only. The new case does
    /// not describe this memory, so its contents would be lost.
    pub(super) fn chosen_at_exit(
        &mut self,
        value: &'static Value,
        choice: &'static Match,
        copy_out: bool,
    ) -> CallResult<Option<&'static Value>> {
        if copy_out && value.copy_out {
            self.leave_out(value, (0, 0));
        }
        let (at, reads) = self.choose_by(choice);
        let chosen = at.and_then(|at| choice.case(at));
        if let Some(case) = chosen.filter(|_| copy_out) {
            self.select(reads, case);
        }
        let Some(before) = self.stage.scopes.choice(choice).and_then(|at| choice.case(at)).filter(|_| copy_out) else {
            return Ok(chosen);
        };
        if chosen.is_some_and(|chosen| std::ptr::eq(chosen, before)) {
            return Ok(chosen);
        }
        let at = self.address_in_reply(self.stage.scopes.innermost().this);
        let size = self.extent(before).min(self.end.saturating_sub(at));
        let taken = self.entries.take_slots(at..at + size);
        let first = |entry: &BufferEntry| entry.repeats.map_or(entry.at, |first| self.entries[first as usize].at);
        let has_lost = taken.iter().any(|entry| first(entry).id == 0);
        if !has_lost || self.memory_of(before) != Memory::Written {
            return Ok(chosen);
        }
        let why = "the call changed the value that selects its type, but the memory is that of the type before; select by `old(…)`";
        Err(CallError::Refused(why, value.name))
    }

    /// Returns the pointers that a value contains.
    fn memory_of(&self, value: &'static Value) -> Memory {
        match &value.kind {
            Kind::Buffer(buffer) if is_written(buffer) && !buffer.is_constant => Memory::Written,
            Kind::Buffer(_) => Memory::Read,
            Kind::Array(array) => self.memory_of(&array.element),
            Kind::Match(choice) => choice.cases().map(|case| self.memory_of(case)).max().unwrap_or(Memory::Nothing),
            Kind::Block(id) => {
                let values = self.block(*id).map_or(&[][..], |block| &block.values);
                values.iter().map(|value| self.memory_of(value)).max().unwrap_or(Memory::Nothing)
            }
            _ => Memory::Nothing,
        }
    }
}
