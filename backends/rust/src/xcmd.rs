//! Devices of overloadable opcodes: functions that find one, and its commands.

use lapis_cx::contract::{Form, Interface, Section};
use lapis_cx_core::encoding::Fallback;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use crate::method::{self, Method};
use crate::naming::DEVICE;
use crate::platform;
use crate::print::Writer;
use crate::section::{Source, origin};
use crate::tokens::{part, word};

/// Whether a section has a command that an overloadable opcode issues.
pub fn has_xcmd(section: &Section) -> bool {
    section.commands.iter().any(|c| c.forms.contains(&Form::Xcmd))
}

fn is_xcmd(section: &Section, id: u16) -> bool {
    section.commands.iter().any(|c| c.id == id && c.forms.contains(&Form::Xcmd))
}

/// Whether an overloadable opcode issues all of the trait that has these methods, so that a device implements it.
pub fn is_whole(section: &Section, methods: &[Method]) -> bool {
    has_xcmd(section) && section.csrs.is_empty() && methods.iter().all(|m| is_xcmd(section, m.id))
}

/// The methods of a device that does not implement the trait.
fn registers(interface: &Interface, section: &Section) -> Vec<Method> {
    let is_register = |m: &Method| m.operands.iter().all(|o| o.register.is_some());
    let all = method::all(interface, section);
    all.into_iter().filter(|m| is_xcmd(section, m.id) && is_register(m)).collect()
}

/// The methods of a device, of which the trait has these.
pub fn methods(interface: &Interface, section: &Section, methods: &[Method]) -> Vec<Method> {
    if is_whole(section, methods) { methods.to_vec() } else { registers(interface, section) }
}

/// Prints the guard of a device. It implements the trait if an overloadable opcode issues all of it; else those
/// commands are methods of its own.
pub fn print(out: &mut Writer, source: &Source<'_>) {
    let Source { interface, section, methods, name, .. } = source;
    if !has_xcmd(section) {
        return;
    }
    platform::unit(out, source);
    let (x, device) = (source.parameter("X"), word(DEVICE));
    let whole = is_whole(section, methods);
    let own: Vec<Method>;
    let methods = if whole {
        *methods
    } else {
        own = registers(interface, section);
        own.as_slice()
    };
    out.docs(
        "",
        format_args!(
            "A device that implements `{}`: each command is one instruction on a hart, and elsewhere a\ncall. What a \
             command raises is lost, so `try_` says that it was done; one to a device that is not\nthere traps, or gives \
             what the lookup says.",
            origin(interface)
        ),
    );
    out.items(quote! {
        #[derive(Clone, Copy, Debug)]
        pub struct #device<#x> {
            /// The processor that sends commands to it.
            pub xcmds: #x,
            /// Its lun, and data for a command without an operand in their place.
            pub cookie: cx::Cookie,
        }
    });
    if interface.xintf.is_some() {
        Fallback::ALL.into_iter().for_each(|fallback| lookup(out, &x, section.xlen, fallback));
    }
    let of = whole.then(|| quote!(#name for));
    out.open(quote!(impl<#x: cx::Xcmd> #of #device<#x>));
    for method in methods {
        if !whole {
            method.document(out);
        }
        out.items(command(method, &x, section.xlen, whole));
    }
    out.close();
}

/// Prints the function that finds a device.
fn lookup(out: &mut Writer, x: &Ident, xlen: u32, fallback: Fallback) {
    let otherwise = match fallback {
        Fallback::Trap => "commands trap",
        Fallback::Zero => "commands give 0",
        Fallback::MinusOne => "commands give -1",
    };
    let about = "The device of this number, of which 12 bits count; the default one is 0. If there is none,";
    out.docs("", format_args!("{about}\n{otherwise}."));
    let (name, device) = (word(fallback.mnemonic()), word(DEVICE));
    let id = word(if xlen == 64 { "XINTF52" } else { "XINTF" });
    let xlen = Literal::u32_unsuffixed(xlen);
    out.items(quote! {
        #[inline]
        #[must_use]
        pub fn #name<#x: cx::Xcmd>(xcmds: #x, device: u16) -> #device<#x> {
            let id = (#id << 12) as usize | usize::from(device & 0xFFF);
            let cookie = abi1::#name::<#x, #xlen>(&xcmds, id);
            #device { xcmds, cookie }
        }
    });
}

fn command(method: &Method, x: &Ident, xlen: u32, of_trait: bool) -> TokenStream {
    // A constant travels in the place of rs2.
    let register = |n: u32| {
        let operand = method.operands.iter().find(|o| o.register.unwrap_or(1) == n);
        operand.map(|o| o.value.to_register(o.argument(), xlen))
    };
    let width = Literal::u32_unsuffixed(xlen);
    let rs1 = match register(0) {
        Some(data) => quote!(abi1::with_data::<#width>(self.cookie, #data)),
        None => quote!(self.cookie.bits()),
    };
    let rs2 = register(1).map_or_else(|| quote!(None), |value| quote!(Some(#value)));
    let function = word(if method.result.is_some() { "xcmd" } else { "silent_xcmd" });
    let id = Literal::u16_unsuffixed(method.id);
    let call = part(quote!(abi1::#function::<#x, #width, #id>(&self.xcmds, #rs1, #rs2)));
    let (head, check) = (method.head(false), method.check());
    let line = match &method.result {
        Some(value) => value.outer(value.from_register(call)),
        None => part(quote!(let _ = #call;)),
    };
    if !of_trait {
        return quote!(#[inline] pub #head { #check #line });
    }
    let mut out = quote!(#[inline] #head { #check #line });
    if method.tried.is_some() {
        let generic = method.constant().map(|o| {
            let name = &o.name;
            quote!(::<#name>)
        });
        let args = method.operands.iter().filter(|o| o.register.is_some()).map(|o| &o.name);
        let name = &method.name;
        let call = quote!(self.#name #generic (#(#args),*));
        let line = match method.result {
            Some(_) => quote!(Ok(#call)),
            None => quote!(#call; Ok(())),
        };
        let head = method.head(true);
        out.extend([quote!(#[inline] #head { #line })]);
    }
    out
}
