//! What expressions of a plan read.

use super::{At, Block, BlockId, Code, Kind, Memory, Op, Plan, Value};
use crate::contract::core::BinaryOp;
use crate::int::Int;

/// A value in a block: which memory it is part of, and where it lies there.
pub(super) type Place = (Memory, At);

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a, 's> {
    pub plan: &'a Plan,
    /// The blocks around, the arguments first.
    pub enclosing: &'s [BlockId],
    /// The value that it is part of.
    pub this: Reading<'a>,
}

/// A value that is read.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    /// The value in a block that it is or lies behind.
    pub of: Place,
    pub value: &'a Value,
}

/// What is on the stack of an expression.
#[derive(Clone, Copy)]
enum Item<'a> {
    /// A number, or what is not known.
    Number,
    /// The address of a block.
    Block(BlockId),
    /// The address of a value.
    Value(Reading<'a>),
    /// The address of elements, of which this is one.
    Elements(Reading<'a>),
}

/// What names stand for.
#[derive(Clone, Copy)]
enum Context {
    /// A block around, by its position.
    Enclosing(usize),
    /// Another one.
    Block(BlockId),
    Unknown,
}

struct Run<'a, 's> {
    scene: Scene<'a, 's>,
    stack: Vec<Item<'a>>,
    contexts: Vec<Context>,
    read: Vec<Reading<'a>>,
}

impl<'a> Scene<'a, '_> {
    /// Every value that is read.
    pub fn reads(&self, code: &Code) -> Vec<Reading<'a>> {
        self.run(code).read
    }

    /// The value that an expression names.
    pub fn named(&self, code: &Code) -> Option<Reading<'a>> {
        let run = self.run(code);
        match (code.ops.last(), run.stack.last()) {
            (Some(Op::Follow(_) | Op::Load(_)), _) => run.read.last().copied(),
            (_, Some(Item::Value(reading) | Item::Elements(reading))) => Some(*reading),
            _ => run.read.last().copied().filter(|_| matches!(code.ops.last(), Some(Op::Leave))),
        }
    }

    /// Every value that is read for more than a comparison with null.
    pub fn reads_beyond_null(&self, code: &Code) -> Vec<Reading<'a>> {
        let null = Op::Int(Int::from(0));
        let is_test =
            |next: &[Op]| matches!(next, [first, Op::Binary(BinaryOp::Eq | BinaryOp::Ne), ..] if *first == null);
        let mut run = self.start();
        for (n, op) in code.ops.iter().enumerate() {
            let before = run.read.len();
            run.step(op);
            if matches!(op, Op::Follow(_)) && code.ops.get(n + 1..).is_some_and(is_test) {
                run.read.truncate(before);
            }
        }
        run.read
    }

    fn start(&self) -> Run<'a, '_> {
        let contexts = vec![self.enclosing.len().checked_sub(1).map_or(Context::Unknown, Context::Enclosing)];
        Run { scene: *self, stack: Vec::new(), contexts, read: Vec::new() }
    }

    fn run(&self, code: &Code) -> Run<'a, '_> {
        let mut run = self.start();
        code.ops.iter().for_each(|op| run.step(op));
        run
    }
}

