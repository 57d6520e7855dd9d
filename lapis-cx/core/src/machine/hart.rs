//! A hart: what it executes, and what its supervisor does when that traps.

use core::marker::PhantomData;

use super::thread::{Image, Place, Resident, Slots};
use super::unit::{CLEAN, CS, Contexts, INITIAL, NO_UNIT, OFF, READ_STATUS, Tag, WRITE_STATUS, get, put};
use super::{Contract, Cxu, HartSelector, Thread, Unit, Virtual};
use crate::{CsrOp, Error, Reply, Response, Selector, Sharing, SoftCxu, Status, Target, Uuid};

/// An illegal instruction: `cxe` is set, or the unit is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trap;

/// What the supervisor of a hart did so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Custom operations that trapped.
    pub traps: u64,
    /// States that a trap brought into a context.
    pub swaps: u64,
    /// Bytes of states that were saved, by traps and when threads left the hart.
    pub saved_bytes: u64,
    /// Bytes of states that were loaded.
    pub loaded_bytes: u64,
}

/// A custom operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A command.
    Command {
        /// Its id.
        function: u32,
        /// The first operand.
        rs1: usize,
        /// The second operand.
        rs2: usize,
    },
    /// An access of a CSR.
    Csr {
        /// What is done with it.
        op: CsrOp,
        /// Its address of 12 bits.
        address: u32,
        /// The operand.
        value: usize,
    },
}

impl Operation {
    /// Does it at a CXU in software.
    pub fn at(self, target: Target) -> Reply {
        match self {
            Operation::Command { function, rs1, rs2 } => target.issue(function, rs1, rs2),
            Operation::Csr { op, address, value } => target.csr(op, address, value),
        }
    }
}

/// A hart with its units, of which the place is the `cxu_id`, and its supervisor.
///
/// What a thread does takes the hart that it runs on: on another one commands are answered with [`Response::Cxu`], and the
/// rest is [`Error::Busy`].
#[derive(Debug)]
pub struct Hart<C, S, U> {
    id: u32,
    units: U,
    counters: Counters,
    /// The number of the last turn that a thread had here.
    turns: u64,
    /// That of the thread that runs here.
    running: Option<u64>,
    /// The number of the last load of a state into one of the contexts.
    loads: u64,
    of: PhantomData<(C, S)>,
}

impl<C: Cxu, S: Contexts, U: AsMut<[Unit<C, S>]>> Hart<C, S, U> {
    /// A hart on which no thread ran. No other hart of the same threads has this `id`. Units past the 256th cannot be
    /// selected.
    pub fn new(id: u32, units: U) -> Self {
        Hart { id, units, counters: Counters::default(), turns: 0, running: None, loads: 0, of: PhantomData }
    }

    /// What happened on it so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Its units.
    pub fn units(&mut self) -> &mut [Unit<C, S>] {
        let units = self.units.as_mut();
        let count = units.len().min(256);
        &mut units[..count]
    }

    /// What it keeps its units in: more may come.
    pub fn storage(&mut self) -> &mut U {
        &mut self.units
    }

    fn unit(&mut self, cxu_id: u8) -> Option<&mut Unit<C, S>> {
        self.units.as_mut().get_mut(usize::from(cxu_id))
    }

    /// Takes all units of a CX away, as when a device goes. What is selected of them traps from here on, and is answered
    /// with [`Response::Cxu`].
    pub fn revoke(&mut self, uuid: Uuid) {
        self.units().iter_mut().filter(|unit| unit.uuid() == uuid).for_each(|unit| unit.revoked = true);
    }

