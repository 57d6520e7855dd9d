//! A guest that lies: what it sends is spoilt at random. For tests of what a worker does with that, and nothing else.
//!
//! A real program makes real calls, so what is spoilt has the structure of each specification: sizes, tags, handles and numbers
//! are hit in turn.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::memory::Ring;

/// Seed of this process, a number above 0; without it nothing is spoilt.
const SEED: &str = "CX_REMOTE_SPOIL";
/// The mode of a call lies there: a guest that changes it waits for an answer that nobody sends.
const MODE: std::ops::Range<usize> = 4..8;

static STATE: AtomicU64 = AtomicU64::new(u64::MAX);

fn random() -> u64 {
    let mut state = STATE.load(Ordering::Relaxed);
    if state == u64::MAX {
        state = std::env::var(SEED).ok().and_then(|seed| seed.parse::<u64>().ok()).unwrap_or(0);
        state = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    STATE.store(state, Ordering::Relaxed);
    state
}

/// Spoils the part of a record that is about to be sent, now and then.
pub(crate) fn spoil(ring: &Ring, start: usize, size: usize) {
    if !random().is_multiple_of(16) || size == 0 {
        return;
    }
    for _ in 0..1 + random() % 3 {
        let at = (random() % size as u64) as usize;
        if MODE.contains(&at) {
            continue;
        }
        let [byte] = ring.load::<1>(start + at);
        let spoilt = match random() % 4 {
            0 => 0,
            1 => 255,
            2 => byte.wrapping_add(1),
            _ => random() as u8,
        };
        ring.store(start + at, [spoilt]);
    }
}
