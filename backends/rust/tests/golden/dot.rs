// dot.rs
// Generated from org.example.dsp:Dot by cxc; do not edit.
//
// A module of a crate that depends on lapis-cx-core: `#[path = "dot.rs"] mod dot;`, or `include!`
// inside a `mod`.

use ::lapis_cx_core as cx;

self::cx::check_abi!("dot.rs", 3, "0.1.0");

#[allow(unreachable_pub, unused_imports)]
pub use self::chosen::*;

#[allow(unexpected_cfgs, unreachable_pub, unused_imports)]
mod chosen {
    #[cfg(any(cx_xlen = "32", all(target_pointer_width = "32", not(cx_xlen = "64"))))]
    pub use super::xlen32::*;
    #[cfg(not(any(cx_xlen = "32", all(target_pointer_width = "32", not(cx_xlen = "64")))))]
    pub use super::xlen64::*;
}

// The modules of the interfaces stand beside this one.
use super::mulacc;

/// `org.example.dsp:Dot` where a register has 32 bits.
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

    use super::mulacc::xlen32 as mulacc;
    use super::mulacc::xlen32::MulAcc as _;

    /// The functions of `org.example.dsp:Dot` that have a body, on the CXs of a runtime. What they
    /// open they keep, and close when this is dropped.
    #[derive(Debug)]
    pub struct Dot<R: cx::Runtime> {
        runtime: R,
        mulacc: abi1::Instance,
    }

    // A function may use no CX; its name and parameters are the specification's.
    #[allow(
        clippy::unused_self,
        clippy::too_many_arguments,
        clippy::self_named_constructors
    )]
    #[allow(clippy::wrong_self_convention, clippy::should_implement_trait)]
    // What looks at lengths first has its body twice.
    #[allow(clippy::inline_always)]
    impl<R: cx::Runtime> Dot<R> {
        /// The functions on this runtime. Nothing is opened before it is wanted.
        #[must_use]
        pub const fn new(runtime: R) -> Self {
            Dot {
                runtime,
                mulacc: abi1::Instance::new(abi1::Interface {
                    uuid: mulacc::UUID,
                    sharing: cx::Sharing::Exclusive,
                }),
            }
        }

        /// Wrapping 32-bit dot product; hardware when MulAcc opens, else the generated fallback.
        pub fn dotp(&self, a: &[u32], b: &[u32], n: usize) -> u32 {
            if a.len() >= n && b.len() >= n {
                self.dotp_of(&a[..n], &b[..n], n)
            } else {
                self.dotp_of(a, b, n)
            }
        }

        #[inline(always)]
        fn dotp_of(&self, a: &[u32], b: &[u32], n: usize) -> u32 {
            let n: u32 = n as u32;
            let mut r: u32 = 0;
            if let Some(mulacc_cx) = self.mulacc.open(&self.runtime) {
                let mut mulacc = mulacc::Selected::new(self.runtime.current());
                let _selected = abi1::enter(&self.runtime, mulacc_cx);
                mulacc.mul(0, 0);
                for i in 0..n {
                    let t2: u32 = mulacc.mulacc(abi1::read(a, i), abi1::read(b, i));
                    r = t2;
                }
            } else {
                let mut mulacc = mulacc::Soft::default();
                mulacc.mul(0, 0);
                for i in 0..n {
                    let t1: u32 = mulacc.mulacc(abi1::read(a, i), abi1::read(b, i));
                    r = t1;
                }
            }
            r
        }
    }

    impl<R: cx::Runtime> Drop for Dot<R> {
        fn drop(&mut self) {
            self.mulacc.close(&self.runtime);
        }
    }
}

/// `org.example.dsp:Dot` where a register has 64 bits.
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

    use super::mulacc::xlen64 as mulacc;
    use super::mulacc::xlen64::MulAcc as _;

    /// The functions of `org.example.dsp:Dot` that have a body, on the CXs of a runtime. What they
    /// open they keep, and close when this is dropped.
    #[derive(Debug)]
    pub struct Dot<R: cx::Runtime> {
        runtime: R,
        mulacc: abi1::Instance,
    }

    // A function may use no CX; its name and parameters are the specification's.
    #[allow(
        clippy::unused_self,
        clippy::too_many_arguments,
        clippy::self_named_constructors
    )]
    #[allow(clippy::wrong_self_convention, clippy::should_implement_trait)]
    // What looks at lengths first has its body twice.
    #[allow(clippy::inline_always)]
    impl<R: cx::Runtime> Dot<R> {
        /// The functions on this runtime. Nothing is opened before it is wanted.
        #[must_use]
        pub const fn new(runtime: R) -> Self {
            Dot {
                runtime,
                mulacc: abi1::Instance::new(abi1::Interface {
                    uuid: mulacc::UUID,
                    sharing: cx::Sharing::Exclusive,
                }),
            }
        }

        /// Wrapping 32-bit dot product; hardware when MulAcc opens, else the generated fallback.
        pub fn dotp(&self, a: &[u32], b: &[u32], n: usize) -> u32 {
            if a.len() >= n && b.len() >= n {
                self.dotp_of(&a[..n], &b[..n], n)
            } else {
                self.dotp_of(a, b, n)
            }
        }

        #[inline(always)]
        fn dotp_of(&self, a: &[u32], b: &[u32], n: usize) -> u32 {
            let n: u64 = n as u64;
            let mut r: u32 = 0;
            if let Some(mulacc_cx) = self.mulacc.open(&self.runtime) {
                let mut mulacc = mulacc::Selected::new(self.runtime.current());
                let _selected = abi1::enter(&self.runtime, mulacc_cx);
                mulacc.mul(0, 0);
                for i in 0..n {
                    let t2: u64 =
                        mulacc.mulacc(u64::from(abi1::read(a, i)), u64::from(abi1::read(b, i)));
                    r = t2 as u32;
                }
            } else {
                let mut mulacc = mulacc::Soft::default();
                mulacc.mul(0, 0);
                for i in 0..n {
                    let t1: u64 =
                        mulacc.mulacc(u64::from(abi1::read(a, i)), u64::from(abi1::read(b, i)));
                    r = t1 as u32;
                }
            }
            r
        }
    }

    impl<R: cx::Runtime> Drop for Dot<R> {
        fn drop(&mut self) {
            self.mulacc.close(&self.runtime);
        }
    }
}
