//! Units: CXUs with a number of state contexts.

use super::thread::Resident;
use crate::{CsrOp, Error, Reply, Response, Selector, Sharing, SoftCxu, SoftFlags, Uuid};

/// Commands of IStateContext.
pub(super) const WRITE_STATE: u32 = 1020;
pub(super) const READ_STATE: u32 = 1021;
pub(super) const WRITE_STATUS: u32 = 1022;
pub(super) const READ_STATUS: u32 = 1023;

/// `cs` of a status word, bits 1:0.
pub(super) const CS: usize = 3;
pub(super) const OFF: usize = 0;
pub(super) const INITIAL: usize = 1;
pub(super) const CLEAN: usize = 2;

/// What a supervisor must know of a CX: of hardware it stands in a table, and a CXU in software says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Contract {
    /// Its name.
    pub uuid: Uuid,
    /// Bits of a word of state: 32 or 64.
    pub xlen: u32,
    /// Its state isolation model.
    pub sharing: Sharing,
    /// Words of state, the status word not counted; 0 without state.
    pub state_words: u32,
    /// Whether commands 1020 to 1023 are those of IStateContext, so that states can be taken out and put back.
    pub has_state_context: bool,
}

impl Contract {
    /// Bytes of a saved image, the status word and the words of state; 0 without state. `None` if no object can be so large.
    pub fn image_size(&self) -> Option<usize> {
        if self.sharing == Sharing::Stateless {
            return Some(0);
        }
        let words = usize::try_from(self.state_words).ok()?.checked_add(1)?;
        let bytes = words.checked_mul(self.xlen as usize / 8)?;
        (bytes <= isize::MAX as usize).then_some(bytes)
    }

    /// How many `u64` an image takes.
    pub(super) fn image_len(&self) -> Option<usize> {
        Some(self.image_size()?.div_ceil(size_of::<u64>()))
    }

    /// Whether so many bytes are an image: all of it is there, and its status word names the number of words (bits 11:2, which
    /// hold 1023 at most).
    pub(super) fn has_image(&self, from: &[u64], bytes: usize) -> bool {
        let is_whole = self.image_size().is_some_and(|size| size <= bytes.min(size_of_val(from)));
        let words = get(from, 0, self.xlen) >> 2 & 1023;
        is_whole
            && (self.sharing == Sharing::Stateless || self.state_words > 1023 || words == self.state_words as usize)
    }
}

impl From<&SoftCxu> for Contract {
    fn from(cxu: &SoftCxu) -> Contract {
        Contract {
            uuid: cxu.uuid,
            xlen: cxu.xlen,
            sharing: cxu.sharing(),
            state_words: cxu.state_words,
            has_state_context: cxu.flags & SoftFlags::STATE_CONTEXT != 0,
        }
    }
}

/// A composable extension unit as a hart and a supervisor see it: commands at one of its state contexts.
///
/// What a supervisor does with states has default bodies, which use the commands of IStateContext as it must with hardware.
pub trait Cxu {
    /// What a supervisor must know of the contract that it implements.
    fn contract(&self) -> Contract;

    /// How many state contexts it has; 0 without state.
    fn contexts(&self) -> usize;

    /// Runs a command. `state_id` is less than [`contexts`](Self::contexts), or the CXU has no state.
    fn issue(&mut self, state_id: u8, function: u32, rs1: usize, rs2: usize) -> Reply;

    /// Accesses a CSR.
    fn csr(&mut self, state_id: u8, op: CsrOp, address: u32, value: usize) -> Reply;

    /// Which function, and which second operand, a command on the opcode of flex has with the 15 bits `rs2:rs1:rd` of its
    /// register fields, if a constant stands in them: who decodes in place of hardware asks.
    fn flex(&self, function: u32, fields: u32, rs2: usize) -> (u32, usize) {
        let _ = fields;
        (function, rs2)
    }

    /// The status word of a state context.
    fn status(&mut self, state_id: u8) -> usize {
        self.issue(state_id, READ_STATUS, 0, 0).value
    }

    /// Writes the status word.
    fn set_status(&mut self, state_id: u8, status: usize) {
        self.issue(state_id, WRITE_STATUS, status, 0);
    }

    /// Brings a state context to its reset values. A CXU without IStateContext has a way of its own.
    fn reset(&mut self, state_id: u8) {
        self.set_status(state_id, INITIAL);
    }

