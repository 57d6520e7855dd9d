//! What functions of libraries need of a CX runtime.

use crate::{Error, Issue, Selector, Sharing, Target, Uuid};

/// The CX API of the thread that runs this, or of the hart (CX API, section "API"), as the generated functions of libraries
/// use it. `lapis-cx-runtime` has `ThisThread` for threads; firmware writes its own, and where there are no CXs at all there is
/// [`NoRuntime`].
///
/// Selectors are those of one thread, so what has some stays on it.
pub trait Runtime {
    /// What issues commands to the CX that is selected, whichever that is.
    type Current: Issue;

    /// Commands go to what is selected when they are issued.
    fn current(&self) -> Self::Current;

    /// Opens a CX (CX API, `cx_open`): an instance of one's own if its state is [`Sharing::Exclusive`], else the one of the
    /// thread.
    ///
    /// # Errors
    /// [`Error::NoDevice`] if there is none, now and later; others if there may be one later.
    fn open(&self, uuid: Uuid, sharing: Sharing) -> Result<Selector, Error>;

    /// Closes one open (CX API, `cx_close`).
    fn close(&self, selector: Selector);

    /// Whether a selector is open (CX API, `cx_sel_is_cx`).
    fn is_open(&self, selector: Selector) -> bool;

    /// Selects, and gives what was selected before (CX API, `cx_select`).
    fn select(&self, selector: Selector) -> Selector;

    /// Saves the state of the selected CX (CX API, `cx_save`): its status word, then its state words, each of XLEN bits in
    /// the machine's byte order. The image is aligned to 8 bytes and as long as one of the interface.
    ///
    /// # Errors
    /// The state is not saved.
    fn save(&self, image: &mut [u8]) -> Result<(), Error>;

    /// Loads an image into the selected CX (CX API, `cx_restore`).
    ///
    /// # Errors
    /// The state is as it was.
    fn restore(&self, image: &[u8]) -> Result<(), Error>;
}

impl<R: Runtime + ?Sized> Runtime for &R {
    type Current = R::Current;

    #[inline]
    fn current(&self) -> R::Current {
        R::current(self)
    }

    #[inline]
    fn open(&self, uuid: Uuid, sharing: Sharing) -> Result<Selector, Error> {
        R::open(self, uuid, sharing)
    }

    #[inline]
    fn close(&self, selector: Selector) {
        R::close(self, selector);
    }

    #[inline]
    fn is_open(&self, selector: Selector) -> bool {
        R::is_open(self, selector)
    }

    #[inline]
    fn select(&self, selector: Selector) -> Selector {
        R::select(self, selector)
    }

    #[inline]
    fn save(&self, image: &mut [u8]) -> Result<(), Error> {
        R::save(self, image)
    }

    #[inline]
    fn restore(&self, image: &[u8]) -> Result<(), Error> {
        R::restore(self, image)
    }
}

/// No CX: functions of libraries use the software fallback, or their `else`.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRuntime;

impl Runtime for NoRuntime {
    type Current = Target;

    #[inline]
    fn current(&self) -> Target {
        Target::NO_BUILTIN
    }

    #[inline]
    fn open(&self, _uuid: Uuid, _sharing: Sharing) -> Result<Selector, Error> {
        Err(Error::NoDevice)
    }

    #[inline]
    fn close(&self, _selector: Selector) {}

    #[inline]
    fn is_open(&self, _selector: Selector) -> bool {
        false
    }

    #[inline]
    fn select(&self, _selector: Selector) -> Selector {
        Selector::BUILTIN
    }

    fn save(&self, _image: &mut [u8]) -> Result<(), Error> {
        Err(Error::BadSelector)
    }

    fn restore(&self, _image: &[u8]) -> Result<(), Error> {
        Err(Error::BadSelector)
    }
}
