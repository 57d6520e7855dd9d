//! What crosses between a guest and a worker of CXUs. Numbers are in the order of bytes of the machine; both sides agree on that
//! when they connect.

use std::ffi::CString;

use lapis_cx_core::{ABI_VERSION, Defect, SoftCxu, Uuid};

use crate::{Error, Library, ProtocolError, Reader, Writer};

/// Records of a guest. All but `END` are answered.
pub(super) mod record {
    /// Nothing. Answer: how many CXUs there are (`u32`), and each (below).
    pub const LIST: u32 = 1;
    /// CXU (`u32`), function (`u32`), state (`u64`, 0 without), rs1, rs2 (`u64`). Answer: response (`u32`), rd (`u64`).
    pub const ISSUE: u32 = 2;
    /// CXU, address (`u32`), state, operation (`u32`), value (`u64`). Answer: response, the word before (`u64`).
    pub const CSR: u32 = 3;
    /// CXU, the state that was there (`u64`, 0 if none was). Answer: the state (`u64`), with its reset values.
    pub const INIT: u32 = 4;
    /// CXU, state. Answer: the image.
    pub const SAVE: u32 = 5;
    /// CXU, state, the image. Answer: nothing.
    pub const RESTORE: u32 = 6;
    /// CXU, function, fields (`u32`), rs2 (`u64`). Answer: function (`u32`), rs2 (`u64`).
    pub const FLEX: u32 = 7;
    /// How many (`u32`), and states that are over.
    pub const END: u32 = 8;
}

/// Records of a worker.
pub(super) mod answer {
    pub const DONE: u32 = 1;
    /// It was not done: a number in it means nothing, or there is no room.
    pub const REFUSED: u32 = 2;
}

/// What both sides say that they have: other versions do not understand each other.
pub(super) fn library() -> Library {
    Library { name: format!("CX interfaces 1, CX ABI {ABI_VERSION}"), contract: [0; 32] }
}

/// The most CXUs of a worker, and the longest name of one: bytes.
pub(super) const MOST: u32 = 4096;
const LONGEST: u32 = 1024;

const HAS_CSRS: u32 = 1;
const HAS_FLEX: u32 = 2;

/// A CXU of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listed {
    /// The interface.
    pub uuid: Uuid,
    /// SHA-256 of its contract; 0 if there is none.
    pub contract: [u8; 32],
    /// Bits of a register.
    pub xlen: u32,
    /// The number of the sharing model; `CX_SHARING_*`.
    pub sharing: u32,
    /// [`SoftFlags`](lapis_cx_core::SoftFlags).
    pub flags: u32,
    /// Words of state, the status word not counted.
    pub state_words: u32,
    /// For messages.
    pub name: CString,
    /// It has CSRs.
    pub has_csrs: bool,
    /// It has something to say of commands on the opcode of flex.
    pub has_flex: bool,
}

impl Listed {
    /// What a worker says of a CXU.
    ///
    /// # Errors
    ///
    /// The descriptor's first defect.
    pub(super) fn new(cxu: &SoftCxu) -> Result<Listed, Defect> {
        cxu.check()?;
        let name = if cxu.name.is_null() {
            c"a CXU without a name"
        } else {
            // SAFETY: the name of a descriptor is text for as long as the descriptor is there.
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

/// All CXUs of a worker.
pub(super) fn get_list(from: &mut Reader<'_>) -> Result<Vec<Listed>, Error> {
    let count = from.get_u32()?;
    if count > MOST {
        return Err(Error::Protocol(ProtocolError::Message));
    }
    (0..count).map(|_| Listed::get(from)).collect()
}