impl<'a> Run<'a, '_> {
    fn pop(&mut self) -> Item<'a> {
        self.stack.pop().unwrap_or(Item::Number)
    }

    /// As many operands become a number.
    fn number(&mut self, operands: usize) {
        self.stack.truncate(self.stack.len().saturating_sub(operands));
        self.stack.push(Item::Number);
    }

    fn block(&self, id: BlockId) -> Option<&'a Block> {
        self.scene.plan.blocks.get(id.index())
    }

    fn here(&self) -> Item<'a> {
        match self.contexts.last() {
            Some(Context::Enclosing(level)) => {
                self.scene.enclosing.get(*level).map_or(Item::Number, |id| Item::Block(*id))
            }
            Some(Context::Block(id)) => Item::Block(*id),
            Some(Context::Unknown) | None => Item::Number,
        }
    }

    /// The block at an address.
    fn block_at(&self, item: Item<'a>) -> Option<BlockId> {
        match item {
            Item::Block(id) => Some(id),
            Item::Value(reading) | Item::Elements(reading) => match &reading.value.kind {
                Kind::Block(id) => Some(*id),
                _ => None,
            },
            Item::Number => None,
        }
    }

    fn field(&self, base: Item<'a>, memory: Memory, at: At) -> Item<'a> {
        let Some(block) = self.block_at(base).and_then(|id| self.block(id)) else { return Item::Number };
        let value = block.values.iter().find(|(other, _)| *other == at);
        value.map_or(Item::Number, |(_, value)| Item::Value(Reading { of: (memory, at), value }))
    }

    /// Reads what lies behind an address.
    fn look(&mut self, item: Item<'a>) {
        if let Item::Value(reading) | Item::Elements(reading) = item {
            self.read.push(reading);
        }
    }

    fn step(&mut self, op: &Op) {
        match op {
            Op::Arguments => {
                let first = self.scene.enclosing.first().map_or(Item::Number, |id| Item::Block(*id));
                self.stack.push(first);
            }
            Op::Own => self.stack.push(self.here()),
            Op::This => self.stack.push(Item::Value(self.scene.this)),
            Op::EnterArguments => self.contexts.push(Context::Enclosing(0)),
            Op::EnterOuter => {
                let outer = match self.contexts.last() {
                    Some(Context::Enclosing(level)) => level.checked_sub(1).map(Context::Enclosing),
                    Some(Context::Block(_)) => self.contexts.iter().rev().nth(1).copied(),
                    Some(Context::Unknown) | None => None,
                };
                self.contexts.push(outer.unwrap_or(Context::Unknown));
            }
            Op::Enter => {
                let base = self.pop();
                self.contexts.push(self.block_at(base).map_or(Context::Unknown, Context::Block));
            }
            Op::EnterElement => {
                self.pop();
                self.contexts.extend(self.contexts.last().copied());
            }
            Op::Leave => {
                self.contexts.pop();
            }
            Op::Field(memory, at) => {
                let base = self.pop();
                self.stack.push(self.field(base, *memory, *at));
            }
            Op::Load(_) => {
                let address = self.pop();
                self.look(address);
                self.stack.push(Item::Number);
            }
            Op::Follow(_) => {
                let address = self.pop();
                self.look(address);
                self.stack.push(match address {
                    Item::Value(Reading { of, value }) => match &value.kind {
                        Kind::Buffer(buffer) => Item::Elements(Reading { of, value: &buffer.element }),
                        _ => Item::Number,
                    },
                    _ => Item::Number,
                });
            }
            Op::Element(_) => {
                self.number(2);
                self.pop();
                let base = self.pop();
                self.stack.push(match base {
                    Item::Elements(reading) => Item::Value(reading),
                    Item::Value(Reading { of, value }) => match &value.kind {
                        Kind::Array { element, .. } => Item::Value(Reading { of, value: element }),
                        _ => Item::Number,
                    },
                    Item::Block(_) | Item::Number => Item::Number,
                });
            }
            Op::Until(..) | Op::Strchr => self.look_into(3),
            Op::Strlen => self.look_into(2),
            Op::Select => {
                let (_, a) = (self.pop(), self.pop());
                self.pop();
                self.stack.push(a);
            }
            Op::Int(_)
            | Op::Text(_)
            | Op::Index
            | Op::Received
            | Op::Old(_)
            | Op::Errno
            | Op::Elapsed
            | Op::IsEntry
            | Op::IsWorker
            | Op::Sizeof(_)
            | Op::Native(..) => self.number(0),
            Op::Metadata(..) | Op::Physical | Op::Unary(_) => self.number(1),
            Op::Min | Op::Max | Op::Binary(_) | Op::MetadataElement(..) => self.number(2),
            Op::Call(_, operands) | Op::Fn(_, operands) | Op::Utility(_, operands) => self.number(*operands as usize),
        }
    }

    /// So many operands become a number that is found behind the first of them.
    fn look_into(&mut self, operands: usize) {
        let address = self.stack.len().checked_sub(operands).and_then(|at| self.stack.get(at)).copied();
        if let Some(address @ Item::Elements(_)) = address {
            self.look(address);
        }
        self.number(operands);
    }
}
