// either.rs
// Generated from org.example.open:Either by cxc; do not edit.
//
// A module of a crate that depends on lapis-cx-core: `#[path = "either.rs"] mod either;`, or `include!` inside a `mod`.

const _: () = assert!(
    ::lapis_cx_core::ABI_VERSION == 2,
    "either.rs was generated for CX ABI 2: regenerate it with the cxc of this lapis-cx-core"
);

#[allow(unused_imports)]
pub use self::chosen::*;

#[allow(unexpected_cfgs, unused_imports)]
mod chosen {
    #[cfg(any(cx_xlen = "32", all(target_pointer_width = "32", not(cx_xlen = "64"))))]
    pub use super::xlen32::*;
    #[cfg(not(any(cx_xlen = "32", all(target_pointer_width = "32", not(cx_xlen = "64")))))]
    pub use super::xlen64::*;
}

/// `org.example.open:Either` where a register has 32 bits.
#[allow(dead_code, unreachable_pub)] // a program seldom uses all of it, and decides itself who sees it
#[allow(unused_assignments)] // a value that only a branch that is gone would read
#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)] // words are patterns
#[allow(clippy::manual_checked_ops, clippy::manual_is_multiple_of, clippy::verbose_bit_mask)] // arithmetic as it was lowered
#[allow(clippy::if_not_else, clippy::needless_late_init)] // branches as they were lowered
#[allow(clippy::match_same_arms, clippy::many_single_char_names, clippy::similar_names)] // as the specification has it
#[allow(clippy::too_many_lines, clippy::trivially_copy_pass_by_ref)] // as large or small as the specification's
#[allow(clippy::doc_markdown, clippy::doc_lazy_continuation, rustdoc::all)] // documentation is the specification's
pub mod xlen32 {
    use ::lapis_cx_core as cx;
    use ::lapis_cx_core::abi1;

    /// Bits in a register.
    pub const XLEN: u32 = 32;

    /// The UUID, aa0f7d0e-00ff-4000-8000-0000000000c4.
    pub const UUID: cx::Uuid = cx::Uuid::from_u128(0xAA0F_7D0E_00FF_4000_8000_0000_0000_00C4);

    /// The overloadable-opcode id, 20 bits.
    pub const XINTF: u32 = 0x1_2345;

