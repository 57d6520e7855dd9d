//! Prints expressions with the parentheses that C needs and the ones that keep `-Wparentheses` quiet, and no others.
//!
//! All goes to the end of the printer's text. Whether an operand wants parentheses is known when it is printed: then they
//! are put around it.

use std::fmt::Write;

use lapis_cx::lower::ir::{self, Base, BinaryOp, CallArg, CompareOp, Edge, Expr, ExprKind, Slice, Storage, Ty};

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

/// What needs no parentheses behind a cast or beside `*`, `/` and shifts.
const TIGHT: &[Level] = &[Atom, Unary];

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

/// The C type at the edge.
pub fn edge_type(edge: Edge) -> &'static str {
    match edge {
        Edge::Bool => "bool",
        Edge::Unsigned(8) => "uint8_t",
        Edge::Unsigned(16) => "uint16_t",
        Edge::Unsigned(32) => "uint32_t",
        Edge::Unsigned(_) => "uint64_t",
        Edge::Signed(8) => "int8_t",
        Edge::Signed(16) => "int16_t",
        Edge::Signed(32) => "int32_t",
        Edge::Signed(_) => "int64_t",
    }
}

/// A constant: small ones and counts in decimal, others in hexadecimal.
fn number(out: &mut String, ty: Ty, v: u64, bits: bool) {
    // The suffix `ull` is another type than uint64_t on many targets.
    let (before, behind) = match ty {
        Ty::Bool => return out.push_str(if v == 0 { "false" } else { "true" }),
        Ty::W32 => ("", "u"),
        Ty::W64 => ("UINT64_C(", ")"),
    };
    out.push_str(before);
    let _ = if v < 10 || (!bits && v < 10_000) { write!(out, "{v}") } else { write!(out, "0x{v:X}") };
    out.push_str(behind);
}

