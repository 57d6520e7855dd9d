//! What commands can be issued to.

use crate::{Reply, Target};

/// A CX that is selected, for as long as the value lives: commands go to it.
pub trait Issue {
    /// Whether a command is an instruction of the hart that runs this code. If so, typed commands are that instruction and
    /// [`issue`](Self::issue) is not called.
    const INSTRUCTIONS: bool;

    /// Issues a command: operands `rs1` and `rs2`, of which the CX reads the low XLEN bits; an immediate takes the place
    /// of `rs2`.
    fn issue(&self, function: u32, rs1: usize, rs2: usize) -> Reply;
}

impl Issue for Target {
    const INSTRUCTIONS: bool = false;

    #[inline]
    fn issue(&self, function: u32, rs1: usize, rs2: usize) -> Reply {
        Target::issue(*self, function, rs1, rs2)
    }
}
