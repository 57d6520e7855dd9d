//! The words of a plan as Rust expressions: rustc computes offsets and sizes.

use lapis_cx::lower::plan::{At, Memory, Size, Word};
use lapis_cx_backend_rust::tokens::literal;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;

use super::shape;
use super::types::{Types, member_names, scalar};

/// Prints a word.
pub fn word(types: &Types<'_>, word: &Word) -> TokenStream {
    match word {
        Word::Number(number) => {
            let number = number_of(u64::from(*number));
            quote!(#number)
        }
        Word::Offset(memory, at) => offset(types, *memory, *at).unwrap_or_else(|| quote!(0)),
        Word::Size(size) => match size_of(types, size) {
            Some(bytes) => quote!(#bytes as u32),
            None => quote!(0),
        },
    }
}

fn number_of(number: u64) -> TokenTree {
    literal(&number.to_string())
}

fn offset(types: &Types<'_>, memory: Memory, at: At) -> Option<TokenStream> {
    let (ty, member): (TokenStream, Ident) = match (memory, at) {
        (Memory::Arguments(id), at) => {
            let name = types.calls.get(id.index())?;
            let has_result = types.result(types.library.functions.get(id.index())?).is_some();
            (quote!(#name), of_call(at, has_result)?)
        }
        (Memory::CallbackArguments(id), at) => {
            let name = types.callback_calls.get(id.index())?;
            let has_result = types.result(types.library.callbacks.get(id.index())?).is_some();
            (quote!(#name), of_call(at, has_result)?)
        }
        (Memory::Struct(id), At::Member(n)) => {
            let of = types.library.structs.get(types.shown(id).index())?;
            (types.structure(id), member_names(of).into_iter().nth(n as usize)?)
        }
        // The members of a union begin where it does.
        (Memory::Struct(_) | Memory::Live(..), _) => return None,
    };
    Some(quote!(offset_of!(#ty, #member) as u32))
}

fn of_call(at: At, has_result: bool) -> Option<Ident> {
    match at {
        At::Param(n) => Some(shape::member(n as usize)),
        At::Implicit(n) => Some(shape::implicit(n as usize)),
        At::Ret if has_result => Some(Ident::new("result", Span::call_site())),
        At::Variable(case, n) => Some(shape::variable(case as usize, n as usize)),
        At::Ret | At::Member(_) => None,
    }
}

fn size_of(types: &Types<'_>, size: &Size) -> Option<TokenStream> {
    let bytes = |ty: TokenStream| Some(quote!(size_of::<#ty>()));
    match size {
        Size::Scalar(one) => bytes(scalar(*one)),
        Size::Bytes(count) => {
            let count = number_of(u64::from(*count));
            Some(quote!(#count))
        }
        Size::Pointer => bytes(quote!(usize)),
        Size::Handle(id) => bytes(types.handle(id.index())),
        Size::Struct(id) => bytes(types.structure(*id)),
        Size::Spelling(text) => bytes(types.spelling(text)),
        Size::Arguments(id) => {
            let name = types.calls.get(id.index())?;
            bytes(quote!(#name))
        }
        Size::CallbackArguments(id) => {
            let name = types.callback_calls.get(id.index())?;
            bytes(quote!(#name))
        }
        Size::Array(element, count) => {
            let (count, element) = (number_of(count.to_u64()?), size_of(types, element)?);
            Some(quote!(#count * #element))
        }
        Size::Nothing => None,
    }
}
