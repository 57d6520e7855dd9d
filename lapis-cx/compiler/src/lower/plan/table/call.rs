//! Calls as words.

use lapis_cx_plan::{self as words, call};

use super::{Native, NativeText, Writer};
use crate::contract::library::clause::{Change, Mode, Thread};
use crate::lower::plan::{At, Call, Conditional, Effect, Key, Store, Target, Timing};

impl Writer<'_> {
    pub(super) fn call(&mut self, call: &Call) {
        let memory = self.plan.blocks.get(call.arguments.index()).map_or(self.memory, |block| block.memory);
        self.memory = memory;
        let name = super::name_of_memory(self.library, memory);
        self.text(&name);
        self.number(call.arguments.index() as u32);
        self.flags(&[(call.is_once, call::ONCE)]);
        self.number(call.slots.unwrap_or(0));
        self.list(&call.implicits, |writer, implicit| {
            writer.offset(memory, At::Implicit(implicit.position));
            writer.size(&implicit.size);
            writer.flag(implicit.at_exit);
            writer.code(&implicit.value);
        });
        self.choices(&call.timing, Self::timing);
        for keys in [&call.order, &call.monitor] {
            self.choices(keys, |writer, keys| writer.list(keys, Self::key));
        }
        self.choices(&call.thread, |writer, thread| {
            let thread = match thread {
                Thread::Caller => words::Thread::Caller,
                Thread::Any => words::Thread::Any,
                Thread::Main => words::Thread::Main,
            };
            writer.number(thread.word());
        });
        self.choices(&call.success, Self::code);
        self.choices(&call.requires, |writer, (required, otherwise)| {
            writer.code(required);
            writer.list(otherwise, Self::store);
        });
        self.choices(&call.fails, |writer, stores| writer.list(stores, Self::store));
        self.choices(&call.errno, |writer, is_on| writer.flag(*is_on));
        self.choices(&call.passes, Self::store);
        self.choices(&call.effects, Self::effect);
        self.choices(&call.around, |writer, around| {
            writer.flag(around.is_before);
            let text = NativeText::Statements(around.text.clone());
            writer.native(Native { context: memory, text, operands: 0 });
        });
    }

    fn choices<T>(&mut self, all: &[Conditional<T>], mut write: impl FnMut(&mut Self, &T)) {
        self.list(all, |writer, one| {
            writer.option(one.condition.as_ref(), Self::code);
            write(writer, &one.then);
        });
    }

    fn timing(&mut self, timing: &Timing) {
        let mode = match timing.mode {
            Mode::Sync => words::Mode::Sync,
            Mode::Async => words::Mode::Async,
            Mode::Flush => words::Mode::Flush,
        };
        self.number(mode.word());
        self.list(&timing.returns, Self::store);
        self.option(timing.until.as_ref(), Self::code);
    }

    fn key(&mut self, key: &Key) {
        match key {
            Key::Global => self.number(words::Key::Global.word()),
            Key::Thread => self.number(words::Key::Thread.word()),
            Key::Value(code) => {
                self.number(words::Key::Value.word());
                self.code(code);
            }
        }
    }

    fn store(&mut self, store: &Store) {
        match &store.target {
            Target::Memory(address, size) => {
                self.number(words::Target::Memory.word());
                self.code(address);
                self.size(size);
            }
            Target::Pointer(address) => {
                self.number(words::Target::Pointer.word());
                self.code(address);
            }
            Target::Metadata(of, member, code) => {
                self.number(words::Target::Metadata.word());
                self.number(of.index() as u32);
                self.number(self.slot(*of, *member));
                self.code(code);
            }
            Target::MetadataElement(of, member, at, code) => {
                self.number(words::Target::Metadata.word());
                self.number(of.index() as u32);
                self.number(self.slot(*of, *member) + at);
                self.code(code);
            }
            Target::Errno => self.number(words::Target::Errno.word()),
        }
        self.code(&store.value);
    }

    fn effect(&mut self, effect: &Effect) {
        use words::Effect as E;
        match effect {
            Effect::Set(store) => {
                self.number(E::Set.word());
                self.store(store);
            }
            Effect::Ends(of, member, code) => {
                self.number(E::Ends.word());
                self.number(of.index() as u32);
                self.number(self.slot(*of, *member));
                self.code(code);
            }
            Effect::Account { change, resource, amount, at_entry } => {
                self.number(E::Account.word());
                let change = match change {
                    Change::Acquires => words::Change::Acquires,
                    Change::Releases => words::Change::Releases,
                    Change::Consumes => words::Change::Consumes,
                };
                self.number(change.word());
                self.number(resource.index() as u32);
                self.flag(*at_entry);
                self.code(amount);
            }
            Effect::Record(of) => {
                self.number(E::Record.word());
                self.list(of, Self::code);
            }
            Effect::DependsOn(on) => {
                self.number(E::DependsOn.word());
                self.list(on, Self::code);
            }
            Effect::Snapshot(extract, restore) => {
                self.number(E::Snapshot.word());
                self.number(extract.index() as u32);
                self.number(restore.index() as u32);
            }
        }
    }
}
