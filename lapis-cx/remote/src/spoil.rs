//! A guest that lies: what it sends is spoilt at random. For tests of what a worker does with that, and nothing else.
//!
//! A real program or a fuzzer makes the calls, so what is spoilt has the structure of each specification: whoever writes a record notes
//! its members and what they mean. Lies are chosen by that: a length by one off or huge, an object that is another one or of another
//! generation, each other tag, an offset at an end or behind it; or, whatever it means, a value that is at a boundary, or right elsewhere.

use std::cell::RefCell;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::locks::Mutex;
use crate::meaning::Meaning;
use crate::memory::Ring;
use crate::protocol::Ended;
use crate::transport::inject;

/// Seed of this process, a number above 0; without it nothing is spoilt. Or `failure`: each function of the program that is called
/// is said to have failed; or `ended`: each says that all there is has ended.
const SEED: &str = "CX_REMOTE_SPOIL";
const FAILURE: &str = "failure";
const ENDED: &str = "ended";
/// The kind of a record that says what came of such a function, and the flag for success in its first byte.
const ANSWER: u32 = 4;
const SUCCEEDED: u8 = 2;
/// A file to which each lie appends a line: what it was.
const LOG: &str = "CX_REMOTE_SPOIL_LOG";
/// The mode of a call lies there: a guest that changes it mostly waits for an answer that nobody sends.
const MODE: usize = 4;

/// Spoils a record of so many bytes, which begin there: how many are left.
type Lie = fn(ring: &Ring, start: usize, size: usize) -> usize;

/// What may be done to a record.
const LIES: [(&str, Lie); 6] = [
    ("byte", byte),
    ("number", number),
    ("wide number", wide_number),
    ("number of this record", number_of_this),
    ("number of an earlier record", number_of_another),
    ("size of the record", record_size),
];

/// A member of a record: where it is, its bytes, and what it means.
#[derive(Clone, Copy)]
struct Member {
    at: usize,
    size: usize,
    meaning: Meaning,
}

thread_local! {
    /// Members of the record that is written.
    static MEMBERS: RefCell<Vec<Member>> = const { RefCell::new(Vec::new()) };
}

/// Installs this module as the fault injector of the transport.
pub(crate) fn install() {
    inject::install(inject::Injector { member, corrupt: spoil });
}

/// A member of the record that is written.
fn member(at: usize, size: usize) {
    let meaning = crate::meaning::take();
    MEMBERS.with_borrow_mut(|all| all.push(Member { at, size, meaning }));
}

static STATE: AtomicU64 = AtomicU64::new(u64::MAX);
/// Numbers of records that were sent.
static EARLIER: Mutex<Vec<[u8; 4]>> = Mutex::new(Vec::new());
/// Objects and registrations, and regions, that were named.
static NAMED: Mutex<Vec<(Meaning, u64)>> = Mutex::new(Vec::new());
const MOST_EARLIER: usize = 256;

/// 0 for ever without a seed.
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
fn spoil(ring: &Ring, kind: u32, start: usize, size: usize) -> usize {
    if kind == ANSWER && size > 0 && std::env::var_os(SEED).is_some_and(|seed| seed == FAILURE) {
        let [flags] = ring.load(start);
        ring.store(start, [flags & !SUCCEEDED]);
        note(FAILURE);
    }
    let left = lie(ring, start, size);
    MEMBERS.with_borrow_mut(Vec::clear);
    left
}

/// What a guest says has ended with a function of the program.
pub(crate) fn ended(really: &[Ended]) -> Vec<Ended> {
    if std::env::var_os(SEED).is_none_or(|seed| seed != ENDED) {
        return really.to_vec();
    }
    note(ENDED);
    let objects = (0..16).flat_map(|kind| (1..16).map(move |index| Ended::Object(kind, 2 << 32 | index)));
    let others = (1..64).flat_map(|id| [Ended::Region(id), Ended::Registration(id)]);
    objects.chain(others).collect()
}

fn lie(ring: &Ring, start: usize, size: usize) -> usize {
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
    // Most records have numbers alone.
    let seldom = if members(start, size).is_empty() { 16 } else { 5 };
    if below(seldom) != 0 {
        return size;
    }
    let mut left = size;
    for _ in 0..=below(3) {
        if below(2) == 0
            && let Some(name) = by_meaning(ring, start, left)
        {
            note(name);
            continue;
        }
        let (name, lie) = LIES[below(LIES.len())];
        left = lie(ring, start, left);
        note(name);
    }
    left
}

