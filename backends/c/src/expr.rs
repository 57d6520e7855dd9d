//! Prints expressions with the parentheses that C needs and the ones that keep `-Wparentheses` quiet, and no others.

use lapis_cx::lower::ir::{self, Base, BinaryOp, CallArg, CompareOp, Expr, ExprKind, Slice, Storage, Ty};

use crate::body::Printer;
use crate::helper::Helper;

/// How tightly an expression holds together, loosest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A name, a number, a call, an element.
    Atom,
    /// A cast, `~`.
    Unary,
    /// `!`, which clang wants in parentheses beside a comparison.
    Not,
    /// `*`
    Mul,
    /// `/` and `%`
    Div,
    /// `+` and `-`
    Add,
    /// `<<` and `>>`
    Shift,
    /// Comparisons.
    Compare,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `?:`
    Select,
}

use Level::*;

/// The text of an expression and how tightly it holds together.
pub struct Text {
    /// C text.
    pub text: String,
    level: Level,
}

impl Text {
    fn new(text: impl Into<String>, level: Level) -> Text {
        Text { text: text.into(), level }
    }

    /// In parentheses unless its level is one of these.
    fn within(self, bare: &[Level]) -> String {
        if bare.contains(&self.level) { self.text } else { format!("({})", self.text) }
    }
}

/// The C type of a scalar.
pub fn scalar_type(ty: Ty) -> &'static str {
    match ty {
        Ty::Bool => "bool",
        Ty::W32 => "uint32_t",
        Ty::W64 => "uint64_t",
    }
}

/// The C type of an element in memory.
pub fn storage_type(storage: Storage) -> &'static str {
    match storage {
        Storage::Bool => "bool",
        Storage::U8 => "uint8_t",
        Storage::U16 => "uint16_t",
        Storage::U32 => "uint32_t",
        Storage::U64 => "uint64_t",
    }
}

/// A constant: small ones and counts in decimal, others in hexadecimal.
fn number(ty: Ty, v: u64, bits: bool) -> String {
    let digits = if v < 10 || (!bits && v < 10_000) { v.to_string() } else { format!("0x{v:X}") };
    match ty {
        Ty::Bool => if v == 0 { "false" } else { "true" }.to_owned(),
        Ty::W32 => format!("{digits}u"),
        // The suffix `ull` is another type than uint64_t on many targets.
        Ty::W64 => format!("UINT64_C({digits})"),
    }
}

impl Printer<'_, '_> {
    /// The text of an expression that stands alone.
    pub fn expr(&mut self, e: &Expr) -> String {
        self.text(e, false).text
    }

    /// The text of a condition to go on with `&&`, over the state of this name.
    pub fn conjunct(mut self, state: &str, e: &Expr) -> String {
        state.clone_into(&mut self.state);
        self.text(e, false).within(&[Atom, Unary, Not, Compare, And])
    }

    /// As an operand of `&`, `|` and `^`, where constants are patterns.
    fn pattern(&mut self, e: &Expr) -> Text {
        self.text(e, true)
    }

    /// An operand beside another one that is no constant: that one makes a small constant as wide as it must be.
    fn beside(&mut self, e: &Expr, other: &Expr, bits: bool) -> Text {
        match e.as_const() {
            Some(v) if e.ty == Ty::W64 && v <= u64::from(u32::MAX) && other.as_const().is_none() => {
                Text::new(number(Ty::W32, v, bits), Atom)
            }
            _ => self.text(e, bits),
        }
    }

