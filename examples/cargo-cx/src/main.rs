//! The same sum without a CX and with one, by hand and generated.

use cargo_cx::dot::Dot;
use cargo_cx::{mulacc, sum_of_products};
use lapis_cx_runtime::{Error, ThisThread, register_rust};

fn main() -> Result<(), Error> {
    let pairs = [(3, 4), (5, 6)];
    let generated = || Dot::new(ThisThread).dotp(&[3, 5], &[4, 6], 2);
    println!("{:?} {}", sum_of_products(&pairs), generated()); // (Fallback, 42) 42, where the hardware has no MulAcc
    register_rust::<mulacc::SoftCxu>()?;
    println!("{:?} {}", sum_of_products(&pairs), generated()); // (Cx, 42) 42
    Ok(())
}
