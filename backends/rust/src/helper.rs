//! Small functions, printed once each where they are used: loops over limbs for the operations on values wider than 64
//! bits. The operands have as many limbs as the result unless a comment says otherwise.

use std::collections::BTreeSet;

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

    /// Its text; `@limbs` stands for the most limbs of a division.
    fn text(self) -> &'static str {
        match self {
            Helper::Copied => {
                "/// A run of elements by value.\nfn copied<T: Copy + Default, const N: usize>(from: &[T]) -> [T; N] {\n    let mut to = [T::default(); N];\n    to.copy_from_slice(from);\n    to\n}\n"
            }
            Helper::FromWord => {
                "/// A word, zero-extended.\nfn wide_from_word(r: &mut [u32], mut v: u64) {\n    for limb in r {\n        *limb = v as u32;\n        v >>= 32;\n    }\n}\n"
            }
            Helper::Resize => {
                "/// `a`, zero-extended or cut.\nfn wide_resize(r: &mut [u32], a: &[u32]) {\n    for (i, limb) in r.iter_mut().enumerate() {\n        *limb = a.get(i).copied().unwrap_or(0);\n    }\n}\n"
            }
            Helper::Add => {
                "/// `a + b`\nfn wide_add(r: &mut [u32], a: &[u32], b: &[u32]) {\n    let mut carry = 0;\n    for ((r, a), b) in r.iter_mut().zip(a).zip(b) {\n        carry += u64::from(*a) + u64::from(*b);\n        *r = carry as u32;\n        carry >>= 32;\n    }\n}\n"
            }
            Helper::Sub => {
                "/// `a - b`\nfn wide_sub(r: &mut [u32], a: &[u32], b: &[u32]) {\n    let mut borrow = false;\n    for ((r, a), b) in r.iter_mut().zip(a).zip(b) {\n        let (d, below) = a.overflowing_sub(*b);\n        let (d, again) = d.overflowing_sub(u32::from(borrow));\n        *r = d;\n        borrow = below || again;\n    }\n}\n"
            }
            Helper::Mul => {
                "/// `a * b`\nfn wide_mul(r: &mut [u32], a: &[u32], b: &[u32]) {\n    r.fill(0);\n    for (i, a) in a.iter().enumerate() {\n        let mut carry = 0;\n        for (r, b) in r.iter_mut().skip(i).zip(b) {\n            carry += u64::from(*a) * u64::from(*b) + u64::from(*r);\n            *r = carry as u32;\n            carry >>= 32;\n        }\n    }\n}\n"
            }
            Helper::And => {
                "/// `a & b`\nfn wide_and(r: &mut [u32], a: &[u32], b: &[u32]) {\n    for ((r, a), b) in r.iter_mut().zip(a).zip(b) {\n        *r = a & b;\n    }\n}\n"
            }
            Helper::Or => {
                "/// `a | b`\nfn wide_or(r: &mut [u32], a: &[u32], b: &[u32]) {\n    for ((r, a), b) in r.iter_mut().zip(a).zip(b) {\n        *r = a | b;\n    }\n}\n"
            }
            Helper::Xor => {
                "/// `a ^ b`\nfn wide_xor(r: &mut [u32], a: &[u32], b: &[u32]) {\n    for ((r, a), b) in r.iter_mut().zip(a).zip(b) {\n        *r = a ^ b;\n    }\n}\n"
            }
            Helper::Not => {
                "/// `!a`\nfn wide_not(r: &mut [u32], a: &[u32]) {\n    for (r, a) in r.iter_mut().zip(a) {\n        *r = !a;\n    }\n}\n"
            }
            Helper::Shl => {
                "/// `a << by`\nfn wide_shl(r: &mut [u32], a: &[u32], by: u32) {\n    let (limbs, bits) = (by as usize / 32, by % 32);\n    let limb = |i: usize| u64::from(i.checked_sub(limbs).and_then(|i| a.get(i)).copied().unwrap_or(0));\n    for (i, r) in r.iter_mut().enumerate() {\n        let low = if i > 0 { limb(i - 1) } else { 0 };\n        *r = ((limb(i) << 32 | low) >> (32 - bits)) as u32;\n    }\n}\n"
            }
            Helper::Shr => {
                "/// `a >> by`\nfn wide_shr(r: &mut [u32], a: &[u32], by: u32) {\n    let (limbs, bits) = (by as usize / 32, by % 32);\n    let limb = |i: usize| u64::from(a.get(i).copied().unwrap_or(0));\n    for (i, r) in r.iter_mut().enumerate() {\n        *r = ((limb(i + limbs + 1) << 32 | limb(i + limbs)) >> bits) as u32;\n    }\n}\n"
            }
            Helper::Less => {
                "/// `a < b`\nfn wide_less(a: &[u32], b: &[u32]) -> bool {\n    a.iter().rev().lt(b.iter().rev())\n}\n"
            }
            Helper::Step => {
                "/// Shifts the next bit of `a` into `rest`; takes `b` away and tells so if it fits.\nfn wide_divide_step(rest: &mut [u32], a: &[u32], b: &[u32], bit: usize) -> bool {\n    let mut carry = a[bit / 32] >> (bit % 32) & 1;\n    for limb in rest.iter_mut() {\n        let top = *limb >> 31;\n        *limb = *limb << 1 | carry;\n        carry = top;\n    }\n    let fits = carry != 0 || !wide_less(rest, b);\n    if fits {\n        let mut borrow = false;\n        for (limb, b) in rest.iter_mut().zip(b) {\n            let (d, below) = limb.overflowing_sub(*b);\n            let (d, again) = d.overflowing_sub(u32::from(borrow));\n            *limb = d;\n            borrow = below || again;\n        }\n    }\n    fits\n}\n"
            }
            Helper::Rem => {
                "/// `a % b`, bit by bit. A zero divisor leaves the dividend.\nfn wide_rem(r: &mut [u32], a: &[u32], b: &[u32]) {\n    r.fill(0);\n    for bit in (0..32 * a.len()).rev() {\n        wide_divide_step(r, a, b, bit);\n    }\n}\n"
            }
            Helper::Div => {
                "/// `a / b`, bit by bit. A zero divisor gives all ones.\nfn wide_div(r: &mut [u32], a: &[u32], b: &[u32]) {\n    let mut rest = [0; @limbs];\n    let rest = &mut rest[..a.len()];\n    r.fill(0);\n    for bit in (0..32 * a.len()).rev() {\n        r[bit / 32] |= u32::from(wide_divide_step(rest, a, b, bit)) << (bit % 32);\n    }\n}\n"
            }
            Helper::Mask => {
                "/// Clears the bits from `width` up.\nfn wide_mask(r: &mut [u32], width: usize) {\n    for (i, limb) in r.iter_mut().enumerate().skip(width / 32) {\n        *limb &= if i == width / 32 { (1 << (width % 32)) - 1 } else { 0 };\n    }\n}\n"
            }
            Helper::SignExtend => {
                "/// Copies the bit below `width` to all bits from there up.\nfn wide_sign_extend(r: &mut [u32], width: usize) {\n    let sign = 0_u32.wrapping_sub(r[(width - 1) / 32] >> ((width - 1) % 32) & 1);\n    for (i, limb) in r.iter_mut().enumerate().skip(width / 32) {\n        let low = if i == width / 32 { (1 << (width % 32)) - 1 } else { 0 };\n        *limb = (*limb & low) | (sign & !low);\n    }\n}\n"
            }
            Helper::Word32 => {
                "/// The 32 bits from `at` up.\nfn wide_word32(a: &[u32], at: u32) -> u32 {\n    wide_word64(a, at) as u32\n}\n"
            }
            Helper::Word64 => {
                "/// The 64 bits from `at` up; zeros beyond the top.\nfn wide_word64(a: &[u32], at: u32) -> u64 {\n    let limb = |i: usize| u128::from(a.get(i).copied().unwrap_or(0));\n    let i = at as usize / 32;\n    ((limb(i + 2) << 64 | limb(i + 1) << 32 | limb(i)) >> (at % 32)) as u64\n}\n"
            }
            Helper::Clamp => {
                "/// The value if it fits 32 bits, else all ones.\nfn wide_clamp(a: &[u32]) -> u32 {\n    match a {\n        [low, high @ ..] if high.iter().all(|limb| *limb == 0) => *low,\n        _ => u32::MAX,\n    }\n}\n"
            }
        }
    }
}

/// The text of these helpers and of those they call, in a fixed order. `limbs` bounds the limbs of a division.
pub fn texts(used: &BTreeSet<Helper>, limbs: u32) -> String {
    let mut all = used.clone();
    all.extend(used.iter().flat_map(|helper| helper.needs()));
    let mut text = String::new();
    for helper in all {
        text.push_str(&helper.text().replace("@limbs", &limbs.max(1).to_string()));
        text.push('\n');
    }
    text
}
