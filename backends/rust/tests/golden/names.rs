// names.rs
// Generated from org.example.names:result by cxc; do not edit.
//
// A module of a crate that depends on lapis-cx-core: `#[path = "names.rs"] mod names;`, or `include!`
// inside a `mod`.

use ::lapis_cx_core as cx;

self::cx::check_abi!("names.rs", 3, "0.1.0");

#[allow(unreachable_pub, unused_imports)]
pub use self::chosen::*;

#[allow(unexpected_cfgs, unreachable_pub, unused_imports)]
mod chosen {
    #[cfg(any(cx_xlen = "32", all(target_pointer_width = "32", not(cx_xlen = "64"))))]
    pub use super::xlen32::*;
    #[cfg(not(any(cx_xlen = "32", all(target_pointer_width = "32", not(cx_xlen = "64")))))]
    pub use super::xlen64::*;
}

/// `org.example.names:result` where a register has 32 bits.
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
    /// The UUID, aa0f7d0e-00ff-4000-8000-0000000000a1.
    pub const UUID: cx::Uuid = cx::Uuid::from_u128(0xAA0F_7D0E_00FF_4000_8000_0000_0000_00A1);

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0x45, 0x6E, 0x0E, 0xCD, 0xF3, 0xAA, 0xD5, 0xC7, 0xE1, 0xC7, 0xA6, 0x9B,
        0xBD, 0x22, 0x85, 0x0B, 0x8A, 0xF5, 0x09, 0x64, 0x01, 0x75, 0x7E, 0x3C,
        0x5A, 0x5C, 0x5D, 0x92, 0xCE, 0xD9, 0x98, 0x7F,
    ];

    /// The constant `answer`.
    pub const ANSWER: u32 = 42;
    /// The constant `Least`.
    pub const LEAST: i64 = -0x8000_0000_0000_0000;

    /// Function ids.
    pub mod id {
        /// `gen`
        pub const GEN: u32 = 0;
        /// `Self`
        pub const SELF: u32 = 1;
        /// `crate`
        pub const CRATE: u32 = 2;
        /// `clone`
        pub const CLONE: u32 = 3;
        /// `into`
        pub const INTO: u32 = 4;
        /// `RocknRoll`
        pub const ROCKN_ROLL: u32 = 8;
        /// `divide`
        pub const DIVIDE: u32 = 9;
        /// `nothing`
        pub const NOTHING: u32 = 10;
        /// `third`
        pub const THIRD: u32 = 11;
        /// `all`
        pub const ALL: u32 = 12;
        /// `bare`
        pub const BARE: u32 = 13;
        /// `ends`
        pub const ENDS: u32 = 14;
        /// `write_state`
        pub const WRITE_STATE: u32 = 1020;
        /// `read_state`
        pub const READ_STATE: u32 = 1021;
        /// `write_status`
        pub const WRITE_STATUS: u32 = 1022;
        /// `read_status`
        pub const READ_STATUS: u32 = 1023;
    }

    /// The enum `G`.
    ///
    /// Any pattern of 3 bits may occur, so this is no Rust enum.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(transparent)]
    pub struct G(pub u8);

    impl G {
        /// The case `WORD`.
        pub const WORD: G = G(1);
    }

    /// The enum `WORD`.
    ///
    /// Any pattern of 3 bits may occur, so this is no Rust enum.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(transparent)]
    pub struct WORD(pub u8);

    impl WORD {
        /// The case `G`.
        pub const G: WORD = WORD(1);
    }

    /// The enum `Option`.
    ///
    /// Any pattern of 3 bits may occur, so this is no Rust enum.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(transparent)]
    pub struct Option_(pub u8);

    impl Option_ {
        /// The case `none`.
        pub const NONE: Option_ = Option_(0);
        /// The case `SomeThing`.
        pub const SOME_THING: Option_ = Option_(1);
        /// The case `type`.
        pub const TYPE: Option_ = Option_(2);
    }

    /// Why a command of [`Result_`] was not done.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Error {
        /// it failed: {}
        Try,
        /// NotReady
        NotReady,
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
                    1 => Error::Try,
                    9 => Error::NotReady,
                    code => Error::Custom(code),
                },
                abi1::Answer::Trap => Error::Trap,
            })
        }
    }

    impl ::core::fmt::Display for Error {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(match self {
                Error::Try => "it failed: {}",
                Error::NotReady => "NotReady",
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
        /// Its type would be that of the prelude.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct Fn_(pub u32);

        impl Fn_ {
            /// The address of `Fn`.
            pub const ADDRESS: u32 = 0x802;
            /// The lowest bit of `fmt`.
            pub const FMT_SHIFT: u32 = 0;
            /// The bits of `fmt`.
            pub const FMT_MASK: u32 = 0x7;

            /// The field `fmt`.
            ///
            /// Bits 2:0.
            #[must_use]
            pub const fn fmt(self) -> super::Option_ {
                super::Option_((self.0 & Self::FMT_MASK) as u8)
            }

            /// The same word with another `fmt`.
            #[must_use]
            pub const fn with_fmt(self, value: super::Option_) -> Self {
                Self((self.0 & !Self::FMT_MASK) | ((value.0 as u32) & Self::FMT_MASK))
            }

            /// The lowest bit of `type`.
            pub const TYPE_SHIFT: u32 = 3;
            /// The bits of `type`.
            pub const TYPE_MASK: u32 = 0x38;

            /// The field `type`.
            ///
            /// Bits 5:3.
            #[must_use]
            pub const fn r#type(self) -> super::Option_ {
                super::Option_(((self.0 & Self::TYPE_MASK) >> 3) as u8)
            }

            /// The same word with another `type`.
            #[must_use]
            pub const fn with_type(self, value: super::Option_) -> Self {
                Self((self.0 & !Self::TYPE_MASK) | (((value.0 as u32) << 3) & Self::TYPE_MASK))
            }

            /// The lowest bit of `On`.
            pub const ON_SHIFT: u32 = 6;
            /// The bits of `On`.
            pub const ON_MASK: u32 = 0x40;

            /// The field `On`.
            ///
            /// Bit 6.
            #[must_use]
            pub const fn on(self) -> bool {
                self.0 & Self::ON_MASK != 0
            }

            /// The same word with another `On`.
            #[must_use]
            pub const fn with_on(self, value: bool) -> Self {
                Self((self.0 & !Self::ON_MASK) | (((value as u32) << 6) & Self::ON_MASK))
            }

            /// The lowest bit of `self`.
            pub const SELF_SHIFT: u32 = 29;
            /// The bits of `self`.
            pub const SELF_MASK: u32 = 0xE000_0000;

            /// Signed, at the top.
            ///
            /// Bits 31:29.
            #[must_use]
            pub const fn self_(self) -> i8 {
                (self.0 as i32 >> 29) as i8
            }

            /// The same word with another `self`.
            #[must_use]
            pub const fn with_self(self, value: i8) -> Self {
                Self((self.0 & !Self::SELF_MASK) | (((value as u32) << 29) & Self::SELF_MASK))
            }
        }

        /// The CSR `X`.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct X(pub u32);

        impl X {
            /// The address of `X`.
            pub const ADDRESS: u32 = 0x8FF;
            /// The lowest bit of `word`.
            pub const WORD_SHIFT: u32 = 0;
            /// The bits of `word`.
            pub const WORD_MASK: u32 = 0xFFFF_FFFF;

            /// The field `word`.
            ///
            /// Bits 31:0.
            #[must_use]
            pub const fn word(self) -> u32 {
                self.0 & Self::WORD_MASK
            }

            /// The same word with another `word`.
            #[must_use]
            pub const fn with_word(self, value: u32) -> Self {
                Self((self.0 & !Self::WORD_MASK) | (value & Self::WORD_MASK))
            }
        }

        /// The CSR `info`.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct Info(pub u32);

        impl Info {
            /// The address of `info`.
            pub const ADDRESS: u32 = 0xCC0;
            /// The lowest bit of `n`.
            pub const N_SHIFT: u32 = 0;
            /// The bits of `n`.
            pub const N_MASK: u32 = 0x7FFF_FFFF;

            /// The field `n`.
            ///
            /// Bits 30:0.
            #[must_use]
            pub const fn n(self) -> i32 {
                (self.0 << 1) as i32 >> 1
            }

            /// The lowest bit of `deep`.
            pub const DEEP_SHIFT: u32 = 31;
            /// The bits of `deep`.
            pub const DEEP_MASK: u32 = 0x8000_0000;

            /// The field `deep`.
            ///
            /// Bit 31.
            #[must_use]
            pub const fn deep(self) -> u8 {
                ((self.0 & Self::DEEP_MASK) >> 31) as u8
            }
        }
    }

    /// Names that Rust has taken, and words that rustdoc reads: [0], <T>, `x`.
    ///
    /// ```text
    /// this is no Rust
    /// ```
    pub trait Result_ {
        /// Command 0.
        fn r#gen(&mut self, r#type: u8, st: u32) -> u32;

        /// Command 1.
        fn self_(&mut self, value: u32, cx: u32) -> u32;

        /// Command 2.
        ///
        /// `OPTION` is a value of 3 bits.
        fn crate_<const OPTION: u8>(&mut self, x: u32) -> Option_;

        /// Command 3.
        fn clone_(&mut self, a: i8, b: i8) -> i8;

        /// Command 4.
        fn into_(&mut self) -> bool;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_into_(&mut self) -> Result<bool, Error>;

        /// Command 8.
        fn rockn_roll(&mut self, i: u8) -> u32;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_rockn_roll(&mut self, i: u8) -> Result<u32, Error>;

        /// Command 9.
        fn divide(&mut self, a: u32, b: u32) -> u32;

        /// Command 10.
        fn nothing(&mut self);

        /// Command 11.
        ///
        /// `N` is a value of 5 bits.
        fn third<const N: u8>(&mut self, a: u32, b: u32);

        /// Command 12.
        ///
        /// `N` is a value of 15 bits.
        fn all<const N: u16>(&mut self);

        /// Command 13.
        fn bare(&mut self, a: u32, b: u32);

        /// Command 14.
        fn ends(&mut self, a: G, b: WORD) -> G;

        /// Writes the state word at `index`, returns `value`; an invalid index is dropped.
        fn write_state(&mut self, index: u32, value: u32) -> u32;

        /// The state word at `index`.
        fn read_state(&mut self, index: u32) -> u32;

        /// Writes the status word, returns the old one; cs = initial resets, cs = off turns the context off.
        fn write_status(&mut self, status: u32) -> u32;

        /// The context's status word; never has a side effect.
        fn read_status(&mut self) -> u32;

        /// Its type would be that of the prelude.
        #[must_use]
        fn fn_read(&self) -> csr::Fn_;

        /// Writes `Fn`.
        fn fn_write(&mut self, word: csr::Fn_);

        /// Writes `Fn`; returns what was there before.
        #[inline]
        fn fn_swap(&mut self, word: csr::Fn_) -> csr::Fn_ {
            let old = self.fn_read();
            self.fn_write(word);
            old
        }

        /// Sets these bits of `Fn`; returns what was there before.
        #[inline]
        fn fn_set(&mut self, bits: u32) -> csr::Fn_ {
            let old = self.fn_read();
            self.fn_write(csr::Fn_(old.0 | bits));
            old
        }

        /// Clears these bits of `Fn`; returns what was there before.
        #[inline]
        fn fn_clear(&mut self, bits: u32) -> csr::Fn_ {
            let old = self.fn_read();
            self.fn_write(csr::Fn_(old.0 & !bits));
            old
        }

        /// Writes a constant to `Fn`. One below 32 is part of the instruction.
        #[inline]
        fn fn_write_i<const WORD2: u32>(&mut self) {
            self.fn_write(csr::Fn_(WORD2));
        }

        /// Sets constant bits of `Fn`; returns what was there before.
        #[inline]
        fn fn_set_i<const WORD2: u32>(&mut self) -> csr::Fn_ {
            self.fn_set(WORD2)
        }

        /// Clears constant bits of `Fn`; returns what was there before.
        #[inline]
        fn fn_clear_i<const WORD2: u32>(&mut self) -> csr::Fn_ {
            self.fn_clear(WORD2)
        }

        /// Reads `X`.
        #[must_use]
        fn x_read(&self) -> csr::X;

        /// Writes `X`.
        fn x_write(&mut self, word: csr::X);

        /// Writes `X`; returns what was there before.
        #[inline]
        fn x_swap(&mut self, word: csr::X) -> csr::X {
            let old = self.x_read();
            self.x_write(word);
            old
        }

        /// Sets these bits of `X`; returns what was there before.
        #[inline]
        fn x_set(&mut self, bits: u32) -> csr::X {
            let old = self.x_read();
            self.x_write(csr::X(old.0 | bits));
            old
        }

        /// Clears these bits of `X`; returns what was there before.
        #[inline]
        fn x_clear(&mut self, bits: u32) -> csr::X {
            let old = self.x_read();
            self.x_write(csr::X(old.0 & !bits));
            old
        }

        /// Writes a constant to `X`. One below 32 is part of the instruction.
        #[inline]
        fn x_write_i<const WORD2: u32>(&mut self) {
            self.x_write(csr::X(WORD2));
        }

        /// Sets constant bits of `X`; returns what was there before.
        #[inline]
        fn x_set_i<const WORD2: u32>(&mut self) -> csr::X {
            self.x_set(WORD2)
        }

        /// Clears constant bits of `X`; returns what was there before.
        #[inline]
        fn x_clear_i<const WORD2: u32>(&mut self) -> csr::X {
            self.x_clear(WORD2)
        }

        /// Reads `info`.
        #[must_use]
        fn info_read(&self) -> csr::Info;
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
        /// The field `self`.
        pub self_: u32,
        /// The field `Type`.
        pub r#type: [u8; 4],
        /// The field `deep`.
        pub deep: [u32; 9],
        /// The field `on`.
        pub on: bool,
        /// The field `low`.
        pub low: u8,
        /// The field `kind`.
        pub kind: u8,
        /// The field `mode`.
        pub mode: u8,
    }

    impl State {
        /// Words in an image: the status word, and the state words.
        pub const WORDS: usize = 14;

        /// The reset state: cs is initial.
        pub const RESET: State = State {
            status: 0x35,
            self_: 3,
            r#type: [1, 2, 3, 4],
            deep: [
                0xFFFF_FFFF,
                0xFFFF_FFFF,
                63,
                2,
                0,
                0,
                0xFFFF_FFFD,
                0xFFFF_FFFF,
                63,
            ],
            on: true,
            low: 6,
            kind: 2,
            mode: 0,
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
                status: (*status & 3) | 0x34,
                ..State::RESET
            };
            let code = *status >> 24;
            if matches!(code, 1 | 9) {
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
                return self.self_;
            }
            if index < 2 {
                let word_2: u32 = index.wrapping_sub(1);
                let element: u32 = word_2.wrapping_mul(32) / 5;
                let bit: u32 = word_2.wrapping_mul(32) % 5;
                let mut value: u32 = (if element < 4 {
                    u32::from(self.r#type[element as usize])
                } else {
                    0
                }) >> bit;
                for k in 1..8_u32 {
                    let next: u32 = element.wrapping_add(k);
                    let begins: u32 = k.wrapping_mul(5).wrapping_sub(bit);
                    value |= if begins < 32 {
                        (if next < 4 {
                            u32::from(self.r#type[next as usize])
                        } else {
                            0
                        }) << begins
                    } else {
                        0
                    };
                }
                return value;
            }
            if index < 9 {
                let word_3: u32 = index.wrapping_sub(2);
                let element_2: u32 = word_3.wrapping_mul(32) / 70;
                let bit_2: u32 = word_3.wrapping_mul(32) % 70;
                let mut t1 = [0_u32; 3];
                if element_2 < 3 {
                    t1.copy_from_slice(&self.deep[element_2.wrapping_mul(3) as usize..][..3]);
                } else {
                    t1.fill(0);
                }
                let mut value_2: u32 = wide_word32(&t1, bit_2);
                for k in 1..2_u32 {
                    let next_2: u32 = element_2.wrapping_add(k);
                    let begins_2: u32 = k.wrapping_mul(70).wrapping_sub(bit_2);
                    let mut t2 = [0_u32; 3];
                    if next_2 < 3 {
                        t2.copy_from_slice(&self.deep[next_2.wrapping_mul(3) as usize..][..3]);
                    } else {
                        t2.fill(0);
                    }
                    value_2 |= if begins_2 < 32 {
                        wide_word32(&t2, 0) << begins_2
                    } else {
                        0
                    };
                }
                return value_2;
            }
            if index < 10 {
                return u32::from(self.on);
            }
            if index < 11 {
                return u32::from(self.low);
            }
            if index < 12 {
                return u32::from(self.kind);
            }
            if index < 13 {
                return u32::from(self.mode);
            }
            0
        }

        /// Writes the state word at an index; drops what lies outside.
        fn write_word(&mut self, index: u32, value: u32) {
            if index < 1 {
                self.self_ = value;
                return;
            }
            if index < 2 {
                let word_2: u32 = index.wrapping_sub(1);
                let element: u32 = word_2.wrapping_mul(32) / 5;
                let bit: u32 = word_2.wrapping_mul(32) % 5;
                if element < 4 {
                    self.r#type[element as usize] =
                        ((u32::from(self.r#type[element as usize]) & !(0x1F_u32 << bit))
                            | (((value & 0x1F) << bit) & 0x1F)) as u8;
                }
                for k in 1..8_u32 {
                    let next: u32 = element.wrapping_add(k);
                    let begins: u32 = k.wrapping_mul(5).wrapping_sub(bit);
                    if next < 4 {
                        self.r#type[next as usize] = ((((if next < 4 {
                            u32::from(self.r#type[next as usize])
                        } else {
                            0
                        }) & !(if begins < 32 {
                            0xFFFF_FFFF_u32 >> begins
                        } else {
                            0_u32
                        })) | (if begins < 32 { value >> begins } else { 0 }))
                            & 0x1F) as u8;
                    }
                }
                return;
            }
            if index < 9 {
                let word_3: u32 = index.wrapping_sub(2);
                let element_2: u32 = word_3.wrapping_mul(32) / 70;
                let bit_2: u32 = word_3.wrapping_mul(32) % 70;
                let t1: u32 = element_2.wrapping_mul(3);
                if element_2 < 3 {
                    let mut t2 = [0_u32; 3];
                    wide_from_word(&mut t2, u64::from(value));
                    let mut t3 = [0_u32; 3];
                    wide_shl(&mut t3, &TABLE, bit_2);
                    let mut t4 = [0_u32; 3];
                    wide_not(&mut t4, &t3);
                    let mut t5 = [0_u32; 3];
                    wide_and(&mut t5, &self.deep[t1 as usize..][..3], &t4);
                    let mut t6 = [0_u32; 3];
                    wide_shl(&mut t6, &t2, bit_2);
                    let mut t7 = [0_u32; 3];
                    wide_or(&mut t7, &t5, &t6);
                    wide_mask(&mut t7, 70);
                    self.deep[t1 as usize..][..3].copy_from_slice(&t7);
                }
                for k in 1..2_u32 {
                    let next_2: u32 = element_2.wrapping_add(k);
                    let begins_2: u32 = k.wrapping_mul(70).wrapping_sub(bit_2);
                    let t8: u32 = next_2.wrapping_mul(3);
                    let mut t9 = [0_u32; 3];
                    let mut t10 = [0_u32; 3];
                    if next_2 < 3 {
                        t10.copy_from_slice(&self.deep[next_2.wrapping_mul(3) as usize..][..3]);
                    } else {
                        t10.fill(0);
                    }
                    let mut t11 = [0_u32; 3];
                    wide_from_word(
                        &mut t11,
                        u64::from(if begins_2 < 32 {
                            0xFFFF_FFFF_u32 >> begins_2
                        } else {
                            0_u32
                        }),
                    );
                    let mut t12 = [0_u32; 3];
                    wide_not(&mut t12, &t11);
                    wide_mask(&mut t12, 70);
                    let mut t13 = [0_u32; 3];
                    wide_and(&mut t13, &t10, &t12);
                    let mut t14 = [0_u32; 3];
                    wide_from_word(
                        &mut t14,
                        u64::from(if begins_2 < 32 {
                            value >> begins_2
                        } else {
                            0_u32
                        }),
                    );
                    let mut t15 = [0_u32; 3];
                    wide_or(&mut t15, &t13, &t14);
                    t9.copy_from_slice(&t15);
                    if next_2 < 3 {
                        self.deep[t8 as usize..][..3].copy_from_slice(&t9);
                    }
                }
                return;
            }
            if index < 10 {
                self.on = (value & 1) != 0;
                return;
            }
            if index < 11 {
                self.low = (value & 7) as u8;
                return;
            }
            if index < 12 {
                self.kind = (value & 7) as u8;
                return;
            }
            if index < 13 {
                self.mode = (value & 7) as u8;
            }
        }
    }

    impl Default for State {
        fn default() -> Self {
            State::RESET
        }
    }

    /// `org.example.names:result` in software: one context. Operands count by their low bits, and a context
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

    impl Result_ for Soft {
        #[inline]
        fn r#gen(&mut self, r#type: u8, st: u32) -> u32 {
            sw_gen(&mut self.state, r#type, st)
        }

        #[inline]
        fn self_(&mut self, value: u32, cx: u32) -> u32 {
            sw_self_(&mut self.state, value, cx)
        }

        #[inline]
        fn crate_<const OPTION: u8>(&mut self, x: u32) -> Option_ {
            abi1::check12::<abi1::U8<OPTION>, 3>();
            Option_(sw_crate_(&mut self.state, x, OPTION))
        }

        #[inline]
        fn clone_(&mut self, a: i8, b: i8) -> i8 {
            sw_clone_(&mut self.state, a, b)
        }

        #[inline]
        fn into_(&mut self) -> bool {
            sw_into_(&mut self.state).0
        }

        #[inline]
        fn try_into_(&mut self) -> Result<bool, Error> {
            let (value, answer) = sw_into_(&mut self.state);
            Error::check(value, answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn rockn_roll(&mut self, i: u8) -> u32 {
            sw_rockn_roll(&mut self.state, i).0
        }

        #[inline]
        fn try_rockn_roll(&mut self, i: u8) -> Result<u32, Error> {
            let (value, answer) = sw_rockn_roll(&mut self.state, i);
            Error::check(value, answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn divide(&mut self, a: u32, b: u32) -> u32 {
            sw_divide(&mut self.state, a, b)
        }

        #[inline]
        fn nothing(&mut self) {
            sw_nothing(&mut self.state);
        }

        #[inline]
        fn third<const N: u8>(&mut self, a: u32, b: u32) {
            abi1::check::<abi1::U8<N>, 5>();
            sw_third(&mut self.state, a, b, N);
        }

        #[inline]
        fn all<const N: u16>(&mut self) {
            abi1::check::<abi1::U16<N>, 15>();
            sw_all(&mut self.state, N);
        }

        #[inline]
        fn bare(&mut self, a: u32, b: u32) {
            sw_bare(&mut self.state, a, b);
        }

        #[inline]
        fn ends(&mut self, a: G, b: WORD) -> G {
            G(sw_ends(&mut self.state, a.0, b.0))
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
        fn fn_read(&self) -> csr::Fn_ {
            csr::Fn_(sw_fn_read(&self.state))
        }

        #[inline]
        fn fn_write(&mut self, word: csr::Fn_) {
            sw_fn_write(&mut self.state, word.0);
        }

        #[inline]
        fn x_read(&self) -> csr::X {
            csr::X(sw_x_read(&self.state))
        }

        #[inline]
        fn x_write(&mut self, word: csr::X) {
            sw_x_write(&mut self.state, word.0);
        }

        #[inline]
        fn info_read(&self) -> csr::Info {
            csr::Info(sw_info_read(&self.state))
        }
    }

    /// The fallback as a runtime registers it.
    #[derive(Clone, Copy, Debug)]
    pub struct SoftCxu;

    impl cx::RustCxu for SoftCxu {
        type State = State;
        type Word = u32;
        const UUID: cx::Uuid = UUID;
        const NAME: &'static ::core::ffi::CStr = c"org.example.names:result";
        const SHARING: cx::Sharing = cx::Sharing::Exclusive;
        const CONTRACT: [u8; 32] = CONTRACT;
        const FLAGS: u32 = cx::SoftFlags::STATE_CONTEXT;
        const STATE_WORDS: u32 = 13;
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
                0 => (
                    sw_gen(state, rs1 as u8, rs2 as u32) as usize,
                    cx::Response::Ok,
                ),
                1 => (
                    sw_self_(state, rs1 as u32, rs2 as u32) as usize,
                    cx::Response::Ok,
                ),
                2 => (
                    usize::from(sw_crate_(state, rs1 as u32, rs2 as u8)),
                    cx::Response::Ok,
                ),
                3 => (
                    i32::from(sw_clone_(state, rs1 as i8, rs2 as i8)) as u32 as usize,
                    cx::Response::Ok,
                ),
                4 => {
                    let (value, answer) = sw_into_(state);
                    (usize::from(value), answer.response())
                }
                8 => {
                    let (value, answer) = sw_rockn_roll(state, rs1 as u8);
                    (value as usize, answer.response())
                }
                9 => (
                    sw_divide(state, rs1 as u32, rs2 as u32) as usize,
                    cx::Response::Ok,
                ),
                10 => {
                    sw_nothing(state);
                    (0, cx::Response::Ok)
                }
                11 => {
                    sw_third(state, rs1 as u32, rs2 as u32, (function >> 16) as u8);
                    (0, cx::Response::Ok)
                }
                12 => {
                    sw_all(state, rs2 as u16);
                    (0, cx::Response::Ok)
                }
                13 => {
                    sw_bare(state, rs1 as u32, rs2 as u32);
                    (0, cx::Response::Ok)
                }
                14 => (
                    usize::from(sw_ends(state, rs1 as u8, rs2 as u8)),
                    cx::Response::Ok,
                ),
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
                11 => (function | (fields & 31) << 16, rs2),
                12 => (function, (fields & 32767) as usize),
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
                0x802 => {
                    let old = sw_fn_read(state);
                    if let Some(word) = op.written(old as usize, value) {
                        sw_fn_write(state, word as u32);
                    }
                    old
                }
                0x8FF => {
                    let old = sw_x_read(state);
                    if let Some(word) = op.written(old as usize, value) {
                        sw_x_write(state, word as u32);
                    }
                    old
                }
                0xCC0 if op == cx::CsrOp::Read => sw_info_read(state),
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
    static TABLE_4: [u32; 3] = [0x0000_0001, 0x0000_0000, 0x0000_0000];
    /// Constants.
    #[rustfmt::skip]
    static TABLE_2: [u8; 4] = [0x01, 0x02, 0x03, 0x04];

    /// Constants.
    #[rustfmt::skip]
    static TABLE_3: [u32; 9] = [
        0xFFFF_FFFF, 0xFFFF_FFFF, 0x0000_003F, 0x0000_0002,
        0x0000_0000, 0x0000_0000, 0xFFFF_FFFD, 0xFFFF_FFFF,
        0x0000_003F,
    ];

    /// Constants.
    #[rustfmt::skip]
    static TABLE: [u32; 3] = [0xFFFF_FFFF, 0x0000_0000, 0x0000_0000];

    /// The function `loop`.
    #[inline]
    fn fn_loop(r#match: u32) -> u32 {
        r#match.wrapping_add(1) & 0xFF
    }

    /// `gen` in software.
    #[inline]
    fn sw_gen(st: &mut State, r#type: u8, st_2: u32) -> u32 {
        if (st.status & 3) == 0 {
            return 0;
        }
        let r#type: u32 = u32::from(r#type);
        fn_loop(r#type).wrapping_add(st_2)
    }

    /// `Self` in software.
    #[inline]
    fn sw_self_(st: &mut State, value: u32, cx: u32) -> u32 {
        if (st.status & 3) == 0 {
            return 0;
        }
        st.status |= 3;
        st.self_ = value;
        cx
    }

    /// `crate` in software.
    #[inline]
    fn sw_crate_(st: &mut State, x: u32, option: u8) -> u8 {
        if (st.status & 3) == 0 {
            return 0;
        }
        let option: u32 = u32::from(option) & 7;
        (if (x & 1) == 1 { option } else { 0_u32 }) as u8
    }

    /// `clone` in software.
    #[inline]
    fn sw_clone_(st: &mut State, a: i8, b: i8) -> i8 {
        if (st.status & 3) == 0 {
            return 0;
        }
        let a: u32 = u32::from(a as u8);
        let b: u32 = u32::from(b as u8);
        st.status |= 3;
        st.on = (a ^ 0x80) < (b ^ 0x80);
        let t1: u32 = (a as i8 as u32).wrapping_add(b as i8 as u32) & 0x1FF;
        let t2: u32 = t1 ^ 0x100;
        (if t2 < 128 {
            128_u32
        } else if t2 > 383 {
            127_u32
        } else {
            t1
        }) as i8
    }

    /// `into` in software.
    #[inline]
    fn sw_into_(st: &mut State) -> (bool, abi1::Answer) {
        if (st.status & 3) == 0 {
            return (false, abi1::Answer::Off);
        }
        if !st.on {
            st.status = (st.status & 0xFF_FFFF) | 0x900_0000;
            return (true, abi1::Answer::Custom);
        }
        (st.on, abi1::Answer::Ok)
    }

    /// `RocknRoll` in software.
    #[inline]
    fn sw_rockn_roll(st: &mut State, i: u8) -> (u32, abi1::Answer) {
        if (st.status & 3) == 0 {
            return (0, abi1::Answer::Off);
        }
        let i: u32 = u32::from(i) & 3;
        if i == 3 {
            st.status = (st.status & 0xFF_FFFF) | 0x100_0000;
            return (0, abi1::Answer::Custom);
        }
        st.status |= 3;
        let t1: u32 = i.wrapping_mul(3);
        let mut t2 = [0_u32; 3];
        let mut t3 = [0_u32; 3];
        if i < 3 {
            t3.copy_from_slice(&st.deep[i.wrapping_mul(3) as usize..][..3]);
        } else {
            t3.fill(0);
        }
        let mut t4 = [0_u32; 3];
        wide_sub(&mut t4, &t3, &TABLE_4);
        wide_mask(&mut t4, 70);
        t2.copy_from_slice(&t4);
        if i < 3 {
            st.deep[t1 as usize..][..3].copy_from_slice(&t2);
        }
        let mut t5 = [0_u8; 2];
        t5.copy_from_slice(&st.r#type[2..4]);
        st.r#type[..2].copy_from_slice(&t5);
        let mut t6 = [0_u32; 3];
        if i < 3 {
            t6.copy_from_slice(&st.deep[i.wrapping_mul(3) as usize..][..3]);
        } else {
            t6.fill(0);
        }
        (wide_word32(&t6, 0), abi1::Answer::Ok)
    }

    /// `divide` in software.
    #[inline]
    fn sw_divide(st: &mut State, a: u32, b: u32) -> u32 {
        if (st.status & 3) == 0 {
            return 0;
        }
        let mut q = [0_u32; 7];
        let mut t1 = [0_u32; 7];
        wide_from_word(&mut t1, u64::from(a));
        q.copy_from_slice(&t1);
        let mut t2 = [0_u32; 7];
        let mut t3 = [0_u32; 7];
        wide_shl(&mut t3, &q, 100);
        wide_mask(&mut t3, 200);
        let mut t4 = [0_u32; 7];
        wide_from_word(&mut t4, u64::from(b));
        let mut t5 = [0_u32; 7];
        wide_div(&mut t5, &t3, &t4);
        wide_mask(&mut t5, 200);
        t2.copy_from_slice(&t5);
        q.copy_from_slice(&t2);
        wide_word32(&q, 100)
    }

    /// `nothing` in software.
    #[inline]
    fn sw_nothing(st: &mut State) {
        if (st.status & 3) == 0 {
            return;
        }
        st.status |= 3;
        st.self_ = 1;
    }

    /// `third` in software.
    #[inline]
    fn sw_third(st: &mut State, a: u32, b: u32, n: u8) {
        if (st.status & 3) == 0 {
            return;
        }
        let n: u32 = u32::from(n) & 0x1F;
        st.status |= 3;
        st.self_ = a.wrapping_add(b).wrapping_add(n);
    }

    /// `all` in software.
    #[inline]
    fn sw_all(st: &mut State, n: u16) {
        if (st.status & 3) == 0 {
            return;
        }
        let n: u32 = u32::from(n) & 0x7FFF;
        st.status |= 3;
        st.self_ = n;
    }

    /// `bare` in software.
    #[inline]
    fn sw_bare(st: &mut State, a: u32, b: u32) {
        if (st.status & 3) == 0 {
            return;
        }
        st.status |= 3;
        st.self_ = a ^ b;
    }

    /// `ends` in software.
    #[inline]
    fn sw_ends(st: &mut State, a: u8, b: u8) -> u8 {
        if (st.status & 3) == 0 {
            return 0;
        }
        let a: u32 = u32::from(a) & 7;
        let b: u32 = u32::from(b) & 7;
        (if a == 2 { 1_u32 } else { b }) as u8
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
        st.status = ((if t4 == 0 || t4 == 1 || t4 == 9 {
            t4
        } else {
            t1 >> 24
        }) << 24)
            | 0x34
            | t3;
        t1
    }

    /// `read_status` in software.
    #[inline]
    fn sw_read_status(st: &mut State) -> u32 {
        st.status
    }

    /// Reads `Fn` in software.
    #[inline]
    fn sw_fn_read(st: &State) -> u32 {
        if (st.status & 3) == 0 {
            return 0;
        }
        (u32::from(st.low) << 29)
            | (u32::from(st.on) << 6)
            | (u32::from(st.kind) << 3)
            | u32::from(st.mode)
    }

    /// Writes `Fn` in software.
    #[inline]
    fn sw_fn_write(st: &mut State, value: u32) {
        if (st.status & 3) == 0 {
            return;
        }
        st.status |= 3;
        let fmt: u32 = value & 7;
        let t1: u32 = fmt;
        if t1 <= 2 {
            st.mode = fmt as u8;
        }
        st.kind = ((value >> 3) & 7) as u8;
        st.on = ((value >> 6) & 1) != 0;
        st.low = (value >> 29) as u8;
    }

    /// Reads `X` in software.
    #[inline]
    fn sw_x_read(st: &State) -> u32 {
        if (st.status & 3) == 0 {
            return 0;
        }
        st.self_
    }

    /// Writes `X` in software.
    #[inline]
    fn sw_x_write(st: &mut State, value: u32) {
        if (st.status & 3) == 0 {
            return;
        }
        st.status |= 3;
        st.self_ = value;
    }

    /// Reads `info` in software.
    #[inline]
    fn sw_info_read(st: &State) -> u32 {
        if (st.status & 3) == 0 {
            return 0;
        }
        ((wide_word32(&st.deep[..3], 0) & 1) << 31) | 0x7FFF_FFFD
    }

    /// A word, zero-extended.
    fn wide_from_word(r: &mut [u32], mut v: u64) {
        for limb in r {
            *limb = v as u32;
            v >>= 32;
        }
    }

    /// `a - b`
    fn wide_sub(r: &mut [u32], a: &[u32], b: &[u32]) {
        let mut borrow = false;
        for ((r, a), b) in r.iter_mut().zip(a).zip(b) {
            let (d, below) = a.overflowing_sub(*b);
            let (d, again) = d.overflowing_sub(u32::from(borrow));
            *r = d;
            borrow = below || again;
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

    /// `a < b`
    fn wide_less(a: &[u32], b: &[u32]) -> bool {
        a.iter().rev().lt(b.iter().rev())
    }

    /// Shifts the next bit of `a` into `rest`; takes `b` away and tells so if it fits.
    fn wide_divide_step(rest: &mut [u32], a: &[u32], b: &[u32], bit: usize) -> bool {
        let mut carry = a[bit / 32] >> (bit % 32) & 1;
        for limb in rest.iter_mut() {
            let top = *limb >> 31;
            *limb = *limb << 1 | carry;
            carry = top;
        }
        let fits = carry != 0 || !wide_less(rest, b);
        if fits {
            let mut borrow = false;
            for (limb, b) in rest.iter_mut().zip(b) {
                let (d, below) = limb.overflowing_sub(*b);
                let (d, again) = d.overflowing_sub(u32::from(borrow));
                *limb = d;
                borrow = below || again;
            }
        }
        fits
    }

    /// `a / b`, bit by bit. A zero divisor gives all ones.
    fn wide_div(r: &mut [u32], a: &[u32], b: &[u32]) {
        let mut rest = [0; 7];
        let rest = &mut rest[..a.len()];
        r.fill(0);
        for bit in (0..32 * a.len()).rev() {
            r[bit / 32] |= u32::from(wide_divide_step(rest, a, b, bit)) << (bit % 32);
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

    /// `org.example.names:result`, selected: each command is one instruction on a hart, and elsewhere a call.
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

    impl<G2: cx::Issue> Result_ for Selected<G2> {
        #[inline]
        fn r#gen(&mut self, r#type: u8, st: u32) -> u32 {
            abi1::value::<G2, 0>(&self.0, Some(usize::from(r#type)), Some(st as usize)) as u32
        }

        #[inline]
        fn self_(&mut self, value: u32, cx: u32) -> u32 {
            abi1::value::<G2, 1>(&self.0, Some(value as usize), Some(cx as usize)) as u32
        }

        #[inline]
        fn crate_<const OPTION: u8>(&mut self, x: u32) -> Option_ {
            abi1::check12::<abi1::U8<OPTION>, 3>();
            Option_(abi1::immediate::<G2, 2, abi1::U8<OPTION>>(&self.0, Some(x as usize)) as u8)
        }

        #[inline]
        fn clone_(&mut self, a: i8, b: i8) -> i8 {
            abi1::value::<G2, 3>(
                &self.0,
                Some(i32::from(a) as u32 as usize),
                Some(i32::from(b) as u32 as usize),
            ) as i8
        }

        #[inline]
        fn into_(&mut self) -> bool {
            abi1::value::<G2, 4>(&self.0, None, None) & 1 != 0
        }

        #[inline]
        fn try_into_(&mut self) -> Result<bool, Error> {
            let reply = abi1::try_value::<G2, 4>(&self.0, None, None);
            Error::check(reply.value & 1 != 0, reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn rockn_roll(&mut self, i: u8) -> u32 {
            abi1::value::<G2, 8>(&self.0, Some(usize::from(i)), None) as u32
        }

        #[inline]
        fn try_rockn_roll(&mut self, i: u8) -> Result<u32, Error> {
            let reply = abi1::try_value::<G2, 8>(&self.0, Some(usize::from(i)), None);
            Error::check(reply.value as u32, reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn divide(&mut self, a: u32, b: u32) -> u32 {
            abi1::value::<G2, 9>(&self.0, Some(a as usize), Some(b as usize)) as u32
        }

        #[inline]
        fn nothing(&mut self) {
            let _ = abi1::flex::<G2, 10>(&self.0, None, None);
        }

        #[inline]
        fn third<const N: u8>(&mut self, a: u32, b: u32) {
            abi1::check::<abi1::U8<N>, 5>();
            let _ = abi1::flex_immediate::<G2, 11, 5, abi1::U8<N>>(
                &self.0,
                Some(a as usize),
                Some(b as usize),
            );
        }

        #[inline]
        fn all<const N: u16>(&mut self) {
            abi1::check::<abi1::U16<N>, 15>();
            let _ = abi1::flex25::<G2, 12, abi1::U16<N>>(&self.0);
        }

        #[inline]
        fn bare(&mut self, a: u32, b: u32) {
            let _ = abi1::flex::<G2, 13>(&self.0, Some(a as usize), Some(b as usize));
        }

        #[inline]
        fn ends(&mut self, a: G, b: WORD) -> G {
            G(abi1::value::<G2, 14>(&self.0, Some(usize::from(a.0)), Some(usize::from(b.0))) as u8)
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
        fn fn_read(&self) -> csr::Fn_ {
            csr::Fn_(abi1::csr_read::<G2, { csr::Fn_::ADDRESS }>(&self.0, 0) as u32)
        }

        #[inline]
        fn fn_write(&mut self, word: csr::Fn_) {
            let _ = abi1::csr_write::<G2, { csr::Fn_::ADDRESS }>(&self.0, word.0 as usize);
        }

        #[inline]
        fn fn_swap(&mut self, word: csr::Fn_) -> csr::Fn_ {
            csr::Fn_(abi1::csr_swap::<G2, { csr::Fn_::ADDRESS }>(&self.0, word.0 as usize) as u32)
        }

        #[inline]
        fn fn_set(&mut self, bits: u32) -> csr::Fn_ {
            csr::Fn_(abi1::csr_set::<G2, { csr::Fn_::ADDRESS }>(&self.0, bits as usize) as u32)
        }

        #[inline]
        fn fn_clear(&mut self, bits: u32) -> csr::Fn_ {
            csr::Fn_(abi1::csr_clear::<G2, { csr::Fn_::ADDRESS }>(&self.0, bits as usize) as u32)
        }

        #[inline]
        fn fn_write_i<const WORD2: u32>(&mut self) {
            let _ =
                abi1::csr_write_constant::<G2, { csr::Fn_::ADDRESS }, abi1::U32<WORD2>>(&self.0);
        }

        #[inline]
        fn fn_set_i<const WORD2: u32>(&mut self) -> csr::Fn_ {
            csr::Fn_(
                abi1::csr_set_constant::<G2, { csr::Fn_::ADDRESS }, abi1::U32<WORD2>>(&self.0)
                    as u32,
            )
        }

        #[inline]
        fn fn_clear_i<const WORD2: u32>(&mut self) -> csr::Fn_ {
            csr::Fn_(
                abi1::csr_clear_constant::<G2, { csr::Fn_::ADDRESS }, abi1::U32<WORD2>>(&self.0)
                    as u32,
            )
        }

        #[inline]
        fn x_read(&self) -> csr::X {
            csr::X(abi1::csr_read::<G2, { csr::X::ADDRESS }>(&self.0, 0) as u32)
        }

        #[inline]
        fn x_write(&mut self, word: csr::X) {
            let _ = abi1::csr_write::<G2, { csr::X::ADDRESS }>(&self.0, word.0 as usize);
        }

        #[inline]
        fn x_swap(&mut self, word: csr::X) -> csr::X {
            csr::X(abi1::csr_swap::<G2, { csr::X::ADDRESS }>(&self.0, word.0 as usize) as u32)
        }

        #[inline]
        fn x_set(&mut self, bits: u32) -> csr::X {
            csr::X(abi1::csr_set::<G2, { csr::X::ADDRESS }>(&self.0, bits as usize) as u32)
        }

        #[inline]
        fn x_clear(&mut self, bits: u32) -> csr::X {
            csr::X(abi1::csr_clear::<G2, { csr::X::ADDRESS }>(&self.0, bits as usize) as u32)
        }

        #[inline]
        fn x_write_i<const WORD2: u32>(&mut self) {
            let _ = abi1::csr_write_constant::<G2, { csr::X::ADDRESS }, abi1::U32<WORD2>>(&self.0);
        }

        #[inline]
        fn x_set_i<const WORD2: u32>(&mut self) -> csr::X {
            csr::X(
                abi1::csr_set_constant::<G2, { csr::X::ADDRESS }, abi1::U32<WORD2>>(&self.0) as u32,
            )
        }

        #[inline]
        fn x_clear_i<const WORD2: u32>(&mut self) -> csr::X {
            csr::X(
                abi1::csr_clear_constant::<G2, { csr::X::ADDRESS }, abi1::U32<WORD2>>(&self.0)
                    as u32,
            )
        }

        #[inline]
        fn info_read(&self) -> csr::Info {
            csr::Info(abi1::csr_read::<G2, { csr::Info::ADDRESS }>(&self.0, 0) as u32)
        }
    }
}

/// `org.example.names:result` where a register has 64 bits.
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
    /// The UUID, aa0f7d0e-00ff-4000-8000-0000000000a1.
    pub const UUID: cx::Uuid = cx::Uuid::from_u128(0xAA0F_7D0E_00FF_4000_8000_0000_0000_00A1);

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0x45, 0x6E, 0x0E, 0xCD, 0xF3, 0xAA, 0xD5, 0xC7, 0xE1, 0xC7, 0xA6, 0x9B,
        0xBD, 0x22, 0x85, 0x0B, 0x8A, 0xF5, 0x09, 0x64, 0x01, 0x75, 0x7E, 0x3C,
        0x5A, 0x5C, 0x5D, 0x92, 0xCE, 0xD9, 0x98, 0x7F,
    ];

    /// The constant `answer`.
    pub const ANSWER: u32 = 42;
    /// The constant `Least`.
    pub const LEAST: i64 = -0x8000_0000_0000_0000;

    /// Function ids.
    pub mod id {
        /// `gen`
        pub const GEN: u32 = 0;
        /// `Self`
        pub const SELF: u32 = 1;
        /// `crate`
        pub const CRATE: u32 = 2;
        /// `clone`
        pub const CLONE: u32 = 3;
        /// `into`
        pub const INTO: u32 = 4;
        /// `RocknRoll`
        pub const ROCKN_ROLL: u32 = 8;
        /// `divide`
        pub const DIVIDE: u32 = 9;
        /// `nothing`
        pub const NOTHING: u32 = 10;
        /// `third`
        pub const THIRD: u32 = 11;
        /// `all`
        pub const ALL: u32 = 12;
        /// `bare`
        pub const BARE: u32 = 13;
        /// `ends`
        pub const ENDS: u32 = 14;
        /// `write_state`
        pub const WRITE_STATE: u32 = 1020;
        /// `read_state`
        pub const READ_STATE: u32 = 1021;
        /// `write_status`
        pub const WRITE_STATUS: u32 = 1022;
        /// `read_status`
        pub const READ_STATUS: u32 = 1023;
    }

    /// The enum `G`.
    ///
    /// Any pattern of 3 bits may occur, so this is no Rust enum.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(transparent)]
    pub struct G(pub u8);

    impl G {
        /// The case `WORD`.
        pub const WORD: G = G(1);
    }

    /// The enum `WORD`.
    ///
    /// Any pattern of 3 bits may occur, so this is no Rust enum.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(transparent)]
    pub struct WORD(pub u8);

    impl WORD {
        /// The case `G`.
        pub const G: WORD = WORD(1);
    }

    /// The enum `Option`.
    ///
    /// Any pattern of 3 bits may occur, so this is no Rust enum.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(transparent)]
    pub struct Option_(pub u8);

    impl Option_ {
        /// The case `none`.
        pub const NONE: Option_ = Option_(0);
        /// The case `SomeThing`.
        pub const SOME_THING: Option_ = Option_(1);
        /// The case `type`.
        pub const TYPE: Option_ = Option_(2);
    }

    /// Why a command of [`Result_`] was not done.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Error {
        /// it failed: {}
        Try,
        /// NotReady
        NotReady,
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
                    1 => Error::Try,
                    9 => Error::NotReady,
                    code => Error::Custom(code),
                },
                abi1::Answer::Trap => Error::Trap,
            })
        }
    }

    impl ::core::fmt::Display for Error {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(match self {
                Error::Try => "it failed: {}",
                Error::NotReady => "NotReady",
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
        /// Its type would be that of the prelude.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct Fn_(pub u64);

        impl Fn_ {
            /// The address of `Fn`.
            pub const ADDRESS: u32 = 0x802;
            /// The lowest bit of `fmt`.
            pub const FMT_SHIFT: u32 = 0;
            /// The bits of `fmt`.
            pub const FMT_MASK: u64 = 0x7;

            /// The field `fmt`.
            ///
            /// Bits 2:0.
            #[must_use]
            pub const fn fmt(self) -> super::Option_ {
                super::Option_((self.0 & Self::FMT_MASK) as u8)
            }

            /// The same word with another `fmt`.
            #[must_use]
            pub const fn with_fmt(self, value: super::Option_) -> Self {
                Self((self.0 & !Self::FMT_MASK) | ((value.0 as u64) & Self::FMT_MASK))
            }

            /// The lowest bit of `type`.
            pub const TYPE_SHIFT: u32 = 3;
            /// The bits of `type`.
            pub const TYPE_MASK: u64 = 0x38;

            /// The field `type`.
            ///
            /// Bits 5:3.
            #[must_use]
            pub const fn r#type(self) -> super::Option_ {
                super::Option_(((self.0 & Self::TYPE_MASK) >> 3) as u8)
            }

            /// The same word with another `type`.
            #[must_use]
            pub const fn with_type(self, value: super::Option_) -> Self {
                Self((self.0 & !Self::TYPE_MASK) | (((value.0 as u64) << 3) & Self::TYPE_MASK))
            }

            /// The lowest bit of `On`.
            pub const ON_SHIFT: u32 = 6;
            /// The bits of `On`.
            pub const ON_MASK: u64 = 0x40;

            /// The field `On`.
            ///
            /// Bit 6.
            #[must_use]
            pub const fn on(self) -> bool {
                self.0 & Self::ON_MASK != 0
            }

            /// The same word with another `On`.
            #[must_use]
            pub const fn with_on(self, value: bool) -> Self {
                Self((self.0 & !Self::ON_MASK) | (((value as u64) << 6) & Self::ON_MASK))
            }

            /// The lowest bit of `self`.
            pub const SELF_SHIFT: u32 = 61;
            /// The bits of `self`.
            pub const SELF_MASK: u64 = 0xE000_0000_0000_0000;

            /// Signed, at the top.
            ///
            /// Bits 63:61.
            #[must_use]
            pub const fn self_(self) -> i8 {
                (self.0 as i64 >> 61) as i8
            }

            /// The same word with another `self`.
            #[must_use]
            pub const fn with_self(self, value: i8) -> Self {
                Self((self.0 & !Self::SELF_MASK) | (((value as u64) << 61) & Self::SELF_MASK))
            }
        }

        /// The CSR `X`.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct X(pub u64);

        impl X {
            /// The address of `X`.
            pub const ADDRESS: u32 = 0x8FF;
            /// The lowest bit of `word`.
            pub const WORD_SHIFT: u32 = 0;
            /// The bits of `word`.
            pub const WORD_MASK: u64 = 0xFFFF_FFFF_FFFF_FFFF;

            /// The field `word`.
            ///
            /// Bits 63:0.
            #[must_use]
            pub const fn word(self) -> u64 {
                self.0 & Self::WORD_MASK
            }

            /// The same word with another `word`.
            #[must_use]
            pub const fn with_word(self, value: u64) -> Self {
                Self((self.0 & !Self::WORD_MASK) | (value & Self::WORD_MASK))
            }
        }

        /// The CSR `info`.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct Info(pub u64);

        impl Info {
            /// The address of `info`.
            pub const ADDRESS: u32 = 0xCC0;
            /// The lowest bit of `n`.
            pub const N_SHIFT: u32 = 0;
            /// The bits of `n`.
            pub const N_MASK: u64 = 0x7FFF_FFFF;

            /// The field `n`.
            ///
            /// Bits 30:0.
            #[must_use]
            pub const fn n(self) -> i32 {
                ((self.0 << 33) as i64 >> 33) as i32
            }

            /// The lowest bit of `deep`.
            pub const DEEP_SHIFT: u32 = 63;
            /// The bits of `deep`.
            pub const DEEP_MASK: u64 = 0x8000_0000_0000_0000;

            /// The field `deep`.
            ///
            /// Bit 63.
            #[must_use]
            pub const fn deep(self) -> u8 {
                ((self.0 & Self::DEEP_MASK) >> 63) as u8
            }
        }
    }

    /// Names that Rust has taken, and words that rustdoc reads: [0], <T>, `x`.
    ///
    /// ```text
    /// this is no Rust
    /// ```
    pub trait Result_ {
        /// Command 0.
        fn r#gen(&mut self, r#type: u8, st: u64) -> u64;

        /// Command 1.
        fn self_(&mut self, value: u64, cx: u64) -> u64;

        /// Command 2.
        ///
        /// `OPTION` is a value of 3 bits.
        fn crate_<const OPTION: u8>(&mut self, x: u64) -> Option_;

        /// Command 3.
        fn clone_(&mut self, a: i8, b: i8) -> i8;

        /// Command 4.
        fn into_(&mut self) -> bool;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_into_(&mut self) -> Result<bool, Error>;

        /// Command 8.
        fn rockn_roll(&mut self, i: u8) -> u64;

        /// The same, and whether it was done.
        ///
        /// # Errors
        /// What the CX answered, if not that it is done.
        fn try_rockn_roll(&mut self, i: u8) -> Result<u64, Error>;

        /// Command 9.
        fn divide(&mut self, a: u64, b: u64) -> u64;

        /// Command 10.
        fn nothing(&mut self);

        /// Command 11.
        ///
        /// `N` is a value of 5 bits.
        fn third<const N: u8>(&mut self, a: u64, b: u64);

        /// Command 12.
        ///
        /// `N` is a value of 15 bits.
        fn all<const N: u16>(&mut self);

        /// Command 13.
        fn bare(&mut self, a: u64, b: u64);

        /// Command 14.
        fn ends(&mut self, a: G, b: WORD) -> G;

        /// Writes the state word at `index`, returns `value`; an invalid index is dropped.
        fn write_state(&mut self, index: u64, value: u64) -> u64;

        /// The state word at `index`.
        fn read_state(&mut self, index: u64) -> u64;

        /// Writes the status word, returns the old one; cs = initial resets, cs = off turns the context off.
        fn write_status(&mut self, status: u64) -> u64;

        /// The context's status word; never has a side effect.
        fn read_status(&mut self) -> u64;

        /// Its type would be that of the prelude.
        #[must_use]
        fn fn_read(&self) -> csr::Fn_;

        /// Writes `Fn`.
        fn fn_write(&mut self, word: csr::Fn_);

        /// Writes `Fn`; returns what was there before.
        #[inline]
        fn fn_swap(&mut self, word: csr::Fn_) -> csr::Fn_ {
            let old = self.fn_read();
            self.fn_write(word);
            old
        }

        /// Sets these bits of `Fn`; returns what was there before.
        #[inline]
        fn fn_set(&mut self, bits: u64) -> csr::Fn_ {
            let old = self.fn_read();
            self.fn_write(csr::Fn_(old.0 | bits));
            old
        }

        /// Clears these bits of `Fn`; returns what was there before.
        #[inline]
        fn fn_clear(&mut self, bits: u64) -> csr::Fn_ {
            let old = self.fn_read();
            self.fn_write(csr::Fn_(old.0 & !bits));
            old
        }

        /// Writes a constant to `Fn`. One below 32 is part of the instruction.
        #[inline]
        fn fn_write_i<const WORD2: u64>(&mut self) {
            self.fn_write(csr::Fn_(WORD2));
        }

        /// Sets constant bits of `Fn`; returns what was there before.
        #[inline]
        fn fn_set_i<const WORD2: u64>(&mut self) -> csr::Fn_ {
            self.fn_set(WORD2)
        }

        /// Clears constant bits of `Fn`; returns what was there before.
        #[inline]
        fn fn_clear_i<const WORD2: u64>(&mut self) -> csr::Fn_ {
            self.fn_clear(WORD2)
        }

        /// Reads `X`.
        #[must_use]
        fn x_read(&self) -> csr::X;

        /// Writes `X`.
        fn x_write(&mut self, word: csr::X);

        /// Writes `X`; returns what was there before.
        #[inline]
        fn x_swap(&mut self, word: csr::X) -> csr::X {
            let old = self.x_read();
            self.x_write(word);
            old
        }

        /// Sets these bits of `X`; returns what was there before.
        #[inline]
        fn x_set(&mut self, bits: u64) -> csr::X {
            let old = self.x_read();
            self.x_write(csr::X(old.0 | bits));
            old
        }

        /// Clears these bits of `X`; returns what was there before.
        #[inline]
        fn x_clear(&mut self, bits: u64) -> csr::X {
            let old = self.x_read();
            self.x_write(csr::X(old.0 & !bits));
            old
        }

        /// Writes a constant to `X`. One below 32 is part of the instruction.
        #[inline]
        fn x_write_i<const WORD2: u64>(&mut self) {
            self.x_write(csr::X(WORD2));
        }

        /// Sets constant bits of `X`; returns what was there before.
        #[inline]
        fn x_set_i<const WORD2: u64>(&mut self) -> csr::X {
            self.x_set(WORD2)
        }

        /// Clears constant bits of `X`; returns what was there before.
        #[inline]
        fn x_clear_i<const WORD2: u64>(&mut self) -> csr::X {
            self.x_clear(WORD2)
        }

        /// Reads `info`.
        #[must_use]
        fn info_read(&self) -> csr::Info;
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
        /// The field `self`.
        pub self_: u64,
        /// The field `Type`.
        pub r#type: [u8; 4],
        /// The field `deep`.
        pub deep: [u32; 9],
        /// The field `on`.
        pub on: bool,
        /// The field `low`.
        pub low: u8,
        /// The field `kind`.
        pub kind: u8,
        /// The field `mode`.
        pub mode: u8,
    }

    impl State {
        /// Words in an image: the status word, and the state words.
        pub const WORDS: usize = 11;

        /// The reset state: cs is initial.
        pub const RESET: State = State {
            status: 0x29,
            self_: 3,
            r#type: [1, 2, 3, 4],
            deep: [
                0xFFFF_FFFF,
                0xFFFF_FFFF,
                63,
                2,
                0,
                0,
                0xFFFF_FFFD,
                0xFFFF_FFFF,
                63,
            ],
            on: true,
            low: 6,
            kind: 2,
            mode: 0,
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
            if matches!(code, 1 | 9) {
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
                return self.self_;
            }
            if index < 2 {
                let word_2: u32 = (index as u32).wrapping_sub(1);
                let element: u32 = word_2.wrapping_mul(64) / 5;
                let bit: u32 = word_2.wrapping_mul(64) % 5;
                let mut value: u64 = u64::from(
                    (if element < 4 {
                        u32::from(self.r#type[element as usize])
                    } else {
                        0_u32
                    }) >> bit,
                );
                for k in 1..14_u32 {
                    let next: u32 = element.wrapping_add(k);
                    let begins: u32 = k.wrapping_mul(5).wrapping_sub(bit);
                    value |= if begins < 64 {
                        u64::from(if next < 4 {
                            u32::from(self.r#type[next as usize])
                        } else {
                            0_u32
                        }) << begins
                    } else {
                        0
                    };
                }
                return value;
            }
            if index < 6 {
                let word_3: u32 = (index as u32).wrapping_sub(2);
                let element_2: u32 = word_3.wrapping_mul(64) / 70;
                let bit_2: u32 = word_3.wrapping_mul(64) % 70;
                let mut t1 = [0_u32; 3];
                if element_2 < 3 {
                    t1.copy_from_slice(&self.deep[element_2.wrapping_mul(3) as usize..][..3]);
                } else {
                    t1.fill(0);
                }
                let mut value_2: u64 = wide_word64(&t1, bit_2);
                for k in 1..2_u32 {
                    let next_2: u32 = element_2.wrapping_add(k);
                    let begins_2: u32 = k.wrapping_mul(70).wrapping_sub(bit_2);
                    let mut t2 = [0_u32; 3];
                    if next_2 < 3 {
                        t2.copy_from_slice(&self.deep[next_2.wrapping_mul(3) as usize..][..3]);
                    } else {
                        t2.fill(0);
                    }
                    value_2 |= if begins_2 < 64 {
                        wide_word64(&t2, 0) << begins_2
                    } else {
                        0
                    };
                }
                return value_2;
            }
            if index < 7 {
                return u64::from(self.on);
            }
            if index < 8 {
                return u64::from(self.low);
            }
            if index < 9 {
                return u64::from(self.kind);
            }
            if index < 10 {
                return u64::from(self.mode);
            }
            0
        }

        /// Writes the state word at an index; drops what lies outside.
        fn write_word(&mut self, index: u64, value: u64) {
            if index < 1 {
                self.self_ = value;
                return;
            }
            if index < 2 {
                let word_2: u32 = (index as u32).wrapping_sub(1);
                let element: u32 = word_2.wrapping_mul(64) / 5;
                let bit: u32 = word_2.wrapping_mul(64) % 5;
                if element < 4 {
                    self.r#type[element as usize] = ((u32::from(self.r#type[element as usize])
                        & !(0x1F_u32 << bit))
                        | ((((value as u32) & 0x1F) << bit) & 0x1F))
                        as u8;
                }
                for k in 1..14_u32 {
                    let next: u32 = element.wrapping_add(k);
                    let begins: u32 = k.wrapping_mul(5).wrapping_sub(bit);
                    if next < 4 {
                        self.r#type[next as usize] = ((((if next < 4 {
                            u32::from(self.r#type[next as usize])
                        } else {
                            0
                        }) & !((if begins < 64 {
                            0xFFFF_FFFF_FFFF_FFFF_u64 >> begins
                        } else {
                            0_u64
                        }) as u32))
                            | ((if begins < 64 { value >> begins } else { 0_u64 }) as u32))
                            & 0x1F) as u8;
                    }
                }
                return;
            }
            if index < 6 {
                let word_3: u32 = (index as u32).wrapping_sub(2);
                let element_2: u32 = word_3.wrapping_mul(64) / 70;
                let bit_2: u32 = word_3.wrapping_mul(64) % 70;
                let t1: u32 = element_2.wrapping_mul(3);
                if element_2 < 3 {
                    let mut t2 = [0_u32; 3];
                    wide_from_word(&mut t2, value);
                    let mut t3 = [0_u32; 3];
                    wide_shl(&mut t3, &TABLE, bit_2);
                    let mut t4 = [0_u32; 3];
                    wide_not(&mut t4, &t3);
                    let mut t5 = [0_u32; 3];
                    wide_and(&mut t5, &self.deep[t1 as usize..][..3], &t4);
                    let mut t6 = [0_u32; 3];
                    wide_shl(&mut t6, &t2, bit_2);
                    let mut t7 = [0_u32; 3];
                    wide_or(&mut t7, &t5, &t6);
                    wide_mask(&mut t7, 70);
                    self.deep[t1 as usize..][..3].copy_from_slice(&t7);
                }
                for k in 1..2_u32 {
                    let next_2: u32 = element_2.wrapping_add(k);
                    let begins_2: u32 = k.wrapping_mul(70).wrapping_sub(bit_2);
                    let t8: u32 = next_2.wrapping_mul(3);
                    let mut t9 = [0_u32; 3];
                    let mut t10 = [0_u32; 3];
                    if next_2 < 3 {
                        t10.copy_from_slice(&self.deep[next_2.wrapping_mul(3) as usize..][..3]);
                    } else {
                        t10.fill(0);
                    }
                    let mut t11 = [0_u32; 3];
                    wide_from_word(
                        &mut t11,
                        if begins_2 < 64 {
                            0xFFFF_FFFF_FFFF_FFFF_u64 >> begins_2
                        } else {
                            0
                        },
                    );
                    let mut t12 = [0_u32; 3];
                    wide_not(&mut t12, &t11);
                    wide_mask(&mut t12, 70);
                    let mut t13 = [0_u32; 3];
                    wide_and(&mut t13, &t10, &t12);
                    let mut t14 = [0_u32; 3];
                    wide_from_word(&mut t14, if begins_2 < 64 { value >> begins_2 } else { 0 });
                    let mut t15 = [0_u32; 3];
                    wide_or(&mut t15, &t13, &t14);
                    t9.copy_from_slice(&t15);
                    if next_2 < 3 {
                        self.deep[t8 as usize..][..3].copy_from_slice(&t9);
                    }
                }
                return;
            }
            if index < 7 {
                self.on = ((value as u32) & 1) != 0;
                return;
            }
            if index < 8 {
                self.low = ((value as u32) & 7) as u8;
                return;
            }
            if index < 9 {
                self.kind = ((value as u32) & 7) as u8;
                return;
            }
            if index < 10 {
                self.mode = ((value as u32) & 7) as u8;
            }
        }
    }

    impl Default for State {
        fn default() -> Self {
            State::RESET
        }
    }

    /// `org.example.names:result` in software: one context. Operands count by their low bits, and a context
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

    impl Result_ for Soft {
        #[inline]
        fn r#gen(&mut self, r#type: u8, st: u64) -> u64 {
            sw_gen(&mut self.state, r#type, st)
        }

        #[inline]
        fn self_(&mut self, value: u64, cx: u64) -> u64 {
            sw_self_(&mut self.state, value, cx)
        }

        #[inline]
        fn crate_<const OPTION: u8>(&mut self, x: u64) -> Option_ {
            abi1::check12::<abi1::U8<OPTION>, 3>();
            Option_(sw_crate_(&mut self.state, x, OPTION))
        }

        #[inline]
        fn clone_(&mut self, a: i8, b: i8) -> i8 {
            sw_clone_(&mut self.state, a, b)
        }

        #[inline]
        fn into_(&mut self) -> bool {
            sw_into_(&mut self.state).0
        }

        #[inline]
        fn try_into_(&mut self) -> Result<bool, Error> {
            let (value, answer) = sw_into_(&mut self.state);
            Error::check(value, answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn rockn_roll(&mut self, i: u8) -> u64 {
            sw_rockn_roll(&mut self.state, i).0
        }

        #[inline]
        fn try_rockn_roll(&mut self, i: u8) -> Result<u64, Error> {
            let (value, answer) = sw_rockn_roll(&mut self.state, i);
            Error::check(value, answer, || (self.state.status >> 24) as u8)
        }

        #[inline]
        fn divide(&mut self, a: u64, b: u64) -> u64 {
            sw_divide(&mut self.state, a, b)
        }

        #[inline]
        fn nothing(&mut self) {
            sw_nothing(&mut self.state);
        }

        #[inline]
        fn third<const N: u8>(&mut self, a: u64, b: u64) {
            abi1::check::<abi1::U8<N>, 5>();
            sw_third(&mut self.state, a, b, N);
        }

        #[inline]
        fn all<const N: u16>(&mut self) {
            abi1::check::<abi1::U16<N>, 15>();
            sw_all(&mut self.state, N);
        }

        #[inline]
        fn bare(&mut self, a: u64, b: u64) {
            sw_bare(&mut self.state, a, b);
        }

        #[inline]
        fn ends(&mut self, a: G, b: WORD) -> G {
            G(sw_ends(&mut self.state, a.0, b.0))
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
        fn fn_read(&self) -> csr::Fn_ {
            csr::Fn_(sw_fn_read(&self.state))
        }

        #[inline]
        fn fn_write(&mut self, word: csr::Fn_) {
            sw_fn_write(&mut self.state, word.0);
        }

        #[inline]
        fn x_read(&self) -> csr::X {
            csr::X(sw_x_read(&self.state))
        }

        #[inline]
        fn x_write(&mut self, word: csr::X) {
            sw_x_write(&mut self.state, word.0);
        }

        #[inline]
        fn info_read(&self) -> csr::Info {
            csr::Info(sw_info_read(&self.state))
        }
    }

    /// The fallback as a runtime registers it.
    #[derive(Clone, Copy, Debug)]
    pub struct SoftCxu;

    impl cx::RustCxu for SoftCxu {
        type State = State;
        type Word = u64;
        const UUID: cx::Uuid = UUID;
        const NAME: &'static ::core::ffi::CStr = c"org.example.names:result";
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
            let (value, response) = match function & 0xFFFF {
                0 => (
                    sw_gen(state, rs1 as u8, rs2 as u64) as usize,
                    cx::Response::Ok,
                ),
                1 => (
                    sw_self_(state, rs1 as u64, rs2 as u64) as usize,
                    cx::Response::Ok,
                ),
                2 => (
                    usize::from(sw_crate_(state, rs1 as u64, rs2 as u8)),
                    cx::Response::Ok,
                ),
                3 => (
                    i64::from(sw_clone_(state, rs1 as i8, rs2 as i8)) as u64 as usize,
                    cx::Response::Ok,
                ),
                4 => {
                    let (value, answer) = sw_into_(state);
                    (usize::from(value), answer.response())
                }
                8 => {
                    let (value, answer) = sw_rockn_roll(state, rs1 as u8);
                    (value as usize, answer.response())
                }
                9 => (
                    sw_divide(state, rs1 as u64, rs2 as u64) as usize,
                    cx::Response::Ok,
                ),
                10 => {
                    sw_nothing(state);
                    (0, cx::Response::Ok)
                }
                11 => {
                    sw_third(state, rs1 as u64, rs2 as u64, (function >> 16) as u8);
                    (0, cx::Response::Ok)
                }
                12 => {
                    sw_all(state, rs2 as u16);
                    (0, cx::Response::Ok)
                }
                13 => {
                    sw_bare(state, rs1 as u64, rs2 as u64);
                    (0, cx::Response::Ok)
                }
                14 => (
                    usize::from(sw_ends(state, rs1 as u8, rs2 as u8)),
                    cx::Response::Ok,
                ),
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
                11 => (function | (fields & 31) << 16, rs2),
                12 => (function, (fields & 32767) as usize),
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
                0x802 => {
                    let old = sw_fn_read(state);
                    if let Some(word) = op.written(old as usize, value) {
                        sw_fn_write(state, word as u64);
                    }
                    old
                }
                0x8FF => {
                    let old = sw_x_read(state);
                    if let Some(word) = op.written(old as usize, value) {
                        sw_x_write(state, word as u64);
                    }
                    old
                }
                0xCC0 if op == cx::CsrOp::Read => sw_info_read(state),
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
    static TABLE_4: [u32; 3] = [0x0000_0001, 0x0000_0000, 0x0000_0000];
    /// Constants.
    #[rustfmt::skip]
    static TABLE_2: [u8; 4] = [0x01, 0x02, 0x03, 0x04];

    /// Constants.
    #[rustfmt::skip]
    static TABLE_3: [u32; 9] = [
        0xFFFF_FFFF, 0xFFFF_FFFF, 0x0000_003F, 0x0000_0002,
        0x0000_0000, 0x0000_0000, 0xFFFF_FFFD, 0xFFFF_FFFF,
        0x0000_003F,
    ];

    /// Constants.
    #[rustfmt::skip]
    static TABLE: [u32; 3] = [0xFFFF_FFFF, 0xFFFF_FFFF, 0x0000_0000];

    /// The function `loop`.
    #[inline]
    fn fn_loop(r#match: u32) -> u32 {
        r#match.wrapping_add(1) & 0xFF
    }

    /// `gen` in software.
    #[inline]
    fn sw_gen(st: &mut State, r#type: u8, st_2: u64) -> u64 {
        if (st.status & 3) == 0 {
            return 0;
        }
        let r#type: u32 = u32::from(r#type);
        u64::from(fn_loop(r#type)).wrapping_add(st_2)
    }

    /// `Self` in software.
    #[inline]
    fn sw_self_(st: &mut State, value: u64, cx: u64) -> u64 {
        if (st.status & 3) == 0 {
            return 0;
        }
        st.status |= 3;
        st.self_ = value;
        cx
    }

    /// `crate` in software.
    #[inline]
    fn sw_crate_(st: &mut State, x: u64, option: u8) -> u8 {
        if (st.status & 3) == 0 {
            return 0;
        }
        let option: u32 = u32::from(option) & 7;
        (if ((x as u32) & 1) == 1 { option } else { 0_u32 }) as u8
    }

    /// `clone` in software.
    #[inline]
    fn sw_clone_(st: &mut State, a: i8, b: i8) -> i8 {
        if (st.status & 3) == 0 {
            return 0;
        }
        let a: u32 = u32::from(a as u8);
        let b: u32 = u32::from(b as u8);
        st.status |= 3;
        st.on = (a ^ 0x80) < (b ^ 0x80);
        let t1: u32 = (a as i8 as u32).wrapping_add(b as i8 as u32) & 0x1FF;
        let t2: u32 = t1 ^ 0x100;
        (if t2 < 128 {
            128_u32
        } else if t2 > 383 {
            127_u32
        } else {
            t1
        }) as i8
    }

    /// `into` in software.
    #[inline]
    fn sw_into_(st: &mut State) -> (bool, abi1::Answer) {
        if (st.status & 3) == 0 {
            return (false, abi1::Answer::Off);
        }
        if !st.on {
            st.status = (st.status & 0xFF_FFFF) | 0x900_0000;
            return (true, abi1::Answer::Custom);
        }
        (st.on, abi1::Answer::Ok)
    }

    /// `RocknRoll` in software.
    #[inline]
    fn sw_rockn_roll(st: &mut State, i: u8) -> (u64, abi1::Answer) {
        if (st.status & 3) == 0 {
            return (0, abi1::Answer::Off);
        }
        let i: u32 = u32::from(i) & 3;
        if i == 3 {
            st.status = (st.status & 0xFF_FFFF) | 0x100_0000;
            return (0, abi1::Answer::Custom);
        }
        st.status |= 3;
        let t1: u32 = i.wrapping_mul(3);
        let mut t2 = [0_u32; 3];
        let mut t3 = [0_u32; 3];
        if i < 3 {
            t3.copy_from_slice(&st.deep[i.wrapping_mul(3) as usize..][..3]);
        } else {
            t3.fill(0);
        }
        let mut t4 = [0_u32; 3];
        wide_sub(&mut t4, &t3, &TABLE_4);
        wide_mask(&mut t4, 70);
        t2.copy_from_slice(&t4);
        if i < 3 {
            st.deep[t1 as usize..][..3].copy_from_slice(&t2);
        }
        let mut t5 = [0_u8; 2];
        t5.copy_from_slice(&st.r#type[2..4]);
        st.r#type[..2].copy_from_slice(&t5);
        let mut t6 = [0_u32; 3];
        if i < 3 {
            t6.copy_from_slice(&st.deep[i.wrapping_mul(3) as usize..][..3]);
        } else {
            t6.fill(0);
        }
        (u64::from(wide_word32(&t6, 0)), abi1::Answer::Ok)
    }

    /// `divide` in software.
    #[inline]
    fn sw_divide(st: &mut State, a: u64, b: u64) -> u64 {
        if (st.status & 3) == 0 {
            return 0;
        }
        let mut q = [0_u32; 7];
        let mut t1 = [0_u32; 7];
        wide_from_word(&mut t1, a);
        q.copy_from_slice(&t1);
        let mut t2 = [0_u32; 7];
        let mut t3 = [0_u32; 7];
        wide_shl(&mut t3, &q, 100);
        wide_mask(&mut t3, 200);
        let mut t4 = [0_u32; 7];
        wide_from_word(&mut t4, b);
        let mut t5 = [0_u32; 7];
        wide_div(&mut t5, &t3, &t4);
        wide_mask(&mut t5, 200);
        t2.copy_from_slice(&t5);
        q.copy_from_slice(&t2);
        wide_word64(&q, 100)
    }

    /// `nothing` in software.
    #[inline]
    fn sw_nothing(st: &mut State) {
        if (st.status & 3) == 0 {
            return;
        }
        st.status |= 3;
        st.self_ = 1;
    }

    /// `third` in software.
    #[inline]
    fn sw_third(st: &mut State, a: u64, b: u64, n: u8) {
        if (st.status & 3) == 0 {
            return;
        }
        let n: u32 = u32::from(n) & 0x1F;
        st.status |= 3;
        st.self_ = a.wrapping_add(b).wrapping_add(u64::from(n));
    }

    /// `all` in software.
    #[inline]
    fn sw_all(st: &mut State, n: u16) {
        if (st.status & 3) == 0 {
            return;
        }
        let n: u32 = u32::from(n) & 0x7FFF;
        st.status |= 3;
        st.self_ = u64::from(n);
    }

    /// `bare` in software.
    #[inline]
    fn sw_bare(st: &mut State, a: u64, b: u64) {
        if (st.status & 3) == 0 {
            return;
        }
        st.status |= 3;
        st.self_ = a ^ b;
    }

    /// `ends` in software.
    #[inline]
    fn sw_ends(st: &mut State, a: u8, b: u8) -> u8 {
        if (st.status & 3) == 0 {
            return 0;
        }
        let a: u32 = u32::from(a) & 7;
        let b: u32 = u32::from(b) & 7;
        (if a == 2 { 1_u32 } else { b }) as u8
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
        st.status = ((if t4 == 0 || t4 == 1 || t4 == 9 {
            t4
        } else {
            t1 >> 24
        }) << 24)
            | 0x28
            | t3;
        u64::from(t1)
    }

    /// `read_status` in software.
    #[inline]
    fn sw_read_status(st: &mut State) -> u64 {
        u64::from(st.status)
    }

    /// Reads `Fn` in software.
    #[inline]
    fn sw_fn_read(st: &State) -> u64 {
        if (st.status & 3) == 0 {
            return 0;
        }
        (u64::from(st.low) << 61)
            | (u64::from(st.on) << 6)
            | (u64::from(st.kind) << 3)
            | u64::from(st.mode)
    }

    /// Writes `Fn` in software.
    #[inline]
    fn sw_fn_write(st: &mut State, value: u64) {
        if (st.status & 3) == 0 {
            return;
        }
        st.status |= 3;
        let fmt: u32 = (value as u32) & 7;
        let t1: u32 = fmt;
        if t1 <= 2 {
            st.mode = fmt as u8;
        }
        st.kind = (((value as u32) >> 3) & 7) as u8;
        st.on = (((value as u32) >> 6) & 1) != 0;
        st.low = (value >> 61) as u32 as u8;
    }

    /// Reads `X` in software.
    #[inline]
    fn sw_x_read(st: &State) -> u64 {
        if (st.status & 3) == 0 {
            return 0;
        }
        st.self_
    }

    /// Writes `X` in software.
    #[inline]
    fn sw_x_write(st: &mut State, value: u64) {
        if (st.status & 3) == 0 {
            return;
        }
        st.status |= 3;
        st.self_ = value;
    }

    /// Reads `info` in software.
    #[inline]
    fn sw_info_read(st: &State) -> u64 {
        if (st.status & 3) == 0 {
            return 0;
        }
        (u64::from(wide_word32(&st.deep[..3], 0) & 1) << 63) | 0x7FFF_FFFD
    }

    /// A word, zero-extended.
    fn wide_from_word(r: &mut [u32], mut v: u64) {
        for limb in r {
            *limb = v as u32;
            v >>= 32;
        }
    }

    /// `a - b`
    fn wide_sub(r: &mut [u32], a: &[u32], b: &[u32]) {
        let mut borrow = false;
        for ((r, a), b) in r.iter_mut().zip(a).zip(b) {
            let (d, below) = a.overflowing_sub(*b);
            let (d, again) = d.overflowing_sub(u32::from(borrow));
            *r = d;
            borrow = below || again;
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

    /// `a < b`
    fn wide_less(a: &[u32], b: &[u32]) -> bool {
        a.iter().rev().lt(b.iter().rev())
    }

    /// Shifts the next bit of `a` into `rest`; takes `b` away and tells so if it fits.
    fn wide_divide_step(rest: &mut [u32], a: &[u32], b: &[u32], bit: usize) -> bool {
        let mut carry = a[bit / 32] >> (bit % 32) & 1;
        for limb in rest.iter_mut() {
            let top = *limb >> 31;
            *limb = *limb << 1 | carry;
            carry = top;
        }
        let fits = carry != 0 || !wide_less(rest, b);
        if fits {
            let mut borrow = false;
            for (limb, b) in rest.iter_mut().zip(b) {
                let (d, below) = limb.overflowing_sub(*b);
                let (d, again) = d.overflowing_sub(u32::from(borrow));
                *limb = d;
                borrow = below || again;
            }
        }
        fits
    }

    /// `a / b`, bit by bit. A zero divisor gives all ones.
    fn wide_div(r: &mut [u32], a: &[u32], b: &[u32]) {
        let mut rest = [0; 7];
        let rest = &mut rest[..a.len()];
        r.fill(0);
        for bit in (0..32 * a.len()).rev() {
            r[bit / 32] |= u32::from(wide_divide_step(rest, a, b, bit)) << (bit % 32);
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

    /// `org.example.names:result`, selected: each command is one instruction on a hart, and elsewhere a call.
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

    impl<G2: cx::Issue> Result_ for Selected<G2> {
        #[inline]
        fn r#gen(&mut self, r#type: u8, st: u64) -> u64 {
            abi1::value::<G2, 0>(&self.0, Some(usize::from(r#type)), Some(st as usize)) as u64
        }

        #[inline]
        fn self_(&mut self, value: u64, cx: u64) -> u64 {
            abi1::value::<G2, 1>(&self.0, Some(value as usize), Some(cx as usize)) as u64
        }

        #[inline]
        fn crate_<const OPTION: u8>(&mut self, x: u64) -> Option_ {
            abi1::check12::<abi1::U8<OPTION>, 3>();
            Option_(abi1::immediate::<G2, 2, abi1::U8<OPTION>>(&self.0, Some(x as usize)) as u8)
        }

        #[inline]
        fn clone_(&mut self, a: i8, b: i8) -> i8 {
            abi1::value::<G2, 3>(
                &self.0,
                Some(i64::from(a) as u64 as usize),
                Some(i64::from(b) as u64 as usize),
            ) as i8
        }

        #[inline]
        fn into_(&mut self) -> bool {
            abi1::value::<G2, 4>(&self.0, None, None) & 1 != 0
        }

        #[inline]
        fn try_into_(&mut self) -> Result<bool, Error> {
            let reply = abi1::try_value::<G2, 4>(&self.0, None, None);
            Error::check(reply.value & 1 != 0, reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn rockn_roll(&mut self, i: u8) -> u64 {
            abi1::value::<G2, 8>(&self.0, Some(usize::from(i)), None) as u64
        }

        #[inline]
        fn try_rockn_roll(&mut self, i: u8) -> Result<u64, Error> {
            let reply = abi1::try_value::<G2, 8>(&self.0, Some(usize::from(i)), None);
            Error::check(reply.value as u64, reply.response.into(), || {
                (abi1::value::<G2, 1023>(&self.0, None, None) >> 24) as u8
            })
        }

        #[inline]
        fn divide(&mut self, a: u64, b: u64) -> u64 {
            abi1::value::<G2, 9>(&self.0, Some(a as usize), Some(b as usize)) as u64
        }

        #[inline]
        fn nothing(&mut self) {
            let _ = abi1::flex::<G2, 10>(&self.0, None, None);
        }

        #[inline]
        fn third<const N: u8>(&mut self, a: u64, b: u64) {
            abi1::check::<abi1::U8<N>, 5>();
            let _ = abi1::flex_immediate::<G2, 11, 5, abi1::U8<N>>(
                &self.0,
                Some(a as usize),
                Some(b as usize),
            );
        }

        #[inline]
        fn all<const N: u16>(&mut self) {
            abi1::check::<abi1::U16<N>, 15>();
            let _ = abi1::flex25::<G2, 12, abi1::U16<N>>(&self.0);
        }

        #[inline]
        fn bare(&mut self, a: u64, b: u64) {
            let _ = abi1::flex::<G2, 13>(&self.0, Some(a as usize), Some(b as usize));
        }

        #[inline]
        fn ends(&mut self, a: G, b: WORD) -> G {
            G(abi1::value::<G2, 14>(&self.0, Some(usize::from(a.0)), Some(usize::from(b.0))) as u8)
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
        fn fn_read(&self) -> csr::Fn_ {
            csr::Fn_(abi1::csr_read::<G2, { csr::Fn_::ADDRESS }>(&self.0, 0) as u64)
        }

        #[inline]
        fn fn_write(&mut self, word: csr::Fn_) {
            let _ = abi1::csr_write::<G2, { csr::Fn_::ADDRESS }>(&self.0, word.0 as usize);
        }

        #[inline]
        fn fn_swap(&mut self, word: csr::Fn_) -> csr::Fn_ {
            csr::Fn_(abi1::csr_swap::<G2, { csr::Fn_::ADDRESS }>(&self.0, word.0 as usize) as u64)
        }

        #[inline]
        fn fn_set(&mut self, bits: u64) -> csr::Fn_ {
            csr::Fn_(abi1::csr_set::<G2, { csr::Fn_::ADDRESS }>(&self.0, bits as usize) as u64)
        }

        #[inline]
        fn fn_clear(&mut self, bits: u64) -> csr::Fn_ {
            csr::Fn_(abi1::csr_clear::<G2, { csr::Fn_::ADDRESS }>(&self.0, bits as usize) as u64)
        }

        #[inline]
        fn fn_write_i<const WORD2: u64>(&mut self) {
            let _ =
                abi1::csr_write_constant::<G2, { csr::Fn_::ADDRESS }, abi1::U64<WORD2>>(&self.0);
        }

        #[inline]
        fn fn_set_i<const WORD2: u64>(&mut self) -> csr::Fn_ {
            csr::Fn_(
                abi1::csr_set_constant::<G2, { csr::Fn_::ADDRESS }, abi1::U64<WORD2>>(&self.0)
                    as u64,
            )
        }

        #[inline]
        fn fn_clear_i<const WORD2: u64>(&mut self) -> csr::Fn_ {
            csr::Fn_(
                abi1::csr_clear_constant::<G2, { csr::Fn_::ADDRESS }, abi1::U64<WORD2>>(&self.0)
                    as u64,
            )
        }

        #[inline]
        fn x_read(&self) -> csr::X {
            csr::X(abi1::csr_read::<G2, { csr::X::ADDRESS }>(&self.0, 0) as u64)
        }

        #[inline]
        fn x_write(&mut self, word: csr::X) {
            let _ = abi1::csr_write::<G2, { csr::X::ADDRESS }>(&self.0, word.0 as usize);
        }

        #[inline]
        fn x_swap(&mut self, word: csr::X) -> csr::X {
            csr::X(abi1::csr_swap::<G2, { csr::X::ADDRESS }>(&self.0, word.0 as usize) as u64)
        }

        #[inline]
        fn x_set(&mut self, bits: u64) -> csr::X {
            csr::X(abi1::csr_set::<G2, { csr::X::ADDRESS }>(&self.0, bits as usize) as u64)
        }

        #[inline]
        fn x_clear(&mut self, bits: u64) -> csr::X {
            csr::X(abi1::csr_clear::<G2, { csr::X::ADDRESS }>(&self.0, bits as usize) as u64)
        }

        #[inline]
        fn x_write_i<const WORD2: u64>(&mut self) {
            let _ = abi1::csr_write_constant::<G2, { csr::X::ADDRESS }, abi1::U64<WORD2>>(&self.0);
        }

        #[inline]
        fn x_set_i<const WORD2: u64>(&mut self) -> csr::X {
            csr::X(
                abi1::csr_set_constant::<G2, { csr::X::ADDRESS }, abi1::U64<WORD2>>(&self.0) as u64,
            )
        }

        #[inline]
        fn x_clear_i<const WORD2: u64>(&mut self) -> csr::X {
            csr::X(
                abi1::csr_clear_constant::<G2, { csr::X::ADDRESS }, abi1::U64<WORD2>>(&self.0)
                    as u64,
            )
        }

        #[inline]
        fn info_read(&self) -> csr::Info {
            csr::Info(abi1::csr_read::<G2, { csr::Info::ADDRESS }>(&self.0, 0) as u64)
        }
    }
}