    /// The overloadable-opcode id of RV64, 52 bits.
    pub const XINTF52: u64 = 0x0_0000_0001_2345;

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0x7F, 0xE8, 0xDA, 0xD2, 0xEE, 0x98, 0x8D, 0x39, 0x41, 0x61, 0xE5, 0x84, 0xAD, 0xFE, 0x6A, 0x6B,
        0xFD, 0x71, 0x9D, 0x98, 0x6F, 0x85, 0x11, 0x35, 0xA1, 0xCA, 0x06, 0x52, 0xC8, 0x33, 0x45, 0x44,
    ];

    /// Function ids.
    pub mod id {
        /// `add`
        pub const ADD: u32 = 0;
        /// `fail`
        pub const FAIL: u32 = 1;
    }

    /// Why a command of [`Either`] was not done.
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

    /// All of it either way.
    pub trait Either {
        /// Command 0.
        #[must_use]
        fn add(&self, a: i8, b: i8) -> i16;

        /// Command 0.
        ///
        /// `B` is a value of 8 bits.
        #[must_use]
        fn add_i<const B: i8>(&self, a: i8) -> i16;

        /// Command 1.
        #[must_use]
        fn fail(&self, a: u32) -> u32;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_fail(&self, a: u32) -> Result<u32, Error>;
    }

    /// `org.example.open:Either` in software. Operands count by their low bits.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Soft;

    impl Either for Soft {
        #[inline]
        fn add(&self, a: i8, b: i8) -> i16 {
            sw_add(a, b)
        }

        #[inline]
        fn add_i<const B: i8>(&self, a: i8) -> i16 {
            abi1::check12::<abi1::I8<B>, 8>();
            sw_add(a, B)
        }

        #[inline]
        fn fail(&self, a: u32) -> u32 {
            sw_fail(a).0
        }

        #[inline]
        fn try_fail(&self, a: u32) -> Result<u32, Error> {
            let (value, answer) = sw_fail(a);
            Error::check(value, answer, || 0)
        }
    }

    /// The fallback as a runtime registers it.
    #[derive(Clone, Copy, Debug)]
    pub struct SoftCxu;

    impl cx::RustCxu for SoftCxu {
        type State = ();
        type Word = u32;
        const UUID: cx::Uuid = UUID;
        const NAME: &'static ::core::ffi::CStr = c"org.example.open:Either";
        const SHARING: cx::Sharing = cx::Sharing::Stateless;
        const CONTRACT: [u8; 32] = CONTRACT;
        const FLAGS: u32 = 0;
        const STATE_WORDS: u32 = 0;
        const RESET: () = ();

        fn issue((): &mut (), function: u32, rs1: usize, rs2: usize) -> cx::Reply {
            let (value, response) = match function {
                0 => (i32::from(sw_add(rs1 as i8, rs2 as i8)) as u32 as usize, cx::Response::Ok),
                1 => {
                    let (value, answer) = sw_fail(rs1 as u32);
                    (value as usize, answer.response())
                }
                _ => (0, cx::Response::Func),
            };
            cx::Reply { value, response }
        }

        fn save((): &(), _words: &mut [Self::Word]) {}

        fn restore((): &mut (), _words: &[Self::Word]) {}
    }

    /// `add` in software.
    #[inline]
    fn sw_add(a: i8, b: i8) -> i16 {
        let a: u32 = u32::from(a as u8);
        let b: u32 = u32::from(b as u8);
        (((a as i8 as u32).wrapping_add(b as i8 as u32) & 0x1FF) ^ 0x100).wrapping_sub(0x100) as i16
    }

    /// `fail` in software.
    #[inline]
    fn sw_fail(a: u32) -> (u32, abi1::Answer) {
        let a: u32 = a & 0xF_FFFF;
        if a == 0 {
            return (3, abi1::Answer::Op);
        }
        (a, abi1::Answer::Ok)
    }

    /// `org.example.open:Either`, selected: each command is one instruction on a hart, and elsewhere a call. The selection before comes back
    /// when this is dropped.
    #[derive(Debug)]
    #[must_use = "the selection before comes back when this is dropped"]
    pub struct Selected<G>(G);

    impl<G: cx::Issue> Selected<G> {
        /// Takes the guard of a selection of [`UUID`].
        #[inline]
        pub fn new(guard: G) -> Self {
            abi1::check_xlen::<G, 32>();
            Selected(guard)
        }
    }

    impl<G: cx::Issue> Either for Selected<G> {
        #[inline]
        fn add(&self, a: i8, b: i8) -> i16 {
            abi1::pure_value::<G, 0>(&self.0, Some(i32::from(a) as u32 as usize), Some(i32::from(b) as u32 as usize)) as i16
        }

        #[inline]
        fn add_i<const B: i8>(&self, a: i8) -> i16 {
            abi1::check12::<abi1::I8<B>, 8>();
            abi1::pure_immediate::<G, 0, abi1::I8<B>>(&self.0, Some(i32::from(a) as u32 as usize)) as i16
        }

        #[inline]
        fn fail(&self, a: u32) -> u32 {
            abi1::pure_value::<G, 1>(&self.0, Some(a as usize), None) as u32
        }

        #[inline]
        fn try_fail(&self, a: u32) -> Result<u32, Error> {
            let reply = abi1::try_value::<G, 1>(&self.0, Some(a as usize), None);
            Error::check(reply.value as u32, reply.response.into(), || 0)
        }
    }

    /// A device that implements `org.example.open:Either`: each command is one instruction on a hart, and elsewhere a call. What a command
    /// raises is lost, so `try_` says that it was done; one to a device that is not there traps, or gives what the lookup says.
    #[derive(Clone, Copy, Debug)]
    pub struct Device<X> {
        /// The processor that sends commands to it.
        pub xcmds: X,
        /// Its lun, and data for a command without an operand in their place.
        pub cookie: cx::Cookie,
    }

    /// The device of this number, of which 12 bits count; the default one is 0. If there is none, commands trap.
    #[inline]
    #[must_use]
    pub fn xext<X: cx::Xcmd>(xcmds: X, device: u16) -> Device<X> {
        let cookie = abi1::xext::<X, 32>(&xcmds, (XINTF << 12) as usize | usize::from(device & 0xFFF));
        Device { xcmds, cookie }
    }

    /// The device of this number, of which 12 bits count; the default one is 0. If there is none, commands give 0.
    #[inline]
    #[must_use]
    pub fn xext0<X: cx::Xcmd>(xcmds: X, device: u16) -> Device<X> {
        let cookie = abi1::xext0::<X, 32>(&xcmds, (XINTF << 12) as usize | usize::from(device & 0xFFF));
        Device { xcmds, cookie }
    }

    /// The device of this number, of which 12 bits count; the default one is 0. If there is none, commands give -1.
    #[inline]
    #[must_use]
    pub fn xextm1<X: cx::Xcmd>(xcmds: X, device: u16) -> Device<X> {
        let cookie = abi1::xextm1::<X, 32>(&xcmds, (XINTF << 12) as usize | usize::from(device & 0xFFF));
        Device { xcmds, cookie }
    }

    impl<X: cx::Xcmd> Either for Device<X> {
        #[inline]
        fn add(&self, a: i8, b: i8) -> i16 {
            abi1::xcmd::<X, 32, 0>(&self.xcmds, abi1::with_data::<32>(self.cookie, i32::from(a) as u32 as usize), Some(i32::from(b) as u32 as usize)) as i16
        }

        #[inline]
        fn add_i<const B: i8>(&self, a: i8) -> i16 {
            abi1::check12::<abi1::I8<B>, 8>();
            abi1::xcmd::<X, 32, 0>(&self.xcmds, abi1::with_data::<32>(self.cookie, i32::from(a) as u32 as usize), Some(i32::from(B) as u32 as usize)) as i16
        }

        #[inline]
        fn fail(&self, a: u32) -> u32 {
            abi1::xcmd::<X, 32, 1>(&self.xcmds, abi1::with_data::<32>(self.cookie, a as usize), None) as u32
        }

        #[inline]
        fn try_fail(&self, a: u32) -> Result<u32, Error> {
            Ok(self.fail(a))
        }
    }
}

