//! qemu's machine `virt`: where the hart begins, a serial line, and how it ends.

use core::arch::global_asm;
use core::fmt;
use core::panic::PanicInfo;

/// What an unused word of the stack holds.
const PAINT: u32 = 0x57AC_CA57;

// The stack is painted, to see how much of it was used.
global_asm!(
    ".section .text.start, \"ax\"",
    ".globl _start",
    "_start: la sp, _stack_top",
    "la t0, _bss_start",
    "la t1, _bss_end",
    "1: bgeu t0, t1, 2f",
    "sw zero, 0(t0)",
    "addi t0, t0, 4",
    "j 1b",
    "2: la t0, _stack_bottom",
    "li t1, {paint}",
    "3: bgeu t0, sp, 4f",
    "sw t1, 0(t0)",
    "addi t0, t0, 4",
    "j 3b",
    "4: call {main}",
    ".text",
    paint = const PAINT,
    main = sym crate::firmware::main,
);

unsafe extern "C" {
    static _stack_bottom: u32;
    static _stack_top: u32;
}

/// Bytes of the stack that were used so far.
pub fn stack_used() -> usize {
    let (bottom, top) = (&raw const _stack_bottom, &raw const _stack_top);
    let words = (top.addr() - bottom.addr()) / size_of::<u32>();
    // SAFETY: the words of the stack, which `_start` has painted.
    let is_paint = |place: &usize| unsafe { bottom.add(*place).read_volatile() } == PAINT;
    (words - (0..words).take_while(is_paint).count()) * size_of::<u32>()
}

/// The serial line, a 16550.
pub struct Uart;

impl fmt::Write for Uart {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let base = 0x1000_0000 as *mut u8;
        for byte in text.bytes() {
            // SAFETY: the registers of the device: LSR says that there is room for a byte, THR takes it.
            unsafe {
                while base.add(5).read_volatile() & 0x20 == 0 {}
                base.write_volatile(byte);
            }
        }
        Ok(())
    }
}

/// Ends qemu, with status 0 or 1.
pub fn exit(good: bool) -> ! {
    let code: u32 = if good { 0x5555 } else { 1 << 16 | 0x3333 };
    loop {
        // SAFETY: the register of the device that ends the machine.
        unsafe { (0x10_0000 as *mut u32).write_volatile(code) };
    }
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let _ = fmt::Write::write_fmt(&mut Uart, format_args!("{info}\n"));
    exit(false)
}
