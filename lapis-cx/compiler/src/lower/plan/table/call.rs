//! Calls and expressions.

use lapis_cx_plan::{self as words, Facts};

use super::{InC, Native, NativeText, Resolver, Word, number, size};
use crate::contract::core::{BinaryOp, UnaryOp};
use crate::contract::library::clause::{Change, Mode, Thread};
use crate::lower::plan::{At, Call, Code, Conditional, Effect, Key, Memory, Op, Store, Target, Timing};

impl<'a> Resolver<'a> {
    pub(super) fn call(&mut self, call: &Call) -> words::Call<InC> {
        let block = self.plan.blocks.get(call.arguments.index());
        let memory = block.map_or(self.memory, |block| block.memory);
        self.memory = memory;
        self.reads_errno = false;
        let implicits = call.implicits.iter().map(|implicit| words::Implicit {
            at_exit: implicit.at_exit,
            offset: Word::Offset(memory, At::Implicit(implicit.position)),
            bytes: size(&implicit.size),
            value: self.code(&implicit.value),
        });
        let resolved = words::Call {
            implicits: implicits.collect(),
            is_once: call.is_once,
            reads_errno: false,
            name: self.text(&super::name_of_memory(self.library, memory)),
            arguments: call.arguments.index() as u32,
            slots: call.slots.unwrap_or(0),
            timing: self.choices(&call.timing, Self::timing),
            order: self.choices(&call.order, Self::keys),
            monitor: self.choices(&call.monitor, Self::keys),
            thread: self.choices(&call.thread, |_, thread| match thread {
                Thread::Caller => words::Thread::Caller,
                Thread::Any => words::Thread::Any,
                Thread::Main => words::Thread::Main,
            }),
            success: self.choices(&call.success, Self::code),
            requires: self.choices(&call.requires, |all, (required, otherwise)| words::Requirement {
                condition: all.code(required),
                otherwise: all.stores(otherwise),
            }),
            fails: self.choices(&call.fails, |all, stores| all.stores(stores)),
            errno: self.choices(&call.errno, |_, is_on| *is_on),
            passes: self.choices(&call.passes, Self::store),
            effects: self.choices(&call.effects, Self::effect),
            c_text: self.choices(&call.c_text, |all, one| {
                let text = NativeText::Statements(one.text.clone());
                let native = all.native(Native { context: memory, text, operands: 0 });
                words::CText { is_before: one.is_before, native }
            }),
            facts: Facts(()),
        };
        words::Call { reads_errno: self.reads_errno, ..resolved }
    }

    fn choices<T, U>(
        &mut self,
        all: &[Conditional<T>],
        mut resolve: impl FnMut(&mut Self, &T) -> U,
    ) -> Vec<words::When<InC, U>> {
        let one = |one: &Conditional<T>| words::When {
            condition: self.maybe(&one.condition),
            then: resolve(self, &one.then),
        };
        all.iter().map(one).collect()
    }

    fn timing(&mut self, timing: &Timing) -> words::Timing<InC> {
        let mode = match timing.mode {
            Mode::Sync => words::Mode::Sync,
            Mode::Async => words::Mode::Async,
            Mode::Flush => words::Mode::Flush,
        };
        words::Timing { mode, returns: self.stores(&timing.returns), until: self.maybe(&timing.until) }
    }

    #[expect(clippy::ptr_arg, reason = "what a condition is about")]
    fn keys(&mut self, keys: &Vec<Key>) -> Vec<words::Key<InC>> {
        let key = |key: &Key| match key {
            Key::Global => words::Key::Global,
            Key::Thread => words::Key::Thread,
            Key::Value(code) => words::Key::Value(self.code(code)),
        };
        keys.iter().map(key).collect()
    }

    fn stores(&mut self, stores: &[Store]) -> Vec<words::Store<InC>> {
        stores.iter().map(|store| self.store(store)).collect()
    }

    fn store(&mut self, store: &Store) -> words::Store<InC> {
        let target = match &store.target {
            Target::Memory(address, bytes) => words::Target::Memory(self.code(address), size(bytes)),
            Target::Pointer(address) => words::Target::Pointer(self.code(address)),
            Target::Metadata(of, member, code) => words::Target::Metadata(self.slot(*of, *member), self.code(code)),
            Target::MetadataElement(of, member, at, code) => {
                let first = self.slot(*of, *member);
                words::Target::Metadata(words::Slot { member: first.member + at, ..first }, self.code(code))
            }
            Target::Errno => words::Target::Errno,
        };
        words::Store { target, value: self.code(&store.value) }
    }

    fn effect(&mut self, effect: &Effect) -> words::Effect<InC> {
        use words::Effect as E;
        match effect {
            Effect::Set(store) => E::Set(self.store(store)),
            Effect::Ends(of, member, code) => E::Ends(self.slot(*of, *member), self.code(code)),
            Effect::Account { change, resource, amount, at_entry } => E::Account {
                change: match change {
                    Change::Acquires => words::Change::Acquires,
                    Change::Releases => words::Change::Releases,
                    Change::Consumes => words::Change::Consumes,
                },
                resource: resource.index() as u32,
                at_entry: *at_entry,
                amount: self.code(amount),
            },
            Effect::Record(of) => E::Record(self.codes(of)),
            Effect::DependsOn(on) => E::DependsOn(self.codes(on)),
            Effect::Snapshot(save, load) => E::Snapshot(save.index() as u32, load.index() as u32),
        }
    }

