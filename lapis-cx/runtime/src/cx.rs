//! The CX API in Rust: what is open closes itself, what is selected gives the selection back.

use std::fmt;
use std::marker::PhantomData;
use std::ops::BitOr;

use lapis_cx_core::machine::Counters;
use lapis_cx_core::{CsrOp, Error, Issue, Reply, Response, Selector, Sharing, Status, Uuid};

use crate::machine::Backing;
use crate::{hardware, image, thread};

/// How to open a CX (CX API, `cx_open_flags`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OpenFlags(i32);

impl OpenFlags {
    /// The thread's one instance.
    pub const SHARED: OpenFlags = OpenFlags(0);
    /// An instance of one's own.
    pub const EXCLUSIVE: OpenFlags = OpenFlags(1);
    /// The instance's state takes part in user contexts ([`UserContext`](crate::UserContext)). The selection always does.
    pub const UCONTEXT: OpenFlags = OpenFlags(2);

    /// The flags of C's `cx_open_flags`; `None` if there is an unknown one.
    pub const fn from_bits(bits: i32) -> Option<OpenFlags> {
        match bits {
            0..=3 => Some(OpenFlags(bits)),
            _ => None,
        }
    }

    /// Whether the state is to take part in user contexts.
    pub const fn is_in_user_context(self) -> bool {
        self.0 & OpenFlags::UCONTEXT.0 != 0
    }

    /// Whether the instance is to be one's own.
    pub const fn is_exclusive(self) -> bool {
        self.0 & OpenFlags::EXCLUSIVE.0 != 0
    }
}

impl BitOr for OpenFlags {
    type Output = OpenFlags;
    fn bitor(self, other: OpenFlags) -> OpenFlags {
        OpenFlags(self.0 | other.0)
    }
}

/// Opens a CX for this thread. At the first open of an instance its state is the reset state.
///
/// # Errors
/// [`Error::NoDevice`] if the CX is absent, [`Error::Permission`] if its contract has the other sharing,
/// [`Error::NoMemory`], and [`Error::TableFull`].
pub fn open(uuid: Uuid, flags: OpenFlags) -> Result<Cx, Error> {
    hardware::ready()?;
    let selector = thread::open(uuid, flags)?;
    Ok(Cx { selector, on_this_thread: PhantomData })
}

/// An open CX of this thread; it is closed when this is dropped. It cannot go to another thread.
#[derive(Debug)]
pub struct Cx {
    selector: Selector,
    on_this_thread: PhantomData<*mut ()>,
}

impl Cx {
    /// The selector value, as C sees it. C must not close it.
    pub fn selector(&self) -> Selector {
        self.selector
    }

    /// Whether this thread has the same instance open more than once.
    pub(crate) fn is_open_elsewhere(&self) -> bool {
        thread::opens(self.selector) > 1
    }

    /// Whether it has state.
    pub(crate) fn has_state(&self) -> bool {
        thread::state_of(self.selector).is_ok_and(|(cxu, _)| cxu.sharing() != Sharing::Stateless)
    }

    /// What stands behind it now, so that a library can choose; `None` if C has closed it.
    pub fn backing(&self) -> Option<Backing> {
        thread::backing(self.selector)
    }

    /// Nanoseconds that the next command takes, measured now, beside what the command itself does: a library that has a
    /// fallback of known cost can choose. A signal counts where instructions trap. `None` if C has closed it, or if it has no
    /// IStateContext, whose command is measured. Nothing changes but where states are ([`Backing::Virtualized`]); it takes some
    /// microseconds, and a hundred where instructions trap.
    pub fn cost(&self) -> Option<f64> {
        thread::cost(self.selector)
    }

    /// Selects the CX until the guard is dropped, which brings the selection before back, also when the stack unwinds.
    /// Guards are meant to be dropped in the reverse order of their making, as scopes do.
    pub fn select(&self) -> Selected<'_> {
        Selected { outer: hardware::select(self.selector), cx: self }
    }
}

impl Drop for Cx {
    fn drop(&mut self) {
        // It fails while a CXU written in Rust runs, or if C has closed the selector: the end of the thread frees the rest.
        let _ = thread::close(self.selector);
    }
}

/// A CX that is selected.
#[derive(Debug)]
#[must_use = "the selection before comes back when this is dropped"]
pub struct Selected<'cx> {
    cx: &'cx Cx,
    outer: Selector,
}

