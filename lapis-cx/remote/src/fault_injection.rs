//! CallError injection for tests: corrupts the records that a guest sends, at random.
//!
//! A real program or a fuzzer makes the calls, so records have the structure of each specification. The encoder notes each field of a record
//! and its kind ([`FieldKind`]). Faults are chosen by the kind: a length that is off by one or huge, another object or another generation of
//! it, every other tag, an offset at or beyond an end. Other faults ignore the kind: a value at a boundary, or a value of another field.

use std::cell::RefCell;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::field_kind::{FieldKind, take_kind};
use crate::locks::Mutex;
use crate::memory::Ring;
use crate::protocol::Ended;
use crate::transport::inject;

/// The seed, a number above 0; without it no record is corrupted. Two other values are `failure`, with which each function of the program
/// that is called back is reported as failed, and `ended`, with which each reports that everything has ended.
const SEED: &str = "CX_REMOTE_FAULT_SEED";
const FAILURE: &str = "failure";
const ENDED: &str = "ended";
/// The kind of the reply of such a function, and the flag of success in its first byte.
const ANSWER: u32 = 4;
const SUCCEEDED: u8 = 2;
/// A file to which each fault appends a line with its name.
const LOG: &str = "CX_REMOTE_FAULT_LOG";
/// The offset of the mode of a call in its record: a guest that changes it mostly waits for a reply that is never sent.
const MODE: usize = 4;

/// Corrupts a record of `size` bytes from `start` on, and returns its new size.
type CallError = fn(ring: &Ring, start: usize, size: usize) -> usize;

/// The faults that ignore the kinds of fields, with their names.
const FAULTS: [(&str, CallError); 6] = [
    ("byte", byte),
    ("number", number),
    ("wide number", wide_number),
    ("number of this record", number_of_this),
    ("number of an earlier record", number_of_another),
    ("size of the record", record_size),
];

/// A field of a record.
#[derive(Clone, Copy)]
struct Field {
    /// The position in the ring.
    at: usize,
    /// In bytes.
    size: usize,
    kind: FieldKind,
}

thread_local! {
    /// The fields of the record that is being written.
    static FIELDS: RefCell<Vec<Field>> = const { RefCell::new(Vec::new()) };
}

/// Installs this module as the fault injector of the transport.
pub(crate) fn install() {
    inject::install(inject::Injector { field: note_field, corrupt });
}

/// Notes a field of the record that is being written.
fn note_field(at: usize, size: usize) {
    let kind = take_kind();
    FIELDS.with_borrow_mut(|all| all.push(Field { at, size, kind }));
}

static STATE: AtomicU64 = AtomicU64::new(u64::MAX);
/// Numbers of records that were sent before.
static EARLIER: Mutex<Vec<[u8; 4]>> = Mutex::new(Vec::new());
/// Objects, registrations and regions that were named before.
static NAMED: Mutex<Vec<(FieldKind, u64)>> = Mutex::new(Vec::new());
const MOST_EARLIER: usize = 256;

/// The next random number; always 0 without a seed.
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

fn below(limit: usize) -> usize {
    (random() % limit.max(1) as u64) as usize
}

/// Spoils the part of a record that is about to be sent, now and then: its bytes from now on.
fn corrupt(ring: &Ring, kind: u32, start: usize, size: usize) -> usize {
    if kind == ANSWER && size > 0 && std::env::var_os(SEED).is_some_and(|seed| seed == FAILURE) {
        let [flags] = ring.load(start);
        ring.store(start, [flags & !SUCCEEDED]);
        log_fault(FAILURE);
    }
    let left = corrupt_some(ring, start, size);
    FIELDS.with_borrow_mut(Vec::clear);
    left
}

/// The list of ended entities that the reply of a function of the program carries.
pub(crate) fn ended(ended: &[Ended]) -> Vec<Ended> {
    if std::env::var_os(SEED).is_none_or(|seed| seed != ENDED) {
        return ended.to_vec();
    }
    log_fault(ENDED);
    let objects = (0..16).flat_map(|kind| (1..16).map(move |index| Ended::Object(kind, 2 << 32 | index)));
    let others = (1..64).flat_map(|id| [Ended::Region(id), Ended::Registration(id)]);
    objects.chain(others).collect()
}

