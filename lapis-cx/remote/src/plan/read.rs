//! Words become a plan. What they mean is checked once, here: positions are in range, sizes fit, nesting is bounded.

use lapis_cx_plan as words;

use super::{
    Array, Block, Buffer, Call, Code, Effect, Handle, HandleValue, Implicit, Initial, Key, KeyKind, Kind, Lifetime,
    Match, Metadata, Mode, Op, OpCode, Ownership, Plain, Plan, Room, Scalar, Store, Target, Timing, Value, When,
};

/// Values are nested so deeply at most.
const DEEPEST: u32 = 64;

/// Words that are no plan: where it was seen, and what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The position of the word.
    pub at: usize,
    /// What is wrong.
    pub why: &'static str,
}

impl std::fmt::Display for Invalid {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "word {} of the plan: {}", self.at, self.why)
    }
}

impl std::error::Error for Invalid {}

type Result<T> = std::result::Result<T, Invalid>;

struct Reader<'a> {
    words: &'a [u32],
    at: usize,
    texts: usize,
    natives: usize,
    handles: usize,
    metadata: Vec<usize>,
    resources: usize,
    depth: u32,
}

impl Plan {
    /// Reads the words of a plan, of a library with so many functions of C.
    ///
    /// # Errors
    ///
    /// They are no plan, or one of another version.
    pub fn read(words: &[u32], texts: Vec<String>, natives: usize) -> Result<Plan> {
        let mut reader = Reader {
            words,
            at: 0,
            texts: texts.len(),
            natives,
            handles: 0,
            metadata: Vec::new(),
            resources: 0,
            depth: 0,
        };
        let mut plan = reader.plan()?;
        let c_text = |text: &String| std::ffi::CString::new(text.as_str()).unwrap_or_default();
        plan.c_texts = texts.iter().map(c_text).collect();
        plan.texts = texts;
        plan.finish()?;
        Ok(plan)
    }

    /// What depends on other blocks.
    fn finish(&mut self) -> Result<()> {
        let fail = |why| Err(Invalid { at: 0, why });
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let (blocks, functions, callbacks) =
            (count(self.blocks.len()), count(self.functions.len()), count(self.callbacks.len()));
        for block in &self.blocks {
            for value in &block.values {
                if !is_valid(value, blocks, functions, callbacks) {
                    return fail("a block, function or callback that is not there");
                }
            }
        }
        for block in &mut self.blocks {
            block.name_callbacks();
        }
        let is_async = |call: &Call| call.timing.iter().any(|one| one.then.mode != Mode::Sync);
        self.has_async = self.functions.iter().flatten().any(is_async);
        let mut rooms = Vec::new();
        self.blocks.iter().flat_map(|block| &block.values).for_each(|value| handles_with_room(value, &mut rooms));
        for (of, handle) in (0..).zip(&mut self.handles) {
            handle.has_memory |= rooms.contains(&of);
        }
        let flat: Vec<bool> = self.blocks.iter().map(Block::is_flat_numbers).collect();
        for (block, is_flat) in self.blocks.iter_mut().zip(flat) {
            block.is_flat = is_flat;
        }
        let blocks = &self.blocks;
        for call in self.functions.iter_mut().flatten().chain(&mut self.callbacks) {
            let Some(block) = blocks.get(call.arguments as usize) else { return fail("a block that is not there") };
            let texts = &self.texts;
            let name = |value: &Value| texts.get(value.name as usize).map(String::as_str);
            call.result = block.values.iter().position(|value| name(value) == Some("ret"));
            call.has_userdata =
                block.values.iter().any(|value| matches!(&value.kind, Kind::Userdata { of, .. } if of.is_empty()));
            call.plain = if self.has_async { None } else { plain(call, block) };
            if call.implicits.iter().any(|one| one.offset.saturating_add(one.bytes) > block.bytes) {
                return fail("an implicit argument outside of the arguments");
            }
        }
        Ok(())
    }
}

