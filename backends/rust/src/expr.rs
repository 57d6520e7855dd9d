//! Expressions as tokens, with the parentheses that Rust needs, and where they keep a mixture of operators readable.

use lapis_cx::contract::FnId;
use lapis_cx::lower::ir::{self, Base, BinaryOp, CallArg, CompareOp, Edge, Expr, ExprKind, Shape, Slice, Storage, Ty};
use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt, quote};

use crate::body::Printer;
use crate::helper::Helper;
use crate::tokens::{literal, part, word};

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

/// The tokens of an expression and how tightly it holds together.
pub struct Code {
    tokens: TokenTree,
    level: Level,
}

impl Code {
    /// Where they are put into others they are not copied: they are a group without delimiters there.
    pub fn new(tokens: TokenStream, level: Level) -> Code {
        Code { tokens: part(tokens), level }
    }

    /// A name, a number, or what is a part already.
    pub fn atom(token: impl Into<TokenTree>) -> Code {
        Code { tokens: token.into(), level: Atom }
    }

    /// In parentheses unless its level is one of these.
    fn within(self, bare: &[Level]) -> TokenTree {
        if bare.contains(&self.level) {
            return self.tokens;
        }
        let inner = match self.tokens {
            TokenTree::Group(group) => group.stream(),
            token => token.into(),
        };
        Group::new(Delimiter::Parenthesis, inner).into()
    }

    /// As it stands.
    pub fn whole(self) -> TokenTree {
        self.tokens
    }
}

impl ToTokens for Code {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append(self.tokens.clone());
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

/// The name of the Rust type of a scalar.
pub fn scalar_type(ty: Ty) -> &'static str {
    match ty {
        Ty::Bool => "bool",
        Ty::W32 => "u32",
        Ty::W64 => "u64",
    }
}

/// The name of the Rust type of an element in memory.
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
pub fn hexadecimal(v: impl Into<u128>, digits: usize) -> String {
    let v: u128 = v.into();
    let digits = format!("{v:0digits$X}");
    let mut text = String::with_capacity(2 + digits.len() + digits.len() / 4 + "_u64".len());
    text.push_str("0x");
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(4) {
            text.push('_');
        }
        text.push(c);
    }
    text
}

/// A constant without its type: small ones and counts in decimal, others in hexadecimal.
pub fn number(ty: Ty, v: u64, bits: bool) -> TokenTree {
    typed(ty, v, bits, "")
}

/// A constant with a suffix.
fn typed(ty: Ty, v: u64, bits: bool, suffix: &str) -> TokenTree {
    let mut text = match ty {
        Ty::Bool => return word(if v == 0 { "false" } else { "true" }).into(),
        _ if v < 10 || (!bits && v < 10_000) => match suffix {
            "" => return Literal::u64_unsuffixed(v).into(),
            _ => v.to_string(),
        },
        _ => hexadecimal(v, 1),
    };
    if !suffix.is_empty() {
        text.push('_');
        text.push_str(suffix);
    }
    literal(&text)
}

/// A constant with the type of memory as its suffix.
pub fn stored_number(storage: Storage, ty: Ty, v: u64) -> TokenTree {
    typed(ty, v, false, storage_type(storage))
}

impl Printer<'_, '_> {
    /// An expression whose type its surroundings tell.
    pub fn expr(&mut self, e: &Expr) -> Code {
        self.code(e, PLAIN)
    }

    /// An expression whose type its surroundings do not tell, as in `u64::from(…)`.
    pub fn untyped(&mut self, e: &Expr) -> Code {
        self.code(e, UNTYPED)
    }

    /// An operand beside another one, which tells its type unless neither does.
    fn beside(&mut self, e: &Expr, other: &Expr, bits: bool) -> Code {
        let untyped = tells_no_type(e) && tells_no_type(other);
        self.code(e, Around { bits, untyped })
    }

