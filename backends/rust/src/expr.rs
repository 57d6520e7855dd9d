//! Prints expressions with the parentheses that Rust needs, and where they keep a mixture of operators readable.

use lapis_cx::contract::FnId;
use lapis_cx::lower::ir::{self, Base, BinaryOp, CallArg, CompareOp, Edge, Expr, ExprKind, Shape, Slice, Storage, Ty};

use crate::body::Printer;
use crate::helper::Helper;

/// How tightly an expression holds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// A name, a number, a call, an element.
    Atom,
    /// `!`
    Unary,
    /// `as`
    Cast,
    /// `/` and `%`
    Div,
    /// `<<` and `>>`
    Shift,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// Comparisons.
    Compare,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `if … else …`
    Select,
}

use Level::*;

/// The text of an expression and how tightly it holds together.
pub struct Text {
    /// Rust text.
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

/// What surrounds an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Around {
    /// Constants are patterns of bits.
    bits: bool,
    /// Nothing else says what type a constant has.
    untyped: bool,
}

const PLAIN: Around = Around { bits: false, untyped: false };
const UNTYPED: Around = Around { bits: false, untyped: true };

/// The Rust type of a scalar.
pub fn scalar_type(ty: Ty) -> &'static str {
    match ty {
        Ty::Bool => "bool",
        Ty::W32 => "u32",
        Ty::W64 => "u64",
    }
}

/// The Rust type of an element in memory.
pub fn storage_type(storage: Storage) -> &'static str {
    match storage {
        Storage::Bool => "bool",
        Storage::U8 => "u8",
        Storage::U16 => "u16",
        Storage::U32 => "u32",
        Storage::U64 => "u64",
    }
}

/// Hexadecimal digits in groups of four.
pub fn hexadecimal(v: u64, digits: usize) -> String {
    let digits = format!("{v:0digits$X}");
    let mut text = "0x".to_owned();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(4) {
            text.push('_');
        }
        text.push(c);
    }
    text
}

/// A constant without its type: small ones and counts in decimal, others in hexadecimal.
pub fn number(ty: Ty, v: u64, bits: bool) -> String {
    match ty {
        Ty::Bool => if v == 0 { "false" } else { "true" }.to_owned(),
        _ if v < 10 || (!bits && v < 10_000) => v.to_string(),
        _ => hexadecimal(v, 1),
    }
}

fn constant(ty: Ty, v: u64, around: Around) -> Text {
    let text = number(ty, v, around.bits);
    let text = if around.untyped && ty != Ty::Bool { format!("{text}_{}", scalar_type(ty)) } else { text };
    Text::new(text, Atom)
}

impl Printer<'_, '_> {
    /// The text of an expression whose type its surroundings tell.
    pub fn expr(&mut self, e: &Expr) -> String {
        self.text(e, PLAIN).text
    }

    /// The text of an expression whose type its surroundings do not tell, as in `u64::from(…)`.
    pub fn untyped(&mut self, e: &Expr) -> String {
        self.text(e, UNTYPED).text
    }

    /// An operand beside another one, which tells its type unless neither does.
    fn beside(&mut self, e: &Expr, other: &Expr, bits: bool) -> Text {
        let untyped = tells_no_type(e) && tells_no_type(other);
        self.text(e, Around { bits, untyped })
    }

