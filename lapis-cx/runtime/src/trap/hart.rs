//! The thread's hart, as instructions see it.

use lapis_cx_core::encoding::Fallback;
use lapis_cx_core::machine::Operation;
use lapis_cx_core::trap::CustomHart;
use lapis_cx_core::{CsrOp, Selector, Status};

use super::xcmd;
use crate::thread;

/// The hart of the calling thread.
pub(super) struct ThreadHart;

impl CustomHart for ThreadHart {
    fn selected(&mut self) -> Selector {
        thread::selected()
    }

    fn select(&mut self, selector: Selector) {
        thread::select(selector);
    }

    fn status(&mut self, op: CsrOp, value: Status) -> Status {
        thread::change_status(|old| {
            let new = op.written(old.bits() as usize, value.bits() as usize);
            new.map_or(old, |new| Status::from_bits(new as u32))
        })
    }

    fn flex(&mut self, function: u32, fields: u16, rs2: usize) -> (u32, usize) {
        thread::flex(function, fields.into(), rs2)
    }

    fn xext(&mut self, fallback: Fallback, rs1: usize, rs2: usize) -> Option<usize> {
        xcmd::xext(fallback, rs1, rs2)
    }

    fn xcmd(&mut self, command: u8, rs1: usize, rs2: usize) -> Option<usize> {
        xcmd::xcmd(command, rs1, rs2)
    }

    fn operate(&mut self, operation: Operation) -> Option<usize> {
        if thread::selected() == Selector::BUILTIN {
            // An instruction of the processor's own, if it had one.
            return None;
        }
        Some(match operation {
            Operation::Command { function, rs1, rs2 } => thread::issue(function, rs1, rs2).value,
            Operation::Csr { op, address, value } => thread::csr(op, address, value).value,
        })
    }
}