impl Selected<'_> {
    /// The selector of the CX.
    pub(crate) fn selector(&self) -> Selector {
        self.cx.selector
    }

    /// Issues a command: operands `rs1` and `rs2`, of which the CX reads the low XLEN bits. Returns the value for rd, 0 if
    /// the command has none. It goes to this CX also while an inner guard has another one selected.
    ///
    /// # Errors
    /// A [`CommandError`]; its flag is also set in the thread's [`status`].
    #[inline]
    pub fn issue(&self, function: u32, rs1: usize, rs2: usize) -> Result<usize, CommandError> {
        replied(Issue::issue(self, function, rs1, rs2))
    }

    /// Accesses the CSR at an address of 12 bits; `value` does not matter to [`CsrOp::Read`]. Returns the word that was
    /// there before. It goes to this CX also while an inner guard has another one selected.
    ///
    /// # Errors
    /// A [`CommandError`], of [`Response::Func`] if the CX has no such CSR or it is read only; its flag is also set in the
    /// thread's [`status`].
    #[inline]
    pub fn csr(&self, op: CsrOp, address: u32, value: usize) -> Result<usize, CommandError> {
        replied(Issue::csr(self, op, address, value))
    }

    /// Bytes in an image of the state; 0 for a stateless CX.
    ///
    /// # Errors
    /// [`Error::BadSelector`] if C closed it.
    pub fn image_size(&self) -> Result<usize, Error> {
        image::size(self.cx.selector)
    }

    /// Saves the state (CX API, `cx_save`) and returns the bytes written: the status word, then the state words, each of
    /// XLEN bits in the machine's byte order.
    ///
    /// # Errors
    /// [`Error::Invalid`] if `image` is too short; nothing is written then. [`Error::NoMemory`], if a copy is
    /// needed (by a CXU in Rust, and for an `image` that is not aligned to a word) and there is no room for it. [`Error::Cxu`], if
    /// one in Rust panicked; nothing is written then.
    pub fn save(&self, image: &mut [u8]) -> Result<usize, Error> {
        // SAFETY: the slice is good for its length.
        Ok(unsafe { image::save(self.cx.selector, image.as_mut_ptr(), image.len()) }?)
    }

    /// Loads a saved state (CX API, `cx_restore`).
    ///
    /// # Errors
    /// As for [`save`](Self::save), and [`Error::Invalid`] if the status word names another state size. The state is as it was then.
    pub fn restore(&self, image: &[u8]) -> Result<(), Error> {
        // SAFETY: the slice is good for its length.
        Ok(unsafe { image::restore(self.cx.selector, image.as_ptr(), image.len()) }?)
    }
}

fn replied(reply: Reply) -> Result<usize, CommandError> {
    match reply.response {
        Response::Ok => Ok(reply.value),
        _ => Err(CommandError(reply)),
    }
}

/// Typed commands and accesses of generated code go to the CX as [`Selected::issue`] has it. On RISC-V they are instructions.
impl Issue for Selected<'_> {
    const INSTRUCTIONS: bool = hardware::INSTRUCTIONS;

    /// Nothing between two commands of one guard: the compiler knows what it has selected.
    #[inline(always)]
    fn enter(&self) {
        if thread::selected() != self.cx.selector {
            hardware::select(self.cx.selector);
        }
    }

    #[inline]
    fn issue(&self, function: u32, rs1: usize, rs2: usize) -> Reply {
        if thread::selected() == self.cx.selector {
            thread::issue(function, rs1, rs2)
        } else {
            let _again = self.cx.select();
            thread::issue(function, rs1, rs2)
        }
    }

    #[inline]
    fn csr(&self, op: CsrOp, address: u32, value: usize) -> Reply {
        if thread::selected() == self.cx.selector {
            thread::csr(op, address, value)
        } else {
            let _again = self.cx.select();
            thread::csr(op, address, value)
        }
    }
}

impl Drop for Selected<'_> {
    fn drop(&mut self) {
        // Out of order: the inner guard's selection stands.
        if thread::selected() == self.cx.selector {
            hardware::select(self.outer);
        }
    }
}

/// A command, or an access of a CSR, that the CX did not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandError(pub Reply);

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.response)
    }
}

impl std::error::Error for CommandError {}

/// What the supervisor of this thread's hart did so far: traps, and states that it moved. All are 0 without a platform.
pub fn counters() -> Counters {
    thread::counters()
}

/// The thread's `cx_status` (CX-ISA, CSR 0x801): flags that stay until they are cleared.
pub fn status() -> Status {
    thread::change_status(|status| status)
}

/// Clears flags of `cx_status`, and returns the value before.
pub fn clear_status(flags: Status) -> Status {
    thread::change_status(|status| status.without(flags))
}
