//! What functions of a library take and give, in Rust.

use lapis_cx::contract::Section;
use lapis_cx::contract::library::place::{Place, Scalar, Type};
use lapis_cx::contract::library::{Function, Library};
use lapis_cx::lower::ir::Edge;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

use crate::expr::{Code, pattern};
use crate::method::{Value, edge_type};
use crate::naming::{self, Scope};
use crate::tokens::{ident, part, word};

/// A number.
#[derive(Clone, Debug)]
pub struct Number {
    value: Value,
    /// `usize` or `isize`, where that is its type.
    native: Option<&'static str>,
    /// The module of an enum, if it is another one.
    module: Option<Ident>,
}

impl Number {
    /// That of a place; `None` if it is none.
    pub fn new(section: &Section, place: &Place) -> Option<Number> {
        let native = match place.ty {
            Type::Scalar(Scalar::Size | Scalar::UIntPtr) => Some("usize"),
            Type::Scalar(Scalar::IntPtr) => Some("isize"),
            _ => None,
        };
        Some(Number { value: Value::new(section, &place.number(section)?), native, module: None })
    }

    /// A value of a command of the interface in this module.
    pub fn of(module: &Ident, value: &Value) -> Number {
        Number { value: value.clone(), native: None, module: Some(module.clone()) }
    }

    /// Its type.
    pub fn ty(&self) -> Ident {
        self.native.map_or_else(|| self.value.ty(), word)
    }

    /// The edge, for the body.
    pub fn edge(&self) -> Edge {
        self.value.edge
    }

    /// Whether its type is as wide as a pointer.
    pub fn is_native(&self) -> bool {
        self.native.is_some()
    }

    /// Whether it is the signed type of so many bits.
    pub fn is_signed(&self, bits: u32) -> bool {
        self.edge() == Edge::Signed(bits) && self.native.is_none()
    }

    /// Whether the body computes with values of this type.
    pub fn is_word(&self) -> bool {
        let is_word = matches!(self.edge(), Edge::Bool | Edge::Unsigned(32 | 64));
        is_word && self.native.is_none() && !self.value.is_enum()
    }

    /// The integer or bool inside of a value of this type.
    pub fn inner(&self, value: TokenTree) -> TokenTree {
        self.value.inner(value)
    }

    fn outer(&self, inner: TokenTree) -> TokenTree {
        match &self.module {
            Some(module) if self.value.is_enum() => {
                let ty = self.value.ty();
                part(quote!(#module::#ty(#inner)))
            }
            _ => self.value.outer(inner),
        }
    }

    /// The pattern of a value of this type, as the body computes with it.
    pub fn word(&self, value: TokenTree) -> Code {
        pattern(self.inner(value), self.edge(), self.is_native())
    }

    /// The type in which a pattern is given, and what makes a value of it.
    pub fn of_word(&self) -> (Ident, impl Fn(TokenTree) -> TokenTree + '_) {
        (self.native.map_or_else(|| edge_type(self.edge()), word), |inner| self.outer(inner))
    }
}

/// What a parameter is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A number.
    Number(Number),
    /// A slice of numbers.
    Buffer {
        /// Its elements.
        number: Number,
        /// Whether the callee writes it.
        written: bool,
        /// Whether there may be none.
        optional: bool,
    },
    /// Something else, which bodies only pass on: a type of the one who is called.
    Passed(Ident),
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param<'l> {
    /// Its name in the source.
    pub name: &'l str,
    /// Its documentation.
    pub docs: &'l str,
    /// What it is.
    pub kind: Kind,
}

impl Kind {
    /// Its type; `of` is the type that has those which bodies only pass on.
    pub fn ty(&self, of: &Ident) -> TokenTree {
        part(match self {
            Kind::Number(number) => return number.ty().into(),
            Kind::Buffer { number, written, optional } => {
                let ty = number.ty();
                let slice = if *written { quote!(&mut [#ty]) } else { quote!(&[#ty]) };
                if *optional { quote!(Option<#slice>) } else { slice }
            }
            Kind::Passed(name) => quote!(&#of::#name),
        })
    }
}

/// The types that a library only passes on, with their names.
#[derive(Clone, Debug, Default)]
pub struct Passed<'l> {
    types: Vec<(&'l Type, Ident)>,
    scope: Scope,
}

impl<'l> Passed<'l> {
    /// The name of a type.
    fn name(&mut self, library: &'l Library, ty: &'l Type) -> Ident {
        if let Some((_, name)) = self.types.iter().find(|(known, _)| *known == ty) {
            return name.clone();
        }
        let named = match ty {
            Type::Handle(id) => library.handles.get(id.index()).map(|handle| &handle.name),
            Type::Struct { id, .. } | Type::Live { id, .. } => library.structs.get(id.index()).map(|s| &s.name),
            Type::Callback(id) => library.callbacks.get(id.index()).map(|callback| &callback.name),
            _ => None,
        };
        let name =
            ident(&self.scope.fresh(&named.map_or_else(|| "Pointer".to_owned(), |name| naming::type_name(name))));
        self.types.push((ty, name.clone()));
        name
    }

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &Ident> {
        self.types.iter().map(|(_, name)| name)
    }

    /// The parameters of a function.
    pub fn params(&mut self, library: &'l Library, section: &Section, function: &'l Function) -> Vec<Param<'l>> {
        let mut kind = |place: &'l Place| {
            if let Some(number) = Number::new(section, place) {
                return Kind::Number(number);
            }
            if let Type::Buffer { element, .. } = &place.ty
                && let Some(number) = Number::new(section, element)
            {
                return Kind::Buffer { number, written: place.directions.output, optional: place.optional };
            }
            Kind::Passed(self.name(library, &place.ty))
        };
        function.params.iter().map(|p| Param { name: &p.name, docs: &p.docs, kind: kind(&p.place) }).collect()
    }
}

/// ` -> T`, or nothing.
pub fn returns(result: Option<&Number>) -> Option<TokenTree> {
    result.map(|number| {
        let ty = number.ty();
        part(quote!(-> #ty))
    })
}

/// Tokens of a list, each with a comma before it.
pub fn behind(list: impl IntoIterator<Item = TokenTree>) -> TokenStream {
    list.into_iter().flat_map(|item| quote!(, #item)).collect()
}
