//! Types of the specification as Rust types with the layout of C.

use std::collections::HashMap;

use lapis_cx::contract::EnumId;
use lapis_cx::contract::library::expr::ExprKind;
use lapis_cx::contract::library::place::{Declared, Place, Scalar, Type};
use lapis_cx::contract::library::{CallbackId, Function, Library, Struct, StructId};
use lapis_cx_backend_rust::naming::{self, Scope};
use lapis_cx_backend_rust::tokens::{ident, literal};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Names that every module defines, and names of the standard library that generated code uses.
const RESERVED: &[&str] = &["Client", "Error", "Failed", "Reach", "Option", "Result"];

/// The types of one library, with their names.
pub struct Types<'l> {
    pub library: &'l Library,
    structs: Vec<Ident>,
    handles: Vec<Ident>,
    enums: Vec<Ident>,
    callbacks: Vec<Ident>,
    /// The trait.
    pub service: Ident,
    /// The structs with the arguments of functions, and of callbacks.
    pub calls: Vec<Ident>,
    pub callback_calls: Vec<Ident>,
    /// Types for C spellings, by the spelling.
    spelled: HashMap<String, Scalar>,
}

impl<'l> Types<'l> {
    pub fn new(library: &'l Library) -> Types<'l> {
        let mut scope = Scope::default();
        RESERVED.iter().for_each(|name| scope.reserve(*name));
        let mut name = |name: &str| ident(&scope.fresh(&naming::type_name(name)));
        let service = name(&library.name);
        let structs = library.structs.iter().map(|one| name(&one.name)).collect();
        let handles = library.handles.iter().map(|one| name(&one.name)).collect();
        let enums = library.sections.first().into_iter().flat_map(|section| &section.enums);
        let enums = enums.map(|one| name(&one.name)).collect();
        let callbacks = library.callbacks.iter().map(|one| name(&one.name)).collect();
        let calls = library.functions.iter().map(|one| name(&format!("call_{}", one.name))).collect();
        let callback_calls = library.callbacks.iter().map(|one| name(&format!("callback_{}", one.name))).collect();
        let spelled = HashMap::new();
        let mut types = Types { library, structs, handles, enums, callbacks, service, calls, callback_calls, spelled };
        types.find_spelled();
        types
    }

    /// Gives each C spelling one type: the smallest type that the specification gives it, because C's type is no larger than any of them.
    fn find_spelled(&mut self) {
        let library = self.library;
        let functions = library.functions.iter().chain(&library.callbacks);
        let of_functions = functions.flat_map(|function| {
            let params = function.params.iter().map(|param| &param.place);
            params.chain(function.implicits.iter().map(|implicit| &implicit.place)).chain([&function.result])
        });
        let members = library.structs.iter().flat_map(|one| one.members.iter().map(|member| &member.place));
        let mut left: Vec<&Place> = of_functions.chain(members).collect();
        while let Some(place) = left.pop() {
            if let Some(Declared::Type(inner)) = &place.c {
                left.push(inner);
            }
            if let Some(Declared::Spelling(text)) = &place.c {
                let scalar = match &place.ty {
                    Type::Scalar(scalar) => Some(*scalar),
                    Type::Enum(id) => Some(self.base(*id)),
                    Type::Handle(_) => Some(Scalar::UIntPtr),
                    _ => None,
                };
                if let Some(scalar) = scalar {
                    let known = self.spelled.entry(text.clone()).or_insert(scalar);
                    if scalar.wire_bytes() < known.wire_bytes() {
                        *known = scalar;
                    }
                }
            }
            match &place.ty {
                Type::Buffer { element, .. } | Type::Array { element, .. } => left.push(element),
                Type::Match { arms, default, .. } => {
                    left.extend(arms.iter().map(|arm| &arm.place));
                    left.extend(default.as_deref());
                }
                Type::Tuple(params) => left.extend(params.iter().map(|param| &param.place)),
                _ => {}
            }
        }
    }

    /// Returns the struct that a view annotates; of another struct, the struct itself.
    pub fn shown(&self, mut id: StructId) -> StructId {
        while let Some(of) = self.library.structs.get(id.index()).and_then(|one| one.view_of) {
            id = of;
        }
        id
    }

    /// A struct, or what a view shows.
    pub fn structure(&self, id: StructId) -> TokenStream {
        self.structs.get(self.shown(id).index()).map_or_else(|| quote!(()), |name| quote!(#name))
    }

    pub fn struct_name(&self, id: StructId) -> Option<&Ident> {
        self.structs.get(id.index())
    }

    pub fn handles(&self) -> &[Ident] {
        &self.handles
    }

    pub fn enums(&self) -> &[Ident] {
        &self.enums
    }

    pub fn callback(&self, id: CallbackId) -> Option<&Ident> {
        self.callbacks.get(id.index())
    }

    pub fn handle(&self, index: usize) -> TokenStream {
        self.handles.get(index).map_or_else(|| quote!(usize), |name| quote!(#name))
    }

    pub fn enumeration(&self, index: usize) -> TokenStream {
        self.enums.get(index).map_or_else(|| quote!(i32), |name| quote!(#name))
    }

    /// The number in an enum.
    pub fn base(&self, id: EnumId) -> Scalar {
        let def = self.library.sections.first().and_then(|section| section.enums.get(id.index()));
        match def {
            Some(def) if def.signed => Scalar::Signed(def.width),
            Some(def) => Scalar::Unsigned(def.width),
            None => Scalar::Signed(32),
        }
    }

    /// Returns the type for a C spelling.
    pub fn spelling(&self, text: &str) -> TokenStream {
        scalar(self.spelled.get(text).copied().unwrap_or(Scalar::UIntPtr))
    }

    /// Returns the type of a place in the arguments of a call, where pointers are untyped.
    pub fn raw(&self, place: &Place) -> TokenStream {
        match &place.c {
            Some(Declared::Type(declared)) => return self.raw(declared),
            Some(Declared::Spelling(text)) if matches!(place.ty, Type::Scalar(_) | Type::Enum(_) | Type::Handle(_)) => {
                return self.spelling(text);
            }
            _ => {}
        }
        match &place.ty {
            Type::Void | Type::Lifetime | Type::Tuple(_) => quote!(()),
            Type::Scalar(one) => scalar(*one),
            Type::Enum(id) => self.enumeration(id.index()),
            Type::Handle(id) => self.handle(id.index()),
            Type::Struct { id, .. } | Type::Live { id, .. } => self.structure(*id),
            Type::Array { element, len } => {
                let (element, len) = (self.raw(element), literal(&count(&len.kind).to_string()));
                quote!([#element; #len])
            }
            Type::Match { arms, default, .. } => {
                let first = arms.first().map(|arm| &arm.place).or(default.as_deref());
                first.map_or_else(|| quote!(*mut ::core::ffi::c_void), |first| self.raw(first))
            }
            Type::Ptr
            | Type::Callback(_)
            | Type::Buffer { .. }
            | Type::Within(_)
            | Type::Userdata(_)
            | Type::File
            | Type::Function(_)
            | Type::Stream => quote!(*mut ::core::ffi::c_void),
        }
    }

    /// A public member, with the types of what its pointers are to.
    fn member(&self, place: &Place) -> TokenStream {
        if place.c.is_some() && matches!(place.c, Some(Declared::Type(_))) {
            return self.raw(place);
        }
        match &place.ty {
            Type::Buffer { element, .. } => {
                let is_char = matches!(element.ty, Type::Scalar(Scalar::Char));
                let inner = if is_char { quote!(::core::ffi::c_char) } else { self.member(element) };
                if place.directions.output { quote!(*mut #inner) } else { quote!(*const #inner) }
            }
            Type::Callback(id) => match self.library.callbacks.get(id.index()) {
                Some(callback) => self.function(callback),
                None => self.raw(place),
            },
            _ => self.raw(place),
        }
    }

    /// A pointer to a function of a callback's type. In it, callbacks have no types: they could go round in a circle.
    pub fn function(&self, callback: &Function) -> TokenStream {
        let params = callback.params.iter().map(|param| self.raw(&param.place));
        let result = returns(self.result(callback));
        quote!(::core::option::Option<unsafe extern "C" fn(#(#params),*) #result>)
    }

    /// The result in memory; `None` without a result.
    pub fn result(&self, function: &Function) -> Option<TokenStream> {
        (!matches!(function.result.ty, Type::Void)).then(|| self.raw(&function.result))
    }

    /// The members of a struct, with the types that are seen outside.
    pub fn members(&self, def: &Struct) -> Vec<(Ident, TokenStream)> {
        let types = def.members.iter().map(|member| self.member(&member.place));
        member_names(def).into_iter().zip(types).collect()
    }

    /// Whether a place consists of numbers, so that all bit patterns are valid.
    pub fn is_plain(&self, place: &Place) -> bool {
        self.is_plain_in(place, 8)
    }

    fn is_plain_in(&self, place: &Place, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        if let Some(Declared::Type(_)) = &place.c {
            return false;
        }
        match &place.ty {
            Type::Scalar(_) | Type::Enum(_) | Type::Handle(_) => true,
            Type::Struct { id, .. } => {
                self.library.structs.get(id.index()).is_some_and(|def| self.is_plain_struct(def, depth))
            }
            Type::Array { element, len } => count(&len.kind) > 0 && self.is_plain_in(element, depth),
            _ => false,
        }
    }

    pub fn is_plain_struct(&self, def: &Struct, depth: u32) -> bool {
        !def.is_union && def.members.iter().all(|member| self.is_plain_in(&member.place, depth))
    }

    /// Whether a struct contains a union: its live member is unknown.
    pub fn has_union(&self, def: &Struct, depth: u32) -> bool {
        def.is_union || depth == 0 || def.members.iter().any(|member| self.shows_union(&member.place, depth - 1))
    }

    fn shows_union(&self, place: &Place, depth: u32) -> bool {
        match &place.ty {
            Type::Struct { id, .. } | Type::Live { id, .. } => {
                self.library.structs.get(id.index()).is_some_and(|def| self.has_union(def, depth))
            }
            Type::Array { element, .. } => self.shows_union(element, depth),
            Type::Match { arms, default, .. } => {
                let mut all = arms.iter().map(|arm| &arm.place).chain(default.as_deref());
                all.any(|place| self.shows_union(place, depth))
            }
            _ => false,
        }
    }
}

/// The names of a struct's members.
pub fn member_names(def: &Struct) -> Vec<Ident> {
    let mut scope = Scope::default();
    def.members.iter().map(|member| ident(&scope.fresh(&naming::snake(&member.name)))).collect()
}

/// ` -> T`, or nothing.
pub fn returns(result: Option<TokenStream>) -> TokenStream {
    result.map_or_else(TokenStream::new, |result| quote!(-> #result))
}

fn count(len: &ExprKind) -> u64 {
    match len {
        ExprKind::Int(count) | ExprKind::Case { value: count, .. } => count.to_u64().unwrap_or(0),
        _ => 0,
    }
}

/// A number.
pub fn scalar(scalar: Scalar) -> TokenStream {
    match scalar {
        Scalar::Bool | Scalar::Char | Scalar::Unsigned(8) => quote!(u8),
        Scalar::Signed(8) => quote!(i8),
        Scalar::Short | Scalar::Signed(16) => quote!(i16),
        Scalar::UShort | Scalar::Unsigned(16) => quote!(u16),
        Scalar::Int | Scalar::Signed(32) => quote!(i32),
        Scalar::UInt | Scalar::Unsigned(32) => quote!(u32),
        Scalar::Long | Scalar::Signed(_) => quote!(i64),
        Scalar::ULong | Scalar::Unsigned(_) => quote!(u64),
        Scalar::Size | Scalar::UIntPtr => quote!(usize),
        Scalar::IntPtr => quote!(isize),
        Scalar::Float => quote!(f32),
        Scalar::Double => quote!(f64),
    }
}
