//! The language's typing rules, written a second time for the generator: the type of each expression at one XLEN, for
//! one heir and one set of generics. `None` means that the checker must refuse it.

use lapis_cx::contract::core::{BinaryOp, Type, UnaryOp};
use lapis_cx::int::Int;
use lapis_cx::oracle::ops;

/// Widest integer of the language.
pub const MAX_WIDTH: u32 = 1024;

/// The type of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    /// A type of the language.
    Sized(Type),
    /// A number without a size, somewhere in `lo..=hi`.
    Unsized {
        /// The least value.
        lo: Int,
        /// The greatest value.
        hi: Int,
    },
}

/// What the checker knows of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// It varies.
    No,
    /// It is a constant whose value is not followed here: it must not stand where the value decides.
    Some,
    /// It is this constant.
    Int(Int),
}

/// What is known of an expression before it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Static {
    /// Its type.
    pub ty: Ty,
    /// Its value.
    pub known: Known,
}

impl Static {
    /// A value of a type that varies.
    pub fn varies(ty: Type) -> Static {
        Static { ty: Ty::Sized(ty), known: Known::No }
    }

    /// A number without a size.
    pub fn number(v: Int) -> Static {
        Static { ty: Ty::Unsized { lo: v.clone(), hi: v.clone() }, known: Known::Int(v) }
    }

    /// A number without a size that varies.
    pub fn ranged(lo: Int, hi: Int) -> Static {
        Static { ty: Ty::Unsized { lo, hi }, known: Known::No }
    }

    /// A constant of a type.
    pub fn constant(ty: Type, v: Int) -> Static {
        Static { ty: Ty::Sized(ty), known: Known::Int(v) }
    }

    /// What stands for an expression where it is not checked.
    pub fn dead() -> Static {
        Static::varies(Type::Bool)
    }

    /// The type of the core: the smallest one of a number without a size.
    pub fn core(&self) -> Type {
        match &self.ty {
            Ty::Sized(ty) => ty.clone(),
            Ty::Unsized { lo, hi } => Type::smallest(lo, hi),
        }
    }

    /// The type, if it has a size.
    pub fn sized(&self) -> Option<&Type> {
        match &self.ty {
            Ty::Sized(ty) => Some(ty),
            Ty::Unsized { .. } => None,
        }
    }

    /// Whether it is an integer, with or without a size.
    pub fn is_integer(&self) -> bool {
        self.sized().is_none_or(Type::is_integer)
    }

    /// Whether it is an integer with a size.
    pub fn is_sized_integer(&self) -> bool {
        self.sized().is_some_and(Type::is_integer)
    }

    /// The least and the greatest value of an integer.
    pub fn range(&self) -> (Int, Int) {
        match &self.ty {
            Ty::Sized(ty) => ty.range(),
            Ty::Unsized { lo, hi } => (lo.clone(), hi.clone()),
        }
    }

    /// The value that is known.
    pub fn int(&self) -> Option<&Int> {
        match &self.known {
            Known::Int(v) => Some(v),
            _ => None,
        }
    }

    fn with(ty: Type, known: Known) -> Static {
        Static { ty: Ty::Sized(ty), known }
    }
}

/// Whether every value fits a type, so that the conversion needs no word.
pub fn fits(from: &Static, target: &Type) -> bool {
    match from.sized() {
        Some(ty) if ty == target => true,
        _ if !target.is_integer() || !from.is_integer() => false,
        _ => {
            let ((lo, hi), (least, greatest)) = (from.range(), target.range());
            least <= lo && hi <= greatest
        }
    }
}

/// What is known of a result whose operands are known so far; `v` computes it.
fn join_known(operands: &[&Known], v: impl Fn(&[&Int]) -> Int) -> Known {
    if operands.iter().any(|k| matches!(k, Known::No)) {
        return Known::No;
    }
    let ints: Option<Vec<&Int>> = operands
        .iter()
        .map(|k| match k {
            Known::Int(v) => Some(v),
            _ => None,
        })
        .collect();
    ints.map_or(Known::Some, |ints| Known::Int(v(&ints)))
}