/// An argument of a helper.
pub enum Argument<'e> {
    /// A run of limbs.
    Slice(&'e Slice),
    /// A word.
    Word(&'e Expr),
    /// A count.
    Count(u32),
}

impl Printer<'_, '_> {
    /// Prints an expression that stands alone.
    pub fn expr(&mut self, e: &Expr) {
        self.print(e, false);
    }

    /// The text of a condition to go on with `&&`, over the state of this name.
    pub fn conjunct(mut self, state: &'static str, e: &Expr) -> String {
        self.state = state.into();
        self.within(&[Atom, Unary, Not, Compare, And], |p| p.print(e, false));
        self.text
    }

    /// Puts parentheses around what `operand` prints, unless its level is one of these.
    fn within(&mut self, bare: &[Level], operand: impl FnOnce(&mut Self) -> Level) {
        let start = self.text.len();
        if !bare.contains(&operand(self)) {
            self.text.insert(start, '(');
            self.text.push(')');
        }
    }

    /// An operand beside another one that is no constant: that one makes a small constant as wide as it must be.
    fn beside(&mut self, e: &Expr, other: &Expr, bits: bool) -> Level {
        match e.as_const() {
            Some(v) if e.ty == Ty::W64 && v <= u64::from(u32::MAX) && other.as_const().is_none() => {
                number(&mut self.text, Ty::W32, v, bits);
                Atom
            }
            _ => self.print(e, bits),
        }
    }

    /// Prints an expression. `bits` says that it is an operand of `&`, `|` or `^`, where constants are patterns.
    fn print(&mut self, e: &Expr, bits: bool) -> Level {
        match &e.kind {
            ExprKind::Const(v) => number(&mut self.text, e.ty, *v, bits),
            ExprKind::Local(id) => self.local(*id),
            ExprKind::Arg(i) => return self.argument(*i),
            ExprKind::Field(id) => {
                let level = self.widen(self.field_storage(*id));
                self.field(*id);
                return level;
            }
            ExprKind::Element(base, index)
                if self.routine.as_ref().is_some_and(|r| r.foreign_element(*base).is_some()) =>
            {
                // Through the unsigned type of the same width: its sign is no matter here.
                let storage = self.storage(*base);
                self.widen(storage);
                put!(&mut self.text, "(", storage_type(storage), ")");
                self.element(*base, index);
                return Unary;
            }
            ExprKind::Element(base, index) => {
                let level = self.widen(self.storage(*base));
                self.element(*base, index);
                return level;
            }
            ExprKind::Status => self.status(),
            ExprKind::StateWord(index) => {
                put!(&mut self.text, self.unit.read_word, "(", self.state, ", ");
                self.expr(index);
                self.text.push(')');
            }
            ExprKind::Not(a) => {
                let (sign, level) = if e.ty == Ty::Bool { ('!', Not) } else { ('~', Unary) };
                self.text.push(sign);
                self.within(TIGHT, |p| p.print(a, true));
                return level;
            }
            ExprKind::Binary(op, a, b) => return self.binary(*op, a, b),
            ExprKind::Compare(op, a, b) => {
                let sign = match op {
                    CompareOp::Eq => " == ",
                    CompareOp::Ne => " != ",
                    CompareOp::Lt => " < ",
                    CompareOp::Le => " <= ",
                    CompareOp::Gt => " > ",
                    CompareOp::Ge => " >= ",
                };
                let bare = [Atom, Unary, Mul, Div, Add];
                self.pair(sign, (a, &bare), (b, &bare), false);
                return Compare;
            }
            ExprKind::And(a, b) => return self.logical(" && ", And, a, b),
            ExprKind::Or(a, b) => return self.logical(" || ", Or, a, b),
            ExprKind::Convert(a) => {
                put!(&mut self.text, "(", scalar_type(e.ty), ")");
                self.within(TIGHT, |p| p.unwidened(a));
                return Unary;
            }
            ExprKind::SignExtend(a, bits) => return self.sign_extend(e.ty, a, *bits),
            ExprKind::Select(c, a, b) => {
                self.within(&[Atom, Unary, Not, Compare, And, Or], |p| p.print(c, false));
                let other = [Atom, Unary, Not, Mul, Div, Add, Shift, Compare, BitAnd, BitXor, BitOr, And, Or, Select];
                let [then @ .., _] = &other;
                self.text.push_str(" ? ");
                self.within(then, |p| p.print(a, bits));
                self.text.push_str(" : ");
                self.within(&other, |p| p.print(b, bits));
                return Select;
            }
            ExprKind::Call(id, args) => {
                put!(&mut self.text, self.unit.function(*id), "(");
                self.arguments(args);
                self.text.push(')');
            }
            ExprKind::IsOpen(context) => {
                let selector = self.routine.as_ref().map(|routine| routine.selector(*context)).unwrap_or_default();
                put!(&mut self.text, "cx_sel_is_cx(", selector, ")");
            }
            ExprKind::IsNull(at) => {
                self.base(Base::Buffer(*at));
                self.text.push_str(" == NULL");
                return Compare;
            }
            ExprKind::WideLess(a, b, n) => self.help(Helper::Less, [a, b].map(Argument::Slice), [Argument::Count(*n)]),
            ExprKind::WideEqual(a, b, n) => {
                self.help(Helper::Equal, [a, b].map(Argument::Slice), [Argument::Count(*n)]);
            }
            ExprKind::WideClamp(a, n) => self.help(Helper::Clamp, [Argument::Slice(a)], [Argument::Count(*n)]),
            ExprKind::WideWord { src, limbs, at } => {
                let helper = if e.ty == Ty::W64 { Helper::Word64 } else { Helper::Word32 };
                self.help(helper, [Argument::Slice(src)], [Argument::Count(*limbs), Argument::Word(at)]);
            }
        }
        Atom
    }

    /// Two operands with a sign between them, each with the levels that need no parentheses.
    fn pair(&mut self, sign: &str, (a, left): (&Expr, &[Level]), (b, right): (&Expr, &[Level]), bits: bool) {
        self.within(left, |p| p.beside(a, b, bits));
        self.text.push_str(sign);
        self.within(right, |p| p.beside(b, a, bits));
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Level {
        match op {
            BinaryOp::Add | BinaryOp::Sub => {
                let sign = if op == BinaryOp::Add { " + " } else { " - " };
                self.pair(sign, (a, &[Atom, Unary, Mul, Div, Add]), (b, &[Atom, Unary, Mul, Div]), false);
                Add
            }
            BinaryOp::Mul => {
                self.pair(" * ", (a, &[Atom, Unary, Mul]), (b, TIGHT), false);
                Mul
            }
            BinaryOp::Div | BinaryOp::Rem => {
                let sign = if op == BinaryOp::Div { " / " } else { " % " };
                self.pair(sign, (a, TIGHT), (b, TIGHT), false);
                Div
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                self.within(TIGHT, |p| p.print(a, true));
                self.text.push_str(if op == BinaryOp::Shl { " << " } else { " >> " });
                match b.as_const() {
                    Some(n) => self.count(n),
                    None => self.within(TIGHT, |p| p.print(b, false)),
                }
                Shift
            }
            BinaryOp::And => self.bitwise(" & ", BitAnd, a, b),
            BinaryOp::Or => self.bitwise(" | ", BitOr, a, b),
            BinaryOp::Xor => self.bitwise(" ^ ", BitXor, a, b),
        }
    }

    /// `&`, `|` and `^`: in a chain of one of them no parentheses, around all else.
    fn bitwise(&mut self, sign: &str, level: Level, a: &Expr, b: &Expr) -> Level {
        let bare = [Atom, Unary, level];
        self.pair(sign, (a, &bare), (b, &bare), true);
        level
    }

    fn logical(&mut self, sign: &str, level: Level, a: &Expr, b: &Expr) -> Level {
        let bare = [Atom, Unary, Not, Compare, level];
        self.within(&bare, |p| p.print(a, false));
        self.text.push_str(sign);
        self.within(&bare, |p| p.print(b, false));
        level
    }

    /// An operand of a cast to a word: an element or field that is read as a wider word needs one cast, not two.
    fn unwidened(&mut self, a: &Expr) -> Level {
        match &a.kind {
            ExprKind::Element(base, index) if a.ty != Ty::Bool && !matches!(base, Base::Buffer(_)) => {
                self.element(*base, index);
            }
            ExprKind::Field(id) if a.ty != Ty::Bool => self.field(*id),
            _ => return self.print(a, false),
        }
        Atom
    }

    /// What stands behind a cast.
    pub fn operand_of_cast(&mut self, e: &Expr) {
        self.within(TIGHT, |p| p.print(e, false));
    }

    /// A cast.
    pub fn cast(&mut self, ty: &str, e: &Expr) {
        put!(&mut self.text, "(", ty, ")");
        self.within(TIGHT, |p| p.print(e, false));
    }

    /// By a conversion through a signed type where C has one of this width: that is what compilers know best.
    fn sign_extend(&mut self, ty: Ty, a: &Expr, bits: u32) -> Level {
        let helper = match (bits, ty) {
            (8, Ty::W32) => Some(Helper::Sext8To32),
            (8, _) => Some(Helper::Sext8To64),
            (16, Ty::W32) => Some(Helper::Sext16To32),
            (16, _) => Some(Helper::Sext16To64),
            (32, Ty::W64) => Some(Helper::Sext32To64),
            _ => None,
        };
        if let ExprKind::Element(base, index) = &a.kind
            && bits >= 32
            && self.routine.as_ref().is_some_and(|routine| routine.is_signed(*base, bits))
        {
            // C extends it by its sign.
            put!(&mut self.text, "(", scalar_type(ty), ")");
            self.element(*base, index);
            return Unary;
        }
        if let Some(helper) = helper {
            // What it was extended from, or cut to, does not matter.
            let inner = match &a.kind {
                ExprKind::Convert(inner) if matches!(inner.ty, Ty::W32) => inner,
                ExprKind::Binary(BinaryOp::And, inner, mask) if mask.as_const() == Some(ir::ones(bits)) => inner,
                _ => a,
            };
            put!(&mut self.text, self.unit.helper(helper), "(");
            match &inner.kind {
                ExprKind::Element(base, index) if !matches!(base, Base::Buffer(_)) => self.element(*base, index),
                ExprKind::Field(id) => self.field(*id),
                _ => self.expr(inner),
            }
            self.text.push(')');
            return Atom;
        }
        // The top bit is a bit of 32 only below 33 bits; beside a wider word that is enough.
        let top = |out: &mut String| number(out, if bits > 32 { ty } else { Ty::W32 }, 1 << (bits - 1), true);
        self.text.push('(');
        self.within(TIGHT, |p| p.print(a, true));
        self.text.push_str(" ^ ");
        top(&mut self.text);
        self.text.push_str(") - ");
        top(&mut self.text);
        Add
    }

    fn argument(&mut self, i: u32) -> Level {
        let Some((name, edge)) = self.params.get(i as usize) else {
            self.text.push_str("0u");
            return Atom;
        };
        let cast = match edge {
            Edge::Bool | Edge::Unsigned(32 | 64) => "",
            Edge::Unsigned(_) => "(uint32_t)",
            Edge::Signed(64) => "(uint64_t)",
            Edge::Signed(32) => "(uint32_t)",
            Edge::Signed(16) => "(uint32_t)(uint16_t)",
            Edge::Signed(_) => "(uint32_t)(uint8_t)",
        };
        put!(&mut self.text, cast, name);
        if cast.is_empty() { Atom } else { Unary }
    }

    /// What is narrower than an int would be promoted to a signed one: not with this cast.
    fn widen(&mut self, storage: Storage) -> Level {
        match storage {
            Storage::U8 | Storage::U16 => {
                self.text.push_str("(uint32_t)");
                Unary
            }
            _ => Atom,
        }
    }

    /// A decimal number without a suffix.
    pub fn count(&mut self, n: u64) {
        let _ = write!(self.text, "{n}");
    }

    /// An element as it lies in memory.
    pub fn element(&mut self, base: Base, index: &Expr) {
        self.base(base);
        self.text.push('[');
        match index.as_const() {
            Some(n) => self.count(n),
            None => self.expr(index),
        }
        self.text.push(']');
    }

    /// A pointer to the first element of a run.
    pub fn slice(&mut self, slice: &Slice) {
        if slice.at.as_const() == Some(0) {
            return self.base(slice.base);
        }
        self.text.push('&');
        self.element(slice.base, &slice.at);
    }

    /// An element of a run, at this position.
    pub fn element_of(&mut self, slice: &Slice, position: &str) {
        self.base(slice.base);
        self.text.push('[');
        if slice.at.as_const() != Some(0) {
            match slice.at.as_const() {
                Some(n) => self.count(n),
                None => self.within(&[Atom, Unary, Mul, Div, Add], |p| p.print(&slice.at, false)),
            }
            self.text.push_str(" + ");
        }
        put!(&mut self.text, position, "]");
    }

    /// The arguments of a call.
    pub fn arguments(&mut self, args: &[CallArg]) {
        for (i, arg) in args.iter().enumerate() {
            if i > 0 {
                self.text.push_str(", ");
            }
            match arg {
                CallArg::Value(e) => self.expr(e),
                CallArg::Array(slice) => self.slice(slice),
            }
        }
    }

    /// A call of a helper.
    pub fn help<'e>(
        &mut self,
        helper: Helper,
        first: impl IntoIterator<Item = Argument<'e>>,
        rest: impl IntoIterator<Item = Argument<'e>>,
    ) {
        put!(&mut self.text, self.unit.helper(helper), "(");
        for (i, argument) in first.into_iter().chain(rest).enumerate() {
            if i > 0 {
                self.text.push_str(", ");
            }
            match argument {
                Argument::Slice(slice) => self.slice(slice),
                Argument::Word(e) => self.expr(e),
                Argument::Count(n) => self.count(n.into()),
            }
        }
        self.text.push(')');
    }
}
