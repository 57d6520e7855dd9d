//! Functions and callbacks: parameters, result, implicit arguments, and the clauses that reach them.

use std::rc::Rc;

use crate::contract::library::clause::Clause;
use crate::contract::library::expr::{ExprKind, When};
use crate::contract::library::place::{Declared, Place, Type};
use crate::contract::library::{Function, Implicit, Param, Rest};
use crate::diagnostic::catalogue::library as codes;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::Span;
use crate::syntax::{Kind, Node};

use super::aggregate::levels_of;
use super::body::Around;
use super::declare::{NAME_MARKS, Part, Parts, TYPE_MARKS};
use super::inherit::{Level, Levels};
use super::place::{Context, Role};
use super::scope::Scope;
use super::table::Target;
use super::{Lib, Whole};

/// What a call in an expression needs to know of a function: shapes.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub(super) params: Vec<Place>,
    pub(super) result: Place,
}

impl<'t> Lib<'_, 't> {
    /// The shapes of all functions, so that expressions may call any of them.
    pub(super) fn find_signatures(&mut self, parts: &Parts<'t>) {
        let params = parts.functions.iter().chain(&parts.callbacks).flat_map(|part| params_of(part.node));
        self.parameter_names = params.map(|param| param.name().text()).collect();
        for part in &parts.functions {
            let scope = Scope::default();
            let params = params_of(part.node).filter_map(|p| p.child(Kind::place_type)).collect::<Vec<_>>();
            let params = params.into_iter().map(|ty| self.shape(&scope, ty)).collect();
            let result = match part.node.child(Kind::place_type) {
                Some(ty) => self.shape(&scope, ty),
                None => Place::of(Type::Void),
            };
            self.signatures.push(Signature { params, result });
        }
    }

    /// Resolves all callbacks and functions.
    pub(super) fn functions(&mut self, parts: &Parts<'t>, levels: &Levels<'t>) {
        for part in &parts.callbacks {
            let function = self.function(part, levels, Target::Callback);
            self.library.callbacks.push(function);
        }
        for part in &parts.functions {
            let function = self.function(part, levels, Target::Function);
            self.library.functions.push(function);
        }
    }

    fn function(&mut self, part: &Part<'t>, levels: &Levels<'t>, on: Target) -> Function {
        let node = part.node;
        let around = levels_of(levels, &part.around);
        let outer: Vec<_> = around.iter().map(|level| defaults_of(level, on)).collect();
        let own = node.child(Kind::clauses);
        let scope = self.scope_of(node, own, around);
        let mut params = Vec::new();
        for param in params_of(node) {
            let Some(ty) = param.child(Kind::place_type) else { continue };
            let place = self.place(&scope, ty, Context::new(Role::Param));
            let name = param.name();
            params.push(Param { name: name.text().to_owned(), docs: param.docs(), place, span: name.span() });
        }
        let rest = node.child(Kind::places).and_then(|p| self.rest(&scope, p, own, on));
        let result = match node.child(Kind::place_type) {
            Some(ty) => self.place(&scope, ty, Context::new(Role::Result)),
            None => Place::of(Type::Void),
        };
        let implicits = self.implicits(&scope, own);
        self.around = own.filter(|own| own.has(Kind::impl_clause)).map(|_| {
            let names = params_of(node).filter(|param| param.has(Kind::place_type)).map(|param| param.name());
            let params = names.zip(params.iter().map(|param| param.place.clone())).collect();
            Rc::new(Around { params, result: result.clone(), is_broken: self.is_broken(node.child(Kind::place_type)) })
        });
        self.whole = Whole {
            params: params.iter().map(|param| param.place.clone()).collect(),
            implicits: implicits.iter().map(|implicit| implicit.place.clone()).collect(),
            result: Some(result.clone()),
        };
        let clauses = self.clauses(&scope, own, &outer, on, node.name());
        if on == Target::Callback {
            self.check_userdata(node, &params, &implicits, &clauses);
        }
        let c = self.spelling(node, if on == Target::Function { NAME_MARKS } else { TYPE_MARKS });
        let groups = part.around.iter().filter(|body| body.kind() == Kind::group_item);
        Function {
            name: node.name().text().to_owned(),
            c,
            docs: node.docs(),
            groups: groups.map(|g| g.name().text().to_owned()).collect(),
            params,
            rest,
            result,
            implicits,
            clauses,
            span: node.name().span(),
        }
    }

    /// Whether something that was found is wrong with a node, or inside of it.
    fn is_broken(&self, node: Option<Node<'t>>) -> bool {
        let inside = |whole: Span, at: Span| whole.to(at) == whole;
        node.is_some_and(|node| {
            let errors = self.found.iter().filter(|found| found.severity == Severity::Error);
            errors.filter_map(Diagnostic::span).any(|at| at.file == node.span().file && inside(node.span(), at))
        })
    }

    /// What expressions of a function see.
    fn scope_of(&mut self, node: Node<'t>, own: Option<Node<'t>>, around: Vec<Rc<Level<'t>>>) -> Scope<'t> {
        let empty = Scope::default();
        let nodes: Vec<_> = params_of(node).collect();
        let params = self.named_shapes(&empty, &nodes, false);
        let nodes: Vec<_> = own.into_iter().flat_map(|c| c.children_of(Kind::implicit_clause)).collect();
        let implicits = self.named_shapes(&empty, &nodes, true);
        for implicit in &nodes {
            let name = implicit.name();
            let param = params.iter().find(|p| p.name == name.text()).map(|p| p.span);
            let twice = nodes.iter().find(|n| n.name().text() == name.text() && n.span() != implicit.span());
            let twice = twice.filter(|n| n.span().start < implicit.span().start).map(|n| n.name().span());
            self.check_new_name(name, param.or(twice));
        }
        let ret = match node.child(Kind::place_type) {
            Some(ty) => Some(self.shape(&empty, ty)).filter(|place| place.ty != Type::Void),
            None => None,
        };
        Scope {
            params: Rc::new(params),
            implicits: Rc::new(implicits),
            ret: ret.map(Rc::new),
            is_call: true,
            levels: Rc::new(around),
            ..Scope::default()
        }
    }

    fn rest(&mut self, scope: &Scope<'t>, places: Node<'t>, own: Option<Node<'t>>, on: Target) -> Option<Rest> {
        let rest = places.child(Kind::rest)?;
        let is_last =
            places.children().filter(|n| matches!(n.kind(), Kind::place_item | Kind::rest)).last() == Some(rest);
        if !is_last {
            self.error(&codes::VARIADIC, rest, "variable arguments come last", "not the last");
        }
        if on == Target::Callback {
            let message = "a callback has no variable arguments";
            self.error(&codes::VARIADIC, rest, message, "the worker cannot pass them");
            return None;
        }
        let Some(ty) = rest.child(Kind::place_type) else {
            if !own.is_some_and(|c| c.has(Kind::replace_clause)) {
                let message = "untyped variable arguments";
                self.report(
                    Diagnostic::error(&codes::VARIADIC, message, rest.span(), "neither typed nor replaced").help(
                        "give the function `replace c\"\"\"…\"\"\"`, which reads them in the caller, or write \
                         `...: match (op) { v => (name: type); }`",
                    ),
                );
            }
            return Some(Rest::Local);
        };
        let place = self.place(scope, ty, Context::new(Role::Inner));
        let tuples = |place: &Place| matches!(place.ty, Type::Tuple(_));
        let good = match &place.ty {
            Type::Match { arms, default, .. } => arms.iter().map(|a| &a.place).chain(default.as_deref()).all(tuples),
            other => matches!(other, Type::Tuple(_)),
        };
        if !good {
            let message = "variable arguments are tuples of parameters";
            self.report(
                Diagnostic::error(&codes::VARIADIC, message, ty.span(), "not a tuple")
                    .help("write `match (op) { 1 => (name: type); _ => (); }`"),
            );
        }
        Some(Rest::Typed(place))
    }

    fn implicits(&mut self, scope: &Scope<'t>, own: Option<Node<'t>>) -> Vec<Implicit> {
        let mut implicits = Vec::new();
        for node in own.into_iter().flat_map(|c| c.children_of(Kind::implicit_clause)) {
            let (Some(ty), Some(value)) = (node.child(Kind::place_type), node.expr()) else { continue };
            let mut cx = Context::new(Role::Implicit);
            let mut place = self.place(scope, ty, Context { shape: true, ..cx });
            cx.late = place.directions.output;
            place = self.place(scope, ty, cx);
            let at = if place.directions.output { When::Exit } else { When::Entry };
            let value = self.value_at(scope, value, at, "an implicit argument").expr;
            let name = node.name();
            implicits.push(Implicit { name: name.text().to_owned(), place, value, span: name.span() });
        }
        implicits
    }

    /// A callback finds its registration by userdata, or is one of a fixed number without.
    fn check_userdata(&mut self, node: Node<'t>, params: &[Param], implicits: &[Implicit], clauses: &[Clause]) {
        let places = params.iter().map(|p| (&p.place, p.span));
        let places = places.chain(implicits.iter().map(|i| (&i.place, i.span)));
        let mut tags = places.filter(|(place, _)| matches!(place.ty, Type::Userdata(_)));
        let (first, second) = (tags.next(), tags.next());
        if let (Some((_, first)), Some((_, second))) = (first, second) {
            self.report(
                Diagnostic::error(&codes::USERDATA, "a callback has one userdata", second, "the second")
                    .label(first, "the first")
                    .help("make the other a `ptr`"),
            );
        }
        let has_slots = clauses.iter().any(|c| matches!(c, Clause::Slots(_)));
        if let (Some((_, tag)), true) = (first, has_slots) {
            self.report(
                Diagnostic::error(
                    &codes::USERDATA,
                    "a callback with userdata needs no slots",
                    node.name().span(),
                    "has both",
                )
                .label(tag, "this tells the registration")
                .help("remove `slots`"),
            );
        }
    }
}