    fn text(&mut self, e: &Expr, around: Around) -> Text {
        match &e.kind {
            ExprKind::Const(v) => constant(e.ty, *v, around),
            ExprKind::Local(id) => Text::new(self.local(*id), Atom),
            ExprKind::Arg(i) => self.argument(*i),
            ExprKind::Field(id) => {
                let text = self.field(*id);
                widened(text, self.field_storage(*id))
            }
            ExprKind::Element(base, index) => {
                let text = self.element(*base, index);
                widened(text, self.storage(*base))
            }
            ExprKind::Status => Text::new(self.status(), Atom),
            ExprKind::StateWord(index) => {
                let index = self.expr(index);
                Text::new(format!("{}.read_word({index})", self.state), Atom)
            }
            ExprKind::Not(a) => self.not(a),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, around),
            ExprKind::Compare(op, a, b) => self.compare(*op, a, b),
            ExprKind::And(a, b) => self.logical("&&", And, a, b),
            ExprKind::Or(a, b) => self.logical("||", Or, a, b),
            ExprKind::Convert(a) => self.convert(e.ty, a),
            ExprKind::SignExtend(a, bits) => self.sign_extend(e.ty, a, *bits),
            ExprKind::Select(c, a, b) => {
                let condition = self.expr(c);
                let then = self.text(a, around).text;
                let other = self.text(b, around).text;
                match &b.kind {
                    ExprKind::Select(..) => Text::new(format!("if {condition} {{ {then} }} else {other}"), Select),
                    _ => Text::new(format!("if {condition} {{ {then} }} else {{ {other} }}"), Select),
                }
            }
            ExprKind::Call(id, args) => {
                let name = self.unit.function(*id);
                let args = self.arguments(*id, args, None);
                Text::new(format!("{name}({})", args.join(", ")), Atom)
            }
            ExprKind::WideLess(a, b, n) => self.wide_call(Helper::Less, &[a, b], *n, None),
            ExprKind::WideEqual(a, b, n) => {
                let (left, right) = (self.slice(a, *n, false), self.slice(b, *n, false));
                Text::new(format!("{left} == {right}"), Compare)
            }
            ExprKind::WideClamp(a, n) => self.wide_call(Helper::Clamp, &[a], *n, None),
            ExprKind::WideWord { src, limbs, at } => {
                let helper = if e.ty == Ty::W64 { Helper::Word64 } else { Helper::Word32 };
                let at = self.expr(at);
                self.wide_call(helper, &[src], *limbs, Some(at))
            }
        }
    }

    /// A comparison that is not true is the opposite one.
    fn not(&mut self, a: &Expr) -> Text {
        if let ExprKind::Compare(op, x, y) = &a.kind {
            let opposite = match op {
                CompareOp::Eq => CompareOp::Ne,
                CompareOp::Ne => CompareOp::Eq,
                CompareOp::Lt => CompareOp::Ge,
                CompareOp::Le => CompareOp::Gt,
                CompareOp::Gt => CompareOp::Le,
                CompareOp::Ge => CompareOp::Lt,
            };
            return self.compare(opposite, x, y);
        }
        let a = self.text(a, Around { bits: true, untyped: true }).within(&[Atom, Unary]);
        Text::new(format!("!{a}"), Unary)
    }

    fn compare(&mut self, op: CompareOp, a: &Expr, b: &Expr) -> Text {
        let sign = match op {
            CompareOp::Eq => "==",
            CompareOp::Ne => "!=",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
        };
        let bare = [Atom, Unary, Div];
        let left = self.beside(a, b, false).within(&bare);
        let right = self.beside(b, a, false).within(&bare);
        Text::new(format!("{left} {sign} {right}"), Compare)
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, around: Around) -> Text {
        match op {
            BinaryOp::Sub if a.as_const() == Some(0) => self.wrapping("wrapping_neg", b, None),
            BinaryOp::Add if a.as_const().is_some() => self.wrapping("wrapping_add", b, Some(a)),
            BinaryOp::Add => self.wrapping("wrapping_add", a, Some(b)),
            BinaryOp::Sub => self.wrapping("wrapping_sub", a, Some(b)),
            BinaryOp::Mul if a.as_const().is_some() => self.wrapping("wrapping_mul", b, Some(a)),
            BinaryOp::Mul => self.wrapping("wrapping_mul", a, Some(b)),
            BinaryOp::Div | BinaryOp::Rem => {
                let tight = [Atom, Unary];
                let (left, right) = (self.beside(a, b, false).within(&tight), self.beside(b, a, false).within(&tight));
                Text::new(format!("{left} {} {right}", if op == BinaryOp::Div { "/" } else { "%" }), Div)
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                // The amount says nothing about the type of what is shifted.
                let untyped = around.untyped || tells_no_type(a);
                let left = self.text(a, Around { bits: true, untyped }).within(&[Atom, Unary]);
                let right = match b.as_const() {
                    Some(n) => n.to_string(),
                    None => self.text(b, PLAIN).within(&[Atom, Unary]),
                };
                Text::new(format!("{left} {} {right}", if op == BinaryOp::Shl { "<<" } else { ">>" }), Shift)
            }
            BinaryOp::And => self.bitwise("&", BitAnd, a, b),
            BinaryOp::Or => self.bitwise("|", BitOr, a, b),
            BinaryOp::Xor => self.bitwise("^", BitXor, a, b),
        }
    }

    fn wrapping(&mut self, name: &str, receiver: &Expr, argument: Option<&Expr>) -> Text {
        let receiver = self.text(receiver, UNTYPED).within(&[Atom]);
        let argument = argument.map_or(String::new(), |argument| self.expr(argument));
        Text::new(format!("{receiver}.{name}({argument})"), Atom)
    }

    /// `&`, `|` and `^`: in a chain of one of them no parentheses, around all else.
    fn bitwise(&mut self, sign: &str, level: Level, a: &Expr, b: &Expr) -> Text {
        let bare = [Atom, Unary, level];
        let (left, right) = (self.beside(a, b, true).within(&bare), self.beside(b, a, true).within(&bare));
        Text::new(format!("{left} {sign} {right}"), level)
    }

    fn logical(&mut self, sign: &str, level: Level, a: &Expr, b: &Expr) -> Text {
        let bare = [Atom, Unary, Compare, level];
        let (left, right) = (self.text(a, PLAIN).within(&bare), self.text(b, PLAIN).within(&bare));
        Text::new(format!("{left} {sign} {right}"), level)
    }

    fn convert(&mut self, ty: Ty, a: &Expr) -> Text {
        // An element or field that is read as a wider word needs one conversion, not two.
        let raw = match &a.kind {
            ExprKind::Element(base, index) if a.ty != Ty::Bool => Some(self.element(*base, index)),
            ExprKind::Field(id) if a.ty != Ty::Bool => Some(self.field(*id)),
            _ => None,
        };
        let storage = match &a.kind {
            ExprKind::Element(base, _) => self.storage(*base).bits(),
            ExprKind::Field(id) => self.field_storage(*id).bits(),
            _ => a.ty.bits(),
        };
        if storage < ty.bits() {
            let inner = raw.unwrap_or_else(|| self.text(a, UNTYPED).text);
            return Text::new(format!("{}::from({inner})", scalar_type(ty)), Atom);
        }
        match raw {
            Some(raw) if storage == ty.bits() => Text::new(raw, Atom),
            Some(raw) => Text::new(format!("{raw} as {}", scalar_type(ty)), Cast),
            None => self.cast(scalar_type(ty), a),
        }
    }

    /// A cast.
    pub fn cast(&mut self, ty: &str, e: &Expr) -> Text {
        Text::new(format!("{} as {ty}", self.text(e, UNTYPED).within(&[Atom, Unary, Cast])), Cast)
    }

    /// By a conversion through a signed type where Rust has one of this width.
    fn sign_extend(&mut self, ty: Ty, a: &Expr, bits: u32) -> Text {
        if matches!(bits, 8 | 16 | 32) {
            // What it was extended from, or cut to, does not matter.
            let inner = match &a.kind {
                ExprKind::Convert(inner) if matches!(inner.ty, Ty::W32) => inner,
                ExprKind::Binary(BinaryOp::And, inner, mask) if mask.as_const() == Some(ir::ones(bits)) => inner,
                _ => a,
            };
            let text = match &inner.kind {
                ExprKind::Element(base, index) => self.element(*base, index),
                ExprKind::Field(id) => self.field(*id),
                _ => self.text(inner, UNTYPED).within(&[Atom, Unary, Cast]),
            };
            return Text::new(format!("{text} as i{bits} as {}", scalar_type(ty)), Cast);
        }
        let g = number(ty, 1 << (bits - 1), true);
        let low = self.text(a, Around { bits: true, untyped: tells_no_type(a) }).within(&[Atom, Unary]);
        Text::new(format!("({low} ^ {g}).wrapping_sub({g})"), Atom)
    }

    fn argument(&mut self, i: u32) -> Text {
        let Some((name, edge)) = self.params.get(i as usize).cloned() else { return Text::new("0", Atom) };
        match edge {
            Edge::Bool | Edge::Unsigned(32 | 64) => Text::new(name, Atom),
            Edge::Unsigned(_) => Text::new(format!("u32::from({name})"), Atom),
            Edge::Signed(bits @ (32 | 64)) => Text::new(format!("{name} as u{bits}"), Cast),
            Edge::Signed(bits) => Text::new(format!("u32::from({name} as u{bits})"), Atom),
        }
    }

    /// A position.
    fn index(&mut self, index: &Expr) -> String {
        match index.as_const() {
            Some(n) => n.to_string(),
            None => self.cast("usize", index).text,
        }
    }

    /// An element as it lies in memory.
    pub fn element(&mut self, base: Base, index: &Expr) -> String {
        let index = self.index(index);
        format!("{}[{index}]", self.base(base))
    }

    /// The elements of a run, without a borrow.
    pub fn run(&mut self, slice: &Slice, len: u32) -> String {
        let base = self.base(slice.base);
        match slice.at.as_const() {
            Some(0) if self.len(slice.base) == Some(len) => base,
            Some(0) => format!("{base}[..{len}]"),
            Some(n) => format!("{base}[{n}..{}]", n + u64::from(len)),
            None => {
                let at = self.index(&slice.at);
                format!("{base}[{at}..][..{len}]")
            }
        }
    }

    /// A run as an argument: borrowed, unless it is a borrow as it stands.
    pub fn slice(&mut self, slice: &Slice, len: u32, mutable: bool) -> String {
        let run = self.run(slice, len);
        match self.is_borrowed(slice.base) {
            // As it stands; a mutable one is lent again.
            true if run == self.base(slice.base) => run,
            _ if mutable => format!("&mut {run}"),
            _ => format!("&{run}"),
        }
    }

    /// A run as an argument beside a result: what is in the array of the result is copied first, as it cannot be
    /// borrowed twice.
    pub fn operand(&mut self, slice: &Slice, len: u32, result: Option<Base>) -> String {
        let text = self.slice(slice, len, false);
        if result != Some(slice.base) {
            return text;
        }
        format!("&{}::<{}, {len}>({text})", self.unit.helper(Helper::Copied), storage_type(self.storage(slice.base)))
    }

    /// The arguments of a call, whose result may go into an array.
    pub fn arguments(&mut self, id: FnId, args: &[CallArg], result: Option<Base>) -> Vec<String> {
        let section = self.unit.section;
        let params = section.functions.get(id.index()).map(|f| f.body.locals.as_slice()).unwrap_or_default();
        let mut texts = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            texts.push(match arg {
                CallArg::Value(e) => self.expr(e),
                CallArg::Array(slice) => {
                    let len = match params.get(i).map(|p| p.shape) {
                        Some(Shape::Array { len, .. }) => len,
                        _ => 1,
                    };
                    self.operand(slice, len, result)
                }
            });
        }
        texts
    }

    fn wide_call(&mut self, helper: Helper, slices: &[&Slice], limbs: u32, rest: Option<String>) -> Text {
        let mut args: Vec<String> = slices.iter().map(|slice| self.slice(slice, limbs, false)).collect();
        args.extend(rest);
        let name = self.unit.helper(helper);
        Text::new(format!("{name}({})", args.join(", ")), Atom)
    }
}

/// Whether an expression is made of constants only, where it could be of any type: a constant, or one of two such.
fn tells_no_type(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Select(_, a, b) => tells_no_type(a) && tells_no_type(b),
        _ => e.as_const().is_some(),
    }
}

/// What is narrower than a word, as one.
fn widened(text: String, storage: Storage) -> Text {
    match storage {
        Storage::U8 | Storage::U16 => Text::new(format!("u32::from({text})"), Atom),
        _ => Text::new(text, Atom),
    }
}
