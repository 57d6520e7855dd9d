//! Reads the words of a plan by the grammar of `lapis-cx-plan`, and prints them. Whatever does not fit the grammar panics.

use std::fmt::Write;

use lapis_cx::lower::plan::{Table, Word};
use lapis_cx_plan::{
    Change, Effect, Key, Kind, Lifetime, MAGIC, Mode, Op, Ownership, Target, Thread, buffer, call, file, handle,
    scalar, value,
};

/// All words as text: a line for each thing of the grammar.
pub fn read(table: &Table) -> String {
    let mut reader = Reader {
        table,
        at: 0,
        depth: 0,
        out: String::new(),
        handles: 0,
        resources: 0,
        metadata: Vec::new(),
        blocks: 0,
    };
    reader.plan();
    assert_eq!(reader.at, table.words.len(), "words behind the end of the plan");
    reader.out.push('\n');
    reader.out
}

struct Reader<'a> {
    table: &'a Table,
    at: usize,
    depth: usize,
    out: String,
    handles: u32,
    resources: u32,
    /// How many members each has.
    metadata: Vec<u32>,
    blocks: u32,
}

impl<'a> Reader<'a> {
    fn line(&mut self, name: &str) {
        let _ = write!(self.out, "\n{:width$}{name}", "", width = self.depth * 2);
    }

    fn show(&mut self, text: impl std::fmt::Display) {
        let _ = write!(self.out, " {text}");
    }