fn corrupt_some(ring: &Ring, start: usize, size: usize) -> usize {
    if random() == 0 || size == 0 {
        return size;
    }
    if let Ok(mut earlier) = EARLIER.lock() {
        let at = if earlier.len() < MOST_EARLIER { earlier.len() } else { below(MOST_EARLIER) };
        earlier.truncate(MOST_EARLIER);
        let word = ring.load::<4>(place::<4>(start, size));
        if at < earlier.len() { earlier[at] = word } else { earlier.push(word) }
    }
    keep_named(ring, start, size);
    // Most records hold numbers only.
    let seldom = if fields(start, size).is_empty() { 16 } else { 5 };
    if below(seldom) != 0 {
        return size;
    }
    let mut left = size;
    for _ in 0..=below(3) {
        if below(2) == 0
            && let Some(name) = corrupt_field(ring, start, left)
        {
            log_fault(name);
            continue;
        }
        let (name, fault) = FAULTS[below(FAULTS.len())];
        left = fault(ring, start, left);
        log_fault(name);
    }
    left
}

/// The fields of a part of a record that have a kind.
fn fields(start: usize, size: usize) -> Vec<Field> {
    let is_there = |one: &&Field| one.at >= start && one.at + one.size <= start + size && one.kind != FieldKind::Number;
    FIELDS.with_borrow(|all| all.iter().filter(is_there).copied().collect())
}

fn load(ring: &Ring, field: Field) -> u64 {
    match field.size {
        1 => u64::from(ring.load::<1>(field.at)[0]),
        4 => u64::from(u32::from_ne_bytes(ring.load(field.at))),
        8 => u64::from_ne_bytes(ring.load(field.at)),
        _ => 0,
    }
}

fn keep_named(ring: &Ring, start: usize, size: usize) {
    let Ok(mut named) = NAMED.lock() else { return };
    for field in fields(start, size) {
        if matches!(field.kind, FieldKind::Handle | FieldKind::Region) {
            let one = (field.kind, load(ring, field));
            if named.len() < MOST_EARLIER { named.push(one) } else { named[below(MOST_EARLIER)] = one }
        }
    }
}

/// One of the objects or regions that were named before.
fn another(kind: FieldKind) -> Option<u64> {
    let named = NAMED.lock().ok()?;
    let all: Vec<u64> = named.iter().filter(|(of, _)| *of == kind).map(|(_, bits)| *bits).collect();
    all.get(below(all.len())).copied()
}

/// Gives a field another value of its kind, and returns the name of the fault. None if no field has a kind.
fn corrupt_field(ring: &Ring, start: usize, size: usize) -> Option<&'static str> {
    let all = fields(start, size);
    let kinds: Vec<FieldKind> = all.iter().map(|one| one.kind).collect();
    let kind = *kinds.get(below(kinds.len()))?;
    let of_kind: Vec<Field> = all.into_iter().filter(|one| one.kind == kind).collect();
    let field = *of_kind.get(below(of_kind.len()))?;
    if (start + MODE..start + 2 * MODE).contains(&field.at) && below(8) != 0 {
        return None;
    }
    let is = load(ring, field);
    let (name, values) = match kind {
        FieldKind::Number => return None,
        FieldKind::Length => (
            "length",
            vec![0, 1, is.wrapping_add(1), is.wrapping_sub(1), is.wrapping_mul(2), u64::MAX, 1 << 31, 1 << 40, 1 << 61],
        ),
        FieldKind::Tag => ("tag", (0..=8).filter(|tag| *tag != is).chain([255]).collect()),
        FieldKind::Handle => {
            let other = another(kind).unwrap_or(is);
            (
                "handle",
                vec![other, other, is.wrapping_add(1 << 32), is.wrapping_add(1), 0, u64::MAX, is ^ 1 << below(64)],
            )
        }
        FieldKind::Region => {
            let other = another(kind).unwrap_or(is);
            ("region", vec![other, other, is.wrapping_add(1), is.wrapping_sub(1), 0, u64::MAX, is ^ 1 << below(32)])
        }
        FieldKind::Offset => {
            let near = below(64) as u64;
            (
                "offset",
                vec![
                    0,
                    is.wrapping_add(1),
                    is.wrapping_sub(1),
                    is.wrapping_add(near),
                    4096,
                    65536,
                    u64::MAX,
                    u64::MAX - near,
                    1 << 47,
                ],
            )
        }
        FieldKind::Flags => ("flags", vec![is ^ 1 << below(8 * field.size), is ^ 1 << below(4), 0]),
    };
    let value = values[below(values.len())];
    match field.size {
        1 => ring.store(field.at, [value as u8]),
        4 => ring.store(field.at, (value as u32).to_ne_bytes()),
        8 => ring.store(field.at, value.to_ne_bytes()),
        _ => return None,
    }
    Some(name)
}

