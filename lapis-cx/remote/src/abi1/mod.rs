//! The interface of generated Rust code: the typed client and the typed service of a library in another process.
//!
//! Generated code stores arguments as members of a struct, as in C. Programs use the items that a generated module re-exports: [`Reach`],
//! [`Error`] and [`Failed`].

mod client;
mod closures;
mod memory;
mod service;

use std::ffi::{CString, c_void};
use std::fmt;

pub use client::{Client, Reach};
pub use closures::{ClosureGuard, is_closure, register_closure, with_closure};
pub use memory::{Range, are_disjoint, expose, fits, length, range, slice, slice_mut, string};
pub use service::{Service, Trampoline, guarded, slot};

use crate::call::{Described, RawDescription};

/// Calls a function of a service with the members of an argument struct.
pub type Thunk = unsafe extern "C" fn(arguments: *mut c_void);

/// Calls a function of the program, which has a callback type, with the members of an argument struct.
pub type Invoke = unsafe extern "C-unwind" fn(function: *mut c_void, arguments: *mut c_void);

/// Rejects code that was generated for another version of this interface, at compile time. Every version of this crate takes the same
/// arguments: the file name, the interface version, and the version of `lapis-cx` that generated the file.
#[macro_export]
macro_rules! check_remote_abi {
    ($file:literal, 1, $generator:literal) => {};
    ($file:literal, $abi:literal, $generator:literal) => {
        compile_error!(concat!(
            $file,
            " was generated for version ",
            $abi,
            " of lapis_cx_remote::abi1 by lapis-cx ",
            $generator,
            ", but this lapis-cx-remote has version 1: generate it with the cxc of this version, or depend on lapis-cx-remote ",
            $generator
        ));
    };
}

/// The description of a library that client and service share.
#[derive(Debug)]
pub struct Library {
    /// The package and the name, as `package:Name`.
    pub name: &'static str,
    /// The soname of the library in C.
    pub soname: &'static str,
    /// The SHA-256 hash of the contract. Both sides must have the same.
    pub contract: [u8; 32],
    /// The marshalling plan, in the grammar of `lapis-cx-plan`.
    pub words: &'static [u32],
    /// The texts that the plan refers to.
    pub texts: &'static [&'static str],
    /// The number of C expressions in the plan. Rust implements none of them, so a call that needs one is refused.
    pub natives: usize,
    /// The number of functions.
    pub functions: usize,
    /// The number of callback types.
    pub callbacks: usize,
}

impl Library {
    fn describe(&self) -> Result<Described, String> {
        Described::new(RawDescription {
            name: self.name.to_owned(),
            soname: self.soname.to_owned(),
            contract: self.contract,
            words: self.words,
            texts: self.texts.iter().map(|text| CString::new(*text).unwrap_or_default()).collect(),
            natives: vec![None; self.natives],
            hooks: Vec::new(),
            counts: (self.functions, self.callbacks),
        })
    }
}

/// The reason why a call was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// There is no connection to a worker, for this reason.
    Connection(String),
    /// The channel failed, usually because the worker ended.
    Channel(crate::Error),
    /// One side refused the call: the name of the function or parameter, and the reason.
    Refused(String, String),
    /// An argument is shorter than the specification requires, or lacks its terminator.
    Argument(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Connection(why) => to.write_str(why),
            Error::Channel(why) => write!(to, "{why}"),
            Error::Refused(what, why) => write!(to, "`{what}`: {why}"),
            Error::Argument(name) => {
                write!(to, "`{name}` is shorter than the specification requires, or has no terminator")
            }
        }
    }
}

impl std::error::Error for Error {}

/// A call that was not made, with its failure result, which a program in C would get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed<T> {
    /// The value of the clause `fails`; 0 without the clause.
    pub declared: T,
    /// The reason.
    pub error: Error,
}

impl<T> fmt::Display for Failed<T> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}", self.error)
    }
}

impl<T: fmt::Debug> std::error::Error for Failed<T> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl<T> From<Failed<T>> for Error {
    fn from(failed: Failed<T>) -> Error {
        failed.error
    }
}

/// Sets `errno` of this thread. A service does this in a function with the clause `errno`; the program reads the value with
/// `std::io::Error::last_os_error`.
pub fn set_errno(value: i32) {
    crate::call::errno::set(value);
}

/// Returns `errno` of this thread.
pub fn errno() -> i32 {
    crate::call::errno::get()
}
