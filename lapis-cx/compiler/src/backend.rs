//! What a backend is: it prints. It looks nothing up and decides nothing about layout, arithmetic or marshalling.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use crate::contract::library::construct::Construct;
use crate::contract::library::{self, Library};
use crate::contract::platform::Platform;
use crate::contract::{Contract, Interface};
use crate::lower::{Program, ir};
use crate::source::Span;

pub use crate::usage::{Snippet, Usage};

/// A generator of files for one target.
pub trait Backend: Sync {
    /// The name people give on the command line, such as `c`.
    fn name(&self) -> &'static str;

    /// One line for `--help`.
    fn about(&self) -> &'static str;

    /// What it can print. The front end refuses, with a span, what it cannot.
    fn capabilities(&self) -> Capabilities;

    /// Whether it runs where no backend is asked for by name.
    fn is_default(&self) -> bool {
        true
    }

    /// What can be set for it.
    fn options(&self) -> &'static [OptionInfo] {
        &[]
    }

    /// The backend with some options set, each a key and a value; a later one of a key wins.
    ///
    /// # Errors
    /// A key that is not among [`options`](Self::options), or a value that cannot be.
    fn with_options(&self, options: &[(&str, &str)]) -> Result<Box<dyn Backend>, OptionError> {
        let key = options.first().map_or("", |(key, _)| *key);
        Err(OptionError::unknown(key, self.options()))
    }

    /// Every name and file this backend derives, with the declaration it comes from. The driver refuses collisions
    /// there; so the backend's naming module stays the one authority for its target.
    fn names<'c>(&self, contract: &'c Contract) -> Vec<DerivedName<'c>>;

    /// The declaration of a function of a library, or of the type of a callback, in the target's language; for people.
    fn declaration(&self, _library: &Library, _function: &library::Function) -> Option<String> {
        None
    }

    /// Prints the files of each interface. Parts of a contract may be printed at the same time.
    fn emit(&self, input: Input<'_>) -> Result<Vec<File>, EmitError>;

    /// How programs of the target use an interface: text for people to read and copy. `None` where there is nothing to show, as
    /// for an abstract interface.
    fn usage(&self, interface: &Interface) -> Option<Usage> {
        let _ = interface;
        None
    }
}

/// Something that people can set for a backend, as `--option backend.key=value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionInfo {
    /// Its name.
    pub key: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// The value that it has if it is not set.
    pub default: &'static str,
}

/// Text as it may stand in a comment of C, which the assembler's preprocessor reads too: without the marks of comments,
/// and without the trigraph of a backslash, which would join lines.
pub fn in_c_comment(text: &str) -> Cow<'_, str> {
    if !text.contains('/') {
        return text.into();
    }
    text.replace("*/", "* /").replace("/*", "/ *").replace("??/", "? ?/").into()
}

/// An option that a backend does not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError {
    /// Its name.
    pub key: String,
    /// Why not, and what it takes.
    pub why: String,
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, why } = self;
        write!(f, "option `{key}`: {why}")
    }
}

impl std::error::Error for OptionError {}

impl OptionError {
    /// An option with a value that cannot be.
    pub fn new(key: &str, why: String) -> OptionError {
        OptionError { key: key.to_owned(), why }
    }

    /// A key that is not among those that there are.
    pub fn unknown(key: &str, options: &[OptionInfo]) -> OptionError {
        let known: Vec<String> = options.iter().map(|o| format!("`{}`", o.key)).collect();
        let why = match known.as_slice() {
            [] => "this backend has no options".to_owned(),
            known => format!("there is no such option; the options are {}", known.join(", ")),
        };
        OptionError::new(key, why)
    }
}

/// What a backend reads: interfaces of a contract, and their lowered core.
#[derive(Clone)]
pub struct Input<'a> {
    contract: &'a Contract,
    program: &'a Program,
    part: Range<usize>,
}

impl<'a> Input<'a> {
    /// A whole contract and the lowered core of the same.
    pub fn new(contract: &'a Contract, program: &'a Program) -> Input<'a> {
        Input { contract, program, part: 0..program.interfaces.len() }
    }

    /// The interfaces of this range, abstract ones counted too. What is printed of several parts, one behind the other,
    /// is what is printed of all at once.
    pub fn part(&self, part: Range<usize>) -> Input<'a> {
        Input { part, ..self.clone() }
    }

    /// The interfaces that are to be printed, in source order. Abstract ones are not.
    pub fn interfaces(&self) -> impl Iterator<Item = (&'a Interface, &'a ir::Interface)> + use<'a> {
        let all = self.contract.interfaces().zip(&self.program.interfaces);
        all.skip(self.part.start).take(self.part.len()).filter(|(interface, _)| !interface.is_abstract)
    }

    /// The libraries with their functions that have a body, in source order. They are part of what ends with the last
    /// interface.
    pub fn libraries(&self) -> impl Iterator<Item = (&'a Library, &'a ir::Library)> + use<'a> {
        let is_last = self.part.end == self.program.interfaces.len();
        self.contract.libraries().zip(&self.program.libraries).filter(move |_| is_last)
    }

    /// The platforms that have tables for programs, in source order. They are part of what ends with the last interface.
    pub fn platforms(&self) -> impl Iterator<Item = &'a Platform> + use<'a> {
        let is_last = self.part.end == self.program.interfaces.len();
        platforms(self.contract).filter(move |_| is_last)
    }

    /// All platforms, in source order. They are part of what ends with the last interface.
    pub fn every_platform(&self) -> impl Iterator<Item = &'a Platform> + use<'a> {
        let is_last = self.part.end == self.program.interfaces.len();
        self.contract.platforms().filter(move |_| is_last)
    }
}

