//! Constants: evaluated at their first use, once.

use crate::contract::core::{Expr, Type, Value};
use crate::contract::{Const, ConstId, Section};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{names as codes, types};
use crate::oracle::eval::{EvalError, Evaluator};
use crate::syntax::{Kind, Node};

use super::checker::{BodyKind, Checker, ConstState, Decl, Frame};
use super::typed::{Ty, Typed};

/// The value of an expression whose only locals are the variables of its own comprehensions, `locals` of them.
pub(super) fn evaluate(section: &Section, expr: &Expr, locals: usize) -> Result<Value, EvalError> {
    let mut evaluator = Evaluator::new(section);
    evaluator.open_frame(locals);
    evaluator.eval(expr)
}

impl<'t> Checker<'_, 't> {
    /// A use of a constant by name.
    pub(super) fn const_use(&mut self, decl: Decl<'t>) -> Typed {
        match self.const_value(decl) {
            Some((Ty::Sized(ty @ Type::Array { .. }), value, Some(id))) => Typed {
                ty: Ty::Sized(ty.clone()),
                value: Some(value),
                expr: Expr { ty, kind: crate::contract::core::ExprKind::Table(id) },
            },
            Some((Ty::Sized(ty), value, _)) => Typed::constant(ty, value),
            Some((Ty::Unsized { .. }, Value::Int(v), _)) => Typed::number(v),
            _ => Typed::error(),
        }
    }

    /// Type, value and, for an array, place in the section of a constant.
    pub(super) fn const_value(&mut self, decl: Decl<'t>) -> Option<(Ty, Value, Option<ConstId>)> {
        let key = decl.node.span();
        match self.consts.get(&key) {
            Some(ConstState::Done(done)) => return done.clone(),
            Some(ConstState::Running) => {
                self.report(
                    Diagnostic::error(
                        &codes::CYCLE,
                        format!("the constant `{}` depends on itself", decl.node.name().text()),
                        decl.node.name().span(),
                        "needs its own value",
                    )
                    .help("break the circle"),
                );
                self.consts.insert(key, ConstState::Done(None));
                return None;
            }
            None => {}
        }
        self.consts.insert(key, ConstState::Running);
        let done = self.const_item(decl);
        self.consts.insert(key, ConstState::Done(done.clone()));
        done
    }

    fn const_item(&mut self, decl: Decl<'t>) -> Option<(Ty, Value, Option<ConstId>)> {
        let node = decl.node;
        let name = node.name();
        self.check_name(name);
        let mut frame = Frame::new(BodyKind::Const, decl.home);
        let ty = match node.child(Kind::r#type) {
            Some(written) => Some(self.type_of(&mut frame, written)?),
            None => None,
        };
        let Some(init) = node.expr() else {
            self.report(
                Diagnostic::error(
                    &codes::OPEN_CONSTANT,
                    format!("the constant `{}` has no value", name.text()),
                    name.span(),
                    "left open",
                )
                .help("only an abstract interface may leave a constant open, and each heir must give it"),
            );
            return None;
        };
        let typed = self.expr(&mut frame, init, ty.as_ref());
        if typed.is_error() {
            return None;
        }
        let (ty, expr) = match ty {
            Some(ty) => (Ty::Sized(ty.clone()), self.coerce_or_fill(typed, &ty, init)),
            None => (typed.ty, typed.expr),
        };
        let value = self.evaluate_constant(&frame, &expr, init)?;
        let is_member = decl.home.member;
        let is_array = matches!(value, Value::Array(_));
        // Package constants that are scalars are folded away; arrays are kept as tables.
        let id = (is_member || is_array).then(|| {
            self.section.consts.push(Const {
                name: name.text().to_owned(),
                docs: node.docs(),
                is_member,
                ty: match &ty {
                    Ty::Sized(ty) => Some(ty.clone()),
                    _ => None,
                },
                value: value.clone(),
                span: name.span(),
            });
            ConstId(self.section.consts.len() as u32 - 1)
        });
        Some((ty, value, id.filter(|_| is_array)))
    }

    /// Evaluates a whole initialiser; it may call functions.
    pub(super) fn evaluate_constant(&mut self, frame: &Frame<'t>, expr: &Expr, node: Node<'t>) -> Option<Value> {
        match evaluate(&self.section, expr, frame.locals.len()) {
            Ok(value) => Some(value),
            Err(EvalError::OutOfFuel) => {
                self.report(
                    Diagnostic::error(
                        &types::EVALUATION,
                        "this constant takes too long to compute",
                        node.span(),
                        "gave up here",
                    )
                    .help("write the value, or compute it in fewer steps"),
                );
                None
            }
            Err(EvalError::Malformed(_)) => {
                self.report(
                    Diagnostic::error(&types::NOT_CONSTANT, "this is not a constant", node.span(), "varies")
                        .help("constants are literals, `const`, XLEN, and what functions compute from them"),
                );
                None
            }
            Err(why) => {
                self.error(&types::EVALUATION, node, format!("this constant cannot be computed: {why}"), "here");
                None
            }
        }
    }
}
