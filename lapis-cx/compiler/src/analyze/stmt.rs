//! Statements, and the rule that every path of a body with a result ends.

use crate::contract::core::{Arm, Expr, Raised, Stmt, Type};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{statements as codes, types};
use crate::int::Int;
use crate::syntax::{Kind, Node};

use super::checker::{BodyKind, Checker, Frame, NameInBody, Symbol};
use super::typed::Ty;

/// Checked statements, and whether control can reach their end.
struct Checked {
    stmts: Vec<Stmt>,
    ends: bool,
}

impl<'t> Checker<'_, 't> {
    /// The statements of a body whose parameters are declared.
    pub(super) fn body(&mut self, frame: &mut Frame<'t>, block: Node<'t>, name: Node<'t>) -> Vec<Stmt> {
        let checked = self.block(frame, block);
        // Where a statement could not be read, nobody knows whether it ended the body.
        let whole = block.descendants(|n| n.is_bad()).next().is_none();
        if !checked.ends && frame.result.is_some() && whole {
            let end = block.child(Kind::rbrace).unwrap_or(block);
            self.report(
                Diagnostic::error(
                    &codes::NO_RETURN,
                    format!("`{}` can end without a value", name.text()),
                    end.span(),
                    "control reaches this",
                )
                .help("end every path with `return`, `raise` or `trap`; a loop does not count, as it may run no time"),
            );
        }
        checked.stmts
    }

    fn block(&mut self, frame: &mut Frame<'t>, block: Node<'t>) -> Checked {
        frame.scopes.push(Default::default());
        let mut checked = Checked { stmts: Vec::new(), ends: false };
        // After a constant `if` that ends, what follows is dropped; after a plain `return` it is a mistake.
        let mut dropped = false;
        for node in block.children() {
            match node.kind() {
                Kind::lbrace | Kind::rbrace | Kind::unclosed => continue,
                Kind::bad_stmt => {
                    declare_broken(frame, node);
                    continue;
                }
                _ => {}
            }
            if dropped {
                continue;
            }
            if checked.ends {
                self.report(
                    Diagnostic::error(
                        &codes::UNREACHABLE,
                        "this is never reached",
                        node.span(),
                        "after the end of the body",
                    )
                    .help("remove it, or move it before the statement that ends the body"),
                );
                break;
            }
            let constant_branch = self.statement(frame, node, &mut checked);
            dropped = constant_branch && checked.ends;
        }
        frame.scopes.pop();
        checked
    }

    /// Checks one statement; true if it was a branch of a constant condition.
    fn statement(&mut self, frame: &mut Frame<'t>, node: Node<'t>, out: &mut Checked) -> bool {
        match node.kind() {
            Kind::let_stmt => self.let_stmt(frame, node, out),
            Kind::var_stmt => self.var_stmt(frame, node, out),
            Kind::assign_stmt => self.assign(frame, node, out),
            Kind::if_stmt => return self.if_stmt(frame, node, out),
            Kind::for_stmt => self.for_stmt(frame, node, out),
            Kind::match_stmt => return self.match_stmt(frame, node, out),
            Kind::return_stmt => {
                out.ends = true;
                self.return_stmt(frame, node, out);
            }
            Kind::raise_stmt => {
                out.ends = true;
                self.raise_stmt(frame, node, out);
            }
            Kind::trap_stmt => {
                out.ends = true;
                if frame.kind != BodyKind::Command {
                    self.error(&codes::NOT_PURE, node, format!("`trap` cannot stand {}", frame.kind.place()), "here");
                }
                out.stmts.push(Stmt::Trap);
            }
            _ => {}
        }
        false
    }

    fn let_stmt(&mut self, frame: &mut Frame<'t>, node: Node<'t>, out: &mut Checked) {
        let Some(init) = node.expr() else { return };
        let written = match node.child(Kind::r#type) {
            None => None,
            Some(written) => match self.type_of(frame, written) {
                Some(ty) => Some(ty),
                None => return frame.bind(node.name().text(), NameInBody::Broken),
            },
        };
        let typed = self.expr(frame, init, written.as_ref());
        if let (None, Ty::Unsized { .. }, Some(v)) = (&written, &typed.ty, typed.int()) {
            return self.bind(frame, node.name(), NameInBody::Alias(v));
        }
        let broken = typed.is_error();
        let (ty, expr) = match written {
            Some(ty) => (Ty::Sized(ty.clone()), self.coerce_or_fill(typed, &ty, init)),
            None => (typed.ty, typed.expr),
        };
        let local = self.declare(frame, node.name(), if broken { Ty::Error } else { ty }, ("a `let`", false));
        out.stmts.push(Stmt::Let(local, expr));
    }

    fn var_stmt(&mut self, frame: &mut Frame<'t>, node: Node<'t>, out: &mut Checked) {
        let (Some(written), Some(init)) = (node.child(Kind::r#type), node.expr()) else { return };
        let Some(ty) = self.type_of(frame, written) else {
            return frame.bind(node.name().text(), NameInBody::Broken);
        };
        let typed = self.expr(frame, init, Some(&ty));
        let expr = self.coerce_or_fill(typed, &ty, init);
        let local = self.declare(frame, node.name(), Ty::Sized(ty), ("a variable", true));
        out.stmts.push(Stmt::Let(local, expr));
    }

    fn assign(&mut self, frame: &mut Frame<'t>, node: Node<'t>, out: &mut Checked) {
        let (Some(place_node), Some(op), Some(value)) =
            (node.child(Kind::place), node.child(Kind::assign_op), node.expr())
        else {
            return;
        };
        let Some(place) = self.place(frame, place_node) else {
            self.expr(frame, value, None);
            return;
        };
        let symbol = op.text().trim_end_matches('=');
        let typed = self.expr(frame, value, Some(&place.ty));
        let typed = if symbol.is_empty() {
            typed
        } else {
            let current = super::typed::Typed {
                ty: Ty::Sized(place.ty.clone()),
                value: None,
                expr: place_value(&place, frame, &self.section),
            };
            self.operate(symbol, current, typed, node)
        };
        let expr = self.coerce_or_fill(typed, &place.ty, value);
        out.stmts.push(Stmt::Set(place, expr));
    }

    fn if_stmt(&mut self, frame: &mut Frame<'t>, node: Node<'t>, out: &mut Checked) -> bool {
        let Some(cond_node) = node.child(Kind::cond).and_then(|c| c.expr()) else { return false };
        let cond = self.condition(frame, cond_node);
        let blocks: Vec<_> = node.children().filter(|n| matches!(n.kind(), Kind::block | Kind::if_stmt)).collect();
        let (Some(then), other) = (blocks.first(), blocks.get(1)) else { return false };
        if let Some(v) = cond.int() {
            let taken = if v.is_zero() { other } else { Some(then) };
            if let Some(taken) = taken {
                let mut branch = self.branch(frame, *taken);
                out.stmts.append(&mut branch.stmts);
                out.ends |= branch.ends;
            }
            return true;
        }
        let a = self.branch(frame, *then);
        let b = other.map(|other| self.branch(frame, *other));
        let ends = a.ends && b.as_ref().is_some_and(|b| b.ends);
        out.ends |= ends;
        out.stmts.push(Stmt::If(cond.expr, a.stmts, b.map(|b| b.stmts).unwrap_or_default()));
        false
    }

    /// A block, or the `if` of an `else if`.
    fn branch(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Checked {
        if node.kind() == Kind::block {
            return self.block(frame, node);
        }
        let mut checked = Checked { stmts: Vec::new(), ends: false };
        self.if_stmt(frame, node, &mut checked);
        checked
    }

    /// The bounds of a loop: numbers without a size, as their range is known. `None` after a complaint.
    pub(super) fn bounds(&mut self, frame: &mut Frame<'t>, range: Node<'t>) -> Option<(Expr, Expr, Ty)> {
        let nodes: Vec<_> = range.exprs().collect();
        let [lo_node, hi_node] = nodes.as_slice() else { return None };
        let (lo, hi) = (self.expr(frame, *lo_node, None), self.expr(frame, *hi_node, None));
        for (bound, node) in [(&lo, lo_node), (&hi, hi_node)] {
            match &bound.ty {
                Ty::Error => return None,
                Ty::Unsized { .. } => {}
                Ty::Sized(ty) if ty.is_integer() && bound.value.is_some() => {}
                Ty::Sized(_) => {
                    self.report(
                        Diagnostic::error(
                            &types::NOT_CONSTANT,
                            "a loop has bounds that are known beforehand",
                            node.span(),
                            "varies",
                        )
                        .help("loop over the whole range, and test inside: `for i in 0..64 { if (i < n) { … } }`"),
                    );
                    return None;
                }
            }
        }
        let ((least, _), (_, most)) = (lo.range(), hi.range());
        if most < least {
            self.error(&types::OUT_OF_RANGE, range, "this range runs backwards", &format!("from {least} to {most}"));
            return None;
        }
        let last = (&most - &Int::ONE).max(least.clone());
        Some((lo.expr, hi.expr, Ty::Unsized { lo: least, hi: last }))
    }

    fn for_stmt(&mut self, frame: &mut Frame<'t>, node: Node<'t>, out: &mut Checked) {
        let (Some(range), Some(block)) = (node.child(Kind::range), node.child(Kind::block)) else { return };
        let bounds = self.bounds(frame, range);
        frame.scopes.push(Default::default());
        let ty = bounds.as_ref().map_or(Ty::Error, |(_, _, ty)| ty.clone());
        let local = self.declare(frame, node.name(), ty, ("a loop variable", false));
        let checked = self.block(frame, block);
        frame.scopes.pop();
        if let Some((lo, hi, _)) = bounds {
            out.stmts.push(Stmt::For { local, lo, hi, body: checked.stmts });
        }
    }

    fn match_stmt(&mut self, frame: &mut Frame<'t>, node: Node<'t>, out: &mut Checked) -> bool {
        let Some(value_node) = node.child(Kind::cond).and_then(|c| c.expr()) else { return false };
        let value = self.expr(frame, value_node, None);
        let scalar = !matches!(value.ty, Ty::Sized(Type::Array { .. }));
        if !scalar {
            self.error(&types::OPERANDS, value_node, "an array cannot be matched", "an array");
        }
        let known = value.int();
        let mut arms: Vec<Arm> = Vec::new();
        let mut seen: Vec<(Int, Int)> = Vec::new();
        let (mut default, mut all_end, mut taken) = (None, true, None);
        for arm in node.children_of(Kind::arm) {
            if default.is_some() {
                self.error(&codes::MATCH, arm, "an arm after `_` is never reached", "never reached");
                break;
            }
            let mut patterns = Vec::new();
            let mut any = false;
            for pattern in arm.children_of(Kind::pattern) {
                if pattern.has(Kind::wildcard) {
                    any = true;
                } else if let Some(range) = self.pattern_range(frame, &value, pattern) {
                    if seen.iter().any(|s| s.0 < range.1 && range.0 < s.1) {
                        self.error(&codes::MATCH, pattern, "this pattern is matched before", "matched twice");
                        continue;
                    }
                    seen.push(range.clone());
                    patterns.push(range);
                }
            }
            let Some(block) = arm.child(Kind::block) else { continue };
            // Under a constant value only the arm that is taken is checked.
            if let Some(v) = &known {
                if taken.is_none() && (any || patterns.iter().any(|(lo, hi)| lo <= v && v < hi)) {
                    taken = Some(self.block(frame, block));
                }
                if any {
                    default = Some(Vec::new());
                }
                continue;
            }
            let checked = self.block(frame, block);
            all_end &= checked.ends;
            if any {
                default = Some(checked.stmts);
            } else {
                arms.push(Arm { patterns, body: checked.stmts });
            }
        }
        if default.is_none() && scalar && !value.is_error() && !covers(value.range(), seen) {
            self.report(
                Diagnostic::error(&codes::MATCH, "not every value is matched", node.span(), "some values have no arm")
                    .help("add an arm `_ => { … }`; an enum is open, so other patterns than its cases may occur"),
            );
        }
        if known.is_some() {
            if let Some(mut taken) = taken {
                out.stmts.append(&mut taken.stmts);
                out.ends |= taken.ends;
            }
            return true;
        }
        out.ends |= all_end;
        out.stmts.push(Stmt::Match { value: value.expr, arms, default: default.unwrap_or_default() });
        false
    }

    /// The half-open range of a pattern. A bare name is first a case of the matched enum.
    fn pattern_range(
        &mut self,
        frame: &Frame<'t>,
        value: &super::typed::Typed,
        pattern: Node<'t>,
    ) -> Option<(Int, Int)> {
        let one = |v: Int| Some((v.clone(), &v + &Int::ONE));
        let numbers: Vec<_> = pattern.children_of(Kind::signed_int).collect();
        let wanted = match (&value.ty, pattern) {
            (Ty::Error, _) => return None,
            (Ty::Sized(Type::Enum { id, .. }), p) if p.has(Kind::ident) => {
                let id = *id;
                return match self.case_pattern(id, p.name().text()) {
                    Some((_, v)) => one(v),
                    None => {
                        let found = self.no_such_case(id, p.name());
                        self.report(found);
                        None
                    }
                };
            }
            (Ty::Sized(Type::Bool), p) if p.has(Kind::kw_true) => return one(Int::ONE),
            (Ty::Sized(Type::Bool), p) if p.has(Kind::kw_false) => return one(Int::ZERO),
            (Ty::Sized(Type::Enum { .. }), p) if !numbers.is_empty() => {
                self.error(&types::OPERANDS, p, "an enum is matched by its cases", "a number");
                return None;
            }
            (_, p) if p.has(Kind::ident) => {
                return one(self.pattern_constant(frame, p)?);
            }
            _ => value.range(),
        };
        let [first, rest @ ..] = numbers.as_slice() else {
            let what = self.describe(value);
            self.error(&types::OPERANDS, pattern, format!("this pattern does not fit {what}"), "another kind of value");
            return None;
        };
        let lo = self.signed_int(*first)?;
        let hi = match rest.first() {
            Some(end) => self.signed_int(*end)?,
            None => &lo + &Int::ONE,
        };
        if hi <= lo {
            self.error(&codes::MATCH, pattern, "this range is empty", "ranges are half-open, as in loops");
            return None;
        }
        if lo < wanted.0 || hi > &wanted.1 + &Int::ONE {
            let what = self.describe(value);
            self.error(&codes::MATCH, pattern, format!("{what} never has such a value"), "out of its range");
            return None;
        }
        Some((lo, hi))
    }

    /// A named constant as a pattern.
    fn pattern_constant(&mut self, frame: &Frame<'t>, pattern: Node<'t>) -> Option<Int> {
        match self.symbol(frame.home, pattern.name().text()) {
            Some(Symbol::Const(decl)) => self.const_use(decl).int(),
            _ => {
                self.unknown(frame, pattern.name(), "constant");
                None
            }
        }
    }

    fn return_stmt(&mut self, frame: &mut Frame<'t>, node: Node<'t>, out: &mut Checked) {
        let result = frame.result.clone();
        match (node.expr(), result) {
            (Some(value), Some(ty)) => {
                let typed = self.expr(frame, value, Some(&ty));
                let expr = self.coerce_or_fill(typed, &ty, value);
                out.stmts.push(Stmt::Return(Some(expr)));
            }
            (None, None) => out.stmts.push(Stmt::Return(None)),
            (Some(value), None) => {
                self.report(
                    Diagnostic::error(&codes::RETURN, "this command has no result", value.span(), "a value")
                        .help("declare one, as in `-> word`, or write `return;`"),
                );
            }
            (None, Some(ty)) => {
                let ty = self.name_of(&ty);
                self.error(&codes::RETURN, node, format!("a value of type `{ty}` is missing"), "returns nothing");
            }
        }
    }

    fn raise_stmt(&mut self, frame: &mut Frame<'t>, node: Node<'t>, out: &mut Checked) {
        let name = node.name();
        if frame.kind != BodyKind::Command {
            self.error(
                &codes::NOT_PURE,
                node,
                format!("`raise` cannot stand {}", frame.kind.place()),
                "only in a command",
            );
            return;
        }
        let error = self.raised(name);
        let mut commit = false;
        for attr in node.children_of(Kind::attr) {
            match attr.name().text() {
                "commit" => commit = true,
                other => {
                    let message = format!("`raise` has no attribute `@{other}`");
                    self.error(&crate::diagnostic::catalogue::interface::ATTRIBUTE, attr, message, "only `@commit`");
                }
            }
        }
        let result = frame.result.clone();
        let value = match (node.expr(), result) {
            (None, _) => None,
            (Some(value), Some(ty)) => {
                let typed = self.expr(frame, value, Some(&ty));
                Some(self.coerce(typed, &ty, value))
            }
            (Some(value), None) => {
                self.error(&codes::RETURN, value, "this command has no result", "a value");
                None
            }
        };
        if let Some(error) = error {
            out.stmts.push(Stmt::Raise { error, commit, value });
        }
    }

    fn raised(&mut self, name: Node<'t>) -> Option<Raised> {
        if name.text() == "op" {
            return Some(Raised::Op);
        }
        if let Some((Symbol::Error(id), _)) = self.members.get(name.text()) {
            return Some(Raised::Error(*id));
        }
        let known: Vec<_> = self.section.errors.iter().map(|e| e.name.as_str()).chain(["op"]).collect();
        let mut found = Diagnostic::error(
            &codes::RAISE,
            format!("there is no error `{}`", name.text()),
            name.span(),
            "not declared",
        );
        found = match super::names::nearest(name.text(), known.iter().copied()) {
            Some(near) => found.help(format!("did you mean `{near}`?")),
            None => found.help(format!("declare it, as in `error {} = 1 \"…\";`, or raise `op`", name.text())),
        };
        self.report(found);
        None
    }
}

/// Names that a statement which could not be read would have declared.
fn declare_broken<'t>(frame: &mut Frame<'t>, bad: Node<'t>) {
    let words: Vec<_> = bad.leaves().filter(|l| !l.is_trivia()).collect();
    for pair in words.windows(2) {
        if let [keyword, name] = pair
            && matches!(keyword.text(), "let" | "var" | "for")
            && name.kind() == Kind::ident
        {
            frame.bind(name.text(), NameInBody::Broken);
        }
    }
}

/// Whether half-open ranges, none overlapping, cover `lo..=hi`.
fn covers((lo, hi): (Int, Int), mut seen: Vec<(Int, Int)>) -> bool {
    seen.sort();
    let mut next = lo;
    for (start, end) in seen {
        if start > next {
            return false;
        }
        next = next.max(end);
    }
    next > hi
}

/// The value that a place holds before the assignment, for `x ^= y`.
fn place_value(place: &crate::contract::core::Place, frame: &Frame<'_>, section: &crate::contract::Section) -> Expr {
    use crate::contract::core::{ExprKind, PlaceRoot, PlaceStep};
    let mut expr = match place.root {
        PlaceRoot::Local(id) => {
            Expr { ty: frame.locals.get(id.index()).map_or(Type::Bool, |l| l.ty.clone()), kind: ExprKind::Local(id) }
        }
        PlaceRoot::State(id) => Expr {
            ty: section.state.as_ref().and_then(|s| s.fields.get(id.index())).map_or(Type::Bool, |f| f.ty.clone()),
            kind: ExprKind::State(id),
        },
    };
    for step in &place.path {
        expr = match step {
            PlaceStep::Index(at) => Expr {
                ty: match &expr.ty {
                    Type::Array { elem, .. } => (**elem).clone(),
                    other => other.clone(),
                },
                kind: ExprKind::Index(Box::new(expr), Box::new(at.clone())),
            },
            PlaceStep::Bits { at, width } => {
                Expr { ty: Type::U(*width), kind: ExprKind::Bits(Box::new(expr), Box::new(at.clone())) }
            }
        };
    }
    expr
}
