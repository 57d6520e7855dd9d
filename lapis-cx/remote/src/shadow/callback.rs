//! Callbacks of the program while both libraries do a call: the real one waits until the worker's asks for the same, then the
//! program's function runs once, and both get what it did.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use super::compare::Compare;
use super::report;
use super::{Shadow, with_frame};
use crate::call::endpoint::{PendingCall, Request};
use crate::call::guest::Guest;
use crate::call::link::UNEXPECTED;
use crate::call::serve::turn;
use crate::call::start;
use crate::marshal::access::{load_pointer, store_pointer};
use crate::marshal::tables::is_function;
use crate::marshal::{CallError, CallResult, Marshaller};
use crate::plan::{Block, Call, Kind};
use crate::protocol::{Finding, Mistake};

/// Functions of the program that the real library was given in place of others. They stay: it may keep them.
#[derive(Default)]
pub(super) struct Records {
    /// By callback and slot.
    slots: HashMap<(u32, u32), usize>,
    /// What stands for userdata, by its address.
    records: HashMap<usize, Record>,
}

#[derive(Clone, PartialEq, Eq)]
struct Record {
    functions: Vec<(u32, usize)>,
    tag: usize,
}

/// A callback that the real library waits for.
#[derive(Clone, Copy)]
pub(super) struct Pending {
    number: u32,
    function: usize,
    tag: usize,
    arguments: usize,
    is_done: bool,
}

impl Shadow {
    /// Callbacks among the arguments become functions that lead here.
    ///
    /// # Safety
    ///
    /// The walk is over arguments of this block, of which `native` is a copy.
    pub(super) unsafe fn register(&self, guest: &Guest, marshaller: &mut Marshaller<'_>, block: &Block, native: usize) {
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        let plan = guest.described.plan;
        for value in block.values.iter().filter(|value| value.goes) {
            let at = native + value.offset;
            let new = match &value.kind {
                Kind::Callback { of, .. } => {
                    // SAFETY: a member of the arguments.
                    let function = unsafe { load_pointer(at) };
                    let all = self.native.trampolines.get(*of as usize).map_or(&[][..], Vec::as_slice);
                    if !is_function(function) {
                        None
                    } else if plan.callbacks.get(*of as usize).is_some_and(|one| one.has_userdata) {
                        let slot = marshaller.lock().slot_of(*of, function);
                        records.slots.insert((*of, slot), function);
                        all.get(slot as usize).or(all.first()).copied()
                    } else {
                        let free = |n: &u32| records.slots.get(&(*of, *n)).is_none_or(|known| *known == function);
                        let slot = (0..all.len() as u32).find(free);
                        if let Some(slot) = slot {
                            records.slots.insert((*of, slot), function);
                        }
                        slot.and_then(|slot| all.get(slot as usize)).copied()
                    }
                }
                Kind::Userdata { of, .. } if !of.is_empty() => {
                    let function = |code| marshaller.eval(code).unwrap_or(0) as usize;
                    let functions = of.iter().map(|(of, _)| *of).zip(of.iter().map(|(_, code)| code).map(function));
                    let functions = functions.collect();
                    // SAFETY: a member of the arguments.
                    let record = Record { functions, tag: unsafe { load_pointer(at) } };
                    let known = records.records.iter().find(|(_, known)| **known == record).map(|(at, _)| *at);
                    // The library only hands it on.
                    let address = known.unwrap_or_else(|| Box::into_raw(Box::new(0u64)).expose_provenance());
                    records.records.insert(address, record);
                    Some(address)
                }
                _ => None,
            };
            if let Some(new) = new {
                // SAFETY: as above.
                unsafe { store_pointer(at, new) };
            }
        }
    }

    /// The program's function, and its userdata.
    ///
    /// # Safety
    ///
    /// The arguments are those of this callback.
    unsafe fn registered(
        &self,
        call: &Call,
        block: &Block,
        (number, slot): (u32, u32),
        arguments: usize,
    ) -> Option<(usize, usize)> {
        let records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        if !call.has_userdata {
            return records.slots.get(&(number, slot)).map(|function| (*function, 0));
        }
        // SAFETY: a member of the arguments.
        let record = unsafe { load_pointer(arguments + userdata(block)?) };
        let record = records.records.get(&record)?;
        let own = records.slots.get(&(number, slot)).filter(|_| slot != 0).copied();
        let function = own.or_else(|| Some(record.functions.iter().find(|(of, _)| *of == number)?.1))?;
        Some((function, record.tag))
    }

