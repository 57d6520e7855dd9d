//! Statements as tokens.

use lapis_cx::contract::{FieldId, FnId};
use lapis_cx::lower::ir::{
    self, Answer, Base, BinaryOp, Edge, Expr, ExprKind, LocalId, Shape, Slice, Stmt, Storage, WideOp,
};
use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream, TokenTree};
use quote::{TokenStreamExt, quote};

use crate::body::Printer;
use crate::expr::{number, scalar_type, storage_type, stored_number};
use crate::helper::Helper;
use crate::library::flow;
use crate::method::edge_type;
use crate::naming::STATUS;
use crate::tokens::{part, word};

/// What is assigned to.
#[derive(Clone, Copy)]
enum Place<'e> {
    Local(LocalId),
    Field(FieldId),
    Element(Base, &'e Expr),
    Status,
}

impl Place<'_> {
    /// Whether an expression reads this place.
    fn is(self, e: &Expr) -> bool {
        match (&e.kind, self) {
            (ExprKind::Local(a), Place::Local(b)) => *a == b,
            (ExprKind::Field(a), Place::Field(b)) => *a == b,
            (ExprKind::Element(a, at), Place::Element(b, index)) => *a == b && **at == *index,
            (ExprKind::Status, Place::Status) => true,
            _ => false,
        }
    }
}

impl Printer<'_, '_> {
    pub fn push(&mut self, tokens: TokenStream) {
        self.out.append(part(tokens));
    }

    /// Statements in braces. `last` says that the body ends behind them: a `return` there is a value, or nothing.
    pub fn block(&mut self, stmts: &[Stmt], last: bool) -> Group {
        let stmts: Vec<&Stmt> = stmts.iter().collect();
        self.statements(&stmts, last)
    }

    pub fn statements(&mut self, stmts: &[&Stmt], last: bool) -> Group {
        let first = std::mem::take(&mut self.first);
        let outer = std::mem::replace(&mut self.out, first);
        let kept = flow::kept(stmts);
        let mut rest = kept.iter().copied();
        while let Some(stmt) = rest.next() {
            let following = rest.clone().next();
            if let (Stmt::Declare(id), Some(next)) = (stmt, following)
                && self.declared_with(*id, next)
            {
                rest.next();
                continue;
            }
            self.stmt(stmt, last && following.is_none());
        }
        Group::new(Delimiter::Brace, std::mem::replace(&mut self.out, outer))
    }

