//! Lowers the access to the words of the state, which lie as [`Layout`] says. The bodies are written in the typed core and lowered as any other.

use super::command::{Ending, is_off};
use super::ir::{self, Field, State, Ty};
use super::lowerer::{Lowerer, Tables, memory_shape};
use super::value::Val;
use crate::contract::core::{BinaryOp, BinaryOp::Add, Comprehension, UnaryOp};
use crate::contract::core::{Body, Expr, ExprKind, Local, LocalId, Place, PlaceRoot, PlaceStep, Stmt, Type, Value};
use crate::contract::layout::{Layout, status};
use crate::contract::{self, FieldId, Section, Standard};
use crate::int::Int;

fn node(ty: Type, kind: ExprKind) -> Expr {
    Expr { ty, kind }
}

fn number(v: u32) -> Expr {
    node(Type::U(32), ExprKind::Const(Value::Int(Int::from(v))))
}

fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    node(Type::U(32), ExprKind::Binary(op, Box::new(a), Box::new(b)))
}

fn convert(ty: Type, a: Expr) -> Expr {
    if a.ty == ty { a } else { node(ty, ExprKind::Convert(Box::new(a))) }
}

fn bits(width: u32, a: Expr, at: Expr) -> Expr {
    node(Type::U(width), ExprKind::Bits(Box::new(a), Box::new(at)))
}

/// How the elements of a field meet the words.
enum Packing {
    /// One element, in this many words.
    Scalar(u32),
    /// A word holds this many whole elements.
    Many(u32),
    /// An element takes this many whole words.
    Few(u32),
    /// Elements lie across the borders of words.
    Across,
}

/// A field seen as one row of scalars.
struct Row {
    id: FieldId,
    scalar: Type,
    len: u32,
    packing: Packing,
}

impl Row {
    fn new(id: FieldId, ty: &Type, xlen: u32) -> Row {
        let (scalar, n) = ty.flattened();
        let width = scalar.width().max(1);
        let packing = match ty {
            Type::Array { .. } if xlen.is_multiple_of(width) => Packing::Many(xlen / width),
            Type::Array { .. } if width.is_multiple_of(xlen) => Packing::Few(width / xlen),
            Type::Array { .. } => Packing::Across,
            _ => Packing::Scalar(width.div_ceil(xlen)),
        };
        Row { id, scalar: scalar.clone(), len: u32::try_from(n).unwrap_or(u32::MAX), packing }
    }

    /// The type as one row.
    fn ty(&self) -> Type {
        match self.packing {
            Packing::Scalar(_) => self.scalar.clone(),
            _ => Type::array(self.scalar.clone(), self.len),
        }
    }

    /// The pattern of the element at an index.
    fn pattern(&self, index: Expr) -> Expr {
        let row = node(self.ty(), ExprKind::State(self.id));
        let item = match self.packing {
            Packing::Scalar(_) => row,
            _ => node(self.scalar.clone(), ExprKind::Index(Box::new(row), Box::new(index))),
        };
        convert(Type::U(self.scalar.width()), item)
    }
}

/// Writes the typed bodies that read and write one word.
struct Access {
    xlen: u32,
    locals: Vec<Local>,
    params: u32,
}

impl Access {
    fn new(xlen: u32, params: &[&str]) -> Access {
        let locals = params.iter().map(|name| Local { name: (*name).into(), ty: Type::U(xlen) }).collect();
        Access { xlen, locals, params: params.len() as u32 }
    }

    fn local(&mut self, name: &str, ty: Type) -> (LocalId, Expr) {
        self.locals.push(Local { name: name.into(), ty: ty.clone() });
        let id = LocalId(self.locals.len() as u32 - 1);
        (id, node(ty, ExprKind::Local(id)))
    }

    fn param(&self, i: u32) -> Expr {
        node(Type::U(self.xlen), ExprKind::Local(LocalId(i)))
    }

    /// `for k in 0..n`
    fn repeat(&mut self, n: u32, f: impl FnOnce(&mut Access, Expr) -> Vec<Stmt>) -> Stmt {
        let (local, k) = self.local("k", Type::U(32));
        let body = f(self, k);
        Stmt::For { local, lo: Box::new(number(0)), hi: Box::new(number(n)), body }
    }

