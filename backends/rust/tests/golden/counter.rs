// counter.rs
// Generated from org.example.open:Counter by cxc; do not edit.
//
// A module of a crate that depends on lapis-cx-core: `#[path = "counter.rs"] mod counter;`, or `include!` inside a `mod`.

const _: () = assert!(
    ::lapis_cx_core::ABI_VERSION == 2,
    "counter.rs was generated for CX ABI 2: regenerate it with the cxc of this lapis-cx-core"
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

/// `org.example.open:Counter` where a register has 32 bits.
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

    /// The overloadable-opcode id, 20 bits.
    pub const XINTF: u32 = 0xF_0000;

    /// The overloadable-opcode id of RV64, 52 bits.
    pub const XINTF52: u64 = 0xF_FFFF_FFFF_0000;

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0xC8, 0x76, 0x21, 0xC5, 0x09, 0xE1, 0x7C, 0x73, 0xEF, 0x35, 0x6C, 0x8E, 0x75, 0xFC, 0xEE, 0xF7,
        0x20, 0xFB, 0x08, 0xEE, 0xCB, 0x2B, 0xE4, 0xC6, 0x24, 0xA0, 0xCA, 0xDA, 0x2B, 0x83, 0x05, 0xDA,
    ];

    /// Function ids.
    pub mod id {
        /// `next`
        pub const NEXT: u32 = 0;
        /// `set`
        pub const SET: u32 = 1;
    }

    /// A device with state.
    pub trait Counter {
        /// Command 0.
        fn next(&mut self) -> u32;

        /// Command 1.
        fn set(&mut self, a: u8);
    }

    /// One context. A field holds patterns below 2^width of its type, signed values as two's complement; rows of arrays
    /// follow each other, and wide values are limbs of 32 bits, lowest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct State {
        /// The status word: cs in bits 1:0 (0 off, 1 initial, 2 clean, 3 dirty), the state words in 11:2, an error code in 31:24.
        pub status: u32,
        /// The field `n`.
        pub n: u32,
    }

    impl State {
        /// Words in an image: the status word, and the state words.
        pub const WORDS: usize = 2;

        /// The reset state: cs is initial.
        pub const RESET: State = State {
            status: 5,
            n: 0,
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

        /// Loads what [`save`](State::save) gave. In cs off or initial the fields are reset; an undeclared error code becomes 0.
        pub fn restore(&mut self, words: &[u32; State::WORDS]) {
            let [status, rest @ ..] = words;
            *self = State { status: (*status & 3) | 4, ..State::RESET };
            if self.status & 3 >= 2 {
                for (word, index) in rest.iter().zip(0..) {
                    self.write_word(index, *word);
                }
            }
        }

        /// The state word at an index, 0 outside.
        fn read_word(&self, index: u32) -> u32 {
            if index < 1 {
                return self.n;
            }
            0
        }

        /// Writes the state word at an index; drops what lies outside.
        fn write_word(&mut self, index: u32, value: u32) {
            if index < 1 {
                self.n = value;
            }
        }
    }

    impl Default for State {
        fn default() -> Self {
            State::RESET
        }
    }

    /// `org.example.open:Counter` in software: one context. Operands count by their low bits, and a context that is off gives 0 and stays
    /// as it is.
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

    impl Counter for Soft {
        #[inline]
        fn next(&mut self) -> u32 {
            sw_next(&mut self.state)
        }

        #[inline]
        fn set(&mut self, a: u8) {
            sw_set(&mut self.state, a);
        }
    }

    /// `next` in software.
    #[inline]
    fn sw_next(st: &mut State) -> u32 {
        if (st.status & 3) == 0 {
            return 0;
        }
        st.status |= 3;
        st.n = st.n.wrapping_add(1);
        st.n
    }

    /// `set` in software.
    #[inline]
    fn sw_set(st: &mut State, a: u8) {
        if (st.status & 3) == 0 {
            return;
        }
        let a: u32 = u32::from(a);
        st.status |= 3;
        st.n = a;
    }

    /// A device that implements `org.example.open:Counter`: each command is one instruction on a hart, and elsewhere a call. What a command
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

    impl<X: cx::Xcmd> Counter for Device<X> {
        #[inline]
        fn next(&mut self) -> u32 {
            abi1::xcmd::<X, 32, 0>(&self.xcmds, self.cookie.bits(), None) as u32
        }

        #[inline]
        fn set(&mut self, a: u8) {
            let _ = abi1::silent_xcmd::<X, 32, 1>(&self.xcmds, abi1::with_data::<32>(self.cookie, usize::from(a)), None);
        }
    }
}

