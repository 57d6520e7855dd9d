//! What builds both sides.

use lapis_cx_backend_c::library::function_name;
use minijinja::{Environment, context};

use crate::bodies::Bodies;
use crate::{Unit, guest, naming, render, shared, words};

/// The template of the script that reads the symbols of the real library.
pub const SYMBOLS: &str = "symbols.sh";

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
    /// By its name in an option.
    pub fn of(name: &str) -> Option<System> {
        match name {
            "make" => Some(System::Make),
            "cmake" => Some(System::Cmake),
            "meson" => Some(System::Meson),
            _ => None,
        }
    }

    /// Its file.
    pub fn file(self) -> &'static str {
        match self {
            System::Make => "Makefile",
            System::Cmake => "CMakeLists.txt",
            System::Meson => "meson.build",
        }
    }

    /// What is printed of each library: the end of the file's name, and the template. Meson has no way to look for such files, so
    /// all libraries are in the one.
    pub fn part(self) -> Option<(&'static str, &'static str)> {
        match self {
            System::Make => Some(("remote.mk", "library.mk")),
            System::Cmake => Some(("remote.cmake", "library.cmake")),
            System::Meson => None,
        }
    }
}

/// Prints the script that lists what the specification leaves out.
pub fn symbols(templates: &Environment<'_>, unit: &Unit<'_>) -> Result<String, minijinja::Error> {
    let library = unit.library;
    let functions = library.functions.iter().filter(|function| guest::is_exported(function));
    let mut functions: Vec<String> = functions.map(|function| function_name(library, function)).collect();
    let bodies = Bodies::of(library);
    functions.extend(bodies.iter().map(|bodies| bodies.close.clone()));
    let hidden = library.functions.iter().filter(|function| !guest::is_exported(function));
    let context = context! {
        file => unit.names.file("symbols.sh").trim_start_matches("remoting/"),
        origin => words::full_name(library),
        library => unit.names.library.clone(),
        upper => unit.names.library.to_uppercase(),
        guest => unit.names.of("guest"),
        // What the real library exports of them beside its own functions is there already.
        has_bodies => bodies.is_some(),
        functions,
        hidden => hidden.map(|function| function_name(library, function)).collect::<Vec<_>>(),
    };
    render(templates, SYMBOLS, context)
}

/// Prints the files of a build system, with their paths. Where each library has one of its own, all specifications print the same
/// text beside those: they can share the folder.
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
            let context = context! { file => path.trim_start_matches("remoting/"), l => described(unit), has_fuzzer };
            files.push((path.clone(), render(templates, template, context)?));
        }
    }
    let path = naming::path(system.file());
    let context = context! {
        file => path.trim_start_matches("remoting/"),
        libraries => units.iter().map(described).collect::<Vec<_>>(),
        has_fuzzer,
    };
    files.push((path.clone(), render(templates, system.file(), context)?));
    Ok(files)
}

fn described(unit: &Unit<'_>) -> minijinja::Value {
    let binding = &unit.library.binding;
    let soname = shared::soname(unit);
    let bodies = Bodies::of(unit.library);
    // Meson puts a name together from two parts.
    let (stem, suffix) = soname.rsplit_once('.').unwrap_or((&soname, "so"));
    context! {
        stem, suffix,
        name => unit.names.library.clone(),
        upper => unit.names.library.to_uppercase(),
        origin => words::full_name(unit.library),
        soname => soname.clone(),
        cflags => binding.cflags.clone(),
        libs => binding.libs.clone(),
        guest_sources => binding.guest_sources.clone(),
        worker_sources => binding.worker_sources.clone(),
        bodies => bodies.as_ref().map(|bodies| bodies.source.clone()),
        fallbacks => bodies.map(|bodies| bodies.fallbacks).unwrap_or_default(),
    }
}
