//! The layout of structs: each has a finite size, and what has any length comes last.

use std::collections::HashSet;

use crate::contract::library::StructId;
use crate::contract::library::expr::{Expr, ExprKind};
use crate::contract::library::place::{Declared, Place, Type};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::library as codes;
use crate::int::Int;
use crate::source::Span;

use super::Lib;
use super::expr::constant_of;

/// The structs that lie inside of others.
struct Inline {
    /// All structs, each after those that it holds.
    order: Vec<usize>,
    /// Structs that hold themselves, each with the members on the way.
    circles: Vec<Vec<(usize, usize)>>,
}

impl Lib<'_, '_> {
    /// Checks the layout of all structs, and that what varies in size stands where it may.
    pub(super) fn layouts(&mut self) {
        let inline = self.inline();
        for circle in &inline.circles {
            self.endless(circle);
        }
        let mut open = vec![false; self.library.structs.len()];
        for at in inline.order {
            let Some(s) = self.library.structs.get(at).filter(|s| !s.is_union) else { continue };
            let is_open = s.members.last().is_some_and(|m| varies(&m.place, &open));
            if let Some(slot) = open.get_mut(at) {
                *slot = is_open;
            }
        }
        let mut found = Vec::new();
        for s in &self.library.structs {
            for (i, member) in s.members.iter().enumerate() {
                let is_last = i + 1 == s.members.len() && !s.is_union;
                self.lies(&member.place, is_last, &open, member.span, &mut found);
            }
        }
        for function in self.library.callbacks.iter().chain(&self.library.functions) {
            function.each_place(&mut |place, span| self.lies(place, true, &open, span, &mut found));
        }
        for diagnostic in found {
            self.report(diagnostic);
        }
    }

    fn inline(&self) -> Inline {
        let structs = &self.library.structs;
        // For each struct the members that hold structs: position of the member, and which struct.
        let mut edges: Vec<Vec<(usize, usize)>> = vec![Vec::new(); structs.len()];
        for (held, s) in edges.iter_mut().zip(structs) {
            for (i, member) in s.members.iter().enumerate() {
                held_by(&member.place, &mut |id| held.push((i, id.index())));
            }
        }
        let (mut order, mut circles) = (Vec::new(), Vec::new());
        let mut seen = HashSet::new();
        for start in 0..structs.len() {
            // The structs on the way, each with the next of its members to look at.
            let mut way = if seen.insert(start) { vec![(start, 0)] } else { Vec::new() };
            while let Some((at, next)) = way.last_mut() {
                let (from, edge) = (*at, *next);
                *next += 1;
                let Some((_, to)) = edges.get(from).and_then(|e| e.get(edge)).copied() else {
                    order.push(from);
                    way.pop();
                    continue;
                };
                if seen.insert(to) {
                    way.push((to, 0));
                } else if let Some(first) = way.iter().position(|(at, _)| *at == to) {
                    let taken = way.iter().skip(first);
                    // The edge that was taken is the one before the next.
                    let member = |(at, next): &(usize, usize)| {
                        let held = edges.get(*at)?;
                        Some((*at, held.get(next.checked_sub(1)?)?.0))
                    };
                    circles.push(taken.filter_map(member).collect());
                }
            }
        }
        Inline { order, circles }.once()
    }

    fn endless(&mut self, circle: &[(usize, usize)]) {
        let member = |(at, member): &(usize, usize)| {
            let s = self.library.structs.get(*at)?;
            Some((s.name.as_str(), s.members.get(*member)?))
        };
        let steps: Vec<_> = circle.iter().filter_map(member).collect();
        let Some((name, first)) = steps.first() else { return };
        let next = |i: usize| steps.get((i + 1) % steps.len()).map_or("", |(name, _)| *name);
        let message = format!("the struct `{name}` contains itself, so it has no finite size");
        let mut diagnostic =
            Diagnostic::error(&codes::LAYOUT, message, first.span, format!("`{}` lies inside of `{name}`", next(0)));
        for (i, (around, member)) in steps.iter().enumerate().skip(1) {
            diagnostic = diagnostic.label(member.span, format!("`{}` lies inside of `{around}`", next(i)));
        }
        let help = format!("a struct may point to itself: `{}: in [{}; 1]?`", first.name, next(0));
        self.report(diagnostic.help(help));
    }

