//! Prints placed statements as words.

use super::{Context, Node};
use crate::contract::Section;
use crate::contract::core::{Argument, Body, Expr, Local, LocalId, Type};
use crate::contract::library::clause::ImplBody;
use crate::contract::library::place::{Place as ApiPlace, Type as ApiType};
use crate::contract::library::{Function, FunctionId};
use crate::lower::command::{begin, edge, end};
use crate::lower::flow;
use crate::lower::ir::{self, Cx, ExprKind, ForeignArg, ParamKind, RoutineParam, Ty};
use crate::lower::lowerer::{Buffer, Lowerer, Tables, element, scalar_ty, word_storage};
use crate::lower::value::Val;

/// A function that is to be printed.
pub struct Routine<'r, 'a> {
    pub section: &'a Section,
    pub id: FunctionId,
    pub function: &'a Function,
    pub body: &'a ImplBody,
    pub contexts: &'r [Context<'a>],
}

impl Routine<'_, '_> {
    pub fn emit(&self, tables: &mut Tables, locals: Vec<Local>, nodes: &[Node]) -> ir::Routine {
        let types: Vec<Type> = self.parameters().map(|local| local.ty.clone()).collect();
        let places = self.function.params.iter().map(|param| &param.place);
        let kinds: Vec<ParamKind> = places.zip(&types).map(|(place, ty)| self.kind(place, ty)).collect();
        let result = self.result();
        let all = Body { locals, params: self.body.body.params, stmts: Vec::new() };
        let mut lowerer = begin(self.section, tables, &all, result.as_ref());
        mark_assigned(nodes, &mut lowerer.assigned);
        lowerer.buffers = kinds
            .iter()
            .enumerate()
            .map(|(at, kind)| match kind {
                ParamKind::Buffer { optional, .. } => {
                    let length = self.body.lengths.get(at).cloned().flatten()?;
                    Some(Buffer { length, optional: *optional })
                }
                _ => None,
            })
            .collect();
        for (at, kind) in kinds.iter().enumerate() {
            if let (ParamKind::Value(_), Some(ty)) = (kind, types.get(at)) {
                lowerer.begin_operand(at, ty);
            }
        }
        self.block(&mut lowerer, nodes);
        let params = self.function.params.iter().zip(kinds);
        ir::Routine {
            function: self.id,
            params: params.map(|(p, kind)| RoutineParam { name: p.name.clone(), kind }).collect(),
            result: result.as_ref().map(edge),
            contexts: self.contexts.iter().map(Context::lowered).collect(),
            body: end(lowerer),
        }
    }

    /// What a parameter is for the body, which gives it this type.
    fn kind(&self, place: &ApiPlace, ty: &Type) -> ParamKind {
        match (&place.ty, ty) {
            (ApiType::Buffer { .. }, Type::Array { elem, .. }) => ParamKind::Buffer {
                storage: element(elem).0,
                edge: edge(elem),
                written: place.directions.output,
                optional: place.optional,
            },
            _ if place.number(self.section).is_some() => ParamKind::Value(edge(ty)),
            _ => ParamKind::Passed,
        }
    }

    fn parameters(&self) -> impl Iterator<Item = &Local> {
        self.body.body.locals.iter().take(self.body.body.params as usize)
    }

    /// The type of the result, which analysis has put into each `return`.
    fn result(&self) -> Option<Type> {
        self.function.result.number(self.section)
    }

    fn block(&self, lowerer: &mut Lowerer<'_>, nodes: &[Node]) {
        nodes.iter().for_each(|node| self.node(lowerer, node));
    }

