//! Where a command goes.

use core::ffi::c_void;
use core::ptr;

use crate::{IssueFn, Response, SoftCxu};

/// What a command gave back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The value for rd, zero-extended; 0 if the command has none.
    pub value: usize,
    /// How it went.
    pub response: Response,
}

/// What the current selection leads to. Issuing is one indirect call whatever is selected.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    issue: IssueFn,
    state: *mut c_void,
}

impl Target {
    /// An invalid or stale selection: each command is answered with [`Response::Cxu`].
    pub const INVALID: Target = Target { issue: no_cxu, state: ptr::null_mut() };

    /// The built-in selection of a processor without custom instructions: each command is answered with
    /// [`Response::Func`].
    pub const NO_BUILTIN: Target = Target { issue: no_function, state: ptr::null_mut() };

    /// A software CXU with one state.
    ///
    /// # Safety
    /// As long as commands are issued to the target: `state` is null if the CXU is stateless; otherwise it points to an
    /// initialised state of `cxu`, used by one command at a time. `cxu` keeps what `cx_abi.h` asks.
    pub unsafe fn new(cxu: &'static SoftCxu, state: *mut c_void) -> Target {
        match cxu.issue {
            Some(issue) => Target { issue, state },
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