fn converted(known: &Known, ty: &Type) -> Known {
    join_known(&[known], |v| ty.reduce(v.first().unwrap_or(&&Int::ZERO)))
}

/// A condition: `bool` or `u1`.
pub fn condition(x: &Static) -> Option<Static> {
    match x.sized()? {
        // A value that is not followed must not decide what is checked.
        Type::Bool | Type::U(1) if x.known != Known::Some => Some(Static::with(Type::Bool, x.known.clone())),
        _ => None,
    }
}

/// `-x`, `~x`, `!x`
pub fn unary(op: &str, x: &Static) -> Option<Static> {
    match (op, &x.ty) {
        ("!", _) => {
            let x = condition(x)?;
            Some(Static::with(Type::Bool, join_known(&[&x.known], |v| Int::from(v[0].is_zero()))))
        }
        ("-", Ty::Unsized { lo, hi }) => {
            let known = join_known(&[&x.known], |v| -v[0]);
            bounded(Static { ty: Ty::Unsized { lo: -hi, hi: -lo }, known })
        }
        ("-", Ty::Sized(Type::U(n) | Type::S(n))) if *n < MAX_WIDTH => {
            Some(computed_unary(UnaryOp::Neg, Type::S(n + 1), x))
        }
        ("~", Ty::Sized(ty @ (Type::U(_) | Type::S(_)))) => Some(computed_unary(UnaryOp::Not, ty.clone(), x)),
        _ => None,
    }
}

fn computed_unary(op: UnaryOp, ty: Type, x: &Static) -> Static {
    let known = join_known(&[&x.known], |v| ops::unary(op, &ty, v[0]));
    Static::with(ty, known)
}

fn bounded(x: Static) -> Option<Static> {
    (x.core().width() <= MAX_WIDTH).then_some(x)
}

/// The core operator of a symbol.
fn binary_op(symbol: &str) -> Option<BinaryOp> {
    Some(match symbol {
        "+" | "+%" => BinaryOp::Add,
        "-" | "-%" => BinaryOp::Sub,
        "*" | "*%" => BinaryOp::Mul,
        "/" => BinaryOp::Div,
        "%" => BinaryOp::Rem,
        "&" => BinaryOp::And,
        "|" => BinaryOp::Or,
        "^" => BinaryOp::Xor,
        "<<" => BinaryOp::Shl,
        ">>" => BinaryOp::Shr,
        "==" => BinaryOp::Eq,
        "!=" => BinaryOp::Ne,
        "<" => BinaryOp::Lt,
        "<=" => BinaryOp::Le,
        ">" => BinaryOp::Gt,
        ">=" => BinaryOp::Ge,
        "min" => BinaryOp::Min,
        "max" => BinaryOp::Max,
        _ => return None,
    })
}

/// The type of the side that holds the other.
pub fn common_type(a: &Static, b: &Static) -> Option<Type> {
    [a.sized(), b.sized()].into_iter().flatten().find(|ty| fits(a, ty) && fits(b, ty)).cloned()
}

/// A node of a type whose operands are first converted to `operand`.
fn computed(op: BinaryOp, ty: Type, operand: Option<&Type>, x: &Static, y: &Static) -> Option<Static> {
    if ty.width() > MAX_WIDTH {
        return None;
    }
    let known = join_known(&[&x.known, &y.known], |v| {
        let reduced = |v: &Int| operand.map_or(v.clone(), |ty| ty.reduce(v));
        ops::binary(op, &ty, &reduced(v[0]), &reduced(v[1]))
    });
    Some(Static::with(ty, known))
}

