//! The software fallback: the commands as pure Rust, what implements the trait by them, and the software CXU.

use std::ffi::CString;

use lapis_cx::contract::{FlexConstant, FnId, Section, Sharing};
use lapis_cx::lower::ir::{self, Edge, Shape, Storage};
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::quote;

use crate::body::Printer;
use crate::common::Common;
use crate::expr::{hexadecimal, storage_type};
use crate::method::{self, Method, edge_type, from_register, to_register};
use crate::print::{Writer, comment};
use crate::section::{Soft, Source, origin};
use crate::tokens::{ident, literal, part, word};
use crate::unit::Unit;
use crate::{bodies, csr, helper};

/// Prints the fallback, as an implementation of the trait and as a software CXU, and what both call.
pub fn fallback<'s>(out: &mut Writer, unit: &mut Unit<'s>, source: &Source<'s>) {
    let Source { interface, lowered, methods, .. } = source;
    soft(out, source);
    if interface.uuid.is_some() {
        soft_cxu(out, source);
    }
    private(out, unit, lowered);
    for defined in &lowered.commands {
        out.docs("", format_args!("`{}` in software.", defined.name));
        out.attribute("inline");
        out.items(command(unit, software_name(methods, defined), defined));
    }
    bodies::software(out, source);
    csr::software(out, unit);
    // What is used is known only now.
    helper::print(out, &unit.used, unit.division_limbs);
}

/// Prints the tables and functions that bodies use.
pub fn private<'s>(out: &mut Writer, unit: &mut Unit<'s>, lowered: &'s ir::Section) {
    for id in &lowered.used_tables {
        if let Some(table) = lowered.tables.get(id.0 as usize) {
            out.docs(&table.docs, "Constants.");
            out.items(constants(&unit.table(*id), table));
        }
    }
    for id in &lowered.call_order {
        let Some(declared) = lowered.functions.get(id.index()) else { continue };
        out.docs(&declared.docs, format_args!("The function `{}`.", declared.name));
        out.attribute("inline");
        out.items(function(unit, *id, declared));
    }
}

