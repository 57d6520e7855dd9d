//! The C types of places, as text.

use lapis_cx::contract::library::expr::{Expr, ExprKind};
use lapis_cx::contract::library::place::{Declared, Place, Scalar, Type};
use lapis_cx::contract::library::{CallbackId, Library, Param};

use super::declarator::{declare, pointer};
use super::is_void;

/// Callbacks whose types are written out nest so deeply at most; one in another in a circle has no type in C.
const MAX_CALLBACKS: u32 = 4;

/// Types of one function.
pub(super) struct Types<'l> {
    pub(super) library: &'l Library,
    /// Its parameters: `within(p)` has the type of p.
    pub(super) params: &'l [Param],
}

impl Types<'_> {
    /// A place with a name.
    pub(super) fn declared(&self, place: &Place, name: &str) -> String {
        declare(&self.of(place, place.directions.input, MAX_CALLBACKS), name)
    }

    /// What a buffer points to, whatever it is declared as; empty for all else.
    pub(super) fn element(&self, place: &Place) -> String {
        match &place.ty {
            Type::Buffer { element, .. } => self.pointee(element, false, MAX_CALLBACKS),
            _ => String::new(),
        }
    }

    /// A result: what is borrowed is constant, what is new belongs to the caller.
    pub(super) fn result(&self, place: &Place) -> String {
        if is_void(place) { "void".to_owned() } else { self.of(place, true, MAX_CALLBACKS) }
    }

    /// The type of a place. `reads` says that nothing but reading can be meant where the place itself says nothing:
    /// behind an `in` pointer and in a result.
    fn of(&self, place: &Place, reads: bool, depth: u32) -> String {
        match &place.c {
            Some(Declared::Spelling(text)) => return text.clone(),
            Some(Declared::Type(declared)) => return self.of(declared, reads, depth),
            None => {}
        }
        match &place.ty {
            Type::Void | Type::Lifetime | Type::Tuple(_) => "void".to_owned(),
            Type::Scalar(scalar) => self::scalar(*scalar),
            Type::Enum(id) => {
                let base = self.library.sections.first().and_then(|s| s.enums.get(id.index()));
                base.map_or_else(|| "int".to_owned(), |e| integer(e.signed, e.width))
            }
            Type::Ptr | Type::Userdata(_) | Type::Function(_) | Type::Within(None) => "void *".to_owned(),
            Type::Within(Some(of)) => match self.param_of(of) {
                Some(param) => self.of(param, param.directions.input, depth),
                None => "void *".to_owned(),
            },
            Type::Handle(id) => match self.library.handles.get(id.index()) {
                Some(handle) => self.library.name_in_c(handle.c.as_deref(), &handle.name),
                None => "void *".to_owned(),
            },
            Type::Struct { id, .. } | Type::Live { id, .. } => {
                let mut id = *id;
                // A view is the struct that it shows.
                while let Some(of) = self.library.structs.get(id.index()).and_then(|s| s.view_of) {
                    id = of;
                }
                match self.library.structs.get(id.index()) {
                    Some(s) => self.library.name_in_c(s.c.as_deref(), &s.name),
                    None => "void".to_owned(),
                }
            }
            Type::Callback(id) => self.callback(*id, depth),
            Type::Buffer { element, .. } => {
                let d = place.directions;
                let reads = if d.input || d.output { d.input && !d.output } else { reads };
                let constant = reads && !d.new && !d.own && !d.local;
                // What an `in` pointer points to is read; each level says so for itself.
                pointer(&self.pointee(element, constant, depth), constant)
            }
            Type::Array { element, .. } => pointer(&self.pointee(element, reads, depth), false),
            Type::Match { arms, default, .. } => {
                let all = arms.iter().map(|arm| &arm.place).chain(default.as_deref());
                let mut types = all.map(|place| self.of(place, reads || place.directions.input, depth));
                let Some(first) = types.next() else { return "void *".to_owned() };
                let rest: Vec<_> = types.collect();
                if rest.iter().all(|ty| *ty == first) { first } else { "void *".to_owned() }
            }
            Type::File => "const char *".to_owned(),
            Type::Stream => "struct cxs_stream *".to_owned(),
        }
    }

    /// The type of an element. C adjusts an array to a pointer only if it is no element itself.
    fn pointee(&self, element: &Place, reads: bool, depth: u32) -> String {
        if let (None, Type::Array { element: inner, len }) = (&element.c, &element.ty)
            && let ExprKind::Int(count) | ExprKind::Case { value: count, .. } = &len.kind
        {
            return declare(&self.pointee(inner, reads, depth), &format!("[{count}]"));
        }
        self.of(element, reads, depth)
    }

    fn param_of(&self, expr: &Expr) -> Option<&Place> {
        match expr.kind {
            ExprKind::Param(at) => self.params.get(at as usize).map(|param| &param.place),
            _ => None,
        }
    }

    fn callback(&self, id: CallbackId, depth: u32) -> String {
        let Some(callback) = self.library.callbacks.get(id.index()) else { return "void *".to_owned() };
        if let Some(name) = &callback.c {
            return name.clone();
        }
        let Some(depth) = depth.checked_sub(1) else { return "void (*)(void)".to_owned() };
        let types = Types { library: self.library, params: &callback.params };
        let mut params: Vec<_> =
            callback.params.iter().map(|p| types.of(&p.place, p.place.directions.input, depth)).collect();
        if params.is_empty() {
            params.push("void".to_owned());
        }
        let result =
            if is_void(&callback.result) { "void".to_owned() } else { types.of(&callback.result, true, depth) };
        declare(&result, &format!("(*)({})", params.join(", ")))
    }
}

fn integer(signed: bool, bits: u32) -> String {
    // C has enums of `int` and `unsigned int` only; wider and narrower bases are spelled exactly.
    match (signed, bits) {
        (true, 32) => "int".to_owned(),
        (false, 32) => "unsigned int".to_owned(),
        (true, _) => format!("int{bits}_t"),
        (false, _) => format!("uint{bits}_t"),
    }
}

fn scalar(scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool => "_Bool",
        Scalar::Char => "char",
        Scalar::Short => "short",
        Scalar::UShort => "unsigned short",
        Scalar::Int => "int",
        Scalar::UInt => "unsigned int",
        Scalar::Long => "long",
        Scalar::ULong => "unsigned long",
        Scalar::Size => "size_t",
        Scalar::IntPtr => "intptr_t",
        Scalar::UIntPtr => "uintptr_t",
        Scalar::Unsigned(bits) => return format!("uint{bits}_t"),
        Scalar::Signed(bits) => return format!("int{bits}_t"),
        Scalar::Float => "float",
        Scalar::Double => "double",
    }
    .to_owned()
}
