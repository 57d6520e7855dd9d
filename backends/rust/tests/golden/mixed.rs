// mixed.rs
// Generated from org.example.open:Mixed by cxc; do not edit.
//
// A module of a crate that depends on lapis-cx-core: `#[path = "mixed.rs"] mod mixed;`, or `include!` inside a `mod`.

const _: () = assert!(
    ::lapis_cx_core::ABI_VERSION == 2,
    "mixed.rs was generated for CX ABI 2: regenerate it with the cxc of this lapis-cx-core"
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

/// `org.example.open:Mixed` where a register has 32 bits.
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

    /// The UUID, aa0f7d0e-00ff-4000-8000-0000000000c3.
    pub const UUID: cx::Uuid = cx::Uuid::from_u128(0xAA0F_7D0E_00FF_4000_8000_0000_0000_00C3);

    /// The overloadable-opcode id, 20 bits.
    pub const XINTF: u32 = 0xA_BCDE;

    /// The overloadable-opcode id of RV64, 52 bits.
    pub const XINTF52: u64 = 0xF_FFFF_FFFA_BCDE;

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0x69, 0x5E, 0xDB, 0x87, 0xCB, 0xBE, 0xA4, 0xDB, 0xBD, 0x08, 0xE7, 0xD1, 0x6C, 0x81, 0x79, 0xE3,
        0x50, 0x6C, 0x5A, 0x79, 0x63, 0xAF, 0x17, 0x6D, 0x15, 0x25, 0x10, 0x4C, 0x5A, 0x6B, 0xEF, 0x48,
    ];

    /// Function ids.
    pub mod id {
        /// `both`
        pub const BOTH: u32 = 0;
        /// `far`
        pub const FAR: u32 = 1;
        /// `near`
        pub const NEAR: u32 = 2;
    }

    /// The enum `X`.
    ///
    /// Any pattern of 3 bits may occur, so this is no Rust enum.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(transparent)]
    pub struct X(pub u8);

    impl X {
        /// The case `one`.
        pub const ONE: X = X(1);
        /// The case `six`.
        pub const SIX: X = X(6);
    }

    /// A CX of which some commands are for overloadable opcodes too, or only.
    pub trait Mixed {
        /// Command 0.
        #[must_use]
        fn both(&self, b: i16) -> bool;

        /// Command 2.
        #[must_use]
        fn near(&self, a: u32) -> u32;
    }

    /// `org.example.open:Mixed` in software. Operands count by their low bits.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Soft;

    impl Mixed for Soft {
        #[inline]
        fn both(&self, b: i16) -> bool {
            sw_both(b)
        }

        #[inline]
        fn near(&self, a: u32) -> u32 {
            sw_near(a)
        }
    }

    /// The fallback as a runtime registers it.
    #[derive(Clone, Copy, Debug)]
    pub struct SoftCxu;

    impl cx::RustCxu for SoftCxu {
        type State = ();
        type Word = u32;
        const UUID: cx::Uuid = UUID;
        const NAME: &'static ::core::ffi::CStr = c"org.example.open:Mixed";
        const SHARING: cx::Sharing = cx::Sharing::Stateless;
        const CONTRACT: [u8; 32] = CONTRACT;
        const FLAGS: u32 = 0;
        const STATE_WORDS: u32 = 0;
        const RESET: () = ();

        fn issue((): &mut (), function: u32, rs1: usize, rs2: usize) -> cx::Reply {
            let (value, response) = match function {
                0 => (usize::from(sw_both(rs2 as i16)), cx::Response::Ok),
                1 => (usize::from(sw_far(rs1 as u8, rs2 as u32)), cx::Response::Ok),
                2 => (sw_near(rs1 as u32) as usize, cx::Response::Ok),
                _ => (0, cx::Response::Func),
            };
            cx::Reply { value, response }
        }

        fn save((): &(), _words: &mut [Self::Word]) {}

        fn restore((): &mut (), _words: &[Self::Word]) {}
    }

    /// `both` in software.
    #[inline]
    fn sw_both(b: i16) -> bool {
        let b: u32 = u32::from(b as u16);
        (b ^ 0x8000) < 0x8000
    }

    /// `far` in software.
    #[inline]
    fn sw_far(a: u8, b: u32) -> u8 {
        let a: u32 = u32::from(a) & 7;
        (if b == 0 { 1_u32 } else { a }) as u8
    }

    /// `near` in software.
    #[inline]
    fn sw_near(a: u32) -> u32 {
        !a
    }

    /// `org.example.open:Mixed`, selected: each command is one instruction on a hart, and elsewhere a call. The selection before comes back
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

    impl<G: cx::Issue> Mixed for Selected<G> {
        #[inline]
        fn both(&self, b: i16) -> bool {
            abi1::pure_value::<G, 0>(&self.0, None, Some(i32::from(b) as u32 as usize)) & 1 != 0
        }

        #[inline]
        fn near(&self, a: u32) -> u32 {
            abi1::pure_value::<G, 2>(&self.0, Some(a as usize), None) as u32
        }
    }

    /// A device that implements `org.example.open:Mixed`: each command is one instruction on a hart, and elsewhere a call. What a command
    /// raises is lost, so `try_` says that it was done; one to a device that is not there traps, or gives what the lookup says.
    #[derive(Clone, Copy, Debug)]
    pub struct Device<X2> {
        /// The processor that sends commands to it.
        pub xcmds: X2,
        /// Its lun, and data for a command without an operand in their place.
        pub cookie: cx::Cookie,
    }

    /// The device of this number, of which 12 bits count; the default one is 0. If there is none, commands trap.
    #[inline]
    #[must_use]
    pub fn xext<X2: cx::Xcmd>(xcmds: X2, device: u16) -> Device<X2> {
        let cookie = abi1::xext::<X2, 32>(&xcmds, (XINTF << 12) as usize | usize::from(device & 0xFFF));
        Device { xcmds, cookie }
    }

    /// The device of this number, of which 12 bits count; the default one is 0. If there is none, commands give 0.
    #[inline]
    #[must_use]
    pub fn xext0<X2: cx::Xcmd>(xcmds: X2, device: u16) -> Device<X2> {
        let cookie = abi1::xext0::<X2, 32>(&xcmds, (XINTF << 12) as usize | usize::from(device & 0xFFF));
        Device { xcmds, cookie }
    }

    /// The device of this number, of which 12 bits count; the default one is 0. If there is none, commands give -1.
    #[inline]
    #[must_use]
    pub fn xextm1<X2: cx::Xcmd>(xcmds: X2, device: u16) -> Device<X2> {
        let cookie = abi1::xextm1::<X2, 32>(&xcmds, (XINTF << 12) as usize | usize::from(device & 0xFFF));
        Device { xcmds, cookie }
    }

    impl<X2: cx::Xcmd> Device<X2> {
        /// Command 0.
        #[must_use]
        #[inline]
        pub fn both(&self, b: i16) -> bool {
            abi1::xcmd::<X2, 32, 0>(&self.xcmds, self.cookie.bits(), Some(i32::from(b) as u32 as usize)) & 1 != 0
        }

        /// Command 1.
        #[must_use]
        #[inline]
        pub fn far(&self, a: X, b: u32) -> X {
            X(abi1::xcmd::<X2, 32, 1>(&self.xcmds, abi1::with_data::<32>(self.cookie, usize::from(a.0)), Some(b as usize)) as u8)
        }
    }
}

