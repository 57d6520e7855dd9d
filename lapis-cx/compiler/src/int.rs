//! Exact integers: an `i128` while the value fits, a big integer beyond.
//!
//! Every value of the language is one of these; widths only matter when a result is [`wrap`](Int::wrap)ped to its type.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};
use std::str::FromStr;

use num_bigint::{BigInt, Sign};

/// A mathematical integer. `Big` holds only values outside `i128`, so equality is structural.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Int(Repr);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Repr {
    Small(i128),
    Big(Box<BigInt>),
}

use Repr::{Big, Small};

impl Int {
    /// 0
    pub const ZERO: Int = Int(Small(0));
    /// 1
    pub const ONE: Int = Int(Small(1));

    fn from_big(v: BigInt) -> Int {
        match i128::try_from(&v) {
            Ok(small) => Int(Small(small)),
            Err(_) => Int(Big(Box::new(v))),
        }
    }

    fn to_big(&self) -> BigInt {
        match &self.0 {
            Small(v) => BigInt::from(*v),
            Big(v) => (**v).clone(),
        }
    }

    fn arith(
        &self,
        other: &Int,
        small: impl Fn(i128, i128) -> Option<i128>,
        big: impl Fn(BigInt, BigInt) -> BigInt,
    ) -> Int {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(v) = small(*a, *b)
        {
            return Int(Small(v));
        }
        Int::from_big(big(self.to_big(), other.to_big()))
    }

    /// 2 to the power `n`.
    pub fn pow2(n: u32) -> Int {
        if n < 127 { Int(Small(1 << n)) } else { Int::from_big(BigInt::from(1) << n) }
    }

    /// `2^n - 1`: `n` one bits.
    pub fn ones(n: u32) -> Int {
        &Int::pow2(n) - &Int::ONE
    }

    /// Whether the value is below zero.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Small(v) => *v < 0,
            Big(v) => v.sign() == Sign::Minus,
        }
    }

    /// Whether the value is zero.
    pub fn is_zero(&self) -> bool {
        self.0 == Small(0)
    }

    /// Quotient rounded towards zero; `None` for a zero divisor.
    pub fn div_trunc(&self, other: &Int) -> Option<Int> {
        (!other.is_zero()).then(|| self.arith(other, i128::checked_div, |a, b| a / b))
    }

    /// Remainder with the sign of `self`; `None` for a zero divisor.
    pub fn rem_trunc(&self, other: &Int) -> Option<Int> {
        (!other.is_zero()).then(|| self.arith(other, i128::checked_rem, |a, b| a % b))
    }

    /// Bitwise and of the infinite two's complement patterns.
    pub fn and(&self, other: &Int) -> Int {
        self.arith(other, |a, b| Some(a & b), |a, b| a & b)
    }

    /// Bitwise or of the infinite two's complement patterns.
    pub fn or(&self, other: &Int) -> Int {
        self.arith(other, |a, b| Some(a | b), |a, b| a | b)
    }

    /// Bitwise exclusive or of the infinite two's complement patterns.
    pub fn xor(&self, other: &Int) -> Int {
        self.arith(other, |a, b| Some(a ^ b), |a, b| a ^ b)
    }

    /// `self * 2^n`, exact. The caller bounds `n`.
    pub fn shl(&self, n: u32) -> Int {
        if let Small(v) = self.0
            && n < 127
            && let Some(shifted) = v.checked_mul(1 << n)
        {
            return Int(Small(shifted));
        }
        Int::from_big(self.to_big() << n)
    }

    /// `self / 2^n` rounded down (arithmetic shift).
    pub fn shr(&self, n: u32) -> Int {
        match &self.0 {
            Small(v) => Int(Small(v >> n.min(127))),
            Big(v) => Int::from_big(&**v >> n),
        }
    }

    /// The value modulo `2^width` as an unsigned (`0..2^width`) or signed (`-2^(width-1)..2^(width-1)`) number.
    pub fn wrap(&self, width: u32, signed: bool) -> Int {
        if let Small(v) = self.0
            && width < 127
        {
            let pattern = v & ((1i128 << width) - 1);
            let negative = signed && width > 0 && pattern >> (width - 1) & 1 == 1;
            return Int(Small(if negative { pattern - (1i128 << width) } else { pattern }));
        }
        let pattern = self.and(&Int::ones(width));
        if signed && width > 0 && pattern >= Int::pow2(width - 1) { &pattern - &Int::pow2(width) } else { pattern }
    }

    /// The number of bits that `u<N>` needs for a non-negative value, or `s<N>` for a negative one; at least 1.
    pub fn bits(&self) -> u32 {
        let magnitude_bits = |v: &Int| match &v.0 {
            Small(v) => 128 - v.leading_zeros(),
            Big(v) => v.bits() as u32,
        };
        if self.is_negative() { magnitude_bits(&(&Int::from(-1) - self)) + 1 } else { magnitude_bits(self).max(1) }
    }

    /// The value if it fits.
    pub fn to_u32(&self) -> Option<u32> {
        self.to_i128().and_then(|v| v.try_into().ok())
    }

    /// The value if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        self.to_i128().and_then(|v| v.try_into().ok())
    }

    /// The value if it fits.
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Small(v) => Some(*v),
            Big(_) => None,
        }
    }

    /// 32-bit digits of a non-negative value, lowest first, exactly `n` of them; higher ones are dropped.
    pub fn limbs32(&self, n: usize) -> Vec<u32> {
        let mut digits = match &self.0 {
            Small(v) => (0..4).map(|i| (v >> (32 * i)) as u32).collect(),
            Big(v) => v.magnitude().to_u32_digits(),
        };
        digits.resize(n, 0);
        digits
    }

    /// Parses digits of base 2, 10 or 16 without prefix and sign; underscores are skipped. `None` if there is no digit, or
    /// something else.
    pub fn parse(digits: &str, radix: u32) -> Option<Int> {
        let clean = digits.replace('_', "");
        if !clean.chars().all(|c| c.is_digit(radix)) {
            return None;
        }
        match i128::from_str_radix(&clean, radix) {
            Ok(v) => Some(Int(Small(v))),
            // Too long, or no digits.
            Err(_) => BigInt::parse_bytes(clean.as_bytes(), radix).map(Int::from_big),
        }
    }
}

