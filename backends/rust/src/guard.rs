//! The guard: commands go to the selected CX.

use lapis_cx::contract::layout;
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::quote;

use crate::common::Common;
use crate::csr;
use crate::method::{Method, Operand, Shape};
use crate::print::Writer;
use crate::section::{Source, origin};
use crate::tokens::{part, word};

/// Prints the guard.
pub fn print(out: &mut Writer, source: &Source<'_>) {
    let Source { interface, section, methods, name, .. } = source;
    let g = source.parameter("G");
    let origin = origin(interface);
    let about = "selected: each command is one instruction on a hart, and elsewhere a call.\nThe selection before comes back \
                 when this is dropped.";
    out.docs("", format_args!("`{origin}`, {about}"));
    out.common(Common::Selected { xlen: section.xlen, g: g.to_string() });
    out.open(quote!(impl<#g: cx::Issue> #name for Selected<#g>));
    for method in *methods {
        out.items(command(method, &g, section.xlen, interface.state_context));
    }
    csr::guard(out, source, &g);
    out.close();
}

/// The type of the guard.
pub fn selected(xlen: u32, g: &str) -> TokenStream {
    let (xlen, g) = (Literal::u32_unsuffixed(xlen), word(g));
    quote! {
        #[derive(Debug)]
        #[must_use = "the selection before comes back when this is dropped"]
        pub struct Selected<#g>(#g);

        impl<#g: cx::Issue> Selected<#g> {
            /// Takes the guard of a selection of [`UUID`].
            ///
            /// A guard does not know what it selects, so nothing checks this: with that of another CX, its commands of
            /// these function ids run.
            #[inline]
            pub fn new(guard: #g) -> Self {
                abi1::check_xlen::<#g, #xlen>();
                Selected(guard)
            }
        }
    }
}

/// The function of `abi1` that issues a command; `tried` for the one that gives the answer too.
fn function(method: &Method, tried: bool) -> &'static str {
    let has_result = method.result.is_some();
    match (method.shape, tried) {
        (Shape::Flex, false) => "flex",
        (Shape::Flex, true) => "try_flex",
        (Shape::FlexImmediate, false) => "flex_immediate",
        (Shape::FlexImmediate, true) => "try_flex_immediate",
        (Shape::Flex25, false) => "flex25",
        (Shape::Flex25, true) => "try_flex25",
        (Shape::Immediate | Shape::OneRegister, false) if method.is_pure() => "pure_immediate",
        (Shape::Immediate | Shape::OneRegister, false) if has_result => "immediate",
        (Shape::Immediate | Shape::OneRegister, true) if has_result => "try_immediate",
        (Shape::Immediate | Shape::OneRegister, false) => "silent_immediate",
        (Shape::Immediate | Shape::OneRegister, true) => "try_silent_immediate",
        (_, false) if method.is_pure() => "pure_value",
        (_, false) if has_result => "value",
        (_, true) if has_result => "try_value",
        (_, false) => "silent",
        (_, true) => "try_silent",
    }
}

/// The call that issues a command.
fn call(method: &Method, g: &Ident, xlen: u32, tried: bool) -> TokenTree {
    let function = word(function(method, tried));
    let id = Literal::u16_unsuffixed(method.id);
    let register = |n: u32| match method.operands.iter().find(|o| o.register == Some(n)) {
        Some(o) => {
            let register = o.value.to_register(o.value.inner(o.name.clone().into()), xlen);
            part(quote!(Some(#register)))
        }
        None => word("None").into(),
    };
    let constant = method.constant();
    // An instruction with room for a constant and no operand for it has 0 there.
    let immediate = || constant.map_or_else(|| part(quote!(abi1::U8<0>)), Operand::immediate);
    let (first, second) = (register(0), register(1));
    part(match method.shape {
        Shape::FlexImmediate => {
            let (width, immediate) = (Literal::u32_unsuffixed(constant.map_or(1, |o| o.value.width)), immediate());
            quote!(abi1::#function::<#g, #id, #width, #immediate>(&self.0, #first, #second))
        }
        Shape::Flex25 => {
            let immediate = immediate();
            quote!(abi1::#function::<#g, #id, #immediate>(&self.0))
        }
        Shape::Immediate | Shape::OneRegister => {
            let immediate = immediate();
            quote!(abi1::#function::<#g, #id, #immediate>(&self.0, #first))
        }
        _ => quote!(abi1::#function::<#g, #id>(&self.0, #first, #second)),
    })
}

fn command(method: &Method, g: &Ident, xlen: u32, state_context: bool) -> TokenStream {
    let check = method.check();
    let (head, plain) = (method.head(false), call(method, g, xlen, false));
    let line = match &method.result {
        Some(value) => value.outer(value.from_register(plain)),
        None => part(quote!(let _ = #plain;)),
    };
    let mut out = quote! {
        #[inline]
        #head {
            #check
            #line
        }
    };
    if method.tried.is_some() {
        let code = if state_context {
            let shift = Literal::u32_unsuffixed(layout::status::ERROR_SHIFT);
            part(quote!(|| (abi1::value::<#g, 1023>(&self.0, None, None) >> #shift) as u8))
        } else {
            part(quote!(|| 0))
        };
        let value = match &method.result {
            Some(value) => value.outer(value.from_register(part(quote!(reply.value)))),
            None => part(quote!(())),
        };
        let (head, tried) = (method.head(true), call(method, g, xlen, true));
        out.extend([quote! {
            #[inline]
            #head {
                #check
                let reply = #tried;
                Error::check(#value, reply.response.into(), #code)
            }
        }]);
    }
    out
}
