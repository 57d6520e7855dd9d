//! Shadow mode (`CX_REMOTE=shadow`), for authors of specifications. Makes each call twice, in the worker and with the real library in the
//! program, and reports differences. The program continues with the results of the real library.
//!
//! The worker watches its memory meanwhile ([`watched_memory`](crate::marshal::watched_memory)). Callbacks of the program run once, after both
//! libraries have requested them.

mod callback;
mod compare;
mod file_copies;
mod names;
mod report;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::ffi::{CStr, CString};
use std::mem::ManuallyDrop;
use std::os::fd::{OwnedFd, RawFd};
use std::rc::Rc;
use std::sync::{Arc, PoisonError};

use self::callback::{Pending, Records};
use self::file_copies::FileCopies;
use self::names::Likeness;
use crate::Error;
use crate::call::Thunk;
use crate::call::endpoint::{Observer, Request, marshaller};
use crate::call::errno;
use crate::call::guest::{Guest, GuestObserver};
use crate::call::link::{Answer, Link, UNEXPECTED};
use crate::call::make::{CallTarget, clear_result, fail, make};
use crate::locks::{Mutex, MutexGuard};
use crate::marshal::access::{bytes, bytes_mut, load, load_pointer, store, store_changed, store_pointer};
use crate::marshal::memory::Allocation;
use crate::marshal::{BufferEntry, CallError, CallResult, Marshaller, Scratch, Substitutes};
use crate::plan::{Block, Call, HandleValue, Kind, Scalar};
use crate::protocol::{Finding, Mistake};

pub(crate) use self::callback::callback;

/// The real library in the program's process.
pub(crate) struct Native {
    /// The thunks, by function.
    pub thunks: Vec<Option<Thunk>>,
    /// The trampolines, by callback: functions of its type, which call [`callback`].
    pub trampolines: Vec<Vec<usize>>,
}

/// The observer that compares the calls of a guest.
pub(crate) struct Shadow {
    native: Native,
    known: Mutex<Known>,
    records: Mutex<Records>,
    file_copies: Mutex<FileCopies>,
}

/// The worker's objects and memory that correspond to those of the real library.
#[derive(Default)]
struct Known {
    /// The guest's value of an object, by kind and the real library's value. `None` if the worker did not create the object.
    objects: HashMap<(u32, u64), Option<u64>>,
    /// Memory of the real library by its start address: the size in bytes, and the address of the guest's copy of the worker's memory.
    memory: BTreeMap<usize, (usize, usize)>,
}

/// A buffer of the program that a call uses.
struct Image {
    slot: usize,
    here: usize,
    count: u64,
    /// The contents at the start of the call. `native` is the real library's result, `remoted` the worker's.
    before: Vec<u8>,
    native: Vec<u8>,
    remoted: Vec<u8>,
}

impl Image {
    /// Stores earlier contents into the program's memory.
    fn restore(&self, contents: &[u8]) {
        let read = |at: usize, piece: &mut [u8]| {
            piece.copy_from_slice(&contents[at..at + piece.len()]);
            Ok::<(), Infallible>(())
        };
        // SAFETY: the call names this memory of the program, which has the length of the image. One of both libraries changed the bytes that
        // differ, so they are writable.
        let Ok(()) = unsafe { store_changed(self.here, contents.len(), read) };
    }
}

/// A call that runs on both sides.
struct Frame {
    guest: Arc<Guest>,
    /// The address of a copy of the arguments, for the real library.
    native: usize,
    remoted: usize,
    number: u32,
    images: Vec<Image>,
    /// The program's `errno` at the start of the call.
    before: i32,
    /// The `errno` after the real library made the call.
    errno: Option<i32>,
    /// The link and marshaller for records that arrive while the real library runs.
    running: Option<Running>,
    /// The worker's reply, if it arrived while the real library ran.
    early: Option<Answer>,
    pending: Option<Pending>,
    /// Whether the worker found an error in this call, which explains later differences.
    has_found: bool,
    /// The reason why the worker refused the call.
    refused: Option<Finding>,
    /// Whether only one library can make the call.
    alone: Alone,
}

