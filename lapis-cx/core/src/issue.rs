//! What commands can be issued to.

use crate::{CsrOp, Reply, Response, Target};

/// A CX that is selected, for as long as the value lives: commands go to it.
pub trait Issue {
    /// Whether a command is an instruction of the hart that runs this code. If so, typed commands are that instruction and
    /// [`issue`](Self::issue) is not called.
    const INSTRUCTIONS: bool;

    /// Before each instruction, where commands are instructions: a guard that is not the innermost one selects its CX again.
    #[inline(always)]
    fn enter(&self) {}

    /// Issues a command: operands `rs1` and `rs2`, of which the CX reads the low XLEN bits; an immediate takes the place
    /// of `rs2`.
    fn issue(&self, function: u32, rs1: usize, rs2: usize) -> Reply;

    /// Accesses the CSR at an address of 12 bits: the reply carries the word that was there before. Where commands are
    /// instructions, typed accesses are too, and this is not called. What has no CSRs answers [`Response::Func`].
    fn csr(&self, op: CsrOp, address: u32, value: usize) -> Reply {
        let _ = (op, address, value);
        Reply { value: 0, response: Response::Func }
    }
}

impl Issue for Target {
    const INSTRUCTIONS: bool = false;

    #[inline]
    fn issue(&self, function: u32, rs1: usize, rs2: usize) -> Reply {
        Target::issue(*self, function, rs1, rs2)
    }

    #[inline]
    fn csr(&self, op: CsrOp, address: u32, value: usize) -> Reply {
        Target::csr(*self, op, address, value)
    }
}