    /// Writes an image of a state: the status word, and the state words, which are 0 if the context is off. `image` has room
    /// for them, as words of XLEN bits.
    ///
    /// # Errors
    /// The CXU failed, or has no IStateContext. The state is as it was, the image is none.
    fn save(&mut self, state_id: u8, image: &mut [u64]) -> Result<(), Error> {
        let Contract { has_state_context: true, state_words: words, xlen, .. } = self.contract() else {
            return Err(Error::Cxu);
        };
        let words = words as usize;
        let status = self.status(state_id);
        put(image, 0, status, xlen);
        for index in 0..words {
            let word = if status & CS == OFF { 0 } else { self.issue(state_id, READ_STATE, index, 0).value };
            put(image, index + 1, word, xlen);
        }
        Ok(())
    }

    /// Loads an image.
    ///
    /// # Errors
    /// As for [`save`](Self::save).
    fn restore(&mut self, state_id: u8, image: &[u64]) -> Result<(), Error> {
        let Contract { has_state_context: true, state_words: words, xlen, .. } = self.contract() else {
            return Err(Error::Cxu);
        };
        let words = words as usize;
        let status = get(image, 0, xlen);
        // On, and with its reset values.
        self.set_status(state_id, INITIAL);
        if status & CS != OFF {
            for index in 0..words {
                self.issue(state_id, WRITE_STATE, index, get(image, index + 1, xlen));
            }
        }
        self.set_status(state_id, status);
        Ok(())
    }
}

/// Units of several kinds are those of `&mut dyn Cxu`.
impl<C: Cxu + ?Sized> Cxu for &mut C {
    fn contract(&self) -> Contract {
        C::contract(self)
    }

    fn contexts(&self) -> usize {
        C::contexts(self)
    }

    fn issue(&mut self, state_id: u8, function: u32, rs1: usize, rs2: usize) -> Reply {
        C::issue(self, state_id, function, rs1, rs2)
    }

    fn csr(&mut self, state_id: u8, op: CsrOp, address: u32, value: usize) -> Reply {
        C::csr(self, state_id, op, address, value)
    }

    fn flex(&self, function: u32, fields: u32, rs2: usize) -> (u32, usize) {
        C::flex(self, function, fields, rs2)
    }

    fn status(&mut self, state_id: u8) -> usize {
        C::status(self, state_id)
    }

    fn set_status(&mut self, state_id: u8, status: usize) {
        C::set_status(self, state_id, status);
    }

    fn reset(&mut self, state_id: u8) {
        C::reset(self, state_id);
    }

    fn save(&mut self, state_id: u8, image: &mut [u64]) -> Result<(), Error> {
        C::save(self, state_id, image)
    }

    fn restore(&mut self, state_id: u8, image: &[u64]) -> Result<(), Error> {
        C::restore(self, state_id, image)
    }
}

/// Writes word `place` of an image with words of XLEN bits, in the machine's byte order.
pub(super) fn put(image: &mut [u64], place: usize, word: usize, xlen: u32) {
    if xlen == 64 {
        if let Some(slot) = image.get_mut(place) {
            *slot = word as u64;
        }
    } else if let Some(slot) = image.get_mut(place / 2) {
        let mut bytes = slot.to_ne_bytes();
        let (first, second) = bytes.split_at_mut(4);
        let half = if place.is_multiple_of(2) { first } else { second };
        half.copy_from_slice(&(word as u32).to_ne_bytes());
        *slot = u64::from_ne_bytes(bytes);
    }
}

/// Reads word `place` of an image; 0 past its end.
pub(super) fn get(image: &[u64], place: usize, xlen: u32) -> usize {
    if xlen == 64 {
        return image.get(place).copied().unwrap_or(0) as usize;
    }
    let [a, b, c, d, e, f, g, h] = image.get(place / 2).copied().unwrap_or(0).to_ne_bytes();
    let half = if place.is_multiple_of(2) { [a, b, c, d] } else { [e, f, g, h] };
    u32::from_ne_bytes(half) as usize
}

/// A CXU of each hart of a platform: what a `cxu` of a `platform` item says; `struct cx_platform_cxu` of `cx_abi.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct PlatformCxu {
    /// The CX that it implements.
    pub uuid: Uuid,
    /// How many state contexts it has: 0 exactly if the CX has no state, at most 256.
    pub contexts: u32,
}

/// What a supervisor knows of one state context of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateContext {
    /// Whose state is there, as it was when this was written; `None` if nobody's.
    pub(super) tag: Option<Tag>,
}

impl StateContext {
    /// Nobody's.
    pub const FREE: StateContext = StateContext { tag: None };
}