/// `org.example.open:Either` where a register has 64 bits.
#[allow(dead_code, unreachable_pub)] // a program seldom uses all of it, and decides itself who sees it
#[allow(unused_assignments)] // a value that only a branch that is gone would read
#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)] // words are patterns
#[allow(clippy::manual_checked_ops, clippy::manual_is_multiple_of, clippy::verbose_bit_mask)] // arithmetic as it was lowered
#[allow(clippy::if_not_else, clippy::needless_late_init)] // branches as they were lowered
#[allow(clippy::match_same_arms, clippy::many_single_char_names, clippy::similar_names)] // as the specification has it
#[allow(clippy::too_many_lines, clippy::trivially_copy_pass_by_ref)] // as large or small as the specification's
#[allow(clippy::doc_markdown, clippy::doc_lazy_continuation, rustdoc::all)] // documentation is the specification's
pub mod xlen64 {
    use ::lapis_cx_core as cx;
    use ::lapis_cx_core::abi1;

    /// Bits in a register.
    pub const XLEN: u32 = 64;

    /// The UUID, aa0f7d0e-00ff-4000-8000-0000000000c4.
    pub const UUID: cx::Uuid = cx::Uuid::from_u128(0xAA0F_7D0E_00FF_4000_8000_0000_0000_00C4);

    /// The overloadable-opcode id, 20 bits.
    pub const XINTF: u32 = 0x1_2345;