/// The reason why only one library can make a call, if any.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alone {
    No,
    /// The call's own arguments.
    Itself,
    /// An object that only one library has.
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
    /// The calls of this thread, innermost last. It is never dropped, because a thread may make calls while it ends.
    static FRAMES: ManuallyDrop<RefCell<Vec<Frame>>> = const { ManuallyDrop::new(RefCell::new(Vec::new())) };
}

/// Runs `what` with the innermost call, if there is one and it is not borrowed.
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

    /// Returns the guest's value of an object of the real library.
    pub fn object(&self, of: u32, bits: u64) -> u64 {
        self.known().objects.get(&(of, bits)).copied().flatten().unwrap_or(bits)
    }

    fn or_alone<T>(&self, what: Result<T, &'static str>) -> Result<T, &'static str> {
        if what.is_err() {
            with_frame(|frame| frame.alone = Alone::Itself);
        }
        what
    }

    /// Compares texts of both libraries, except for file names.
    fn likeness(&self, native: &[u8], remoted: &[u8]) -> Likeness {
        self.file_copies().names.compare(native, remoted)
    }

    fn know_memory(&self, native: usize, size: usize, remoted: usize) {
        self.known().memory.insert(native, (size.max(1), remoted));
    }

    /// Finishes a call: gives the program the real library's results and reports the differences.
    ///
    /// # Safety
    ///
    /// Same contract as [`call`](Shadow::call).
    unsafe fn end(
        &self,
        frame: &Frame,
        call: &'static Call,
        block: &'static Block,
        arguments: usize,
        (made, errno): (CallResult<()>, Option<i32>),
    ) -> CallResult<()> {
        let guest = &*frame.guest;
        let plan = guest.described.plan;
        if let (Ok(()), None) = (&made, frame.errno) {
            // A `requires … else` supplied the result, so no library made the call.
            // SAFETY: the caller upholds the contract of this function.
            unsafe { bytes_mut(arguments, block.bytes).copy_from_slice(bytes(frame.remoted, block.bytes)) };
            errno::set(errno.unwrap_or(frame.before));
            return Ok(());
        }
        let native_errno = match frame.errno {
            Some(errno) => errno,
            None => {
                errno::set(frame.before);
                let Some(thunk) = self.native.thunks.get(frame.number as usize).copied().flatten() else {
                    // SAFETY: the caller upholds the contract of this function.
                    unsafe { fail(guest, call, arguments, &mut None) };
                    return Err(CallError::Refused("the library has no such function", call.name));
                };
                // SAFETY: `frame.native` is the address of a copy of the program's arguments.
                unsafe { thunk(std::ptr::with_exposed_provenance_mut(frame.native)) };
                errno::get()
            }
        };
        let result = call.facts.result.and_then(|at| block.values.get(at));
        if let Some(result) = result {
            let size = block.bytes - result.offset;
            // SAFETY: the result is the last member of both structs.
            unsafe {
                self.restore(&result.kind, frame.native + result.offset);
                bytes_mut(arguments + result.offset, size).copy_from_slice(bytes(frame.native + result.offset, size));
            }
        }
        report::compared(made.is_ok() && frame.alone == Alone::No);
        let fault = match frame.alone {
            // The worker made the call without a function of the program.
            Alone::Itself => Some(made.err().unwrap_or(CallError::Refused("", call.name))),
            _ => made.err(),
        };
        match &fault {
            None => {}
            Some(fault) if let Some(name) = fault.name() => {
                // SAFETY: the real library filled the copy of the arguments.
                let has_succeeded = unsafe { self.stays_alone(frame, call, block) };
                let (parameter, why) = (if name == call.name { "" } else { plan.text(name) }, fault.to_string());
                let said = frame.refused.as_ref().map(|refused| (&*refused.parameter, &*refused.text));
                let (parameter, why) = said.unwrap_or((parameter, &why));
                match frame.alone {
                    Alone::Itself => report::apart(plan.text(call.name), parameter, why),
                    Alone::Follows => {}
                    // A call that fails natively may be refused.
                    Alone::No if !has_succeeded => {}
                    Alone::No => {
                        let mistake = if fault.is_about_size() { Mistake::Size } else { Mistake::Refused };
                        let text = format!("the worker does not do the call, which the library did: {why}");
                        report::found(&Finding::of(plan.text(call.name), parameter, mistake, text));
                    }
                }
            }
            Some(CallError::Channel(Error::Died)) if frame.running.is_some() => {
                let text = "the worker ended in the middle of it; nothing is compared from here on";
                report::found(&Finding::of(plan.text(call.name), "", Mistake::Refused, text));
                guest.handle_failure(&Error::Died);
            }
            Some(CallError::Channel(why)) => guest.handle_failure(why),
            Some(_) => {}
        }
        errno::set(if call.reads_errno && native_errno == 0 { frame.before } else { native_errno });
        Ok(())
    }

    /// Handles a call that only the real library made. Returns whether it succeeded according to the specification. If it did, records that
    /// the worker lacks its objects.
    ///
    /// # Safety
    ///
    /// The real library must have made the call.
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
                // The worker's library did not do with an object of the arguments what the real one did.
                // SAFETY: the plan places this member inside the argument struct.
                Kind::Handle(handle) if value.copy_out || frame.alone == Alone::Itself => unsafe {
                    self.record_missing_object(handle, at);
                },
                Kind::Buffer(buffer) if buffer.is_out => {
                    let Kind::Handle(handle) = &buffer.element.kind else { continue };
                    // SAFETY: same guarantee as above.
                    let elements = unsafe { load_pointer(at) };
                    if elements == 0 {
                        continue;
                    }
                    // SAFETY: the real library filled this memory of the program.
                    let count = unsafe { marshaller.capacity(buffer, elements, value.name) };
                    for n in 0..count.unwrap_or(0) as usize {
                        // SAFETY: same guarantee as above.
                        unsafe { self.record_missing_object(handle, elements + n * buffer.stride) };
                    }
                }
                _ => {}
            }
        }
        true
    }

    /// Records that the worker has no object for a handle of the real library.
    ///
    /// # Safety
    ///
    /// The handle must be readable at `at`.
    unsafe fn record_missing_object(&self, handle: &HandleValue, at: usize) {
        let scalar = Scalar::unsigned(handle.bytes);
        // SAFETY: the caller upholds the contract of this function.
        let bits = unsafe { load(at, scalar) } as u64;
        if bits != 0 {
            self.known().objects.insert((handle.of, bits), None);
        }
    }

    /// Replaces objects and memory of the real library among the arguments with the guest's.
    ///
    /// # Safety
    ///
    /// `arguments` must be the address of a block of this layout.
    unsafe fn translate(&self, block: &Block, arguments: usize) {
        for value in block.values.iter().filter(|value| value.copy_in) {
            let at = arguments + value.offset;
            match &value.kind {
                Kind::Handle(handle) => {
                    let scalar = Scalar::unsigned(handle.bytes);
                    // SAFETY: the plan places this member inside the argument struct.
                    unsafe { store(at, handle.bytes, i128::from(self.object(handle.of, load(at, scalar) as u64))) };
                }
                Kind::Address { .. } | Kind::Within { .. } => {
                    // SAFETY: same guarantee as above.
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
            // SAFETY: the marshaller just read this memory of the program.
            let before = unsafe { bytes(entry.here, entry.bytes) }.to_vec();
            let (native, remoted) = (Vec::new(), Vec::new());
            Image { slot: entry.slot, here: entry.here, count: entry.count, before, native, remoted }
        };
        let prepared =
            with_frame(|frame| (frame.native, frame.remoted, frame.number, frame.before, Arc::clone(&frame.guest)));
        let Some((native, remoted, number, before, guest)) = prepared else { return };
        // The worker's library has memory for some arguments that are null in the program.
        let is_null = |entry: &BufferEntry| {
            let is_passed =
                |offset: &usize| *offset < block.bytes && call.implicits.iter().all(|one| one.offset != *offset);
            let offset = entry.slot.checked_sub(remoted).filter(is_passed);
            // SAFETY: `native` is the address of a copy of the arguments, with a pointer at this offset.
            offset.is_some_and(|offset| unsafe { load_pointer(native + offset) } == 0)
        };
        // The library in this process frees blocks that pass to it, also if other pointers lead there too.
        let all = &marshaller.entries;
        let first =
            |entry: &BufferEntry| entry.repeats.and_then(|at| all.get(at as usize)).map_or(*entry, |first| *first);
        let is_there = |entry: &&BufferEntry| entry.here != 0 && first(entry).frees_on.is_none() && !is_null(entry);
        let images = marshaller.entries.iter().filter(is_there).map(image).collect();
        with_frame(|frame| frame.images = images);
        let Some(thunk) = self.native.thunks.get(number as usize).copied().flatten() else { return };
        // SAFETY: `native` is the address of a copy of the arguments.
        unsafe { self.register(&guest, marshaller, block, native) };
        let marshaller = std::ptr::from_mut(marshaller).cast::<Marshaller<'static>>();
        let running = Running { link: Rc::clone(link), marshaller, call, block };
        with_frame(|frame| frame.running = Some(running));
        errno::set(if call.reads_errno { 0 } else { before });
        // SAFETY: same guarantee as above.
        unsafe { thunk(std::ptr::with_exposed_provenance_mut(native)) };
        let errno = errno::get();
        with_frame(|frame| frame.errno = Some(errno));
    }

    fn early(&self) -> Option<Answer> {
        with_frame(|frame| frame.early.take()).flatten()
    }

    fn begin_answer(&self) {
        with_frame(|frame| {
            for image in &mut frame.images {
                // SAFETY: the call names this memory of the program, which has the length of the image.
                image.native = unsafe { bytes(image.here, image.before.len()) }.to_vec();
            }
            frame.images.iter().for_each(|image| image.restore(&image.before));
        });
    }

    fn end_answer(&self) {
        with_frame(|frame| {
            for image in &mut frame.images {
                // SAFETY: same guarantee as in `begin_answer`.
                image.remoted = unsafe { bytes(image.here, image.before.len()) }.to_vec();
            }
            frame.images.iter().for_each(|image| image.restore(&image.native));
        });
    }

    unsafe fn compare(
        &self,
        marshaller: &mut Marshaller<'_>,
        call: &'static Call,
        block: &'static Block,
        success: bool,
    ) {
        if with_frame(|frame| frame.alone) == Some(Alone::No) {
            // SAFETY: the caller upholds the contract of this function.
            unsafe { self.compare_reply(marshaller, call, block, success) };
        }
    }

    fn found(&self, finding: Finding) {
        if finding.mistake == Mistake::Refused {
            // The real library may have failed too.
            self.refused(finding);
        } else {
            report::found(&finding);
            with_frame(|frame| frame.has_found = true);
        }
    }

    fn refused(&self, finding: Finding) {
        with_frame(|frame| {
            frame.refused.get_or_insert(finding);
        });
    }
}

impl GuestObserver for Shadow {
    unsafe fn call(&self, guest: &Arc<Guest>, number: u32, call: &'static Call, arguments: usize) -> CallResult<()> {
        let block = guest.described.plan.blocks.get(call.arguments as usize).ok_or(UNEXPECTED)?;
        let no_memory = CallError::Refused("there is no memory for it", call.name);
        let copy = || Allocation::zeroed(block.bytes).ok_or(no_memory);
        let (native, remoted) = (copy()?, copy()?);
        let (before, mut errno) = (errno::get(), None);
        // SAFETY: the caller upholds the contract of this function; each copy has the size of its original.
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
            before,
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
        // SAFETY: the caller upholds the contract of this function.
        let made = unsafe {
            match guest.link() {
                Some(link) => {
                    link.send_errno(before);
                    make(
                        &**guest,
                        &link,
                        CallTarget { number, ..CallTarget::default() },
                        call,
                        remoted.address(),
                        &mut errno,
                    )
                }
                None => Err(CallError::Channel(Error::Died)),
            }
        };
        let frame = FRAMES.with(|frames| frames.borrow_mut().pop());
        let ended = match &frame {
            // SAFETY: the caller upholds the contract of this function.
            Some(frame) => unsafe { self.end(frame, call, block, arguments, (made, errno)) },
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
        // SAFETY: the caller upholds the contract of this function.
        unsafe { self.run_callback(guest, request, marshaller, arguments) }
    }
}
