//! An engine of remoting that corrupts the records it sends, at random, for tests.
//!
//! A real program or a fuzzer makes the calls, so records have the structure of each specification. The encoder notes each field of a record
//! and its kind ([`FieldKind`]). Faults are chosen by the kind: a length that is off by one or huge, another object or another generation of
//! it, every other tag, an offset at or beyond an end. Other faults ignore the kind: a value at a boundary, or a value of another field.
//!
//! Guests and workers can have this engine. These variables of the environment control it:
//!
//! - `CX_REMOTE_FAULT_SEED`: the seed, a number above 0; without it no record is corrupted. Three other values are `failure`, with which
//!   each callback is reported as failed, `ended`, with which each reply to a callback lists everything as ended, and `later`, with which
//!   every second number of a message about kept memory is `1 << 60`, so all other messages count as older.
//! - `CX_REMOTE_FAULT_EVERY`: one record of so many is corrupted, and a guest that lost its worker connects again. Without it, one record
//!   of 5 with fields of a kind is corrupted and one of 16 others, and a lost worker stays lost.
//! - `CX_REMOTE_FAULT_LOG`: a file in which all processes count the faults; see [`log`](mod@log) for its format.

mod log;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use lapis_cx_remote::fault_injection::{BEHIND, Field, FieldKind, Injector};

const SEED: &str = "CX_REMOTE_FAULT_SEED";
const EVERY: &str = "CX_REMOTE_FAULT_EVERY";
const FAILURE: &str = "failure";
const ENDED: &str = "ended";
const LATER: &str = "later";
/// The number of a message that is later than all others.
const LAST: u64 = 1 << 60;
/// The kind of the reply to a callback, and the flag of success in its first byte.
const ANSWER: u32 = 4;
const SUCCEEDED: u8 = 2;
/// The offset of the mode of a call in its record: a guest that changes it mostly waits for a reply that is never sent.
const MODE: usize = 4;

/// The hook of the engine.
// SAFETY: the engine declares a static of this name and type, and no other crate defines it.
#[unsafe(no_mangle)]
pub static LAPIS_CX_FAULT_INJECTOR: Injector = Injector { corrupt, ends_everything, reconnects };

/// What the environment asks for.
enum Setting {
    Nothing,
    Failure,
    Ended,
    Later,
    Random { seed: u64, every: Option<usize> },
}

fn setting() -> &'static Setting {
    static SETTING: OnceLock<Setting> = OnceLock::new();
    SETTING.get_or_init(|| match std::env::var(SEED).as_deref() {
        Ok(FAILURE) => Setting::Failure,
        Ok(ENDED) => Setting::Ended,
        Ok(LATER) => Setting::Later,
        Ok(seed) => match seed.parse() {
            Ok(seed) if seed != 0 => Setting::Random { seed, every: every() },
            _ => Setting::Nothing,
        },
        Err(_) => Setting::Nothing,
    })
}

fn every() -> Option<usize> {
    std::env::var(EVERY).ok()?.parse().ok()
}

fn ends_everything() -> bool {
    let is_so = matches!(setting(), Setting::Ended);
    if is_so {
        log::count(ENDED);
    }
    is_so
}

/// A correct guest of a worker that corrupts its records has this variable only.
fn reconnects() -> bool {
    every().is_some()
}

/// Corrupts a record now and then.
fn corrupt(kind: u32, record: &mut [u8], size: usize, fields: &[Field]) -> usize {
    if size == 0 {
        return size;
    }
    match *setting() {
        Setting::Nothing | Setting::Ended => size,
        Setting::Failure => {
            if kind == ANSWER {
                record[0] &= !SUCCEEDED;
                log::count(FAILURE);
            }
            size
        }
        Setting::Later => {
            for field in fields.iter().filter(|field| field.kind == FieldKind::Version && field.size == 8) {
                if VERSIONS_SENT.fetch_add(1, Ordering::Relaxed) % 2 == 1 {
                    record[field.at..field.at + 8].copy_from_slice(&LAST.to_ne_bytes());
                    log::count(LATER);
                }
            }
            size
        }
        Setting::Random { seed, every } => {
            let known = |field: &&Field| field.kind != FieldKind::Number;
            let kinds = fields.iter().filter(known).copied().collect();
            Record { bytes: record, size, fields, kinds, known: guard(&KNOWN) }.corrupt_some(seed, every)
        }
    }
}

fn guard<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

