//! Locals that only count or add up in loops of a known length: how great they can get. A mask that their type asks for
//! after each addition is not needed then.

use super::flow::blocks;
use super::ir::ones;
use crate::contract::core::{BinaryOp, Body, Expr, ExprKind, Local, LocalId, Place, PlaceRoot, Stmt, Type};

/// What happens to a local.
#[derive(Clone, Copy, Default)]
struct Sum {
    /// Its first value, and how many turns of loops were around that.
    start: Option<(u64, u32)>,
    /// The greatest sum of what is added.
    added: u64,
    /// How often it begins, and is assigned.
    begun: u32,
    set: u32,
    /// Something else than a bounded addition happens.
    other: bool,
}

/// The greatest value of each local of a body that starts as a constant and is then assigned in one place, which adds to
/// it, without leaving its type.
pub fn bounds(body: &Body) -> Vec<Option<u64>> {
    let mut sums = vec![Sum::default(); body.locals.len()];
    walk(&body.stmts, &mut Vec::new(), &mut sums);
    let bound = |(local, sum): (&Local, &Sum)| {
        let Type::U(width) = local.ty else { return None };
        let (start, _) = sum.start?;
        let single = sum.begun == 1 && sum.set == 1 && !sum.other && width <= 64;
        start.checked_add(sum.added).filter(|bound| single && *bound <= ones(width))
    };
    body.locals.iter().zip(&sums).map(bound).collect()
}

/// `turns` has how often the body of each loop around runs; `None` if that is not known.
fn walk(stmts: &[Stmt], turns: &mut Vec<Option<u64>>, sums: &mut [Sum]) {
    for stmt in stmts {
        match stmt {
            Stmt::Let(id, e) => {
                let depth = turns.len() as u32;
                if let Some(sum) = sums.get_mut(id.index()) {
                    sum.begun += 1;
                    // An assignment before the beginning would be of an earlier turn; none is written so.
                    sum.other |= sum.set > 0;
                    sum.start = constant(e).map(|start| (start, depth));
                }
            }
            Stmt::Set(Place { root: PlaceRoot::Local(id), path, .. }, e) => {
                let Some(sum) = sums.get_mut(id.index()) else { continue };
                sum.set += 1;
                // The loops between the beginning and here.
                let around = sum.start.and_then(|(_, depth)| turns.get(depth as usize..));
                let count = around.and_then(|around| around.iter().try_fold(1u64, |n, turns| n.checked_mul((*turns)?)));
                let added = path.is_empty().then(|| addend(e, *id)).flatten().and_then(greatest);
                match count.zip(added).and_then(|(count, added)| count.checked_mul(added)) {
                    Some(added) => sum.added = added,
                    None => sum.other = true,
                }
            }
            Stmt::For { lo, hi, body, .. } => {
                let length = constant(hi).zip(constant(lo)).map(|(hi, lo)| hi.saturating_sub(lo));
                turns.push(length);
                walk(body, turns, sums);
                turns.pop();
            }
            other => blocks(other).into_iter().for_each(|block| walk(block, turns, sums)),
        }
    }
}

/// A constant that is not negative and has at most 64 bits.
fn constant(e: &Expr) -> Option<u64> {
    match &e.kind {
        ExprKind::Const(value) => u64::try_from(value.int().to_i128()?).ok(),
        _ => None,
    }
}

/// What is added to the local, if the expression is that sum, in a type that is no narrower.
fn addend(e: &Expr, id: LocalId) -> Option<&Expr> {
    let Type::U(width) = e.ty else { return None };
    match &e.kind {
        ExprKind::Binary(BinaryOp::Add, a, b) => match (&a.kind, &b.kind) {
            (ExprKind::Local(of), _) if *of == id && matches!(b.ty, Type::U(_)) => Some(b),
            (_, ExprKind::Local(of)) if *of == id && matches!(a.ty, Type::U(_)) => Some(a),
            _ => None,
        },
        ExprKind::Convert(sum) if matches!(sum.ty, Type::U(wide) if wide >= width) => addend(sum, id),
        _ => None,
    }
}

/// The greatest value of an expression of an unsigned type, as far as types and constants tell.
fn greatest(e: &Expr) -> Option<u64> {
    let own = match e.ty {
        Type::Bool => 1,
        Type::U(width) | Type::Enum { width, .. } if width <= 64 => ones(width),
        _ => return constant(e),
    };
    Some(match &e.kind {
        ExprKind::Const(_) => constant(e)?,
        ExprKind::Convert(inner) if !inner.ty.is_signed() => greatest(inner).map_or(own, |inner| inner.min(own)),
        _ => own,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::core::Value;
    use crate::int::Int;

    fn node(ty: Type, kind: ExprKind) -> Expr {
        Expr { ty, kind }
    }

    fn number(width: u32, v: u32) -> Expr {
        node(Type::U(width), ExprKind::Const(Value::Int(Int::from(v))))
    }

    /// A loop of `turns` turns that adds `one` to a local of `width` bits, in a loop of two turns.
    fn counting(width: u32, turns: u32, one: Expr) -> Body {
        let id = LocalId(0);
        let sum = ExprKind::Binary(BinaryOp::Add, Box::new(node(Type::U(width), ExprKind::Local(id))), Box::new(one));
        let place = Place { root: PlaceRoot::Local(id), path: Vec::new(), ty: Type::U(width) };
        let set = Stmt::Set(place, node(Type::U(width), sum));
        let repeat = |turns, local, body| Stmt::For {
            local: LocalId(local),
            lo: Box::new(number(32, 0)),
            hi: Box::new(number(32, turns)),
            body,
        };
        let begin = Stmt::Let(id, number(width, 3));
        let local = |ty| Local { name: String::new(), ty };
        Body {
            locals: vec![local(Type::U(width)), local(Type::U(32)), local(Type::U(32))],
            params: 0,
            stmts: vec![repeat(2, 1, vec![begin, repeat(turns, 2, vec![set])])],
        }
    }

    #[test]
    fn a_count_is_bounded_by_its_loops() {
        assert_eq!(bounds(&counting(7, 64, number(7, 1)))[0], Some(67));
        // A value of one bit in a wider type counts by that bit.
        let bit = node(Type::U(1), ExprKind::Local(LocalId(1)));
        let wide = node(Type::U(7), ExprKind::Convert(Box::new(bit)));
        assert_eq!(bounds(&counting(7, 124, wide.clone()))[0], Some(127));
        // It leaves its type, or nobody knows.
        assert_eq!(bounds(&counting(7, 125, wide))[0], None);
        assert_eq!(bounds(&counting(7, 64, node(Type::U(7), ExprKind::Local(LocalId(1)))))[0], None);
        let mut twice = counting(7, 4, number(7, 1));
        let again = twice.stmts.clone();
        twice.stmts.extend(again);
        assert_eq!(bounds(&twice)[0], None);
    }
}