    /// The overloadable-opcode id of RV64, 52 bits.
    pub const XINTF52: u64 = 0x0_0000_0001_2345;

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0x7F, 0xE8, 0xDA, 0xD2, 0xEE, 0x98, 0x8D, 0x39, 0x41, 0x61, 0xE5, 0x84, 0xAD, 0xFE, 0x6A, 0x6B,
        0xFD, 0x71, 0x9D, 0x98, 0x6F, 0x85, 0x11, 0x35, 0xA1, 0xCA, 0x06, 0x52, 0xC8, 0x33, 0x45, 0x44,
    ];

    /// Function ids.
    pub mod id {
        /// `add`
        pub const ADD: u32 = 0;
        /// `fail`
        pub const FAIL: u32 = 1;
    }

    /// Why a command of [`Either`] was not done.
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

    /// All of it either way.
    pub trait Either {
        /// Command 0.
        #[must_use]
        fn add(&self, a: i8, b: i8) -> i16;

        /// Command 0.
        ///
        /// `B` is a value of 8 bits.
        #[must_use]
        fn add_i<const B: i8>(&self, a: i8) -> i16;

        /// Command 1.
        #[must_use]
        fn fail(&self, a: u64) -> u64;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_fail(&self, a: u64) -> Result<u64, Error>;
    }

    /// `org.example.open:Either` in software. Operands count by their low bits.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Soft;

    impl Either for Soft {
        #[inline]
        fn add(&self, a: i8, b: i8) -> i16 {
            sw_add(a, b)
        }

        #[inline]
        fn add_i<const B: i8>(&self, a: i8) -> i16 {
            abi1::check12::<abi1::I8<B>, 8>();
            sw_add(a, B)
        }

        #[inline]
        fn fail(&self, a: u64) -> u64 {
            sw_fail(a).0
        }

        #[inline]
        fn try_fail(&self, a: u64) -> Result<u64, Error> {
            let (value, answer) = sw_fail(a);
            Error::check(value, answer, || 0)
        }
    }

    /// The fallback as a runtime registers it.
    #[derive(Clone, Copy, Debug)]
    pub struct SoftCxu;

    impl cx::RustCxu for SoftCxu {
        type State = ();
        type Word = u64;
        const UUID: cx::Uuid = UUID;
        const NAME: &'static ::core::ffi::CStr = c"org.example.open:Either";
        const SHARING: cx::Sharing = cx::Sharing::Stateless;
        const CONTRACT: [u8; 32] = CONTRACT;
        const FLAGS: u32 = 0;
        const STATE_WORDS: u32 = 0;
        const RESET: () = ();

        fn issue((): &mut (), function: u32, rs1: usize, rs2: usize) -> cx::Reply {
            let (value, response) = match function {
                0 => (i64::from(sw_add(rs1 as i8, rs2 as i8)) as u64 as usize, cx::Response::Ok),
                1 => {
                    let (value, answer) = sw_fail(rs1 as u64);
                    (value as usize, answer.response())
                }
                _ => (0, cx::Response::Func),
            };
            cx::Reply { value, response }
        }

        fn save((): &(), _words: &mut [Self::Word]) {}

        fn restore((): &mut (), _words: &[Self::Word]) {}
    }

    /// `add` in software.
    #[inline]
    fn sw_add(a: i8, b: i8) -> i16 {
        let a: u32 = u32::from(a as u8);
        let b: u32 = u32::from(b as u8);
        (((a as i8 as u32).wrapping_add(b as i8 as u32) & 0x1FF) ^ 0x100).wrapping_sub(0x100) as i16
    }

    /// `fail` in software.
    #[inline]
    fn sw_fail(a: u64) -> (u64, abi1::Answer) {
        let a: u64 = a & 0xF_FFFF_FFFF_FFFF;
        if a == 0 {
            return (3, abi1::Answer::Op);
        }
        (a, abi1::Answer::Ok)
    }

    /// `org.example.open:Either`, selected: each command is one instruction on a hart, and elsewhere a call. The selection before comes back
    /// when this is dropped.
    #[derive(Debug)]
    #[must_use = "the selection before comes back when this is dropped"]
    pub struct Selected<G>(G);

    impl<G: cx::Issue> Selected<G> {
        /// Takes the guard of a selection of [`UUID`].
        #[inline]
        pub fn new(guard: G) -> Self {
            abi1::check_xlen::<G, 64>();
            Selected(guard)
        }
    }

    impl<G: cx::Issue> Either for Selected<G> {
        #[inline]
        fn add(&self, a: i8, b: i8) -> i16 {
            abi1::pure_value::<G, 0>(&self.0, Some(i64::from(a) as u64 as usize), Some(i64::from(b) as u64 as usize)) as i16
        }

        #[inline]
        fn add_i<const B: i8>(&self, a: i8) -> i16 {
            abi1::check12::<abi1::I8<B>, 8>();
            abi1::pure_immediate::<G, 0, abi1::I8<B>>(&self.0, Some(i64::from(a) as u64 as usize)) as i16
        }

        #[inline]
        fn fail(&self, a: u64) -> u64 {
            abi1::pure_value::<G, 1>(&self.0, Some(a as usize), None) as u64
        }

        #[inline]
        fn try_fail(&self, a: u64) -> Result<u64, Error> {
            let reply = abi1::try_value::<G, 1>(&self.0, Some(a as usize), None);
            Error::check(reply.value as u64, reply.response.into(), || 0)
        }
    }

    /// A device that implements `org.example.open:Either`: each command is one instruction on a hart, and elsewhere a call. What a command
    /// raises is lost, so `try_` says that it was done; one to a device that is not there traps, or gives what the lookup says.
    #[derive(Clone, Copy, Debug)]
    pub struct Device<X> {
        /// The processor that sends commands to it.
        pub xcmds: X,
        /// Its lun, and data for a command without an operand in their place.
        pub cookie: cx::Cookie,
    }

    /// The device of this number, of which 12 bits count; the default one is 0. If there is none, commands trap.
    #[inline]
    #[must_use]
    pub fn xext<X: cx::Xcmd>(xcmds: X, device: u16) -> Device<X> {
        let cookie = abi1::xext::<X, 64>(&xcmds, (XINTF52 << 12) as usize | usize::from(device & 0xFFF));
        Device { xcmds, cookie }
    }

    /// The device of this number, of which 12 bits count; the default one is 0. If there is none, commands give 0.
    #[inline]
    #[must_use]
    pub fn xext0<X: cx::Xcmd>(xcmds: X, device: u16) -> Device<X> {
        let cookie = abi1::xext0::<X, 64>(&xcmds, (XINTF52 << 12) as usize | usize::from(device & 0xFFF));
        Device { xcmds, cookie }
    }

    /// The device of this number, of which 12 bits count; the default one is 0. If there is none, commands give -1.
    #[inline]
    #[must_use]
    pub fn xextm1<X: cx::Xcmd>(xcmds: X, device: u16) -> Device<X> {
        let cookie = abi1::xextm1::<X, 64>(&xcmds, (XINTF52 << 12) as usize | usize::from(device & 0xFFF));
        Device { xcmds, cookie }
    }

    impl<X: cx::Xcmd> Either for Device<X> {
        #[inline]
        fn add(&self, a: i8, b: i8) -> i16 {
            abi1::xcmd::<X, 64, 0>(&self.xcmds, abi1::with_data::<64>(self.cookie, i64::from(a) as u64 as usize), Some(i64::from(b) as u64 as usize)) as i16
        }

        #[inline]
        fn add_i<const B: i8>(&self, a: i8) -> i16 {
            abi1::check12::<abi1::I8<B>, 8>();
            abi1::xcmd::<X, 64, 0>(&self.xcmds, abi1::with_data::<64>(self.cookie, i64::from(a) as u64 as usize), Some(i64::from(B) as u64 as usize)) as i16
        }

        #[inline]
        fn fail(&self, a: u64) -> u64 {
            abi1::xcmd::<X, 64, 1>(&self.xcmds, abi1::with_data::<64>(self.cookie, a as usize), None) as u64
        }

        #[inline]
        fn try_fail(&self, a: u64) -> Result<u64, Error> {
            Ok(self.fail(a))
        }
    }
}
