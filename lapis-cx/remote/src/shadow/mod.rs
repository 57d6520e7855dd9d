//! `CX_REMOTE=shadow`, for who writes a specification: each call is made twice, by the worker and by the real library in the
//! program itself, and what differs is said. The program goes on with what the real library did.
//!
//! The worker watches its memory meanwhile ([`guard`]). Callbacks of the program run once, when both libraries have asked for them.

mod callback;
mod compare;
mod file_copies;
mod names;
mod report;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, CString};
use std::os::fd::{OwnedFd, RawFd};
use std::rc::Rc;
use std::sync::{Arc, PoisonError};

use self::callback::{Pending, Records};
use self::file_copies::FileCopies;
use self::names::Likeness;
use crate::Error;
use crate::call::described::Thunk;
use crate::call::endpoint::{Observer, Request, marshaller};
use crate::call::guest::{Guest, GuestObserver};
use crate::call::link::{Answer, Link, UNEXPECTED};
use crate::call::make::{Called, clear_result, fail, make};
use crate::call::start;
use crate::locks::{Mutex, MutexGuard};
use crate::marshal::access::{bytes, bytes_mut, load, load_pointer, store, store_pointer};
use crate::marshal::memory::Allocation;
use crate::marshal::{BufferEntry, CallError, CallResult, Marshaller, Scratch, Substitutes};
use crate::plan::{Block, Call, HandleValue, Kind, Scalar};
use crate::protocol::{Finding, Mistake};

pub(crate) use self::callback::callback;

/// The real library in the program's own process.
pub(crate) struct Native {
    /// By function.
    pub thunks: Vec<Option<Thunk>>,
    /// By callback: functions of its type, which lead to [`callback`].
    pub trampolines: Vec<Vec<usize>>,
}

/// A guest that compares.
pub(crate) struct Shadow {
    native: Native,
    known: Mutex<Known>,
    records: Mutex<Records>,
    file_copies: Mutex<FileCopies>,
}

/// What the worker's side has for what the program has.
#[derive(Default)]
struct Known {
    /// By kind and what the real library knows an object by; nothing if the worker did not make it.
    objects: HashMap<(u32, u64), Option<u64>>,
    /// Memory of the real library by its start: bytes, and where the guest has the worker's.
    memory: BTreeMap<usize, (usize, usize)>,
}

/// A buffer of the program that a call names.
struct Image {
    slot: usize,
    here: usize,
    count: u64,
    /// What was in it when the call began; what the real library made of it, while the worker's answer is taken; and what came back.
    before: Vec<u8>,
    native: Vec<u8>,
    remoted: Vec<u8>,
}

/// A call that runs twice.
struct Frame {
    guest: Arc<Guest>,
    /// Copies of the arguments.
    native: usize,
    remoted: usize,
    number: u32,
    images: Vec<Image>,
    /// The real library did it; `errno` then.
    errno: Option<i32>,
    /// While it does it: how records are taken that come meanwhile.
    running: Option<Running>,
    /// The worker's answer, if it came before the real library was done.
    early: Option<Answer>,
    pending: Option<Pending>,
    /// The worker found a mistake in this call: what differs follows from it.
    has_found: bool,
    /// Why the worker refused it.
    refused: Option<Finding>,
    /// Only one library can do it.
    alone: Alone,
}

/// Whether only one library can do a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alone {
    No,
    /// By its arguments.
    Itself,
    /// It is about an object that only one library has.
    Follows,
}

#[derive(Clone)]
struct Running {
    link: Rc<Link>,
    marshaller: *mut Marshaller<'static>,
    call: &'static Call,
    block: &'static Block,
}

thread_local! {
    /// Calls of this thread, the innermost last.
    static FRAMES: RefCell<Vec<Frame>> = const { RefCell::new(Vec::new()) };
}

/// Does something with the innermost call, if there is one and nobody else does.
fn with_frame<T>(what: impl FnOnce(&mut Frame) -> T) -> Option<T> {
    FRAMES.try_with(|frames| frames.try_borrow_mut().ok()?.last_mut().map(what)).ok().flatten()
}