impl Lib<'_, '_> {
    /// Complains about userdata of callbacks that carry none.
    pub(super) fn registrations_carried(&mut self) {
        let mut found = Vec::new();
        for function in &self.library.functions {
            function.each_place(&mut |place, span| {
                let declared = match &place.c {
                    Some(Declared::Type(declared)) => Some(&declared.ty),
                    _ => None,
                };
                let tags = [Some(&place.ty), declared].into_iter().flatten().filter_map(|ty| match ty {
                    Type::Userdata(of) => Some(of),
                    _ => None,
                });
                for of in tags.flatten() {
                    let by = match of.kind {
                        ExprKind::Param(i) => function.params.get(i as usize).map(|p| &p.place.ty),
                        _ => None,
                    };
                    let Some(Type::Callback(id)) = by else { continue };
                    let Some(callback) = self.library.callbacks.get(id.index()) else { continue };
                    let mut places = callback.params.iter().map(|p| &p.place);
                    if places.any(may_carry) || callback.implicits.iter().any(|i| may_carry(&i.place)) {
                        continue;
                    }
                    let message = format!("callback `{}` has no userdata parameter", callback.name);
                    found.push(
                        Diagnostic::error(&codes::USERDATA, message, span, "for a callback without userdata")
                            .label(callback.span, "this is the callback")
                            .help("give the callback a `userdata` parameter, or `implicit x: userdata = …;`"),
                    );
                }
            });
        }
        for diagnostic in found {
            self.report(diagnostic);
        }
    }
}

/// Whether an argument of a callback may be, or hold, its userdata.
fn may_carry(place: &Place) -> bool {
    let of_declared = |declared: &Declared| matches!(declared, Declared::Type(place) if may_carry(place));
    match &place.ty {
        Type::Userdata(_) | Type::Struct { .. } | Type::Live { .. } | Type::Match { .. } | Type::Tuple(_) => true,
        Type::Buffer { element, .. } | Type::Array { element, .. } => may_carry(element),
        _ => place.c.as_ref().is_some_and(of_declared),
    }
}

fn params_of<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    node.child(Kind::places).into_iter().flat_map(|p| p.children_of(Kind::place_item))
}

fn defaults_of<'t>(level: &Level<'t>, on: Target) -> Option<Node<'t>> {
    match on {
        Target::Callback => level.callbacks,
        Target::Handle => level.handles,
        _ => level.functions,
    }
}
