//! Prints C: for each interface a self-contained header, which also compiles as C++17, and a software fallback; for each
//! platform with overloadable opcodes the tables of a processor, and its devices in software; for each with CXUs their table.
//!
//! The code is C11 without undefined behaviour. It leans on the CX ABI header ([`lapis_cx_core::CX_ABI_H`]), which
//! each header carries, and on nothing else.

#[macro_use]
mod text;

mod body;
mod ckernel;
mod csr;
mod expr;
mod fallback;
mod header;
mod helper;
pub mod library;
mod machine;
pub mod naming;
mod platform;
mod routine;
pub mod stub;
mod unit;
mod usage;
mod xcmd;

use lapis_cx::backend::{Backend, Capabilities, DerivedName, EmitError, File, Input, OptionError, OptionInfo, Usage};
use lapis_cx::contract::library::{self as library_contract, Library};
use lapis_cx::contract::{Contract, Interface};
use lapis_cx::lower::{Abi, ir, lower_library};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};

/// The name of the backend.
const NAME: &str = "c";

/// The names of the templates.
const HEADER: &str = "header.h";
const FALLBACK: &str = "fallback.c";
const CKERNELS_HEADER: &str = "ckernels.h";
const CKERNELS_SOURCE: &str = "ckernels.c";

/// What can be set.
const OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        key: "ckernels",
        about: "`on` also generates the commands as ckernels: functions over memory, for one value and for arrays",
        default: "off",
    },
    OptionInfo {
        key: "firmware",
        about: "`on` also generates a machine for each platform: the CX API, trap handler and fallbacks of a hart without an \
                operating system, as one C file",
        default: "off",
    },
    OptionInfo {
        key: "abi",
        about: "what library functions do with the caller's selection: `preserved` restores it; `ambient` is the \
                older convention, in which the built-in instructions are selected at each call and return",
        default: "preserved",
    },
];
const LIBRARY_HEADER: &str = "library.h";
const LIBRARY_SOURCE: &str = "library.c";
const PLATFORM_HEADER: &str = "platform.h";
const PLATFORM_SOURCE: &str = "platform.c";
const MACHINE_HEADER: &str = "machine.h";
const MACHINE_SOURCE: &str = "machine.c";

/// The C backend.
#[derive(Clone, Copy, Debug, Default)]
pub struct C {
    ckernels: bool,
    firmware: bool,
    abi: Abi,
}

/// The C backend as it is if nothing is set.
#[allow(non_upper_case_globals)] // as a type without options is written
pub const C: C = C { ckernels: false, firmware: false, abi: Abi::Preserved };

impl C {
    /// With ckernels beside the fallback.
    pub const WITH_CKERNELS: C = C { ckernels: true, ..C };

    /// With machines of platforms.
    pub const WITH_FIRMWARE: C = C { firmware: true, ..C };
}