    /// Executes a custom operation as the hart does while `mcx_selector` is `selector`: the answer, and the flags that it
    /// adds to `cx_status` (CX-ISA, "CX status").
    ///
    /// # Errors
    /// [`Trap`] if that is an illegal instruction.
    pub fn execute(&mut self, selector: HartSelector, operation: Operation) -> Result<(Reply, Status), Trap> {
        let failed = |response: Response| Ok((Reply { value: 0, response }, Status::from(response)));
        if selector.traps() {
            return Err(Trap);
        }
        match selector.version() {
            // This hart has no custom instructions of its own.
            0 => return failed(Response::Func),
            HartSelector::VERSION => {}
            _ => return Ok((NO_UNIT, Status::INVALID_VERSION)),
        }
        let Some(unit) = self.unit(selector.cxu_id()) else { return failed(Response::Cxu) };
        if unit.revoked {
            return Err(Trap);
        }
        let state_id = selector.state_id();
        let contexts = unit.contexts.as_ref().len();
        if contexts > 0 && usize::from(state_id) >= contexts {
            return failed(Response::State);
        }
        let reply = match operation {
            Operation::Command { function, rs1, rs2 } => unit.cxu.issue(state_id, function, rs1, rs2),
            Operation::Csr { op, address, value } => unit.cxu.csr(state_id, op, address, value),
        };
        Ok((reply, Status::from(reply.response)))
    }

    /// Lets a thread run here.
    ///
    /// # Errors
    /// [`Error::Busy`] if it runs on another hart, or another thread runs here.
    pub fn resume<I: Image, T: Slots<I>>(&mut self, thread: &mut Thread<I, T>) -> Result<(), Error> {
        if !self.has(thread) {
            if thread.turn.is_some() || self.running.is_some() {
                return Err(Error::Busy);
            }
            self.turns += 1;
            self.running = Some(self.turns);
            thread.turn = self.running;
            thread.hart = Some(self.id);
        }
        thread.register = thread.entry(thread.selected);
        Ok(())
    }

    /// Takes a thread from the hart. States that changed since they were saved are saved, so that it can run on any hart;
    /// states that cannot be taken out wait for it here.
    pub fn suspend<I: Image, T: Slots<I>>(&mut self, thread: &mut Thread<I, T>) {
        if !self.has(thread) {
            return;
        }
        for unit in self.units.as_mut().iter_mut().filter(|unit| unit.is_virtualizable()) {
            for state_id in 0..unit.contexts.as_ref().len() {
                // What cannot be saved waits here for the thread.
                self.counters.saved_bytes += put_away(unit, self.id, state_id as u8, thread).unwrap_or(0);
            }
        }
        thread.turn = None;
        thread.register = HartSelector::INVALID;
        self.running = None;
    }

    /// Ends a thread that runs here: its contexts are free. One that is dropped otherwise may leave some in use for good, those
    /// of units without IStateContext, and the hart itself if it runs.
    ///
    /// # Errors
    /// The thread, if it does not run here, or if another hart has a state of it that cannot be taken out: it ends there.
    pub fn end<I: Image, T: Slots<I>>(&mut self, thread: Thread<I, T>) -> Result<(), Thread<I, T>> {
        let elsewhere = |cx: &Virtual<I>| matches!(cx.place, Place::Resident { at, .. } if at.hart != self.id);
        if !self.has(&thread) || thread.table.iter().any(|(_, cx)| elsewhere(cx)) {
            return Err(thread);
        }
        thread.table.iter().for_each(|(_, cx)| self.release(cx));
        self.running = None;
        Ok(())
    }

    /// The context of a CX that is closed is free.
    fn release<I>(&mut self, cx: &Virtual<I>) {
        let (Place::Resident { at, .. } | Place::Saved { left: Some(at) }) = cx.place else { return };
        if at.hart == self.id
            && let Some(context) = self.unit(cx.unit).and_then(|unit| unit.context(at.state_id))
            && context.is_of(at)
        {
            context.tag = None;
        }
    }

    /// Whether a thread runs here.
    fn has<I, T>(&self, thread: &Thread<I, T>) -> bool {
        thread.turn.is_some() && thread.turn == self.running && thread.hart == Some(self.id)
    }

