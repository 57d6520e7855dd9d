//! Copies of the program's files for the worker. The real library uses the program's files. The library in the worker gets copies of files
//! that may be written, and opens other files with a separate position. Only one library can use files that cannot be copied.

use std::collections::{BTreeSet, HashMap};
use std::ffi::{CStr, CString, OsStr};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU32, Ordering};

use super::names::Names;
use crate::files::identity;
use crate::locks::Mutex;

const NO_COPY: &str = "it is a pipe, a socket or a device, which two libraries cannot both have";
const FOLDER_WRITTEN: &str = "it is a folder that may be written, and two libraries cannot both have it";
const TOO_LARGE: &str = "it is too large to be copied for the second library";
const COPY_FAILED: &str = "the file cannot be copied for the second library";

/// The size in bytes of the largest file that is copied.
const LARGEST: u64 = 1 << 30;

/// The number of copies made. All guests of a process share one folder.
static COPIES: AtomicU32 = AtomicU32::new(0);

/// The copies that the worker uses instead of the program's files.
#[derive(Default)]
pub(super) struct FileCopies {
    /// The process that made the copies. The child of a fork makes its own.
    process: u32,
    descriptors: Vec<FileCopy>,
    /// The number of the copy's folder, by the path of the file.
    paths: HashMap<PathBuf, u32>,
    /// Descriptors and paths that differ in the worker.
    pub names: Names,
    /// The number of running calls.
    running: usize,
}

/// The worker's copy of a descriptor.
struct FileCopy {
    number: RawFd,
    identity: (u64, u64),
    /// The open file description that the worker shares.
    file: File,
    way: libc::c_int,
    /// The size and times of the program's file when the last call ended.
    seen: Option<Seen>,
}

type Seen = (u64, i64, i64);

/// Borrows a descriptor of the program without closing it.
fn borrowed(number: RawFd) -> ManuallyDrop<File> {
    // SAFETY: the descriptor is used only during the program's call, and `ManuallyDrop` never closes it.
    ManuallyDrop::new(unsafe { File::from_raw_fd(number) })
}

fn seen(number: RawFd) -> Option<Seen> {
    let about = borrowed(number).metadata().ok()?;
    Some((about.size(), about.mtime(), about.mtime_nsec()))
}

fn position(number: RawFd) -> libc::off_t {
    // SAFETY: `lseek` takes numbers only, and fails for an invalid descriptor.
    unsafe { libc::lseek(number, 0, libc::SEEK_CUR) }
}

/// Returns whether a device has no state, such as `/dev/null`, so that both libraries can use it.
fn has_no_state(about: &fs::Metadata) -> bool {
    let is_character = about.mode() & libc::S_IFMT == libc::S_IFCHR;
    let device = about.rdev();
    is_character && libc::major(device) == 1 && matches!(libc::minor(device), 3 | 5 | 7)
}

impl FileCopy {
    fn is_copy(&self) -> bool {
        self.way != libc::O_RDONLY
    }

    /// Copies the size of the program's file, and its contents if the library can read them.
    fn fill(&self) -> io::Result<()> {
        let from = borrowed(self.number);
        if self.way == libc::O_WRONLY {
            return self.file.set_len(from.metadata()?.size());
        }
        self.file.set_len(0)?;
        let (mut at, mut piece) = (0, vec![0; 1 << 16]);
        loop {
            let size = from.read_at(&mut piece, at)?;
            if size == 0 {
                return Ok(());
            }
            self.file.write_all_at(piece.get(..size).unwrap_or_default(), at)?;
            at += size as u64;
        }
    }

    /// Sets the position of the copy to that of the program's descriptor.
    fn follow(&self) {
        // SAFETY: `lseek` takes numbers only, and the copy owns its descriptor.
        unsafe { libc::lseek(self.file.as_raw_fd(), position(self.number), libc::SEEK_SET) };
    }
}

