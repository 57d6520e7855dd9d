//! The structure of the state, and its words.

use lapis_cx::contract::layout;
use lapis_cx::lower::ir::{self, Edge, Shape};
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::quote;

use crate::body::Printer;
use crate::common::Common;
use crate::docs::docs;
use crate::expr::{number, storage_type};
use crate::method::edge_type;
use crate::naming::STATUS;
use crate::print::Writer;
use crate::section::Source;
use crate::tokens::{ident, part, word};
use crate::unit::{Unit, field_names};

/// Prints the structure of the state, and its words.
pub fn print<'s>(out: &mut Writer, unit: &mut Unit<'s>, source: &Source<'s>, state: &'s ir::State) {
    let Source { section, lowered, .. } = source;
    let ty = edge_type(Edge::Unsigned(section.xlen));
    let status = word(STATUS);
    let initial = layout::status::word(layout::status::INITIAL, u64::from(state.words), 0);
    let initial = number(ir::Ty::W32, u64::from(initial), true);
    let declared = section.state.as_ref().map(|s| s.fields.as_slice()).unwrap_or_default();
    let (mut members, mut resets) = (Vec::new(), Vec::new());
    for ((field, name), declared) in state.fields.iter().zip(field_names(lowered)).zip(declared) {
        let (docs, name) = (docs(&declared.docs, format_args!("The field `{}`.", field.name)), ident(&name));
        let ty = match field.shape {
            Shape::Scalar(storage) | Shape::Array { storage, .. } => word(storage_type(storage)),
        };
        members.push(part(match field.shape {
            Shape::Scalar(_) => quote!(#docs pub #name: #ty,),
            Shape::Array { len, .. } => {
                let len = Literal::u32_unsuffixed(len);
                quote!(#docs pub #name: [#ty; #len],)
            }
        }));
        let value = initial_value(field);
        resets.push(part(quote!(#name: #value,)));
    }
    out.docs(section.state.as_ref().map_or("", |s| &s.docs), "One context.");
    out.docs(
        "A field holds patterns below 2^width of its type, signed values as two's complement;\nrows of arrays follow each \
         other, and wide values are limbs of 32 bits, lowest first.",
        "",
    );
    out.items(quote! {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct State {
            /// The status word: cs in bits 1:0 (0 off, 1 initial, 2 clean, 3 dirty), the state words in
            /// 11:2, an error code in 31:24.
            pub #status: u32,
            #(#members)*
        }
    });
    let words = Literal::u32_unsuffixed(state.words + 1);
    out.open(quote!(impl State));
    out.docs("Words in an image: the status word, and the state words.", "");
    out.items(quote!(pub const WORDS: usize = #words;));
    out.docs("The reset state: cs is initial.", "");
    out.items(quote!(pub const RESET: State = State { #status: #initial, #(#resets)* };));
    let (xlen, live) = (section.xlen, state.live.is_some());
    out.common(Common::Save { xlen, live });
    out.common(Common::Restore { xlen, live, words: state.words, codes: state.codes.clone() });
    let (names, read) = Printer::method(unit, &state.read_word, 1);
    out.docs("The state word at an index, 0 outside.", "");
    out.items(quote!(fn read_word(&self, #(#names: #ty),*) -> #ty #read));
    let (names, write) = Printer::method(unit, &state.write_word, 2);
    out.docs("Writes the state word at an index; drops what lies outside.", "");
    out.items(quote!(fn write_word(&mut self, #(#names: #ty),*) #write));
    if let Some(live) = &state.live {
        live_words(out, unit, live, &ty);
    }
    out.close();
    out.common(Common::DefaultState);
}

/// A state begins as it is after a reset.
pub fn default() -> TokenStream {
    quote! {
        impl Default for State {
            fn default() -> Self {
                State::RESET
            }
        }
    }
}

/// Prints what an image carries of each state word.
fn live_words<'s>(out: &mut Writer, unit: &mut Unit<'s>, live: &'s ir::Live, ty: &Ident) {
    let (names, read) = Printer::method(unit, &live.save, 1);
    out.docs("The state word at an index if it is live, else 0.", "");
    out.items(quote!(fn live_word(&self, #(#names: #ty),*) -> #ty #read));
    let (names, write) = Printer::method(unit, &live.restore, 2);
    out.docs("Writes the state word at an index if it is live, given the state as it is.", "");
    out.items(quote!(fn write_live_word(&mut self, #(#names: #ty),*) #write));
}

/// How an image is made. That of live state only passes over the other words.
pub fn save(xlen: u32, live: bool) -> TokenStream {
    let ty = edge_type(Edge::Unsigned(xlen));
    let read_one = word(if live { "live_word" } else { "read_word" });
    let own = if xlen == 32 { quote!(self.status) } else { quote!(u64::from(self.status)) };
    quote! {
        /// The status word, then the state words.
        #[must_use]
        pub fn save(&self) -> [#ty; State::WORDS] {
            let mut words = [0; State::WORDS];
            let [status, rest @ ..] = &mut words;
            *status = #own;
            for (word, index) in rest.iter_mut().zip(0..) {
                *word = self.#read_one(index);
            }
            words
        }
    }
}

/// How an image is read. After a reset the old code is 0, so an undeclared one becomes 0, as `write_status` has it.
pub fn restore(xlen: u32, live: bool, words: u32, codes: &[u8]) -> TokenStream {
    let ty = edge_type(Edge::Unsigned(xlen));
    let write_one = word(if live { "write_live_word" } else { "write_word" });
    let size = layout::status::word(layout::status::OFF, u64::from(words), 0);
    let size = number(ir::Ty::W32, u64::from(size), true);
    let low = if xlen == 32 { quote!(*status & 3) } else { quote!(*status as u32 & 3) };
    let high = if xlen == 32 { quote!(*status >> 24) } else { quote!((*status as u32) >> 24) };
    let code = (!codes.is_empty()).then(|| {
        let codes = codes.iter().map(|code| Literal::u8_unsuffixed(*code));
        quote! {
            let code = #high;
            if matches!(code, #(#codes)|*) {
                self.status |= code << 24;
            }
        }
    });
    quote! {
        /// Loads what [`save`](State::save) gave. In cs off or initial the fields are reset; an undeclared
        /// error code becomes 0.
        pub fn restore(&mut self, words: &[#ty; State::WORDS]) {
            let [status, rest @ ..] = words;
            *self = State { status: (#low) | #size, ..State::RESET };
            #code
            if self.status & 3 >= 2 {
                for (word, index) in rest.iter().zip(0..) {
                    self.#write_one(index, *word);
                }
            }
        }
    }
}

/// A field's value after reset.
fn initial_value(field: &ir::Field) -> TokenTree {
    let (storage, is_array) = match field.shape {
        Shape::Scalar(storage) => (storage, false),
        Shape::Array { storage, .. } => (storage, true),
    };
    let item = |v: &u64| number(storage.ty(), *v, false);
    match field.reset.as_slice() {
        [first, rest @ ..] if is_array && rest.iter().all(|v| v == first) => {
            let (value, len) = (item(first), Literal::usize_unsuffixed(field.reset.len()));
            part(quote!([#value; #len]))
        }
        all if is_array => {
            let all = all.iter().map(item);
            part(quote!([#(#all),*]))
        }
        [only] => item(only),
        _ => Literal::u8_unsuffixed(0).into(),
    }
}
