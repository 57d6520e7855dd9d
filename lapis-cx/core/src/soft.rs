//! The descriptor of a software CXU: `struct cx_soft_cxu` of `cx_abi.h`.

use core::ffi::{CStr, c_char, c_void};
use core::fmt;
use core::mem::{align_of, offset_of, size_of};

use crate::machine::Contract;
use crate::{ABI_VERSION, Error};

/// The UUID of a CX (CX API, `uuid_t`): `high` holds the first eight bytes of the written form, first byte on top.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(C)]
pub struct Uuid {
    /// Bytes 0 to 7.
    pub high: u64,
    /// Bytes 8 to 15.
    pub low: u64,
}

impl Uuid {
    /// From a number of 128 bits: `0x014907b7_9753_8f39_8b68_b8cc31762d17` for the UUID that is written so.
    pub const fn from_u128(value: u128) -> Uuid {
        Uuid { high: (value >> 64) as u64, low: value as u64 }
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Uuid { high, low } = *self;
        let (a, b, c) = (high >> 32, (high >> 16) & 0xFFFF, high & 0xFFFF);
        let (d, e) = (low >> 48, low & 0xFFFF_FFFF_FFFF);
        write!(f, "{a:08x}-{b:04x}-{c:04x}-{d:04x}-{e:012x}")
    }
}

/// Who keeps a CX's state apart (CX API, section "CX state isolation models"); `CX_SHARING_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Sharing {
    /// There is no state.
    Stateless = 0,
    /// Each open has a state of its own.
    Exclusive = 1,
    /// One state per thread; callers save it.
    CallerSave = 2,
    /// One state per thread; callees save it.
    CalleeSave = 3,
    /// One state per thread; users initialise it each time.
    AlwaysInit = 4,
    /// One state per thread, with a discipline of its own.
    Custom = 5,
}

impl Sharing {
    /// The model of a number of the C ABI.
    pub const fn from_code(code: u32) -> Option<Sharing> {
        Some(match code {
            0 => Sharing::Stateless,
            1 => Sharing::Exclusive,
            2 => Sharing::CallerSave,
            3 => Sharing::CalleeSave,
            4 => Sharing::AlwaysInit,
            5 => Sharing::Custom,
            _ => return None,
        })
    }

    /// Whether the contract lets a library open the CX exclusive, or shared. Without state both are the same. Otherwise
    /// only what the contract says: libraries of an exclusive CX rely on sole ownership, and of a shared CX there is one
    /// state per hart.
    pub const fn allows(self, exclusive: bool) -> bool {
        match self {
            Sharing::Stateless => true,
            Sharing::Exclusive => exclusive,
            _ => !exclusive,
        }
    }
}

/// Bits of [`SoftCxu::flags`]; `CX_SOFT_*`.
pub struct SoftFlags;

impl SoftFlags {
    /// The interface says that its state is part of the user context.
    pub const UCONTEXT: u32 = 1;
    /// Commands 1020 to 1023 are those of IStateContext.
    pub const STATE_CONTEXT: u32 = 2;
    const ALL: u32 = 3;
}

/// `init` of [`SoftCxu`].
pub type InitFn = unsafe extern "C" fn(state: *mut c_void);
/// `issue` of [`SoftCxu`].
pub type IssueFn =
    unsafe extern "C" fn(state: *mut c_void, function: u32, rs1: usize, rs2: usize, rd: *mut usize) -> u32;
/// `save` of [`SoftCxu`].
pub type SaveFn = unsafe extern "C" fn(state: *const c_void, image: *mut c_void);
/// `restore` of [`SoftCxu`].
pub type RestoreFn = unsafe extern "C" fn(state: *mut c_void, image: *const c_void);

/// `csr` of [`SoftCxu`].
pub type CsrFn = unsafe extern "C" fn(state: *mut c_void, op: u32, address: u32, value: usize, old: *mut usize) -> u32;

