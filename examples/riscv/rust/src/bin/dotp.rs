//! The dot products of the CX API document: exclusive or shared state, CX or default calling convention. `specs/dotp.cxspec`
//! has the bodies; the generated functions select, save and restore around each call as state and convention want it.

mod dotp {
    lapis_cx_runtime::include_spec!("dotp");
}
mod mac {
    lapis_cx_runtime::include_spec!("mac");
}
mod smac {
    lapis_cx_runtime::include_spec!("smac");
}

use dotp::{Calls, Dotp};
use lapis_cx_runtime::{Error, OpenFlags, Runtime, Selector, ThisThread, open, register_rust};
use smac::SharedMac;

/// What the functions of the library call; it counts calls by what they found selected.
#[derive(Default)]
struct Called {
    with_cx: u32,
    with_builtin: u32,
}

impl Called {
    fn count(&mut self) {
        let selected = ThisThread.select(Selector::BUILTIN);
        ThisThread.select(selected);
        *if selected == Selector::BUILTIN { &mut self.with_builtin } else { &mut self.with_cx } += 1;
    }
}

impl Calls for Called {
    /// Knows of CXs: it leaves what is selected as it is.
    fn aware(&mut self, x: i32) -> i32 {
        self.count();
        2 * x
    }

    /// Knows nothing of CXs, but other code that it calls may use the shared one.
    fn legacy(&mut self, x: i32) -> i32 {
        self.count();
        if let Ok(cx) = open(smac::UUID, OpenFlags::SHARED) {
            smac::Selected::new(cx.select()).reset();
        }
        2 * x
    }
}

type Function = fn(&Dotp<ThisThread>, &mut Called, &[i32], &[i32], u32) -> i32;

fn show(name: &str, function: Function) {
    let (a, b) = ([1, 2, 3, 4], [5, -6, 7, 8]);
    let mut called = Called::default();
    let product = function(&Dotp::new(ThisThread), &mut called, &a, &b, 4);
    let Called { with_cx, with_builtin } = called;
    println!("dotp {name}: {product}, calls with a CX selected {with_cx}, with built-in {with_builtin}");
}

fn main() -> Result<(), Error> {
    // Without hardware: the generated software.
    register_rust::<mac::SoftCxu>()?;
    register_rust::<smac::SoftCxu>()?;
    show("exclusive, CX", Dotp::exclusive_cx);
    show("exclusive, default", Dotp::exclusive_legacy);
    show("shared, CX", Dotp::shared_cx);
    show("shared, default", Dotp::shared_legacy);
    Ok(())
}
