//! Programs of random instructions on a `MachineHart`, with `mcx_table` and without, where each instruction traps and on a hart
//! that has the registers; compared with what `Hart` and `Thread` do when they are called.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::ffi::{CStr, c_void};
use std::ptr::with_exposed_provenance;

use lapis_cx_core::encoding::{Csr, CsrAccess, CsrOperation, CsrSource, Instruction, Profile};
use lapis_cx_core::machine::{
    Cxu, Emulated, Hart, HartCsrs, HartSelector, Image, MachineHart, Operation, RustUnit, SelectorWords, StateContext,
    Thread, Unit, Virtual,
};
use lapis_cx_core::trap::{CustomHart, Outcome, Registers, handle};
use lapis_cx_core::{
    ABI_VERSION, CsrOp, Error, Reply, Response, RustCxu, Selector, Sharing, Slot, SoftCxu, SoftFlags, Status, Uuid,
};
use proptest::prelude::*;

const fn uuid(low: u64) -> Uuid {
    Uuid { high: 7, low }
}

/// The status word, and two words.
type Words = [usize; 3];

fn reply(value: usize) -> Reply {
    Reply { value, response: Response::Ok }
}

/// Mixes what it gets into its state; the image of a state is the state.
struct Mixer<const ID: u64, const SHARING: u32>;

impl<const ID: u64, const SHARING: u32> RustCxu for Mixer<ID, SHARING> {
    type State = Words;
    type Word = usize;
    const UUID: Uuid = uuid(ID);
    const NAME: &'static CStr = c"mixer";
    const SHARING: Sharing = if SHARING == 1 { Sharing::Exclusive } else { Sharing::CalleeSave };
    const FLAGS: u32 = SoftFlags::STATE_CONTEXT;
    const STATE_WORDS: u32 = 2;
    const RESET: Words = [2 << 2 | 1, 0, ID as usize];

    fn issue(state: &mut Words, function: u32, rs1: usize, rs2: usize) -> Reply {
        if state[0] & 3 == 0 && function < 1022 {
            return Reply { value: 0, response: Response::Off };
        }
        match function {
            0..=7 => {
                state[0] |= 3;
                state[1] = state[1].wrapping_mul(31).wrapping_add(rs1 ^ rs2.rotate_left(function));
                reply(state[1])
            }
            8 => Reply { value: 0, response: Response::Custom },
            1021 => reply(state.get(1..).and_then(|words| words.get(rs1)).copied().unwrap_or(0)),
            1022 => {
                let old = state[0];
                if rs1 & 3 < 2 {
                    *state = Self::RESET;
                }
                state[0] = 2 << 2 | rs1 & 3;
                reply(old)
            }
            1023 => reply(state[0]),
            _ => Reply { value: 0, response: Response::Func },
        }
    }

    fn csr(state: &mut Words, op: CsrOp, address: u32, value: usize) -> Reply {
        if address != 0x840 || state[0] & 3 == 0 {
            return Reply { value: 0, response: Response::Func };
        }
        let old = state[2];
        if let Some(new) = op.written(old, value) {
            (state[0], state[2]) = (state[0] | 3, new);
        }
        reply(old)
    }

    /// The fields of one of its commands are a constant.
    fn flex(function: u32, fields: u32, rs2: usize) -> (u32, usize) {
        (function, if function == 7 { fields as usize } else { rs2 })
    }

    fn save(state: &Words, words: &mut [usize]) {
        words.copy_from_slice(state);
    }

    fn restore(state: &mut Words, words: &[usize]) {
        state.copy_from_slice(words);
    }
}

struct Adder;

impl RustCxu for Adder {
    type State = ();
    type Word = usize;
    const UUID: Uuid = uuid(3);
    const NAME: &'static CStr = c"adder";
    const SHARING: Sharing = Sharing::Stateless;
    const STATE_WORDS: u32 = 0;
    const RESET: () = ();

    fn issue((): &mut (), function: u32, rs1: usize, rs2: usize) -> Reply {
        if function < 8 { reply(rs1.wrapping_add(rs2)) } else { Reply { value: 0, response: Response::Func } }
    }
    fn save((): &(), _words: &mut [usize]) {}
    fn restore((): &mut (), _words: &[usize]) {}
}

