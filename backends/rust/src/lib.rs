//! Prints Rust: for each interface one module with a trait, the guard that issues commands to the selected CX, the one of
//! a device of overloadable opcodes, and the software fallback.
//!
//! The code is Rust 2021 and 2024 without `std`, heap or `unsafe`. It leans on `lapis-cx-core` and on nothing else.

mod bodies;
mod body;
mod common;
pub mod csr;
mod docs;
mod expr;
mod guard;
mod helper;
mod library;
pub mod method;
mod mutable;
pub mod naming;
mod platform;
pub mod print;
mod section;
mod software;
mod state;
mod stmt;
pub mod tokens;
mod unit;
pub mod usage;
pub mod xcmd;

use lapis_cx::backend::{Backend, Capabilities, DerivedName, EmitError, File, Input, OptionError, OptionInfo, Usage};
use lapis_cx::contract::{Contract, Interface};

use print::Writer;

/// What a file is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// A module of a crate that depends on `lapis-cx-core` by this name.
    #[default]
    Module,
    /// For `include_spec!`, which brings `lapis-cx-core` into scope as `cx`.
    Included,
}

/// What can be set.
const OPTIONS: &[OptionInfo] = &[OptionInfo {
    key: "form",
    about: "`module`, for a crate that depends on lapis-cx-core, or `included`, for include_spec!",
    default: "module",
}];

/// The Rust backend.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rust {
    form: Form,
}

impl Rust {
    /// Prints modules.
    pub const DEFAULT: Rust = Rust::new(Form::Module);

    /// Prints files of this form.
    pub const fn new(form: Form) -> Rust {
        Rust { form }
    }
}

impl Backend for Rust {
    fn name(&self) -> &'static str {
        "rust"
    }

    fn about(&self) -> &'static str {
        "Rust modules (editions 2021 and 2024, no_std): a trait, a guard with one instruction for each command, and a fallback"
    }

    fn capabilities(&self) -> Capabilities {
        // Wide values are loops over limbs: any width of the language, and of exact results of its operators, prints.
        Capabilities { max_width: 1024, every_platform: false, remote_libraries: false, ..Capabilities::ALL }
    }

    fn options(&self) -> &'static [OptionInfo] {
        OPTIONS
    }

    fn with_options(&self, options: &[(&str, &str)]) -> Result<Box<dyn Backend>, OptionError> {
        let mut changed = *self;
        for (key, value) in options {
            changed.form = match (*key, *value) {
                ("form", "module") => Form::Module,
                ("form", "included") => Form::Included,
                ("form", _) => {
                    return Err(OptionError::new(key, format!("`{value}` is neither `module` nor `included`")));
                }
                _ => return Err(OptionError::unknown(key, OPTIONS)),
            };
        }
        Ok(Box::new(changed))
    }

    fn names<'c>(&self, contract: &'c Contract) -> Vec<DerivedName<'c>> {
        naming::derive(contract)
    }

    fn emit(&self, input: Input<'_>) -> Result<Vec<File>, EmitError> {
        files(input, self.form, Writer::default()).map_err(|message| EmitError { backend: self.name(), message })
    }

    fn usage(&self, interface: &Interface) -> Option<Usage> {
        usage::usage(interface)
    }
}

/// Prints the files, and compares each with the tokens that it was printed from. For tests: the printer decides about
/// layout only.
///
/// # Errors
/// The first place where a file does not say what its tokens say.
pub fn verify(input: Input<'_>) -> Result<Vec<File>, String> {
    files(input, Form::Module, Writer::verified())
}

fn files(input: Input<'_>, form: Form, mut out: Writer) -> Result<Vec<File>, String> {
    let file = |(interface, lowered)| {
        section::file(&mut out, form, interface, lowered);
        Ok(File { path: naming::file(interface), text: out.finish()? })
    };
    let mut files: Vec<File> = input.interfaces().map(file).collect::<Result<_, String>>()?;
    for (library, lowered) in input.libraries().filter(|(_, lowered)| !lowered.sections.is_empty()) {
        library::file(&mut out, form, library, lowered);
        files.push(File { path: naming::library::file(library), text: out.finish()? });
    }
    for platform in input.platforms() {
        platform::file(&mut out, form, platform);
        files.push(File { path: naming::platform_file(platform), text: out.finish()? });
    }
    Ok(files)
}
