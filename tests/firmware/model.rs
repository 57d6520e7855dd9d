//! The machine in C and the machine in Rust answer every step of random programs the same: opens, selections, instructions,
//! images, flags, and what was swapped. Both run the same fallbacks, each over states of its own.

use std::ffi::{CString, c_char, c_int, c_void};
use std::mem::{MaybeUninit, size_of};
use std::path::Path;

use lapis_cx_core::encoding::{CsrAccess, CsrOperation, CsrSource, Instruction, Profile};
use lapis_cx_core::machine::{Hart, Image, Operation, SoftUnit, StateContext, Thread, Unit, Virtual};
use lapis_cx_core::{CsrOp, Error, Selector, Sharing, Slot, SoftCxu, Status, Uuid};
use lapis_cx_tests::cc::{self, COMPILERS, Language};
use lapis_cx_tests::{long, spec};

/// How many CXs can be open: `CX_MAX_OPEN`.
const SLOTS: usize = 16;
/// The CXUs of the platform, by place: their id and the C name.
const CXUS: [(u8, &str); 5] = [(0, "own"), (3, "common"), (4, "pinned"), (9, "plain"), (255, "own")];

#[link(name = "dl")]
unsafe extern "C" {
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, symbol: *const c_char) -> *mut c_void;
}
const RTLD_NOW: c_int = 2;

/// `struct cx_counters`.
#[repr(C)]
#[derive(Default, PartialEq, Debug)]
struct Counters([u64; 4]);

/// The machine in C, as a library of its own.
struct InC {
    open: unsafe extern "C" fn(*const Uuid, c_int) -> c_int,
    close: unsafe extern "C" fn(c_int),
    is_cx: unsafe extern "C" fn(c_int) -> bool,
    selected: unsafe extern "C" fn() -> c_int,
    select: unsafe extern "C" fn(c_int) -> c_int,
    save: unsafe extern "C" fn(*mut c_void, usize) -> usize,
    restore: unsafe extern "C" fn(*mut c_void, usize),
    status: unsafe extern "C" fn() -> u32,
    error: unsafe extern "C" fn() -> c_int,
    counters: unsafe extern "C" fn(*mut Counters),
    selector: unsafe extern "C" fn() -> u32,
    trap: unsafe extern "C" fn(*mut u64, *mut u64, u32) -> bool,
    issue: unsafe extern "C" fn(u32, usize, usize) -> usize,
    cxus: Vec<&'static SoftCxu>,
}

/// A function of the machine, as a member of [`InC`] declares it.
fn function<F: Copy>(symbol: *mut c_void) -> F {
    assert_eq!(size_of::<F>(), size_of::<*mut c_void>());
    // SAFETY: the declarations of cx.h, cx_abi.h and cx_machine.h, and a pointer to a function is as large as one to an object.
    unsafe { std::mem::transmute_copy(&symbol) }
}

impl InC {
    fn load(library: &Path) -> InC {
        let name = CString::new(library.to_str().unwrap()).unwrap();
        // SAFETY: the library was just made, and runs nothing when it is loaded.
        let library = unsafe { dlopen(name.as_ptr(), RTLD_NOW) };
        assert!(!library.is_null(), "{name:?} cannot be loaded");
        let symbol = |name: &str| {
            let symbol = CString::new(name).unwrap();
            // SAFETY: the library stays loaded.
            let found = unsafe { dlsym(library, symbol.as_ptr()) };
            assert!(!found.is_null(), "{name} is not there");
            found
        };
        // SAFETY: descriptors of generated fallbacks, which stay.
        let cxus = CXUS.map(|(_, name)| unsafe { &*symbol(&format!("{name}_soft_cxu")).cast::<SoftCxu>() });
        InC {
            open: function(symbol("cx_open")),
            close: function(symbol("cx_close")),
            is_cx: function(symbol("cx_sel_is_cx")),
            selected: function(symbol("cx_get_sel")),
            select: function(symbol("cx_select")),
            save: function(symbol("cx_save")),
            restore: function(symbol("cx_restore")),
            status: function(symbol("cx_status_read")),
            error: function(symbol("cx_last_error")),
            counters: function(symbol("cx_read_counters")),
            selector: function(symbol("cx_machine_selector")),
            trap: function(symbol("cx_trap")),
            issue: function(symbol("cx_abi3_issue")),
            cxus: cxus.to_vec(),
        }
    }
}

