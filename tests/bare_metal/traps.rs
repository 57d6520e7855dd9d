//! A firmware that tries the entry of traps of `lapis_cx_core::trap`: run by `main.rs`.
#![no_std]
#![no_main]
#![allow(clippy::panic)]

#[path = "../../examples/bare-metal/src/board.rs"]
mod board;
#[path = "images.rs"]
mod images;

mod firmware {
    use core::arch::{asm, naked_asm};
    use core::fmt::Write;
    use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use lapis_cx_core::encoding::Profile;
    use lapis_cx_core::machine::Operation;
    use lapis_cx_core::trap::{CustomHart, Firmware, Frame, TrapStack};
    use lapis_cx_core::{CsrOp, OnHart, Selector, Status};

    use crate::board::{Uart, exit, stack_used};

    const STACK: usize = 4096;
    static mut TRAPS: TrapStack<STACK> = TrapStack::NEW;

    /// `mcause` of what `other` expects.
    const ILLEGAL: usize = 2;
    const BREAKPOINT: usize = 3;
    const ECALL_FROM_USER: usize = 8;
    const MPP: usize = 3 << 11;

    /// How often `other` saw each.
    static SEEN: [AtomicUsize; 16] = [const { AtomicUsize::new(0) }; 16];

    fn seen(cause: usize) -> usize {
        SEEN[cause].swap(0, Relaxed)
    }

    /// It adds what it is given.
    struct Adder {
        selected: Selector,
        status: Status,
        commands: usize,
    }

    impl CustomHart for Adder {
        fn selected(&mut self) -> Selector {
            self.selected
        }
        fn select(&mut self, selector: Selector) {
            self.selected = selector;
        }
        fn status(&mut self, op: CsrOp, value: Status) -> Status {
            let old = self.status;
            let new = op.written(old.bits() as usize, value.bits() as usize);
            self.status = new.map_or(old, |new| Status::from_bits(new as u32));
            old
        }
        fn operate(&mut self, operation: Operation) -> Option<usize> {
            let Operation::Command { function: 5, rs1, rs2 } = operation else { return None };
            self.commands += 1;
            Some(rs1.wrapping_add(rs2))
        }
    }