unsafe extern "C" fn subtract(_state: *mut c_void, function: u32, rs1: usize, rs2: usize, rd: *mut usize) -> u32 {
    // SAFETY: there is a place for rd.
    unsafe { rd.write(rs1.wrapping_sub(rs2)) };
    if function < 8 { Response::Ok.code() } else { Response::Op.code() }
}

unsafe extern "C" fn seven(function: u32, fields: u32, rs2: *mut usize) -> u32 {
    // SAFETY: there is the second operand.
    unsafe { *rs2 ^= fields as usize };
    function ^ 1
}

/// Which no unit has.
static ABSENT: SoftCxu = SoftCxu {
    abi_version: ABI_VERSION,
    struct_size: size_of::<SoftCxu>() as u32,
    uuid: uuid(4),
    contract: [0; 32],
    xlen: usize::BITS,
    sharing: 0,
    flags: 0,
    state_words: 0,
    state_size: 0,
    state_align: 1,
    name: c"absent".as_ptr(),
    init: None,
    issue: Some(subtract),
    save: None,
    restore: None,
    csr: None,
    flex: Some(seven),
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
// SAFETY: a vector that does not grow.
unsafe impl Image for Memory {
    fn address(&mut self) -> *mut c_void {
        self.0.as_mut_ptr().cast()
    }
}

type C = &'static mut dyn Cxu;
type Units = Vec<Unit<C, Vec<StateContext>>>;
type Slots = Vec<Slot<Virtual<Memory>>>;
type H = Hart<C, Vec<StateContext>, Units>;
type T = Thread<Memory, Slots>;
type M<R> = MachineHart<'static, C, Vec<StateContext>, Units, Memory, Slots, R>;

fn unit(cxu: impl Cxu + 'static) -> Unit<C, Vec<StateContext>> {
    let contexts = vec![StateContext::FREE; cxu.contexts()];
    Unit::new(Box::leak(Box::new(cxu)) as C, contexts).unwrap()
}

/// One context of what is exclusive, two of what is shared.
fn hart() -> H {
    let exclusive = RustUnit::<Mixer<1, 1>, _>::new([[0; 3]]);
    let shared = RustUnit::<Mixer<2, 3>, _>::new(vec![[0; 3]; 2]);
    Hart::new(0, vec![unit(exclusive), unit(shared), unit(RustUnit::<Adder, _>::new([(); 0]))])
}

fn thread(slots: usize) -> T {
    Thread::new((0..slots).map(|_| Slot::VACANT).collect()).unwrap()
}

fn open(hart: &mut H, thread: &mut T, cx: u64) -> Result<Selector, Error> {
    let memory = |words| Some(Memory(vec![0; words]));
    match hart.open(thread, uuid(cx), cx == 1, memory) {
        // SAFETY: the functions of this file.
        Err(Error::NoDevice) => unsafe { hart.emulate(thread, &ABSENT, false, memory) },
        opened => opened,
    }
}

/// What happens to both.
#[derive(Clone, Debug)]
enum Step {
    Open(u64),
    Close(usize),
    /// Another thread runs.
    Switch,
    /// Saves the state of the selected CX.
    Save,
    /// Loads it into what is selected then.
    Restore,
    /// Puts a selector into x5, of those that are or were open.
    Take(usize),
    Execute(Instruction),
}

fn registers() -> impl Strategy<Value = (u8, u8, u8)> {
    (0..8u8, 0..8u8, 0..8u8)
}

fn access(csr: impl Strategy<Value = u16>) -> impl Strategy<Value = Step> {
    let operation = prop_oneof![Just(CsrOperation::Write), Just(CsrOperation::Set), Just(CsrOperation::Clear)];
    let source = prop_oneof![(0..8u8).prop_map(CsrSource::Register), (0..32u8).prop_map(CsrSource::Immediate)];
    (csr, operation, 0..5u8, source).prop_map(|(csr, operation, rd, source)| {
        Step::Execute(Instruction::Csr(CsrAccess { csr, operation, rd, source }))
    })
}

fn step() -> impl Strategy<Value = Step> {
    let function = prop_oneof![0..10u16, Just(7u16), 1021..1024u16];
    let execute = |instruction: fn(u16, (u8, u8, u8), i16) -> Instruction| {
        move |(function, registers, number)| Step::Execute(instruction(function, registers, number))
    };
    let numbers = || -2048i16..2048;
    let select = CsrAccess { csr: 0x800, operation: CsrOperation::Write, rd: 6, source: CsrSource::Register(5) };
    prop_oneof![
        3 => (1..5u64).prop_map(Step::Open),
        1 => any::<usize>().prop_map(Step::Close),
        1 => Just(Step::Switch),
        1 => Just(Step::Save),
        1 => Just(Step::Restore),
        5 => any::<usize>().prop_map(Step::Take),
        5 => Just(Step::Execute(Instruction::Csr(select))),
        8 => (function.clone(), registers(), numbers()).prop_map(execute(|function, (rd, rs1, rs2), _| {
            Instruction::R { function, rd: rd.min(4), rs1, rs2 }
        })),
        4 => (0..8u16, registers(), numbers()).prop_map(execute(|function, (rd, rs1, _), immediate| {
            Instruction::I { function, rd: rd.min(4), rs1, immediate }
        })),
        4 => (function, registers(), numbers()).prop_map(execute(|function, (rd, rs1, rs2), _| {
            Instruction::Flex { function, rs1, rs2, immediate: rd }
        })),
        2 => access(prop_oneof![Just(0x800u16), Just(0x801), Just(0xBC0), Just(0x300)]),
        3 => access(Just(0x840u16)),
    ]
}

/// The operation of an instruction, but for flex, of which somebody else has to tell.
fn operation(instruction: Instruction, x: &[usize; 32]) -> Option<(u8, Operation)> {
    let command = |function: u16, rs1, rs2| Operation::Command { function: function.into(), rs1: x.get(rs1), rs2 };
    Some(match instruction {
        Instruction::R { function, rd, rs1, rs2 } => (rd, command(function, rs1, x.get(rs2))),
        Instruction::I { function, rd, rs1, immediate } => (rd, command(function, rs1, immediate as isize as usize)),
        Instruction::Flex { function, rs1, rs2, .. } => (0, command(function, rs1, x.get(rs2))),
        Instruction::Csr(access) => {
            let (op, value) = written(access, x);
            (access.rd, Operation::Csr { op, address: access.csr.into(), value })
        }
        _ => return None,
    })
}

fn written(access: CsrAccess, x: &[usize; 32]) -> (CsrOp, usize) {
    let (value, none) = match access.source {
        CsrSource::Register(n) => (x.get(n), n == 0),
        CsrSource::Immediate(n) => (n.into(), n == 0),
    };
    let op = match access.operation {
        CsrOperation::Write => CsrOp::Write,
        _ if none => CsrOp::Read,
        CsrOperation::Set => CsrOp::Set,
        CsrOperation::Clear => CsrOp::Clear,
    };
    (op, value)
}

/// With constants in the fields where a unit takes them.
fn decoded(cxu: &C, instruction: Instruction, operation: Operation) -> Operation {
    match (instruction, operation) {
        (Instruction::Flex { .. }, Operation::Command { function, rs1, rs2 }) => {
            let (function, rs2) = cxu.flex(function, instruction.immediate25().unwrap().into(), rs2);
            Operation::Command { function, rs1, rs2 }
        }
        _ => operation,
    }
}

/// How a program's instructions are executed.
trait Kind: HartCsrs + Sized {
    fn new() -> Self;
    /// False if it went to the firmware's function.
    fn execute(machine: &mut M<Self>, x: &mut [usize; 32], instruction: Instruction) -> bool;
    fn status(machine: &mut M<Self>) -> Status;
}

fn trapped<R: HartCsrs>(machine: &mut M<R>, x: &mut [usize; 32], instruction: Instruction) -> Outcome {
    handle(instruction.encode(Profile::DEFAULT).unwrap(), Profile::DEFAULT, x, machine)
}

impl Kind for Emulated {
    fn new() -> Self {
        Emulated
    }
    fn execute(machine: &mut M<Self>, x: &mut [usize; 32], instruction: Instruction) -> bool {
        let outcome = trapped(machine, x, instruction);
        assert_ne!(outcome, Outcome::Again);
        outcome == Outcome::Done
    }
    fn status(machine: &mut M<Self>) -> Status {
        machine.thread().status()
    }
}

/// The registers of a hart that has units: it does what does not trap.
#[derive(Default)]
struct Real {
    index: usize,
    status: usize,
    selector: usize,
    table: usize,
}

impl HartCsrs for Real {
    const IN_HART: bool = true;

    fn read(&mut self, csr: Csr) -> usize {
        match csr {
            Csr::CxIndex => self.index,
            Csr::CxStatus => self.status,
            Csr::McxSelector => self.selector,
            Csr::McxTable => self.table,
        }
    }

    fn write(&mut self, csr: Csr, value: usize) {
        match csr {
            Csr::CxIndex => {
                assert_ne!(self.table, 0, "the hart has no cx_index");
                self.index = value & 1023;
                let table = with_exposed_provenance::<u32>(self.table);
                // SAFETY: there is a table for as long as the hart.
                self.selector = unsafe { table.add(self.index).read_volatile() } as usize;
            }
            Csr::CxStatus => self.status = value,
            Csr::McxSelector => self.selector = value,
            Csr::McxTable => self.table = value,
        }
    }
}

impl Kind for Real {
    fn new() -> Self {
        Real::default()
    }

    fn execute(machine: &mut M<Self>, x: &mut [usize; 32], instruction: Instruction) -> bool {
        if let Instruction::Csr(access) = instruction {
            let (op, value) = written(access, x);
            let csr = Csr::from_number(access.csr).filter(|csr| match csr {
                Csr::CxStatus => true,
                Csr::CxIndex => machine.csrs().table != 0,
                Csr::McxSelector | Csr::McxTable => false,
            });
            if let Some(csr) = csr {
                let old = machine.csrs().read(csr);
                if let Some(new) = op.written(old, value) {
                    machine.csrs().write(csr, if csr == Csr::CxStatus { new & 0x7F } else { new });
                }
                x.set(access.rd, old);
                return true;
            }
            if access.csr != 0x840 {
                return trapped(machine, x, instruction) == Outcome::Done;
            }
        }
        let (rd, operation) = operation(instruction, x).unwrap();
        for _ in 0..2 {
            let selector = HartSelector::from_bits(machine.csrs().selector as u32);
            // Instructions of the processor's own it has none.
            if selector != HartSelector::BUILTIN
                && let Some(unit) = machine.hart().units().get_mut(usize::from(selector.cxu_id()))
            {
                let operation = decoded(unit.cxu(), instruction, operation);
                if let Ok((reply, flags)) = machine.hart().execute(selector, operation) {
                    machine.csrs().status |= flags.bits() as usize;
                    x.set(rd, reply.value);
                    return true;
                }
            }
            match trapped(machine, x, instruction) {
                Outcome::Done => return true,
                Outcome::Other => return false,
                Outcome::Again => {}
            }
        }
        panic!("it traps again");
    }

    fn status(machine: &mut M<Self>) -> Status {
        Status::from_bits(machine.csrs().status as u32)
    }
}

/// What is called.
struct Direct {
    hart: H,
    thread: T,
    open: Vec<Selector>,
    other: (T, Vec<Selector>),
    has_table: bool,
}

impl Direct {
    /// A hart with a table has the low bits of a selector only.
    fn seen(&self, selector: Selector) -> Selector {
        let index = selector.cx_index();
        let open = self.open.iter().find(|open| open.cx_index() == index).copied();
        if self.has_table { open.unwrap_or(Selector::from_raw(index.into())) } else { selector }
    }

    fn select_again(&mut self) {
        self.thread.select(self.seen(self.thread.selected()));
    }

    fn execute(&mut self, x: &mut [usize; 32], instruction: Instruction) -> bool {
        if let Instruction::Csr(access @ CsrAccess { csr: 0x800 | 0x801, .. }) = instruction {
            let (op, value) = written(access, x);
            let selected = self.thread.selected();
            let old = match access.csr {
                0x801 => self.thread.status().bits() as usize,
                _ if self.has_table => selected.cx_index().into(),
                _ => selected.raw() as isize as usize,
            };
            if let Some(new) = op.written(old, value) {
                match access.csr {
                    0x801 => drop(self.thread.set_status(Status::from_bits(new as u32))),
                    _ => drop(self.thread.select(self.seen(Selector::from_raw(new as i32)))),
                }
            }
            x.set(access.rd, old);
            return true;
        }
        let (rd, mut operation) = operation(instruction, x).unwrap();
        let selected = self.thread.selected();
        if selected == Selector::BUILTIN || matches!(operation, Operation::Csr { address: 0xBC0 | 0x300, .. }) {
            return false;
        }
        if let Some(unit) = self.thread.unit(selected) {
            operation = decoded(self.hart.units()[usize::from(unit)].cxu(), instruction, operation);
        } else if let (Instruction::Flex { .. }, Some(_), Operation::Command { function, rs1, rs2 }) =
            (instruction, self.thread.software_state(selected), operation)
        {
            let fields = usize::from(instruction.immediate25().unwrap());
            operation = Operation::Command { function: function ^ 1, rs1, rs2: rs2 ^ fields };
        }
        x.set(rd, self.hart.issue(&mut self.thread, operation).value);
        true
    }
}

fn switch(hart: &mut H, thread: &mut T, other: &mut T) {
    hart.suspend(thread);
    std::mem::swap(thread, other);
    hart.resume(thread).unwrap();
}

/// Both do it, and agree after each step.
fn agree<R: Kind>(steps: &[Step], has_table: bool) {
    let table = has_table.then(|| Box::leak(Box::new(SelectorWords::NEW)));
    let mut machine: M<R> = MachineHart::new(hart(), thread(6), table, R::new());
    let mut other = thread(2);
    let (hart, thread) = (hart(), self::thread(6));
    let mut direct = Direct { hart, thread, open: Vec::new(), other: (self::thread(2), Vec::new()), has_table };
    direct.hart.resume(&mut direct.thread).unwrap();
    let mut x: [usize; 32] = std::array::from_fn(|n| n.wrapping_mul(0x1234_5679));
    let (mut known, mut image) = (vec![Selector::INVALID, Selector::BUILTIN], vec![0; 8]);
    for (at, step) in steps.iter().enumerate() {
        let mut expected = x;
        match step.clone() {
            Step::Open(cx) => {
                let opened = open(&mut direct.hart, &mut direct.thread, cx);
                assert_eq!(machine.supervise(|hart, thread| open(hart, thread, cx)), opened, "{at}");
                if let Ok(selector) = opened {
                    known.push(selector);
                    direct.open.retain(|open| *open != selector);
                    direct.open.push(selector);
                }
                direct.select_again();
            }
            Step::Close(which) => {
                let selector = known[which % known.len()];
                let closed = direct.hart.close(&mut direct.thread, selector);
                assert_eq!(machine.supervise(|hart, thread| hart.close(thread, selector)), closed, "{at}");
                direct.open.retain(|open| direct.thread.is_open(*open));
                direct.select_again();
            }
            Step::Switch => {
                machine.supervise(|hart, thread| switch(hart, thread, &mut other));
                switch(&mut direct.hart, &mut direct.thread, &mut direct.other.0);
                std::mem::swap(&mut direct.open, &mut direct.other.1);
                direct.select_again();
            }
            Step::Save => {
                let mut saved = vec![0; 8];
                let done = direct.hart.save(&mut direct.thread, &mut saved);
                image.fill(0);
                assert_eq!(machine.supervise(|hart, thread| hart.save(thread, &mut image)), done, "{at}");
                // `cs` of hardware is the supervisor's.
                assert!(R::IN_HART || saved == image, "{at}");
                image = saved;
            }
            Step::Restore => {
                let done = direct.hart.restore(&mut direct.thread, &image, size_of_val(&image[..]));
                assert_eq!(
                    machine.supervise(|hart, thread| hart.restore(thread, &image, size_of_val(&image[..]))),
                    done,
                    "{at}"
                );
            }
            Step::Take(which) => {
                x[5] = known[which % known.len()].raw() as isize as usize;
                continue;
            }
            // On hardware nobody hides what the supervisor does with `cs`.
            Step::Execute(Instruction::R { function: 1022.., .. } | Instruction::Flex { function: 1022.., .. })
                if R::IN_HART =>
            {
                continue;
            }
            Step::Execute(instruction) => {
                let done = direct.execute(&mut expected, instruction);
                assert_eq!(R::execute(&mut machine, &mut x, instruction), done, "{at} {instruction:?}");
            }
        }
        assert_eq!(x, expected, "{at} {step:?}");
        assert_eq!(R::status(&mut machine), direct.thread.status(), "{at} {step:?}");
        if let Some(table) = machine.table() {
            for index in 0..1024u16 {
                let open = direct.open.iter().find(|open| open.cx_index() == index).copied();
                let selector = open.unwrap_or(if index == 0 { Selector::BUILTIN } else { Selector::INVALID });
                assert_eq!(table.entry(index), direct.thread.entry(selector), "{at} {step:?} {index}");
            }
        }
        if R::IN_HART {
            let selector = machine.csrs().read(Csr::McxSelector) as u32;
            assert_eq!(selector, direct.thread.entry(direct.thread.selected()).bits(), "{at} {step:?}");
        }
    }
    // Swaps are the same, so no trap was one too many.
    let (counters, of_direct) = (machine.hart().counters(), direct.hart.counters());
    assert_eq!((counters.swaps, counters.saved_bytes), (of_direct.swaps, of_direct.saved_bytes));
}

/// What the hart has selected is what is saved, though its supervisor was not told: here a state that has no context.
#[test]
fn what_the_hart_has_selected_is_saved() {
    let select = CsrAccess { csr: 0x800, operation: CsrOperation::Write, rd: 6, source: CsrSource::Register(5) };
    let steps = [Step::Open(1), Step::Open(1), Step::Take(3), Step::Execute(Instruction::Csr(select)), Step::Save];
    for has_table in [false, true] {
        agree::<Real>(&steps, has_table);
        agree::<Emulated>(&steps, has_table);
    }
}

/// An instruction that traps though its entry does not is none that comes back for ever.
#[test]
fn what_the_hart_does_not_know_goes_to_the_firmware() {
    let mut x = [1; 32];
    let mut machine: M<Real> = MachineHart::new(hart(), thread(2), None, Real::new());
    let selectors = [0, 1].map(|_| machine.supervise(|hart, thread| open(hart, thread, 1)).unwrap());
    let command = Instruction::R { function: 0, rd: 3, rs1: 1, rs2: 1 };
    for (selector, outcome) in [(selectors[0], Outcome::Other), (selectors[1], Outcome::Again)] {
        machine.select(selector);
        assert_eq!(trapped(&mut machine, &mut x, command), outcome);
        assert_eq!(trapped(&mut machine, &mut x, command), Outcome::Other);
    }
    assert_eq!((x, machine.csrs().status), ([1; 32], 0));
}

/// Enough for each of the paths; with `CX_LONG=1` for what is rare too.
fn cases() -> ProptestConfig {
    let long = std::env::var_os("CX_LONG").is_some();
    ProptestConfig { cases: if long { 20_000 } else { 150 }, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn instructions_that_trap_do_what_the_machine_does(steps in prop::collection::vec(step(), 1..120), table: bool) {
        agree::<Emulated>(&steps, table);
    }

    #[test]
    fn a_hart_with_the_registers_does_what_the_machine_does(steps in prop::collection::vec(step(), 1..120), table: bool) {
        agree::<Real>(&steps, table);
    }
}
