// tt.rs
// Generated from org.example.torture:Torture by cxc; do not edit.
//
// A module of a crate that depends on lapis-cx-core: `#[path = "tt.rs"] mod tt;`, or `include!`
// inside a `mod`.

use ::lapis_cx_core as cx;

self::cx::check_abi!("tt.rs", 3, "0.1.0");

#[allow(unreachable_pub, unused_imports)]
pub use self::chosen::*;

#[allow(unexpected_cfgs, unreachable_pub, unused_imports)]
mod chosen {
    #[cfg(any(cx_xlen = "32", all(target_pointer_width = "32", not(cx_xlen = "64"))))]
    pub use super::xlen32::*;
    #[cfg(not(any(cx_xlen = "32", all(target_pointer_width = "32", not(cx_xlen = "64")))))]
    pub use super::xlen64::*;
}

/// `org.example.torture:Torture` where a register has 32 bits.
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
    /// The UUID, aa0f7d0e-00ff-4000-8000-000000000001.
    pub const UUID: cx::Uuid = cx::Uuid::from_u128(0xAA0F_7D0E_00FF_4000_8000_0000_0000_0001);

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0xC9, 0x30, 0xBD, 0xA9, 0x19, 0x3D, 0xFE, 0x76, 0x22, 0x62, 0x0D, 0x26,
        0x51, 0xB2, 0x7B, 0x3B, 0xA7, 0xB7, 0xC3, 0x62, 0xBE, 0xE4, 0x79, 0x15,
        0x28, 0x52, 0xAA, 0x54, 0x5F, 0x3A, 0x75, 0x84,
    ];

    /// The constant `LEAST`.
    pub const LEAST: i32 = -0x8000_0000;
    /// The constant `MOST`.
    pub const MOST: u64 = 0xFFFF_FFFF_FFFF_FFFF;
    /// The constant `YES`.
    pub const YES: bool = true;

    /// Function ids.
    pub mod id {
        /// `dot`
        pub const DOT: u32 = 0;
        /// `latch`
        pub const LATCH: u32 = 1;
        /// `only`
        pub const ONLY: u32 = 2;
        /// `shift`
        pub const SHIFT: u32 = 3;
        /// `pick`
        pub const PICK: u32 = 4;
        /// `entry`
        pub const ENTRY: u32 = 5;
        /// `over`
        pub const OVER: u32 = 6;
        /// `gone`
        pub const GONE: u32 = 7;
        /// `hide`
        pub const HIDE: u32 = 8;
        /// `write_state`
        pub const WRITE_STATE: u32 = 1020;
        /// `read_state`
        pub const READ_STATE: u32 = 1021;
        /// `write_status`
        pub const WRITE_STATUS: u32 = 1022;
        /// `read_status`
        pub const READ_STATUS: u32 = 1023;
    }

    /// The enum `Mode`.
    ///
    /// Any pattern of 2 bits may occur, so this is no Rust enum.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(transparent)]
    pub struct Mode(pub u8);

    impl Mode {
        /// The case `wrap`.
        pub const WRAP: Mode = Mode(0);
        /// The case `saturate`.
        pub const SATURATE: Mode = Mode(1);
        /// The case `class`.
        pub const CLASS: Mode = Mode(3);
    }

    /// Why a command of [`Torture`] was not done.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Error {
        /// it did */ overflow
        Overflow,
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
                    1 => Error::Overflow,
                    code => Error::Custom(code),
                },
                abi1::Answer::Trap => Error::Trap,
            })
        }
    }

    impl ::core::fmt::Display for Error {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(match self {
                Error::Overflow => "it did */ overflow",
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
        /// Ends a comment */ too.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct Mstat(pub u32);

        impl Mstat {
            /// The address of `mstat`.
            pub const ADDRESS: u32 = 0x810;
            /// The lowest bit of `mode`.
            pub const MODE_SHIFT: u32 = 0;
            /// The bits of `mode`.
            pub const MODE_MASK: u32 = 0x3;

            /// The field `mode`.
            ///
            /// Bits 1:0.
            #[must_use]
            pub const fn mode(self) -> super::Mode {
                super::Mode((self.0 & Self::MODE_MASK) as u8)
            }

            /// The same word with another `mode`.
            #[must_use]
            pub const fn with_mode(self, value: super::Mode) -> Self {
                Self((self.0 & !Self::MODE_MASK) | ((value.0 as u32) & Self::MODE_MASK))
            }

            /// The lowest bit of `int`.
            pub const INT_SHIFT: u32 = 3;
            /// The bits of `int`.
            pub const INT_MASK: u32 = 0x3F8;

            /// A */ field.
            ///
            /// Bits 9:3.
            #[must_use]
            pub const fn int(self) -> u8 {
                ((self.0 & Self::INT_MASK) >> 3) as u8
            }

            /// The same word with another `int`.
            #[must_use]
            pub const fn with_int(self, value: u8) -> Self {
                Self((self.0 & !Self::INT_MASK) | (((value as u32) << 3) & Self::INT_MASK))
            }
        }

        /// The CSR `word`.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct Word(pub u32);

        impl Word {
            /// The address of `word`.
            pub const ADDRESS: u32 = 0xCC0;
            /// The lowest bit of `out`.
            pub const OUT_SHIFT: u32 = 0;
            /// The bits of `out`.
            pub const OUT_MASK: u32 = 0xFF;

            /// The field `out`.
            ///
            /// Bits 7:0.
            #[must_use]
            pub const fn out(self) -> u8 {
                (self.0 & Self::OUT_MASK) as u8
            }

            /// The lowest bit of `neg`.
            pub const NEG_SHIFT: u32 = 8;
            /// The bits of `neg`.
            pub const NEG_MASK: u32 = 0xFF00;

            /// The field `neg`.
            ///
            /// Bits 15:8.
            #[must_use]
            pub const fn neg(self) -> i8 {
                ((self.0 << 16) as i32 >> 24) as i8
            }

            /// The lowest bit of `top`.
            pub const TOP_SHIFT: u32 = 31;
            /// The bits of `top`.
            pub const TOP_MASK: u32 = 0x8000_0000;

            /// The field `top`.
            ///
            /// Bit 31.
            #[must_use]
            pub const fn top(self) -> bool {
                self.0 & Self::TOP_MASK != 0
            }
        }
    }

    /// Ends a comment */ and begins /* one.
    pub trait Torture {
        /// Command 0.
        fn dot(&mut self, st: i32, status_in: i32) -> i32;

        /// Command 1.
        fn latch(&mut self, a: u32, b: u32);

        /// Command 2.
        ///
        /// `N` is a value of 1 bit.
        fn only<const N: u8>(&mut self) -> bool;

        /// Command 3.
        ///
        /// `N` is a value of 5 bits.
        fn shift<const N: u8>(&mut self, rd: i32) -> i32;

        /// Command 4.
        fn pick(&mut self, m: Mode, on: bool) -> Mode;

        /// Command 5.
        fn entry(&mut self, i: u32) -> i16;

        /// Command 6.
        fn over(&mut self, a: i8) -> i8;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_over(&mut self, a: i8) -> Result<i8, Error>;

        /// Command 7.
        fn gone(&mut self);

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_gone(&mut self) -> Result<(), Error>;

        /// Operands and locals hide nothing.
        fn hide(&mut self, tt_mode: Mode, tt_fn_lanes: i32) -> i32;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_hide(&mut self, tt_mode: Mode, tt_fn_lanes: i32) -> Result<i32, Error>;

        /// Writes the state word at `index`, returns `value`; an invalid index is dropped.
        fn write_state(&mut self, index: u32, value: u32) -> u32;

        /// The state word at `index`.
        fn read_state(&mut self, index: u32) -> u32;

        /// Writes the status word, returns the old one; cs = initial resets, cs = off turns the context off.
        fn write_status(&mut self, status: u32) -> u32;

        /// The context's status word; never has a side effect.
        fn read_status(&mut self) -> u32;

        /// Ends a comment */ too.
        #[must_use]
        fn mstat_read(&self) -> csr::Mstat;

        /// Writes `mstat`.
        fn mstat_write(&mut self, word: csr::Mstat);

        /// Writes `mstat`; returns what was there before.
        #[inline]
        fn mstat_swap(&mut self, word: csr::Mstat) -> csr::Mstat {
            let old = self.mstat_read();
            self.mstat_write(word);
            old
        }

        /// Sets these bits of `mstat`; returns what was there before.
        #[inline]
        fn mstat_set(&mut self, bits: u32) -> csr::Mstat {
            let old = self.mstat_read();
            self.mstat_write(csr::Mstat(old.0 | bits));
            old
        }

        /// Clears these bits of `mstat`; returns what was there before.
        #[inline]
        fn mstat_clear(&mut self, bits: u32) -> csr::Mstat {
            let old = self.mstat_read();
            self.mstat_write(csr::Mstat(old.0 & !bits));
            old
        }

        /// Writes a constant to `mstat`. One below 32 is part of the instruction.
        #[inline]
        fn mstat_write_i<const WORD: u32>(&mut self) {
            self.mstat_write(csr::Mstat(WORD));
        }

        /// Sets constant bits of `mstat`; returns what was there before.
        #[inline]
        fn mstat_set_i<const WORD: u32>(&mut self) -> csr::Mstat {
            self.mstat_set(WORD)
        }

        /// Clears constant bits of `mstat`; returns what was there before.
        #[inline]
        fn mstat_clear_i<const WORD: u32>(&mut self) -> csr::Mstat {
            self.mstat_clear(WORD)
        }

        /// Reads `word`.
        #[must_use]
        fn word_read(&self) -> csr::Word;
    }

    /// What one user has:
    /// every shape that state can have. */ not the end
    ///
    /// A field holds patterns below 2^width of its type, signed values as two's complement;
    /// rows of arrays follow each other, and wide values are limbs of 32 bits, lowest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct State {
        /// The status word: cs in bits 1:0 (0 off, 1 initial, 2 clean, 3 dirty), the state words in
        /// 11:2, an error code in 31:24.
        pub status: u32,
        /// A keyword of C.
        pub volatile: u8,
        /// The field `status`.
        pub status_: u8,
        /// The field `modes`.
        pub modes: [u8; 2],
        /// The field `int`.
        pub int: [u64; 3],
        /// The field `wide`.
        pub wide: [u32; 7],
        /// The field `mode`.
        pub mode: u8,
    }

    impl State {
        /// Words in an image: the status word, and the state words.
        pub const WORDS: usize = 16;

        /// The reset state: cs is initial.
        pub const RESET: State = State {
            status: 0x3D,
            volatile: 5,
            status_: 1,
            modes: [0, 3],
            int: [0x1_FFFF_FFFF, 2, 0x1_FFFF_FFFC],
            wide: [1, 0, 0, 0, 0, 0, 0],
            mode: 3,
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
                status: (*status & 3) | 0x3C,
                ..State::RESET
            };
            let code = *status >> 24;
            if matches!(code, 1) {
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
                return u32::from(self.volatile);
            }
            if index < 2 {
                return u32::from(self.status_);
            }
            if index < 3 {
                let word_3: u32 = index.wrapping_sub(2);
                let mut t1 = [0_u8; 16];
                for k in 0..16_u32 {
                    let t2: u32 = word_3.wrapping_mul(16).wrapping_add(k);
                    t1[k as usize] = (if t2 < 2 {
                        u32::from(self.modes[t2 as usize])
                    } else {
                        0_u32
                    }) as u8;
                }
                let mut t3: u32 = 0;
                for t4 in 0..16_u32 {
                    t3 |= u32::from(t1[t4 as usize]) << t4.wrapping_mul(2);
                }
                return t3;
            }
            if index < 7 {
                let word_4: u32 = index.wrapping_sub(3);
                let element: u32 = word_4.wrapping_mul(32) / 33;
                let bit: u32 = word_4.wrapping_mul(32) % 33;
                let mut value: u32 = ((if element < 3 {
                    self.int[element as usize]
                } else {
                    0_u64
                }) >> bit) as u32;
                for k in 1..2_u32 {
                    let next: u32 = element.wrapping_add(k);
                    let begins: u32 = k.wrapping_mul(33).wrapping_sub(bit);
                    value |= if begins < 32 {
                        ((if next < 3 {
                            self.int[next as usize]
                        } else {
                            0_u64
                        }) as u32)
                            << begins
                    } else {
                        0
                    };
                }
                return value;
            }
            if index < 14 {
                let word_5: u32 = index.wrapping_sub(7);
                return wide_word32(&self.wide, word_5.wrapping_mul(32));
            }
            if index < 15 {
                return u32::from(self.mode);
            }
            0
        }

        /// Writes the state word at an index; drops what lies outside.
        fn write_word(&mut self, index: u32, value: u32) {
            if index < 1 {
                self.volatile = (value & 0x7F) as u8;
                return;
            }
            if index < 2 {
                self.status_ = (value & 0xF) as u8;
                return;
            }
            if index < 3 {
                let word_3: u32 = index.wrapping_sub(2);
                for k in 0..16_u32 {
                    let t1: u32 = word_3.wrapping_mul(16).wrapping_add(k);
                    if t1 < 2 {
                        self.modes[t1 as usize] = ((value >> k.wrapping_mul(2)) & 3) as u8;
                    }
                }
                return;
            }
            if index < 7 {
                let word_4: u32 = index.wrapping_sub(3);
                let element: u32 = word_4.wrapping_mul(32) / 33;
                let bit: u32 = word_4.wrapping_mul(32) % 33;
                if element < 3 {
                    self.int[element as usize] = (self.int[element as usize]
                        & !(0xFFFF_FFFF_u64 << bit))
                        | ((u64::from(value) << bit) & 0x1_FFFF_FFFF);
                }
                for k in 1..2_u32 {
                    let next: u32 = element.wrapping_add(k);
                    let begins: u32 = k.wrapping_mul(33).wrapping_sub(bit);
                    if next < 3 {
                        self.int[next as usize] =
                            ((if next < 3 { self.int[next as usize] } else { 0 })
                                & !u64::from(if begins < 32 {
                                    0xFFFF_FFFF_u32 >> begins
                                } else {
                                    0_u32
                                }))
                                | u64::from(if begins < 32 { value >> begins } else { 0_u32 });
                    }
                }
                return;
            }
            if index < 14 {
                let word_5: u32 = index.wrapping_sub(7);
                let t2: u32 = word_5.wrapping_mul(32);
                let mut t3 = [0_u32; 7];
                wide_from_word(&mut t3, u64::from(value));
                let mut t4 = [0_u32; 7];
                wide_shl(&mut t4, &TABLE_2, t2);
                let mut t5 = [0_u32; 7];
                wide_not(&mut t5, &t4);
                let mut t6 = [0_u32; 7];
                wide_and(&mut t6, &self.wide, &t5);
                let mut t7 = [0_u32; 7];
                wide_shl(&mut t7, &t3, t2);
                let mut t8 = [0_u32; 7];
                wide_or(&mut t8, &t6, &t7);
                wide_mask(&mut t8, 200);
                self.wide = t8;
                return;
            }
            if index < 15 {
                self.mode = (value & 3) as u8;
            }
        }
    }

    impl Default for State {
        fn default() -> Self {
            State::RESET
        }
    }

    /// `org.example.torture:Torture` in software: one context. Operands count by their low bits, and a context
    /// that is off gives 0 and stays as it is.
    #[derive(Clone, Debug, Default)]
    pub struct Soft {
        state: State,
    }

    impl Soft {
        /// The state as it is.
        #[must_use]
        pub fn state(soft: &Soft) -> &State {
            &soft.state
        }

        /// The status word, then the state words.
        #[must_use]
        pub fn save(soft: &Soft) -> [u32; State::WORDS] {
            soft.state.save()
        }

        /// Loads an image, as [`State::restore`] does.
        pub fn restore(soft: &mut Soft, words: &[u32; State::WORDS]) {
            soft.state.restore(words);
        }
    }

    impl Torture for Soft {
        #[inline]
        fn dot(&mut self, st: i32, status_in: i32) -> i32 {
            sw_dot(&mut self.state, st, status_in)
        }

        #[inline]
        fn latch(&mut self, a: u32, b: u32) {
            sw_latch(&mut self.state, a, b);
        }

        #[inline]
        fn only<const N: u8>(&mut self) -> bool {
            abi1::check12::<abi1::U8<N>, 1>();
            sw_only(&mut self.state, N)
        }

        #[inline]
        fn shift<const N: u8>(&mut self, rd: i32) -> i32 {
            abi1::check12::<abi1::U8<N>, 5>();
            sw_shift(&mut self.state, rd, N)
        }

        #[inline]
        fn pick(&mut self, m: Mode, on: bool) -> Mode {
            Mode(sw_pick(&mut self.state, m.0, on))
        }

        #[inline]
        fn entry(&mut self, i: u32) -> i16 {
            sw_entry(&mut self.state, i)
        }

        #[inline]
        fn over(&mut self, a: i8) -> i8 {
            sw_over(&mut self.state, a).0
        }

        #[inline]
        fn try_over(&mut self, a: i8) -> Result<i8, Error> {
            let (value, answer) = sw_over(&mut self.state, a);
            Error::check(value, answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn gone(&mut self) {
            sw_gone(&mut self.state);
        }

        #[inline]
        fn try_gone(&mut self) -> Result<(), Error> {
            let ((), answer) = sw_gone(&mut self.state);
            Error::check((), answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn hide(&mut self, tt_mode: Mode, tt_fn_lanes: i32) -> i32 {
            sw_hide(&mut self.state, tt_mode.0, tt_fn_lanes).0
        }

        #[inline]
        fn try_hide(&mut self, tt_mode: Mode, tt_fn_lanes: i32) -> Result<i32, Error> {
            let (value, answer) = sw_hide(&mut self.state, tt_mode.0, tt_fn_lanes);
            Error::check(value, answer, || (self.state.status >> 24) as u8)
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
        fn mstat_read(&self) -> csr::Mstat {
            csr::Mstat(sw_mstat_read(&self.state))
        }

        #[inline]
        fn mstat_write(&mut self, word: csr::Mstat) {
            sw_mstat_write(&mut self.state, word.0);
        }

        #[inline]
        fn word_read(&self) -> csr::Word {
            csr::Word(sw_word_read(&self.state))
        }
    }

    /// The fallback as a runtime registers it.
    #[derive(Clone, Copy, Debug)]
    pub struct SoftCxu;

    impl cx::RustCxu for SoftCxu {
        type State = State;
        type Word = u32;
        const UUID: cx::Uuid = UUID;
        const NAME: &'static ::core::ffi::CStr = c"org.example.torture:Torture";
        const SHARING: cx::Sharing = cx::Sharing::Exclusive;
        const CONTRACT: [u8; 32] = CONTRACT;
        const FLAGS: u32 = cx::SoftFlags::STATE_CONTEXT;
        const STATE_WORDS: u32 = 15;
        const RESET: State = State::RESET;

        fn issue(state: &mut State, function: u32, rs1: usize, rs2: usize) -> cx::Reply {
            // A context that is off answers only read_status and write_status.
            if state.status & 3 == 0 && !matches!(function, 1022 | 1023) {
                return cx::Reply {
                    value: 0,
                    response: cx::Response::Off,
                };
            }
            let (value, response) = match function {
                0 => (
                    sw_dot(state, rs1 as i32, rs2 as i32) as u32 as usize,
                    cx::Response::Ok,
                ),
                1 => {
                    sw_latch(state, rs1 as u32, rs2 as u32);
                    (0, cx::Response::Ok)
                }
                2 => (usize::from(sw_only(state, rs2 as u8)), cx::Response::Ok),
                3 => (
                    sw_shift(state, rs1 as i32, rs2 as u8) as u32 as usize,
                    cx::Response::Ok,
                ),
                4 => (
                    usize::from(sw_pick(state, rs1 as u8, rs2 & 1 != 0)),
                    cx::Response::Ok,
                ),
                5 => (
                    i32::from(sw_entry(state, rs1 as u32)) as u32 as usize,
                    cx::Response::Ok,
                ),
                6 => {
                    let (value, answer) = sw_over(state, rs1 as i8);
                    (i32::from(value) as u32 as usize, answer.response())
                }
                7 => {
                    let ((), answer) = sw_gone(state);
                    (0, answer.response())
                }
                8 => {
                    let (value, answer) = sw_hide(state, rs1 as u8, rs2 as i32);
                    (value as u32 as usize, answer.response())
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

        fn csr(state: &mut State, op: cx::CsrOp, address: u32, value: usize) -> cx::Reply {
            if state.status & 3 == 0 {
                return cx::Reply {
                    value: 0,
                    response: cx::Response::Off,
                };
            }
            let old = match address {
                0x810 => {
                    let old = sw_mstat_read(state);
                    if let Some(word) = op.written(old as usize, value) {
                        sw_mstat_write(state, word as u32);
                    }
                    old
                }
                0xCC0 if op == cx::CsrOp::Read => sw_word_read(state),
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

    /// Constants.
    #[rustfmt::skip]
    static TABLE_2: [u32; 7] = [
        0xFFFF_FFFF, 0x0000_0000, 0x0000_0000, 0x0000_0000,
        0x0000_0000, 0x0000_0000, 0x0000_0000,
    ];

    /// Constants.
    #[rustfmt::skip]
    static TABLE_TABLE: [u16; 3] = [0xFFFF, 0x0002, 0xFFFD];
    /// Constants.
    #[rustfmt::skip]
    static TABLE_3: [u8; 2] = [0x00, 0x03];

    /// Constants.
    #[rustfmt::skip]
    static TABLE_4: [u64; 3] = [
        0x0000_0001_FFFF_FFFF, 0x0000_0000_0000_0002, 0x0000_0001_FFFF_FFFC,
    ];

    /// Constants.
    #[rustfmt::skip]
    static TABLE_5: [u32; 7] = [
        0x0000_0001, 0x0000_0000, 0x0000_0000, 0x0000_0000,
        0x0000_0000, 0x0000_0000, 0x0000_0000,
    ];

    /// The function `lanes`.
    #[inline]
    fn fn_lanes(a: u32, b: u32) -> u32 {
        let mut x = [0_u8; 4];
        let t1: u32 = a;
        x[0] = t1 as u8;
        x[1] = (t1 >> 8) as u8;
        x[2] = (t1 >> 16) as u8;
        x[3] = (t1 >> 24) as u8;
        let mut y = [0_u8; 4];
        let t2: u32 = b;
        y[0] = t2 as u8;
        y[1] = (t2 >> 8) as u8;
        y[2] = (t2 >> 16) as u8;
        y[3] = (t2 >> 24) as u8;
        let mut sum: u32 = 0;
        for k in 0..4_u32 {
            sum = sum.wrapping_add(
                (x[k as usize] as i8 as u32).wrapping_mul(y[k as usize] as i8 as u32) as i16 as u32,
            );
        }
        sum
    }

    /// `dot` in software.
    #[inline]
    fn sw_dot(st: &mut State, st_3: i32, status_in: i32) -> i32 {
        if (st.status & 3) == 0 {
            return 0;
        }
        let st_2: u32 = st_3 as u32;
        let status_in: u32 = status_in as u32;
        fn_lanes(st_2, status_in) as i32
    }

    /// `latch` in software.
    #[inline]
    fn sw_latch(st: &mut State, a: u32, b: u32) {
        if (st.status & 3) == 0 {
            return;
        }
        st.status |= 3;
        let mut t1 = [0_u32; 7];
        wide_from_word(&mut t1, u64::from(a));
        let mut t2 = [0_u32; 7];
        wide_shl(&mut t2, &TABLE_2, 64);
        let mut t3 = [0_u32; 7];
        wide_not(&mut t3, &t2);
        let mut t4 = [0_u32; 7];
        wide_and(&mut t4, &st.wide, &t3);
        let mut t5 = [0_u32; 7];
        wide_shl(&mut t5, &t1, 64);
        let mut t6 = [0_u32; 7];
        wide_or(&mut t6, &t4, &t5);
        wide_mask(&mut t6, 200);
        st.wide = t6;
        let mut t7 = [0_u32; 7];
        wide_from_word(&mut t7, u64::from(b));
        let mut t8 = [0_u32; 7];
        wide_shl(&mut t8, &TABLE_2, 0);
        let mut t9 = [0_u32; 7];
        wide_not(&mut t9, &t8);
        let mut t10 = [0_u32; 7];
        wide_and(&mut t10, &st.wide, &t9);
        let mut t11 = [0_u32; 7];
        wide_shl(&mut t11, &t7, 0);
        let mut t12 = [0_u32; 7];
        wide_or(&mut t12, &t10, &t11);
        wide_mask(&mut t12, 200);
        st.wide = t12;
    }

    /// `only` in software.
    #[inline]
    fn sw_only(st: &mut State, n: u8) -> bool {
        if (st.status & 3) == 0 {
            return false;
        }
        let n: u32 = u32::from(n) & 1;
        n == 1
    }

    /// `shift` in software.
    #[inline]
    fn sw_shift(st: &mut State, rd: i32, n: u8) -> i32 {
        if (st.status & 3) == 0 {
            return 0;
        }
        let rd: u32 = rd as u32;
        let n: u32 = u32::from(n) & 0x1F;
        ((rd ^ 0x8000_0000) >> n).wrapping_sub(0x8000_0000_u32 >> n) as i32
    }

    /// `pick` in software.
    #[inline]
    fn sw_pick(st: &mut State, m: u8, on: bool) -> u8 {
        if (st.status & 3) == 0 {
            return 0;
        }
        let m: u32 = u32::from(m) & 3;
        st.status |= 3;
        st.mode = m as u8;
        (if on { m } else { 0_u32 }) as u8
    }

    /// `entry` in software.
    #[inline]
    fn sw_entry(st: &mut State, i: u32) -> i16 {
        if (st.status & 3) == 0 {
            return 0;
        }
        (if i < 3 {
            u32::from(TABLE_TABLE[i as usize])
        } else {
            0_u32
        }) as i16
    }

    /// `over` in software.
    #[inline]
    fn sw_over(st: &mut State, a: i8) -> (i8, abi1::Answer) {
        if (st.status & 3) == 0 {
            return (0, abi1::Answer::Off);
        }
        let a: u32 = u32::from(a as u8);
        let old_status: u32 = st.status;
        let old_volatile: u32 = u32::from(st.volatile);
        st.status |= 3;
        st.volatile = 9;
        if (a ^ 0x80) < 128 {
            let t1: u32 = a;
            st.volatile = old_volatile as u8;
            st.status = (old_status & 0xFF_FFFF) | 0x100_0000;
            return (t1 as i8, abi1::Answer::Custom);
        }
        if a < 3 {
            st.int[a as usize] = (a as i8 as u64) & 0x1_FFFF_FFFF;
        }
        (a as i8, abi1::Answer::Ok)
    }

    /// `gone` in software.
    #[inline]
    fn sw_gone(st: &mut State) -> ((), abi1::Answer) {
        if (st.status & 3) == 0 {
            return ((), abi1::Answer::Off);
        }
        ((), abi1::Answer::Trap)
    }

    /// `hide` in software.
    #[inline]
    fn sw_hide(st: &mut State, tt_mode: u8, tt_fn_lanes: i32) -> (i32, abi1::Answer) {
        if (st.status & 3) == 0 {
            return (0, abi1::Answer::Off);
        }
        let tt_mode: u32 = u32::from(tt_mode) & 3;
        let tt_fn_lanes: u32 = tt_fn_lanes as u32;
        let tt_read_word: u32 = fn_lanes(tt_fn_lanes, 1);
        if tt_mode == 0 {
            return (0, abi1::Answer::Op);
        }
        (fn_lanes(tt_read_word, 2) as i32, abi1::Answer::Ok)
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
        st.status = ((if t4 == 0 || t4 == 1 { t4 } else { t1 >> 24 }) << 24) | 0x3C | t3;
        t1
    }

    /// `read_status` in software.
    #[inline]
    fn sw_read_status(st: &mut State) -> u32 {
        st.status
    }

    /// Reads `mstat` in software.
    #[inline]
    fn sw_mstat_read(st: &State) -> u32 {
        if (st.status & 3) == 0 {
            return 0;
        }
        (u32::from(st.volatile) << 3) | u32::from(st.mode)
    }

    /// Writes `mstat` in software.
    #[inline]
    fn sw_mstat_write(st: &mut State, value: u32) {
        if (st.status & 3) == 0 {
            return;
        }
        st.status |= 3;
        let mode: u32 = value & 3;
        let t1: u32 = mode;
        if t1 <= 1 || t1 == 3 {
            st.mode = mode as u8;
        }
        st.volatile = ((value >> 3) & 0x7F) as u8;
    }

    /// Reads `word` in software.
    #[inline]
    fn sw_word_read(st: &State) -> u32 {
        if (st.status & 3) == 0 {
            return 0;
        }
        let t1: u64 = st.int[2];
        let t2: u64 = t1 ^ 0x1_0000_0000;
        (u32::from((wide_word32(&st.wide, 0) & 1) == 1) << 31)
            | (((if t2 < 0xFFFF_FF80 {
                0x80
            } else if t2 > 0x1_0000_007F {
                0x7F
            } else {
                t1 as u32
            }) & 0xFF)
                << 8)
            | (fn_lanes(1, 2) & 0xFF)
    }

    /// A word, zero-extended.
    fn wide_from_word(r: &mut [u32], mut v: u64) {
        for limb in r {
            *limb = v as u32;
            v >>= 32;
        }
    }

    /// `a & b`
    fn wide_and(r: &mut [u32], a: &[u32], b: &[u32]) {
        for ((r, a), b) in r.iter_mut().zip(a).zip(b) {
            *r = a & b;
        }
    }

    /// `a | b`
    fn wide_or(r: &mut [u32], a: &[u32], b: &[u32]) {
        for ((r, a), b) in r.iter_mut().zip(a).zip(b) {
            *r = a | b;
        }
    }

    /// `!a`
    fn wide_not(r: &mut [u32], a: &[u32]) {
        for (r, a) in r.iter_mut().zip(a) {
            *r = !a;
        }
    }

    /// `a << by`
    fn wide_shl(r: &mut [u32], a: &[u32], by: u32) {
        let (limbs, bits) = (by as usize / 32, by % 32);
        let limb = |i: usize| {
            u64::from(
                i.checked_sub(limbs)
                    .and_then(|i| a.get(i))
                    .copied()
                    .unwrap_or(0),
            )
        };
        for (i, r) in r.iter_mut().enumerate() {
            let low = if i > 0 { limb(i - 1) } else { 0 };
            *r = ((limb(i) << 32 | low) >> (32 - bits)) as u32;
        }
    }

    /// Clears the bits from `width` up.
    fn wide_mask(r: &mut [u32], width: usize) {
        for (i, limb) in r.iter_mut().enumerate().skip(width / 32) {
            *limb &= if i == width / 32 {
                (1 << (width % 32)) - 1
            } else {
                0
            };
        }
    }

    /// The 32 bits from `at` up.
    fn wide_word32(a: &[u32], at: u32) -> u32 {
        wide_word64(a, at) as u32
    }

    /// The 64 bits from `at` up; zeros beyond the top.
    fn wide_word64(a: &[u32], at: u32) -> u64 {
        let limb = |i: usize| u128::from(a.get(i).copied().unwrap_or(0));
        let i = at as usize / 32;
        ((limb(i + 2) << 64 | limb(i + 1) << 32 | limb(i)) >> (at % 32)) as u64
    }

    /// `org.example.torture:Torture`, selected: each command is one instruction on a hart, and elsewhere a call.
    /// The selection before comes back when this is dropped.
    #[derive(Debug)]
    #[must_use = "the selection before comes back when this is dropped"]
    pub struct Selected<G>(G);

    impl<G: cx::Issue> Selected<G> {
        /// Takes the guard of a selection of [`UUID`].
        ///
        /// A guard does not know what it selects, so nothing checks this: with that of another CX, its commands of
        /// these function ids run.
        #[inline]
        pub fn new(guard: G) -> Self {
            abi1::check_xlen::<G, 32>();
            Selected(guard)
        }
    }

    impl<G: cx::Issue> Torture for Selected<G> {
        #[inline]
        fn dot(&mut self, st: i32, status_in: i32) -> i32 {
            abi1::value::<G, 0>(
                &self.0,
                Some(st as u32 as usize),
                Some(status_in as u32 as usize),
            ) as i32
        }

        #[inline]
        fn latch(&mut self, a: u32, b: u32) {
            let _ = abi1::flex::<G, 1>(&self.0, Some(a as usize), Some(b as usize));
        }

        #[inline]
        fn only<const N: u8>(&mut self) -> bool {
            abi1::check12::<abi1::U8<N>, 1>();
            abi1::immediate::<G, 2, abi1::U8<N>>(&self.0, None) & 1 != 0
        }

        #[inline]
        fn shift<const N: u8>(&mut self, rd: i32) -> i32 {
            abi1::check12::<abi1::U8<N>, 5>();
            abi1::immediate::<G, 3, abi1::U8<N>>(&self.0, Some(rd as u32 as usize)) as i32
        }

        #[inline]
        fn pick(&mut self, m: Mode, on: bool) -> Mode {
            Mode(abi1::value::<G, 4>(&self.0, Some(usize::from(m.0)), Some(usize::from(on))) as u8)
        }

        #[inline]
        fn entry(&mut self, i: u32) -> i16 {
            abi1::value::<G, 5>(&self.0, Some(i as usize), None) as i16
        }

        #[inline]
        fn over(&mut self, a: i8) -> i8 {
            abi1::value::<G, 6>(&self.0, Some(i32::from(a) as u32 as usize), None) as i8
        }

        #[inline]
        fn try_over(&mut self, a: i8) -> Result<i8, Error> {
            let reply = abi1::try_value::<G, 6>(&self.0, Some(i32::from(a) as u32 as usize), None);
            Error::check(reply.value as i8, reply.response.into(), || {
                (abi1::value::<G, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn gone(&mut self) {
            let _ = abi1::silent::<G, 7>(&self.0, None, None);
        }

        #[inline]
        fn try_gone(&mut self) -> Result<(), Error> {
            let reply = abi1::try_silent::<G, 7>(&self.0, None, None);
            Error::check((), reply.response.into(), || {
                (abi1::value::<G, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn hide(&mut self, tt_mode: Mode, tt_fn_lanes: i32) -> i32 {
            abi1::value::<G, 8>(
                &self.0,
                Some(usize::from(tt_mode.0)),
                Some(tt_fn_lanes as u32 as usize),
            ) as i32
        }

        #[inline]
        fn try_hide(&mut self, tt_mode: Mode, tt_fn_lanes: i32) -> Result<i32, Error> {
            let reply = abi1::try_value::<G, 8>(
                &self.0,
                Some(usize::from(tt_mode.0)),
                Some(tt_fn_lanes as u32 as usize),
            );
            Error::check(reply.value as i32, reply.response.into(), || {
                (abi1::value::<G, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn write_state(&mut self, index: u32, value: u32) -> u32 {
            abi1::value::<G, 1020>(&self.0, Some(index as usize), Some(value as usize)) as u32
        }

        #[inline]
        fn read_state(&mut self, index: u32) -> u32 {
            abi1::value::<G, 1021>(&self.0, Some(index as usize), None) as u32
        }

        #[inline]
        fn write_status(&mut self, status: u32) -> u32 {
            abi1::value::<G, 1022>(&self.0, Some(status as usize), None) as u32
        }

        #[inline]
        fn read_status(&mut self) -> u32 {
            abi1::value::<G, 1023>(&self.0, None, None) as u32
        }

        #[inline]
        fn mstat_read(&self) -> csr::Mstat {
            csr::Mstat(abi1::csr_read::<G, { csr::Mstat::ADDRESS }>(&self.0, 0) as u32)
        }

        #[inline]
        fn mstat_write(&mut self, word: csr::Mstat) {
            let _ = abi1::csr_write::<G, { csr::Mstat::ADDRESS }>(&self.0, word.0 as usize);
        }

        #[inline]
        fn mstat_swap(&mut self, word: csr::Mstat) -> csr::Mstat {
            csr::Mstat(
                abi1::csr_swap::<G, { csr::Mstat::ADDRESS }>(&self.0, word.0 as usize) as u32,
            )
        }

        #[inline]
        fn mstat_set(&mut self, bits: u32) -> csr::Mstat {
            csr::Mstat(abi1::csr_set::<G, { csr::Mstat::ADDRESS }>(&self.0, bits as usize) as u32)
        }

        #[inline]
        fn mstat_clear(&mut self, bits: u32) -> csr::Mstat {
            csr::Mstat(abi1::csr_clear::<G, { csr::Mstat::ADDRESS }>(&self.0, bits as usize) as u32)
        }

        #[inline]
        fn mstat_write_i<const WORD: u32>(&mut self) {
            let _ =
                abi1::csr_write_constant::<G, { csr::Mstat::ADDRESS }, abi1::U32<WORD>>(&self.0);
        }

        #[inline]
        fn mstat_set_i<const WORD: u32>(&mut self) -> csr::Mstat {
            csr::Mstat(
                abi1::csr_set_constant::<G, { csr::Mstat::ADDRESS }, abi1::U32<WORD>>(&self.0)
                    as u32,
            )
        }

        #[inline]
        fn mstat_clear_i<const WORD: u32>(&mut self) -> csr::Mstat {
            csr::Mstat(
                abi1::csr_clear_constant::<G, { csr::Mstat::ADDRESS }, abi1::U32<WORD>>(&self.0)
                    as u32,
            )
        }

        #[inline]
        fn word_read(&self) -> csr::Word {
            csr::Word(abi1::csr_read::<G, { csr::Word::ADDRESS }>(&self.0, 0) as u32)
        }
    }
}

/// `org.example.torture:Torture` where a register has 64 bits.
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
    /// The UUID, aa0f7d0e-00ff-4000-8000-000000000001.
    pub const UUID: cx::Uuid = cx::Uuid::from_u128(0xAA0F_7D0E_00FF_4000_8000_0000_0000_0001);

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0xC9, 0x30, 0xBD, 0xA9, 0x19, 0x3D, 0xFE, 0x76, 0x22, 0x62, 0x0D, 0x26,
        0x51, 0xB2, 0x7B, 0x3B, 0xA7, 0xB7, 0xC3, 0x62, 0xBE, 0xE4, 0x79, 0x15,
        0x28, 0x52, 0xAA, 0x54, 0x5F, 0x3A, 0x75, 0x84,
    ];

    /// The constant `LEAST`.
    pub const LEAST: i32 = -0x8000_0000;
    /// The constant `MOST`.
    pub const MOST: u64 = 0xFFFF_FFFF_FFFF_FFFF;
    /// The constant `YES`.
    pub const YES: bool = true;

    /// Function ids.
    pub mod id {
        /// `dot`
        pub const DOT: u32 = 0;
        /// `latch`
        pub const LATCH: u32 = 1;
        /// `only`
        pub const ONLY: u32 = 2;
        /// `shift`
        pub const SHIFT: u32 = 3;
        /// `pick`
        pub const PICK: u32 = 4;
        /// `entry`
        pub const ENTRY: u32 = 5;
        /// `over`
        pub const OVER: u32 = 6;
        /// `gone`
        pub const GONE: u32 = 7;
        /// `hide`
        pub const HIDE: u32 = 8;
        /// `write_state`
        pub const WRITE_STATE: u32 = 1020;
        /// `read_state`
        pub const READ_STATE: u32 = 1021;
        /// `write_status`
        pub const WRITE_STATUS: u32 = 1022;
        /// `read_status`
        pub const READ_STATUS: u32 = 1023;
    }

    /// The enum `Mode`.
    ///
    /// Any pattern of 2 bits may occur, so this is no Rust enum.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(transparent)]
    pub struct Mode(pub u8);

    impl Mode {
        /// The case `wrap`.
        pub const WRAP: Mode = Mode(0);
        /// The case `saturate`.
        pub const SATURATE: Mode = Mode(1);
        /// The case `class`.
        pub const CLASS: Mode = Mode(3);
    }

    /// Why a command of [`Torture`] was not done.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Error {
        /// it did */ overflow
        Overflow,
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
                    1 => Error::Overflow,
                    code => Error::Custom(code),
                },
                abi1::Answer::Trap => Error::Trap,
            })
        }
    }

    impl ::core::fmt::Display for Error {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(match self {
                Error::Overflow => "it did */ overflow",
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
        /// Ends a comment */ too.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct Mstat(pub u64);

        impl Mstat {
            /// The address of `mstat`.
            pub const ADDRESS: u32 = 0x810;
            /// The lowest bit of `mode`.
            pub const MODE_SHIFT: u32 = 0;
            /// The bits of `mode`.
            pub const MODE_MASK: u64 = 0x3;

            /// The field `mode`.
            ///
            /// Bits 1:0.
            #[must_use]
            pub const fn mode(self) -> super::Mode {
                super::Mode((self.0 & Self::MODE_MASK) as u8)
            }

            /// The same word with another `mode`.
            #[must_use]
            pub const fn with_mode(self, value: super::Mode) -> Self {
                Self((self.0 & !Self::MODE_MASK) | ((value.0 as u64) & Self::MODE_MASK))
            }

            /// The lowest bit of `int`.
            pub const INT_SHIFT: u32 = 3;
            /// The bits of `int`.
            pub const INT_MASK: u64 = 0x3F8;

            /// A */ field.
            ///
            /// Bits 9:3.
            #[must_use]
            pub const fn int(self) -> u8 {
                ((self.0 & Self::INT_MASK) >> 3) as u8
            }

            /// The same word with another `int`.
            #[must_use]
            pub const fn with_int(self, value: u8) -> Self {
                Self((self.0 & !Self::INT_MASK) | (((value as u64) << 3) & Self::INT_MASK))
            }
        }

        /// The CSR `word`.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct Word(pub u64);

        impl Word {
            /// The address of `word`.
            pub const ADDRESS: u32 = 0xCC0;
            /// The lowest bit of `out`.
            pub const OUT_SHIFT: u32 = 0;
            /// The bits of `out`.
            pub const OUT_MASK: u64 = 0xFF;

            /// The field `out`.
            ///
            /// Bits 7:0.
            #[must_use]
            pub const fn out(self) -> u8 {
                (self.0 & Self::OUT_MASK) as u8
            }

            /// The lowest bit of `neg`.
            pub const NEG_SHIFT: u32 = 8;
            /// The bits of `neg`.
            pub const NEG_MASK: u64 = 0xFF00;

            /// The field `neg`.
            ///
            /// Bits 15:8.
            #[must_use]
            pub const fn neg(self) -> i8 {
                ((self.0 << 48) as i64 >> 56) as i8
            }

            /// The lowest bit of `top`.
            pub const TOP_SHIFT: u32 = 63;
            /// The bits of `top`.
            pub const TOP_MASK: u64 = 0x8000_0000_0000_0000;

            /// The field `top`.
            ///
            /// Bit 63.
            #[must_use]
            pub const fn top(self) -> bool {
                self.0 & Self::TOP_MASK != 0
            }
        }
    }

    /// Ends a comment */ and begins /* one.
    pub trait Torture {
        /// Command 0.
        fn dot(&mut self, st: i32, status_in: i32) -> i32;

        /// Command 1.
        fn latch(&mut self, a: u64, b: u64);

        /// Command 2.
        ///
        /// `N` is a value of 1 bit.
        fn only<const N: u8>(&mut self) -> bool;

        /// Command 3.
        ///
        /// `N` is a value of 5 bits.
        fn shift<const N: u8>(&mut self, rd: i64) -> i64;

        /// Command 4.
        fn pick(&mut self, m: Mode, on: bool) -> Mode;

        /// Command 5.
        fn entry(&mut self, i: u64) -> i16;

        /// Command 6.
        fn over(&mut self, a: i8) -> i8;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_over(&mut self, a: i8) -> Result<i8, Error>;

        /// Command 7.
        fn gone(&mut self);

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_gone(&mut self) -> Result<(), Error>;

        /// Operands and locals hide nothing.
        fn hide(&mut self, tt_mode: Mode, tt_fn_lanes: i32) -> i32;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_hide(&mut self, tt_mode: Mode, tt_fn_lanes: i32) -> Result<i32, Error>;

        /// Writes the state word at `index`, returns `value`; an invalid index is dropped.
        fn write_state(&mut self, index: u64, value: u64) -> u64;

        /// The state word at `index`.
        fn read_state(&mut self, index: u64) -> u64;

        /// Writes the status word, returns the old one; cs = initial resets, cs = off turns the context off.
        fn write_status(&mut self, status: u64) -> u64;

        /// The context's status word; never has a side effect.
        fn read_status(&mut self) -> u64;

        /// Ends a comment */ too.
        #[must_use]
        fn mstat_read(&self) -> csr::Mstat;

        /// Writes `mstat`.
        fn mstat_write(&mut self, word: csr::Mstat);

        /// Writes `mstat`; returns what was there before.
        #[inline]
        fn mstat_swap(&mut self, word: csr::Mstat) -> csr::Mstat {
            let old = self.mstat_read();
            self.mstat_write(word);
            old
        }

        /// Sets these bits of `mstat`; returns what was there before.
        #[inline]
        fn mstat_set(&mut self, bits: u64) -> csr::Mstat {
            let old = self.mstat_read();
            self.mstat_write(csr::Mstat(old.0 | bits));
            old
        }

        /// Clears these bits of `mstat`; returns what was there before.
        #[inline]
        fn mstat_clear(&mut self, bits: u64) -> csr::Mstat {
            let old = self.mstat_read();
            self.mstat_write(csr::Mstat(old.0 & !bits));
            old
        }

        /// Writes a constant to `mstat`. One below 32 is part of the instruction.
        #[inline]
        fn mstat_write_i<const WORD: u64>(&mut self) {
            self.mstat_write(csr::Mstat(WORD));
        }

        /// Sets constant bits of `mstat`; returns what was there before.
        #[inline]
        fn mstat_set_i<const WORD: u64>(&mut self) -> csr::Mstat {
            self.mstat_set(WORD)
        }

        /// Clears constant bits of `mstat`; returns what was there before.
        #[inline]
        fn mstat_clear_i<const WORD: u64>(&mut self) -> csr::Mstat {
            self.mstat_clear(WORD)
        }

        /// Reads `word`.
        #[must_use]
        fn word_read(&self) -> csr::Word;
    }

    /// What one user has:
    /// every shape that state can have. */ not the end
    ///
    /// A field holds patterns below 2^width of its type, signed values as two's complement;
    /// rows of arrays follow each other, and wide values are limbs of 32 bits, lowest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct State {
        /// The status word: cs in bits 1:0 (0 off, 1 initial, 2 clean, 3 dirty), the state words in
        /// 11:2, an error code in 31:24.
        pub status: u32,
        /// A keyword of C.
        pub volatile: u8,
        /// The field `status`.
        pub status_: u8,
        /// The field `modes`.
        pub modes: [u8; 2],
        /// The field `int`.
        pub int: [u64; 3],
        /// The field `wide`.
        pub wide: [u32; 7],
        /// The field `mode`.
        pub mode: u8,
    }

    impl State {
        /// Words in an image: the status word, and the state words.
        pub const WORDS: usize = 11;

        /// The reset state: cs is initial.
        pub const RESET: State = State {
            status: 0x29,
            volatile: 5,
            status_: 1,
            modes: [0, 3],
            int: [0x1_FFFF_FFFF, 2, 0x1_FFFF_FFFC],
            wide: [1, 0, 0, 0, 0, 0, 0],
            mode: 3,
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
                status: (*status as u32 & 3) | 0x28,
                ..State::RESET
            };
            let code = (*status as u32) >> 24;
            if matches!(code, 1) {
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
                return u64::from(self.volatile);
            }
            if index < 2 {
                return u64::from(self.status_);
            }
            if index < 3 {
                let word_3: u32 = (index as u32).wrapping_sub(2);
                let mut t1 = [0_u8; 32];
                for k in 0..32_u32 {
                    let t2: u32 = word_3.wrapping_mul(32).wrapping_add(k);
                    t1[k as usize] = (if t2 < 2 {
                        u32::from(self.modes[t2 as usize])
                    } else {
                        0_u32
                    }) as u8;
                }
                let mut t3: u64 = 0;
                for t4 in 0..32_u32 {
                    t3 |= u64::from(t1[t4 as usize]) << t4.wrapping_mul(2);
                }
                return t3;
            }
            if index < 5 {
                let word_4: u32 = (index as u32).wrapping_sub(3);
                let element: u32 = word_4.wrapping_mul(64) / 33;
                let bit: u32 = word_4.wrapping_mul(64) % 33;
                let mut value: u64 = (if element < 3 {
                    self.int[element as usize]
                } else {
                    0
                }) >> bit;
                for k in 1..3_u32 {
                    let next: u32 = element.wrapping_add(k);
                    let begins: u32 = k.wrapping_mul(33).wrapping_sub(bit);
                    value |= if begins < 64 {
                        (if next < 3 { self.int[next as usize] } else { 0 }) << begins
                    } else {
                        0
                    };
                }
                return value;
            }
            if index < 9 {
                let word_5: u32 = (index as u32).wrapping_sub(5);
                return wide_word64(&self.wide, word_5.wrapping_mul(64));
            }
            if index < 10 {
                return u64::from(self.mode);
            }
            0
        }

        /// Writes the state word at an index; drops what lies outside.
        fn write_word(&mut self, index: u64, value: u64) {
            if index < 1 {
                self.volatile = ((value as u32) & 0x7F) as u8;
                return;
            }
            if index < 2 {
                self.status_ = ((value as u32) & 0xF) as u8;
                return;
            }
            if index < 3 {
                let word_3: u32 = (index as u32).wrapping_sub(2);
                for k in 0..32_u32 {
                    let t1: u32 = word_3.wrapping_mul(32).wrapping_add(k);
                    if t1 < 2 {
                        self.modes[t1 as usize] = (((value >> k.wrapping_mul(2)) as u32) & 3) as u8;
                    }
                }
                return;
            }
            if index < 5 {
                let word_4: u32 = (index as u32).wrapping_sub(3);
                let element: u32 = word_4.wrapping_mul(64) / 33;
                let bit: u32 = word_4.wrapping_mul(64) % 33;
                if element < 3 {
                    self.int[element as usize] = (self.int[element as usize]
                        & !(0x1_FFFF_FFFF_u64 << bit))
                        | (((value & 0x1_FFFF_FFFF) << bit) & 0x1_FFFF_FFFF);
                }
                for k in 1..3_u32 {
                    let next: u32 = element.wrapping_add(k);
                    let begins: u32 = k.wrapping_mul(33).wrapping_sub(bit);
                    if next < 3 {
                        self.int[next as usize] =
                            (((if next < 3 { self.int[next as usize] } else { 0 })
                                & !(if begins < 64 {
                                    0xFFFF_FFFF_FFFF_FFFF_u64 >> begins
                                } else {
                                    0_u64
                                }))
                                | (if begins < 64 { value >> begins } else { 0 }))
                                & 0x1_FFFF_FFFF;
                    }
                }
                return;
            }
            if index < 9 {
                let word_5: u32 = (index as u32).wrapping_sub(5);
                let t2: u32 = word_5.wrapping_mul(64);
                let mut t3 = [0_u32; 7];
                wide_from_word(&mut t3, value);
                let mut t4 = [0_u32; 7];
                wide_shl(&mut t4, &TABLE_2, t2);
                let mut t5 = [0_u32; 7];
                wide_not(&mut t5, &t4);
                let mut t6 = [0_u32; 7];
                wide_and(&mut t6, &self.wide, &t5);
                let mut t7 = [0_u32; 7];
                wide_shl(&mut t7, &t3, t2);
                let mut t8 = [0_u32; 7];
                wide_or(&mut t8, &t6, &t7);
                wide_mask(&mut t8, 200);
                self.wide = t8;
                return;
            }
            if index < 10 {
                self.mode = ((value as u32) & 3) as u8;
            }
        }
    }

    impl Default for State {
        fn default() -> Self {
            State::RESET
        }
    }

    /// `org.example.torture:Torture` in software: one context. Operands count by their low bits, and a context
    /// that is off gives 0 and stays as it is.
    #[derive(Clone, Debug, Default)]
    pub struct Soft {
        state: State,
    }

    impl Soft {
        /// The state as it is.
        #[must_use]
        pub fn state(soft: &Soft) -> &State {
            &soft.state
        }

        /// The status word, then the state words.
        #[must_use]
        pub fn save(soft: &Soft) -> [u64; State::WORDS] {
            soft.state.save()
        }

        /// Loads an image, as [`State::restore`] does.
        pub fn restore(soft: &mut Soft, words: &[u64; State::WORDS]) {
            soft.state.restore(words);
        }
    }

    impl Torture for Soft {
        #[inline]
        fn dot(&mut self, st: i32, status_in: i32) -> i32 {
            sw_dot(&mut self.state, st, status_in)
        }

        #[inline]
        fn latch(&mut self, a: u64, b: u64) {
            sw_latch(&mut self.state, a, b);
        }

        #[inline]
        fn only<const N: u8>(&mut self) -> bool {
            abi1::check12::<abi1::U8<N>, 1>();
            sw_only(&mut self.state, N)
        }

        #[inline]
        fn shift<const N: u8>(&mut self, rd: i64) -> i64 {
            abi1::check12::<abi1::U8<N>, 5>();
            sw_shift(&mut self.state, rd, N)
        }

        #[inline]
        fn pick(&mut self, m: Mode, on: bool) -> Mode {
            Mode(sw_pick(&mut self.state, m.0, on))
        }

        #[inline]
        fn entry(&mut self, i: u64) -> i16 {
            sw_entry(&mut self.state, i)
        }

        #[inline]
        fn over(&mut self, a: i8) -> i8 {
            sw_over(&mut self.state, a).0
        }

        #[inline]
        fn try_over(&mut self, a: i8) -> Result<i8, Error> {
            let (value, answer) = sw_over(&mut self.state, a);
            Error::check(value, answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn gone(&mut self) {
            sw_gone(&mut self.state);
        }

        #[inline]
        fn try_gone(&mut self) -> Result<(), Error> {
            let ((), answer) = sw_gone(&mut self.state);
            Error::check((), answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn hide(&mut self, tt_mode: Mode, tt_fn_lanes: i32) -> i32 {
            sw_hide(&mut self.state, tt_mode.0, tt_fn_lanes).0
        }

        #[inline]
        fn try_hide(&mut self, tt_mode: Mode, tt_fn_lanes: i32) -> Result<i32, Error> {
            let (value, answer) = sw_hide(&mut self.state, tt_mode.0, tt_fn_lanes);
            Error::check(value, answer, || (self.state.status >> 24) as u8)
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
        fn mstat_read(&self) -> csr::Mstat {
            csr::Mstat(sw_mstat_read(&self.state))
        }

        #[inline]
        fn mstat_write(&mut self, word: csr::Mstat) {
            sw_mstat_write(&mut self.state, word.0);
        }

        #[inline]
        fn word_read(&self) -> csr::Word {
            csr::Word(sw_word_read(&self.state))
        }
    }

    /// The fallback as a runtime registers it.
    #[derive(Clone, Copy, Debug)]
    pub struct SoftCxu;

    impl cx::RustCxu for SoftCxu {
        type State = State;
        type Word = u64;
        const UUID: cx::Uuid = UUID;
        const NAME: &'static ::core::ffi::CStr = c"org.example.torture:Torture";
        const SHARING: cx::Sharing = cx::Sharing::Exclusive;
        const CONTRACT: [u8; 32] = CONTRACT;
        const FLAGS: u32 = cx::SoftFlags::STATE_CONTEXT;
        const STATE_WORDS: u32 = 10;
        const RESET: State = State::RESET;

        fn issue(state: &mut State, function: u32, rs1: usize, rs2: usize) -> cx::Reply {
            // A context that is off answers only read_status and write_status.
            if state.status & 3 == 0 && !matches!(function, 1022 | 1023) {
                return cx::Reply {
                    value: 0,
                    response: cx::Response::Off,
                };
            }
            let (value, response) = match function {
                0 => (
                    i64::from(sw_dot(state, rs1 as i32, rs2 as i32)) as u64 as usize,
                    cx::Response::Ok,
                ),
                1 => {
                    sw_latch(state, rs1 as u64, rs2 as u64);
                    (0, cx::Response::Ok)
                }
                2 => (usize::from(sw_only(state, rs2 as u8)), cx::Response::Ok),
                3 => (
                    sw_shift(state, rs1 as i64, rs2 as u8) as u64 as usize,
                    cx::Response::Ok,
                ),
                4 => (
                    usize::from(sw_pick(state, rs1 as u8, rs2 & 1 != 0)),
                    cx::Response::Ok,
                ),
                5 => (
                    i64::from(sw_entry(state, rs1 as u64)) as u64 as usize,
                    cx::Response::Ok,
                ),
                6 => {
                    let (value, answer) = sw_over(state, rs1 as i8);
                    (i64::from(value) as u64 as usize, answer.response())
                }
                7 => {
                    let ((), answer) = sw_gone(state);
                    (0, answer.response())
                }
                8 => {
                    let (value, answer) = sw_hide(state, rs1 as u8, rs2 as i32);
                    (i64::from(value) as u64 as usize, answer.response())
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

        fn csr(state: &mut State, op: cx::CsrOp, address: u32, value: usize) -> cx::Reply {
            if state.status & 3 == 0 {
                return cx::Reply {
                    value: 0,
                    response: cx::Response::Off,
                };
            }
            let old = match address {
                0x810 => {
                    let old = sw_mstat_read(state);
                    if let Some(word) = op.written(old as usize, value) {
                        sw_mstat_write(state, word as u64);
                    }
                    old
                }
                0xCC0 if op == cx::CsrOp::Read => sw_word_read(state),
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

    /// Constants.
    #[rustfmt::skip]
    static TABLE_2: [u32; 7] = [
        0xFFFF_FFFF, 0xFFFF_FFFF, 0x0000_0000, 0x0000_0000,
        0x0000_0000, 0x0000_0000, 0x0000_0000,
    ];

    /// Constants.
    #[rustfmt::skip]
    static TABLE_TABLE: [u16; 3] = [0xFFFF, 0x0002, 0xFFFD];
    /// Constants.
    #[rustfmt::skip]
    static TABLE_3: [u8; 2] = [0x00, 0x03];

    /// Constants.
    #[rustfmt::skip]
    static TABLE_4: [u64; 3] = [
        0x0000_0001_FFFF_FFFF, 0x0000_0000_0000_0002, 0x0000_0001_FFFF_FFFC,
    ];

    /// Constants.
    #[rustfmt::skip]
    static TABLE_5: [u32; 7] = [
        0x0000_0001, 0x0000_0000, 0x0000_0000, 0x0000_0000,
        0x0000_0000, 0x0000_0000, 0x0000_0000,
    ];

    /// The function `lanes`.
    #[inline]
    fn fn_lanes(a: u32, b: u32) -> u32 {
        let mut x = [0_u8; 4];
        let t1: u32 = a;
        x[0] = t1 as u8;
        x[1] = (t1 >> 8) as u8;
        x[2] = (t1 >> 16) as u8;
        x[3] = (t1 >> 24) as u8;
        let mut y = [0_u8; 4];
        let t2: u32 = b;
        y[0] = t2 as u8;
        y[1] = (t2 >> 8) as u8;
        y[2] = (t2 >> 16) as u8;
        y[3] = (t2 >> 24) as u8;
        let mut sum: u32 = 0;
        for k in 0..4_u32 {
            sum = sum.wrapping_add(
                (x[k as usize] as i8 as u32).wrapping_mul(y[k as usize] as i8 as u32) as i16 as u32,
            );
        }
        sum
    }

    /// `dot` in software.
    #[inline]
    fn sw_dot(st: &mut State, st_3: i32, status_in: i32) -> i32 {
        if (st.status & 3) == 0 {
            return 0;
        }
        let st_2: u32 = st_3 as u32;
        let status_in: u32 = status_in as u32;
        fn_lanes(st_2, status_in) as i32
    }

    /// `latch` in software.
    #[inline]
    fn sw_latch(st: &mut State, a: u64, b: u64) {
        if (st.status & 3) == 0 {
            return;
        }
        st.status |= 3;
        let mut t1 = [0_u32; 7];
        wide_from_word(&mut t1, a);
        let mut t2 = [0_u32; 7];
        wide_shl(&mut t2, &TABLE_2, 64);
        let mut t3 = [0_u32; 7];
        wide_not(&mut t3, &t2);
        let mut t4 = [0_u32; 7];
        wide_and(&mut t4, &st.wide, &t3);
        let mut t5 = [0_u32; 7];
        wide_shl(&mut t5, &t1, 64);
        let mut t6 = [0_u32; 7];
        wide_or(&mut t6, &t4, &t5);
        wide_mask(&mut t6, 200);
        st.wide = t6;
        let mut t7 = [0_u32; 7];
        wide_from_word(&mut t7, b);
        let mut t8 = [0_u32; 7];
        wide_shl(&mut t8, &TABLE_2, 0);
        let mut t9 = [0_u32; 7];
        wide_not(&mut t9, &t8);
        let mut t10 = [0_u32; 7];
        wide_and(&mut t10, &st.wide, &t9);
        let mut t11 = [0_u32; 7];
        wide_shl(&mut t11, &t7, 0);
        let mut t12 = [0_u32; 7];
        wide_or(&mut t12, &t10, &t11);
        wide_mask(&mut t12, 200);
        st.wide = t12;
    }

    /// `only` in software.
    #[inline]
    fn sw_only(st: &mut State, n: u8) -> bool {
        if (st.status & 3) == 0 {
            return false;
        }
        let n: u32 = u32::from(n) & 1;
        n == 1
    }

    /// `shift` in software.
    #[inline]
    fn sw_shift(st: &mut State, rd: i64, n: u8) -> i64 {
        if (st.status & 3) == 0 {
            return 0;
        }
        let rd: u64 = rd as u64;
        let n: u32 = u32::from(n) & 0x1F;
        ((rd ^ 0x8000_0000_0000_0000) >> n).wrapping_sub(0x8000_0000_0000_0000_u64 >> n) as i64
    }

    /// `pick` in software.
    #[inline]
    fn sw_pick(st: &mut State, m: u8, on: bool) -> u8 {
        if (st.status & 3) == 0 {
            return 0;
        }
        let m: u32 = u32::from(m) & 3;
        st.status |= 3;
        st.mode = m as u8;
        (if on { m } else { 0_u32 }) as u8
    }

    /// `entry` in software.
    #[inline]
    fn sw_entry(st: &mut State, i: u64) -> i16 {
        if (st.status & 3) == 0 {
            return 0;
        }
        (if i < 3 {
            u32::from(TABLE_TABLE[i as u32 as usize])
        } else {
            0_u32
        }) as i16
    }

    /// `over` in software.
    #[inline]
    fn sw_over(st: &mut State, a: i8) -> (i8, abi1::Answer) {
        if (st.status & 3) == 0 {
            return (0, abi1::Answer::Off);
        }
        let a: u32 = u32::from(a as u8);
        let old_status: u32 = st.status;
        let old_volatile: u32 = u32::from(st.volatile);
        st.status |= 3;
        st.volatile = 9;
        if (a ^ 0x80) < 128 {
            let t1: u32 = a;
            st.volatile = old_volatile as u8;
            st.status = (old_status & 0xFF_FFFF) | 0x100_0000;
            return (t1 as i8, abi1::Answer::Custom);
        }
        if a < 3 {
            st.int[a as usize] = (a as i8 as u64) & 0x1_FFFF_FFFF;
        }
        (a as i8, abi1::Answer::Ok)
    }

    /// `gone` in software.
    #[inline]
    fn sw_gone(st: &mut State) -> ((), abi1::Answer) {
        if (st.status & 3) == 0 {
            return ((), abi1::Answer::Off);
        }
        ((), abi1::Answer::Trap)
    }

    /// `hide` in software.
    #[inline]
    fn sw_hide(st: &mut State, tt_mode: u8, tt_fn_lanes: i32) -> (i32, abi1::Answer) {
        if (st.status & 3) == 0 {
            return (0, abi1::Answer::Off);
        }
        let tt_mode: u32 = u32::from(tt_mode) & 3;
        let tt_fn_lanes: u32 = tt_fn_lanes as u32;
        let tt_read_word: u32 = fn_lanes(tt_fn_lanes, 1);
        if tt_mode == 0 {
            return (0, abi1::Answer::Op);
        }
        (fn_lanes(tt_read_word, 2) as i32, abi1::Answer::Ok)
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
        st.status = ((if t4 == 0 || t4 == 1 { t4 } else { t1 >> 24 }) << 24) | 0x28 | t3;
        u64::from(t1)
    }

    /// `read_status` in software.
    #[inline]
    fn sw_read_status(st: &mut State) -> u64 {
        u64::from(st.status)
    }

    /// Reads `mstat` in software.
    #[inline]
    fn sw_mstat_read(st: &State) -> u64 {
        if (st.status & 3) == 0 {
            return 0;
        }
        (u64::from(st.volatile) << 3) | u64::from(st.mode)
    }

    /// Writes `mstat` in software.
    #[inline]
    fn sw_mstat_write(st: &mut State, value: u64) {
        if (st.status & 3) == 0 {
            return;
        }
        st.status |= 3;
        let mode: u32 = (value as u32) & 3;
        let t1: u32 = mode;
        if t1 <= 1 || t1 == 3 {
            st.mode = mode as u8;
        }
        st.volatile = (((value as u32) >> 3) & 0x7F) as u8;
    }

    /// Reads `word` in software.
    #[inline]
    fn sw_word_read(st: &State) -> u64 {
        if (st.status & 3) == 0 {
            return 0;
        }
        let t1: u64 = st.int[2];
        let t2: u64 = t1 ^ 0x1_0000_0000;
        (u64::from((wide_word32(&st.wide, 0) & 1) == 1) << 63)
            | (u64::from(
                (if t2 < 0xFFFF_FF80 {
                    0x80
                } else if t2 > 0x1_0000_007F {
                    0x7F
                } else {
                    t1 as u32
                }) & 0xFF,
            ) << 8)
            | u64::from(fn_lanes(1, 2) & 0xFF)
    }

    /// A word, zero-extended.
    fn wide_from_word(r: &mut [u32], mut v: u64) {
        for limb in r {
            *limb = v as u32;
            v >>= 32;
        }
    }

    /// `a & b`
    fn wide_and(r: &mut [u32], a: &[u32], b: &[u32]) {
        for ((r, a), b) in r.iter_mut().zip(a).zip(b) {
            *r = a & b;
        }
    }

    /// `a | b`
    fn wide_or(r: &mut [u32], a: &[u32], b: &[u32]) {
        for ((r, a), b) in r.iter_mut().zip(a).zip(b) {
            *r = a | b;
        }
    }

    /// `!a`
    fn wide_not(r: &mut [u32], a: &[u32]) {
        for (r, a) in r.iter_mut().zip(a) {
            *r = !a;
        }
    }

    /// `a << by`
    fn wide_shl(r: &mut [u32], a: &[u32], by: u32) {
        let (limbs, bits) = (by as usize / 32, by % 32);
        let limb = |i: usize| {
            u64::from(
                i.checked_sub(limbs)
                    .and_then(|i| a.get(i))
                    .copied()
                    .unwrap_or(0),
            )
        };
        for (i, r) in r.iter_mut().enumerate() {
            let low = if i > 0 { limb(i - 1) } else { 0 };
            *r = ((limb(i) << 32 | low) >> (32 - bits)) as u32;
        }
    }

    /// Clears the bits from `width` up.
    fn wide_mask(r: &mut [u32], width: usize) {
        for (i, limb) in r.iter_mut().enumerate().skip(width / 32) {
            *limb &= if i == width / 32 {
                (1 << (width % 32)) - 1
            } else {
                0
            };
        }
    }

    /// The 32 bits from `at` up.
    fn wide_word32(a: &[u32], at: u32) -> u32 {
        wide_word64(a, at) as u32
    }

    /// The 64 bits from `at` up; zeros beyond the top.
    fn wide_word64(a: &[u32], at: u32) -> u64 {
        let limb = |i: usize| u128::from(a.get(i).copied().unwrap_or(0));
        let i = at as usize / 32;
        ((limb(i + 2) << 64 | limb(i + 1) << 32 | limb(i)) >> (at % 32)) as u64
    }

    /// `org.example.torture:Torture`, selected: each command is one instruction on a hart, and elsewhere a call.
    /// The selection before comes back when this is dropped.
    #[derive(Debug)]
    #[must_use = "the selection before comes back when this is dropped"]
    pub struct Selected<G>(G);

    impl<G: cx::Issue> Selected<G> {
        /// Takes the guard of a selection of [`UUID`].
        ///
        /// A guard does not know what it selects, so nothing checks this: with that of another CX, its commands of
        /// these function ids run.
        #[inline]
        pub fn new(guard: G) -> Self {
            abi1::check_xlen::<G, 64>();
            Selected(guard)
        }
    }

    impl<G: cx::Issue> Torture for Selected<G> {
        #[inline]
        fn dot(&mut self, st: i32, status_in: i32) -> i32 {
            abi1::value::<G, 0>(
                &self.0,
                Some(i64::from(st) as u64 as usize),
                Some(i64::from(status_in) as u64 as usize),
            ) as i32
        }

        #[inline]
        fn latch(&mut self, a: u64, b: u64) {
            let _ = abi1::flex::<G, 1>(&self.0, Some(a as usize), Some(b as usize));
        }

        #[inline]
        fn only<const N: u8>(&mut self) -> bool {
            abi1::check12::<abi1::U8<N>, 1>();
            abi1::immediate::<G, 2, abi1::U8<N>>(&self.0, None) & 1 != 0
        }

        #[inline]
        fn shift<const N: u8>(&mut self, rd: i64) -> i64 {
            abi1::check12::<abi1::U8<N>, 5>();
            abi1::immediate::<G, 3, abi1::U8<N>>(&self.0, Some(rd as u64 as usize)) as i64
        }

        #[inline]
        fn pick(&mut self, m: Mode, on: bool) -> Mode {
            Mode(abi1::value::<G, 4>(&self.0, Some(usize::from(m.0)), Some(usize::from(on))) as u8)
        }

        #[inline]
        fn entry(&mut self, i: u64) -> i16 {
            abi1::value::<G, 5>(&self.0, Some(i as usize), None) as i16
        }

        #[inline]
        fn over(&mut self, a: i8) -> i8 {
            abi1::value::<G, 6>(&self.0, Some(i64::from(a) as u64 as usize), None) as i8
        }

        #[inline]
        fn try_over(&mut self, a: i8) -> Result<i8, Error> {
            let reply = abi1::try_value::<G, 6>(&self.0, Some(i64::from(a) as u64 as usize), None);
            Error::check(reply.value as i8, reply.response.into(), || {
                (abi1::value::<G, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn gone(&mut self) {
            let _ = abi1::silent::<G, 7>(&self.0, None, None);
        }

        #[inline]
        fn try_gone(&mut self) -> Result<(), Error> {
            let reply = abi1::try_silent::<G, 7>(&self.0, None, None);
            Error::check((), reply.response.into(), || {
                (abi1::value::<G, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn hide(&mut self, tt_mode: Mode, tt_fn_lanes: i32) -> i32 {
            abi1::value::<G, 8>(
                &self.0,
                Some(usize::from(tt_mode.0)),
                Some(i64::from(tt_fn_lanes) as u64 as usize),
            ) as i32
        }

        #[inline]
        fn try_hide(&mut self, tt_mode: Mode, tt_fn_lanes: i32) -> Result<i32, Error> {
            let reply = abi1::try_value::<G, 8>(
                &self.0,
                Some(usize::from(tt_mode.0)),
                Some(i64::from(tt_fn_lanes) as u64 as usize),
            );
            Error::check(reply.value as i32, reply.response.into(), || {
                (abi1::value::<G, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn write_state(&mut self, index: u64, value: u64) -> u64 {
            abi1::value::<G, 1020>(&self.0, Some(index as usize), Some(value as usize)) as u64
        }

        #[inline]
        fn read_state(&mut self, index: u64) -> u64 {
            abi1::value::<G, 1021>(&self.0, Some(index as usize), None) as u64
        }

        #[inline]
        fn write_status(&mut self, status: u64) -> u64 {
            abi1::value::<G, 1022>(&self.0, Some(status as usize), None) as u64
        }

        #[inline]
        fn read_status(&mut self) -> u64 {
            abi1::value::<G, 1023>(&self.0, None, None) as u64
        }

        #[inline]
        fn mstat_read(&self) -> csr::Mstat {
            csr::Mstat(abi1::csr_read::<G, { csr::Mstat::ADDRESS }>(&self.0, 0) as u64)
        }

        #[inline]
        fn mstat_write(&mut self, word: csr::Mstat) {
            let _ = abi1::csr_write::<G, { csr::Mstat::ADDRESS }>(&self.0, word.0 as usize);
        }

        #[inline]
        fn mstat_swap(&mut self, word: csr::Mstat) -> csr::Mstat {
            csr::Mstat(
                abi1::csr_swap::<G, { csr::Mstat::ADDRESS }>(&self.0, word.0 as usize) as u64,
            )
        }

        #[inline]
        fn mstat_set(&mut self, bits: u64) -> csr::Mstat {
            csr::Mstat(abi1::csr_set::<G, { csr::Mstat::ADDRESS }>(&self.0, bits as usize) as u64)
        }

        #[inline]
        fn mstat_clear(&mut self, bits: u64) -> csr::Mstat {
            csr::Mstat(abi1::csr_clear::<G, { csr::Mstat::ADDRESS }>(&self.0, bits as usize) as u64)
        }

        #[inline]
        fn mstat_write_i<const WORD: u64>(&mut self) {
            let _ =
                abi1::csr_write_constant::<G, { csr::Mstat::ADDRESS }, abi1::U64<WORD>>(&self.0);
        }

        #[inline]
        fn mstat_set_i<const WORD: u64>(&mut self) -> csr::Mstat {
            csr::Mstat(
                abi1::csr_set_constant::<G, { csr::Mstat::ADDRESS }, abi1::U64<WORD>>(&self.0)
                    as u64,
            )
        }

        #[inline]
        fn mstat_clear_i<const WORD: u64>(&mut self) -> csr::Mstat {
            csr::Mstat(
                abi1::csr_clear_constant::<G, { csr::Mstat::ADDRESS }, abi1::U64<WORD>>(&self.0)
                    as u64,
            )
        }

        #[inline]
        fn word_read(&self) -> csr::Word {
            csr::Word(abi1::csr_read::<G, { csr::Word::ADDRESS }>(&self.0, 0) as u64)
        }
    }
}
