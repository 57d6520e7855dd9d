//! The answer to one command, and the flags that answers leave behind.

use core::fmt;
use core::ops::{BitOr, BitOrAssign};

/// A CXU's answer to one command (CXU logic interface, response status).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Response {
    /// The command was done.
    Ok = 0,
    /// No such CXU, or none that is validly selected.
    Cxu = 1,
    /// The state is invalid.
    State = 2,
    /// The state is off.
    Off = 3,
    /// The CXU has no such function.
    Func = 4,
    /// An operand is in error.
    Op = 5,
    /// An error of the CX's own; its code is in the status word.
    Custom = 6,
}

impl Response {
    /// The answer for a number of the C ABI. A CXU that answers with a number that has no meaning counts as not being
    /// one: [`Response::Cxu`].
    pub const fn from_code(code: u32) -> Response {
        match code {
            0 => Response::Ok,
            2 => Response::State,
            3 => Response::Off,
            4 => Response::Func,
            5 => Response::Op,
            6 => Response::Custom,
            _ => Response::Cxu,
        }
    }

    /// The number of the C ABI, `CX_RESPONSE_*`.
    pub const fn code(self) -> u32 {
        self as u32
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Response::Ok => "ok",
            Response::Cxu => "no such CX is selected",
            Response::State => "the CX state is invalid",
            Response::Off => "the CX state is off",
            Response::Func => "the CX has no such function",
            Response::Op => "an operand is in error",
            Response::Custom => "the CX raised an error of its own",
        })
    }
}

/// The flags of `cx_status` (CX-ISA, CSR 0x801). They stay until they are cleared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Status(u32);

impl Status {
    /// No flag.
    pub const NONE: Status = Status(0);
    /// IV: invalid selector version.
    pub const INVALID_VERSION: Status = Status(1 << 0);
    /// IC: no such CX, or an invalid or stale selection.
    pub const INVALID_CXU: Status = Status(1 << 1);
    /// IS: invalid state.
    pub const INVALID_STATE: Status = Status(1 << 2);
    /// OF: the state is off.
    pub const OFF: Status = Status(1 << 3);
    /// IF: no such function.
    pub const INVALID_FUNCTION: Status = Status(1 << 4);
    /// OP: operand error.
    pub const OPERAND: Status = Status(1 << 5);
    /// CU: an error of the CX's own.
    pub const CUSTOM: Status = Status(1 << 6);
    /// Every flag.
    pub const ALL: Status = Status(0x7F);

    /// The flags of a CSR value; bits that are no flags are dropped.
    pub const fn from_bits(bits: u32) -> Status {
        Status(bits & Status::ALL.0)
    }

    /// The CSR value.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether all of `flags` are set.
    pub const fn contains(self, flags: Status) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// These flags without `flags`.
    pub const fn without(self, flags: Status) -> Status {
        Status(self.0 & !flags.0)
    }
}

impl From<Response> for Status {
    /// Answer k > 0 sets bit k.
    fn from(response: Response) -> Status {
        Status((1 << response.code()) & !1)
    }
}

impl BitOr for Status {
    type Output = Status;
    fn bitor(self, other: Status) -> Status {
        Status(self.0 | other.0)
    }
}

impl BitOrAssign for Status {
    fn bitor_assign(&mut self, other: Status) {
        self.0 |= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_set_their_flag() {
        let pairs = [
            (Response::Ok, Status::NONE),
            (Response::Cxu, Status::INVALID_CXU),
            (Response::State, Status::INVALID_STATE),
            (Response::Off, Status::OFF),
            (Response::Func, Status::INVALID_FUNCTION),
            (Response::Op, Status::OPERAND),
            (Response::Custom, Status::CUSTOM),
        ];
        for (response, status) in pairs {
            assert_eq!(Response::from_code(response.code()), response);
            assert_eq!(Status::from(response), status);
        }
    }

    #[test]
    fn numbers_without_meaning_are_no_cxu() {
        for code in [7, 8, 32, 1 << 31, u32::MAX] {
            assert_eq!(Response::from_code(code), Response::Cxu);
        }
    }

    #[test]
    fn only_flags_are_kept() {
        assert_eq!(Status::from_bits(u32::MAX), Status::ALL);
        let both = Status::OPERAND | Status::CUSTOM;
        assert!(both.contains(Status::OPERAND) && !both.contains(Status::OFF | Status::CUSTOM));
        assert_eq!(both.without(Status::CUSTOM), Status::OPERAND);
    }
}
