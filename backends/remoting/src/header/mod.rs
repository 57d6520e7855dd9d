//! Checks a library's description against its C headers.
//!
//! [`Probe::new`] writes a C file with one declaration for each fact of the specification. The C compiler accepts a declaration only if the
//! headers agree. Each declaration is in a separate `#line` region, so [`Probe::diagnostics`] can turn the compiler's errors into
//! diagnostics at the specification's spans. Running the compiler is up to the caller.
//!
//! Most facts are written as two declarations of one variable, because the compiler prints both types when they differ:
//! `extern char v[sizeof(header's type)]; extern char v[sizeof(specification's type)];`

mod facts;
mod members;
mod report;
mod values;

use lapis_cx::contract::library::Library;
use lapis_cx::source::Span;

/// The name in `#line` directives, before the number of the check.
const REGION: &str = "cxspec.";

/// A C file that compiles without errors if the headers agree with the specification.
pub struct Probe {
    text: String,
    checks: Vec<Check>,
    /// `c prefix`, and where it stands.
    prefix: Option<(String, Span)>,
    callbacks: Vec<Callback>,
}

/// A callback of the specification.
struct Callback {
    name: String,
    /// The C types of the callback, without blanks: the name of the type if it has one, and the pointer to a function.
    types: Vec<String>,
}

/// A declaration of the probe.
struct Check {
    span: Span,
    fact: Fact,
    /// The position of the check that must succeed first: that of the struct, for a member.
    needs: Option<usize>,
}

/// The fact that a declaration of the probe checks.
enum Fact {
    /// `#include <name>`.
    Header(String),
    /// Text of `utility`. A span within it is more precise.
    Text,
    /// The headers declare a function, type or member. Its name in C may be made of the prefix and the name in the specification.
    Exists { what: String, is_type: bool, is_prefixed: bool },
    /// A function or a type of callbacks has the declared type. `parts` are the result and the parameters.
    Signature { name: String, parts: Vec<Part> },
    /// Something has as many bytes as the specification's type.
    Size(String),
    /// Something is a number of the same kind: an integer, signed or not, or a floating-point number.
    Kind { what: String, ours: String },
    /// A member is an array without a constant length. The texts of the specification complete the help.
    Array { element: String, len: String },
    /// A member of the struct `of` is at the offset that the members before it give.
    Offset { what: String, of: String },
    /// The struct `of` has no other members than these, given by their first names in C.
    Members { of: String, described: Vec<(String, Span)> },
    /// A name of C has this value: of a constant, or of the case of an enum.
    Value { name: String, ours: String, case: Option<Case> },
}

/// The result or a parameter of a function.
struct Part {
    span: Span,
    /// The enum that is its type. A type of C may be compatible with it under another name.
    of_enum: Option<String>,
    /// Whether a direction applies to it: a buffer that is a parameter.
    is_buffer: bool,
    is_callback: bool,
}

/// A name that the case of an enum may have in C.
#[derive(Clone, Copy)]
struct Case {
    /// The position of the enum.
    of: usize,
    /// How the name follows from that of the case. 0 is the same name.
    spelling: usize,
}

impl Probe {
    /// Writes the probe of a library.
    pub fn new(library: &Library) -> Probe {
        facts::probe(library)
    }

    /// The C text, as C11 with GNU extensions.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Options of the compiler, with those of the user.
    pub fn flags(library: &Library, of_user: &[String]) -> Vec<String> {
        let fixed =
            ["-std=c11", "-D_GNU_SOURCE", "-fsyntax-only", "-Wmissing-field-initializers", "-fdiagnostics-color=never"];
        let all = fixed.into_iter().chain(library.binding.cflags.iter().chain(of_user).map(String::as_str));
        all.chain(["-Wno-error"]).map(str::to_owned).collect()
    }
}