/// A function of the specification.
fn function<'s>(unit: &mut Unit<'s>, id: FnId, function: &'s ir::Function) -> TokenStream {
    let result = match function.result {
        Shape::Scalar(storage) => {
            let ty = word(storage_type(storage));
            Some(part(quote!(-> #ty)))
        }
        Shape::Array { .. } => None,
    };
    let name = unit.function(id);
    let (list, block) = Printer::function(unit, function);
    quote!(fn #name(#(#list),*) #result #block)
}

/// The software function of a command.
fn command<'s>(unit: &mut Unit<'s>, name: Ident, command: &'s ir::Command) -> TokenStream {
    let result = match (command.can_fail, command.result.map(edge_type)) {
        (true, Some(ty)) => Some(quote!(-> (#ty, abi1::Answer))),
        (true, None) => Some(quote!(-> ((), abi1::Answer))),
        (false, Some(ty)) => Some(quote!(-> #ty)),
        (false, None) => None,
    };
    let result = result.map(part);
    let state = unit.section.state.is_some().then(|| part(quote!(st: &mut State)));
    let (list, block) = Printer::issued(unit, &command.body, &command.params, command.result, command.can_fail);
    let list = state.into_iter().chain(list);
    quote!(fn #name(#(#list),*) #result #block)
}

/// The name of the software function of a command, which a method of the trait may name too.
pub fn software_name(methods: &[Method], command: &ir::Command) -> Ident {
    let method = methods.iter().find(|m| m.id == command.id);
    method.map_or_else(|| ident(&method::software_name(&command.name)), |m| m.software.clone())
}

/// A table.
fn constants(name: &Ident, table: &ir::Table) -> TokenStream {
    let digits = (table.storage.bits() / 4).max(1) as usize;
    let item = |v: &u64| match table.storage {
        Storage::Bool => word(if *v == 0 { "false" } else { "true" }).into(),
        _ => literal(&hexadecimal(*v, digits)),
    };
    let (ty, len) = (word(storage_type(table.storage)), Literal::usize_unsuffixed(table.values.len()));
    let values = table.values.iter().map(item);
    quote! {
        #[rustfmt::skip]
        static #name: [#ty; #len] = [#(#values),*];
    }
}

/// Prints the fallback as people use it.
fn soft(out: &mut Writer, source: &Source<'_>) {
    let Source { interface, section, lowered, methods, name } = source;
    let origin = origin(interface);
    let Soft { name: parameter, declared, given } = source.soft();
    let bodies = parameter.as_ref().map(Ident::to_string);
    if lowered.state.is_some() {
        let about = "in software: one context. Operands count by their low bits, and a context\nthat is off gives 0 and stays as \
                     it is.";
        out.docs("", format_args!("`{origin}` {about}"));
        out.common(Common::Stateful { xlen: section.xlen, bodies });
    } else {
        out.docs("", format_args!("`{origin}` in software. Operands count by their low bits."));
        out.common(Common::Stateless { bodies });
    }
    out.open(quote!(impl #declared #name for Soft #given));
    for method in *methods {
        out.attribute("inline");
        out.items(call(method, parameter.as_ref()));
        if method.tried.is_some() {
            out.attribute("inline");
            out.items(tried_call(method, parameter.as_ref()));
        }
    }
    csr::soft(out, source);
    out.close();
}

/// The fallback of an interface with state.
pub fn stateful(xlen: u32, bodies: Option<&str>) -> TokenStream {
    let Soft { name: parameter, declared, given } = Soft::new(bodies.map(word));
    let ty = edge_type(Edge::Unsigned(xlen));
    // A derived implementation would ask the bodies for it too.
    let derive = parameter.is_none().then(|| quote!(#[derive(Clone, Debug, Default)]));
    let member = parameter.as_ref().map(|name| quote!(bodies: ::core::marker::PhantomData<fn() -> #name>,));
    let by_hand = parameter.is_some().then(|| {
        let all = |state: TokenStream| quote!(Soft { state: #state, bodies: ::core::marker::PhantomData });
        let [fresh, same] = [all(quote!(State::RESET)), all(quote!(self.state))];
        bodies::by_hand(&declared, &given, &fresh, &same, &quote!(.field("state", &self.state)))
    });
    quote! {
        #derive
        pub struct Soft #declared {
            state: State,
            #member
        }

        #by_hand

        impl #declared Soft #given {
            /// The state as it is.
            #[must_use]
            pub fn state(soft: &Soft #given) -> &State {
                &soft.state
            }

            /// The status word, then the state words.
            #[must_use]
            pub fn save(soft: &Soft #given) -> [#ty; State::WORDS] {
                soft.state.save()
            }

            /// Loads an image, as [`State::restore`] does.
            pub fn restore(soft: &mut Soft #given, words: &[#ty; State::WORDS]) {
                soft.state.restore(words);
            }
        }
    }
}

/// The fallback of an interface without state.
pub fn stateless(bodies: Option<&str>) -> TokenStream {
    let Soft { name: parameter, declared, given } = Soft::new(bodies.map(word));
    let derive = parameter.is_none().then(|| quote!(#[derive(Clone, Copy, Debug, Default)]));
    let members = nothing(parameter.as_ref());
    let by_hand = parameter.is_some().then(|| {
        let value = quote!(Soft(::core::marker::PhantomData));
        let all = bodies::by_hand(&declared, &given, &value, &quote!(*self), &TokenStream::new());
        quote!(#all impl #declared Copy for Soft #given {})
    });
    quote! {
        #derive
        pub struct Soft #declared #members;

        #by_hand
    }
}

/// The member of what has bodies as a parameter and nothing else.
fn nothing(parameter: Option<&Ident>) -> Option<TokenStream> {
    parameter.map(|name| quote!((::core::marker::PhantomData<fn() -> #name>)))
}

/// A call of the software function of a method's command; `bodies` is the type that has those of commands without one.
fn software(method: &Method, bodies: Option<&Ident>) -> TokenTree {
    let state = method.stateful.then(|| part(quote!(&mut self.state)));
    let args = state.into_iter().chain(method.operands.iter().map(|o| o.argument()));
    let function = &method.software;
    let bodies = bodies.filter(|_| !method.is_defined).map(|name| part(quote!(::<#name>)));
    part(quote!(#function #bodies (#(#args),*)))
}

/// A method by the software function of its command.
fn call(method: &Method, bodies: Option<&Ident>) -> TokenStream {
    let (head, check, call) = (method.head(false), method.check(), software(method, bodies));
    let line = match &method.result {
        Some(value) if method.tried.is_some() => value.outer(part(quote!(#call.0))),
        Some(value) => value.outer(call),
        None if method.drops_result => part(quote!(let _ = #call;)),
        None => part(quote!(#call;)),
    };
    quote!(#head { #check #line })
}

/// The method that returns a `Result`, by the same function.
fn tried_call(method: &Method, bodies: Option<&Ident>) -> TokenStream {
    let (head, check, call) = (method.head(true), method.check(), software(method, bodies));
    let code = if method.stateful { quote!(|| (self.state.status >> 24) as u8) } else { quote!(|| 0) };
    let code = part(code);
    let value = method.result.as_ref().map(|value| value.outer(word("value").into()));
    let value = value.unwrap_or_else(|| part(quote!(())));
    let pattern = match method.result {
        Some(_) => word("value").into(),
        None if method.drops_result => word("_").into(),
        None => part(quote!(())),
    };
    quote! {
        #head {
            #check
            let (#pattern, answer) = #call;
            Error::check(#value, answer, #code)
        }
    }
}

/// The name of a sharing model in `Sharing`.
pub fn sharing(section: &Section) -> &'static str {
    match section.state.as_ref().map(|s| s.sharing) {
        None => "Stateless",
        Some(Sharing::Exclusive) => "Exclusive",
        Some(Sharing::CallerSave) => "CallerSave",
        Some(Sharing::CalleeSave) => "CalleeSave",
        Some(Sharing::AlwaysInit) => "AlwaysInit",
        Some(Sharing::Custom) => "Custom",
    }
}

/// Prints the fallback as a runtime registers it.
fn soft_cxu(out: &mut Writer, source: &Source<'_>) {
    let Source { interface, section, lowered, methods, .. } = source;
    let Soft { name: parameter, declared, given } = source.soft();
    let state = lowered.state.is_some();
    let bodies = parameter.as_ref().map(Ident::to_string);
    // A name has no zeros.
    let name = Literal::c_string(&CString::new(origin(interface)).unwrap_or_default());
    out.docs("The fallback as a runtime registers it.", "");
    out.common(Common::CxuType { bodies });
    out.open(quote!(impl #declared cx::RustCxu for SoftCxu #given));
    out.common(Common::CxuTypes { xlen: section.xlen, state });
    out.items(quote!(const NAME: &'static ::core::ffi::CStr = #name;));
    out.common(Common::CxuConstants(CxuConstants {
        sharing: sharing(section),
        ucontext: section.state.as_ref().is_some_and(|s| s.ucontext),
        state_context: interface.state_context,
        words: lowered.state.as_ref().map(|state| state.words),
    }));
    out.items(issue(lowered, methods, parameter.as_ref()));
    if let Some(flex) = flex(section) {
        out.items(flex);
    }
    if let Some(dispatcher) = csr::dispatcher(lowered) {
        out.items(dispatcher);
    }
    out.common(Common::Images { state });
    out.close();
}

/// The type of the software CXU.
pub fn cxu_type(bodies: Option<&str>) -> TokenStream {
    let Soft { name: parameter, declared, .. } = Soft::new(bodies.map(word));
    let members = nothing(parameter.as_ref());
    quote! {
        #[derive(Clone, Copy, Debug)]
        pub struct SoftCxu #declared #members;
    }
}

/// The types of the software CXU, and its UUID.
pub fn cxu_types(xlen: u32, state: bool) -> TokenStream {
    let word = edge_type(Edge::Unsigned(xlen));
    let state = part(if state { quote!(State) } else { quote!(()) });
    quote! {
        type State = #state;
        type Word = #word;
        const UUID: cx::Uuid = UUID;
    }
}

/// What the other constants of a software CXU say.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CxuConstants {
    sharing: &'static str,
    ucontext: bool,
    state_context: bool,
    /// The words of its state, if it has one.
    words: Option<u32>,
}

/// The other constants of a software CXU.
pub fn cxu_constants(constants: &CxuConstants) -> TokenStream {
    let CxuConstants { sharing, ucontext, state_context, words } = constants;
    let ucontext = ucontext.then(|| part(quote!(cx::SoftFlags::UCONTEXT)));
    let state_context = state_context.then(|| part(quote!(cx::SoftFlags::STATE_CONTEXT)));
    let flags: Vec<TokenTree> = ucontext.into_iter().chain(state_context).collect();
    let flags = part(if flags.is_empty() { quote!(0) } else { quote!(#(#flags)|*) });
    let (state, reset) = if words.is_some() { (quote!(State), quote!(State::RESET)) } else { (quote!(()), quote!(())) };
    let (sharing, words) = (word(sharing), Literal::u32_unsuffixed(words.unwrap_or(0)));
    quote! {
        const SHARING: cx::Sharing = cx::Sharing::#sharing;
        const CONTRACT: [u8; 32] = CONTRACT;
        const FLAGS: u32 = #flags;
        const STATE_WORDS: u32 = #words;
        const RESET: #state = #reset;
    }
}

/// How the software CXU makes images and reads them.
pub fn images(state: bool) -> TokenStream {
    if state {
        quote! {
            fn save(state: &State, words: &mut [Self::Word]) {
                words.copy_from_slice(&state.save());
            }

            fn restore(state: &mut State, words: &[Self::Word]) {
                if let Ok(words) = words.try_into() {
                    state.restore(words);
                }
            }
        }
    } else {
        quote! {
            fn save((): &(), _words: &mut [Self::Word]) {}

            fn restore((): &mut (), _words: &[Self::Word]) {}
        }
    }
}

/// The command of any function id.
fn issue(lowered: &ir::Section, methods: &[Method], bodies: Option<&Ident>) -> TokenStream {
    let stateful = lowered.state.is_some();
    let xlen = lowered.xlen;
    let mut arms = TokenStream::new();
    let mut read = [false; 2];
    let mut has_third = false;
    for command in lowered.every_command() {
        let mut args = if stateful { vec![word("state").into()] } else { Vec::new() };
        for param in &command.params {
            let (register, name) = match param.register {
                Some(0) => (0, "rs1"),
                Some(_) => (1, "rs2"),
                None => {
                    has_third = true;
                    let above =
                        if param.edge == Edge::Bool { quote!(function >> 16) } else { quote!((function >> 16)) };
                    args.push(from_register(param.edge, part(above)));
                    continue;
                }
            };
            if let Some(flag) = read.get_mut(register) {
                *flag = true;
            }
            args.push(from_register(param.edge, word(name).into()));
        }
        let name = software_name(methods, command);
        let bodies = bodies.filter(|_| lowered.is_opaque(command)).map(|name| part(quote!(::<#name>)));
        let call = part(quote!(#name #bodies (#(#args),*)));
        let id = Literal::u16_unsuffixed(command.id);
        arms.extend([match (command.can_fail, command.result) {
            (true, result) => {
                let value = || TokenTree::from(word("value"));
                let pattern = if result.is_some() { value() } else { part(quote!(())) };
                let zero = || Literal::u8_unsuffixed(0).into();
                let value = result.map_or_else(zero, |edge| to_register(edge, value(), xlen));
                quote! {
                    #id => {
                        let (#pattern, answer) = #call;
                        (#value, answer.response())
                    }
                }
            }
            (false, Some(edge)) => {
                let value = to_register(edge, call, xlen);
                quote!(#id => (#value, cx::Response::Ok),)
            }
            (false, None) => quote! {
                #id => {
                    #call;
                    (0, cx::Response::Ok)
                }
            },
        }]);
    }
    let arms = part(arms);
    let [rs1, rs2] = [("rs1", read[0]), ("rs2", read[1])]
        .map(|(name, read)| if read { word(name) } else { word(&format!("_{name}")) });
    let off = stateful.then(|| {
        let about = comment("A context that is off answers only read_status and write_status.");
        part(quote! {
            #about
            if state.status & 3 == 0 && !matches!(function, 1022 | 1023) {
                return cx::Reply { value: 0, response: cx::Response::Off };
            }
        })
    });
    let state = part(if stateful { quote!(state: &mut State) } else { quote!((): &mut ()) });
    // The immediate of a flex command beside two registers stands above the id.
    let id = if has_third { part(quote!(function & 0xFFFF)) } else { word("function").into() };
    quote! {
        fn issue(#state, function: u32, #rs1: usize, #rs2: usize) -> cx::Reply {
            #off
            let (value, response) = match #id {
                #arms
                _ => (0, cx::Response::Func),
            };
            cx::Reply { value, response }
        }
    }
}

/// Where `issue` looks for a constant that an instruction on the opcode of flex has in its register fields.
fn flex(section: &Section) -> Option<TokenStream> {
    let constants = section.commands.iter().filter_map(|command| Some((command.id, command.flex_constant()?)));
    let arms: Vec<TokenStream> = constants
        .map(|(id, FlexConstant { bits, signed, above })| {
            let id = Literal::u16_unsuffixed(id);
            let mask = Literal::u32_unsuffixed((1 << bits) - 1);
            let sign = Literal::u32_unsuffixed(1 << (bits - 1));
            match (above, signed) {
                (true, _) => quote!(#id => (function | (fields & #mask) << 16, rs2),),
                (false, false) => quote!(#id => (function, (fields & #mask) as usize),),
                (false, true) => quote!(#id => (function, (((fields & #mask) ^ #sign) as usize).wrapping_sub(#sign)),),
            }
        })
        .collect();
    (!arms.is_empty()).then(|| {
        quote! {
            fn flex(function: u32, fields: u32, rs2: usize) -> (u32, usize) {
                match function {
                    #(#arms)*
                    _ => (function, rs2),
                }
            }
        }
    })
}
