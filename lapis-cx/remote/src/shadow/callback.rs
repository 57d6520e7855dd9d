//! Callbacks of the program in shadow mode. The real library waits until the worker requests the same callback. The program's function then
//! runs once, and both libraries get its results.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError};

use super::compare::Compare;
use super::report;
use super::{Alone, Shadow, with_frame};
use crate::call::endpoint::{PendingCall, Request};
use crate::call::errno;
use crate::call::guest::Guest;
use crate::call::link::UNEXPECTED;
use crate::call::serve::process_next;
use crate::marshal::access::{load_pointer, store_pointer};
use crate::marshal::tables::is_function;
use crate::marshal::{CallError, CallResult, Marshaller};
use crate::plan::{Block, Call, Kind, Plan, Tagged, Value, callback_of};
use crate::protocol::{Finding, Mistake};

/// The program's functions that trampolines replace in calls of the real library. They are never freed, because the library may keep them.
#[derive(Default)]
pub(super) struct Records {
    /// By callback and slot.
    slots: HashMap<(u32, u32), usize>,
    /// Functions without a trampoline, which the real library calls itself, by callback.
    without_trampoline: HashSet<(u32, usize)>,
    /// Registrations by the address that replaces the userdata.
    records: HashMap<usize, Record>,
}

impl Records {
    /// Returns the address that the real library gets as userdata. As in the worker, a registration of these and more functions will do.
    fn substitute(&mut self, functions: Vec<(u32, usize)>, tag: usize) -> usize {
        let fits = |one: &Record| one.tag == tag && functions.iter().all(|function| one.functions.contains(function));
        let fitting = self.records.iter().filter(|(_, one)| fits(one));
        if let Some((known, _)) = fitting.min_by_key(|(at, one)| (one.functions.len(), **at)) {
            return *known;
        }
        // The library only passes this pointer to the callback.
        let address = Box::into_raw(Box::new(0u64)).expose_provenance();
        self.records.insert(address, Record { functions, tag });
        address
    }
}

struct Record {
    functions: Vec<(u32, usize)>,
    tag: usize,
}

/// A callback that the real library waits for.
#[derive(Clone, Copy)]
pub(super) struct Pending {
    number: u32,
    function: usize,
    arguments: usize,
    /// What the real library left in `errno`, or the program's function once it is done.
    errno: i32,
    is_done: bool,
}

impl Shadow {
    /// Replaces callbacks among the arguments with trampolines to [`callback`].
    ///
    /// # Safety
    ///
    /// `marshaller` must marshal arguments of this block, and `native` must be the address of a copy of them.
    pub(super) unsafe fn register(&self, guest: &Guest, marshaller: &mut Marshaller<'_>, block: &Block, native: usize) {
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        let plan = guest.described.plan;
        // SAFETY: the caller upholds the contract of this function.
        let without_trampoline = unsafe { functions_without_trampoline(marshaller, block, native) };
        records.without_trampoline.extend(&without_trampoline);
        for value in block.values.iter().filter(|value| value.copy_in) {
            let at = native + value.offset;
            let new = match &value.kind {
                Kind::Callback { of, .. } => {
                    // SAFETY: the plan places this member inside the argument struct.
                    let function = unsafe { load_pointer(at) };
                    if without_trampoline.contains(&(*of, function)) {
                        continue;
                    }
                    let all = self.native.trampolines.get(*of as usize).map_or(&[][..], Vec::as_slice);
                    if !is_function(function) {
                        None
                    } else if plan.callbacks.get(*of as usize).is_some_and(|one| one.facts.has_userdata) {
                        let slot = marshaller.lock().slot_of(*of, function);
                        records.slots.insert((*of, slot), function);
                        all.get(slot as usize).or(all.first()).copied()
                    } else {
                        let free = |n: &u32| records.slots.get(&(*of, *n)).is_none_or(|known| *known == function);
                        let slot = (0..all.len() as u32).find(free);
                        match slot {
                            Some(slot) => _ = records.slots.insert((*of, slot), function),
                            None => stays_alone(
                                plan.text(value.name),
                                "the real library calls it itself, as all `slots` have a function",
                            ),
                        }
                        slot.and_then(|slot| all.get(slot as usize)).copied()
                    }
                }
                Kind::Userdata { of, .. } if !of.is_empty() => {
                    let functions = functions_of(marshaller, of);
                    if functions.iter().any(|one| without_trampoline.contains(one)) {
                        continue;
                    }
                    // SAFETY: the plan places this member inside the argument struct.
                    let tag = unsafe { load_pointer(at) };
                    let mut is_shared = |(of, function): &(u32, usize)| marshaller.lock().slot_of(*of, *function) == 0;
                    // Null needs no substitute if each function has a trampoline of its own. The library may compare it.
                    (tag != 0 || functions.iter().any(&mut is_shared)).then(|| records.substitute(functions, tag))
                }
                _ => None,
            };
            if let Some(new) = new {
                // SAFETY: same guarantee as above.
                unsafe { store_pointer(at, new) };
            }
        }
    }

