//! Interfaces in another process. A worker has the CXU; the program issues its commands with the CX API, as for any software CXU.
//!
//! A guest connects with [`Remote`] and gets a descriptor for each CXU of the worker, which the program registers with the runtime. The
//! functions of the descriptor send requests to the worker. A worker ([`serve`]) has the descriptors of software CXUs and the states of its
//! guests.
//!
//! Each thread of the program that issues commands has a thread in the worker that executes them.

mod capi;
mod command_channel;
mod commands;
#[cfg(all(test, not(loom)))]
mod corrupt_guest;
mod guest;
mod live_states;
mod load;
mod remote;
mod slots;
#[cfg(all(test, not(loom)))]
mod tests;
mod wire;
mod worker;

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use lapis_cx_core::Uuid;

pub use load::load;
pub use remote::Remote;
pub use wire::Listed;
pub use worker::{run, serve};

/// How a guest reaches a worker. The text form is `private:FILE ARGUMENTS`, separated by blanks, or `unix:PATH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The guest starts a private worker from this file with these arguments. The worker ends with the program.
    Private(PathBuf, Vec<OsString>),
    /// A worker listens on a Unix socket at this path.
    Unix(PathBuf),
}

impl FromStr for Reach {
    type Err = Error;

    fn from_str(text: &str) -> Result<Reach, Error> {
        let wrong = || Error::Reach(text.to_owned());
        if let Some(path) = text.strip_prefix("unix:").filter(|path| !path.is_empty()) {
            return Ok(Reach::Unix(path.into()));
        }
        let mut words = text.strip_prefix("private:").ok_or_else(wrong)?.split_ascii_whitespace();
        let file = words.next().ok_or_else(wrong)?;
        Ok(Reach::Private(file.into(), words.map(OsString::from).collect()))
    }
}

/// The reason why a program cannot use a CXU.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The text is neither `private:FILE` nor `unix:PATH`.
    Reach(String),
    /// The worker cannot be reached or ended, for this reason.
    NoWorker(String),
    /// The worker refused the guest: it serves something else, has another version, or belongs to another user.
    Refused(String),
    /// The list of CXUs of the worker is malformed.
    Answer(crate::Error),
    /// The worker has no CXU for this interface at this XLEN.
    Absent(Uuid, u32),
    /// The worker's CXU has another contract than the program expects.
    Contract {
        /// The name of the CXU.
        name: String,
        /// The contract of the worker's CXU.
        there: [u8; 32],
        /// The contract that the program expects.
        here: [u8; 32],
    },
    /// The program has [`MOST_CXUS`] descriptors already.
    Full,
    /// A CXU cannot be loaded from a shared library, for this reason.
    Load(String),
}

/// The maximum number of CXUs of other processes in one program.
pub const MOST_CXUS: usize = slots::COUNT;

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = |hash: &[u8; 32]| hash[..6].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        match self {
            Error::Reach(text) => {
                write!(to, "`{text}` does not name a worker: write `private:FILE ARGUMENTS` or `unix:PATH`")
            }
            Error::NoWorker(why) | Error::Refused(why) | Error::Load(why) => to.write_str(why),
            Error::Answer(why) => write!(to, "the worker sent a malformed list of CXUs: {why}"),
            Error::Absent(uuid, xlen) => write!(
                to,
                "the worker has no CXU for the interface {uuid} at XLEN {xlen}: start a worker that has one, with `cx-cxu-worker --load`"
            ),
            Error::Contract { name, there, here } => write!(
                to,
                "`{name}` of the worker has contract {}…, the program expects {}…: build both from the same specification",
                hex(there),
                hex(here)
            ),
            Error::Full => {
                write!(to, "the program already uses {MOST_CXUS} CXUs of other processes, which is the maximum")
            }
        }
    }
}

impl std::error::Error for Error {}