/// What travels of a call of which numbers travel, and with which nothing else happens.
fn plain(call: &Call, block: &Block) -> Option<Plain> {
    let is_empty = call.implicits.is_empty()
        && call.requires.is_empty()
        && call.passes.is_empty()
        && call.around.is_empty()
        && call.errno.is_empty()
        && call.effects.iter().all(|one| matches!(one.then, Effect::Other))
        && call.timing.iter().all(|one| one.then.mode == Mode::Sync);
    if !is_empty {
        return None;
    }
    let mut plain = Plain::default();
    for (n, value) in block.values.iter().enumerate() {
        let Kind::Scalar { scalar, wire } = &value.kind else { return None };
        let is_result = call.result == Some(n);
        if value.on.is_some() || scalar.bytes != *wire || value.comes != is_result || value.goes == is_result {
            return None;
        }
        let runs = if is_result { &mut plain.comes } else { &mut plain.goes };
        match runs.last_mut() {
            Some((offset, size)) if *offset + *size == value.offset => *size += wire,
            _ => runs.push((value.offset, *wire)),
        }
    }
    Some(plain)
}

/// The kinds of objects that somewhere have memory of a size of their own.
fn handles_with_room(value: &Value, all: &mut Vec<u32>) {
    match &value.kind {
        Kind::Handle(handle) if handle.room.is_some() => all.push(handle.of),
        Kind::Array(array) => handles_with_room(&array.element, all),
        Kind::Buffer(buffer) => handles_with_room(&buffer.element, all),
        Kind::Match(choice) => {
            let cases = choice.arms.iter().map(|(_, value)| value).chain(&choice.default);
            cases.for_each(|value| handles_with_room(value, all));
        }
        _ => {}
    }
}

fn is_valid(value: &Value, blocks: u32, functions: u32, callbacks: u32) -> bool {
    let of = |value: &Value| is_valid(value, blocks, functions, callbacks);
    match &value.kind {
        Kind::Block(id) => *id < blocks,
        Kind::Callback { of, .. } => *of < callbacks,
        Kind::Array(array) => of(&array.element),
        Kind::Buffer(buffer) => of(&buffer.element) && buffer.free.iter().all(|id| *id < functions),
        Kind::Match(choice) => choice.arms.iter().map(|(_, value)| value).chain(&choice.default).all(of),
        _ => true,
    }
}

impl Block {
    /// Finds which callbacks the places of userdata are: values of this block.
    fn name_callbacks(&mut self) {
        let callbacks: Vec<(usize, u32)> = self
            .values
            .iter()
            .filter_map(|value| match value.kind {
                Kind::Callback { of, .. } => Some((value.offset, of)),
                _ => None,
            })
            .collect();
        for value in &mut self.values {
            let Kind::Userdata { of, .. } = &mut value.kind else { continue };
            for (callback, code) in of {
                let offset = code.ops.iter().rev().find_map(|op| match op {
                    Op::Field(offset) => Some(*offset),
                    _ => None,
                });
                let found = callbacks.iter().find(|(at, _)| Some(*at) == offset);
                *callback = found.map_or(u32::MAX, |(_, of)| *of);
            }
        }
    }

    /// Numbers only, that fill it, lie in memory as on the wire, and travel both ways alike.
    fn is_flat_numbers(&self) -> bool {
        let Some(first) = self.values.first() else { return self.bytes == 0 };
        let mut covered = 0;
        for value in &self.values {
            match &value.kind {
                Kind::Scalar { scalar, wire } if scalar.bytes == *wire && value.on.is_none() => covered += wire,
                _ => return false,
            }
            if (value.goes, value.comes) != (first.goes, first.comes) {
                return false;
            }
        }
        covered == self.bytes
    }
}

