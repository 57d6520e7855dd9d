// dotp.rs
// Generated from org.example.dotp:Dotp by cxc; do not edit.
//
// A module of a crate that depends on lapis-cx-core: `#[path = "dotp.rs"] mod dotp;`, or `include!`
// inside a `mod`.

use ::lapis_cx_core as cx;

self::cx::check_abi!("dotp.rs", 3, "0.1.0");

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
use super::mac;
use super::smac;

/// `org.example.dotp:Dotp` where a register has 32 bits.
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

    use super::mac::xlen32 as mac;
    use super::mac::xlen32::Mac as _;
    use super::smac::xlen32 as smac;
    use super::smac::xlen32::SharedMac as _;

    /// The dot product of the CX API's examples: each function says the same, and what is selected, saved and restored follows
    /// from the state and the conventions.
    ///
    /// The functions of `org.example.dotp:Dotp` that have a body, on the CXs of a runtime. What they
    /// open they keep, and close when this is dropped.
    #[derive(Debug)]
    pub struct Dotp<R: cx::Runtime> {
        runtime: R,
        mac: abi1::Instance,
        smac: abi1::Instance,
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
    impl<R: cx::Runtime> Dotp<R> {
        /// The functions on this runtime. Nothing is opened before it is wanted.
        #[must_use]
        pub const fn new(runtime: R) -> Self {
            Dotp {
                runtime,
                mac: abi1::Instance::new(abi1::Interface {
                    uuid: mac::UUID,
                    sharing: cx::Sharing::Exclusive,
                }),
                smac: abi1::Instance::new(abi1::Interface {
                    uuid: smac::UUID,
                    sharing: cx::Sharing::CallerSave,
                }),
            }
        }

        /// The function `exclusive_cx`.
        pub fn exclusive_cx<C: Calls>(&self, calls: &mut C, a: &[i32], b: &[i32], n: u32) -> i32 {
            if a.len() >= n as usize && b.len() >= n as usize {
                self.exclusive_cx_of(calls, &a[..n as usize], &b[..n as usize], n)
            } else {
                self.exclusive_cx_of(calls, a, b, n)
            }
        }

        #[inline(always)]
        fn exclusive_cx_of<C: Calls>(&self, calls: &mut C, a: &[i32], b: &[i32], n: u32) -> i32 {
            let mut r: u32 = 0;
            if let Some(mac_cx) = self.mac.take(&self.runtime) {
                let mut mac = mac::Selected::new(self.runtime.current());
                let _selected = abi1::enter(&self.runtime, mac_cx.selector());
                mac.reset();
                for i in 0..n {
                    let t3: u32 = calls.aware(abi1::read(a, i)) as u32;
                    let t4: u32 = mac.mac(t3, abi1::read(b, i) as u32);
                    r = t4;
                }
            } else {
                let mut mac = mac::Soft::default();
                mac.reset();
                for i in 0..n {
                    let t2: u32 = calls.aware(abi1::read(a, i)) as u32;
                    let t1: u32 = mac.mac(t2, abi1::read(b, i) as u32);
                    r = t1;
                }
            }
            r as i32
        }

        /// The function `exclusive_legacy`.
        pub fn exclusive_legacy<C: Calls>(
            &self,
            calls: &mut C,
            a: &[i32],
            b: &[i32],
            n: u32,
        ) -> i32 {
            if a.len() >= n as usize && b.len() >= n as usize {
                self.exclusive_legacy_of(calls, &a[..n as usize], &b[..n as usize], n)
            } else {
                self.exclusive_legacy_of(calls, a, b, n)
            }
        }

        #[inline(always)]
        fn exclusive_legacy_of<C: Calls>(
            &self,
            calls: &mut C,
            a: &[i32],
            b: &[i32],
            n: u32,
        ) -> i32 {
            let mut r: u32 = 0;
            if let Some(mac_cx) = self.mac.take(&self.runtime) {
                let mut mac = mac::Selected::new(self.runtime.current());
                let _selected = abi1::enter(&self.runtime, mac_cx.selector());
                mac.reset();
                for i in 0..n {
                    self.runtime.select(cx::Selector::BUILTIN);
                    let t3: u32 = calls.legacy(abi1::read(a, i)) as u32;
                    self.runtime.select(mac_cx.selector());
                    let t4: u32 = mac.mac(t3, abi1::read(b, i) as u32);
                    r = t4;
                }
            } else {
                let mut mac = mac::Soft::default();
                mac.reset();
                for i in 0..n {
                    let t2: u32 = calls.legacy(abi1::read(a, i)) as u32;
                    let t1: u32 = mac.mac(t2, abi1::read(b, i) as u32);
                    r = t1;
                }
            }
            r as i32
        }

        /// The function `shared_cx`.
        pub fn shared_cx<C: Calls>(&self, calls: &mut C, a: &[i32], b: &[i32], n: u32) -> i32 {
            if a.len() >= n as usize && b.len() >= n as usize {
                self.shared_cx_of(calls, &a[..n as usize], &b[..n as usize], n)
            } else {
                self.shared_cx_of(calls, a, b, n)
            }
        }

        #[inline(always)]
        fn shared_cx_of<C: Calls>(&self, calls: &mut C, a: &[i32], b: &[i32], n: u32) -> i32 {
            let mut r: u32 = 0;
            if let Some(smac_cx) = self.smac.open(&self.runtime) {
                let mut smac = smac::Selected::new(self.runtime.current());
                let _selected = abi1::enter(&self.runtime, smac_cx);
                let caller = abi1::keep::<8, _>(&self.runtime, smac_cx);
                smac.write_status(1);
                smac.reset();
                for i in 0..n {
                    let t3: u32 = calls.aware(abi1::read(a, i)) as u32;
                    let t4: u32 = smac.mac(t3, abi1::read(b, i) as u32);
                    r = t4;
                }
                caller.restore();
            } else {
                let mut smac = smac::Soft::default();
                smac.reset();
                for i in 0..n {
                    let t2: u32 = calls.aware(abi1::read(a, i)) as u32;
                    let t1: u32 = smac.mac(t2, abi1::read(b, i) as u32);
                    r = t1;
                }
            }
            r as i32
        }

        /// The function `shared_legacy`.
        pub fn shared_legacy<C: Calls>(&self, calls: &mut C, a: &[i32], b: &[i32], n: u32) -> i32 {
            if a.len() >= n as usize && b.len() >= n as usize {
                self.shared_legacy_of(calls, &a[..n as usize], &b[..n as usize], n)
            } else {
                self.shared_legacy_of(calls, a, b, n)
            }
        }

        #[inline(always)]
        fn shared_legacy_of<C: Calls>(&self, calls: &mut C, a: &[i32], b: &[i32], n: u32) -> i32 {
            let mut r: u32 = 0;
            if let Some(smac_cx) = self.smac.open(&self.runtime) {
                let mut own = abi1::Image::<8>::new();
                let mut smac = smac::Selected::new(self.runtime.current());
                let _selected = abi1::enter(&self.runtime, smac_cx);
                smac.write_status(1);
                smac.reset();
                for i in 0..n {
                    own.save(&self.runtime);
                    self.runtime.select(cx::Selector::BUILTIN);
                    let t3: u32 = calls.legacy(abi1::read(a, i)) as u32;
                    self.runtime.select(smac_cx);
                    own.restore(&self.runtime);
                    let t4: u32 = smac.mac(t3, abi1::read(b, i) as u32);
                    r = t4;
                }
            } else {
                let mut smac = smac::Soft::default();
                smac.reset();
                for i in 0..n {
                    let t2: u32 = calls.legacy(abi1::read(a, i)) as u32;
                    let t1: u32 = smac.mac(t2, abi1::read(b, i) as u32);
                    r = t1;
                }
            }
            r as i32
        }
    }

    impl<R: cx::Runtime> Drop for Dotp<R> {
        fn drop(&mut self) {
            self.mac.close(&self.runtime);
            self.smac.close(&self.runtime);
        }
    }

    /// What the functions of `org.example.dotp:Dotp` call, and who calls them has.
    // Names and parameters are the specification's.
    #[allow(clippy::wrong_self_convention, clippy::too_many_arguments)]
    pub trait Calls {
        /// The function `legacy`.
        ///
        /// Of the default calling convention: it is called with built-in selected, and gives the selection back.
        fn legacy(&mut self, x: i32) -> i32;

        /// The function `aware`.
        ///
        /// Of the CX calling convention: it gives back the selection, and the state of shared CXs.
        fn aware(&mut self, x: i32) -> i32;
    }
}