    /// One branch for each field: the index lies in it, and `f` gets the number of the word inside the field.
    fn by_field(
        &mut self,
        fields: &[Field],
        rows: &[Row],
        f: impl Fn(&mut Access, &Row, Expr) -> Vec<Stmt>,
    ) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for (field, row) in fields.iter().zip(rows) {
            let inside = Expr {
                ty: Type::Bool,
                kind: ExprKind::Binary(
                    BinaryOp::Lt,
                    Box::new(self.param(0)),
                    Box::new(convert(Type::U(self.xlen), number(field.first_word + field.words))),
                ),
            };
            let (id, word) = self.local("word", Type::U(32));
            let start = binary(BinaryOp::Sub, convert(Type::U(32), self.param(0)), number(field.first_word));
            let mut body = vec![Stmt::Let(id, start)];
            body.extend(f(self, row, word));
            stmts.push(Stmt::If(inside, body, Vec::new()));
        }
        stmts
    }

    fn read(&mut self, row: &Row, word: Expr) -> Vec<Stmt> {
        let xlen = self.xlen;
        let value = match row.packing {
            Packing::Scalar(1) => convert(Type::U(xlen), row.pattern(number(0))),
            Packing::Scalar(_) => bits(xlen, row.pattern(number(0)), binary(BinaryOp::Mul, word, number(xlen))),
            Packing::Few(per) => {
                let at = binary(BinaryOp::Mul, binary(BinaryOp::Rem, word.clone(), number(per)), number(xlen));
                bits(xlen, row.pattern(binary(BinaryOp::Div, word, number(per))), at)
            }
            Packing::Many(per) => {
                let (local, k) = self.local("k", Type::U(32));
                let index = binary(Add, binary(BinaryOp::Mul, word, number(per)), k);
                self.joined(local, per, row.pattern(index))
            }
            Packing::Across => return self.read_across(row, word),
        };
        vec![Stmt::Return(Some(value))]
    }

    /// Begins with where a word lies among elements that cross its borders: the first element, and the bit of it.
    fn begin_across(&mut self, row: &Row, word: Expr, stmts: &mut Vec<Stmt>) -> (Expr, Expr) {
        let width = number(row.scalar.width());
        let position = binary(BinaryOp::Mul, word, number(self.xlen));
        let (element_id, element) = self.local("element", Type::U(32));
        let (bit_id, bit) = self.local("bit", Type::U(32));
        stmts.push(Stmt::Let(element_id, binary(BinaryOp::Div, position.clone(), width.clone())));
        stmts.push(Stmt::Let(bit_id, binary(BinaryOp::Rem, position, width)));
        (element, bit)
    }

    /// Each element after the first that may have bits in a word: `f` gets its index, and the bit of the word where it
    /// begins. That may lie beyond the word, and the element beyond the array.
    fn each_later(
        &mut self,
        row: &Row,
        (element, bit): (Expr, Expr),
        f: impl FnOnce(&mut Access, Expr, Expr) -> Stmt,
    ) -> Stmt {
        let width = row.scalar.width();
        let (local, k) = self.local("k", Type::U(32));
        let (next_id, next) = self.local("next", Type::U(32));
        let (begins_id, begins) = self.local("begins", Type::U(32));
        let distance = binary(BinaryOp::Sub, binary(BinaryOp::Mul, k.clone(), number(width)), bit);
        let lets = [Stmt::Let(next_id, binary(Add, element, k)), Stmt::Let(begins_id, distance)];
        let body = lets.into_iter().chain([f(self, next, begins)]).collect();
        let end = number((width + self.xlen - 2) / width + 1);
        Stmt::For { local, lo: Box::new(number(1)), hi: Box::new(end), body }
    }

    fn read_across(&mut self, row: &Row, word: Expr) -> Vec<Stmt> {
        let ty = Type::U(self.xlen);
        let mut stmts = Vec::new();
        let (element, bit) = self.begin_across(row, word, &mut stmts);
        let (id, value) = self.local("value", ty.clone());
        stmts.push(Stmt::Let(id, bits(self.xlen, row.pattern(element.clone()), bit.clone())));
        let later = self.each_later(row, (element, bit), |_, element, begins| {
            let part = convert(ty.clone(), row.pattern(element));
            let part = node(ty.clone(), ExprKind::Binary(BinaryOp::Shl, Box::new(part), Box::new(begins)));
            let all = ExprKind::Binary(BinaryOp::Or, Box::new(value.clone()), Box::new(part));
            Stmt::Set(Place { root: PlaceRoot::Local(id), path: Vec::new(), ty: ty.clone() }, node(ty.clone(), all))
        });
        stmts.extend([later, Stmt::Return(Some(value))]);
        stmts
    }

    fn write_across(&mut self, row: &Row, word: Expr) -> Vec<Stmt> {
        let (xlen, value) = (self.xlen, self.param(1));
        let pattern = Type::U(row.scalar.width());
        let place = |path, ty| Place { root: PlaceRoot::State(row.id), path, ty };
        let mut stmts = Vec::new();
        let (element, bit) = self.begin_across(row, word, &mut stmts);
        // What is above the top of the first element is dropped.
        let width = xlen.min(row.scalar.width());
        let path = vec![PlaceStep::Index(element.clone()), PlaceStep::Bits { at: bit.clone(), width }];
        stmts.push(Stmt::Set(place(path, Type::U(width)), convert(Type::U(width), value.clone())));
        // Of the others, only the bits that lie in this word are new.
        let later = self.each_later(row, (element, bit), |_, element, begins| {
            let of = |op, a: Expr, b: Expr| node(a.ty.clone(), ExprKind::Binary(op, Box::new(a), Box::new(b)));
            let ones = node(Type::U(xlen), ExprKind::Const(Value::Int(Int::ones(xlen))));
            let here = convert(pattern.clone(), of(BinaryOp::Shr, ones, begins.clone()));
            let part = convert(pattern.clone(), of(BinaryOp::Shr, value, begins));
            let others = node(pattern.clone(), ExprKind::Unary(UnaryOp::Not, Box::new(here)));
            let kept = of(BinaryOp::And, row.pattern(element.clone()), others);
            let path = vec![PlaceStep::Index(element)];
            Stmt::Set(place(path, row.scalar.clone()), convert(row.scalar.clone(), of(BinaryOp::Or, kept, part)))
        });
        stmts.push(later);
        stmts
    }

    fn joined(&self, local: LocalId, n: u32, elem: Expr) -> Expr {
        let ty = Type::array(elem.ty.clone(), n);
        let row =
            node(ty, ExprKind::Comprehension(Box::new(Comprehension { local, lo: Int::ZERO, hi: Int::from(n), elem })));
        node(Type::U(self.xlen), ExprKind::Join(Box::new(row)))
    }

    fn write(&mut self, row: &Row, word: Expr) -> Vec<Stmt> {
        let xlen = self.xlen;
        let width = row.scalar.width();
        let value = self.param(1);
        let set =
            |path: Vec<PlaceStep>, ty: Type, v: Expr| Stmt::Set(Place { root: PlaceRoot::State(row.id), path, ty }, v);
        let whole = |path: Vec<PlaceStep>, v: Expr| set(path, row.scalar.clone(), convert(row.scalar.clone(), v));
        let mut stmts = match row.packing {
            Packing::Scalar(1) => vec![whole(Vec::new(), value)],
            Packing::Scalar(_) => {
                let at = binary(BinaryOp::Mul, word, number(xlen));
                vec![set(vec![PlaceStep::Bits { at, width: xlen }], Type::U(xlen), value)]
            }
            Packing::Few(per) => {
                let at = binary(BinaryOp::Mul, binary(BinaryOp::Rem, word.clone(), number(per)), number(xlen));
                let index = PlaceStep::Index(binary(BinaryOp::Div, word, number(per)));
                if per == 1 {
                    vec![whole(vec![index], value)]
                } else {
                    vec![set(vec![index, PlaceStep::Bits { at, width: xlen }], Type::U(xlen), value)]
                }
            }
            Packing::Many(per) => vec![self.repeat(per, |_, k| {
                let index = binary(Add, binary(BinaryOp::Mul, word, number(per)), k.clone());
                let part = bits(width, value, binary(BinaryOp::Mul, k, number(width)));
                vec![whole(vec![PlaceStep::Index(index)], part)]
            })],
            Packing::Across => self.write_across(row, word),
        };
        stmts.push(Stmt::Return(None));
        stmts
    }

    fn body(self, stmts: Vec<Stmt>) -> Body {
        Body { locals: self.locals, params: self.params, stmts }
    }
}

