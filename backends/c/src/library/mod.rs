//! What a library declares, in C.
//!
//! The types follow from how places travel; a spelling in the source wins. The rules:
//!
//! | place | C |
//! |---|---|
//! | scalar | its C type; `u32` is `uint32_t`, `size` is `size_t` |
//! | enum | the integer type of its base |
//! | handle, struct, callback with a spelling | the spelling |
//! | handle, struct without one | `c prefix` and the name |
//! | callback without one | a pointer to such a function |
//! | `[T; n]`, `cstr` | a pointer to T; `const` if nothing comes back and nobody owns it |
//! | `ptr`, `userdata` | `void *` |
//! | `within(p)` | the type of `p`; `void *` for any region |
//! | `file` | `const char *`, or the left side of `as` |
//! | `match` | what all its cases have in common; `void *` for different pointers |
//! | `stream` | `struct cxs_stream *` |

mod ctype;
mod declarator;
mod language;

use lapis_cx::contract::library::place::{Place, Type};
use lapis_cx::contract::library::{Function, Library, Param, Rest};

use ctype::Types;
pub use declarator::{identifiers, stored, with_identifier};
pub use language::{Declared, Language, language};

/// A declaration in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prototype {
    /// The name in C.
    pub name: String,
    /// The whole declaration, with its `;`, on one line.
    pub text: String,
}

/// The name of a function in C: its spelling, or prefix and name.
pub fn function_name(library: &Library, function: &Function) -> String {
    library.name_in_c(function.c.as_deref(), &function.name)
}

/// The declaration of each function of a library, in source order. The name stands in parentheses, as a header may have a
/// macro of the same name.
pub fn prototypes(library: &Library) -> Vec<Prototype> {
    let functions = library.functions.iter();
    functions
        .map(|function| {
            let name = function_name(library, function);
            let text = format!("{};", declaration(library, function, &format!("({name})")));
            Prototype { name, text }
        })
        .collect()
}

/// The type of each callback that has a name in C, as a `typedef`.
pub fn callback_types(library: &Library) -> Vec<Prototype> {
    let callbacks = library.callbacks.iter();
    callbacks
        .filter_map(|callback| {
            let name = callback.c.clone()?;
            let text = format!("typedef {};", declaration(library, callback, &format!("(*{name})")));
            Some(Prototype { name, text })
        })
        .collect()
}

/// The declaration of a function, or the `typedef` of a callback, as people write it: with parameters on lines of their own
/// where one line is too long.
pub fn shown(library: &Library, function: &Function) -> String {
    let name = function_name(library, function);
    let is_callback = library.callbacks.iter().any(|callback| std::ptr::eq(callback, function));
    let (typedef, shown) = if is_callback { ("typedef ", format!("(*{name})")) } else { ("", name.clone()) };
    let line = format!("{typedef}{};", declaration(library, function, &shown));
    let Some((head, rest)) = line.split_once(&format!("{shown}(")).filter(|_| line.len() > MAX_LINE) else {
        return line;
    };
    let inner = rest.strip_suffix(");").unwrap_or(rest);
    let head = format!("{head}{shown}(");
    let indent = " ".repeat(head.len());
    format!("{head}{});", parameters(inner).join(&format!(",\n{indent}")))
}

/// What a line of a declaration for people holds, in characters.
const MAX_LINE: usize = 80;

/// The parameters of a declaration: what stands between commas that are in no parentheses.
fn parameters(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0u32, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.extend(text.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(text.get(start..));
    parts.into_iter().map(str::trim).collect()
}

/// `int name(const char *path, ...)`
fn declaration(library: &Library, function: &Function, name: &str) -> String {
    let types = Types { library, params: &function.params };
    let mut params: Vec<String> =
        function.params.iter().map(|param| types.declared(&param.place, &crate::naming::local(&param.name))).collect();
    match &function.rest {
        Some(Rest::Local | Rest::Typed(_)) => params.push("...".to_owned()),
        None if params.is_empty() => params.push("void".to_owned()),
        None => {}
    }
    declarator::declare(&types.result(&function.result), &format!("{name}({})", params.join(", ")))
}

/// The C type of each parameter, and of what it points to if it is a buffer.
pub fn parameter_types(library: &Library, function: &Function) -> Vec<(String, String)> {
    let types = Types { library, params: &function.params };
    let of = |param: &Param| (stdbool(types.declared(&param.place, "")), stdbool(types.element(&param.place)));
    function.params.iter().map(of).collect()
}

/// A declaration of a name with a type.
pub fn declared(ty: &str, name: &str) -> String {
    declarator::declare(ty, name)
}

/// The head of a definition, with these parameters.
pub fn head(library: &Library, function: &Function, params: &str) -> String {
    let types = Types { library, params: &function.params };
    let name = function_name(library, function);
    declarator::declare(&stdbool(types.result(&function.result)), &format!("{name}({params})"))
}

/// The C type of a place of a function or of a struct, as it is declared; that of a name if it has none of its own.
pub fn place_type(library: &Library, function: Option<&Function>, place: &Place) -> String {
    let types = Types { library, params: function.map_or(&[], |function| &function.params) };
    stdbool(types.declared(place, ""))
}

/// The C type of a result.
pub fn result_type(library: &Library, function: &Function) -> String {
    stdbool(Types { library, params: &function.params }.result(&function.result))
}

/// A type as C++ knows it too, with the header for that.
fn stdbool(ty: String) -> String {
    with_identifier(&ty, "_Bool", "bool")
}

/// Whether a place is a result that is nothing.
fn is_void(place: &Place) -> bool {
    matches!(place.ty, Type::Void) && place.c.is_none()
}
