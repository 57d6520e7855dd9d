//! The worker, which has the CXUs and the states of its guests.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::process::ExitCode;
use std::ptr::NonNull;
use std::sync::Arc;

use lapis_cx_core::{CsrOp, Response, Sharing, SoftCxu};

use super::wire::{self, Listed, record, reply};
use crate::call::{log, run as engine_run, settings};
use crate::locks::{Mutex, guard};
use crate::transport::threads;
use crate::{Channel, Connection, Error, Geometry, Reader, Receiver, Sender, Wake};

/// The approximate overhead of a state in bytes, in addition to its memory.
const OVERHEAD: usize = 128;

/// The CXUs of this process.
pub(super) struct Worker {
    cxus: Vec<Cxu>,
    /// The maximum number of bytes for the states of a guest.
    most: usize,
}

struct Cxu {
    descriptor: &'static SoftCxu,
    listed: Listed,
    has_state: bool,
    /// The size of an image in bytes.
    image: usize,
}

/// The states of a guest.
#[derive(Default)]
struct States {
    entries: Vec<Entry>,
    free: Vec<u32>,
    bytes: usize,
}

#[derive(Default)]
struct Entry {
    /// The number of uses of this entry. The id of a state contains it, so ids of earlier uses are invalid.
    generation: u32,
    state: Option<Arc<State>>,
}

/// A state. The memory is `None` after the guest ended the state.
struct State {
    cxu: u32,
    memory: Mutex<Option<Memory>>,
}

/// The memory of a state.
struct Memory {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the value owns its memory, and the functions of a CXU may run on any thread.
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

    /// Sets the reset values.
    fn init(&self, cxu: &SoftCxu) {
        // SAFETY: the memory has the size of a state of this CXU and is not used elsewhere; the provider of the descriptor guarantees
        // `init`.
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
        // SAFETY: `new` allocated the memory with this layout, and only `drop` frees it.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

/// Returns the bytes that a state of this CXU counts against the limit of the guest.
fn cost(cxu: &SoftCxu) -> usize {
    cxu.state_size.saturating_add(OVERHEAD)
}

impl States {
    fn find(&self, state: u64) -> Option<&Arc<State>> {
        let (index, generation) = (state as u32, (state >> 32) as u32);
        let entry = self.entries.get(index as usize).filter(|entry| entry.generation == generation)?;
        entry.state.as_ref()
    }

    /// Creates a state and returns its id, or `None` if the guest has reached its limit.
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
        // An entry is not reused after its last generation.
        if entry.generation < u32::MAX {
            self.free.push(index);
        }
        self.bytes -= cxus.get(ended.cxu as usize).map_or(0, |cxu| cost(cxu.descriptor));
        *guard(&ended.memory) = None;
    }
}

/// The reason why a request was not executed.
enum RequestError {
    Channel(Error),
    Refused,
}

impl From<Error> for RequestError {
    fn from(why: Error) -> RequestError {
        match why {
            // The record is too short, so only this request fails.
            Error::End | Error::Cut => RequestError::Refused,
            why => RequestError::Channel(why),
        }
    }
}

/// Rejects a record that is longer than it must be, before the request is executed.
fn whole(from: &Reader<'_>) -> Result<(), RequestError> {
    if from.remaining() == 0 && !from.is_open() { Ok(()) } else { Err(RequestError::Refused) }
}

/// The reply to a request.
enum Reply {
    Nothing,
    /// The request has no reply.
    None,
    List,
    /// A response or a function, and a word.
    Pair(u32, u64),
    State(u64),
    /// The number of bytes of the image buffer to send.
    Image(usize),
}

impl Worker {
    /// # Errors
    ///
    /// A descriptor is invalid, two have the same interface and XLEN, or the number of CXUs is 0 or too large.
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
            return Err("no CXU to serve: name at least one".to_owned());
        }
        if all.len() > wire::MOST as usize {
            return Err(format!("{} CXUs, but a worker serves at most {}", all.len(), wire::MOST));
        }
        Ok(Worker { cxus: all, most })
    }

    /// Executes the commands of a guest until the guest ends.
    pub fn serve(self: &Arc<Worker>, connection: &Connection) {
        let states: Arc<Mutex<States>> = Arc::default();
        let mut threads: Vec<std::thread::JoinHandle<()>> = Vec::new();
        while let Ok(channel) = connection.accept() {
            let (worker, states) = (Arc::clone(self), Arc::clone(&states));
            threads.retain(|thread| !thread.is_finished());
            threads.extend(threads::thread("lapis-cx-cxu", move || {
                let mut thread = CommandThread { worker: &worker, states: &states, last: None, image: Vec::new() };
                let Channel { mut sender, mut receiver, .. } = channel;
                while thread.turn(&mut sender, &mut receiver).is_ok() {}
            }));
        }
        engine_run::end_when_idle(|| 0);
        for thread in threads {
            // The thread does not panic; if it did, the panic hook reported it.
            let _ = thread.join();
        }
    }
}

