//! Dot products on the multiply-accumulate unit of `specs/mulacc.cxspec`: one by hand, and `Dot::dotp`, whose body is in the
//! spec.

/// The interface, its guard and its fallback.
pub mod mulacc {
    lapis_cx_runtime::include_spec!("mulacc");
}

/// The library of the spec: `Dot::new(ThisThread).dotp(&a, &b, n)`. It finds `mulacc` beside it.
pub mod dot {
    lapis_cx_runtime::include_spec!("dot");
}

use lapis_cx_runtime::{OpenFlags, open};
use mulacc::MulAcc;

/// Where a sum was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By the CX that was opened: hardware, or software that somebody registered for it.
    Cx,
    /// By the fallback that is compiled into this library.
    Fallback,
}

/// The sum of products modulo 2^32, and where it was made.
#[must_use]
pub fn sum_of_products(pairs: &[(u32, u32)]) -> (Way, u32) {
    match open(mulacc::UUID, OpenFlags::EXCLUSIVE) {
        // Selected until the guard is dropped at the end of the arm; then the selection before is back.
        Ok(cx) => (Way::Cx, sum(&mut mulacc::Selected::new(cx.select()), pairs)),
        Err(_) => (Way::Fallback, sum(&mut mulacc::Soft::default(), pairs)),
    }
}

/// The work knows the trait only, so it takes both.
fn sum(unit: &mut impl MulAcc, pairs: &[(u32, u32)]) -> u32 {
    let start = unit.mul(0, 0);
    // A word has 32 or 64 bits, as registers have.
    pairs.iter().fold(start, |_, (a, b)| unit.mulacc((*a).into(), (*b).into())) as u32
}