    fn next(&mut self) -> &'a Word {
        let word = self.table.words.get(self.at).unwrap_or_else(|| panic!("the words end early:{}", self.out));
        self.at += 1;
        word
    }

    /// A word that is a number, which is not shown.
    fn raw(&mut self) -> u32 {
        match self.next() {
            Word::Number(number) => *number,
            other => panic!("{other:?} at {} is not a number", self.at - 1),
        }
    }

    fn number(&mut self) -> u32 {
        let number = self.raw();
        self.show(number);
        number
    }

    /// One that names one of so many.
    fn position(&mut self, of: u32) -> u32 {
        let position = self.number();
        assert!(position < of, "{position} of {of} at {}", self.at - 1);
        position
    }

    fn flag(&mut self) -> bool {
        self.position(2) == 1
    }

    fn flags(&mut self, all: u32) -> u32 {
        let flags = self.raw();
        self.show(format!("{flags:#x}"));
        assert_eq!(flags & !all, 0, "flags at {}", self.at - 1);
        flags
    }

    fn choice<T: std::fmt::Debug>(&mut self, of: impl Fn(u32) -> Option<T>) -> T {
        let word = self.raw();
        let choice = of(word).unwrap_or_else(|| panic!("{word} names nothing at {}", self.at - 1));
        self.show(format!("{choice:?}"));
        choice
    }

    fn offset(&mut self) {
        let text = match self.next() {
            Word::Offset(memory, at) => format!("offset {memory:?} {at:?}"),
            Word::Number(0) => "0".to_owned(),
            other => panic!("{other:?} at {} is no offset", self.at - 1),
        };
        self.show(text);
    }

    fn size(&mut self) {
        let text = match self.next() {
            Word::Size(size) => format!("size {size:?}"),
            Word::Number(bytes) => bytes.to_string(),
            other => panic!("{other:?} at {} is no size", self.at - 1),
        };
        self.show(text);
    }

    fn text(&mut self) {
        let position = self.raw() as usize;
        let text = self.table.texts.get(position).unwrap_or_else(|| panic!("no text {position}"));
        self.show(format!("{text:?}"));
    }

    fn native(&mut self, operands: Option<u32>) {
        let position = self.raw() as usize;
        let native = self.table.natives.get(position).unwrap_or_else(|| panic!("no function {position}"));
        assert_eq!(native.operands, operands.unwrap_or(0));
        self.show(format!("{native:?}"));
    }

    fn int(&mut self) {
        let words: Vec<u128> = (0..4).map(|_| u128::from(self.raw())).collect();
        let bits = words.iter().rev().fold(0, |all, word| all << 32 | word);
        self.show(bits as i128);
    }

    fn list(&mut self, mut item: impl FnMut(&mut Self)) -> u32 {
        let count = self.number();
        self.depth += 1;
        for _ in 0..count {
            item(self);
        }
        self.depth -= 1;
        count
    }

    fn option(&mut self, item: impl FnOnce(&mut Self)) {
        if self.flag() {
            item(self);
        }
    }

    fn plan(&mut self) {
        assert_eq!(self.raw(), MAGIC);
        self.out += "plan";
        self.line("handles");
        // A parent may stand behind its child.
        self.handles = self.raw();
        self.at -= 1;
        self.list(|r| {
            r.line("handle");
            r.text();
            r.size();
            r.position(r.handles + 1);
            r.size();
            r.list(|r| {
                r.line("initial");
                r.offset();
                r.size();
                r.int();
            });
            r.list(|r| {
                r.line("computed");
                r.offset();
                r.size();
                r.native(None);
            });
            r.number();
        });
        self.line("metadata");
        self.list(|r| {
            r.line("of");
            r.text();
            let members = r.list(|r| {
                r.line("member");
                r.text();
                r.flag();
            });
            r.metadata.push(members);
        });
        self.line("resources");
        self.resources = self.raw();
        self.at -= 1;
        self.list(|r| {
            r.line("resource");
            r.text();
            r.flag();
        });
        self.line("blocks");
        self.blocks = self.raw();
        self.at -= 1;
        self.list(Self::block);
        self.line("functions");
        self.list(|r| {
            r.line("function");
            r.text();
            r.option(Self::call);
        });
        self.line("callbacks");
        self.list(|r| {
            r.line("callback");
            r.call();
        });
    }

    fn block(&mut self) {
        self.line("block");
        self.text();
        self.size();
        self.list(|r| {
            r.line("old");
            r.code();
        });
        self.list(Self::value);
    }

    fn value(&mut self) {
        self.line("value");
        self.text();
        self.offset();
        if self.flags(value::GOES | value::COMES | value::ON) & value::ON != 0 {
            self.code();
        }
        self.depth += 1;
        self.kind();
        self.depth -= 1;
    }

    fn scalar(&mut self) {
        self.flags(scalar::SIGNED | scalar::FLOAT);
        self.size();
    }

    fn kind(&mut self) {
        self.line("=");
        match self.choice(Kind::of) {
            Kind::Nothing => {}
            Kind::Scalar => {
                self.scalar();
                let wire = self.number();
                assert!([1, 2, 4, 8].contains(&wire));
            }
            Kind::Address => {
                self.flag();
            }
            Kind::Handle => {
                self.position(self.handles);
                let flags = self.flags(handle::NEW | handle::OWN | handle::OPTIONAL | handle::ROOM);
                self.size();
                if flags & handle::ROOM != 0 {
                    self.code();
                }
            }
            Kind::Block => {
                self.position(self.blocks);
            }
            Kind::Array => {
                let flags = self.flags(buffer::VALID);
                self.size();
                self.code();
                if flags & buffer::VALID != 0 {
                    self.code();
                }
                self.value();
            }
            Kind::Buffer => self.buffer(),
            Kind::Callback => {
                self.number();
                self.flag();
                self.lifetime();
            }
            Kind::Userdata => {
                self.list(Self::code);
                self.lifetime();
            }
            Kind::Within => {
                self.flag();
                self.option(Self::code);
            }
            Kind::File => {
                self.flags(file::DESCRIPTOR | file::IN | file::OUT);
                self.size();
                self.lifetime();
            }
            Kind::Function => self.code(),
            Kind::Stream => {
                let flags = self.flags(file::IN | file::OUT);
                assert_ne!(flags, 0, "a stream has a direction");
            }
            Kind::Match => {
                self.code();
                self.list(|r| {
                    r.line("case");
                    r.list(|r| {
                        r.int();
                        r.int();
                    });
                    r.value();
                });
                self.option(Self::value);
            }
            Kind::Local => self.option(|r| {
                r.code();
                r.size();
                r.lifetime();
            }),
        }
    }

    fn buffer(&mut self) {
        let flags = self.flags(
            buffer::COUNT
                | buffer::UNTIL
                | buffer::VALID
                | buffer::IN
                | buffer::OUT
                | buffer::OPTIONAL
                | buffer::SHARED
                | buffer::PINNED
                | buffer::MEASURED
                | buffer::ALWAYS_ROOM,
        );
        self.choice(Ownership::of);
        self.size();
        self.lifetime();
        self.number();
        self.number();
        if flags & buffer::COUNT != 0 {
            self.code();
        }
        if flags & buffer::UNTIL != 0 {
            self.scalar();
            self.code();
        }
        if flags & buffer::VALID != 0 {
            self.code();
        }
        self.value();
    }

    fn member(&mut self) {
        let of = self.position(self.metadata.len() as u32);
        self.position(self.metadata[of as usize]);
    }

    fn lifetime(&mut self) {
        match self.choice(Lifetime::of) {
            Lifetime::Call | Lifetime::Static | Lifetime::Manual => {}
            Lifetime::Handle => {
                self.position(self.handles);
                self.code();
            }
            Lifetime::Twin | Lifetime::Callback => self.code(),
            Lifetime::Scope => {
                self.member();
                self.code();
            }
        }
    }

    fn choices(&mut self, name: &str, mut item: impl FnMut(&mut Self)) {
        self.line(name);
        self.list(|r| {
            r.line("if");
            r.option(Self::code);
            item(r);
        });
    }

    fn call(&mut self) {
        self.text();
        self.position(self.blocks);
        self.flags(call::ONCE);
        self.number();
        self.depth += 1;
        self.list(|r| {
            r.line("implicit");
            r.offset();
            r.size();
            r.flag();
            r.code();
        });
        self.choices("timing", |r| {
            r.choice(Mode::of);
            r.list(Self::store);
            r.option(Self::code);
        });
        for name in ["order", "monitor"] {
            self.choices(name, |r| {
                r.list(|r| {
                    if r.choice(Key::of) == Key::Value {
                        r.code();
                    }
                });
            });
        }
        self.choices("thread", |r| {
            r.choice(Thread::of);
        });
        self.choices("success", Self::code);
        self.choices("requires", |r| {
            r.code();
            r.list(Self::store);
        });
        self.choices("fails", |r| {
            r.list(Self::store);
        });
        self.choices("errno", |r| {
            r.flag();
        });
        self.choices("passes", Self::store);
        self.choices("effects", Self::effect);
        self.choices("around", |r| {
            r.flag();
            r.native(None);
        });
        self.depth -= 1;
    }

    fn store(&mut self) {
        self.line("store");
        match self.choice(Target::of) {
            Target::Memory => {
                self.code();
                self.size();
            }
            Target::Pointer => self.code(),
            Target::Metadata => {
                self.member();
                self.code();
            }
            Target::Errno => {}
        }
        self.code();
    }

    fn effect(&mut self) {
        match self.choice(Effect::of) {
            Effect::Set => self.store(),
            Effect::Ends => {
                self.member();
                self.code();
            }
            Effect::Account => {
                self.choice(Change::of);
                self.position(self.resources);
                self.flag();
                self.code();
            }
            Effect::Record | Effect::DependsOn => {
                self.list(Self::code);
            }
            Effect::Snapshot => {
                self.number();
                self.number();
            }
        }
    }

    /// Steps leave one number on the stack, and leave what they enter.
    fn code(&mut self) {
        self.depth += 1;
        self.line("code");
        self.text();
        let words = self.raw() as usize;
        let steps = self.raw();
        self.out.push(':');
        let (begin, mut stack, mut entered) = (self.at, 0, 0);
        for _ in 0..steps {
            let (takes, gives) = self.op(&mut entered);
            assert!(takes <= stack, "the stack is empty:{}", self.out);
            stack = stack - takes + gives;
        }
        assert_eq!((self.at - begin, stack, entered), (words, 1, 0), "{}", self.out);
        self.depth -= 1;
    }

    /// How many numbers a step takes, and how many it gives.
    fn op(&mut self, entered: &mut u32) -> (u32, u32) {
        let op = self.choice(Op::of);
        match op {
            Op::EnterArguments | Op::EnterOuter | Op::Enter | Op::EnterElement => *entered += 1,
            Op::Leave => *entered = entered.checked_sub(1).unwrap(),
            Op::Int => {
                let number = self.raw() as i32;
                self.show(number);
            }
            Op::Wide => self.int(),
            Op::Text => self.text(),
            Op::Field => self.offset(),
            Op::Load => self.scalar(),
            Op::Follow | Op::Element | Op::Sizeof => self.size(),
            Op::Metadata => self.member(),
            Op::MetadataElement => {
                self.member();
                self.number();
            }
            Op::Old => {
                self.number();
            }
            Op::Until => {
                self.scalar();
                self.size();
            }
            Op::Native | Op::WorkerNative => {
                let operands = match self.table.words.get(self.at + 1) {
                    Some(Word::Number(operands)) => *operands,
                    other => panic!("{other:?} operands"),
                };
                self.native(Some(operands));
                self.number();
                return (operands, 1);
            }
            _ => {}
        }
        match op {
            Op::EnterArguments | Op::EnterOuter | Op::Leave => (0, 0),
            Op::Enter | Op::EnterElement => (1, 0),
            Op::Int
            | Op::Wide
            | Op::Text
            | Op::Arguments
            | Op::Own
            | Op::This
            | Op::Index
            | Op::Received
            | Op::Old
            | Op::Errno
            | Op::Elapsed
            | Op::IsEntry
            | Op::IsWorker
            | Op::Sizeof => (0, 1),
            Op::Field | Op::Load | Op::Follow | Op::Metadata | Op::Physical | Op::LogicalNot | Op::Not | Op::Neg => {
                (1, 1)
            }
            Op::Element | Op::Until | Op::Strchr | Op::Select => (3, 1),
            _ => (2, 1),
        }
    }
}
