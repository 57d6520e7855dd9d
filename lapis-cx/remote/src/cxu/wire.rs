//! The records between guest and worker of CXUs. Numbers are in native byte order, which both sides compare when they connect.

use std::ffi::CString;

use lapis_cx_core::{ABI_VERSION, Defect, SoftCxu, Uuid};

use crate::{Error, Library, ProtocolError, Reader, Writer};

/// The kinds of requests. All except `END` have a reply.
pub(super) mod record {
    /// No contents. Reply: the number of CXUs (`u32`), and each of them.
    pub const LIST: u32 = 1;
    /// CXU (`u32`), function (`u32`), state (`u64`, 0 without state), rs1, rs2 (`u64`). Reply: response (`u32`), rd (`u64`).
    pub const ISSUE: u32 = 2;
    /// CXU, address (`u32`), state, operation (`u32`), value (`u64`). Reply: response, the previous value (`u64`).
    pub const CSR: u32 = 3;
    /// CXU, the previous state at this address (`u64`, 0 without one). Reply: the state (`u64`), with its reset values.
    pub const INIT: u32 = 4;
    /// CXU, state. Reply: the image.
    pub const SAVE: u32 = 5;
    /// CXU, state, the image. Reply: empty.
    pub const RESTORE: u32 = 6;
    /// CXU, function, fields (`u32`), rs2 (`u64`). Reply: function (`u32`), rs2 (`u64`).
    pub const FLEX: u32 = 7;
    /// The number (`u32`) of states that ended, and these states (`u64`).
    pub const END: u32 = 8;
}

/// The kinds of replies.
pub(super) mod reply {
    pub const DONE: u32 = 1;
    /// The request was not executed: it contains an invalid id, or there is no memory.
    pub const REFUSED: u32 = 2;
}

/// The library that both sides name in the handshake. Other versions are incompatible.
pub(super) fn library() -> Library {
    Library { name: format!("CX interfaces 1, CX ABI {ABI_VERSION}"), contract: [0; 32] }
}

/// The maximum number of CXUs of a worker, and the maximum length of a name in bytes.
pub(super) const MOST: u32 = 4096;
const LONGEST: u32 = 1024;

const HAS_CSRS: u32 = 1;
const HAS_FLEX: u32 = 2;

/// The description of a CXU of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listed {
    /// The UUID of the interface.
    pub uuid: Uuid,
    /// The SHA-256 hash of the contract; all 0 without one.
    pub contract: [u8; 32],
    /// The width of a register in bits.
    pub xlen: u32,
    /// The sharing model, one of `CX_SHARING_*`.
    pub sharing: u32,
    /// The [`SoftFlags`](lapis_cx_core::SoftFlags).
    pub flags: u32,
    /// The number of words of state, without the status word.
    pub state_words: u32,
    /// The name, for messages.
    pub name: CString,
    /// Whether the CXU has CSRs.
    pub has_csrs: bool,
    /// Whether the CXU has the function `flex`.
    pub has_flex: bool,
}

impl Listed {
    /// Describes a CXU for the list.
    ///
    /// # Errors
    ///
    /// The descriptor's first defect.
    pub(super) fn new(cxu: &SoftCxu) -> Result<Listed, Defect> {
        cxu.check()?;
        let name = if cxu.name.is_null() {
            c"a CXU without a name"
        } else {
            // SAFETY: `check` guarantees a C string that lives as long as the descriptor.
            unsafe { std::ffi::CStr::from_ptr(cxu.name) }
        };
        let name = name.to_bytes();
        let name = CString::new(&name[..name.len().min(LONGEST as usize)]).unwrap_or_default();
        let SoftCxu { uuid, contract, xlen, sharing, flags, state_words, .. } = *cxu;
        let (has_csrs, has_flex) = (cxu.csr.is_some(), cxu.flex.is_some());
        Ok(Listed { uuid, contract, xlen, sharing, flags, state_words, name, has_csrs, has_flex })
    }

    pub(super) fn put(&self, to: &mut Writer<'_>) {
        let has = if self.has_csrs { HAS_CSRS } else { 0 } | if self.has_flex { HAS_FLEX } else { 0 };
        to.put_u64(self.uuid.high);
        to.put_u64(self.uuid.low);
        to.put_array(self.contract);
        for number in [self.xlen, self.sharing, self.flags, self.state_words, has] {
            to.put_u32(number);
        }
        let name = self.name.as_bytes();
        to.put_u32(name.len() as u32);
        to.put(name);
    }

    fn get(from: &mut Reader<'_>) -> Result<Listed, Error> {
        let uuid = Uuid { high: from.get_u64()?, low: from.get_u64()? };
        let contract = from.get_array()?;
        let [xlen, sharing, flags, state_words, has, length] = {
            let mut numbers = [0; 6];
            for number in &mut numbers {
                *number = from.get_u32()?;
            }
            numbers
        };
        if length > LONGEST || has & !(HAS_CSRS | HAS_FLEX) != 0 {
            return Err(Error::Protocol(ProtocolError::Message));
        }
        let mut name = vec![0; length as usize];
        from.get(&mut name)?;
        let name = CString::new(name).map_err(|_| Error::Protocol(ProtocolError::Message))?;
        let (has_csrs, has_flex) = (has & HAS_CSRS != 0, has & HAS_FLEX != 0);
        Ok(Listed { uuid, contract, xlen, sharing, flags, state_words, name, has_csrs, has_flex })
    }
}

/// Decodes the list of CXUs of a worker.
pub(super) fn get_list(from: &mut Reader<'_>) -> Result<Vec<Listed>, Error> {
    let count = from.get_u32()?;
    if count > MOST {
        return Err(Error::Protocol(ProtocolError::Message));
    }
    (0..count).map(|_| Listed::get(from)).collect()
}
