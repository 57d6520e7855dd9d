//! The hart of a thread.

use std::hint::black_box;
use std::time::Instant;

use lapis_cx_core::machine::Backing::{Emulated, Native, Virtualized};
use lapis_cx_core::machine::{Contract, Counters, Cxu, Hart, Operation, SoftUnit, StateContext, Thread, Unit, Virtual};
use lapis_cx_core::{CsrOp, Error, INDEX_LIMIT, Reply, Selector, Slot, SoftCxu, SoftFlags, Target, Uuid};

use crate::cx::OpenFlags;
use crate::memory::Memory;
use crate::platform::{self, Found};
use crate::registry;
use crate::thread::attempt;

/// A CXU of a hart.
struct OwnedUnit {
    cxu: &'static SoftCxu,
    soft: SoftUnit<'static>,
    /// Where the platform has it.
    place: usize,
    /// What `soft` lives in.
    _memory: Memory,
}

impl OwnedUnit {
    fn new(cxu: &'static SoftCxu, place: usize, contexts: u32) -> Result<OwnedUnit, Error> {
        let contexts = contexts as usize;
        let bytes = SoftUnit::stride(cxu).and_then(|stride| stride.checked_mul(contexts)).ok_or(Error::Invalid)?;
        let words = bytes.div_ceil(size_of::<u64>());
        let mut memory = Memory::new(words, cxu.state_align).ok_or(Error::NoMemory)?;
        // SAFETY: the memory lives as long as the unit, which is not given out of it, and nothing else uses it. Whoever
        // registered the CXU vouches for its functions.
        let soft = unsafe { SoftUnit::new(cxu, contexts, memory.lent()) }?;
        Ok(OwnedUnit { cxu, soft, place, _memory: memory })
    }
}

impl Cxu for OwnedUnit {
    fn contract(&self) -> Contract {
        self.cxu.into()
    }
    fn contexts(&self) -> usize {
        self.soft.contexts()
    }
    fn issue(&mut self, state_id: u8, function: u32, rs1: usize, rs2: usize) -> Reply {
        self.soft.issue(state_id, function, rs1, rs2)
    }
    fn csr(&mut self, state_id: u8, op: CsrOp, address: u32, value: usize) -> Reply {
        self.soft.csr(state_id, op, address, value)
    }
    fn reset(&mut self, state_id: u8) {
        self.soft.reset(state_id);
    }
    fn save(&mut self, state_id: u8, image: &mut [u64]) -> Result<(), Error> {
        attempt(|| self.soft.save(state_id, image))?
    }
    fn restore(&mut self, state_id: u8, image: &[u64]) -> Result<(), Error> {
        attempt(|| self.soft.restore(state_id, image))?
    }
}

type Units = Vec<Unit<OwnedUnit, Box<[StateContext]>>>;

/// A hart, and the thread that runs on it: no other does.
pub(crate) struct Machine {
    hart: Hart<OwnedUnit, Box<[StateContext]>, Units>,
    thread: Thread<Memory, Box<[Slot<Virtual<Memory>>]>>,
    /// How many revocations were seen to.
    revocations: usize,
    /// What takes part in user contexts, in the order in which it was opened.
    in_user_context: Vec<Selector>,
}

/// What stands behind an open CX, for a library that can choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
#[non_exhaustive]
pub enum Backing {
    /// A state context of a CXU is its own, or it needs none.
    Native = 1,
    /// It shares the state contexts of a CXU, and its next command waits for one.
    Virtualized = 2,
    /// The platform lacks it, and software stands in.
    Emulated = 3,
    /// A CXU in software, on a machine that no platform describes.
    Soft = 4,
}

