//! What builds both sides.

use lapis_cx_backend_c::library::function_name;
use minijinja::{Environment, context};

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
}

/// Prints the script that lists what the specification leaves out.
pub fn symbols(templates: &Environment<'_>, unit: &Unit<'_>) -> Result<String, minijinja::Error> {
    let library = unit.library;
    let functions = library.functions.iter().filter(|function| guest::is_exported(function));
    let functions: Vec<String> = functions.map(|function| function_name(library, function)).collect();
    let hidden = library.functions.iter().filter(|function| !guest::is_exported(function));
    let context = context! {
        file => unit.names.file("symbols.sh").trim_start_matches("remoting/"),
        origin => words::full_name(library),
        library => unit.names.library.clone(),
        guest => unit.names.of("guest"),
        functions,
        hidden => hidden.map(|function| function_name(library, function)).collect::<Vec<_>>(),
    };
    render(templates, SYMBOLS, context)
}

/// Prints the file of a build system.
pub fn print(templates: &Environment<'_>, system: System, units: &[Unit<'_>]) -> Result<String, minijinja::Error> {
    let libraries = units.iter().map(|unit| {
        let binding = &unit.library.binding;
        let soname = shared::soname(unit);
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
        }
    });
    let context = context! {
        file => naming::path(system.file()).trim_start_matches("remoting/"),
        libraries => libraries.collect::<Vec<_>>(),
    };
    render(templates, system.file(), context)
}