    /// The worker asks for a callback.
    ///
    /// # Safety
    ///
    /// The arguments were received, with this walk.
    pub(super) unsafe fn run_callback(
        &self,
        guest: &Guest,
        request: &Request,
        marshaller: &mut Marshaller<'_>,
        arguments: usize,
    ) -> CallResult<Option<i32>> {
        let (call, number) = (request.call, request.number);
        let plan = guest.described.plan;
        let block = plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
        let refused = CallError::Refused("the library does not call it here", call.name);
        let waits = with_frame(|frame| (frame.pending, frame.errno.is_some() || frame.running.is_some()));
        let Some((pending, is_compared)) = waits else {
            // From a thread of the library: there is nothing to compare it with.
            report::compared(false);
            return Err(refused);
        };
        let pending = match pending.filter(|pending| !pending.is_done && pending.number == number) {
            Some(pending) => pending,
            None if !is_compared => return Err(refused),
            None => {
                let text = "the library in the worker calls it back, and the real one does not";
                report::found(&Finding::of(plan.text(call.name), "", Mistake::Callback, text));
                return Err(refused);
            }
        };
        let of = plan.text(call.name);
        // SAFETY: both structs of arguments are there.
        unsafe { Compare::of_callback(marshaller, self, of).entry(block, pending.arguments, arguments) };
        // It is done even if it ends in another way than by a return.
        with_frame(|frame| frame.pending = Some(Pending { is_done: true, ..pending }));
        // SAFETY: the real library's arguments of this callback.
        let errno = unsafe { invoke(guest, block, &pending) };
        // SAFETY: as above.
        unsafe { Compare::of_callback(marshaller, self, of).copy_back(block, pending.arguments, arguments) };
        Ok(Some(errno))
    }
}

fn userdata(block: &Block) -> Option<usize> {
    let is_tag = |value: &&crate::plan::Value| matches!(&value.kind, Kind::Userdata { of, .. } if of.is_empty());
    block.values.iter().find(is_tag).map(|value| value.offset)
}

/// Runs the program's function with the real library's arguments.
///
/// # Safety
///
/// They are those of this callback.
unsafe fn invoke(guest: &Guest, block: &Block, pending: &Pending) -> i32 {
    let Some(invoke) = guest.invokes.get(pending.number as usize).copied().flatten() else { return 0 };
    let at = userdata(block).map(|offset| pending.arguments + offset);
    let pointer = std::ptr::with_exposed_provenance_mut;
    // SAFETY: as the caller says.
    unsafe {
        let record = at.map(|at| load_pointer(at));
        if let Some(at) = at {
            store_pointer(at, pending.tag);
        }
        invoke(pointer(pending.function), pointer(pending.arguments));
        let errno = start::errno();
        if let (Some(at), Some(record)) = (at, record) {
            store_pointer(at, record);
        }
        errno
    }
}

/// The real library calls back.
///
/// # Safety
///
/// `arguments` is the struct of this callback's arguments.
pub(crate) unsafe fn callback(guest: &Arc<Guest>, shadow: &Shadow, number: u32, slot: u32, arguments: usize) {
    let plan = guest.described.plan;
    let Some(call) = plan.callbacks.get(number as usize) else { return };
    let Some(block) = plan.blocks.get(call.arguments as usize) else { return };
    // SAFETY: as the caller says.
    let Some((function, tag)) = (unsafe { shadow.registered(call, block, (number, slot), arguments) }) else { return };
    let pending = Pending { number, function, tag, arguments, is_done: false };
    let waiting = with_frame(|frame| {
        let is_open = frame.errno.is_none() && frame.early.is_none() && Arc::ptr_eq(&frame.guest, guest);
        let running = frame.running.clone().filter(|_| is_open)?;
        frame.pending = Some(pending);
        Some((running, frame.remoted))
    });
    let mut is_done = false;
    if let Some((running, arguments)) = waiting.flatten() {
        loop {
            // SAFETY: the walk of the call that runs on this thread, further up the stack; nobody uses it meanwhile.
            let marshaller = unsafe { &mut *running.marshaller };
            let waiting = PendingCall { marshaller, call: running.call, block: running.block, arguments };
            // SAFETY: as above.
            let turned = unsafe { turn(&**guest, &running.link, running.link.depth(), waiting) };
            is_done = with_frame(|frame| frame.pending.is_some_and(|pending| pending.is_done)).unwrap_or(false);
            match turned {
                Ok(None) if !is_done => continue,
                Ok(Some(answer)) => {
                    let text = "the real library calls it back, and the one in the worker does not";
                    report::found(&Finding::of(plan.text(call.name), "", Mistake::Callback, text));
                    with_frame(|frame| frame.early = Some(answer));
                }
                _ => {}
            }
            break;
        }
        with_frame(|frame| frame.pending = None);
    } else {
        report::compared(false);
    }
    if !is_done {
        // SAFETY: as the caller says.
        let errno = unsafe { invoke(guest, block, &pending) };
        start::set_errno(errno);
    }
}
