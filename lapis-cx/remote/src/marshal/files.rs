//! Files: descriptors, and paths that mean on the other side what they mean on this one. (decision 0045)

use std::cell::Cell;
use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

use super::access::{BYTE, bytes, bytes_mut, load, scan, store, store_pointer};
use super::entries::BufferEntry;
use super::marshaller::{Kept, Marshaller};
use super::pointer::tag;
use super::shape::Shape;
use super::side::{CallError, CallResult};
use crate::control::most_files;
use crate::files::{GivenFile, identity};
use crate::plan::{File, Lifetime, Scalar};
use crate::protocol::Ended;
use crate::{Error, Reader, Writer};

/// The longest path of a file: bytes with the end.
const PATH: usize = 4097;
/// A number that no process has open, whatever its limit.
const NOT_OPEN: u64 = i32::MAX as u64;
/// How a path to a file that came begins.
const OPEN_FILES: &str = "/proc/self/fd/";

/// What is sent with a path.
mod said {
    /// The folder that it begins in: it is relative.
    pub const BASE: u8 = 1;
    /// What it leads to.
    pub const FILE: u8 = 2;
    /// The folder of that, which is not there.
    pub const FOLDER: u8 = 4;
    /// Which permissions new files do not get.
    pub const MASK: u8 = 8;
}

thread_local! {
    /// This thread has a working folder and a mask of its own.
    static HAS_FOLDER: Cell<bool> = const { Cell::new(false) };
}

/// Gives this thread a working folder and a mask of its own, unless it has them; false if it cannot have them.
fn has_own_folder() -> bool {
    // SAFETY: without pointers; what the thread shares with others stays theirs.
    let has = HAS_FOLDER.get() || unsafe { libc::unshare(libc::CLONE_FS) } == 0;
    HAS_FOLDER.set(has);
    has
}

/// A file or folder, of which nothing is read: only where it is.
fn place(path: &CStr, flags: libc::c_int) -> Option<OwnedFd> {
    // SAFETY: a path.
    let file = unsafe { libc::open(path.as_ptr(), libc::O_PATH | libc::O_CLOEXEC | flags) };
    // SAFETY: it was opened just now.
    (file >= 0).then(|| unsafe { OwnedFd::from_raw_fd(file) })
}

/// The folder and the name of what is no folder.
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

