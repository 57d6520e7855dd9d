//! The same sum without a CX and with one.

use cargo_cx::{dot, mulacc};
use lapis_cx_runtime::{Error, register_rust};

fn main() -> Result<(), Error> {
    let pairs = [(3, 4), (5, 6)];
    println!("{:?}", dot(&pairs)); // (Fallback, 42), where the hardware has no MulAcc
    register_rust::<mulacc::SoftCxu>()?;
    println!("{:?}", dot(&pairs)); // (Cx, 42)
    Ok(())
}
