//! The worker: it has the CXUs, and the states of its guests.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::process::ExitCode;
use std::ptr::NonNull;
use std::sync::{Arc, PoisonError};

use lapis_cx_core::{CsrOp, Response, Sharing, SoftCxu};

use super::wire::{self, Listed, answer, record};
use crate::call::{run as engine_run, start};
use crate::locks::{Mutex, MutexGuard};
use crate::{Channel, Connection, Error, Geometry, Reader, Receiver, Sender, Wake};

/// What a state takes beside its memory: bytes, about.
const ALSO: usize = 128;

/// The CXUs of this process.
pub(super) struct Worker {
    cxus: Vec<Cxu>,
    /// The most bytes of states of a guest.
    most: usize,
}

struct Cxu {
    descriptor: &'static SoftCxu,
    listed: Listed,
    has_state: bool,
    /// Bytes of an image.
    image: usize,
}

/// What a guest has here.
#[derive(Default)]
struct States {
    entries: Vec<Entry>,
    free: Vec<u32>,
    bytes: usize,
}

#[derive(Default)]
struct Entry {
    /// How often it was used: a number of an earlier use is none.
    generation: u32,
    state: Option<Arc<State>>,
}

/// A state. Who has it while the guest ends it finds no memory.
struct State {
    cxu: u32,
    memory: Mutex<Option<Memory>>,
}

/// Memory for a state.
struct Memory {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: it is plain memory of its own, and functions of a CXU run on any thread.
unsafe impl Send for Memory {}

impl Memory {
    fn new(cxu: &SoftCxu) -> Option<Memory> {
        let layout =
            Layout::from_size_align(cxu.state_size, cxu.state_align).ok().filter(|layout| layout.size() > 0)?;
        // SAFETY: the size is not 0.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let memory = Memory { start, layout };
        memory.init(cxu);
        Some(memory)
    }

    /// Back to the reset values.
    fn init(&self, cxu: &SoftCxu) {
        // SAFETY: memory of a state of this CXU, of which this is the only use; who gave the descriptor vouches for the function.
        unsafe {
            self.start.as_ptr().write_bytes(0, self.layout.size());
            if let Some(init) = cxu.init {
                init(self.state());
            }
        }
    }

