//! What belongs to a thread: its selection, its `cx_status` and its open CXs.
//!
//! On RISC-V Linux instructions change it, by way of a signal (`trap`). So what [`issue`], [`csr`], [`select`], [`change_status`]
//! and [`flex`] do takes no memory and no lock; and what reads or writes here has a [`fence`] at both ends, but for
//! [`selected`], which compilers may know.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::compiler_fence;

use lapis_cx_core::machine::{Counters, Operation};
use lapis_cx_core::{ABI_VERSION, CsrOp, Error, Reply, Response, Selector, Sharing, SoftCxu, Status, Target, Uuid};

use crate::cx::OpenFlags;
use crate::hardware::{self, fence};
use crate::machine::{Backing, Machine};
use crate::sync::{self, AtomicU32, Ordering};

/// A power of two.
const RECENT: usize = 8;

/// What each command needs. It has no destructor, so that access to it costs no check and cannot fail.
struct Current {
    target: Cell<Target>,
    selector: Cell<Selector>,
    status: Cell<Status>,
    /// Whether a CXU that is written in Rust is running.
    inside: Cell<bool>,
    /// Whether a CX was ever opened: [`OPEN`] has a hart.
    has_machine: Cell<bool>,
    /// Where operations of the CXs go that were selected lately, by the low bits of their index: selecting them again asks
    /// nobody. An entry goes when its CX is closed.
    recent: [Cell<Option<(Selector, Target)>>; RECENT],
    /// See [`token`]; 0 before somebody asks.
    token: Cell<u32>,
    /// Why the CXU could not save or load its state: the functions of a descriptor have no other way to say so.
    failure: Cell<Option<Error>>,
}

/// The hart of the thread, built when a CX is opened for the first time.
struct Open(Option<Machine>);

impl Drop for Open {
    fn drop(&mut self) {
        // Other destructors of the thread may still issue commands: the states are gone then.
        sync::at_end_of_thread(&CURRENT, |current| {
            current.recent.iter().for_each(|entry| entry.set(None));
            if current.selector.get() != Selector::BUILTIN {
                current.target.set(Target::INVALID);
            }
        });
        // A signal's handler may do so too, while what they are in is freed.
        compiler_fence(Ordering::SeqCst);
    }
}

thread_local! {
    static CURRENT: Current = const {
        Current {
            target: Cell::new(Target::NO_BUILTIN),
            selector: Cell::new(Selector::BUILTIN),
            status: Cell::new(Status::NONE),
            inside: Cell::new(false),
            has_machine: Cell::new(false),
            recent: [const { Cell::new(None) }; RECENT],
            token: Cell::new(0),
            failure: Cell::new(None),
        }
    };
    static OPEN: RefCell<Open> = const { RefCell::new(Open(None)) };
}

/// Lends the place of the hart. `None` when the thread is ending and everything is closed, and while it is lent: from inside a
/// CXU of a platform, and from the handler of a signal that came meanwhile.
///
/// The first use on a thread takes memory, as it registers the destructor.
fn with_open<R>(work: impl FnOnce(&mut Open) -> R) -> Option<R> {
    OPEN.try_with(|open| Some(work(&mut *open.try_borrow_mut().ok()?))).ok()?
}

/// Lends the hart if there is one. `None` as [`with_open`]. It takes no memory, so that a trap handler may ask.
fn with_machine<R>(work: impl FnOnce(Option<&mut Machine>) -> R) -> Option<R> {
    fence();
    let has_machine = CURRENT.with(|current| current.has_machine.get());
    let done = if has_machine { with_open(|open| work(open.0.as_mut())) } else { Some(work(None)) };
    fence();
    done
}

/// Operations that need the hart: those of a CX that a unit has.
static HART: SoftCxu = SoftCxu {
    abi_version: ABI_VERSION,
    struct_size: size_of::<SoftCxu>() as u32,
    uuid: Uuid { high: 0, low: 0 },
    contract: [0; 32],
    xlen: usize::BITS,
    sharing: Sharing::Stateless as u32,
    flags: 0,
    state_words: 0,
    state_size: 0,
    state_align: 1,
    name: c"hart".as_ptr(),
    init: None,
    issue: Some(hart_issue),
    save: None,
    restore: None,
    csr: Some(hart_csr),
    flex: None,
};

unsafe extern "C" fn hart_issue(_state: *mut c_void, function: u32, rs1: usize, rs2: usize, rd: *mut usize) -> u32 {
    let reply = operate(Operation::Command { function, rs1, rs2 });
    // SAFETY: `Target` gives a place for rd.
    unsafe { rd.write(reply.value) };
    reply.response.code()
}

unsafe extern "C" fn hart_csr(_state: *mut c_void, op: u32, address: u32, value: usize, old: *mut usize) -> u32 {
    let Some(op) = CsrOp::from_code(op) else { return Response::Func.code() };
    let reply = operate(Operation::Csr { op, address, value });
    // SAFETY: `Target` gives a place for the old word.
    unsafe { old.write(reply.value) };
    reply.response.code()
}

