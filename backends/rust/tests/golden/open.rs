// op.rs
// Generated from org.example.open:Open by cxc; do not edit.
//
// A module of a crate that depends on lapis-cx-core: `#[path = "op.rs"] mod op;`, or `include!`
// inside a `mod`.

use ::lapis_cx_core as cx;

self::cx::check_abi!("op.rs", 3, "0.1.0");

#[allow(unreachable_pub, unused_imports)]
pub use self::chosen::*;

#[allow(unexpected_cfgs, unreachable_pub, unused_imports)]
mod chosen {
    #[cfg(any(cx_xlen = "32", all(target_pointer_width = "32", not(cx_xlen = "64"))))]
    pub use super::xlen32::*;
    #[cfg(not(any(cx_xlen = "32", all(target_pointer_width = "32", not(cx_xlen = "64")))))]
    pub use super::xlen64::*;
}

/// `org.example.open:Open` where a register has 32 bits.
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
    /// The UUID, aa0f7d0e-00ff-4000-8000-0000000000c1.
    pub const UUID: cx::Uuid = cx::Uuid::from_u128(0xAA0F_7D0E_00FF_4000_8000_0000_0000_00C1);

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0x56, 0x5B, 0x9D, 0xD3, 0x61, 0x67, 0x8B, 0xD9, 0xF9, 0xC2, 0xAD, 0x4B,
        0x07, 0x45, 0x02, 0xAB, 0x25, 0x8C, 0x98, 0x5D, 0xD7, 0x75, 0x1C, 0x31,
        0x74, 0xCB, 0x1C, 0xD3, 0x6B, 0x85, 0x86, 0x86,
    ];

    /// Function ids.
    pub mod id {
        /// `add`
        pub const ADD: u32 = 0;
        /// `before`
        pub const BEFORE: u32 = 1;
        /// `quiet`
        pub const QUIET: u32 = 2;
        /// `odd`
        pub const ODD: u32 = 3;
        /// `pick`
        pub const PICK: u32 = 4;
        /// `is`
        pub const IS: u32 = 5;
        /// `ping`
        pub const PING: u32 = 8;
        /// `all`
        pub const ALL: u32 = 9;
        /// `write_state`
        pub const WRITE_STATE: u32 = 1020;
        /// `read_state`
        pub const READ_STATE: u32 = 1021;
        /// `write_status`
        pub const WRITE_STATUS: u32 = 1022;
        /// `read_status`
        pub const READ_STATUS: u32 = 1023;
    }

    /// The enum `B`.
    ///
    /// Any pattern of 3 bits may occur, so this is no Rust enum.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(transparent)]
    pub struct B(pub u8);

    impl B {
        /// The case `none`.
        pub const NONE: B = B(0);
        /// The case `some`.
        pub const SOME: B = B(5);
    }

    /// The enum `G`.
    ///
    /// Any pattern of 4 bits may occur, so this is no Rust enum.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(transparent)]
    pub struct G(pub u8);

    impl G {
        /// The case `less`.
        pub const LESS: G = G(15);
        /// The case `same`.
        pub const SAME: G = G(0);
    }

    /// Why a command of [`Open`] was not done.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Error {
        /// no room
        Full,
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
                abi1::Answer::Custom => match code() {
                    3 => Error::Full,
                    code => Error::Custom(code),
                },
                abi1::Answer::Trap => Error::Trap,
            })
        }
    }

    impl ::core::fmt::Display for Error {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(match self {
                Error::Full => "no room",
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

    /// The words of CSRs.
    pub mod csr {
        /// The CSR `seen`.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct Seen(pub u32);

        impl Seen {
            /// The address of `seen`.
            pub const ADDRESS: u32 = 0x810;
            /// The lowest bit of `last`.
            pub const LAST_SHIFT: u32 = 0;
            /// The bits of `last`.
            pub const LAST_MASK: u32 = 0xFFFF_FFFF;

            /// The field `last`.
            ///
            /// Bits 31:0.
            #[must_use]
            pub const fn last(self) -> u32 {
                self.0 & Self::LAST_MASK
            }

            /// The same word with another `last`.
            #[must_use]
            pub const fn with_last(self, value: u32) -> Self {
                Self((self.0 & !Self::LAST_MASK) | (value & Self::LAST_MASK))
            }
        }
    }

    /// Commands without a body beside others.
    pub trait Open {
        /// The sum of all so far.
        fn add(&mut self, state: u32, value: u8) -> u32;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_add(&mut self, state: u32, value: u8) -> Result<u32, Error>;

        /// Command 1.
        fn before(&mut self) -> u32;

        /// Command 2.
        ///
        /// `N` is a value of 5 bits.
        fn quiet<const N: u8>(&mut self, raised: u8, st: i8);

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_quiet<const N: u8>(&mut self, raised: u8, st: i8) -> Result<(), Error>;

        /// Command 3.
        fn odd(&mut self, a: u32, error: i8) -> i8;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_odd(&mut self, a: u32, error: i8) -> Result<i8, Error>;

        /// Command 3.
        ///
        /// `ERROR` is a value of 5 bits.
        fn odd_i<const ERROR: i8>(&mut self, a: u32) -> i8;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_odd_i<const ERROR: i8>(&mut self, a: u32) -> Result<i8, Error>;

        /// Command 4.
        fn pick(&mut self, b: B, on: bool) -> G;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_pick(&mut self, b: B, on: bool) -> Result<G, Error>;

        /// Command 5.
        ///
        /// `A` is a value of 3 bits.
        fn is<const A: u8>(&mut self) -> bool;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_is<const A: u8>(&mut self) -> Result<bool, Error>;

        /// Has no operands and no result.
        fn ping(&mut self);

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_ping(&mut self) -> Result<(), Error>;

        /// Command 9.
        ///
        /// `N` is a value of 15 bits.
        fn all<const N: u16>(&mut self);

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_all<const N: u16>(&mut self) -> Result<(), Error>;

        /// Writes the state word at `index`, returns `value`; an invalid index is dropped.
        fn write_state(&mut self, index: u32, value: u32) -> u32;

        /// The state word at `index`.
        fn read_state(&mut self, index: u32) -> u32;

        /// Writes the status word, returns the old one; cs = initial resets, cs = off turns the context off.
        fn write_status(&mut self, status: u32) -> u32;

        /// The context's status word; never has a side effect.
        fn read_status(&mut self) -> u32;

        /// Reads `seen`.
        #[must_use]
        fn seen_read(&self) -> csr::Seen;

        /// Writes `seen`.
        fn seen_write(&mut self, word: csr::Seen);

        /// Writes `seen`; returns what was there before.
        #[inline]
        fn seen_swap(&mut self, word: csr::Seen) -> csr::Seen {
            let old = self.seen_read();
            self.seen_write(word);
            old
        }

        /// Sets these bits of `seen`; returns what was there before.
        #[inline]
        fn seen_set(&mut self, bits: u32) -> csr::Seen {
            let old = self.seen_read();
            self.seen_write(csr::Seen(old.0 | bits));
            old
        }

        /// Clears these bits of `seen`; returns what was there before.
        #[inline]
        fn seen_clear(&mut self, bits: u32) -> csr::Seen {
            let old = self.seen_read();
            self.seen_write(csr::Seen(old.0 & !bits));
            old
        }

        /// Writes a constant to `seen`. One below 32 is part of the instruction.
        #[inline]
        fn seen_write_i<const WORD: u32>(&mut self) {
            self.seen_write(csr::Seen(WORD));
        }

        /// Sets constant bits of `seen`; returns what was there before.
        #[inline]
        fn seen_set_i<const WORD: u32>(&mut self) -> csr::Seen {
            self.seen_set(WORD)
        }

        /// Clears constant bits of `seen`; returns what was there before.
        #[inline]
        fn seen_clear_i<const WORD: u32>(&mut self) -> csr::Seen {
            self.seen_clear(WORD)
        }
    }

    /// One context.
    ///
    /// A field holds patterns below 2^width of its type, signed values as two's complement;
    /// rows of arrays follow each other, and wide values are limbs of 32 bits, lowest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct State {
        /// The status word: cs in bits 1:0 (0 off, 1 initial, 2 clean, 3 dirty), the state words in
        /// 11:2, an error code in 31:24.
        pub status: u32,
        /// The field `last`.
        pub last: u32,
        /// The field `count`.
        pub count: u8,
    }

    impl State {
        /// Words in an image: the status word, and the state words.
        pub const WORDS: usize = 3;

        /// The reset state: cs is initial.
        pub const RESET: State = State {
            status: 9,
            last: 1,
            count: 0,
        };

        /// The status word, then the state words.
        #[must_use]
        pub fn save(&self) -> [u32; State::WORDS] {
            let mut words = [0; State::WORDS];
            let [status, rest @ ..] = &mut words;
            *status = self.status;
            for (word, index) in rest.iter_mut().zip(0..) {
                *word = self.read_word(index);
            }
            words
        }

        /// Loads what [`save`](State::save) gave. In cs off or initial the fields are reset; an undeclared
        /// error code becomes 0.
        pub fn restore(&mut self, words: &[u32; State::WORDS]) {
            let [status, rest @ ..] = words;
            *self = State {
                status: (*status & 3) | 8,
                ..State::RESET
            };
            let code = *status >> 24;
            if matches!(code, 3) {
                self.status |= code << 24;
            }
            if self.status & 3 >= 2 {
                for (word, index) in rest.iter().zip(0..) {
                    self.write_word(index, *word);
                }
            }
        }

        /// The state word at an index, 0 outside.
        fn read_word(&self, index: u32) -> u32 {
            if index < 1 {
                return self.last;
            }
            if index < 2 {
                return u32::from(self.count);
            }
            0
        }

        /// Writes the state word at an index; drops what lies outside.
        fn write_word(&mut self, index: u32, value: u32) {
            if index < 1 {
                self.last = value;
                return;
            }
            if index < 2 {
                self.count = value as u8;
            }
        }
    }

    impl Default for State {
        fn default() -> Self {
            State::RESET
        }
    }

    /// What the commands of `org.example.open:Open` do that the specification leaves open. Whoever builds a
    /// fallback supplies it.
    ///
    /// Operands are values of their types, and of results the low bits count. They run only in a context that
    /// is on, which is dirty after them; what they changed before an error stays changed.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not say what the open commands of `org.example.open:Open` do",
        label = "no bodies",
        note = "implement `Bodies` for a type, and give that type to `Soft` or `SoftCxu`"
    )]
    pub trait Bodies: 'static {
        /// The sum of all so far.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn add(state: &mut State, state_2: u32, value: u8) -> Result<u32, Raised<u32>>;

        /// Command 2.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn quiet(state: &mut State, raised: u8, st: i8, n: u8) -> Result<(), Error>;

        /// Command 3.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn odd(state: &mut State, a: u32, error: i8) -> Result<i8, Raised<i8>>;

        /// Command 4.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn pick(state: &mut State, b: B, on: bool) -> Result<G, Raised<G>>;

        /// Command 5.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn is(state: &mut State, a: B) -> Result<bool, Raised<bool>>;

        /// Has no operands and no result.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn ping(state: &mut State) -> Result<(), Error>;

        /// Command 9.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn all(state: &mut State, n: u16) -> Result<(), Error>;
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
        /// How the command of a body ends that raises this. A code goes into the status word.
        fn answer(self, state: &mut State) -> abi1::Answer {
            let code = match self {
                Error::Cxu => return abi1::Answer::Cxu,
                Error::State => return abi1::Answer::State,
                Error::Off => return abi1::Answer::Off,
                Error::Func => return abi1::Answer::Func,
                Error::Op => return abi1::Answer::Op,
                Error::Trap => return abi1::Answer::Trap,
                Error::Full => 3,
                Error::Custom(code) => code,
            };
            state.status = (state.status & 0x00FF_FFFF) | u32::from(code) << 24;
            abi1::Answer::Custom
        }
    }

    /// `org.example.open:Open` in software: one context. Operands count by their low bits, and a context
    /// that is off gives 0 and stays as it is.
    pub struct Soft<B2: Bodies> {
        state: State,
        bodies: ::core::marker::PhantomData<fn() -> B2>,
    }

    impl<B2: Bodies> Default for Soft<B2> {
        fn default() -> Self {
            Soft {
                state: State::RESET,
                bodies: ::core::marker::PhantomData,
            }
        }
    }

    impl<B2: Bodies> Clone for Soft<B2> {
        fn clone(&self) -> Self {
            Soft {
                state: self.state,
                bodies: ::core::marker::PhantomData,
            }
        }
    }

    impl<B2: Bodies> ::core::fmt::Debug for Soft<B2> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.debug_struct("Soft")
                .field("state", &self.state)
                .finish_non_exhaustive()
        }
    }

    impl<B2: Bodies> Soft<B2> {
        /// The state as it is.
        #[must_use]
        pub fn state(soft: &Soft<B2>) -> &State {
            &soft.state
        }

        /// The status word, then the state words.
        #[must_use]
        pub fn save(soft: &Soft<B2>) -> [u32; State::WORDS] {
            soft.state.save()
        }

        /// Loads an image, as [`State::restore`] does.
        pub fn restore(soft: &mut Soft<B2>, words: &[u32; State::WORDS]) {
            soft.state.restore(words);
        }
    }

    impl<B2: Bodies> Open for Soft<B2> {
        #[inline]
        fn add(&mut self, state: u32, value: u8) -> u32 {
            sw_add::<B2>(&mut self.state, state, value).0
        }

        #[inline]
        fn try_add(&mut self, state: u32, value: u8) -> Result<u32, Error> {
            let (value, answer) = sw_add::<B2>(&mut self.state, state, value);
            Error::check(value, answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn before(&mut self) -> u32 {
            sw_before(&mut self.state)
        }

        #[inline]
        fn quiet<const N: u8>(&mut self, raised: u8, st: i8) {
            abi1::check::<abi1::U8<N>, 5>();
            sw_quiet::<B2>(&mut self.state, raised, st, N);
        }

        #[inline]
        fn try_quiet<const N: u8>(&mut self, raised: u8, st: i8) -> Result<(), Error> {
            abi1::check::<abi1::U8<N>, 5>();
            let ((), answer) = sw_quiet::<B2>(&mut self.state, raised, st, N);
            Error::check((), answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn odd(&mut self, a: u32, error: i8) -> i8 {
            sw_odd::<B2>(&mut self.state, a, error).0
        }

        #[inline]
        fn try_odd(&mut self, a: u32, error: i8) -> Result<i8, Error> {
            let (value, answer) = sw_odd::<B2>(&mut self.state, a, error);
            Error::check(value, answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn odd_i<const ERROR: i8>(&mut self, a: u32) -> i8 {
            abi1::check12::<abi1::I8<ERROR>, 5>();
            sw_odd::<B2>(&mut self.state, a, ERROR).0
        }

        #[inline]
        fn try_odd_i<const ERROR: i8>(&mut self, a: u32) -> Result<i8, Error> {
            abi1::check12::<abi1::I8<ERROR>, 5>();
            let (value, answer) = sw_odd::<B2>(&mut self.state, a, ERROR);
            Error::check(value, answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn pick(&mut self, b: B, on: bool) -> G {
            G(sw_pick::<B2>(&mut self.state, b.0, on).0)
        }

        #[inline]
        fn try_pick(&mut self, b: B, on: bool) -> Result<G, Error> {
            let (value, answer) = sw_pick::<B2>(&mut self.state, b.0, on);
            Error::check(G(value), answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn is<const A: u8>(&mut self) -> bool {
            abi1::check12::<abi1::U8<A>, 3>();
            sw_is::<B2>(&mut self.state, A).0
        }

        #[inline]
        fn try_is<const A: u8>(&mut self) -> Result<bool, Error> {
            abi1::check12::<abi1::U8<A>, 3>();
            let (value, answer) = sw_is::<B2>(&mut self.state, A);
            Error::check(value, answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn ping(&mut self) {
            sw_ping::<B2>(&mut self.state);
        }

        #[inline]
        fn try_ping(&mut self) -> Result<(), Error> {
            let ((), answer) = sw_ping::<B2>(&mut self.state);
            Error::check((), answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn all<const N: u16>(&mut self) {
            abi1::check::<abi1::U16<N>, 15>();
            sw_all::<B2>(&mut self.state, N);
        }

        #[inline]
        fn try_all<const N: u16>(&mut self) -> Result<(), Error> {
            abi1::check::<abi1::U16<N>, 15>();
            let ((), answer) = sw_all::<B2>(&mut self.state, N);
            Error::check((), answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn write_state(&mut self, index: u32, value: u32) -> u32 {
            sw_write_state(&mut self.state, index, value)
        }

        #[inline]
        fn read_state(&mut self, index: u32) -> u32 {
            sw_read_state(&mut self.state, index)
        }

        #[inline]
        fn write_status(&mut self, status: u32) -> u32 {
            sw_write_status(&mut self.state, status)
        }

        #[inline]
        fn read_status(&mut self) -> u32 {
            sw_read_status(&mut self.state)
        }

        #[inline]
        fn seen_read(&self) -> csr::Seen {
            csr::Seen(sw_seen_read(&self.state))
        }

        #[inline]
        fn seen_write(&mut self, word: csr::Seen) {
            sw_seen_write(&mut self.state, word.0);
        }
    }

    /// The fallback as a runtime registers it.
    #[derive(Clone, Copy, Debug)]
    pub struct SoftCxu<B2: Bodies>(::core::marker::PhantomData<fn() -> B2>);

    impl<B2: Bodies> cx::RustCxu for SoftCxu<B2> {
        type State = State;
        type Word = u32;
        const UUID: cx::Uuid = UUID;
        const NAME: &'static ::core::ffi::CStr = c"org.example.open:Open";
        const SHARING: cx::Sharing = cx::Sharing::Exclusive;
        const CONTRACT: [u8; 32] = CONTRACT;
        const FLAGS: u32 = cx::SoftFlags::STATE_CONTEXT;
        const STATE_WORDS: u32 = 2;
        const RESET: State = State::RESET;

        fn issue(state: &mut State, function: u32, rs1: usize, rs2: usize) -> cx::Reply {
            // A context that is off answers only read_status and write_status.
            if state.status & 3 == 0 && !matches!(function, 1022 | 1023) {
                return cx::Reply {
                    value: 0,
                    response: cx::Response::Off,
                };
            }
            let (value, response) = match function & 0xFFFF {
                0 => {
                    let (value, answer) = sw_add::<B2>(state, rs1 as u32, rs2 as u8);
                    (value as usize, answer.response())
                }
                1 => (sw_before(state) as usize, cx::Response::Ok),
                2 => {
                    let ((), answer) =
                        sw_quiet::<B2>(state, rs1 as u8, rs2 as i8, (function >> 16) as u8);
                    (0, answer.response())
                }
                3 => {
                    let (value, answer) = sw_odd::<B2>(state, rs1 as u32, rs2 as i8);
                    (i32::from(value) as u32 as usize, answer.response())
                }
                4 => {
                    let (value, answer) = sw_pick::<B2>(state, rs1 as u8, rs2 & 1 != 0);
                    (usize::from(value), answer.response())
                }
                5 => {
                    let (value, answer) = sw_is::<B2>(state, rs2 as u8);
                    (usize::from(value), answer.response())
                }
                8 => {
                    let ((), answer) = sw_ping::<B2>(state);
                    (0, answer.response())
                }
                9 => {
                    let ((), answer) = sw_all::<B2>(state, rs2 as u16);
                    (0, answer.response())
                }
                1020 => (
                    sw_write_state(state, rs1 as u32, rs2 as u32) as usize,
                    cx::Response::Ok,
                ),
                1021 => (sw_read_state(state, rs1 as u32) as usize, cx::Response::Ok),
                1022 => (
                    sw_write_status(state, rs1 as u32) as usize,
                    cx::Response::Ok,
                ),
                1023 => (sw_read_status(state) as usize, cx::Response::Ok),
                _ => (0, cx::Response::Func),
            };
            cx::Reply { value, response }
        }

        fn flex(function: u32, fields: u32, rs2: usize) -> (u32, usize) {
            match function {
                2 => (function | (fields & 31) << 16, rs2),
                9 => (function, (fields & 32767) as usize),
                _ => (function, rs2),
            }
        }

        fn csr(state: &mut State, op: cx::CsrOp, address: u32, value: usize) -> cx::Reply {
            if state.status & 3 == 0 {
                return cx::Reply {
                    value: 0,
                    response: cx::Response::Off,
                };
            }
            let old = match address {
                0x810 => {
                    let old = sw_seen_read(state);
                    if let Some(word) = op.written(old as usize, value) {
                        sw_seen_write(state, word as u32);
                    }
                    old
                }
                _ => {
                    return cx::Reply {
                        value: 0,
                        response: cx::Response::Func,
                    }
                }
            };
            cx::Reply {
                value: old as usize,
                response: cx::Response::Ok,
            }
        }

        fn save(state: &State, words: &mut [Self::Word]) {
            words.copy_from_slice(&state.save());
        }

        fn restore(state: &mut State, words: &[Self::Word]) {
            if let Ok(words) = words.try_into() {
                state.restore(words);
            }
        }
    }

    /// `before` in software.
    #[inline]
    fn sw_before(st: &mut State) -> u32 {
        if (st.status & 3) == 0 {
            return 0;
        }
        st.last
    }

    /// `write_state` in software.
    #[inline]
    fn sw_write_state(st: &mut State, index: u32, value: u32) -> u32 {
        if (st.status & 3) == 0 {
            return 0;
        }
        st.write_word(index, value);
        st.status |= 3;
        value
    }

    /// `read_state` in software.
    #[inline]
    fn sw_read_state(st: &mut State, index: u32) -> u32 {
        if (st.status & 3) == 0 {
            return 0;
        }
        st.read_word(index)
    }

    /// `write_status` in software.
    #[inline]
    fn sw_write_status(st: &mut State, status: u32) -> u32 {
        let t1: u32 = st.status;
        let t2: u32 = status;
        let t3: u32 = t2 & 3;
        if t3 < 2 {
            *st = State {
                status: st.status,
                ..State::RESET
            };
        }
        let t4: u32 = t2 >> 24;
        st.status = ((if t4 == 0 || t4 == 3 { t4 } else { t1 >> 24 }) << 24) | 8 | t3;
        t1
    }

    /// `read_status` in software.
    #[inline]
    fn sw_read_status(st: &mut State) -> u32 {
        st.status
    }

    /// `add` in software, as its body has it.
    #[inline]
    fn sw_add<B2: Bodies>(st: &mut State, state_2: u32, value_2: u8) -> (u32, abi1::Answer) {
        if st.status & 3 == 0 {
            return (0, abi1::Answer::Off);
        }
        match B2::add(st, state_2, value_2 & 0x1F) {
            Ok(value) => {
                st.status |= 3;
                (value, abi1::Answer::Ok)
            }
            Err(raised) => (raised.value.unwrap_or(0), raised.error.answer(st)),
        }
    }

    /// `quiet` in software, as its body has it.
    #[inline]
    fn sw_quiet<B2: Bodies>(st: &mut State, raised_2: u8, st_2: i8, n: u8) -> ((), abi1::Answer) {
        if st.status & 3 == 0 {
            return ((), abi1::Answer::Off);
        }
        match B2::quiet(st, raised_2, st_2, n & 0x1F) {
            Ok(()) => {
                st.status |= 3;
                ((), abi1::Answer::Ok)
            }
            Err(error) => ((), error.answer(st)),
        }
    }

    /// `odd` in software, as its body has it.
    #[inline]
    fn sw_odd<B2: Bodies>(st: &mut State, a: u32, error_2: i8) -> (i8, abi1::Answer) {
        if st.status & 3 == 0 {
            return (0, abi1::Answer::Off);
        }
        match B2::odd(st, a, error_2 << 3 >> 3) {
            Ok(value) => {
                st.status |= 3;
                (value << 3 >> 3, abi1::Answer::Ok)
            }
            Err(raised) => (
                raised.value.map_or(0, |value| value << 3 >> 3),
                raised.error.answer(st),
            ),
        }
    }

    /// `pick` in software, as its body has it.
    #[inline]
    fn sw_pick<B2: Bodies>(st: &mut State, b: u8, on: bool) -> (u8, abi1::Answer) {
        if st.status & 3 == 0 {
            return (0, abi1::Answer::Off);
        }
        match B2::pick(st, B(b & 0x7), on) {
            Ok(value) => {
                st.status |= 3;
                (value.0 & 0xF, abi1::Answer::Ok)
            }
            Err(raised) => (
                raised.value.map_or(0, |value| value.0 & 0xF),
                raised.error.answer(st),
            ),
        }
    }

    /// `is` in software, as its body has it.
    #[inline]
    fn sw_is<B2: Bodies>(st: &mut State, a: u8) -> (bool, abi1::Answer) {
        if st.status & 3 == 0 {
            return (false, abi1::Answer::Off);
        }
        match B2::is(st, B(a & 0x7)) {
            Ok(value) => {
                st.status |= 3;
                (value, abi1::Answer::Ok)
            }
            Err(raised) => (raised.value.unwrap_or(false), raised.error.answer(st)),
        }
    }

    /// `ping` in software, as its body has it.
    #[inline]
    fn sw_ping<B2: Bodies>(st: &mut State) -> ((), abi1::Answer) {
        if st.status & 3 == 0 {
            return ((), abi1::Answer::Off);
        }
        match B2::ping(st) {
            Ok(()) => {
                st.status |= 3;
                ((), abi1::Answer::Ok)
            }
            Err(error) => ((), error.answer(st)),
        }
    }

    /// `all` in software, as its body has it.
    #[inline]
    fn sw_all<B2: Bodies>(st: &mut State, n: u16) -> ((), abi1::Answer) {
        if st.status & 3 == 0 {
            return ((), abi1::Answer::Off);
        }
        match B2::all(st, n & 0x7FFF) {
            Ok(()) => {
                st.status |= 3;
                ((), abi1::Answer::Ok)
            }
            Err(error) => ((), error.answer(st)),
        }
    }

    /// Reads `seen` in software.
    #[inline]
    fn sw_seen_read(st: &State) -> u32 {
        if (st.status & 3) == 0 {
            return 0;
        }
        st.last
    }

    /// Writes `seen` in software.
    #[inline]
    fn sw_seen_write(st: &mut State, value: u32) {
        if (st.status & 3) == 0 {
            return;
        }
        st.status |= 3;
        st.last = value;
    }

    /// `org.example.open:Open`, selected: each command is one instruction on a hart, and elsewhere a call.
    /// The selection before comes back when this is dropped.
    #[derive(Debug)]
    #[must_use = "the selection before comes back when this is dropped"]
    pub struct Selected<G2>(G2);

    impl<G2: cx::Issue> Selected<G2> {
        /// Takes the guard of a selection of [`UUID`].
        ///
        /// A guard does not know what it selects, so nothing checks this: with that of another CX, its commands of
        /// these function ids run.
        #[inline]
        pub fn new(guard: G2) -> Self {
            abi1::check_xlen::<G2, 32>();
            Selected(guard)
        }
    }

    impl<G2: cx::Issue> Open for Selected<G2> {
        #[inline]
        fn add(&mut self, state: u32, value: u8) -> u32 {
            abi1::value::<G2, 0>(&self.0, Some(state as usize), Some(usize::from(value))) as u32
        }

        #[inline]
        fn try_add(&mut self, state: u32, value: u8) -> Result<u32, Error> {
            let reply =
                abi1::try_value::<G2, 0>(&self.0, Some(state as usize), Some(usize::from(value)));
            Error::check(reply.value as u32, reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn before(&mut self) -> u32 {
            abi1::value::<G2, 1>(&self.0, None, None) as u32
        }

        #[inline]
        fn quiet<const N: u8>(&mut self, raised: u8, st: i8) {
            abi1::check::<abi1::U8<N>, 5>();
            let _ = abi1::flex_immediate::<G2, 2, 5, abi1::U8<N>>(
                &self.0,
                Some(usize::from(raised)),
                Some(i32::from(st) as u32 as usize),
            );
        }

        #[inline]
        fn try_quiet<const N: u8>(&mut self, raised: u8, st: i8) -> Result<(), Error> {
            abi1::check::<abi1::U8<N>, 5>();
            let reply = abi1::try_flex_immediate::<G2, 2, 5, abi1::U8<N>>(
                &self.0,
                Some(usize::from(raised)),
                Some(i32::from(st) as u32 as usize),
            );
            Error::check((), reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn odd(&mut self, a: u32, error: i8) -> i8 {
            abi1::value::<G2, 3>(
                &self.0,
                Some(a as usize),
                Some(i32::from(error) as u32 as usize),
            ) as i8
        }

        #[inline]
        fn try_odd(&mut self, a: u32, error: i8) -> Result<i8, Error> {
            let reply = abi1::try_value::<G2, 3>(
                &self.0,
                Some(a as usize),
                Some(i32::from(error) as u32 as usize),
            );
            Error::check(reply.value as i8, reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn odd_i<const ERROR: i8>(&mut self, a: u32) -> i8 {
            abi1::check12::<abi1::I8<ERROR>, 5>();
            abi1::immediate::<G2, 3, abi1::I8<ERROR>>(&self.0, Some(a as usize)) as i8
        }

        #[inline]
        fn try_odd_i<const ERROR: i8>(&mut self, a: u32) -> Result<i8, Error> {
            abi1::check12::<abi1::I8<ERROR>, 5>();
            let reply = abi1::try_immediate::<G2, 3, abi1::I8<ERROR>>(&self.0, Some(a as usize));
            Error::check(reply.value as i8, reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn pick(&mut self, b: B, on: bool) -> G {
            G(abi1::value::<G2, 4>(&self.0, Some(usize::from(b.0)), Some(usize::from(on))) as u8)
        }

        #[inline]
        fn try_pick(&mut self, b: B, on: bool) -> Result<G, Error> {
            let reply =
                abi1::try_value::<G2, 4>(&self.0, Some(usize::from(b.0)), Some(usize::from(on)));
            Error::check(G(reply.value as u8), reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn is<const A: u8>(&mut self) -> bool {
            abi1::check12::<abi1::U8<A>, 3>();
            abi1::immediate::<G2, 5, abi1::U8<A>>(&self.0, None) & 1 != 0
        }

        #[inline]
        fn try_is<const A: u8>(&mut self) -> Result<bool, Error> {
            abi1::check12::<abi1::U8<A>, 3>();
            let reply = abi1::try_immediate::<G2, 5, abi1::U8<A>>(&self.0, None);
            Error::check(reply.value & 1 != 0, reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn ping(&mut self) {
            let _ = abi1::silent::<G2, 8>(&self.0, None, None);
        }

        #[inline]
        fn try_ping(&mut self) -> Result<(), Error> {
            let reply = abi1::try_silent::<G2, 8>(&self.0, None, None);
            Error::check((), reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn all<const N: u16>(&mut self) {
            abi1::check::<abi1::U16<N>, 15>();
            let _ = abi1::flex25::<G2, 9, abi1::U16<N>>(&self.0);
        }

        #[inline]
        fn try_all<const N: u16>(&mut self) -> Result<(), Error> {
            abi1::check::<abi1::U16<N>, 15>();
            let reply = abi1::try_flex25::<G2, 9, abi1::U16<N>>(&self.0);
            Error::check((), reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn write_state(&mut self, index: u32, value: u32) -> u32 {
            abi1::value::<G2, 1020>(&self.0, Some(index as usize), Some(value as usize)) as u32
        }

        #[inline]
        fn read_state(&mut self, index: u32) -> u32 {
            abi1::value::<G2, 1021>(&self.0, Some(index as usize), None) as u32
        }

        #[inline]
        fn write_status(&mut self, status: u32) -> u32 {
            abi1::value::<G2, 1022>(&self.0, Some(status as usize), None) as u32
        }

        #[inline]
        fn read_status(&mut self) -> u32 {
            abi1::value::<G2, 1023>(&self.0, None, None) as u32
        }

        #[inline]
        fn seen_read(&self) -> csr::Seen {
            csr::Seen(abi1::csr_read::<G2, { csr::Seen::ADDRESS }>(&self.0, 0) as u32)
        }

        #[inline]
        fn seen_write(&mut self, word: csr::Seen) {
            let _ = abi1::csr_write::<G2, { csr::Seen::ADDRESS }>(&self.0, word.0 as usize);
        }

        #[inline]
        fn seen_swap(&mut self, word: csr::Seen) -> csr::Seen {
            csr::Seen(abi1::csr_swap::<G2, { csr::Seen::ADDRESS }>(&self.0, word.0 as usize) as u32)
        }

        #[inline]
        fn seen_set(&mut self, bits: u32) -> csr::Seen {
            csr::Seen(abi1::csr_set::<G2, { csr::Seen::ADDRESS }>(&self.0, bits as usize) as u32)
        }

        #[inline]
        fn seen_clear(&mut self, bits: u32) -> csr::Seen {
            csr::Seen(abi1::csr_clear::<G2, { csr::Seen::ADDRESS }>(&self.0, bits as usize) as u32)
        }

        #[inline]
        fn seen_write_i<const WORD: u32>(&mut self) {
            let _ =
                abi1::csr_write_constant::<G2, { csr::Seen::ADDRESS }, abi1::U32<WORD>>(&self.0);
        }

        #[inline]
        fn seen_set_i<const WORD: u32>(&mut self) -> csr::Seen {
            csr::Seen(
                abi1::csr_set_constant::<G2, { csr::Seen::ADDRESS }, abi1::U32<WORD>>(&self.0)
                    as u32,
            )
        }

        #[inline]
        fn seen_clear_i<const WORD: u32>(&mut self) -> csr::Seen {
            csr::Seen(
                abi1::csr_clear_constant::<G2, { csr::Seen::ADDRESS }, abi1::U32<WORD>>(&self.0)
                    as u32,
            )
        }
    }
}

/// `org.example.open:Open` where a register has 64 bits.
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
    /// The UUID, aa0f7d0e-00ff-4000-8000-0000000000c1.
    pub const UUID: cx::Uuid = cx::Uuid::from_u128(0xAA0F_7D0E_00FF_4000_8000_0000_0000_00C1);

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0x56, 0x5B, 0x9D, 0xD3, 0x61, 0x67, 0x8B, 0xD9, 0xF9, 0xC2, 0xAD, 0x4B,
        0x07, 0x45, 0x02, 0xAB, 0x25, 0x8C, 0x98, 0x5D, 0xD7, 0x75, 0x1C, 0x31,
        0x74, 0xCB, 0x1C, 0xD3, 0x6B, 0x85, 0x86, 0x86,
    ];

    /// Function ids.
    pub mod id {
        /// `add`
        pub const ADD: u32 = 0;
        /// `before`
        pub const BEFORE: u32 = 1;
        /// `quiet`
        pub const QUIET: u32 = 2;
        /// `odd`
        pub const ODD: u32 = 3;
        /// `pick`
        pub const PICK: u32 = 4;
        /// `is`
        pub const IS: u32 = 5;
        /// `ping`
        pub const PING: u32 = 8;
        /// `all`
        pub const ALL: u32 = 9;
        /// `write_state`
        pub const WRITE_STATE: u32 = 1020;
        /// `read_state`
        pub const READ_STATE: u32 = 1021;
        /// `write_status`
        pub const WRITE_STATUS: u32 = 1022;
        /// `read_status`
        pub const READ_STATUS: u32 = 1023;
    }

    /// The enum `B`.
    ///
    /// Any pattern of 3 bits may occur, so this is no Rust enum.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(transparent)]
    pub struct B(pub u8);

    impl B {
        /// The case `none`.
        pub const NONE: B = B(0);
        /// The case `some`.
        pub const SOME: B = B(5);
    }

    /// The enum `G`.
    ///
    /// Any pattern of 4 bits may occur, so this is no Rust enum.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(transparent)]
    pub struct G(pub u8);

    impl G {
        /// The case `less`.
        pub const LESS: G = G(15);
        /// The case `same`.
        pub const SAME: G = G(0);
    }

    /// Why a command of [`Open`] was not done.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Error {
        /// no room
        Full,
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
                abi1::Answer::Custom => match code() {
                    3 => Error::Full,
                    code => Error::Custom(code),
                },
                abi1::Answer::Trap => Error::Trap,
            })
        }
    }

    impl ::core::fmt::Display for Error {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(match self {
                Error::Full => "no room",
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

    /// The words of CSRs.
    pub mod csr {
        /// The CSR `seen`.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct Seen(pub u64);

        impl Seen {
            /// The address of `seen`.
            pub const ADDRESS: u32 = 0x810;
            /// The lowest bit of `last`.
            pub const LAST_SHIFT: u32 = 0;
            /// The bits of `last`.
            pub const LAST_MASK: u64 = 0xFFFF_FFFF_FFFF_FFFF;

            /// The field `last`.
            ///
            /// Bits 63:0.
            #[must_use]
            pub const fn last(self) -> u64 {
                self.0 & Self::LAST_MASK
            }

            /// The same word with another `last`.
            #[must_use]
            pub const fn with_last(self, value: u64) -> Self {
                Self((self.0 & !Self::LAST_MASK) | (value & Self::LAST_MASK))
            }
        }
    }

    /// Commands without a body beside others.
    pub trait Open {
        /// The sum of all so far.
        fn add(&mut self, state: u64, value: u8) -> u64;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_add(&mut self, state: u64, value: u8) -> Result<u64, Error>;

        /// Command 1.
        fn before(&mut self) -> u64;

        /// Command 2.
        ///
        /// `N` is a value of 5 bits.
        fn quiet<const N: u8>(&mut self, raised: u8, st: i8);

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_quiet<const N: u8>(&mut self, raised: u8, st: i8) -> Result<(), Error>;

        /// Command 3.
        fn odd(&mut self, a: u64, error: i8) -> i8;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_odd(&mut self, a: u64, error: i8) -> Result<i8, Error>;

        /// Command 3.
        ///
        /// `ERROR` is a value of 5 bits.
        fn odd_i<const ERROR: i8>(&mut self, a: u64) -> i8;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_odd_i<const ERROR: i8>(&mut self, a: u64) -> Result<i8, Error>;

        /// Command 4.
        fn pick(&mut self, b: B, on: bool) -> G;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_pick(&mut self, b: B, on: bool) -> Result<G, Error>;

        /// Command 5.
        ///
        /// `A` is a value of 3 bits.
        fn is<const A: u8>(&mut self) -> bool;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_is<const A: u8>(&mut self) -> Result<bool, Error>;

        /// Has no operands and no result.
        fn ping(&mut self);

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_ping(&mut self) -> Result<(), Error>;

        /// Command 9.
        ///
        /// `N` is a value of 15 bits.
        fn all<const N: u16>(&mut self);

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_all<const N: u16>(&mut self) -> Result<(), Error>;

        /// Writes the state word at `index`, returns `value`; an invalid index is dropped.
        fn write_state(&mut self, index: u64, value: u64) -> u64;

        /// The state word at `index`.
        fn read_state(&mut self, index: u64) -> u64;

        /// Writes the status word, returns the old one; cs = initial resets, cs = off turns the context off.
        fn write_status(&mut self, status: u64) -> u64;

        /// The context's status word; never has a side effect.
        fn read_status(&mut self) -> u64;

        /// Reads `seen`.
        #[must_use]
        fn seen_read(&self) -> csr::Seen;

        /// Writes `seen`.
        fn seen_write(&mut self, word: csr::Seen);

        /// Writes `seen`; returns what was there before.
        #[inline]
        fn seen_swap(&mut self, word: csr::Seen) -> csr::Seen {
            let old = self.seen_read();
            self.seen_write(word);
            old
        }

        /// Sets these bits of `seen`; returns what was there before.
        #[inline]
        fn seen_set(&mut self, bits: u64) -> csr::Seen {
            let old = self.seen_read();
            self.seen_write(csr::Seen(old.0 | bits));
            old
        }

        /// Clears these bits of `seen`; returns what was there before.
        #[inline]
        fn seen_clear(&mut self, bits: u64) -> csr::Seen {
            let old = self.seen_read();
            self.seen_write(csr::Seen(old.0 & !bits));
            old
        }

        /// Writes a constant to `seen`. One below 32 is part of the instruction.
        #[inline]
        fn seen_write_i<const WORD: u64>(&mut self) {
            self.seen_write(csr::Seen(WORD));
        }

        /// Sets constant bits of `seen`; returns what was there before.
        #[inline]
        fn seen_set_i<const WORD: u64>(&mut self) -> csr::Seen {
            self.seen_set(WORD)
        }

        /// Clears constant bits of `seen`; returns what was there before.
        #[inline]
        fn seen_clear_i<const WORD: u64>(&mut self) -> csr::Seen {
            self.seen_clear(WORD)
        }
    }

    /// One context.
    ///
    /// A field holds patterns below 2^width of its type, signed values as two's complement;
    /// rows of arrays follow each other, and wide values are limbs of 32 bits, lowest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct State {
        /// The status word: cs in bits 1:0 (0 off, 1 initial, 2 clean, 3 dirty), the state words in
        /// 11:2, an error code in 31:24.
        pub status: u32,
        /// The field `last`.
        pub last: u64,
        /// The field `count`.
        pub count: u8,
    }

    impl State {
        /// Words in an image: the status word, and the state words.
        pub const WORDS: usize = 3;

        /// The reset state: cs is initial.
        pub const RESET: State = State {
            status: 9,
            last: 1,
            count: 0,
        };

        /// The status word, then the state words.
        #[must_use]
        pub fn save(&self) -> [u64; State::WORDS] {
            let mut words = [0; State::WORDS];
            let [status, rest @ ..] = &mut words;
            *status = u64::from(self.status);
            for (word, index) in rest.iter_mut().zip(0..) {
                *word = self.read_word(index);
            }
            words
        }

        /// Loads what [`save`](State::save) gave. In cs off or initial the fields are reset; an undeclared
        /// error code becomes 0.
        pub fn restore(&mut self, words: &[u64; State::WORDS]) {
            let [status, rest @ ..] = words;
            *self = State {
                status: (*status as u32 & 3) | 8,
                ..State::RESET
            };
            let code = (*status as u32) >> 24;
            if matches!(code, 3) {
                self.status |= code << 24;
            }
            if self.status & 3 >= 2 {
                for (word, index) in rest.iter().zip(0..) {
                    self.write_word(index, *word);
                }
            }
        }

        /// The state word at an index, 0 outside.
        fn read_word(&self, index: u64) -> u64 {
            if index < 1 {
                return self.last;
            }
            if index < 2 {
                return u64::from(self.count);
            }
            0
        }

        /// Writes the state word at an index; drops what lies outside.
        fn write_word(&mut self, index: u64, value: u64) {
            if index < 1 {
                self.last = value;
                return;
            }
            if index < 2 {
                self.count = value as u32 as u8;
            }
        }
    }

    impl Default for State {
        fn default() -> Self {
            State::RESET
        }
    }

    /// What the commands of `org.example.open:Open` do that the specification leaves open. Whoever builds a
    /// fallback supplies it.
    ///
    /// Operands are values of their types, and of results the low bits count. They run only in a context that
    /// is on, which is dirty after them; what they changed before an error stays changed.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not say what the open commands of `org.example.open:Open` do",
        label = "no bodies",
        note = "implement `Bodies` for a type, and give that type to `Soft` or `SoftCxu`"
    )]
    pub trait Bodies: 'static {
        /// The sum of all so far.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn add(state: &mut State, state_2: u64, value: u8) -> Result<u64, Raised<u64>>;

        /// Command 2.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn quiet(state: &mut State, raised: u8, st: i8, n: u8) -> Result<(), Error>;

        /// Command 3.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn odd(state: &mut State, a: u64, error: i8) -> Result<i8, Raised<i8>>;

        /// Command 4.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn pick(state: &mut State, b: B, on: bool) -> Result<G, Raised<G>>;

        /// Command 5.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn is(state: &mut State, a: B) -> Result<bool, Raised<bool>>;

        /// Has no operands and no result.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn ping(state: &mut State) -> Result<(), Error>;

        /// Command 9.
        ///
        /// # Errors
        /// What the command answers, if not that it is done.
        fn all(state: &mut State, n: u16) -> Result<(), Error>;
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
        /// How the command of a body ends that raises this. A code goes into the status word.
        fn answer(self, state: &mut State) -> abi1::Answer {
            let code = match self {
                Error::Cxu => return abi1::Answer::Cxu,
                Error::State => return abi1::Answer::State,
                Error::Off => return abi1::Answer::Off,
                Error::Func => return abi1::Answer::Func,
                Error::Op => return abi1::Answer::Op,
                Error::Trap => return abi1::Answer::Trap,
                Error::Full => 3,
                Error::Custom(code) => code,
            };
            state.status = (state.status & 0x00FF_FFFF) | u32::from(code) << 24;
            abi1::Answer::Custom
        }
    }

    /// `org.example.open:Open` in software: one context. Operands count by their low bits, and a context
    /// that is off gives 0 and stays as it is.
    pub struct Soft<B2: Bodies> {
        state: State,
        bodies: ::core::marker::PhantomData<fn() -> B2>,
    }

    impl<B2: Bodies> Default for Soft<B2> {
        fn default() -> Self {
            Soft {
                state: State::RESET,
                bodies: ::core::marker::PhantomData,
            }
        }
    }

    impl<B2: Bodies> Clone for Soft<B2> {
        fn clone(&self) -> Self {
            Soft {
                state: self.state,
                bodies: ::core::marker::PhantomData,
            }
        }
    }

    impl<B2: Bodies> ::core::fmt::Debug for Soft<B2> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.debug_struct("Soft")
                .field("state", &self.state)
                .finish_non_exhaustive()
        }
    }

    impl<B2: Bodies> Soft<B2> {
        /// The state as it is.
        #[must_use]
        pub fn state(soft: &Soft<B2>) -> &State {
            &soft.state
        }

        /// The status word, then the state words.
        #[must_use]
        pub fn save(soft: &Soft<B2>) -> [u64; State::WORDS] {
            soft.state.save()
        }

        /// Loads an image, as [`State::restore`] does.
        pub fn restore(soft: &mut Soft<B2>, words: &[u64; State::WORDS]) {
            soft.state.restore(words);
        }
    }

    impl<B2: Bodies> Open for Soft<B2> {
        #[inline]
        fn add(&mut self, state: u64, value: u8) -> u64 {
            sw_add::<B2>(&mut self.state, state, value).0
        }

        #[inline]
        fn try_add(&mut self, state: u64, value: u8) -> Result<u64, Error> {
            let (value, answer) = sw_add::<B2>(&mut self.state, state, value);
            Error::check(value, answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn before(&mut self) -> u64 {
            sw_before(&mut self.state)
        }

        #[inline]
        fn quiet<const N: u8>(&mut self, raised: u8, st: i8) {
            abi1::check::<abi1::U8<N>, 5>();
            sw_quiet::<B2>(&mut self.state, raised, st, N);
        }

        #[inline]
        fn try_quiet<const N: u8>(&mut self, raised: u8, st: i8) -> Result<(), Error> {
            abi1::check::<abi1::U8<N>, 5>();
            let ((), answer) = sw_quiet::<B2>(&mut self.state, raised, st, N);
            Error::check((), answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn odd(&mut self, a: u64, error: i8) -> i8 {
            sw_odd::<B2>(&mut self.state, a, error).0
        }

        #[inline]
        fn try_odd(&mut self, a: u64, error: i8) -> Result<i8, Error> {
            let (value, answer) = sw_odd::<B2>(&mut self.state, a, error);
            Error::check(value, answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn odd_i<const ERROR: i8>(&mut self, a: u64) -> i8 {
            abi1::check12::<abi1::I8<ERROR>, 5>();
            sw_odd::<B2>(&mut self.state, a, ERROR).0
        }

        #[inline]
        fn try_odd_i<const ERROR: i8>(&mut self, a: u64) -> Result<i8, Error> {
            abi1::check12::<abi1::I8<ERROR>, 5>();
            let (value, answer) = sw_odd::<B2>(&mut self.state, a, ERROR);
            Error::check(value, answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn pick(&mut self, b: B, on: bool) -> G {
            G(sw_pick::<B2>(&mut self.state, b.0, on).0)
        }

        #[inline]
        fn try_pick(&mut self, b: B, on: bool) -> Result<G, Error> {
            let (value, answer) = sw_pick::<B2>(&mut self.state, b.0, on);
            Error::check(G(value), answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn is<const A: u8>(&mut self) -> bool {
            abi1::check12::<abi1::U8<A>, 3>();
            sw_is::<B2>(&mut self.state, A).0
        }

        #[inline]
        fn try_is<const A: u8>(&mut self) -> Result<bool, Error> {
            abi1::check12::<abi1::U8<A>, 3>();
            let (value, answer) = sw_is::<B2>(&mut self.state, A);
            Error::check(value, answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn ping(&mut self) {
            sw_ping::<B2>(&mut self.state);
        }

        #[inline]
        fn try_ping(&mut self) -> Result<(), Error> {
            let ((), answer) = sw_ping::<B2>(&mut self.state);
            Error::check((), answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn all<const N: u16>(&mut self) {
            abi1::check::<abi1::U16<N>, 15>();
            sw_all::<B2>(&mut self.state, N);
        }

        #[inline]
        fn try_all<const N: u16>(&mut self) -> Result<(), Error> {
            abi1::check::<abi1::U16<N>, 15>();
            let ((), answer) = sw_all::<B2>(&mut self.state, N);
            Error::check((), answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn write_state(&mut self, index: u64, value: u64) -> u64 {
            sw_write_state(&mut self.state, index, value)
        }

        #[inline]
        fn read_state(&mut self, index: u64) -> u64 {
            sw_read_state(&mut self.state, index)
        }

        #[inline]
        fn write_status(&mut self, status: u64) -> u64 {
            sw_write_status(&mut self.state, status)
        }

        #[inline]
        fn read_status(&mut self) -> u64 {
            sw_read_status(&mut self.state)
        }

        #[inline]
        fn seen_read(&self) -> csr::Seen {
            csr::Seen(sw_seen_read(&self.state))
        }

        #[inline]
        fn seen_write(&mut self, word: csr::Seen) {
            sw_seen_write(&mut self.state, word.0);
        }
    }

    /// The fallback as a runtime registers it.
    #[derive(Clone, Copy, Debug)]
    pub struct SoftCxu<B2: Bodies>(::core::marker::PhantomData<fn() -> B2>);

    impl<B2: Bodies> cx::RustCxu for SoftCxu<B2> {
        type State = State;
        type Word = u64;
        const UUID: cx::Uuid = UUID;
        const NAME: &'static ::core::ffi::CStr = c"org.example.open:Open";
        const SHARING: cx::Sharing = cx::Sharing::Exclusive;
        const CONTRACT: [u8; 32] = CONTRACT;
        const FLAGS: u32 = cx::SoftFlags::STATE_CONTEXT;
        const STATE_WORDS: u32 = 2;
        const RESET: State = State::RESET;

        fn issue(state: &mut State, function: u32, rs1: usize, rs2: usize) -> cx::Reply {
            // A context that is off answers only read_status and write_status.
            if state.status & 3 == 0 && !matches!(function, 1022 | 1023) {
                return cx::Reply {
                    value: 0,
                    response: cx::Response::Off,
                };
            }
            let (value, response) = match function & 0xFFFF {
                0 => {
                    let (value, answer) = sw_add::<B2>(state, rs1 as u64, rs2 as u8);
                    (value as usize, answer.response())
                }
                1 => (sw_before(state) as usize, cx::Response::Ok),
                2 => {
                    let ((), answer) =
                        sw_quiet::<B2>(state, rs1 as u8, rs2 as i8, (function >> 16) as u8);
                    (0, answer.response())
                }
                3 => {
                    let (value, answer) = sw_odd::<B2>(state, rs1 as u64, rs2 as i8);
                    (i64::from(value) as u64 as usize, answer.response())
                }
                4 => {
                    let (value, answer) = sw_pick::<B2>(state, rs1 as u8, rs2 & 1 != 0);
                    (usize::from(value), answer.response())
                }
                5 => {
                    let (value, answer) = sw_is::<B2>(state, rs2 as u8);
                    (usize::from(value), answer.response())
                }
                8 => {
                    let ((), answer) = sw_ping::<B2>(state);
                    (0, answer.response())
                }
                9 => {
                    let ((), answer) = sw_all::<B2>(state, rs2 as u16);
                    (0, answer.response())
                }
                1020 => (
                    sw_write_state(state, rs1 as u64, rs2 as u64) as usize,
                    cx::Response::Ok,
                ),
                1021 => (sw_read_state(state, rs1 as u64) as usize, cx::Response::Ok),
                1022 => (
                    sw_write_status(state, rs1 as u64) as usize,
                    cx::Response::Ok,
                ),
                1023 => (sw_read_status(state) as usize, cx::Response::Ok),
                _ => (0, cx::Response::Func),
            };
            cx::Reply { value, response }
        }

        fn flex(function: u32, fields: u32, rs2: usize) -> (u32, usize) {
            match function {
                2 => (function | (fields & 31) << 16, rs2),
                9 => (function, (fields & 32767) as usize),
                _ => (function, rs2),
            }
        }

        fn csr(state: &mut State, op: cx::CsrOp, address: u32, value: usize) -> cx::Reply {
            if state.status & 3 == 0 {
                return cx::Reply {
                    value: 0,
                    response: cx::Response::Off,
                };
            }
            let old = match address {
                0x810 => {
                    let old = sw_seen_read(state);
                    if let Some(word) = op.written(old as usize, value) {
                        sw_seen_write(state, word as u64);
                    }
                    old
                }
                _ => {
                    return cx::Reply {
                        value: 0,
                        response: cx::Response::Func,
                    }
                }
            };
            cx::Reply {
                value: old as usize,
                response: cx::Response::Ok,
            }
        }

        fn save(state: &State, words: &mut [Self::Word]) {
            words.copy_from_slice(&state.save());
        }

        fn restore(state: &mut State, words: &[Self::Word]) {
            if let Ok(words) = words.try_into() {
                state.restore(words);
            }
        }
    }

    /// `before` in software.
    #[inline]
    fn sw_before(st: &mut State) -> u64 {
        if (st.status & 3) == 0 {
            return 0;
        }
        st.last
    }

    /// `write_state` in software.
    #[inline]
    fn sw_write_state(st: &mut State, index: u64, value: u64) -> u64 {
        if (st.status & 3) == 0 {
            return 0;
        }
        st.write_word(index, value);
        st.status |= 3;
        value
    }

    /// `read_state` in software.
    #[inline]
    fn sw_read_state(st: &mut State, index: u64) -> u64 {
        if (st.status & 3) == 0 {
            return 0;
        }
        st.read_word(index)
    }

    /// `write_status` in software.
    #[inline]
    fn sw_write_status(st: &mut State, status: u64) -> u64 {
        let t1: u32 = st.status;
        let t2: u32 = status as u32;
        let t3: u32 = t2 & 3;
        if t3 < 2 {
            *st = State {
                status: st.status,
                ..State::RESET
            };
        }
        let t4: u32 = t2 >> 24;
        st.status = ((if t4 == 0 || t4 == 3 { t4 } else { t1 >> 24 }) << 24) | 8 | t3;
        u64::from(t1)
    }

    /// `read_status` in software.
    #[inline]
    fn sw_read_status(st: &mut State) -> u64 {
        u64::from(st.status)
    }

    /// `add` in software, as its body has it.
    #[inline]
    fn sw_add<B2: Bodies>(st: &mut State, state_2: u64, value_2: u8) -> (u64, abi1::Answer) {
        if st.status & 3 == 0 {
            return (0, abi1::Answer::Off);
        }
        match B2::add(st, state_2, value_2 & 0x1F) {
            Ok(value) => {
                st.status |= 3;
                (value, abi1::Answer::Ok)
            }
            Err(raised) => (raised.value.unwrap_or(0), raised.error.answer(st)),
        }
    }

    /// `quiet` in software, as its body has it.
    #[inline]
    fn sw_quiet<B2: Bodies>(st: &mut State, raised_2: u8, st_2: i8, n: u8) -> ((), abi1::Answer) {
        if st.status & 3 == 0 {
            return ((), abi1::Answer::Off);
        }
        match B2::quiet(st, raised_2, st_2, n & 0x1F) {
            Ok(()) => {
                st.status |= 3;
                ((), abi1::Answer::Ok)
            }
            Err(error) => ((), error.answer(st)),
        }
    }

    /// `odd` in software, as its body has it.
    #[inline]
    fn sw_odd<B2: Bodies>(st: &mut State, a: u64, error_2: i8) -> (i8, abi1::Answer) {
        if st.status & 3 == 0 {
            return (0, abi1::Answer::Off);
        }
        match B2::odd(st, a, error_2 << 3 >> 3) {
            Ok(value) => {
                st.status |= 3;
                (value << 3 >> 3, abi1::Answer::Ok)
            }
            Err(raised) => (
                raised.value.map_or(0, |value| value << 3 >> 3),
                raised.error.answer(st),
            ),
        }
    }

    /// `pick` in software, as its body has it.
    #[inline]
    fn sw_pick<B2: Bodies>(st: &mut State, b: u8, on: bool) -> (u8, abi1::Answer) {
        if st.status & 3 == 0 {
            return (0, abi1::Answer::Off);
        }
        match B2::pick(st, B(b & 0x7), on) {
            Ok(value) => {
                st.status |= 3;
                (value.0 & 0xF, abi1::Answer::Ok)
            }
            Err(raised) => (
                raised.value.map_or(0, |value| value.0 & 0xF),
                raised.error.answer(st),
            ),
        }
    }

    /// `is` in software, as its body has it.
    #[inline]
    fn sw_is<B2: Bodies>(st: &mut State, a: u8) -> (bool, abi1::Answer) {
        if st.status & 3 == 0 {
            return (false, abi1::Answer::Off);
        }
        match B2::is(st, B(a & 0x7)) {
            Ok(value) => {
                st.status |= 3;
                (value, abi1::Answer::Ok)
            }
            Err(raised) => (raised.value.unwrap_or(false), raised.error.answer(st)),
        }
    }

    /// `ping` in software, as its body has it.
    #[inline]
    fn sw_ping<B2: Bodies>(st: &mut State) -> ((), abi1::Answer) {
        if st.status & 3 == 0 {
            return ((), abi1::Answer::Off);
        }
        match B2::ping(st) {
            Ok(()) => {
                st.status |= 3;
                ((), abi1::Answer::Ok)
            }
            Err(error) => ((), error.answer(st)),
        }
    }

    /// `all` in software, as its body has it.
    #[inline]
    fn sw_all<B2: Bodies>(st: &mut State, n: u16) -> ((), abi1::Answer) {
        if st.status & 3 == 0 {
            return ((), abi1::Answer::Off);
        }
        match B2::all(st, n & 0x7FFF) {
            Ok(()) => {
                st.status |= 3;
                ((), abi1::Answer::Ok)
            }
            Err(error) => ((), error.answer(st)),
        }
    }

    /// Reads `seen` in software.
    #[inline]
    fn sw_seen_read(st: &State) -> u64 {
        if (st.status & 3) == 0 {
            return 0;
        }
        st.last
    }

    /// Writes `seen` in software.
    #[inline]
    fn sw_seen_write(st: &mut State, value: u64) {
        if (st.status & 3) == 0 {
            return;
        }
        st.status |= 3;
        st.last = value;
    }

    /// `org.example.open:Open`, selected: each command is one instruction on a hart, and elsewhere a call.
    /// The selection before comes back when this is dropped.
    #[derive(Debug)]
    #[must_use = "the selection before comes back when this is dropped"]
    pub struct Selected<G2>(G2);

    impl<G2: cx::Issue> Selected<G2> {
        /// Takes the guard of a selection of [`UUID`].
        ///
        /// A guard does not know what it selects, so nothing checks this: with that of another CX, its commands of
        /// these function ids run.
        #[inline]
        pub fn new(guard: G2) -> Self {
            abi1::check_xlen::<G2, 64>();
            Selected(guard)
        }
    }

    impl<G2: cx::Issue> Open for Selected<G2> {
        #[inline]
        fn add(&mut self, state: u64, value: u8) -> u64 {
            abi1::value::<G2, 0>(&self.0, Some(state as usize), Some(usize::from(value))) as u64
        }

        #[inline]
        fn try_add(&mut self, state: u64, value: u8) -> Result<u64, Error> {
            let reply =
                abi1::try_value::<G2, 0>(&self.0, Some(state as usize), Some(usize::from(value)));
            Error::check(reply.value as u64, reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn before(&mut self) -> u64 {
            abi1::value::<G2, 1>(&self.0, None, None) as u64
        }

        #[inline]
        fn quiet<const N: u8>(&mut self, raised: u8, st: i8) {
            abi1::check::<abi1::U8<N>, 5>();
            let _ = abi1::flex_immediate::<G2, 2, 5, abi1::U8<N>>(
                &self.0,
                Some(usize::from(raised)),
                Some(i64::from(st) as u64 as usize),
            );
        }

        #[inline]
        fn try_quiet<const N: u8>(&mut self, raised: u8, st: i8) -> Result<(), Error> {
            abi1::check::<abi1::U8<N>, 5>();
            let reply = abi1::try_flex_immediate::<G2, 2, 5, abi1::U8<N>>(
                &self.0,
                Some(usize::from(raised)),
                Some(i64::from(st) as u64 as usize),
            );
            Error::check((), reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn odd(&mut self, a: u64, error: i8) -> i8 {
            abi1::value::<G2, 3>(
                &self.0,
                Some(a as usize),
                Some(i64::from(error) as u64 as usize),
            ) as i8
        }

        #[inline]
        fn try_odd(&mut self, a: u64, error: i8) -> Result<i8, Error> {
            let reply = abi1::try_value::<G2, 3>(
                &self.0,
                Some(a as usize),
                Some(i64::from(error) as u64 as usize),
            );
            Error::check(reply.value as i8, reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn odd_i<const ERROR: i8>(&mut self, a: u64) -> i8 {
            abi1::check12::<abi1::I8<ERROR>, 5>();
            abi1::immediate::<G2, 3, abi1::I8<ERROR>>(&self.0, Some(a as usize)) as i8
        }

        #[inline]
        fn try_odd_i<const ERROR: i8>(&mut self, a: u64) -> Result<i8, Error> {
            abi1::check12::<abi1::I8<ERROR>, 5>();
            let reply = abi1::try_immediate::<G2, 3, abi1::I8<ERROR>>(&self.0, Some(a as usize));
            Error::check(reply.value as i8, reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn pick(&mut self, b: B, on: bool) -> G {
            G(abi1::value::<G2, 4>(&self.0, Some(usize::from(b.0)), Some(usize::from(on))) as u8)
        }

        #[inline]
        fn try_pick(&mut self, b: B, on: bool) -> Result<G, Error> {
            let reply =
                abi1::try_value::<G2, 4>(&self.0, Some(usize::from(b.0)), Some(usize::from(on)));
            Error::check(G(reply.value as u8), reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn is<const A: u8>(&mut self) -> bool {
            abi1::check12::<abi1::U8<A>, 3>();
            abi1::immediate::<G2, 5, abi1::U8<A>>(&self.0, None) & 1 != 0
        }

        #[inline]
        fn try_is<const A: u8>(&mut self) -> Result<bool, Error> {
            abi1::check12::<abi1::U8<A>, 3>();
            let reply = abi1::try_immediate::<G2, 5, abi1::U8<A>>(&self.0, None);
            Error::check(reply.value & 1 != 0, reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn ping(&mut self) {
            let _ = abi1::silent::<G2, 8>(&self.0, None, None);
        }

        #[inline]
        fn try_ping(&mut self) -> Result<(), Error> {
            let reply = abi1::try_silent::<G2, 8>(&self.0, None, None);
            Error::check((), reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn all<const N: u16>(&mut self) {
            abi1::check::<abi1::U16<N>, 15>();
            let _ = abi1::flex25::<G2, 9, abi1::U16<N>>(&self.0);
        }

        #[inline]
        fn try_all<const N: u16>(&mut self) -> Result<(), Error> {
            abi1::check::<abi1::U16<N>, 15>();
            let reply = abi1::try_flex25::<G2, 9, abi1::U16<N>>(&self.0);
            Error::check((), reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn write_state(&mut self, index: u64, value: u64) -> u64 {
            abi1::value::<G2, 1020>(&self.0, Some(index as usize), Some(value as usize)) as u64
        }

        #[inline]
        fn read_state(&mut self, index: u64) -> u64 {
            abi1::value::<G2, 1021>(&self.0, Some(index as usize), None) as u64
        }

        #[inline]
        fn write_status(&mut self, status: u64) -> u64 {
            abi1::value::<G2, 1022>(&self.0, Some(status as usize), None) as u64
        }

        #[inline]
        fn read_status(&mut self) -> u64 {
            abi1::value::<G2, 1023>(&self.0, None, None) as u64
        }

        #[inline]
        fn seen_read(&self) -> csr::Seen {
            csr::Seen(abi1::csr_read::<G2, { csr::Seen::ADDRESS }>(&self.0, 0) as u64)
        }

        #[inline]
        fn seen_write(&mut self, word: csr::Seen) {
            let _ = abi1::csr_write::<G2, { csr::Seen::ADDRESS }>(&self.0, word.0 as usize);
        }

        #[inline]
        fn seen_swap(&mut self, word: csr::Seen) -> csr::Seen {
            csr::Seen(abi1::csr_swap::<G2, { csr::Seen::ADDRESS }>(&self.0, word.0 as usize) as u64)
        }

        #[inline]
        fn seen_set(&mut self, bits: u64) -> csr::Seen {
            csr::Seen(abi1::csr_set::<G2, { csr::Seen::ADDRESS }>(&self.0, bits as usize) as u64)
        }

        #[inline]
        fn seen_clear(&mut self, bits: u64) -> csr::Seen {
            csr::Seen(abi1::csr_clear::<G2, { csr::Seen::ADDRESS }>(&self.0, bits as usize) as u64)
        }

        #[inline]
        fn seen_write_i<const WORD: u64>(&mut self) {
            let _ =
                abi1::csr_write_constant::<G2, { csr::Seen::ADDRESS }, abi1::U64<WORD>>(&self.0);
        }

        #[inline]
        fn seen_set_i<const WORD: u64>(&mut self) -> csr::Seen {
            csr::Seen(
                abi1::csr_set_constant::<G2, { csr::Seen::ADDRESS }, abi1::U64<WORD>>(&self.0)
                    as u64,
            )
        }

        #[inline]
        fn seen_clear_i<const WORD: u64>(&mut self) -> csr::Seen {
            csr::Seen(
                abi1::csr_clear_constant::<G2, { csr::Seen::ADDRESS }, abi1::U64<WORD>>(&self.0)
                    as u64,
            )
        }
    }
}
