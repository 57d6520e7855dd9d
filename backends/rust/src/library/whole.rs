//! Loops over buffers that are as long as they should be: a function looks at that first, and has its body twice, so that in
//! one of them no element is looked for in vain. Both come from one method, which is inlined.

use lapis_cx::contract::core::{ExprKind, Value};
use lapis_cx::lower::ir::{Edge, ParamKind, Routine, Stmt};
use lapis_cx::lower::{Use, block_uses};
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::quote;

use super::api::{Kind, behind, returns};
use super::{Callee, Of, flow};
use crate::naming::{self, Scope};
use crate::tokens::{ident, part, word};

/// Where the length of a buffer comes from.
enum Length {
    Const(u32),
    Param(usize),
}

/// Whether a loop looks at a parameter.
fn is_in_loop(stmts: &[Stmt], at: u32) -> bool {
    stmts.iter().any(|stmt| match stmt {
        Stmt::For { body, .. } => {
            let mut found = false;
            block_uses(body, &mut |one| found |= one == Use::Argument(at));
            found
        }
        _ => flow::blocks(stmt).into_iter().any(|block| is_in_loop(block, at)),
    })
}

/// The buffers in loops whose lengths are numbers that the caller gives, or constants.
fn lengths(of: &Of<'_>, callee: &Callee<'_>, routine: &Routine) -> Vec<Option<Length>> {
    let section = of.library.sections.iter().position(|section| section.xlen == of.section.xlen);
    let body = callee.function.body().and_then(|(_, bodies)| bodies.get(section?));
    let lengths = body.map(|body| body.lengths.as_slice()).unwrap_or_default();
    let of_param = |(at, param): (usize, &ParamKind)| {
        if !matches!(param, ParamKind::Buffer { optional: false, .. }) || !is_in_loop(&routine.body.stmts, at as u32) {
            return None;
        }
        match &lengths.get(at)?.as_ref()?.kind {
            ExprKind::Const(Value::Int(length)) => length.to_u32().map(Length::Const),
            ExprKind::Local(id) => {
                let Kind::Number(number) = &callee.params.get(id.index())?.kind else { return None };
                // What is wider than an address could be too much for one.
                let fits = match number.edge() {
                    Edge::Unsigned(bits) => number.is_native() || bits <= 32,
                    _ => false,
                };
                fits.then_some(Length::Param(id.index()))
            }
            _ => None,
        }
    };
    routine.params.iter().map(|param| &param.kind).enumerate().map(of_param).collect()
}

/// The method that looks at the lengths, and the name of the one that it calls twice; `None` if there is nothing to look at.
pub fn method(of: &Of<'_>, callee: &Callee<'_>, routine: &Routine) -> Option<(TokenStream, Ident)> {
    let lengths = lengths(of, callee, routine);
    if lengths.iter().all(Option::is_none) {
        return None;
    }
    let mut methods = Scope::default();
    of.callees.iter().filter(|callee| callee.is_routine).for_each(|callee| methods.reserve(callee.name.to_string()));
    let inner = ident(&methods.fresh(&format!("{}_of", naming::stem(&callee.name.to_string()))));
    let mut scope = Scope::default();
    let calls = callee.needs_calls.then(|| word("calls"));
    scope.reserve("calls");
    let names: Vec<Ident> = callee.params.iter().map(|param| ident(&scope.fresh(&naming::snake(param.name)))).collect();
    let c = &of.caller;
    let declared = calls.iter().map(|calls| part(quote!(#calls: &mut #c)));
    let list = behind(declared.chain(callee.params.iter().zip(&names).map(|(param, name)| {
        let ty = param.kind.ty(c);
        part(quote!(#name: #ty))
    })));
    let number = |length: &Length| match length {
        Length::Const(length) => TokenTree::from(Literal::u32_unsuffixed(*length)),
        Length::Param(at) => {
            let name = names.get(*at).cloned().unwrap_or_else(|| word("_"));
            match callee.params.get(*at).map(|param| &param.kind) {
                Some(Kind::Number(number)) if !number.is_native() => match number.edge() {
                    Edge::Unsigned(32) => part(quote!(#name as usize)),
                    _ => part(quote!(usize::from(#name))),
                },
                _ => name.into(),
            }
        }
    };
    let (mut tests, mut given) = (Vec::new(), Vec::new());
    for ((name, param), length) in names.iter().zip(&callee.params).zip(&lengths) {
        given.push(match length {
            Some(length) => {
                let length = number(length);
                tests.push(part(quote!(#name.len() >= #length)));
                let is_written = matches!(param.kind, Kind::Buffer { written: true, .. });
                part(if is_written { quote!(&mut #name[..#length]) } else { quote!(&#name[..#length]) })
            }
            None => name.clone().into(),
        });
    }
    let calls: Vec<TokenTree> = calls.into_iter().map(TokenTree::from).collect();
    let generics = callee.needs_calls.then(|| part(quote!(<#c: Calls>)));
    let (name, result) = (&callee.name, returns(callee.result.as_ref()));
    let whole = calls.iter().chain(&given);
    let short = calls.iter().cloned().chain(names.iter().cloned().map(TokenTree::from));
    let method = quote! {
        pub fn #name #generics (&self #list) #result {
            if #(#tests)&&* {
                self.#inner(#(#whole),*)
            } else {
                self.#inner(#(#short),*)
            }
        }
    };
    Some((method, inner))
}
