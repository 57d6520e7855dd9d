//! What a program says of its function, and the worker can judge itself: whether it succeeded, and which conditions hold at exit. Of
//! what does not come back, the library would find what was there before, beside a result that says otherwise.

use super::{Fault, Walk, Walked};
use crate::plan::{Call, Code};

impl Walk<'_> {
    /// The other side says whether this holds.
    pub(super) fn claim(&mut self, code: &'static Code, claimed: bool) {
        // Elements of one buffer say the same.
        if self.is_worker()
            && let Some(simple) = &code.simple
            && !self.claims.last().is_some_and(|(last, said)| std::ptr::eq(*last, simple) && *said == claimed)
        {
            self.claims.push((simple, claimed));
        }
    }

    /// Holds what a program said against the numbers that came.
    ///
    /// # Errors
    ///
    /// It cannot be so.
    ///
    /// # Safety
    ///
    /// The arguments are the struct of this call, and were received.
    pub unsafe fn check_claims(&mut self, call: &'static Call, arguments: usize, success: bool) -> Walked<()> {
        if !self.is_worker() {
            return Ok(());
        }
        match call.success.as_slice() {
            [] if !success => return Err(Fault::Refused("it never fails, and is said to have failed", call.name)),
            [only] if only.condition.is_none() => self.claim(&only.then, success),
            _ => {}
        }
        for (simple, claimed) in std::mem::take(&mut self.claims) {
            // SAFETY: as the caller says.
            let holds = unsafe { simple.value(arguments) };
            if holds.is_some_and(|value| (value != 0) != claimed) {
                return Err(Fault::Refused("what came back says something else than the program", call.name));
            }
        }
        Ok(())
    }
}
