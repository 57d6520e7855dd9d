//! What Rust generated from a `.cxspec` file leans on, beside the public types of this crate. Its name is its version:
//! code that was generated for another one does not compile. People have no use for it.
//!
//! A command has its function id as a constant. On a hart it is one instruction; elsewhere it is a call of
//! [`Issue::issue`]. A command without state may merge with an equal one. A `try_` function also gives the response;
//! it is never merged, and on a hart it costs two accesses to `cx_status`. An access of a CSR is one instruction, or a
//! call of [`Issue::csr`]; a command of an overloadable opcode is one, or a call of [`Xcmd::xcmd`]. A function id, an address or
//! an opcode that is not of a CX does not compile.

mod library;

pub use library::{Entered, Image, Instance, Interface, Kept, Taken, enter, keep, read, write};

use crate::encoding::Fallback;
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
use crate::insn;
use crate::xext::Refused;
use crate::{Cookie, CsrOp, Issue, Reply, Response, Xcmd, checked};

/// How a command of a fallback ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Done.
    Ok,
    /// No such CX.
    Cxu,
    /// The state is invalid.
    State,
    /// The state is off.
    Off,
    /// No such function.
    Func,
    /// An operand is in error.
    Op,
    /// A declared error; its code is in the status word.
    Custom,
    /// The command traps one level higher. No hardware answers this.
    Trap,
}

impl Answer {
    /// As a CXU says it; one that has no levels has no traps.
    #[inline]
    pub const fn response(self) -> Response {
        match self {
            Answer::Ok => Response::Ok,
            Answer::Cxu | Answer::Trap => Response::Cxu,
            Answer::State => Response::State,
            Answer::Off => Response::Off,
            Answer::Func => Response::Func,
            Answer::Op => Response::Op,
            Answer::Custom => Response::Custom,
        }
    }
}

/// What a unit of a device gives for rd: the value, also of what raised something, as an `xcmd` has no response.
///
/// # Errors
/// A command that traps, and one that is not there.
pub const fn answered(value: usize, answer: Answer) -> Result<usize, Refused> {
    match answer {
        Answer::Trap => Err(Refused::Trap),
        Answer::Cxu | Answer::Func => Err(Refused::Configuration),
        _ => Ok(value),
    }
}

impl From<Response> for Answer {
    #[inline]
    fn from(response: Response) -> Answer {
        match response {
            Response::Ok => Answer::Ok,
            Response::Cxu => Answer::Cxu,
            Response::State => Answer::State,
            Response::Off => Answer::Off,
            Response::Func => Answer::Func,
            Response::Op => Answer::Op,
            Response::Custom => Answer::Custom,
        }
    }
}

/// An immediate operand, known at compile time.
pub trait Immediate {
    /// The value.
    const VALUE: i128;
    /// Whether its type is signed.
    const SIGNED: bool;
}