/// An infix operator.
pub fn binary(symbol: &str, x: &Static, y: &Static) -> Option<Static> {
    if let "&&" | "||" = symbol {
        return logical(symbol == "&&", x, Some(y));
    }
    let op = binary_op(symbol)?;
    let both_unsized = x.sized().is_none() && y.sized().is_none();
    match symbol {
        "==" | "!=" | "<" | "<=" | ">" | ">=" => {
            let alike = match (x.sized(), y.sized()) {
                (Some(a @ (Type::Bool | Type::Enum { .. })), b) => b == Some(a) && matches!(symbol, "==" | "!="),
                _ => x.is_integer() && y.is_integer(),
            };
            alike.then(|| computed(op, Type::Bool, None, x, y)).flatten()
        }
        "<<" | ">>" => {
            if !x.is_integer() || !y.is_integer() || y.range().0.is_negative() {
                return None;
            }
            match (&x.ty, &y.ty) {
                (Ty::Sized(ty), _) => computed(op, ty.clone(), None, x, y),
                (_, Ty::Unsized { .. }) => interval(op, x, y),
                _ => None,
            }
        }
        "&" | "|" | "^" => match (x.sized(), y.sized()) {
            (Some(a), Some(b)) if a == b && (a.is_integer() || *a == Type::Bool) => computed(op, a.clone(), None, x, y),
            (Some(ty), None) if ty.is_integer() && fits(y, ty) => computed(op, ty.clone(), Some(ty), x, y),
            (None, Some(ty)) if ty.is_integer() && fits(x, ty) => computed(op, ty.clone(), Some(ty), x, y),
            (None, None) => interval(op, x, y),
            _ => None,
        },
        _ if !x.is_integer() || !y.is_integer() => None,
        "+%" | "-%" | "*%" if both_unsized => None,
        _ if both_unsized => interval(op, x, y),
        "+" | "-" | "*" => exact(op, x, y),
        _ => {
            let ty = common_type(x, y)?;
            computed(op, ty.clone(), Some(&ty), x, y)
        }
    }
}

/// `+ - *` with a size on at least one side.
fn exact(op: BinaryOp, x: &Static, y: &Static) -> Option<Static> {
    let (a, b) = (x.core(), y.core());
    let signed = a.is_signed() || b.is_signed();
    let ty = if op == BinaryOp::Mul {
        let width = a.width() + b.width();
        if signed { Type::S(width) } else { Type::U(width) }
    } else {
        let side = |t: &Type| t.width() + u32::from(signed && !t.is_signed());
        let width = side(&a).max(side(&b)) + 1;
        if signed || op == BinaryOp::Sub { Type::S(width) } else { Type::U(width) }
    };
    computed(op, ty, None, x, y)
}

/// Two numbers without a size.
fn interval(op: BinaryOp, x: &Static, y: &Static) -> Option<Static> {
    let ((al, ah), (bl, bh)) = (x.range(), y.range());
    let hull = |corners: [Int; 4]| Some((corners.iter().min()?.clone(), corners.iter().max()?.clone()));
    let natural = !al.is_negative() && !bl.is_negative();
    let positive = !bl.is_negative() && !bl.is_zero();
    let (lo, hi) = match op {
        BinaryOp::Add => (&al + &bl, &ah + &bh),
        BinaryOp::Sub => (&al - &bh, &ah - &bl),
        BinaryOp::Mul => hull([&al * &bl, &al * &bh, &ah * &bl, &ah * &bh])?,
        BinaryOp::Div if positive => {
            hull([al.div_trunc(&bl)?, al.div_trunc(&bh)?, ah.div_trunc(&bl)?, ah.div_trunc(&bh)?])?
        }
        BinaryOp::Rem if positive && natural => (Int::ZERO, (&bh - &Int::ONE).min(ah.clone())),
        BinaryOp::And if natural => (Int::ZERO, ah.clone().min(bh.clone())),
        BinaryOp::Or if natural => (al.clone().max(bl.clone()), Int::ones(ah.bits().max(bh.bits()))),
        BinaryOp::Xor if natural => (Int::ZERO, Int::ones(ah.bits().max(bh.bits()))),
        BinaryOp::Shl | BinaryOp::Shr => {
            let (least, most) = (bl.to_u32()?, bh.to_u32().filter(|n| *n <= 4 * MAX_WIDTH)?);
            let shift = |v: &Int, n| if op == BinaryOp::Shl { v.shl(n) } else { v.shr(n) };
            hull([shift(&al, least), shift(&al, most), shift(&ah, least), shift(&ah, most)])?
        }
        BinaryOp::Min => (al.clone().min(bl.clone()), ah.clone().min(bh.clone())),
        BinaryOp::Max => (al.clone().max(bl.clone()), ah.clone().max(bh.clone())),
        _ => return None,
    };
    if let (Some(a), Some(b)) = (x.int(), y.int()) {
        let v = match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a.div_trunc(b)?,
            BinaryOp::Rem => a.rem_trunc(b)?,
            BinaryOp::And => a.and(b),
            BinaryOp::Or => a.or(b),
            BinaryOp::Xor => a.xor(b),
            BinaryOp::Shl => a.shl(b.to_u32()?),
            BinaryOp::Shr => a.shr(b.to_u32()?),
            BinaryOp::Min => a.min(b).clone(),
            _ => a.max(b).clone(),
        };
        return bounded(Static::number(v));
    }
    bounded(Static::ranged(lo, hi))
}

