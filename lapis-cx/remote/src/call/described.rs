//! A library as both sides know it.

use std::ffi::c_void;

use crate::marshal::eval::Native;
use crate::plan::Plan;

/// A library, as both sides know it.
pub(crate) struct Described {
    pub name: String,
    pub soname: String,
    pub contract: [u8; 32],
    /// It stays as long as the process: calls that nobody waits for refer to it.
    pub plan: &'static Plan,
    pub natives: Vec<Option<Native>>,
    /// Text that runs at events, by [`lapis_cx_plan::Hook`].
    pub hooks: Vec<Option<Hook>>,
}

/// Calls a function of the library with the members of a struct of arguments.
pub(crate) type Thunk = unsafe extern "C" fn(arguments: *mut c_void);

/// Text that runs at an event.
pub type Hook = unsafe extern "C" fn();

/// What a library says of itself.
pub(crate) struct Said<'a> {
    pub name: String,
    pub soname: String,
    pub contract: [u8; 32],
    pub words: &'a [u32],
    pub texts: Vec<String>,
    pub natives: Vec<Option<Native>>,
    pub hooks: Vec<Option<Hook>>,
    /// How many functions and callbacks it has.
    pub counts: (usize, usize),
}

impl Described {
    /// Reads the plan of a library.
    ///
    /// # Errors
    ///
    /// It is none, or that of another library.
    pub fn new(said: Said<'_>) -> Result<Described, String> {
        let Said { name, soname, contract, words, texts, natives, hooks, counts } = said;
        let plan = Plan::read(words, texts, natives.len()).map_err(|why| format!("{name}: {why}"))?;
        if (plan.functions.len(), plan.callbacks.len()) != counts {
            return Err(format!("{name}: the plan has other functions than the library"));
        }
        let plan = Box::leak(Box::new(plan));
        Ok(Described { name, soname, contract, plan, natives, hooks })
    }

    /// Runs the text of an event.
    pub fn at(&self, event: lapis_cx_plan::Hook) {
        if let Some(hook) = self.hooks.get(event.word() as usize).copied().flatten() {
            // SAFETY: a function of the library's own, without arguments.
            unsafe { hook() };
        }
    }
}