/// `org.example.open:Mixed` where a register has 64 bits.
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

    /// The UUID, aa0f7d0e-00ff-4000-8000-0000000000c3.
    pub const UUID: cx::Uuid = cx::Uuid::from_u128(0xAA0F_7D0E_00FF_4000_8000_0000_0000_00C3);

    /// The overloadable-opcode id, 20 bits.
    pub const XINTF: u32 = 0xA_BCDE;

    /// The overloadable-opcode id of RV64, 52 bits.
    pub const XINTF52: u64 = 0xF_FFFF_FFFA_BCDE;

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0x69, 0x5E, 0xDB, 0x87, 0xCB, 0xBE, 0xA4, 0xDB, 0xBD, 0x08, 0xE7, 0xD1, 0x6C, 0x81, 0x79, 0xE3,
        0x50, 0x6C, 0x5A, 0x79, 0x63, 0xAF, 0x17, 0x6D, 0x15, 0x25, 0x10, 0x4C, 0x5A, 0x6B, 0xEF, 0x48,
    ];

    /// Function ids.
    pub mod id {
        /// `both`
        pub const BOTH: u32 = 0;
        /// `far`
        pub const FAR: u32 = 1;
        /// `near`
        pub const NEAR: u32 = 2;
    }

    /// The enum `X`.
    ///
    /// Any pattern of 3 bits may occur, so this is no Rust enum.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(transparent)]
    pub struct X(pub u8);

    impl X {
        /// The case `one`.
        pub const ONE: X = X(1);
        /// The case `six`.
        pub const SIX: X = X(6);
    }

    /// A CX of which some commands are for overloadable opcodes too, or only.
    pub trait Mixed {
        /// Command 0.
        #[must_use]
        fn both(&self, b: i16) -> bool;

        /// Command 2.
        #[must_use]
        fn near(&self, a: u64) -> u64;
    }

    /// `org.example.open:Mixed` in software. Operands count by their low bits.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Soft;

    impl Mixed for Soft {
        #[inline]
        fn both(&self, b: i16) -> bool {
            sw_both(b)
        }

        #[inline]
        fn near(&self, a: u64) -> u64 {
            sw_near(a)
        }
    }

    /// The fallback as a runtime registers it.
    #[derive(Clone, Copy, Debug)]
    pub struct SoftCxu;

    impl cx::RustCxu for SoftCxu {
        type State = ();
        type Word = u64;
        const UUID: cx::Uuid = UUID;
        const NAME: &'static ::core::ffi::CStr = c"org.example.open:Mixed";
        const SHARING: cx::Sharing = cx::Sharing::Stateless;
        const CONTRACT: [u8; 32] = CONTRACT;
        const FLAGS: u32 = 0;
        const STATE_WORDS: u32 = 0;
        const RESET: () = ();

        fn issue((): &mut (), function: u32, rs1: usize, rs2: usize) -> cx::Reply {
            let (value, response) = match function {
                0 => (usize::from(sw_both(rs2 as i16)), cx::Response::Ok),
                1 => (usize::from(sw_far(rs1 as u8, rs2 as u64)), cx::Response::Ok),
                2 => (sw_near(rs1 as u64) as usize, cx::Response::Ok),
                _ => (0, cx::Response::Func),
            };
            cx::Reply { value, response }
        }

        fn save((): &(), _words: &mut [Self::Word]) {}

        fn restore((): &mut (), _words: &[Self::Word]) {}
    }

    /// `both` in software.
    #[inline]
    fn sw_both(b: i16) -> bool {
        let b: u32 = u32::from(b as u16);
        (b ^ 0x8000) < 0x8000
    }

    /// `far` in software.
    #[inline]
    fn sw_far(a: u8, b: u64) -> u8 {
        let a: u32 = u32::from(a) & 7;
        (if b == 0 { 1_u32 } else { a }) as u8
    }

    /// `near` in software.
    #[inline]
    fn sw_near(a: u64) -> u64 {
        !a
    }

    /// `org.example.open:Mixed`, selected: each command is one instruction on a hart, and elsewhere a call. The selection before comes back
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

    impl<G: cx::Issue> Mixed for Selected<G> {
        #[inline]
        fn both(&self, b: i16) -> bool {
            abi1::pure_value::<G, 0>(&self.0, None, Some(i64::from(b) as u64 as usize)) & 1 != 0
        }

        #[inline]
        fn near(&self, a: u64) -> u64 {
            abi1::pure_value::<G, 2>(&self.0, Some(a as usize), None) as u64
        }
    }

    /// A device that implements `org.example.open:Mixed`: each command is one instruction on a hart, and elsewhere a call. What a command
    /// raises is lost, so `try_` says that it was done; one to a device that is not there traps, or gives what the lookup says.
    #[derive(Clone, Copy, Debug)]
    pub struct Device<X2> {
        /// The processor that sends commands to it.
        pub xcmds: X2,
        /// Its lun, and data for a command without an operand in their place.
        pub cookie: cx::Cookie,
    }

    /// The device of this number, of which 12 bits count; the default one is 0. If there is none, commands trap.
    #[inline]
    #[must_use]
    pub fn xext<X2: cx::Xcmd>(xcmds: X2, device: u16) -> Device<X2> {
        let cookie = abi1::xext::<X2, 64>(&xcmds, (XINTF52 << 12) as usize | usize::from(device & 0xFFF));
        Device { xcmds, cookie }
    }

    /// The device of this number, of which 12 bits count; the default one is 0. If there is none, commands give 0.
    #[inline]
    #[must_use]
    pub fn xext0<X2: cx::Xcmd>(xcmds: X2, device: u16) -> Device<X2> {
        let cookie = abi1::xext0::<X2, 64>(&xcmds, (XINTF52 << 12) as usize | usize::from(device & 0xFFF));
        Device { xcmds, cookie }
    }

    /// The device of this number, of which 12 bits count; the default one is 0. If there is none, commands give -1.
    #[inline]
    #[must_use]
    pub fn xextm1<X2: cx::Xcmd>(xcmds: X2, device: u16) -> Device<X2> {
        let cookie = abi1::xextm1::<X2, 64>(&xcmds, (XINTF52 << 12) as usize | usize::from(device & 0xFFF));
        Device { xcmds, cookie }
    }

    impl<X2: cx::Xcmd> Device<X2> {
        /// Command 0.
        #[must_use]
        #[inline]
        pub fn both(&self, b: i16) -> bool {
            abi1::xcmd::<X2, 64, 0>(&self.xcmds, self.cookie.bits(), Some(i64::from(b) as u64 as usize)) & 1 != 0
        }

        /// Command 1.
        #[must_use]
        #[inline]
        pub fn far(&self, a: X, b: u64) -> X {
            X(abi1::xcmd::<X2, 64, 1>(&self.xcmds, abi1::with_data::<64>(self.cookie, usize::from(a.0)), Some(b as usize)) as u8)
        }
    }
}