/// `flex` of [`SoftCxu`].
pub type FlexFn = unsafe extern "C" fn(function: u32, fields: u32, rs2: *mut usize) -> u32;

/// A CXU in software: `struct cx_soft_cxu` of `cx_abi.h`, which says what each field means and must hold.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
#[allow(missing_docs)] // the C header documents the fields, once
pub struct SoftCxu {
    pub abi_version: u32,
    pub struct_size: u32,
    pub uuid: Uuid,
    pub contract: [u8; 32],
    pub xlen: u32,
    pub sharing: u32,
    pub flags: u32,
    pub state_words: u32,
    pub state_size: usize,
    pub state_align: usize,
    pub name: *const c_char,
    pub init: Option<InitFn>,
    pub issue: Option<IssueFn>,
    pub save: Option<SaveFn>,
    pub restore: Option<RestoreFn>,
    pub csr: Option<CsrFn>,
    pub flex: Option<FlexFn>,
}

// The C layout, on targets whose 64-bit integers are aligned to 8 bytes: all of RISC-V, x86-64 and AArch64.
const _: () = {
    const P: usize = size_of::<usize>();
    assert!(offset_of!(SoftCxu, abi_version) == 0);
    assert!(offset_of!(SoftCxu, struct_size) == 4);
    assert!(offset_of!(SoftCxu, uuid) == 8);
    assert!(offset_of!(SoftCxu, contract) == 24);
    assert!(offset_of!(SoftCxu, xlen) == 56);
    assert!(offset_of!(SoftCxu, sharing) == 60);
    assert!(offset_of!(SoftCxu, flags) == 64);
    assert!(offset_of!(SoftCxu, state_words) == 68);
    assert!(offset_of!(SoftCxu, state_size) == 72);
    assert!(offset_of!(SoftCxu, state_align) == 72 + P);
    assert!(offset_of!(SoftCxu, name) == 72 + 2 * P);
    assert!(offset_of!(SoftCxu, init) == 72 + 3 * P);
    assert!(offset_of!(SoftCxu, issue) == 72 + 4 * P);
    assert!(offset_of!(SoftCxu, save) == 72 + 5 * P);
    assert!(offset_of!(SoftCxu, restore) == 72 + 6 * P);
    assert!(offset_of!(SoftCxu, csr) == 72 + 7 * P);
    assert!(offset_of!(SoftCxu, flex) == 72 + 8 * P);
    let size = 72 + 9 * P;
    let align = align_of::<u64>();
    assert!(size_of::<SoftCxu>() == size.div_ceil(align) * align);
};

// SAFETY: a descriptor is never written after it is built, and what its pointers lead to may be read and called on any
// thread: `cx_abi.h` asks this of whoever provides it.
unsafe impl Sync for SoftCxu {}
// SAFETY: as for `Sync`; it owns nothing that belongs to a thread.
unsafe impl Send for SoftCxu {}

/// What is wrong with a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Defect {
    /// Null, or not aligned.
    Address,
    /// Made for another ABI version.
    Version,
    /// Of another size.
    Size,
    /// `xlen` is not 32 or 64, or wider than a pointer.
    Xlen,
    /// `sharing` or `flags` hold what this version does not know.
    Model,
    /// A function is missing.
    Function,
    /// Size, alignment or words of the state do not fit together, or do not fit the sharing model.
    State,
}

impl Defect {
    /// The defect in words, for C.
    pub const fn message(self) -> &'static CStr {
        match self {
            Defect::Address => c"fault: the address of the soft CXU descriptor is null or misaligned",
            Defect::Version => {
                c"invalid: the soft CXU is made for another CX ABI version; generate it with the cxc of this runtime"
            }
            Defect::Size => {
                c"invalid: the soft CXU descriptor has another size than this CX ABI version says; set struct_size to sizeof(struct cx_soft_cxu)"
            }
            Defect::Xlen => c"invalid: the XLEN of the soft CXU is not 32 or 64, or wider than a pointer",
            Defect::Model => c"invalid: the soft CXU descriptor has an unknown sharing model or flag",
            Defect::Function => c"invalid: the soft CXU descriptor lacks a function",
            Defect::State => {
                c"invalid: state_size, state_align and state_words of the soft CXU do not fit its sharing model"
            }
        }
    }
}