/// Memory for an image.
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
type H = Hart<SoftUnit<'static>, Vec<StateContext>, Vec<Unit<SoftUnit<'static>, Vec<StateContext>>>>;

/// A unit with states of its own.
fn unit(cxu: &'static SoftCxu, contexts: usize) -> Unit<SoftUnit<'static>, Vec<StateContext>> {
    let contexts = if cxu.sharing() == Sharing::Stateless { 0 } else { contexts };
    let words = contexts * SoftUnit::stride(cxu).unwrap().div_ceil(8);
    let memory: &'static mut [u64] = Box::leak(vec![0; words].into_boxed_slice());
    // SAFETY: bytes of integers that nobody else uses.
    let memory = unsafe { std::slice::from_raw_parts_mut(memory.as_mut_ptr().cast::<MaybeUninit<u8>>(), words * 8) };
    // SAFETY: functions of a generated fallback.
    let unit = unsafe { SoftUnit::new(cxu, contexts, memory) }.unwrap();
    Unit::new(unit, vec![StateContext::FREE; contexts]).unwrap()
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn next(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }

    fn word(&mut self) -> u64 {
        let [low, high] = [self.next(1 << 31), self.next(1 << 31)];
        [low as u64, (low as u64) << 33 ^ (high as u64) << 2, u64::MAX, 0][self.next(4)]
    }
}

struct Both {
    c: InC,
    hart: H,
    thread: T,
    seen: Vec<Selector>,
    random: Random,
}

impl Both {
    fn new(c: InC, contexts: usize, seed: u64) -> Both {
        // Units of the same CX have one number of contexts each. Ids without a CXU have one that no program finds.
        let last = usize::from(CXUS[CXUS.len() - 1].0);
        let absent: &'static SoftCxu = Box::leak(Box::new(SoftCxu { uuid: Uuid { high: 9, low: 9 }, ..*c.cxus[3] }));
        let at = |id: usize| CXUS.iter().position(|(of, _)| usize::from(*of) == id);
        let units = (0..=last).map(|id| match at(id) {
            Some(place) => unit(c.cxus[place], contexts),
            None => unit(absent, 0),
        });
        let mut hart = Hart::new(0, units.collect());
        let mut thread = Thread::new((0..SLOTS).map(|_| Slot::VACANT).collect()).unwrap();
        hart.resume(&mut thread).unwrap();
        Both { c, hart, thread, seen: vec![Selector::INVALID, Selector::BUILTIN], random: Random(seed) }
    }

    fn some_selector(&mut self) -> Selector {
        self.seen[self.random.next(self.seen.len())]
    }

    fn error(&self) -> i32 {
        // SAFETY: it takes nothing.
        unsafe { (self.c.error)() }
    }

    fn open(&mut self, at: &str) {
        let place = self.random.next(CXUS.len() + 1);
        let uuid = self.c.cxus.get(place).map_or(Uuid { high: 1, low: 2 }, |cxu| cxu.uuid);
        let usual = self.c.cxus.get(place).is_some_and(|cxu| cxu.sharing() == Sharing::Exclusive);
        let exclusive = usual != (self.random.next(10) == 0);
        // SAFETY: a UUID.
        let found = unsafe { (self.c.open)(&raw const uuid, c_int::from(exclusive)) };
        let opened = self.hart.open(&mut self.thread, uuid, exclusive, |words| Some(Memory(vec![0; words])));
        assert_eq!(found, opened.map_or(-1, Selector::raw), "{at}");
        assert_eq!(self.error(), opened.err().map_or(0, Error::code), "{at}");
        self.seen.extend(opened.ok().filter(|opened| !self.seen.contains(opened)));
    }

    fn close(&mut self, at: &str) {
        let selector = self.some_selector();
        // SAFETY: any selector may be closed.
        unsafe { (self.c.close)(selector.raw()) };
        let closed = self.hart.close(&mut self.thread, selector);
        assert_eq!(self.error(), closed.err().map_or(0, Error::code), "{at}");
        // Of those that are stale the last ones stay.
        let is_stale = |selector: &Selector| selector.raw() > 0 && !self.thread.is_open(*selector);
        if self.seen.iter().filter(|selector| is_stale(selector)).count() > 6 {
            let oldest = self.seen.iter().position(is_stale).unwrap();
            self.seen.remove(oldest);
        }
    }

    fn select(&mut self, at: &str) {
        let selector = self.some_selector();
        // SAFETY: any selector may be selected.
        let found = unsafe { (self.c.select)(selector.raw()) };
        assert_eq!(found, self.thread.select(selector).raw(), "{at}");
    }

    fn save_and_restore(&mut self, at: &str) {
        let (mut found, mut wanted) = (vec![0u64; 8], vec![0u64; 8]);
        let room = [64, 8][usize::from(self.random.next(8) == 0)];
        // SAFETY: the image has so many bytes.
        let bytes = unsafe { (self.c.save)(found.as_mut_ptr().cast(), room) };
        let error = self.error();
        // As in the runtime, the size is looked at before the state is brought in; no image of these has one word.
        let has_state = self.thread.unit(self.thread.selected()).is_some_and(|unit| unit != 9);
        let saved = match has_state && room == 8 {
            true => Err(Error::Invalid),
            false => self.hart.save(&mut self.thread, &mut wanted),
        };
        assert_eq!((bytes, error), saved.map_or_else(|e| (0, e.code()), |bytes| (bytes, 0)), "{at}");
        if bytes == 0 {
            return;
        }
        assert_eq!(found, wanted, "{at}");
        found[1] = self.random.word();
        found[0] = found[0] & !3 | self.random.next(4) as u64;
        if self.random.next(8) == 0 {
            let mut other = found.clone();
            other[0] ^= 1 << 4;
            // SAFETY: as above.
            unsafe { (self.c.restore)(other.as_mut_ptr().cast(), 64) };
            assert_eq!(self.error(), Error::Invalid.code(), "{at}: another state size");
        }
        // SAFETY: as above; the last byte is there, as the image is not as long as its memory.
        unsafe {
            let moved = found.as_mut_ptr().cast::<u8>().add(1);
            moved.copy_from(found.as_ptr().cast(), bytes);
            (self.c.restore)(moved.cast(), bytes);
            moved.sub(1).copy_from(moved, bytes);
        }
        assert_eq!(self.error(), 0, "{at}");
        self.hart.restore(&mut self.thread, &found).unwrap();
    }

    /// An instruction of any form, and what a hart is asked for by it.
    fn instruction(&mut self, registers: &[u64; 32]) -> (Instruction, Operation) {
        let random = &mut self.random;
        let [rd, rs1, rs2] = [(); 3].map(|()| random.next(32) as u8);
        let [a, b] = [rs1, rs2].map(|register| registers[usize::from(register)] as usize);
        let command = |function, rs1, rs2| Operation::Command { function, rs1, rs2 };
        match random.next(10) {
            0 => {
                let function = [0, 1, 3][random.next(3)];
                let immediate = random.next(4096) as i16 - 2048;
                let instruction = Instruction::I { function, rd, rs1, immediate };
                (instruction, command(u32::from(function), a, immediate as usize))
            }
            1 => {
                let (function, immediate) = ([14, 15, 16, 17, 1000][random.next(5)], random.next(32) as u8);
                let instruction = Instruction::Flex { function, rs1, rs2, immediate };
                let is_own = self.thread.unit(self.thread.selected()).is_some_and(|unit| unit == 0 || unit == 255);
                let operation = match function {
                    14 if is_own => command(14 | u32::from(immediate) << 16, a, b),
                    15 if is_own => command(15, a, immediate.into()),
                    17 if is_own => command(17, a, instruction.immediate25().unwrap().into()),
                    _ => command(function.into(), a, b),
                };
                (instruction, operation)
            }
            2 => {
                let operation = [CsrOperation::Write, CsrOperation::Set, CsrOperation::Clear][random.next(3)];
                let csr = [0x840, 0x840, 0x7C0, 0xCC0][random.next(4)];
                let (source, value) = match random.next(2) {
                    0 => (CsrSource::Register(rs1), a),
                    _ => (CsrSource::Immediate(rs1), usize::from(rs1)),
                };
                let op = match operation {
                    CsrOperation::Write => CsrOp::Write,
                    _ if rs1 == 0 => CsrOp::Read,
                    CsrOperation::Set => CsrOp::Set,
                    CsrOperation::Clear => CsrOp::Clear,
                };
                let access = Instruction::Csr(CsrAccess { csr, operation, rd, source });
                (access, Operation::Csr { op, address: csr.into(), value })
            }
            _ => {
                let function = [0, 0, 0, 1, 1, 2, 3, 5, 1020, 1021, 1022, 1023][random.next(12)];
                (Instruction::R { function, rd, rs1, rs2 }, command(function.into(), a, b))
            }
        }
    }

    /// Whether an instruction is none of the machine's: the processor's own, or a write of a CSR that is read only.
    fn is_illegal(&self, instruction: &Instruction, operation: Operation) -> bool {
        let writes = matches!(operation, Operation::Csr { op, .. } if op != CsrOp::Read);
        let is_read_only = matches!(instruction, Instruction::Csr(access) if access.csr >> 10 == 3);
        self.thread.selected() == Selector::BUILTIN || (writes && is_read_only)
    }

    fn issue(&mut self, at: &str) {
        let mut registers = [(); 32].map(|()| self.random.word());
        registers[0] = 0;
        // For commands that take a place or a status word.
        (1..12).for_each(|place| registers[place] = self.random.next(4) as u64 | (self.random.next(2) as u64) << 24);
        let (instruction, operation) = self.instruction(&registers);
        let at = &format!("{at} {instruction:?} {registers:x?}");
        let (mut after, mut pc) = (registers, 0x1000);
        let word = instruction.encode(Profile::DEFAULT).unwrap();
        let is_illegal = self.is_illegal(&instruction, operation);
        if is_illegal {
            // SAFETY: there are 32 registers.
            assert!(!unsafe { (self.c.trap)(after.as_mut_ptr(), &raw mut pc, word) }, "{at}");
            assert_eq!((after, pc), (registers, 0x1000), "{at}");
        }
        if let (Operation::Command { function, rs1, rs2 }, true) = (operation, is_illegal || self.random.next(4) == 0) {
            let wanted = self.hart.issue(&mut self.thread, operation);
            // SAFETY: any command may be issued.
            assert_eq!(unsafe { (self.c.issue)(function, rs1, rs2) }, wanted.value, "{at}");
        }
        if is_illegal {
            return;
        }
        let wanted = self.hart.issue(&mut self.thread, operation);
        // SAFETY: there are 32 registers.
        assert!(unsafe { (self.c.trap)(after.as_mut_ptr(), &raw mut pc, word) }, "{at}");
        let rd = match instruction {
            Instruction::R { rd, .. } | Instruction::I { rd, .. } => rd,
            Instruction::Csr(access) => access.rd,
            _ => 0,
        };
        if rd != 0 {
            registers[usize::from(rd)] = wanted.value as u64;
        }
        assert_eq!((after, pc), (registers, 0x1004), "{at}");
    }

    /// An access of `cx_index` or `cx_status`, with each of the six instructions.
    fn own_csr(&mut self, at: &str) {
        let operation = [CsrOperation::Write, CsrOperation::Set, CsrOperation::Clear][self.random.next(3)];
        let csr = [0x800, 0x801][self.random.next(2)];
        let selector = self.some_selector();
        let mut registers = [0u64; 32];
        registers[5] = if csr == 0x800 { i64::from(selector.raw()) as u64 } else { self.random.word() };
        let immediate = self.random.next(32) as u8;
        let source =
            [CsrSource::Register(5), CsrSource::Register(0), CsrSource::Immediate(immediate)][self.random.next(3)];
        let (value, writes) = match source {
            CsrSource::Register(n) => (registers[usize::from(n)], n != 0),
            CsrSource::Immediate(n) => (n.into(), n != 0),
        };
        let old = match csr {
            0x800 => i64::from(self.thread.selected().raw()) as u64,
            _ => self.thread.status().bits().into(),
        };
        let new = match operation {
            CsrOperation::Write => value,
            CsrOperation::Set => old | value,
            CsrOperation::Clear => old & !value,
        };
        if writes || operation == CsrOperation::Write {
            match csr {
                0x800 => drop(self.thread.select(Selector::from_raw(new as i32))),
                _ => drop(self.thread.set_status(Status::from_bits(new as u32))),
            }
        }
        let word = CsrAccess { csr, operation, rd: 7, source }.encode().unwrap();
        let mut pc = 0;
        // SAFETY: there are 32 registers.
        assert!(unsafe { (self.c.trap)(registers.as_mut_ptr(), &raw mut pc, word) }, "{at}");
        assert_eq!((registers[7], pc), (old, 4), "{at} {operation:?} {csr:#x} {source:?}");
    }

    /// What is none of the machine's changes nothing.
    fn foreign(&mut self, at: &str) {
        let words = [0x0000_0013, 0x0000_0073, 0x3000_2073, 0x0000_007B, 0x0000_0001, 0x3400_9073, 0xBC00_9073, 0, !0];
        let mut registers = [7u64; 32];
        let mut pc = 0x1000;
        let word = words[self.random.next(words.len())];
        // SAFETY: there are 32 registers.
        assert!(!unsafe { (self.c.trap)(registers.as_mut_ptr(), &raw mut pc, word) }, "{at} {word:#x}");
        assert_eq!((registers, pc), ([7; 32], 0x1000), "{at}");
    }

    fn step(&mut self, at: &str) {
        match self.random.next(32) {
            0..=2 => self.open(at),
            3..=4 => self.close(at),
            5..=10 => self.select(at),
            11..=12 => self.save_and_restore(at),
            13..=14 => self.own_csr(at),
            15 => self.foreign(at),
            _ => self.issue(at),
        }
        let selected = self.thread.selected();
        let mut counters = Counters::default();
        // SAFETY: these take nothing, or memory for the counters.
        let (found, status, selector) = unsafe {
            (self.c.counters)(&raw mut counters);
            ((self.c.selected)(), (self.c.status)(), (self.c.selector)())
        };
        assert_eq!(found, selected.raw(), "{at}");
        assert_eq!(status, self.thread.status().bits(), "{at}");
        assert_eq!(selector, self.thread.entry(selected).bits(), "{at}");
        let wanted = self.hart.counters();
        let wanted = [wanted.traps, wanted.swaps, wanted.saved_bytes, wanted.loaded_bytes];
        assert_eq!(counters, Counters(wanted), "{at}");
        let some = self.some_selector();
        // SAFETY: any selector may be asked for.
        assert_eq!(unsafe { (self.c.is_cx)(some.raw()) }, self.thread.is_open(some), "{at}");
    }
}

#[test]
fn the_machine_in_c_is_that_in_rust() {
    let steps = if long() { 2_000_000 } else { 100_000 };
    let mut swaps = 0;
    for contexts in 1..=4 {
        let folder = tempfile::tempdir().unwrap();
        let text = include_str!("units.cxspec").replace("contexts 1;", &format!("contexts {contexts};"));
        spec::write(&super::build("units", &text), folder.path());
        for (place, table) in [0, 1].into_iter().enumerate() {
            let compiler = COMPILERS[(place + contexts) % 2];
            let mut command = compiler.command(Language::C11);
            command.args(cc::WARNINGS).args(["-O1", "-fPIC", "-shared", "-Wl,-Bsymbolic"]);
            command.arg(format!("-DCX_MCX_TABLE={table}")).args(super::includes(folder.path()));
            let library = folder.path().join(format!("machine{table}.so"));
            cc::program(command, &[folder.path().join("src/org_example_units__Units_machine.c")], &library);
            let seed = (contexts * 2 + table) as u64;
            let mut both = Both::new(InC::load(&library), contexts, seed);
            for step in 0..steps {
                both.step(&format!("contexts {contexts} table {table} step {step}"));
            }
            swaps += both.hart.counters().swaps;
        }
    }
    assert!(swaps > 10_000, "{swaps}");
    assert_eq!(size_of::<Counters>(), 32);
}
