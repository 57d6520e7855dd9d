//! The target of an assignment.

use crate::contract::core::{Place, PlaceRoot, PlaceStep, Type};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{statements as codes, types};
use crate::source::Span;
use crate::syntax::{Kind, Node};

use super::checker::{BodyKind, Checker, Frame, NameInBody, Symbol};
use super::typed::Ty;
use super::types::can_be_declared;

impl<'t> Checker<'_, 't> {
    pub(super) fn place(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Option<Place> {
        let (root, mut ty) = self.place_root(frame, node)?;
        let mut path = Vec::new();
        let steps: Vec<_> = node.children().filter(|n| n.kind() != Kind::ident).collect();
        for step in &steps {
            if matches!(path.last(), Some(PlaceStep::Bits { .. })) {
                self.report(
                    Diagnostic::error(
                        &types::OPERANDS,
                        "bits of bits cannot be assigned",
                        step.span(),
                        "one step too many",
                    )
                    .help("name the bits in one step, counted from the bottom"),
                );
                return None;
            }
            match (&ty, step.kind()) {
                (Type::Array { len, elem }, Kind::dim) => {
                    let (len, elem) = (*len, (**elem).clone());
                    let at = self.expr(frame, step.expr()?, None);
                    path.push(PlaceStep::Index(self.position(at, len, step.expr()?)?));
                    ty = elem;
                }
                (Type::U(width) | Type::S(width), kind) => {
                    let width = *width;
                    let (at, count) = match kind {
                        Kind::dim => {
                            let at = self.expr(frame, step.expr()?, None);
                            (self.position(at, width, step.expr()?)?, 1)
                        }
                        Kind::slice => {
                            let (low, count) = self.slice_bounds(frame, width, *step)?;
                            (super::typed::Typed::number(crate::int::Int::from(low)).expr, count)
                        }
                        _ => self.part_bounds(frame, width, *step)?,
                    };
                    path.push(PlaceStep::Bits { at, width: count });
                    ty = Type::U(count);
                }
                _ => {
                    let what = self.name_of(&ty);
                    self.error(&types::OPERANDS, *step, format!("`{what}` has no such position"), "cannot go further");
                    return None;
                }
            }
        }
        Some(Place { root, path, ty })
    }

    fn place_root(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Option<(PlaceRoot, Type)> {
        let name = node.name();
        match frame.find(name.text()) {
            Some(NameInBody::Local(id)) => {
                let id = *id;
                let info = frame.infos.get(id.index())?.clone();
                if !info.mutable {
                    let ty = match &info.ty {
                        Ty::Sized(ty) => can_be_declared(ty).then(|| self.written(ty)),
                        _ => Some("u32".to_owned()),
                    };
                    self.report(not_assignable(name, info.what, info.span, ty.as_deref()));
                    return None;
                }
                match info.ty {
                    Ty::Sized(ty) => Some((PlaceRoot::Local(id), ty)),
                    _ => None,
                }
            }
            Some(NameInBody::Broken) => None,
            Some(NameInBody::Passed(_, why)) => {
                let message = format!("`{}` cannot be assigned: it {why}", name.text());
                self.error(&codes::NOT_ASSIGNABLE, name, message, "can be passed on only");
                None
            }
            Some(NameInBody::Context(_, span)) => {
                let span = *span;
                self.report(not_assignable(name, "a context", span, Some("u32")));
                None
            }
            Some(NameInBody::Alias(_, span)) => {
                let span = *span;
                self.report(not_assignable(name, "a `let`", span, Some("u32")));
                None
            }
            None => match self.symbol(frame.home, name.text()) {
                Some(Symbol::Field(id)) if frame.kind == BodyKind::Command => {
                    let field = self.section.state.as_ref()?.fields.get(id.index())?;
                    Some((PlaceRoot::State(id), field.ty.clone()))
                }
                Some(Symbol::Field(_)) => {
                    self.error(
                        &codes::NOT_PURE,
                        name,
                        format!("state cannot be changed {}", frame.kind.place()),
                        "a state field",
                    );
                    None
                }
                Some(Symbol::Broken) => None,
                Some(symbol) => {
                    let message = format!("`{}` is {} and cannot be assigned", name.text(), symbol.what());
                    self.error(&codes::NOT_ASSIGNABLE, name, message, symbol.what());
                    None
                }
                None => {
                    self.unknown(frame, name, "variable");
                    None
                }
            },
        }
    }
}

fn not_assignable(name: Node<'_>, what: &str, declared: Span, ty: Option<&str>) -> Diagnostic {
    let found = Diagnostic::error(
        &codes::NOT_ASSIGNABLE,
        format!("`{}` cannot be assigned", name.text()),
        name.span(),
        "keeps its value",
    )
    .label(declared, format!("declared as {what}"));
    match (what, ty) {
        ("a `let`", None) => found,
        ("a `let`", Some(_)) => found.help("declare it with `var` and a type to change it"),
        (_, Some(ty)) => {
            found.help(format!("copy it into a variable, as in `var y: {ty} = {};`, and change that", name.text()))
        }
        (_, None) => found.help("declare it as `out` or `inout` to change it: no variable can hold all of it"),
    }
}
