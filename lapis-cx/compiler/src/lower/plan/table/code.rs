//! Expressions as words.

use lapis_cx_plan::Op as O;

use super::{Native, NativeText, Word, Writer};
use crate::contract::core::{BinaryOp, UnaryOp};
use crate::int::Int;
use crate::lower::plan::{Code, Memory, Op};

impl Writer<'_> {
    /// The text, how many words the steps have, how many steps there are, and the steps.
    pub(super) fn code(&mut self, code: &Code) {
        self.text(&code.text);
        let length = self.words.len();
        self.number(0);
        self.number(0);
        let begin = self.words.len();
        let mut steps = 0;
        for op in &code.ops {
            steps += self.op(op);
        }
        let words = (self.words.len() - begin) as u32;
        for (word, number) in self.words.iter_mut().skip(length).zip([words, steps]) {
            *word = Word::Number(number);
        }
    }

    fn step(&mut self, op: O) {
        self.number(op.word());
    }

    /// One step of the plan, and how many those are here.
    fn op(&mut self, op: &Op) -> u32 {
        match op {
            Op::Int(value) => return self.constant(value),
            Op::Text(text) => {
                self.step(O::Text);
                self.text(text);
            }
            Op::Arguments => self.step(O::Arguments),
            Op::Own => self.step(O::Own),
            Op::EnterArguments => self.step(O::EnterArguments),
            Op::EnterOuter => self.step(O::EnterOuter),
            Op::Enter => self.step(O::Enter),
            Op::EnterElement => self.step(O::EnterElement),
            Op::Leave => self.step(O::Leave),
            Op::This => self.step(O::This),
            Op::Index => self.step(O::Index),
            Op::Received => self.step(O::Received),
            Op::Field(memory, at) => {
                self.step(O::Field);
                self.offset(*memory, *at);
            }
            Op::Load(number) => {
                self.step(O::Load);
                self.compared(number);
            }
            Op::Follow(size) => {
                self.step(O::Follow);
                self.size(size);
            }
            Op::Element(size) => {
                self.step(O::Element);
                self.size(size);
            }
            Op::Metadata(of, member) => {
                self.step(O::Metadata);
                self.number(of.index() as u32);
                self.number(self.slot(*of, *member));
            }
            Op::MetadataElement(of, member, count) => {
                self.step(O::MetadataElement);
                self.number(of.index() as u32);
                self.number(self.slot(*of, *member));
                self.number(*count);
            }
            Op::Old(position) => {
                self.step(O::Old);
                self.number(*position);
            }
            Op::Errno => self.step(O::Errno),
            Op::Elapsed => self.step(O::Elapsed),
            Op::IsEntry => self.step(O::IsEntry),
            Op::IsWorker => self.step(O::IsWorker),
            Op::Sizeof(size) => {
                self.step(O::Sizeof);
                self.size(size);
            }
            Op::Until(number, size) => {
                self.step(O::Until);
                self.compared(number);
                self.size(size);
            }
            Op::Strlen => self.step(O::Strlen),
            Op::Strchr => self.step(O::Strchr),
            Op::Physical => self.step(O::Physical),
            Op::Min => self.step(O::Min),
            Op::Max => self.step(O::Max),
            Op::Call(id, operands) => {
                self.step(O::WorkerNative);
                self.ask(Memory::Arguments(*id), NativeText::Call(*id), *operands);
            }
            Op::Fn(id, operands) => {
                self.step(O::Native);
                self.ask(self.memory, NativeText::Fn(*id), *operands);
            }
            Op::Utility(name, operands) => {
                self.step(O::Native);
                self.ask(self.memory, NativeText::Utility(name.clone()), *operands);
            }
            Op::Native(memory, text) => {
                self.step(O::Native);
                self.ask(*memory, NativeText::Expression(text.clone()), 0);
            }
            Op::Unary(op) => self.step(match op {
                UnaryOp::Neg => O::Neg,
                UnaryOp::Not => O::Not,
                UnaryOp::LogicalNot => O::LogicalNot,
            }),
            Op::Binary(op) => self.step(binary(*op)),
            Op::Select => self.step(O::Select),
        }
        1
    }

    fn ask(&mut self, context: Memory, text: NativeText, operands: u32) {
        self.native(Native { context, text, operands });
        self.number(operands);
    }

    /// Pushes a constant. One that has no 128 bits is no number: so is the product of the two greatest.
    fn constant(&mut self, value: &Int) -> u32 {
        let Some(exact) = value.to_i128() else {
            for _ in 0..2 {
                self.step(O::Wide);
                self.int(value);
            }
            self.step(O::Mul);
            return 3;
        };
        match i32::try_from(exact) {
            Ok(small) => {
                self.step(O::Int);
                self.number(small as u32);
            }
            Err(_) => {
                self.step(O::Wide);
                self.int(value);
            }
        }
        1
    }
}

fn binary(op: BinaryOp) -> O {
    match op {
        BinaryOp::Add => O::Add,
        BinaryOp::Sub => O::Sub,
        BinaryOp::Mul => O::Mul,
        BinaryOp::Div => O::Div,
        BinaryOp::Rem => O::Rem,
        BinaryOp::And => O::And,
        BinaryOp::Or => O::Or,
        BinaryOp::Xor => O::Xor,
        BinaryOp::Shl => O::Shl,
        BinaryOp::Shr => O::Shr,
        BinaryOp::Min => O::Min,
        BinaryOp::Max => O::Max,
        BinaryOp::Eq => O::Eq,
        BinaryOp::Ne => O::Ne,
        BinaryOp::Lt => O::Lt,
        BinaryOp::Le => O::Le,
        BinaryOp::Gt => O::Gt,
        BinaryOp::Ge => O::Ge,
        BinaryOp::LogicalAnd => O::LogicalAnd,
        BinaryOp::LogicalOr => O::LogicalOr,
    }
}
