// plain.rs
// Generated from org.example.open:Plain by cxc; do not edit.
//
// A module of a crate that depends on lapis-cx-core: `#[path = "plain.rs"] mod plain;`, or `include!` inside a `mod`.

const _: () = assert!(
    ::lapis_cx_core::ABI_VERSION == 2,
    "plain.rs was generated for CX ABI 2: regenerate it with the cxc of this lapis-cx-core"
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

/// `org.example.open:Plain` where a register has 32 bits.
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

    /// The UUID, aa0f7d0e-00ff-4000-8000-0000000000c2.
    pub const UUID: cx::Uuid = cx::Uuid::from_u128(0xAA0F_7D0E_00FF_4000_8000_0000_0000_00C2);

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0xDA, 0x45, 0x00, 0x42, 0x30, 0xBD, 0x29, 0xBF, 0x27, 0x5B, 0x07, 0x12, 0x76, 0x49, 0xC9, 0xE2,
        0x61, 0x07, 0x55, 0xFF, 0x78, 0xEE, 0x52, 0x44, 0xB5, 0xAA, 0x39, 0xB7, 0xB2, 0x93, 0xCA, 0xE5,
    ];

    /// Function ids.
    pub mod id {
        /// `half`
        pub const HALF: u32 = 0;
        /// `known`
        pub const KNOWN: u32 = 1;
        /// `silent`
        pub const SILENT: u32 = 2;
    }

    /// Why a command of [`Plain`] was not done.
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

    /// Without state.
    pub trait Plain {
        /// Command 0.
        #[must_use]
        fn half(&self, a: u8, b: u32) -> u8;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_half(&self, a: u8, b: u32) -> Result<u8, Error>;

        /// Command 1.
        #[must_use]
        fn known(&self, a: u32) -> u32;

        /// Command 2.
        fn silent(&self, a: u32);

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_silent(&self, a: u32) -> Result<(), Error>;
    }

    /// What the commands of `org.example.open:Plain` do that the specification leaves open. Whoever builds a fallback supplies it.
    ///
    /// Operands are values of their types, and of results the low bits count.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not say what the open commands of `org.example.open:Plain` do",
        label = "no bodies",
        note = "implement `Bodies` for a type, and give that type to `Soft` or `SoftCxu`"
    )]
    pub trait Bodies: 'static {
        /// Command 0.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn half(a: u8, b: u32) -> Result<u8, Raised<u8>>;

        /// Command 2.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn silent(a: u32) -> Result<(), Error>;
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

    /// `org.example.open:Plain` in software. Operands count by their low bits.
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

    impl<B: Bodies> Plain for Soft<B> {
        #[inline]
        fn half(&self, a: u8, b: u32) -> u8 {
            sw_half::<B>(a, b).0
        }

        #[inline]
        fn try_half(&self, a: u8, b: u32) -> Result<u8, Error> {
            let (value, answer) = sw_half::<B>(a, b);
            Error::check(value, answer, || 0)
        }

        #[inline]
        fn known(&self, a: u32) -> u32 {
            sw_known(a)
        }

        #[inline]
        fn silent(&self, a: u32) {
            sw_silent::<B>(a);
        }

        #[inline]
        fn try_silent(&self, a: u32) -> Result<(), Error> {
            let ((), answer) = sw_silent::<B>(a);
            Error::check((), answer, || 0)
        }
    }

    /// The fallback as a runtime registers it.
    #[derive(Clone, Copy, Debug)]
    pub struct SoftCxu<B: Bodies>(::core::marker::PhantomData<fn() -> B>);

    impl<B: Bodies> cx::RustCxu for SoftCxu<B> {
        type State = ();
        type Word = u32;
        const UUID: cx::Uuid = UUID;
        const NAME: &'static ::core::ffi::CStr = c"org.example.open:Plain";
        const SHARING: cx::Sharing = cx::Sharing::Stateless;
        const CONTRACT: [u8; 32] = CONTRACT;
        const FLAGS: u32 = 0;
        const STATE_WORDS: u32 = 0;
        const RESET: () = ();

        fn issue((): &mut (), function: u32, rs1: usize, rs2: usize) -> cx::Reply {
            let (value, response) = match function {
                0 => {
                    let (value, answer) = sw_half::<B>(rs1 as u8, rs2 as u32);
                    (usize::from(value), answer.response())
                }
                1 => (sw_known(rs1 as u32) as usize, cx::Response::Ok),
                2 => {
                    let ((), answer) = sw_silent::<B>(rs1 as u32);
                    (0, answer.response())
                }
                _ => (0, cx::Response::Func),
            };
            cx::Reply { value, response }
        }

        fn save((): &(), _words: &mut [Self::Word]) {}

        fn restore((): &mut (), _words: &[Self::Word]) {}
    }

    /// `known` in software.
    #[inline]
    fn sw_known(a: u32) -> u32 {
        !a
    }

    /// `half` in software, as its body has it.
    #[inline]
    fn sw_half<B: Bodies>(a: u8, b: u32) -> (u8, abi1::Answer) {
        match B::half(a & 0x7F, b) {
            Ok(value) => (value & 0x7F, abi1::Answer::Ok),
            Err(raised) => (raised.value.map_or(0, |value| value & 0x7F), raised.error.answer()),
        }
    }

    /// `silent` in software, as its body has it.
    #[inline]
    fn sw_silent<B: Bodies>(a: u32) -> ((), abi1::Answer) {
        match B::silent(a) {
            Ok(()) => ((), abi1::Answer::Ok),
            Err(error) => ((), error.answer()),
        }
    }

    /// `org.example.open:Plain`, selected: each command is one instruction on a hart, and elsewhere a call. The selection before comes back
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

    impl<G: cx::Issue> Plain for Selected<G> {
        #[inline]
        fn half(&self, a: u8, b: u32) -> u8 {
            abi1::pure_value::<G, 0>(&self.0, Some(usize::from(a)), Some(b as usize)) as u8
        }

        #[inline]
        fn try_half(&self, a: u8, b: u32) -> Result<u8, Error> {
            let reply = abi1::try_value::<G, 0>(&self.0, Some(usize::from(a)), Some(b as usize));
            Error::check(reply.value as u8, reply.response.into(), || 0)
        }

        #[inline]
        fn known(&self, a: u32) -> u32 {
            abi1::pure_value::<G, 1>(&self.0, Some(a as usize), None) as u32
        }

        #[inline]
        fn silent(&self, a: u32) {
            let _ = abi1::silent::<G, 2>(&self.0, Some(a as usize), None);
        }

        #[inline]
        fn try_silent(&self, a: u32) -> Result<(), Error> {
            let reply = abi1::try_silent::<G, 2>(&self.0, Some(a as usize), None);
            Error::check((), reply.response.into(), || 0)
        }
    }
}