    /// Opens a CX of one of the units (CX API, `cx_open`). `image` gives memory for a state of so many `u64`.
    ///
    /// # Errors
    /// [`Error::NoDevice`] if no unit has it, [`Error::Permission`] if its contract has the other sharing,
    /// [`Error::Busy`] if all contexts are in use and states cannot be taken out of them, [`Error::NoMemory`],
    /// [`Error::TableFull`].
    pub fn open<I: Image, T: Slots<I>>(
        &mut self,
        thread: &mut Thread<I, T>,
        uuid: Uuid,
        exclusive: bool,
        image: impl FnOnce(usize) -> Option<I>,
    ) -> Result<Selector, Error> {
        if !self.has(thread) {
            return Err(Error::Busy);
        }
        let units = self.units();
        let of_this = |unit: &Unit<C, S>| unit.uuid() == uuid && !unit.revoked;
        let first = units.iter().find(|unit| of_this(unit)).ok_or(Error::NoDevice)?;
        let sharing = first.cxu.contract().sharing;
        if !sharing.allows(exclusive) {
            return Err(Error::Permission);
        }
        let words = first.cxu.contract().image_len().ok_or(Error::Invalid)?;
        let shared = thread.table.iter().find(|(_, cx)| {
            !exclusive && cx.is_shared_in_unit() && units.get(usize::from(cx.unit)).is_some_and(of_this)
        });
        if let Some((selector, _)) = shared {
            return open_again(thread, selector);
        }
        let stateless = sharing == Sharing::Stateless;
        let has_room = units.iter().position(|unit| of_this(unit) && (stateless || unit.idle().is_some()));
        let unit = has_room.or_else(|| units.iter().position(|unit| of_this(unit) && unit.is_virtualizable()));
        let unit = unit.ok_or(Error::Busy)? as u8;
        let image = image(words).filter(|image| image.as_ref().len() >= words).ok_or(Error::NoMemory)?;
        let place = if stateless { Place::Stateless } else { Place::Initial };
        let selector = thread.table.insert(Virtual { unit, uuid, exclusive, opens: 1, place, cs: INITIAL, image })?;
        if let Some(state_id) = self.unit(unit).and_then(|unit| unit.idle()) {
            // A state that is the reset state needs no loading, which could fail.
            let _ = self.bring_in(thread, selector, state_id);
        }
        // Any number can be selected, also that of a CX which is open only now.
        if thread.selected == selector {
            thread.register = thread.entry(selector);
        }
        Ok(selector)
    }

    /// Opens a CX that no unit has, with software in its place: the policy of the supervisor says of which CXs this is done.
    /// `memory` gives memory for a state of so many `u64`.
    ///
    /// # Errors
    /// As for [`open`](Self::open); [`Error::Invalid`] for a descriptor with a defect, [`Error::Fault`] if the memory is not
    /// aligned for the state.
    ///
    /// # Safety
    /// The functions of `cxu` keep what `cx_abi.h` asks of them.
    pub unsafe fn emulate<I: Image, T: Slots<I>>(
        &mut self,
        thread: &mut Thread<I, T>,
        cxu: &'static SoftCxu,
        exclusive: bool,
        memory: impl FnOnce(usize) -> Option<I>,
    ) -> Result<Selector, Error> {
        if !self.has(thread) {
            return Err(Error::Busy);
        }
        cxu.check()?;
        if !cxu.sharing().allows(exclusive) {
            return Err(Error::Permission);
        }
        let shared = thread.table.iter().find(|(_, cx)| {
            !exclusive && !cx.exclusive && matches!(cx.place, Place::Emulated(other) if other.uuid == cxu.uuid)
        });
        if let Some((selector, _)) = shared {
            return open_again(thread, selector);
        }
        let words = cxu.state_size.div_ceil(size_of::<u64>());
        let mut image = memory(words).filter(|image| image.as_ref().len() >= words).ok_or(Error::NoMemory)?;
        if cxu.sharing() != Sharing::Stateless {
            image.as_mut().fill(0);
            let state = image.address();
            if !state.addr().is_multiple_of(cxu.state_align) {
                return Err(Error::Fault);
            }
            if let Some(init) = cxu.init {
                // SAFETY: zeroed memory with the size and the alignment that the CXU asks for; the caller vouches for it.
                unsafe { init(state) };
            }
        }
        let place = Place::Emulated(cxu);
        thread.table.insert(Virtual { unit: 0, uuid: cxu.uuid, exclusive, opens: 1, place, cs: INITIAL, image })
    }