impl Reader<'_> {
    fn fail<T>(&self, why: &'static str) -> Result<T> {
        Err(Invalid { at: self.at, why })
    }

    fn word(&mut self) -> Result<u32> {
        let Some(word) = self.words.get(self.at) else { return self.fail("the plan ends too soon") };
        self.at += 1;
        Ok(*word)
    }

    fn size(&mut self) -> Result<usize> {
        let size = self.word()? as usize;
        if size > 1 << 30 { self.fail("a size above 1 GiB") } else { Ok(size) }
    }

    fn flag(&mut self) -> Result<bool> {
        match self.word()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => self.fail("neither 0 nor 1"),
        }
    }

    fn many<T>(&mut self, mut one: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let count = self.word()? as usize;
        // Each takes a word at least.
        if count > self.words.len() - self.at {
            return self.fail("more than there are words");
        }
        (0..count).map(|_| one(self)).collect()
    }

    fn maybe<T>(&mut self, one: impl FnOnce(&mut Self) -> Result<T>) -> Result<Option<T>> {
        Ok(if self.flag()? { Some(one(self)?) } else { None })
    }

    /// With a flag that is set, what follows is there.
    fn given<T>(&mut self, is_there: bool, one: impl FnOnce(&mut Self) -> Result<T>) -> Result<Option<T>> {
        if is_there { one(self).map(Some) } else { Ok(None) }
    }

    fn choice<T>(&mut self, of: impl FnOnce(u32) -> Option<T>) -> Result<T> {
        let word = self.word()?;
        match of(word) {
            Some(choice) => Ok(choice),
            None => self.fail("a choice that there is not"),
        }
    }

    fn below(&mut self, limit: usize, why: &'static str) -> Result<u32> {
        let word = self.word()?;
        if word as usize >= limit { self.fail(why) } else { Ok(word) }
    }

    fn text(&mut self) -> Result<u32> {
        self.below(self.texts, "a text that is not there")
    }

    fn int(&mut self) -> Result<i128> {
        let mut value = 0u128;
        for shift in [0, 32, 64, 96] {
            value |= u128::from(self.word()?) << shift;
        }
        Ok(value.cast_signed())
    }

    fn plan(&mut self) -> Result<Plan> {
        if self.word()? != words::MAGIC {
            return self.fail("not a plan, or one of another version");
        }
        let mut plan = Plan { handles: self.many(Self::handle)?, ..Plan::default() };
        self.handles = plan.handles.len();
        let parents = plan.handles.iter().filter_map(|handle| handle.parent);
        if parents.into_iter().any(|parent| parent as usize >= self.handles) {
            return self.fail("a handle that is not there");
        }
        plan.metadata = self.many(|reader| {
            reader.text()?;
            let members = reader.many(|reader| {
                reader.text()?;
                reader.flag()
            })?;
            Ok(Metadata { members: members.len() })
        })?;
        self.metadata = plan.metadata.iter().map(|metadata| metadata.members).collect();
        let resources = self.many(|reader| Ok((reader.text()?, reader.flag()?)))?;
        self.resources = resources.len();
        plan.blocks = self.many(Self::block)?;
        plan.functions = self.many(|reader| reader.maybe(Self::call))?;
        plan.callbacks = self.many(Self::call)?;
        if self.at == self.words.len() { Ok(plan) } else { self.fail("words behind the end of the plan") }
    }

    fn handle(&mut self) -> Result<Handle> {
        self.text()?;
        let bytes = self.size()?;
        if !matches!(bytes, 4 | 8) {
            return self.fail("a handle that has neither 4 nor 8 bytes");
        }
        let parent = self.word()?.checked_sub(1);
        let memory = self.size()?;
        let initial = self.many(|reader| {
            let initial = Initial { offset: reader.size()?, bytes: reader.scalar_size()?, value: reader.int()? };
            if initial.offset + initial.bytes > memory {
                reader.fail("a member outside of its struct")
            } else {
                Ok(initial)
            }
        })?;
        let computed = self.many(|reader| {
            let (offset, bytes) = (reader.size()?, reader.scalar_size()?);
            if offset + bytes > memory {
                return reader.fail("a member outside of its struct");
            }
            Ok((offset, bytes, reader.native()?))
        })?;
        Ok(Handle { parent, has_memory: memory != 0, memory, initial, computed })
    }

    fn scalar_size(&mut self) -> Result<usize> {
        match self.size()? {
            size @ (1 | 2 | 4 | 8 | 16) => Ok(size),
            _ => self.fail("a number of so many bytes"),
        }
    }

    fn scalar(&mut self) -> Result<Scalar> {
        let flags = self.word()?;
        let bytes = self.scalar_size()?;
        Ok(Scalar { bytes, is_signed: flags & words::scalar::SIGNED != 0, is_float: flags & words::scalar::FLOAT != 0 })
    }

    fn block(&mut self) -> Result<Block> {
        self.text()?;
        let bytes = self.size()?;
        let olds = self.many(Self::code)?;
        let values = self.many(Self::value)?;
        Ok(Block { bytes, olds, values, is_flat: false })
    }

    fn value(&mut self) -> Result<Value> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.fail("values that are nested too deeply");
        }
        let name = self.text()?;
        let offset = self.size()?;
        let flags = self.word()?;
        let on = self.given(flags & words::value::ON != 0, Self::code)?;
        let kind = self.kind()?;
        self.depth -= 1;
        let (goes, comes) = (flags & words::value::GOES != 0, flags & words::value::COMES != 0);
        Ok(Value { name, offset, goes, comes, on, kind })
    }

    fn kind(&mut self) -> Result<Kind> {
        Ok(match self.choice(words::Kind::of)? {
            words::Kind::Nothing => Kind::Nothing,
            words::Kind::Scalar => {
                let (scalar, wire) = (self.scalar()?, self.scalar_size()?);
                if wire < scalar.bytes {
                    return self.fail("a number that is smaller on the wire");
                }
                Kind::Scalar { scalar, wire }
            }
            words::Kind::Address => Kind::Address { is_own: self.flag()? },
            words::Kind::Handle => {
                let of = self.below(self.handles, "a handle that is not there")?;
                let flags = self.word()?;
                let bytes = self.size()?;
                if !matches!(bytes, 4 | 8) {
                    return self.fail("a handle that has neither 4 nor 8 bytes");
                }
                let room = self.given(flags & words::handle::ROOM != 0, Self::code)?;
                let has = |flag| flags & flag != 0;
                let (is_new, is_own) = (has(words::handle::NEW), has(words::handle::OWN));
                let is_optional = has(words::handle::OPTIONAL);
                Kind::Handle(HandleValue { of, is_new, is_own, is_optional, bytes, room })
            }
            words::Kind::Block => Kind::Block(self.word()?),
            words::Kind::Array => {
                let flags = self.word()?;
                let stride = self.size()?;
                let count = self.code()?;
                let valid = self.given(flags & words::buffer::VALID != 0, Self::code)?;
                Kind::Array(Box::new(Array { stride, count, valid, element: self.value()? }))
            }
            words::Kind::Buffer => Kind::Buffer(Box::new(self.buffer()?)),
            words::Kind::Callback => {
                let (of, is_optional) = (self.word()?, self.flag()?);
                Kind::Callback { of, is_optional, lifetime: self.lifetime()? }
            }
            words::Kind::Userdata => {
                // Which callbacks these are is known once the block is there.
                let of = self.many(|reader| Ok((u32::MAX, reader.code()?)))?;
                Kind::Userdata { of, lifetime: self.lifetime()? }
            }
            words::Kind::Within => {
                let is_optional = self.flag()?;
                self.maybe(Self::code)?;
                Kind::Within { is_optional }
            }
            words::Kind::File => {
                let flags = self.word()?;
                self.size()?;
                self.lifetime()?;
                Kind::File { is_descriptor: flags & words::file::DESCRIPTOR != 0 }
            }
            words::Kind::Function => Kind::Function(self.code()?),
            words::Kind::Stream => {
                self.word()?;
                Kind::Stream
            }
            words::Kind::Match => {
                let value = self.code()?;
                let arms = self.many(|reader| {
                    let ranges = reader.many(|reader| Ok((reader.int()?, reader.int()?)))?;
                    Ok((ranges, reader.value()?))
                })?;
                Kind::Match(Box::new(Match { value, arms, default: self.maybe(Self::value)? }))
            }
            words::Kind::Local => Kind::Local(self.maybe(|reader| {
                let (count, bytes) = (reader.code()?, reader.size()?);
                Ok(Box::new(Room { count, bytes, lifetime: reader.lifetime()? }))
            })?),
        })
    }

    fn buffer(&mut self) -> Result<Buffer> {
        use words::buffer as flag;
        let flags = self.word()?;
        let has = |flag| flags & flag != 0;
        let ownership = self.choice(Ownership::of)?;
        let stride = self.size()?;
        let lifetime = self.lifetime()?;
        let (_, free) = (self.word()?, self.word()?.checked_sub(1));
        let count = self.given(has(flag::COUNT), Self::code)?;
        let until = self.given(has(flag::UNTIL), |reader| Ok((reader.scalar()?, reader.code()?)))?;
        if until.as_ref().is_some_and(|(scalar, _)| scalar.bytes > stride || stride == 0) {
            return self.fail("an end that is larger than an element");
        }
        let valid = self.given(has(flag::VALID), Self::code)?;
        Ok(Buffer {
            takes_in: has(flag::IN),
            takes_out: has(flag::OUT),
            is_optional: has(flag::OPTIONAL),
            ownership,
            stride,
            lifetime,
            free,
            count,
            until,
            valid,
            element: self.value()?,
        })
    }

    fn lifetime(&mut self) -> Result<Lifetime> {
        Ok(match self.choice(words::Lifetime::of)? {
            words::Lifetime::Call => Lifetime::Call,
            words::Lifetime::Static => Lifetime::Static,
            words::Lifetime::Manual => Lifetime::Manual,
            words::Lifetime::Handle => {
                Lifetime::Handle(self.below(self.handles, "a handle that is not there")?, self.code()?)
            }
            words::Lifetime::Twin => Lifetime::Twin(self.code()?),
            words::Lifetime::Scope => {
                let (of, member) = self.member()?;
                Lifetime::Scope(of, member, self.code()?)
            }
            words::Lifetime::Callback => Lifetime::Callback(self.code()?),
        })
    }

    fn member(&mut self) -> Result<(u32, u32)> {
        let of = self.below(self.metadata.len(), "metadata that is not there")?;
        let members = self.metadata.get(of as usize).copied().unwrap_or(0);
        Ok((of, self.below(members, "a member that is not there")?))
    }

    fn when<T>(&mut self, one: impl Fn(&mut Self) -> Result<T>) -> Result<Vec<When<T>>> {
        self.many(|reader| Ok(When { condition: reader.maybe(Self::code)?, then: one(reader)? }))
    }

    fn call(&mut self) -> Result<Call> {
        let name = self.text()?;
        let arguments = self.word()?;
        let is_once = self.word()? & words::call::ONCE != 0;
        self.word()?;
        let implicits = self.many(|reader| {
            let (offset, bytes) = (reader.size()?, reader.size()?);
            Ok(Implicit { offset, bytes, at_exit: reader.flag()?, value: reader.code()? })
        })?;
        let timing = self.when(|reader| {
            let mode = reader.choice(Mode::of)?;
            let returns = reader.many(Self::store)?;
            reader.maybe(Self::code)?;
            Ok(Timing { mode, returns })
        })?;
        let order = self.when(|reader| reader.many(Self::key))?;
        let monitor = self.when(|reader| reader.many(Self::key))?;
        // Every call runs on the thread that stands for the caller's.
        self.when(Self::word)?;
        Ok(Call {
            name,
            arguments,
            is_once,
            implicits,
            timing,
            order,
            monitor,
            success: self.when(Self::code)?,
            requires: self.when(|reader| Ok((reader.code()?, reader.many(Self::store)?)))?,
            fails: self.when(|reader| reader.many(Self::store))?,
            errno: self.when(Self::flag)?,
            passes: self.when(Self::store)?,
            effects: self.when(Self::effect)?,
            around: self.when(|reader| Ok((reader.flag()?, reader.native()?)))?,
            result: None,
            has_userdata: false,
            plain: None,
        })
    }

    fn native(&mut self) -> Result<u32> {
        self.below(self.natives, "a function of C that is not there")
    }

    fn key(&mut self) -> Result<Key> {
        Ok(match self.choice(KeyKind::of)? {
            KeyKind::Global => Key::Global,
            KeyKind::Thread => Key::Thread,
            KeyKind::Value => Key::Value(self.code()?),
        })
    }

    fn store(&mut self) -> Result<Store> {
        let target = match self.choice(words::Target::of)? {
            words::Target::Memory => Target::Memory(self.code()?, self.scalar_size()?),
            words::Target::Pointer => Target::Pointer(self.code()?),
            words::Target::Metadata => {
                let (of, member) = self.member()?;
                Target::Metadata(of, member, self.code()?)
            }
            words::Target::Errno => Target::Errno,
        };
        Ok(Store { target, value: self.code()? })
    }

    fn effect(&mut self) -> Result<Effect> {
        Ok(match self.choice(words::Effect::of)? {
            words::Effect::Set => Effect::Set(self.store()?),
            words::Effect::Ends => {
                let (of, member) = self.member()?;
                Effect::Ends(of, member, self.code()?)
            }
            words::Effect::Account => {
                self.choice(words::Change::of)?;
                self.below(self.resources, "a resource that is not there")?;
                self.flag()?;
                self.code()?;
                Effect::Other
            }
            words::Effect::Record | words::Effect::DependsOn => {
                self.many(Self::code)?;
                Effect::Other
            }
            words::Effect::Snapshot => {
                self.word()?;
                self.word()?;
                Effect::Other
            }
        })
    }

    fn code(&mut self) -> Result<Code> {
        let text = self.text()?;
        let (size, count) = (self.word()? as usize, self.word()? as usize);
        let end = self.at.saturating_add(size);
        if end > self.words.len() {
            return self.fail("an expression that is longer than the plan");
        }
        let (mut ops, mut nested) = (Vec::new(), 0u32);
        while self.at < end {
            let op = self.op()?;
            match op {
                Op::EnterArguments | Op::EnterOuter | Op::Enter | Op::EnterElement => nested += 1,
                Op::Leave if nested == 0 => return self.fail("an expression that leaves what it did not enter"),
                Op::Leave => nested -= 1,
                _ => {}
            }
            ops.push(op);
        }
        if self.at != end || nested != 0 || ops.len() != count {
            return self.fail("an expression that does not end where it should");
        }
        let asks = ops.iter().any(|op| matches!(op, Op::Metadata(..)));
        Ok(Code { text, ops: ops.into(), asks })
    }

    fn op(&mut self) -> Result<Op> {
        Ok(match self.choice(OpCode::of)? {
            OpCode::Int => Op::Int(i128::from(self.word()?.cast_signed())),
            OpCode::Wide => Op::Int(self.int()?),
            OpCode::Text => Op::Text(self.text()?),
            OpCode::Arguments => Op::Arguments,
            OpCode::Own => Op::Own,
            OpCode::EnterArguments => Op::EnterArguments,
            OpCode::EnterOuter => Op::EnterOuter,
            OpCode::Enter => Op::Enter,
            OpCode::EnterElement => Op::EnterElement,
            OpCode::Leave => Op::Leave,
            OpCode::This => Op::This,
            OpCode::Index => Op::Index,
            OpCode::Field => Op::Field(self.size()?),
            OpCode::Load => Op::Load(self.scalar()?),
            OpCode::Follow => match self.size()? {
                size @ (4 | 8) => Op::Follow(size),
                _ => return self.fail("a pointer that has neither 4 nor 8 bytes"),
            },
            OpCode::Element => Op::Element(self.size()?),
            OpCode::Metadata => {
                let (of, member) = self.member()?;
                Op::Metadata(of, member)
            }
            OpCode::Old => Op::Old(self.word()?),
            OpCode::Errno => Op::Errno,
            OpCode::Elapsed => Op::Elapsed,
            OpCode::IsEntry => Op::IsEntry,
            OpCode::IsWorker => Op::IsWorker,
            OpCode::Sizeof => Op::Int(self.size()? as i128),
            OpCode::Until => Op::Until(self.scalar()?, self.size()?),
            OpCode::Strlen => Op::Strlen,
            OpCode::Strchr => Op::Strchr,
            OpCode::Physical => Op::Physical,
            OpCode::Native | OpCode::WorkerNative => {
                let worker = self.words.get(self.at - 1) == Some(&OpCode::WorkerNative.word());
                Op::Native { native: self.native()?, operands: self.word()?, worker }
            }
            OpCode::Select => Op::Select,
            OpCode::LogicalNot => Op::LogicalNot,
            OpCode::Not => Op::Not,
            OpCode::Neg => Op::Neg,
            two => Op::Two(two),
        })
    }
}
