//! Prints both sides of a library that runs in another process: the *guest*, a shared library with the real one's name and
//! functions, which programs load in its place, and the *worker*, a program that calls the real one.
//!
//! What travels when is in the plan of the library ([`lapis_cx::lower::plan`]), which is printed as words; the engine reads
//! them. Nothing of it is decided here. The C is C11 and C++17, and leans on `cx_remote.h` and the real library's headers.

#![warn(missing_docs)]

mod bodies;
mod build;
mod ctype;
mod fuzz;
mod guest;
mod naming;
mod native;
mod rust;
mod shared;
mod variables;
mod words;
mod worker;

use lapis_cx::backend::{
    Backend, Capabilities, DerivedName, EmitError, File, Input, NameList, OptionError, OptionInfo, What,
};
use lapis_cx::contract::Contract;
use lapis_cx::contract::library::clause::Clause;
use lapis_cx::contract::library::{Function, Library};
use lapis_cx::lower::plan::{Plan, plan_library};
use lapis_cx::lower::plan::{Table, table};
use lapis_cx_backend_c::library::{Language, language};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};

use crate::build::System;
use crate::naming::Names;

/// The name of the backend.
const NAME: &str = "remoting";

/// What can be set.
const OPTIONS: &[OptionInfo] = &[
    OptionInfo { key: "build", about: "what builds both sides in C: `make`, `cmake` or `meson`", default: "make" },
    OptionInfo {
        key: "language",
        about: "`c`, or `rust`: a module with a typed client and a trait for a service",
        default: "c",
    },
    OptionInfo {
        key: "fuzzer",
        about: "`on` prints a program too that calls the functions in random order, and the target `fuzz` that builds it; in C",
        default: "off",
    },
];

/// What both sides are printed in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Printed {
    /// A guest library and a worker, in C.
    #[default]
    C,
    /// A module of Rust with both sides.
    Rust,
}

/// The space of file names.
const FILES: &str = "remoting file";

/// The backend.
#[derive(Clone, Copy, Debug, Default)]
pub struct Remoting {
    system: System,
    printed: Printed,
    has_fuzzer: bool,
}

impl Remoting {
    /// The backend as it is if nothing is set.
    pub const DEFAULT: Remoting = Remoting::new(Printed::C);

    /// The backend that prints this language.
    pub const fn new(printed: Printed) -> Remoting {
        Remoting { system: System::Make, printed, has_fuzzer: false }
    }
}

/// A library with all that is printed of it.
struct Unit<'a> {
    library: &'a Library,
    language: Language,
    plan: Plan,
    table: Table,
    names: Names,
}

impl Unit<'_> {
    /// The functions, and for each whose calls travel how its variable arguments do.
    fn functions(&self) -> impl Iterator<Item = (&Function, Option<Passed>)> {
        let passed = self.library.functions.iter().zip(&self.plan.functions).map(|(function, call)| {
            match (&function.rest, &call.as_ref()?.variables) {
                (None, _) => Some(Passed::Fixed),
                (Some(_), Some(variables)) => {
                    let (decider, cases) = variables::cases(self.library, function, variables)?;
                    Some(Passed::Variable { decider, cases })
                }
                (Some(_), None) => None,
            }
        });
        self.library.functions.iter().zip(passed)
    }
}

/// How arguments of a function are passed.
enum Passed {
    /// All are parameters.
    Fixed,
    /// What follows the parameters depends on one of them.
    Variable { decider: String, cases: Vec<variables::Case> },
}

