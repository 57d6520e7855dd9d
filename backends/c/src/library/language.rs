//! Functions of the language that expressions of a library call, as functions of C.

use std::rc::Rc;

use lapis_cx::contract::core::Type;
use lapis_cx::contract::library::Library;
use lapis_cx::lower::ir::Shape;
use lapis_cx::lower::lower_functions;

use crate::expr::storage_type;
use crate::fallback::{functions, print_table};
use crate::naming::{Names, Scope};
use crate::unit::Unit;

/// Functions of the language in C.
#[derive(Clone, Debug, Default)]
pub struct Language {
    /// Their definitions, static ones.
    pub text: String,
    /// By [`FnUseId`](lapis_cx::contract::library::FnUseId); `None` for one with a parameter or a result of more than 64 bits.
    pub functions: Vec<Option<Declared>>,
}

/// A function in C. Each value is as many bits as its type has in the language, a signed one in two's complement.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// The C type of each parameter, and how many bits its value has; 1 of a truth value.
    pub params: Vec<(&'static str, u32)>,
    /// How many bits the result has.
    pub bits: u32,
    /// Whether the result has a sign.
    pub is_signed: bool,
}

/// The functions that expressions of a library call, as they are where addresses have 64 bits; names begin with a stem.
pub fn language(library: &Library, stem: &str) -> Language {
    if library.fns.is_empty() {
        return Language::default();
    }
    let Some((at, source)) = library.sections.iter().enumerate().max_by_key(|(_, source)| source.xlen) else {
        return Language::default();
    };
    let section = lower_functions(library, at);
    let mut unit = Unit::new(&Names::of_stem(stem), &section, &Rc::new(Scope::default()));
    let mut code = String::new();
    functions(&mut code, &mut unit);
    let mut text = String::new();
    for id in &section.used_tables {
        if let Some(table) = section.tables.get(id.0 as usize) {
            print_table(&mut text, unit.table(*id), table);
        }
    }
    text.push_str(&crate::helper::texts(&unit.used, unit.division_limbs, |helper| unit.helper_name(helper)));
    text.push_str(code.trim_end());
    let functions = library.fns.iter().map(|used| {
        let id = *used.instances.get(at)?;
        let lowered = section.functions.get(id.index())?;
        let (bits, is_signed) = bits(&source.fns.get(id.index())?.result)?;
        let locals = &source.fns.get(id.index())?.body.locals;
        let params = lowered.body.locals.iter().zip(locals).take(lowered.params as usize);
        let params = params.map(|(local, typed)| match local.shape {
            Shape::Scalar(storage) => Some((storage_type(storage), self::bits(&typed.ty)?.0)),
            Shape::Array { .. } => None,
        });
        matches!(lowered.result, Shape::Scalar(_)).then_some(())?;
        Some(Declared { name: unit.function(id).to_owned(), params: params.collect::<Option<_>>()?, bits, is_signed })
    });
    let functions = functions.collect();
    Language { text, functions }
}

/// How many bits a number has, and whether it has a sign.
fn bits(ty: &Type) -> Option<(u32, bool)> {
    match ty {
        Type::Bool => Some((1, false)),
        Type::U(bits) => Some((*bits, false)),
        Type::S(bits) => Some((*bits, true)),
        Type::Enum { width, .. } => Some((*width, false)),
        _ => None,
    }
}