impl Backend for C {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "C11 headers, also for C++17, with one-instruction stubs, and software fallbacks"
    }

    fn capabilities(&self) -> Capabilities {
        // Wide values are loops over limbs: any width of the language, and of exact results of its operators, prints.
        Capabilities {
            max_width: 1024,
            every_platform: self.firmware,
            remote_libraries: false,
            undeclared_types: false,
            ..Capabilities::ALL
        }
    }

    fn options(&self) -> &'static [OptionInfo] {
        OPTIONS
    }

    fn with_options(&self, options: &[(&str, &str)]) -> Result<Box<dyn Backend>, OptionError> {
        let mut changed = *self;
        for (key, value) in options {
            match (*key, *value) {
                ("ckernels", "on") => changed.ckernels = true,
                ("ckernels", "off") => changed.ckernels = false,
                ("ckernels", _) => return Err(OptionError::new(key, format!("`{value}` is neither `on` nor `off`"))),
                ("firmware", "on") => changed.firmware = true,
                ("firmware", "off") => changed.firmware = false,
                ("firmware", _) => return Err(OptionError::new(key, format!("`{value}` is neither `on` nor `off`"))),
                ("abi", "preserved") => changed.abi = Abi::Preserved,
                ("abi", "ambient") => changed.abi = Abi::Ambient,
                ("abi", _) => {
                    return Err(OptionError::new(key, format!("`{value}` is neither `preserved` nor `ambient`")));
                }
                _ => return Err(OptionError::unknown(key, OPTIONS)),
            }
        }
        Ok(Box::new(changed))
    }

    fn names<'c>(&self, contract: &'c Contract) -> Vec<DerivedName<'c>> {
        naming::derive(contract, self.ckernels, self.firmware)
    }

    fn declaration(&self, library: &Library, function: &library_contract::Function) -> Option<String> {
        Some(library::shown(library, function))
    }

    fn emit(&self, input: Input<'_>) -> Result<Vec<File>, EmitError> {
        let templates = templates().map_err(failed)?;
        let mut files = Vec::new();
        for (interface, lowered) in input.interfaces() {
            let names = naming::Names::new(interface);
            let taken = names.taken(interface);
            let text = header::print(&templates, &names, interface, lowered, &taken).map_err(failed)?;
            files.push(File { path: names.header(), text });
            let text = fallback::print(&templates, &names, interface, lowered, &taken).map_err(failed)?;
            files.push(File { path: names.fallback(), text });
            if self.ckernels {
                let text = ckernel::header(&templates, &names, interface).map_err(failed)?;
                files.push(File { path: names.ckernels_header(), text });
                let taken = names.taken_by_ckernels(interface);
                let text = ckernel::source(&templates, &names, interface, lowered, &taken).map_err(failed)?;
                files.push(File { path: names.ckernels(), text });
            }
        }
        for (library, lowered) in input.libraries() {
            let Some(names) = naming::routine::LibraryNames::new(library) else { continue };
            let files_of = |lowered: &ir::Library| {
                let header = routine::header(&templates, &names, library, self.abi)?;
                let source = routine::source(&templates, &names, library, lowered, self.abi)?;
                Ok([File { path: names.header(), text: header }, File { path: names.source(), text: source }])
            };
            files.extend(
                match self.abi {
                    Abi::Preserved => files_of(lowered),
                    Abi::Ambient => files_of(&lower_library(library, self.abi)),
                }
                .map_err(failed)?,
            );
        }
        for platform in input.platforms() {
            let names = naming::Names::of_platform(platform);
            let text = platform::header(&templates, &names, platform).map_err(failed)?;
            files.push(File { path: names.header(), text });
            let text = platform::source(&templates, &names, platform).map_err(failed)?;
            files.push(File { path: names.platform(), text });
        }
        for platform in input.every_platform().filter(|_| self.firmware) {
            let names = naming::Names::of_platform(platform);
            let text = machine::header(&templates, &names, platform).map_err(failed)?;
            files.push(File { path: names.machine_header(), text });
            let text = machine::source(&templates, &names, platform).map_err(failed)?;
            files.push(File { path: names.machine(), text });
        }
        Ok(files)
    }

    fn usage(&self, interface: &Interface) -> Option<Usage> {
        usage::usage(interface)
    }
}

fn failed(error: minijinja::Error) -> EmitError {
    EmitError { backend: NAME, message: format!("{error:#}") }
}

/// The templates, to be filled for each interface; a name that they do not get is an error.
fn templates() -> Result<Environment<'static>, minijinja::Error> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.set_auto_escape_callback(|_| AutoEscape::None);
    templates.add_template(HEADER, include_str!("../templates/header.h.j2"))?;
    templates.add_template(FALLBACK, include_str!("../templates/fallback.c.j2"))?;
    templates.add_template(CKERNELS_HEADER, include_str!("../templates/ckernels.h.j2"))?;
    templates.add_template(CKERNELS_SOURCE, include_str!("../templates/ckernels.c.j2"))?;
    templates.add_template(LIBRARY_HEADER, include_str!("../templates/library.h.j2"))?;
    templates.add_template(LIBRARY_SOURCE, include_str!("../templates/library.c.j2"))?;
    templates.add_template(PLATFORM_HEADER, include_str!("../templates/platform.h.j2"))?;
    templates.add_template(PLATFORM_SOURCE, include_str!("../templates/platform.c.j2"))?;
    templates.add_template(MACHINE_HEADER, include_str!("../templates/machine.h.j2"))?;
    templates.add_template(MACHINE_SOURCE, include_str!("../templates/machine.c.j2"))?;
    Ok(templates)
}

/// Fills a template.
fn render(templates: &Environment<'_>, name: &str, context: minijinja::Value) -> Result<String, minijinja::Error> {
    // The engine drops the last line break of a template.
    let mut text = templates.get_template(name)?.render(context)?;
    text.truncate(text.trim_end().len());
    text.push('\n');
    Ok(text)
}
