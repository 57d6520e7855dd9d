//! Examples and laws.

use crate::contract::core::{Body, Stmt, Type};
use crate::contract::{Example, Law, Raises, Response, Step};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::statements as codes;
use crate::syntax::{Kind, Node};

use super::checker::{BodyKind, Checker, Decl, Frame, NameInBody, Symbol};
use super::names::{declared_in, nearest, params_of, quoted_list};
use super::typed::Ty;

impl<'t> Checker<'_, 't> {
    pub(super) fn example(&mut self, decl: Decl<'t>) {
        if !self.runs_here(decl) {
            return;
        }
        for attr in decl.node.children_of(Kind::attr).filter(|a| a.name().text() != "xlen") {
            let message = format!("an example has no attribute `@{}`", attr.name().text());
            self.error(&crate::diagnostic::catalogue::interface::ATTRIBUTE, attr, message, "only `@xlen`");
        }
        let mut frame = Frame::new(BodyKind::Example, decl.home);
        let steps = self.steps(&mut frame, decl.node);
        let title = decl.node.child(Kind::string);
        self.section.examples.push(Example {
            name: title.map(|t| t.text().trim_matches('"').to_owned()),
            docs: decl.node.docs(),
            locals: frame.locals,
            steps,
            span: title.or(decl.node.child(Kind::kw_example)).unwrap_or(decl.node).span(),
        });
    }

    fn steps(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Vec<Step> {
        let mut steps = Vec::new();
        for step in node.children() {
            match step.kind() {
                Kind::reset_step => steps.push(Step::Reset),
                Kind::run_step => steps.extend(self.run_step(frame, step)),
                Kind::let_step => steps.extend(self.let_step(frame, step)),
                Kind::for_step => steps.extend(self.for_step(frame, step)),
                Kind::bad_step => {
                    for name in declared_in(step) {
                        frame.bind(name, NameInBody::Broken);
                    }
                }
                _ => {}
            }
        }
        steps
    }

    fn run_step(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Option<Step> {
        let typed = self.expr(frame, node.expr()?, None);
        let raises = match node.child(Kind::ident) {
            Some(name) => self.raises(name)?,
            None => Raises::Nothing,
        };
        (!typed.is_error()).then(|| Step::Run { expr: Box::new(typed.expr), raises, span: node.span() })
    }

    fn raises(&mut self, name: Node<'t>) -> Option<Raises> {
        let response = match name.text() {
            "cxu" => Response::Cxu,
            "state" => Response::State,
            "off" => Response::Off,
            "func" => Response::Func,
            "op" => Response::Op,
            text => {
                match self.members.get(text) {
                    Some((Symbol::Error(id), _)) => return Some(Raises::Error(*id)),
                    Some((Symbol::Broken, _)) => return None,
                    _ => {}
                }
                let declared = self.section.errors.iter().map(|e| e.name.as_str());
                let known: Vec<_> = declared.chain(["op", "off", "func", "state", "cxu"]).collect();
                let help = match nearest(text, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("a step raises {}", quoted_list(&known).replace(" and ", " or ")),
                };
                let found = Diagnostic::error(
                    &codes::RAISE,
                    format!("there is no error `{text}`"),
                    name.span(),
                    "not declared",
                );
                self.report(found.help(help));
                return None;
            }
        };
        Some(Raises::Response(response))
    }

    fn let_step(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Option<Step> {
        let typed = self.expr(frame, node.expr()?, None);
        if let (Ty::Unsized { .. }, Some(v)) = (&typed.ty, typed.int()) {
            self.bind(frame, node.name(), NameInBody::Alias(v, node.name().span()));
            return None;
        }
        let local = self.declare(frame, node.name(), typed.ty.clone(), ("a `let`", false));
        (!typed.is_error()).then(|| Step::Let { local, value: Box::new(typed.expr) })
    }

    fn for_step(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Option<Step> {
        let bounds = self.bounds(frame, node.child(Kind::range)?);
        if !self.enter(node, 2) {
            return None;
        }
        frame.scopes.push(Default::default());
        let ty = bounds.as_ref().map_or(Ty::Error, |(_, _, ty)| ty.clone());
        let local = self.declare(frame, node.name(), ty, ("a loop variable", false));
        let steps = self.steps(frame, node);
        frame.scopes.pop();
        self.leave(2);
        let (lo, hi, _) = bounds?;
        Some(Step::For { local, lo: Box::new(lo), hi: Box::new(hi), steps })
    }

    pub(super) fn law(&mut self, decl: Decl<'t>) {
        let node = decl.node;
        let mut frame = Frame::new(BodyKind::Law, decl.home);
        let Some(params) = params_of(node) else { return };
        let mut complete = true;
        for param in &params {
            complete &= self.parameter(&mut frame, *param).is_some();
        }
        let Some(expr_node) = node.expr() else { return };
        let typed = self.expr(&mut frame, expr_node, None);
        let typed = self.as_condition(typed, expr_node);
        if typed.is_error() || !complete {
            return;
        }
        frame.result = Some(Type::Bool);
        self.section.laws.push(Law {
            name: node.name().text().to_owned(),
            docs: node.docs(),
            body: Body {
                locals: frame.locals,
                params: params.len() as u32,
                stmts: vec![Stmt::Return(Some(typed.expr))],
            },
            span: node.name().span(),
        });
    }
}