/// Does an operation on the hart, under the current selection.
fn operate(operation: Operation) -> Reply {
    // A CXU is a piece of hardware: it issues nothing, and what it would disturb is in use.
    if is_inside() {
        return Reply { value: 0, response: Response::Cxu };
    }
    let done = with_machine(|machine| Some(machine?.operate(selected(), operation)));
    done.flatten().unwrap_or(Reply { value: 0, response: Response::Cxu })
}

/// Issues a command to the current selection.
#[inline]
pub(crate) fn issue(function: u32, rs1: usize, rs2: usize) -> Reply {
    fence();
    let reply = CURRENT.with(|current| current.note(current.target.get().issue(function, rs1, rs2)));
    fence();
    reply
}

/// Accesses a CSR of the current selection.
#[inline]
pub(crate) fn csr(op: CsrOp, address: u32, value: usize) -> Reply {
    fence();
    let reply = CURRENT.with(|current| current.note(current.target.get().csr(op, address, value)));
    fence();
    reply
}

impl Current {
    /// The entry for a selector.
    fn recent(&self, selector: Selector) -> &Cell<Option<(Selector, Target)>> {
        &self.recent[usize::from(selector.cx_index()) % RECENT]
    }

    /// Selects.
    fn select(&self, selector: Selector, target: Target) -> Selector {
        self.target.set(target);
        self.selector.replace(selector)
    }

    /// An error adds to `cx_status`.
    #[inline]
    fn note(&self, reply: Reply) -> Reply {
        if reply.response != Response::Ok {
            self.status.set(self.status.get() | Status::from(reply.response));
        }
        reply
    }
}

/// Opens a CX.
pub(crate) fn open(uuid: Uuid, flags: OpenFlags) -> Result<Selector, Error> {
    let opened = with_open(|open| {
        if open.0.is_none() {
            open.0 = Some(Machine::new()?);
            CURRENT.with(|current| current.has_machine.set(true));
        }
        open.0.as_mut().ok_or(Error::NoMemory)?.open(uuid, flags)
    });
    let opened = opened.unwrap_or(Err(if is_inside() { Error::Busy } else { Error::NoMemory }))?;
    // Any number can be selected, also that of a CX which is open only now.
    if selected() == opened {
        select(opened);
    }
    Ok(opened)
}

/// Closes one open of a CX.
pub(crate) fn close(selector: Selector) -> Result<(), Error> {
    if is_inside() {
        return Err(Error::Busy);
    }
    let closed = with_machine(|machine| {
        let machine = machine.ok_or(Error::BadSelector)?;
        // First, as the state may be freed now: the handler of a signal may select it meanwhile, and issue commands. While the
        // hart is lent nothing becomes recent.
        CURRENT.with(|current| {
            current.recent(selector).set(None);
            if current.selector.get() == selector {
                current.target.set(Target::INVALID);
            }
        });
        compiler_fence(Ordering::SeqCst);
        machine.close(selector)
    });
    // It may be open still.
    if selected() == selector {
        select(selector);
    }
    closed.unwrap_or(Err(Error::BadSelector))
}

/// Whether the selector is open on this thread.
pub(crate) fn is_open(selector: Selector) -> bool {
    with_machine(|machine| machine.is_some_and(|machine| machine.is_open(selector))).unwrap_or(false)
}

/// Whether the selector is open on this thread, and its CX was not revoked.
pub(crate) fn is_there(selector: Selector) -> bool {
    with_machine(|machine| machine.is_some_and(|machine| machine.is_there(selector))).unwrap_or(false)
}

/// The open CXs of this thread that take part in user contexts.
pub(crate) fn in_user_context() -> Vec<Selector> {
    with_machine(|machine| machine.map(|machine| machine.in_user_context().to_vec())).flatten().unwrap_or_default()
}

/// What this thread is known by: no other has it, nor had it before.
pub(crate) fn token() -> u32 {
    shared! { static THREADS: AtomicU32 = AtomicU32::new(1); }
    CURRENT.with(|current| {
        if current.token.get() == 0 {
            current.token.set(THREADS.fetch_add(1, Ordering::Relaxed));
        }
        current.token.get()
    })
}

/// How often a CX is open that was opened on this thread; 0 if it is not open.
pub(crate) fn opens(selector: Selector) -> u32 {
    with_machine(|machine| machine.map_or(0, |machine| machine.opens(selector))).unwrap_or(0)
}

/// What stands behind a selector; `None` if it is not open on this thread.
pub(crate) fn backing(selector: Selector) -> Option<Backing> {
    with_machine(|machine| machine?.backing(selector))?
}

/// Nanoseconds of a command to an open CX, measured now.
pub(crate) fn cost(selector: Selector) -> Option<f64> {
    let on_machine = with_machine(|machine| machine?.cost(selector))??;
    Some(on_machine + hardware::way())
}