/// Which permissions new files of this process do not get. The call that says it changes it, for other threads too.
fn mask() -> Option<u32> {
    let status = std::fs::read_to_string("/proc/thread-self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("Umask:"))?;
    u32::from_str_radix(mask.trim(), 8).ok()
}

impl Marshaller<'_> {
    /// Sends a file: the number that a record names it by.
    fn send_file(&mut self, file: BorrowedFd<'_>, name: u32) -> CallResult<u32> {
        let number = self.side.send_file(file).map_err(|why| match why {
            Error::System(_) => CallError::Refused("the system does not send its file", name),
            why => CallError::Channel(why),
        })?;
        self.sent_files.push(number);
        Ok(number)
    }

    /// The call is not made: files that were sent for it are not needed.
    pub fn take_files_back(&mut self) {
        self.sent_files.drain(..).for_each(|number| self.side.take_file_back(number));
    }

    fn take_file(&mut self, number: u32, name: u32) -> CallResult<OwnedFd> {
        self.side.take_file(number).map_err(|why| match why {
            Error::System(_) => CallError::Refused("there is no room for its file", name),
            Error::Silent => CallError::Refused("its file does not come", name),
            why => CallError::Channel(why),
        })
    }

    /// # Safety
    ///
    /// The descriptor lies there.
    pub(super) unsafe fn send_descriptor(
        &mut self,
        file: &'static File,
        address: usize,
        name: u32,
        to: &mut Writer<'_>,
    ) -> CallResult<()> {
        let scalar = Scalar { bytes: file.bytes, is_signed: true, is_float: false };
        // SAFETY: as the caller says.
        let said = unsafe { load(address, scalar) };
        let number = RawFd::try_from(said).unwrap_or(-1);
        if number < 0 || identity(number).is_none() {
            // No descriptor: on the other side this number may be one.
            to.put_u8(tag::BITS);
            to.put_u64(if said < 0 { said as u64 } else { NOT_OPEN });
            return Ok(());
        }
        // SAFETY: the program's, which is open.
        let borrowed = unsafe { BorrowedFd::borrow_raw(number) };
        let substitutes = self.side.substitutes();
        let stays = self.is_async && !matches!(file.lifetime, Lifetime::Call);
        let (id, is_known) = self.lock().files.lend(number, (stays, substitutes.is_none()), self.is_worker());
        self.keep_descriptor(id, file);
        if is_known {
            to.put_u8(tag::REGION);
            to.put_u32(id);
            return Ok(());
        }
        let sent = match substitutes {
            // Both libraries use it at once.
            Some(other) => {
                let twin = other.descriptor(number).map_err(|why| CallError::Refused(why, name))?;
                self.send_file(twin.as_fd(), name)?
            }
            None => self.send_file(borrowed, name)?,
        };
        to.put_u8(tag::CALL);
        to.put_u32(id);
        to.put_u32(sent);
        Ok(())
    }

    /// # Safety
    ///
    /// There is room for the descriptor.
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
                    return Err(CallError::Refused("a descriptor of this side", name));
                }
                i128::from(bits.cast_signed())
            }
            tag::REGION => {
                let id = from.get_u32()?;
                let number = self.lock().files.again(id);
                let number = number.ok_or(CallError::Refused("a descriptor that is over", name))?;
                self.keep_descriptor(id, file);
                i128::from(number)
            }
            tag::CALL => {
                let (id, sent) = (from.get_u32()?, from.get_u32()?);
                let came = self.take_file(sent, name)?;
                let given =
                    GivenFile::new(came).map_err(|_| CallError::Refused("there is no room for its file", name))?;
                let is_worker = self.is_worker();
                let mut tables = self.lock();
                if !tables.files.may_be_theirs(id, is_worker, most_files() / 2) {
                    return Err(CallError::Refused("a descriptor that cannot be, or one too many", name));
                }
                let number = tables.files.take(id, given);
                drop(tables);
                self.keep_descriptor(id, file);
                i128::from(number)
            }
            _ => return Err(CallError::Refused("a descriptor that is said in no known way", name)),
        };
        // SAFETY: as the caller says.
        unsafe { store(address, file.bytes, number) };
        Ok(())
    }

    fn keep_descriptor(&mut self, id: u32, file: &'static File) {
        self.kept.push(Kept { what: Ended::File(id, false), lifetime: &file.lifetime, own: self.own() });
    }

    /// Nobody waits for the call, which was sent: descriptors that went with it end when that is told.
    pub fn leave_descriptors(&mut self) {
        self.kept.retain(|kept| !matches!(kept.what, Ended::File(..)));
    }

    /// Descriptors that were there for this call only end. The other side is told of those that were closed, and of all if it does not
    /// wait: it ends the others by itself.
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

    /// # Safety
    ///
    /// A pointer lies there, to a path if it is not null.
    pub(super) unsafe fn send_path(
        &mut self,
        file: &'static File,
        address: usize,
        name: u32,
        to: &mut Writer<'_>,
    ) -> CallResult<()> {
        // SAFETY: as the caller says.
        let at = unsafe { Self::pointer(address) };
        if at == 0 {
            to.put_u32(0);
            return Ok(());
        }
        // SAFETY: as above; one that is longer is no path.
        let path = unsafe { bytes(at, scan(at, 1, BYTE, 0, Some(PATH as u64)) as usize) };
        let path =
            CStr::from_bytes_with_nul(path).map_err(|_| CallError::Refused("the path of a file is too long", name))?;
        // Two libraries must not both write there.
        let copy = match self.side.substitutes().filter(|_| file.takes_out) {
            Some(other) => other.path(path).map_err(|why| CallError::Refused(why, name))?,
            None => None,
        };
        let path = copy.as_deref().unwrap_or(path);
        let text = path.to_bytes();
        let is_relative = !text.starts_with(b"/");
        let base = if is_relative { place(c".", libc::O_DIRECTORY) } else { None };
        let (file_there, folder) = match place(path, 0) {
            None => (None, split(text).and_then(|(folder, _)| place(&folder, libc::O_DIRECTORY))),
            there => (there, None),
        };
        let mask = if file.takes_out { mask() } else { None };
        let flag = |is_there: bool, flag: u8| if is_there { flag } else { 0 };
        // Before they are named: whoever reads a name waits for its file.
        let numbers =
            [&base, &file_there, &folder].map(|file| file.as_ref().map(|file| self.send_file(file.as_fd(), name)));
        to.put_u32(text.len() as u32 + 1);
        to.put(path.to_bytes_with_nul());
        to.put_u8(
            flag(base.is_some(), said::BASE)
                | flag(file_there.is_some(), said::FILE)
                | flag(folder.is_some(), said::FOLDER)
                | flag(mask.is_some(), said::MASK),
        );
        for number in numbers.into_iter().flatten() {
            to.put_u32(number?);
        }
        if let Some(mask) = mask {
            to.put_u32(mask);
        }
        Ok(())
    }

    /// # Safety
    ///
    /// There is room for a pointer.
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
        if size == 0 {
            // SAFETY: as the caller says.
            unsafe { store_pointer(address, 0) };
            return Ok(());
        }
        let path = CString::from_vec_with_nul(text).map_err(|_| CallError::Refused("no path of a file", name))?;
        let flags = from.get_u8()?;
        let numbers = [said::BASE, said::FILE, said::FOLDER]
            .map(|flag| if flags & flag == 0 { Ok(None) } else { from.get_u32().map(Some) });
        let [base, there, folder] = numbers.map(|number| match number? {
            Some(number) => self.take_file(number, name).map(Some),
            None => Ok(None),
        });
        let (base, there, folder) = (base?, there?, folder?);
        let mask = if flags & said::MASK == 0 { None } else { Some(from.get_u32()?) };
        if self.is_worker() && (base.is_some() || mask.is_some()) && has_own_folder() {
            // SAFETY: without pointers; of this thread alone. Whether it is there now is seen below.
            unsafe {
                base.iter().for_each(|base| _ = libc::fchdir(base.as_raw_fd()));
                mask.iter().for_each(|mask| _ = libc::umask(mask & 0o777));
            }
        }
        let (path, keeps) = same_here(path, there, folder)
            .ok_or(CallError::Refused("the program and its worker see different files", name))?;
        let all = path.as_bytes_with_nul();
        if self.opened.len() + self.lock().files.count_behind() >= most_files() {
            return Err(CallError::Refused("too many files are in use for this connection", name));
        }
        let at = if matches!(file.lifetime, Lifetime::Call) {
            self.opened.extend(keeps);
            self.allocate(all.len(), 1, name)?
        } else {
            let made = self.lock().new_region_id();
            let here = self.retain(made, (all.len(), 1, 0), (Shape::Flat, false), name)?;
            keeps.into_iter().for_each(|keeps| self.lock().files.open_behind(made, keeps));
            let (lifetime, own) = (&file.lifetime, self.own());
            self.unsent.push(BufferEntry { here, bytes: all.len(), made, lifetime, own, ..BufferEntry::NONE });
            here
        };
        // SAFETY: it was allocated just now.
        unsafe { bytes_mut(at, all.len()) }.copy_from_slice(all);
        // SAFETY: as the caller says.
        unsafe { store_pointer(address, at) };
        Ok(())
    }
}

