//! The CX API as generated functions of libraries use it.

use lapis_cx_core::{CsrOp, Error, Issue, Reply, Runtime, Selector, Sharing, Uuid};

use crate::cx::OpenFlags;
use crate::{hardware, image, thread};

/// The CXs of the thread that runs this: for libraries that were generated, as in `Dot::new(ThisThread)`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThisThread;

/// Commands and accesses go to what the thread has selected.
impl Issue for ThisThread {
    const INSTRUCTIONS: bool = hardware::INSTRUCTIONS;

    #[inline]
    fn issue(&self, function: u32, rs1: usize, rs2: usize) -> Reply {
        thread::issue(function, rs1, rs2)
    }

    #[inline]
    fn csr(&self, op: CsrOp, address: u32, value: usize) -> Reply {
        thread::csr(op, address, value)
    }
}

impl Runtime for ThisThread {
    type Current = ThisThread;

    #[inline]
    fn current(&self) -> ThisThread {
        ThisThread
    }

    fn open(&self, uuid: Uuid, sharing: Sharing) -> Result<Selector, Error> {
        let flags = if sharing == Sharing::Exclusive { OpenFlags::EXCLUSIVE } else { OpenFlags::SHARED };
        hardware::ready()?;
        thread::open(uuid, flags)
    }

    fn close(&self, selector: Selector) {
        // It fails while a CXU written in Rust runs, or if C has closed the selector: the end of the thread frees the rest.
        let _ = thread::close(selector);
    }

    #[inline]
    fn is_open(&self, selector: Selector) -> bool {
        thread::is_there(selector)
    }

    #[inline]
    fn select(&self, selector: Selector) -> Selector {
        hardware::select(selector)
    }

    fn save(&self, image: &mut [u8]) -> Result<(), Error> {
        // SAFETY: the slice is good for its length.
        unsafe { image::save(thread::selected(), image.as_mut_ptr(), image.len()) }?;
        Ok(())
    }

    fn restore(&self, image: &[u8]) -> Result<(), Error> {
        // SAFETY: the slice is good for its length.
        Ok(unsafe { image::restore(thread::selected(), image.as_ptr(), image.len()) }?)
    }
}
