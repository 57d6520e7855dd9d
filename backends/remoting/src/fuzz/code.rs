//! Expressions of a plan as expressions of C, on the helpers of `cx_remote_fuzz.h`.

use lapis_cx::contract::core::{BinaryOp, UnaryOp};
use lapis_cx::int::Int;
use lapis_cx::lower::plan::{At, Code, Implicit, Memory, NativeText, Number, Op, Size};

use crate::native::{self, Side};
use crate::{Unit, words};

/// Why the fuzzer cannot call a function.
pub type Why = &'static str;

/// The maximum length of an expression, in characters.
const MOST: usize = 20_000;

/// When an expression is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Before the call; of a callback, when it begins.
    Entry,
    /// After it.
    Exit,
}

/// The context of an expression: the name of its `cxf_scope`, and the meaning of `old(…)`.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub scope: &'a str,
    pub stage: Stage,
    pub olds: &'a [Code],
}

/// A scope, as far as it is known at generation time.
#[derive(Clone)]
struct Scope {
    own: String,
    this: String,
    index: String,
    around: Around,
}

#[derive(Clone)]
enum Around {
    /// A `cxf_scope` of C.
    Named(String),
    Known(Box<Scope>),
}

impl Scope {
    fn named(name: &str) -> Scope {
        Scope {
            own: format!("cxf_at({name}->own)"),
            this: format!("cxf_at({name}->self)"),
            index: format!("cxf_int({name}->index)"),
            around: Around::Named(format!("{name}->around")),
        }
    }

    fn around(&self) -> Scope {
        match &self.around {
            Around::Named(name) => Scope::named(name),
            Around::Known(scope) => (**scope).clone(),
        }
    }
}

/// An item of the stack.
#[derive(Clone)]
enum Item {
    Text(String),
    /// A number that is known at generation time. It may select between values of which this side cannot compute one.
    Known(i128),
    Never(Why),
}

impl Item {
    fn text(self) -> Result<String, Why> {
        match self {
            Item::Text(text) if text.len() > MOST => Err("an expression that is too long"),
            Item::Text(text) => Ok(text),
            Item::Known(value) => Ok(int(&Int::from(value))),
            Item::Never(why) => Err(why),
        }
    }

    fn of(text: Result<String, Why>) -> Item {
        text.map_or_else(Item::Never, Item::Text)
    }
}

/// Prints an expression of type `cxf_number`.
pub fn number(unit: &Unit<'_>, code: &Code, place: Place<'_>) -> Result<String, Why> {
    let mut printer = Printer { unit, place, stands: vec![Scope::named(place.scope)], stack: Vec::new() };
    code.ops.iter().for_each(|op| printer.step(op));
    printer.pop().text()
}

/// Prints a constant.
pub fn int(value: &Int) -> String {
    let Some(value) = value.to_i128() else { return "cxf_none()".to_owned() };
    match (i64::try_from(value), u64::try_from(value)) {
        (Ok(i64::MIN), _) => "cxf_int(INT64_MIN)".to_owned(),
        (Ok(value), _) => format!("cxf_int({value})"),
        (_, Ok(value)) => format!("cxf_int({value}u)"),
        _ if value as u64 == 0 && (value >> 64) as i64 == i64::MIN => "cxf_big(INT64_MIN, 0)".to_owned(),
        _ => format!("cxf_big({}, {}u)", (value >> 64) as i64, value as u64),
    }
}

/// Returns an implicit argument that the caller computes from numbers among the other arguments.
pub fn simple_implicit<'u>(unit: &'u Unit<'_>, memory: Memory, position: u32) -> Option<&'u Implicit> {
    let call = match memory {
        Memory::Arguments(id) => unit.plan.functions.get(id.index())?.as_ref()?,
        Memory::CallbackArguments(id) => unit.plan.callbacks.get(id.index())?,
        Memory::Struct(_) | Memory::Live(..) => return None,
    };
    let is_simple = |op: &Op| match op {
        Op::Field(_, at) => matches!(at, At::Param(_)),
        Op::Int(_) | Op::Arguments | Op::Load(_) | Op::Sizeof(_) | Op::Min | Op::Max | Op::Select => true,
        Op::Unary(_) | Op::Binary(_) => true,
        _ => false,
    };
    let implicit = call.implicits.iter().find(|one| one.position == position && !one.at_exit)?;
    implicit.value.ops.iter().all(is_simple).then_some(implicit)
}

