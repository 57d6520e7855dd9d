//! Commands without a body: a trait with a function for each, and the fallback's functions that call it.
//!
//! The fallback of such an interface has the trait as a parameter, so there is none without the bodies.

use std::rc::Rc;

use lapis_cx::lower::ir::{self, Edge};
use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use crate::expr::hexadecimal;
use crate::method::{Value, edge_type, software_name};
use crate::naming::{self, BODIES, RAISED, Scope};
use crate::print::Writer;
use crate::section::{Source, origin};
use crate::tokens::{ident, literal, part, word};

/// One command without a body, as people define it.
struct Open<'a> {
    command: &'a ir::Command,
    docs: &'a str,
    /// The name of the state, and names and types of the operands.
    state: Option<Rc<str>>,
    operands: Vec<(Rc<str>, Value)>,
    result: Option<Value>,
}

impl Open<'_> {
    /// The type of what the body returns.
    fn returns(&self) -> TokenStream {
        match &self.result {
            Some(value) => {
                let (ty, raised) = (value.ty(), word(RAISED));
                quote!(Result<#ty, #raised<#ty>>)
            }
            None => quote!(Result<(), Error>),
        }
    }
}

/// All of a section.
fn open<'a>(source: &Source<'a>) -> Vec<Open<'a>> {
    let Source { section, lowered, .. } = source;
    let of = |command: &'a ir::Command| {
        let declared = section.commands.iter().find(|c| c.id == command.id)?;
        let mut scope = Scope::default();
        let state = lowered.state.is_some().then(|| scope.fresh("state"));
        let mut operand = |(name, ty)| (scope.fresh(&naming::snake(name)), Value::new(section, ty));
        Some(Open {
            command,
            docs: &declared.docs,
            state,
            operands: declared.operands.iter().map(|o| operand((o.name.as_str(), &o.ty))).collect(),
            result: declared.result.as_ref().map(|ty| Value::new(section, ty)),
        })
    };
    lowered.opaque.iter().filter_map(of).collect()
}

