//! Names of a random library in C, and the C types of its places.

use super::model::{Buffer, Callback, Direction, Function, Gives, Library, Place, Returns, Timing, Type};

/// The C type of a place, without its name.
pub fn c_type(ty: &Type) -> String {
    match ty {
        Type::Scalar(scalar) | Type::Array(scalar, _) | Type::Tail(_, scalar) => scalar.c().to_owned(),
        Type::Text => "const char *".to_owned(),
        Type::Buffer(buffer) => pointer(buffer),
        Type::Struct(at) => format!("r_s{at}"),
        Type::Handle(at, _) => format!("r_h{at} *"),
        Type::Passed(scalar, _) => format!("{} *", scalar.c()),
        Type::Callback(at) => format!("r_c{at}"),
        Type::Union(_, members) => union(members),
        Type::User(_) | Type::Choice(..) | Type::Taken(_) => "void *".to_owned(),
    }
}

/// The name of a union: it is that of its first member.
pub fn union(members: &[(i64, Place)]) -> String {
    format!("r_u{}", members.first().map_or(0, |(_, place)| place.id))
}

/// The C type of a buffer's pointer: constant for numbers that are only read.
pub fn pointer(buffer: &Buffer) -> String {
    let is_constant = buffer.direction == Direction::In && matches!(buffer.element.ty, Type::Scalar(_));
    let constant = if is_constant { "const " } else { "" };
    if buffer.untyped {
        return format!("{constant}void *");
    }
    format!("{constant}{}", typed(buffer))
}

/// The type by which generated code reads and writes elements.
pub fn typed(buffer: &Buffer) -> String {
    let element = c_type(&buffer.element.ty);
    format!("{element}{}*", if element.ends_with('*') { "" } else { " " })
}

/// The declaration of a member.
pub fn member(place: &Place) -> String {
    let suffix = match place.ty {
        Type::Array(_, n) => format!("[{n}]"),
        Type::Tail(..) => "[]".to_owned(),
        _ => String::new(),
    };
    format!("{} p{}{suffix};", c_type(&place.ty), place.id)
}

/// A parameter list.
pub fn params(places: &[Place]) -> String {
    if places.is_empty() {
        return "void".to_owned();
    }
    let all: Vec<String> = places.iter().map(|place| format!("{} p{}", c_type(&place.ty), place.id)).collect();
    all.join(", ")
}

/// The C type of a result.
pub fn result(returns: &Returns, params: &[Place]) -> String {
    match returns {
        Returns::Void => "void".to_owned(),
        Returns::Status => "int".to_owned(),
        Returns::Number(scalar) => scalar.c().to_owned(),
        Returns::New(at) => format!("r_h{at} *"),
        Returns::Text => "const char *".to_owned(),
        Returns::Elements(scalar, _) => format!("const {} *", scalar.c()),
        Returns::Struct(at) => format!("r_s{at}"),
        Returns::Block(scalar, _) | Returns::Shared(scalar, _) => format!("{} *", scalar.c()),
        Returns::Callback(at, _) => format!("r_c{at}"),
        Returns::Within(of) => match super::model::find(params, *of).map(|place| &place.ty) {
            Some(Type::Buffer(buffer)) => typed(buffer),
            _ => "const char *".to_owned(),
        },
    }
}

/// The declaration of a function.
pub fn prototype(function: &Function) -> String {
    format!("{} r_f{}({})", result(&function.result, &function.params), function.id, params(&function.params))
}

/// The declaration of a function type; `name` may be that of a function.
pub fn callback(name: &str, callback: &Callback) -> String {
    format!("{} {name}({})", if callback.result { "int" } else { "void" }, params(&callback.params))
}

/// The parameters of a function that waits which are objects with a public struct, as C names them, and its members.
pub fn public_objects<'a>(library: &'a Library, function: &Function) -> Vec<(String, &'a [Place])> {
    let object = |place: &Place| match place.ty {
        Type::Handle(at, Gives::Use) => {
            library.handles.get(at).map(|handle| (format!("p{}", place.id), &*handle.public))
        }
        _ => None,
    };
    let all = function.params.iter().filter_map(object);
    all.filter(|(_, public)| function.timing == Timing::Sync && !public.is_empty()).collect()
}
