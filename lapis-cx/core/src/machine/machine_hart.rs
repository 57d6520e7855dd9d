//! The supervisor of a hart in firmware: what it keeps where, with `mcx_table` and without.
//!
//! *With the table* a write of `cx_index` brings an entry of it to `mcx_selector`. After each change of what is where the entries
//! are written anew, as [`Thread::entry`] says, and `cx_index` with its own value. Like the hart, it sees of a selector bits 9:0 only.
//! *Without* the handler of that write gives `mcx_selector` the entry at once, and there is nothing else to keep.

use super::hart::Hart;
use super::thread::{Image, Slots};
use super::unit::Contexts;
use super::{Cxu, HartSelector, Operation, Thread, Unit};
use crate::encoding::Csr;
use crate::trap::CustomHart;
use crate::{CsrOp, Selector, Status};

/// The table at `mcx_table`: an entry for each value of `cx_index`. It is aligned as a page is, so that any hart can take its
/// address.
#[derive(Clone, Debug)]
#[repr(C, align(4096))]
pub struct SelectorWords([HartSelector; SelectorWords::LEN]);

impl SelectorWords {
    /// How many entries there are.
    pub const LEN: usize = 1024;

    /// Memory for one, of zeros; [`MachineHart::new`] writes the entries.
    pub const NEW: SelectorWords = SelectorWords([HartSelector::BUILTIN; SelectorWords::LEN]);

    /// What a write of `cx_index` brings to `mcx_selector`.
    pub const fn entry(&self, index: u16) -> HartSelector {
        self.0[index as usize % SelectorWords::LEN]
    }
}

/// The registers of a hart: `cx_status` and `mcx_selector`, with the table also `cx_index` and `mcx_table`.
pub trait HartCsrs {
    /// Whether the hart has them, and units: then it does what does not trap, and only the rest comes here.
    const IN_HART: bool;
    /// Reads one.
    fn read(&mut self, csr: Csr) -> usize;
    /// Writes one.
    fn write(&mut self, csr: Csr, value: usize);
}

/// Of a hart that has none: each instruction traps, and what it needs to know stands in the [`Thread`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Emulated;

impl HartCsrs for Emulated {
    const IN_HART: bool = false;

    fn read(&mut self, _csr: Csr) -> usize {
        0
    }

    fn write(&mut self, _csr: Csr, _value: usize) {}
}

/// CSRs of the hart that runs this code, in machine mode.
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
#[derive(Debug)]
pub struct OnHartCsrs(());

#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
impl OnHartCsrs {
    /// # Safety
    /// The code runs in machine mode, on a hart with the registers, and nothing else writes them.
    pub const unsafe fn new() -> Self {
        OnHartCsrs(())
    }
}

#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
impl HartCsrs for OnHartCsrs {
    const IN_HART: bool = true;

    fn read(&mut self, csr: Csr) -> usize {
        macro_rules! read {
            ($csr:expr) => {{
                let value;
                // SAFETY: `new` was told that the hart has it. To read it changes nothing.
                unsafe { core::arch::asm!("csrr {}, {}", out(reg) value, const $csr.number(), options(nostack)) };
                value
            }};
        }
        match csr {
            Csr::CxIndex => read!(Csr::CxIndex),
            Csr::CxStatus => read!(Csr::CxStatus),
            Csr::McxSelector => read!(Csr::McxSelector),
            Csr::McxTable => read!(Csr::McxTable),
        }
    }

    fn write(&mut self, csr: Csr, value: usize) {
        macro_rules! write {
            ($csr:expr) => {
                // SAFETY: `new` was told that the hart has it. It decides who answers commands; a table is read only, and
                // there as long as the `MachineHart`. Without `nomem`, as the hart reads the table.
                unsafe { core::arch::asm!("csrw {}, {}", const $csr.number(), in(reg) value, options(nostack)) }
            };
        }
        match csr {
            Csr::CxIndex => write!(Csr::CxIndex),
            Csr::CxStatus => write!(Csr::CxStatus),
            Csr::McxSelector => write!(Csr::McxSelector),
            Csr::McxTable => write!(Csr::McxTable),
        }
    }
}

/// A hart, the thread that runs there, and what their supervisor keeps: the handler of its illegal instructions.
#[derive(Debug)]
pub struct MachineHart<'t, C, S, U, I, T, R> {
    hart: Hart<C, S, U>,
    thread: Thread<I, T>,
    table: Option<&'t mut SelectorWords>,
    /// How many entries of the table may say something, the first one not counted.
    written: usize,
    csrs: R,
    again: bool,
}

