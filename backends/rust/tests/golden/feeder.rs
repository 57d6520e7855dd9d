// dev.rs
// Generated from org.example.open:Feeder by cxc; do not edit.
//
// A module of a crate that depends on lapis-cx-core: `#[path = "dev.rs"] mod dev;`, or `include!`
// inside a `mod`.

use ::lapis_cx_core as cx;

self::cx::check_abi!("dev.rs", 3, "0.1.0");

#[allow(unreachable_pub, unused_imports)]
pub use self::chosen::*;

#[allow(unexpected_cfgs, unreachable_pub, unused_imports)]
mod chosen {
    #[cfg(any(cx_xlen = "32", all(target_pointer_width = "32", not(cx_xlen = "64"))))]
    pub use super::xlen32::*;
    #[cfg(not(any(cx_xlen = "32", all(target_pointer_width = "32", not(cx_xlen = "64")))))]
    pub use super::xlen64::*;
}

/// `org.example.open:Feeder` where a register has 32 bits.
// A program seldom uses all of it, and decides itself who sees it.
#[allow(dead_code, unreachable_pub)]
// A value that only a branch that is gone would read.
#[allow(unused_assignments)]
// Words are patterns.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss
)]
// Arithmetic and branches as they were lowered.
#[allow(
    clippy::manual_checked_ops,
    clippy::manual_is_multiple_of,
    clippy::verbose_bit_mask
)]
#[allow(clippy::if_not_else, clippy::needless_late_init)]
// Names, sizes and arms as the specification has them.
#[allow(
    clippy::match_same_arms,
    clippy::many_single_char_names,
    clippy::similar_names
)]
#[allow(clippy::upper_case_acronyms)]
#[allow(clippy::too_many_lines, clippy::trivially_copy_pass_by_ref)]
// Documentation is the specification's.
#[allow(clippy::doc_markdown, clippy::doc_lazy_continuation, rustdoc::all)]
pub mod xlen32 {
    use super::cx;
    use super::cx::abi1;

