//! Errors as numbers.

use core::ffi::CStr;
use core::fmt;

/// Why a CX API call was refused. The numbers are those of `CX_ERROR_*` in `cx.h` and never change.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(i32)]
#[non_exhaustive]
pub enum Error {
    /// The CX is there, but not for this way of opening it. `EACCES`.
    Permission = 1,
    /// Something else holds what was asked for. `EBUSY`.
    Busy = 2,
    /// A null or misaligned address. `EFAULT`.
    Fault = 3,
    /// An argument that has no meaning. `EINVAL`.
    Invalid = 4,
    /// No such CX on this system. `ENODEV`.
    NoDevice = 5,
    /// A selector that is not open on this thread. `EBADF`.
    BadSelector = 6,
    /// Out of memory. `ENOMEM`.
    NoMemory = 7,
    /// All selectors of this thread are in use. `EMFILE`.
    TableFull = 8,
    /// The CXU failed while it saved or loaded its state. `EIO`.
    Cxu = 9,
}

impl Error {
    /// Every error, in the order of the numbers.
    pub const ALL: [Error; 9] = [
        Error::Permission,
        Error::Busy,
        Error::Fault,
        Error::Invalid,
        Error::NoDevice,
        Error::BadSelector,
        Error::NoMemory,
        Error::TableFull,
        Error::Cxu,
    ];

    /// The number that C sees; never 0.
    pub const fn code(self) -> i32 {
        self as i32
    }

    /// The error of a number; `None` for 0 and for numbers that are no error.
    pub fn from_code(code: i32) -> Option<Error> {
        Error::ALL.into_iter().find(|error| error.code() == code)
    }

    /// The error in words, for C.
    pub const fn message(self) -> &'static CStr {
        match self {
            Error::Permission => c"permission: the CX does not allow this way of opening it",
            Error::Busy => c"busy: another holds what was asked for",
            Error::Fault => c"fault: null or misaligned address",
            Error::Invalid => c"invalid: an argument has no meaning",
            Error::NoDevice => c"no device: no such CX on this system",
            Error::BadSelector => c"bad selector: not open on this thread",
            Error::NoMemory => c"no memory: the allocation failed",
            Error::TableFull => c"table full: all selectors of this thread are in use",
            Error::Cxu => c"CXU: the CXU failed while it saved or loaded its state",
        }
    }
}

/// The name and what it means: this is what a `main` that fails shows.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Error::Permission => "Permission",
            Error::Busy => "Busy",
            Error::Fault => "Fault",
            Error::Invalid => "Invalid",
            Error::NoDevice => "NoDevice",
            Error::BadSelector => "BadSelector",
            Error::NoMemory => "NoMemory",
            Error::TableFull => "TableFull",
            Error::Cxu => "Cxu",
        };
        let message = self.message().to_str().unwrap_or_default();
        // The message begins with the name in words.
        let meaning = message.split_once(": ").map_or(message, |(_, meaning)| meaning);
        write!(f, "{name}: {meaning}")
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message().to_str().unwrap_or_default())
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    #[test]
    fn a_main_that_fails_says_why() {
        assert_eq!(std::format!("{:?}", Error::NoDevice), "NoDevice: no such CX on this system");
        for error in Error::ALL {
            assert!(error.message().to_str().is_ok_and(|text| text.contains(": ")));
        }
    }

    #[test]
    fn numbers_go_both_ways() {
        for (place, error) in Error::ALL.into_iter().enumerate() {
            assert_eq!(error.code(), place as i32 + 1);
            assert_eq!(Error::from_code(error.code()), Some(error));
            assert!(error.message().to_str().is_ok());
        }
        for code in [0, -1, 10, i32::MAX, i32::MIN] {
            assert_eq!(Error::from_code(code), None);
        }
    }
}