impl<'t, C, S, U, I, T, R> MachineHart<'t, C, S, U, I, T, R>
where
    C: Cxu,
    S: Contexts,
    U: AsMut<[Unit<C, S>]>,
    I: Image,
    T: Slots<I>,
    R: HartCsrs,
{
    /// The thread runs on the hart from here on, if it can. Memory for the table is what tells a hart with `mcx_table`.
    pub fn new(hart: Hart<C, S, U>, thread: Thread<I, T>, table: Option<&'t mut SelectorWords>, csrs: R) -> Self {
        let mut machine = MachineHart { hart, thread, table, written: 0, csrs, again: false };
        if let Some(table) = machine.table.as_deref_mut() {
            // Built-in at 0, and nothing elsewhere.
            table.0.fill(HartSelector::INVALID);
            table.0[0] = HartSelector::BUILTIN;
            machine.csrs.write(Csr::McxTable, (&raw const *table).expose_provenance());
        }
        // If it does not run there, opening says so.
        let _ = machine.hart.resume(&mut machine.thread);
        machine.give();
        machine
    }

    /// Lets the supervisor do something: open and close, save and restore, take units away, put another thread in the place of
    /// this one. The registers and the table follow.
    pub fn supervise<A>(&mut self, work: impl FnOnce(&mut Hart<C, S, U>, &mut Thread<I, T>) -> A) -> A {
        self.take();
        let done = work(&mut self.hart, &mut self.thread);
        self.give();
        done
    }

    /// The hart: its units and counters. What moves states goes through [`supervise`](Self::supervise).
    pub fn hart(&mut self) -> &mut Hart<C, S, U> {
        &mut self.hart
    }

    /// The thread. While the hart has the registers, its selection and flags are there.
    pub fn thread(&self) -> &Thread<I, T> {
        &self.thread
    }

    /// The table, if there is one.
    pub fn table(&self) -> Option<&SelectorWords> {
        self.table.as_deref()
    }

    /// The registers of the hart.
    pub fn csrs(&mut self) -> &mut R {
        &mut self.csrs
    }

    /// What the hart holds goes to the thread.
    fn take(&mut self) {
        if R::IN_HART {
            self.thread.status = Status::from_bits(self.csrs.read(Csr::CxStatus) as u32);
            if let Some(table) = &self.table {
                let selector = Selector::from_raw(self.csrs.read(Csr::CxIndex) as u32 as i32);
                self.thread.register = table.entry(selector.cx_index());
                self.thread.selected = self.seen(selector);
            }
        }
    }

    /// What the thread holds goes to the table and the hart. All entries are written: opening, closing and swapping change
    /// those of others too.
    fn give(&mut self) {
        if let Some(table) = self.table.as_deref_mut() {
            let mut open = self.thread.table.indices();
            let count = open.len();
            for entry in table.0.iter_mut().skip(1).take(count.max(self.written)) {
                let selector = open.next().flatten();
                *entry = selector.map_or(HartSelector::INVALID, |selector| self.thread.entry(selector));
            }
            // A thread that ran here before may have had more.
            self.written = count;
        }
        self.give_selection();
        self.csrs.write(Csr::CxStatus, self.thread.status.bits() as usize);
    }

    /// The write of `cx_index`, or what it would do.
    fn give_selection(&mut self) {
        self.thread.selected = self.seen(self.thread.selected);
        let index = self.thread.selected.cx_index();
        if let Some(table) = &self.table {
            self.thread.register = table.entry(index);
            self.csrs.write(Csr::CxIndex, index.into());
        } else {
            self.thread.register = self.thread.entry(self.thread.selected);
            self.csrs.write(Csr::McxSelector, self.thread.register.bits() as usize);
        }
    }

    /// What the hart sees of a selector: where it looks a table up, what is open at that index.
    fn seen(&self, selector: Selector) -> Selector {
        if self.table.is_none() {
            return selector;
        }
        let index = selector.cx_index();
        self.thread.table.at(index).unwrap_or(Selector::from_raw(index.into()))
    }
}

impl<C, S, U, I, T, R> CustomHart for MachineHart<'_, C, S, U, I, T, R>
where
    C: Cxu,
    S: Contexts,
    U: AsMut<[Unit<C, S>]>,
    I: Image,
    T: Slots<I>,
    R: HartCsrs,
{
    fn selected(&mut self) -> Selector {
        self.take();
        match self.table {
            // The register has no more bits.
            Some(_) => Selector::from_raw(self.thread.selected.cx_index().into()),
            None => self.thread.selected,
        }
    }

    fn select(&mut self, selector: Selector) {
        self.thread.selected = selector;
        self.give_selection();
    }

    fn status(&mut self, op: CsrOp, value: Status) -> Status {
        self.take();
        let old = self.thread.status;
        if let Some(new) = op.written(old.bits() as usize, value.bits() as usize) {
            self.thread.status = Status::from_bits(new as u32);
            self.csrs.write(Csr::CxStatus, self.thread.status.bits() as usize);
        }
        old
    }

    fn operate(&mut self, operation: Operation) -> Option<usize> {
        self.again = false;
        self.take();
        if self.thread.selected == Selector::BUILTIN {
            // An instruction of the processor's own, if it had one.
            return None;
        }
        if !R::IN_HART {
            let before = self.thread.register;
            let reply = self.hart.issue(&mut self.thread, operation);
            if self.thread.register != before {
                // A state was brought in, and maybe another one has lost its place.
                self.give();
            }
            return Some(reply.value);
        }
        let before = HartSelector::from_bits(self.csrs.read(Csr::McxSelector) as u32);
        let done = self.hart.trap(&mut self.thread, operation);
        let value = match done {
            Ok(None) => None,
            Ok(Some(reply)) => {
                self.thread.status |= reply.response.into();
                Some(reply.value)
            }
            Err(response) => {
                self.thread.status |= response.into();
                Some(0)
            }
        };
        self.give();
        // If the entry did not trap before, it is the hart that does not know the instruction.
        self.again = value.is_none() && before.traps();
        value
    }

    fn issues_again(&mut self) -> bool {
        core::mem::take(&mut self.again)
    }

    fn flex(&mut self, function: u32, fields: u16, mut rs2: usize) -> (u32, usize) {
        self.take();
        let (selected, fields) = (self.thread.selected, u32::from(fields));
        if let Some((cxu, _)) = self.thread.software_state(selected) {
            // SAFETY: `Hart::emulate` was told that the functions are good; `rs2` is ours.
            let function = cxu.flex.map_or(function, |decode| unsafe { decode(function, fields, &raw mut rs2) });
            return (function, rs2);
        }
        let unit = self.thread.unit(selected).map(usize::from);
        match unit.and_then(|unit| self.hart.units().get_mut(unit)) {
            Some(unit) => unit.cxu.flex(function, fields, rs2),
            None => (function, rs2),
        }
    }
}
