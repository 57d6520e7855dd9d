//! What typed expressions of a body hold.

use crate::contract::core::{Argument, Expr, ExprKind, LocalId};

/// The operands of an expression, in the order in which they are evaluated.
pub fn operands(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::Table(_) | ExprKind::Local(_) | ExprKind::State(_) => Vec::new(),
        ExprKind::Unary(_, a)
        | ExprKind::Convert(a)
        | ExprKind::Saturate(a)
        | ExprKind::Rep(a, _)
        | ExprKind::Fill(a)
        | ExprKind::Split(a)
        | ExprKind::Join(a) => vec![a],
        ExprKind::Comprehension(map) => vec![&map.elem],
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) | ExprKind::Bits(a, b) => vec![a, b],
        ExprKind::Select(a, b, c) => vec![a, b, c],
        ExprKind::Csr(_, value) => value.iter().map(|e| &**e).collect(),
        ExprKind::Cat(list) | ExprKind::Array(list) | ExprKind::Call(_, list) | ExprKind::Command(_, list) => {
            list.iter().collect()
        }
        ExprKind::Issue(issue) => issue.args.iter().collect(),
        ExprKind::Foreign(call) => call.args.iter().filter_map(value).collect(),
    }
}

fn value(arg: &Argument) -> Option<&Expr> {
    match arg {
        Argument::Value(e) => Some(e),
        Argument::Param(_) => None,
    }
}

/// The same, to be changed.
pub fn operands_mut(e: &mut Expr) -> Vec<&mut Expr> {
    match &mut e.kind {
        ExprKind::Const(_) | ExprKind::Table(_) | ExprKind::Local(_) | ExprKind::State(_) => Vec::new(),
        ExprKind::Unary(_, a)
        | ExprKind::Convert(a)
        | ExprKind::Saturate(a)
        | ExprKind::Rep(a, _)
        | ExprKind::Fill(a)
        | ExprKind::Split(a)
        | ExprKind::Join(a) => vec![a],
        ExprKind::Comprehension(map) => vec![&mut map.elem],
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) | ExprKind::Bits(a, b) => vec![a, b],
        ExprKind::Select(a, b, c) => vec![a, b, c],
        ExprKind::Csr(_, value) => value.iter_mut().map(|e| &mut **e).collect(),
        ExprKind::Cat(list) | ExprKind::Array(list) | ExprKind::Call(_, list) | ExprKind::Command(_, list) => {
            list.iter_mut().collect()
        }
        ExprKind::Issue(issue) => issue.args.iter_mut().collect(),
        ExprKind::Foreign(call) => call
            .args
            .iter_mut()
            .filter_map(|arg| match arg {
                Argument::Value(e) => Some(e),
                Argument::Param(_) => None,
            })
            .collect(),
    }
}

/// Whether something holds of an expression or a part of it.
pub fn any(e: &Expr, test: &mut dyn FnMut(&Expr) -> bool) -> bool {
    test(e) || operands(e).into_iter().any(|e| any(e, test))
}

/// Whether it issues a command or calls a function of the library.
pub fn has_effect(e: &Expr) -> bool {
    any(e, &mut |e| matches!(e.kind, ExprKind::Issue(_) | ExprKind::Foreign(_)))
}

/// Whether it calls a function of the library, which may write any buffer.
pub fn calls(e: &Expr) -> bool {
    any(e, &mut |e| matches!(e.kind, ExprKind::Foreign(_)))
}

/// Whether it reads one of the first `params` locals as an array: memory of the caller.
pub fn reads_memory(e: &Expr, params: u32) -> bool {
    any(e, &mut |e| match &e.kind {
        ExprKind::Index(array, _) => matches!(array.kind, ExprKind::Local(id) if id.0 < params),
        _ => false,
    })
}

/// Gives each local of an expression another number.
pub fn rename(e: &mut Expr, to: &dyn Fn(LocalId) -> LocalId) {
    match &mut e.kind {
        ExprKind::Local(id) => *id = to(*id),
        ExprKind::Comprehension(map) => map.local = to(map.local),
        _ => {}
    }
    operands_mut(e).into_iter().for_each(|e| rename(e, to));
}
