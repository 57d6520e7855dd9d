//! The C ABI: `cx_ckernel.h`, which documents these functions. None of them unwinds.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::size_of;
use std::slice;

use lapis_cx_core::ckernel::{CKERNEL_ABI_VERSION, RawBuilder, Type};
use lapis_cx_core::{Error, Sharing, Uuid};

use super::{CkernelCxu, Command, OPERANDS, Place, withdraw};
use crate::ckernel::Builder;
use crate::ffi::uuid_at;
use crate::last_error::{Failure, note};

/// `cx_ckernel_command`.
#[repr(C)]
pub struct CCommand {
    function: u32,
    operands: u32,
    result: Type,
    operand: [Type; OPERANDS],
    place: [u8; 4],
    ckb: *mut RawBuilder,
}

/// `cx_ckernel_cxu`.
#[repr(C)]
pub struct CCxu {
    abi_version: u32,
    struct_size: u32,
    uuid: Uuid,
    contract: [u8; 32],
    xlen: u32,
    sharing: u32,
    flags: u32,
    state_words: u32,
    name: *const c_char,
    reset: *const c_void,
    commands: *const CCommand,
    count: usize,
}

/// Makes a CXU of ckernels known to all threads.
///
/// # Safety
/// `cxu` is null or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cx_ckernel_register(cxu: *const CCxu) -> c_int {
    // SAFETY: the caller's promise.
    note(unsafe { register(cxu) }).map_or_else(|code| code, |()| 0)
}

/// Takes one away.
///
/// # Safety
/// `puuid` is null or points to a UUID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cx_ckernel_withdraw(puuid: *const Uuid) -> c_int {
    // SAFETY: the caller's promise.
    let withdrawn = unsafe { uuid_at(puuid) }.and_then(withdraw).map_err(|error| match error {
        Error::Invalid => Failure::said(error, c"invalid: the CXU with this UUID is not one of ckernels"),
        other => other.into(),
    });
    note(withdrawn).map_or_else(|code| code, |()| 0)
}

/// # Safety
/// As [`cx_ckernel_register`].
unsafe fn register(cxu: *const CCxu) -> Result<(), Failure> {
    let invalid = |text| Err(Failure::said(Error::Invalid, text));
    if cxu.is_null() || !cxu.is_aligned() {
        return Err(Error::Fault.into());
    }
    // SAFETY: the versions come first; more is read once they are right.
    let cxu = unsafe {
        if (*cxu).abi_version != CKERNEL_ABI_VERSION || (*cxu).struct_size as usize != size_of::<CCxu>() {
            return invalid(c"invalid: cx_ckernel_cxu is of another ckernel ABI; set abi_version and struct_size");
        }
        &*cxu
    };
    let commands = match cxu.count {
        0 => &[][..],
        _ if cxu.commands.is_null() || !cxu.commands.is_aligned() => return Err(Error::Fault.into()),
        count if count > 1024 => return invalid(c"invalid: there are more than 1024 commands"),
        // SAFETY: the caller's promise.
        count => unsafe { slice::from_raw_parts(cxu.commands, count) },
    };
    if commands.iter().any(|c| c.ckb.is_null() || !c.ckb.is_aligned()) {
        return Err(Error::Fault.into());
    }
    if commands.iter().any(|command| operands(command).is_none()) {
        return invalid(c"invalid: a command has more than three operands, or one whose place is not CX_PLACE_*");
    }
    // SAFETY: the caller's promise: the name ends with 0, and the words are there.
    let (name, reset) = unsafe {
        let name = if cxu.name.is_null() { c"a CXU of ckernels" } else { CStr::from_ptr(cxu.name) };
        (name.to_owned(), reset_words(cxu)?)
    };
    if Sharing::from_code(cxu.sharing).is_none() {
        return invalid(c"invalid: the CXU has an unknown sharing model");
    }
    let mut made = parts(cxu, name, reset);
    for command in commands {
        // SAFETY: the caller's promise: a builder with a ckernel is there.
        match unsafe { Builder::copied(command.ckb) } {
            Ok(kernel) => {
                let operands = operands(command).unwrap_or_default();
                made.commands.push(Command::new(command.function, &operands, command.result, kernel));
            }
            Err(_) => {
                made.commands.into_iter().for_each(|copy| copy.builder.leave());
                return Err(Error::NoMemory.into());
            }
        }
    }
    match made.try_register() {
        Ok(()) => {
            // SAFETY: as above; the ckernels were moved.
            commands.iter().for_each(|command| unsafe { Builder::moved_from(command.ckb) });
            Ok(())
        }
        Err((failure, copies)) => {
            copies.into_iter().for_each(|copy| copy.builder.leave());
            Err(failure)
        }
    }
}

/// The operands of a command, and where they come from.
fn operands(command: &CCommand) -> Option<Vec<(Place, Type)>> {
    let types = command.operand.get(..command.operands as usize)?;
    let places = command.place.iter().zip(Place::ALL).map(|(place, own)| match place {
        0 => Some(own),
        place => Place::ALL.into_iter().find(|one| *one as u8 == *place),
    });
    places.zip(types).map(|(place, ty)| Some((place?, *ty))).collect()
}

fn parts(cxu: &CCxu, name: CString, reset: Vec<usize>) -> CkernelCxu {
    let &CCxu { uuid, contract, xlen, sharing, flags, .. } = cxu;
    CkernelCxu { uuid, contract, xlen, sharing, flags, name, reset, commands: Vec::new() }
}

/// The words of the reset state.
///
/// # Safety
/// `reset` is null or good for reads of the words.
unsafe fn reset_words(cxu: &CCxu) -> Result<Vec<usize>, Failure> {
    let count = cxu.state_words as usize;
    let mut words = Vec::new();
    words.try_reserve_exact(count).map_err(|_| Error::NoMemory)?;
    words.extend((0..count).map(|place| match cxu.xlen {
        _ if cxu.reset.is_null() => 0,
        // SAFETY: the caller's promise. Another XLEN is refused later.
        32 => unsafe { cxu.reset.cast::<u32>().add(place).read_unaligned() as usize },
        // SAFETY: as above.
        64 => unsafe { cxu.reset.cast::<u64>().add(place).read_unaligned() as usize },
        _ => 0,
    }));
    Ok(words)
}
