//! What a hart in machine mode does when it traps: all registers go to a frame on a stack of the handler's own, and a custom
//! instruction is done there. (RISC-V privileged specification, "Machine-Level ISA")
//!
//! It serves user and machine mode, and a trap inside the handler, whose frame is below that of the first one. `mscratch` has the
//! address of what is above the stack, which is all that is found by it. There are integer registers only: on a hart with
//! floating point a handler would have to save those too, so this is not there.

use core::arch::{asm, naked_asm};
use core::cell::RefCell;
use core::mem::{MaybeUninit, offset_of};
use core::ptr;

use super::{CustomHart, LENGTH, Outcome, handle};
use crate::encoding::Profile;

/// `mcause` of an illegal instruction.
const ILLEGAL_INSTRUCTION: usize = 2;
/// `mstatus.MIE`: interrupts come.
const MIE: usize = 1 << 3;
/// `mstatus.MPP`: where the trap came from; all ones for machine mode.
const MPP: usize = 3 << 11;
/// `mstatus.MPRV`: loads are those of the mode in MPP.
const MPRV: usize = 1 << 17;
/// `mstatus.MXR`: they read what can be executed only.
const MXR: usize = 1 << 19;

/// Registers of what trapped, which come back from here.
#[derive(Clone, Debug)]
#[repr(C, align(16))]
pub struct Frame {
    /// x0 to x31; x0 is 0.
    pub x: [usize; 32],
    /// Where it trapped, and where it goes on.
    pub mepc: usize,
    /// The mode that it came from, and what else is there.
    pub mstatus: usize,
    /// Why.
    pub mcause: usize,
    /// The instruction, for an illegal one, or 0.
    pub mtval: usize,
}

impl Frame {
    /// The word of an illegal instruction; 16 bits of it if it is a short one.
    fn instruction(&self, trusts_mtval: bool) -> u32 {
        if trusts_mtval && self.mtval != 0 {
            return self.mtval as u32;
        }
        let low = self.fetch(self.mepc);
        // A long one has 11 in its low bits. It may begin at an odd half, and end in another page.
        if low & 3 == 3 { self.fetch(self.mepc.wrapping_add(2)) << 16 | low } else { low }
    }

    /// Loads 16 bits as what trapped has fetched them.
    fn fetch(&self, address: usize) -> u32 {
        let as_there = if self.mstatus & MPP == MPP { 0 } else { MPRV | MXR };
        let half: usize;
        // SAFETY: the hart has just fetched from there, in the mode that `mstatus` still says. No interrupt comes between.
        unsafe {
            asm!(
                "csrs mstatus, {as_there}", "lhu {half}, 0({address})", "csrc mstatus, {as_there}",
                as_there = in(reg) as_there, address = in(reg) address, half = out(reg) half, options(nostack)
            );
        }
        half as u32
    }
}

/// What `mscratch` points to: the end of the stack.
#[derive(Debug)]
#[repr(C, align(16))]
struct Base {
    /// [`dispatch`] for the firmware's type.
    dispatch: unsafe extern "C" fn(*mut Frame, *mut Base),
    /// The [`Firmware`].
    firmware: *const (),
    /// How many traps are being handled.
    depth: usize,
    /// gp and tp of the firmware: what traps may have its own.
    pointers: [usize; 2],
    /// Where two registers wait until there is a frame.
    waiting: [usize; 2],
}

/// What an unused word of the stack holds.
const PAINT: usize = 0x5AFE_57AC;

/// A stack for traps, of so many bytes, a multiple of 16.
#[derive(Debug)]
#[repr(C, align(16))]
pub struct TrapStack<const BYTES: usize> {
    stack: [MaybeUninit<u8>; BYTES],
    base: MaybeUninit<Base>,
}

impl<const BYTES: usize> TrapStack<BYTES> {
    /// One that no hart has yet.
    pub const NEW: TrapStack<BYTES> = {
        assert!(BYTES.is_multiple_of(16));
        TrapStack { stack: [MaybeUninit::uninit(); BYTES], base: MaybeUninit::uninit() }
    };

    /// How many bytes of the stack of a hart no trap has touched yet; for measurements.
    ///
    /// # Safety
    /// `this` was given to [`Firmware::install`], and no trap is being handled.
    pub unsafe fn untouched(this: *const Self) -> usize {
        let words = this.cast::<usize>();
        // SAFETY: `install` has painted the words, and the stack is the first member.
        let is_paint = |place: &usize| unsafe { words.add(*place).read_volatile() } == PAINT;
        (0..BYTES / size_of::<usize>()).take_while(is_paint).count() * size_of::<usize>()
    }
}

