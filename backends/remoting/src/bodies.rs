//! Functions that have a body in the language: they run in the caller's process. The C backend prints them (`--backend c`), beside what this
//! one prints, and the caller's side is built of those files too. What a body calls of the library are the stubs.

use lapis_cx::contract::library::{Function, Library};
use lapis_cx_backend_c::naming::Names;
use lapis_cx_backend_c::naming::routine::LibraryNames;

use crate::guest::replacement;

/// Where the files of a library's bodies are, below the folder that all backends print into.
pub struct Bodies {
    /// The header that declares them, in `include`.
    pub header: String,
    /// The functions, in `src`.
    pub source: String,
    /// The function that closes what they have opened.
    pub close: String,
    /// What they use where the machine has no CX, in `src`.
    pub fallbacks: Vec<String>,
}

impl Bodies {
    /// Those of a library, if it has such functions.
    pub fn of(library: &Library) -> Option<Bodies> {
        let names = LibraryNames::new(library).filter(|_| library.functions.iter().any(is_body))?;
        let in_src = |path: &str| path.trim_start_matches("src/").to_owned();
        let fallbacks = library.used.iter().map(|interface| in_src(&Names::new(interface).fallback())).collect();
        Some(Bodies { header: names.include(), source: names.source_file(), close: names.close(), fallbacks })
    }
}

/// Whether a body does what the function says: text in place of a call wins.
pub fn is_body(function: &Function) -> bool {
    function.has_body() && replacement(function).is_none()
}
