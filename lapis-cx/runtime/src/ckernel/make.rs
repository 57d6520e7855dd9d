//! ckernels of commands, by their names in a set.

use std::ffi::{CStr, c_int, c_void};
use std::mem::size_of;

use lapis_cx_core::ckernel::{ALIGN, CKERNEL_ABI_VERSION, Command, Failure, Kind, Prefix, RawBuilder, Set, aligned};

use super::raw;

/// Room for a ckernel of `size` bytes at `offset`, and for the prefix of a child behind it. Gives the ckernel, until the
/// builder grows, and the offset behind it.
///
/// # Safety
/// The builder is constructed, and nobody else uses it.
pub(super) unsafe fn room(
    builder: *mut RawBuilder,
    offset: usize,
    size: usize,
) -> Result<(*mut Prefix, usize), Failure> {
    if !offset.is_multiple_of(ALIGN) {
        return Err(Failure::Invalid);
    }
    let end = offset.checked_add(size).and_then(aligned).ok_or(Failure::NoMemory)?;
    let with_child = end.checked_add(size_of::<Prefix>()).ok_or(Failure::NoMemory)?;
    // SAFETY: the caller's promise; the offset is inside of what there is then.
    unsafe {
        raw::grow(builder, with_child)?;
        Ok(((*builder).m_data.byte_add(offset).cast(), end))
    }
}

/// The command of a name.
///
/// # Safety
/// The set is as generated code has it.
pub(super) unsafe fn find<'a>(set: *const Set, name: &CStr) -> Option<(&'a Set, &'a Command)> {
    // SAFETY: the caller's promise; sets stay as long as their ckernels. The size is known before more is read.
    let set = unsafe {
        if set.is_null()
            || (*set).abi_version != CKERNEL_ABI_VERSION
            || (*set).struct_size as usize != size_of::<Set>()
            || (*set).commands.is_null()
        {
            return None;
        }
        &*set
    };
    // SAFETY: as above.
    let commands = unsafe { std::slice::from_raw_parts(set.commands, set.count as usize) };
    // SAFETY: as above; names end with 0.
    commands.iter().find(|command| unsafe { CStr::from_ptr(command.name) } == name).map(|command| (set, command))
}

/// Makes a ckernel of a command. Gives the offset behind it.
///
/// # Safety
/// As [`room`]. The command is one of the set, and `image` is null or good for reads of `image_size` bytes.
pub(super) unsafe fn make(
    builder: *mut RawBuilder,
    offset: usize,
    (set, command): (&Set, &Command),
    kind: Kind,
    (image, image_size): (*const c_void, isize),
) -> Result<usize, Failure> {
    let data = usize::try_from(set.data_size).map_err(|_| Failure::Invalid)?;
    let size = size_of::<Prefix>().checked_add(data).ok_or(Failure::NoMemory)?;
    let function = match kind {
        Kind::Single => command.single.map(|function| function as *mut c_void),
        Kind::Strided => command.strided.map(|function| function as *mut c_void),
    };
    let function = function.ok_or(Failure::Invalid)?;
    // SAFETY: the caller's promise; there is room for the prefix and what is behind it.
    unsafe {
        let (kernel, end) = room(builder, offset, size)?;
        if let Some(init) = set.init {
            status(init(kernel.add(1).cast(), image, image_size))?;
        }
        kernel.write(Prefix { function, destructor: None });
        Ok(end)
    }
}

/// What `init` of a set says.
fn status(status: c_int) -> Result<(), Failure> {
    match status {
        0 => Ok(()),
        -1 => Err(Failure::NoMemory),
        _ => Err(Failure::Invalid),
    }
}
