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
        OnHart { outer: swap(selector), on_this_hart: PhantomData }
    }

    /// Selects until somebody else does, and gives what `cx_index` held: a hart may keep the index alone.
    #[inline(always)]
    pub fn swap(selector: Selector) -> Selector {
        Selector::from_raw(swap(selector) as i32)
    }
}

/// A hart looks at the index; one in software sees from the rest whether the selector is stale.
#[inline(always)]
fn swap(selector: Selector) -> usize {
    insn::swap_index(selector.raw() as isize as usize)
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
