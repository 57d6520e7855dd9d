//! What Rust leans on that `cxc` prints of a library in another process: the typed client and the typed service.
//!
//! Generated code stores arguments as members of a struct, as C does it, and all between two such structs is the engine's.
//! Programs use of this what a generated module hands on: [`Reach`], [`Error`] and [`Failed`].

mod client;
mod lend;
mod memory;
mod service;

use std::ffi::c_void;
use std::fmt;

pub use client::{Client, Reach};
pub use lend::{Lent, is_lent, lend, lent};
pub use memory::{Range, are_apart, fits, give, length, range, slice, slice_mut, string};
pub use service::{Service, Trampoline, guarded, slot};

use crate::call::{Described, Said};

/// Calls a function of a service with the members of a struct of arguments.
pub type Thunk = unsafe extern "C" fn(arguments: *mut c_void);

/// Calls a function of the program, of a callback's type, with the members of a struct of arguments.
pub type Invoke = unsafe extern "C" fn(function: *mut c_void, arguments: *mut c_void);

/// Refuses code that was generated for another version of this interface. It takes the name of the file, the version, and the
/// version of `lapis-cx` that generated it, in each version of this crate.
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

/// What both sides know of a library.
#[derive(Debug)]
pub struct Library {
    /// Package and name.
    pub name: &'static str,
    /// The shared library that C has of it.
    pub soname: &'static str,
    /// Both sides have the same.
    pub contract: [u8; 32],
    /// The plan, by the grammar of `lapis-cx-plan`.
    pub words: &'static [u32],
    /// Its texts.
    pub texts: &'static [&'static str],
    /// How many functions of C its words name. Rust has none of them: a call that asks for one is refused.
    pub natives: usize,
    /// How many functions there are.
    pub functions: usize,
    /// How many callbacks there are.
    pub callbacks: usize,
}

impl Library {
    fn describe(&self) -> Result<Described, String> {
        Described::new(Said {
            name: self.name.to_owned(),
            soname: self.soname.to_owned(),
            contract: self.contract,
            words: self.words,
            texts: self.texts.iter().map(|text| (*text).to_owned()).collect(),
            natives: vec![None; self.natives],
            hooks: Vec::new(),
            counts: (self.functions, self.callbacks),
        })
    }
}

/// Why a call was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// There is no connection to a worker, and why.
    Connection(String),
    /// The channel failed: the worker ended, most likely.
    Channel(crate::Error),
    /// One of both sides refused the call: what about, and why.
    Refused(String, String),
    /// An argument is too short for what the specification says of it, or lacks what ends it.
    Argument(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Connection(why) => to.write_str(why),
            Error::Channel(why) => write!(to, "{why}"),
            Error::Refused(what, why) => write!(to, "`{what}`: {why}"),
            Error::Argument(name) => write!(to, "`{name}` is shorter than the specification says, or has no end"),
        }
    }
}

impl std::error::Error for Error {}

/// A call that was not made, with the result that the specification makes up for that: what a program in C would get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed<T> {
    /// What the clause `fails` says; 0 without one.
    pub declared: T,
    /// Why.
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

/// Sets `errno` of this thread: how a service says it of a function with the clause `errno`. A program reads it by
/// `std::io::Error::last_os_error`.
pub fn set_errno(value: i32) {
    crate::call::start::set_errno(value);
}

/// `errno` of this thread.
pub fn errno() -> i32 {
    crate::call::start::errno()
}
