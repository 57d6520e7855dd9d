//! The functions of a descriptor. Each sends a request to the worker.

use std::ffi::c_void;

use lapis_cx_core::Response;

use super::command_channel::{self, CommandError};
use super::guest::State;
use super::live_states::Record;
use super::slots::Slot;
use super::wire::record;
use crate::Writer;
use crate::locks::guard;

impl Slot {
    /// Returns the id of the worker's state for a state of the program: 0 for a CXU without state, `None` if the worker has none.
    ///
    /// # Safety
    ///
    /// `state` must be a state of this descriptor.
    #[inline]
    unsafe fn state(&self, state: *const c_void) -> Option<u64> {
        if !self.has_state {
            return Some(0);
        }
        // SAFETY: the runtime zeroes the memory of a state, and only `init` writes it.
        let record = unsafe { state.cast::<Record>().read() };
        let is_ours =
            record.address == state.addr() && record.guest == self.guest.id && record.forks == command_channel::forks();
        (is_ours && record.state != 0).then_some(record.state)
    }

    /// Returns the response to a command whose state the worker does not have.
    #[cold]
    fn without_state(&self) -> (u32, usize) {
        let has_ended = matches!(&*guard(&self.guest.process_state().state), State::Ended);
        (if has_ended { Response::Cxu } else { Response::State }.code(), 0)
    }

    /// # Safety
    ///
    /// The safety contract of this function and the following ones is in `cx_abi.h`.
    pub unsafe fn init(&self, state: *mut c_void) {
        let address = state.expose_provenance();
        let made = self.guest.begin_state(self.cxu, address);
        let record = Record { state: made, address, guest: self.guest.id, forks: command_channel::forks() };
        // SAFETY: the caller upholds the contract of this function.
        unsafe { state.cast::<Record>().write(record) };
        if made != 0 {
            // Added last, so a thread that checks the records finds a complete one.
            guard(&self.guest.process_state().live).add(record);
        }
    }

    fn response(&self, asked: Result<(u32, u64), CommandError>) -> (u32, usize) {
        match asked {
            Ok((response, value)) => (response, value as usize & self.mask),
            Err(CommandError::Refused) if self.has_state => (Response::State.code(), 0),
            Err(_) => (Response::Cxu.code(), 0),
        }
    }

    #[inline]
    pub unsafe fn issue(&self, state: *mut c_void, function: u32, rs1: usize, rs2: usize) -> (u32, usize) {
        // SAFETY: the caller upholds the contract of this function.
        let Some(state) = (unsafe { self.state(state) }) else { return self.without_state() };
        let put = |to: &mut Writer<'_>| {
            to.put_u64(u64::from(self.cxu) | u64::from(function) << 32);
            to.put_u64(state);
            to.put_u64(rs1 as u64);
            to.put_u64(rs2 as u64);
        };
        self.response(self.guest.ask(record::ISSUE, put, |from| Ok((from.get_u32()?, from.get_u64()?))))
    }

    pub unsafe fn csr(&self, state: *mut c_void, op: u32, address: u32, value: usize) -> (u32, usize) {
        // SAFETY: the caller upholds the contract of this function.
        let Some(state) = (unsafe { self.state(state) }) else { return self.without_state() };
        let put = |to: &mut Writer<'_>| {
            to.put_u64(u64::from(self.cxu) | u64::from(address) << 32);
            to.put_u64(state);
            to.put_u32(op);
            to.put_u64(value as u64);
        };
        self.response(self.guest.ask(record::CSR, put, |from| Ok((from.get_u32()?, from.get_u64()?))))
    }

    pub unsafe fn flex(&self, function: u32, fields: u32, rs2: usize) -> (u32, usize) {
        let put = |to: &mut Writer<'_>| {
            [self.cxu, function, fields].into_iter().for_each(|number| to.put_u32(number));
            to.put_u64(rs2 as u64);
        };
        let asked = self.guest.ask(record::FLEX, put, |from| Ok((from.get_u32()?, from.get_u64()?)));
        // The runtime issues the decoded command next, and that command returns the error.
        asked.map_or((function, rs2), |(function, rs2)| (function, rs2 as usize))
    }

    pub unsafe fn save(&self, state: *const c_void, image: *mut c_void) {
        // SAFETY: the runtime passes memory of the size of an image, and the first call initialises it with zeros.
        let image = unsafe {
            image.cast::<u8>().write_bytes(0, self.image);
            std::slice::from_raw_parts_mut(image.cast::<u8>(), self.image)
        };
        // SAFETY: the caller upholds the contract of this function.
        let Some(state) = (unsafe { self.state(state) }) else { return };
        let put = |to: &mut Writer<'_>| {
            to.put_u32(self.cxu);
            to.put_u64(state);
        };
        if self.guest.ask(record::SAVE, put, |from| from.get(image)).is_err() {
            image.fill(0);
        }
    }

    pub unsafe fn restore(&self, state: *mut c_void, image: *const c_void) {
        // SAFETY: the caller upholds the contract of this function.
        if unsafe { self.state(state) }.is_none() {
            // The state was made before a fork. A new state is enough, because the image replaces its contents.
            // SAFETY: the caller upholds the contract of this function.
            unsafe { self.init(state) };
        }
        // SAFETY: the runtime passes an image of `self.image` bytes.
        let (state, image) = unsafe { (self.state(state), std::slice::from_raw_parts(image.cast::<u8>(), self.image)) };
        let Some(state) = state else { return };
        let put = |to: &mut Writer<'_>| {
            to.put_u32(self.cxu);
            to.put_u64(state);
            to.put(image);
        };
        // If this fails, the worker has lost the state, and the next command reports that.
        let _ = self.guest.ask(record::RESTORE, put, |_| Ok(()));
    }
}