impl Shadow {
    pub fn new(native: Native) -> Shadow {
        report::begin();
        Shadow { native, known: Mutex::default(), records: Mutex::default(), file_copies: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn file_copies(&self) -> MutexGuard<'_, FileCopies> {
        self.file_copies.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the guest has for an object that the program has from the real library.
    pub fn object(&self, of: u32, bits: u64) -> u64 {
        self.known().objects.get(&(of, bits)).copied().flatten().unwrap_or(bits)
    }

    fn or_alone<T>(&self, what: Result<T, &'static str>) -> Result<T, &'static str> {
        if what.is_err() {
            with_frame(|frame| frame.alone = Alone::Itself);
        }
        what
    }

    /// Whether texts of both libraries are the same, but for names of files.
    fn likeness(&self, native: &[u8], remoted: &[u8]) -> Likeness {
        self.file_copies().names.compare(native, remoted)
    }

    fn know_memory(&self, native: usize, size: usize, remoted: usize) {
        self.known().memory.insert(native, (size.max(1), remoted));
    }

    /// The program gets what the real library did, and is told what else there is to say.
    ///
    /// # Safety
    ///
    /// As [`call`](Shadow::call).
    unsafe fn end(
        &self,
        frame: &Frame,
        call: &'static Call,
        block: &'static Block,
        (arguments, before): (usize, i32),
        (made, errno): (CallResult<()>, Option<i32>),
    ) -> CallResult<()> {
        let guest = &*frame.guest;
        let plan = guest.described.plan;
        if let (Ok(()), None) = (&made, frame.errno) {
            // What the call requires did not hold: the specification says the result, and no library sees it.
            // SAFETY: as the caller says.
            unsafe { bytes_mut(arguments, block.bytes).copy_from_slice(bytes(frame.remoted, block.bytes)) };
            start::set_errno(errno.unwrap_or(before));
            return Ok(());
        }
        let native_errno = match frame.errno {
            Some(errno) => errno,
            None => {
                start::set_errno(before);
                let Some(thunk) = self.native.thunks.get(frame.number as usize).copied().flatten() else {
                    // SAFETY: as the caller says.
                    unsafe { fail(guest, call, arguments, &mut None) };
                    return Err(CallError::Refused("the library has no such function", call.name));
                };
                // SAFETY: the copy of the program's arguments.
                unsafe { thunk(std::ptr::with_exposed_provenance_mut(frame.native)) };
                start::errno()
            }
        };
        let result = call.result.and_then(|at| block.values.get(at));
        if let Some(result) = result {
            let size = block.bytes - result.offset;
            // SAFETY: the result is the last member of both structs.
            unsafe {
                bytes_mut(arguments + result.offset, size).copy_from_slice(bytes(frame.native + result.offset, size));
            }
        }
        report::compared(made.is_ok());
        match &made {
            Ok(()) => {}
            Err(fault @ (CallError::Refused(why, name) | CallError::TooLarge(why, name))) => {
                // SAFETY: the real library filled the copy.
                let has_succeeded = unsafe { self.stays_alone(frame, call, block) };
                let parameter = if *name == call.name { "" } else { plan.text(*name) };
                let said = frame.refused.as_ref().map(|refused| (&*refused.parameter, &*refused.text));
                let (parameter, why) = said.unwrap_or((parameter, why));
                match frame.alone {
                    Alone::Itself => report::apart(plan.text(call.name), parameter, why),
                    Alone::Follows => {}
                    // What fails natively too may be refused.
                    Alone::No if !has_succeeded => {}
                    Alone::No => {
                        let is_size = matches!(fault, CallError::TooLarge(..));
                        let mistake = if is_size { Mistake::Size } else { Mistake::Refused };
                        let text = format!("the worker does not do the call, which the library did: {why}");
                        report::found(&Finding::of(plan.text(call.name), parameter, mistake, text));
                    }
                }
            }
            Err(why @ CallError::Channel(Error::Died)) if frame.running.is_some() => {
                let text = "the worker ended in the middle of it; nothing is compared from here on";
                report::found(&Finding::of(plan.text(call.name), "", Mistake::Refused, text));
                guest.is_lost(why);
            }
            Err(why) => guest.is_lost(why),
        }
        start::set_errno(native_errno);
        Ok(())
    }

    /// The real library did a call alone. Whether the specification takes what it returned for success: then the worker has none of the
    /// objects that it made.
    ///
    /// # Safety
    ///
    /// It did the call.
    unsafe fn stays_alone(&self, frame: &Frame, call: &'static Call, block: &'static Block) -> bool {
        let mut scratch = Scratch::default();
        let mut marshaller = marshaller(&*frame.guest, &mut scratch, block, frame.native);
        marshaller.stage.is_entry = false;
        if !marshaller.last(&call.success).is_none_or(|code| marshaller.holds(Some(code))) {
            return false;
        }
        for value in &block.values {
            let at = frame.native + value.offset;
            match &value.kind {
                // SAFETY: a member of the arguments.
                Kind::Handle(handle) if value.comes => unsafe { self.has_no_twin(handle, at) },
                Kind::Buffer(buffer) if buffer.takes_out => {
                    let Kind::Handle(handle) = &buffer.element.kind else { continue };
                    // SAFETY: as above.
                    let elements = unsafe { load_pointer(at) };
                    if elements == 0 {
                        continue;
                    }
                    // SAFETY: the program's memory, which the library filled.
                    let count = unsafe { marshaller.capacity(buffer, elements, value.name) };
                    for n in 0..count.unwrap_or(0) as usize {
                        // SAFETY: as above.
                        unsafe { self.has_no_twin(handle, elements + n * buffer.stride) };
                    }
                }
                _ => {}
            }
        }
        true
    }

    /// # Safety
    ///
    /// A handle lies there.
    unsafe fn has_no_twin(&self, handle: &HandleValue, at: usize) {
        let scalar = Scalar { bytes: handle.bytes, is_signed: false, is_float: false };
        // SAFETY: as the caller says.
        let bits = unsafe { load(at, scalar) } as u64;
        if bits != 0 {
            self.known().objects.insert((handle.of, bits), None);
        }
    }

    /// Objects and memory of the real library among the arguments become those of the guest.
    ///
    /// # Safety
    ///
    /// The block is there.
    unsafe fn translate(&self, block: &Block, arguments: usize) {
        for value in block.values.iter().filter(|value| value.goes) {
            let at = arguments + value.offset;
            match &value.kind {
                Kind::Handle(handle) => {
                    let scalar = Scalar { bytes: handle.bytes, is_signed: false, is_float: false };
                    // SAFETY: a member of the arguments.
                    unsafe { store(at, handle.bytes, i128::from(self.object(handle.of, load(at, scalar) as u64))) };
                }
                Kind::Address { .. } | Kind::Within { .. } => {
                    // SAFETY: as above.
                    unsafe { store_pointer(at, self.address(load_pointer(at))) };
                }
                _ => {}
            }
        }
    }
}

impl Substitutes for Shadow {
    fn address(&self, address: usize) -> usize {
        let known = self.known();
        let found = known.memory.range(..=address).next_back();
        match found {
            Some((start, (size, there))) if address - start < *size => there + (address - start),
            _ => address,
        }
    }

    fn object(&self, of: u32, bits: u64) -> Result<u64, &'static str> {
        match self.known().objects.get(&(of, bits)).copied() {
            None => Ok(bits),
            Some(Some(bits)) => Ok(bits),
            Some(None) => {
                with_frame(|frame| frame.alone = Alone::Follows);
                Err("the worker did not make it")
            }
        }
    }

    fn descriptor(&self, number: RawFd) -> Result<OwnedFd, &'static str> {
        let copy = self.file_copies().descriptor(number);
        self.or_alone(copy)
    }

    fn path(&self, path: &CStr) -> Result<Option<CString>, &'static str> {
        let copy = self.file_copies().path(path);
        self.or_alone(copy)
    }
}

