//! C types of functions, and of the members that store their arguments.

use lapis_cx::contract::library::expr::ExprKind;
use lapis_cx::contract::library::place::{Place, Scalar, Type};
use lapis_cx::contract::library::{CallbackId, Function, HandleId, Library, Rest, StructId};
pub use lapis_cx_backend_c::library::stored as variable;
use lapis_cx_backend_c::library::{declared, parameter_types, place_type, result_type};

/// A parameter: its name in the specification, and the type of a variable that stores it.
pub struct Param<'l> {
    pub name: &'l str,
    pub ty: String,
}

/// Returns the parameters of a function.
pub fn params<'l>(library: &'l Library, function: &'l Function) -> Vec<Param<'l>> {
    let types = parameter_types(library, function).into_iter();
    let params = function.params.iter().zip(types);
    params.map(|(param, (ty, _))| Param { name: &param.name, ty: of_argument(&param.place, &ty) }).collect()
}

/// Returns the type of a variable that stores an argument. A name of a buffer's type may be that of an array, such as `mpz_t`, which C
/// adjusts to a pointer in parameters only.
fn of_argument(place: &Place, ty: &str) -> String {
    let is_named = matches!(place.ty, Type::Buffer { .. }) && !ty.contains(['*', '(', '[']);
    if is_named { format!("__typeof__(1 ? *({ty} *)0 : *({ty} *)0)") } else { variable(ty) }
}

/// Returns the type of a variable that stores the result; `None` if there is no result.
pub fn result(library: &Library, function: &Function) -> Option<String> {
    let ty = result_type(library, function);
    (ty != "void").then(|| variable(&ty))
}

/// Returns the declared type of a function's result.
pub fn declared_result(library: &Library, function: &Function) -> String {
    result_type(library, function)
}

/// Returns the declared parameters, each with the name that `name` returns for it.
pub fn list(library: &Library, function: &Function, name: impl Fn(&str) -> String) -> String {
    let types = parameter_types(library, function).into_iter();
    let params = function.params.iter().zip(types);
    let mut all: Vec<String> = params.map(|(param, (ty, _))| declared(&ty, &name(&param.name))).collect();
    match &function.rest {
        Some(Rest::Local | Rest::Typed(_)) => all.push("...".to_owned()),
        None if all.is_empty() => all.push("void".to_owned()),
        None => {}
    }
    all.join(", ")
}

/// Returns the type of a pointer to a function, for casts.
pub fn pointer_to(library: &Library, function: &Function) -> String {
    let list = list(library, function, |_| String::new());
    declared(&declared_result(library, function), &format!("(*)({list})"))
}

/// Returns the C type of a member; `None` if its size depends on a value.
pub fn member(library: &Library, place: &Place) -> Option<String> {
    match (&place.c, &place.ty) {
        (None, Type::Array { element, len }) => {
            let (ExprKind::Int(count) | ExprKind::Case { value: count, .. }) = &len.kind else { return None };
            Some(declared(&member(library, element)?, &format!("[{count}]")))
        }
        (None, Type::Void | Type::Lifetime | Type::Tuple(_)) => None,
        _ => Some(variable(&place_type(library, None, place))),
    }
}

/// Returns the type of a callback, a pointer to a function.
pub fn callback(library: &Library, id: CallbackId) -> String {
    place_type(library, None, &Place::of(Type::Callback(id)))
}

/// Returns the type of a handle.
pub fn handle(library: &Library, id: HandleId) -> String {
    place_type(library, None, &Place::of(Type::Handle(id)))
}

/// Returns the type of a struct; of a view, the type of the struct that it annotates.
pub fn structure(library: &Library, id: StructId) -> String {
    place_type(library, None, &Place::of(Type::Struct { id, outer: Vec::new() }))
}

/// Returns the type of a scalar.
pub fn scalar(library: &Library, scalar: Scalar) -> String {
    place_type(library, None, &Place::of(Type::Scalar(scalar)))
}

/// Declares a variable that stores the value of a place, with all elements of an inline array.
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