impl From<Defect> for Error {
    fn from(defect: Defect) -> Error {
        match defect {
            Defect::Address => Error::Fault,
            _ => Error::Invalid,
        }
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message().to_str().unwrap_or_default())
    }
}

impl core::error::Error for Defect {}

impl SoftCxu {
    /// Reads a descriptor that a C program gave, and checks it.
    ///
    /// # Errors
    /// The first [`Defect`] found.
    ///
    /// # Safety
    /// `descriptor` is null or points to a `struct cx_soft_cxu` of any version that stays, unchanged, for `'static`.
    pub unsafe fn from_raw(descriptor: *const SoftCxu) -> Result<&'static SoftCxu, Defect> {
        if descriptor.is_null() || !descriptor.is_aligned() {
            return Err(Defect::Address);
        }
        // SAFETY: each version starts with abi_version and struct_size, and the address is aligned for both. The rest is
        // not looked at before they are known to be right.
        let (version, size) = unsafe {
            let head = descriptor.cast::<u32>();
            (head.read(), head.add(1).read())
        };
        if version != ABI_VERSION {
            return Err(Defect::Version);
        }
        if size as usize != size_of::<SoftCxu>() {
            return Err(Defect::Size);
        }
        // SAFETY: it is a descriptor of this version, whole, and the caller says that it stays.
        let descriptor = unsafe { &*descriptor };
        descriptor.check()?;
        Ok(descriptor)
    }

    /// Checks what a descriptor says of itself.
    ///
    /// # Errors
    /// The first [`Defect`] found.
    pub fn check(&self) -> Result<(), Defect> {
        if self.abi_version != ABI_VERSION {
            return Err(Defect::Version);
        }
        if self.struct_size as usize != size_of::<SoftCxu>() {
            return Err(Defect::Size);
        }
        if !matches!(self.xlen, 32 | 64) || self.xlen > usize::BITS {
            return Err(Defect::Xlen);
        }
        let sharing = Sharing::from_code(self.sharing).ok_or(Defect::Model)?;
        if self.flags & !SoftFlags::ALL != 0 {
            return Err(Defect::Model);
        }
        if self.issue.is_none() {
            return Err(Defect::Function);
        }
        if sharing == Sharing::Stateless {
            let none = self.state_size == 0 && self.state_words == 0;
            return none.then_some(()).ok_or(Defect::State);
        }
        if self.init.is_none() || self.save.is_none() || self.restore.is_none() {
            return Err(Defect::Function);
        }
        let memory = core::alloc::Layout::from_size_align(self.state_size, self.state_align);
        let some = self.state_size > 0 && self.state_words > 0 && self.image_size().is_some();
        (some && memory.is_ok()).then_some(()).ok_or(Defect::State)
    }

    /// The sharing model; a number that has no meaning, which [`check`](Self::check) refuses, counts as exclusive.
    pub const fn sharing(&self) -> Sharing {
        match Sharing::from_code(self.sharing) {
            Some(sharing) => sharing,
            None => Sharing::Exclusive,
        }
    }

    /// Bytes in a word: 4 or 8.
    pub const fn word_size(&self) -> usize {
        self.xlen as usize / 8
    }

    /// Bytes in a saved image, the status word and `state_words` words; 0 for a stateless CX. `None` if no object can be so large.
    pub fn image_size(&self) -> Option<usize> {
        Contract::from(self).image_size()
    }
}

#[cfg(test)]
#[path = "soft_tests.rs"]
mod tests;