    pub(super) fn maybe(&mut self, code: &Option<Code>) -> Option<words::Code<InC>> {
        code.as_ref().map(|code| self.code(code))
    }

    pub(super) fn codes(&mut self, codes: &[Code]) -> Vec<words::Code<InC>> {
        codes.iter().map(|code| self.code(code)).collect()
    }

    pub(super) fn code(&mut self, code: &Code) -> words::Code<InC> {
        let mut ops = Vec::with_capacity(code.ops.len());
        for op in &code.ops {
            match op {
                Op::Int(value) if value.to_i128().is_none() => {
                    // A literal beyond 128 bits makes the expression fail. The product of the two largest numbers overflows, so it fails too.
                    let most = words::Op::Int(super::int(value));
                    ops.extend([most.clone(), most, words::Op::Binary(words::Binary::Mul)]);
                }
                op => ops.push(self.op(op)),
            }
        }
        words::Code { text: self.text(&code.text), ops: ops.into(), facts: Facts(()) }
    }

    fn op(&mut self, op: &Op) -> words::Op<InC> {
        use words::Op as O;
        match op {
            Op::Int(value) => O::Int(super::int(value)),
            Op::Text(text) => O::Text(self.text(text)),
            Op::Arguments => O::Arguments,
            Op::Own => O::Own,
            Op::EnterArguments => O::EnterArguments,
            Op::EnterOuter => O::EnterOuter,
            Op::Enter => O::Enter,
            Op::EnterElement => O::EnterElement,
            Op::Leave => O::Leave,
            Op::This => O::This,
            Op::Index => O::Index,
            Op::Received => O::Received,
            Op::Field(memory, at) => O::Field(Word::Offset(*memory, *at)),
            Op::Load(compared) => O::Load(number(compared)),
            Op::Follow(bytes) => O::Follow(size(bytes)),
            Op::Element(bytes) => O::Element(size(bytes)),
            Op::Metadata(of, member) => O::Metadata(self.slot(*of, *member)),
            Op::MetadataElement(of, member, count) => {
                O::MetadataElement { first: self.slot(*of, *member), count: *count }
            }
            Op::Old(position) => O::Old(*position),
            Op::Errno => {
                self.reads_errno = true;
                O::Errno
            }
            Op::Elapsed => O::Elapsed,
            Op::IsEntry => O::IsEntry,
            Op::IsWorker => O::IsWorker,
            Op::Sizeof(bytes) => O::Sizeof(size(bytes)),
            Op::Until(compared, bytes) => O::Until { scalar: number(compared), stride: size(bytes) },
            Op::Strlen => O::Strlen,
            Op::Strchr => O::Strchr,
            Op::Physical => O::Physical,
            Op::Min => O::Binary(words::Binary::Min),
            Op::Max => O::Binary(words::Binary::Max),
            Op::Call(id, operands) => self.ask(Memory::Arguments(*id), NativeText::Call(*id), *operands),
            Op::Fn(id, operands) => self.ask(self.memory, NativeText::Fn(*id), *operands),
            Op::Utility(name, operands) => self.ask(self.memory, NativeText::Utility(name.clone()), *operands),
            Op::Native(memory, text) => self.ask(*memory, NativeText::Expression(text.clone()), 0),
            Op::Unary(op) => O::Unary(match op {
                UnaryOp::Neg => words::Unary::Neg,
                UnaryOp::Not => words::Unary::Not,
                UnaryOp::LogicalNot => words::Unary::LogicalNot,
            }),
            Op::Binary(op) => O::Binary(binary(*op)),
            Op::Select => O::Select,
        }
    }

    fn ask(&mut self, context: Memory, text: NativeText, operands: u32) -> words::Op<InC> {
        let worker = matches!(text, NativeText::Call(_));
        words::Op::Native { native: self.native(Native { context, text, operands }), operands, worker }
    }
}

fn binary(op: BinaryOp) -> words::Binary {
    match op {
        BinaryOp::Add => words::Binary::Add,
        BinaryOp::Sub => words::Binary::Sub,
        BinaryOp::Mul => words::Binary::Mul,
        BinaryOp::Div => words::Binary::Div,
        BinaryOp::Rem => words::Binary::Rem,
        BinaryOp::And => words::Binary::And,
        BinaryOp::Or => words::Binary::Or,
        BinaryOp::Xor => words::Binary::Xor,
        BinaryOp::Shl => words::Binary::Shl,
        BinaryOp::Shr => words::Binary::Shr,
        BinaryOp::Min => words::Binary::Min,
        BinaryOp::Max => words::Binary::Max,
        BinaryOp::Eq => words::Binary::Eq,
        BinaryOp::Ne => words::Binary::Ne,
        BinaryOp::Lt => words::Binary::Lt,
        BinaryOp::Le => words::Binary::Le,
        BinaryOp::Gt => words::Binary::Gt,
        BinaryOp::Ge => words::Binary::Ge,
        BinaryOp::LogicalAnd => words::Binary::LogicalAnd,
        BinaryOp::LogicalOr => words::Binary::LogicalOr,
    }
}