    /// Closes one open of a CX (CX API, `cx_close`).
    ///
    /// # Errors
    /// [`Error::BadSelector`] if it is not open.
    pub fn close<I: Image, T: Slots<I>>(&mut self, thread: &mut Thread<I, T>, selector: Selector) -> Result<(), Error> {
        if !self.has(thread) {
            return Err(Error::Busy);
        }
        let cx = thread.table.get_mut(selector).ok_or(Error::BadSelector)?;
        // A state that cannot be taken out of another hart is given back there.
        if matches!(cx.place, Place::Resident { at, .. } if at.hart != self.id) {
            return Err(Error::Busy);
        }
        cx.opens -= 1;
        if cx.opens > 0 {
            return Ok(());
        }
        let cx = thread.table.remove(selector)?;
        if thread.selected == selector {
            thread.register = HartSelector::INVALID;
        }
        self.release(&cx);
        Ok(())
    }

    /// Does a custom operation under the current selection, again after a trap that brought the state in. An error adds to
    /// the thread's `cx_status`.
    pub fn issue<I: Image, T: Slots<I>>(&mut self, thread: &mut Thread<I, T>, operation: Operation) -> Reply {
        let mut done = if self.has(thread) { self.execute(thread.register, operation) } else { Err(Trap) };
        if done.is_err() {
            done = match self.trap(thread, operation) {
                Ok(None) => self.execute(thread.register, operation),
                Ok(Some(reply)) => Ok((reply, Status::from(reply.response))),
                Err(response) => Ok((Reply { value: 0, response }, Status::from(response))),
            };
        }
        let (mut reply, flags) = done.unwrap_or((NO_UNIT, Status::INVALID_CXU));
        thread.status |= flags;
        if let Operation::Command { function: function @ (READ_STATUS | WRITE_STATUS), .. } = operation
            && reply.response == Response::Ok
            && let Some(cx) = thread.table.get_mut(thread.selected)
            && !matches!(cx.place, Place::Emulated(_))
            && self.unit(cx.unit).is_some_and(|unit| unit.is_virtualizable())
        {
            reply.value = cx.shown(reply.value);
            if let Place::Resident { saved, .. } = &mut cx.place {
                // Whoever writes `cs` may say `clean` of what was never saved.
                *saved &= function == READ_STATUS;
            }
        }
        reply
    }

    /// The handler of a custom operation that is an illegal instruction: brings in the state of the selected CX, so that the
    /// operation can be issued again; or does it, and gives the answer, if software stands in for the CX.
    ///
    /// # Errors
    /// What the operation is answered with: [`Response::Cxu`] if nothing is selected, the unit is gone, or the thread does not
    /// run here; [`Response::State`] if the state is in another hart and cannot be taken out of it.
    pub fn trap<I: Image, T: Slots<I>>(
        &mut self,
        thread: &mut Thread<I, T>,
        operation: Operation,
    ) -> Result<Option<Reply>, Response> {
        self.counters.traps += 1;
        if !self.has(thread) {
            return Err(Response::Cxu);
        }
        let selector = thread.selected;
        // SAFETY: it is used here only, where nobody closes the CX.
        if let Some(software) = unsafe { thread.software(selector) } {
            return Ok(Some(operation.at(software)));
        }
        self.swap_in(thread)?;
        Ok(None)
    }

