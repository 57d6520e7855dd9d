//! What generated functions of libraries lean on: instances that are kept between calls, and guards that give back what
//! they took, also if the stack unwinds.

use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;
use core::mem;

use crate::{Error, Runtime, Selector, Sharing, Uuid};

/// A CX, as a library opens it.
#[derive(Clone, Copy, Debug)]
pub struct Interface {
    /// Which.
    pub uuid: Uuid,
    /// Whether an instance is one's own.
    pub sharing: Sharing,
}

/// The instance of a CX that a library keeps. It stays on the thread that opened it.
pub struct Instance {
    interface: Interface,
    /// Built-in before it is looked for, invalid if the machine has none.
    selector: Cell<Selector>,
    on_this_thread: PhantomData<*mut ()>,
}

impl Instance {
    /// Nothing is looked for yet.
    #[must_use]
    pub const fn new(interface: Interface) -> Instance {
        Instance { interface, selector: Cell::new(Selector::BUILTIN), on_this_thread: PhantomData }
    }

    /// The instance, which is opened the first time; `None` if there is none.
    #[inline]
    pub fn open<R: Runtime>(&self, runtime: &R) -> Option<Selector> {
        match self.selector.get() {
            Selector::INVALID => None,
            selector if selector != Selector::BUILTIN && runtime.is_open(selector) => Some(selector),
            _ => self.look(runtime),
        }
    }

    #[cold]
    fn look<R: Runtime>(&self, runtime: &R) -> Option<Selector> {
        let opened = runtime.open(self.interface.uuid, self.interface.sharing);
        self.selector.set(match opened {
            Ok(selector) => selector,
            Err(Error::NoDevice) => Selector::INVALID,
            // What is only busy now may be had later.
            Err(_) => Selector::BUILTIN,
        });
        opened.ok()
    }

    /// The same for a function that may be called again before it is done: each call has an instance of its own.
    #[inline]
    pub fn take<'r, R: Runtime>(&'r self, runtime: &'r R) -> Option<Taken<'r, R>> {
        let selector = self.open(runtime)?;
        self.selector.set(Selector::BUILTIN);
        Some(Taken { runtime, selector, instance: Some(self) })
    }

    /// Closes it.
    pub fn close<R: Runtime>(&self, runtime: &R) {
        close(runtime, self.selector.replace(Selector::BUILTIN));
    }
}

impl fmt::Debug for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Instance").field(&self.selector.get()).finish()
    }
}

fn close<R: Runtime>(runtime: &R, selector: Selector) {
    if selector != Selector::BUILTIN && selector != Selector::INVALID {
        runtime.close(selector);
    }
}

/// An instance that one call has for itself until this is dropped.
pub struct Taken<'r, R: Runtime> {
    runtime: &'r R,
    selector: Selector,
    /// Where it goes back to; it is closed if it came from nowhere.
    instance: Option<&'r Instance>,
}

impl<'r, R: Runtime> Taken<'r, R> {
    /// Opens an instance with the reset state.
    pub fn fresh(runtime: &'r R, interface: Interface) -> Option<Taken<'r, R>> {
        let selector = runtime.open(interface.uuid, interface.sharing).ok()?;
        Some(Taken { runtime, selector, instance: None })
    }

    /// Its selector.
    #[inline]
    pub fn selector(&self) -> Selector {
        self.selector
    }
}

impl<R: Runtime> Drop for Taken<'_, R> {
    #[inline]
    fn drop(&mut self) {
        match self.instance.map(|instance| &instance.selector) {
            // A call meanwhile has left one there.
            Some(kept) if kept.get() != Selector::BUILTIN => self.runtime.close(self.selector),
            Some(kept) => kept.set(self.selector),
            None => self.runtime.close(self.selector),
        }
    }
}

/// A selection, until this is dropped: then what was selected before is selected again.
pub struct Entered<'r, R: Runtime> {
    runtime: &'r R,
    before: Selector,
}

/// Selects.
#[inline]
pub fn enter<R: Runtime>(runtime: &R, selector: Selector) -> Entered<'_, R> {
    Entered { runtime, before: runtime.select(selector) }
}

impl<R: Runtime> Drop for Entered<'_, R> {
    #[inline]
    fn drop(&mut self) {
        self.runtime.select(self.before);
    }
}

/// Room for the image of a state: this many bytes.
#[repr(C, align(8))]
pub struct Image<const BYTES: usize> {
    bytes: [u8; BYTES],
    is_saved: bool,
}

impl<const BYTES: usize> Image<BYTES> {
    /// Nothing is saved.
    #[inline]
    #[must_use]
    #[allow(clippy::new_without_default)] // generated code has no use for it
    pub const fn new() -> Self {
        Image { bytes: [0; BYTES], is_saved: false }
    }

    /// Saves the state of the selected CX.
    #[inline]
    pub fn save<R: Runtime>(&mut self, runtime: &R) {
        self.is_saved = runtime.save(&mut self.bytes).is_ok();
    }

    /// Loads what was saved into the selected CX.
    #[inline]
    pub fn restore<R: Runtime>(&self, runtime: &R) {
        if self.is_saved {
            // There is nobody to tell: the function gives a number, as in C.
            let _ = runtime.restore(&self.bytes);
        }
    }
}

/// The state that the caller has in a shared CX. It is loaded again also if the stack unwinds.
pub struct Kept<'r, R: Runtime, const BYTES: usize> {
    runtime: &'r R,
    selector: Selector,
    image: Image<BYTES>,
}

/// Saves the state of a CX, which is selected.
#[inline]
pub fn keep<const BYTES: usize, R: Runtime>(runtime: &R, selector: Selector) -> Kept<'_, R, BYTES> {
    let mut image = Image::new();
    image.save(runtime);
    Kept { runtime, selector, image }
}

impl<R: Runtime, const BYTES: usize> Kept<'_, R, BYTES> {
    /// Loads it into the CX, which is selected.
    #[inline]
    pub fn restore(self) {
        self.image.restore(self.runtime);
        mem::forget(self);
    }
}

impl<R: Runtime, const BYTES: usize> Drop for Kept<'_, R, BYTES> {
    #[inline]
    fn drop(&mut self) {
        // Where the stack unwinds, anything may be selected.
        self.runtime.select(self.selector);
        self.image.restore(self.runtime);
    }
}

/// An element of a buffer; 0 behind its end.
#[inline(always)]
pub fn read<T: Copy + Default>(buffer: &[T], index: impl TryInto<usize>) -> T {
    index.try_into().ok().and_then(|index: usize| buffer.get(index)).copied().unwrap_or_default()
}

/// Writes an element of a buffer; nothing behind its end.
#[inline(always)]
pub fn write<T>(index: impl TryInto<usize>, value: T, buffer: &mut [T]) {
    if let Some(place) = index.try_into().ok().and_then(|index: usize| buffer.get_mut(index)) {
        *place = value;
    }
}
