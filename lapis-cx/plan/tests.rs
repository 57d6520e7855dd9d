//! Random plans, and words that are no plans.
#![allow(clippy::unwrap_used)]

use alloc::vec::Vec;

use crate::codec::{Decode, Encode, Reader};
use crate::{Plain, Plan};

const TEXTS: usize = 5;
const NATIVES: usize = 3;

/// The next number of a generator (xorshift).
pub fn next(state: &mut u64) -> u32 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 32) as u32
}

/// The decoder makes a plan of random words that are in range.
fn random(seed: u64) -> Option<Plan<Plain>> {
    let mut reader = Reader::new(&[], TEXTS, NATIVES);
    reader.random = Some(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    Plan::read(&mut reader).ok()
}

fn decode(words: &[u32]) -> crate::Result<Plan<Plain>> {
    Plan::decode(words, TEXTS, NATIVES)
}

#[test]
fn decode_random_plan_encoded_returns_it() {
    let (mut plans, mut words, mut kinds) = (0, 0, [0; 15]);
    for seed in 0..600 {
        let Some(plan) = random(seed) else { continue };
        let encoded = plan.encode();
        assert_eq!(decode(&encoded).as_ref(), Ok(&plan), "seed {seed}");
        plans += 1;
        words += encoded.len();
        for value in plan.blocks.iter().flat_map(|block| &block.values) {
            let mut kind = Vec::<u32>::new();
            Encode::<Plain>::encode(&value.kind, &mut kind);
            kinds[kind[0] as usize] += 1;
        }
    }
    assert!(plans > 20 && words > 50_000, "{plans} plans with {words} words");
    assert!(kinds.iter().all(|count| *count > 20), "{kinds:?}");
}

#[test]
fn decode_corrupted_plan_fails_or_returns_a_plan_that_encodes_to_its_words() {
    let (mut accepted, mut rejected, mut state) = (0, 0, 7);
    for plan in (0..100).filter_map(random) {
        let encoded = plan.encode();
        for _ in 0..60 {
            let mut words = encoded.clone();
            let at = next(&mut state) as usize % words.len();
            match next(&mut state) % 4 {
                0 => words.truncate(at),
                1 => words[at] = next(&mut state),
                2 => words[at] = words[at].wrapping_add(next(&mut state) % 5).wrapping_sub(2),
                _ => words.insert(at, next(&mut state) % 4),
            }
            match decode(&words) {
                // A number has one encoding only if it is small, so this compares plans.
                Ok(plan) => {
                    accepted += 1;
                    assert_eq!(decode(&plan.encode()), Ok(plan));
                }
                Err(_) => rejected += 1,
            }
        }
    }
    assert!(accepted > 100 && rejected > 1000, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn decode_random_words_fails_without_a_panic() {
    let mut state = 3;
    for length in 0..3000 {
        let mut words: Vec<u32> = (0..length % 97).map(|_| next(&mut state) >> (next(&mut state) % 32)).collect();
        if let Some(first) = words.first_mut() {
            *first = Plan::<Plain> { ..empty() }.encode()[0];
        }
        let _ = decode(&words);
    }
}

fn empty() -> Plan<Plain> {
    Plan {
        handles: Vec::new(),
        metadata: Vec::new(),
        resources: Vec::new(),
        blocks: Vec::new(),
        functions: Vec::new(),
        callbacks: Vec::new(),
    }
}

#[test]
fn decode_deep_nesting_and_huge_counts_fail() {
    let mut words = empty().encode();
    words[4] = 1;
    // A block with a value that is a choice whose default is a choice, and so on: name, bytes, no snapshot, one value.
    words.extend([0, 0, 0, 1]);
    for _ in 0..100_000 {
        // Flags, name, offset, no condition; a choice by the number 0 without arms, with a default.
        words.extend([0, 0, 0, 0, 13, 0, 1, 0, 0, 0, 1]);
    }
    assert_eq!(decode(&words).unwrap_err().why, "values that are nested too deeply");
    let mut words = empty().encode();
    words[4] = u32::MAX;
    assert_eq!(decode(&words).unwrap_err().why, "more entries than words");
}

#[test]
fn code_that_underflows_or_leaves_too_much_fails() {
    let code = |ops: &[u32]| {
        let words = [&[0][..], ops].concat();
        crate::Code::<Plain>::decode(&mut Reader::new(&words, TEXTS, NATIVES)).map(|code| code.ops.len())
    };
    assert_eq!(code(&[1, 2]), Ok(1));
    for ops in [&[0][..], &[2, 2, 2], &[1, 25], &[2, 2, 8], &[2, 4, 2], &[1, 99], &[2, 2], &[1, 28, 0, u32::MAX, 0]] {
        assert!(code(ops).is_err(), "{ops:?}");
    }
}

#[test]
fn numbers_of_128_bits_keep_their_value() {
    let limit = 1i128 << 30;
    for value in [0, 1, -1, limit - 1, limit, -limit, -limit - 1, i128::from(i32::MIN), i128::MAX, i128::MIN] {
        let mut words = Vec::<u32>::new();
        Encode::<Plain>::encode(&value, &mut words);
        let mut reader = Reader::new(&words, 0, 0);
        assert_eq!(<i128 as Decode<Plain>>::decode(&mut reader), Ok(value));
        assert!(reader.is_at_end());
        assert_eq!(words.len(), if (-limit..limit).contains(&value) { 1 } else { 5 }, "{value}");
    }
}
