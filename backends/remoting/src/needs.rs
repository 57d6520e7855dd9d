//! Finds the functions that programs, libraries and headers need and a specification does not describe.

use std::collections::BTreeSet;

use lapis_cx::contract::library::Library;
use lapis_cx_backend_c::library::function_name;

use crate::bodies::Bodies;

/// The dynamic symbols of a file, as `readelf -W --dyn-syms` prints them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    /// Functions that the file defines.
    pub defined: BTreeSet<String>,
    /// Symbols that other files define.
    pub undefined: BTreeSet<String>,
}

impl Symbols {
    /// Reads the table, without versions of symbols.
    pub fn read(table: &str) -> Symbols {
        let mut symbols = Symbols::default();
        for line in table.lines() {
            // Num: Value Size Type Bind Vis Ndx Name
            let fields: Vec<&str> = line.split_whitespace().collect();
            let [number, _, _, kind, bind, _, index, name, ..] = fields.as_slice() else { continue };
            let is_row =
                number.strip_suffix(':').is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
            if !is_row || *bind == "LOCAL" {
                continue;
            }
            let name = name.split('@').next().unwrap_or_default().to_owned();
            match *index {
                "UND" => symbols.undefined.insert(name),
                "ABS" => false,
                _ => !matches!(*kind, "OBJECT" | "COMMON" | "TLS") && symbols.defined.insert(name),
            };
        }
        symbols.undefined.retain(|name| !name.is_empty());
        symbols
    }
}

/// The functions that a header declares itself, from the output of `gcc -aux-info`; `header` is its path as the compiler prints it.
pub fn declared(aux_info: &str, header: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in aux_info.lines() {
        // /* /usr/include/zlib.h:235:NC */ extern int deflate (z_streamp, int);
        let Some((place, text)) = line.strip_prefix("/* ").and_then(|line| line.split_once(" */ ")) else { continue };
        let path = place.rsplitn(3, ':').nth(2).unwrap_or_default();
        // A result that is a pointer to a function is `int (*name (params)) (int)`.
        let list = text.match_indices(" (").map(|(at, _)| at).find(|at| !text[at + 2..].starts_with('*'));
        let name = list.and_then(|at| text[..at].rsplit([' ', '*']).next());
        if path == header {
            names.extend(name.filter(|name| !name.is_empty()).map(str::to_owned));
        }
    }
    names
}

/// The C names of all functions that a library describes.
pub fn described(library: &Library) -> BTreeSet<String> {
    let functions = library.functions.iter().map(|function| function_name(library, function));
    functions.chain(Bodies::of(library).map(|bodies| bodies.close)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Symbols, declared};

    #[test]
    fn symbols_are_read_without_versions() {
        let table = "   Num:    Value          Size Type    Bind   Vis      Ndx Name\n     \
                     0: 0000000000000000     0 NOTYPE  LOCAL  DEFAULT  UND \n     \
                     1: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND inflate@ZLIB_1.2 (3)\n     \
                     2: 0000000000001234    12 FUNC    GLOBAL DEFAULT   14 deflate@@ZLIB_1.2\n     \
                     3: 0000000000001238    12 OBJECT  GLOBAL DEFAULT   14 table\n     \
                     4: 0000000000000000     0 OBJECT  GLOBAL DEFAULT  ABS ZLIB_1.2\n     \
                     5: 0000000000001240    12 IFUNC   WEAK   DEFAULT   14 crc32\n";
        let symbols = Symbols::read(table);
        assert_eq!(symbols.defined.into_iter().collect::<Vec<_>>(), ["crc32", "deflate"]);
        assert_eq!(symbols.undefined.into_iter().collect::<Vec<_>>(), ["inflate"]);
    }

    #[test]
    fn declared_functions_are_those_of_the_header() {
        let text = "/* compiled from: . */\n\
                    /* /usr/include/a.h:3:NC */ extern const char *a_name (void);\n\
                    /* /usr/include/a.h:4:NC */ extern int (*a_hook (int (*)(int))) (int);\n\
                    /* /usr/include/b.h:4:NC */ extern int b (int);\n\
                    /* /usr/include/a.h:5:NC */ extern struct s *a_two (int, void *(*)(int));\n";
        assert_eq!(declared(text, "/usr/include/a.h").into_iter().collect::<Vec<_>>(), ["a_hook", "a_name", "a_two"]);
    }
}
