//! The one authority for names of remoting: what files and things of a library are called.
//!
//! All names of C begin with `<library>_cxr_`, and members of arguments with `arg_`: a header that has a macro of such a name
//! is not to be expected, while one for `strm` or `free` is.

use lapis_cx::contract::library::{Function, Library};

/// The names of one library.
pub struct Names {
    /// The library in lower case: `c identifier`, or its name.
    pub library: String,
}

impl Names {
    /// Those of a library.
    pub fn new(library: &Library) -> Names {
        let library = match &library.binding.identifier {
            Some(identifier) => identifier.clone(),
            None => snake(&library.name),
        };
        Names { library: library.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect() }
    }

    /// A file, relative to the output folder.
    pub fn file(&self, rest: &str) -> String {
        path(&format!("{}_{rest}", self.library))
    }

    /// Something of the generated C.
    pub fn of(&self, what: &str) -> String {
        format!("{}_cxr_{what}", self.library)
    }

    /// The struct with the arguments of a function.
    pub fn arguments(&self, function: &Function) -> String {
        format!("struct {}", self.of(&format!("call_{}", function.name)))
    }

    /// The struct with the arguments of a callback.
    pub fn callback_arguments(&self, callback: &Function) -> String {
        format!("struct {}", self.of(&format!("callback_{}", callback.name)))
    }

    /// A macro or an include guard.
    pub fn macro_of(&self, what: &str) -> String {
        self.of(what).to_uppercase()
    }
}

/// A file that belongs to all libraries of a contract.
pub fn path(name: &str) -> String {
    format!("remoting/{name}")
}

/// The member of a struct of arguments that holds a parameter or an implicit argument.
pub fn member(name: &str) -> String {
    format!("arg_{name}")
}

/// The member that holds the result.
pub const RESULT: &str = "result";

/// `TinyCL` is `tiny_cl`, `HTTPServer2` is `http_server2`.
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