/// `org.example.open:Counter` where a register has 64 bits.
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

    /// The overloadable-opcode id, 20 bits.
    pub const XINTF: u32 = 0xF_0000;

    /// The overloadable-opcode id of RV64, 52 bits.
    pub const XINTF52: u64 = 0xF_FFFF_FFFF_0000;

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0xC8, 0x76, 0x21, 0xC5, 0x09, 0xE1, 0x7C, 0x73, 0xEF, 0x35, 0x6C, 0x8E, 0x75, 0xFC, 0xEE, 0xF7,
        0x20, 0xFB, 0x08, 0xEE, 0xCB, 0x2B, 0xE4, 0xC6, 0x24, 0xA0, 0xCA, 0xDA, 0x2B, 0x83, 0x05, 0xDA,
    ];

    /// Function ids.
    pub mod id {
        /// `next`
        pub const NEXT: u32 = 0;
        /// `set`
        pub const SET: u32 = 1;
    }

    /// A device with state.
    pub trait Counter {
        /// Command 0.
        fn next(&mut self) -> u64;

        /// Command 1.
        fn set(&mut self, a: u8);
    }

    /// One context. A field holds patterns below 2^width of its type, signed values as two's complement; rows of arrays
    /// follow each other, and wide values are limbs of 32 bits, lowest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct State {
        /// The status word: cs in bits 1:0 (0 off, 1 initial, 2 clean, 3 dirty), the state words in 11:2, an error code in 31:24.
        pub status: u32,
        /// The field `n`.
        pub n: u64,
    }

    impl State {
        /// Words in an image: the status word, and the state words.
        pub const WORDS: usize = 2;

        /// The reset state: cs is initial.
        pub const RESET: State = State {
            status: 5,
            n: 0,
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

        /// Loads what [`save`](State::save) gave. In cs off or initial the fields are reset; an undeclared error code becomes 0.
        pub fn restore(&mut self, words: &[u64; State::WORDS]) {
            let [status, rest @ ..] = words;
            *self = State { status: (*status as u32 & 3) | 4, ..State::RESET };
            if self.status & 3 >= 2 {
                for (word, index) in rest.iter().zip(0..) {
                    self.write_word(index, *word);
                }
            }
        }

        /// The state word at an index, 0 outside.
        fn read_word(&self, index: u64) -> u64 {
            if index < 1 {
                return self.n;
            }
            0
        }

        /// Writes the state word at an index; drops what lies outside.
        fn write_word(&mut self, index: u64, value: u64) {
            if index < 1 {
                self.n = value;
            }
        }
    }

    impl Default for State {
        fn default() -> Self {
            State::RESET
        }
    }

    /// `org.example.open:Counter` in software: one context. Operands count by their low bits, and a context that is off gives 0 and stays
    /// as it is.
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

    impl Counter for Soft {
        #[inline]
        fn next(&mut self) -> u64 {
            sw_next(&mut self.state)
        }

        #[inline]
        fn set(&mut self, a: u8) {
            sw_set(&mut self.state, a);
        }
    }

    /// `next` in software.
    #[inline]
    fn sw_next(st: &mut State) -> u64 {
        if (st.status & 3) == 0 {
            return 0;
        }
        st.status |= 3;
        st.n = st.n.wrapping_add(1);
        st.n
    }

    /// `set` in software.
    #[inline]
    fn sw_set(st: &mut State, a: u8) {
        if (st.status & 3) == 0 {
            return;
        }
        let a: u32 = u32::from(a);
        st.status |= 3;
        st.n = u64::from(a);
    }

    /// A device that implements `org.example.open:Counter`: each command is one instruction on a hart, and elsewhere a call. What a command
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

    impl<X: cx::Xcmd> Counter for Device<X> {
        #[inline]
        fn next(&mut self) -> u64 {
            abi1::xcmd::<X, 64, 0>(&self.xcmds, self.cookie.bits(), None) as u64
        }

        #[inline]
        fn set(&mut self, a: u8) {
            let _ = abi1::silent_xcmd::<X, 64, 1>(&self.xcmds, abi1::with_data::<64>(self.cookie, usize::from(a)), None);
        }
    }
}