/// A thread that executes the commands of one thread of a guest.
struct CommandThread<'a> {
    worker: &'a Worker,
    states: &'a Mutex<States>,
    /// The state of the last command. The next command is usually for the same state.
    last: Option<(u64, Arc<State>)>,
    /// A buffer for images, aligned for any word.
    image: Vec<u64>,
}

impl CommandThread<'_> {
    fn turn(&mut self, sender: &mut Sender, receiver: &mut Receiver) -> Result<(), Error> {
        let mut from = receiver.next()?;
        let done = match self.execute(&mut from) {
            // The guest does not wait for a reply to `END`.
            Err(RequestError::Refused) if from.kind() == record::END => Ok(Reply::None),
            done => done,
        };
        drop(from);
        let answer = match done {
            Ok(Reply::None) => return Ok(()),
            Ok(answer) => answer,
            Err(RequestError::Channel(why)) => return Err(why),
            Err(RequestError::Refused) => return sender.record(reply::REFUSED).commit(Wake::Now),
        };
        let mut to = sender.record(reply::DONE);
        match answer {
            Reply::Nothing | Reply::None => {}
            Reply::List => {
                to.put_u32(self.worker.cxus.len() as u32);
                self.worker.cxus.iter().for_each(|cxu| cxu.listed.put(&mut to));
            }
            Reply::Pair(first, second) => {
                to.put_u32(first);
                to.put_u64(second);
            }
            Reply::State(state) => to.put_u64(state),
            Reply::Image(size) => to.put(self.bytes(size)),
        }
        to.commit(Wake::Now)
    }

    fn execute(&mut self, from: &mut Reader<'_>) -> Result<Reply, RequestError> {
        match from.kind() {
            record::LIST => whole(from).map(|()| Reply::List),
            record::ISSUE => {
                let both = from.get_u64()?;
                let (state, rs1, rs2) = (from.get_u64()?, from.get_u64()? as usize, from.get_u64()? as usize);
                whole(from)?;
                let issue = self.cxu(both as u32)?.descriptor.issue.ok_or(RequestError::Refused)?;
                self.with(both as u32, state, |state| {
                    let mut rd = 0;
                    // SAFETY: `with` passes a locked state of this CXU, or null if it has none. Any function number is valid.
                    let response = unsafe { issue(state, (both >> 32) as u32, rs1, rs2, &raw mut rd) };
                    Reply::Pair(response, rd as u64)
                })
            }
            record::CSR => {
                let both = from.get_u64()?;
                let (state, op, value) = (from.get_u64()?, from.get_u32()?, from.get_u64()? as usize);
                whole(from)?;
                let csr = self.cxu(both as u32)?.descriptor.csr;
                self.with(both as u32, state, |state| {
                    let (Some(csr), Some(op)) = (csr, CsrOp::from_code(op)) else {
                        return Reply::Pair(Response::Func.code(), 0);
                    };
                    let mut old = 0;
                    // SAFETY: as for a command. Any address is valid.
                    let response = unsafe { csr(state, op as u32, (both >> 32) as u32 & 0xFFF, value, &raw mut old) };
                    Reply::Pair(response, old as u64)
                })
            }
            record::INIT => self.init(from),
            record::SAVE => self.save(from),
            record::RESTORE => self.restore(from),
            record::FLEX => {
                let (number, function, fields) = (from.get_u32()?, from.get_u32()?, from.get_u32()?);
                let mut rs2 = from.get_u64()? as usize;
                whole(from)?;
                let Some(flex) = self.cxu(number)?.descriptor.flex else { return Err(RequestError::Refused) };
                // SAFETY: any numbers are valid, and `rs2` is a local.
                let function = unsafe { flex(function, fields & 0x7FFF, &raw mut rs2) };
                Ok(Reply::Pair(function, rs2 as u64))
            }
            record::END => {
                let count = from.get_u32()?;
                self.last = None;
                for _ in 0..count {
                    let state = from.get_u64()?;
                    guard(self.states).end(state, &self.worker.cxus);
                }
                Ok(Reply::None)
            }
            _ => Err(RequestError::Refused),
        }
    }

    /// Creates a state, or resets a state of this guest.
    fn init(&mut self, from: &mut Reader<'_>) -> Result<Reply, RequestError> {
        let (number, old) = (from.get_u32()?, from.get_u64()?);
        whole(from)?;
        let cxu = self.cxu(number)?;
        if !cxu.has_state {
            return Err(RequestError::Refused);
        }
        if self.find(number, old).is_ok() {
            return self.with_memory(number, old, |memory| {
                memory.init(cxu.descriptor);
                Reply::State(old)
            });
        }
        let mut states = guard(self.states);
        states.end(old, &self.worker.cxus);
        states.begin((number, cxu.descriptor), self.worker.most).map(Reply::State).ok_or(RequestError::Refused)
    }

    /// Saves a state as an image.
    fn save(&mut self, from: &mut Reader<'_>) -> Result<Reply, RequestError> {
        let (number, state) = (from.get_u32()?, from.get_u64()?);
        whole(from)?;
        let cxu = self.cxu(number)?;
        let (save, size) = (cxu.descriptor.save.ok_or(RequestError::Refused)?, cxu.image);
        let image = self.image_buffer(size)?;
        self.with(number, state, |state| {
            // SAFETY: `with` passes a locked state of this CXU, and the buffer has the size of an image.
            unsafe { save(state.cast_const(), image) };
            Reply::Image(size)
        })
    }

    /// Restores a state from the image in the request.
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<Reply, RequestError> {
        let (number, state) = (from.get_u32()?, from.get_u64()?);
        let cxu = self.cxu(number)?;
        let (restore, size) = (cxu.descriptor.restore.ok_or(RequestError::Refused)?, cxu.image);
        let image = self.image_buffer(size)?;
        from.get(self.bytes(size))?;
        whole(from)?;
        self.with(number, state, |state| {
            // SAFETY: `with` passes a locked state of this CXU, and the buffer has the size of an image. Any words are valid.
            unsafe { restore(state, image.cast_const()) };
            Reply::Nothing
        })
    }

    fn cxu<'w>(&self, number: u32) -> Result<&'w Cxu, RequestError>
    where
        Self: 'w,
    {
        self.worker.cxus.get(number as usize).ok_or(RequestError::Refused)
    }

    /// Returns the state with this id, if it belongs to this guest and this CXU.
    fn find(&mut self, cxu: u32, state: u64) -> Result<&Arc<State>, RequestError> {
        if self.last.as_ref().is_none_or(|(last, _)| *last != state) {
            let found = guard(self.states).find(state).cloned().ok_or(RequestError::Refused)?;
            self.last = Some((state, found));
        }
        match &self.last {
            Some((_, found)) if found.cxu == cxu => Ok(found),
            _ => Err(RequestError::Refused),
        }
    }

    fn with_memory(
        &mut self,
        cxu: u32,
        state: u64,
        work: impl FnOnce(&Memory) -> Reply,
    ) -> Result<Reply, RequestError> {
        let found = self.find(cxu, state)?;
        let memory = guard(&found.memory);
        memory.as_ref().map(work).ok_or(RequestError::Refused)
    }

    /// Runs `work` with a locked state, or with null if the CXU has no state.
    #[inline]
    fn with(&mut self, cxu: u32, state: u64, work: impl FnOnce(*mut c_void) -> Reply) -> Result<Reply, RequestError> {
        if self.cxu(cxu)?.has_state {
            self.with_memory(cxu, state, |memory| work(memory.state()))
        } else {
            Ok(work(std::ptr::null_mut()))
        }
    }

    /// Returns a zeroed buffer for an image.
    fn image_buffer(&mut self, size: usize) -> Result<*mut c_void, RequestError> {
        let words = size.div_ceil(size_of::<u64>());
        self.image.clear();
        self.image.try_reserve_exact(words).map_err(|_| RequestError::Refused)?;
        self.image.resize(words, 0);
        Ok(self.image.as_mut_ptr().cast())
    }

    /// Returns the first `size` bytes of the image buffer.
    fn bytes(&mut self, size: usize) -> &mut [u8] {
        let size = size.min(size_of_val(&*self.image));
        // SAFETY: `size` is at most the size of the buffer, and any bytes are valid words.
        unsafe { std::slice::from_raw_parts_mut(self.image.as_mut_ptr().cast(), size) }
    }
}

