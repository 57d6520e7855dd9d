//! CXUs with state contexts in memory.

use core::ffi::c_void;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::{self, NonNull};

use super::{Contract, Cxu};
use crate::{CsrOp, Error, Reply, Sharing, SoftCxu, Target};

/// State contexts in memory, with the functions of a software CXU.
#[derive(Debug)]
pub struct SoftUnit<'m> {
    cxu: &'static SoftCxu,
    memory: NonNull<u8>,
    contexts: usize,
    stride: usize,
    _memory: PhantomData<&'m mut [u8]>,
}

impl<'m> SoftUnit<'m> {
    /// Bytes from one state to the next; 0 without state, `None` if no object can be so large.
    pub fn stride(cxu: &SoftCxu) -> Option<usize> {
        match cxu.sharing() {
            Sharing::Stateless => Some(0),
            _ => cxu.state_size.checked_next_multiple_of(cxu.state_align),
        }
    }

    /// A unit with `contexts` states in `memory`, each brought to its reset values.
    ///
    /// # Errors
    /// What [`SoftCxu::check`] finds; [`Error::Invalid`] if the CXU has no state and `contexts` is not 0, or the other way
    /// round; [`Error::Fault`] if `memory` is not aligned for the state, or has less than `contexts` times
    /// [`stride`](Self::stride) bytes.
    ///
    /// # Safety
    /// The functions of `cxu` keep what `cx_abi.h` asks of them.
    pub unsafe fn new(
        cxu: &'static SoftCxu,
        contexts: usize,
        memory: &'m mut [MaybeUninit<u8>],
    ) -> Result<SoftUnit<'m>, Error> {
        cxu.check()?;
        if (contexts == 0) != (cxu.sharing() == Sharing::Stateless) {
            return Err(Error::Invalid);
        }
        let stride = SoftUnit::stride(cxu).ok_or(Error::Invalid)?;
        let bytes = stride.checked_mul(contexts).ok_or(Error::Invalid)?;
        let aligned = contexts == 0 || memory.as_ptr().addr().is_multiple_of(cxu.state_align);
        if memory.len() < bytes || !aligned {
            return Err(Error::Fault);
        }
        memory.fill(MaybeUninit::zeroed());
        let memory = NonNull::from(memory).cast();
        let unit = SoftUnit { cxu, memory, contexts, stride, _memory: PhantomData };
        for state_id in 0..contexts {
            if let Some(init) = cxu.init {
                // SAFETY: the memory of a state is zeroed and aligned; the caller vouches for the function.
                unsafe { init(unit.state(state_id)) };
            }
        }
        Ok(unit)
    }

    /// The memory of a state; null without state.
    fn state(&self, state_id: usize) -> *mut c_void {
        if self.contexts == 0 {
            return ptr::null_mut();
        }
        // SAFETY: whoever calls has looked at the number of contexts, and `new` at the size of the memory.
        unsafe { self.memory.as_ptr().add(state_id % self.contexts * self.stride).cast() }
    }

    /// Where commands for a state context go.
    fn target(&self, state_id: u8) -> Target {
        // SAFETY: the state is initialised memory of this CXU, of which this has the only reference; `new` was told that the
        // functions are good.
        unsafe { Target::new(self.cxu, self.state(usize::from(state_id))) }
    }
}

impl Cxu for SoftUnit<'_> {
    fn contract(&self) -> Contract {
        self.cxu.into()
    }

    fn contexts(&self) -> usize {
        self.contexts
    }

    fn issue(&mut self, state_id: u8, function: u32, rs1: usize, rs2: usize) -> Reply {
        self.target(state_id).issue(function, rs1, rs2)
    }

    fn csr(&mut self, state_id: u8, op: CsrOp, address: u32, value: usize) -> Reply {
        self.target(state_id).csr(op, address, value)
    }

    fn flex(&self, function: u32, fields: u32, mut rs2: usize) -> (u32, usize) {
        let decode = self.cxu.flex;
        // SAFETY: `new` was told that the function is good; `rs2` is ours.
        let function = decode.map_or(function, |decode| unsafe { decode(function, fields, &raw mut rs2) });
        (function, rs2)
    }

    fn reset(&mut self, state_id: u8) {
        let state = self.state(usize::from(state_id));
        if let Some(init) = self.cxu.init.filter(|_| !state.is_null()) {
            // SAFETY: the memory of a state has the size and the alignment that the CXU asked for; `new` was told that the
            // function is good.
            unsafe {
                state.cast::<u8>().write_bytes(0, self.cxu.state_size);
                init(state);
            }
        }
    }

    fn save(&mut self, state_id: u8, image: &mut [u64]) -> Result<(), Error> {
        let (Some(save), Some(len)) = (self.cxu.save, self.contract().image_len()) else { return Err(Error::Cxu) };
        if image.len() < len {
            return Err(Error::Invalid);
        }
        // SAFETY: the image is large enough and aligned for any word; the state is initialised.
        unsafe { save(self.state(usize::from(state_id)).cast_const(), image.as_mut_ptr().cast()) };
        Ok(())
    }

    fn restore(&mut self, state_id: u8, image: &[u64]) -> Result<(), Error> {
        let (Some(restore), Some(len)) = (self.cxu.restore, self.contract().image_len()) else {
            return Err(Error::Cxu);
        };
        if image.len() < len {
            return Err(Error::Invalid);
        }
        // SAFETY: as for `save`.
        unsafe { restore(self.state(usize::from(state_id)), image.as_ptr().cast()) };
        Ok(())
    }
}
