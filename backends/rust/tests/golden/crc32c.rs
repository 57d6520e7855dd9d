// crc32c.rs
// Generated from org.example.crc:Crc32C by cxc; do not edit.
//
// A module of a crate that depends on lapis-cx-core: `#[path = "crc32c.rs"] mod crc32c;`, or `include!`
// inside a `mod`.

use ::lapis_cx_core as cx;

self::cx::check_abi!("crc32c.rs", 3, "0.1.0");

#[allow(unreachable_pub, unused_imports)]
pub use self::chosen::*;

#[allow(unexpected_cfgs, unreachable_pub, unused_imports)]
mod chosen {
    #[cfg(any(cx_xlen = "32", all(target_pointer_width = "32", not(cx_xlen = "64"))))]
    pub use super::xlen32::*;
    #[cfg(not(any(cx_xlen = "32", all(target_pointer_width = "32", not(cx_xlen = "64")))))]
    pub use super::xlen64::*;
}

/// `org.example.crc:Crc32C` where a register has 32 bits.
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
    /// The UUID, 6514f0f2-f76c-4611-b97b-a4b9b7295877.
    pub const UUID: cx::Uuid = cx::Uuid::from_u128(0x6514_F0F2_F76C_4611_B97B_A4B9_B729_5877);

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0x56, 0x50, 0xB7, 0x9B, 0x1A, 0x88, 0xAE, 0xC6, 0xC4, 0xBF, 0x8B, 0xFD,
        0x01, 0xB9, 0xC2, 0x10, 0xB5, 0x48, 0x5A, 0x33, 0x29, 0x13, 0xD8, 0x84,
        0xB6, 0x4A, 0xDB, 0x8F, 0x80, 0xB2, 0x61, 0xDA,
    ];

    /// Function ids.
    pub mod id {
        /// `crc_b`
        pub const CRC_B: u32 = 0;
        /// `crc_h`
        pub const CRC_H: u32 = 1;
        /// `crc_w`
        pub const CRC_W: u32 = 2;
    }

    /// CRC-32C of a byte, a half word, a word or a double word: one source, four widths. Bytes count from the low end, as
    /// a little-endian load delivers them. The customary inversion before and after is left to the caller.
    pub trait Crc32C {
        /// The CRC after one byte.
        #[must_use]
        fn crc_b(&self, crc: u32, data: u8) -> u32;

        /// The CRC after two bytes.
        #[must_use]
        fn crc_h(&self, crc: u32, data: u16) -> u32;

        /// The CRC after four bytes.
        #[must_use]
        fn crc_w(&self, crc: u32, data: u32) -> u32;
    }

    /// `org.example.crc:Crc32C` in software. Operands count by their low bits.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Soft;

    impl Crc32C for Soft {
        #[inline]
        fn crc_b(&self, crc: u32, data: u8) -> u32 {
            sw_crc_b(crc, data)
        }

        #[inline]
        fn crc_h(&self, crc: u32, data: u16) -> u32 {
            sw_crc_h(crc, data)
        }

        #[inline]
        fn crc_w(&self, crc: u32, data: u32) -> u32 {
            sw_crc_w(crc, data)
        }
    }

    /// The fallback as a runtime registers it.
    #[derive(Clone, Copy, Debug)]
    pub struct SoftCxu;

    impl cx::RustCxu for SoftCxu {
        type State = ();
        type Word = u32;
        const UUID: cx::Uuid = UUID;
        const NAME: &'static ::core::ffi::CStr = c"org.example.crc:Crc32C";
        const SHARING: cx::Sharing = cx::Sharing::Stateless;
        const CONTRACT: [u8; 32] = CONTRACT;
        const FLAGS: u32 = 0;
        const STATE_WORDS: u32 = 0;
        const RESET: () = ();

        fn issue((): &mut (), function: u32, rs1: usize, rs2: usize) -> cx::Reply {
            let (value, response) = match function {
                0 => (sw_crc_b(rs1 as u32, rs2 as u8) as usize, cx::Response::Ok),
                1 => (sw_crc_h(rs1 as u32, rs2 as u16) as usize, cx::Response::Ok),
                2 => (sw_crc_w(rs1 as u32, rs2 as u32) as usize, cx::Response::Ok),
                _ => (0, cx::Response::Func),
            };
            cx::Reply { value, response }
        }

        fn save((): &(), _words: &mut [Self::Word]) {}

        fn restore((): &mut (), _words: &[Self::Word]) {}
    }

    /// One step over the low bit of `c`.
    #[inline]
    fn fn_step(c: u32) -> u32 {
        if (c & 1) != 0 {
            (c >> 1) ^ 0x82F6_3B78
        } else {
            c >> 1
        }
    }

    /// `c` after the N bits of `d`, lowest first.
    #[inline]
    fn fn_bits_8(c: u32, d: u32) -> u32 {
        let mut r: u32 = c;
        for i in 0..8_u32 {
            r = fn_step(r ^ ((d >> i) & 1));
        }
        r
    }

    /// `c` after the N bits of `d`, lowest first.
    #[inline]
    fn fn_bits_16(c: u32, d: u32) -> u32 {
        let mut r: u32 = c;
        for i in 0..16_u32 {
            r = fn_step(r ^ ((d >> i) & 1));
        }
        r
    }

    /// `c` after the N bits of `d`, lowest first.
    #[inline]
    fn fn_bits_32(c: u32, d: u32) -> u32 {
        let mut r: u32 = c;
        for i in 0..32_u32 {
            r = fn_step(r ^ ((d >> i) & 1));
        }
        r
    }

    /// `crc_b` in software.
    #[inline]
    fn sw_crc_b(crc: u32, data: u8) -> u32 {
        let data: u32 = u32::from(data);
        fn_bits_8(crc, data)
    }

    /// `crc_h` in software.
    #[inline]
    fn sw_crc_h(crc: u32, data: u16) -> u32 {
        let data: u32 = u32::from(data);
        fn_bits_16(crc, data)
    }

    /// `crc_w` in software.
    #[inline]
    fn sw_crc_w(crc: u32, data: u32) -> u32 {
        fn_bits_32(crc, data)
    }

    /// `org.example.crc:Crc32C`, selected: each command is one instruction on a hart, and elsewhere a call.
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

    impl<G: cx::Issue> Crc32C for Selected<G> {
        #[inline]
        fn crc_b(&self, crc: u32, data: u8) -> u32 {
            abi1::pure_value::<G, 0>(&self.0, Some(crc as usize), Some(usize::from(data))) as u32
        }

        #[inline]
        fn crc_h(&self, crc: u32, data: u16) -> u32 {
            abi1::pure_value::<G, 1>(&self.0, Some(crc as usize), Some(usize::from(data))) as u32
        }

        #[inline]
        fn crc_w(&self, crc: u32, data: u32) -> u32 {
            abi1::pure_value::<G, 2>(&self.0, Some(crc as usize), Some(data as usize)) as u32
        }
    }
}

