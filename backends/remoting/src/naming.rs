//! Names of generated files and identifiers. No other module makes names.
//!
//! C names begin with `<library>_cxr_` and members for arguments with `arg_`. A header may define macros such as `strm` or `free`,
//! but hardly one with these prefixes.

use lapis_cx::contract::library::{Function, Library};

/// Makes the names of one library.
pub struct Names {
    /// The library in lower case: `c identifier`, or its name.
    pub library: String,
}

impl Names {
    /// Makes names for `library`.
    pub fn new(library: &Library) -> Names {
        let library = match &library.binding.identifier {
            Some(identifier) => identifier.clone(),
            None => snake(&library.name),
        };
        Names { library: library.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect() }
    }

    /// Returns the path of a file, relative to the output folder.
    pub fn file(&self, rest: &str) -> String {
        path(&self.file_name(rest))
    }

    /// Returns the name of a file in the folder of the generated files.
    pub fn file_name(&self, rest: &str) -> String {
        format!("{}_{rest}", self.library)
    }

    /// Returns an identifier of the generated C.
    pub fn of(&self, what: &str) -> String {
        format!("{}_cxr_{what}", self.library)
    }

    /// Returns the type of the struct with the arguments of a function.
    pub fn arguments(&self, function: &Function) -> String {
        format!("struct {}", self.of(&format!("call_{}", function.name)))
    }

    /// Returns the type of the struct with the arguments of a callback.
    pub fn callback_arguments(&self, callback: &Function) -> String {
        format!("struct {}", self.of(&format!("callback_{}", callback.name)))
    }

    /// Returns the name of a macro or an include guard.
    pub fn macro_of(&self, what: &str) -> String {
        self.of(what).to_uppercase()
    }
}

/// Returns the path of a file that all libraries of a contract share.
pub fn path(name: &str) -> String {
    format!("remoting/{name}")
}

/// Returns the member that stores a parameter or an implicit argument.
pub fn member(name: &str) -> String {
    format!("arg_{name}")
}

/// The member that stores the result.
pub const RESULT: &str = "result";

/// Converts a name to snake case: `TinyCL` to `tiny_cl`, `HTTPServer2` to `http_server2`.
fn snake(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::with_capacity(name.len() + 4);
    for (at, c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| chars.get(at));
        let is_start = before.is_some_and(|b| {
            b.is_ascii_lowercase() || b.is_ascii_digit() || chars.get(at + 1).is_some_and(char::is_ascii_lowercase)
        });
        if c.is_ascii_uppercase() && is_start && before != Some(&'_') {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::snake;

    #[test]
    fn names_are_in_lower_case() {
        let shown = ["Zlib", "TinyCL", "OpenCL", "HTTPServer2", "my_api", "Sqlite"].map(snake);
        assert_eq!(shown, ["zlib", "tiny_cl", "open_cl", "http_server2", "my_api", "sqlite"]);
    }
}
