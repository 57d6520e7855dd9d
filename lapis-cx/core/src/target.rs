//! Where a command or an access of a CSR goes.

use core::ffi::c_void;
use core::ptr;

use crate::{CsrFn, CsrOp, IssueFn, Response, SoftCxu};

/// What a command or an access of a CSR gave back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The value for rd, zero-extended; 0 if the command has none. For a CSR the word that was there before.
    pub value: usize,
    /// How it went.
    pub response: Response,
}

/// What the current selection leads to. Issuing is one indirect call whatever is selected, and so is accessing a CSR.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    issue: IssueFn,
    csr: CsrFn,
    state: *mut c_void,
}

impl Target {
    /// An invalid or stale selection: each command and access is answered with [`Response::Cxu`].
    pub const INVALID: Target = Target { issue: no_cxu, csr: no_cxu_csr, state: ptr::null_mut() };

    /// The built-in selection of a processor without custom instructions: each command and access is
    /// answered with [`Response::Func`].
    pub const NO_BUILTIN: Target = Target { issue: no_function, csr: no_csr, state: ptr::null_mut() };

    /// A software CXU with one state.
    ///
    /// # Safety
    /// As long as commands are issued to the target, or its CSRs accessed: `state` is null if the CXU is stateless; otherwise it points to an
    /// initialised state of `cxu`, used by one of these at a time. `cxu` keeps what `cx_abi.h` asks.
    pub unsafe fn new(cxu: &'static SoftCxu, state: *mut c_void) -> Target {
        match cxu.issue {
            Some(issue) => Target { issue, csr: cxu.csr.unwrap_or(no_csr), state },
            None => Target::INVALID,
        }
    }

    /// Runs one command.
    #[inline]
    pub fn issue(self, function: u32, rs1: usize, rs2: usize) -> Reply {
        let mut value = 0;
        // SAFETY: function and state fit each other, and the state is good, by the promise given to `new`; the functions
        // of the constants use none. `value` is ours.
        let code = unsafe { (self.issue)(self.state, function, rs1, rs2, &raw mut value) };
        Reply { value, response: Response::from_code(code) }
    }

    /// Accesses the CSR at an address of 12 bits. This serves a stub of a program as well as a trap handler that has
    /// decoded a CSR instruction.
    #[inline]
    pub fn csr(self, op: CsrOp, address: u32, value: usize) -> Reply {
        let mut old = 0;
        // SAFETY: as for `issue`.
        let code = unsafe { (self.csr)(self.state, op as u32, address, value, &raw mut old) };
        Reply { value: old, response: Response::from_code(code) }
    }
}

unsafe extern "C" fn no_cxu(_state: *mut c_void, _function: u32, _rs1: usize, _rs2: usize, _rd: *mut usize) -> u32 {
    Response::Cxu.code()
}

unsafe extern "C" fn no_function(
    _state: *mut c_void,
    _function: u32,
    _rs1: usize,
    _rs2: usize,
    _rd: *mut usize,
) -> u32 {
    Response::Func.code()
}

unsafe extern "C" fn no_cxu_csr(_state: *mut c_void, _op: u32, _address: u32, _value: usize, _old: *mut usize) -> u32 {
    Response::Cxu.code()
}

/// What a CX without CSRs answers.
unsafe extern "C" fn no_csr(_state: *mut c_void, _op: u32, _address: u32, _value: usize, _old: *mut usize) -> u32 {
    Response::Func.code()
}
