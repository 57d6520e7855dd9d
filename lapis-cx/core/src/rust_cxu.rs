//! Software CXUs that are written in Rust.

use core::ffi::CStr;

use crate::{CsrOp, Reply, Response, Sharing, Uuid};

/// An unsigned integer of XLEN bits.
pub trait Word: sealed::Sealed + Copy + 'static {
    /// XLEN: 32 or 64.
    const BITS: u32;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! words {
    ($($ty:ty)*) => { $(
        impl sealed::Sealed for $ty {}
        impl Word for $ty {
            const BITS: u32 = <$ty>::BITS;
        }
    )* };
}
words!(u32 u64 usize);

/// A CXU in Rust.
///
/// A panic in [`issue`](Self::issue) or [`csr`](Self::csr) is answered with [`Response::Cxu`](crate::Response::Cxu); what
/// was written to the state by then stays, as after any error that a CXU answers. A panic in [`save`](Self::save) or
/// [`restore`](Self::restore) is [`Error::Cxu`](crate::Error::Cxu) of the call that asked for it: no image is written
/// then, and the state is as it was before.
///
/// It is a piece of hardware: while one of its functions runs, commands to CXUs in Rust, and accesses, are answered with
/// [`Response::Cxu`](crate::Response::Cxu), and to close, save or restore a CX is [`Error::Busy`](crate::Error::Busy).
pub trait RustCxu: 'static {
    /// The state; `()` for a stateless CX.
    type State: Copy + 'static;
    /// A word of its XLEN, at most as wide as a pointer.
    type Word: Word;
    /// The CX that it implements.
    const UUID: Uuid;
    /// For messages.
    const NAME: &'static CStr;
    /// The sharing model; [`Sharing::Stateless`] if and only if the state is `()`.
    const SHARING: Sharing;
    /// SHA-256 of the contract; zero if there is none.
    const CONTRACT: [u8; 32] = [0; 32];
    /// [`SoftFlags`](crate::SoftFlags).
    const FLAGS: u32 = 0;
    /// Words of state in an image, the status word not counted.
    const STATE_WORDS: u32;
    /// The reset state.
    const RESET: Self::State;

    /// Runs a command. The low XLEN bits of `rs1` and `rs2` count.
    fn issue(state: &mut Self::State, function: u32, rs1: usize, rs2: usize) -> Reply;
    /// Accesses a CSR: [`CsrOp::written`] says what is written over the word that is read, which the reply carries. A CSR
    /// that is not there, and a write of one that is read only, is [`Response::Func`].
    fn csr(state: &mut Self::State, op: CsrOp, address: u32, value: usize) -> Reply {
        let _ = (state, op, address, value);
        Reply { value: 0, response: Response::Func }
    }
    /// What to issue for a command that came on the opcode of flex, with the 15 bits `rs2:rs1:rd` of its register fields: its
    /// `function` and second operand. A constant in these fields goes above the id, or in place of `rs2`.
    fn flex(function: u32, fields: u32, rs2: usize) -> (u32, usize) {
        let _ = fields;
        (function, rs2)
    }
    /// Writes the status word and the state words: `words` has 1 + [`STATE_WORDS`](Self::STATE_WORDS).
    fn save(state: &Self::State, words: &mut [Self::Word]);
    /// Loads what [`save`](Self::save) wrote. The length is right, the values may be any.
    fn restore(state: &mut Self::State, words: &[Self::Word]);
}
