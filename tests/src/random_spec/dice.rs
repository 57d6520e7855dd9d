//! Where choices come from: a seed, or the bytes of a fuzzer.

use lapis_cx::int::Int;
use lapis_cx::oracle::vectors::Random;

/// A source of choices. From the same seed or bytes come the same ones.
#[derive(Clone, Debug)]
pub struct Dice {
    random: Random,
    /// Bytes left, last one first. When they are used up every choice is the first, which is the simplest.
    bytes: Option<Vec<u8>>,
}

impl Dice {
    /// Choices of a seed.
    pub fn seeded(seed: u64) -> Dice {
        Dice { random: Random::new(seed), bytes: None }
    }

    /// Choices of a fuzzer.
    pub fn from_bytes(bytes: &[u8]) -> Dice {
        Dice { random: Random::new(0), bytes: Some(bytes.iter().rev().copied().collect()) }
    }

    fn next(&mut self, n: u64) -> u64 {
        let Some(bytes) = &mut self.bytes else { return self.random.next() };
        // As many bytes as the choice needs, so that a changed byte changes one choice.
        let mut v = 0;
        let mut room = n.saturating_sub(1);
        while room > 0 {
            v = v << 8 | u64::from(bytes.pop().unwrap_or(0));
            room >>= 8;
        }
        v
    }

    /// A number below `n`, which is 1 or more.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next(n).checked_rem(n).unwrap_or(0)
    }

    /// A number below `n`, to index with.
    pub fn index(&mut self, n: usize) -> usize {
        self.below(n as u64) as usize
    }

    /// A number in `lo..=hi`.
    pub fn between(&mut self, lo: u32, hi: u32) -> u32 {
        lo + self.below(u64::from(hi.saturating_sub(lo)) + 1) as u32
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u64) -> bool {
        // Last, so that a fuzzer without bytes gets `false`.
        self.below(n) == n - 1
    }

    /// One of some items; nothing of none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        (!items.is_empty()).then(|| self.index(items.len())).and_then(|i| items.get(i))
    }

    /// One of some words.
    pub fn word(&mut self, words: &[&'static str]) -> &'static str {
        self.pick(words).copied().unwrap_or_default()
    }

    /// `width` bits.
    pub fn bits(&mut self, width: u32) -> Int {
        let mut v = Int::ZERO;
        for _ in 0..width.div_ceil(32) {
            v = v.shl(32).or(&Int::from(self.below(1 << 32)));
        }
        v.wrap(width, false)
    }

    /// A number of `lo..=hi`: an edge, a small one, a power of two or its neighbour, or any.
    pub fn int(&mut self, lo: &Int, hi: &Int) -> Int {
        let width = (hi - lo).bits();
        let v = match self.below(8) {
            0 => lo.clone(),
            1 => hi.clone(),
            2 | 3 => Int::from(self.below(9)),
            4 => Int::from(-1 - self.below(8) as i64),
            5 => {
                let at = self.between(0, width);
                &Int::pow2(at) + &Int::from(self.below(3) as i64 - 1)
            }
            6 => {
                let short = self.between(1, width);
                self.bits(short)
            }
            _ => lo + &self.bits(width),
        };
        v.clamp(lo.clone(), hi.clone())
    }

    /// Mixes the order of some items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.index(i + 1));
        }
    }
}
