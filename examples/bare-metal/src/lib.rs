//! What runs on a hart without an operating system and on any computer, and prints the same there.
#![no_std]

/// The interface of a multiply-accumulate unit, its guard and its fallback.
pub mod mulacc {
    lapis_cx_core::include_spec!("mulacc");
}
/// The library of the same spec: `Dot::dotp`.
pub mod dot {
    lapis_cx_core::include_spec!("dot");
}
/// A checksum unit, which has no state.
pub mod crc32c {
    lapis_cx_core::include_spec!("crc32c");
}

use core::fmt::{self, Write};

use crc32c::Crc32C;
use dot::Dot;
use lapis_cx_core::{Error, Runtime, Selector, Sharing, Uuid};
use mulacc::MulAcc;

/// Why the program stopped.
#[derive(Debug)]
pub enum Problem {
    /// A CX did not open.
    Cx(Error),
    /// Nothing could be printed.
    Output,
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Problem::Cx(error)
    }
}

impl From<fmt::Error> for Problem {
    fn from(_: fmt::Error) -> Self {
        Problem::Output
    }
}

/// A word of registers.
type Word = <mulacc::SoftCxu as lapis_cx_core::RustCxu>::Word;

/// An open CX, which is closed when this is dropped.
struct Open<R: Runtime> {
    runtime: R,
    selector: Selector,
}

impl<R: Runtime> Open<R> {
    fn new(runtime: R, uuid: Uuid, sharing: Sharing) -> Result<Self, Error> {
        let selector = runtime.open(uuid, sharing)?;
        Ok(Open { runtime, selector })
    }

    /// Does something while it is selected.
    fn selected<A>(&self, work: impl FnOnce(R::Current) -> A) -> A {
        let outer = self.runtime.select(self.selector);
        let done = work(self.runtime.current());
        self.runtime.select(outer);
        done
    }
}

impl<R: Runtime> Drop for Open<R> {
    fn drop(&mut self) {
        self.runtime.close(self.selector);
    }
}

/// A library that has a sum for as long as it likes. Of others it knows nothing.
struct Sum<R: Runtime>(Open<R>);

impl<R: Runtime> Sum<R> {
    fn new(runtime: R) -> Result<Self, Error> {
        Open::new(runtime, mulacc::UUID, Sharing::Exclusive).map(Sum)
    }

    /// Adds a product, and gives the sum modulo 2^32.
    fn add(&self, a: u32, b: u32) -> u32 {
        self.0.selected(|cx| mulacc::Selected::new(cx).mulacc(Word::from(a), Word::from(b)) as u32)
    }
}

/// The program. Two libraries have sums, a third one has its dot products, and all share the one state context of the machine.
///
/// # Errors
/// What kept it from its end.
pub fn program<R: Runtime + Copy>(runtime: R, out: &mut impl Write) -> Result<(), Problem> {
    let (left, right) = (Sum::new(runtime)?, Sum::new(runtime)?);
    let dot = Dot::new(runtime);
    for n in 1..=4 {
        let (a, b) = (left.add(n, n), right.add(n, 1000));
        writeln!(out, "{n}: squares {a}, thousands {b}, dotp {}", dot.dotp(&[n, 2, 3], &[4, 5, 6], 3))?;
    }
    let crc = Open::new(runtime, crc32c::UUID, Sharing::Stateless)?;
    let sum = crc.selected(|cx| {
        let unit = crc32c::Selected::new(cx);
        b"123456789".iter().fold(u32::MAX, |crc, byte| unit.crc_b(crc, *byte))
    });
    writeln!(out, "crc32c {:08x}", !sum)?;
    // It kept what it had.
    writeln!(out, "squares {}", left.add(0, 0))?;
    Ok(())
}
