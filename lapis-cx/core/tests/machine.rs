//! State context virtualization against a model: each open CX behaves as if it were alone, whatever other threads and CXs do.
//! `CX_LONG=1` takes a million steps for each number of harts and contexts.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::cell::Cell;
use std::collections::VecDeque;
use std::ffi::c_void;
use std::mem::{MaybeUninit, size_of};
use std::rc::Rc;

use lapis_cx_core::machine::{
    Contract, Counters, Cxu, Hart, HartSelector, Image, Operation, SoftUnit, StateContext, Thread, Trap, Unit, Virtual,
};
use lapis_cx_core::{
    ABI_VERSION, CsrOp, Error, Reply, Response, Selector, Slot, SoftCxu, SoftFlags, Status, Target, Uuid,
};

/// Words of a state.
const WORDS: usize = 5;

/// A state as generated fallbacks have it: the status word, then what commands change.
#[repr(C)]
struct State {
    status: usize,
    words: [usize; WORDS],
}

const CS: usize = 3;

impl State {
    fn touch(&mut self) {
        self.status |= CS;
    }
}

unsafe extern "C" fn init(state: *mut c_void) {
    let reset = State { status: WORDS << 2 | 1, words: [0, 1, 2, 3, 4] };
    // SAFETY: the memory has the size and alignment of a state.
    unsafe { state.cast::<State>().write(reset) };
}

unsafe extern "C" fn issue(state: *mut c_void, function: u32, rs1: usize, rs2: usize, rd: *mut usize) -> u32 {
    // SAFETY: the machine gives an initialised state, and a place for rd.
    let (state, rd) = unsafe { (&mut *state.cast::<State>(), &mut *rd) };
    if state.status & CS == 0 && !matches!(function, 1022 | 1023) {
        return Response::Off.code();
    }
    match function {
        // Adds, and gives the sum.
        0 => {
            state.words[0] = state.words[0].wrapping_mul(31).wrapping_add(rs1 ^ rs2);
            state.touch();
            *rd = state.words[0];
        }
        // Only reads.
        1 => *rd = state.words.iter().fold(rs1, |sum, word| sum.wrapping_mul(7).wrapping_add(*word)),
        // Raises an error, which rolls back the rest.
        2 => {
            state.status = state.status & 0xFF_FFFF | (rs1 % 255 + 1) << 24;
            return Response::Custom.code();
        }
        1020 => {
            if let Some(word) = state.words.get_mut(rs1) {
                *word = rs2;
            }
            state.touch();
            *rd = rs2;
        }
        1021 => *rd = state.words.get(rs1).copied().unwrap_or(0),
        1022 => {
            let (old, new) = (state.status, rs1);
            if new & CS < 2 {
                // SAFETY: it is a state.
                unsafe { init((&raw mut *state).cast()) };
            }
            let error = if new >> 24 & 0xFF == 0 { 0 } else { old >> 24 & 0xFF };
            state.status = error << 24 | WORDS << 2 | new & CS;
            *rd = old;
        }
        1023 => *rd = state.status,
        _ => return Response::Func.code(),
    }
    Response::Ok.code()
}

/// Without the commands of IStateContext.
unsafe extern "C" fn issue_pinned(state: *mut c_void, function: u32, rs1: usize, rs2: usize, rd: *mut usize) -> u32 {
    match function {
        1020..=1023 => Response::Func.code(),
        // SAFETY: as for `issue`.
        _ => unsafe { issue(state, function, rs1, rs2, rd) },
    }
}

unsafe extern "C" fn csr(state: *mut c_void, op: u32, address: u32, value: usize, old: *mut usize) -> u32 {
    // SAFETY: as for `issue`.
    let (state, old) = unsafe { (&mut *state.cast::<State>(), &mut *old) };
    match CsrOp::from_code(op) {
        Some(op) if address == 0x840 && state.status & CS != 0 => {
            *old = state.words[4];
            if let Some(new) = op.written(*old, value) {
                state.words[4] = new;
                state.touch();
            }
            Response::Ok.code()
        }
        _ => Response::Func.code(),
    }
}

unsafe extern "C" fn save(state: *const c_void, image: *mut c_void) {
    // SAFETY: an image has the layout of the state, and is aligned for words.
    unsafe { image.cast::<State>().copy_from_nonoverlapping(state.cast(), 1) };
}

unsafe extern "C" fn restore(state: *mut c_void, image: *const c_void) {
    // SAFETY: as for `save`.
    unsafe {
        let image = &*image.cast::<State>();
        // State words follow a status word that says clean or dirty.
        init(state);
        let state = &mut *state.cast::<State>();
        if image.status & CS > 1 {
            state.words = image.words;
        }
        state.status = image.status;
    }
}

