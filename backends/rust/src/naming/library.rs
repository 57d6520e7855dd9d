//! The names of a library whose functions have bodies.

use lapis_cx::backend::{DerivedName, NameList, What};
use lapis_cx::contract::library::{Function, Library};

use super::{FILES, METHODS, TYPES, snake, type_name};

/// What bodies call, and who implements it.
pub const CALLS: &str = "Calls";
/// What makes a value of the library's type.
const NEW: &str = "new";

/// The stem of the file: as in C the name of its header, else the long name.
pub fn stem(library: &Library) -> String {
    let is_name = |name: &&str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let header = library.binding.own_header().and_then(|name| name.strip_suffix(".h")).filter(is_name);
    header.map_or_else(|| format!("{}__{}", library.package.replace('.', "_"), library.name), str::to_owned)
}

/// The file, relative to the output folder.
pub fn file(library: &Library) -> String {
    format!("rust/{}.rs", stem(library))
}

/// The type whose methods are the functions with a body.
pub fn library_type(library: &Library) -> String {
    type_name(&library.name)
}

/// The method of a function with a body.
pub fn routine(function: &Function) -> String {
    match snake(&function.name) {
        name if name == NEW => name + "_",
        name => name,
    }
}

/// The method of a function that bodies call.
pub fn called(function: &Function) -> String {
    snake(&function.name)
}

/// Every name and file of a library.
pub fn derive(library: &Library) -> Vec<DerivedName<'_>> {
    let mut list = NameList::default();
    if !library.functions.iter().any(Function::has_body) {
        return list.into_names();
    }
    let of = library.name.as_str();
    let module = snake(&stem(library));
    list.add(FILES, What::new(["the file of `", of, "`"]), library.span, || file(library));
    let mut add = |space, what, span, name: String| list.add(space, what, span, || format!("{module}::{name}"));
    let ty = library_type(library);
    add(TYPES, What::new(["the library `", of, "`"]), library.span, ty.clone());
    add(TYPES, What::new(["`", CALLS, "` of `", of, "`"]), library.span, CALLS.to_owned());
    for def in library.sections.iter().flat_map(|section| &section.enums) {
        add(TYPES, What::new(["enum `", &def.name, "`"]), def.span, type_name(&def.name));
    }
    for function in &library.functions {
        let what = What::new(["the function `", &function.name, "`"]);
        let name = if function.has_body() {
            format!("{ty}::{}", routine(function))
        } else {
            format!("{CALLS}::{}", called(function))
        };
        add(METHODS, what, function.span, name);
    }
    list.into_names()
}
