//! ckernels: the types of `ckernel_abi.h` and `ckernel.h`, which say what each field means (Blaze CKernel Interface).
//!
//! A ckernel is memory that begins with a [`Prefix`]. It is aligned as a pointer is, moves by a copy of its bytes, and finds
//! its children by their offsets.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::fmt;
use core::mem::{align_of, offset_of, size_of};

/// The version of what ckernels and their users agree on.
pub const CKERNEL_ABI_VERSION: u32 = 1;

/// The text of `ckernel_abi.h`, at version [`CKERNEL_ABI_VERSION`]. A generated header carries it as it stands.
pub const CKERNEL_ABI_H: &str = include_str!("../include/ckernel_abi.h");

/// What a ckernel is aligned to, and its size a multiple of.
pub const ALIGN: usize = align_of::<*const c_void>();

/// Words of a builder's own memory.
pub const STATIC_WORDS: usize = 16;

/// Bytes of the text in an [`Error`], with the 0 at its end.
pub const MESSAGE_SIZE: usize = 112;

/// Destroys what a ckernel owns, its children too.
pub type DestructorFn = unsafe extern "C" fn(kernel: *mut Prefix);

/// How a ckernel begins: `ckernel_prefix`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Prefix {
    /// What it does; who calls it knows the prototype from elsewhere.
    pub function: *mut c_void,
    /// What destroys it. `None`: there is nothing to destroy.
    pub destructor: Option<DestructorFn>,
}

/// Where a ckernel is built: `ckernel_builder`.
#[derive(Debug)]
#[repr(C)]
pub struct RawBuilder {
    /// The memory; the root ckernel is at its beginning.
    pub m_data: *mut isize,
    /// Bytes there.
    pub m_capacity: isize,
    /// The memory of small ckernels.
    pub m_static_data: [isize; STATIC_WORDS],
}

/// What there is to say of a failure: `ckernel_error`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Error {
    /// What the ckernel returned.
    pub status: i32,
    /// A declared error of the interface, 1 to 255; else 0.
    pub code: u32,
    /// The element at which a strided ckernel stopped.
    pub index: u64,
    /// UTF-8 that ends with 0.
    pub message: [u8; MESSAGE_SIZE],
}

impl Error {
    /// No error.
    pub const NONE: Error = Error { status: 0, code: 0, index: 0, message: [0; MESSAGE_SIZE] };

    /// Fills the slot, and gives what a ckernel returns then. The text is cut to what fits.
    pub fn failed(&mut self, failure: Failure, text: &CStr) -> c_int {
        *self = Error { status: failure as i32, ..Error::NONE };
        let text = text.to_bytes();
        let room = self.message.iter_mut().take(MESSAGE_SIZE - 1);
        room.zip(text).for_each(|(to, from)| *to = *from);
        failure as c_int
    }

    /// The text.
    pub fn text(&self) -> &str {
        let text = CStr::from_bytes_until_nul(&self.message).unwrap_or_default();
        text.to_str().unwrap_or_default()
    }
}

/// What a call gives beside its operands: `ckernel_call`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Call {
    /// Where a failure is told; may be null.
    pub error: *mut Error,
    /// An image of the state to begin in; null for the one that the ckernel was made with.
    pub initial: *const c_void,
    /// Where an image of the final state goes; may be null.
    pub state: *mut c_void,
    /// Bytes of both.
    pub state_size: isize,
}

/// A ckernel of one value: `ckernel_single_t`.
pub type SingleFn =
    unsafe extern "C" fn(dst: *mut c_char, src: *const *const c_char, extra: *mut Prefix, call: *const Call) -> c_int;

/// A ckernel of many values: `ckernel_strided_t`.
pub type StridedFn = unsafe extern "C" fn(
    dst: *mut c_char,
    dst_stride: isize,
    src: *const *const c_char,
    src_stride: *const isize,
    count: usize,
    extra: *mut Prefix,
    call: *const Call,
) -> c_int;

/// What lies in memory for an operand or a result: `ckernel_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Type {
    /// `b'u'`, `b'i'` or `b'b'`; 0 if there is none.
    pub kind: u8,
    /// Bytes: 1, 2, 4 or 8.
    pub size: u8,
    /// Bits.
    pub width: u16,
}

/// A command as ckernels: `ckernel_command`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
#[allow(missing_docs)] // the C header documents the fields, once
pub struct Command {
    pub name: *const c_char,
    pub id: u32,
    pub flags: u32,
    pub operands: u32,
    pub result: Type,
    pub operand: [Type; 3],
    pub single: Option<SingleFn>,
    pub strided: Option<StridedFn>,
}

