//! The catalogue of diagnostics: for each code its cause, its remedy, a bad and a good example.
//!
//! One file per area; `cxc explain` prints an entry, and the tests run its examples.
//!
//! | codes | area |
//! |---|---|
//! | CX00xx | source text and syntax |
//! | CX01xx | names, packages and imports |
//! | CX02xx | types and expressions |
//! | CX03xx | statements and functions |
//! | CX04xx | interfaces: commands, state, errors, identity clauses |
//! | CX05xx | contract: identity and freezing |
//! | CX06xx | examples and laws |
//! | CX07xx | platforms |
//! | CX08xx | libraries |
//! | CX09xx | driver, backends and outputs |

pub mod contract;
pub mod driver;
pub mod interface;
pub mod library;
pub mod names;
pub mod oracle;
pub mod platform;
pub mod statements;
pub mod syntax;
pub mod types;

use std::fmt;

/// The number of a diagnostic, printed as `CX0123`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub u16);

impl Code {
    /// Whether it is about identity and freezing: such findings leave a contract complete.
    pub fn is_of_identity(self) -> bool {
        (500..600).contains(&self.0)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CX{:04}", self.0)
    }
}

/// What the catalogue says of one code.
#[derive(Debug)]
pub struct Entry {
    /// Its number.
    pub code: Code,
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// How one gets there.
    pub cause: &'static str,
    /// How one gets out.
    pub remedy: &'static str,
    /// A file that shows exactly this finding (with others of the same cause allowed); empty if no file can.
    pub bad: &'static str,
    /// The same file, mended; empty if `bad` is.
    pub good: &'static str,
}

/// Every entry, by ascending code.
pub fn all() -> impl Iterator<Item = &'static Entry> {
    [
        syntax::ALL,
        names::ALL,
        types::ALL,
        statements::ALL,
        interface::ALL,
        contract::ALL,
        oracle::ALL,
        platform::ALL,
        library::ALL,
        driver::ALL,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// The entry of `CX0123`, `cx123` or `123`.
pub fn find(code: &str) -> Option<&'static Entry> {
    let digits = code.trim().trim_start_matches(['C', 'c']).trim_start_matches(['X', 'x']);
    let number: u16 = digits.parse().ok()?;
    all().find(|e| e.code.0 == number)
}

/// Defines the entries of one area and their list `ALL`.
macro_rules! entries {
    ($($name:ident = $code:literal {
        title: $title:expr, cause: $cause:expr, remedy: $remedy:expr, bad: $bad:expr, good: $good:expr $(,)?
    })*) => {
        $(
            #[doc = $title]
            pub static $name: $crate::diagnostic::Entry = $crate::diagnostic::Entry {
                code: $crate::diagnostic::Code($code),
                title: $title, cause: $cause, remedy: $remedy, bad: $bad, good: $good,
            };
        )*
        /// The entries of this area by ascending code.
        pub static ALL: &[&$crate::diagnostic::Entry] = &[$(&$name),*];
    };
}
pub(crate) use entries;

#[cfg(test)]
mod tests {
    #[test]
    fn codes_are_unique_and_ascending() {
        let codes: Vec<_> = super::all().map(|e| e.code).collect();
        assert!(codes.windows(2).all(|w| w[0] < w[1]), "{codes:?}");
    }
}
