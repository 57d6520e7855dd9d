//! Threads: open CXs, and the registers while they do not run.

use core::ffi::c_void;
use core::ptr;

use super::HartSelector;
use crate::{Error, Selector, SelectorTable, Sharing, Slot, SoftCxu, Status, Target, Uuid};

/// A thread's CXs and the values of its registers. It moves between harts that have the same units. It has room for `S`, 1 to 1022 open CXs, and of each that has state the
/// memory `I` for an image.
#[derive(Debug)]
pub struct Thread<I, S> {
    pub(super) table: SelectorTable<Virtual<I>, S>,
    /// The hart that it runs on, or ran on last.
    pub(super) hart: Option<u32>,
    /// The number of its turn there, while it runs.
    pub(super) turn: Option<u64>,
    pub(super) selected: Selector,
    /// `mcx_selector` while it runs.
    pub(super) register: HartSelector,
    pub(super) status: Status,
}

/// An open CX.
#[derive(Debug)]
pub struct Virtual<I> {
    /// The unit that has it.
    pub(super) unit: u8,
    pub(super) uuid: Uuid,
    pub(super) exclusive: bool,
    /// Opens that were not closed yet.
    pub(super) opens: u32,
    pub(super) place: Place,
    /// `cs` as its user left it: the context itself says `clean` after its state was saved or loaded.
    pub(super) cs: usize,
    pub(super) image: I,
}

/// Where a state is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// There is none.
    Stateless,
    /// Where others have their image: no unit has the CX, and software stands in for it.
    Emulated(&'static SoftCxu),
    /// Nowhere: it is the reset state.
    Initial,
    /// In the image, and still in a context of a hart as long as the tag there says so.
    Saved { left: Option<Resident> },
    /// In a context of the hart that the thread runs on; in the image too, if `saved` and the context says `clean`.
    Resident { at: Resident, saved: bool },
}

/// A state context of a hart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Resident {
    pub hart: u32,
    pub state_id: u8,
    /// The number of the load that brought it there.
    pub load: u64,
}

/// What stands behind an open CX.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backing {
    /// A state context of a unit is its own, or it needs none.
    Native,
    /// It shares the state contexts of a unit: its next command traps.
    Virtualized,
    /// No unit has it: each command traps, and software stands in.
    Emulated,
}

/// Memory for a saved state, or for the state of a CX that software stands in for.
///
/// # Safety
/// [`address`](Self::address) is that of the memory which the other two give, and these always give the same, of one length.
pub unsafe trait Image: AsRef<[u64]> + AsMut<[u64]> {
    /// The address of the memory. It does not change, and stays good for reads and writes while the memory is looked at
    /// through the references of the other two.
    fn address(&mut self) -> *mut c_void;
}

// SAFETY: a slice is where it is.
unsafe impl Image for &mut [u64] {
    fn address(&mut self) -> *mut c_void {
        self.as_mut_ptr().cast()
    }
}

/// Room for open CXs.
pub trait Slots<I>: AsRef<[Slot<Virtual<I>>]> + AsMut<[Slot<Virtual<I>>]> {}
impl<I, T: AsRef<[Slot<Virtual<I>>]> + AsMut<[Slot<Virtual<I>>]>> Slots<I> for T {}

impl<I: Image, S: Slots<I>> Thread<I, S> {
    /// A thread with nothing open, which has selected built-in.
    ///
    /// # Errors
    /// [`Error::Invalid`] if there are no slots, or more than 1022.
    pub fn new(slots: S) -> Result<Self, Error> {
        Ok(Thread {
            table: SelectorTable::new(slots)?,
            hart: None,
            turn: None,
            selected: Selector::BUILTIN,
            register: HartSelector::BUILTIN,
            status: Status::NONE,
        })
    }

    /// The current selection, as it was selected (CX API, `cx_get_sel`).
    pub fn selected(&self) -> Selector {
        self.selected
    }

    /// Selects, and returns the selection before (CX API, `cx_select`). On a hart it is one write of `cx_index`.
    pub fn select(&mut self, selector: Selector) -> Selector {
        self.register = self.entry(selector);
        core::mem::replace(&mut self.selected, selector)
    }

    /// Whether a selector is open (CX API, `cx_sel_is_cx`).
    pub fn is_open(&self, selector: Selector) -> bool {
        self.table.get(selector).is_some()
    }

    /// How often a CX was opened and not closed; 0 if it is not open.
    pub fn opens(&self, selector: Selector) -> u32 {
        self.table.get(selector).map_or(0, |cx| cx.opens)
    }

    /// What stands behind a selector; `None` if it is not open.
    pub fn backing(&self, selector: Selector) -> Option<Backing> {
        self.table.get(selector).map(|cx| match cx.place {
            Place::Stateless | Place::Resident { .. } => Backing::Native,
            Place::Initial | Place::Saved { .. } => Backing::Virtualized,
            Place::Emulated(_) => Backing::Emulated,
        })
    }

    /// The `cxu_id` of the unit that has the CX of a selector; `None` if it is not open, or software stands in for it.
    pub fn unit(&self, selector: Selector) -> Option<u8> {
        self.table.get(selector).filter(|cx| !matches!(cx.place, Place::Emulated(_))).map(|cx| cx.unit)
    }

    /// Where operations of a selector go if software stands in for its CX.
    ///
    /// # Safety
    /// The target is used while the CX is open, this thread's memory is there, and nothing else uses the state.
    pub unsafe fn software(&mut self, selector: Selector) -> Option<Target> {
        let (cxu, state) = self.software_state(selector)?;
        // SAFETY: `Hart::emulate` has seen to it that the memory is a state, and was told that the functions are good; the
        // caller sees to the rest.
        Some(unsafe { Target::new(cxu, state) })
    }

    /// The software that stands in for a CX, and the state that it has there; null if it has none.
    pub fn software_state(&mut self, selector: Selector) -> Option<(&'static SoftCxu, *mut c_void)> {
        let cx = self.table.get_mut(selector)?;
        let Place::Emulated(cxu) = cx.place else { return None };
        let stateless = cxu.sharing() == Sharing::Stateless;
        Some((cxu, if stateless { ptr::null_mut() } else { cx.image.address() }))
    }

    /// The entry of the table at `mcx_table` for a selector, what a write of `cx_index` brings to `mcx_selector`.
    pub fn entry(&self, selector: Selector) -> HartSelector {
        if selector == Selector::BUILTIN {
            return HartSelector::BUILTIN;
        }
        let Some(cx) = self.table.get(selector) else { return HartSelector::INVALID };
        match cx.place {
            Place::Stateless => HartSelector::new(cx.unit, 0),
            Place::Emulated(_) => HartSelector::INVALID,
            Place::Resident { at, .. } if self.turn.is_some() && self.hart == Some(at.hart) => {
                HartSelector::new(cx.unit, at.state_id)
            }
            Place::Resident { .. } | Place::Initial | Place::Saved { .. } => HartSelector::new(cx.unit, 0).poisoned(),
        }
    }

    /// `cx_status`: flags that stay until they are cleared.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Writes `cx_status`, and returns the old value.
    pub fn set_status(&mut self, status: Status) -> Status {
        core::mem::replace(&mut self.status, status)
    }
}
