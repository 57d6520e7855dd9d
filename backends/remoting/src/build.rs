//! The files that build guest libraries and workers: for make, CMake and Meson.

use lapis_cx_backend_c::library::function_name;
use minijinja::{Environment, context};

use crate::bodies::Bodies;
use crate::{Unit, guest, naming, render, shared, words};

/// The template of the script that reads the symbols of the real library.
pub const SYMBOLS: &str = "symbols.sh";

/// The effect of a call of a function that the specification does not describe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// Prints a message and aborts the program.
    #[default]
    Abort,
    /// Prints a message and returns 0, which many libraries take for success.
    Zero,
}

impl Missing {
    /// The option value `name`.
    pub fn of(name: &str) -> Option<Missing> {
        match name {
            "abort" => Some(Missing::Abort),
            "zero" => Some(Missing::Zero),
            _ => None,
        }
    }

    /// The argument of `cxr_missing`.
    pub fn mode(self) -> &'static str {
        match self {
            Missing::Abort => "CXR_MISSING_ABORTS",
            Missing::Zero => "CXR_MISSING_RETURNS_ZERO",
        }
    }

    /// The statement after `cxr_missing`; `None` if the call returns. It does not call `abort`, which the library may define itself.
    pub fn ending(self) -> Option<&'static str> {
        (self == Missing::Abort).then_some("__builtin_abort();")
    }
}

/// A build system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum System {
    /// GNU make.
    #[default]
    Make,
    /// CMake.
    Cmake,
    /// Meson.
    Meson,
}

impl System {
    /// The build system `name`.
    pub fn of(name: &str) -> Option<System> {
        match name {
            "make" => Some(System::Make),
            "cmake" => Some(System::Cmake),
            "meson" => Some(System::Meson),
            _ => None,
        }
    }

    /// The file that it reads first.
    pub fn file(self) -> &'static str {
        match self {
            System::Make => "Makefile",
            System::Cmake => "CMakeLists.txt",
            System::Meson => "meson.build",
        }
    }

    /// The file for each library: the end of its name, and the template. Meson cannot search for such files, so its one file
    /// describes all libraries.
    pub fn part(self) -> Option<(&'static str, &'static str)> {
        match self {
            System::Make => Some(("remote.mk", "library.mk")),
            System::Cmake => Some(("remote.cmake", "library.cmake")),
            System::Meson => None,
        }
    }
}

/// Prints the script that reads the symbols of the real library.
pub fn symbols(templates: &Environment<'_>, unit: &Unit<'_>, missing: Missing) -> Result<String, minijinja::Error> {
    let library = unit.library;
    let functions = library.functions.iter().filter(|function| guest::is_exported(function));
    let mut functions: Vec<String> = functions.map(|function| function_name(library, function)).collect();
    let bodies = Bodies::of(library);
    functions.extend(bodies.iter().map(|bodies| bodies.close.clone()));
    let hidden = library.functions.iter().filter(|function| !guest::is_exported(function));
    let (stub, effect) = match missing {
        Missing::Abort => {
            ("a call prints a message and aborts the program", "A program that calls one of these functions is aborted")
        }
        Missing::Zero => ("a call prints a message and returns 0", "A call of one of these functions returns 0"),
    };
    let context = context! {
        file => unit.names.file_name("symbols.sh"),
        origin => words::full_name(library),
        library => unit.names.library.clone(),
        upper => unit.names.library.to_uppercase(),
        soname => crate::quote::shell(&shared::soname(unit)),
        guest => unit.names.of("guest"),
        // The stubs are weak then: the runtime may define some of these functions.
        has_bodies => bodies.is_some(),
        mode => missing.mode(),
        ending => missing.ending().unwrap_or("return 0;"),
        stub, effect,
        functions,
        hidden => hidden.map(|function| function_name(library, function)).collect::<Vec<_>>(),
    };
    render(templates, SYMBOLS, context)
}

/// Prints the files of a build system, with their paths. If each library has a separate file, the text of the common file does not depend
/// on the library, so specifications can share the folder.
pub fn print(
    templates: &Environment<'_>,
    system: System,
    has_fuzzer: bool,
    units: &[Unit<'_>],
) -> Result<Vec<(String, String)>, minijinja::Error> {
    let mut files = Vec::new();
    if let Some((end, template)) = system.part() {
        for unit in units {
            let path = unit.names.file(end);
            let context = context! { file => unit.names.file_name(end), l => described(unit), has_fuzzer };
            files.push((path.clone(), render(templates, template, context)?));
        }
    }
    let path = naming::path(system.file());
    let context = context! {
        file => system.file(),
        libraries => units.iter().map(described).collect::<Vec<_>>(),
        has_fuzzer,
    };
    files.push((path.clone(), render(templates, system.file(), context)?));
    Ok(files)
}

/// The values that the templates of build systems use for a library.
fn described(unit: &Unit<'_>) -> minijinja::Value {
    let binding = &unit.library.binding;
    let soname = shared::soname(unit);
    let bodies = Bodies::of(unit.library).map(|bodies| {
        let Bodies { header, source, fallbacks, .. } = bodies;
        context! { header, source, fallbacks }
    });
    // Meson joins a file name from these two parts.
    let (stem, suffix) = soname.rsplit_once('.').unwrap_or((&soname, "so"));
    context! {
        stem, suffix, bodies,
        has_text => shared::has_text(unit),
        name => unit.names.library.clone(),
        upper => unit.names.library.to_uppercase(),
        origin => words::full_name(unit.library),
        soname => soname.clone(),
        cflags => binding.cflags.clone(),
        libs => binding.libs.clone(),
        guest_sources => binding.guest_sources.clone(),
        worker_sources => binding.worker_sources.clone(),
    }
}
