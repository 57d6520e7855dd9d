//! Descriptors of CXUs in another process.
//!
//! The functions of a descriptor get no reference to their CXU, and those of a CXU without state get no state either. So each of a fixed
//! number of slots has a separate set of functions, and a descriptor takes a slot permanently.

use std::ffi::c_void;
use std::sync::{Arc, OnceLock};

use lapis_cx_core::{ABI_VERSION, CsrFn, FlexFn, InitFn, IssueFn, Response, RestoreFn, SaveFn, Sharing, SoftCxu};

use super::Error;
use super::guest::Guest;
use super::live_states;
use super::wire::Listed;
use crate::locks::{Mutex, guard};

/// The number of slots.
pub(super) const COUNT: usize = 64;

/// The CXU of a slot, for its functions.
pub(super) struct Slot {
    pub guest: Arc<Guest>,
    pub cxu: u32,
    pub has_state: bool,
    /// The size of an image in bytes.
    pub image: usize,
    /// The mask of the bits of a register.
    pub mask: usize,
    pub listed: Listed,
}

struct Functions {
    init: InitFn,
    issue: IssueFn,
    save: SaveFn,
    restore: RestoreFn,
    csr: CsrFn,
    flex: FlexFn,
}

static SLOTS: [OnceLock<Slot>; COUNT] = [const { OnceLock::new() }; COUNT];

/// The descriptors, in the order of their slots.
static DESCRIPTORS: Mutex<Vec<&'static SoftCxu>> = Mutex::new(Vec::new());

#[inline]
fn slot<const SLOT: usize>() -> Option<&'static Slot> {
    SLOTS.get(SLOT)?.get()
}

unsafe extern "C" fn init<const SLOT: usize>(state: *mut c_void) {
    if let Some(slot) = slot::<SLOT>() {
        // SAFETY: the runtime passes the memory of a state of this descriptor.
        unsafe { slot.init(state) };
    }
}

unsafe extern "C" fn issue<const SLOT: usize>(
    state: *mut c_void,
    function: u32,
    rs1: usize,
    rs2: usize,
    rd: *mut usize,
) -> u32 {
    let Some(slot) = slot::<SLOT>() else { return Response::Cxu.code() };
    // SAFETY: the runtime passes a state of this descriptor.
    let (response, value) = unsafe { slot.issue(state, function, rs1, rs2) };
    // SAFETY: the runtime passes a valid pointer for the result.
    unsafe { rd.write(value) };
    response
}

unsafe extern "C" fn csr<const SLOT: usize>(
    state: *mut c_void,
    op: u32,
    address: u32,
    value: usize,
    old: *mut usize,
) -> u32 {
    let Some(slot) = slot::<SLOT>() else { return Response::Cxu.code() };
    // SAFETY: the runtime passes a state of this descriptor.
    let (response, word) = unsafe { slot.csr(state, op, address, value) };
    // SAFETY: the runtime passes a valid pointer for the result.
    unsafe { old.write(word) };
    response
}

unsafe extern "C" fn save<const SLOT: usize>(state: *const c_void, image: *mut c_void) {
    if let Some(slot) = slot::<SLOT>() {
        // SAFETY: the runtime passes a state of this descriptor, and memory for an image.
        unsafe { slot.save(state, image) };
    }
}

unsafe extern "C" fn restore<const SLOT: usize>(state: *mut c_void, image: *const c_void) {
    if let Some(slot) = slot::<SLOT>() {
        // SAFETY: the runtime passes a state of this descriptor, and an image.
        unsafe { slot.restore(state, image) };
    }
}

unsafe extern "C" fn flex<const SLOT: usize>(function: u32, fields: u32, rs2: *mut usize) -> u32 {
    let Some(slot) = slot::<SLOT>() else { return function };
    // SAFETY: the runtime passes a valid pointer to the second operand.
    unsafe {
        let (function, operand) = slot.flex(function, fields, rs2.read());
        rs2.write(operand);
        function
    }
}

const fn functions<const SLOT: usize>() -> Functions {
    Functions {
        init: init::<SLOT>,
        issue: issue::<SLOT>,
        save: save::<SLOT>,
        restore: restore::<SLOT>,
        csr: csr::<SLOT>,
        flex: flex::<SLOT>,
    }
}

macro_rules! eight {
    ($($first:literal)*) => {
        [$(
            functions::<{ $first }>(), functions::<{ $first + 1 }>(), functions::<{ $first + 2 }>(),
            functions::<{ $first + 3 }>(), functions::<{ $first + 4 }>(), functions::<{ $first + 5 }>(),
            functions::<{ $first + 6 }>(), functions::<{ $first + 7 }>(),
        )*]
    };
}

static FUNCTIONS: [Functions; COUNT] = eight!(0 8 16 24 32 40 48 56);

/// Returns the descriptor of a CXU, and creates it at the first request.
///
/// # Errors
///
/// All slots are in use; the list entry of the CXU is inconsistent.
pub(super) fn descriptor(guest: &Arc<Guest>, cxu: u32, listed: &Listed) -> Result<&'static SoftCxu, Error> {
    let mut descriptors = guard(&DESCRIPTORS);
    let is_it = |slot: &Slot| Arc::ptr_eq(&slot.guest, guest) && slot.cxu == cxu;
    let known = SLOTS.iter().zip(&*descriptors).find(|(slot, _)| slot.get().is_some_and(is_it));
    if let Some((_, descriptor)) = known {
        return Ok(descriptor);
    }
    let index = descriptors.len();
    let (Some(slot), Some(functions)) = (SLOTS.get(index), FUNCTIONS.get(index)) else { return Err(Error::Full) };
    let has_state = listed.sharing != Sharing::Stateless as u32;
    let mut made = SoftCxu {
        abi_version: ABI_VERSION,
        struct_size: size_of::<SoftCxu>() as u32,
        uuid: listed.uuid,
        contract: listed.contract,
        xlen: listed.xlen,
        sharing: listed.sharing,
        flags: listed.flags,
        state_words: listed.state_words,
        state_size: if has_state { live_states::SIZE } else { 0 },
        state_align: if has_state { live_states::ALIGN } else { 1 },
        name: std::ptr::null(),
        init: has_state.then_some(functions.init),
        issue: Some(functions.issue),
        save: has_state.then_some(functions.save),
        restore: has_state.then_some(functions.restore),
        csr: listed.has_csrs.then_some(functions.csr),
        flex: listed.has_flex.then_some(functions.flex),
    };
    let image = made.check().ok().and_then(|()| made.image_size());
    let Some(image) = image else { return Err(Error::Answer(crate::Error::Protocol(crate::ProtocolError::Message))) };
    let mask = if made.xlen >= usize::BITS { usize::MAX } else { (1 << made.xlen) - 1 };
    let taken = Slot { guest: Arc::clone(guest), cxu, has_state, image, mask, listed: listed.clone() };
    // The slot is free, because only this function fills slots, in order.
    made.name = slot.get_or_init(|| taken).listed.name.as_ptr();
    let made: &'static SoftCxu = Box::leak(Box::new(made));
    descriptors.push(made);
    Ok(made)
}
