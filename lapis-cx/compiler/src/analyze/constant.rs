//! Constants: evaluated at their first use, once.

use crate::contract::core::{Expr, ExprKind, Type, Value};
use crate::contract::{Const, ConstId};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{names as codes, types};
use crate::oracle::eval::{EvalError, Evaluator, Pure};
use crate::syntax::{Kind, Node};

use super::checker::{BodyKind, Checker, ConstState, Constant, Decl, Frame};
use super::typed::{Ty, Typed};

/// Levels of nesting that a constant needs beside those of its expression.
const LEVELS: u32 = 4;

impl<'t> Checker<'_, 't> {
    /// The value of an expression whose only locals are the variables of its own comprehensions, `locals` of them.
    pub(super) fn evaluate(&self, expr: &Expr, locals: usize) -> Result<Value, EvalError> {
        let mut evaluator = Evaluator::with_world(&self.section, Pure, self.world.steps());
        evaluator.open_frame(locals);
        let value = evaluator.eval(expr);
        self.world.set_steps(evaluator.fuel());
        value
    }

    /// A use of a constant by name.
    pub(super) fn const_use(&mut self, decl: Decl<'t>, node: Node<'t>) -> Typed {
        match self.const_value(decl) {
            Some(Constant { ty: Ty::Sized(ty), table: Some(id), .. }) => {
                if !self.world.take_use(ty.flattened().1) {
                    if self.world.may_complain_of_room() {
                        let message = "the array constants are used too often";
                        let found = Diagnostic::error(&types::EVALUATION, message, node.span(), "gave up here");
                        self.report(
                            found
                                .note("the contract hash covers the whole array at each use")
                                .help("use it in a `fn` only, and call that"),
                        );
                    }
                    return Typed::error();
                }
                Typed { ty: Ty::Sized(ty.clone()), value: None, expr: Expr { ty, kind: ExprKind::Table(id) } }
            }
            Some(Constant { ty: Ty::Sized(ty), value: Some(v), .. }) => Typed::constant(ty, Value::Int(v)),
            Some(Constant { ty: Ty::Unsized { .. }, value: Some(v), .. }) => Typed::number(v),
            _ => Typed::error(),
        }
    }

    /// Type, value and, for an array, place in the section of a constant.
    pub(super) fn const_value(&mut self, decl: Decl<'t>) -> Option<Constant> {
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
        let mut done = None;
        if self.enter(decl.node.name(), LEVELS) {
            done = self.const_item(decl);
            self.leave(LEVELS);
        }
        self.consts.insert(key, ConstState::Done(done.clone()));
        done
    }

    fn const_item(&mut self, decl: Decl<'t>) -> Option<Constant> {
        let node = decl.node;
        let name = node.name();
        let mut frame = Frame::new(BodyKind::Const, decl.home);
        let written = node.child(Kind::r#type);
        let is_number = written.is_some_and(is_number);
        let ty = match written {
            Some(written) if !is_number => {
                let ty = self.type_of(&mut frame, written)?;
                self.agree_with_base(decl, &ty, written)?;
                Some(ty)
            }
            _ => self.open_type(decl)?,
        };
        let Some(init) = node.expr() else {
            if !node.is_broken() {
                self.report(without_value(node));
            }
            return None;
        };
        let typed = self.expr(&mut frame, init, ty.as_ref());
        if typed.is_error() {
            return None;
        }
        let (ty, expr) = match ty {
            Some(ty) => {
                let before = self.complaints;
                let expr = self.coerce_or_fill(typed, &ty, init);
                if self.complaints > before {
                    return None;
                }
                (Ty::Sized(ty), expr)
            }
            None if is_number => {
                let v = self.constant_of(&typed, init, "an `int`")?;
                let number = Typed::number(v);
                (number.ty, number.expr)
            }
            None => (typed.ty, typed.expr),
        };
        if let Ty::Sized(ty @ Type::Array { .. }) = &ty
            && !self.spend_elements(ty, init)
        {
            return None;
        }
        let value = self.evaluate_constant(&frame, &expr, init)?;
        let is_member = decl.home.member;
        let is_array = matches!(value, Value::Array(_));
        // Package constants that are scalars are folded away; arrays are kept as tables.
        let scalar = match &value {
            Value::Int(v) => Some(v.clone()),
            Value::Array(_) => None,
        };
        let id = (is_member || is_array).then(|| {
            self.section.consts.push(Const {
                name: name.text().to_owned(),
                docs: node.docs(),
                is_member,
                ty: match &ty {
                    Ty::Sized(ty) => Some(ty.clone()),
                    _ => None,
                },
                value,
                span: name.span(),
            });
            ConstId(self.section.consts.len() as u32 - 1)
        });
        Some(Constant { ty, value: scalar, table: id.filter(|_| is_array) })
    }

    /// Complains about a type that is not the one with which an abstract base left the constant open.
    fn agree_with_base(&mut self, decl: Decl<'t>, ty: &Type, written: Node<'t>) -> Option<()> {
        let Some(open) = self.open.get(decl.node.name().text()).filter(|_| decl.home.member).copied() else {
            return Some(());
        };
        let wanted = self.open_type(decl)?;
        if wanted.as_ref().map_or(ty.is_integer(), |wanted| wanted == ty) {
            return Some(());
        }
        let name = wanted.map_or("int".to_owned(), |wanted| self.name_of(&wanted));
        let message = format!("the base leaves `{}` open as `{name}`", decl.node.name().text());
        self.report(
            Diagnostic::error(&types::MISMATCH, message, written.span(), "another type")
                .label(open.node.name().span(), "left open here")
                .help("leave out the type: it is that of the base"),
        );
        None
    }

    /// The type that an abstract base declares for a constant which it leaves open; `None` inside for a plain number.
    fn open_type(&mut self, decl: Decl<'t>) -> Option<Option<Type>> {
        let open = self.open.get(decl.node.name().text()).filter(|open| open.node != decl.node && decl.home.member);
        let Some(open) = open.copied() else { return Some(None) };
        match open.node.child(Kind::r#type) {
            Some(written) if !is_number(written) => {
                let mut frame = Frame::new(BodyKind::Const, open.home);
                self.type_of(&mut frame, written).map(Some)
            }
            _ => Some(None),
        }
    }

    /// Evaluates a whole initialiser; it may call functions.
    pub(super) fn evaluate_constant(&mut self, frame: &Frame<'t>, expr: &Expr, node: Node<'t>) -> Option<Value> {
        match self.evaluate(expr, frame.locals.len()) {
            Ok(value) => Some(value),
            Err(EvalError::OutOfFuel) if !self.world.may_complain_of_time() => None,
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

/// A constant is open where it cannot be.
pub(super) fn without_value(node: Node<'_>) -> Diagnostic {
    let name = node.name();
    let message = format!("the constant `{}` has no value", name.text());
    Diagnostic::error(&codes::OPEN_CONSTANT, message, name.span(), "left open")
        .help("only an abstract interface may leave a constant open, and each heir must give it")
}

/// Whether a type is written `int`: a number without a width, as a constant without a type is.
fn is_number(written: Node<'_>) -> bool {
    written.text() == "int"
}
