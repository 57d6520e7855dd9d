//! Small functions, printed once each where they are used: loops over limbs for the operations on values wider than 64
//! bits. The operands have as many limbs as the result unless a comment says otherwise.

use std::collections::BTreeSet;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::common::Common;
use crate::print::Writer;

/// A function of the backend's own. The order is the order in which they are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Helper {
    /// A run of limbs or elements as an array.
    Copied,
    /// From a word.
    FromWord,
    /// To another number of limbs.
    Resize,
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `!`
    Not,
    /// Left shift.
    Shl,
    /// Right shift.
    Shr,
    /// `<`
    Less,
    /// One step of a division.
    Step,
    /// Remainder.
    Rem,
    /// Quotient.
    Div,
    /// Clears high bits.
    Mask,
    /// Copies a bit upwards.
    SignExtend,
    /// 32 bits from a position.
    Word32,
    /// 64 bits from a position.
    Word64,
    /// The value if it fits 32 bits.
    Clamp,
}

impl Helper {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Helper::Copied => "copied",
            Helper::FromWord => "wide_from_word",
            Helper::Resize => "wide_resize",
            Helper::Add => "wide_add",
            Helper::Sub => "wide_sub",
            Helper::Mul => "wide_mul",
            Helper::And => "wide_and",
            Helper::Or => "wide_or",
            Helper::Xor => "wide_xor",
            Helper::Not => "wide_not",
            Helper::Shl => "wide_shl",
            Helper::Shr => "wide_shr",
            Helper::Less => "wide_less",
            Helper::Step => "wide_divide_step",
            Helper::Rem => "wide_rem",
            Helper::Div => "wide_div",
            Helper::Mask => "wide_mask",
            Helper::SignExtend => "wide_sign_extend",
            Helper::Word32 => "wide_word32",
            Helper::Word64 => "wide_word64",
            Helper::Clamp => "wide_clamp",
        }
    }

    /// Every helper.
    pub const ALL: [Helper; 21] = [
        Helper::Copied,
        Helper::FromWord,
        Helper::Resize,
        Helper::Add,
        Helper::Sub,
        Helper::Mul,
        Helper::And,
        Helper::Or,
        Helper::Xor,
        Helper::Not,
        Helper::Shl,
        Helper::Shr,
        Helper::Less,
        Helper::Step,
        Helper::Rem,
        Helper::Div,
        Helper::Mask,
        Helper::SignExtend,
        Helper::Word32,
        Helper::Word64,
        Helper::Clamp,
    ];

    /// The helpers that it calls.
    fn needs(self) -> &'static [Helper] {
        match self {
            Helper::Rem | Helper::Div => &[Helper::Less, Helper::Step],
            Helper::Word32 => &[Helper::Word64],
            _ => &[],
        }
    }

    /// Its tokens; `limbs` is the most limbs of a division.
    pub fn tokens(self, limbs: u32) -> TokenStream {
        match self {
            Helper::Copied => quote! {
                /// A run of elements by value.
                fn copied<T: Copy + Default, const N: usize>(from: &[T]) -> [T; N] {
                    let mut to = [T::default(); N];
                    to.copy_from_slice(from);
                    to
                }
            },
            Helper::FromWord => quote! {
                /// A word, zero-extended.
                fn wide_from_word(r: &mut [u32], mut v: u64) {
                    for limb in r {
                        *limb = v as u32;
                        v >>= 32;
                    }
                }
            },
            Helper::Resize => quote! {
                /// `a`, zero-extended or cut.
                fn wide_resize(r: &mut [u32], a: &[u32]) {
                    for (i, limb) in r.iter_mut().enumerate() {
                        *limb = a.get(i).copied().unwrap_or(0);
                    }
                }
            },
            Helper::Add => quote! {
                /// `a + b`
                fn wide_add(r: &mut [u32], a: &[u32], b: &[u32]) {
                    let mut carry = 0;
                    for ((r, a), b) in r.iter_mut().zip(a).zip(b) {
                        carry += u64::from(*a) + u64::from(*b);
                        *r = carry as u32;
                        carry >>= 32;
                    }
                }
            },
            Helper::Sub => quote! {
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
            },
            Helper::Mul => quote! {
                /// `a * b`
                fn wide_mul(r: &mut [u32], a: &[u32], b: &[u32]) {
                    r.fill(0);
                    for (i, a) in a.iter().enumerate() {
                        let mut carry = 0;
                        for (r, b) in r.iter_mut().skip(i).zip(b) {
                            carry += u64::from(*a) * u64::from(*b) + u64::from(*r);
                            *r = carry as u32;
                            carry >>= 32;
                        }
                    }
                }
            },
            Helper::And => quote! {
                /// `a & b`
                fn wide_and(r: &mut [u32], a: &[u32], b: &[u32]) {
                    for ((r, a), b) in r.iter_mut().zip(a).zip(b) {
                        *r = a & b;
                    }
                }
            },
            Helper::Or => quote! {
                /// `a | b`
                fn wide_or(r: &mut [u32], a: &[u32], b: &[u32]) {
                    for ((r, a), b) in r.iter_mut().zip(a).zip(b) {
                        *r = a | b;
                    }
                }
            },
            Helper::Xor => quote! {
                /// `a ^ b`
                fn wide_xor(r: &mut [u32], a: &[u32], b: &[u32]) {
                    for ((r, a), b) in r.iter_mut().zip(a).zip(b) {
                        *r = a ^ b;
                    }
                }
            },
            Helper::Not => quote! {
                /// `!a`
                fn wide_not(r: &mut [u32], a: &[u32]) {
                    for (r, a) in r.iter_mut().zip(a) {
                        *r = !a;
                    }
                }
            },
            Helper::Shl => quote! {
                /// `a << by`
                fn wide_shl(r: &mut [u32], a: &[u32], by: u32) {
                    let (limbs, bits) = (by as usize / 32, by % 32);
                    let limb = |i: usize| u64::from(i.checked_sub(limbs).and_then(|i| a.get(i)).copied().unwrap_or(0));
                    for (i, r) in r.iter_mut().enumerate() {
                        let low = if i > 0 { limb(i - 1) } else { 0 };
                        *r = ((limb(i) << 32 | low) >> (32 - bits)) as u32;
                    }
                }
            },
            Helper::Shr => quote! {
                /// `a >> by`
                fn wide_shr(r: &mut [u32], a: &[u32], by: u32) {
                    let (limbs, bits) = (by as usize / 32, by % 32);
                    let limb = |i: usize| u64::from(a.get(i).copied().unwrap_or(0));
                    for (i, r) in r.iter_mut().enumerate() {
                        *r = ((limb(i + limbs + 1) << 32 | limb(i + limbs)) >> bits) as u32;
                    }
                }
            },
            Helper::Less => quote! {
                /// `a < b`
                fn wide_less(a: &[u32], b: &[u32]) -> bool {
                    a.iter().rev().lt(b.iter().rev())
                }
            },
            Helper::Step => quote! {
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
            },
            Helper::Rem => quote! {
                /// `a % b`, bit by bit. A zero divisor leaves the dividend.
                fn wide_rem(r: &mut [u32], a: &[u32], b: &[u32]) {
                    r.fill(0);
                    for bit in (0..32 * a.len()).rev() {
                        wide_divide_step(r, a, b, bit);
                    }
                }
            },
            Helper::Div => {
                let limbs = Literal::u32_unsuffixed(limbs);
                quote! {
                    /// `a / b`, bit by bit. A zero divisor gives all ones.
                    fn wide_div(r: &mut [u32], a: &[u32], b: &[u32]) {
                        let mut rest = [0; #limbs];
                        let rest = &mut rest[..a.len()];
                        r.fill(0);
                        for bit in (0..32 * a.len()).rev() {
                            r[bit / 32] |= u32::from(wide_divide_step(rest, a, b, bit)) << (bit % 32);
                        }
                    }
                }
            }
            Helper::Mask => quote! {
                /// Clears the bits from `width` up.
                fn wide_mask(r: &mut [u32], width: usize) {
                    for (i, limb) in r.iter_mut().enumerate().skip(width / 32) {
                        *limb &= if i == width / 32 { (1 << (width % 32)) - 1 } else { 0 };
                    }
                }
            },
            Helper::SignExtend => quote! {
                /// Copies the bit below `width` to all bits from there up.
                fn wide_sign_extend(r: &mut [u32], width: usize) {
                    let sign = 0_u32.wrapping_sub(r[(width - 1) / 32] >> ((width - 1) % 32) & 1);
                    for (i, limb) in r.iter_mut().enumerate().skip(width / 32) {
                        let low = if i == width / 32 { (1 << (width % 32)) - 1 } else { 0 };
                        *limb = (*limb & low) | (sign & !low);
                    }
                }
            },
            Helper::Word32 => quote! {
                /// The 32 bits from `at` up.
                fn wide_word32(a: &[u32], at: u32) -> u32 {
                    wide_word64(a, at) as u32
                }
            },
            Helper::Word64 => quote! {
                /// The 64 bits from `at` up; zeros beyond the top.
                fn wide_word64(a: &[u32], at: u32) -> u64 {
                    let limb = |i: usize| u128::from(a.get(i).copied().unwrap_or(0));
                    let i = at as usize / 32;
                    ((limb(i + 2) << 64 | limb(i + 1) << 32 | limb(i)) >> (at % 32)) as u64
                }
            },
            Helper::Clamp => quote! {
                /// The value if it fits 32 bits, else all ones.
                fn wide_clamp(a: &[u32]) -> u32 {
                    match a {
                        [low, high @ ..] if high.iter().all(|limb| *limb == 0) => *low,
                        _ => u32::MAX,
                    }
                }
            },
        }
    }
}

/// Prints these helpers and those they call, in a fixed order. `limbs` bounds the limbs of a division.
pub fn print(out: &mut Writer, used: &BTreeSet<Helper>, limbs: u32) {
    let mut all = used.clone();
    all.extend(used.iter().flat_map(|helper| helper.needs()));
    all.into_iter().for_each(|helper| out.common(Common::Helper(helper, limbs.max(1))));
}