/// `&&` and `||`; the right side is not checked where the left one decides, and is `None` there.
pub fn logical(is_and: bool, x: &Static, y: Option<&Static>) -> Option<Static> {
    let x = condition(x)?;
    if x.int().is_some_and(|v| v.is_zero() == is_and) {
        return Some(x);
    }
    let y = condition(y?)?;
    if x.int().is_some() {
        return Some(y);
    }
    Some(Static::varies(Type::Bool))
}

/// `c ? a : b`; under a constant condition only the branch that is taken is checked.
pub fn select(c: &Static, a: &Static, b: &Static) -> Option<Static> {
    let c = condition(c)?;
    if let Some(v) = c.int() {
        return Some(if v.is_zero() { b.clone() } else { a.clone() });
    }
    if let (Ty::Unsized { lo: al, hi: ah }, Ty::Unsized { lo: bl, hi: bh }) = (&a.ty, &b.ty) {
        return Some(Static::ranged(al.min(bl).clone(), ah.max(bh).clone()));
    }
    Some(Static::varies(common_type(a, b)?))
}

/// `min` and `max`.
pub fn min_max(symbol: &str, x: &Static, y: &Static) -> Option<Static> {
    binary(symbol, x, y)
}

/// A method; `n` is its argument.
pub fn method(name: &str, x: &Static, n: u32) -> Option<Static> {
    let core = x.core();
    let (width, signed) = (core.width(), core.is_signed());
    let of = |signed: bool, n: u32| if signed { Type::S(n) } else { Type::U(n) };
    let convert = |ty: Type| {
        let known = converted(&x.known, &ty);
        Some(Static::with(ty, known))
    };
    if !(1..=MAX_WIDTH).contains(&n) && !matches!(name, "join" | "signed" | "unsigned") {
        return None;
    }
    match name {
        "unsigned" | "signed" => match core {
            Type::U(n) | Type::S(n) => convert(of(name == "signed", n)),
            Type::Bool | Type::Enum { .. } if name == "unsigned" => convert(Type::U(width)),
            _ => None,
        },
        "split" => match x.sized()? {
            ty if ty.is_integer() && width.is_multiple_of(n) => {
                let known = if x.known == Known::No { Known::No } else { Known::Some };
                Some(Static::with(Type::array(of(signed, n), width / n), known))
            }
            _ => None,
        },
        "join" => match x.sized()? {
            ty @ Type::Array { elem, .. } if elem.is_integer() && ty.bits() <= u64::from(MAX_WIDTH) => {
                Some(Static::with(Type::U(ty.bits() as u32), x.known.clone()))
            }
            _ => None,
        },
        _ if !x.is_integer() => None,
        "trunc" if n <= width => convert(of(signed, n)),
        "ext" if n >= width => convert(of(signed, n)),
        "wrap" => convert(of(signed, n)),
        "zext" if n >= width => {
            let pattern = converted(&x.known, &Type::U(width));
            Some(Static::with(Type::U(n), pattern))
        }
        "sext" if n >= width => {
            let known = converted(&converted(&x.known, &Type::S(width)), &Type::S(n));
            Some(Static::with(Type::S(n), known))
        }
        "sat" | "usat" => {
            let ty = of(signed && name == "sat", n);
            let known = join_known(&[&x.known], |v| ops::saturate(&ty, v[0]));
            Some(Static::with(ty, known))
        }
        _ => None,
    }
}

