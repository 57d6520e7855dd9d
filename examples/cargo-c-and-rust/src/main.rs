//! Rust selects a MulAcc that C made known, C accumulates on it, and Rust reads the sum.

mod mulacc {
    lapis_cx_runtime::include_spec!("mulacc");
}

use lapis_cx_runtime::{Error, OpenFlags, open};
use mulacc::MulAcc;

// `src/dot.c`
unsafe extern "C" {
    safe fn dot_register() -> i32;
    fn dot_accumulate(a: *const u32, b: *const u32, count: usize);
}

/// Adds the products to the sum of the selected MulAcc.
fn accumulate(a: &[u32], b: &[u32]) {
    // SAFETY: both have so many elements, and C keeps neither.
    unsafe { dot_accumulate(a.as_ptr(), b.as_ptr(), a.len().min(b.len())) }
}

fn main() -> Result<(), Error> {
    println!("registered: {}", dot_register()); // 0, no error
    let cx = open(mulacc::UUID, OpenFlags::EXCLUSIVE)?;
    let mut selected = mulacc::Selected::new(cx.select());
    println!("{}", selected.mul(3, 4)); // 12
    accumulate(&[5, 1], &[6, 8]);
    println!("{}", selected.read_state(0)); // 50
    Ok(())
}