/// What a firmware has for traps: the hart in software, and what is to be done with all the rest.
///
/// Firmware reaches the hart by [`access`](Self::access). A custom instruction meanwhile, also one in a CXU of the hart, is none
/// of the hart's.
#[derive(Debug)]
pub struct Firmware<M> {
    machine: RefCell<M>,
    profile: Profile,
    other: fn(&mut Frame),
    trusts_mtval: bool,
}

impl<M: CustomHart> Firmware<M> {
    /// `other` is called for each trap, interrupts too, that is not of a custom instruction. When it returns, the hart goes on
    /// at the `mepc` of the frame.
    pub const fn new(machine: M, profile: Profile, other: fn(&mut Frame)) -> Self {
        Firmware { machine: RefCell::new(machine), profile, other, trusts_mtval: true }
    }

    /// The same for a hart that writes something else than the instruction to `mtval`.
    #[must_use]
    pub fn fetching(self) -> Self {
        Firmware { trusts_mtval: false, ..self }
    }

    /// Gives traps of this hart to this. They have the stack of `stack`, which is painted.
    ///
    /// # Safety
    /// The code runs in machine mode. Until the hart gets another handler, both are there, nobody moves them, and nobody else
    /// uses the stack. The stack is large enough: [`TrapStack::untouched`] tells.
    pub unsafe fn install<const BYTES: usize>(&self, stack: *mut TrapStack<BYTES>) {
        let pointers: [usize; 2];
        // SAFETY: it reads two registers.
        unsafe {
            let (gp, tp);
            asm!("mv {}, gp", "mv {}, tp", out(reg) gp, out(reg) tp, options(nomem, nostack, preserves_flags));
            pointers = [gp, tp];
        }
        let firmware = ptr::from_ref(self).cast();
        let base = Base { dispatch: dispatch::<M>, firmware, depth: 0, pointers, waiting: [0; 2] };
        // SAFETY: the memory is the caller's to give. An entry is the address of code that handles a trap.
        unsafe {
            let words = stack.cast::<usize>();
            (0..BYTES / size_of::<usize>()).for_each(|place| words.add(place).write(PAINT));
            let place = (&raw mut (*stack).base).cast::<Base>();
            place.write(base);
            // Its code begins behind what aligns it.
            let entry = (enter as *const ()).addr().next_multiple_of(4);
            asm!("csrw mscratch, {}", "csrw mtvec, {}", in(reg) place, in(reg) entry, options(nostack));
        }
    }

    /// Lends the hart; `None` while somebody has it.
    pub fn access<A>(&self, work: impl FnOnce(&mut M) -> A) -> Option<A> {
        barrier();
        let mut machine = self.machine.try_borrow_mut().ok()?;
        // A trap in `work` sees that it is lent, and what `work` has written before; after it, that it is back.
        barrier();
        let done = work(&mut machine);
        barrier();
        drop(machine);
        barrier();
        Some(done)
    }

    fn trap(&self, frame: &mut Frame) {
        if frame.mcause == ILLEGAL_INSTRUCTION {
            let word = frame.instruction(self.trusts_mtval);
            match self.access(|machine| handle(word, self.profile, &mut frame.x, machine)) {
                Some(Outcome::Done) => {
                    frame.mepc = frame.mepc.wrapping_add(LENGTH);
                    return;
                }
                Some(Outcome::Again) => return,
                Some(Outcome::Other) | None => {}
            }
        }
        (self.other)(frame);
    }
}

/// Commands say that they touch no memory, as on a hart they do not: what they find here has to be written before.
fn barrier() {
    // SAFETY: it is no instruction. A compiler keeps it in order with commands, and memory in order with it.
    unsafe { asm!("", options(nostack, preserves_flags)) };
}

/// What [`enter`] calls.
///
/// # Safety
/// `base` was written by `install` of a `Firmware<M>`; `frame` is that of a trap.
unsafe extern "C" fn dispatch<M: CustomHart>(frame: *mut Frame, base: *mut Base) {
    // SAFETY: the caller's promise, and that of `install`. The frame is the handler's own.
    let (frame, firmware) = unsafe { (&mut *frame, &*(*base).firmware.cast::<Firmware<M>>()) };
    firmware.trap(frame);
}