fn log_fault(name: &str) {
    if let Some(log) = std::env::var_os(LOG)
        && let Ok(mut log) = OpenOptions::new().append(true).create(true).open(log)
    {
        // One write for each line: several processes append to the file.
        let _ = log.write_all(format!("{name}\n").as_bytes());
    }
}

/// The position of a number of `N` bytes: mostly a field of the record, and seldom the mode.
fn place<const N: usize>(start: usize, size: usize) -> usize {
    let fields = FIELDS.with_borrow(|all| {
        let within = |one: &&Field| one.size >= N && (start..start + size).contains(&one.at);
        all.iter().filter(within).map(|one| one.at + N * below(one.size / N)).collect::<Vec<_>>()
    });
    let at = match fields.len() {
        many if many > 0 && below(4) != 0 => fields[below(many)] - start,
        _ => N * below(size / N),
    };
    start + if (at..at + N).contains(&MODE) && below(8) != 0 { 0 } else { at }
}

fn byte(ring: &Ring, start: usize, size: usize) -> usize {
    let at = below(size);
    if !(MODE..2 * MODE).contains(&at) {
        let [byte] = ring.load::<1>(start + at);
        ring.store(start + at, [[0, 255, byte.wrapping_add(1), random() as u8][below(4)]]);
    }
    size
}

fn number(ring: &Ring, start: usize, size: usize) -> usize {
    let at = place::<4>(start, size);
    let is = u32::from_ne_bytes(ring.load(at));
    let all = [0, 1, u32::MAX, 1 << 31, (1 << 31) - 1, is.wrapping_add(1), is.wrapping_sub(1), is ^ 1 << below(32)];
    ring.store(at, all[below(all.len())].to_ne_bytes());
    size
}

fn wide_number(ring: &Ring, start: usize, size: usize) -> usize {
    if size < 16 {
        return number(ring, start, size);
    }
    let at = place::<8>(start, size);
    let is = u64::from_ne_bytes(ring.load(at));
    let all = [0, 1, u64::MAX, 1 << 63, 1 << 32, is.wrapping_add(1), is.wrapping_sub(1), is ^ 1 << below(64)];
    ring.store(at, all[below(all.len())].to_ne_bytes());
    size
}

fn number_of_this(ring: &Ring, start: usize, size: usize) -> usize {
    let number: [u8; 4] = ring.load(place::<4>(start, size));
    ring.store(place::<4>(start, size), number);
    size
}

fn number_of_another(ring: &Ring, start: usize, size: usize) -> usize {
    if let Ok(earlier) = EARLIER.lock()
        && !earlier.is_empty()
    {
        ring.store(place::<4>(start, size), earlier[below(earlier.len())]);
    }
    size
}

/// Mostly shortens the record. A longer one includes the bytes behind it in the ring.
fn record_size(_: &Ring, _: usize, size: usize) -> usize {
    if below(4) == 0 { size + 1 + below(16) } else { below(size) }
}