/// `u32(x)`, `bool(x)`, `E(x)`; `base` is that of an enum.
pub fn conversion(ty: &Type, base: &Type, x: &Static) -> Option<Static> {
    if x.sized() == Some(ty) {
        return Some(x.clone());
    }
    match ty {
        Type::Enum { .. } => fits(x, base).then(|| {
            let known = converted(&converted(&x.known, base), ty);
            Static::with(ty.clone(), known)
        }),
        Type::Bool => condition(x),
        _ => fits(x, ty).then(|| Static::with(ty.clone(), converted(&x.known, ty))),
    }
}

/// Whether a position in something of this length is allowed.
pub fn position(at: &Static, len: u32) -> bool {
    let (lo, _) = at.range();
    let unsigned = at.is_integer() && !lo.is_negative() && !at.sized().is_some_and(Type::is_signed);
    let least = match &at.known {
        Known::Int(v) => v.clone(),
        Known::Some => return false,
        Known::No => lo,
    };
    unsigned && least < Int::from(len)
}

/// `x[i]`
pub fn index(x: &Static, at: &Static) -> Option<Static> {
    let (len, elem) = match x.sized()? {
        Type::Array { len, elem } => (*len, (**elem).clone()),
        Type::U(n) | Type::S(n) => (*n, Type::U(1)),
        _ => return None,
    };
    if !position(at, len) {
        return None;
    }
    if x.sized().is_some_and(Type::is_integer) {
        return Some(bits(x, at, 1));
    }
    let known = if x.known == Known::No || at.known == Known::No { Known::No } else { Known::Some };
    Some(Static::with(elem, known))
}

/// Some bits of an integer.
fn bits(x: &Static, at: &Static, count: u32) -> Static {
    let (ty, whole) = (Type::U(count), x.core());
    let known = join_known(&[&x.known, &at.known], |v| ops::bits(&ty, &whole, v[0], v[1]));
    Static::with(ty, known)
}

/// `x[h:l]`
pub fn slice(x: &Static, h: u32, l: u32) -> Option<Static> {
    let width = x.sized().filter(|t| t.is_integer())?.width();
    (l <= h && h < width).then(|| bits(x, &Static::number(Int::from(l)), h - l + 1))
}

/// `x[b +: w]`
pub fn part(x: &Static, at: &Static, w: u32) -> Option<Static> {
    let width = x.sized().filter(|t| t.is_integer())?.width();
    let inside = at.int().is_none_or(|v| v + &Int::from(w) <= Int::from(width));
    ((1..=width).contains(&w) && inside && position(at, width)).then(|| bits(x, at, w))
}

/// `cat(…)`
pub fn cat(parts: &[&Static]) -> Option<Static> {
    let mut width = 0;
    for part in parts {
        width += part.sized().filter(|t| t.is_integer())?.width();
    }
    let known = if parts.iter().any(|p| p.known == Known::No) { Known::No } else { Known::Some };
    (width <= MAX_WIDTH).then(|| Static::with(Type::U(width), known))
}

/// `rep(x, n)`
pub fn rep(x: &Static, n: u32) -> Option<Static> {
    let width = x.sized().filter(|t| t.is_integer())?.width();
    let known = if x.known == Known::No { Known::No } else { Known::Some };
    (n >= 1 && width * n <= MAX_WIDTH).then(|| Static::with(Type::U(width * n), known))
}