/// Members of the part of a record that have a meaning.
fn members(start: usize, size: usize) -> Vec<Member> {
    let is_there =
        |one: &&Member| one.at >= start && one.at + one.size <= start + size && one.meaning != Meaning::Number;
    MEMBERS.with_borrow(|all| all.iter().filter(is_there).copied().collect())
}

fn load(ring: &Ring, member: Member) -> u64 {
    match member.size {
        1 => u64::from(ring.load::<1>(member.at)[0]),
        4 => u64::from(u32::from_ne_bytes(ring.load(member.at))),
        8 => u64::from_ne_bytes(ring.load(member.at)),
        _ => 0,
    }
}

fn keep_named(ring: &Ring, start: usize, size: usize) {
    let Ok(mut named) = NAMED.lock() else { return };
    for member in members(start, size) {
        if matches!(member.meaning, Meaning::Handle | Meaning::Region) {
            let one = (member.meaning, load(ring, member));
            if named.len() < MOST_EARLIER { named.push(one) } else { named[below(MOST_EARLIER)] = one }
        }
    }
}

/// Another one of those that were named.
fn another(meaning: Meaning) -> Option<u64> {
    let named = NAMED.lock().ok()?;
    let all: Vec<u64> = named.iter().filter(|(of, _)| *of == meaning).map(|(_, bits)| *bits).collect();
    all.get(below(all.len())).copied()
}

/// Gives a member another value that has its meaning: what kind of lie it is. None without such a member.
fn by_meaning(ring: &Ring, start: usize, size: usize) -> Option<&'static str> {
    let all = members(start, size);
    let kinds: Vec<Meaning> = all.iter().map(|one| one.meaning).collect();
    let kind = *kinds.get(below(kinds.len()))?;
    let of_kind: Vec<Member> = all.into_iter().filter(|one| one.meaning == kind).collect();
    let member = *of_kind.get(below(of_kind.len()))?;
    if (start + MODE..start + 2 * MODE).contains(&member.at) && below(8) != 0 {
        return None;
    }
    let is = load(ring, member);
    let (name, lies) = match kind {
        Meaning::Number => return None,
        Meaning::Length => (
            "length",
            vec![0, 1, is.wrapping_add(1), is.wrapping_sub(1), is.wrapping_mul(2), u64::MAX, 1 << 31, 1 << 40, 1 << 61],
        ),
        Meaning::Tag => ("tag", (0..=8).filter(|tag| *tag != is).chain([255]).collect()),
        Meaning::Handle => {
            let other = another(kind).unwrap_or(is);
            (
                "handle",
                vec![other, other, is.wrapping_add(1 << 32), is.wrapping_add(1), 0, u64::MAX, is ^ 1 << below(64)],
            )
        }
        Meaning::Region => {
            let other = another(kind).unwrap_or(is);
            ("region", vec![other, other, is.wrapping_add(1), is.wrapping_sub(1), 0, u64::MAX, is ^ 1 << below(32)])
        }
        Meaning::Offset => {
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
        Meaning::Flags => ("flags", vec![is ^ 1 << below(8 * member.size), is ^ 1 << below(4), 0]),
    };
    let lie = lies[below(lies.len())];
    match member.size {
        1 => ring.store(member.at, [lie as u8]),
        4 => ring.store(member.at, (lie as u32).to_ne_bytes()),
        8 => ring.store(member.at, lie.to_ne_bytes()),
        _ => return None,
    }
    Some(name)
}

fn note(lie: &str) {
    if let Some(log) = std::env::var_os(LOG)
        && let Ok(mut log) = OpenOptions::new().append(true).create(true).open(log)
    {
        // A line at a time: others write there too.
        let _ = log.write_all(format!("{lie}\n").as_bytes());
    }
}

/// Where a number of so many bytes is: mostly a member of the record, and seldom the mode.
fn place<const N: usize>(start: usize, size: usize) -> usize {
    let members = MEMBERS.with_borrow(|all| {
        let within = |one: &&Member| one.size >= N && (start..start + size).contains(&one.at);
        all.iter().filter(within).map(|one| one.at + N * below(one.size / N)).collect::<Vec<_>>()
    });
    let at = match members.len() {
        many if many > 0 && below(4) != 0 => members[below(many)] - start,
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

/// Mostly too short: what it is too long by is what stands behind it.
fn record_size(_: &Ring, _: usize, size: usize) -> usize {
    if below(4) == 0 { size + 1 + below(16) } else { below(size) }
}
