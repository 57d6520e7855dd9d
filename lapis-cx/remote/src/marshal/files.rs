//! Encodes and decodes files: descriptors, and paths that name the same file on both sides (decision 0045).

use std::cell::Cell;
use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

use super::access::{BYTE, bytes, bytes_mut, load, scan};
use super::marshaller::Marshaller;
use super::pointer::tag;
use super::region_contents::RunValue;
use super::scratch::Kept;
use super::side::{CallError, CallResult};
use super::sources::Reads;
use crate::control::most_files;
use crate::files::{GivenFile, identity};
use crate::plan::{File, Lifetime, Scalar};
use crate::protocol::Ended;
use crate::{Error, Reader, Writer};

/// The largest size in bytes of a path, including the terminating zero.
const PATH: usize = 4097;
/// A descriptor number that is open in no process: it exceeds the limit of each process.
const NOT_OPEN: u64 = i32::MAX as u64;
/// The prefix of paths to open descriptors.
const OPEN_FILES: &str = "/proc/self/fd/";

/// Flags for the fields that follow a path.
mod path_field {
    /// The working directory of the caller, for a relative path.
    pub const BASE: u8 = 1;
    /// The file that the path names.
    pub const FILE: u8 = 2;
    /// The directory of the path, if the file does not exist.
    pub const FOLDER: u8 = 4;
    /// The umask of the caller.
    pub const MASK: u8 = 8;
}

thread_local! {
    /// Whether this thread has its own working directory and umask.
    static HAS_OWN_DIRECTORY: Cell<bool> = const { Cell::new(false) };
}

/// Gives this thread its own working directory and umask. Returns false if the system refuses that.
fn use_own_directory() -> bool {
    // SAFETY: `unshare` takes no pointers, and only affects this thread.
    let has = HAS_OWN_DIRECTORY.get() || unsafe { libc::unshare(libc::CLONE_FS) } == 0;
    HAS_OWN_DIRECTORY.set(has);
    has
}

/// Opens a file or directory with `O_PATH`, as a reference without access to the contents.
fn open_path(path: &CStr, flags: libc::c_int) -> Option<OwnedFd> {
    // SAFETY: `path` is null-terminated.
    let file = unsafe { libc::open(path.as_ptr(), libc::O_PATH | libc::O_CLOEXEC | flags) };
    // SAFETY: `open` just returned this descriptor, and nothing else owns it.
    (file >= 0).then(|| unsafe { OwnedFd::from_raw_fd(file) })
}

/// Splits a path into its directory and its last component. Returns `None` if the last component can only be a directory.
fn split(path: &[u8]) -> Option<(CString, &[u8])> {
    let (folder, name) = match path.iter().rposition(|byte| *byte == b'/') {
        Some(0) => (&path[..1], &path[1..]),
        Some(at) => (&path[..at], &path[at + 1..]),
        None => (&b"."[..], path),
    };
    let is_name = !matches!(name, b"" | b"." | b"..");
    CString::new(folder).ok().filter(|_| is_name).map(|folder| (folder, name))
}

fn is_same(one: &OwnedFd, other: &OwnedFd) -> bool {
    identity(one.as_raw_fd()).is_some_and(|one| Some(one) == identity(other.as_raw_fd()))
}