unsafe extern "C" fn add(_state: *mut c_void, function: u32, rs1: usize, rs2: usize, rd: *mut usize) -> u32 {
    // SAFETY: the machine gives a place for rd.
    unsafe { *rd = rs1.wrapping_add(rs2) };
    if function == 0 { Response::Ok.code() } else { Response::Func.code() }
}

const fn uuid(n: u64) -> Uuid {
    Uuid { high: 1, low: n }
}

/// With a state that can be taken out.
static EXCLUSIVE: SoftCxu = SoftCxu {
    abi_version: ABI_VERSION,
    struct_size: size_of::<SoftCxu>() as u32,
    uuid: uuid(1),
    contract: [0; 32],
    xlen: usize::BITS,
    sharing: 1,
    flags: SoftFlags::STATE_CONTEXT,
    state_words: WORDS as u32,
    state_size: size_of::<State>(),
    state_align: align_of::<State>(),
    name: c"exclusive".as_ptr(),
    init: Some(init),
    issue: Some(issue),
    save: Some(save),
    restore: Some(restore),
    csr: Some(csr),
    flex: None,
};
/// One for a thread.
static SHARED: SoftCxu = SoftCxu { uuid: uuid(2), sharing: 3, name: c"shared".as_ptr(), ..EXCLUSIVE };
/// Without IStateContext.
static PINNED: SoftCxu =
    SoftCxu { uuid: uuid(3), flags: 0, name: c"pinned".as_ptr(), issue: Some(issue_pinned), ..EXCLUSIVE };
/// Which no unit has.
static ABSENT: SoftCxu = SoftCxu { uuid: uuid(5), sharing: 2, name: c"absent".as_ptr(), ..EXCLUSIVE };
static STATELESS: SoftCxu = SoftCxu {
    uuid: uuid(4),
    sharing: 0,
    flags: 0,
    state_words: 0,
    state_size: 0,
    state_align: 1,
    name: c"stateless".as_ptr(),
    init: None,
    issue: Some(add),
    save: None,
    restore: None,
    csr: None,
    flex: None,
    ..EXCLUSIVE
};

/// Memory for a state.
struct Memory(Vec<u64>);

impl AsRef<[u64]> for Memory {
    fn as_ref(&self) -> &[u64] {
        &self.0
    }
}

impl AsMut<[u64]> for Memory {
    fn as_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}

// SAFETY: the memory of a vector that does not grow.
unsafe impl Image for Memory {
    fn address(&mut self) -> *mut c_void {
        self.0.as_mut_ptr().cast()
    }
}

type T = Thread<Memory, Vec<Slot<Virtual<Memory>>>>;
type H<C> = Hart<C, Vec<StateContext>, Vec<Unit<C, Vec<StateContext>>>>;