/// What the function of a ckernel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A [`SingleFn`]: `CKERNEL_SINGLE`.
    Single = 0,
    /// A [`StridedFn`]: `CKERNEL_STRIDED`.
    Strided = 1,
}

impl Kind {
    /// The kind of a number of the C ABI.
    pub const fn from_code(code: c_int) -> Option<Kind> {
        match code {
            0 => Some(Kind::Single),
            1 => Some(Kind::Strided),
            _ => None,
        }
    }
}

/// The most operands of a ckernel that is made of others: `CKERNEL_MOST_OPERANDS`.
pub const MOST_OPERANDS: usize = 8;

/// How two ckernels become one: `ckernel_composition`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Composition {
    /// Operands of the inner one.
    pub inner_operands: u32,
    /// Operands of the outer one.
    pub outer_operands: u32,
    /// Which of these is the result of the inner one.
    pub at: u32,
    /// The result of the inner one.
    pub from: Type,
    /// The operand of the outer one that it becomes.
    pub to: Type,
    /// Bytes of an image of the inner one's state; 0 without state.
    pub inner_state: isize,
    /// Bytes of an image of the outer one's state; 0 without state.
    pub outer_state: isize,
}

/// `init` of [`Set`].
pub type StateFn = unsafe extern "C" fn(data: *mut c_void, image: *const c_void, size: isize) -> c_int;

/// The commands of an interface as ckernels: `ckernel_set`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
#[allow(missing_docs)] // the C header documents the fields, once
pub struct Set {
    pub abi_version: u32,
    pub struct_size: u32,
    pub name: *const c_char,
    pub contract: [u8; 32],
    pub xlen: u32,
    pub count: u32,
    pub commands: *const Command,
    pub data_size: isize,
    pub state_size: isize,
    pub init: Option<StateFn>,
}

// The layout that the document draws, and the one of the headers.
const _: () = {
    const P: usize = size_of::<*const c_void>();
    assert!(size_of::<Prefix>() == 2 * P && align_of::<Prefix>() == P);
    assert!(offset_of!(Prefix, function) == 0 && offset_of!(Prefix, destructor) == P);
    assert!(size_of::<RawBuilder>() == 18 * P && align_of::<RawBuilder>() == P);
    assert!(offset_of!(RawBuilder, m_data) == 0);
    assert!(offset_of!(RawBuilder, m_capacity) == P);
    assert!(offset_of!(RawBuilder, m_static_data) == 2 * P);
    assert!(size_of::<Error>() == 128 && offset_of!(Error, message) == 16);
    assert!(size_of::<Call>() == 4 * P && size_of::<Type>() == 4);
    assert!(offset_of!(Command, operand) == P + 16 && offset_of!(Set, contract) == 8 + P);
};

/// How a ckernel fails by itself; a command's response is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Failure {
    /// An allocation failed: `CKERNEL_NO_MEMORY`.
    NoMemory = -1,
    /// An argument has no meaning: `CKERNEL_INVALID`.
    Invalid = -2,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Failure::NoMemory => "there is no memory for a ckernel",
            Failure::Invalid => "an argument has no meaning for a ckernel",
        })
    }
}

impl core::error::Error for Failure {}

/// Destroys a ckernel, once: another call does nothing.
///
/// # Safety
/// A ckernel is there, or zeroed memory of a prefix, and nobody uses it at the same time.
pub unsafe fn destroy(kernel: *mut Prefix) {
    // SAFETY: the caller says that a prefix is there.
    let destructor = unsafe { (*kernel).destructor.take() };
    if let Some(destructor) = destructor {
        // SAFETY: a ckernel's destructor takes that ckernel.
        unsafe { destructor(kernel) };
    }
}

/// Destroys the child at `offset` bytes behind the beginning of its parent; at offset 0 there is none.
///
/// # Safety
/// As [`destroy`], for the child.
pub unsafe fn destroy_child(parent: *mut Prefix, offset: isize) {
    if offset != 0 {
        // SAFETY: the caller says that the child is there.
        unsafe { destroy(parent.byte_offset(offset)) };
    }
}

/// A size as ckernels have it: the next multiple of [`ALIGN`]. `None` if there is no such size.
pub fn aligned(size: usize) -> Option<usize> {
    size.checked_next_multiple_of(ALIGN).filter(|size| isize::try_from(*size).is_ok())
}