    /// Bits in a register.
    pub const XLEN: u32 = 32;
    /// The overloadable-opcode id, 20 bits.
    pub const XINTF: u32 = 0x8_7654;
    /// The overloadable-opcode id of RV64, 52 bits.
    pub const XINTF52: u64 = 0xF_FFFF_FFF8_7654;

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0xBC, 0x20, 0x4C, 0x17, 0x72, 0x76, 0xD3, 0x0B, 0x1A, 0xB6, 0x7D, 0xEF,
        0x21, 0x94, 0x7B, 0x7D, 0x52, 0xAC, 0xDE, 0xC9, 0xA1, 0x14, 0xE3, 0x81,
        0x6D, 0xCB, 0xA3, 0x27, 0x2C, 0x28, 0x6B, 0x6A,
    ];

    /// Function ids.
    pub mod id {
        /// `feed`
        pub const FEED: u32 = 0;
        /// `stop`
        pub const STOP: u32 = 1;
        /// `read`
        pub const READ: u32 = 2;
        /// `only`
        pub const ONLY: u32 = 3;
        /// `shut`
        pub const SHUT: u32 = 7;
    }

    /// Why a command of [`Feeder`] was not done.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Error {
        /// No such CX is selected.
        Cxu,
        /// The state is invalid.
        State,
        /// The state is off.
        Off,
        /// The CX has no such command.
        Func,
        /// An operand is in error.
        Op,
        /// An error of the CX's own by its code, 0 if that cannot be read.
        Custom(u8),
        /// The command traps, one level higher.
        Trap,
    }

    impl Error {
        /// The value, if that is the answer.
        fn check<T>(value: T, answer: abi1::Answer, code: impl FnOnce() -> u8) -> Result<T, Error> {
            Err(match answer {
                abi1::Answer::Ok => return Ok(value),
                abi1::Answer::Cxu => Error::Cxu,
                abi1::Answer::State => Error::State,
                abi1::Answer::Off => Error::Off,
                abi1::Answer::Func => Error::Func,
                abi1::Answer::Op => Error::Op,
                abi1::Answer::Custom => Error::Custom(code()),
                abi1::Answer::Trap => Error::Trap,
            })
        }
    }

    impl ::core::fmt::Display for Error {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(match self {
                Error::Cxu => "no such CX is selected",
                Error::State => "the CX state is invalid",
                Error::Off => "the CX state is off",
                Error::Func => "the CX has no such command",
                Error::Op => "an operand is in error",
                Error::Custom(_) => "the CX raised an error of its own",
                Error::Trap => "the command traps",
            })
        }
    }

    impl ::core::error::Error for Error {}

    /// No CX either: a device of overloadable opcodes.
    pub trait Feeder {
        /// Command 0.
        #[must_use]
        fn feed(&self, a: u32, b: u32) -> u32;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_feed(&self, a: u32, b: u32) -> Result<u32, Error>;

        /// Command 1.
        #[must_use]
        fn stop(&self, a: i8, on: bool) -> i8;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_stop(&self, a: i8, on: bool) -> Result<i8, Error>;

        /// Command 2.
        #[must_use]
        fn read(&self) -> u32;

        /// Command 3.
        #[must_use]
        fn only(&self, b: i16) -> bool;

        /// Command 7.
        fn shut(&self, b: u32);
    }

    /// What the commands of `org.example.open:Feeder` do that the specification leaves open. Whoever builds a
    /// fallback supplies it.
    ///
    /// Operands are values of their types, and of results the low bits count.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not say what the open commands of `org.example.open:Feeder` do",
        label = "no bodies",
        note = "implement `Bodies` for a type, and give that type to `Soft` or `SoftCxu`"
    )]
    pub trait Bodies: 'static {
        /// Command 0.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn feed(a: u32, b: u32) -> Result<u32, Raised<u32>>;
    }

    /// What a body raises: an error, and a value for the result register beside it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Raised<T> {
        /// The error.
        pub error: Error,
        /// The value; without one it is 0.
        pub value: Option<T>,
    }

    impl<T> From<Error> for Raised<T> {
        fn from(error: Error) -> Self {
            Raised { error, value: None }
        }
    }

    impl Error {
        /// How the command of a body ends that raises this.
        fn answer(self) -> abi1::Answer {
            match self {
                Error::Cxu => abi1::Answer::Cxu,
                Error::State => abi1::Answer::State,
                Error::Off => abi1::Answer::Off,
                Error::Func => abi1::Answer::Func,
                Error::Op => abi1::Answer::Op,
                Error::Trap => abi1::Answer::Trap,
                Error::Custom(_) => abi1::Answer::Custom,
            }
        }
    }

    /// `org.example.open:Feeder` in software. Operands count by their low bits.
    pub struct Soft<B: Bodies>(::core::marker::PhantomData<fn() -> B>);

    impl<B: Bodies> Default for Soft<B> {
        fn default() -> Self {
            Soft(::core::marker::PhantomData)
        }
    }

    impl<B: Bodies> Clone for Soft<B> {
        fn clone(&self) -> Self {
            *self
        }
    }

    impl<B: Bodies> ::core::fmt::Debug for Soft<B> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.debug_struct("Soft").finish_non_exhaustive()
        }
    }

    impl<B: Bodies> Copy for Soft<B> {}

    impl<B: Bodies> Feeder for Soft<B> {
        #[inline]
        fn feed(&self, a: u32, b: u32) -> u32 {
            sw_feed::<B>(a, b).0
        }

        #[inline]
        fn try_feed(&self, a: u32, b: u32) -> Result<u32, Error> {
            let (value, answer) = sw_feed::<B>(a, b);
            Error::check(value, answer, || 0)
        }

        #[inline]
        fn stop(&self, a: i8, on: bool) -> i8 {
            sw_stop(a, on).0
        }

        #[inline]
        fn try_stop(&self, a: i8, on: bool) -> Result<i8, Error> {
            let (value, answer) = sw_stop(a, on);
            Error::check(value, answer, || 0)
        }

        #[inline]
        fn read(&self) -> u32 {
            sw_read()
        }

        #[inline]
        fn only(&self, b: i16) -> bool {
            sw_only(b)
        }

        #[inline]
        fn shut(&self, b: u32) {
            sw_shut(b);
        }
    }

    /// `stop` in software.
    #[inline]
    fn sw_stop(a: i8, on: bool) -> (i8, abi1::Answer) {
        let a: u32 = u32::from(a as u8);
        if on {
            return (0, abi1::Answer::Trap);
        }
        (a as i8, abi1::Answer::Ok)
    }

    /// `read` in software.
    #[inline]
    fn sw_read() -> u32 {
        7
    }

    /// `only` in software.
    #[inline]
    fn sw_only(b: i16) -> bool {
        let b: u32 = u32::from(b as u16);
        (b ^ 0x8000) < 0x8000
    }

    /// `shut` in software.
    #[inline]
    fn sw_shut(_b: u32) {}

    /// `feed` in software, as its body has it.
    #[inline]
    fn sw_feed<B: Bodies>(a: u32, b: u32) -> (u32, abi1::Answer) {
        match B::feed(a & 0xF_FFFF, b) {
            Ok(value) => (value, abi1::Answer::Ok),
            Err(raised) => (raised.value.unwrap_or(0), raised.error.answer()),
        }
    }

    impl<B: Bodies> cx::xext::Unit for Soft<B> {
        const XINTF: u64 = XINTF as u64;
        const CONTRACT: [u8; 32] = CONTRACT;

        fn xcmd(
            &mut self,
            command: u8,
            rs1: cx::Cookie,
            rs2: usize,
        ) -> Result<usize, cx::xext::Refused> {
            match command {
                0 => {
                    let (value, answer) = sw_feed::<B>(rs1.data() as u32, rs2 as u32);
                    abi1::answered(value as usize, answer)
                }
                1 => {
                    let (value, answer) = sw_stop(rs1.data() as i8, rs2 & 1 != 0);
                    abi1::answered(i32::from(value) as u32 as usize, answer)
                }
                2 => Ok(sw_read() as usize),
                3 => Ok(usize::from(sw_only(rs2 as i16))),
                7 => {
                    sw_shut(rs2 as u32);
                    Ok(0)
                }
                _ => Err(cx::xext::Refused::Configuration),
            }
        }
    }

    /// A device that implements `org.example.open:Feeder`: each command is one instruction on a hart, and elsewhere a
    /// call. What a command raises is lost, so `try_` says that it was done; one to a device that is not
    /// there traps, or gives what the lookup says.
    #[derive(Clone, Copy, Debug)]
    pub struct Device<X> {
        /// The processor that sends commands to it.
        pub xcmds: X,
        /// Its lun, and data for a command without an operand in their place.
        pub cookie: cx::Cookie,
    }

    /// The device of this number, of which 12 bits count; the default one is 0. If there is none,
    /// commands trap.
    #[inline]
    #[must_use]
    pub fn xext<X: cx::Xcmd>(xcmds: X, device: u16) -> Device<X> {
        let id = (XINTF << 12) as usize | usize::from(device & 0xFFF);
        let cookie = abi1::xext::<X, 32>(&xcmds, id);
        Device { xcmds, cookie }
    }

    /// The device of this number, of which 12 bits count; the default one is 0. If there is none,
    /// commands give 0.
    #[inline]
    #[must_use]
    pub fn xext0<X: cx::Xcmd>(xcmds: X, device: u16) -> Device<X> {
        let id = (XINTF << 12) as usize | usize::from(device & 0xFFF);
        let cookie = abi1::xext0::<X, 32>(&xcmds, id);
        Device { xcmds, cookie }
    }

    /// The device of this number, of which 12 bits count; the default one is 0. If there is none,
    /// commands give -1.
    #[inline]
    #[must_use]
    pub fn xextm1<X: cx::Xcmd>(xcmds: X, device: u16) -> Device<X> {
        let id = (XINTF << 12) as usize | usize::from(device & 0xFFF);
        let cookie = abi1::xextm1::<X, 32>(&xcmds, id);
        Device { xcmds, cookie }
    }

    impl<X: cx::Xcmd> Feeder for Device<X> {
        #[inline]
        fn feed(&self, a: u32, b: u32) -> u32 {
            abi1::xcmd::<X, 32, 0>(
                &self.xcmds,
                abi1::with_data::<32>(self.cookie, a as usize),
                Some(b as usize),
            ) as u32
        }

        #[inline]
        fn try_feed(&self, a: u32, b: u32) -> Result<u32, Error> {
            Ok(self.feed(a, b))
        }

        #[inline]
        fn stop(&self, a: i8, on: bool) -> i8 {
            abi1::xcmd::<X, 32, 1>(
                &self.xcmds,
                abi1::with_data::<32>(self.cookie, i32::from(a) as u32 as usize),
                Some(usize::from(on)),
            ) as i8
        }

        #[inline]
        fn try_stop(&self, a: i8, on: bool) -> Result<i8, Error> {
            Ok(self.stop(a, on))
        }

        #[inline]
        fn read(&self) -> u32 {
            abi1::xcmd::<X, 32, 2>(&self.xcmds, self.cookie.bits(), None) as u32
        }

        #[inline]
        fn only(&self, b: i16) -> bool {
            abi1::xcmd::<X, 32, 3>(
                &self.xcmds,
                self.cookie.bits(),
                Some(i32::from(b) as u32 as usize),
            ) & 1
                != 0
        }

        #[inline]
        fn shut(&self, b: u32) {
            let _ =
                abi1::silent_xcmd::<X, 32, 7>(&self.xcmds, self.cookie.bits(), Some(b as usize));
        }
    }
}

