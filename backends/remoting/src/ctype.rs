//! Types of C for members that take what a caller passes, and for functions.

use lapis_cx::contract::library::expr::ExprKind;
use lapis_cx::contract::library::place::{Place, Scalar, Type};
use lapis_cx::contract::library::{CallbackId, Function, HandleId, Library, Rest, StructId};
use lapis_cx_backend_c::library::{declared, parameter_types, place_type, result_type};

/// A parameter: its name in the source, and the type of a variable that holds it.
pub struct Param<'l> {
    pub name: &'l str,
    pub ty: String,
}

/// The parameters of a function.
pub fn params<'l>(library: &'l Library, function: &'l Function) -> Vec<Param<'l>> {
    let types = parameter_types(library, function).into_iter();
    function.params.iter().zip(types).map(|(param, (ty, _))| Param { name: &param.name, ty: variable(&ty) }).collect()
}

/// The result; `None` if there is none.
pub fn result(library: &Library, function: &Function) -> Option<String> {
    let ty = result_type(library, function);
    (ty != "void").then(|| variable(&ty))
}

/// A function's result, as it is declared.
pub fn declared_result(library: &Library, function: &Function) -> String {
    result_type(library, function)
}

/// The list of parameters as they are declared, each with the name that `name` gives it.
pub fn list(library: &Library, function: &Function, name: impl Fn(&str) -> String) -> String {
    let types = parameter_types(library, function).into_iter();
    let params = function.params.iter().zip(types);
    let mut all: Vec<String> = params.map(|(param, (ty, _))| parameter(&ty, &name(&param.name))).collect();
    match &function.rest {
        Some(Rest::Local | Rest::Typed(_)) => all.push("...".to_owned()),
        None if all.is_empty() => all.push("void".to_owned()),
        None => {}
    }
    all.join(", ")
}

/// A pointer to a function, for casts.
pub fn pointer_to(library: &Library, function: &Function) -> String {
    let list = list(library, function, |_| String::new());
    declared(&declared_result(library, function), &format!("(*)({list})"))
}

/// The type of a callback, which is a pointer to a function.
pub fn callback(library: &Library, id: CallbackId) -> String {
    place_type(library, None, &Place::of(Type::Callback(id)))
}

/// A handle.
pub fn handle(library: &Library, id: HandleId) -> String {
    place_type(library, None, &Place::of(Type::Handle(id)))
}

/// A struct, also of one that is a view.
pub fn structure(library: &Library, id: StructId) -> String {
    place_type(library, None, &Place::of(Type::Struct { id, outer: Vec::new() }))
}

/// A scalar.
pub fn scalar(library: &Library, scalar: Scalar) -> String {
    place_type(library, None, &Place::of(Type::Scalar(scalar)))
}

/// Declares something of a place's type: inline arrays have their room there.
pub fn declaration(library: &Library, function: &Function, place: &Place, name: &str) -> String {
    match (&place.c, &place.ty) {
        (None, Type::Array { element, len }) => match &len.kind {
            ExprKind::Int(count) | ExprKind::Case { value: count, .. } => {
                declaration(library, function, element, &format!("{name}[{count}]"))
            }
            _ => declaration(library, function, element, &format!("{name}[1]")),
        },
        _ => declared(&variable(&place_type(library, Some(function), place)), name),
    }
}

/// The type of a variable that holds an argument: without `const` of its own, and a pointer for an array.
pub fn variable(ty: &str) -> String {
    let ty = ty.trim();
    let ty = if ty.contains("(*") { ty.to_owned() } else { without_array(ty) };
    if let Some(rest) = ty.strip_suffix("const").filter(|rest| rest.ends_with(['*', ' '])) {
        return rest.trim_end().to_owned();
    }
    match ty.strip_prefix("const ") {
        Some(rest) if !ty.contains(['*', '(']) => rest.trim_start().to_owned(),
        _ => ty,
    }
}

/// Declares a parameter: the name of an array stands before its length.
fn parameter(ty: &str, name: &str) -> String {
    match ty.find('[').filter(|_| !ty.contains("(*")) {
        Some(at) => {
            let (element, length) = ty.split_at(at);
            format!("{}{length}", declared(element.trim_end(), name))
        }
        None => declared(ty, name),
    }
}

/// A parameter of type `T[n]` is one of type `T *`.
fn without_array(ty: &str) -> String {
    let Some((element, rest)) = ty.split_once('[') else { return ty.to_owned() };
    let inner = rest.split_once(']').map_or("", |(_, inner)| inner.trim());
    declared(element.trim_end(), if inner.is_empty() { "*".to_owned() } else { format!("(*){inner}") }.as_str())
}

#[cfg(test)]
mod tests {
    use super::{parameter, variable};

    #[test]
    fn parameters_are_declared_as_they_are_spelled() {
        let shown = ["const int[4]", "char *", "int[2][3]", "void (*)(int)", "const int"].map(|ty| parameter(ty, "p"));
        assert_eq!(shown, ["const int p[4]", "char *p", "int p[2][3]", "void (*p)(int)", "const int p"]);
        assert_eq!(parameter("const int[4]", ""), "const int[4]");
    }

    #[test]
    fn what_a_caller_passes_can_be_stored() {
        let cases = [
            ("int", "int"),
            ("const int", "int"),
            ("int const", "int"),
            ("const char *", "const char *"),
            ("const char *const", "const char *"),
            ("char *const *", "char *const *"),
            ("const float[16]", "const float *"),
            ("int[2][3]", "int (*)[3]"),
            ("void (*)(const int)", "void (*)(const int)"),
            ("my_const", "my_const"),
        ];
        for (given, expected) in cases {
            assert_eq!(variable(given), expected, "{given}");
        }
    }
}
