//! What memory and what lies in it are called in the source.

use super::variables::cases;
use super::{At, Memory};
use crate::contract::library::{Function, Library, Struct, StructId};
use crate::source::Span;

/// A value in memory: a parameter, an implicit argument, a member, or `ret`.
pub(super) fn name_of(library: &Library, memory: Memory, at: At) -> &str {
    let name = match at {
        At::Param(n) => function_of(library, memory).and_then(|f| f.params.get(n as usize)).map(|param| &param.name),
        At::Implicit(n) => {
            function_of(library, memory).and_then(|f| f.implicits.get(n as usize)).map(|implicit| &implicit.name)
        }
        At::Variable(case, n) => {
            let cases = function_of(library, memory).map(cases);
            let params = cases.as_deref().and_then(|cases| cases.get(case as usize)).map(|(_, params)| *params);
            params.and_then(|params| params.get(n as usize)).map(|param| &param.name)
        }
        At::Ret => return "ret",
        At::Member(n) => match memory {
            Memory::Struct(id) | Memory::Live(id, _) => member_of(library, id, n),
            Memory::Arguments(_) | Memory::CallbackArguments(_) => None,
        },
    };
    name.map_or("?", String::as_str)
}

/// Memory: the function whose arguments it has, a struct, or a union and its live member.
pub(super) fn name_of_memory(library: &Library, memory: Memory) -> String {
    let name = |id: StructId| struct_of(library, id).map_or("?", |def| &def.name);
    match memory {
        Memory::Arguments(_) | Memory::CallbackArguments(_) => {
            function_of(library, memory).map_or("?", |function| &function.name).to_owned()
        }
        Memory::Struct(id) => name(id).to_owned(),
        Memory::Live(id, n) => format!("{}.{}", name(id), member_of(library, id, n).map_or("?", String::as_str)),
    }
}

/// The function or callback whose arguments memory has.
pub(super) fn function_of(library: &Library, memory: Memory) -> Option<&Function> {
    match memory {
        Memory::Arguments(id) => library.functions.get(id.index()),
        Memory::CallbackArguments(id) => library.callbacks.get(id.index()),
        Memory::Struct(_) | Memory::Live(..) => None,
    }
}

/// Where the name of a value stands.
pub(super) fn span_of(library: &Library, memory: Memory, at: At) -> Option<Span> {
    let function = function_of(library, memory);
    match at {
        At::Param(n) => function?.params.get(n as usize).map(|param| param.span),
        At::Implicit(n) => function?.implicits.get(n as usize).map(|implicit| implicit.span),
        At::Variable(case, n) => Some(cases(function?).get(case as usize)?.1.get(n as usize)?.span),
        At::Ret => function.map(|function| function.span),
        At::Member(n) => match memory {
            Memory::Struct(id) | Memory::Live(id, _) => {
                struct_of(library, id)?.members.get(n as usize).map(|member| member.span)
            }
            Memory::Arguments(_) | Memory::CallbackArguments(_) => None,
        },
    }
}

fn struct_of(library: &Library, id: StructId) -> Option<&Struct> {
    library.structs.get(id.index())
}

fn member_of(library: &Library, id: StructId, n: u32) -> Option<&String> {
    struct_of(library, id)?.members.get(n as usize).map(|member| &member.name)
}