impl Observer for Shadow {
    unsafe fn sent(
        &self,
        link: &Rc<Link>,
        marshaller: &mut Marshaller<'_>,
        call: &'static Call,
        block: &'static Block,
    ) {
        let image = |entry: &BufferEntry| {
            // SAFETY: memory of the program, which was read just now.
            let before = unsafe { bytes(entry.here, entry.bytes) }.to_vec();
            let (native, remoted) = (Vec::new(), Vec::new());
            Image { slot: entry.slot, here: entry.here, count: entry.count, before, native, remoted }
        };
        let images = marshaller.entries.iter().filter(|entry| entry.here != 0).map(image).collect();
        let prepared = with_frame(|frame| {
            frame.images = images;
            (frame.native, frame.number, Arc::clone(&frame.guest))
        });
        let Some((native, number, guest)) = prepared else { return };
        let Some(thunk) = self.native.thunks.get(number as usize).copied().flatten() else { return };
        // SAFETY: the copy of the arguments.
        unsafe { self.register(&guest, marshaller, block, native) };
        let marshaller = std::ptr::from_mut(marshaller).cast::<Marshaller<'static>>();
        let running = Running { link: Rc::clone(link), marshaller, call, block };
        with_frame(|frame| frame.running = Some(running));
        start::set_errno(0);
        // SAFETY: as above.
        unsafe { thunk(std::ptr::with_exposed_provenance_mut(native)) };
        let errno = start::errno();
        with_frame(|frame| frame.errno = Some(errno));
    }

