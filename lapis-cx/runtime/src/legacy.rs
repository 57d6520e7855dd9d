//! Code of the default calling convention (CX API, "CX calling conventions"), called while a CX is selected.

use lapis_cx_core::{Error, Selector, Sharing};

use crate::cx::Selected;
use crate::{image, thread};

/// A function, or whatever leads to functions, of the default calling convention: it may issue the processor's built-in custom
/// instructions, so built-in must be selected when it starts, and it does not preserve the state of shared CXs. Such code
/// knows nothing of CXs.
///
/// Where a CX is selected, what is wrapped in this is reached only by [`Selected::call`], which sees to both.
#[derive(Clone, Copy, Debug)]
pub struct Legacy<F>(F);

impl<F> Legacy<F> {
    /// Marks code as what knows nothing of CXs.
    pub const fn new(code: F) -> Legacy<F> {
        Legacy(code)
    }

    /// Calls it with built-in selected; after it, also if the stack unwinds, the selection is what it was. For code that has
    /// no state of a shared CX to lose: who has one uses [`Selected::call`].
    pub fn call<R>(&self, call: impl FnOnce(&F) -> R) -> R {
        let _builtin = Builtin { before: thread::select(Selector::BUILTIN) };
        call(&self.0)
    }
}

impl Selected<'_> {
    /// Calls code that knows nothing of CXs: `mac.call(&legacy, |f| f(7))`. Built-in is selected around the call, and if the
    /// CX is shared, its state is saved before and loaded after it, also if the stack unwinds.
    ///
    /// # Errors
    /// The state cannot be saved, as [`save`](Self::save) says; the code is not called then. Or it cannot be loaded again.
    pub fn call<F, R>(&self, legacy: &Legacy<F>, call: impl FnOnce(&F) -> R) -> Result<R, Error> {
        let mut kept = Kept { selector: self.selector(), image: self.shared_state()? };
        let result = legacy.call(call);
        kept.load()?;
        Ok(result)
    }

    /// The state, if others on this thread may change it.
    fn shared_state(&self) -> Result<Vec<u64>, Error> {
        let (cxu, _) = thread::state_of(self.selector())?;
        if matches!(cxu.sharing(), Sharing::Stateless | Sharing::Exclusive) {
            return Ok(Vec::new());
        }
        let bytes = cxu.image_size().ok_or(Error::Invalid)?;
        let mut image = image::aligned(bytes)?;
        // SAFETY: there is room for as many bytes.
        unsafe { image::save(self.selector(), image.as_mut_ptr().cast(), bytes) }?;
        Ok(image)
    }
}

/// Selects again what was selected.
struct Builtin {
    before: Selector,
}

impl Drop for Builtin {
    fn drop(&mut self) {
        thread::select(self.before);
    }
}

/// A state that is loaded again, once.
struct Kept {
    selector: Selector,
    image: Vec<u64>,
}

impl Kept {
    fn load(&mut self) -> Result<(), Error> {
        let image = std::mem::take(&mut self.image);
        if image.is_empty() {
            return Ok(());
        }
        // SAFETY: the image is as long as it says.
        unsafe { image::restore(self.selector, image.as_ptr().cast(), image.len() * size_of::<u64>()) }?;
        Ok(())
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // Only where the stack unwinds is there something left to load, and then nobody to tell that it cannot be.
        let _ = self.load();
    }
}
