//! Registers software CXUs that are written in Rust.

use std::any::TypeId;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::size_of;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use lapis_cx_core::{ABI_VERSION, CsrOp, Error, Reply, Response, RustCxu, SoftCxu, Word};

use crate::thread::Inside;
use crate::{registry, thread};

/// Makes a CXU known to all threads. To register the same type again changes nothing.
///
/// # Errors
/// [`Error::Invalid`] if its constants do not fit together, [`Error::Busy`] if another CXU has this UUID, and
/// [`Error::NoMemory`].
pub fn register_rust<C: RustCxu>() -> Result<(), Error> {
    let cxu: &'static SoftCxu = const { &Adapter::<C>::DESCRIPTOR };
    cxu.check()?;
    registry::add(cxu, Some(TypeId::of::<C>()))
}

struct Adapter<C>(PhantomData<C>);

impl<C: RustCxu> Adapter<C> {
    const DESCRIPTOR: SoftCxu = SoftCxu {
        abi_version: ABI_VERSION,
        struct_size: size_of::<SoftCxu>() as u32,
        uuid: C::UUID,
        contract: C::CONTRACT,
        xlen: C::Word::BITS,
        sharing: C::SHARING as u32,
        flags: C::FLAGS,
        state_words: C::STATE_WORDS,
        state_size: size_of::<C::State>(),
        state_align: align_of::<C::State>(),
        name: C::NAME.as_ptr(),
        init: Some(Self::init),
        issue: Some(Self::issue),
        save: Some(Self::save),
        restore: Some(Self::restore),
        csr: Some(Self::csr),
        flex: Some(Self::flex),
    };

    /// Runs `work` with the state. `None` if it panicked, or if a CXU in Rust runs already.
    ///
    /// # Safety
    /// `state` points to an initialised state of `C`, or `C` is stateless.
    unsafe fn with<R>(state: *mut c_void, work: impl FnOnce(&mut C::State) -> R) -> Option<R> {
        let _inside = Inside::enter()?;
        let mut stateless = std::ptr::NonNull::<C::State>::dangling();
        let state = match size_of::<C::State>() {
            // SAFETY: a value of no size is anywhere that is aligned.
            0 => unsafe { stateless.as_mut() },
            // SAFETY: the caller's promise. There is one reference only: the thread alone has the state, `Inside` lets
            // no second function run, and nothing is closed meanwhile.
            _ => unsafe { &mut *state.cast::<C::State>() },
        };
        catch_unwind(AssertUnwindSafe(|| work(state))).ok()
    }

    unsafe extern "C" fn init(state: *mut c_void) {
        // SAFETY: the memory has the size and alignment of the state.
        unsafe { state.cast::<C::State>().write(C::RESET) };
    }

    unsafe extern "C" fn issue(state: *mut c_void, function: u32, rs1: usize, rs2: usize, rd: *mut usize) -> u32 {
        // SAFETY: the runtime gives an initialised state.
        let reply = unsafe { Self::with(state, |state| C::issue(state, function, rs1, rs2)) };
        let reply = reply.unwrap_or(Reply { value: 0, response: Response::Cxu });
        // SAFETY: the runtime gives a place for rd.
        unsafe { rd.write(reply.value) };
        reply.response.code()
    }

    unsafe extern "C" fn csr(state: *mut c_void, op: u32, address: u32, value: usize, old: *mut usize) -> u32 {
        let Some(op) = CsrOp::from_code(op) else { return Response::Func.code() };
        // SAFETY: the runtime gives an initialised state.
        let reply = unsafe { Self::with(state, |state| C::csr(state, op, address, value)) };
        let reply = reply.unwrap_or(Reply { value: 0, response: Response::Cxu });
        // SAFETY: the runtime gives a place for the old word.
        unsafe { old.write(reply.value) };
        reply.response.code()
    }

    unsafe extern "C" fn flex(function: u32, fields: u32, rs2: *mut usize) -> u32 {
        // SAFETY: who decodes has the second register there.
        let rs2 = unsafe { &mut *rs2 };
        let decoded = catch_unwind(|| C::flex(function, fields, *rs2));
        let (function, value) = decoded.unwrap_or((function, *rs2));
        *rs2 = value;
        function
    }

    unsafe extern "C" fn save(state: *const c_void, image: *mut c_void) {
        let count = C::STATE_WORDS as usize + 1;
        // An image that was written in part is none.
        let mut words: Vec<C::Word> = Vec::new();
        if words.try_reserve_exact(count).is_err() {
            return thread::fail(Error::NoMemory);
        }
        // SAFETY: there is room for `count` words, each of which is an unsigned integer. The runtime gives an initialised
        // state, and `count` words for the image.
        unsafe {
            words.as_mut_ptr().write_bytes(0, count);
            words.set_len(count);
            match Self::with(state.cast_mut(), |state| C::save(state, &mut words)) {
                Some(()) => image.cast::<C::Word>().copy_from_nonoverlapping(words.as_ptr(), count),
                None => thread::fail(Error::Cxu),
            }
        }
    }

    unsafe extern "C" fn restore(state: *mut c_void, image: *const c_void) {
        let count = C::STATE_WORDS as usize + 1;
        // SAFETY: the runtime gives `count` aligned words and an initialised state.
        let restored = unsafe {
            let words = slice::from_raw_parts(image.cast(), count);
            Self::with(state, |state| {
                // What a panic leaves behind is dropped.
                let mut new = *state;
                C::restore(&mut new, words);
                *state = new;
            })
        };
        if restored.is_none() {
            thread::fail(Error::Cxu);
        }
    }
}
