//! Generates the code that runs a library in another process: the *guest library*, a shared library with the name and the
//! functions of the real one, which programs load in its place, and the *worker*, a program that calls the real library.
//!
//! The plan of the library ([`lapis_cx::lower::plan`]) says which values are sent when. The generated code contains the plan as
//! numbers, which the engine reads. The C is C11 and C++17, and includes `cx_remote.h` and the real library's headers.

#![warn(missing_docs)]

mod bodies;
mod build;
mod ctype;
mod fuzz;
mod guest;
pub mod header;
mod lacks;
mod naming;
mod native;
pub mod needs;
mod quote;
mod rust;
mod shared;
mod sizes;
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

use crate::build::{Missing, System};
use crate::naming::Names;

/// The name of the backend.
const NAME: &str = "remoting";

/// The options.
const OPTIONS: &[OptionInfo] = &[
    OptionInfo { key: "build", about: "the build system for C: `make`, `cmake` or `meson`", default: "make" },
    OptionInfo {
        key: "language",
        about: "`c`, or `rust`: a module with a typed client and a trait for a service",
        default: "c",
    },
    OptionInfo {
        key: "missing",
        about: "what happens if a program calls a function that the spec does not describe: `abort` ends the program with a \
                message, `zero` returns 0; only in C",
        default: "abort",
    },
    OptionInfo {
        key: "fuzzer",
        about: "`on` also generates a program that calls the functions in random order, and the target `fuzz` that builds it; only in C",
        default: "off",
    },
];

/// The language of the generated code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Printed {
    /// A guest library and a worker, in C.
    #[default]
    C,
    /// A module of Rust with both sides.
    Rust,
}

/// The name space of the files.
const FILES: &str = "remoting file";

/// The backend.
#[derive(Clone, Copy, Debug, Default)]
pub struct Remoting {
    system: System,
    printed: Printed,
    missing: Missing,
    has_fuzzer: bool,
    prints_all: bool,
}

impl Remoting {
    /// The backend with the default options.
    pub const DEFAULT: Remoting = Remoting::new(Printed::C);

    /// The backend for a language, with defaults for the other options.
    pub const fn new(printed: Printed) -> Remoting {
        Remoting { system: System::Make, printed, missing: Missing::Abort, has_fuzzer: false, prints_all: false }
    }

    /// The backend as it prints constructs too that the engine does not carry out. For tests of what is printed.
    pub const fn printing_all(self) -> Remoting {
        Remoting { prints_all: true, ..self }
    }
}

/// A library with everything that the generated code depends on.
struct Unit<'a> {
    library: &'a Library,
    language: Language,
    plan: Plan,
    table: Table,
    names: Names,
}

impl Unit<'_> {
    /// The functions, and how their arguments are passed. Functions that the specification replaces or that have a body have `None`.
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

/// How the arguments of a function are passed.
enum Passed {
    /// No variable arguments.
    Fixed,
    /// The variable arguments depend on one of the parameters.
    Variable { decider: String, cases: Vec<variables::Case> },
}

impl Backend for Remoting {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "a guest library and a worker for a library in another process: in C, with build files, or in Rust"
    }

    fn capabilities(&self) -> Capabilities {
        // It generates nothing for interfaces and platforms.
        Capabilities {
            libraries: false,
            platforms: false,
            every_platform: false,
            // Rust declares the types itself.
            undeclared_types: self.printed == Printed::Rust,
            not_carried_out: if self.prints_all { &[] } else { lacks::NOT_CARRIED_OUT },
            ..Capabilities::ALL
        }
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
                "missing" => {
                    let why = || format!("`{value}` is neither `abort` nor `zero`");
                    changed.missing = Missing::of(value).ok_or_else(|| OptionError::new(key, why()))?;
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
                list.add(FILES, What::new(["the build file of `", of, "`"]), span, || names.file(end));
            }
            list.add(FILES, What::new(["the common build file"]), span, || naming::path(self.system.file()));
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
                build::symbols(&templates, &unit, self.missing),
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

/// The end of the name of a library's Rust module.
const MODULE: &str = "remote.rs";

/// The end of the name of a library's fuzzer.
const FUZZER: &str = "fuzz.c";

/// The C files of each library: what they are, and the ends of their names.
const FILES_OF_LIBRARY: [(&str, &str); 4] = [
    ("the common header", "remote.h"),
    ("the guest library", "guest.c"),
    ("the worker", "worker.c"),
    ("the symbols", "symbols.sh"),
];

/// Whether a real library implements the functions. Otherwise there is nothing to run in another process.
fn is_remote(library: &Library) -> bool {
    library.binding.is_real()
}

fn remote<'c>(libraries: impl Iterator<Item = &'c Library>) -> impl Iterator<Item = &'c Library> {
    libraries.filter(|library| is_remote(library))
}

fn failed(error: minijinja::Error) -> EmitError {
    EmitError { backend: NAME, message: format!("{error:#}") }
}

/// Loads the templates. A template that names an undefined variable fails.
fn templates() -> Result<Environment<'static>, minijinja::Error> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.set_auto_escape_callback(|_| AutoEscape::None);
    templates.add_filter("make", |word: &str| quote::make(word));
    templates.add_filter("cmake", |word: &str| quote::cmake(word));
    templates.add_filter("meson", |word: &str| quote::meson(word));
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
    // minijinja drops the last line break of a template.
    let mut text = templates.get_template(name)?.render(context)?;
    text.truncate(text.trim_end().len());
    text.push('\n');
    Ok(text)
}

/// Why the engine does not send calls of a function.
fn without_call(function: &Function) -> &'static str {
    if function.clauses.iter().any(|clause| matches!(clause, Clause::Replace(_))) {
        "text of C in place of the call (`replace`)"
    } else if function.has_body() {
        "a body that runs in the program"
    } else {
        "the engine does not send its calls"
    }
}
