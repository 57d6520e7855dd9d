//! Functions that have a body in the language. They run in the program: the C backend prints them (`--backend c`), and the guest
//! library is linked with them. A body that calls the library calls the stubs.

use lapis_cx::contract::library::{Function, Library};
use lapis_cx_backend_c::naming::Names;
use lapis_cx_backend_c::naming::routine::LibraryNames;

use crate::guest::replacement;

/// The files with the bodies of a library, in the folder that all backends print into.
pub struct Bodies {
    /// The header that declares the functions, in `include`.
    pub header: String,
    /// The C source, in `src`.
    pub source: String,
    /// The function that closes the CXs that the bodies opened.
    pub close: String,
    /// The fallbacks of the interfaces that the bodies use, in `src`.
    pub fallbacks: Vec<String>,
}

impl Bodies {
    /// Returns the files of a library; `None` if no function has a body.
    pub fn of(library: &Library) -> Option<Bodies> {
        let names = LibraryNames::new(library).filter(|_| library.functions.iter().any(is_body))?;
        let in_src = |path: &str| path.strip_prefix("src/").unwrap_or(path).to_owned();
        let fallbacks = library.used.iter().map(|interface| in_src(&Names::new(interface).fallback())).collect();
        Some(Bodies { header: names.include(), source: names.source_file(), close: names.close(), fallbacks })
    }
}

/// Whether the body of a function runs. `replace` takes precedence.
pub fn is_body(function: &Function) -> bool {
    function.has_body() && replacement(function).is_none()
}
