//! Adds two numbers and prints their mean: on hardware that has the interface Starter, or else in software.

mod starter {
    lapis_cx_runtime::include_spec!("starter");
}

use lapis_cx_runtime::{OpenFlags, open, register_rust};

use starter::*; // the trait of the commands, and what has them: the hardware, the fallback

fn main() -> Result<(), lapis_cx_runtime::Error> {
    register_rust::<SoftCxu>()?; // without hardware: the generated fallback
    let cx = open(UUID, OpenFlags::EXCLUSIVE)?;
    let mut selected = Selected::new(cx.select()); // until it is dropped
    selected.add(2);
    selected.add(6);
    println!("mean {}", selected.mean());
    Ok(())
}