    /// gp and tp of this firmware: one compiled for them relies on them, a handler too.
    static POINTERS: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];
    /// How many interrupts are to come still.
    static INTERRUPTS: AtomicUsize = AtomicUsize::new(0);
    /// Writing 1 asks this hart for a software interrupt, writing 0 withdraws it.
    const MSIP: *mut u32 = 0x0200_0000 as *mut u32;

    /// How many interrupts there are, at most.
    const ROUNDS: usize = 100;

    fn pointers() -> [usize; 2] {
        let (gp, tp);
        // SAFETY: it reads two registers.
        unsafe { asm!("mv {}, gp", "mv {}, tp", out(reg) gp, out(reg) tp, options(nomem, nostack)) };
        [gp, tp]
    }

    fn other(frame: &mut Frame) {
        assert_eq!(pointers(), POINTERS.each_ref().map(|pointer| pointer.load(Relaxed)));
        assert_eq!(frame.x[0], 0);
        if frame.mcause > isize::MAX as usize {
            // The last of them withdraws the request. Until then the next one comes where this one lets interrupts in again.
            if INTERRUPTS.fetch_sub(1, Relaxed) == 1 {
                // SAFETY: it is a register of the machine.
                unsafe { MSIP.write_volatile(0) };
            }
            return;
        }
        SEEN[frame.mcause & 15].fetch_add(1, Relaxed);
        match frame.mcause {
            ILLEGAL => frame.mepc += 4,
            BREAKPOINT => {
                // A trap inside of a trap: its frame is below this one.
                let before = frame.clone();
                let selected = OnHart::swap(Selector::from_raw(77));
                assert_eq!(OnHart::swap(selected), Selector::from_raw(77));
                assert!(before.x == frame.x && (before.mepc, before.mstatus) == (frame.mepc, frame.mstatus));
                // SAFETY: the hart has just been there.
                let short = unsafe { (frame.mepc as *const u16).read() } & 3 != 3;
                frame.mepc += if short { 2 } else { 4 };
                if INTERRUPTS.load(Relaxed) > 0 {
                    // SAFETY: interrupts come from here on, also on the way out.
                    unsafe { asm!("csrs mie, 8", "csrsi mstatus, 8") };
                }
            }
            // It goes on in machine mode.
            ECALL_FROM_USER => {
                frame.mstatus |= MPP;
                frame.mepc += 4;
            }
            cause => panic!("trap {cause:#x} at {:#x}", frame.mepc),
        }
    }

    /// A line for each of x3 to x31 but x10.
    macro_rules! each {
        ($line:ident) => {
            each!($line "3" "4" "5" "6" "7" "8" "9" "11" "12" "13" "14" "15" "16" "17" "18" "19" "20" "21" "22" "23"
                "24" "25" "26" "27" "28" "29" "30" "31")
        };
        ($line:ident $($n:literal)*) => {
            concat!($($line!($n)),*)
        };
    }
    #[cfg(target_arch = "riscv32")]
    macro_rules! access {
        ($op:literal) => {
            concat!($op, "w x")
        };
    }
    #[cfg(target_arch = "riscv64")]
    macro_rules! access {
        ($op:literal) => {
            concat!($op, "d x")
        };
    }
    macro_rules! store {
        ($n:literal) => {
            concat!(access!("s"), $n, ", ", $n, "*{W}(sp)\n")
        };
    }
    macro_rules! load {
        ($n:literal) => {
            concat!(access!("l"), $n, ", ", $n, "*{W}(sp)\n")
        };
    }
    macro_rules! fill {
        ($n:literal) => {
            concat!("li x", $n, ", 0x100 + ", $n, "\n")
        };
    }
    macro_rules! compare {
        ($n:literal) => {
            concat!("addi x", $n, ", x", $n, ", -0x100 - ", $n, "\nor x10, x10, x", $n, "\n")
        };
    }

    /// Which bits of registers are wrong after traps in which each of them was used.
    #[unsafe(naked)]
    extern "C" fn wrong_bits() -> usize {
        naked_asm!(
            "addi sp, sp, -32*{W}",
            store!("1"),
            each!(store),
            "mv x1, sp",
            each!(fill),
            "ebreak",
            "csrw 0x801, x5",
            ".insn r 0x0b, 5, 0, x10, x6, x7",
            "ebreak",
            "addi x10, x10, -0x100 - 6 - 0x100 - 7",
            "sub x1, x1, sp",
            "or x10, x10, x1",
            each!(compare),
            load!("1"),
            each!(load),
            "addi sp, sp, 32*{W}",
            "ret",
            W = const size_of::<usize>(),
        )
    }

    /// `a + b` by a command, at an address of each kind.
    fn sums(a: usize, b: usize) -> [usize; 2] {
        let (even, odd);
        // SAFETY: the firmware does it in a trap.
        unsafe {
            asm!(
                ".balign 4", ".insn r 0x0b, 5, 0, {even}, {a}, {b}", "c.nop", ".insn r 0x0b, 5, 0, {odd}, {a}, {b}",
                even = out(reg) even, odd = lateout(reg) odd, a = in(reg) a, b = in(reg) b, options(nostack)
            );
        }
        [even, odd]
    }

    /// Does something in user mode, on this stack.
    fn in_user_mode<A>(work: impl FnOnce() -> A) -> A {
        // SAFETY: user mode may do all with all memory. The label is what comes next.
        unsafe {
            asm!(
                "csrw pmpaddr0, {all}", "csrw pmpcfg0, {allowed}", "csrc mstatus, {mpp}", "la {at}, 1f", "csrw mepc, {at}",
                "mret", "1:", all = in(reg) usize::MAX, allowed = in(reg) 0x1F, mpp = in(reg) MPP, at = out(reg) _
            );
        }
        let done = work();
        // SAFETY: `other` goes on behind it, in machine mode.
        unsafe { asm!("ecall") };
        done
    }

    fn check(firmware: &Firmware<Adder>) {
        assert_eq!(wrong_bits(), 0);
        assert_eq!(seen(BREAKPOINT), 2);
        let status = firmware.access(|adder| adder.status);
        assert_eq!(status, Some(Status::from_bits(0x105)));
        assert_eq!(sums(40, 2), [42, 42]);
        assert_eq!(in_user_mode(|| sums(usize::MAX, 8)), [7, 7]);
        assert_eq!(seen(ECALL_FROM_USER), 1);
        assert_eq!(firmware.access(|adder| adder.commands), Some(5));

        // Interrupts on the way out of a handler leave its frame alone.
        for interrupts in 1..=ROUNDS {
            INTERRUPTS.store(interrupts, Relaxed);
            // SAFETY: it is a register of the machine.
            unsafe { MSIP.write_volatile(1) };
            assert_eq!(wrong_bits(), 0);
            assert_eq!((seen(BREAKPOINT), INTERRUPTS.load(Relaxed)), (2, 0));
        }

        // None of the hart's: another function, an opcode that nobody has, and one while the hart is lent.
        assert_eq!(seen(ILLEGAL), 0);
        // SAFETY: `other` goes on behind them.
        unsafe { asm!(".insn r 0x0b, 6, 0, x0, x0, x0", ".4byte 0xffffffff") };
        assert_eq!(seen(ILLEGAL), 2);
        // A command says that it touches no memory: that it is lent has to be written all the same.
        firmware.access(|adder| {
            adder.commands += 1;
            // SAFETY: as above.
            unsafe { asm!(".insn r 0x0b, 5, 0, x0, x0, x0", options(nomem, nostack)) };
            adder.commands -= 1;
        });
        assert_eq!(seen(ILLEGAL), 1);
        assert_eq!(firmware.access(|_| firmware.access(|_| ()).is_none()), Some(true));
        assert_eq!(firmware.access(|adder| (adder.commands, adder.selected)), Some((5 + ROUNDS, Selector::BUILTIN)));
    }

    pub extern "C" fn main() -> ! {
        // Nothing here is found by gp or tp, so any value serves.
        // SAFETY: as just said.
        unsafe { asm!("li gp, 0x1230", "li tp, 0x4560") };
        POINTERS.iter().zip(pointers()).for_each(|(place, pointer)| place.store(pointer, Relaxed));
        let adder = || Adder { selected: Selector::BUILTIN, status: Status::NONE, commands: 0 };
        let firmware = Firmware::new(adder(), Profile::DEFAULT, other);
        // SAFETY: this is machine mode, and this function does not return. Nobody else has the stack.
        unsafe { firmware.install(&raw mut TRAPS) };
        check(&firmware);
        // The same where the instruction has to be fetched.
        let firmware = Firmware::new(adder(), Profile::DEFAULT, other).fetching();
        // SAFETY: as above.
        unsafe { firmware.install(&raw mut TRAPS) };
        check(&firmware);
        // SAFETY: it was installed, and no trap is being handled.
        let untouched = unsafe { TrapStack::untouched(&raw const TRAPS) };
        assert!(0 < untouched && untouched < STACK && stack_used() > 0);
        assert_eq!(crate::images::check(), Ok(()));
        let _ = writeln!(Uart, "good");
        exit(true)
    }
}
