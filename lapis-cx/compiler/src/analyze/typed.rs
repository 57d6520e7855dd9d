//! A checked expression: its type as the language sees it, its constant value if it has one, and its core.

use crate::contract::core::{Expr, ExprKind, Type, Value};
use crate::int::Int;

/// The length, in [`Type::Array`], of a buffer of a library whose length only the call knows. Any position may be in it, and
/// an element behind its end is 0, as everywhere. Only bodies of libraries have such types.
pub(super) const UNKNOWN_LENGTH: u32 = 0;

/// Whether a value of a type has parts of [`UNKNOWN_LENGTH`].
pub(super) fn is_of_unknown_length(ty: &Type) -> bool {
    ty.flattened().1 == u64::from(UNKNOWN_LENGTH)
}

/// The type of an expression while it is checked.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ty {
    /// A type of the language.
    Sized(Type),
    /// A mathematical integer somewhere in `lo..=hi`.
    Unsized { lo: Int, hi: Int },
    /// Something was wrong and has been said; whatever is done with it is right.
    Error,
}

/// A checked expression.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) ty: Ty,
    /// Its value, if it is a scalar constant.
    pub(super) value: Option<Int>,
    /// Its core; where `ty` is unsized, of the smallest type that holds the range.
    pub(super) expr: Expr,
}

impl Typed {
    /// The poisoned expression.
    pub(super) fn error() -> Typed {
        Typed { ty: Ty::Error, value: None, expr: constant(Type::Bool, Value::Int(Int::ZERO)) }
    }

    /// An unsized constant.
    pub(super) fn number(v: Int) -> Typed {
        let ty = Type::smallest(&v, &v);
        Typed {
            ty: Ty::Unsized { lo: v.clone(), hi: v.clone() },
            value: Some(v.clone()),
            expr: constant(ty, Value::Int(v)),
        }
    }

    /// A constant of a type.
    pub(super) fn constant(ty: Type, value: Value) -> Typed {
        let scalar = match &value {
            Value::Int(v) => Some(v.clone()),
            Value::Array(_) => None,
        };
        Typed { ty: Ty::Sized(ty.clone()), value: scalar, expr: constant(ty, value) }
    }

    /// A bool that is known.
    pub(super) fn bool(v: bool) -> Typed {
        Typed::constant(Type::Bool, Value::Int(Int::from(v)))
    }

    /// A value of a type that is computed.
    pub(super) fn sized(ty: Type, kind: ExprKind) -> Typed {
        Typed { ty: Ty::Sized(ty.clone()), value: None, expr: Expr { ty, kind } }
    }

    /// An unsized integer that varies.
    pub(super) fn ranged(lo: Int, hi: Int, kind: ExprKind) -> Typed {
        let ty = Type::smallest(&lo, &hi);
        Typed { ty: Ty::Unsized { lo, hi }, value: None, expr: Expr { ty, kind } }
    }

    pub(super) fn is_error(&self) -> bool {
        self.ty == Ty::Error
    }

    /// The type, if it is one of the language.
    pub(super) fn sized_type(&self) -> Option<&Type> {
        match &self.ty {
            Ty::Sized(ty) => Some(ty),
            _ => None,
        }
    }

    /// Whether it is an integer, sized or not.
    pub(super) fn is_integer(&self) -> bool {
        match &self.ty {
            Ty::Sized(ty) => ty.is_integer(),
            Ty::Unsized { .. } => true,
            Ty::Error => false,
        }
    }

    /// The least and greatest value of an integer.
    pub(super) fn range(&self) -> (Int, Int) {
        match &self.ty {
            Ty::Sized(ty) => ty.range(),
            Ty::Unsized { lo, hi } => (lo.clone(), hi.clone()),
            Ty::Error => (Int::ZERO, Int::ZERO),
        }
    }

    /// The scalar constant.
    pub(super) fn int(&self) -> Option<Int> {
        self.value.clone()
    }

    /// Its core where only the number counts, as for a position: a constant integer forgets how it was typed.
    pub(super) fn into_number(self) -> Expr {
        match &self.value {
            Some(v) if self.is_integer() => Typed::number(v.clone()).expr,
            _ => self.expr,
        }
    }

    /// Whether its value is known, be it a scalar or an array.
    pub(super) fn is_constant(&self) -> bool {
        matches!(self.expr.kind, ExprKind::Const(_) | ExprKind::Table(_))
    }
}

fn constant(ty: Type, value: Value) -> Expr {
    Expr { ty, kind: ExprKind::Const(value) }
}

/// A type as the source writes it, given the names of enums.
pub(super) fn describe(ty: &Type, enum_name: &dyn Fn(u32) -> String) -> String {
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::U(n) => format!("u{n}"),
        Type::S(n) => format!("s{n}"),
        Type::Enum { id, .. } => enum_name(id.0),
        Type::Array { .. } => {
            // `s8[4][256]` is 4 arrays of 256: the outer length is written first.
            let mut dims = String::new();
            let mut inner = ty;
            while let Type::Array { len, elem } = inner {
                if *len == UNKNOWN_LENGTH {
                    return format!("[{}; …]{dims}", describe(elem, enum_name));
                }
                dims.push_str(&format!("[{len}]"));
                inner = elem;
            }
            describe(inner, enum_name) + &dims
        }
    }
}
