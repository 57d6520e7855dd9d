//! Statements, and the rule that every path of a body with a result ends.

use std::collections::BTreeMap;

use crate::contract::core::{Arm, Expr, Raised, Stmt, Type};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{library, statements as codes, types};
use crate::int::Int;
use crate::source::Span;
use crate::syntax::{Kind, Node};

use super::checker::{BodyKind, Checker, Frame, NameInBody, Symbol};
use super::names;
use super::typed::{Ty, Typed, is_of_unknown_length};

/// Arms become branches of branches in some targets, whose compilers nest no deeper.
const MAX_ARMS: usize = 256;

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
        if !checked.ends && frame.result.is_some() && !block.is_broken() && !frame.uncertain {
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

    /// The statements of a block inside of a body, and whether control cannot reach their end.
    pub(super) fn inner_block(&mut self, frame: &mut Frame<'t>, block: Node<'t>) -> (Vec<Stmt>, bool) {
        let checked = self.block(frame, block);
        (checked.stmts, checked.ends)
    }

    fn block(&mut self, frame: &mut Frame<'t>, block: Node<'t>) -> Checked {
        let mut checked = Checked { stmts: Vec::new(), ends: false };
        if !self.enter(block, 2) {
            // What is said is enough.
            checked.ends = true;
            return checked;
        }
        frame.scopes.push(Default::default());
        self.statements(frame, block, &mut checked);
        frame.scopes.pop();
        self.leave(2);
        checked
    }

    fn statements(&mut self, frame: &mut Frame<'t>, block: Node<'t>, checked: &mut Checked) {
        // After a constant `if` that ends, what follows is dropped; after a plain `return` it is a mistake.
        let mut dropped = false;
        for node in block.children() {
            match node.kind() {
                Kind::lbrace | Kind::rbrace | Kind::unclosed => continue,
                Kind::bad_stmt => {
                    for name in names::declared_in(node) {
                        frame.bind(name, NameInBody::Broken);
                    }
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
            let constant_branch = self.statement(frame, node, checked);
            dropped = constant_branch && checked.ends;
        }
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
            Kind::with_stmt => {
                if let Some((with, ends)) = self.with_stmt(frame, node) {
                    out.stmts.push(Stmt::With(with));
                    out.ends |= ends;
                }
            }
            Kind::issue_stmt => out.stmts.extend(self.issue_stmt(frame, node)),
            Kind::call_stmt => out.stmts.extend(self.call_stmt(frame, node)),
            Kind::trap_stmt => {
                out.ends = true;
                if frame.kind != BodyKind::Command {
                    self.error(
                        &codes::NOT_PURE,
                        node,
                        format!("`trap` cannot stand {}", frame.kind.place()),
                        "only in a command",
                    );
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
            return self.bind(frame, node.name(), NameInBody::Alias(v, node.name().span()));
        }
        let (ty, expr) = match written {
            Some(ty) => (Ty::Sized(ty.clone()), self.coerce_or_fill(typed, &ty, init)),
            None => (typed.ty, typed.expr),
        };
        if let Ty::Sized(ty) = &ty
            && is_of_unknown_length(ty)
        {
            self.no_copy(init);
            return frame.bind(node.name().text(), NameInBody::Broken);
        }
        let local = self.declare(frame, node.name(), ty, ("a `let`", false));
        out.stmts.push(Stmt::Let(local, expr));
    }

    /// A buffer as a whole, where only the call knows how long it is.
    fn no_copy(&mut self, node: Node<'t>) {
        let message = "only the call knows how long this buffer is, so nothing can hold all of it";
        let found = Diagnostic::error(&library::BODY, message, node.span(), "all of a buffer");
        self.report(found.help("look into it element by element, as in `for i in 0..n { q[i] = p[i]; }`"));
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
            self.names_only(frame, &[value]);
            return;
        };
        let symbol = op.text().trim_end_matches('=');
        let typed = self.expr(frame, value, Some(&place.ty));
        let typed = if symbol.is_empty() {
            typed
        } else {
            // Checked once more, so that a variable of a comprehension in it is not declared in two places.
            let Some(read) = self.place(frame, place_node) else { return };
            let current =
                Typed { ty: Ty::Sized(place.ty.clone()), value: None, expr: place_value(&read, frame, &self.section) };
            self.operate(symbol, current, typed, node)
        };
        if is_of_unknown_length(&place.ty) && typed.sized_type() == Some(&place.ty) {
            return self.no_copy(value);
        }
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
                // A library runs on a processor with registers for the bound: it ends all the same.
                Ty::Sized(ty) if ty.is_integer() && frame.kind == BodyKind::Impl => {}
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
        // A sized constant is one number, though its type has many.
        let least = lo.int().unwrap_or_else(|| lo.range().0);
        let most = hi.int().unwrap_or_else(|| hi.range().1);
        if most < least {
            self.error(&types::OUT_OF_RANGE, range, "this range runs backwards", &format!("from {least} to {most}"));
            return None;
        }
        let last = (&most - &Int::ONE).max(least.clone());
        Some((lo.into_number(), hi.into_number(), Ty::Unsized { lo: least, hi: last }))
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
            out.stmts.push(Stmt::For { local, lo: Box::new(lo), hi: Box::new(hi), body: checked.stmts });
        }
    }

    fn match_stmt(&mut self, frame: &mut Frame<'t>, node: Node<'t>, out: &mut Checked) -> bool {
        let Some(value_node) = node.child(Kind::cond).and_then(|c| c.expr()) else { return false };
        let mut value = self.expr(frame, value_node, None);
        if matches!(value.ty, Ty::Sized(Type::Array { .. })) {
            self.error(&types::OPERANDS, value_node, "an array cannot be matched", "an array");
            value = Typed::error();
        }
        // Where an arm or a pattern is wrong, nobody knows what it would have matched.
        let mut complete = !value.is_error() && !node.children().any(|n| n.is_bad());
        let known = value.int();
        if let Some(arm) = node.children_of(Kind::arm).nth(MAX_ARMS) {
            self.report(
                Diagnostic::error(
                    &crate::diagnostic::catalogue::syntax::TOO_DEEP,
                    format!("a `match` has at most {MAX_ARMS} arms"),
                    arm.child(Kind::pattern).unwrap_or(arm).span(),
                    "one arm too many",
                )
                .help("join patterns with `|` and ranges, or look the value up in a constant array"),
            );
            out.ends = true; // perhaps; nothing more is said of this `match`
            return false;
        }
        let mut arms: Vec<Arm> = Vec::new();
        // First value of each range: one past its last value, and its pattern.
        let mut seen: BTreeMap<Int, (Int, Span)> = BTreeMap::new();
        let (mut default, mut all_end, mut taken) = (None, true, None);
        for arm in node.children_of(Kind::arm) {
            if default.is_some() {
                self.error(&codes::MATCH, arm, "an arm after `_` is never reached", "remove it, or move it up");
                break;
            }
            let mut patterns = Vec::new();
            let mut any = false;
            for pattern in arm.children_of(Kind::pattern) {
                if pattern.has(Kind::wildcard) {
                    any = true;
                    continue;
                }
                let Some(range) = self.pattern_range(frame, &value, pattern) else {
                    complete = false;
                    continue;
                };
                // The ranges so far do not overlap, so only the last one that begins before this one's end can.
                let before = seen.range(..&range.1).next_back().filter(|(_, (end, _))| range.0 < *end);
                if let Some((_, (_, first))) = before {
                    let found = Diagnostic::error(
                        &codes::MATCH,
                        "this pattern is matched before",
                        pattern.span(),
                        "never reached",
                    )
                    .label(*first, "matched here");
                    self.report(found);
                    continue;
                }
                seen.insert(range.0.clone(), (range.1.clone(), pattern.span()));
                patterns.push(range);
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
        if default.is_none()
            && complete
            && let Some(missing) = uncovered(value.range(), &seen)
        {
            let what = match &value.ty {
                Ty::Sized(Type::Bool) => if missing.is_zero() { "`false`" } else { "`true`" }.to_owned(),
                Ty::Sized(Type::Enum { .. }) => format!("the pattern {missing}"),
                _ => missing.to_string(),
            };
            let mut found = Diagnostic::error(
                &codes::MATCH,
                format!("not every value is matched: {what} has no arm"),
                value_node.span(),
                "some values have no arm",
            )
            .help("add an arm `_ => { … }`");
            if matches!(value.ty, Ty::Sized(Type::Enum { .. })) {
                found = found.note("an enum is open: other patterns than those of its cases may occur");
            }
            self.report(found);
            complete = false;
        }
        if known.is_some() {
            if let Some(mut taken) = taken {
                out.stmts.append(&mut taken.stmts);
                out.ends |= taken.ends;
            }
            return true;
        }
        frame.uncertain |= !complete;
        out.ends |= all_end && complete;
        out.stmts.push(Stmt::Match { value: value.expr, arms, default: default.unwrap_or_default() });
        false
    }

    /// The half-open range of a pattern. A bare name is first a case of the matched enum.
    fn pattern_range(&mut self, frame: &mut Frame<'t>, value: &Typed, pattern: Node<'t>) -> Option<(Int, Int)> {
        let one = |v: Int| Some((v.clone(), &v + &Int::ONE));
        let numbers: Vec<_> = pattern.children_of(Kind::signed_int).collect();
        let wanted = match (&value.ty, pattern) {
            (Ty::Error, _) => return None,
            (Ty::Sized(Type::Enum { id, .. }), p) if p.has(Kind::ident) => {
                let id = *id;
                if let Some((_, v)) = self.case_pattern(id, p.name().text()) {
                    return one(v);
                }
                if !matches!(self.symbol(frame.home, p.name().text()), Some(Symbol::Const(_))) {
                    let found = self.no_such_case(id, p.name());
                    self.report(found);
                    return None;
                }
                return one(self.pattern_constant(frame, value, p)?);
            }
            (Ty::Sized(Type::Bool), p) if p.has(Kind::kw_true) => return one(Int::ONE),
            (Ty::Sized(Type::Bool), p) if p.has(Kind::kw_false) => return one(Int::ZERO),
            (Ty::Sized(Type::Enum { .. }), p) if !numbers.is_empty() => {
                self.error(&types::OPERANDS, p, "an enum is matched by its cases", "a number");
                return None;
            }
            (_, p) if p.has(Kind::ident) => {
                return one(self.pattern_constant(frame, value, p)?);
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
            self.error(&codes::MATCH, pattern, "this range is empty", "its end does not belong to it, as in loops");
            return None;
        }
        if !is_known_number(value) && (lo < wanted.0 || hi > &wanted.1 + &Int::ONE) {
            let what = self.describe(value);
            let (least, most) = wanted;
            let message = format!("{what} is never {}", pattern.text());
            self.error(&codes::MATCH, pattern, message, &format!("its values are {least} to {most}"));
            return None;
        }
        Some((lo, hi))
    }

    /// A named constant as a pattern: it must be comparable with the value, and within its range.
    fn pattern_constant(&mut self, frame: &mut Frame<'t>, value: &Typed, pattern: Node<'t>) -> Option<Int> {
        let constant = self.name(frame, pattern);
        if constant.is_error() {
            return None;
        }
        let alike = constant.ty == value.ty || constant.is_integer() && value.is_integer();
        let (least, most) = value.range();
        let what = self.describe(value);
        match constant.int() {
            None => {
                self.constant_of(&constant, pattern, "a pattern");
                None
            }
            Some(_) if !alike => {
                let found = self.describe(&constant);
                self.error(
                    &types::OPERANDS,
                    pattern,
                    format!("{found} is no pattern of {what}"),
                    "another kind of value",
                );
                None
            }
            Some(v) if !is_known_number(value) && (v < least || v > most) => {
                let message = format!("{what} is never {v}");
                self.error(&codes::MATCH, pattern, message, &format!("its values are {least} to {most}"));
                None
            }
            some => some,
        }
    }

    fn return_stmt(&mut self, frame: &mut Frame<'t>, node: Node<'t>, out: &mut Checked) {
        let result = frame.result.clone();
        match (node.expr(), result) {
            (Some(value), Some(ty)) => {
                let typed = self.expr(frame, value, Some(&ty));
                let expr = self.coerce(typed, &ty, value);
                out.stmts.push(Stmt::Return(Some(expr)));
            }
            (None, None) => out.stmts.push(Stmt::Return(None)),
            (Some(value), None) => {
                let what =
                    if frame.kind == BodyKind::Impl { "function returns nothing" } else { "command has no result" };
                self.report(
                    Diagnostic::error(&codes::RETURN, format!("this {what}"), value.span(), "a value")
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
        match self.members.get(name.text()) {
            Some((Symbol::Error(id), _)) => return Some(Raised::Error(*id)),
            Some((Symbol::Broken, _)) => return None,
            _ => {}
        }
        let known: Vec<_> = self.section.errors.iter().map(|e| e.name.as_str()).chain(["op"]).collect();
        let mut found = Diagnostic::error(
            &codes::RAISE,
            format!("there is no error `{}`", name.text()),
            name.span(),
            "not declared",
        );
        found = match names::nearest(name.text(), known.iter().copied()) {
            Some(near) => found.help(format!("did you mean `{near}`?")),
            None => found.help(format!("declare it, as in `error {} = 1 \"…\";`, or raise `op`", name.text())),
        };
        self.report(found);
        None
    }
}

/// Whether a matched value is one number, such as XLEN: then other patterns are for other builds, not out of range.
fn is_known_number(value: &Typed) -> bool {
    matches!(value.ty, Ty::Unsized { .. }) && value.value.is_some()
}

/// The first value of `lo..=hi` that no range covers; the ranges do not overlap.
fn uncovered((lo, hi): (Int, Int), seen: &BTreeMap<Int, (Int, Span)>) -> Option<Int> {
    let mut next = lo;
    for (start, (end, _)) in seen {
        if *start > next {
            break;
        }
        next = next.max(end.clone());
    }
    (next <= hi).then_some(next)
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