/// `org.example.open:Feeder` where a register has 64 bits.
// A program seldom uses all of it, and decides itself who sees it.
#[allow(dead_code, unreachable_pub)]
// A value that only a branch that is gone would read.
#[allow(unused_assignments)]
// Words are patterns.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss
)]
// Arithmetic and branches as they were lowered.
#[allow(
    clippy::manual_checked_ops,
    clippy::manual_is_multiple_of,
    clippy::verbose_bit_mask
)]
#[allow(clippy::if_not_else, clippy::needless_late_init)]
// Names, sizes and arms as the specification has them.
#[allow(
    clippy::match_same_arms,
    clippy::many_single_char_names,
    clippy::similar_names
)]
#[allow(clippy::upper_case_acronyms)]
#[allow(clippy::too_many_lines, clippy::trivially_copy_pass_by_ref)]
// Documentation is the specification's.
#[allow(clippy::doc_markdown, clippy::doc_lazy_continuation, rustdoc::all)]
pub mod xlen64 {
    use super::cx;
    use super::cx::abi1;

    /// Bits in a register.
    pub const XLEN: u32 = 64;
    /// The overloadable-opcode id, 20 bits.
    pub const XINTF: u32 = 0x8_7654;
    /// The overloadable-opcode id of RV64, 52 bits.
    pub const XINTF52: u64 = 0xF_FFFF_FFF8_7654;

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0xBC, 0x20, 0x4C, 0x17, 0x72, 0x76, 0xD3, 0x0B, 0x1A, 0xB6, 0x7D, 0xEF,
        0x21, 0x94, 0x7B, 0x7D, 0x52, 0xAC, 0xDE, 0xC9, 0xA1, 0x14, 0xE3, 0x81,
        0x6D, 0xCB, 0xA3, 0x27, 0x2C, 0x28, 0x6B, 0x6A,
    ];

    /// Function ids.
    pub mod id {
        /// `feed`
        pub const FEED: u32 = 0;
        /// `stop`
        pub const STOP: u32 = 1;
        /// `read`
        pub const READ: u32 = 2;
        /// `only`
        pub const ONLY: u32 = 3;
        /// `shut`
        pub const SHUT: u32 = 7;
    }

    /// Why a command of [`Feeder`] was not done.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Error {
        /// No such CX is selected.
        Cxu,
        /// The state is invalid.
        State,
        /// The state is off.
        Off,
        /// The CX has no such command.
        Func,
        /// An operand is in error.
        Op,
        /// An error of the CX's own by its code, 0 if that cannot be read.
        Custom(u8),
        /// The command traps, one level higher.
        Trap,
    }

    impl Error {
        /// The value, if that is the answer.
        fn check<T>(value: T, answer: abi1::Answer, code: impl FnOnce() -> u8) -> Result<T, Error> {
            Err(match answer {
                abi1::Answer::Ok => return Ok(value),
                abi1::Answer::Cxu => Error::Cxu,
                abi1::Answer::State => Error::State,
                abi1::Answer::Off => Error::Off,
                abi1::Answer::Func => Error::Func,
                abi1::Answer::Op => Error::Op,
                abi1::Answer::Custom => Error::Custom(code()),
                abi1::Answer::Trap => Error::Trap,
            })
        }
    }

    impl ::core::fmt::Display for Error {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(match self {
                Error::Cxu => "no such CX is selected",
                Error::State => "the CX state is invalid",
                Error::Off => "the CX state is off",
                Error::Func => "the CX has no such command",
                Error::Op => "an operand is in error",
                Error::Custom(_) => "the CX raised an error of its own",
                Error::Trap => "the command traps",
            })
        }
    }

    impl ::core::error::Error for Error {}

    /// No CX either: a device of overloadable opcodes.
    pub trait Feeder {
        /// Command 0.
        #[must_use]
        fn feed(&self, a: u64, b: u64) -> u64;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_feed(&self, a: u64, b: u64) -> Result<u64, Error>;

        /// Command 1.
        #[must_use]
        fn stop(&self, a: i8, on: bool) -> i8;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_stop(&self, a: i8, on: bool) -> Result<i8, Error>;

        /// Command 2.
        #[must_use]
        fn read(&self) -> u64;

        /// Command 3.
        #[must_use]
        fn only(&self, b: i16) -> bool;

        /// Command 7.
        fn shut(&self, b: u64);
    }

    /// What the commands of `org.example.open:Feeder` do that the specification leaves open. Whoever builds a
    /// fallback supplies it.
    ///
    /// Operands are values of their types, and of results the low bits count.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not say what the open commands of `org.example.open:Feeder` do",
        label = "no bodies",
        note = "implement `Bodies` for a type, and give that type to `Soft` or `SoftCxu`"
    )]
    pub trait Bodies: 'static {
        /// Command 0.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn feed(a: u64, b: u64) -> Result<u64, Raised<u64>>;
    }

    /// What a body raises: an error, and a value for the result register beside it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Raised<T> {
        /// The error.
        pub error: Error,
        /// The value; without one it is 0.
        pub value: Option<T>,
    }

    impl<T> From<Error> for Raised<T> {
        fn from(error: Error) -> Self {
            Raised { error, value: None }
        }
    }

    impl Error {
        /// How the command of a body ends that raises this.
        fn answer(self) -> abi1::Answer {
            match self {
                Error::Cxu => abi1::Answer::Cxu,
                Error::State => abi1::Answer::State,
                Error::Off => abi1::Answer::Off,
                Error::Func => abi1::Answer::Func,
                Error::Op => abi1::Answer::Op,
                Error::Trap => abi1::Answer::Trap,
                Error::Custom(_) => abi1::Answer::Custom,
            }
        }
    }

    /// `org.example.open:Feeder` in software. Operands count by their low bits.
    pub struct Soft<B: Bodies>(::core::marker::PhantomData<fn() -> B>);

    impl<B: Bodies> Default for Soft<B> {
        fn default() -> Self {
            Soft(::core::marker::PhantomData)
        }
    }

    impl<B: Bodies> Clone for Soft<B> {
        fn clone(&self) -> Self {
            *self
        }
    }

    impl<B: Bodies> ::core::fmt::Debug for Soft<B> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.debug_struct("Soft").finish_non_exhaustive()
        }
    }

    impl<B: Bodies> Copy for Soft<B> {}

    impl<B: Bodies> Feeder for Soft<B> {
        #[inline]
        fn feed(&self, a: u64, b: u64) -> u64 {
            sw_feed::<B>(a, b).0
        }

        #[inline]
        fn try_feed(&self, a: u64, b: u64) -> Result<u64, Error> {
            let (value, answer) = sw_feed::<B>(a, b);
            Error::check(value, answer, || 0)
        }

        #[inline]
        fn stop(&self, a: i8, on: bool) -> i8 {
            sw_stop(a, on).0
        }

        #[inline]
        fn try_stop(&self, a: i8, on: bool) -> Result<i8, Error> {
            let (value, answer) = sw_stop(a, on);
            Error::check(value, answer, || 0)
        }

        #[inline]
        fn read(&self) -> u64 {
            sw_read()
        }

        #[inline]
        fn only(&self, b: i16) -> bool {
            sw_only(b)
        }

        #[inline]
        fn shut(&self, b: u64) {
            sw_shut(b);
        }
    }

    /// `stop` in software.
    #[inline]
    fn sw_stop(a: i8, on: bool) -> (i8, abi1::Answer) {
        let a: u32 = u32::from(a as u8);
        if on {
            return (0, abi1::Answer::Trap);
        }
        (a as i8, abi1::Answer::Ok)
    }

    /// `read` in software.
    #[inline]
    fn sw_read() -> u64 {
        7
    }

    /// `only` in software.
    #[inline]
    fn sw_only(b: i16) -> bool {
        let b: u32 = u32::from(b as u16);
        (b ^ 0x8000) < 0x8000
    }

    /// `shut` in software.
    #[inline]
    fn sw_shut(_b: u64) {}

    /// `feed` in software, as its body has it.
    #[inline]
    fn sw_feed<B: Bodies>(a: u64, b: u64) -> (u64, abi1::Answer) {
        match B::feed(a & 0xF_FFFF_FFFF_FFFF, b) {
            Ok(value) => (value, abi1::Answer::Ok),
            Err(raised) => (raised.value.unwrap_or(0), raised.error.answer()),
        }
    }

    impl<B: Bodies> cx::xext::Unit for Soft<B> {
        const XINTF: u64 = XINTF52;
        const CONTRACT: [u8; 32] = CONTRACT;

        fn xcmd(
            &mut self,
            command: u8,
            rs1: cx::Cookie,
            rs2: usize,
        ) -> Result<usize, cx::xext::Refused> {
            match command {
                0 => {
                    let (value, answer) = sw_feed::<B>(rs1.data() as u64, rs2 as u64);
                    abi1::answered(value as usize, answer)
                }
                1 => {
                    let (value, answer) = sw_stop(rs1.data() as i8, rs2 & 1 != 0);
                    abi1::answered(i64::from(value) as u64 as usize, answer)
                }
                2 => Ok(sw_read() as usize),
                3 => Ok(usize::from(sw_only(rs2 as i16))),
                7 => {
                    sw_shut(rs2 as u64);
                    Ok(0)
                }
                _ => Err(cx::xext::Refused::Configuration),
            }
        }
    }

    /// A device that implements `org.example.open:Feeder`: each command is one instruction on a hart, and elsewhere a
    /// call. What a command raises is lost, so `try_` says that it was done; one to a device that is not
    /// there traps, or gives what the lookup says.
    #[derive(Clone, Copy, Debug)]
    pub struct Device<X> {
        /// The processor that sends commands to it.
        pub xcmds: X,
        /// Its lun, and data for a command without an operand in their place.
        pub cookie: cx::Cookie,
    }

    /// The device of this number, of which 12 bits count; the default one is 0. If there is none,
    /// commands trap.
    #[inline]
    #[must_use]
    pub fn xext<X: cx::Xcmd>(xcmds: X, device: u16) -> Device<X> {
        let id = (XINTF52 << 12) as usize | usize::from(device & 0xFFF);
        let cookie = abi1::xext::<X, 64>(&xcmds, id);
        Device { xcmds, cookie }
    }

    /// The device of this number, of which 12 bits count; the default one is 0. If there is none,
    /// commands give 0.
    #[inline]
    #[must_use]
    pub fn xext0<X: cx::Xcmd>(xcmds: X, device: u16) -> Device<X> {
        let id = (XINTF52 << 12) as usize | usize::from(device & 0xFFF);
        let cookie = abi1::xext0::<X, 64>(&xcmds, id);
        Device { xcmds, cookie }
    }

    /// The device of this number, of which 12 bits count; the default one is 0. If there is none,
    /// commands give -1.
    #[inline]
    #[must_use]
    pub fn xextm1<X: cx::Xcmd>(xcmds: X, device: u16) -> Device<X> {
        let id = (XINTF52 << 12) as usize | usize::from(device & 0xFFF);
        let cookie = abi1::xextm1::<X, 64>(&xcmds, id);
        Device { xcmds, cookie }
    }

    impl<X: cx::Xcmd> Feeder for Device<X> {
        #[inline]
        fn feed(&self, a: u64, b: u64) -> u64 {
            abi1::xcmd::<X, 64, 0>(
                &self.xcmds,
                abi1::with_data::<64>(self.cookie, a as usize),
                Some(b as usize),
            ) as u64
        }

        #[inline]
        fn try_feed(&self, a: u64, b: u64) -> Result<u64, Error> {
            Ok(self.feed(a, b))
        }

        #[inline]
        fn stop(&self, a: i8, on: bool) -> i8 {
            abi1::xcmd::<X, 64, 1>(
                &self.xcmds,
                abi1::with_data::<64>(self.cookie, i64::from(a) as u64 as usize),
                Some(usize::from(on)),
            ) as i8
        }

        #[inline]
        fn try_stop(&self, a: i8, on: bool) -> Result<i8, Error> {
            Ok(self.stop(a, on))
        }

        #[inline]
        fn read(&self) -> u64 {
            abi1::xcmd::<X, 64, 2>(&self.xcmds, self.cookie.bits(), None) as u64
        }

        #[inline]
        fn only(&self, b: i16) -> bool {
            abi1::xcmd::<X, 64, 3>(
                &self.xcmds,
                self.cookie.bits(),
                Some(i64::from(b) as u64 as usize),
            ) & 1
                != 0
        }

        #[inline]
        fn shut(&self, b: u64) {
            let _ =
                abi1::silent_xcmd::<X, 64, 7>(&self.xcmds, self.cookie.bits(), Some(b as usize));
        }
    }
}