    fn state(&self) -> *mut c_void {
        self.start.as_ptr().cast()
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout, and is freed here only.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a state of this CXU counts against the guest.
fn cost(cxu: &SoftCxu) -> usize {
    cxu.state_size.saturating_add(ALSO)
}

impl States {
    fn find(&self, state: u64) -> Option<&Arc<State>> {
        let (index, generation) = (state as u32, (state >> 32) as u32);
        let entry = self.entries.get(index as usize).filter(|entry| entry.generation == generation)?;
        entry.state.as_ref()
    }

    /// A new state; `None` if the guest has too many.
    fn begin(&mut self, (number, cxu): (u32, &SoftCxu), most: usize) -> Option<u64> {
        let bytes = self.bytes.checked_add(cost(cxu)).filter(|bytes| *bytes <= most)?;
        let memory = Memory::new(cxu)?;
        let index = match self.free.pop() {
            Some(index) => index,
            None => {
                self.entries.push(Entry::default());
                u32::try_from(self.entries.len() - 1).ok()?
            }
        };
        let entry = self.entries.get_mut(index as usize)?;
        entry.generation += 1;
        entry.state = Some(Arc::new(State { cxu: number, memory: Mutex::new(Some(memory)) }));
        self.bytes = bytes;
        Some(u64::from(entry.generation) << 32 | u64::from(index))
    }

    fn end(&mut self, state: u64, cxus: &[Cxu]) {
        if self.find(state).is_none() {
            return;
        }
        let index = state as u32;
        let Some(entry) = self.entries.get_mut(index as usize) else { return };
        let Some(ended) = entry.state.take() else { return };
        // A number is not used again once all generations were.
        if entry.generation < u32::MAX {
            self.free.push(index);
        }
        self.bytes -= cxus.get(ended.cxu as usize).map_or(0, |cxu| cost(cxu.descriptor));
        *lock(&ended.memory) = None;
    }
}

/// Why something was not done.
enum Fault {
    Channel(Error),
    Refused,
}

impl From<Error> for Fault {
    fn from(why: Error) -> Fault {
        match why {
            // The record has less than it must have: that one is refused.
            Error::End | Error::Cut => Fault::Refused,
            why => Fault::Channel(why),
        }
    }
}

/// A record that has more than it must is refused before anything is done.
fn whole(from: &Reader<'_>) -> Result<(), Fault> {
    if from.remaining() == 0 && !from.is_open() { Ok(()) } else { Err(Fault::Refused) }
}

/// What is answered.
enum Answer {
    Nothing,
    /// Not even that.
    None,
    List,
    /// A response, or a function; and a word.
    Pair(u32, u64),
    State(u64),
    /// So many bytes of the buffer.
    Image(usize),
}

impl Worker {
    /// # Errors
    ///
    /// A descriptor has a defect, or two are of one interface at one XLEN.
    pub fn new(cxus: &[&'static SoftCxu], most: usize) -> Result<Worker, String> {
        let mut all: Vec<Cxu> = Vec::new();
        for descriptor in cxus {
            let listed = Listed::new(descriptor).map_err(|why| format!("CXU {}: {why}", all.len()))?;
            let is_same = |cxu: &Cxu| (cxu.listed.uuid, cxu.listed.xlen) == (listed.uuid, listed.xlen);
            if all.iter().any(is_same) {
                return Err(format!("two CXUs have the UUID {} at XLEN {}", listed.uuid, listed.xlen));
            }
            let has_state = descriptor.sharing() != Sharing::Stateless;
            all.push(Cxu { descriptor, listed, has_state, image: descriptor.image_size().unwrap_or(0) });
        }
        if all.is_empty() {
            return Err("there are no CXUs to serve".to_owned());
        }
        if all.len() > wire::MOST as usize {
            return Err(format!("there can be {} CXUs, not {}", wire::MOST, all.len()));
        }
        Ok(Worker { cxus: all, most })
    }

    /// Does the commands of a guest until it ends.
    pub fn serve(self: &Arc<Worker>, connection: &Connection) {
        let states: Arc<Mutex<States>> = Arc::default();
        let mut threads: Vec<std::thread::JoinHandle<()>> = Vec::new();
        while let Ok(channel) = connection.accept() {
            let (worker, states) = (Arc::clone(self), Arc::clone(&states));
            threads.retain(|thread| !thread.is_finished());
            threads.extend(start::thread("lapis-cx-cxu", move || {
                let mut lane = Lane { worker: &worker, states: &states, last: None, image: Vec::new() };
                let Channel { mut sender, mut receiver, .. } = channel;
                while lane.turn(&mut sender, &mut receiver).is_ok() {}
            }));
        }
        engine_run::is_left();
        for thread in threads {
            // It does not panic; if it did, it has said so.
            let _ = thread.join();
        }
    }
}

/// A thread that does the commands of one thread of a guest.
struct Lane<'a> {
    worker: &'a Worker,
    states: &'a Mutex<States>,
    /// The state of the last command: the next one is mostly for the same.
    last: Option<(u64, Arc<State>)>,
    /// For images, aligned for any word.
    image: Vec<u64>,
}

impl Lane<'_> {
    fn turn(&mut self, sender: &mut Sender, receiver: &mut Receiver) -> Result<(), Error> {
        let mut from = receiver.next()?;
        let done = match self.answer(&mut from) {
            // Nobody waits for an answer to this one.
            Err(Fault::Refused) if from.kind() == record::END => Ok(Answer::None),
            done => done,
        };
        drop(from);
        let answer = match done {
            Ok(Answer::None) => return Ok(()),
            Ok(answer) => answer,
            Err(Fault::Channel(why)) => return Err(why),
            Err(Fault::Refused) => return sender.record(answer::REFUSED).commit(Wake::Now),
        };
        let mut to = sender.record(answer::DONE);
        match answer {
            Answer::Nothing | Answer::None => {}
            Answer::List => {
                to.put_u32(self.worker.cxus.len() as u32);
                self.worker.cxus.iter().for_each(|cxu| cxu.listed.put(&mut to));
            }
            Answer::Pair(first, second) => {
                to.put_u32(first);
                to.put_u64(second);
            }
            Answer::State(state) => to.put_u64(state),
            Answer::Image(size) => to.put(self.bytes(size)),
        }
        to.commit(Wake::Now)
    }

    fn answer(&mut self, from: &mut Reader<'_>) -> Result<Answer, Fault> {
        match from.kind() {
            record::LIST => whole(from).map(|()| Answer::List),
            record::ISSUE => {
                let both = from.get_u64()?;
                let (state, rs1, rs2) = (from.get_u64()?, from.get_u64()? as usize, from.get_u64()? as usize);
                whole(from)?;
                let issue = self.cxu(both as u32)?.descriptor.issue.ok_or(Fault::Refused)?;
                self.with(both as u32, state, |state| {
                    let mut rd = 0;
                    // SAFETY: a state of this CXU that nobody else uses, or none if it needs none; any function has an answer.
                    let response = unsafe { issue(state, (both >> 32) as u32, rs1, rs2, &raw mut rd) };
                    Answer::Pair(response, rd as u64)
                })
            }
            record::CSR => {
                let both = from.get_u64()?;
                let (state, op, value) = (from.get_u64()?, from.get_u32()?, from.get_u64()? as usize);
                whole(from)?;
                let csr = self.cxu(both as u32)?.descriptor.csr;
                self.with(both as u32, state, |state| {
                    let (Some(csr), Some(op)) = (csr, CsrOp::from_code(op)) else {
                        return Answer::Pair(Response::Func.code(), 0);
                    };
                    let mut old = 0;
                    // SAFETY: as for a command; an address that has no CSR has an answer.
                    let response = unsafe { csr(state, op as u32, (both >> 32) as u32 & 0xFFF, value, &raw mut old) };
                    Answer::Pair(response, old as u64)
                })
            }
            record::INIT => self.init(from),
            record::SAVE => self.save(from),
            record::RESTORE => self.restore(from),
            record::FLEX => {
                let (number, function, fields) = (from.get_u32()?, from.get_u32()?, from.get_u32()?);
                let mut rs2 = from.get_u64()? as usize;
                whole(from)?;
                let Some(flex) = self.cxu(number)?.descriptor.flex else { return Err(Fault::Refused) };
                // SAFETY: numbers, any of which have an answer, and a place for the operand.
                let function = unsafe { flex(function, fields & 0x7FFF, &raw mut rs2) };
                Ok(Answer::Pair(function, rs2 as u64))
            }
            record::END => {
                let count = from.get_u32()?;
                self.last = None;
                for _ in 0..count {
                    let state = from.get_u64()?;
                    lock(self.states).end(state, &self.worker.cxus);
                }
                Ok(Answer::None)
            }
            _ => Err(Fault::Refused),
        }
    }

    /// Makes a state, or makes one of this guest new again.
    fn init(&mut self, from: &mut Reader<'_>) -> Result<Answer, Fault> {
        let (number, old) = (from.get_u32()?, from.get_u64()?);
        whole(from)?;
        let cxu = self.cxu(number)?;
        if !cxu.has_state {
            return Err(Fault::Refused);
        }
        if self.find(number, old).is_ok() {
            return self.with_memory(number, old, |memory| {
                memory.init(cxu.descriptor);
                Answer::State(old)
            });
        }
        let mut states = lock(self.states);
        states.end(old, &self.worker.cxus);
        states.begin((number, cxu.descriptor), self.worker.most).map(Answer::State).ok_or(Fault::Refused)
    }

    /// Saves a state as an image.
    fn save(&mut self, from: &mut Reader<'_>) -> Result<Answer, Fault> {
        let (number, state) = (from.get_u32()?, from.get_u64()?);
        whole(from)?;
        let cxu = self.cxu(number)?;
        let (save, size) = (cxu.descriptor.save.ok_or(Fault::Refused)?, cxu.image);
        let image = self.room(size)?;
        self.with(number, state, |state| {
            // SAFETY: a state of this CXU, and room for an image of it.
            unsafe { save(state.cast_const(), image) };
            Answer::Image(size)
        })
    }

    /// Restores a state from an image, which follows.
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<Answer, Fault> {
        let (number, state) = (from.get_u32()?, from.get_u64()?);
        let cxu = self.cxu(number)?;
        let (restore, size) = (cxu.descriptor.restore.ok_or(Fault::Refused)?, cxu.image);
        let image = self.room(size)?;
        from.get(self.bytes(size))?;
        whole(from)?;
        self.with(number, state, |state| {
            // SAFETY: a state of this CXU, and an image of its size, in which any words may stand.
            unsafe { restore(state, image.cast_const()) };
            Answer::Nothing
        })
    }

    fn cxu<'w>(&self, number: u32) -> Result<&'w Cxu, Fault>
    where
        Self: 'w,
    {
        self.worker.cxus.get(number as usize).ok_or(Fault::Refused)
    }

    /// A state of this guest and of this CXU.
    fn find(&mut self, cxu: u32, state: u64) -> Result<&Arc<State>, Fault> {
        if self.last.as_ref().is_none_or(|(last, _)| *last != state) {
            let found = lock(self.states).find(state).cloned().ok_or(Fault::Refused)?;
            self.last = Some((state, found));
        }
        match &self.last {
            Some((_, found)) if found.cxu == cxu => Ok(found),
            _ => Err(Fault::Refused),
        }
    }

    fn with_memory(&mut self, cxu: u32, state: u64, work: impl FnOnce(&Memory) -> Answer) -> Result<Answer, Fault> {
        let found = self.find(cxu, state)?;
        let memory = lock(&found.memory);
        memory.as_ref().map(work).ok_or(Fault::Refused)
    }

    /// Does something with a state, alone; with null if the CXU has none.
    #[inline]
    fn with(&mut self, cxu: u32, state: u64, work: impl FnOnce(*mut c_void) -> Answer) -> Result<Answer, Fault> {
        if self.cxu(cxu)?.has_state {
            self.with_memory(cxu, state, |memory| work(memory.state()))
        } else {
            Ok(work(std::ptr::null_mut()))
        }
    }

    /// Zeroed room for an image.
    fn room(&mut self, size: usize) -> Result<*mut c_void, Fault> {
        let words = size.div_ceil(size_of::<u64>());
        self.image.clear();
        self.image.try_reserve_exact(words).map_err(|_| Fault::Refused)?;
        self.image.resize(words, 0);
        Ok(self.image.as_mut_ptr().cast())
    }

    /// The first bytes of it.
    fn bytes(&mut self, size: usize) -> &mut [u8] {
        let size = size.min(size_of_val(&*self.image));
        // SAFETY: so many are there, and any bytes are words.
        unsafe { std::slice::from_raw_parts_mut(self.image.as_mut_ptr().cast(), size) }
    }
}

/// Serves these CXUs as the arguments say, without the program's name: the guest that started this process, or with `--listen PATH` all
/// of this user that connect there.
///
/// # Errors
///
/// What stands against it, in words.
///
/// # Safety
///
/// The functions and pointers of the descriptors keep what `cx_abi.h` asks of them.
pub unsafe fn serve(cxus: &[&'static SoftCxu], arguments: &[String]) -> Result<(), String> {
    let worker = Arc::new(Worker::new(cxus, start::limits().kept)?);
    engine_run::run((wire::library(), Geometry::default()), arguments, move |connection| worker.serve(&connection))
}

/// What `cx-cxu-worker` does with its arguments, which are without its name: `--load LIBRARY[:SYMBOL]` for each CXU, as [`load`](super::load)
/// has it; the rest as [`serve`]. What stands against it is said on standard error.
///
/// # Safety
///
/// As [`load`](super::load).
pub unsafe fn run(arguments: impl IntoIterator<Item = String>) -> ExitCode {
    let (mut cxus, mut rest) = (Vec::new(), Vec::new());
    let mut arguments = arguments.into_iter();
    let served = (|| {
        while let Some(argument) = arguments.next() {
            if argument != "--load" {
                rest.push(argument);
                continue;
            }
            let library = arguments.next().ok_or("--load wants LIBRARY or LIBRARY:SYMBOL")?;
            // SAFETY: as the caller says.
            cxus.push(unsafe { super::load(&library) }.map_err(|why| why.to_string())?);
        }
        if cxus.is_empty() {
            return Err(
                "usage: --load LIBRARY[:SYMBOL] for each CXU; then --listen PATH, or nothing if a guest starts it"
                    .to_owned(),
            );
        }
        // SAFETY: who wrote the libraries vouches for them.
        unsafe { serve(&cxus, &rest) }
    })();
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            start::say(&why);
            ExitCode::FAILURE
        }
    }
}
