//! CXUs that are written in Rust, where there is no runtime that registers them: in firmware.

use core::marker::PhantomData;
use core::slice;

use super::{Contract, Cxu};
use crate::{CsrOp, Error, Reply, Response, RustCxu, Sharing, SoftFlags, Word};

/// A CXU in Rust with its state contexts: an array or a slice of states, which is empty if it has none. A panic in it is a panic
/// of the firmware.
#[derive(Debug)]
pub struct RustUnit<C, M> {
    states: M,
    cxu: PhantomData<C>,
}

impl<C: RustCxu, M: AsRef<[C::State]> + AsMut<[C::State]>> RustUnit<C, M> {
    /// Each of the states is brought to its reset values.
    pub fn new(mut states: M) -> Self {
        states.as_mut().fill(C::RESET);
        RustUnit { states, cxu: PhantomData }
    }

    /// Runs `work` with a state. `None` if there is no such.
    fn with<R>(&mut self, state_id: u8, work: impl FnOnce(&mut C::State) -> R) -> Option<R> {
        if C::SHARING == Sharing::Stateless {
            // It holds nothing, so that one is as good as another.
            return Some(work(&mut C::RESET.clone()));
        }
        self.states.as_mut().get_mut(usize::from(state_id)).map(work)
    }

    /// Words of an image, the status word too.
    fn words(image_len: usize) -> Option<usize> {
        let count = usize::try_from(C::STATE_WORDS).ok()?.checked_add(1)?;
        (count <= image_len.checked_mul(size_of::<u64>())? / size_of::<C::Word>()).then_some(count)
    }
}

impl<C: RustCxu, M: AsRef<[C::State]> + AsMut<[C::State]>> Cxu for RustUnit<C, M> {
    fn contract(&self) -> Contract {
        Contract {
            uuid: C::UUID,
            xlen: C::Word::BITS,
            sharing: C::SHARING,
            state_words: C::STATE_WORDS,
            has_state_context: C::FLAGS & SoftFlags::STATE_CONTEXT != 0,
        }
    }

    fn contexts(&self) -> usize {
        if C::SHARING == Sharing::Stateless { 0 } else { self.states.as_ref().len() }
    }

    fn issue(&mut self, state_id: u8, function: u32, rs1: usize, rs2: usize) -> Reply {
        let done = self.with(state_id, |state| C::issue(state, function, rs1, rs2));
        done.unwrap_or(Reply { value: 0, response: Response::State })
    }

    fn csr(&mut self, state_id: u8, op: CsrOp, address: u32, value: usize) -> Reply {
        let done = self.with(state_id, |state| C::csr(state, op, address, value));
        done.unwrap_or(Reply { value: 0, response: Response::State })
    }

    fn flex(&self, function: u32, fields: u32, rs2: usize) -> (u32, usize) {
        C::flex(function, fields, rs2)
    }

    fn reset(&mut self, state_id: u8) {
        self.with(state_id, |state| *state = C::RESET);
    }

    fn save(&mut self, state_id: u8, image: &mut [u64]) -> Result<(), Error> {
        let count = Self::words(image.len()).ok_or(Error::Invalid)?;
        // SAFETY: there is room for `count` words, each an unsigned integer that is no more aligned than a `u64`. Any bytes are
        // one, and nobody else has the memory.
        let words = unsafe { slice::from_raw_parts_mut(image.as_mut_ptr().cast::<C::Word>(), count) };
        self.with(state_id, |state| C::save(state, words)).ok_or(Error::Cxu)
    }

    fn restore(&mut self, state_id: u8, image: &[u64]) -> Result<(), Error> {
        let count = Self::words(image.len()).ok_or(Error::Invalid)?;
        // SAFETY: as for `save`; nobody writes the memory meanwhile.
        let words = unsafe { slice::from_raw_parts(image.as_ptr().cast::<C::Word>(), count) };
        self.with(state_id, |state| C::restore(state, words)).ok_or(Error::Cxu)
    }
}
