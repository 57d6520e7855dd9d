//! What statements read and call.

use super::ir::{Base, CallArg, Cx, Expr, ExprKind, ForeignArg, LocalId, Slice, Stmt, TableId, WideOp};
use crate::contract::FnId;

/// Something that a block uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// A local is read.
    Local(LocalId),
    /// A table is read.
    Table(TableId),
    /// A function is called.
    Function(FnId),
    /// An operand of the command is read.
    Argument(u32),
}

/// Reports every use in a block.
pub fn block_uses(block: &[Stmt], f: &mut dyn FnMut(Use)) {
    for stmt in block {
        own_uses(stmt, f);
        for inner in inner_blocks(stmt) {
            block_uses(inner, f);
        }
    }
}

/// The blocks inside a statement.
pub fn inner_blocks(stmt: &Stmt) -> Vec<&[Stmt]> {
    match stmt {
        Stmt::If(_, a, b) => vec![a, b],
        Stmt::For { body, .. } => vec![body],
        Stmt::Switch { arms, default, .. } => {
            arms.iter().map(|(_, body)| body.as_slice()).chain([default.as_slice()]).collect()
        }
        _ => Vec::new(),
    }
}

/// Reports the uses of a statement without those of the blocks inside it.
pub fn own_uses(stmt: &Stmt, f: &mut dyn FnMut(Use)) {
    match stmt {
        Stmt::Declare(_) | Stmt::Reset => {}
        Stmt::Cx(cx) => match &**cx {
            Cx::Issue { args, .. } => args.iter().for_each(|e| expr_uses(e, f)),
            Cx::Foreign { args, .. } => {
                for arg in args {
                    match arg {
                        ForeignArg::Value(e, _) => expr_uses(e, f),
                        ForeignArg::Param(at) => f(Use::Argument(*at)),
                    }
                }
            }
            _ => {}
        },
        Stmt::Let(_, e) | Stmt::Assign(_, e) | Stmt::SetField(_, e) | Stmt::SetStatus(e) => expr_uses(e, f),
        Stmt::Store(base, index, value) => {
            if let Base::Buffer(at) = base {
                f(Use::Argument(*at));
            }
            expr_uses(index, f);
            expr_uses(value, f);
        }
        Stmt::SetStateWord(index, value) => {
            expr_uses(index, f);
            expr_uses(value, f);
        }
        Stmt::Copy { dst, src, .. } => {
            expr_uses(&dst.at, f);
            slice_uses(src, f);
        }
        Stmt::Fill { dst, value, .. } => {
            expr_uses(&dst.at, f);
            expr_uses(value, f);
        }
        Stmt::CallInto(id, args, dst) => {
            f(Use::Function(*id));
            args_uses(args, f);
            expr_uses(&dst.at, f);
        }
        Stmt::Wide { dst, op, .. } => {
            expr_uses(&dst.at, f);
            wide_uses(op, f);
        }
        Stmt::If(c, ..) => expr_uses(c, f),
        Stmt::For { lo, hi, .. } => {
            expr_uses(lo, f);
            expr_uses(hi, f);
        }
        Stmt::Switch { value, .. } => expr_uses(value, f),
        Stmt::Return(e) | Stmt::Finish(_, e) => e.iter().for_each(|e| expr_uses(e, f)),
    }
}

fn wide_uses(op: &WideOp, f: &mut dyn FnMut(Use)) {
    match op {
        WideOp::Word(e) => expr_uses(e, f),
        WideOp::Resize(a, _) | WideOp::Not(a) => slice_uses(a, f),
        WideOp::Add(a, b)
        | WideOp::Sub(a, b)
        | WideOp::Mul(a, b)
        | WideOp::And(a, b)
        | WideOp::Or(a, b)
        | WideOp::Xor(a, b)
        | WideOp::Div(a, b)
        | WideOp::Rem(a, b) => {
            slice_uses(a, f);
            slice_uses(b, f);
        }
        WideOp::Shl(a, n) | WideOp::Shr(a, n) => {
            slice_uses(a, f);
            expr_uses(n, f);
        }
        WideOp::Mask(_) | WideOp::SignExtend(_) => {}
    }
}

fn slice_uses(slice: &Slice, f: &mut dyn FnMut(Use)) {
    base_uses(slice.base, f);
    expr_uses(&slice.at, f);
}

fn base_uses(base: Base, f: &mut dyn FnMut(Use)) {
    match base {
        Base::Local(id) => f(Use::Local(id)),
        Base::Table(id) => f(Use::Table(id)),
        Base::Buffer(at) => f(Use::Argument(at)),
        Base::Field(_) | Base::Out => {}
    }
}

fn args_uses(args: &[CallArg], f: &mut dyn FnMut(Use)) {
    for arg in args {
        match arg {
            CallArg::Value(e) => expr_uses(e, f),
            CallArg::Array(slice) => slice_uses(slice, f),
        }
    }
}

fn expr_uses(e: &Expr, f: &mut dyn FnMut(Use)) {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::Field(_) | ExprKind::Status | ExprKind::IsOpen(_) => {}
        ExprKind::Arg(i) | ExprKind::IsNull(i) => f(Use::Argument(*i)),
        ExprKind::Local(id) => base_uses(Base::Local(*id), f),
        ExprKind::Element(base, index) => {
            base_uses(*base, f);
            expr_uses(index, f);
        }
        ExprKind::StateWord(a) | ExprKind::Not(a) | ExprKind::Convert(a) | ExprKind::SignExtend(a, _) => {
            expr_uses(a, f)
        }
        ExprKind::Binary(_, a, b) | ExprKind::Compare(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            expr_uses(a, f);
            expr_uses(b, f);
        }
        ExprKind::Select(a, b, c) => [a, b, c].into_iter().for_each(|e| expr_uses(e, f)),
        ExprKind::Call(id, args) => {
            f(Use::Function(*id));
            args_uses(args, f);
        }
        ExprKind::WideLess(a, b, _) | ExprKind::WideEqual(a, b, _) => {
            slice_uses(a, f);
            slice_uses(b, f);
        }
        ExprKind::WideWord { src, at, .. } => {
            slice_uses(src, f);
            expr_uses(at, f);
        }
        ExprKind::WideClamp(a, _) => slice_uses(a, f),
    }
}