/// Returns the umask of this process. `umask` itself would change it for other threads, so it is read from `/proc`.
fn mask() -> Option<u32> {
    let status = std::fs::read_to_string("/proc/thread-self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("Umask:"))?;
    u32::from_str_radix(mask.trim(), 8).ok()
}

impl Marshaller<'_> {
    /// Sends a file. Returns the id by which a record refers to it.
    fn send_file(&mut self, file: BorrowedFd<'_>, name: u32) -> CallResult<u32> {
        let number = self.side.send_file(file).map_err(|why| match why {
            Error::System(_) => CallError::Refused("the system cannot send its file", name),
            why => CallError::Channel(why),
        })?;
        self.effects.sent_files.push(number);
        Ok(number)
    }

    /// Withdraws the files that were sent for a call that is not made.
    pub fn take_files_back(&mut self) {
        self.effects.sent_files.drain(..).for_each(|number| self.side.take_file_back(number));
    }

    fn take_file(&mut self, number: u32, name: u32) -> CallResult<OwnedFd> {
        self.side.take_file(number).map_err(|why| match why {
            Error::System(_) => CallError::Refused("no descriptor is free for its file", name),
            Error::Silent => CallError::Refused("its file did not arrive in time", name),
            why => CallError::Channel(why),
        })
    }

    /// Encodes a descriptor. The first call that passes a descriptor also sends the file.
    ///
    /// # Safety
    ///
    /// `address` must be the address of the descriptor.
    pub(super) unsafe fn send_descriptor(
        &mut self,
        file: &'static File,
        address: usize,
        name: u32,
        to: &mut Writer<'_>,
    ) -> CallResult<()> {
        let scalar = Scalar { is_signed: true, ..Scalar::unsigned(file.bytes) };
        // SAFETY: the caller upholds the contract of this function.
        let value = unsafe { load(address, scalar) };
        let number = RawFd::try_from(value).unwrap_or(-1);
        if number < 0 || identity(number).is_none() {
            // Invalid descriptors are sent as a number that is not open on the other side either.
            to.put_u8(tag::BITS);
            to.put_u64(if value < 0 { value as u64 } else { NOT_OPEN });
            return Ok(());
        }
        // SAFETY: `identity` just succeeded for this descriptor, so it is open. The program must keep it open during the call.
        let borrowed = unsafe { BorrowedFd::borrow_raw(number) };
        let substitutes = self.side.substitutes();
        let stays = self.is_async && !matches!(file.lifetime, Lifetime::Call);
        let (id, is_known) = self.lock().files.assign_id(number, (stays, substitutes.is_none()), self.is_worker());
        self.keep_descriptor(id, file);
        if is_known {
            to.put_u8(tag::REGION);
            to.put_u32(id);
            return Ok(());
        }
        let sent = match substitutes {
            // In shadow mode both libraries use the file at the same time, so the worker gets a copy.
            Some(other) => {
                let copy = other.descriptor(number).map_err(|why| CallError::Refused(why, name))?;
                self.send_file(copy.as_fd(), name)?
            }
            None => self.send_file(borrowed, name)?,
        };
        to.put_u8(tag::CALL);
        to.put_u32(id);
        to.put_u32(sent);
        Ok(())
    }

    /// Decodes a descriptor.
    ///
    /// # Safety
    ///
    /// `address` must be valid for writing the descriptor.
    pub(super) unsafe fn receive_descriptor(
        &mut self,
        file: &'static File,
        address: usize,
        name: u32,
        from: &mut Reader<'_>,
    ) -> CallResult<()> {
        let number = match from.get_u8()? {
            tag::BITS => {
                let bits = from.get_u64()?;
                if bits.cast_signed() >= 0 && bits != NOT_OPEN {
                    return Err(CallError::Refused("the descriptor id belongs to the other side", name));
                }
                i128::from(bits.cast_signed())
            }
            tag::REGION => {
                let id = from.get_u32()?;
                let number = self.lock().files.use_again(id);
                let number = number.ok_or(CallError::Refused("the descriptor has ended", name))?;
                self.keep_descriptor(id, file);
                i128::from(number)
            }
            tag::CALL => {
                let (id, sent) = (from.get_u32()?, from.get_u32()?);
                let received = self.take_file(sent, name)?;
                let given = GivenFile::new(received)
                    .map_err(|_| CallError::Refused("no descriptor is free for its file", name))?;
                let is_worker = self.is_worker();
                let mut tables = self.lock();
                if !tables.files.may_be_theirs(id, is_worker, most_files() / 2) {
                    return Err(CallError::Refused("the descriptor id is unknown, or there are too many", name));
                }
                let number = tables.files.add_received(id, given);
                drop(tables);
                self.keep_descriptor(id, file);
                i128::from(number)
            }
            _ => return Err(CallError::Refused("unknown descriptor tag", name)),
        };
        // SAFETY: the caller upholds the contract of this function.
        unsafe { self.set(address, file.bytes, number, RunValue::Whole)? };
        Ok(())
    }

    fn keep_descriptor(&mut self, id: u32, file: &'static File) {
        let scope = self.keep_scope();
        self.kept.push(Kept { what: Ended::File(id, false), lifetime: &file.lifetime, scope });
    }

    /// Leaves the descriptors of a sent asynchronous call to the worker, whose report ends them.
    pub fn leave_descriptors(&mut self) {
        self.kept.retain(|kept| !matches!(kept.what, Ended::File(..)));
    }

    /// Ends the descriptors that were only sent for this call. Appends to `ended` the descriptors that the callee closed; for an asynchronous call
    /// all descriptors, because its caller does not end them itself.
    pub fn end_descriptors(&mut self, success: bool, ended: &mut Vec<Ended>) {
        if self.kept.is_empty() {
            return;
        }
        let is_async = self.is_async;
        let mut tables = super::lock(self.tables);
        self.kept.retain(|kept| {
            let Ended::File(id, _) = kept.what else { return true };
            if success && !matches!(kept.lifetime, Lifetime::Call) {
                return true;
            }
            if let Some(is_closed) = tables.files.release(id)
                && (is_closed || is_async)
            {
                ended.push(Ended::File(id, is_closed));
            }
            false
        });
    }

    /// Encodes a path, with the directory and file that it names on this side.
    ///
    /// # Safety
    ///
    /// `address` must be the address of a pointer that is null or points to a path.
    pub(super) unsafe fn send_path(
        &mut self,
        file: &'static File,
        address: usize,
        name: u32,
        to: &mut Writer<'_>,
    ) -> CallResult<()> {
        // SAFETY: the caller upholds the contract of this function.
        let at = unsafe { self.pointer(address) };
        if at == 0 {
            to.put_u32(0);
            return Ok(());
        }
        self.check_final(at, 1, name)?;
        // SAFETY: the specification guarantees a null-terminated path; the scan stops after `PATH` bytes.
        let path = unsafe { bytes(at, scan(at, 1, BYTE, 0, Some(PATH as u64)) as usize) };
        let path =
            CStr::from_bytes_with_nul(path).map_err(|_| CallError::Refused("the path of a file is too long", name))?;
        // In shadow mode the two libraries must not write to the same file, so the worker gets a copy.
        let copy = match self.side.substitutes().filter(|_| file.is_out) {
            Some(other) => other.path(path).map_err(|why| CallError::Refused(why, name))?,
            None => None,
        };
        let path = copy.as_deref().unwrap_or(path);
        let text = path.to_bytes();
        let is_relative = !text.starts_with(b"/");
        let base = if is_relative { open_path(c".", libc::O_DIRECTORY) } else { None };
        let (file_there, folder) = match open_path(path, 0) {
            None => (None, split(text).and_then(|(folder, _)| open_path(&folder, libc::O_DIRECTORY))),
            there => (there, None),
        };
        let mask = if file.is_out { mask() } else { None };
        let flag = |is_there: bool, flag: u8| if is_there { flag } else { 0 };
        // Files are sent before the record that refers to them, because the receiver of the record blocks until it has the files.
        let numbers =
            [&base, &file_there, &folder].map(|file| file.as_ref().map(|file| self.send_file(file.as_fd(), name)));
        to.put_u32(text.len() as u32 + 1);
        to.put(path.to_bytes_with_nul());
        to.put_u8(
            flag(base.is_some(), path_field::BASE)
                | flag(file_there.is_some(), path_field::FILE)
                | flag(folder.is_some(), path_field::FOLDER)
                | flag(mask.is_some(), path_field::MASK),
        );
        for number in numbers.into_iter().flatten() {
            to.put_u32(number?);
        }
        if let Some(mask) = mask {
            to.put_u32(mask);
        }
        Ok(())
    }

    /// Decodes a path, and stores a path that names the same file on this side.
    ///
    /// # Safety
    ///
    /// `address` must be valid for writing a pointer.
    pub(super) unsafe fn receive_path(
        &mut self,
        file: &'static File,
        address: usize,
        name: u32,
        from: &mut Reader<'_>,
    ) -> CallResult<()> {
        let size = from.get_u32()? as usize;
        if size > PATH {
            return Err(CallError::Refused("the path of a file is too long", name));
        }
        let mut text = vec![0; size];
        from.get(&mut text)?;
        if matches!(file.lifetime, Lifetime::Call) {
            self.add_pointer_of_call(address, Reads::new(), name)?;
        }
        if size == 0 {
            // SAFETY: the caller upholds the contract of this function.
            unsafe { self.set_pointer(address, 0)? };
            return Ok(());
        }
        let path = CString::from_vec_with_nul(text)
            .map_err(|_| CallError::Refused("the path contains a NUL byte or does not end", name))?;
        let flags = from.get_u8()?;
        let numbers = [path_field::BASE, path_field::FILE, path_field::FOLDER]
            .map(|flag| if flags & flag == 0 { Ok(None) } else { from.get_u32().map(Some) });
        let [base, there, folder] = numbers.map(|number| match number? {
            Some(number) => self.take_file(number, name).map(Some),
            None => Ok(None),
        });
        let (base, there, folder) = (base?, there?, folder?);
        let mask = if flags & path_field::MASK == 0 { None } else { Some(from.get_u32()?) };
        if self.is_worker() && (base.is_some() || mask.is_some()) && use_own_directory() {
            // SAFETY: the calls take no pointers, and only affect this thread. `path_here` detects if they failed.
            unsafe {
                base.iter().for_each(|base| _ = libc::fchdir(base.as_raw_fd()));
                mask.iter().for_each(|mask| _ = libc::umask(mask & 0o777));
            }
        }
        let (path, keeps) = path_here(path, there, folder)
            .ok_or(CallError::Refused("the program and its worker see different files", name))?;
        let all = path.as_bytes_with_nul();
        if self.opened.len() + self.lock().files.count_for_paths() >= most_files() {
            return Err(CallError::Refused("too many files are in use for this connection", name));
        }
        let at = if matches!(file.lifetime, Lifetime::Call) {
            self.opened.extend(keeps);
            self.allocate(all.len(), 1, name)?
        } else {
            let (region, here) = self.retain_local(all.len(), &file.lifetime, name)?;
            keeps.into_iter().for_each(|keeps| self.lock().files.keep_for_path(region, keeps));
            here
        };
        // SAFETY: this function just allocated `all.len()` bytes at `at`.
        unsafe { bytes_mut(at, all.len()) }.copy_from_slice(all);
        // SAFETY: the caller upholds the contract of this function.
        unsafe { self.set_pointer(address, at)? };
        Ok(())
    }
}

