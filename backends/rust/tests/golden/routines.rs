// org_example_routines__New.rs
// Generated from org.example.routines:New by cxc; do not edit.
//
// A module of a crate that depends on lapis-cx-core: `#[path = "org_example_routines__New.rs"] mod org_example_routines_new;`, or `include!`
// inside a `mod`.

use ::lapis_cx_core as cx;

self::cx::check_abi!("org_example_routines__New.rs", 3, "0.1.0");

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
use super::opn;
use super::self_;
use super::sum;

/// `org.example.routines:New` where a register has 32 bits.
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

    use super::opn::xlen32 as opn;
    use super::opn::xlen32::Open as _;
    use super::self_::xlen32 as self_;
    use super::self_::xlen32::Plain as _;
    use super::sum::xlen32 as sum;
    use super::sum::xlen32::Sum as _;

    /// The enum `Code`.
    ///
    /// Any pattern of 32 bits may occur, so this is no Rust enum.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(transparent)]
    pub struct Code(pub u32);

    impl Code {
        /// The case `ok`.
        pub const OK: Code = Code(0);
        /// The case `full`.
        pub const FULL: Code = Code(0xFFFF_FFFF);
    }

    /// Names and types that are awkward in Rust.
    ///
    /// The functions of `org.example.routines:New` that have a body, on the CXs of a runtime. What they
    /// open they keep, and close when this is dropped.
    pub struct New<R: cx::Runtime, B: opn::Bodies> {
        runtime: R,
        sum: abi1::Instance,
        opn: abi1::Instance,
        self_: abi1::Instance,
        bodies: ::core::marker::PhantomData<fn() -> (B,)>,
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
    impl<R: cx::Runtime, B: opn::Bodies> New<R, B> {
        /// The functions on this runtime. Nothing is opened before it is wanted.
        #[must_use]
        pub const fn new(runtime: R) -> Self {
            New {
                runtime,
                sum: abi1::Instance::new(abi1::Interface {
                    uuid: sum::UUID,
                    sharing: cx::Sharing::Exclusive,
                }),
                opn: abi1::Instance::new(abi1::Interface {
                    uuid: opn::UUID,
                    sharing: cx::Sharing::CalleeSave,
                }),
                self_: abi1::Instance::new(abi1::Interface {
                    uuid: self_::UUID,
                    sharing: cx::Sharing::Stateless,
                }),
                bodies: ::core::marker::PhantomData,
            }
        }

        /// The function `new`.
        pub fn new_<C: Calls>(
            &self,
            calls: &mut C,
            db: &C::Db,
            at: &C::Pointer,
            out: &mut [u16],
            mut more: Option<&mut [u16]>,
            flags: &[bool],
            n: usize,
        ) -> Code {
            let n: u32 = n as u32;
            let r: u32 = calls.ready(db, Code(0xFFFF_FFFF), at, n as usize).0;
            if n == 0 {
                return Code(r);
            }
            calls.fill(out, more.as_deref_mut(), n as usize);
            if let Some(sum_cx) = self.sum.take(&self.runtime) {
                let mut sum = sum::Selected::new(self.runtime.current());
                let _selected = abi1::enter(&self.runtime, sum_cx.selector());
                sum.write_status(1);
                let mut k_2: u32 = sum.add(n, sum::Step(1));
                if abi1::read(flags, 1_u32) {
                    return Code(r);
                }
                let t4: u32 = sum.shift::<{ -5 }>(k_2);
                k_2 ^= t4;
                if 0 < n {
                    abi1::write(0_u32, k_2 as u16, out);
                }
                let t5: u32 =
                    u32::from(sum.drop(abi1::read(flags, 0_u32), 0xFFFD_u32 as i16) as u8);
                self.runtime.select(cx::Selector::BUILTIN);
                let t6: u32 = u32::from(calls.near(t5 as i8, true, 7) as u16);
                if t6 == 0xFFFF {
                    let t7: u32 = n & 0xF;
                    if t7 < n {
                        abi1::write(
                            t7,
                            (if more.is_some() && 0 < n {
                                u32::from(abi1::read(more.as_deref().unwrap_or_default(), 0_u32))
                            } else {
                                0_u32
                            }) as u16,
                            out,
                        );
                    }
                }
            } else {
                let mut sum = sum::Soft::default();
                let mut k: u32 = sum.add(n, sum::Step(1));
                if abi1::read(flags, 1_u32) {
                    return Code(r);
                }
                let t1: u32 = sum.shift::<{ -5 }>(k);
                k ^= t1;
                if 0 < n {
                    abi1::write(0_u32, k as u16, out);
                }
                let t3: u32 =
                    u32::from(sum.drop(abi1::read(flags, 0_u32), 0xFFFD_u32 as i16) as u8);
                let t2: u32 = u32::from(calls.near(t3 as i8, true, 7) as u16);
                if t2 == 0xFFFF {
                    let t8: u32 = n & 0xF;
                    if t8 < n {
                        abi1::write(
                            t8,
                            (if more.is_some() && 0 < n {
                                u32::from(abi1::read(more.as_deref().unwrap_or_default(), 0_u32))
                            } else {
                                0_u32
                            }) as u16,
                            out,
                        );
                    }
                }
            }
            Code(r)
        }

        /// The function `calls`.
        pub fn calls(&self, values: &[i64], r: &mut [i8], n: u16) -> i64 {
            if r.len() >= usize::from(n) {
                self.calls_of(values, &mut r[..usize::from(n)], n)
            } else {
                self.calls_of(values, r, n)
            }
        }

        #[inline(always)]
        fn calls_of(&self, values: &[i64], r: &mut [i8], n: u16) -> i64 {
            let n: u32 = u32::from(n);
            let mut total: u64 = 0;
            if let Some(opn_cx) = self.opn.open(&self.runtime) {
                let mut opn = opn::Selected::new(self.runtime.current());
                let _selected = abi1::enter(&self.runtime, opn_cx);
                let caller = abi1::keep::<8, _>(&self.runtime, opn_cx);
                opn.write_status(1);
                for i in 0..n {
                    let t3: u32 = opn.get();
                    let t5: u32 = i.wrapping_mul(2);
                    total = total
                        .wrapping_add(if t5 < n.wrapping_mul(2) {
                            abi1::read(values, t5) as u64
                        } else {
                            0
                        })
                        .wrapping_add(u64::from(t3));
                    let t6: u32 = i.wrapping_mul(2).wrapping_add(1);
                    abi1::write(
                        i,
                        (if t6 < n.wrapping_mul(2) {
                            abi1::read(values, t6) as u64
                        } else {
                            0_u64
                        }) as u32 as i8,
                        r,
                    );
                }
                caller.restore();
            } else {
                let mut opn = opn::Soft::<B>::default();
                for i in 0..n {
                    let t1: u32 = opn.get();
                    let t7: u32 = i.wrapping_mul(2);
                    total = total
                        .wrapping_add(if t7 < n.wrapping_mul(2) {
                            abi1::read(values, t7) as u64
                        } else {
                            0
                        })
                        .wrapping_add(u64::from(t1));
                    let t8: u32 = i.wrapping_mul(2).wrapping_add(1);
                    abi1::write(
                        i,
                        (if t8 < n.wrapping_mul(2) {
                            abi1::read(values, t8) as u64
                        } else {
                            0_u64
                        }) as u32 as i8,
                        r,
                    );
                }
            }
            if let Some(self_cx) = self.self_.open(&self.runtime) {
                let self_ = self_::Selected::new(self.runtime.current());
                let _selected_2 = abi1::enter(&self.runtime, self_cx);
                let t9: u32 = u32::from(self_.pop(total as u32));
                let t4: u32 = t9 & 0x3F;
                total = total.wrapping_add(u64::from(t4));
            } else {
                total = total.wrapping_neg();
            }
            total as i64
        }

        /// The function `again`.
        pub fn again(&self, values: &[i64], r: &mut [i8], n: u16) -> i64 {
            let n: u32 = u32::from(n);
            let t1: u64 = self.calls(values, r, n as u16) as u64;
            t1.wrapping_add(1) as i64
        }
    }

    impl<R: cx::Runtime, B: opn::Bodies> Drop for New<R, B> {
        fn drop(&mut self) {
            self.sum.close(&self.runtime);
            self.opn.close(&self.runtime);
            self.self_.close(&self.runtime);
        }
    }

    /// What the functions of `org.example.routines:New` call, and who calls them has.
    // Names and parameters are the specification's.
    #[allow(clippy::wrong_self_convention, clippy::too_many_arguments)]
    pub trait Calls {
        /// What the functions pass on as `Db`.
        type Db;
        /// What the functions pass on as `Pointer`.
        type Pointer;

        /// Gives a code.
        ///
        /// Of the default calling convention: it is called with built-in selected, and gives the selection back.
        fn ready(&mut self, db: &Self::Db, code: Code, at: &Self::Pointer, size: usize) -> Code;

        /// The function `fill`.
        ///
        /// `out`: What is filled.
        ///
        /// Of the CX calling convention: it gives back the selection, and the state of shared CXs.
        fn fill(&mut self, out: &mut [u16], more: Option<&mut [u16]>, n: usize);

        /// The function `near`.
        ///
        /// Of the default calling convention: it is called with built-in selected, and gives the selection back.
        fn near(&mut self, x: i8, y: bool, z: isize) -> i16;
    }
}