    /// Brings the state of the selected CX into a context.
    fn swap_in<I: Image, T: Slots<I>>(&mut self, thread: &mut Thread<I, T>) -> Result<(), Response> {
        let selector = thread.selected;
        let cx = thread.table.get(selector).ok_or(Response::Cxu)?;
        let (cxu_id, uuid, place) = (cx.unit, cx.uuid, cx.place);
        let hart = self.id;
        let unit = self.unit(cxu_id).filter(|unit| !unit.revoked).ok_or(Response::Cxu)?;
        if unit.uuid() != uuid {
            return Err(Response::State);
        }
        match place {
            Place::Resident { at, .. } if at.hart != hart => return Err(Response::State),
            Place::Stateless | Place::Emulated(_) | Place::Resident { .. } => {}
            Place::Initial | Place::Saved { .. } => {
                let was_left = match place {
                    Place::Saved { left: Some(left) } if left.hart == hart => {
                        let context = unit.context(left.state_id).filter(|context| context.is_of(left));
                        context.and_then(|context| context.tag.as_mut()).map(|tag| (left, tag))
                    }
                    _ => None,
                };
                if let Some((at, tag)) = was_left {
                    tag.is_left = false;
                    if let Some(cx) = thread.table.get_mut(selector) {
                        cx.place = Place::Resident { at, saved: true };
                    }
                } else {
                    let state_id = match unit.idle() {
                        Some(state_id) => state_id,
                        None => {
                            let (state_id, bytes) = take_one(unit, hart, thread).ok_or(Response::State)?;
                            self.counters.saved_bytes += bytes;
                            state_id
                        }
                    };
                    self.bring_in(thread, selector, state_id).map_err(|_| Response::State)?;
                    self.counters.swaps += 1;
                }
            }
        }
        // The write of `cx_index` with its own value.
        thread.register = thread.entry(selector);
        Ok(())
    }

    /// Loads a state into a context that nobody needs. If that fails, the context is nobody's, and the state is in memory as
    /// it was.
    fn bring_in<I: Image, T: Slots<I>>(
        &mut self,
        thread: &mut Thread<I, T>,
        selector: Selector,
        state_id: u8,
    ) -> Result<(), Error> {
        let cx = thread.table.get_mut(selector).ok_or(Error::BadSelector)?;
        let unit = self.units.as_mut().get_mut(usize::from(cx.unit)).ok_or(Error::NoDevice)?;
        if let Some(context) = unit.context(state_id) {
            context.tag = None;
        }
        let saved = match cx.place {
            Place::Initial => {
                unit.cxu.reset(state_id);
                false
            }
            _ => {
                unit.cxu.restore(state_id, cx.image.as_ref())?;
                self.counters.loaded_bytes += unit.cxu.contract().image_size().unwrap_or(0) as u64;
                true
            }
        };
        self.loads += 1;
        let load = self.loads;
        cx.place = Place::Resident { at: Resident { hart: self.id, state_id, load }, saved };
        if saved {
            cx.mark_clean(unit, state_id);
        }
        if let Some(context) = unit.context(state_id) {
            context.tag = Some(Tag { selector, load, is_left: false });
        }
        Ok(())
    }