/// `org.example.crc:Crc32C` where a register has 64 bits.
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
    /// The UUID, 6514f0f2-f76c-4611-b97b-a4b9b7295877.
    pub const UUID: cx::Uuid = cx::Uuid::from_u128(0x6514_F0F2_F76C_4611_B97B_A4B9_B729_5877);

    /// The contract hash: SHA-256 of what the commands mean.
    #[rustfmt::skip]
    pub const CONTRACT: [u8; 32] = [
        0x56, 0x50, 0xB7, 0x9B, 0x1A, 0x88, 0xAE, 0xC6, 0xC4, 0xBF, 0x8B, 0xFD,
        0x01, 0xB9, 0xC2, 0x10, 0xB5, 0x48, 0x5A, 0x33, 0x29, 0x13, 0xD8, 0x84,
        0xB6, 0x4A, 0xDB, 0x8F, 0x80, 0xB2, 0x61, 0xDA,
    ];

    /// Function ids.
    pub mod id {
        /// `crc_b`
        pub const CRC_B: u32 = 0;
        /// `crc_h`
        pub const CRC_H: u32 = 1;
        /// `crc_w`
        pub const CRC_W: u32 = 2;
        /// `crc_d`
        pub const CRC_D: u32 = 3;
    }

    /// CRC-32C of a byte, a half word, a word or a double word: one source, four widths. Bytes count from the low end, as
    /// a little-endian load delivers them. The customary inversion before and after is left to the caller.
    pub trait Crc32C {
        /// The CRC after one byte.
        #[must_use]
        fn crc_b(&self, crc: u32, data: u8) -> u32;

        /// The CRC after two bytes.
        #[must_use]
        fn crc_h(&self, crc: u32, data: u16) -> u32;

        /// The CRC after four bytes.
        #[must_use]
        fn crc_w(&self, crc: u32, data: u32) -> u32;

        /// The CRC after eight bytes; RV64 only.
        #[must_use]
        fn crc_d(&self, crc: u32, data: u64) -> u32;
    }

    /// `org.example.crc:Crc32C` in software. Operands count by their low bits.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Soft;

    impl Crc32C for Soft {
        #[inline]
        fn crc_b(&self, crc: u32, data: u8) -> u32 {
            sw_crc_b(crc, data)
        }

        #[inline]
        fn crc_h(&self, crc: u32, data: u16) -> u32 {
            sw_crc_h(crc, data)
        }

        #[inline]
        fn crc_w(&self, crc: u32, data: u32) -> u32 {
            sw_crc_w(crc, data)
        }

        #[inline]
        fn crc_d(&self, crc: u32, data: u64) -> u32 {
            sw_crc_d(crc, data)
        }
    }

    /// The fallback as a runtime registers it.
    #[derive(Clone, Copy, Debug)]
    pub struct SoftCxu;

    impl cx::RustCxu for SoftCxu {
        type State = ();
        type Word = u64;
        const UUID: cx::Uuid = UUID;
        const NAME: &'static ::core::ffi::CStr = c"org.example.crc:Crc32C";
        const SHARING: cx::Sharing = cx::Sharing::Stateless;
        const CONTRACT: [u8; 32] = CONTRACT;
        const FLAGS: u32 = 0;
        const STATE_WORDS: u32 = 0;
        const RESET: () = ();

        fn issue((): &mut (), function: u32, rs1: usize, rs2: usize) -> cx::Reply {
            let (value, response) = match function {
                0 => (sw_crc_b(rs1 as u32, rs2 as u8) as usize, cx::Response::Ok),
                1 => (sw_crc_h(rs1 as u32, rs2 as u16) as usize, cx::Response::Ok),
                2 => (sw_crc_w(rs1 as u32, rs2 as u32) as usize, cx::Response::Ok),
                3 => (sw_crc_d(rs1 as u32, rs2 as u64) as usize, cx::Response::Ok),
                _ => (0, cx::Response::Func),
            };
            cx::Reply { value, response }
        }

        fn save((): &(), _words: &mut [Self::Word]) {}

        fn restore((): &mut (), _words: &[Self::Word]) {}
    }

    /// One step over the low bit of `c`.
    #[inline]
    fn fn_step(c: u32) -> u32 {
        if (c & 1) != 0 {
            (c >> 1) ^ 0x82F6_3B78
        } else {
            c >> 1
        }
    }

    /// `c` after the N bits of `d`, lowest first.
    #[inline]
    fn fn_bits_8(c: u32, d: u32) -> u32 {
        let mut r: u32 = c;
        for i in 0..8_u32 {
            r = fn_step(r ^ ((d >> i) & 1));
        }
        r
    }

    /// `c` after the N bits of `d`, lowest first.
    #[inline]
    fn fn_bits_16(c: u32, d: u32) -> u32 {
        let mut r: u32 = c;
        for i in 0..16_u32 {
            r = fn_step(r ^ ((d >> i) & 1));
        }
        r
    }

    /// `c` after the N bits of `d`, lowest first.
    #[inline]
    fn fn_bits_32(c: u32, d: u32) -> u32 {
        let mut r: u32 = c;
        for i in 0..32_u32 {
            r = fn_step(r ^ ((d >> i) & 1));
        }
        r
    }

    /// `c` after the N bits of `d`, lowest first.
    #[inline]
    fn fn_bits_64(c: u32, d: u64) -> u32 {
        let mut r: u32 = c;
        for i in 0..64_u32 {
            r = fn_step(r ^ (((d >> i) as u32) & 1));
        }
        r
    }

    /// `crc_b` in software.
    #[inline]
    fn sw_crc_b(crc: u32, data: u8) -> u32 {
        let data: u32 = u32::from(data);
        fn_bits_8(crc, data)
    }

    /// `crc_h` in software.
    #[inline]
    fn sw_crc_h(crc: u32, data: u16) -> u32 {
        let data: u32 = u32::from(data);
        fn_bits_16(crc, data)
    }

    /// `crc_w` in software.
    #[inline]
    fn sw_crc_w(crc: u32, data: u32) -> u32 {
        fn_bits_32(crc, data)
    }

    /// `crc_d` in software.
    #[inline]
    fn sw_crc_d(crc: u32, data: u64) -> u32 {
        fn_bits_64(crc, data)
    }

    /// `org.example.crc:Crc32C`, selected: each command is one instruction on a hart, and elsewhere a call.
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

    impl<G: cx::Issue> Crc32C for Selected<G> {
        #[inline]
        fn crc_b(&self, crc: u32, data: u8) -> u32 {
            abi1::pure_value::<G, 0>(&self.0, Some(crc as usize), Some(usize::from(data))) as u32
        }

        #[inline]
        fn crc_h(&self, crc: u32, data: u16) -> u32 {
            abi1::pure_value::<G, 1>(&self.0, Some(crc as usize), Some(usize::from(data))) as u32
        }

        #[inline]
        fn crc_w(&self, crc: u32, data: u32) -> u32 {
            abi1::pure_value::<G, 2>(&self.0, Some(crc as usize), Some(data as usize)) as u32
        }

        #[inline]
        fn crc_d(&self, crc: u32, data: u64) -> u32 {
            abi1::pure_value::<G, 3>(&self.0, Some(crc as usize), Some(data as usize)) as u32
        }
    }
}