/// A path that means here what it means on the other side, where it leads to a file, or to a new one in a folder: the same one if it
/// does, else one to the file that came, which must stay open then. None if it leads to nothing there, and to something here.
fn same_here(path: CString, there: Option<OwnedFd>, folder: Option<OwnedFd>) -> Option<(CString, Option<OwnedFd>)> {
    if let Some(there) = there {
        if place(&path, 0).is_some_and(|here| is_same(&here, &there)) {
            return Some((path, None));
        }
        let path = CString::new(format!("{OPEN_FILES}{}", there.as_raw_fd())).ok()?;
        return Some((path, Some(there)));
    }
    let here = split(path.as_bytes());
    if let (Some((folder_here, file)), Some(folder)) = (here, folder) {
        if place(&folder_here, libc::O_DIRECTORY).is_some_and(|here| is_same(&here, &folder)) {
            return Some((path, None));
        }
        let mut path = format!("{OPEN_FILES}{}/", folder.as_raw_fd()).into_bytes();
        path.extend(file);
        return Some((CString::new(path).ok()?, Some(folder)));
    }
    place(&path, 0).is_none().then_some((path, None))
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

    /// As if the other process had another root: what came with a path is not what it leads to here.
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

        let (same, keeps) = same_here(path.clone(), place(&path, 0), None).unwrap();
        assert!(same == path && keeps.is_none());
        let (other, keeps) = same_here(path.clone(), place(&path_of(&there.join("file")), 0), None).unwrap();
        assert_eq!(opens(&other), there.as_os_str().as_bytes());
        drop(keeps);

        // A new file, which is made in the folder that came.
        let new = path_of(&here.join("new"));
        let (same, keeps) = same_here(new.clone(), None, place(&path_of(&here), libc::O_DIRECTORY)).unwrap();
        assert!(same == new && keeps.is_none());
        let (other, keeps) = same_here(new.clone(), None, place(&path_of(&there), libc::O_DIRECTORY)).unwrap();
        fs::write(other.to_str().unwrap(), "made").unwrap();
        assert!(there.join("new").exists() && !here.join("new").exists());
        drop(keeps);

        // It leads nowhere there: here neither, or the call is refused.
        assert!(same_here(path_of(&here.join("none/file")), None, None).is_some());
        assert!(same_here(path, None, None).is_none());
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