macro_rules! from_small {
    ($($t:ty)*) => { $(impl From<$t> for Int {
        fn from(v: $t) -> Int { Int(Small(v as i128)) }
    })* };
}
from_small!(i32 u32 i64 u64 usize i128 bool u8 u16);

impl From<u128> for Int {
    fn from(v: u128) -> Int {
        Int::from_big(BigInt::from(v))
    }
}

impl Add for &Int {
    type Output = Int;
    fn add(self, other: &Int) -> Int {
        self.arith(other, i128::checked_add, |a, b| a + b)
    }
}

impl Sub for &Int {
    type Output = Int;
    fn sub(self, other: &Int) -> Int {
        self.arith(other, i128::checked_sub, |a, b| a - b)
    }
}

impl Mul for &Int {
    type Output = Int;
    fn mul(self, other: &Int) -> Int {
        self.arith(other, i128::checked_mul, |a, b| a * b)
    }
}

impl Neg for &Int {
    type Output = Int;
    fn neg(self) -> Int {
        &Int::ZERO - self
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Int) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(v) => fmt::Display::fmt(v, f),
            Big(v) => fmt::Display::fmt(v, f),
        }
    }
}

impl FromStr for Int {
    type Err = num_bigint::ParseBigIntError;
    fn from_str(s: &str) -> Result<Int, Self::Err> {
        s.parse().map(Int::from_big)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_at_every_width_around_the_small_limit() {
        for width in [1, 2, 31, 63, 64, 65, 126, 127, 128, 129, 1024] {
            let ones = Int::ones(width);
            assert_eq!(Int::from(-1).wrap(width, false), ones, "{width}");
            assert_eq!(ones.wrap(width, true), Int::from(-1), "{width}");
            assert_eq!((&ones + &Int::ONE).wrap(width, false), Int::ZERO, "{width}");
            let least = -&Int::pow2(width - 1);
            assert_eq!(Int::pow2(width - 1).wrap(width, true), least, "{width}");
            assert_eq!(ones.bits(), width);
            assert_eq!(least.bits(), width);
        }
    }

    #[test]
    fn shifts_are_exact() {
        for n in [0, 1, 63, 126, 127, 128, 1000] {
            assert_eq!(Int::from(-3).shl(n).shr(n), Int::from(-3));
            assert_eq!(Int::from(3).shl(n), &Int::from(3) * &Int::pow2(n));
        }
        assert_eq!(Int::from(-1).shr(5000), Int::from(-1));
    }

    #[test]
    fn division_rounds_towards_zero() {
        let (a, b) = (Int::from(-7), Int::from(2));
        assert_eq!(a.div_trunc(&b), Some(Int::from(-3)));
        assert_eq!(a.rem_trunc(&b), Some(Int::from(-1)));
        assert_eq!(a.div_trunc(&Int::ZERO), None);
        assert_eq!(Int::from(i128::MIN).div_trunc(&Int::from(-1)), Some(Int::pow2(127)));
    }

    #[test]
    fn only_digits_of_the_base_are_parsed() {
        assert_eq!(Int::parse("1_0", 2), Some(Int::from(2)));
        let others = [("", 10), ("_", 10), ("-5", 10), ("+5", 10), ("2", 2), ("a", 10), ("0x1", 16), ("1 ", 10)];
        for (text, radix) in others {
            assert_eq!(Int::parse(text, radix), None, "{text}");
        }
        // As long that it is parsed in another way.
        let long = "9".repeat(60);
        assert_eq!(Int::parse(&format!("-{long}"), 10), None);
        assert_eq!(Int::parse(&long, 10), long.parse().ok());
    }

    #[test]
    fn limbs_and_text_round_trip() {
        let v = Int::parse(&format!("1_{:040x}", 1), 16).unwrap();
        assert_eq!(v.limbs32(6), [1, 0, 0, 0, 0, 1]);
        assert_eq!(v.to_string().parse::<Int>().unwrap(), v);
    }
}
