//! The file of an interface: a module for each XLEN, and the choice between them.

use lapis_cx::contract::core::{Type, Value};
use lapis_cx::contract::{Const, Enum, ErrorDef, Interface, Section};
use lapis_cx::lower::ir::{self, Edge};
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::quote;

use crate::common::Common;
use crate::docs::docs;
use crate::expr::hexadecimal;
use crate::method::{self, Method, edge_type};
use crate::naming::{self, BODIES};
use crate::print::{Writer, comment};
use crate::tokens::{ident, literal, word};
use crate::unit::Unit;
use crate::{Form, bodies, csr, guard, software, state, xcmd};

/// The module of an XLEN: what the arithmetic of generated code needs, and why.
pub fn head(xlen: u32) -> TokenStream {
    let why = [
        "A program seldom uses all of it, and decides itself who sees it.",
        "A value that only a branch that is gone would read.",
        "Words are patterns.",
        "Arithmetic and branches as they were lowered.",
        "Names, sizes and arms as the specification has them.",
        "Documentation is the specification's.",
    ];
    let [usage, values, casts, lowered, names, text] = why.map(comment);
    let module = word(&format!("xlen{xlen}"));
    quote! {
        #usage
        #[allow(dead_code, unreachable_pub)]
        #values
        #[allow(unused_assignments)]
        #casts
        #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]
        #lowered
        #[allow(clippy::manual_checked_ops, clippy::manual_is_multiple_of, clippy::verbose_bit_mask)]
        #[allow(clippy::if_not_else, clippy::needless_late_init)]
        #names
        #[allow(clippy::match_same_arms, clippy::many_single_char_names, clippy::similar_names)]
        #[allow(clippy::upper_case_acronyms)]
        #[allow(clippy::too_many_lines, clippy::trivially_copy_pass_by_ref)]
        #text
        #[allow(clippy::doc_markdown, clippy::doc_lazy_continuation, rustdoc::all)]
        pub mod #module {}
    }
}

/// The interface as people know it.
pub fn origin(interface: &Interface) -> String {
    format!("{}:{}", interface.package, interface.name)
}

/// What the modules of both XLENs are made from.
pub struct Source<'a> {
    /// The interface.
    pub interface: &'a Interface,
    /// Its section.
    pub section: &'a Section,
    /// The lowered section.
    pub lowered: &'a ir::Section,
    /// The methods of the trait.
    pub methods: &'a [Method],
    /// The name of the trait.
    pub name: Ident,
}

impl Source<'_> {
    /// A name for a type parameter, or a constant one: no type that is in scope has it.
    pub fn parameter(&self, name: &str) -> Ident {
        let types: Vec<String> = self.section.enums.iter().map(|def| naming::type_name(&def.name)).collect();
        let is_free = |name: &String| self.name != *name && !types.contains(name);
        let numbered = (2..).map(|n: u64| format!("{name}{n}"));
        word(&std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default())
    }

    /// What `Soft` and `SoftCxu` have as a parameter: the bodies of commands without one, if there are any.
    pub fn soft(&self) -> Soft {
        Soft::new((!self.lowered.opaque.is_empty()).then(|| self.parameter("B")))
    }
}

/// The parameter of the fallback; no tokens if it has none.
#[derive(Clone, Debug, Default)]
pub struct Soft {
    /// Its name.
    pub name: Option<Ident>,
    /// As it is declared.
    pub declared: TokenStream,
    /// As it is given.
    pub given: TokenStream,
}

