//! Two libraries, and a machine with one state context: each has a MulAcc of its own, and the runtime moves their states.

mod mulacc {
    lapis_cx_runtime::include_spec!("mulacc");
}

use lapis_cx_runtime::{Cx, Error, OpenFlags, PlatformCxu, counters, load_platform, open, register_rust};
use mulacc::MulAcc;

/// A library that adds squares.
struct Squares(Cx);

impl Squares {
    fn add(&self, x: u32) -> u64 {
        mulacc::Selected::new(self.0.select()).mulacc(x.into(), x.into()).into()
    }
}

/// A library that adds products, and does not know of the other one.
struct Products(Cx);

impl Products {
    fn add(&self, x: u32, y: u32) -> u64 {
        mulacc::Selected::new(self.0.select()).mulacc(x.into(), y.into()).into()
    }
}

fn show_counters(when: &str) {
    let now = counters();
    let words = |bytes: u64| bytes / u64::from(usize::BITS / 8);
    println!(
        "contexts {when}: traps {}, swaps {}, words saved {}, words loaded {}",
        now.traps,
        now.swaps,
        words(now.saved_bytes),
        words(now.loaded_bytes)
    );
}

fn main() -> Result<(), Error> {
    // A hart has one MulAcc with one context; the generated software is in place of hardware.
    register_rust::<mulacc::SoftCxu>()?;
    load_platform(&[PlatformCxu { uuid: mulacc::UUID, contexts: 1 }])?;
    let squares = Squares(open(mulacc::UUID, OpenFlags::EXCLUSIVE)?);
    let products = Products(open(mulacc::UUID, OpenFlags::EXCLUSIVE)?);
    for x in 1..=4 {
        println!("contexts squares {}, products {}", squares.add(x), products.add(x, x + 1));
    }
    show_counters("in turn");
    for x in 5..=8 {
        squares.add(x); // its state is in the context but for the first time
    }
    println!("contexts squares {}", squares.add(9));
    show_counters("alone");
    Ok(())
}
