//! Loops over fallbacks, and the same by hand: `loops NAME`. `none` runs no loop.
#[path = "rust/bk.rs"]
mod bk;
#[path = "rust/crc32c.rs"]
mod crc32c;
#[path = "rust/mulacc.rs"]
mod mulacc;

use std::hint::black_box;

const LENGTH: u64 = 4096;
const ROUNDS: u32 = 50;

#[inline(never)]
fn dot(a: &[u64], b: &[u64]) -> u64 {
    use mulacc::MulAcc;
    let mut m = mulacc::Soft::default();
    let mut r = m.mul(0, 0);
    for (a, b) in a.iter().zip(b) {
        r = m.mulacc(*a, *b);
    }
    r
}

#[inline(never)]
fn dot_by_hand(a: &[u64], b: &[u64]) -> u64 {
    let mut r = 0u64;
    for (a, b) in a.iter().zip(b) {
        r = r.wrapping_add(a.wrapping_mul(*b));
    }
    r
}

#[inline(never)]
fn bits(data: &[u8]) -> u32 {
    use crc32c::Crc32C;
    !data.iter().fold(!0, |c, x| crc32c::Soft.crc_b(c, *x))
}

#[inline(never)]
fn bits_by_hand(data: &[u8]) -> u32 {
    let mut c = !0u32;
    for x in data {
        for i in 0..8 {
            c ^= u32::from(*x >> i & 1);
            c = if c & 1 != 0 { (c >> 1) ^ 0x82F6_3B78 } else { c >> 1 };
        }
    }
    !c
}

#[inline(never)]
fn table(data: &[u8]) -> u32 {
    use bk::BitKit;
    !data.iter().fold(!0, |c, x| bk::Soft.crc32_b(c, *x))
}

static TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let mut c = i as u32;
        let mut k = 0;
        while k < 8 {
            c = if c & 1 != 0 { (c >> 1) ^ 0xEDB8_8320 } else { c >> 1 };
            k += 1;
        }
        table[i] = c;
        i += 1;
    }
    table
};

#[inline(never)]
fn table_by_hand(data: &[u8]) -> u32 {
    !data.iter().fold(!0, |c: u32, x| (c >> 8) ^ TABLE[usize::from(c as u8 ^ x)])
}

#[inline(never)]
fn count(a: &[u64]) -> u64 {
    use bk::BitKit;
    a.iter().map(|x| u64::from(bk::Soft.popcnt(*x))).sum()
}

#[inline(never)]
fn count_by_hand(a: &[u64]) -> u64 {
    let bits = |x: u64| (0..64).map(|i| x >> i & 1).sum::<u64>();
    a.iter().map(|x| bits(*x)).sum()
}

fn main() {
    let a: Vec<u64> = (0..LENGTH).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
    let b: Vec<u64> = a.iter().map(|x| x ^ 0x55).collect();
    let data: Vec<u8> = a.iter().map(|x| (x >> 40) as u8).collect();
    let name = std::env::args().nth(1).unwrap_or_default();
    let mut sum = 0;
    for _ in 0..ROUNDS {
        let (a, b, data) = (black_box(&a), black_box(&b), black_box(&data));
        sum ^= match name.as_str() {
            "dot" => dot(a, b),
            "dot_by_hand" => dot_by_hand(a, b),
            "bits" => bits(data).into(),
            "bits_by_hand" => bits_by_hand(data).into(),
            "table" => table(data).into(),
            "table_by_hand" => table_by_hand(data).into(),
            "count" => count(a),
            "count_by_hand" => count_by_hand(a),
            _ => 0,
        };
    }
    black_box(sum);
}
