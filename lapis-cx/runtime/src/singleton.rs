//! One instance for all threads of a process, or for all processes of a machine: what a CX is not unless somebody asks for it
//! (state context virtualization, "Some inadequate mitigations" 3).

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lapis_cx_core::{Error, Uuid};

use crate::cx::{OpenFlags, Selected};
use crate::detached::Detached;
use crate::sync::{self, Mutex};

/// A CX with one state that all share who name it. Whoever uses it has it alone: others wait.
///
/// The state is in a CXU of the thread that uses it, and in memory or in a file between uses.
#[derive(Clone, Debug)]
pub struct Singleton {
    uuid: Uuid,
    flags: OpenFlags,
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    Process(Arc<Mutex<Detached>>),
    /// The file with the state; beside it lies one that is locked.
    Machine(PathBuf),
}

shared! {
    /// Those of this process, by their CXs.
    static PROCESS: Mutex<BTreeMap<Uuid, Arc<Mutex<Detached>>>> = Mutex::new(BTreeMap::new());
}

/// What is locked: the instance of the process, or a file under its one real name.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Key {
    Process(Uuid),
    File(PathBuf),
}

thread_local! {
    /// What this thread uses now: to wait for it would take for ever.
    static HELD: RefCell<Vec<Key>> = const { RefCell::new(Vec::new()) };
}

impl Singleton {
    /// The instance of this process, at first with its reset state.
    pub fn of_process(uuid: Uuid, flags: OpenFlags) -> Singleton {
        let new = || Arc::new(Mutex::new(Detached::new(uuid, flags)));
        let one = sync::with(&PROCESS, |all| Arc::clone(all.entry(uuid).or_insert_with(new)));
        Singleton { uuid, flags, place: Place::Process(one) }
    }

    /// The instance of all processes that name this file, which has the state; while it is not there, that is the reset
    /// state. A file `FILE.lock` beside it stays. The processes agree on XLEN and byte order.
    pub fn of_machine(uuid: Uuid, flags: OpenFlags, file: impl AsRef<Path>) -> Singleton {
        Singleton { uuid, flags, place: Place::Machine(file.as_ref().to_owned()) }
    }

    /// Waits until nobody uses it, and lets `work` issue commands to it. If `work` panics, the state is what it was before.
    ///
    /// # Errors
    /// As [`Detached::with`]; [`Error::Busy`] if this thread uses it already; [`Error::Permission`] if the files cannot be
    /// read or written; [`Error::Invalid`] if the file holds no state of this CX.
    pub fn with<R>(&self, work: impl FnOnce(&Selected<'_>) -> R) -> Result<R, Error> {
        match &self.place {
            Place::Process(one) => {
                let _held = Held::new(Key::Process(self.uuid))?;
                // A panic leaves what was there before.
                sync::with(one, |state| state.with(work))
            }
            Place::Machine(file) => self.with_file(file, work),
        }
    }

    fn with_file<R>(&self, file: &Path, work: impl FnOnce(&Selected<'_>) -> R) -> Result<R, Error> {
        let denied = |_| Error::Permission;
        let beside = |end: &str| {
            let mut name = file.as_os_str().to_owned();
            name.push(end);
            PathBuf::from(name)
        };
        let lock = File::options().create(true).truncate(false).write(true).open(beside(".lock")).map_err(denied)?;
        let _held = Held::new(Key::File(fs::canonicalize(beside(".lock")).map_err(denied)?))?;
        // Until the file is closed, also by the end of the process.
        lock.lock().map_err(denied)?;
        let head = [self.uuid.high.to_be_bytes(), self.uuid.low.to_be_bytes()].concat();
        let image = match fs::read(file) {
            Ok(bytes) => {
                let image = bytes.strip_prefix(head.as_slice()).filter(|image| !image.is_empty());
                image.ok_or(Error::Invalid)?.to_vec()
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(_) => return Err(Error::Permission),
        };
        let mut state = Detached::with_image(self.uuid, self.flags, image);
        let result = state.with(work)?;
        if state.image().is_empty() {
            // It has no state.
            return Ok(result);
        }
        // Whole or not at all, also if the process is killed.
        let new = beside(".new");
        fs::write(&new, [&head, state.image()].concat()).map_err(denied)?;
        fs::rename(&new, file).map_err(denied)?;
        Ok(result)
    }
}

/// While it lives, this thread uses an instance.
struct Held(Key);

impl Held {
    fn new(key: Key) -> Result<Held, Error> {
        let entered = HELD.try_with(|held| {
            let mut held = held.borrow_mut();
            let is_free = !held.contains(&key);
            if is_free {
                held.push(key.clone());
            }
            is_free
        });
        // Where the thread ends, nobody knows any more what it uses.
        if entered.unwrap_or(false) { Ok(Held(key)) } else { Err(Error::Busy) }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Coroutines may end in any order.
        let _ = HELD.try_with(|held| held.borrow_mut().retain(|key| *key != self.0));
    }
}