    /// Saves the state of the selected CX (CX API, `cx_save`) and returns its bytes: 0 if it has none. `to` is given memory
    /// of as many `u64` as an image takes, of which it keeps what it wants.
    ///
    /// # Errors
    /// [`Error::BadSelector`] if no CX is selected; [`Error::NoDevice`] if its unit is gone.
    pub fn save<I: Image, T: Slots<I>>(&mut self, thread: &mut Thread<I, T>, to: &mut [u64]) -> Result<usize, Error> {
        if !self.has(thread) {
            return Err(Error::Busy);
        }
        if let Some((cxu, state)) = thread.software_state(thread.selected).filter(|(_, state)| !state.is_null()) {
            let words = Contract::from(cxu).image_len().filter(|words| *words <= to.len());
            let (Some(bytes), Some(_), Some(save)) = (cxu.image_size(), words, cxu.save) else {
                return Err(Error::Invalid);
            };
            // SAFETY: the image is large enough, and aligned for words; the state is one of this CXU.
            unsafe { save(state.cast_const(), to.as_mut_ptr().cast()) };
            return Ok(bytes);
        }
        let Some((cxu_id, at)) = self.selected(thread)? else { return Ok(0) };
        let unit = self.unit(cxu_id).ok_or(Error::NoDevice)?;
        let contract = unit.cxu.contract();
        let (bytes, words, xlen) = (contract.image_size(), contract.image_len(), contract.xlen);
        let bytes = bytes.filter(|_| words.is_some_and(|words| words <= to.len())).ok_or(Error::Invalid)?;
        unit.cxu.save(at.state_id, to)?;
        let virtualizable = unit.is_virtualizable();
        if let Some(cx) = thread.table.get(thread.selected).filter(|_| virtualizable) {
            put(to, 0, cx.shown(get(to, 0, xlen)), xlen);
        }
        Ok(bytes)
    }

    /// Loads a state into the selected CX (CX API, `cx_restore`). `from` holds an image of so many `bytes`.
    ///
    /// # Errors
    /// As for [`save`](Self::save); [`Error::Invalid`] if it is shorter than an image, or if its status word names another number
    /// of words than the state has.
    pub fn restore<I: Image, T: Slots<I>>(
        &mut self,
        thread: &mut Thread<I, T>,
        from: &[u64],
        bytes: usize,
    ) -> Result<(), Error> {
        if !self.has(thread) {
            return Err(Error::Busy);
        }
        if let Some((cxu, state)) = thread.software_state(thread.selected).filter(|(_, state)| !state.is_null()) {
            let restore = cxu.restore.filter(|_| Contract::from(cxu).has_image(from, bytes)).ok_or(Error::Invalid)?;
            // SAFETY: as in `save`.
            unsafe { restore(state, from.as_ptr().cast()) };
            return Ok(());
        }
        let Some((cxu_id, at)) = self.selected(thread)? else { return Ok(()) };
        let unit = self.unit(cxu_id).ok_or(Error::NoDevice)?;
        if !unit.cxu.contract().has_image(from, bytes) {
            return Err(Error::Invalid);
        }
        unit.cxu.restore(at.state_id, from)?;
        if let Some(cx) = thread.table.get_mut(thread.selected) {
            cx.place = Place::Resident { at, saved: false };
        }
        Ok(())
    }

    /// The unit and the context of the selected CX, where its state is now; `None` if it has no state, or built-in is
    /// selected.
    fn selected<I: Image, T: Slots<I>>(&mut self, thread: &mut Thread<I, T>) -> Result<Option<(u8, Resident)>, Error> {
        if !self.has(thread) {
            return Err(Error::Busy);
        }
        if thread.selected == Selector::BUILTIN {
            return Ok(None);
        }
        if thread.register.traps() {
            thread.table.get(thread.selected).ok_or(Error::BadSelector)?;
            self.swap_in(thread).map_err(|response| match response {
                Response::State => Error::Busy,
                _ => Error::NoDevice,
            })?;
        }
        let cx = thread.table.get(thread.selected).ok_or(Error::BadSelector)?;
        let Place::Resident { at, .. } = cx.place else { return Ok(None) };
        // Its entry does not trap until the hart looks at the unit.
        if self.unit(cx.unit).is_none_or(|unit| unit.revoked) {
            return Err(Error::NoDevice);
        }
        Ok(Some((cx.unit, at)))
    }
}