impl Backend for Remoting {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "both sides of a library in another process, in C with what builds them, or in Rust"
    }

    fn capabilities(&self) -> Capabilities {
        // It prints nothing of interfaces and platforms.
        Capabilities { libraries: false, platforms: false, every_platform: false, ..Capabilities::ALL }
    }

    fn is_default(&self) -> bool {
        false
    }

    fn options(&self) -> &'static [OptionInfo] {
        OPTIONS
    }

    fn with_options(&self, options: &[(&str, &str)]) -> Result<Box<dyn Backend>, OptionError> {
        let mut changed = *self;
        for (key, value) in options {
            match *key {
                "build" => {
                    let why = || format!("`{value}` is none of `make`, `cmake` and `meson`");
                    changed.system = System::of(value).ok_or_else(|| OptionError::new(key, why()))?;
                }
                "language" => {
                    changed.printed = match *value {
                        "c" => Printed::C,
                        "rust" => Printed::Rust,
                        _ => return Err(OptionError::new(key, format!("`{value}` is neither `c` nor `rust`"))),
                    }
                }
                "fuzzer" => {
                    changed.has_fuzzer = match *value {
                        "on" => true,
                        "off" => false,
                        _ => return Err(OptionError::new(key, format!("`{value}` is neither `on` nor `off`"))),
                    }
                }
                _ => return Err(OptionError::unknown(key, OPTIONS)),
            }
        }
        Ok(Box::new(changed))
    }

    fn names<'c>(&self, contract: &'c Contract) -> Vec<DerivedName<'c>> {
        let mut list = NameList::default();
        for library in remote(contract.libraries()) {
            let (names, of, span) = (Names::new(library), library.name.as_str(), library.span);
            if self.printed == Printed::Rust {
                list.add(FILES, What::new(["the module of `", of, "`"]), span, || names.file(MODULE));
                continue;
            }
            for (what, file) in FILES_OF_LIBRARY {
                list.add(FILES, What::new([what, " of `", of, "`"]), span, || names.file(file));
            }
            if self.has_fuzzer {
                list.add(FILES, What::new(["the fuzzer of `", of, "`"]), span, || names.file(FUZZER));
            }
            if let Some((end, _)) = self.system.part() {
                list.add(FILES, What::new(["what builds `", of, "`"]), span, || names.file(end));
            }
            list.add(FILES, What::new(["what builds libraries"]), span, || naming::path(self.system.file()));
        }
        list.into_names()
    }

    fn emit(&self, input: Input<'_>) -> Result<Vec<File>, EmitError> {
        let templates = templates().map_err(failed)?;
        let mut files = Vec::new();
        let mut units = Vec::new();
        for library in remote(input.libraries().map(|(library, _)| library)) {
            let plan = plan_library(library);
            let table = table(library, &plan);
            let names = Names::new(library);
            let language = language(library, names.of("").trim_end_matches('_'));
            let unit = Unit { library, language, plan, table, names };
            if self.printed == Printed::Rust {
                let text = rust::print(&unit).map_err(|message| EmitError { backend: NAME, message })?;
                files.push(File { path: unit.names.file(MODULE), text });
                continue;
            }
            let texts = [
                shared::print(&templates, &unit),
                guest::print(&templates, &unit),
                worker::print(&templates, &unit),
                build::symbols(&templates, &unit),
            ];
            for ((_, file), text) in FILES_OF_LIBRARY.iter().zip(texts) {
                files.push(File { path: unit.names.file(file), text: text.map_err(failed)? });
            }
            if self.has_fuzzer {
                let text = fuzz::print(&templates, &unit).map_err(failed)?;
                files.push(File { path: unit.names.file(FUZZER), text });
            }
            units.push(unit);
        }
        if !units.is_empty() {
            let printed = build::print(&templates, self.system, self.has_fuzzer, &units).map_err(failed)?;
            files.extend(printed.into_iter().map(|(path, text)| File { path, text }));
        }
        Ok(files)
    }
}

/// The module of a library.
const MODULE: &str = "remote.rs";

/// The fuzzer of a library.
const FUZZER: &str = "fuzz.c";

/// What is printed of each library in C, in this order.
const FILES_OF_LIBRARY: [(&str, &str); 4] = [
    ("the header of both sides", "remote.h"),
    ("the caller's side", "guest.c"),
    ("the worker", "worker.c"),
    ("the symbols", "symbols.sh"),
];

/// Whether a library of others has the functions: all else has nothing that another process could run.
fn is_remote(library: &Library) -> bool {
    library.binding.is_real()
}

fn remote<'c>(libraries: impl Iterator<Item = &'c Library>) -> impl Iterator<Item = &'c Library> {
    libraries.filter(|library| is_remote(library))
}

fn failed(error: minijinja::Error) -> EmitError {
    EmitError { backend: NAME, message: format!("{error:#}") }
}

/// The templates; a name that they do not get is an error.
fn templates() -> Result<Environment<'static>, minijinja::Error> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.set_auto_escape_callback(|_| AutoEscape::None);
    templates.add_template(shared::TEMPLATE, include_str!("../templates/remote.h.j2"))?;
    templates.add_template(guest::TEMPLATE, include_str!("../templates/guest.c.j2"))?;
    templates.add_template(worker::TEMPLATE, include_str!("../templates/worker.c.j2"))?;
    templates.add_template(fuzz::TEMPLATE, include_str!("../templates/fuzz.c.j2"))?;
    templates.add_template(build::SYMBOLS, include_str!("../templates/symbols.sh.j2"))?;
    templates.add_template(System::Make.file(), include_str!("../templates/Makefile.j2"))?;
    templates.add_template(System::Cmake.file(), include_str!("../templates/CMakeLists.txt.j2"))?;
    templates.add_template("library.mk", include_str!("../templates/library.mk.j2"))?;
    templates.add_template("library.cmake", include_str!("../templates/library.cmake.j2"))?;
    templates.add_template(System::Meson.file(), include_str!("../templates/meson.build.j2"))?;
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

/// Why calls of a function do not travel.
fn without_call(function: &Function) -> &'static str {
    if function.clauses.iter().any(|clause| matches!(clause, Clause::Replace(_))) {
        "text of C in its place (`replace`)"
    } else if function.has_body() {
        "a body in the caller"
    } else {
        "its calls do not travel"
    }
}