macro_rules! immediates {
    ($($(#[$doc:meta])* $name:ident $ty:ty, $signed:literal;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<const N: $ty>;
        impl<const N: $ty> Immediate for $name<N> {
            const VALUE: i128 = N as i128;
            const SIGNED: bool = $signed;
        }
    )* };
}
immediates! {
    /// A bool.
    Bool bool, false;
    /// Unsigned, 8 bits.
    U8 u8, false;
    /// Unsigned, 16 bits.
    U16 u16, false;
    /// Unsigned, 32 bits.
    U32 u32, false;
    /// Unsigned, 64 bits.
    U64 u64, false;
    /// Signed, 8 bits.
    I8 i8, true;
    /// Signed, 16 bits.
    I16 i16, true;
    /// Signed, 32 bits.
    I32 i32, true;
    /// Signed, 64 bits.
    I64 i64, true;
}

/// Refuses, at compile time, an immediate that is no value of `WIDTH` bits.
#[inline(always)]
pub const fn check<I: Immediate, const WIDTH: u32>() {
    const {
        let (low, high) = if I::SIGNED { (-(1i128 << (WIDTH - 1)), 1 << (WIDTH - 1)) } else { (0, 1 << WIDTH) };
        assert!(low <= I::VALUE && I::VALUE < high, "the immediate is no value of its operand's type");
    }
}

/// As [`check`], and refuses one that no pattern of 12 bits, sign-extended and cut to `WIDTH` bits, gives.
#[inline(always)]
pub const fn check12<I: Immediate, const WIDTH: u32>() {
    check::<I, WIDTH>();
    const {
        let shifted = (I::VALUE + 0x800) & ((1 << WIDTH) - 1);
        assert!(shifted < 0x1000, "12 bits, sign-extended, do not carry this immediate");
    }
}

/// Refuses, at compile time, a selection under which words of `XLEN` bits are not those of the contract.
#[inline(always)]
pub const fn check_xlen<G: Issue, const XLEN: u32>() {
    const {
        assert!(XLEN <= usize::BITS, "registers of this target are narrower than the XLEN of the contract");
        assert!(!G::INSTRUCTIONS || XLEN == usize::BITS, "this hart has another XLEN than the contract");
    }
}

/// Runs an instruction between two accesses to `cx_status`, so that its flags are its own; then adds them to those before.
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
#[inline(always)]
fn attributed(run: impl FnOnce() -> usize) -> Reply {
    let before = insn::swap_status(0);
    let value = run();
    let flags = insn::swap_status(before);
    if flags == 0 {
        return Reply { value, response: Response::Ok };
    }
    insn::set_status(flags);
    // Bit k is answer k; bit 0 says that the selector itself is invalid.
    let response = if flags & 1 == 0 { Response::from_code(flags.trailing_zeros()) } else { Response::Cxu };
    Reply { value, response }
}

macro_rules! register_commands {
    ($($(#[$doc:meta])* $name:ident $instruction:ident -> $result:ident;)*) => { $(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<G: Issue, const FUNCTION: u32>(cx: &G, rs1: Option<usize>, rs2: Option<usize>) -> $result {
            const { checked::function(FUNCTION) };
            #[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
            if G::INSTRUCTIONS {
                cx.enter();
                return answer!($result, insn::$instruction::<FUNCTION>(rs1, rs2));
            }
            reply!($result, cx.issue(FUNCTION, rs1.unwrap_or(0), rs2.unwrap_or(0)))
        }
    )* };
}

macro_rules! immediate_commands {
    ($($(#[$doc:meta])* $name:ident $instruction:ident -> $result:ident;)*) => { $(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<G: Issue, const FUNCTION: u32, I: Immediate>(cx: &G, rs1: Option<usize>) -> $result {
            const { checked::small(FUNCTION) };
            #[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
            if G::INSTRUCTIONS {
                cx.enter();
                return answer!($result, insn::$instruction::<FUNCTION, I>(rs1));
            }
            reply!($result, cx.issue(FUNCTION, rs1.unwrap_or(0), I::VALUE as usize))
        }
    )* };
}

macro_rules! flex_commands {
    ($($(#[$doc:meta])* $name:ident -> $result:ident;)*) => { $(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<G: Issue, const FUNCTION: u32, const WIDTH: u32, I: Immediate>(
            cx: &G,
            rs1: Option<usize>,
            rs2: Option<usize>,
        ) -> $result {
            const { checked::function(FUNCTION) };
            #[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
            if G::INSTRUCTIONS {
                cx.enter();
                return answer!($result, insn::flex_immediate::<FUNCTION, I>(rs1, rs2));
            }
            let rs1 = rs1.unwrap_or(0);
            reply!($result, match rs2 {
                Some(rs2) => {
                    let pattern = (I::VALUE & ((1 << WIDTH) - 1)) as u32;
                    cx.issue(FUNCTION | pattern << 16, rs1, rs2)
                }
                None => cx.issue(FUNCTION, rs1, I::VALUE as usize),
            })
        }
    )* };
}

#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
macro_rules! answer {
    (usize, $run:expr) => {
        $run
    };
    (Reply, $run:expr) => {
        attributed(|| $run)
    };
}

macro_rules! reply {
    (usize, $reply:expr) => {
        $reply.value
    };
    (Reply, $reply:expr) => {
        $reply
    };
}

register_commands! {
    /// Form R.
    value value -> usize;
    /// Form R, without state.
    pure_value pure_value -> usize;
    /// Form R, without result.
    silent silent -> usize;
    /// Form flex.
    flex flex -> usize;
    /// Form R, with the response.
    try_value value -> Reply;
    /// Form R without result, with the response.
    try_silent silent -> Reply;
    /// Form flex, with the response.
    try_flex flex -> Reply;
}

immediate_commands! {
    /// Form I.
    immediate immediate -> usize;
    /// Form I, without state.
    pure_immediate pure_immediate -> usize;
    /// Form I, without result.
    silent_immediate silent_immediate -> usize;
    /// Form I, with the response.
    try_immediate immediate -> Reply;
    /// Form I without result, with the response.
    try_silent_immediate silent_immediate -> Reply;
}

flex_commands! {
    /// Form flex with an immediate. Beside two registers, that of an issued command stands above the id.
    flex_immediate -> usize;
    /// The same, with the response.
    try_flex_immediate -> Reply;
}

macro_rules! flex25_commands {
    ($($(#[$doc:meta])* $name:ident -> $result:ident;)*) => { $(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<G: Issue, const FUNCTION: u32, I: Immediate>(cx: &G) -> $result {
            const { checked::function(FUNCTION) };
            #[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
            if G::INSTRUCTIONS {
                cx.enter();
                return answer!($result, insn::flex25::<FUNCTION, I>());
            }
            reply!($result, cx.issue(FUNCTION, 0, I::VALUE as usize))
        }
    )* };
}

flex25_commands! {
    /// Form flex25.
    flex25 -> usize;
    /// The same, with the response.
    try_flex25 -> Reply;
}

macro_rules! accesses {
    ($($(#[$doc:meta])* $name:ident $op:ident;)*) => { $(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<G: Issue, const ADDRESS: u32>(cx: &G, value: usize) -> usize {
            const { checked::csr(ADDRESS) };
            #[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
            if G::INSTRUCTIONS {
                cx.enter();
                return insn::$name::<ADDRESS>(value);
            }
            cx.csr(CsrOp::$op, ADDRESS, value).value
        }
    )* };
}

accesses! {
    /// Reads a CSR; the value does not matter.
    csr_read Read;
    /// Writes a CSR. What it gives means nothing.
    csr_write Write;
    /// Writes a CSR and gives what it held.
    csr_swap Write;
    /// Sets bits of a CSR and gives what it held.
    csr_set Set;
    /// Clears bits of a CSR and gives what it held.
    csr_clear Clear;
}

macro_rules! constant_accesses {
    ($($(#[$doc:meta])* $name:ident $op:ident;)*) => { $(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<G: Issue, const ADDRESS: u32, I: Immediate>(cx: &G) -> usize {
            const { checked::csr(ADDRESS) };
            #[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
            if G::INSTRUCTIONS {
                cx.enter();
                return insn::$name::<ADDRESS, I>();
            }
            cx.csr(CsrOp::$op, ADDRESS, I::VALUE as usize).value
        }
    )* };
}

constant_accesses! {
    /// Writes a constant to a CSR. What it gives means nothing.
    csr_write_constant Write;
    /// Sets constant bits of a CSR and gives what it held.
    csr_set_constant Set;
    /// Clears constant bits of a CSR and gives what it held.
    csr_clear_constant Clear;
}

/// Refuses, at compile time, a processor under which words of `XLEN` bits are not those of the contract, or whose opcode
/// is that of other instructions.
#[inline(always)]
const fn check_xcmd<X: Xcmd, const XLEN: u32>() {
    const {
        assert!(XLEN <= usize::BITS, "registers of this target are narrower than the XLEN of the contract");
        assert!(X::OPCODE.is_none() || XLEN == usize::BITS, "this hart has another XLEN than the contract");
        let same = match X::XLEN {
            Some(other) => other == XLEN,
            None => true,
        };
        assert!(same, "this processor has another XLEN than the contract");
        checked::xcmd_opcode::<X>();
    }
}

/// A register with the lun of a cookie and data of XLEN - 12 bits.
#[inline(always)]
pub const fn with_data<const XLEN: u32>(cookie: Cookie, data: usize) -> usize {
    cookie.with(data).bits() & (usize::MAX >> (usize::BITS - XLEN))
}

macro_rules! xcmds {
    ($($(#[$doc:meta])* $name:ident;)*) => { $(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<X: Xcmd, const XLEN: u32, const COMMAND: u32>(
            xcmds: &X,
            rs1: usize,
            rs2: Option<usize>,
        ) -> usize {
            check_xcmd::<X, XLEN>();
            const { checked::small(COMMAND) };
            #[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
            if X::OPCODE.is_some() {
                return insn::$name::<X, COMMAND>(rs1, rs2);
            }
            xcmds.xcmd(COMMAND, rs1, rs2.unwrap_or(0))
        }
    )* };
}

xcmds! {
    /// A command of an overloadable opcode.
    xcmd;
    /// One without result.
    silent_xcmd;
}

macro_rules! lookups {
    ($($(#[$doc:meta])* $name:ident $fallback:ident;)*) => { $(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<X: Xcmd, const XLEN: u32>(xcmds: &X, rs1: usize) -> Cookie {
            check_xcmd::<X, XLEN>();
            #[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
            if X::OPCODE.is_some() {
                return Cookie::from_bits(insn::xext::<X, { Fallback::$fallback.lun() }>(rs1));
            }
            Cookie::from_bits(xcmds.xext(Fallback::$fallback, rs1))
        }
    )* };
}

lookups! {
    /// Finds a device; commands to one that is not there trap.
    xext Trap;
    /// Commands to one that is not there give 0.
    xext0 Zero;
    /// Commands to one that is not there give -1.
    xextm1 MinusOne;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Target;

    const fn immediates_are_checked() {
        check::<U8<31>, 5>();
        check12::<U16<0x7FF>, 16>();
        check12::<U16<0xF800>, 16>();
        check12::<I16<-2048>, 12>();
        check12::<U64<{ u64::MAX }>, 64>();
        check::<Bool<true>, 1>();
        check12::<I64<-2048>, 64>();
    }
    const _: () = immediates_are_checked();

    #[test]
    fn commands_go_where_the_selection_leads() {
        assert_eq!(value::<_, 3>(&Target::INVALID, Some(1), None), 0);
        assert_eq!(try_value::<_, 3>(&Target::INVALID, Some(1), None).response, Response::Cxu);
        assert_eq!(try_immediate::<_, 3, U8<1>>(&Target::NO_BUILTIN, None).response, Response::Func);
    }

    /// A CX whose CSR remembers how it was accessed.
    struct Register(core::cell::Cell<usize>);

    impl Issue for Register {
        const INSTRUCTIONS: bool = false;
        fn issue(&self, _function: u32, _rs1: usize, _rs2: usize) -> Reply {
            Reply { value: 0, response: Response::Func }
        }
        fn csr(&self, op: CsrOp, address: u32, value: usize) -> Reply {
            assert_eq!(address, 0x810);
            let old = self.0.get();
            self.0.set(op.written(old, value).unwrap_or(old));
            Reply { value: old, response: Response::Ok }
        }
    }

    #[test]
    fn each_access_does_what_its_instruction_does() {
        let cx = Register(0b1100.into());
        csr_write_constant::<_, 0x810, U32<5>>(&cx);
        assert_eq!(csr_swap::<_, 0x810>(&cx, 0b1010), 5);
        assert_eq!(csr_set::<_, 0x810>(&cx, 0b0101), 0b1010);
        assert_eq!(csr_clear_constant::<_, 0x810, U32<3>>(&cx), 0b1111);
        assert_eq!(csr_set_constant::<_, 0x810, U32<1>>(&cx), 0b1100);
        assert_eq!(csr_clear::<_, 0x810>(&cx, 0b1000), 0b1101);
        assert_eq!(csr_read::<_, 0x810>(&cx, 7), 0b0101);
        csr_write::<_, 0x810>(&cx, 9);
        assert_eq!(csr_read::<_, 0x810>(&cx, 0), 9);
    }

    #[test]
    fn data_stand_above_the_lun_and_below_xlen() {
        let cookie = Cookie::from_bits(0x7_F021);
        assert_eq!(with_data::<32>(cookie, usize::MAX), 0xFFFF_F021);
        assert_eq!(with_data::<{ usize::BITS }>(cookie, usize::MAX), usize::MAX << 12 | 0x021);
        assert_eq!(with_data::<32>(cookie, 3), 0x3021);
    }
}
