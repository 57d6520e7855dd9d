//! Contracts built by hand for tests.

use super::core::{
    BinaryOp, Body, Expr, ExprKind, Local, LocalId, Place, PlaceRoot, PlaceStep, Stmt, Type, UnaryOp, Value,
};
use super::csr::Access;
use super::{
    Command, CommandId, Const, Csr, CsrField, Field, FieldId, FnId, Form, Function, Interface, Operand, Section,
    Semantics, Sharing, Slot, Standard, State,
};
use crate::int::Int;
use crate::source::Span;

pub fn u(n: u32) -> Type {
    Type::U(n)
}

pub fn s(n: u32) -> Type {
    Type::S(n)
}

pub fn expr(ty: Type, kind: ExprKind) -> Expr {
    Expr { ty, kind }
}

pub fn constant(ty: Type, v: impl Into<Int>) -> Expr {
    expr(ty, ExprKind::Const(Value::Int(v.into())))
}

pub fn local(ty: Type, id: u32) -> Expr {
    expr(ty, ExprKind::Local(LocalId(id)))
}

pub fn field(ty: Type, id: u32) -> Expr {
    expr(ty, ExprKind::State(FieldId(id)))
}

pub fn bin(op: BinaryOp, ty: Type, a: Expr, b: Expr) -> Expr {
    expr(ty, ExprKind::Binary(op, Box::new(a), Box::new(b)))
}

pub fn un(op: UnaryOp, ty: Type, a: Expr) -> Expr {
    expr(ty, ExprKind::Unary(op, Box::new(a)))
}

pub fn conv(ty: Type, a: Expr) -> Expr {
    expr(ty, ExprKind::Convert(Box::new(a)))
}

pub fn bits(ty: Type, a: Expr, at: Expr) -> Expr {
    expr(ty, ExprKind::Bits(Box::new(a), Box::new(at)))
}

pub fn index(ty: Type, a: Expr, i: Expr) -> Expr {
    expr(ty, ExprKind::Index(Box::new(a), Box::new(i)))
}

pub fn select(ty: Type, c: Expr, a: Expr, b: Expr) -> Expr {
    expr(ty, ExprKind::Select(Box::new(c), Box::new(a), Box::new(b)))
}

pub fn call(ty: Type, id: u32, args: Vec<Expr>) -> Expr {
    expr(ty, ExprKind::Call(FnId(id), args))
}

pub fn issue(ty: Type, id: u32, args: Vec<Expr>) -> Expr {
    expr(ty, ExprKind::Command(CommandId(id), args))
}

pub fn set_field(id: u32, path: Vec<PlaceStep>, ty: Type, value: Expr) -> Stmt {
    Stmt::Set(Place { root: PlaceRoot::State(FieldId(id)), path, ty }, value)
}

pub fn set_local(id: u32, path: Vec<PlaceStep>, ty: Type, value: Expr) -> Stmt {
    Stmt::Set(Place { root: PlaceRoot::Local(LocalId(id)), path, ty }, value)
}

pub fn ret(value: Expr) -> Stmt {
    Stmt::Return(Some(value))
}

/// A body whose locals are named `l0`, `l1`, ….
pub fn body(params: u32, locals: Vec<Type>, stmts: Vec<Stmt>) -> Body {
    let locals = locals.into_iter().enumerate().map(|(i, ty)| Local { name: format!("l{i}"), ty }).collect();
    Body { locals, params, stmts }
}

pub fn function(name: &str, result: Type, body: Body) -> Function {
    Function { name: name.into(), generics: Vec::new(), result, body, docs: String::new(), span: Span::default() }
}

pub fn operand(name: &str, ty: Type, slot: Slot) -> Operand {
    Operand { name: name.into(), ty, slot, span: Span::default() }
}

/// A command of form R; the operands are the body's parameters in rs1 and rs2.
pub fn command(name: &str, id: u16, result: Option<Type>, body: Body) -> Command {
    let params = body.locals.iter().take(body.params as usize);
    let operands = params.zip([Slot::Rs1, Slot::Rs2]).map(|(l, slot)| operand(&l.name, l.ty.clone(), slot)).collect();
    command_of(name, id, operands, result, Semantics::Body(body))
}

