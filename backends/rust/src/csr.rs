//! CSRs: a module with a type for the word of each, accesses as methods of the trait, and what implements them.
//!
//! The word of a CSR is a structure of its own, so that its fields are methods. Only reading and writing must be
//! implemented; what else the instructions do is said by the trait, and one instruction in the guard.

use lapis_cx::contract::csr::Access;
use lapis_cx::contract::{Csr, CsrField, Section};
use lapis_cx::lower::ir::{self, Edge};
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::quote;

use crate::body::Printer;
use crate::docs::docs;
use crate::expr::hexadecimal;
use crate::method::{Value, edge_type, immediate_type};
use crate::naming;
use crate::print::Writer;
use crate::section::Source;
use crate::tokens::{ident, literal, part, word};
use crate::unit::Unit;

/// An access of a CSR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The word.
    Read,
    /// Another word.
    Write,
    /// Another word, for the one before.
    Swap,
    /// Bits set, for the word before.
    Set,
    /// Bits cleared, for the word before.
    Clear,
    /// A constant.
    WriteConstant,
    /// Constant bits set, for the word before.
    SetConstant,
    /// Constant bits cleared, for the word before.
    ClearConstant,
}

impl Kind {
    const ALL: [Kind; 8] = [
        Kind::Read,
        Kind::Write,
        Kind::Swap,
        Kind::Set,
        Kind::Clear,
        Kind::WriteConstant,
        Kind::SetConstant,
        Kind::ClearConstant,
    ];

    /// As names of methods have it.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Read => "read",
            Kind::Write => "write",
            Kind::Swap => "swap",
            Kind::Set => "set",
            Kind::Clear => "clear",
            Kind::WriteConstant => "write_i",
            Kind::SetConstant => "set_i",
            Kind::ClearConstant => "clear_i",
        }
    }

    /// The function of `abi1`.
    fn function(self) -> &'static str {
        match self {
            Kind::Read => "csr_read",
            Kind::Write => "csr_write",
            Kind::Swap => "csr_swap",
            Kind::Set => "csr_set",
            Kind::Clear => "csr_clear",
            Kind::WriteConstant => "csr_write_constant",
            Kind::SetConstant => "csr_set_constant",
            Kind::ClearConstant => "csr_clear_constant",
        }
    }

    /// Whether the word before is its result.
    fn has_result(self) -> bool {
        !matches!(self, Kind::Write | Kind::WriteConstant)
    }

    fn is_constant(self) -> bool {
        matches!(self, Kind::WriteConstant | Kind::SetConstant | Kind::ClearConstant)
    }
}

/// The accesses that a CSR has.
pub fn kinds(csr: &Csr) -> &'static [Kind] {
    match csr.access {
        Access::Rw => &Kind::ALL,
        Access::Ro => &[Kind::Read],
    }
}

/// A CSR as the methods name it.
struct Named<'a> {
    csr: &'a Csr,
    /// Its type, in the module of all.
    ty: Ident,
    /// The type of a word.
    word: Ident,
    /// The constant parameter of accesses with a constant.
    constant: Ident,
}

