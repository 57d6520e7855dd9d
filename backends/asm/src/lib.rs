//! Prints headers for assembly: `asm/<stem>.h`, for sources that go through the C preprocessor (`.S`), with GNU as or
//! clang's assembler, on RV32 and RV64.
//!
//! Each command is a macro of one instruction, under its long and its short name, written both as the overloadable
//! opcodes document has it: `Iface__rock rd, rs1, rs2` and `Iface__rock(rd, rs1, rs2)`. Opcodes are those of
//! a [`Profile`], which options change.

mod macros;
pub mod naming;
mod options;
mod print;
mod usage;

use lapis_cx::backend::{Backend, Capabilities, DerivedName, EmitError, File, Input, OptionError, OptionInfo, Usage};
use lapis_cx::contract::{Contract, Interface};
use lapis_cx_core::encoding::Profile;

/// The name of the backend.
const NAME: &str = "asm";

/// The assembly backend.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asm {
    profile: Profile,
}

impl Asm {
    /// With the opcodes of [`Profile::DEFAULT`].
    pub const DEFAULT: Asm = Asm::new(Profile::DEFAULT);

    /// With these opcodes.
    pub const fn new(profile: Profile) -> Asm {
        Asm { profile }
    }
}

impl Backend for Asm {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "assembler headers: a macro with one instruction for each command, ids and CSR numbers"
    }

    fn capabilities(&self) -> Capabilities {
        // It prints no bodies, so that any width will do. Nothing of a platform is an instruction.
        Capabilities {
            platforms: false,
            every_platform: false,
            libraries: false,
            remote_libraries: false,
            ..Capabilities::ALL
        }
    }

    fn options(&self) -> &'static [OptionInfo] {
        options::OPTIONS
    }

    fn with_options(&self, options: &[(&str, &str)]) -> Result<Box<dyn Backend>, OptionError> {
        Ok(Box::new(Asm::new(options::profile(self.profile, options)?)))
    }

    fn names<'c>(&self, contract: &'c Contract) -> Vec<DerivedName<'c>> {
        naming::derive(contract)
    }

    fn emit(&self, input: Input<'_>) -> Result<Vec<File>, EmitError> {
        let templates = print::templates().map_err(failed)?;
        let mut files = Vec::new();
        for (interface, _) in input.interfaces() {
            let names = naming::Names::new(interface);
            let text = print::header(&templates, self.profile, &names, interface).map_err(failed)?;
            files.push(File { path: names.header(), text });
        }
        Ok(files)
    }

    fn usage(&self, interface: &Interface) -> Option<Usage> {
        usage::usage(self.profile, interface)
    }
}

fn failed(error: minijinja::Error) -> EmitError {
    EmitError { backend: NAME, message: format!("{error:#}") }
}
