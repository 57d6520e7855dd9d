//! CXs for code that moves between threads, as tasks do.

use lapis_cx_core::{Error, Uuid};

use crate::cx::{OpenFlags, Selected, open};
use crate::image;

/// A CX whose state is kept in memory, and is in a CXU only while it is used: on any thread, each time on the one that uses it.
///
/// An asynchronous task may go on on another thread after each `await`, and others run on its thread meanwhile. So an open CX
/// and a selection, which belong to a thread, cannot be held over one, and a task that does is refused by executors with many
/// threads. A task has this in their place:
///
/// ```
/// # use lapis_cx_runtime::{Detached, Error, OpenFlags, Uuid};
/// async fn sum(mac: &mut Detached, next: impl AsyncFn() -> Option<(usize, usize)>) -> Result<usize, Error> {
///     let mut sum = 0;
///     while let Some((a, b)) = next().await {
///         sum = mac.with(|mac| mac.issue(1, a, b))?.unwrap_or(0);
///     }
///     Ok(sum)
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Detached {
    uuid: Uuid,
    flags: OpenFlags,
    /// Empty before the first use: the reset state.
    image: Vec<u8>,
}

impl Detached {
    /// A CX with its reset state. Nothing is opened before it is used.
    pub const fn new(uuid: Uuid, flags: OpenFlags) -> Detached {
        Detached { uuid, flags, image: Vec::new() }
    }

    /// A CX with a state that was kept; an empty one is the reset state.
    pub(crate) fn with_image(uuid: Uuid, flags: OpenFlags, image: Vec<u8>) -> Detached {
        Detached { uuid, flags, image }
    }

    /// The state that is kept.
    pub(crate) fn image(&self) -> &[u8] {
        &self.image
    }

    /// Opens the CX on this thread, gives it the state, lets `work` issue commands, and keeps the state. If `work` panics, the
    /// state is what it was before.
    ///
    /// # Errors
    /// As [`open`]; and as [`Selected::restore`] before `work`, which does not run then, and [`Selected::save`] after it.
    /// [`Error::Busy`] if the CX is shared and this thread has it open already: its state is not this one's to change.
    pub fn with<R>(&mut self, work: impl FnOnce(&Selected<'_>) -> R) -> Result<R, Error> {
        let cx = open(self.uuid, self.flags)?;
        if cx.is_open_elsewhere() && cx.has_state() {
            return Err(Error::Busy);
        }
        let selected = cx.select();
        if !self.image.is_empty() {
            selected.restore(&self.image)?;
        }
        let result = work(&selected);
        let mut image = image::zeroed(selected.image_size()?)?;
        selected.save(&mut image)?;
        self.image = image;
        Ok(result)
    }
}