const MOST_KNOWN: usize = 256;
static STATE: AtomicU64 = AtomicU64::new(0);
/// Counts the fields of the kind `Version` that were sent with the setting `later`.
static VERSIONS_SENT: AtomicU64 = AtomicU64::new(0);
static KNOWN: Mutex<Known> = Mutex::new(Known { numbers: Vec::new(), named: Vec::new() });

/// Values of earlier records.
struct Known {
    numbers: Vec<[u8; 4]>,
    /// Objects, registrations and regions.
    named: Vec<(FieldKind, u64)>,
}

/// The next random number.
fn random() -> u64 {
    let mut state = STATE.load(Ordering::Relaxed);
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    STATE.store(state, Ordering::Relaxed);
    state
}

fn below(limit: usize) -> usize {
    (random() % limit.max(1) as u64) as usize
}

fn pick<T: Copy>(all: &[T]) -> Option<T> {
    all.get(below(all.len())).copied()
}

/// Sets the first random state, which depends on the first record: a program whose children make calls has one seed for all of them.
fn begin(seed: u64, record: &[u8]) {
    if STATE.load(Ordering::Relaxed) == 0 {
        let mixed = |state: u64, byte: &u8| (state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        STATE.store(record.iter().fold(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), mixed) | 1, Ordering::Relaxed);
    }
}

/// Adds a value to the known ones, or replaces one.
fn keep<T>(all: &mut Vec<T>, one: T) {
    if all.len() < MOST_KNOWN { all.push(one) } else { all[below(MOST_KNOWN)] = one }
}

/// A record, or a part of one, that is about to be sent.
struct Record<'a> {
    /// Its bytes, and [`BEHIND`] more.
    bytes: &'a mut [u8],
    size: usize,
    fields: &'a [Field],
    /// The fields that have a kind.
    kinds: Vec<Field>,
    known: MutexGuard<'static, Known>,
}