    /// Replaces a trampoline or userdata that the real library returned with the program's function or userdata.
    ///
    /// # Safety
    ///
    /// `at` must be the address of a value of this kind, which the library has written if it is a substitute.
    pub(super) unsafe fn restore(&self, kind: &Kind, at: usize) {
        // SAFETY: the caller upholds the contract of this function; only pointers are loaded and stored.
        unsafe {
            let records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
            let original = match kind {
                Kind::Callback { of, .. } => {
                    let function = load_pointer(at);
                    let all = self.native.trampolines.get(*of as usize).map_or(&[][..], Vec::as_slice);
                    let slot = all.iter().position(|trampoline| *trampoline == function);
                    slot.and_then(|slot| records.slots.get(&(*of, slot as u32)).copied())
                }
                Kind::Userdata { .. } => records.records.get(&load_pointer(at)).map(|record| record.tag),
                _ => None,
            };
            if let Some(original) = original {
                store_pointer(at, original);
            }
        }
    }

    /// Returns the program's function.
    ///
    /// # Safety
    ///
    /// `arguments` must be the address of the argument struct of this callback.
    unsafe fn registered(
        &self,
        call: &Call,
        block: &Block,
        (number, slot): (u32, u32),
        arguments: usize,
    ) -> Option<usize> {
        let records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        if !call.facts.has_userdata {
            return records.slots.get(&(number, slot)).copied();
        }
        let own = records.slots.get(&(number, slot)).filter(|_| slot != 0).copied();
        // SAFETY: the plan places this member inside the argument struct.
        let record = unsafe { load_pointer(arguments + userdata(block)?) };
        if record == 0 {
            return own;
        }
        let record = records.records.get(&record)?;
        own.or_else(|| Some(record.functions.iter().find(|(of, _)| *of == number)?.1))
    }

    /// Returns whether the real library calls functions of this callback itself.
    fn has_no_trampoline(&self, callback: u32) -> bool {
        let records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        records.without_trampoline.iter().any(|(of, _)| *of == callback)
    }

    /// Runs a callback that the worker requests.
    ///
    /// # Safety
    ///
    /// `marshaller` must have decoded the arguments.
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
        let waits = with_frame(|frame| (frame.pending, frame.errno.is_some() || frame.running.is_some(), frame.alone));
        let Some((pending, is_compared, alone)) = waits else {
            // The callback is from a library thread, so there is no call to compare it with.
            report::compared(false);
            return Err(refused);
        };
        let pending = match pending.filter(|pending| !pending.is_done && pending.number == number) {
            _ if alone != Alone::No => return Err(refused),
            Some(pending) => pending,
            None if !is_compared => return Err(refused),
            None if is_in_memory(plan, number) || self.has_no_trampoline(number) => {
                stays_alone(plan.text(call.name), "the real library calls a function in a struct or buffer itself");
                return Err(refused);
            }
            None => {
                let text = "the library in the worker calls it back, and the real one does not";
                report::found(&Finding::of(plan.text(call.name), "", Mistake::Callback, text));
                return Err(refused);
            }
        };
        let of = plan.text(call.name);
        // SAFETY: `pending.arguments` and `arguments` are both argument structs of this callback.
        unsafe { Compare::of_callback(marshaller, self, of).entry(block, pending.arguments, arguments) };
        // The callback counts as done even if the function does not return normally.
        with_frame(|frame| frame.pending = Some(Pending { is_done: true, ..pending }));
        // SAFETY: `pending.arguments` is the real library's argument struct of this callback.
        let errno = unsafe { invoke(guest, &pending) };
        with_frame(|frame| frame.pending = Some(Pending { is_done: true, errno, ..pending }));
        // SAFETY: same guarantee as above.
        unsafe { Compare::of_callback(marshaller, self, of).copy_back(block, pending.arguments, arguments) };
        Ok(Some(errno))
    }
}

/// Records why the current call is not compared.
fn stays_alone(parameter: &str, why: &str) {
    let finding = Finding::of("", parameter, Mistake::Refused, why);
    with_frame(|frame| (frame.alone, frame.refused) = (Alone::Itself, Some(finding)));
}

/// Returns whether programs can pass functions of a callback type in memory, where no trampolines replace them: the real library calls them itself.
fn is_in_memory(plan: &Plan, callback: u32) -> bool {
    fn holds(value: &Value, callback: u32, is_argument: bool) -> bool {
        match &value.kind {
            Kind::Callback { of, .. } => *of == callback && !is_argument,
            Kind::Buffer(buffer) => holds(&buffer.element, callback, false),
            Kind::Array(array) => holds(&array.element, callback, false),
            Kind::Match(choice) => choice.cases().any(|value| holds(value, callback, false)),
            _ => false,
        }
    }
    let functions = plan.functions.iter().filter_map(|function| function.call.as_ref());
    let calls: Vec<u32> = functions.chain(&plan.callbacks).map(|call| call.arguments).collect();
    (0..).zip(&plan.blocks).any(|(n, block)| {
        let is_argument = calls.contains(&n);
        block.values.iter().any(|value| holds(value, callback, is_argument))
    })
}

