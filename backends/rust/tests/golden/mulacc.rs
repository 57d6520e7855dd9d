// mulacc.rs
// Generated from org.example.dsp:MulAcc by cxc; do not edit.
//
// A module of a crate that depends on lapis-cx-core: `#[path = "mulacc.rs"] mod mulacc;`, or `include!`
// inside a `mod`.

use ::lapis_cx_core as cx;

self::cx::check_abi!("mulacc.rs", 3, "0.1.0");

#[allow(unreachable_pub, unused_imports)]
pub use self::chosen::*;

#[allow(unexpected_cfgs, unreachable_pub, unused_imports)]
mod chosen {
    #[cfg(any(cx_xlen = "32", all(target_pointer_width = "32", not(cx_xlen = "64"))))]
    pub use super::xlen32::*;
    #[cfg(not(any(cx_xlen = "32", all(target_pointer_width = "32", not(cx_xlen = "64")))))]
    pub use super::xlen64::*;
}

/// `org.example.dsp:MulAcc` where a register has 32 bits.
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
    /// The UUID, 0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11.
    pub const UUID: cx::Uuid = cx::Uuid::from_u128(0x0B7C_2A52_6F0E_4D0B_9B37_5A1F_6A2C_9E11);

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0x01, 0x49, 0x07, 0xB7, 0x97, 0x53, 0xBF, 0x39, 0xCB, 0x68, 0xB8, 0xCC,
        0x31, 0x76, 0x2D, 0x17, 0xDA, 0x8E, 0x10, 0xC1, 0x93, 0x79, 0x6A, 0xA0,
        0x2A, 0x33, 0x9E, 0xD0, 0x23, 0x8F, 0x36, 0xF9,
    ];

    /// Function ids.
    pub mod id {
        /// `mul`
        pub const MUL: u32 = 0;
        /// `mulacc`
        pub const MULACC: u32 = 1;
        /// `write_state`
        pub const WRITE_STATE: u32 = 1020;
        /// `read_state`
        pub const READ_STATE: u32 = 1021;
        /// `write_status`
        pub const WRITE_STATUS: u32 = 1022;
        /// `read_status`
        pub const READ_STATUS: u32 = 1023;
    }

    /// Multiply-accumulate over one private accumulator.
    /// All arithmetic is modulo 2^XLEN, so signed and unsigned use coincide.
    pub trait MulAcc {
        /// acc = a * b; returns the new total. Starts a fresh sum.
        fn mul(&mut self, a: u32, b: u32) -> u32;

        /// acc += a * b; returns the new total.
        fn mulacc(&mut self, a: u32, b: u32) -> u32;

        /// Writes the state word at `index`, returns `value`; an invalid index is dropped.
        fn write_state(&mut self, index: u32, value: u32) -> u32;

        /// The state word at `index`.
        fn read_state(&mut self, index: u32) -> u32;

        /// Writes the status word, returns the old one; cs = initial resets, cs = off turns the context off.
        fn write_status(&mut self, status: u32) -> u32;

        /// The context's status word; never has a side effect.
        fn read_status(&mut self) -> u32;
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
        /// Running total.
        pub acc: u32,
    }

    impl State {
        /// Words in an image: the status word, and the state words.
        pub const WORDS: usize = 2;
        /// The reset state: cs is initial.
        pub const RESET: State = State { status: 5, acc: 0 };

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
                status: (*status & 3) | 4,
                ..State::RESET
            };
            if self.status & 3 >= 2 {
                for (word, index) in rest.iter().zip(0..) {
                    self.write_word(index, *word);
                }
            }
        }

        /// The state word at an index, 0 outside.
        fn read_word(&self, index: u32) -> u32 {
            if index < 1 {
                return self.acc;
            }
            0
        }

        /// Writes the state word at an index; drops what lies outside.
        fn write_word(&mut self, index: u32, value: u32) {
            if index < 1 {
                self.acc = value;
            }
        }
    }

    impl Default for State {
        fn default() -> Self {
            State::RESET
        }
    }

    /// `org.example.dsp:MulAcc` in software: one context. Operands count by their low bits, and a context
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

    impl MulAcc for Soft {
        #[inline]
        fn mul(&mut self, a: u32, b: u32) -> u32 {
            sw_mul(&mut self.state, a, b)
        }

        #[inline]
        fn mulacc(&mut self, a: u32, b: u32) -> u32 {
            sw_mulacc(&mut self.state, a, b)
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
    }

    /// The fallback as a runtime registers it.
    #[derive(Clone, Copy, Debug)]
    pub struct SoftCxu;

    impl cx::RustCxu for SoftCxu {
        type State = State;
        type Word = u32;
        const UUID: cx::Uuid = UUID;
        const NAME: &'static ::core::ffi::CStr = c"org.example.dsp:MulAcc";
        const SHARING: cx::Sharing = cx::Sharing::Exclusive;
        const CONTRACT: [u8; 32] = CONTRACT;
        const FLAGS: u32 = cx::SoftFlags::STATE_CONTEXT;
        const STATE_WORDS: u32 = 1;
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
                    sw_mul(state, rs1 as u32, rs2 as u32) as usize,
                    cx::Response::Ok,
                ),
                1 => (
                    sw_mulacc(state, rs1 as u32, rs2 as u32) as usize,
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

        fn save(state: &State, words: &mut [Self::Word]) {
            words.copy_from_slice(&state.save());
        }

        fn restore(state: &mut State, words: &[Self::Word]) {
            if let Ok(words) = words.try_into() {
                state.restore(words);
            }
        }
    }

    /// `mul` in software.
    #[inline]
    fn sw_mul(st: &mut State, a: u32, b: u32) -> u32 {
        if (st.status & 3) == 0 {
            return 0;
        }
        st.status |= 3;
        st.acc = a.wrapping_mul(b);
        st.acc
    }

    /// `mulacc` in software.
    #[inline]
    fn sw_mulacc(st: &mut State, a: u32, b: u32) -> u32 {
        if (st.status & 3) == 0 {
            return 0;
        }
        st.status |= 3;
        st.acc = st.acc.wrapping_add(a.wrapping_mul(b));
        st.acc
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
        st.status = ((if t4 == 0 { t4 } else { t1 >> 24 }) << 24) | 4 | t3;
        t1
    }

    /// `read_status` in software.
    #[inline]
    fn sw_read_status(st: &mut State) -> u32 {
        st.status
    }

    /// `org.example.dsp:MulAcc`, selected: each command is one instruction on a hart, and elsewhere a call.
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

    impl<G: cx::Issue> MulAcc for Selected<G> {
        #[inline]
        fn mul(&mut self, a: u32, b: u32) -> u32 {
            abi1::value::<G, 0>(&self.0, Some(a as usize), Some(b as usize)) as u32
        }

        #[inline]
        fn mulacc(&mut self, a: u32, b: u32) -> u32 {
            abi1::value::<G, 1>(&self.0, Some(a as usize), Some(b as usize)) as u32
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
    }
}

/// `org.example.dsp:MulAcc` where a register has 64 bits.
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
    /// The UUID, 0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11.
    pub const UUID: cx::Uuid = cx::Uuid::from_u128(0x0B7C_2A52_6F0E_4D0B_9B37_5A1F_6A2C_9E11);

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0x01, 0x49, 0x07, 0xB7, 0x97, 0x53, 0xBF, 0x39, 0xCB, 0x68, 0xB8, 0xCC,
        0x31, 0x76, 0x2D, 0x17, 0xDA, 0x8E, 0x10, 0xC1, 0x93, 0x79, 0x6A, 0xA0,
        0x2A, 0x33, 0x9E, 0xD0, 0x23, 0x8F, 0x36, 0xF9,
    ];

    /// Function ids.
    pub mod id {
        /// `mul`
        pub const MUL: u32 = 0;
        /// `mulacc`
        pub const MULACC: u32 = 1;
        /// `write_state`
        pub const WRITE_STATE: u32 = 1020;
        /// `read_state`
        pub const READ_STATE: u32 = 1021;
        /// `write_status`
        pub const WRITE_STATUS: u32 = 1022;
        /// `read_status`
        pub const READ_STATUS: u32 = 1023;
    }

    /// Multiply-accumulate over one private accumulator.
    /// All arithmetic is modulo 2^XLEN, so signed and unsigned use coincide.
    pub trait MulAcc {
        /// acc = a * b; returns the new total. Starts a fresh sum.
        fn mul(&mut self, a: u64, b: u64) -> u64;

        /// acc += a * b; returns the new total.
        fn mulacc(&mut self, a: u64, b: u64) -> u64;

        /// Writes the state word at `index`, returns `value`; an invalid index is dropped.
        fn write_state(&mut self, index: u64, value: u64) -> u64;

        /// The state word at `index`.
        fn read_state(&mut self, index: u64) -> u64;

        /// Writes the status word, returns the old one; cs = initial resets, cs = off turns the context off.
        fn write_status(&mut self, status: u64) -> u64;

        /// The context's status word; never has a side effect.
        fn read_status(&mut self) -> u64;
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
        /// Running total.
        pub acc: u64,
    }

    impl State {
        /// Words in an image: the status word, and the state words.
        pub const WORDS: usize = 2;
        /// The reset state: cs is initial.
        pub const RESET: State = State { status: 5, acc: 0 };

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
                status: (*status as u32 & 3) | 4,
                ..State::RESET
            };
            if self.status & 3 >= 2 {
                for (word, index) in rest.iter().zip(0..) {
                    self.write_word(index, *word);
                }
            }
        }

        /// The state word at an index, 0 outside.
        fn read_word(&self, index: u64) -> u64 {
            if index < 1 {
                return self.acc;
            }
            0
        }

        /// Writes the state word at an index; drops what lies outside.
        fn write_word(&mut self, index: u64, value: u64) {
            if index < 1 {
                self.acc = value;
            }
        }
    }

    impl Default for State {
        fn default() -> Self {
            State::RESET
        }
    }

    /// `org.example.dsp:MulAcc` in software: one context. Operands count by their low bits, and a context
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

    impl MulAcc for Soft {
        #[inline]
        fn mul(&mut self, a: u64, b: u64) -> u64 {
            sw_mul(&mut self.state, a, b)
        }

        #[inline]
        fn mulacc(&mut self, a: u64, b: u64) -> u64 {
            sw_mulacc(&mut self.state, a, b)
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
    }

    /// The fallback as a runtime registers it.
    #[derive(Clone, Copy, Debug)]
    pub struct SoftCxu;

    impl cx::RustCxu for SoftCxu {
        type State = State;
        type Word = u64;
        const UUID: cx::Uuid = UUID;
        const NAME: &'static ::core::ffi::CStr = c"org.example.dsp:MulAcc";
        const SHARING: cx::Sharing = cx::Sharing::Exclusive;
        const CONTRACT: [u8; 32] = CONTRACT;
        const FLAGS: u32 = cx::SoftFlags::STATE_CONTEXT;
        const STATE_WORDS: u32 = 1;
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
                    sw_mul(state, rs1 as u64, rs2 as u64) as usize,
                    cx::Response::Ok,
                ),
                1 => (
                    sw_mulacc(state, rs1 as u64, rs2 as u64) as usize,
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

        fn save(state: &State, words: &mut [Self::Word]) {
            words.copy_from_slice(&state.save());
        }

        fn restore(state: &mut State, words: &[Self::Word]) {
            if let Ok(words) = words.try_into() {
                state.restore(words);
            }
        }
    }

    /// `mul` in software.
    #[inline]
    fn sw_mul(st: &mut State, a: u64, b: u64) -> u64 {
        if (st.status & 3) == 0 {
            return 0;
        }
        st.status |= 3;
        st.acc = a.wrapping_mul(b);
        st.acc
    }

    /// `mulacc` in software.
    #[inline]
    fn sw_mulacc(st: &mut State, a: u64, b: u64) -> u64 {
        if (st.status & 3) == 0 {
            return 0;
        }
        st.status |= 3;
        st.acc = st.acc.wrapping_add(a.wrapping_mul(b));
        st.acc
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
        st.status = ((if t4 == 0 { t4 } else { t1 >> 24 }) << 24) | 4 | t3;
        u64::from(t1)
    }

    /// `read_status` in software.
    #[inline]
    fn sw_read_status(st: &mut State) -> u64 {
        u64::from(st.status)
    }

    /// `org.example.dsp:MulAcc`, selected: each command is one instruction on a hart, and elsewhere a call.
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

    impl<G: cx::Issue> MulAcc for Selected<G> {
        #[inline]
        fn mul(&mut self, a: u64, b: u64) -> u64 {
            abi1::value::<G, 0>(&self.0, Some(a as usize), Some(b as usize)) as u64
        }

        #[inline]
        fn mulacc(&mut self, a: u64, b: u64) -> u64 {
            abi1::value::<G, 1>(&self.0, Some(a as usize), Some(b as usize)) as u64
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
    }
}