impl Soft {
    /// That of this name.
    pub fn new(name: Option<Ident>) -> Soft {
        let Some(name) = name else { return Soft::default() };
        let bodies = word(BODIES);
        Soft { declared: quote!(<#name: #bodies>), given: quote!(<#name>), name: Some(name) }
    }
}

/// Begins a file: what it is, and what it leans on.
pub fn begin(out: &mut Writer, form: Form, stem: &str, origin: &str) {
    let about = match form {
        Form::Module => format!(
            "A module of a crate that depends on lapis-cx-core: `#[path = \"{stem}.rs\"] mod {};`, or `include!`\n\
             // inside a `mod`.",
            naming::snake(stem)
        ),
        Form::Included => format!("For `include_spec!(\"{stem}\")`, which also says where lapis-cx-core is."),
    };
    out.begin(&format!("// {stem}.rs\n// Generated from {origin} by cxc; do not edit.\n//\n// {about}\n\n"));
    if form == Form::Module {
        out.items(quote!(
            use ::lapis_cx_core as cx;
        ));
    }
    // A macro is expanded before names are resolved: this is said also if the core lacks what the rest leans on.
    let (file, abi, version) =
        (format!("{stem}.rs"), Literal::u32_unsuffixed(lapis_cx_core::ABI_VERSION), env!("CARGO_PKG_VERSION"));
    out.items(quote!(self::cx::check_abi!(#file, #abi, #version);));
}

/// Prints the file.
pub fn file(out: &mut Writer, form: Form, interface: &Interface, lowered: &ir::Interface) {
    let origin = origin(interface);
    begin(out, form, &naming::file_stem(interface), &origin);
    let xlens: Vec<u32> = interface.sections.iter().map(|s| s.xlen).collect();
    choice(out, &origin, &xlens);
    for (section, lowered) in interface.sections.iter().zip(&lowered.sections) {
        let methods = method::methods(interface, section);
        let name = ident(&naming::type_name(&interface.name));
        let source = Source { interface, section, lowered, methods: &methods, name };
        out.docs("", format_args!("`{origin}` where a register has {} bits.", section.xlen));
        out.open_common(Common::Head(section.xlen));
        module(out, &source);
        out.close();
    }
}

/// Which module is seen without its name: that of the target's XLEN, unless the only one or `--cfg cx_xlen="…"` says
/// otherwise.
pub fn choice(out: &mut Writer, origin: &str, xlens: &[u32]) {
    // Cargo warns about a `cfg` that it does not know, unless the module around it allows that.
    match xlens {
        [32, 64] => out.common(Common::Both),
        [only] => {
            let other = 96 - only;
            let message = format!("{origin} has no contract for XLEN {other}, only for {only}");
            let (module, arch, other) = (word(&format!("xlen{only}")), format!("riscv{other}"), other.to_string());
            out.items(quote! {
                #[allow(unreachable_pub, unused_imports)]
                pub use self::#module::*;

                #[allow(unexpected_cfgs)]
                mod chosen {
                    #[cfg(any(target_arch = #arch, cx_xlen = #other))]
                    compile_error!(#message);
                }
            });
        }
        _ => {}
    }
}

/// The choice between the modules of both XLENs.
pub fn both() -> TokenStream {
    let narrow = quote!(any(cx_xlen = "32", all(target_pointer_width = "32", not(cx_xlen = "64"))));
    quote! {
        #[allow(unreachable_pub, unused_imports)]
        pub use self::chosen::*;

        #[allow(unexpected_cfgs, unreachable_pub, unused_imports)]
        mod chosen {
            #[cfg(#narrow)]
            pub use super::xlen32::*;
            #[cfg(not(#narrow))]
            pub use super::xlen64::*;
        }
    }
}

/// What is in the module of an XLEN.
fn module(out: &mut Writer, source: &Source<'_>) {
    let Source { interface, section, lowered, methods, .. } = source;
    let begin = out.mark();
    identity(out, interface, section.xlen);
    for constant in section.consts.iter().filter(|c| c.is_member) {
        scalar_constant(out, section, constant);
    }
    ids(out, section);
    for def in section.enums.iter().filter(|def| def.width <= 64) {
        enumeration(out, def);
    }
    if methods.iter().any(|m| m.tried.is_some()) || !lowered.opaque.is_empty() {
        out.docs("", format_args!("Why a command of [`{}`] was not done.", source.name));
        out.common(Common::ErrorType(section.errors.iter().map(ErrorText::new).collect()));
    }
    csr::types(out, source);
    interface_trait(out, source);
    let mut unit = Unit::new(section, lowered);
    if let Some(lowered) = &lowered.state {
        state::print(out, &mut unit, source, lowered);
    }
    bodies::declare(out, source);
    software::fallback(out, &mut unit, source);
    if interface.uuid.is_some() {
        guard::print(out, source);
    }
    xcmd::print(out, source);
    // What is used is known only now.
    let [core, abi1] = ["cx::", "abi1::"].map(|used| out.has(begin, used));
    if core || abi1 {
        out.insert(begin, Common::Imports { core, abi1 });
    }
}

/// The imports of a module.
pub fn imports(core: bool, abi1: bool) -> TokenStream {
    let core = core.then(|| {
        quote!(
            use super::cx;
        )
    });
    let abi1 = abi1.then(|| {
        quote!(
            use super::cx::abi1;
        )
    });
    quote!(#core #abi1)
}

/// The number of bits in a register.
pub fn xlen(xlen: u32) -> TokenStream {
    let xlen = Literal::u32_unsuffixed(xlen);
    quote! {
        /// Bits in a register.
        pub const XLEN: u32 = #xlen;
    }
}

fn identity(out: &mut Writer, interface: &Interface, xlen: u32) {
    out.common(Common::Xlen(xlen));
    if let Some(uuid) = interface.uuid {
        let digits = literal(&hexadecimal(uuid.as_u128(), 32));
        out.docs("", format_args!("The UUID, {}.", uuid.hyphenated()));
        out.items(quote!(pub const UUID: cx::Uuid = cx::Uuid::from_u128(#digits);));
    }
    if let Some(xintf) = interface.xintf {
        let id20 = literal(&hexadecimal(u64::from(xintf.id20), 5));
        let id52 = literal(&hexadecimal(xintf.id52, 13));
        out.items(quote! {
            /// The overloadable-opcode id, 20 bits.
            pub const XINTF: u32 = #id20;
            /// The overloadable-opcode id of RV64, 52 bits.
            pub const XINTF52: u64 = #id52;
        });
    }
    if let Some(bytes) = interface.hash_bytes() {
        out.docs("The contract hash: SHA-256 of what the commands mean.", "");
        out.common(Common::Contract(bytes));
    }
}

/// The hash of a contract.
pub fn contract(bytes: &[u8; 32]) -> TokenStream {
    let bytes = bytes.iter().map(|b| literal(&format!("0x{b:02X}")));
    quote! {
        #[rustfmt::skip]
        pub const CONTRACT: [u8; 32] = [#(#bytes),*];
    }
}

/// A scalar constant. Arrays stay in the fallback; what fits no type of 64 bits is left out.
fn scalar_constant(out: &mut Writer, section: &Section, constant: &Const) {
    let Value::Int(v) = &constant.value else { return };
    let name = ident(&naming::screaming(&constant.name));
    let value = v.to_i128();
    let (ty, value) = match (&constant.ty, value) {
        (Some(Type::Enum { id, width }), Some(v)) if *width <= 64 => {
            let Some(def) = section.enums.get(id.index()) else { return };
            let (ty, value) = (ident(&naming::type_name(&def.name)), number(v));
            let value = quote!(#ty(#value));
            (ty, value)
        }
        (Some(Type::Bool), Some(v)) => (word("bool"), TokenTree::from(word(&(v != 0).to_string())).into()),
        (Some(ty), Some(v)) if ty.width() <= 64 => (edge_type(lapis_cx::lower::edge(ty)), number(v)),
        (None, Some(v)) => {
            let fits = [(0, i128::from(u32::MAX), "u32"), (0, i128::from(u64::MAX), "u64")];
            let signed = [(i128::from(i32::MIN), -1, "i32"), (i128::from(i64::MIN), -1, "i64")];
            let all = fits.into_iter().chain(signed);
            let Some((_, _, ty)) = all.into_iter().find(|(lo, hi, _)| (*lo..=*hi).contains(&v)) else { return };
            (word(ty), number(v))
        }
        _ => return,
    };
    out.docs(&constant.docs, format_args!("The constant `{}`.", constant.name));
    out.items(quote!(pub const #name: #ty = #value;));
}

/// A number that stands alone: small ones in decimal.
fn number(v: i128) -> TokenStream {
    let digits = match u64::try_from(v.unsigned_abs()) {
        Ok(v) if v < 10_000 => v.to_string(),
        Ok(v) => hexadecimal(v, 1),
        Err(_) => v.unsigned_abs().to_string(),
    };
    let digits = literal(&digits);
    if v < 0 { quote!(-#digits) } else { digits.into() }
}

fn ids(out: &mut Writer, section: &Section) {
    if section.commands.is_empty() {
        return;
    }
    out.docs("Function ids.", "");
    out.open(quote!(pub mod id));
    for command in &section.commands {
        let (name, id) = (ident(&naming::screaming(&command.name)), Literal::u16_unsuffixed(command.id));
        out.docs("", format_args!("`{}`", command.name));
        out.items(quote!(pub const #name: u32 = #id;));
    }
    out.close();
}

/// Prints an enum.
pub fn enumeration(out: &mut Writer, def: &Enum) {
    let name = ident(&naming::type_name(&def.name));
    let bits = method::bits(def.width);
    out.docs(&def.docs, format_args!("The enum `{}`.", def.name));
    out.docs("", format_args!("Any pattern of {bits} may occur, so this is no Rust enum."));
    let ty = edge_type(Edge::Unsigned(def.width.next_power_of_two().clamp(8, 64)));
    out.items(quote! {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct #name(pub #ty);
    });
    out.open(quote!(impl #name));
    for case in &def.cases {
        out.docs(&case.docs, format_args!("The case `{}`.", case.name));
        let pattern = number(i128::from(ir::pattern(&case.pattern, def.width)));
        let case = ident(&naming::screaming(&case.name));
        out.items(quote!(pub const #case: #name = #name(#pattern);));
    }
    out.close();
}

/// What an error is called, and what is said of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ErrorText {
    name: String,
    code: u8,
    message: String,
    docs: String,
}

impl ErrorText {
    fn new(error: &ErrorDef) -> ErrorText {
        let message = error.message.as_deref().unwrap_or(&error.docs).trim();
        let message = if message.is_empty() { error.name.as_str() } else { message }.to_owned();
        let about = error.about();
        let docs = if about.is_empty() { message.clone() } else { about };
        ErrorText { name: naming::camel(&error.name), code: error.code, message, docs }
    }
}

/// The type of errors.
pub fn error_type(errors: &[ErrorText]) -> TokenStream {
    let (mut variants, mut codes, mut messages) = (Vec::new(), Vec::new(), Vec::new());
    for ErrorText { name, code, message, docs } in errors {
        let (name, docs, code) = (ident(name), self::docs(docs, ""), Literal::u8_unsuffixed(*code));
        variants.push(quote!(#docs #name,));
        codes.push(quote!(#code => Error::#name,));
        messages.push(quote!(Error::#name => #message,));
    }
    let custom = if codes.is_empty() {
        quote!(Error::Custom(code()))
    } else {
        quote! {
            match code() {
                #(#codes)*
                code => Error::Custom(code),
            }
        }
    };
    quote! {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Error {
            #(#variants)*
            /// No such CX is selected.
            Cxu,
            /// The state is invalid.
            State,
            /// The state is off.
            Off,
            /// The CX has no such command.
            Func,
            /// An operand is in error.
            Op,
            /// An error of the CX's own by its code, 0 if that cannot be read.
            Custom(u8),
            /// The command traps, one level higher.
            Trap,
        }

        impl Error {
            /// The value, if that is the answer.
            fn check<T>(value: T, answer: abi1::Answer, code: impl FnOnce() -> u8) -> Result<T, Error> {
                Err(match answer {
                    abi1::Answer::Ok => return Ok(value),
                    abi1::Answer::Cxu => Error::Cxu,
                    abi1::Answer::State => Error::State,
                    abi1::Answer::Off => Error::Off,
                    abi1::Answer::Func => Error::Func,
                    abi1::Answer::Op => Error::Op,
                    abi1::Answer::Custom => #custom,
                    abi1::Answer::Trap => Error::Trap,
                })
            }
        }

        impl ::core::fmt::Display for Error {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(match self {
                    #(#messages)*
                    Error::Cxu => "no such CX is selected",
                    Error::State => "the CX state is invalid",
                    Error::Off => "the CX state is off",
                    Error::Func => "the CX has no such command",
                    Error::Op => "an operand is in error",
                    Error::Custom(_) => "the CX raised an error of its own",
                    Error::Trap => "the command traps",
                })
            }
        }

        impl ::core::error::Error for Error {}
    }
}

fn interface_trait(out: &mut Writer, source: &Source<'_>) {
    let Source { interface, methods, name, .. } = source;
    out.docs(&interface.docs, format_args!("The commands of `{}`.", origin(interface)));
    out.open(quote!(pub trait #name));
    methods.iter().for_each(|method| declare(out, method));
    csr::declare(out, source);
    out.close();
}

fn declare(out: &mut Writer, method: &Method) {
    method.document(out);
    let head = method.head(false);
    out.items(quote!(#head;));
    if method.tried.is_some() {
        let head = method.head(true);
        out.docs("The same, and whether it was done.\n\n# Errors\nWhat the CX answered, if not that it is done.", "");
        out.items(quote!(#head;));
    }
}