/// `org.example.open:Plain` where a register has 64 bits.
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

    /// The UUID, aa0f7d0e-00ff-4000-8000-0000000000c2.
    pub const UUID: cx::Uuid = cx::Uuid::from_u128(0xAA0F_7D0E_00FF_4000_8000_0000_0000_00C2);

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0xDA, 0x45, 0x00, 0x42, 0x30, 0xBD, 0x29, 0xBF, 0x27, 0x5B, 0x07, 0x12, 0x76, 0x49, 0xC9, 0xE2,
        0x61, 0x07, 0x55, 0xFF, 0x78, 0xEE, 0x52, 0x44, 0xB5, 0xAA, 0x39, 0xB7, 0xB2, 0x93, 0xCA, 0xE5,
    ];

    /// Function ids.
    pub mod id {
        /// `half`
        pub const HALF: u32 = 0;
        /// `known`
        pub const KNOWN: u32 = 1;
        /// `silent`
        pub const SILENT: u32 = 2;
    }

    /// Why a command of [`Plain`] was not done.
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

    /// Without state.
    pub trait Plain {
        /// Command 0.
        #[must_use]
        fn half(&self, a: u8, b: u64) -> u8;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_half(&self, a: u8, b: u64) -> Result<u8, Error>;

        /// Command 1.
        #[must_use]
        fn known(&self, a: u64) -> u64;

        /// Command 2.
        fn silent(&self, a: u64);

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_silent(&self, a: u64) -> Result<(), Error>;
    }

    /// What the commands of `org.example.open:Plain` do that the specification leaves open. Whoever builds a fallback supplies it.
    ///
    /// Operands are values of their types, and of results the low bits count.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not say what the open commands of `org.example.open:Plain` do",
        label = "no bodies",
        note = "implement `Bodies` for a type, and give that type to `Soft` or `SoftCxu`"
    )]
    pub trait Bodies: 'static {
        /// Command 0.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn half(a: u8, b: u64) -> Result<u8, Raised<u8>>;

        /// Command 2.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn silent(a: u64) -> Result<(), Error>;
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

    /// `org.example.open:Plain` in software. Operands count by their low bits.
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

    impl<B: Bodies> Plain for Soft<B> {
        #[inline]
        fn half(&self, a: u8, b: u64) -> u8 {
            sw_half::<B>(a, b).0
        }

        #[inline]
        fn try_half(&self, a: u8, b: u64) -> Result<u8, Error> {
            let (value, answer) = sw_half::<B>(a, b);
            Error::check(value, answer, || 0)
        }

        #[inline]
        fn known(&self, a: u64) -> u64 {
            sw_known(a)
        }

        #[inline]
        fn silent(&self, a: u64) {
            sw_silent::<B>(a);
        }

        #[inline]
        fn try_silent(&self, a: u64) -> Result<(), Error> {
            let ((), answer) = sw_silent::<B>(a);
            Error::check((), answer, || 0)
        }
    }

    /// The fallback as a runtime registers it.
    #[derive(Clone, Copy, Debug)]
    pub struct SoftCxu<B: Bodies>(::core::marker::PhantomData<fn() -> B>);

    impl<B: Bodies> cx::RustCxu for SoftCxu<B> {
        type State = ();
        type Word = u64;
        const UUID: cx::Uuid = UUID;
        const NAME: &'static ::core::ffi::CStr = c"org.example.open:Plain";
        const SHARING: cx::Sharing = cx::Sharing::Stateless;
        const CONTRACT: [u8; 32] = CONTRACT;
        const FLAGS: u32 = 0;
        const STATE_WORDS: u32 = 0;
        const RESET: () = ();

        fn issue((): &mut (), function: u32, rs1: usize, rs2: usize) -> cx::Reply {
            let (value, response) = match function {
                0 => {
                    let (value, answer) = sw_half::<B>(rs1 as u8, rs2 as u64);
                    (usize::from(value), answer.response())
                }
                1 => (sw_known(rs1 as u64) as usize, cx::Response::Ok),
                2 => {
                    let ((), answer) = sw_silent::<B>(rs1 as u64);
                    (0, answer.response())
                }
                _ => (0, cx::Response::Func),
            };
            cx::Reply { value, response }
        }

        fn save((): &(), _words: &mut [Self::Word]) {}

        fn restore((): &mut (), _words: &[Self::Word]) {}
    }

    /// `known` in software.
    #[inline]
    fn sw_known(a: u64) -> u64 {
        !a
    }

    /// `half` in software, as its body has it.
    #[inline]
    fn sw_half<B: Bodies>(a: u8, b: u64) -> (u8, abi1::Answer) {
        match B::half(a & 0x7F, b) {
            Ok(value) => (value & 0x7F, abi1::Answer::Ok),
            Err(raised) => (raised.value.map_or(0, |value| value & 0x7F), raised.error.answer()),
        }
    }

    /// `silent` in software, as its body has it.
    #[inline]
    fn sw_silent<B: Bodies>(a: u64) -> ((), abi1::Answer) {
        match B::silent(a) {
            Ok(()) => ((), abi1::Answer::Ok),
            Err(error) => ((), error.answer()),
        }
    }

    /// `org.example.open:Plain`, selected: each command is one instruction on a hart, and elsewhere a call. The selection before comes back
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

    impl<G: cx::Issue> Plain for Selected<G> {
        #[inline]
        fn half(&self, a: u8, b: u64) -> u8 {
            abi1::pure_value::<G, 0>(&self.0, Some(usize::from(a)), Some(b as usize)) as u8
        }

        #[inline]
        fn try_half(&self, a: u8, b: u64) -> Result<u8, Error> {
            let reply = abi1::try_value::<G, 0>(&self.0, Some(usize::from(a)), Some(b as usize));
            Error::check(reply.value as u8, reply.response.into(), || 0)
        }

        #[inline]
        fn known(&self, a: u64) -> u64 {
            abi1::pure_value::<G, 1>(&self.0, Some(a as usize), None) as u64
        }

        #[inline]
        fn silent(&self, a: u64) {
            let _ = abi1::silent::<G, 2>(&self.0, Some(a as usize), None);
        }

        #[inline]
        fn try_silent(&self, a: u64) -> Result<(), Error> {
            let reply = abi1::try_silent::<G, 2>(&self.0, Some(a as usize), None);
            Error::check((), reply.response.into(), || 0)
        }
    }
}