    fn node(&self, lowerer: &mut Lowerer<'_>, node: &Node) {
        match node {
            Node::Stmt(stmt) => lowerer.statements(std::slice::from_ref(stmt)),
            Node::Issue { context, command, args, ty, into } => {
                let section = self.contexts.get(*context as usize).map(|context| context.section);
                let Some(command) = section.and_then(|s| s.commands.get(*command as usize)) else { return };
                let args = args.iter().zip(&command.operands);
                // An enum of the interface is a number here, of the same pattern.
                let args = args.map(|(e, operand)| lowerer.at_edge_of(e, edge(&operand.ty))).collect();
                let (context, id) = (*context, command.id);
                match (into, &command.result) {
                    (Some(into), Some(_)) => {
                        receive(lowerer, *into, ty, |into| Cx::Issue { context, id, args, into: Some(into) });
                    }
                    (into, _) => {
                        emit(lowerer, Cx::Issue { context, id, args, into: None });
                        // What nothing gives is 0.
                        if let Some(into) = into {
                            let local = lowerer.local(*into);
                            lowerer.emit(ir::Stmt::Let(local, ir::Expr::constant(scalar_ty(ty), 0)));
                        }
                    }
                }
            }
            Node::Foreign { function, args, ty, into } => {
                let args = args.iter().map(|arg| match arg {
                    Argument::Value(e) => {
                        let edge = edge(&e.ty);
                        ForeignArg::Value(lowerer.at_edge_of(e, edge), edge)
                    }
                    Argument::Param(at) => ForeignArg::Param(*at),
                });
                let (function, args) = (*function, args.collect());
                match into {
                    Some(into) => receive(lowerer, *into, ty, |into| Cx::Foreign { function, args, into: Some(into) }),
                    None => emit(lowerer, Cx::Foreign { function, args, into: None }),
                }
            }
            Node::If(c, a, b) => {
                let c = lowerer.truth(c);
                let (then, ()) = lowerer.capture(|l| self.block(l, a));
                let (other, ()) = lowerer.capture(|l| self.block(l, b));
                lowerer.emit_if(c, then, other);
            }
            Node::IfOpen(context, a, b) => {
                let c = ir::Expr { ty: Ty::Bool, kind: ExprKind::IsOpen(*context) };
                let (then, ()) = lowerer.capture(|l| self.block(l, a));
                let (other, ()) = lowerer.capture(|l| self.block(l, b));
                lowerer.emit(ir::Stmt::If(c, then, other));
            }
            Node::For { local, lo, hi, body } => {
                let assigned = lowerer.assigned.get(local.index()).copied().unwrap_or(true);
                let is_bounded = !assigned && !reads_locals_that_change(hi, lowerer);
                if is_bounded {
                    lowerer.below.push((*local, hi.clone()));
                }
                lowerer.for_range(*local, lo, hi, |l, _| self.block(l, body));
                if is_bounded {
                    lowerer.below.pop();
                }
            }
            Node::Return(e) => lowerer.end_with(e.as_ref()),
            Node::Cx(cx) => emit(lowerer, cx.clone()),
            // These became others before.
            Node::With { .. } | Node::Try(..) => {}
        }
    }
}

fn emit(lowerer: &mut Lowerer<'_>, cx: Cx) {
    lowerer.emit(ir::Stmt::Cx(Box::new(cx)));
}

/// Begins a local with what a statement gives: the low bits of the pattern at the edge of its type.
fn receive(lowerer: &mut Lowerer<'_>, into: LocalId, ty: &Type, cx: impl FnOnce((ir::LocalId, ir::Edge)) -> Cx) {
    let (local, edge) = (lowerer.local(into), edge(ty));
    let bits = match edge {
        ir::Edge::Bool => 1,
        ir::Edge::Unsigned(bits) | ir::Edge::Signed(bits) => bits,
    };
    if bits == ty.width() {
        return emit(lowerer, cx((local, edge)));
    }
    let raw = lowerer.new_local(String::new(), ir::Shape::Scalar(word_storage(edge.ty())), ir::ones(bits));
    emit(lowerer, cx((raw, edge)));
    let pattern = Val::new(edge.ty(), ExprKind::Local(raw), ir::ones(bits));
    lowerer.emit(ir::Stmt::Let(local, pattern.mask(ty.width()).expr));
}

/// Whether an expression has another value after assignments, or looks into memory.
fn reads_locals_that_change(e: &Expr, lowerer: &Lowerer<'_>) -> bool {
    use crate::contract::core::ExprKind;
    super::walk::any(e, &mut |e| match e.kind {
        ExprKind::Local(id) => lowerer.assigned.get(id.index()).copied().unwrap_or(true),
        ExprKind::Index(..) => true,
        _ => false,
    })
}

fn mark_assigned(nodes: &[Node], assigned: &mut [bool]) {
    for node in nodes {
        if let Node::Stmt(stmt) = node {
            flow::mark_assigned(std::slice::from_ref(stmt), assigned);
        }
        node.blocks().into_iter().for_each(|block| mark_assigned(block, assigned));
    }
}