/// Prints the size of a type in bytes.
pub fn size(unit: &Unit<'_>, size: &Size) -> String {
    words::size_of(unit, size).unwrap_or_else(|| "0".to_owned())
}

struct Printer<'a> {
    unit: &'a Unit<'a>,
    place: Place<'a>,
    stands: Vec<Scope>,
    stack: Vec<Item>,
}

impl Printer<'_> {
    fn pop(&mut self) -> Item {
        self.stack.pop().unwrap_or(Item::Never("an expression without a value"))
    }

    fn push(&mut self, text: String) {
        self.stack.push(Item::Text(text));
    }

    fn scope(&self) -> Scope {
        self.stands.last().cloned().unwrap_or_else(|| Scope::named(self.place.scope))
    }

    /// Prints a call of a helper with `operands` values of the stack before other arguments.
    fn call(&mut self, name: &str, operands: usize, more: &[String]) {
        let first = self.stack.len().saturating_sub(operands);
        let operands: Result<Vec<String>, Why> = self.stack.drain(first..).map(Item::text).collect();
        let text = operands.map(|mut all| {
            all.extend_from_slice(more);
            format!("{name}({})", all.join(", "))
        });
        self.stack.push(Item::of(text));
    }

    fn load(&mut self, bytes: String, is_signed: &str) {
        let is_entry = self.place.stage == Stage::Entry;
        let address = self.pop().text();
        self.stack.push(Item::of(address.map(|at| format!("cxf_load(c, {at}, {bytes}, {is_signed}, {is_entry})"))));
    }

    fn step(&mut self, op: &Op) {
        let unit = self.unit;
        match op {
            Op::Int(value) => match value.to_i128() {
                Some(value) => self.stack.push(Item::Known(value)),
                None => self.push("cxf_none()".to_owned()),
            },
            Op::Text(text) => self.push(format!("cxf_at((uintptr_t){})", words::literal(text))),
            Op::Arguments => self.push("cxf_at(root->own)".to_owned()),
            Op::Own => self.push(self.scope().own),
            Op::This => self.push(self.scope().this),
            Op::Index => self.push(self.scope().index),
            // The program measures its own memory.
            Op::Received => self.stack.push(Item::Known(-1)),
            Op::EnterArguments | Op::EnterOuter | Op::Enter | Op::EnterElement | Op::Leave => self.change_scope(op),
            Op::Field(memory, At::Implicit(n)) if simple_implicit(unit, *memory, *n).is_none() => {
                self.pop();
                self.stack.push(Item::Never("a size or a choice by an argument that is not a number of the others"));
            }
            Op::Field(memory, at) => {
                let offset = words::offset(unit, *memory, *at);
                let offset = offset.map_or_else(|| "0".to_owned(), |(of, member)| format!("CXR_AT({of}, {member})"));
                self.call("cxf_field", 1, &[offset]);
            }
            Op::Load(Number { is_float: true, .. }) => {
                self.pop();
                self.push("cxf_none()".to_owned());
            }
            Op::Load(number) => self.load(size(unit, &number.size), number.sign_in_c()),
            Op::Follow(bytes) => self.load(size(unit, bytes), "false"),
            Op::Element(bytes) => self.call("cxf_element", 3, &[size(unit, bytes)]),
            Op::Metadata(of, member) => {
                let key = self.pop().text();
                self.stack.push(Item::of(key.map(|key| format!("cxf_attached_to({}, {key}, {member})", of.index()))));
            }
            Op::MetadataElement(..) => {
                self.pop();
                self.pop();
                self.stack.push(Item::Never("an expression that asks for an element of metadata"));
            }
            Op::Old(at) => self.old(*at),
            Op::Errno if self.place.stage == Stage::Exit => self.push("cxf_int(c->error)".to_owned()),
            Op::Errno | Op::Elapsed | Op::Physical => {
                self.stack.push(Item::Never("an expression that asks what only the call tells"))
            }
            Op::IsEntry => self.stack.push(Item::Known(i128::from(self.place.stage == Stage::Entry))),
            Op::IsWorker => self.stack.push(Item::Known(0)),
            Op::Sizeof(of) => self.push(format!("cxf_int((cxf_wide){})", size(unit, of))),
            Op::Until(number, stride) => {
                let more = [size(unit, &number.size), number.sign_in_c().to_owned(), size(unit, stride)];
                self.call("cxf_until", 3, &more);
            }
            Op::Strlen => self.call("cxf_text", 2, &["cxf_int(0)".to_owned(), "true".to_owned()]),
            Op::Strchr => self.call("cxf_text", 3, &["false".to_owned()]),
            Op::Min => self.call("cxf_smaller", 2, &[]),
            Op::Max => self.call("cxf_greater", 2, &[]),
            Op::Call(..) => {
                self.stack.push(Item::Never("an expression that asks a function of the API"));
            }
            Op::Fn(id, operands) => self.native(&NativeText::Fn(*id), None, *operands),
            Op::Utility(name, operands) => self.native(&NativeText::Utility(name.clone()), None, *operands),
            Op::Native(memory, text) => self.native(&NativeText::Expression(text.clone()), Some(*memory), 0),
            Op::Unary(UnaryOp::Neg) => {
                let operand = self.pop().text();
                self.stack.push(Item::of(operand.map(|of| format!("cxf_two(CXF_SUB, cxf_int(0), {of})"))));
            }
            Op::Unary(UnaryOp::Not) => self.call("cxf_not", 1, &[]),
            Op::Unary(UnaryOp::LogicalNot) => match self.pop() {
                Item::Known(value) => self.stack.push(Item::Known(i128::from(value == 0))),
                other => {
                    self.stack.push(other);
                    self.call("cxf_is_zero", 1, &[]);
                }
            },
            Op::Binary(op) => self.binary(*op),
            Op::Select => self.select(),
        }
    }

    /// Enters or leaves the scope of another value.
    fn change_scope(&mut self, op: &Op) {
        match op {
            Op::EnterArguments => self.stands.push(Scope::named("root")),
            Op::EnterOuter => self.stands.push(self.scope().around()),
            Op::Enter => match self.pop().text() {
                Ok(own) => {
                    let around = Around::Known(Box::new(self.scope()));
                    self.stands.push(Scope { this: own.clone(), own, index: "cxf_int(0)".to_owned(), around });
                }
                Err(why) => {
                    self.stack.push(Item::Never(why));
                    self.stands.push(self.scope());
                }
            },
            Op::EnterElement => {
                let index = self.pop().text().unwrap_or_else(|_| "cxf_none()".to_owned());
                let scope = Scope { index, ..self.scope() };
                self.stands.push(scope);
            }
            Op::Leave if self.stands.len() > 1 => {
                self.stands.pop();
            }
            _ => {}
        }
    }

    /// The second or the third operand, by the first one.
    fn select(&mut self) {
        let (otherwise, then, condition) = (self.pop(), self.pop(), self.pop());
        match condition {
            Item::Known(value) => self.stack.push(if value == 0 { otherwise } else { then }),
            condition => {
                self.stack.extend([condition, then, otherwise]);
                self.call("cxf_select", 3, &[]);
            }
        }
    }

    /// Prints `old(e)`: at entry the value of e, at exit the value that was stored at entry.
    fn old(&mut self, at: u32) {
        if self.place.stage == Stage::Exit {
            match self.scope().own.strip_prefix("cxf_at(").and_then(|own| own.strip_suffix(')')) {
                Some(own) => self.push(format!("cxf_old_of(c, {own}, {at})")),
                None => self.stack.push(Item::Never("`old` of what is elsewhere")),
            }
            return;
        }
        let code = self.place.olds.get(at as usize).filter(|_| self.stands.len() == 1);
        let text = code.map_or(Err("`old` of what is elsewhere"), |code| number(self.unit, code, self.place));
        self.stack.push(Item::of(text));
    }

    /// Prints a call of a native. Text that names arguments is evaluated only when all arguments exist.
    fn native(&mut self, text: &NativeText, memory: Option<Memory>, operands: u32) {
        let first = self.stack.len().saturating_sub(operands as usize);
        let operands: Result<Vec<String>, Why> = self.stack.drain(first..).map(Item::text).collect();
        let found = self
            .unit
            .table
            .natives
            .iter()
            .position(|native| native.text == *text && memory.is_none_or(|memory| native.context == memory));
        let is_pure = matches!(text, NativeText::Fn(_));
        let text = match (found, operands) {
            _ if !is_pure && self.place.stage == Stage::Entry => Err("a size or a choice that only text of C knows"),
            (None, _) => Err("text of C that this side does not have"),
            (_, Err(why)) => Err(why),
            (Some(at), Ok(_)) if native::natives(self.unit).get(at).is_none_or(|one| one.side == Side::Worker) => {
                Err("text of C that this side does not have")
            }
            (Some(at), Ok(operands)) => {
                let all = if operands.is_empty() { "cxf_none()".to_owned() } else { operands.join(", ") };
                let name = self.unit.names.of(&format!("native_{at}"));
                let (count, own) = (operands.len(), self.scope().own);
                Ok(format!("cxf_native({own}, {name}, {count}, (const cxf_number[]){{ {all} }})"))
            }
        };
        self.stack.push(Item::of(text));
    }

    fn binary(&mut self, op: BinaryOp) {
        let (b, a) = (self.pop(), self.pop());
        if let (Item::Known(a), Item::Known(b)) = (&a, &b)
            && let Some(known) = known(op, *a, *b)
        {
            self.stack.push(Item::Known(known));
            return;
        }
        // One operand determines the result.
        match (op, &a, &b) {
            (BinaryOp::LogicalAnd, Item::Known(0), _) | (BinaryOp::LogicalAnd, _, Item::Known(0)) => {
                return self.stack.push(Item::Known(0));
            }
            (BinaryOp::LogicalOr, Item::Known(one), _) | (BinaryOp::LogicalOr, _, Item::Known(one)) if *one != 0 => {
                return self.stack.push(Item::Known(1));
            }
            _ => {}
        }
        let name = match op {
            BinaryOp::Min | BinaryOp::Max => {
                self.stack.extend([a, b]);
                return self.call(if op == BinaryOp::Min { "cxf_smaller" } else { "cxf_greater" }, 2, &[]);
            }
            BinaryOp::Add => "ADD",
            BinaryOp::Sub => "SUB",
            BinaryOp::Mul => "MUL",
            BinaryOp::Div => "DIV",
            BinaryOp::Rem => "REM",
            BinaryOp::And => "AND",
            BinaryOp::Or => "OR",
            BinaryOp::Xor => "XOR",
            BinaryOp::Shl => "SHL",
            BinaryOp::Shr => "SHR",
            BinaryOp::Eq => "EQ",
            BinaryOp::Ne => "NE",
            BinaryOp::Lt => "LT",
            BinaryOp::Le => "LE",
            BinaryOp::Gt => "GT",
            BinaryOp::Ge => "GE",
            BinaryOp::LogicalAnd => "BOTH",
            BinaryOp::LogicalOr => "EITHER",
        };
        let text = a.text().and_then(|a| Ok(format!("cxf_two(CXF_{name}, {a}, {})", b.text()?)));
        self.stack.push(Item::of(text));
    }
}

/// Evaluates an operator of two numbers that are known at generation time; `None` leaves it to the program.
fn known(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    match op {
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Eq => Some(i128::from(a == b)),
        BinaryOp::Ne => Some(i128::from(a != b)),
        BinaryOp::LogicalAnd => Some(i128::from(a != 0 && b != 0)),
        BinaryOp::LogicalOr => Some(i128::from(a != 0 || b != 0)),
        _ => None,
    }
}