    fn code(&mut self, e: &Expr, around: Around) -> Code {
        match &e.kind {
            ExprKind::Const(v) => {
                Code::atom(typed(e.ty, *v, around.bits, if around.untyped { scalar_type(e.ty) } else { "" }))
            }
            ExprKind::Local(id) => Code::atom(self.local(*id)),
            ExprKind::Arg(i) => self.argument(*i),
            ExprKind::Field(id) => {
                let tokens = self.field(*id);
                widened(tokens, self.field_storage(*id))
            }
            ExprKind::Element(base, index) => {
                let tokens = self.element(*base, index);
                match base {
                    Base::Buffer(at) => self.buffer_word(*at, tokens),
                    _ => widened(tokens, self.storage(*base)),
                }
            }
            ExprKind::Status => Code::atom(self.status()),
            ExprKind::StateWord(index) => {
                let (state, index) = (word(self.state), self.expr(index));
                Code::new(quote!(#state.read_word(#index)), Atom)
            }
            ExprKind::Not(a) => self.not(a),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, around),
            ExprKind::Compare(op, a, b) => self.compare(*op, a, b),
            ExprKind::And(a, b) => {
                let (a, b) = self.logical(And, a, b);
                Code::new(quote!(#a && #b), And)
            }
            ExprKind::Or(a, b) => {
                let (a, b) = self.logical(Or, a, b);
                Code::new(quote!(#a || #b), Or)
            }
            ExprKind::Convert(a) => self.convert(e.ty, a),
            ExprKind::SignExtend(a, bits) => self.sign_extend(e.ty, a, *bits),
            ExprKind::Select(c, a, b) => {
                let condition = self.expr(c);
                let then = self.code(a, around);
                let other = self.code(b, around);
                let tokens = match &b.kind {
                    ExprKind::Select(..) => quote!(if #condition { #then } else #other),
                    _ => quote!(if #condition { #then } else { #other }),
                };
                Code::new(tokens, Select)
            }
            ExprKind::Call(id, args) => {
                let name = self.unit.function(*id);
                let args = self.arguments(*id, args, None);
                Code::new(quote!(#name(#(#args),*)), Atom)
            }
            ExprKind::WideLess(a, b, n) => self.wide_call(Helper::Less, &[a, b], *n, None),
            ExprKind::WideEqual(a, b, n) => {
                let (left, right) = (self.slice(a, *n, false), self.slice(b, *n, false));
                Code::new(quote!(#left == #right), Compare)
            }
            ExprKind::IsNull(at) => {
                let name = self.base(Base::Buffer(*at));
                Code::new(quote!(#name.is_none()), Atom)
            }
            // What is opened is named by the `if let` that asks.
            ExprKind::IsOpen(_) => Code::atom(word("true")),
            ExprKind::WideClamp(a, n) => self.wide_call(Helper::Clamp, &[a], *n, None),
            ExprKind::WideWord { src, limbs, at } => {
                let helper = if e.ty == Ty::W64 { Helper::Word64 } else { Helper::Word32 };
                let at = self.expr(at);
                self.wide_call(helper, &[src], *limbs, Some(at))
            }
        }
    }

    /// A comparison that is not true is the opposite one.
    fn not(&mut self, a: &Expr) -> Code {
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
        if let ExprKind::IsNull(at) = a.kind {
            let name = self.base(Base::Buffer(at));
            return Code::new(quote!(#name.is_some()), Atom);
        }
        let a = self.code(a, Around { bits: true, untyped: true }).within(&[Atom, Unary]);
        Code::new(quote!(!#a), Unary)
    }

    fn compare(&mut self, op: CompareOp, a: &Expr, b: &Expr) -> Code {
        let bare = [Atom, Unary, Div];
        let left = self.beside(a, b, false).within(&bare);
        let right = self.beside(b, a, false).within(&bare);
        let tokens = match op {
            CompareOp::Eq => quote!(#left == #right),
            CompareOp::Ne => quote!(#left != #right),
            CompareOp::Lt => quote!(#left < #right),
            CompareOp::Le => quote!(#left <= #right),
            CompareOp::Gt => quote!(#left > #right),
            CompareOp::Ge => quote!(#left >= #right),
        };
        Code::new(tokens, Compare)
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, around: Around) -> Code {
        let tight = [Atom, Unary];
        match op {
            BinaryOp::Sub if a.as_const() == Some(0) => self.wrapping("wrapping_neg", b, None),
            BinaryOp::Add if a.as_const().is_some() => self.wrapping("wrapping_add", b, Some(a)),
            BinaryOp::Add => self.wrapping("wrapping_add", a, Some(b)),
            BinaryOp::Sub => self.wrapping("wrapping_sub", a, Some(b)),
            BinaryOp::Mul if a.as_const().is_some() => self.wrapping("wrapping_mul", b, Some(a)),
            BinaryOp::Mul => self.wrapping("wrapping_mul", a, Some(b)),
            BinaryOp::Div | BinaryOp::Rem => {
                let (left, right) = (self.beside(a, b, false).within(&tight), self.beside(b, a, false).within(&tight));
                Code::new(if op == BinaryOp::Div { quote!(#left / #right) } else { quote!(#left % #right) }, Div)
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                // The amount says nothing about the type of what is shifted.
                let untyped = around.untyped || tells_no_type(a);
                let left = self.code(a, Around { bits: true, untyped }).within(&tight);
                let right = match b.as_const() {
                    Some(n) => Code::atom(Literal::u64_unsuffixed(n)).whole(),
                    None => self.code(b, PLAIN).within(&tight),
                };
                Code::new(if op == BinaryOp::Shl { quote!(#left << #right) } else { quote!(#left >> #right) }, Shift)
            }
            BinaryOp::And => {
                let (left, right) = self.bitwise(BitAnd, a, b);
                Code::new(quote!(#left & #right), BitAnd)
            }
            BinaryOp::Or => {
                let (left, right) = self.bitwise(BitOr, a, b);
                Code::new(quote!(#left | #right), BitOr)
            }
            BinaryOp::Xor => {
                let (left, right) = self.bitwise(BitXor, a, b);
                Code::new(quote!(#left ^ #right), BitXor)
            }
        }
    }

    fn wrapping(&mut self, name: &str, receiver: &Expr, argument: Option<&Expr>) -> Code {
        let name = word(name);
        let receiver = self.code(receiver, UNTYPED).within(&[Atom]);
        let argument = argument.map(|argument| self.expr(argument));
        Code::new(quote!(#receiver.#name(#argument)), Atom)
    }

    /// Operands of `&`, `|` and `^`: in a chain of one of them no parentheses, around all else.
    fn bitwise(&mut self, level: Level, a: &Expr, b: &Expr) -> (TokenTree, TokenTree) {
        let bare = [Atom, Unary, level];
        (self.beside(a, b, true).within(&bare), self.beside(b, a, true).within(&bare))
    }

    fn logical(&mut self, level: Level, a: &Expr, b: &Expr) -> (TokenTree, TokenTree) {
        let bare = [Atom, Unary, Compare, level];
        (self.code(a, PLAIN).within(&bare), self.code(b, PLAIN).within(&bare))
    }

    fn convert(&mut self, ty: Ty, a: &Expr) -> Code {
        // An element or field that is read as a wider word needs one conversion, not two.
        let raw = match &a.kind {
            ExprKind::Element(base, index) if a.ty != Ty::Bool && !matches!(base, Base::Buffer(_)) => {
                Some(self.element(*base, index))
            }
            ExprKind::Field(id) if a.ty != Ty::Bool => Some(self.field(*id)),
            _ => None,
        };
        let storage = match &a.kind {
            ExprKind::Element(base, _) if !matches!(base, Base::Buffer(_)) => self.storage(*base).bits(),
            ExprKind::Field(id) => self.field_storage(*id).bits(),
            _ => a.ty.bits(),
        };
        let name = word(scalar_type(ty));
        if storage < ty.bits() {
            let inner = raw.map_or_else(|| self.code(a, UNTYPED), Code::atom);
            return Code::new(quote!(#name::from(#inner)), Atom);
        }
        match raw {
            Some(raw) if storage == ty.bits() => Code::atom(raw),
            Some(raw) => Code::new(quote!(#raw as #name), Cast),
            None => self.cast(name, a),
        }
    }

    /// A cast.
    pub fn cast(&mut self, ty: Ident, e: &Expr) -> Code {
        let e = self.code(e, UNTYPED).within(&[Atom, Unary, Cast]);
        Code::new(quote!(#e as #ty), Cast)
    }

    /// By a conversion through a signed type where Rust has one of this width.
    fn sign_extend(&mut self, ty: Ty, a: &Expr, bits: u32) -> Code {
        if matches!(bits, 8 | 16 | 32) {
            // What it was extended from, or cut to, does not matter.
            let inner = match &a.kind {
                ExprKind::Convert(inner) if matches!(inner.ty, Ty::W32) => inner,
                ExprKind::Binary(BinaryOp::And, inner, mask) if mask.as_const() == Some(ir::ones(bits)) => inner,
                _ => a,
            };
            let (signed, ty) = (word(&format!("i{bits}")), word(scalar_type(ty)));
            let inner = match &inner.kind {
                ExprKind::Element(Base::Buffer(at), index) => {
                    let element = self.element(Base::Buffer(*at), index);
                    let is_signed = self.buffer(*at).is_some_and(|buffer| buffer.number.is_signed(bits));
                    if is_signed {
                        return Code::new(quote!(#element as #ty), Cast);
                    }
                    self.buffer_word(*at, element).within(&[Atom, Unary, Cast])
                }
                ExprKind::Element(base, index) => self.element(*base, index),
                ExprKind::Field(id) => self.field(*id),
                _ => self.code(inner, UNTYPED).within(&[Atom, Unary, Cast]),
            };
            return Code::new(quote!(#inner as #signed as #ty), Cast);
        }
        let g = number(ty, 1 << (bits - 1), true);
        let low = self.code(a, Around { bits: true, untyped: tells_no_type(a) }).within(&[Atom, Unary]);
        Code::new(quote!((#low ^ #g).wrapping_sub(#g)), Atom)
    }

    fn argument(&mut self, i: u32) -> Code {
        let Some(argument) = self.params.get(i as usize) else { return Code::atom(Literal::u8_unsuffixed(0)) };
        pattern(argument.tokens.clone(), argument.edge, argument.native)
    }

    /// A position.
    pub fn index(&mut self, index: &Expr) -> Code {
        match index.as_const() {
            Some(n) => Code::atom(Literal::u64_unsuffixed(n)),
            None => self.cast(word("usize"), index),
        }
    }

    /// An element as it lies in memory.
    pub fn element(&mut self, base: Base, index: &Expr) -> TokenTree {
        if let Base::Buffer(at) = base {
            return self.read_buffer(at, index);
        }
        let (base, index) = (self.base(base), self.index(index));
        part(quote!(#base[#index]))
    }

    /// Whether a run is the whole array.
    pub fn is_whole(&self, slice: &Slice, len: u32) -> bool {
        slice.at.as_const() == Some(0) && self.len(slice.base) == Some(len)
    }

    /// The elements of a run, without a borrow.
    pub fn run(&mut self, slice: &Slice, len: u32) -> TokenTree {
        let base = self.base(slice.base);
        let count = Literal::u32_unsuffixed(len);
        part(match slice.at.as_const() {
            Some(0) if self.len(slice.base) == Some(len) => return base,
            Some(0) => quote!(#base[..#count]),
            Some(n) => {
                let (from, to) = (Literal::u64_unsuffixed(n), Literal::u64_unsuffixed(n + u64::from(len)));
                quote!(#base[#from..#to])
            }
            None => {
                let at = self.index(&slice.at);
                quote!(#base[#at..][..#count])
            }
        })
    }

    /// A run as an argument: borrowed, unless it is a borrow as it stands.
    pub fn slice(&mut self, slice: &Slice, len: u32, mutable: bool) -> TokenTree {
        let run = self.run(slice, len);
        // What is whole and borrowed stands as it is; a mutable borrow is lent again.
        if self.is_borrowed(slice.base) && self.is_whole(slice, len) {
            run
        } else if mutable {
            part(quote!(&mut #run))
        } else {
            part(quote!(&#run))
        }
    }

    /// A run as an argument beside a result: what is in the array of the result is copied first, as it cannot be
    /// borrowed twice.
    pub fn operand(&mut self, slice: &Slice, len: u32, result: Option<Base>) -> TokenTree {
        let run = self.slice(slice, len, false);
        if result != Some(slice.base) {
            return run;
        }
        let (copied, ty) = (self.unit.helper(Helper::Copied), word(storage_type(self.storage(slice.base))));
        let len = Literal::u32_unsuffixed(len);
        part(quote!(&#copied::<#ty, #len>(#run)))
    }

    /// The arguments of a call, whose result may go into an array.
    pub fn arguments(&mut self, id: FnId, args: &[CallArg], result: Option<Base>) -> Vec<TokenTree> {
        let section = self.unit.section;
        let params = section.functions.get(id.index()).map(|f| f.body.locals.as_slice()).unwrap_or_default();
        let mut all = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            all.push(match arg {
                CallArg::Value(e) => self.expr(e).tokens,
                CallArg::Array(slice) => {
                    let len = match params.get(i).map(|p| p.shape) {
                        Some(Shape::Array { len, .. }) => len,
                        _ => 1,
                    };
                    self.operand(slice, len, result)
                }
            });
        }
        all
    }

    fn wide_call(&mut self, helper: Helper, slices: &[&Slice], limbs: u32, rest: Option<Code>) -> Code {
        let mut args: Vec<TokenTree> = slices.iter().map(|slice| self.slice(slice, limbs, false)).collect();
        args.extend(rest.map(|rest| rest.tokens));
        let name = self.unit.helper(helper);
        Code::new(quote!(#name(#(#args),*)), Atom)
    }
}

/// The pattern of a value at an edge, zero-extended; `native` if its type is as wide as a pointer.
pub fn pattern(value: TokenTree, edge: Edge, native: bool) -> Code {
    match edge {
        Edge::Unsigned(bits @ (32 | 64)) | Edge::Signed(bits @ (32 | 64)) if native || edge == Edge::Signed(bits) => {
            let ty = word(&format!("u{bits}"));
            Code::new(quote!(#value as #ty), Cast)
        }
        Edge::Bool | Edge::Unsigned(32 | 64) => Code::atom(value),
        Edge::Unsigned(_) => Code::new(quote!(u32::from(#value)), Atom),
        Edge::Signed(bits) => {
            let ty = word(&format!("u{bits}"));
            Code::new(quote!(u32::from(#value as #ty)), Atom)
        }
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
fn widened(tokens: TokenTree, storage: Storage) -> Code {
    match storage {
        Storage::U8 | Storage::U16 => Code::new(quote!(u32::from(#tokens)), Atom),
        _ => Code::atom(tokens),
    }
}