/// Frees a context, each in its turn; gives the bytes that were saved. `None` if none of the states can be taken out.
fn take_one<C: Cxu, S: Contexts, I: Image, T: Slots<I>>(
    unit: &mut Unit<C, S>,
    hart: u32,
    thread: &mut Thread<I, T>,
) -> Option<(u8, u64)> {
    (0..unit.contexts.as_ref().len()).find_map(|_| {
        let state_id = unit.next_victim()?;
        Some((state_id, put_away(unit, hart, state_id, thread).ok()?))
    })
}

/// Sees to it that the state in a context is in the memory of the thread, and poisons its entry. Returns how many bytes were
/// saved. What is in the context stays there, for a thread that comes back before another needs the place.
///
/// # Errors
/// The CXU failed, or [`Error::Busy`] as the state is that of another thread, and nowhere else; nothing has changed.
fn put_away<C: Cxu, S: Contexts, I: Image, T: Slots<I>>(
    unit: &mut Unit<C, S>,
    hart: u32,
    state_id: u8,
    thread: &mut Thread<I, T>,
) -> Result<u64, Error> {
    let Some(tag) = unit.context(state_id).and_then(|context| context.tag) else { return Ok(0) };
    if tag.is_left {
        return Ok(0);
    }
    let here = |at: Resident| at.hart == hart && at.load == tag.load;
    let resident = |cx: &&mut Virtual<I>| matches!(cx.place, Place::Resident { at, .. } if here(at));
    let cx = thread.table.get_mut(tag.selector).filter(resident).ok_or(Error::Busy)?;
    let Place::Resident { at, saved } = cx.place else { return Err(Error::Busy) };
    let status = unit.cxu.status(state_id);
    if status & CS == INITIAL && status >> 24 == 0 {
        // The reset state, which needs no memory.
        cx.place = Place::Initial;
        cx.cs = INITIAL;
        if let Some(context) = unit.context(state_id) {
            context.tag = None;
        }
        return Ok(0);
    }
    let mut bytes = 0;
    // An error that was raised is in the status word, and does not make the state dirty.
    let xlen = unit.cxu.contract().xlen;
    let as_saved = get(cx.image.as_ref(), 0, xlen) & !CS | CLEAN;
    if !(saved && status == as_saved) {
        let shown = cx.shown(status);
        unit.cxu.save(state_id, cx.image.as_mut())?;
        put(cx.image.as_mut(), 0, shown, xlen);
        bytes = unit.cxu.contract().image_size().unwrap_or(0) as u64;
        cx.mark_clean(unit, state_id);
    }
    cx.place = Place::Saved { left: Some(at) };
    if let Some(tag) = unit.context(state_id).and_then(|context| context.tag.as_mut()) {
        tag.is_left = true;
    }
    Ok(bytes)
}

/// One more open of a shared instance.
fn open_again<I: Image, T: Slots<I>>(thread: &mut Thread<I, T>, selector: Selector) -> Result<Selector, Error> {
    let cx = thread.table.get_mut(selector).ok_or(Error::BadSelector)?;
    cx.opens = cx.opens.checked_add(1).ok_or(Error::TableFull)?;
    Ok(selector)
}

impl<I: Image> Virtual<I> {
    /// Whether it is the thread's one instance of a CX that a unit has.
    fn is_shared_in_unit(&self) -> bool {
        !self.exclusive && !matches!(self.place, Place::Emulated(_))
    }

    /// The context holds what the image holds: from here on `cs` of the context tells whether that is still so.
    fn mark_clean<C: Cxu, S: Contexts>(&mut self, unit: &mut Unit<C, S>, state_id: u8) {
        let xlen = unit.cxu.contract().xlen;
        let status = get(self.image.as_ref(), 0, xlen);
        self.cs = status & CS;
        if !matches!(self.cs, OFF | INITIAL) {
            unit.cxu.set_status(state_id, status & !CS | CLEAN);
        }
    }

    /// A status word as the user of the CX left it.
    fn shown(&self, status: usize) -> usize {
        match self.place {
            Place::Resident { saved: true, .. } if status & CS == CLEAN => status & !CS | self.cs,
            _ => status,
        }
    }
}