/// What happened on the hart of this thread so far.
pub(crate) fn counters() -> Counters {
    with_machine(|machine| machine.map(|machine| machine.counters())).flatten().unwrap_or_default()
}

/// Whether a CXU written in Rust runs.
fn is_inside() -> bool {
    CURRENT.with(|current| current.inside.get())
}

/// The current selection, as it was selected.
pub(crate) fn selected() -> Selector {
    CURRENT.with(|current| current.selector.get())
}

/// The thread has selected, by an instruction.
#[cfg(all(target_os = "linux", target_arch = "riscv64"))]
#[inline]
pub(crate) fn note_selected(selector: Selector) {
    CURRENT.with(|current| current.selector.set(selector));
}

/// Selects, and returns the selection before.
#[inline]
pub(crate) fn select(selector: Selector) -> Selector {
    fence();
    let outer = CURRENT.with(|current| {
        if selector == Selector::BUILTIN {
            return current.select(selector, Target::NO_BUILTIN);
        }
        match current.recent(selector).get() {
            Some((recent, target)) if recent == selector => current.select(selector, target),
            _ => current.select(selector, target(current, selector)),
        }
    });
    fence();
    outer
}

/// Where operations of a selector go.
#[cold]
fn target(current: &Current, selector: Selector) -> Target {
    // SAFETY: it has no state.
    let hart = unsafe { Target::new(&HART, ptr::null_mut()) };
    let found = with_machine(|machine| {
        let machine = machine?;
        // SAFETY: the target goes when the CX is closed and when the thread ends, and a CXU runs one command at a time.
        let software = unsafe { machine.software(selector) };
        software.or_else(|| machine.is_open(selector).then_some(hart))
    });
    match found {
        Some(Some(target)) => {
            current.recent(selector).set(Some((selector, target)));
            target
        }
        Some(None) => Target::INVALID,
        // While the hart is lent it cannot be asked: it finds out when a command comes.
        None => hart,
    }
}

/// A CXU, and the state of one of its instances: null if it has none, `None` if a unit of the hart has it.
pub(crate) type StateOf = (&'static SoftCxu, Option<*mut c_void>);

/// What is needed to save or restore an instance.
pub(crate) fn state_of(selector: Selector) -> Result<StateOf, Error> {
    if is_inside() {
        return Err(Error::Busy);
    }
    with_machine(|machine| machine?.state_of(selector)).flatten().ok_or(Error::BadSelector)
}

/// What to issue to the selected CX for a command on the opcode of flex; see [`SoftCxu::flex`].
#[cfg(all(target_os = "linux", target_arch = "riscv64"))]
pub(crate) fn flex(function: u32, fields: u32, mut rs2: usize) -> (u32, usize) {
    let decode = state_of(selected()).ok().and_then(|(cxu, _)| cxu.flex);
    // SAFETY: it is the function of a registered CXU, which keeps what `cx_abi.h` asks; `rs2` is ours.
    let function = decode.map_or(function, |decode| unsafe { decode(function, fields, &raw mut rs2) });
    (function, rs2)
}

/// Saves a state that a unit of the hart has.
pub(crate) fn save(selector: Selector, to: &mut [u64]) -> Result<usize, Error> {
    with_machine(|machine| machine.ok_or(Error::BadSelector)?.save(selector, to)).unwrap_or(Err(Error::Busy))
}

/// Loads a state into a unit of the hart.
pub(crate) fn restore(selector: Selector, from: &[u64]) -> Result<(), Error> {
    with_machine(|machine| machine.ok_or(Error::BadSelector)?.restore(selector, from)).unwrap_or(Err(Error::Busy))
}

/// From inside a `save` or `restore`: it failed, and has changed nothing.
pub(crate) fn fail(error: Error) {
    CURRENT.with(|current| current.failure.set(Some(error)));
}

/// Runs a `save` or `restore`.
///
/// # Errors
/// What it said to [`fail`].
pub(crate) fn attempt<R>(run: impl FnOnce() -> R) -> Result<R, Error> {
    CURRENT.with(|current| current.failure.set(None));
    fence();
    let done = run();
    fence();
    CURRENT.with(|current| current.failure.take()).map_or(Ok(done), Err)
}

/// Changes `cx_status` and returns the old value.
pub(crate) fn change_status(change: impl FnOnce(Status) -> Status) -> Status {
    fence();
    let old = CURRENT.with(|current| current.status.replace(change(current.status.get())));
    fence();
    old
}

/// While it lives, a CXU written in Rust runs on this thread: no other may start, and nothing is closed.
pub(crate) struct Inside(());

impl Inside {
    /// `None` if one runs already.
    pub fn enter() -> Option<Inside> {
        let was_inside = CURRENT.with(|current| current.inside.replace(true));
        // Made only when it is given out: dropping one ends the inside.
        (!was_inside).then(|| Inside(()))
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        CURRENT.with(|current| current.inside.set(false));
    }
}