/// The section's fields as rows, so that the bodies can index them by element.
fn flat(section: &Section, rows: &[Row]) -> Section {
    let fields = section.state.iter().flat_map(|s| &s.fields).zip(rows);
    let fields = fields.map(|(field, row)| contract::Field { ty: row.ty(), ..field.clone() }).collect();
    let state = section.state.as_ref().map(|s| contract::State { fields, ..s.clone() });
    Section { xlen: section.xlen, state, ..Section::default() }
}

/// Lowers the state; `None` for a stateless interface.
pub fn state(section: &Section, tables: &mut Tables) -> Option<State> {
    let source = section.state.as_ref()?.fields.as_slice();
    let xlen = section.xlen;
    let layout = Layout::new(section);
    let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    let fields: Vec<Field> = source
        .iter()
        .zip(&layout.fields)
        .map(|(field, place)| Field {
            name: field.name.clone(),
            shape: memory_shape(&field.ty),
            first_word: small(place.first),
            words: small(place.words),
            reset: Tables::patterns(&field.ty, &field.reset).1,
        })
        .collect();
    let rows: Vec<Row> =
        source.iter().enumerate().map(|(i, field)| Row::new(FieldId(i as u32), &field.ty, xlen)).collect();
    let words = small(layout.words);
    let flat = flat(section, &rows);
    let word = Type::U(xlen);

    let mut reading = Access::new(xlen, &["index"]);
    let mut stmts = reading.by_field(&fields, &rows, Access::read);
    stmts.push(Stmt::Return(Some(node(word.clone(), ExprKind::Const(Value::Int(Int::ZERO))))));
    let read_word = lower(&flat, tables, &reading.body(stmts), Some(&word));

    let mut writing = Access::new(xlen, &["index", "value"]);
    let stmts = writing.by_field(&fields, &rows, Access::write);
    let write_word = lower(&flat, tables, &writing.body(stmts), None);

    let resets = source.iter().enumerate().map(|(i, field)| {
        let place = Place { root: PlaceRoot::State(FieldId(i as u32)), path: Vec::new(), ty: field.ty.clone() };
        Stmt::Set(place, node(field.ty.clone(), ExprKind::Const(field.reset.clone())))
    });
    let reset = Body { stmts: resets.collect(), ..Body::default() };
    let reset = lower(section, tables, &reset, None);
    let initial = status::word(status::INITIAL, layout.words, 0);
    let not_off = [Standard::WriteStatus, Standard::ReadStatus].map(Standard::id).to_vec();
    let restore = restore(section, tables, words);
    let codes = section.errors.iter().map(|e| e.code).collect();
    let live = section.live.as_ref().map(|live| ir::Live {
        save: live_word(section, tables, &live.save, false),
        restore: live_word(section, tables, &live.restore, true),
    });
    Some(State {
        fields,
        words,
        codes,
        initial,
        is_off: is_off(),
        not_off,
        reset,
        restore,
        live,
        read_word,
        write_word,
    })
}