pub fn command_of(name: &str, id: u16, operands: Vec<Operand>, result: Option<Type>, semantics: Semantics) -> Command {
    Command {
        name: name.into(),
        family: None,
        docs: String::new(),
        id,
        forms: vec![Form::R],
        operands,
        result,
        latency: None,
        semantics,
        span: Span::default(),
    }
}

pub fn state_field(name: &str, ty: Type, reset: Value) -> Field {
    Field { name: name.into(), docs: String::new(), ty, reset, span: Span::default() }
}

pub fn table(name: &str, ty: Type, value: Value) -> Const {
    Const { name: name.into(), docs: String::new(), is_member: true, ty: Some(ty), value, span: Span::default() }
}

pub fn ints<T: Into<Int>>(values: impl IntoIterator<Item = T>) -> Value {
    Value::Array(values.into_iter().map(|v| Value::Int(v.into())).collect())
}

/// A state that is exclusive.
pub fn exclusive(fields: Vec<Field>) -> State {
    State { docs: String::new(), sharing: Sharing::Exclusive, ucontext: false, fields }
}

/// The four standard commands by ascending id.
pub fn standard_commands(xlen: u32) -> Vec<Command> {
    let one = |name: &str| vec![operand(name, u(xlen), Slot::Rs1)];
    let two = vec![operand("index", u(xlen), Slot::Rs1), operand("value", u(xlen), Slot::Rs2)];
    [
        ("write_state", 1020, two, Standard::WriteState),
        ("read_state", 1021, one("index"), Standard::ReadState),
        ("write_status", 1022, one("status"), Standard::WriteStatus),
        ("read_status", 1023, vec![], Standard::ReadStatus),
    ]
    .into_iter()
    .map(|(name, id, operands, what)| command_of(name, id, operands, Some(u(xlen)), Semantics::Standard(what)))
    .collect()
}

/// An interface of these sections.
pub fn interface(name: &str, sections: Vec<Section>) -> Interface {
    let standard = |c: &Command| matches!(c.semantics, Semantics::Standard(_));
    Interface {
        package: "org.example.test".into(),
        name: name.into(),
        long_name: None,
        short: None,
        docs: String::new(),
        is_abstract: false,
        is_draft: false,
        uuid: None,
        xintf: None,
        hash: String::new(),
        state_context: sections.iter().flat_map(|s| &s.commands).any(standard),
        sections,
        span: Span::default(),
    }
}

/// Applies an edit to every section.
pub fn edit_both(interface: &mut Interface, edit: impl Fn(&mut Section)) {
    interface.sections.iter_mut().for_each(edit);
}

/// `MulAcc` of the language document at one XLEN: commands 0 (`mul`), 1 (`mulacc`), then the standard ones.
pub fn mulacc_section(xlen: u32) -> Section {
    let w = || u(xlen);
    let product = || bin(BinaryOp::Mul, w(), local(w(), 0), local(w(), 1));
    let body = |value| body(2, vec![w(), w()], vec![set_field(0, vec![], w(), value), ret(field(w(), 0))]);
    let mul = command("mul", 0, Some(w()), body(product()));
    let mut mulacc = command("mulacc", 1, Some(w()), body(bin(BinaryOp::Add, w(), field(w(), 0), product())));
    mulacc.forms.push(Form::Flex);
    let mut commands = vec![mul, mulacc];
    commands.extend(standard_commands(xlen));
    Section {
        xlen,
        state: Some(exclusive(vec![state_field("acc", w(), Value::Int(Int::ZERO))])),
        commands,
        ..Section::default()
    }
}

/// `MulAcc` of the language document.
pub fn mulacc() -> Interface {
    interface("MulAcc", vec![mulacc_section(32), mulacc_section(64)])
}

/// A CSR whose fields are these: lowest bit, value, `@warl`.
pub fn csr(name: &str, address: u16, access: Access, fields: Vec<(u32, Expr, bool)>) -> Csr {
    let field = |(lo, value, warl): (u32, Expr, bool)| CsrField {
        name: format!("f{lo}"),
        docs: String::new(),
        lo,
        ty: value.ty.clone(),
        value,
        warl,
        span: Span::default(),
    };
    let fields = fields.into_iter().map(field).collect();
    Csr { name: name.into(), docs: String::new(), address, access, locals: Vec::new(), fields, span: Span::default() }
}
