//! The description of a library that guest and worker share.

use std::ffi::{CString, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::marshal::eval::Native;
use crate::plan::Plan;

/// A library's name, contract, plan and generated functions.
pub(crate) struct Described {
    pub name: String,
    pub soname: String,
    pub contract: [u8; 32],
    /// The marshalling plan. It lives as long as the process, because asynchronous calls refer to it.
    pub plan: &'static Plan,
    pub natives: Vec<Option<Native>>,
    /// The C text that runs at events, by [`lapis_cx_plan::Hook`].
    pub hooks: Vec<Option<Hook>>,
    /// Whether a refusal was logged, by the index of the function's or callback's name in the plan's texts.
    refused: Box<[AtomicBool]>,
}

/// Calls a function of the library with the members of an argument struct.
pub(crate) type Thunk = unsafe extern "C" fn(arguments: *mut c_void);
/// Runs a thunk until it returns, or until the program leaves the call during a callback.
pub(crate) type Enter = unsafe extern "C" fn(thunk: Thunk, arguments: *mut c_void);

/// Runs C text at an event.
pub type Hook = unsafe extern "C" fn();

/// The unparsed description of a library, as generated code passes it.
pub(crate) struct RawDescription<'a> {
    pub name: String,
    pub soname: String,
    pub contract: [u8; 32],
    pub words: &'a [u32],
    pub texts: Vec<CString>,
    pub natives: Vec<Option<Native>>,
    pub hooks: Vec<Option<Hook>>,
    /// The number of functions and of callbacks.
    pub counts: (usize, usize),
}

impl Described {
    /// Parses the plan of a library.
    ///
    /// # Errors
    ///
    /// The plan is malformed, or its functions do not match the library.
    pub fn new(raw: RawDescription<'_>) -> Result<Described, String> {
        let RawDescription { name, soname, contract, words, texts, natives, hooks, counts } = raw;
        let plan = Plan::read(words, texts, natives.len()).map_err(|why| format!("{name}: {why}"))?;
        if (plan.functions.len(), plan.callbacks.len()) != counts {
            return Err(format!("{name}: the plan has other functions than the library"));
        }
        let plan = Box::leak(Box::new(plan));
        let refused = plan.texts.iter().map(|_| AtomicBool::new(false)).collect();
        Ok(Described { name, soname, contract, plan, natives, hooks, refused })
    }

    /// Returns whether this is the first refusal of a function or callback.
    pub fn is_first_refusal(&self, call: u32) -> bool {
        self.refused.get(call as usize).is_some_and(|was| !was.swap(true, Ordering::Relaxed))
    }

    /// Runs the C text of an event.
    pub fn at(&self, event: lapis_cx_plan::Hook) {
        if let Some(hook) = self.hooks.get(event as usize).copied().flatten() {
            // SAFETY: generated code supplies the hook, which takes no arguments.
            unsafe { hook() };
        }
    }
}