/// `org.example.dotp:Dotp` where a register has 64 bits.
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

    use super::mac::xlen64 as mac;
    use super::mac::xlen64::Mac as _;
    use super::smac::xlen64 as smac;
    use super::smac::xlen64::SharedMac as _;

    /// The dot product of the CX API's examples: each function says the same, and what is selected, saved and restored follows
    /// from the state and the conventions.
    ///
    /// The functions of `org.example.dotp:Dotp` that have a body, on the CXs of a runtime. What they
    /// open they keep, and close when this is dropped.
    #[derive(Debug)]
    pub struct Dotp<R: cx::Runtime> {
        runtime: R,
        mac: abi1::Instance,
        smac: abi1::Instance,
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
    impl<R: cx::Runtime> Dotp<R> {
        /// The functions on this runtime. Nothing is opened before it is wanted.
        #[must_use]
        pub const fn new(runtime: R) -> Self {
            Dotp {
                runtime,
                mac: abi1::Instance::new(abi1::Interface {
                    uuid: mac::UUID,
                    sharing: cx::Sharing::Exclusive,
                }),
                smac: abi1::Instance::new(abi1::Interface {
                    uuid: smac::UUID,
                    sharing: cx::Sharing::CallerSave,
                }),
            }
        }

        /// The function `exclusive_cx`.
        pub fn exclusive_cx<C: Calls>(&self, calls: &mut C, a: &[i32], b: &[i32], n: u32) -> i32 {
            if a.len() >= n as usize && b.len() >= n as usize {
                self.exclusive_cx_of(calls, &a[..n as usize], &b[..n as usize], n)
            } else {
                self.exclusive_cx_of(calls, a, b, n)
            }
        }

        #[inline(always)]
        fn exclusive_cx_of<C: Calls>(&self, calls: &mut C, a: &[i32], b: &[i32], n: u32) -> i32 {
            let mut r: u32 = 0;
            if let Some(mac_cx) = self.mac.take(&self.runtime) {
                let mut mac = mac::Selected::new(self.runtime.current());
                let _selected = abi1::enter(&self.runtime, mac_cx.selector());
                mac.reset();
                for i in 0..n {
                    let t3: u32 = calls.aware(abi1::read(a, i)) as u32;
                    let t4: u64 = mac.mac(t3 as i32 as u64, abi1::read(b, i) as u64);
                    r = t4 as u32;
                }
            } else {
                let mut mac = mac::Soft::default();
                mac.reset();
                for i in 0..n {
                    let t2: u32 = calls.aware(abi1::read(a, i)) as u32;
                    let t1: u64 = mac.mac(t2 as i32 as u64, abi1::read(b, i) as u64);
                    r = t1 as u32;
                }
            }
            r as i32
        }

        /// The function `exclusive_legacy`.
        pub fn exclusive_legacy<C: Calls>(
            &self,
            calls: &mut C,
            a: &[i32],
            b: &[i32],
            n: u32,
        ) -> i32 {
            if a.len() >= n as usize && b.len() >= n as usize {
                self.exclusive_legacy_of(calls, &a[..n as usize], &b[..n as usize], n)
            } else {
                self.exclusive_legacy_of(calls, a, b, n)
            }
        }

        #[inline(always)]
        fn exclusive_legacy_of<C: Calls>(
            &self,
            calls: &mut C,
            a: &[i32],
            b: &[i32],
            n: u32,
        ) -> i32 {
            let mut r: u32 = 0;
            if let Some(mac_cx) = self.mac.take(&self.runtime) {
                let mut mac = mac::Selected::new(self.runtime.current());
                let _selected = abi1::enter(&self.runtime, mac_cx.selector());
                mac.reset();
                for i in 0..n {
                    self.runtime.select(cx::Selector::BUILTIN);
                    let t3: u32 = calls.legacy(abi1::read(a, i)) as u32;
                    self.runtime.select(mac_cx.selector());
                    let t4: u64 = mac.mac(t3 as i32 as u64, abi1::read(b, i) as u64);
                    r = t4 as u32;
                }
            } else {
                let mut mac = mac::Soft::default();
                mac.reset();
                for i in 0..n {
                    let t2: u32 = calls.legacy(abi1::read(a, i)) as u32;
                    let t1: u64 = mac.mac(t2 as i32 as u64, abi1::read(b, i) as u64);
                    r = t1 as u32;
                }
            }
            r as i32
        }

        /// The function `shared_cx`.
        pub fn shared_cx<C: Calls>(&self, calls: &mut C, a: &[i32], b: &[i32], n: u32) -> i32 {
            if a.len() >= n as usize && b.len() >= n as usize {
                self.shared_cx_of(calls, &a[..n as usize], &b[..n as usize], n)
            } else {
                self.shared_cx_of(calls, a, b, n)
            }
        }

        #[inline(always)]
        fn shared_cx_of<C: Calls>(&self, calls: &mut C, a: &[i32], b: &[i32], n: u32) -> i32 {
            let mut r: u32 = 0;
            if let Some(smac_cx) = self.smac.open(&self.runtime) {
                let mut smac = smac::Selected::new(self.runtime.current());
                let _selected = abi1::enter(&self.runtime, smac_cx);
                let caller = abi1::keep::<16, _>(&self.runtime, smac_cx);
                smac.write_status(1);
                smac.reset();
                for i in 0..n {
                    let t3: u32 = calls.aware(abi1::read(a, i)) as u32;
                    let t4: u64 = smac.mac(t3 as i32 as u64, abi1::read(b, i) as u64);
                    r = t4 as u32;
                }
                caller.restore();
            } else {
                let mut smac = smac::Soft::default();
                smac.reset();
                for i in 0..n {
                    let t2: u32 = calls.aware(abi1::read(a, i)) as u32;
                    let t1: u64 = smac.mac(t2 as i32 as u64, abi1::read(b, i) as u64);
                    r = t1 as u32;
                }
            }
            r as i32
        }

        /// The function `shared_legacy`.
        pub fn shared_legacy<C: Calls>(&self, calls: &mut C, a: &[i32], b: &[i32], n: u32) -> i32 {
            if a.len() >= n as usize && b.len() >= n as usize {
                self.shared_legacy_of(calls, &a[..n as usize], &b[..n as usize], n)
            } else {
                self.shared_legacy_of(calls, a, b, n)
            }
        }

        #[inline(always)]
        fn shared_legacy_of<C: Calls>(&self, calls: &mut C, a: &[i32], b: &[i32], n: u32) -> i32 {
            let mut r: u32 = 0;
            if let Some(smac_cx) = self.smac.open(&self.runtime) {
                let mut own = abi1::Image::<16>::new();
                let mut smac = smac::Selected::new(self.runtime.current());
                let _selected = abi1::enter(&self.runtime, smac_cx);
                smac.write_status(1);
                smac.reset();
                for i in 0..n {
                    own.save(&self.runtime);
                    self.runtime.select(cx::Selector::BUILTIN);
                    let t3: u32 = calls.legacy(abi1::read(a, i)) as u32;
                    self.runtime.select(smac_cx);
                    own.restore(&self.runtime);
                    let t4: u64 = smac.mac(t3 as i32 as u64, abi1::read(b, i) as u64);
                    r = t4 as u32;
                }
            } else {
                let mut smac = smac::Soft::default();
                smac.reset();
                for i in 0..n {
                    let t2: u32 = calls.legacy(abi1::read(a, i)) as u32;
                    let t1: u64 = smac.mac(t2 as i32 as u64, abi1::read(b, i) as u64);
                    r = t1 as u32;
                }
            }
            r as i32
        }
    }

    impl<R: cx::Runtime> Drop for Dotp<R> {
        fn drop(&mut self) {
            self.mac.close(&self.runtime);
            self.smac.close(&self.runtime);
        }
    }

    /// What the functions of `org.example.dotp:Dotp` call, and who calls them has.
    // Names and parameters are the specification's.
    #[allow(clippy::wrong_self_convention, clippy::too_many_arguments)]
    pub trait Calls {
        /// The function `legacy`.
        ///
        /// Of the default calling convention: it is called with built-in selected, and gives the selection back.
        fn legacy(&mut self, x: i32) -> i32;

        /// The function `aware`.
        ///
        /// Of the CX calling convention: it gives back the selection, and the state of shared CXs.
        fn aware(&mut self, x: i32) -> i32;
    }
}