/// A state at one time. Of each hart the numbers of loads ascend, so that they tell states apart: what a thread left behind
/// that is gone, or that loaded its state elsewhere since, is nobody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    /// Which of its thread's CXs it is.
    pub selector: Selector,
    /// By which of the hart's loads it came here.
    pub load: u64,
    /// Its thread has an image of it, and went: others may have the place.
    pub is_left: bool,
}

impl StateContext {
    /// Whether the state is there that was brought by this load.
    pub(super) fn is_of(&self, at: Resident) -> bool {
        self.tag.is_some_and(|tag| tag.load == at.load)
    }
}

/// A CXU and its state contexts.
#[derive(Debug)]
pub struct Unit<C, S> {
    pub(super) cxu: C,
    pub(super) contexts: S,
    /// Where the search for a context to take begins.
    pub(super) hand: usize,
    /// It is gone: commands to it are answered with [`Response::Cxu`].
    pub(super) revoked: bool,
}

/// What is known of each state context.
pub trait Contexts: AsRef<[StateContext]> + AsMut<[StateContext]> {}
impl<T: AsRef<[StateContext]> + AsMut<[StateContext]>> Contexts for T {}

impl<C: Cxu, S: Contexts> Unit<C, S> {
    /// A unit of which all contexts are free.
    ///
    /// # Errors
    /// [`Error::Invalid`] if `contexts` has not a place for each state context of `cxu`, if these are more than 256, or if
    /// there are some exactly where the contract has no state.
    pub fn new(cxu: C, mut contexts: S) -> Result<Unit<C, S>, Error> {
        let count = cxu.contexts();
        let stateless = cxu.contract().sharing == Sharing::Stateless;
        if contexts.as_ref().len() != count || count > 256 || stateless != (count == 0) {
            return Err(Error::Invalid);
        }
        contexts.as_mut().fill(StateContext::FREE);
        Ok(Unit { cxu, contexts, hand: 0, revoked: false })
    }

    /// The CXU.
    pub fn cxu(&mut self) -> &mut C {
        &mut self.cxu
    }

    /// Whether it was taken away.
    pub fn is_revoked(&self) -> bool {
        self.revoked
    }

    pub(super) fn uuid(&self) -> Uuid {
        self.cxu.contract().uuid
    }

    /// Whether states can be taken out of it and put back: only then more contexts can be open than it has.
    pub(super) fn is_virtualizable(&self) -> bool {
        self.cxu.contract().has_state_context
    }

    pub(super) fn context(&mut self, state_id: u8) -> Option<&mut StateContext> {
        self.contexts.as_mut().get_mut(usize::from(state_id))
    }

    /// A context whose state nobody needs: a free one, or one that a thread left behind, which has an image of it.
    pub(super) fn idle(&self) -> Option<u8> {
        let contexts = self.contexts.as_ref();
        let free = contexts.iter().position(|context| context.tag.is_none());
        let left = || contexts.iter().position(|context| context.tag.is_some_and(|tag| tag.is_left));
        u8::try_from(free.or_else(left)?).ok()
    }

    /// The context whose state goes next: each in turn.
    pub(super) fn next_victim(&mut self) -> Option<u8> {
        let count = self.contexts.as_ref().len();
        let victim = self.hand.checked_rem(count).filter(|_| self.is_virtualizable())?;
        self.hand = victim + 1;
        u8::try_from(victim).ok()
    }
}

/// The answer of a unit that is not there.
pub(super) const NO_UNIT: Reply = Reply { value: 0, response: Response::Cxu };

#[cfg(test)]
mod tests {
    extern crate std;
    use super::{get, put};

    #[test]
    fn words_of_an_image_are_of_the_width_of_registers() {
        let mut image = [0; 2];
        (0..4).for_each(|place| put(&mut image, place, 0x1_0000_0001 * (place + 1), 32));
        let words = [1u32, 2, 3, 4].map(u32::to_ne_bytes).concat();
        assert_eq!(image.map(u64::to_ne_bytes).concat(), words);
        assert_eq!([0, 1, 2, 3, 4].map(|place| get(&image, place, 32)), [1, 2, 3, 4, 0]);
        // Past the end nothing is written.
        put(&mut image, 4, 9, 32);
        put(&mut image, 2, 9, 64);
        put(&mut image, 1, usize::MAX, 64);
        assert_eq!([1, 2].map(|place| get(&image, place, 64)), [usize::MAX, 0]);
        assert_eq!([0, 1].map(|place| get(&image, place, 32)), [1, 2]);
    }
}
