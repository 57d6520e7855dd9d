//! Selections of the hart that runs this code.

use core::marker::PhantomData;

use crate::{Issue, Reply, Response, Selector, insn};

/// A CX that is selected on this hart (CX-ISA, CSR `cx_index`) until this is dropped, which brings the selection before back.
/// Commands are instructions. Guards are meant to be dropped in the reverse order of their making, as scopes do.
#[derive(Debug)]
#[must_use = "the selection before comes back when this is dropped"]
pub struct OnHart {
    outer: usize,
    on_this_hart: PhantomData<*mut ()>,
}

impl OnHart {
    /// Selects. Whoever fills the hart's table says what a selector leads to; under one that leads nowhere commands set
    /// flags of `cx_status` and give 0.
    #[inline(always)]
    pub fn select(selector: Selector) -> OnHart {
        OnHart { outer: insn::swap_index(usize::from(selector.cx_index())), on_this_hart: PhantomData }
    }
}

impl Drop for OnHart {
    #[inline(always)]
    fn drop(&mut self) {
        insn::swap_index(self.outer);
    }
}

impl Issue for OnHart {
    const INSTRUCTIONS: bool = true;

    /// An instruction names its function, so one that is known only now has none.
    fn issue(&self, _function: u32, _rs1: usize, _rs2: usize) -> Reply {
        Reply { value: 0, response: Response::Func }
    }
}
