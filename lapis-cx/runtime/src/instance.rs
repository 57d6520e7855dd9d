//! One open CX of a thread, and the memory of its state.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::ptr::{self, NonNull};

use lapis_cx_core::{Error, Sharing, SoftCxu, Target};

/// A CX instance: a software CXU with a state of its own.
pub(crate) struct Instance {
    pub cxu: &'static SoftCxu,
    /// Opens that were not closed yet.
    pub opens: usize,
    pub exclusive: bool,
    state: Option<(NonNull<u8>, Layout)>,
}

impl Instance {
    /// Allocates a state and brings it to its reset values. `cxu` was checked.
    pub fn new(cxu: &'static SoftCxu, exclusive: bool) -> Result<Instance, Error> {
        let mut instance = Instance { cxu, opens: 1, exclusive, state: None };
        if cxu.sharing() == Sharing::Stateless {
            return Ok(instance);
        }
        let layout = Layout::from_size_align(cxu.state_size, cxu.state_align)
            .ok()
            .filter(|layout| layout.size() > 0)
            .ok_or(Error::Invalid)?;
        // SAFETY: the size is not 0.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or(Error::NoMemory)?;
        instance.state = Some((memory, layout));
        if let Some(init) = cxu.init {
            // SAFETY: the memory has the size and the alignment that the CXU asked for, and is zeroed.
            unsafe { init(memory.as_ptr().cast()) };
        }
        Ok(instance)
    }

    /// The state; null for a stateless CX.
    pub fn state(&self) -> *mut c_void {
        match self.state {
            Some((memory, _)) => memory.as_ptr().cast(),
            None => ptr::null_mut(),
        }
    }

    /// Where commands and accesses of CSRs go while the instance is selected. The thread gives the target up before it drops the instance.
    pub fn target(&self) -> Target {
        // SAFETY: the state is null or initialised memory of this CXU. It is used by its thread alone; a CXU's functions
        // call no CX function, and those written in Rust are kept from it, so by one command at a time.
        unsafe { Target::new(self.cxu, self.state()) }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if let Some((memory, layout)) = self.state {
            // SAFETY: it was allocated with this layout, and is freed here only.
            unsafe { dealloc(memory.as_ptr(), layout) };
        }
    }
}
