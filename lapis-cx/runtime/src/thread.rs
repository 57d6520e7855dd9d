//! What belongs to a thread: its selection, its `cx_status` and its open CXs.

use std::cell::{Cell, RefCell};

use lapis_cx_core::{CsrOp, Error, INDEX_LIMIT, Reply, Response, Selector, SelectorTable, Slot, Status, Target, Uuid};

use crate::instance::Instance;
use crate::registry;

/// What each command needs. It has no destructor, so that access to it costs no check and cannot fail.
struct Current {
    target: Cell<Target>,
    selector: Cell<Selector>,
    status: Cell<Status>,
    /// Whether a CXU that is written in Rust is running.
    inside: Cell<bool>,
    /// Why the CXU could not save or load its state: the functions of a descriptor have no other way to say so.
    failure: Cell<Option<Error>>,
}

type Table = SelectorTable<Instance, Box<[Slot<Instance>]>>;

/// The open CXs; the table is built when the first one is opened.
struct Open(Option<Table>);

impl Drop for Open {
    fn drop(&mut self) {
        // Other destructors of the thread may still issue commands: the states are gone then.
        CURRENT.with(|current| {
            if current.selector.get() != Selector::BUILTIN {
                current.target.set(Target::INVALID);
            }
        });
    }
}

thread_local! {
    static CURRENT: Current = const {
        Current {
            target: Cell::new(Target::NO_BUILTIN),
            selector: Cell::new(Selector::BUILTIN),
            status: Cell::new(Status::NONE),
            inside: Cell::new(false),
            failure: Cell::new(None),
        }
    };
    static OPEN: RefCell<Open> = const { RefCell::new(Open(None)) };
}

/// Lends the open CXs. `None` when the thread is ending and they are closed already. No foreign code runs in `work`.
fn with_open<R>(work: impl FnOnce(&mut Open) -> R) -> Option<R> {
    OPEN.try_with(|open| Some(work(&mut *open.try_borrow_mut().ok()?))).ok()?
}

fn with_instance<R>(selector: Selector, work: impl FnOnce(&Instance) -> R) -> Option<R> {
    with_open(|open| open.0.as_ref()?.get(selector).map(work))?
}

/// Issues a command to the current selection.
#[inline]
pub(crate) fn issue(function: u32, rs1: usize, rs2: usize) -> Reply {
    CURRENT.with(|current| current.note(current.target.get().issue(function, rs1, rs2)))
}

/// Accesses a CSR of the current selection.
#[inline]
pub(crate) fn csr(op: CsrOp, address: u32, value: usize) -> Reply {
    CURRENT.with(|current| current.note(current.target.get().csr(op, address, value)))
}

impl Current {
    /// An error adds to `cx_status`.
    #[inline]
    fn note(&self, reply: Reply) -> Reply {
        if reply.response != Response::Ok {
            self.status.set(self.status.get() | Status::from(reply.response));
        }
        reply
    }
}

/// Opens a CX. `exclusive` says how.
pub(crate) fn open(uuid: Uuid, exclusive: bool) -> Result<Selector, Error> {
    let cxu = registry::find(uuid).ok_or(Error::NoDevice)?;
    if !cxu.sharing().allows(exclusive) {
        return Err(Error::Permission);
    }
    if !exclusive && let Some(selector) = with_open(|open| open.share(uuid)).flatten() {
        return selector;
    }
    // Not while the table is lent: this runs the CXU's `init`.
    let instance = Instance::new(cxu, exclusive)?;
    let opened = with_open(|open| open.table()?.insert(instance)).unwrap_or(Err(Error::NoMemory))?;
    // Any number can be selected, also that of a CX which is open only now.
    if selected() == opened {
        select(opened);
    }
    Ok(opened)
}

impl Open {
    /// One more open of a shared instance, if there is one.
    fn share(&mut self, uuid: Uuid) -> Option<Result<Selector, Error>> {
        let table = self.0.as_mut()?;
        let selector = table.iter().find(|(_, instance)| !instance.exclusive && instance.cxu.uuid == uuid)?.0;
        let instance = table.get_mut(selector)?;
        Some(match instance.opens.checked_add(1) {
            Some(opens) => {
                instance.opens = opens;
                Ok(selector)
            }
            None => Err(Error::TableFull),
        })
    }

    fn table(&mut self) -> Result<&mut Table, Error> {
        if self.0.is_none() {
            let count = usize::from(INDEX_LIMIT) - 1;
            let mut slots = Vec::new();
            slots.try_reserve_exact(count).map_err(|_| Error::NoMemory)?;
            slots.extend((0..count).map(|_| Slot::VACANT));
            self.0 = Some(SelectorTable::new(slots.into_boxed_slice())?);
        }
        self.0.as_mut().ok_or(Error::NoMemory)
    }
}

/// Closes one open of a CX.
pub(crate) fn close(selector: Selector) -> Result<(), Error> {
    if CURRENT.with(|current| current.inside.get()) {
        return Err(Error::Busy);
    }
    let last = with_open(|open| {
        let table = open.0.as_mut().ok_or(Error::BadSelector)?;
        let instance = table.get_mut(selector).ok_or(Error::BadSelector)?;
        instance.opens -= 1;
        if instance.opens > 0 {
            return Ok(None);
        }
        table.remove(selector).map(Some)
    });
    let last = last.unwrap_or(Err(Error::BadSelector))?;
    if last.is_some() {
        CURRENT.with(|current| {
            if current.selector.get() == selector {
                current.target.set(Target::INVALID);
            }
        });
    }
    Ok(())
}

/// Whether the selector is open on this thread.
pub(crate) fn is_open(selector: Selector) -> bool {
    with_instance(selector, |_| ()).is_some()
}

/// The current selection, as it was selected.
pub(crate) fn selected() -> Selector {
    CURRENT.with(|current| current.selector.get())
}

/// Selects, and returns the selection before.
pub(crate) fn select(selector: Selector) -> Selector {
    let target = if selector == Selector::BUILTIN {
        Target::NO_BUILTIN
    } else {
        with_instance(selector, Instance::target).unwrap_or(Target::INVALID)
    };
    CURRENT.with(|current| {
        current.target.set(target);
        current.selector.replace(selector)
    })
}

/// What is needed to save or restore an instance.
pub(crate) fn state_of(selector: Selector) -> Result<StateOf, Error> {
    if CURRENT.with(|current| current.inside.get()) {
        return Err(Error::Busy);
    }
    with_instance(selector, |instance| (instance.cxu, instance.state())).ok_or(Error::BadSelector)
}

/// From inside a `save` or `restore`: it failed, and has changed nothing.
pub(crate) fn fail(error: Error) {
    CURRENT.with(|current| current.failure.set(Some(error)));
}

/// Runs a `save` or `restore`.
///
/// # Errors
/// What it said to [`fail`].
pub(crate) fn attempt(run: impl FnOnce()) -> Result<(), Error> {
    CURRENT.with(|current| current.failure.set(None));
    run();
    CURRENT.with(|current| current.failure.take()).map_or(Ok(()), Err)
}

/// A CXU and the state of one of its instances, null if it has none.
pub(crate) type StateOf = (&'static lapis_cx_core::SoftCxu, *mut std::ffi::c_void);

/// Changes `cx_status` and returns the old value.
pub(crate) fn change_status(change: impl FnOnce(Status) -> Status) -> Status {
    CURRENT.with(|current| current.status.replace(change(current.status.get())))
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
