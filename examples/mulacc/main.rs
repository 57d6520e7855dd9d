//! MulAcc from Rust. The module is what `cxc build specs/mulacc.cxspec --out-dir out` writes.

#[path = "../../out/rust/mulacc.rs"]
mod mulacc;

use lapis_cx_runtime::{Error, OpenFlags, open, register_rust};
use mulacc::MulAcc;

/// A library that uses only the trait works with the hardware, the runtime and the fallback.
fn dot(m: &mut impl MulAcc, pairs: &[(u64, u64)]) -> u64 {
    m.mul(0, 0);
    pairs.iter().fold(0, |_, (a, b)| m.mulacc(*a, *b))
}

fn main() -> Result<(), Error> {
    register_rust::<mulacc::SoftCxu>()?; // without hardware: the generated fallback
    let cx = open(mulacc::UUID, OpenFlags::EXCLUSIVE)?;
    let mut selected = mulacc::Selected::new(cx.select()); // selected until it is dropped
    println!("{}", selected.mul(3, 4)); // 12
    println!("{}", selected.mulacc(5, 6)); // 42
    println!("{}", dot(&mut mulacc::Soft::default(), &[(3, 4), (5, 6)])); // 42, without the runtime
    Ok(())
}