#[cfg(target_arch = "riscv32")]
macro_rules! word {
    (load) => {
        "lw"
    };
    (store) => {
        "sw"
    };
}
#[cfg(target_arch = "riscv64")]
macro_rules! word {
    (load) => {
        "ld"
    };
    (store) => {
        "sd"
    };
}

/// A load or a store of each register but x0, sp, t0 and t1, which have their turn elsewhere.
macro_rules! each_register {
    ($op:tt) => {
        each_register!($op "1" "3" "4" "7" "8" "9" "10" "11" "12" "13" "14" "15" "16" "17" "18" "19" "20" "21" "22" "23"
            "24" "25" "26" "27" "28" "29" "30" "31")
    };
    ($op:tt $($number:literal)*) => {
        concat!($(word!($op), " x", $number, ", ", $number, "*{W}(sp)\n"),*)
    };
}

/// The entry. `mtvec` has its address, of which two low bits are 0: one entry for all traps.
#[unsafe(naked)]
unsafe extern "C" fn enter() {
    naked_asm!(
        ".balign 4",
        // sp is the base, and mscratch what sp was.
        "csrrw sp, mscratch, sp",
        concat!(word!(store), " t0, {T0}(sp)"),
        concat!(word!(store), " t1, {T1}(sp)"),
        "mv t1, sp",
        "csrrw t0, mscratch, sp",
        // The frame is below the base; inside a handler, below what that has on the stack.
        concat!(word!(load), " sp, {DEPTH}(t1)"),
        "beqz sp, 1f",
        "andi sp, t0, -16",
        "j 2f",
        "1: mv sp, t1",
        "2: addi sp, sp, -{FRAME}",
        concat!(word!(store), " zero, 0(sp)"),
        concat!(word!(store), " t0, 2*{W}(sp)"),
        each_register!(store),
        concat!(word!(load), " t0, {T0}(t1)"),
        concat!(word!(store), " t0, 5*{W}(sp)"),
        concat!(word!(load), " t0, {T1}(t1)"),
        concat!(word!(store), " t0, 6*{W}(sp)"),
        "csrr t0, mepc",
        concat!(word!(store), " t0, {MEPC}(sp)"),
        "csrr t0, mstatus",
        concat!(word!(store), " t0, {MSTATUS}(sp)"),
        "csrr t0, mcause",
        concat!(word!(store), " t0, {MCAUSE}(sp)"),
        "csrr t0, mtval",
        concat!(word!(store), " t0, {MTVAL}(sp)"),
        concat!(word!(load), " t0, {DEPTH}(t1)"),
        "addi t0, t0, 1",
        concat!(word!(store), " t0, {DEPTH}(t1)"),
        "mv a0, sp",
        "mv a1, t1",
        concat!(word!(load), " gp, {GP}(t1)"),
        concat!(word!(load), " tp, {TP}(t1)"),
        concat!(word!(load), " t0, {DISPATCH}(t1)"),
        "jalr t0",
        // Whoever handled it may have let interrupts in. From here on there is one frame less.
        "csrci mstatus, {MIE}",
        "csrr t1, mscratch",
        concat!(word!(load), " t0, {DEPTH}(t1)"),
        "addi t0, t0, -1",
        concat!(word!(store), " t0, {DEPTH}(t1)"),
        concat!(word!(load), " t0, {MEPC}(sp)"),
        "csrw mepc, t0",
        concat!(word!(load), " t0, {MSTATUS}(sp)"),
        "csrw mstatus, t0",
        each_register!(load),
        concat!(word!(load), " t0, 5*{W}(sp)"),
        concat!(word!(load), " t1, 6*{W}(sp)"),
        concat!(word!(load), " sp, 2*{W}(sp)"),
        "mret",
        W = const size_of::<usize>(),
        FRAME = const size_of::<Frame>(),
        DISPATCH = const offset_of!(Base, dispatch),
        DEPTH = const offset_of!(Base, depth),
        GP = const offset_of!(Base, pointers),
        TP = const offset_of!(Base, pointers) + size_of::<usize>(),
        MIE = const MIE,
        T0 = const offset_of!(Base, waiting),
        T1 = const offset_of!(Base, waiting) + size_of::<usize>(),
        MEPC = const offset_of!(Frame, mepc),
        MSTATUS = const offset_of!(Frame, mstatus),
        MCAUSE = const offset_of!(Frame, mcause),
        MTVAL = const offset_of!(Frame, mtval),
    )
}