/// Returns a path that names the received file `there` on this side, or a new file in the received directory `folder`: `path` itself if it
/// does so, otherwise a path to the received descriptor, which must then stay open and is returned too. Returns `None` if `path` names a file on
/// this side only.
fn path_here(path: CString, there: Option<OwnedFd>, folder: Option<OwnedFd>) -> Option<(CString, Option<OwnedFd>)> {
    if let Some(there) = there {
        if open_path(&path, 0).is_some_and(|here| is_same(&here, &there)) {
            return Some((path, None));
        }
        let path = CString::new(format!("{OPEN_FILES}{}", there.as_raw_fd())).ok()?;
        return Some((path, Some(there)));
    }
    let here = split(path.as_bytes());
    if let (Some((folder_here, file)), Some(folder)) = (here, folder) {
        if open_path(&folder_here, libc::O_DIRECTORY).is_some_and(|here| is_same(&here, &folder)) {
            return Some((path, None));
        }
        let mut path = format!("{OPEN_FILES}{}/", folder.as_raw_fd()).into_bytes();
        path.extend(file);
        return Some((CString::new(path).ok()?, Some(folder)));
    }
    open_path(&path, 0).is_none().then_some((path, None))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::fs;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    use super::*;

    fn path_of(path: &Path) -> CString {
        CString::new(path.as_os_str().as_bytes()).unwrap()
    }

    /// Simulates a process with another root directory: the received file differs from the one that the path names here.
    #[test]
    fn a_path_leads_to_what_came_with_it() {
        let home = std::env::temp_dir().join(format!("lapis-cx-files-{}", std::process::id()));
        let [here, there] = ["here", "there"].map(|name| home.join(name));
        for folder in [&here, &there] {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join("file"), folder.as_os_str().as_bytes()).unwrap();
        }
        let path = path_of(&here.join("file"));
        let opens = |path: &CString| fs::read(Path::new(path.to_str().unwrap())).unwrap();

        let (same, keeps) = path_here(path.clone(), open_path(&path, 0), None).unwrap();
        assert!(same == path && keeps.is_none());
        let (other, keeps) = path_here(path.clone(), open_path(&path_of(&there.join("file")), 0), None).unwrap();
        assert_eq!(opens(&other), there.as_os_str().as_bytes());
        drop(keeps);

        // The path of a new file refers to the received directory.
        let new = path_of(&here.join("new"));
        let (same, keeps) = path_here(new.clone(), None, open_path(&path_of(&here), libc::O_DIRECTORY)).unwrap();
        assert!(same == new && keeps.is_none());
        let (other, keeps) = path_here(new.clone(), None, open_path(&path_of(&there), libc::O_DIRECTORY)).unwrap();
        fs::write(other.to_str().unwrap(), "made").unwrap();
        assert!(there.join("new").exists() && !here.join("new").exists());
        drop(keeps);

        // A path that names nothing on the other side must name nothing here, or the call is rejected.
        assert!(path_here(path_of(&here.join("none/file")), None, None).is_some());
        assert!(path_here(path, None, None).is_none());
        fs::remove_dir_all(home).unwrap();
    }

    #[test]
    fn paths_have_a_folder_and_a_name() {
        let split =
            |path: &str| split(path.as_bytes()).map(|(folder, name)| (folder.into_string().unwrap(), name.to_vec()));
        let is = |folder: &str, name: &str| Some((folder.to_owned(), name.as_bytes().to_vec()));
        assert_eq!(split("/a/b"), is("/a", "b"));
        assert_eq!(split("/a"), is("/", "a"));
        assert_eq!(split("a"), is(".", "a"));
        assert_eq!(split("../a"), is("..", "a"));
        for no_name in ["", "/", "a/", ".", "..", "a/.."] {
            assert_eq!(split(no_name), None, "{no_name}");
        }
    }
}