/// Serves these CXUs to the guest that started this process, or with `--listen PATH` to all guests of this user that connect there.
/// `arguments` do not include the name of the program.
///
/// # Errors
///
/// A description of the error.
///
/// # Safety
///
/// The functions and pointers of the descriptors must meet the requirements of `cx_abi.h`.
pub unsafe fn serve(cxus: &[&'static SoftCxu], arguments: &[String]) -> Result<(), String> {
    let worker = Arc::new(Worker::new(cxus, settings::limits().kept)?);
    engine_run::run((wire::library(), Geometry::default()), arguments, move |connection| worker.serve(&connection))
}

/// The main function of `cx-cxu-worker`. Each `--load LIBRARY[:SYMBOL]` loads a CXU, as [`load`](super::load) does; the other arguments are
/// those of [`serve`]. Errors are logged to standard error. `arguments` do not include the name of the program.
///
/// # Safety
///
/// Same contract as [`load`](super::load).
pub unsafe fn run(arguments: impl IntoIterator<Item = String>) -> ExitCode {
    let (mut cxus, mut rest) = (Vec::new(), Vec::new());
    let mut arguments = arguments.into_iter();
    let served = (|| {
        while let Some(argument) = arguments.next() {
            if argument != "--load" {
                rest.push(argument);
                continue;
            }
            let library = arguments.next().ok_or("--load needs LIBRARY or LIBRARY:SYMBOL")?;
            // SAFETY: the caller upholds the contract of this function.
            cxus.push(unsafe { super::load(&library) }.map_err(|why| why.to_string())?);
        }
        if cxus.is_empty() {
            return Err(
                "usage: --load LIBRARY[:SYMBOL] for each CXU; then --listen PATH, unless a guest starts the worker"
                    .to_owned(),
            );
        }
        // SAFETY: the caller guarantees the libraries, which provide the descriptors.
        unsafe { serve(&cxus, &rest) }
    })();
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            log::say(&why);
            ExitCode::FAILURE
        }
    }
}