/// The platforms of a contract that have tables for programs, in source order: of overloadable opcodes, or of CXUs.
pub fn platforms(contract: &Contract) -> impl Iterator<Item = &Platform> {
    contract.platforms().filter(|platform| platform.has_tables())
}

/// What a backend can print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Interfaces with state.
    pub state: bool,
    /// Commands without a body.
    pub opaque_commands: bool,
    /// Overloadable opcodes.
    pub xcmd: bool,
    /// Immediates in place of registers: the third operand of `flex`, and `flex25`.
    pub flex_immediates: bool,
    /// CSRs.
    pub csrs: bool,
    /// State of which images carry only what is live.
    pub live: bool,
    /// Platforms with overloadable opcodes or CXUs: tables for programs. What lacks this prints the rest of a spec.
    pub platforms: bool,
    /// Platforms without either too.
    pub every_platform: bool,
    /// Functions of libraries that have a body. What lacks this prints the rest of a spec.
    pub libraries: bool,
    /// Functions of libraries that others have: their calls travel to another process.
    pub remote_libraries: bool,
    /// Constructs of these functions that are not implemented: their uses are rejected.
    pub not_carried_out: &'static [Construct],
    /// Types of C in these functions that no header declares.
    pub undeclared_types: bool,
    /// Greatest width in bits of a local, an operand or a state field.
    pub max_width: u32,
}

impl Capabilities {
    /// All that the language has, at any width.
    pub const ALL: Capabilities = Capabilities {
        state: true,
        opaque_commands: true,
        xcmd: true,
        flex_immediates: true,
        csrs: true,
        live: true,
        platforms: true,
        every_platform: true,
        libraries: true,
        remote_libraries: true,
        not_carried_out: &[],
        undeclared_types: true,
        max_width: u32::MAX,
    };
}

/// A name in the target that comes from a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivedName<'c> {
    /// Names collide only within one space, such as `C identifier` or `file`.
    pub space: &'static str,
    /// The name as the target sees it; file names are compared without case.
    pub name: String,
    /// What it stands for, as in "the state of `MulAcc`".
    pub what: What<'c>,
    /// The declaration.
    pub span: Span,
}

/// What a name stands for: pieces of text, which are put together only if something is said about the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct What<'c>([&'c str; What::PIECES]);

impl<'c> What<'c> {
    /// The most pieces that there can be.
    pub const PIECES: usize = 5;

    /// The text of these pieces, at most [`PIECES`](Self::PIECES).
    pub fn new<const N: usize>(pieces: [&'c str; N]) -> What<'c> {
        const { assert!(N <= What::PIECES) };
        let mut all = [""; What::PIECES];
        all.iter_mut().zip(pieces).for_each(|(place, piece)| *place = piece);
        What(all)
    }
}

impl fmt::Display for What<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|piece| f.write_str(piece))
    }
}

/// The names of one interface, with what stands for one thing listed once: sections of two XLENs declare the same things.
#[derive(Debug, Default)]
pub struct NameList<'c> {
    seen: HashSet<(&'static str, What<'c>)>,
    names: Vec<DerivedName<'c>>,
}

impl<'c> NameList<'c> {
    /// Whether this has not been asked before of the same space and thing.
    pub fn is_new(&mut self, space: &'static str, what: What<'c>) -> bool {
        self.seen.insert((space, what))
    }

    /// Appends a name.
    pub fn push(&mut self, space: &'static str, name: String, what: What<'c>, span: Span) {
        self.names.push(DerivedName { space, name, what, span });
    }

    /// Appends a name, which is put together only then, unless there is one for the same thing in this space.
    pub fn add(&mut self, space: &'static str, what: What<'c>, span: Span, name: impl FnOnce() -> String) {
        if self.is_new(space, what) {
            self.push(space, name(), what, span);
        }
    }

    /// All names, in the order in which they came.
    pub fn into_names(self) -> Vec<DerivedName<'c>> {
        self.names
    }
}

/// A file to write, relative to the output folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Path with `/` between its parts; never absolute, never with `..`.
    pub path: String,
    /// Its contents.
    pub text: String,
}

/// A backend failed: always a defect of the backend, never of the spec.
#[derive(Debug)]
pub struct EmitError {
    /// Which.
    pub backend: &'static str,
    /// What went wrong.
    pub message: String,
}

impl fmt::Display for EmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { backend, message } = self;
        write!(f, "backend `{backend}`: {message}")
    }
}

impl std::error::Error for EmitError {}
