//! The names of a library whose functions have bodies.

use lapis_cx::backend::{DerivedName, NameList, What};
use lapis_cx::contract::Contract;
use lapis_cx::contract::library::{Function, Library};

use super::{FILES, IDENTIFIERS, Names};
use crate::library::function_name;

/// What the source uses of `cx.h`, or could be taken for it.
const CX_API: &[&str] = &[
    "cx_close",
    "cx_error_string",
    "cx_get_sel",
    "cx_last_error",
    "cx_open",
    "cx_restore",
    "cx_save",
    "cx_sel_is_cx",
    "cx_select",
    "cx_status_clear",
    "cx_status_read",
    "cx_status_write",
];

/// Headers that the source includes: none of them can be the library's own.
const CX_HEADERS: &[&str] = &["cx.h", "cx_abi.h", "cx_insn.h", "stdbool.h", "stddef.h", "stdint.h"];

/// The names of one library.
pub struct LibraryNames {
    /// The long name, `pkg_dots__Library`.
    stem: String,
    /// The file that a program includes, without the ending `.h`.
    header: String,
    /// What stands before each name.
    prefix: String,
    /// Whether a library of others has all the functions, and a header for them.
    is_real: bool,
}

impl LibraryNames {
    /// The names of a library; `None` if none of its functions has a body.
    pub fn new(library: &Library) -> Option<LibraryNames> {
        library.functions.iter().any(Function::has_body).then(|| {
            let stem = Names::of(&library.package, &library.name, None, None).stem;
            let is_real = library.binding.is_real();
            let header = library.binding.own_header().filter(|name| !CX_HEADERS.contains(name));
            let header = header.and_then(|name| name.strip_suffix(".h")).filter(|name| !name.contains(['/', '\\']));
            let prefix = library.binding.prefix.clone().unwrap_or_else(|| format!("{stem}__"));
            LibraryNames { header: header.map_or_else(|| stem.clone(), str::to_owned), stem, prefix, is_real }
        })
    }

    /// How a program includes the header.
    pub fn include(&self) -> String {
        format!("{}.h", self.header)
    }

    /// The header, relative to the output folder.
    pub fn header(&self) -> String {
        format!("include/{}.h", self.header)
    }

    /// The functions, relative to the output folder.
    pub fn source(&self) -> String {
        format!("src/{}", self.source_file())
    }

    /// The same without the folder.
    pub fn source_file(&self) -> String {
        format!("{}.c", self.header)
    }

    /// The include guard.
    pub fn guard(&self) -> String {
        format!("CX_GENERATED_{}_H", self.stem)
    }

    /// The function that closes what the thread has open.
    pub fn close(&self) -> String {
        format!("{}cx_close", self.prefix)
    }

    /// Names of what only the source sees.
    pub fn statics(&self) -> Names {
        let is_word = self.header.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let is_name = is_word && self.header.starts_with(|c: char| c.is_ascii_alphabetic());
        Names { stem: if is_name { self.header.clone() } else { self.stem.clone() }, separator: "_" }
    }

    /// The functions that the header declares: all, if no other header does.
    pub fn declared<'l>(&self, library: &'l Library) -> impl Iterator<Item = &'l Function> + use<'l> {
        let is_real = self.is_real;
        library.functions.iter().filter(move |function| !is_real || function.has_body() || function.follows_cx())
    }
}

/// Everything that the files of a library declare where others see it.
pub fn names(library: &Library) -> Vec<DerivedName<'_>> {
    let Some(names) = LibraryNames::new(library) else { return Vec::new() };
    let mut list = NameList::default();
    let (of, span) = (library.name.as_str(), library.span);
    list.add(FILES, What::new(["the header of `", of, "`"]), span, || names.header());
    list.add(FILES, What::new(["the functions of `", of, "`"]), span, || names.source());
    list.add(IDENTIFIERS, What::new(["the include guard of `", of, "`"]), span, || names.guard());
    list.add(IDENTIFIERS, What::new(["the function that closes what `", of, "` opened"]), span, || names.close());
    for function in &library.functions {
        let what = What::new(["the function `", &function.name, "`"]);
        list.add(IDENTIFIERS, what, function.span, || function_name(library, function));
    }
    list.into_names()
}

/// What the sources of libraries see of others, once for a contract that has such a library.
pub fn taken(contract: &Contract) -> Vec<DerivedName<'_>> {
    let Some(library) = contract.libraries().find(|library| LibraryNames::new(library).is_some()) else {
        return Vec::new();
    };
    let (mut list, span) = (NameList::default(), library.span);
    for name in CX_API {
        list.add(IDENTIFIERS, What::new(["`", name, "` of the CX API"]), span, || (*name).to_owned());
    }
    list.into_names()
}