/// Prints the trait of the bodies, and what they raise.
pub fn declare(out: &mut Writer, source: &Source<'_>) {
    let Source { interface, lowered, .. } = source;
    let all = open(source);
    if all.is_empty() {
        return;
    }
    let origin = origin(interface);
    let state = if lowered.state.is_some() {
        " They run only in a context that\nis on, which is dirty after them; what they changed before an error stays changed."
    } else {
        ""
    };
    let message = format!("`{{Self}}` does not say what the open commands of `{origin}` do");
    let note = format!("implement `{BODIES}` for a type, and give that type to `Soft` or `SoftCxu`");
    let (bodies, raised) = (word(BODIES), word(RAISED));
    out.docs(
        "",
        format_args!(
            "What the commands of `{origin}` do that the specification leaves open. Whoever builds a\nfallback supplies \
             it.\n\nOperands are values of their types, and of results the low bits count.{state}"
        ),
    );
    out.open(quote! {
        #[diagnostic::on_unimplemented(message = #message, label = "no bodies", note = #note)]
        pub trait #bodies: 'static
    });
    for open in &all {
        let state = open.state.iter().map(|name| {
            let name = ident(name);
            quote!(#name: &mut State)
        });
        let operands = open.operands.iter().map(|(name, value)| {
            let (name, ty) = (ident(name), value.ty());
            quote!(#name: #ty)
        });
        let (list, returns) = (state.chain(operands), open.returns());
        let name = ident(&naming::snake(&open.command.name));
        out.docs(open.docs, format_args!("Command {}.", open.command.id));
        out.docs("# Errors\nWhat the command answers, if not that it is done.", "");
        out.items(quote!(fn #name(#(#list),*) -> #returns;));
    }
    out.close();
    if all.iter().any(|open| open.result.is_some()) {
        out.items(quote! {
            /// What a body raises: an error, and a value for the result register beside it.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct #raised<T> {
                /// The error.
                pub error: Error,
                /// The value; without one it is 0.
                pub value: Option<T>,
            }

            impl<T> From<Error> for #raised<T> {
                fn from(error: Error) -> Self {
                    #raised { error, value: None }
                }
            }
        });
    }
    out.items(answers(source));
}

/// How an error of a body is answered.
fn answers(source: &Source<'_>) -> TokenStream {
    let responses = naming::RESPONSES.iter().filter(|name| **name != "Custom").map(|name| word(name));
    if source.lowered.state.is_none() {
        // Declared errors need a state.
        return quote! {
            impl Error {
                /// How the command of a body ends that raises this.
                fn answer(self) -> abi1::Answer {
                    match self {
                        #(Error::#responses => abi1::Answer::#responses,)*
                        Error::Custom(_) => abi1::Answer::Custom,
                    }
                }
            }
        };
    }
    let errors = source.section.errors.iter().map(|error| {
        let (name, code) = (ident(&naming::camel(&error.name)), Literal::u8_unsuffixed(error.code));
        quote!(Error::#name => #code,)
    });
    quote! {
        impl Error {
            /// How the command of a body ends that raises this. A code goes into the status word.
            fn answer(self, state: &mut State) -> abi1::Answer {
                let code = match self {
                    #(Error::#responses => return abi1::Answer::#responses,)*
                    #(#errors)*
                    Error::Custom(code) => code,
                };
                state.status = (state.status & 0x00FF_FFFF) | u32::from(code) << 24;
                abi1::Answer::Custom
            }
        }
    }
}

/// A value of an edge type, cut to the width of the type that it is a value of: by its sign, or with zeros above. Nothing
/// if it has that width.
fn cut(value: &TokenTree, edge: Edge, width: u32) -> Option<TokenTree> {
    match edge {
        Edge::Unsigned(n) if width < n => {
            let mask = literal(&hexadecimal(ir::ones(width), 1));
            Some(part(quote!(#value & #mask)))
        }
        Edge::Signed(n) if width < n => {
            let by = Literal::u32_unsuffixed(n - width);
            Some(part(quote!(#value << #by >> #by)))
        }
        _ => None,
    }
}

/// Prints the functions of the fallback that call the bodies.
pub fn software(out: &mut Writer, source: &Source<'_>) {
    for open in open(source) {
        out.docs("", format_args!("`{}` in software, as its body has it.", open.command.name));
        out.items(one(source, &open));
    }
}

fn one(source: &Source<'_>, open: &Open<'_>) -> TokenStream {
    let soft = source.soft();
    let Open { command, operands, result, .. } = open;
    let mut scope = Scope::default();
    ["st", "value", "raised", "error"].iter().for_each(|name| scope.reserve(*name));
    let stateful = open.state.is_some();
    let mut list = if stateful { vec![part(quote!(st: &mut State))] } else { Vec::new() };
    let mut args = if stateful { vec![word("st").into()] } else { Vec::new() };
    for (name, value) in operands {
        let (name, ty) = (ident(&scope.fresh(name)), edge_type(value.edge));
        list.push(part(quote!(#name: #ty)));
        let name = name.into();
        args.push(value.outer(cut(&name, value.edge, value.width).unwrap_or(name)));
    }
    let zero = match result {
        Some(Value { edge: Edge::Bool, .. }) => word("false").into(),
        Some(_) => Literal::u8_unsuffixed(0).into(),
        None => part(quote!(())),
    };
    let off = stateful.then(|| {
        quote! {
            if st.status & 3 == 0 {
                return (#zero, abi1::Answer::Off);
            }
        }
    });
    let answer = if stateful { quote!(answer(st)) } else { quote!(answer()) };
    let (done, failed) = match result {
        Some(result) => {
            let inner = result.inner(word("value").into());
            let is_enum = result.is_enum();
            let cut = cut(&inner, result.edge, result.width);
            let raised = match &cut {
                None if !is_enum => quote!(raised.value.unwrap_or(#zero)),
                cut => {
                    let value = cut.as_ref().unwrap_or(&inner);
                    quote!(raised.value.map_or(#zero, |value| #value))
                }
            };
            let value = cut.unwrap_or(inner);
            (value, quote!(Err(raised) => (#raised, raised.error.#answer),))
        }
        None => (zero.clone(), quote!(Err(error) => (#zero, error.#answer),)),
    };
    let pattern = if result.is_some() { quote!(value) } else { quote!(()) };
    let done = if stateful {
        quote! {
            Ok(#pattern) => {
                st.status |= 3;
                (#done, abi1::Answer::Ok)
            }
        }
    } else {
        quote!(Ok(#pattern) => (#done, abi1::Answer::Ok),)
    };
    let (name, body) = (ident(&software_name(&command.name)), ident(&naming::snake(&command.name)));
    let (declared, bodies) = (&soft.declared, &soft.name);
    let ty = result.as_ref().map_or_else(|| quote!(()), |value| edge_type(value.edge).into_token_stream());
    quote! {
        #[inline]
        fn #name #declared (#(#list),*) -> (#ty, abi1::Answer) {
            #off
            match #bodies::#body(#(#args),*) {
                #done
                #failed
            }
        }
    }
}

/// What is derived elsewhere, for the fallback that has bodies.
pub fn by_hand(
    declared: &TokenStream,
    given: &TokenStream,
    fresh: &TokenStream,
    same: &TokenStream,
    shown: &TokenStream,
) -> TokenStream {
    quote! {
        impl #declared Default for Soft #given {
            fn default() -> Self {
                #fresh
            }
        }

        impl #declared Clone for Soft #given {
            fn clone(&self) -> Self {
                #same
            }
        }

        impl #declared ::core::fmt::Debug for Soft #given {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_struct("Soft")#shown.finish_non_exhaustive()
            }
        }
    }
}