impl Machine {
    /// With nothing open. CXUs come as they are opened.
    pub fn new() -> Result<Machine, Error> {
        let count = usize::from(INDEX_LIMIT) - 1;
        let mut slots = Vec::new();
        slots.try_reserve_exact(count).map_err(|_| Error::NoMemory)?;
        slots.extend((0..count).map(|_| Slot::VACANT));
        let mut hart = Hart::new(0, Units::new());
        // Both stay together, so the hart needs no number of its own.
        let mut thread = Thread::new(slots.into_boxed_slice())?;
        hart.resume(&mut thread)?;
        Ok(Machine { hart, thread, revocations: 0, in_user_context: Vec::new() })
    }

    /// Opens a CX.
    pub fn open(&mut self, uuid: Uuid, flags: OpenFlags) -> Result<Selector, Error> {
        self.see_to_revocations();
        // With room for it, so that what is open needs no undoing.
        self.in_user_context.try_reserve(1).map_err(|_| Error::NoMemory)?;
        let (selector, cxu) = platform::settled(|| {
            let found = platform::find(uuid);
            let cxu = registry::find(uuid).ok_or(Error::NoDevice)?;
            Ok((self.open_found(found, cxu, flags.is_exclusive())?, cxu))
        })?;
        let takes_part = flags.is_in_user_context() || cxu.flags & SoftFlags::UCONTEXT != 0;
        if takes_part && !self.in_user_context.contains(&selector) {
            self.in_user_context.push(selector);
        }
        Ok(selector)
    }

    fn open_found(&mut self, found: Found, cxu: &'static SoftCxu, exclusive: bool) -> Result<Selector, Error> {
        let memory = |words| Memory::new(words, cxu.state_align);
        match found {
            Found::Absent => Err(Error::NoDevice),
            // SAFETY: whoever registered the CXU vouches for its functions.
            Found::Software => unsafe { self.hart.emulate(&mut self.thread, cxu, exclusive, memory) },
            Found::Units(units) => {
                self.install(cxu, &units)?;
                self.hart.open(&mut self.thread, cxu.uuid, exclusive, memory)
            }
        }
    }

    /// Sees to it that the hart has the units of a CX.
    fn install(&mut self, cxu: &'static SoftCxu, units: &[(usize, u32)]) -> Result<(), Error> {
        let uuid = cxu.uuid;
        let there = self.hart.units().iter_mut().any(|unit| unit.cxu().cxu.uuid == uuid);
        if there {
            return Ok(());
        }
        let units: Result<Units, Error> = units
            .iter()
            .map(|&(place, contexts)| {
                let free = vec![StateContext::FREE; contexts as usize].into_boxed_slice();
                Unit::new(OwnedUnit::new(cxu, place, contexts)?, free)
            })
            .collect();
        let units = units?;
        self.hart.storage().extend(units);
        Ok(())
    }

    /// Closes one open of a CX.
    pub fn close(&mut self, selector: Selector) -> Result<(), Error> {
        self.hart.close(&mut self.thread, selector)?;
        if !self.is_open(selector) {
            self.in_user_context.retain(|other| *other != selector);
        }
        Ok(())
    }

    /// What takes part in user contexts.
    pub fn in_user_context(&self) -> &[Selector] {
        &self.in_user_context
    }

    /// Whether a selector is open.
    pub fn is_open(&self, selector: Selector) -> bool {
        self.thread.is_open(selector)
    }

    /// How often a CX was opened and not closed.
    pub fn opens(&self, selector: Selector) -> u32 {
        self.thread.opens(selector)
    }

    /// Where operations of a selector go if they do not need the hart.
    ///
    /// # Safety
    /// As [`Thread::software`].
    pub unsafe fn software(&mut self, selector: Selector) -> Option<Target> {
        // SAFETY: the caller's promise.
        unsafe { self.thread.software(selector) }
    }

    /// Does an operation under a selection.
    pub fn operate(&mut self, selector: Selector, operation: Operation) -> Reply {
        self.see_to_revocations();
        if self.thread.selected() != selector {
            self.thread.select(selector);
        }
        self.hart.issue(&mut self.thread, operation)
    }