impl FileCopies {
    /// Updates the copies at the start of a call, with changes that the program made since the last call.
    pub fn begin(&mut self) {
        let process = std::process::id();
        if self.process != process {
            *self = FileCopies { process, ..FileCopies::default() };
        }
        self.running += 1;
        if self.running > 1 {
            // Another running call may be using the copies.
            return;
        }
        self.descriptors.retain(|copy| identity(copy.number) == Some(copy.identity));
        for copy in &self.descriptors {
            if copy.is_copy() && seen(copy.number) != copy.seen {
                // If copying fails, the comparison reports the differences.
                let _ = copy.fill();
            }
            copy.follow();
        }
    }

    /// Records the state of the files at the end of a call.
    pub fn end(&mut self) {
        self.running = self.running.saturating_sub(1);
        self.descriptors.iter_mut().filter(|copy| copy.is_copy()).for_each(|copy| copy.seen = seen(copy.number));
    }

    /// Returns the descriptor that the worker gets instead of an open descriptor of the program.
    ///
    /// # Errors
    ///
    /// The file cannot be duplicated.
    pub fn descriptor(&mut self, number: RawFd) -> Result<OwnedFd, &'static str> {
        let file = borrowed(number);
        let about = file.metadata().map_err(|_| NO_COPY)?;
        if has_no_state(&about) {
            self.names.numbers.insert(number);
            return file.try_clone().map(OwnedFd::from).map_err(|_| COPY_FAILED);
        }
        // SAFETY: `fcntl` with `F_GETFL` takes numbers only.
        let flags = unsafe { libc::fcntl(number, libc::F_GETFL) };
        if !about.is_file() || flags < 0 || flags & libc::O_PATH != 0 {
            return Err(NO_COPY);
        }
        let way = flags & libc::O_ACCMODE;
        if way != libc::O_RDONLY && about.len() > LARGEST {
            return Err(TOO_LARGE);
        }
        let copy = self.copy(number, (way, flags & libc::O_APPEND)).map_err(|_| COPY_FAILED)?;
        let sent = copy.file.try_clone().map_err(|_| COPY_FAILED)?;
        self.names.numbers.insert(number);
        self.descriptors.retain(|known| known.number != number);
        self.descriptors.push(copy);
        Ok(sent.into())
    }

    fn copy(&self, number: RawFd, (way, flags): (libc::c_int, libc::c_int)) -> io::Result<FileCopy> {
        let lost = || io::Error::from(io::ErrorKind::NotFound);
        let (is_read, is_written) = (way != libc::O_WRONLY, way != libc::O_RDONLY);
        let mut open = OpenOptions::new();
        open.read(is_read).write(is_written).custom_flags(flags);
        let identity = identity(number).ok_or_else(lost)?;
        let copy = |file| FileCopy { number, identity, file, way, seen: None };
        if !is_written {
            let copy = copy(open.open(format!("/proc/self/fd/{number}"))?);
            copy.follow();
            return Ok(copy);
        }
        let path = folder()?.join(format!("descriptor{}", COPIES.fetch_add(1, Ordering::Relaxed)));
        drop(OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?);
        let opened = open.open(&path);
        fs::remove_file(&path)?;
        let copy = copy(opened?);
        copy.fill()?;
        copy.follow();
        Ok(copy)
    }

    /// Returns the path that the worker gets instead of one that may be written. Returns `None` for the same path, if it is not writable.
    ///
    /// # Errors
    ///
    /// The file cannot be duplicated.
    pub fn path(&mut self, said: &CStr) -> Result<Option<CString>, &'static str> {
        let path = Path::new(OsStr::from_bytes(said.to_bytes()));
        let may_write = |path: &Path| {
            let Ok(path) = CString::new(path.as_os_str().as_bytes()) else { return false };
            // SAFETY: `path` is a NUL-terminated string.
            unsafe { libc::access(path.as_ptr(), libc::W_OK) == 0 }
        };
        let found = match fs::metadata(path) {
            Ok(about) if has_no_state(&about) => return Ok(None),
            Ok(about) if !about.is_file() && !about.is_dir() => return Err(NO_COPY),
            Ok(_) if !may_write(path) => return Ok(None),
            Ok(about) if about.is_dir() => return Err(FOLDER_WRITTEN),
            Ok(about) if about.len() > LARGEST => return Err(TOO_LARGE),
            Ok(_) => fs::canonicalize(path),
            Err(_) => {
                let folder = path.parent().map(|folder| if folder == Path::new("") { Path::new(".") } else { folder });
                match (folder, path.file_name()) {
                    (Some(folder), Some(name)) if may_write(folder) => {
                        fs::canonicalize(folder).map(|folder| folder.join(name))
                    }
                    _ => return Ok(None),
                }
            }
        };
        let copied = found.and_then(|file| Ok((self.copied(&file)?, file)));
        let (copy, file) = copied.map_err(|_| COPY_FAILED)?;
        let copy = CString::new(copy.into_os_string().into_vec()).map_err(|_| COPY_FAILED)?;
        let names = BTreeSet::from([said.to_bytes().to_vec(), file.into_os_string().into_vec()]);
        self.names.paths.entry(copy.to_bytes().to_vec()).or_default().extend(names);
        Ok(Some(copy))
    }

    /// Returns a file of the same name and contents in a separate folder. Reuses an existing copy unless the program changed its file since.
    fn copied(&mut self, file: &Path) -> io::Result<PathBuf> {
        let next = || COPIES.fetch_add(1, Ordering::Relaxed);
        let number = *self.paths.entry(file.to_owned()).or_insert_with(next);
        let folder = folder()?.join(number.to_string());
        fs::create_dir_all(&folder)?;
        let copy = folder.join(file.file_name().unwrap_or_default());
        if !file.exists() {
            match fs::remove_file(&copy) {
                Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(why),
                _ => return Ok(copy),
            }
        }
        if !is_same(file, &copy).unwrap_or(false) {
            let new = folder.join(".new");
            fs::copy(file, &new)?;
            fs::rename(new, &copy)?;
        }
        Ok(copy)
    }
}

