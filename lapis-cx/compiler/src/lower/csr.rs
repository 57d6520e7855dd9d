//! Lowers CSRs. What an access does is written in the typed core and lowered as any other body.

use super::command::{self, edge};
use super::ir;
use super::lowerer::Tables;
use crate::contract::core::{Arm, Body, Expr, ExprKind, Local, LocalId, Place, PlaceRoot, Stmt, Type, Value};
use crate::contract::csr::Access;
use crate::contract::{Csr, CsrField, Section};
use crate::int::Int;

fn node(ty: Type, kind: ExprKind) -> Expr {
    Expr { ty, kind }
}

/// Lowers a CSR.
pub fn csr(section: &Section, tables: &mut Tables, source: &Csr) -> ir::Csr {
    let word = Type::U(section.xlen);
    let reading = Body {
        locals: source.locals.clone(),
        params: 0,
        stmts: vec![Stmt::Return(Some(read(section.xlen, &source.fields)))],
    };
    let write = (source.access == Access::Rw).then(|| {
        let mut writing =
            Body { locals: vec![Local { name: "value".into(), ty: word.clone() }], params: 1, stmts: vec![] };
        source.fields.iter().for_each(|field| write(section, field, &mut writing));
        let mut lowerer = command::begin(section, tables, &writing, None);
        lowerer.refuse_when_off();
        // Any write marks, also one that changes nothing.
        lowerer.mark_dirty();
        lowerer.operands(std::slice::from_ref(&word));
        lowerer.statements(&writing.stmts);
        command::end(lowerer)
    });
    let mut lowerer = command::begin(section, tables, &reading, Some(&word));
    lowerer.refuse_when_off();
    lowerer.statements(&reading.stmts);
    ir::Csr {
        name: source.name.clone(),
        address: source.address,
        fields: source.fields.iter().map(lowered_field).collect(),
        read: command::end(lowerer),
        write,
    }
}

fn lowered_field(field: &CsrField) -> ir::CsrField {
    ir::CsrField { name: field.name.clone(), lo: field.lo, width: field.width(), edge: edge(&field.ty) }
}

/// The word that a read gives: the patterns of the fields, and zeros between them.
fn read(xlen: u32, fields: &[CsrField]) -> Expr {
    let zeros = |n: u32| (n > 0).then(|| node(Type::U(n), ExprKind::Const(Value::Int(Int::ZERO))));
    let mut items = Vec::new();
    let mut above = xlen;
    for field in fields.iter().rev() {
        items.extend(zeros(above.saturating_sub(field.lo + field.width())));
        let pattern = Type::U(field.width());
        items.push(if field.value.ty == pattern {
            field.value.clone()
        } else {
            node(pattern, ExprKind::Convert(Box::new(field.value.clone())))
        });
        above = field.lo;
    }
    items.extend(zeros(above));
    node(Type::U(xlen), ExprKind::Cat(items))
}

/// The write of one field: its bits of the word in local 0 become the state field, if they may.
fn write(section: &Section, field: &CsrField, body: &mut Body) {
    let Some(state) = field.state() else { return };
    let position = node(Type::U(32), ExprKind::Const(Value::Int(Int::from(field.lo))));
    let word = node(Type::U(section.xlen), ExprKind::Local(LocalId(0)));
    let bits = node(Type::U(field.width()), ExprKind::Bits(Box::new(word), Box::new(position)));
    let value = if bits.ty == field.ty { bits } else { node(field.ty.clone(), ExprKind::Convert(Box::new(bits))) };
    let place = Place { root: PlaceRoot::State(state), path: Vec::new(), ty: field.ty.clone() };
    let def = match field.ty {
        Type::Enum { id, .. } if field.warl => section.enums.get(id.index()),
        _ => None,
    };
    let Some(def) = def else { return body.stmts.push(Stmt::Set(place, value)) };
    // Only the patterns that have a name are written.
    let id = LocalId(body.locals.len() as u32);
    body.locals.push(Local { name: field.name.clone(), ty: field.ty.clone() });
    let named = node(field.ty.clone(), ExprKind::Local(id));
    let patterns = def.cases.iter().map(|case| (case.pattern.clone(), &case.pattern + &Int::ONE)).collect();
    let arms = vec![Arm { patterns, body: vec![Stmt::Set(place, named.clone())] }];
    body.stmts.extend([Stmt::Let(id, value), Stmt::Match { value: named, arms, default: Vec::new() }]);
}