    fn text(&mut self, e: &Expr, bits: bool) -> Text {
        match &e.kind {
            ExprKind::Const(v) => Text::new(number(e.ty, *v, bits), Atom),
            ExprKind::Local(id) => Text::new(self.local(*id), Atom),
            ExprKind::Arg(i) => self.argument(*i),
            ExprKind::Field(id) => {
                let text = self.field(*id);
                let storage = self.field_storage(*id);
                widened(text, storage)
            }
            ExprKind::Element(base, index) => {
                let (text, storage) = (self.element(*base, index), self.storage(*base));
                widened(text, storage)
            }
            ExprKind::Status => Text::new(self.status(), Atom),
            ExprKind::StateWord(index) => {
                let index = self.expr(index);
                Text::new(format!("{}({}, {index})", self.unit.read_word, self.state), Atom)
            }
            ExprKind::Not(a) => {
                let a = self.text(a, true).within(&[Atom, Unary]);
                if e.ty == Ty::Bool { Text::new(format!("!{a}"), Not) } else { Text::new(format!("~{a}"), Unary) }
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Compare(op, a, b) => {
                let sign = match op {
                    CompareOp::Eq => "==",
                    CompareOp::Ne => "!=",
                    CompareOp::Lt => "<",
                    CompareOp::Le => "<=",
                    CompareOp::Gt => ">",
                    CompareOp::Ge => ">=",
                };
                let bare = [Atom, Unary, Mul, Div, Add];
                let left = self.beside(a, b, false).within(&bare);
                let right = self.beside(b, a, false).within(&bare);
                Text::new(format!("{left} {sign} {right}"), Compare)
            }
            ExprKind::And(a, b) => self.logical("&&", And, a, b),
            ExprKind::Or(a, b) => self.logical("||", Or, a, b),
            ExprKind::Convert(a) => self.convert(e.ty, a),
            ExprKind::SignExtend(a, bits) => self.sign_extend(e.ty, a, *bits),
            ExprKind::Select(c, a, b) => {
                let condition = self.text(c, false).within(&[Atom, Unary, Not, Compare, And, Or]);
                let arm = [Atom, Unary, Not, Mul, Div, Add, Shift, Compare, BitAnd, BitXor, BitOr, And, Or];
                let then = self.text(a, bits).within(&arm);
                let other = self.text(b, bits).within(&[&arm[..], &[Select]].concat());
                Text::new(format!("{condition} ? {then} : {other}"), Select)
            }
            ExprKind::Call(id, args) => {
                let name = self.unit.function(*id);
                let args = self.arguments(args);
                Text::new(format!("{name}({})", args.join(", ")), Atom)
            }
            ExprKind::WideLess(a, b, n) => self.wide_call(Helper::Less, &[a, b], &[n.to_string()]),
            ExprKind::WideEqual(a, b, n) => self.wide_call(Helper::Equal, &[a, b], &[n.to_string()]),
            ExprKind::WideClamp(a, n) => self.wide_call(Helper::Clamp, &[a], &[n.to_string()]),
            ExprKind::WideWord { src, limbs, at } => {
                let helper = if e.ty == Ty::W64 { Helper::Word64 } else { Helper::Word32 };
                let at = self.expr(at);
                self.wide_call(helper, &[src], &[limbs.to_string(), at])
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Text {
        let tight = [Atom, Unary];
        match op {
            BinaryOp::Add | BinaryOp::Sub => {
                let left = self.beside(a, b, false).within(&[Atom, Unary, Mul, Div, Add]);
                let right = self.beside(b, a, false).within(&[Atom, Unary, Mul, Div]);
                Text::new(format!("{left} {} {right}", if op == BinaryOp::Add { "+" } else { "-" }), Add)
            }
            BinaryOp::Mul => {
                let left = self.beside(a, b, false).within(&[Atom, Unary, Mul]);
                Text::new(format!("{left} * {}", self.beside(b, a, false).within(&tight)), Mul)
            }
            BinaryOp::Div | BinaryOp::Rem => {
                let (left, right) = (self.beside(a, b, false).within(&tight), self.beside(b, a, false).within(&tight));
                Text::new(format!("{left} {} {right}", if op == BinaryOp::Div { "/" } else { "%" }), Div)
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let left = self.pattern(a).within(&tight);
                let right = match b.as_const() {
                    Some(n) => n.to_string(),
                    None => self.text(b, false).within(&tight),
                };
                Text::new(format!("{left} {} {right}", if op == BinaryOp::Shl { "<<" } else { ">>" }), Shift)
            }
            BinaryOp::And => self.bitwise("&", BitAnd, a, b),
            BinaryOp::Or => self.bitwise("|", BitOr, a, b),
            BinaryOp::Xor => self.bitwise("^", BitXor, a, b),
        }
    }

    /// `&`, `|` and `^`: in a chain of one of them no parentheses, around all else.
    fn bitwise(&mut self, sign: &str, level: Level, a: &Expr, b: &Expr) -> Text {
        let bare = [Atom, Unary, level];
        let (left, right) = (self.beside(a, b, true).within(&bare), self.beside(b, a, true).within(&bare));
        Text::new(format!("{left} {sign} {right}"), level)
    }

    fn logical(&mut self, sign: &str, level: Level, a: &Expr, b: &Expr) -> Text {
        let bare = [Atom, Unary, Not, Compare, level];
        let (left, right) = (self.text(a, false).within(&bare), self.text(b, false).within(&bare));
        Text::new(format!("{left} {sign} {right}"), level)
    }

    fn convert(&mut self, ty: Ty, a: &Expr) -> Text {
        // An element or field that is read as a wider word needs one cast, not two.
        let inner = match &a.kind {
            ExprKind::Element(base, index) if a.ty != Ty::Bool => Text::new(self.element(*base, index), Atom),
            ExprKind::Field(id) if a.ty != Ty::Bool => Text::new(self.field(*id), Atom),
            _ => self.text(a, false),
        };
        Text::new(format!("({}){}", scalar_type(ty), inner.within(&[Atom, Unary])), Unary)
    }

    /// A cast.
    pub fn cast(&mut self, ty: &str, e: &Expr) -> String {
        format!("({ty}){}", self.text(e, false).within(&[Atom, Unary]))
    }

    /// By a conversion through a signed type where C has one of this width: that is what compilers know best.
    fn sign_extend(&mut self, ty: Ty, a: &Expr, bits: u32) -> Text {
        let helper = match (bits, ty) {
            (8, Ty::W32) => Some(Helper::Sext8To32),
            (8, _) => Some(Helper::Sext8To64),
            (16, Ty::W32) => Some(Helper::Sext16To32),
            (16, _) => Some(Helper::Sext16To64),
            (32, Ty::W64) => Some(Helper::Sext32To64),
            _ => None,
        };
        if let Some(helper) = helper {
            // What it was extended from, or cut to, does not matter.
            let inner = match &a.kind {
                ExprKind::Convert(inner) if matches!(inner.ty, Ty::W32) => inner,
                ExprKind::Binary(BinaryOp::And, inner, mask) if mask.as_const() == Some(ir::ones(bits)) => inner,
                _ => a,
            };
            let text = match &inner.kind {
                ExprKind::Element(base, index) => self.element(*base, index),
                ExprKind::Field(id) => self.field(*id),
                _ => self.expr(inner),
            };
            return Text::new(format!("{}({text})", self.unit.helper(helper)), Atom);
        }
        // The top bit is a bit of 32 only below 33 bits; beside a wider word that is enough.
        let g = number(if bits > 32 { ty } else { Ty::W32 }, 1 << (bits - 1), true);
        let low = self.pattern(a).within(&[Atom, Unary]);
        Text::new(format!("({low} ^ {g}) - {g}"), Add)
    }

    fn argument(&mut self, i: u32) -> Text {
        use lapis_cx::lower::ir::Edge;
        let Some((name, edge)) = self.params.get(i as usize).cloned() else { return Text::new("0u", Atom) };
        match edge {
            Edge::Bool | Edge::Unsigned(32 | 64) => Text::new(name, Atom),
            Edge::Unsigned(_) => Text::new(format!("(uint32_t){name}"), Unary),
            Edge::Signed(bits @ (32 | 64)) => Text::new(format!("(uint{bits}_t){name}"), Unary),
            Edge::Signed(bits) => Text::new(format!("(uint32_t)(uint{bits}_t){name}"), Unary),
        }
    }

    /// An element as it lies in memory.
    pub fn element(&mut self, base: Base, index: &Expr) -> String {
        let index = match index.as_const() {
            Some(n) => n.to_string(),
            None => self.expr(index),
        };
        format!("{}[{index}]", self.base(base))
    }

    /// A pointer to the first element of a run.
    pub fn slice(&mut self, slice: &Slice) -> String {
        if slice.at.as_const() == Some(0) {
            return self.base(slice.base);
        }
        format!("&{}", self.element(slice.base, &slice.at))
    }

    /// An element of a run, at this position.
    pub fn element_of(&mut self, slice: &Slice, position: &str) -> String {
        let base = self.base(slice.base);
        match slice.at.as_const() {
            Some(0) => format!("{base}[{position}]"),
            Some(n) => format!("{base}[{n} + {position}]"),
            None => {
                let start = self.text(&slice.at, false).within(&[Atom, Unary, Mul, Div, Add]);
                format!("{base}[{start} + {position}]")
            }
        }
    }

    /// The arguments of a call.
    pub fn arguments(&mut self, args: &[CallArg]) -> Vec<String> {
        args.iter()
            .map(|arg| match arg {
                CallArg::Value(e) => self.expr(e),
                CallArg::Array(slice) => self.slice(slice),
            })
            .collect()
    }

    fn wide_call(&mut self, helper: Helper, slices: &[&Slice], rest: &[String]) -> Text {
        let mut args: Vec<String> = slices.iter().map(|slice| self.slice(slice)).collect();
        args.extend(rest.iter().cloned());
        let name = self.unit.helper(helper);
        Text::new(format!("{name}({})", args.join(", ")), Atom)
    }
}

/// What is narrower than an int would be promoted to a signed one: not with this cast.
fn widened(text: String, storage: Storage) -> Text {
    match storage {
        Storage::U8 | Storage::U16 => Text::new(format!("(uint32_t){text}"), Unary),
        _ => Text::new(text, Atom),
    }
}