/// What saves and loads states by the commands of IStateContext, as hardware does.
struct ByCommands(SoftUnit<'static>);

impl Cxu for ByCommands {
    fn contract(&self) -> Contract {
        self.0.contract()
    }
    fn contexts(&self) -> usize {
        self.0.contexts()
    }
    fn issue(&mut self, state_id: u8, function: u32, rs1: usize, rs2: usize) -> Reply {
        self.0.issue(state_id, function, rs1, rs2)
    }
    fn csr(&mut self, state_id: u8, op: CsrOp, address: u32, value: usize) -> Reply {
        self.0.csr(state_id, op, address, value)
    }
    fn reset(&mut self, state_id: u8) {
        match self.contract().has_state_context {
            true => self.set_status(state_id, 1),
            false => self.0.reset(state_id),
        }
    }
}

/// Where the units come from.
trait Made: Cxu {
    /// Whether an image has all of a state: by commands an error can be cleared, not set.
    const WITH_ERRORS: bool;
    fn made(soft: SoftUnit<'static>) -> Self;
}

impl Made for SoftUnit<'static> {
    const WITH_ERRORS: bool = true;
    fn made(soft: SoftUnit<'static>) -> Self {
        soft
    }
}

impl Made for ByCommands {
    const WITH_ERRORS: bool = false;
    fn made(soft: SoftUnit<'static>) -> Self {
        ByCommands(soft)
    }
}

fn soft(cxu: &'static SoftCxu, contexts: usize) -> SoftUnit<'static> {
    let words = contexts * SoftUnit::stride(cxu).unwrap() / size_of::<u64>();
    let memory: &'static mut [u64] = Box::leak(vec![0; words].into_boxed_slice());
    // SAFETY: bytes of integers that nobody else uses.
    let memory = unsafe { std::slice::from_raw_parts_mut(memory.as_mut_ptr().cast::<MaybeUninit<u8>>(), words * 8) };
    // SAFETY: the functions of this file.
    unsafe { SoftUnit::new(cxu, contexts, memory) }.unwrap()
}

fn unit<C: Made>(cxu: &'static SoftCxu, contexts: usize) -> Unit<C, Vec<StateContext>> {
    Unit::new(C::made(soft(cxu, contexts)), vec![StateContext::FREE; contexts]).unwrap()
}

fn hart<C: Made>(id: u32, contexts: usize) -> H<C> {
    let units = vec![unit(&EXCLUSIVE, contexts), unit(&SHARED, contexts), unit(&PINNED, contexts), unit(&STATELESS, 0)];
    Hart::new(id, units)
}

fn thread(slots: usize) -> T {
    Thread::new((0..slots).map(|_| Slot::VACANT).collect()).unwrap()
}

fn open<C: Cxu>(hart: &mut H<C>, thread: &mut T, cxu: &SoftCxu) -> Result<Selector, Error> {
    let memory = |words| Some(Memory(vec![0; words]));
    match hart.open(thread, cxu.uuid, cxu.sharing == 1, memory) {
        Err(Error::NoDevice) if std::ptr::eq(cxu, &ABSENT) => {
            // SAFETY: the functions of this file.
            unsafe { hart.emulate(thread, &ABSENT, false, memory) }
        }
        opened => opened,
    }
}

fn command(function: u32, rs1: usize, rs2: usize) -> Operation {
    Operation::Command { function, rs1, rs2 }
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn next(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

/// An open CX as it would be alone.
struct Alone {
    selector: Selector,
    cxu: &'static SoftCxu,
    opens: u32,
    /// Where its state is if that cannot be taken out.
    hart: usize,
    state: Box<State>,
}

impl Alone {
    fn issue(&mut self, operation: Operation) -> Reply {
        // SAFETY: the state is initialised, and the functions are those of this file.
        operation.at(unsafe { Target::new(self.cxu, (&raw mut *self.state).cast()) })
    }
}

struct Model {
    alone: Vec<Alone>,
    closed: VecDeque<Selector>,
    status: Status,
    hart: usize,
}

/// Random interleavings of all that threads do.
fn interleave<C: Made>(seed: u64, harts: usize, contexts: usize, steps: usize) -> Counters {
    let mut random = Random(seed);
    let mut machines: Vec<H<C>> = (0..harts).map(|id| hart(id as u32, contexts)).collect();
    let count = 1 + random.next(4);
    let mut threads: Vec<(T, Model)> = (0..count)
        .map(|id| {
            let hart = id % harts;
            let model = Model { alone: Vec::new(), closed: VecDeque::new(), status: Status::NONE, hart };
            (thread(16), model)
        })
        .collect();
    for step in 0..steps {
        let who = random.next(threads.len());
        // The thread that is to run takes the hart from the one that runs there.
        if random.next(20) == 0 {
            let next = random.next(harts);
            let (thread, model) = &mut threads[who];
            machines[model.hart].suspend(thread);
            model.hart = next;
        }
        let place = threads[who].1.hart;
        let others = threads.iter_mut().enumerate().filter(|(other, (_, model))| *other != who && model.hart == place);
        others.for_each(|(_, (thread, _))| machines[place].suspend(thread));
        let (thread, model) = &mut threads[who];
        let hart = &mut machines[place];
        hart.resume(thread).unwrap();
        // A thread ends, and a new one begins in its place: it has the same selectors, and none of the states.
        if random.next(500) == 0 {
            let pinned = model.alone.iter().any(|alone| alone.cxu.uuid == PINNED.uuid && alone.hart != place);
            match hart.end(std::mem::replace(thread, self::thread(16))) {
                Ok(()) => {
                    assert!(!pinned, "seed {seed} step {step}");
                    *model = Model { alone: Vec::new(), closed: VecDeque::new(), status: Status::NONE, hart: place };
                }
                Err(old) => {
                    assert!(pinned, "seed {seed} step {step}");
                    *thread = old;
                }
            }
            continue;
        }
        act(&mut random, hart, thread, model, &format!("seed {seed} harts {harts} contexts {contexts} step {step}"));
        assert_eq!(thread.status(), model.status, "seed {seed} step {step}");
    }
    let mut sum = Counters::default();
    for machine in &machines {
        sum.traps += machine.counters().traps;
        sum.swaps += machine.counters().swaps;
        sum.saved_bytes += machine.counters().saved_bytes;
        sum.loaded_bytes += machine.counters().loaded_bytes;
    }
    sum
}

fn act<C: Made>(random: &mut Random, hart: &mut H<C>, thread: &mut T, model: &mut Model, at: &str) {
    match random.next(32) {
        0..=2 => {
            let cxu = [&EXCLUSIVE, &EXCLUSIVE, &SHARED, &PINNED, &STATELESS, &ABSENT][random.next(6)];
            match open(hart, thread, cxu) {
                Ok(selector) => opened(model, selector, cxu, at),
                Err(Error::TableFull) => assert_eq!(model.alone.len(), 16, "{at}"),
                Err(error) => assert_eq!((error, cxu.uuid), (Error::Busy, PINNED.uuid), "{at}"),
            }
        }
        3 if !model.alone.is_empty() => {
            let place = random.next(model.alone.len());
            let alone = &mut model.alone[place];
            let elsewhere = alone.cxu.uuid == PINNED.uuid && alone.hart != model.hart;
            let closed = hart.close(thread, alone.selector);
            assert_eq!(closed.is_err(), elsewhere, "{at} {closed:?}");
            if !elsewhere {
                alone.opens -= 1;
                if alone.opens == 0 {
                    model.closed.push_back(model.alone.remove(place).selector);
                }
            }
        }
        4 => {
            let stale = model.closed.back().copied().unwrap_or(Selector::INVALID);
            assert_eq!(hart.close(thread, stale), Err(Error::BadSelector), "{at}");
            assert!(!thread.is_open(stale), "{at}");
        }
        5..=9 => {
            let before = thread.selected();
            let to = match random.next(12) {
                0 => Selector::BUILTIN,
                1 => Selector::INVALID,
                2 => model.closed.back().copied().unwrap_or(Selector::INVALID),
                _ if model.alone.is_empty() => Selector::BUILTIN,
                _ => model.alone[random.next(model.alone.len())].selector,
            };
            assert_eq!(thread.select(to), before, "{at}");
        }
        10 => saved_and_loaded(random, hart, thread, model, at),
        11 => model.status = flags(thread.set_status(Status::NONE), model.status, at),
        _ => {
            let raises = if C::WITH_ERRORS { 2 } else { 1 };
            let function = [0, 0, 0, 1, 1, raises, 3, 1020, 1021, 1022, 1023][random.next(11)];
            let (rs1, rs2) = match function {
                1020 | 1021 => (random.next(WORDS + 1), random.next(1000)),
                1022 => (random.next(4) | random.next(2) << 24, 0),
                _ => (random.next(1000), random.next(1000)),
            };
            let operation = match random.next(8) {
                0 => Operation::Csr { op: CsrOp::ALL[random.next(4)], address: 0x840, value: rs2 },
                _ => command(function, rs1, rs2),
            };
            let want = expected(model, thread.selected(), operation);
            let got = hart.issue(thread, operation);
            assert_eq!(got, want, "{at} {operation:?}");
            model.status |= Status::from(want.response);
        }
    }
}

fn flags(old: Status, model: Status, at: &str) -> Status {
    assert_eq!(old, model, "{at}");
    Status::NONE
}

fn opened(model: &mut Model, selector: Selector, cxu: &'static SoftCxu, at: &str) {
    let shared = model.alone.iter_mut().find(|alone| alone.selector == selector);
    if let Some(alone) = shared {
        assert!(cxu.sharing != 1 && alone.cxu.uuid == cxu.uuid, "{at}");
        alone.opens += 1;
        return;
    }
    assert!(cxu.sharing == 1 || model.alone.iter().all(|alone| alone.cxu.uuid != cxu.uuid), "{at}");
    assert!(!model.closed.contains(&selector), "{at}: a selector came back");
    let mut state = Box::new(State { status: 0, words: [0; WORDS] });
    // SAFETY: it is a state.
    unsafe { init((&raw mut *state).cast()) };
    model.alone.push(Alone { selector, cxu, opens: 1, hart: model.hart, state });
}

/// What an operation gives to a CX that is alone.
fn expected(model: &mut Model, selected: Selector, operation: Operation) -> Reply {
    if selected == Selector::BUILTIN {
        return Reply { value: 0, response: Response::Func };
    }
    let here = model.hart;
    match model.alone.iter_mut().find(|alone| alone.selector == selected) {
        None => Reply { value: 0, response: Response::Cxu },
        Some(alone) if alone.cxu.uuid == PINNED.uuid && alone.hart != here => {
            Reply { value: 0, response: Response::State }
        }
        Some(alone) => alone.issue(operation),
    }
}

/// Saves the selected state, and perhaps loads it changed.
fn saved_and_loaded<C: Made>(random: &mut Random, hart: &mut H<C>, thread: &mut T, model: &mut Model, at: &str) {
    let mut image = vec![0u64; size_of::<State>() / 8];
    let saved = hart.save(thread, &mut image);
    let selected = thread.selected();
    let here = model.hart;
    let alone = model.alone.iter_mut().find(|alone| alone.selector == selected);
    let Some(alone) = alone else {
        let want = if selected == Selector::BUILTIN { Ok(0) } else { Err(Error::BadSelector) };
        return assert_eq!(saved, want, "{at}");
    };
    if alone.cxu.sharing == 0 {
        return assert_eq!(saved, Ok(0), "{at}");
    }
    if alone.cxu.uuid == PINNED.uuid && alone.hart != here {
        return assert_eq!(saved, Err(Error::Busy), "{at}");
    }
    if alone.cxu.uuid == PINNED.uuid && !C::WITH_ERRORS {
        return assert_eq!(saved, Err(Error::Cxu), "{at}: no commands to do it by");
    }
    assert_eq!(saved, Ok(size_of::<State>()), "{at}");
    assert_eq!(image[0] as usize, alone.state.status, "{at}");
    if alone.state.status & CS != 0 {
        assert!(image[1..].iter().zip(&alone.state.words).all(|(a, b)| *a as usize == *b), "{at}");
    }
    if random.next(2) == 0 {
        let bytes = size_of::<State>();
        assert_eq!(hart.restore(thread, &image[1..], bytes), Err(Error::Invalid), "{at}");
        assert_eq!(hart.restore(thread, &image, bytes - 1), Err(Error::Invalid), "{at}");
        image[0] ^= 4; // It names another number of words.
        assert_eq!(hart.restore(thread, &image, bytes), Err(Error::Invalid), "{at}");
        image[0] ^= 4;
        let place = 1 + random.next(WORDS);
        image[place] = random.next(1000) as u64;
        image[0] = image[0] & !3 | random.next(4) as u64;
        hart.restore(thread, &image, bytes).unwrap();
        // SAFETY: it is a state, and the image has the size of one.
        unsafe { restore((&raw mut *alone.state).cast(), image.as_ptr().cast()) };
    }
}

fn each_cx_is_as_if_alone<C: Made>() {
    let steps = if std::env::var_os("CX_LONG").is_some() { 1_000_000 } else { 10_000 };
    let mut sum = Counters::default();
    for harts in 1..=4 {
        for contexts in 1..=4 {
            let counters = interleave::<C>((harts * 10 + contexts) as u64, harts, contexts, steps);
            sum.swaps += counters.swaps;
            sum.saved_bytes += counters.saved_bytes;
        }
    }
    assert!(sum.swaps > 10_000 && sum.saved_bytes > 100_000, "{sum:?}");
}

// Sentences: state-context-virtualization 1-4, 21, 23.
#[test]
fn each_cx_is_as_if_alone_in_software() {
    each_cx_is_as_if_alone::<SoftUnit<'static>>();
}

#[test]
fn each_cx_is_as_if_alone_where_states_move_by_commands() {
    each_cx_is_as_if_alone::<ByCommands>();
}

/// Two CXs over one context, each with a state of its own.
fn two_over_one() -> (H<SoftUnit<'static>>, T, [Selector; 2]) {
    let (mut hart, mut thread) = (hart(0, 1), thread(4));
    hart.resume(&mut thread).unwrap();
    let both = [(); 2].map(|()| open(&mut hart, &mut thread, &EXCLUSIVE).unwrap());
    (hart, thread, both)
}

#[test]
fn what_is_swapped_is_counted() {
    let (mut hart, mut thread, [a, b]) = two_over_one();
    let bytes = size_of::<State>() as u64;
    let mut counted = Vec::new();
    let mut issue = |thread: &mut T, selector, function| {
        thread.select(selector);
        let reply = hart.issue(thread, command(function, 1, 2));
        assert_eq!(reply.response, Response::Ok);
        let Counters { traps, swaps, saved_bytes, loaded_bytes } = hart.counters();
        counted.push((traps, swaps, saved_bytes / bytes, loaded_bytes / bytes));
    };
    assert!(!thread.entry(a).traps() && thread.entry(b).traps());
    // The first has a context. It is still initial when the second comes: neither is saved, nor is one loaded.
    issue(&mut thread, a, 1);
    issue(&mut thread, b, 0);
    assert!(thread.entry(a).traps() && !thread.entry(b).traps());
    // The second is dirty: it is saved.
    issue(&mut thread, a, 0);
    issue(&mut thread, a, 0);
    // The first is dirty, and the second is loaded. It stays clean, and is not saved again.
    issue(&mut thread, b, 1);
    issue(&mut thread, a, 1);
    issue(&mut thread, b, 1);
    let want = [(0, 0, 0, 0), (1, 1, 0, 0), (2, 2, 1, 0), (2, 2, 1, 0), (3, 3, 2, 1), (4, 4, 2, 2), (5, 5, 2, 3)];
    assert_eq!(counted, want);
}

#[test]
fn a_thread_that_comes_back_finds_what_it_left() {
    let (mut hart, mut thread, [a, _]) = two_over_one();
    thread.select(a);
    hart.issue(&mut thread, command(0, 1, 2));
    hart.suspend(&mut thread);
    assert_eq!(hart.issue(&mut thread, command(0, 1, 2)).response, Response::Cxu, "it does not run");
    hart.resume(&mut thread).unwrap();
    let before = hart.counters();
    assert_eq!(hart.issue(&mut thread, command(1, 1, 2)).response, Response::Ok);
    let after = hart.counters();
    assert_eq!((after.traps, after.loaded_bytes), (before.traps + 1, 0));
    // Not if another thread had the context meanwhile.
    let mut other = self::thread(1);
    assert_eq!(hart.resume(&mut other), Err(Error::Busy), "a hart runs one thread");
    hart.suspend(&mut thread);
    hart.resume(&mut other).unwrap();
    let theirs = open(&mut hart, &mut other, &EXCLUSIVE).unwrap();
    assert!(!other.entry(theirs).traps(), "what was left behind is no reason to wait");
    hart.suspend(&mut other);
    hart.resume(&mut thread).unwrap();
    hart.issue(&mut thread, command(1, 1, 2));
    assert_eq!(hart.counters().loaded_bytes, size_of::<State>() as u64);
}

#[test]
fn what_cannot_be_taken_out_is_never_virtualized() {
    let (mut hart, mut thread) = (hart::<SoftUnit<'static>>(0, 2), thread(8));
    hart.resume(&mut thread).unwrap();
    let first = open(&mut hart, &mut thread, &PINNED).unwrap();
    open(&mut hart, &mut thread, &PINNED).unwrap();
    assert_eq!(open(&mut hart, &mut thread, &PINNED), Err(Error::Busy));
    hart.close(&mut thread, first).unwrap();
    let third = open(&mut hart, &mut thread, &PINNED).unwrap();
    // On another hart its state is out of reach.
    thread.select(third);
    hart.suspend(&mut thread);
    let mut elsewhere = self::hart::<SoftUnit<'static>>(1, 2);
    elsewhere.resume(&mut thread).unwrap();
    assert_eq!(elsewhere.issue(&mut thread, command(1, 0, 0)), Reply { value: 0, response: Response::State });
    assert!(thread.status().contains(Status::INVALID_STATE));
}

/// A CXU whose states cannot be saved, or not be loaded, while it is told so.
struct Failing {
    soft: SoftUnit<'static>,
    saves: Rc<Cell<bool>>,
    loads: Rc<Cell<bool>>,
}

impl Cxu for Failing {
    fn contract(&self) -> Contract {
        self.soft.contract()
    }
    fn contexts(&self) -> usize {
        self.soft.contexts()
    }
    fn issue(&mut self, state_id: u8, function: u32, rs1: usize, rs2: usize) -> Reply {
        self.soft.issue(state_id, function, rs1, rs2)
    }
    fn csr(&mut self, state_id: u8, op: CsrOp, address: u32, value: usize) -> Reply {
        self.soft.csr(state_id, op, address, value)
    }
    fn save(&mut self, state_id: u8, image: &mut [u64]) -> Result<(), Error> {
        if self.saves.get() { self.soft.save(state_id, image) } else { Err(Error::Cxu) }
    }
    fn restore(&mut self, state_id: u8, image: &[u64]) -> Result<(), Error> {
        if self.loads.get() { self.soft.restore(state_id, image) } else { Err(Error::Cxu) }
    }
}

#[test]
fn a_cxu_that_fails_loses_no_state_and_shows_nobody_elses() {
    let (saves, loads) = (Rc::new(Cell::new(true)), Rc::new(Cell::new(true)));
    let failing = Failing { soft: soft(&EXCLUSIVE, 1), saves: saves.clone(), loads: loads.clone() };
    let units = vec![Unit::new(failing, vec![StateContext::FREE]).unwrap()];
    let (mut hart, mut thread): (H<Failing>, T) = (Hart::new(0, units), thread(4));
    hart.resume(&mut thread).unwrap();
    let [a, b] = [(); 2].map(|()| open(&mut hart, &mut thread, &EXCLUSIVE).unwrap());
    let mut issue = |thread: &mut T, selector, value| {
        thread.select(selector);
        let reply = hart.issue(thread, command(0, value, 0));
        (reply.response == Response::Ok).then_some(reply.value).ok_or(reply.response)
    };
    assert_eq!(issue(&mut thread, a, 1), Ok(1));
    // It cannot be saved: it stays, and the other waits.
    saves.set(false);
    assert_eq!(issue(&mut thread, b, 2), Err(Response::State));
    assert_eq!(issue(&mut thread, a, 0), Ok(31));
    saves.set(true);
    assert_eq!(issue(&mut thread, b, 2), Ok(2));
    // It cannot be loaded: it stays in memory.
    loads.set(false);
    assert_eq!(issue(&mut thread, a, 0), Err(Response::State));
    loads.set(true);
    assert_eq!(issue(&mut thread, a, 0), Ok(31 * 31));
    assert_eq!(issue(&mut thread, b, 0), Ok(2 * 31));
    assert_eq!(thread.status(), Status::INVALID_STATE);
}

/// A thread goes, in order or not, and another one has the same selectors: it sees nothing of what the first left behind.
#[test]
fn a_new_thread_has_nothing_of_one_that_is_gone() {
    for in_order in [true, false] {
        let (mut hart, mut thread) = (hart::<SoftUnit<'static>>(0, 1), thread(4));
        hart.resume(&mut thread).unwrap();
        let selector = open(&mut hart, &mut thread, &EXCLUSIVE).unwrap();
        thread.select(selector);
        let first = hart.issue(&mut thread, command(0, 6, 1));
        if in_order {
            assert!(hart.end(thread).is_ok());
        } else {
            hart.suspend(&mut thread);
            drop(thread);
        }
        let mut thread = self::thread(4);
        hart.resume(&mut thread).unwrap();
        assert_eq!(open(&mut hart, &mut thread, &EXCLUSIVE), Ok(selector));
        thread.select(selector);
        // Also where its first state comes and goes by the same steps as that of the other.
        assert_eq!(hart.issue(&mut thread, command(0, 6, 1)), first, "{in_order}");
        hart.suspend(&mut thread);
        hart.resume(&mut thread).unwrap();
        let before = hart.counters().loaded_bytes;
        assert_ne!(hart.issue(&mut thread, command(0, 6, 1)), first);
        assert_eq!(hart.counters().loaded_bytes, before, "its own is still there");
    }
}

#[test]
fn threads_end_where_they_run() {
    let mut harts = [0, 1].map(|id| hart::<SoftUnit<'static>>(id, 1));
    let mut thread = thread(4);
    let [first, second] = &mut harts;
    first.resume(&mut thread).unwrap();
    open(first, &mut thread, &PINNED).unwrap();
    first.suspend(&mut thread);
    let Err(mut thread) = first.end(thread) else { panic!("it does not run") };
    second.resume(&mut thread).unwrap();
    let Err(mut thread) = second.end(thread) else { panic!("its state is in the first hart") };
    second.suspend(&mut thread);
    first.resume(&mut thread).unwrap();
    assert!(first.end(thread).is_ok());
    // The hart and the context are free.
    let mut next = self::thread(4);
    first.resume(&mut next).unwrap();
    assert!(open(first, &mut next, &PINNED).is_ok());
}

/// A state that could not be saved when its thread went waits in its context: nobody else gets that, and all else goes on.
#[test]
fn what_could_not_be_saved_is_nobody_elses() {
    let (saves, loads) = (Rc::new(Cell::new(true)), Rc::new(Cell::new(true)));
    let failing = Failing { soft: soft(&EXCLUSIVE, 2), saves: saves.clone(), loads };
    let units = vec![Unit::new(failing, vec![StateContext::FREE; 2]).unwrap()];
    let (mut hart, mut thread): (H<Failing>, T) = (Hart::new(0, units), thread(4));
    hart.resume(&mut thread).unwrap();
    let mine = open(&mut hart, &mut thread, &EXCLUSIVE).unwrap();
    thread.select(mine);
    let value = hart.issue(&mut thread, command(0, 5, 0)).value;
    saves.set(false);
    hart.suspend(&mut thread);
    saves.set(true);
    let mut other = self::thread(4);
    hart.resume(&mut other).unwrap();
    // Three over the one context that is left.
    for turn in 0..9 {
        let theirs = match turn {
            0..3 => open(&mut hart, &mut other, &EXCLUSIVE).unwrap(),
            _ => Selector::from_raw(1 + turn % 3),
        };
        other.select(theirs);
        assert_eq!(hart.issue(&mut other, command(0, 1, 0)).response, Response::Ok, "{turn}");
    }
    hart.suspend(&mut other);
    hart.resume(&mut thread).unwrap();
    assert_eq!(hart.issue(&mut thread, command(0, 0, 0)).value, value.wrapping_mul(31));
}

#[test]
fn what_is_revoked_is_told_at_the_next_command() {
    let (mut hart, mut thread, [a, b]) = two_over_one();
    thread.select(a);
    assert_eq!(hart.issue(&mut thread, command(0, 1, 2)).response, Response::Ok);
    hart.revoke(EXCLUSIVE.uuid);
    for selector in [a, b] {
        thread.select(selector);
        assert_eq!(hart.issue(&mut thread, command(0, 1, 2)), Reply { value: 0, response: Response::Cxu });
    }
    assert_eq!(thread.status(), Status::INVALID_CXU);
    assert_eq!(open(&mut hart, &mut thread, &EXCLUSIVE), Err(Error::NoDevice));
    // Neither the state that was in the unit then can be taken out of it, nor the one in memory.
    for selector in [a, b] {
        thread.select(selector);
        assert_eq!(hart.save(&mut thread, &mut [0; 8]), Err(Error::NoDevice));
        assert_eq!(hart.restore(&mut thread, &[0; 8], 64), Err(Error::NoDevice));
    }
    hart.close(&mut thread, a).unwrap();
}

/// CX-ISA, CX status: what each way of going wrong sets.
#[test]
fn each_error_has_its_flag() {
    let mut hart = hart::<SoftUnit<'static>>(0, 2);
    let mut flags = |bits, function| {
        let (reply, flags) = hart.execute(HartSelector::from_bits(bits), command(function, 6, 1)).unwrap();
        assert_eq!(reply.response == Response::Ok, flags == Status::NONE);
        flags
    };
    assert_eq!(flags(0x2000_0000, 0), Status::NONE);
    assert_eq!(flags(0x0000_0000, 0), Status::INVALID_FUNCTION, "no built-in custom instructions");
    assert_eq!(flags(0x4000_0000, 0), Status::INVALID_VERSION);
    assert_eq!(flags(0xE000_0000, 0), Status::INVALID_VERSION);
    assert_eq!(flags(0x2000_0004, 0), Status::INVALID_CXU);
    assert_eq!(flags(0x2002_0000, 0), Status::INVALID_STATE);
    assert_eq!(flags(0x2000_0000, 7), Status::INVALID_FUNCTION);
    assert_eq!(flags(0x2000_0000, 2), Status::CUSTOM);
    assert_eq!(flags(0x2001_0000, 1022), Status::NONE, "off");
    assert_eq!(flags(0x2001_0000, 0), Status::NONE);
    assert_eq!(hart.execute(HartSelector::from_bits(0x2000_0000).poisoned(), command(0, 0, 0)), Err(Trap));
    assert_eq!(hart.execute(HartSelector::INVALID, command(0, 0, 0)), Err(Trap));
}

// Sentences: state-context-virtualization 7-8, 10-20, 25.
#[test]
fn contexts_are_swapped_as_the_document_says() {
    let (mut hart, mut thread, [a, b]) = two_over_one();
    let (entry_a, entry_b) = (thread.entry(a), thread.entry(b));
    assert!(!entry_a.traps() && entry_b.traps(), "the second finds the context taken");
    assert_eq!(entry_b, entry_a.poisoned());
    // What a write of cx_index brings to mcx_selector is the entry, and executing under it is that.
    assert_eq!(hart.execute(entry_a, command(0, 5, 0)).unwrap().0.value, 5);
    for operation in [command(0, 5, 0), Operation::Csr { op: CsrOp::Read, address: 0x840, value: 0 }] {
        assert_eq!(hart.execute(entry_b, operation), Err(Trap));
    }
    // The handler: what is there is saved and poisoned, what is wanted is initialised and becomes valid.
    thread.select(b);
    hart.trap(&mut thread, command(0, 0, 0)).unwrap();
    assert_eq!((thread.entry(a), thread.entry(b)), (entry_a.poisoned(), entry_a));
    assert_eq!(hart.counters().saved_bytes, size_of::<State>() as u64);
    assert_eq!(hart.counters().loaded_bytes, 0);
    // The instruction is issued again.
    assert_eq!(hart.execute(thread.entry(b), command(0, 9, 0)).unwrap().0.value, 9);
    // The one that was swapped out traps in turn, and finds its state.
    thread.select(a);
    assert_eq!(hart.issue(&mut thread, command(0, 0, 0)), Reply { value: 5 * 31, response: Response::Ok });
    assert_eq!(hart.counters().loaded_bytes, size_of::<State>() as u64);
    assert_eq!((thread.entry(a), thread.entry(b)), (entry_a, entry_a.poisoned()));
}

// Sentences: state-context-virtualization 5.
#[test]
fn one_instance_of_a_thread_is_asked_for() {
    let (mut hart, mut thread) = (hart::<SoftUnit<'static>>(0, 1), thread(8));
    hart.resume(&mut thread).unwrap();
    let all = [&EXCLUSIVE, &EXCLUSIVE, &SHARED, &SHARED].map(|cxu| open(&mut hart, &mut thread, cxu).unwrap());
    assert!(all[0] != all[1] && all[2] == all[3]);
}

// Sentences: state-context-virtualization 9, 22, 24.
#[test]
fn traps_serve_without_a_table_and_without_the_cx() {
    let (mut hart, mut thread, [_, b]) = two_over_one();
    assert_eq!(hart.execute(HartSelector::INVALID, command(0, 1, 0)), Err(Trap));
    // A hart without cx_index: its handler has mcx_selector written, whatever it was.
    thread.select(b);
    let mut mcx_selector = HartSelector::INVALID;
    let answer = loop {
        match hart.execute(mcx_selector, command(0, 3, 0)) {
            Ok((reply, _)) => break reply,
            Err(Trap) => {
                assert!(hart.trap(&mut thread, command(0, 3, 0)).unwrap().is_none());
                mcx_selector = thread.entry(thread.selected());
            }
        }
    };
    assert_eq!(answer, Reply { value: 3, response: Response::Ok });
    // A CX that no unit has: the handler gives the software that stands in.
    let absent = open(&mut hart, &mut thread, &ABSENT).unwrap();
    thread.select(absent);
    assert_eq!(hart.execute(thread.entry(absent), command(0, 3, 0)), Err(Trap));
    let answer = hart.trap(&mut thread, command(0, 3, 0)).unwrap();
    assert_eq!(answer, Some(Reply { value: 3, response: Response::Ok }));
}