impl<'a> Named<'a> {
    fn new(source: &Source<'a>, csr: &'a Csr) -> Named<'a> {
        Named {
            csr,
            ty: ident(&naming::type_name(&csr.name)),
            word: edge_type(Edge::Unsigned(source.section.xlen)),
            constant: source.parameter("WORD"),
        }
    }

    fn method(&self, kind: Kind) -> Ident {
        ident(&naming::csr_method(&self.csr.name, kind))
    }

    /// From `fn` up to the result.
    fn head(&self, kind: Kind) -> TokenStream {
        let Named { ty, word, constant, .. } = self;
        let name = self.method(kind);
        let generic = kind.is_constant().then(|| quote!(<const #constant: #word>));
        let receiver = if kind == Kind::Read { quote!(&self) } else { quote!(&mut self) };
        let parameter = match kind {
            Kind::Write | Kind::Swap => quote!(, word: csr::#ty),
            Kind::Set | Kind::Clear => quote!(, bits: #word),
            _ => TokenStream::new(),
        };
        let result = kind.has_result().then(|| quote!(-> csr::#ty));
        quote!(fn #name #generic (#receiver #parameter) #result)
    }

    /// Documents what is printed next as this access.
    fn document(&self, out: &mut Writer, kind: Kind) {
        let name = &self.csr.name;
        let text = match kind {
            Kind::Read => return out.docs(&self.csr.docs, format_args!("Reads `{name}`.")),
            Kind::Write => format!("Writes `{name}`."),
            Kind::Swap => format!("Writes `{name}`; returns what was there before."),
            Kind::Set => format!("Sets these bits of `{name}`; returns what was there before."),
            Kind::Clear => format!("Clears these bits of `{name}`; returns what was there before."),
            Kind::WriteConstant => {
                format!("Writes a constant to `{name}`. One below 32 is part of the instruction.")
            }
            Kind::SetConstant => format!("Sets constant bits of `{name}`; returns what was there before."),
            Kind::ClearConstant => format!("Clears constant bits of `{name}`; returns what was there before."),
        };
        out.docs("", text);
    }

    /// What the trait says of an access that is not a read or a write: no body for these two.
    fn provided(&self, kind: Kind) -> Option<TokenStream> {
        let Named { ty, constant, .. } = self;
        let [read, write, set, clear] = [Kind::Read, Kind::Write, Kind::Set, Kind::Clear].map(|kind| self.method(kind));
        let over = |new: TokenStream| {
            quote! {
                let old = self.#read();
                self.#write(#new);
                old
            }
        };
        Some(match kind {
            Kind::Read | Kind::Write => return None,
            Kind::Swap => over(quote!(word)),
            Kind::Set => over(quote!(csr::#ty(old.0 | bits))),
            Kind::Clear => over(quote!(csr::#ty(old.0 & !bits))),
            Kind::WriteConstant => quote!(self.#write(csr::#ty(#constant));),
            Kind::SetConstant => quote!(self.#set(#constant)),
            Kind::ClearConstant => quote!(self.#clear(#constant)),
        })
    }
}

/// Prints a module with the types of all CSRs.
pub fn types(out: &mut Writer, source: &Source<'_>) {
    let Source { section, lowered, .. } = source;
    if section.csrs.is_empty() {
        return;
    }
    out.docs("The words of CSRs.", "");
    out.open(quote!(pub mod csr));
    for (csr, lowered) in section.csrs.iter().zip(&lowered.csrs) {
        out.docs(&csr.docs, format_args!("The CSR `{}`.", csr.name));
        out.items(one_type(section, csr, lowered));
    }
    out.close();
}

fn one_type(section: &Section, csr: &Csr, lowered: &ir::Csr) -> TokenStream {
    let ty = ident(&naming::type_name(&csr.name));
    let word = edge_type(Edge::Unsigned(section.xlen));
    let (about_address, address) = (docs("", format_args!("The address of `{}`.", csr.name)), address(lowered));
    let fields = csr.fields.iter().zip(&lowered.fields);
    let fields = fields.map(|(field, lowered)| one_field(section, csr, field, lowered));
    quote! {
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct #ty(pub #word);

        impl #ty {
            #about_address
            pub const ADDRESS: u32 = #address;
            #(#fields)*
        }
    }
}

fn address(csr: &ir::Csr) -> TokenTree {
    literal(&hexadecimal(u64::from(csr.address), 3))
}

/// A number of bits, or a position.
fn count(n: u32) -> Literal {
    Literal::u32_unsuffixed(n)
}

/// The value of a field, from `self`.
fn read_field(lowered: &ir::CsrField, mask: &Ident, xlen: u32) -> TokenTree {
    let (lo, width) = (lowered.lo, lowered.width);
    let ty = edge_type(lowered.edge);
    part(match lowered.edge {
        Edge::Bool => quote!(self.0 & Self::#mask != 0),
        Edge::Unsigned(n) => {
            let shift = count(lo);
            let low = if lo == 0 { quote!(self.0 & Self::#mask) } else { quote!((self.0 & Self::#mask) >> #shift) };
            if n == xlen { low } else { quote!((#low) as #ty) }
        }
        // Up, so that its top bit is the word's, and down again with its sign.
        Edge::Signed(n) => {
            let (up, down) = (xlen - lo - width, xlen - width);
            let (signed, left, right) = (edge_type(Edge::Signed(xlen)), count(up), count(down));
            let top = if up == 0 { quote!(self.0) } else { quote!((self.0 << #left)) };
            let value = if down == 0 { quote!(#top as #signed) } else { quote!(#top as #signed >> #right) };
            if n == xlen { value } else { quote!((#value) as #ty) }
        }
    })
}

fn one_field(section: &Section, csr: &Csr, field: &CsrField, lowered: &ir::CsrField) -> TokenStream {
    let xlen = section.xlen;
    let (lo, width) = (lowered.lo, lowered.width);
    let word = edge_type(Edge::Unsigned(xlen));
    let bits = match width {
        1 => format!("Bit {lo}"),
        _ => format!("Bits {}:{lo}", lo + width - 1),
    };
    let [mask, shift] = ["MASK", "SHIFT"].map(|what| ident(&naming::csr_constant(&field.name, what)));
    let value = Value::new(section, &field.ty);
    let ty = value.ty();
    // Enums are declared outside of the module.
    let outside = value.is_enum().then(|| quote!(super::));
    let get = value.outer(read_field(lowered, &mask, xlen));
    let [about_shift, about_mask] =
        ["lowest bit", "bits"].map(|what| docs("", format_args!("The {what} of `{}`.", field.name)));
    let about = docs(&format!("{}\n\n{bits}.", documented(field)), "");
    let (pattern, place) = (literal(&hexadecimal(ir::ones(width) << lo, 1)), count(lo));
    let name = ident(&naming::snake(&field.name));
    let mut out = quote! {
        #about_shift
        pub const #shift: u32 = #place;
        #about_mask
        pub const #mask: #word = #pattern;

        #about
        #[must_use]
        pub const fn #name(self) -> #outside #ty {
            #outside #get
        }
    };
    if csr.access == Access::Rw {
        let inner = value.inner(crate::tokens::word("value").into());
        let wide = if lowered.edge == Edge::Unsigned(xlen) { inner } else { part(quote!((#inner as #word))) };
        let moved = if lo == 0 { wide } else { part(quote!((#wide << #place))) };
        let about = docs("", format_args!("The same word with another `{}`.", field.name));
        let with = ident(&naming::csr_with(&field.name));
        out.extend([quote! {
            #about
            #[must_use]
            pub const fn #with(self, value: #outside #ty) -> Self {
                Self((self.0 & !Self::#mask) | (#moved & Self::#mask))
            }
        }]);
    }
    out
}

fn documented(field: &CsrField) -> String {
    let text = field.docs.trim();
    if text.is_empty() { format!("The field `{}`.", field.name) } else { text.to_owned() }
}

/// Prints the accesses as the trait declares them.
pub fn declare(out: &mut Writer, source: &Source<'_>) {
    each(out, source, |out, named, kind| {
        named.document(out, kind);
        let head = named.head(kind);
        let must_use = (kind == Kind::Read).then(|| quote!(#[must_use]));
        Some(match named.provided(kind) {
            Some(body) => quote!(#must_use #[inline] #head { #body }),
            None => quote!(#must_use #head;),
        })
    });
}

/// Prints the accesses of the guard.
pub fn guard(out: &mut Writer, source: &Source<'_>, g: &Ident) {
    each(out, source, |_, named, kind| {
        let Named { ty, word: word_ty, constant, .. } = named;
        let immediate = immediate_type(Edge::Unsigned(source.section.xlen));
        let generic = kind.is_constant().then(|| quote!(, abi1::#immediate<#constant>));
        let argument = match kind {
            Kind::Read => quote!(, 0),
            Kind::Write | Kind::Swap => quote!(, word.0 as usize),
            Kind::Set | Kind::Clear => quote!(, bits as usize),
            _ => TokenStream::new(),
        };
        let function = word(kind.function());
        let call = quote!(abi1::#function::<#g, { csr::#ty::ADDRESS } #generic>(&self.0 #argument));
        let line = if kind.has_result() { quote!(csr::#ty(#call as #word_ty)) } else { quote!(let _ = #call;) };
        let head = named.head(kind);
        Some(quote!(#[inline] #head { #line }))
    });
}

/// Prints the accesses of the fallback.
pub fn soft(out: &mut Writer, source: &Source<'_>) {
    let has_state = source.lowered.state.is_some();
    each(out, source, |_, named, kind| {
        let name = ident(&naming::csr_software(&named.csr.name, kind));
        let ty = &named.ty;
        let line = match kind {
            Kind::Read => {
                let state = has_state.then(|| quote!(&self.state));
                quote!(csr::#ty(#name(#state)))
            }
            Kind::Write => {
                let state = has_state.then(|| quote!(&mut self.state,));
                quote!(#name(#state word.0);)
            }
            _ => return None,
        };
        let head = named.head(kind);
        Some(quote!(#[inline] #head { #line }))
    });
}

/// Prints something for each access.
fn each(out: &mut Writer, source: &Source<'_>, make: impl Fn(&mut Writer, &Named<'_>, Kind) -> Option<TokenStream>) {
    for csr in &source.section.csrs {
        let named = Named::new(source, csr);
        for &kind in kinds(csr) {
            if let Some(item) = make(out, &named, kind) {
                out.items(item);
            }
        }
    }
}

/// Prints what reads and writes the CSRs in software.
pub fn software<'s>(out: &mut Writer, unit: &mut Unit<'s>) {
    let section: &'s ir::Section = unit.section;
    let edge = Edge::Unsigned(section.xlen);
    let ty = edge_type(edge);
    let value = ir::Param { name: "word".to_owned(), edge, width: section.xlen, register: None };
    let has_state = section.state.is_some();
    for csr in &section.csrs {
        let (list, block) = Printer::issued(unit, &csr.read, &[], Some(edge), false);
        let list = has_state.then(|| part(quote!(st: &State))).into_iter().chain(list);
        let name = ident(&naming::csr_software(&csr.name, Kind::Read));
        out.docs("", format_args!("Reads `{}` in software.", csr.name));
        out.items(quote!(#[inline] fn #name(#(#list),*) -> #ty #block));
        let Some(body) = &csr.write else { continue };
        let (list, block) = Printer::issued(unit, body, std::slice::from_ref(&value), None, false);
        let list = has_state.then(|| part(quote!(st: &mut State))).into_iter().chain(list);
        let name = ident(&naming::csr_software(&csr.name, Kind::Write));
        out.docs("", format_args!("Writes `{}` in software.", csr.name));
        out.items(quote!(#[inline] fn #name(#(#list),*) #block));
    }
}

/// The access of any CSR, as a runtime calls it; nothing for an interface that has none.
pub fn dispatcher(section: &ir::Section) -> Option<TokenStream> {
    if section.csrs.is_empty() {
        return None;
    }
    let ty = edge_type(Edge::Unsigned(section.xlen));
    let has_state = section.state.is_some();
    let state = has_state.then(|| quote!(state));
    let writes = section.csrs.iter().any(|csr| csr.write.is_some());
    let arms = section.csrs.iter().map(|csr| {
        let [reader, writer] = [Kind::Read, Kind::Write].map(|kind| ident(&naming::csr_software(&csr.name, kind)));
        let (address, read) = (address(csr), quote!(#reader(#state)));
        let state = has_state.then(|| quote!(state,));
        match csr.write {
            Some(_) => quote! {
                #address => {
                    let old = #read;
                    if let Some(word) = op.written(old as usize, value) {
                        #writer(#state word as #ty);
                    }
                    old
                }
            },
            None => quote!(#address if op == cx::CsrOp::Read => #read,),
        }
    });
    let off = has_state.then(|| {
        quote! {
            if state.status & 3 == 0 {
                return cx::Reply { value: 0, response: cx::Response::Off };
            }
        }
    });
    let state = if has_state { quote!(state: &mut State) } else { quote!((): &mut ()) };
    let value = word(if writes { "value" } else { "_value" });
    Some(quote! {
        fn csr(#state, op: cx::CsrOp, address: u32, #value: usize) -> cx::Reply {
            #off
            let old = match address {
                #(#arms)*
                _ => return cx::Reply { value: 0, response: cx::Response::Func },
            };
            cx::Reply { value: old as usize, response: cx::Response::Ok }
        }
    })
}