    /// Finds what varies in size in a place, where something lies behind it.
    fn lies(&self, place: &Place, may_vary: bool, open: &[bool], span: Span, found: &mut Vec<Diagnostic>) {
        let mut complain = |message: String, label: &str, help: &str| {
            found.push(Diagnostic::error(&codes::LAYOUT, message, span, label).help(help));
        };
        match &place.ty {
            Type::Array { element, len } => {
                if varies(element, open) {
                    let message = "the elements of an array have one size".to_owned();
                    complain(message, "each of these may have another", "give all but the first dimension a constant");
                } else if depends(len) && !may_vary {
                    let message = "an inline array whose length is a value comes last".to_owned();
                    complain(
                        message,
                        "nothing can follow it",
                        "move it to the end of its struct, give it a constant length, or point to it: `in [T; n]`",
                    );
                }
                self.lies(element, true, open, span, found);
            }
            Type::Buffer { element, len, until } => {
                let is_one = until.is_none() && len.as_deref().and_then(constant_of) == Some(Int::ONE);
                if !is_one && varies(element, open) {
                    let message = "the elements of a buffer have one size".to_owned();
                    let help = "a struct that ends with an array of any length cannot be in a list: write `[S; 1]`";
                    complain(message, "each of these may have another", help);
                }
                self.lies(element, true, open, span, found);
            }
            Type::Struct { id, .. } | Type::Live { id, .. } if !may_vary && is_open(*id, open) => {
                let name = self.library.structs.get(id.index()).map_or("", |s| s.name.as_str());
                let message = format!("`{name}` ends with an array of any length, so it comes last");
                complain(message, "nothing can follow it", "move it to the end, or point to it: `in [S; 1]`");
            }
            Type::Match { arms, default, .. } => {
                for arm in arms.iter().map(|arm| &arm.place).chain(default.as_deref()) {
                    self.lies(arm, may_vary, open, span, found);
                }
            }
            Type::Tuple(params) => {
                for param in params {
                    self.lies(&param.place, true, open, param.span, found);
                }
            }
            _ => {}
        }
    }
}

impl Inline {
    /// Without the circles that touch an earlier one: they are one mistake.
    fn once(mut self) -> Inline {
        let mut said = HashSet::new();
        self.circles.retain(|circle| {
            let is_new = !circle.iter().any(|(at, _)| said.contains(at));
            said.extend(circle.iter().map(|(at, _)| *at));
            is_new
        });
        self
    }
}

/// The structs that lie in a place itself, not behind a pointer.
fn held_by(place: &Place, found: &mut impl FnMut(StructId)) {
    if let Some(Declared::Type(declared)) = &place.c {
        return held_by(declared, found);
    }
    match &place.ty {
        Type::Struct { id, .. } | Type::Live { id, .. } => found(*id),
        Type::Array { element, .. } => held_by(element, found),
        Type::Match { arms, default, .. } => {
            arms.iter().map(|arm| &arm.place).chain(default.as_deref()).for_each(|arm| held_by(arm, found));
        }
        _ => {}
    }
}

fn is_open(id: StructId, open: &[bool]) -> bool {
    open.get(id.index()).copied().unwrap_or_default()
}

/// Whether the size of a place itself is known only when it is used.
fn varies(place: &Place, open: &[bool]) -> bool {
    if let Some(Declared::Type(declared)) = &place.c {
        return varies(declared, open);
    }
    match &place.ty {
        Type::Struct { id, .. } | Type::Live { id, .. } => is_open(*id, open),
        Type::Array { element, len } => depends(len) || varies(element, open),
        Type::Match { arms, default, .. } => {
            arms.iter().map(|arm| &arm.place).chain(default.as_deref()).any(|arm| varies(arm, open))
        }
        _ => false,
    }
}

/// Whether an expression has another value at another use.
fn depends(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::Null
        | ExprKind::Text(_)
        | ExprKind::Case { .. }
        | ExprKind::SizeofType(_)
        | ExprKind::SizeofValue(_) => false,
        ExprKind::Min(all) | ExprKind::Max(all) | ExprKind::Fn(_, all) => all.iter().any(depends),
        ExprKind::Unary(_, one) => depends(one),
        ExprKind::Binary(_, left, right) => depends(left) || depends(right),
        ExprKind::Select(c, a, b) => depends(c) || depends(a) || depends(b),
        _ => true,
    }
}
