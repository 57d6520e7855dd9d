//! An interface in another process: its CXU is in a worker, and a program issues its commands by the CX API as to any other.
//!
//! A guest connects ([`Remote`]), and gets a descriptor for each CXU that it finds there: its functions ask the worker. The program
//! registers it with the runtime. A worker ([`serve`]) has descriptors of software CXUs, and the states of its guests.
//!
//! A thread of the program that issues commands has a thread of the worker that does them.

mod capi;
mod commands;
mod guest;
#[cfg(all(test, not(loom)))]
mod hostile;
mod lane;
mod load;
mod places;
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

/// How a guest gets to a worker. As text `private:FILE` with arguments behind blanks, or `unix:PATH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It starts one of its own, from this file with these arguments. The worker ends with the program.
    Private(PathBuf, Vec<OsString>),
    /// One listens at this path.
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

/// Why there is no CXU for a program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// This text does not say how to reach a worker.
    Reach(String),
    /// There is no worker, and why; or it ended.
    NoWorker(String),
    /// The worker serves no such guest: it has something else, speaks another version, or is somebody else's.
    Refused(String),
    /// What the worker says of its CXUs has no meaning.
    Answer(crate::Error),
    /// The worker has no CXU for this interface at this XLEN.
    Absent(Uuid, u32),
    /// The worker's CXU has another contract than the program expects.
    Contract {
        /// Its name.
        name: String,
        /// That of the worker.
        there: [u8; 32],
        /// That of the program.
        here: [u8; 32],
    },
    /// As many CXUs of other processes are in use as a program can have: [`MOST_CXUS`].
    Full,
    /// A shared library has no such CXU, and why.
    Load(String),
}

/// The most CXUs of other processes in one program.
pub const MOST_CXUS: usize = slots::COUNT;

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = |hash: &[u8; 32]| hash[..6].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        match self {
            Error::Reach(text) => {
                write!(to, "`{text}` does not say how to reach a worker: write `private:FILE ARGUMENTS` or `unix:PATH`")
            }
            Error::NoWorker(why) | Error::Refused(why) | Error::Load(why) => to.write_str(why),
            Error::Answer(why) => write!(to, "what the worker says of its CXUs has no meaning: {why}"),
            Error::Absent(uuid, xlen) => write!(
                to,
                "the worker has no CXU for the interface {uuid} at XLEN {xlen}: start one that has, with `cx-cxu-worker --load`"
            ),
            Error::Contract { name, there, here } => write!(
                to,
                "`{name}` of the worker has contract {}…, the program expects {}…: build both of one specification",
                hex(there),
                hex(here)
            ),
            Error::Full => write!(to, "{MOST_CXUS} CXUs of other processes are in use, and there can be no more"),
        }
    }
}

impl std::error::Error for Error {}
