//! Computes the size of structs that end with an array of variable length. A member of the struct or an argument determines that length.

use super::marshaller::Marshaller;
use super::side::{CallError, CallResult};
use crate::plan::{Buffer, Kind, Value, is_tail};

impl Marshaller<'_> {
    /// Returns the size in bytes of `count` elements of a buffer, including an array of variable length at the end.
    ///
    /// # Safety
    ///
    /// `here` must point to `count` elements that are valid up to the array of variable length.
    pub(super) unsafe fn size(
        &mut self,
        buffer: &'static Buffer,
        here: usize,
        count: u64,
        name: u32,
    ) -> CallResult<usize> {
        let size = self.bytes(count, buffer.stride, name)?;
        if !buffer.facts.varies || count == 0 {
            return Ok(size);
        }
        if count != 1 {
            return Err(CallError::Refused("only a single element can have an array of variable length", name));
        }
        let before = self.stage.scopes.innermost();
        self.set_current_element(here, 0);
        // SAFETY: the caller upholds the contract of this function.
        let end = unsafe { self.end_of(&buffer.element, here, name)? };
        self.set_current_element(before.this, before.index);
        let size = size.max(end.saturating_sub(here));
        if size > self.limits.call { Err(self.exceeds(size, name)) } else { Ok(size) }
    }

    /// Returns the end address of the last array of variable length in a value.
    ///
    /// # Safety
    ///
    /// `at` must be the address of a value that is valid up to the array of variable length.
    unsafe fn end_of(&mut self, value: &'static Value, at: usize, name: u32) -> CallResult<usize> {
        match &value.kind {
            Kind::Array(array) if is_tail(array) => {
                let count = self.count(&array.count, name)?;
                let size = self.bytes(count, array.stride, name)?;
                at.checked_add(size).ok_or_else(|| self.exceeds(size, name))
            }
            Kind::Block(id) => {
                let Some(block) = self.block(*id).filter(|block| block.facts.varies) else { return Ok(at) };
                let mut end = at;
                self.enter(block, at);
                for value in &block.values {
                    self.set_current_value(at + value.offset);
                    // SAFETY: the caller guarantees the block at `at`; the offset is that of a value in it.
                    end = end.max(unsafe { self.end_of(value, at + value.offset, name)? });
                }
                self.leave();
                Ok(end)
            }
            Kind::Match(choice) => match self.chosen(choice) {
                // SAFETY: the caller upholds the contract of this function.
                Some(chosen) => unsafe { self.end_of(chosen, at, name) },
                None => Ok(at),
            },
            _ => Ok(at),
        }
    }
}