    /// The CXU of an open CX, and the state that it has there if that is its own and not one of a unit; null if it has none.
    pub fn state_of(&mut self, selector: Selector) -> Option<(&'static SoftCxu, Option<*mut std::ffi::c_void>)> {
        if let Some((cxu, state)) = self.thread.software_state(selector) {
            return Some((cxu, Some(state)));
        }
        let unit = self.thread.unit(selector)?;
        let unit = self.hart.units().get_mut(usize::from(unit))?;
        Some((unit.cxu().cxu, None))
    }

    /// Saves a state of a unit.
    pub fn save(&mut self, selector: Selector, to: &mut [u64]) -> Result<usize, Error> {
        self.see_to_revocations();
        self.thread.select(selector);
        self.hart.save(&mut self.thread, to)
    }

    /// Loads a state of a unit.
    pub fn restore(&mut self, selector: Selector, from: &[u64]) -> Result<(), Error> {
        self.see_to_revocations();
        self.thread.select(selector);
        self.hart.restore(&mut self.thread, from, size_of_val(from))
    }

    /// Whether a CX is open and was not taken away.
    pub fn is_there(&mut self, selector: Selector) -> bool {
        self.see_to_revocations();
        let unit = self.thread.unit(selector).map(usize::from);
        let is_gone = unit.is_some_and(|unit| self.hart.units().get(unit).is_none_or(Unit::is_revoked));
        self.is_open(selector) && !is_gone
    }

    /// What stands behind an open CX.
    pub fn backing(&mut self, selector: Selector) -> Option<Backing> {
        if !self.is_there(selector) {
            return None;
        }
        Some(match self.thread.backing(selector)? {
            Native => Backing::Native,
            Virtualized => Backing::Virtualized,
            Emulated if platform::is_loaded() => Backing::Emulated,
            Emulated => Backing::Soft,
        })
    }

    /// Nanoseconds that a command takes, measured now; and if the state is not in a context, that it takes to bring it in. Of a
    /// CX without IStateContext nobody knows a command that does nothing: `None`.
    pub fn cost(&mut self, selector: Selector) -> Option<f64> {
        let cxu = self.state_of(selector)?.0;
        if cxu.flags & SoftFlags::STATE_CONTEXT == 0 {
            return None;
        }
        let mut cost = 0.0;
        if self.thread.backing(selector)? == Virtualized {
            let words = cxu.image_size()?.div_ceil(size_of::<u64>());
            let mut image = Memory::new(words, 0)?;
            // To save it, it is brought in.
            let start = Instant::now();
            self.save(selector, image.as_mut()).ok()?;
            cost += start.elapsed().as_nanos() as f64;
        }
        // read_status, which has no effect (IStateContext).
        let none = Operation::Command { function: 1023, rs1: 0, rs2: 0 };
        let status = self.thread.status();
        // SAFETY: it is used here only.
        let software = unsafe { self.thread.software(selector) };
        let turn = |machine: &mut Machine| {
            const COUNT: u32 = 64;
            let start = Instant::now();
            for _ in 0..COUNT {
                black_box(match software {
                    Some(target) => none.at(black_box(target)),
                    None => machine.operate(selector, none),
                });
            }
            start.elapsed().as_nanos() as f64 / f64::from(COUNT)
        };
        let least = (0..8).map(|_| turn(self)).fold(f64::INFINITY, f64::min);
        self.thread.set_status(status);
        Some(cost + least)
    }

    /// What happened on the hart.
    pub fn counters(&self) -> Counters {
        self.hart.counters()
    }

    fn see_to_revocations(&mut self) {
        if !platform::was_revoked_since(&mut self.revocations) {
            return;
        }
        for at in 0..self.hart.units().len() {
            let unit = self.hart.units().get_mut(at).map(|unit| unit.cxu());
            if let Some(uuid) = unit.filter(|unit| platform::is_revoked(unit.place)).map(|unit| unit.cxu.uuid) {
                self.hart.revoke(uuid);
            }
        }
    }
}