impl Record<'_> {
    fn corrupt_some(&mut self, seed: u64, every: Option<usize>) -> usize {
        begin(seed, &self.bytes[..self.size]);
        let number = self.load::<4>(self.place::<4>());
        keep(&mut self.known.numbers, number);
        for field in &self.kinds {
            if matches!(field.kind, FieldKind::Handle | FieldKind::Region) {
                keep(&mut self.known.named, (field.kind, load(self.bytes, *field)));
            }
        }
        // Most records hold numbers only.
        let seldom = every.unwrap_or(if self.kinds.is_empty() { 16 } else { 5 });
        if below(seldom) != 0 {
            return self.size;
        }
        log::count(log::RECORDS);
        // More faults in one record mostly lose the channel, which takes longer to open than many records take.
        let more = if every.is_some() { 0 } else { below(3) };
        for _ in 0..=more {
            if self.size == 0 {
                break;
            }
            if below(2) == 0
                && let Some(name) = self.corrupt_field()
            {
                log::count(name);
            } else {
                log::count(self.corrupt_any());
            }
        }
        self.size
    }

    /// One of the objects or regions that were named before.
    fn another(&self, kind: FieldKind) -> Option<u64> {
        let all: Vec<u64> = self.known.named.iter().filter(|(of, _)| *of == kind).map(|(_, bits)| *bits).collect();
        pick(&all)
    }

    /// Gives a field another value of its kind, and returns the name of the fault. None if no field has a kind.
    fn corrupt_field(&mut self) -> Option<&'static str> {
        let kind = pick(&self.kinds)?.kind;
        let of_kind: Vec<Field> = self.kinds.iter().filter(|one| one.kind == kind).copied().collect();
        let field = pick(&of_kind)?;
        if (MODE..2 * MODE).contains(&field.at) && below(8) != 0 || field.at + field.size > self.size {
            return None;
        }
        let is = load(self.bytes, field);
        let (more, less) = (is.wrapping_add(1), is.wrapping_sub(1));
        let (name, values) = match kind {
            FieldKind::Number => return None,
            FieldKind::Length => {
                ("length", vec![0, 1, more, less, is.wrapping_mul(2), u64::MAX, 1 << 31, 1 << 40, 1 << 61])
            }
            FieldKind::Tag => ("tag", (0..=8).filter(|tag| *tag != is).chain([255]).collect()),
            FieldKind::Handle => {
                let other = self.another(kind).unwrap_or(is);
                ("handle", vec![other, other, is.wrapping_add(1 << 32), more, 0, u64::MAX, is ^ 1 << below(64)])
            }
            FieldKind::Region => {
                let other = self.another(kind).unwrap_or(is);
                ("region", vec![other, other, more, less, 0, u64::MAX, is ^ 1 << below(32)])
            }
            FieldKind::Offset => {
                let near = below(64) as u64;
                let far = [4096, 65536, u64::MAX, u64::MAX - near, 1 << 47];
                ("offset", [0, more, less, is.wrapping_add(near)].into_iter().chain(far).collect())
            }
            FieldKind::Version => ("version", vec![0, more, less, LAST, u64::MAX]),
            FieldKind::Flags => ("flags", vec![is ^ 1 << below(8 * field.size), is ^ 1 << below(4), 0]),
        };
        let value = pick(&values)?.to_ne_bytes();
        // Fields of other sizes have no kind.
        self.bytes[field.at..field.at + field.size].copy_from_slice(&value[..field.size.min(8)]);
        Some(name)
    }

    /// Corrupts the record whatever the kinds of its fields are. Returns the name of the fault.
    fn corrupt_any(&mut self) -> &'static str {
        let (name, fault): (_, fn(&mut Self)) = match below(6) {
            0 => ("byte", Self::byte),
            1 => ("number", Self::number),
            2 => ("wide number", Self::wide_number),
            3 => ("number of this record", Self::number_of_this),
            4 => ("number of an earlier record", Self::number_of_another),
            _ => ("size of the record", Self::record_size),
        };
        fault(self);
        name
    }

    fn load<const N: usize>(&self, at: usize) -> [u8; N] {
        self.bytes.get(at..at + N).and_then(|bytes| bytes.try_into().ok()).unwrap_or([0; N])
    }

    fn store<const N: usize>(&mut self, at: usize, bytes: [u8; N]) {
        if let Some(to) = self.bytes.get_mut(at..at + N) {
            to.copy_from_slice(&bytes);
        }
    }

    /// The position of a number of `N` bytes: mostly a field of the record, and seldom the mode.
    fn place<const N: usize>(&self) -> usize {
        let within = |one: &&Field| one.size >= N && one.at + one.size <= self.size;
        let fields: Vec<Field> = self.fields.iter().filter(within).copied().collect();
        let at = match pick(&fields) {
            Some(field) if below(4) != 0 => field.at + N * below(field.size / N),
            _ => N * below(self.size / N),
        };
        if (at..at + N).contains(&MODE) && below(8) != 0 { 0 } else { at }
    }

    fn byte(&mut self) {
        let at = below(self.size);
        if !(MODE..2 * MODE).contains(&at) {
            let [byte] = self.load::<1>(at);
            self.store(at, [[0, 255, byte.wrapping_add(1), random() as u8][below(4)]]);
        }
    }

    fn number(&mut self) {
        let at = self.place::<4>();
        let is = u32::from_ne_bytes(self.load(at));
        let all = [0, 1, u32::MAX, 1 << 31, (1 << 31) - 1, is.wrapping_add(1), is.wrapping_sub(1), is ^ 1 << below(32)];
        self.store(at, all[below(all.len())].to_ne_bytes());
    }

    fn wide_number(&mut self) {
        if self.size < 16 {
            return self.number();
        }
        let at = self.place::<8>();
        let is = u64::from_ne_bytes(self.load(at));
        let all = [0, 1, u64::MAX, 1 << 63, 1 << 32, is.wrapping_add(1), is.wrapping_sub(1), is ^ 1 << below(64)];
        self.store(at, all[below(all.len())].to_ne_bytes());
    }

    fn number_of_this(&mut self) {
        let number = self.load::<4>(self.place::<4>());
        self.store(self.place::<4>(), number);
    }

    fn number_of_another(&mut self) {
        if let Some(number) = pick(&self.known.numbers) {
            self.store(self.place::<4>(), number);
        }
    }

    /// Mostly shortens the record. A longer one includes the bytes behind it in the ring.
    fn record_size(&mut self) {
        let longer = (self.size + 1 + below(BEHIND)).min(self.bytes.len());
        self.size = if below(4) == 0 { longer } else { below(self.size) };
    }
}

fn load(record: &[u8], field: Field) -> u64 {
    let mut value = [0; 8];
    for (to, from) in value.iter_mut().zip(record.iter().skip(field.at).take(field.size)) {
        *to = *from;
    }
    u64::from_ne_bytes(value)
}
