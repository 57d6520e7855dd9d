//! How large things are in C and on the wire, and what numbers they are.

use super::{Number, Op, Size};
use crate::contract::EnumId;
use crate::contract::library::Library;
use crate::contract::library::expr::ExprKind;
use crate::contract::library::place::{Arm, Declared, Place, Scalar, Type};

/// The types of a library.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes<'a> {
    pub library: &'a Library,
}

impl Sizes<'_> {
    /// What makes a value of the address of a place: nothing where the address is the value.
    pub fn load(&self, place: &Place) -> Option<Op> {
        if let Some(number) = self.number(place) {
            return Some(Op::Load(number));
        }
        match &place.ty {
            Type::Ptr
            | Type::Handle(_)
            | Type::Callback(_)
            | Type::Buffer { .. }
            | Type::Within(_)
            | Type::Userdata(_)
            | Type::File
            | Type::Function(_)
            | Type::Stream => Some(Op::Follow(self.size(place))),
            Type::Match { arms, default, .. } => first_of(arms, default.as_deref()).and_then(|place| self.load(place)),
            Type::Void
            | Type::Scalar(_)
            | Type::Enum(_)
            | Type::Struct { .. }
            | Type::Live { .. }
            | Type::Array { .. }
            | Type::Lifetime
            | Type::Tuple(_) => None,
        }
    }

    /// The number that a place holds: a scalar, an enum, or the descriptor of a file.
    fn number(&self, place: &Place) -> Option<Number> {
        match &place.ty {
            Type::Scalar(scalar) => Some(Number::of(*scalar, self.size(place))),
            Type::Enum(id) => Some(Number { is_signed: self.base(*id).1, ..Number::unsigned(self.size(place)) }),
            Type::File => match &place.c {
                Some(Declared::Type(declared)) => self.number(declared),
                _ => None,
            },
            _ => None,
        }
    }

    /// Bytes of an enum's base, and whether it has a sign.
    pub fn base(&self, id: EnumId) -> (u32, bool) {
        let def = self.library.sections.first().and_then(|section| section.enums.get(id.index()));
        def.map_or((4, true), |def| (def.width / 8, def.signed))
    }

    /// What of an element says that it is the last one: its number or its address, and of a struct that of its first member.
    pub fn compared(&self, element: &Place) -> Number {
        let place = self.library.compared(element);
        self.number(place).unwrap_or_else(|| Number::unsigned(self.size(place)))
    }

    /// Bytes of a place in C.
    pub fn size(&self, place: &Place) -> Size {
        if let Some(Declared::Type(declared)) = &place.c {
            return self.size(declared);
        }
        if let (Some(Declared::Spelling(c)), Type::Scalar(_) | Type::Enum(_) | Type::Handle(_)) = (&place.c, &place.ty)
        {
            return Size::Spelling(c.clone());
        }
        match &place.ty {
            Type::Void | Type::Tuple(_) | Type::Lifetime => Size::Nothing,
            Type::Scalar(scalar) => Size::Scalar(*scalar),
            Type::Enum(id) => Size::Bytes(self.base(*id).0),
            Type::Handle(id) => Size::Handle(*id),
            Type::Struct { id, .. } | Type::Live { id, .. } => Size::Struct(*id),
            Type::Array { element, len } => match &len.kind {
                ExprKind::Int(count) | ExprKind::Case { value: count, .. } => {
                    Size::Array(Box::new(self.size(element)), count.clone())
                }
                // A trailing array has no bytes of its own.
                _ => Size::Nothing,
            },
            Type::Match { arms, default, .. } => {
                first_of(arms, default.as_deref()).map_or(Size::Nothing, |place| self.size(place))
            }
            Type::Ptr
            | Type::Callback(_)
            | Type::Buffer { .. }
            | Type::Within(_)
            | Type::Userdata(_)
            | Type::File
            | Type::Function(_)
            | Type::Stream => Size::Pointer,
        }
    }
}

/// All cases of a `match` are the same in C.
fn first_of<'a>(arms: &'a [Arm], default: Option<&'a Place>) -> Option<&'a Place> {
    arms.first().map(|arm| &arm.place).or(default)
}

impl Number {
    /// The number that a scalar of so many bytes is.
    pub(super) fn of(scalar: Scalar, size: Size) -> Number {
        let is_float = matches!(scalar, Scalar::Float | Scalar::Double);
        Number { size, is_signed: is_signed(scalar), is_char: scalar == Scalar::Char, is_float }
    }
}

/// Whether a scalar has a sign.
pub(super) fn is_signed(scalar: Scalar) -> bool {
    match scalar {
        Scalar::Short | Scalar::Int | Scalar::Long | Scalar::IntPtr | Scalar::Signed(_) => true,
        Scalar::Float | Scalar::Double => true,
        Scalar::Bool
        | Scalar::Char
        | Scalar::UShort
        | Scalar::UInt
        | Scalar::ULong
        | Scalar::Size
        | Scalar::UIntPtr
        | Scalar::Unsigned(_) => false,
    }
}
