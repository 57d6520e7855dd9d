//! Replaces `memory.rs` in models, with atomics of loom.

use crate::transport::sync::{Arc, AtomicU32, AtomicU64, Fences, Ordering};

#[derive(Default)]
struct EndWords {
    asleep: AtomicU32,
    cpu: AtomicU32,
    closed: AtomicU32,
    heavy: AtomicU32,
    woken: AtomicU32,
}

struct Words {
    data: Vec<AtomicU64>,
    consumed: AtomicU64,
    one_way_end: AtomicU64,
    receiver: EndWords,
    sender: EndWords,
}

#[derive(Clone)]
pub(crate) struct Ring {
    words: Arc<Words>,
    pub which: usize,
    pub fences: Fences,
}

pub(crate) struct End<'a> {
    pub asleep: &'a AtomicU32,
    pub cpu: &'a AtomicU32,
    pub closed: &'a AtomicU32,
    pub heavy: &'a AtomicU32,
    pub woken: &'a AtomicU32,
}

impl EndWords {
    fn end(&self) -> End<'_> {
        End { asleep: &self.asleep, cpu: &self.cpu, closed: &self.closed, heavy: &self.heavy, woken: &self.woken }
    }
}

impl Ring {
    pub fn new(size: usize) -> Ring {
        let data = (0..size / 8).map(|_| AtomicU64::new(0)).collect();
        let (receiver, sender) = (EndWords::default(), EndWords::default());
        let words = Words { data, consumed: AtomicU64::new(0), one_way_end: AtomicU64::new(0), receiver, sender };
        Ring { words: Arc::new(words), which: 0, fences: Fences::new() }
    }
    pub fn size(&self) -> usize {
        self.words.data.len() * 8
    }
    pub fn consumed(&self) -> &AtomicU64 {
        &self.words.consumed
    }
    pub fn one_way_end(&self) -> &AtomicU64 {
        &self.words.one_way_end
    }
    pub fn receiver(&self) -> End<'_> {
        self.words.receiver.end()
    }
    pub fn sender(&self) -> End<'_> {
        self.words.sender.end()
    }
    pub fn word(&self, at: usize) -> &AtomicU64 {
        &self.words.data[at / 8 % self.words.data.len()]
    }
    pub fn will_write(&self, _: usize, _: usize) {}
    /// Models store and load whole words only.
    pub fn store<const N: usize>(&self, at: usize, bytes: [u8; N]) {
        self.word(at).store(u64::from_ne_bytes(bytes[..].try_into().unwrap()), Ordering::Relaxed);
    }
    pub fn store_words<const N: usize>(&self, at: usize, words: [u64; N]) {
        for (n, word) in words.into_iter().enumerate() {
            self.word(at + n * 8).store(word, Ordering::Relaxed);
        }
    }
    pub fn load<const N: usize>(&self, at: usize) -> [u8; N] {
        self.word(at).load(Ordering::Relaxed).to_ne_bytes()[..].try_into().unwrap()
    }
    pub fn write(&self, at: usize, from: &[u8]) {
        for (n, word) in from.chunks(8).enumerate() {
            self.store::<8>(at + n * 8, word.try_into().unwrap());
        }
    }
    pub fn read_words(&self, at: usize, to: &mut [u64]) {
        for (n, word) in to.iter_mut().enumerate() {
            *word = self.word(at + n * 8).load(Ordering::Relaxed);
        }
    }
    pub fn read(&self, at: usize, to: &mut [u8]) {
        for (n, word) in to.chunks_mut(8).enumerate() {
            word.copy_from_slice(&self.load::<8>(at + n * 8));
        }
    }
}
