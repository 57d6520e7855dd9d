//! How many bits of two messages differ, with the population count of `specs/bitkit.cxspec`.
#![no_std]

/// The interface, its guard and its fallback.
pub mod bk {
    lapis_cx_core::include_spec!("bk");
}

use bk::BitKit;

/// The number of bits that differ. `kit` is what runs the commands: [`bk::Soft`], or on a hart what `select` gives.
#[must_use]
pub fn distance(kit: &impl BitKit, a: &[u32], b: &[u32]) -> u32 {
    a.iter().zip(b).map(|(a, b)| u32::from(kit.popcnt((a ^ b).into()))).sum()
}

/// Selects the BitKit that the firmware set up under this selector, until the result is dropped.
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
pub fn select(bitkit: lapis_cx_core::Selector) -> bk::Selected<lapis_cx_core::OnHart> {
    bk::Selected::new(lapis_cx_core::OnHart::select(bitkit))
}