/// The number of bytes that are compared at a time.
const BLOCK: u64 = 1 << 16;

/// Returns whether two files have the same contents.
fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut ours, mut theirs) = (vec![0; BLOCK as usize], vec![0; BLOCK as usize]);
    loop {
        ours.clear();
        theirs.clear();
        one.by_ref().take(BLOCK).read_to_end(&mut ours)?;
        other.by_ref().take(BLOCK).read_to_end(&mut theirs)?;
        if ours != theirs {
            return Ok(false);
        }
        if ours.is_empty() {
            return Ok(true);
        }
    }
}

/// The folder of the copies, and the process that made it.
static FOLDER: Mutex<Option<(u32, PathBuf)>> = Mutex::new(None);

fn folder() -> io::Result<PathBuf> {
    let mut made = FOLDER.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((_, path)) = made.as_ref().filter(|(by, _)| *by == process) {
        return Ok(path.clone());
    }
    let mut name = std::env::temp_dir().join("cx-shadow-XXXXXX").into_os_string().into_vec();
    name.push(0);
    // SAFETY: `name` is a NUL-terminated, writable buffer.
    if unsafe { libc::mkdtemp(name.as_mut_ptr().cast()) }.is_null() {
        return Err(io::Error::last_os_error());
    }
    name.pop();
    // The path must stay valid if the program changes its working directory.
    let path = fs::canonicalize(std::ffi::OsString::from_vec(name))?;
    *made = Some((process, path.clone()));
    Ok(path)
}

/// Removes the copies at the end of the process.
pub(super) fn remove_copies() {
    let made = FOLDER.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((_, path)) = made.filter(|(by, _)| *by == std::process::id()) {
        let _ = fs::remove_dir_all(path);
    }
}