/// `org.example.routines:New` where a register has 64 bits.
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

    use super::opn::xlen64 as opn;
    use super::opn::xlen64::Open as _;
    use super::self_::xlen64 as self_;
    use super::self_::xlen64::Plain as _;
    use super::sum::xlen64 as sum;
    use super::sum::xlen64::Sum as _;

    /// The enum `Code`.
    ///
    /// Any pattern of 32 bits may occur, so this is no Rust enum.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(transparent)]
    pub struct Code(pub u32);

    impl Code {
        /// The case `ok`.
        pub const OK: Code = Code(0);
        /// The case `full`.
        pub const FULL: Code = Code(0xFFFF_FFFF);
    }

    /// Names and types that are awkward in Rust.
    ///
    /// The functions of `org.example.routines:New` that have a body, on the CXs of a runtime. What they
    /// open they keep, and close when this is dropped.
    pub struct New<R: cx::Runtime, B: opn::Bodies> {
        runtime: R,
        sum: abi1::Instance,
        opn: abi1::Instance,
        self_: abi1::Instance,
        bodies: ::core::marker::PhantomData<fn() -> (B,)>,
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
    impl<R: cx::Runtime, B: opn::Bodies> New<R, B> {
        /// The functions on this runtime. Nothing is opened before it is wanted.
        #[must_use]
        pub const fn new(runtime: R) -> Self {
            New {
                runtime,
                sum: abi1::Instance::new(abi1::Interface {
                    uuid: sum::UUID,
                    sharing: cx::Sharing::Exclusive,
                }),
                opn: abi1::Instance::new(abi1::Interface {
                    uuid: opn::UUID,
                    sharing: cx::Sharing::CalleeSave,
                }),
                self_: abi1::Instance::new(abi1::Interface {
                    uuid: self_::UUID,
                    sharing: cx::Sharing::Stateless,
                }),
                bodies: ::core::marker::PhantomData,
            }
        }

        /// The function `new`.
        pub fn new_<C: Calls>(
            &self,
            calls: &mut C,
            db: &C::Db,
            at: &C::Pointer,
            out: &mut [u16],
            mut more: Option<&mut [u16]>,
            flags: &[bool],
            n: usize,
        ) -> Code {
            let n: u64 = n as u64;
            let r: u32 = calls.ready(db, Code(0xFFFF_FFFF), at, n as usize).0;
            if n == 0 {
                return Code(r);
            }
            calls.fill(out, more.as_deref_mut(), n as usize);
            if let Some(sum_cx) = self.sum.take(&self.runtime) {
                let mut sum = sum::Selected::new(self.runtime.current());
                let _selected = abi1::enter(&self.runtime, sum_cx.selector());
                sum.write_status(1);
                let mut k_2: u32 = sum.add(n as u32, sum::Step(1));
                if abi1::read(flags, 1_u32) {
                    return Code(r);
                }
                let t4: u32 = sum.shift::<{ -5 }>(k_2);
                k_2 ^= t4;
                if 0 < n {
                    abi1::write(0_u32, k_2 as u16, out);
                }
                let t5: u32 =
                    u32::from(sum.drop(abi1::read(flags, 0_u32), 0xFFFD_u32 as i16) as u8);
                self.runtime.select(cx::Selector::BUILTIN);
                let t6: u32 = u32::from(calls.near(t5 as i8, true, 7) as u16);
                if t6 == 0xFFFF {
                    let t7: u32 = (n as u32) & 0xF;
                    if u64::from(t7) < n {
                        abi1::write(
                            t7,
                            (if more.is_some() && 0 < n {
                                u32::from(abi1::read(more.as_deref().unwrap_or_default(), 0_u32))
                            } else {
                                0_u32
                            }) as u16,
                            out,
                        );
                    }
                }
            } else {
                let mut sum = sum::Soft::default();
                let mut k: u32 = sum.add(n as u32, sum::Step(1));
                if abi1::read(flags, 1_u32) {
                    return Code(r);
                }
                let t1: u32 = sum.shift::<{ -5 }>(k);
                k ^= t1;
                if 0 < n {
                    abi1::write(0_u32, k as u16, out);
                }
                let t3: u32 =
                    u32::from(sum.drop(abi1::read(flags, 0_u32), 0xFFFD_u32 as i16) as u8);
                let t2: u32 = u32::from(calls.near(t3 as i8, true, 7) as u16);
                if t2 == 0xFFFF {
                    let t8: u32 = (n as u32) & 0xF;
                    if u64::from(t8) < n {
                        abi1::write(
                            t8,
                            (if more.is_some() && 0 < n {
                                u32::from(abi1::read(more.as_deref().unwrap_or_default(), 0_u32))
                            } else {
                                0_u32
                            }) as u16,
                            out,
                        );
                    }
                }
            }
            Code(r)
        }

        /// The function `calls`.
        pub fn calls(&self, values: &[i64], r: &mut [i8], n: u16) -> i64 {
            if r.len() >= usize::from(n) {
                self.calls_of(values, &mut r[..usize::from(n)], n)
            } else {
                self.calls_of(values, r, n)
            }
        }

        #[inline(always)]
        fn calls_of(&self, values: &[i64], r: &mut [i8], n: u16) -> i64 {
            let n: u32 = u32::from(n);
            let mut total: u64 = 0;
            if let Some(opn_cx) = self.opn.open(&self.runtime) {
                let mut opn = opn::Selected::new(self.runtime.current());
                let _selected = abi1::enter(&self.runtime, opn_cx);
                let caller = abi1::keep::<16, _>(&self.runtime, opn_cx);
                opn.write_status(1);
                for i in 0..n {
                    let t3: u32 = opn.get();
                    let t5: u32 = i.wrapping_mul(2);
                    total = total
                        .wrapping_add(if t5 < n.wrapping_mul(2) {
                            abi1::read(values, t5) as u64
                        } else {
                            0
                        })
                        .wrapping_add(u64::from(t3));
                    let t6: u32 = i.wrapping_mul(2).wrapping_add(1);
                    abi1::write(
                        i,
                        (if t6 < n.wrapping_mul(2) {
                            abi1::read(values, t6) as u64
                        } else {
                            0_u64
                        }) as u32 as i8,
                        r,
                    );
                }
                caller.restore();
            } else {
                let mut opn = opn::Soft::<B>::default();
                for i in 0..n {
                    let t1: u32 = opn.get();
                    let t7: u32 = i.wrapping_mul(2);
                    total = total
                        .wrapping_add(if t7 < n.wrapping_mul(2) {
                            abi1::read(values, t7) as u64
                        } else {
                            0
                        })
                        .wrapping_add(u64::from(t1));
                    let t8: u32 = i.wrapping_mul(2).wrapping_add(1);
                    abi1::write(
                        i,
                        (if t8 < n.wrapping_mul(2) {
                            abi1::read(values, t8) as u64
                        } else {
                            0_u64
                        }) as u32 as i8,
                        r,
                    );
                }
            }
            if let Some(self_cx) = self.self_.open(&self.runtime) {
                let self_ = self_::Selected::new(self.runtime.current());
                let _selected_2 = abi1::enter(&self.runtime, self_cx);
                let t9: u32 = u32::from(self_.pop(total as u32));
                let t4: u32 = t9 & 0x3F;
                total = total.wrapping_add(u64::from(t4));
            } else {
                total = total.wrapping_neg();
            }
            total as i64
        }

        /// The function `again`.
        pub fn again(&self, values: &[i64], r: &mut [i8], n: u16) -> i64 {
            let n: u32 = u32::from(n);
            let t1: u64 = self.calls(values, r, n as u16) as u64;
            t1.wrapping_add(1) as i64
        }
    }

    impl<R: cx::Runtime, B: opn::Bodies> Drop for New<R, B> {
        fn drop(&mut self) {
            self.sum.close(&self.runtime);
            self.opn.close(&self.runtime);
            self.self_.close(&self.runtime);
        }
    }

    /// What the functions of `org.example.routines:New` call, and who calls them has.
    // Names and parameters are the specification's.
    #[allow(clippy::wrong_self_convention, clippy::too_many_arguments)]
    pub trait Calls {
        /// What the functions pass on as `Db`.
        type Db;
        /// What the functions pass on as `Pointer`.
        type Pointer;

        /// Gives a code.
        ///
        /// Of the default calling convention: it is called with built-in selected, and gives the selection back.
        fn ready(&mut self, db: &Self::Db, code: Code, at: &Self::Pointer, size: usize) -> Code;

        /// The function `fill`.
        ///
        /// `out`: What is filled.
        ///
        /// Of the CX calling convention: it gives back the selection, and the state of shared CXs.
        fn fill(&mut self, out: &mut [u16], more: Option<&mut [u16]>, n: usize);

        /// The function `near`.
        ///
        /// Of the default calling convention: it is called with built-in selected, and gives the selection back.
        fn near(&mut self, x: i8, y: bool, z: isize) -> i16;
    }
}
