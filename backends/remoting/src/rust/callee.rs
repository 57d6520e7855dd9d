//! The called side: thunks call methods of the service; callbacks call closures and functions of the program.

use lapis_cx::contract::library::CallbackId;
use lapis_cx_backend_rust::print::comment;
use lapis_cx_backend_rust::tokens::literal;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::caller::{self, given, taken};
use super::shape::{Argument, Buffer, Count, Shape, Signature};
use super::types::Types;

/// Returns the type of an argument that the called function receives; nothing for a tag.
pub fn parameter(types: &Types<'_>, argument: &Argument<'_>) -> Option<TokenStream> {
    Some(match &argument.shape {
        Shape::Tag { .. } | Shape::Nothing => return None,
        Shape::Callback { of, optional, .. } => {
            let name = types.callback(*of)?;
            if *optional { quote!(Option<#name>) } else { quote!(#name) }
        }
        other => caller::value(other),
    })
}

/// Returns statements that convert the members of `call`, and the arguments that they yield.
pub fn arguments(types: &Types<'_>, signature: &Signature<'_>) -> (TokenStream, Vec<TokenStream>) {
    let (mut counts, mut statements, mut ranges, mut list) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let value_of = |at: usize| {
        let argument = signature.arguments.get(at);
        argument.map_or_else(
            || quote!(0),
            |one| {
                let member = &one.member;
                match &one.shape {
                    // The first and only element.
                    Shape::Buffer(buffer) => {
                        let element = &buffer.element;
                        quote!(*unsafe { cxr::slice::<#element>(call.#member, Some(1)) }?.first()?)
                    }
                    shape => taken(shape, quote!(call.#member)),
                }
            },
        )
    };
    for argument in &signature.arguments {
        let (name, member) = (&argument.name, &argument.member);
        match &argument.shape {
            Shape::Tag { .. } | Shape::Nothing => continue,
            Shape::Buffer(buffer) => {
                let (element, written) = (&buffer.element, buffer.written);
                let count = match &buffer.count {
                    Count::One => quote!(Some(1)),
                    Count::Fixed(count) => {
                        let count = literal(&count.to_string());
                        quote!(Some(#count))
                    }
                    Count::Of(expr) => {
                        let len = signature.sizes.size(expr, &value_of);
                        let count = quote::format_ident!("count_{member}");
                        let reads = signature
                            .sizes
                            .reads(expr)
                            .then(|| comment("SAFETY: the engine passes a valid element, which nothing writes yet."));
                        counts.push(quote!(#reads let #count = cxr::length(#len);));
                        quote!(#count)
                    }
                };
                ranges.push((written, quote!(cxr::range::<#element>(call.#member, #count, #written))));
                statements.push(made(argument, buffer, &count));
                list.push(quote!(#name));
            }
            Shape::Text { optional } => {
                let optional = (!optional).then(|| quote!(?));
                statements.push(quote! {
                    #[comment = "SAFETY: the engine passes a terminated text, valid during this call."]
                    let #name = unsafe { cxr::string(call.#member) } #optional;
                });
                list.push(quote!(#name));
            }
            Shape::Callback { of, optional, tag, .. } => {
                let tag = tag.and_then(|tag| signature.arguments.get(tag)).map(|tag| &tag.member);
                let stands = stands(types, *of, member, tag);
                if *optional {
                    statements.push(quote!(let #name = if call.#member.is_null() { None } else { Some(#stands) };));
                } else {
                    statements.push(quote!(let #name = #stands;));
                }
                list.push(quote!(#name));
            }
            other => list.push(taken(other, quote!(call.#member))),
        }
    }
    let apart = ranges.len() > 1 && ranges.iter().any(|(written, _)| *written);
    let ranges = ranges.iter().map(|(_, range)| range);
    let apart = apart.then(|| quote!(cxr::are_disjoint(&[#(#ranges),*])?;));
    (quote!(#(#counts)* #apart #(#statements)*), list)
}

/// Returns a statement that makes a slice or a reference.
fn made(argument: &Argument<'_>, buffer: &Buffer, count: &TokenStream) -> TokenStream {
    let (element, member, name) = (&buffer.element, &argument.member, &argument.name);
    let slice = if buffer.written { quote!(slice_mut) } else { quote!(slice) };
    let slice = quote!(unsafe { cxr::#slice::<#element>(call.#member, #count) }?);
    let one = match (&buffer.count, buffer.written) {
        (Count::One, false) => quote!(#slice.first()?),
        (Count::One, true) => quote!(#slice.first_mut()?),
        (Count::Fixed(_), _) => quote!(#slice.try_into().ok()?),
        (Count::Of(_), _) => slice,
    };
    let found = quote! {
        #[comment = "SAFETY: the engine passes this number of elements, valid during this call."]
        let #name = #one;
    };
    if buffer.optional {
        quote!(let #name = if call.#member.is_null() { None } else { #found Some(#name) };)
    } else {
        found
    }
}

/// Returns the stand-in for a callback of the program.
fn stands(types: &Types<'_>, of: CallbackId, member: &Ident, tag: Option<&Ident>) -> TokenStream {
    let Some(name) = types.callback(of) else { return quote!(()) };
    let slots = quote::format_ident!("slots_{}", of.index());
    let user = tag.map_or_else(|| quote!(core::ptr::null_mut()), |tag| quote!(call.#tag));
    quote!(#name { slot: cxr::slot(call.#member, &#slots())?, user: #user })
}

/// Returns a call with the arguments that stores the result.
pub fn called(signature: &Signature<'_>, callee: &TokenStream, list: &[TokenStream]) -> TokenStream {
    match &signature.result {
        Shape::Nothing => quote!(#callee(#(#list),*);),
        shape => {
            let value = given(shape, quote!(#callee(#(#list),*)));
            quote!(call.result = #value;)
        }
    }
}
