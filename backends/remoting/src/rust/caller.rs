//! The calling side: methods of the client, and of the stand-ins for callbacks in the service.

use lapis_cx::contract::library::Function;
use lapis_cx_backend_rust::tokens::literal;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::shape::{Argument, Buffer, Count, Shape, Signature};
use super::types::Types;

/// Returns the type of an argument that the caller passes; nothing for a tag.
pub fn parameter(types: &Types<'_>, argument: &Argument<'_>) -> Option<TokenStream> {
    let optional = |is_optional: bool, ty: TokenStream| if is_optional { quote!(Option<#ty>) } else { ty };
    Some(match &argument.shape {
        Shape::Tag { is_borrowed: true } | Shape::Nothing => return None,
        Shape::Callback { of, optional: is_optional, is_borrowed: true, .. } => {
            optional(*is_optional, closure(types, types.library.callbacks.get(of.index())?))
        }
        Shape::Callback { of, .. } => types.function(types.library.callbacks.get(of.index())?),
        other => value(other),
    })
}

/// Returns the type of an argument that has the same type on both sides.
pub fn value(shape: &Shape) -> TokenStream {
    match shape {
        Shape::Bool { .. } => quote!(bool),
        Shape::Same(ty) | Shape::Cast { ty, .. } | Shape::Wrapped { ty, .. } | Shape::Pointer(ty) => ty.clone(),
        Shape::Buffer(buffer) => {
            let (element, written) = (&buffer.element, buffer.written.then(|| quote!(mut)));
            let ty = match &buffer.count {
                Count::One => quote!(&#written #element),
                Count::Fixed(count) => {
                    let count = literal(&count.to_string());
                    quote!(&#written [#element; #count])
                }
                Count::Of(_) => quote!(&#written [#element]),
            };
            if buffer.optional { quote!(Option<#ty>) } else { ty }
        }
        Shape::Text { optional: false } => quote!(&CStr),
        Shape::Text { optional: true } => quote!(Option<&CStr>),
        Shape::Address | Shape::Tag { .. } | Shape::Callback { .. } => quote!(*mut c_void),
        Shape::Nothing => quote!(()),
    }
}

/// Returns the bound for a closure of a callback's type.
pub fn closure(types: &Types<'_>, callback: &Function) -> TokenStream {
    let signature = super::shape::signature(types, callback);
    let params = signature.arguments.iter().filter(|argument| !matches!(argument.shape, Shape::Tag { .. }));
    let params = params.map(|argument| value(&argument.shape));
    let result = super::types::returns(result(&signature));
    quote!(&mut dyn FnMut(#(#params),*) #result)
}

/// Returns the type of the result, if there is one.
pub fn result(signature: &Signature<'_>) -> Option<TokenStream> {
    (!matches!(signature.result, Shape::Nothing)).then(|| value(&signature.result))
}

/// Converts a value of the struct of arguments to its Rust type.
pub fn taken(shape: &Shape, from: TokenStream) -> TokenStream {
    match shape {
        Shape::Bool { .. } => quote!(#from != 0),
        Shape::Cast { ty, .. } => quote!(#from as #ty),
        Shape::Wrapped { ty, base, raw } => {
            if base.to_string() == raw.to_string() {
                quote!(#ty(#from))
            } else {
                quote!(#ty(#from as #base))
            }
        }
        Shape::Nothing => quote!(()),
        _ => from,
    }
}

/// Converts a Rust number to its type in the struct of arguments.
pub fn given(shape: &Shape, value: TokenStream) -> TokenStream {
    match shape {
        Shape::Bool { raw } if raw.to_string() == "u8" => quote!(u8::from(#value)),
        Shape::Bool { raw } => quote!(#raw::from(#value)),
        Shape::Cast { raw, .. } => quote!(#value as #raw),
        Shape::Wrapped { base, raw, .. } => {
            if base.to_string() == raw.to_string() {
                quote!(#value.0)
            } else {
                quote!(#value.0 as #raw)
            }
        }
        _ => value,
    }
}

/// Prints the body of a call. The expression `made` makes the call from `checked` and `call`; `tag` stores the tag.
pub fn body(signature: &Signature<'_>, arguments: &Ident, made: &TokenStream, tag: Option<TokenStream>) -> TokenStream {
    let (mut checks, mut numbers, mut pointers) = (Vec::new(), Vec::new(), Vec::new());
    let name_of = |at: usize| {
        let argument = signature.arguments.get(at);
        argument.map_or_else(
            || quote!(0),
            |argument| {
                let name = &argument.name;
                if matches!(argument.shape, Shape::Buffer(_)) { quote!(*#name) } else { quote!(#name) }
            },
        )
    };
    for argument in &signature.arguments {
        let (name, member) = (&argument.name, &argument.member);
        match &argument.shape {
            Shape::Buffer(buffer) => {
                checks.extend(check(signature, argument, buffer, &name_of));
                let pointer = pointer(name, buffer);
                pointers.push(quote!(call.#member = #pointer;));
            }
            Shape::Text { optional: false } => pointers.push(quote!(call.#member = cxr::expose(#name.as_ptr());)),
            Shape::Text { optional: true } => pointers.push(quote! {
                call.#member = #name.map_or(core::ptr::null_mut(), |text| cxr::expose(text.as_ptr()));
            }),
            Shape::Callback { of, optional, is_borrowed, tag } => {
                let tag = tag.and_then(|tag| signature.arguments.get(tag)).map(|tag| &tag.member);
                pointers.push(store_callback(argument, of.index(), *optional, *is_borrowed, tag));
            }
            Shape::Tag { is_borrowed: true } | Shape::Nothing => {}
            other => {
                let value = given(other, quote!(#name));
                numbers.push(quote!(call.#member = #value;));
            }
        }
    }
    let checked = match checks.as_slice() {
        [] => quote!(let checked = Ok(());),
        [one] => quote!(let checked = #one;),
        many => {
            let steps = many.iter().map(|check| quote!(.and_then(|()| #check)));
            quote!(let checked = Ok(()) #(#steps)*;)
        }
    };
    // If a check failed, no pointer is stored: neither the engine nor the failure result may use it.
    let pointers = match (checks.is_empty(), pointers.is_empty()) {
        (_, true) => quote!(),
        (true, false) => quote!(#(#pointers)*),
        (false, false) if signature.arguments.iter().any(|one| matches!(one.shape, Shape::Callback { .. })) => {
            quote!(#(#pointers)* if checked.is_err() { call = #arguments::new(); #(#numbers)* })
        }
        (false, false) => quote!(if checked.is_ok() { #(#pointers)* }),
    };
    let result = match &signature.result {
        Shape::Nothing => quote!(()),
        shape => taken(shape, quote!(call.result)),
    };
    quote! {
        let mut call = #arguments::new();
        #(#numbers)*
        #tag
        #checked
        #pointers
        #[comment = "SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it."]
        let made = unsafe { #made };
        cxr::Client::result_of(made, #result)
    }
}

/// Returns the check that a slice has the required length.
fn check(
    signature: &Signature<'_>,
    argument: &Argument<'_>,
    buffer: &Buffer,
    name_of: &dyn Fn(usize) -> TokenStream,
) -> Option<TokenStream> {
    let Count::Of(len) = &buffer.count else { return None };
    let (name, source) = (&argument.name, argument.source);
    let count = signature.sizes.size(len, name_of);
    Some(if buffer.optional {
        quote!(#name.as_ref().map_or(Ok(()), |slice| cxr::fits(#source, slice.len(), #count)))
    } else {
        quote!(cxr::fits(#source, #name.len(), #count))
    })
}

fn pointer(name: &Ident, buffer: &Buffer) -> TokenStream {
    let of = |value: TokenStream| match (&buffer.count, buffer.written) {
        (Count::One, false) => quote!(core::ptr::from_ref(#value)),
        (Count::One, true) => quote!(core::ptr::from_mut(#value)),
        (_, false) => quote!(#value.as_ptr()),
        (_, true) => quote!(#value.as_mut_ptr()),
    };
    if buffer.optional {
        let pointer = of(quote!(value));
        return quote!(#name.map_or(core::ptr::null_mut(), |value| cxr::expose(#pointer)));
    }
    let pointer = of(quote!(#name));
    quote!(cxr::expose(#pointer))
}

/// Stores a callback and its tag.
fn store_callback(
    argument: &Argument<'_>,
    callback: usize,
    optional: bool,
    is_borrowed: bool,
    tag: Option<&Ident>,
) -> TokenStream {
    let (name, member) = (&argument.name, &argument.member);
    let tagged = tag.map(|tag| quote!(call.#tag = call.#member;));
    if !is_borrowed {
        return quote! {
            call.#member = #name.map_or(core::ptr::null_mut(), |function| cxr::expose(function as *const c_void));
        };
    }
    let number = literal(&callback.to_string());
    if optional {
        quote! {
            let mut #name = #name;
            #[comment = "SAFETY: this function does not use the closure until the call is over."]
            let closure = #name.as_mut().map(|one| unsafe { cxr::register_closure(#number, core::ptr::from_mut(one).cast()) });
            call.#member = closure.as_ref().map_or(core::ptr::null_mut(), cxr::ClosureGuard::function);
            #tagged
        }
    } else {
        quote! {
            let mut #name = #name;
            #[comment = "SAFETY: this function does not use the closure until the call is over."]
            let closure = unsafe { cxr::register_closure(#number, (&raw mut #name).cast()) };
            call.#member = closure.function();
            #tagged
        }
    }
}