    /// An array that is filled or copied whole right after it begins, as one statement.
    fn declared_with(&mut self, id: LocalId, next: &Stmt) -> bool {
        let Some((storage, len)) = self.elements(Base::Local(id)) else { return false };
        let value = match next {
            Stmt::Fill { dst, len: n, value } if dst.base == Base::Local(id) && self.is_whole(dst, *n) => {
                let (value, len) = (self.stored(storage, value, true), Literal::u32_unsuffixed(len));
                part(quote!([#value; #len]))
            }
            Stmt::Copy { dst, src, len: n }
                if dst.base == Base::Local(id)
                    && self.is_whole(dst, *n)
                    && self.is_whole(src, *n)
                    && !self.is_borrowed(src.base) =>
            {
                self.base(src.base)
            }
            _ => return false,
        };
        let mark = self.mark(self.locals.writes(id) > 1);
        let name = self.local(id);
        self.push(quote!(let #mark #name = #value;));
        true
    }

    /// A value in the type of memory; `alone` if nothing else says its type.
    fn stored(&mut self, storage: Storage, e: &Expr, alone: bool) -> TokenTree {
        if let ExprKind::Const(v) = &e.kind {
            let number = if alone { stored_number(storage, e.ty, *v) } else { number(e.ty, *v, false) };
            return number;
        }
        if !matches!(storage, Storage::U8 | Storage::U16) {
            return self.expr(e).whole();
        }
        match &e.kind {
            // An element of the same storage needs no way through a word.
            ExprKind::Element(base, index) if self.storage(*base) == storage && !matches!(base, Base::Buffer(_)) => {
                self.element(*base, index)
            }
            ExprKind::Field(id) if self.field_storage(*id) == storage => self.field(*id),
            _ => self.cut(word(storage_type(storage)), storage.bits(), e),
        }
    }

    /// A cast to a narrower type, which does what a mask of its width would.
    pub fn cut(&mut self, ty: Ident, bits: u32, e: &Expr) -> TokenTree {
        match &e.kind {
            ExprKind::Binary(BinaryOp::And, a, mask) if mask.as_const() == Some(ir::ones(bits)) => {
                self.cast(ty, a).whole()
            }
            ExprKind::Convert(a) if a.ty == ir::Ty::Bool => {
                let a = self.expr(a);
                part(quote!(#ty::from(#a)))
            }
            _ => self.cast(ty, e).whole(),
        }
    }

    fn stmt(&mut self, stmt: &Stmt, last: bool) {
        match stmt {
            Stmt::Declare(id) => self.declare(*id),
            Stmt::Let(id, e) => {
                let mark = self.mark(self.locals.is_changed(*id));
                let (ty, name, e) = (word(scalar_type(e.ty)), self.local(*id), self.expr(e));
                self.push(quote!(let #mark #name: #ty = #e;));
            }
            Stmt::Assign(id, e) => self.assign(Place::Local(*id), e),
            Stmt::SetField(id, e) => self.set(Place::Field(*id), self.field_storage(*id), e),
            Stmt::Store(Base::Buffer(at), index, e) => self.write_buffer(*at, index, e),
            Stmt::Store(base, index, e) => self.set(Place::Element(*base, index), self.storage(*base), e),
            Stmt::Copy { dst, src, len } => self.copy(dst, src, *len),
            Stmt::Fill { dst, len, value } => {
                let value = self.stored(self.storage(dst.base), value, false);
                let run = self.run(dst, *len);
                self.push(quote!(#run.fill(#value);));
            }
            Stmt::CallInto(id, args, dst) => self.call_into(*id, args, dst),
            Stmt::Wide { dst, limbs, op } => self.wide(dst, *limbs, op),
            Stmt::If(c, then, other) => self.branch(c, (then, other), last),
            Stmt::For { var, lo, hi, body } => self.repeat(*var, lo, hi, body),
            Stmt::Switch { value, arms, default } => self.switch(value, arms, default, last),
            Stmt::Return(value) => {
                let value = value.as_ref().map(|e| self.expr(e).whole());
                self.end(value, last);
            }
            Stmt::Finish(answer, value) => {
                let value = self.answer(*answer, value.as_ref());
                self.end(value, last);
            }
            Stmt::SetStatus(e) => self.assign(Place::Status, e),
            Stmt::SetStateWord(index, value) => {
                let (state, index, value) = (word(self.state), self.expr(index), self.expr(value));
                self.push(quote!(#state.write_word(#index, #value);));
            }
            Stmt::Cx(cx) => self.cx(cx),
            Stmt::Reset => {
                let (st, status) = (word(self.state), word(STATUS));
                self.push(quote!(*#st = State { #status: #st.#status, ..State::RESET };));
            }
        }
    }

    fn declare(&mut self, id: LocalId) {
        let name = self.local(id);
        match self.body.locals.get(id.index()).map(|l| l.shape) {
            Some(Shape::Array { storage, len }) => {
                let (zero, len) = (stored_number(storage, storage.ty(), 0), Literal::u32_unsuffixed(len));
                self.push(quote!(let mut #name = [#zero; #len];));
            }
            Some(Shape::Scalar(storage)) => {
                let (mark, ty) = (self.mark(self.locals.is_changed(id)), word(storage_type(storage)));
                self.push(quote!(let #mark #name: #ty;));
            }
            None => {}
        }
    }

    /// The tokens of a place.
    fn place(&mut self, place: Place<'_>) -> TokenTree {
        match place {
            Place::Local(id) => self.local(id).into(),
            Place::Field(id) => self.field(id),
            Place::Element(base, index) => self.element(base, index),
            Place::Status => self.status(),
        }
    }

    fn set(&mut self, place: Place<'_>, storage: Storage, e: &Expr) {
        if matches!(storage, Storage::U32 | Storage::U64) {
            return self.assign(place, e);
        }
        let (place, value) = (self.place(place), self.stored(storage, e, false));
        self.push(quote!(#place = #value;));
    }

    /// `x = x & e` is said as `x &= e`.
    fn assign(&mut self, place: Place<'_>, e: &Expr) {
        let to = self.place(place);
        if let ExprKind::Binary(op, a, b) = &e.kind {
            let commutes = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
            let wraps = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
            let other = if wraps {
                None
            } else if place.is(a) {
                Some(b)
            } else if commutes && place.is(b) {
                Some(a)
            } else {
                None
            };
            if let Some(other) = other {
                let other = self.expr(other);
                return self.push(match op {
                    BinaryOp::Div => quote!(#to /= #other;),
                    BinaryOp::Rem => quote!(#to %= #other;),
                    BinaryOp::And => quote!(#to &= #other;),
                    BinaryOp::Or => quote!(#to |= #other;),
                    BinaryOp::Xor => quote!(#to ^= #other;),
                    BinaryOp::Shl => quote!(#to <<= #other;),
                    BinaryOp::Shr => quote!(#to >>= #other;),
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => TokenStream::new(),
                });
            }
        }
        let e = self.expr(e);
        self.push(quote!(#to = #e;));
    }

    /// Leaves the body with a value or without.
    fn end(&mut self, value: Option<TokenTree>, last: bool) {
        match (value, last) {
            (Some(value), true) => self.out.append(value),
            (Some(value), false) => self.push(quote!(return #value;)),
            (None, true) => {}
            (None, false) => self.push(quote!(return;)),
        }
    }

    fn branch(&mut self, c: &Expr, (then, other): (&[Stmt], &[Stmt]), last: bool) {
        let (mut c, mut then, mut other) = (c, then, other);
        loop {
            if let ExprKind::IsOpen(context) = c.kind {
                let (opened, found) = self.opened(context);
                self.first = self.begun(context);
                let block = self.block(then, last);
                self.push(quote!(if let Some(#opened) = #found #block));
            } else {
                let condition = self.expr(c);
                let block = self.block(then, last);
                self.push(quote!(if #condition #block));
            }
            match flow::without_open(other) {
                [] => return,
                [Stmt::If(next, a, b)] => {
                    self.push(quote!(else));
                    (c, then, other) = (next, a, b);
                }
                _ => {
                    let block = self.block(other, last);
                    return self.push(quote!(else #block));
                }
            }
        }
    }

    fn repeat(&mut self, var: LocalId, lo: &Expr, hi: &Expr, body: &[Stmt]) {
        let is_read = self.read.get(var.index()).copied().unwrap_or(false);
        let name = if is_read { self.local(var) } else { word("_") };
        let from = self.expr(lo);
        // Two constants do not say their type.
        let to = if lo.as_const().is_some() { self.untyped(hi) } else { self.expr(hi) };
        let block = self.block(body, false);
        self.push(quote!(for #name in #from..#to #block));
    }

    fn switch(&mut self, value: &Expr, arms: &[(Vec<u64>, Vec<Stmt>)], default: &[Stmt], last: bool) {
        let ty = value.ty;
        let value = self.expr(value);
        let mut all = TokenStream::new();
        for (values, body) in arms {
            let values = values.iter().map(|v| number(ty, *v, false));
            let block = self.block(body, last);
            all.extend([quote!(#(#values)|* => #block)]);
        }
        let block = self.block(default, last);
        all.extend([quote!(_ => #block)]);
        let arms = Group::new(Delimiter::Brace, all);
        self.push(quote!(match #value #arms));
    }

    fn copy(&mut self, dst: &Slice, src: &Slice, len: u32) {
        let whole = self.is_whole(dst, len) && self.is_whole(src, len);
        let owned = matches!(dst.base, Base::Field(_)) && !self.is_borrowed(src.base);
        let tokens = if whole && owned {
            let (to, from) = (self.base(dst.base), self.base(src.base));
            quote!(#to = #from;)
        } else if len == 1 {
            let (to, from) = (self.element(dst.base, &dst.at), self.element(src.base, &src.at));
            quote!(#to = #from;)
        } else if dst.base == src.base {
            let base = self.base(dst.base);
            let (at, from) = (self.index(&dst.at), self.index(&src.at));
            let len = Literal::u32_unsuffixed(len);
            quote!({ let from = #from; #base.copy_within(from..from + #len, #at); })
        } else {
            let (to, from) = (self.run(dst, len), self.slice(src, len, false));
            quote!(#to.copy_from_slice(#from);)
        };
        self.push(tokens);
    }

    fn call_into(&mut self, id: FnId, args: &[ir::CallArg], dst: &Slice) {
        let len = self.unit.section.functions.get(id.index()).map(|f| f.result);
        let len = match len {
            Some(Shape::Array { len, .. }) => len,
            _ => 1,
        };
        let mut args = self.arguments(id, args, Some(dst.base));
        args.push(self.slice(dst, len, true));
        let name = self.unit.function(id);
        self.push(quote!(#name(#(#args),*);));
    }

    fn wide(&mut self, dst: &Slice, limbs: u32, op: &WideOp) {
        let base = Some(dst.base);
        let mut args = vec![self.slice(dst, limbs, true)];
        let helper = match op {
            WideOp::Word(e) => {
                args.push(if e.ty == ir::Ty::W64 || e.as_const().is_some() {
                    self.expr(e).whole()
                } else {
                    let e = self.untyped(e);
                    part(quote!(u64::from(#e)))
                });
                Helper::FromWord
            }
            WideOp::Resize(a, m) => {
                args.push(self.operand(a, *m, base));
                Helper::Resize
            }
            WideOp::Not(a) => {
                args.push(self.operand(a, limbs, base));
                Helper::Not
            }
            WideOp::Shl(a, by) | WideOp::Shr(a, by) => {
                args.push(self.operand(a, limbs, base));
                args.push(self.expr(by).whole());
                if matches!(op, WideOp::Shl(..)) { Helper::Shl } else { Helper::Shr }
            }
            WideOp::Mask(width) | WideOp::SignExtend(width) => {
                args.push(Literal::u32_unsuffixed(*width).into());
                if matches!(op, WideOp::Mask(_)) { Helper::Mask } else { Helper::SignExtend }
            }
            WideOp::Add(a, b)
            | WideOp::Sub(a, b)
            | WideOp::Mul(a, b)
            | WideOp::And(a, b)
            | WideOp::Or(a, b)
            | WideOp::Xor(a, b)
            | WideOp::Div(a, b)
            | WideOp::Rem(a, b) => {
                args.push(self.operand(a, limbs, base));
                args.push(self.operand(b, limbs, base));
                match op {
                    WideOp::Add(..) => Helper::Add,
                    WideOp::Sub(..) => Helper::Sub,
                    WideOp::Mul(..) => Helper::Mul,
                    WideOp::And(..) => Helper::And,
                    WideOp::Or(..) => Helper::Or,
                    WideOp::Xor(..) => Helper::Xor,
                    WideOp::Div(..) => {
                        self.unit.division_limbs = self.unit.division_limbs.max(limbs);
                        Helper::Div
                    }
                    _ => Helper::Rem,
                }
            }
        };
        let name = self.unit.helper(helper);
        self.push(quote!(#name(#(#args),*);));
    }

    /// What a command gives: the value, and the answer if it reports one.
    fn answer(&mut self, answer: Answer, value: Option<&Expr>) -> Option<TokenTree> {
        if self.routine.is_some() {
            return value.map(|value| self.given(value));
        }
        let value = value.zip(self.result).map(|(value, edge)| match (edge, &value.kind) {
            (Edge::Bool | Edge::Unsigned(32 | 64), _) => self.expr(value).whole(),
            (Edge::Signed(bits) | Edge::Unsigned(bits), ExprKind::Const(v)) if *v < 1 << (bits - 1) => {
                number(value.ty, *v, false)
            }
            (Edge::Unsigned(bits) | Edge::Signed(bits), _) => self.cut(edge_type(edge), bits, value),
        });
        if !self.reports {
            return value;
        }
        let (value, answer) = (value.unwrap_or_else(|| part(quote!(()))), word(&format!("{answer:?}")));
        Some(part(quote!((#value, abi1::Answer::#answer))))
    }
}