    fn early(&self) -> Option<Answer> {
        with_frame(|frame| frame.early.take()).flatten()
    }

    fn begin_answer(&self) {
        with_frame(|frame| {
            for image in &mut frame.images {
                // SAFETY: memory of the program, which the call names.
                image.native = unsafe { bytes(image.here, image.before.len()) }.to_vec();
            }
            for image in frame.images.iter().filter(|image| image.native != image.before) {
                // SAFETY: as above; the library wrote there too.
                unsafe { bytes_mut(image.here, image.before.len()) }.copy_from_slice(&image.before);
            }
        });
    }

    fn end_answer(&self) {
        with_frame(|frame| {
            for image in &mut frame.images {
                // SAFETY: as in `begin_answer`.
                image.remoted = unsafe { bytes(image.here, image.before.len()) }.to_vec();
            }
            for image in frame.images.iter().filter(|image| image.native != image.remoted) {
                // SAFETY: as above; what wrote there was the answer.
                unsafe { bytes_mut(image.here, image.before.len()) }.copy_from_slice(&image.native);
            }
        });
    }

    unsafe fn compare(
        &self,
        marshaller: &mut Marshaller<'_>,
        call: &'static Call,
        block: &'static Block,
        success: bool,
    ) {
        // SAFETY: as the caller says.
        unsafe { self.compare_reply(marshaller, call, block, success) };
    }

    fn found(&self, finding: Finding) {
        if finding.mistake == Mistake::Refused {
            // The library may have failed too.
            self.refused(finding);
        } else {
            report::found(&finding);
            with_frame(|frame| frame.has_found = true);
        }
    }

    fn refused(&self, finding: Finding) {
        with_frame(|frame| frame.refused = Some(finding));
    }
}

impl GuestObserver for Shadow {
    unsafe fn call(&self, guest: &Arc<Guest>, number: u32, call: &'static Call, arguments: usize) -> CallResult<()> {
        let block = guest.described.plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
        let no_memory = CallError::Refused("there is no memory for it", call.name);
        let copy = || Allocation::zeroed(block.bytes).ok_or(no_memory);
        let (native, remoted) = (copy()?, copy()?);
        let (before, mut errno) = (start::errno(), None);
        // SAFETY: as the caller says; the copies are as large.
        unsafe {
            clear_result(&**guest, call, arguments);
            for to in [&native, &remoted] {
                bytes_mut(to.address(), block.bytes).copy_from_slice(bytes(arguments, block.bytes));
            }
            self.translate(block, remoted.address());
        }
        let frame = Frame {
            guest: Arc::clone(guest),
            native: native.address(),
            remoted: remoted.address(),
            number,
            images: Vec::new(),
            errno: None,
            running: None,
            early: None,
            pending: None,
            has_found: false,
            refused: None,
            alone: Alone::No,
        };
        self.file_copies().begin();
        FRAMES.with(|frames| frames.borrow_mut().push(frame));
        // SAFETY: as the caller says.
        let made = unsafe {
            match guest.link() {
                Some(link) => {
                    make(&**guest, &link, Called { number, ..Called::default() }, call, remoted.address(), &mut errno)
                }
                None => Err(CallError::Channel(Error::Died)),
            }
        };
        let frame = FRAMES.with(|frames| frames.borrow_mut().pop());
        let ended = match &frame {
            // SAFETY: as the caller says.
            Some(frame) => unsafe { self.end(frame, call, block, (arguments, before), (made, errno)) },
            None => Err(UNEXPECTED),
        };
        self.file_copies().end();
        ended
    }

    unsafe fn run(
        &self,
        guest: &Guest,
        request: &Request,
        marshaller: &mut Marshaller<'_>,
        arguments: usize,
    ) -> CallResult<Option<i32>> {
        // SAFETY: as the caller says.
        unsafe { self.run_callback(guest, request, marshaller, arguments) }
    }
}