/// Returns the functions of a userdata argument that are no null pointers, with their callbacks.
fn functions_of(marshaller: &mut Marshaller<'_>, of: &[Tagged]) -> Vec<(u32, usize)> {
    let functions = of.iter().map(|one| (callback_of(one), marshaller.eval(&one.function).unwrap_or(0) as usize));
    functions.filter(|(_, function)| is_function(*function)).collect()
}

/// Functions in structs and buffers have no trampolines: the real library calls them itself, with the userdata of the program. Returns these functions,
/// and the functions that share a userdata with them.
///
/// # Safety
///
/// As for [`Shadow::register`].
unsafe fn functions_without_trampoline(
    marshaller: &mut Marshaller<'_>,
    block: &Block,
    native: usize,
) -> HashSet<(u32, usize)> {
    let arguments = block.values.iter().filter_map(|value| match value.kind {
        // SAFETY: the plan places this member inside the argument struct.
        Kind::Callback { of, .. } if value.copy_in => Some((of, unsafe { load_pointer(native + value.offset) })),
        _ => None,
    });
    let arguments: Vec<(u32, usize)> = arguments.collect();
    let mut found = HashSet::new();
    for value in block.values.iter().filter(|value| value.copy_in) {
        let Kind::Userdata { of, .. } = &value.kind else { continue };
        let functions = functions_of(marshaller, of);
        // A function in metadata was an argument of an earlier call.
        let is_kept = of.iter().any(|one| one.function.facts.reads_metadata);
        if !is_kept && functions.iter().any(|one| !arguments.contains(one)) {
            found.extend(functions);
        }
    }
    found
}

fn userdata(block: &Block) -> Option<usize> {
    let is_tag = |value: &&crate::plan::Value| matches!(&value.kind, Kind::Userdata { of, .. } if of.is_empty());
    block.values.iter().find(is_tag).map(|value| value.offset)
}

/// Runs the program's function with the real library's arguments.
///
/// # Safety
///
/// `pending` must hold the arguments of this callback.
unsafe fn invoke(guest: &Guest, pending: &Pending) -> i32 {
    let Some(invoke) = guest.invokes.get(pending.number as usize).copied().flatten() else { return 0 };
    let pointer = std::ptr::with_exposed_provenance_mut;
    errno::set(pending.errno);
    // SAFETY: the caller upholds the contract of this function.
    unsafe { invoke(pointer(pending.function), pointer(pending.arguments)) };
    errno::get()
}

/// Handles a callback of the real library.
///
/// # Safety
///
/// `arguments` must be the address of the argument struct of this callback.
pub(crate) unsafe fn callback(guest: &Arc<Guest>, shadow: &Shadow, number: u32, slot: u32, arguments: usize) {
    let (plan, errno) = (guest.described.plan, errno::get());
    let Some(call) = plan.callbacks.get(number as usize) else { return };
    let Some(block) = plan.blocks.get(call.arguments as usize) else { return };
    // SAFETY: the caller upholds the contract of this function.
    let Some(function) = (unsafe { shadow.registered(call, block, (number, slot), arguments) }) else { return };
    for value in block.values.iter().filter(|value| value.copy_in) {
        // SAFETY: the plan places this member inside the argument struct.
        unsafe { shadow.restore(&value.kind, arguments + value.offset) };
    }
    let pending = Pending { number, function, arguments, errno, is_done: false };
    let waiting = with_frame(|frame| {
        let is_open = frame.errno.is_none() && frame.early.is_none() && Arc::ptr_eq(&frame.guest, guest);
        let running = frame.running.clone().filter(|_| is_open)?;
        frame.pending = Some(pending);
        Some((running, frame.remoted))
    });
    let mut done = None;
    if let Some((running, arguments)) = waiting.flatten() {
        loop {
            // SAFETY: the marshaller belongs to the call that runs on this thread, further up the stack, which does not use it meanwhile.
            let marshaller = unsafe { &mut *running.marshaller };
            let waiting = PendingCall { marshaller, call: running.call, block: running.block, arguments };
            // SAFETY: same guarantee as above.
            let turned = unsafe { process_next(&**guest, &running.link, running.link.depth(), waiting) };
            done = with_frame(|frame| frame.pending.filter(|pending| pending.is_done)).flatten();
            match turned {
                Ok(None) if done.is_none() => continue,
                Ok(Some(answer)) => {
                    let text = "the real library calls it back, and the one in the worker does not";
                    if with_frame(|frame| frame.alone) == Some(Alone::No) {
                        report::found(&Finding::of(plan.text(call.name), "", Mistake::Callback, text));
                    }
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
    // SAFETY: the caller upholds the contract of this function.
    let errno = done.map_or_else(|| unsafe { invoke(guest, &pending) }, |done| done.errno);
    errno::set(errno);
}