/// Reads or writes a state word if it is live.
fn live_word(section: &Section, tables: &mut Tables, live: &contract::LiveWords, writes: bool) -> ir::Body {
    let word = Type::U(section.xlen);
    let names = if writes { &["index", "value"][..] } else { &["index"] };
    let access = Access::new(section.xlen, names);
    let index = convert(live.index.clone(), access.param(0));
    let types = section.state.iter().flat_map(|s| &s.fields).map(|f| f.ty.clone()).collect::<Vec<_>>();
    let field = |id: &FieldId| Some(node(types.get(id.index())?.clone(), ExprKind::State(*id)));
    let args = std::iter::once(index).chain(live.fields.iter().filter_map(field)).collect();
    let body = access.body(Vec::new());
    let mut lowerer = Lowerer::new(section, tables, &body, Ending::Function(Some(&word)));
    let param = |l: &Lowerer<'_>, i| ir::Expr {
        ty: Ty::for_width(section.xlen),
        kind: ir::ExprKind::Local(l.local(LocalId(i))),
    };
    let (index, zero) = (param(&lowerer, 0), ir::Expr::constant(Ty::for_width(section.xlen), 0));
    let is_live = lowerer.truth(&node(Type::Bool, ExprKind::Call(live.function, args)));
    let then = if writes {
        ir::Stmt::SetStateWord(index, param(&lowerer, 1))
    } else {
        let kind = ir::ExprKind::StateWord(Box::new(index));
        ir::Stmt::Return(Some(ir::Expr { ty: zero.ty, kind }))
    };
    lowerer.emit_if(is_live, vec![then], Vec::new());
    lowerer.emit(ir::Stmt::Return((!writes).then_some(zero)));
    lowerer.finish()
}

fn restore(section: &Section, tables: &mut Tables, words: u32) -> ir::Body {
    let status = Local { name: "word".into(), ty: Type::U(section.xlen) };
    let body = Body { locals: vec![status], params: 1, stmts: Vec::new() };
    let mut lowerer = Lowerer::new(section, tables, &body, Ending::Function(Some(&Type::Bool)));
    let kind = ir::ExprKind::Local(lowerer.local(LocalId(0)));
    let word = Val::new(Ty::for_width(section.xlen), kind, u64::MAX);
    lowerer.restore_image(word.to(Ty::W32), words);
    lowerer.finish()
}

fn lower(section: &Section, tables: &mut Tables, body: &Body, result: Option<&Type>) -> ir::Body {
    let mut lowerer = Lowerer::new(section, tables, body, Ending::Function(result));
    lowerer.statements(&body.stmts);
    lowerer.finish()
}
