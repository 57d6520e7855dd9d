//! Reads a plan from words. It checks once that positions are in range, that sizes fit and that the nesting is bounded.

use lapis_cx_plan as words;

use super::{
    Block, Call, Effect, Handle, Implicit, Initial, Key, KeyKind, Kind, Lifetime, Members, Metadata, Mode, Op, Plan,
    Scalar, Store, Target, Timing, Value, When,
};

/// The deepest nesting of values.
const DEEPEST: u32 = 64;

/// The error for words that are not a valid plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The position of the offending word.
    pub at: usize,
    /// The reason.
    pub why: &'static str,
}

impl std::fmt::Display for Invalid {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "word {} of the plan: {}", self.at, self.why)
    }
}

impl std::error::Error for Invalid {}

pub(super) type Result<T> = std::result::Result<T, Invalid>;

pub(super) struct Reader<'a> {
    pub(super) words: &'a [u32],
    pub(super) at: usize,
    pub(super) texts: usize,
    pub(super) natives: usize,
    pub(super) handles: usize,
    pub(super) metadata: Vec<usize>,
    pub(super) resources: usize,
    pub(super) depth: u32,
    /// Some expression reads `errno`, of those that were read since this was cleared.
    pub(super) reads_errno: bool,
}

impl Plan {
    /// Reads a plan from its words. `natives` is the number of C functions that the library has for the plan.
    ///
    /// # Errors
    ///
    /// Fails if the words are not a valid plan, or one of another version.
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
            reads_errno: false,
        };
        let mut plan = reader.plan()?;
        let c_text = |text: &String| std::ffi::CString::new(text.as_str()).unwrap_or_default();
        plan.c_texts = texts.iter().map(c_text).collect();
        plan.texts = texts;
        plan.finish()?;
        Ok(plan)
    }

    /// Checks references to other blocks and derives what depends on them.
    fn finish(&mut self) -> Result<()> {
        let fail = |why| Err(Invalid { at: 0, why });
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let (blocks, functions, callbacks) =
            (count(self.blocks.len()), count(self.functions.len()), count(self.callbacks.len()));
        for block in &self.blocks {
            for value in &block.values {
                if !is_valid(value, blocks, functions, callbacks) {
                    return fail("a block, function or callback index out of range");
                }
            }
        }
        for block in &mut self.blocks {
            block.name_callbacks();
            block.keep_until_called(&self.callbacks);
        }
        let is_async = |call: &Call| call.timing.iter().any(|one| one.then.mode != Mode::Sync);
        self.has_async = self.functions.iter().flatten().any(is_async);
        let mut rooms = Vec::new();
        self.blocks.iter().flat_map(|block| &block.values).for_each(|value| handles_with_room(value, &mut rooms));
        for (of, handle) in (0..).zip(&mut self.handles) {
            handle.has_memory |= rooms.contains(&of);
        }
        self.learn_members()?;
        self.learn_what_is_flat();
        self.learn_what_varies();
        self.learn_what_is_told();
        self.compile();
        let blocks = &self.blocks;
        for call in self.functions.iter_mut().flatten().chain(&mut self.callbacks) {
            let Some(block) = blocks.get(call.arguments as usize) else { return fail("a block index out of range") };
            let texts = &self.texts;
            let name = |value: &Value| texts.get(value.name as usize).map(String::as_str);
            call.result = block.values.iter().position(|value| name(value) == Some("ret"));
            call.has_userdata =
                block.values.iter().any(|value| matches!(&value.kind, Kind::Userdata { of, .. } if of.is_empty()));
            call.learn(block, &self.handles);
            if call.implicits.iter().any(|one| one.offset.saturating_add(one.bytes) > block.bytes) {
                return fail("an implicit argument outside of the arguments");
            }
        }
        Ok(())
    }
}

/// Collects the handle types for which some value specifies the size of the stand-in memory.
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
        Kind::Buffer(buffer) => {
            of(&buffer.element) && buffer.allocate.iter().chain(&buffer.free).all(|id| *id < functions)
        }
        Kind::Match(choice) => choice.arms.iter().map(|(_, value)| value).chain(&choice.default).all(of),
        _ => true,
    }
}

impl Block {
    /// Extends the lifetime of functions for `once` callbacks until they are called. This may be after the registering call returned.
    fn keep_until_called(&mut self, callbacks: &[Call]) {
        let is_once = |of: u32| callbacks.get(of as usize).is_some_and(|one| one.is_once);
        for value in &mut self.values {
            let (codes, lifetime) = match &mut value.kind {
                Kind::Callback { of, lifetime, .. } if is_once(*of) => (Vec::new(), lifetime),
                Kind::Userdata { of, lifetime } if of.iter().any(|(of, _)| is_once(*of)) => {
                    (of.iter().filter(|(of, _)| is_once(*of)).map(|(_, code)| code.clone()).collect(), lifetime)
                }
                _ => continue,
            };
            if matches!(lifetime, Lifetime::Call | Lifetime::Callback(_)) {
                *lifetime = Lifetime::Once(codes);
            }
        }
    }

    /// Sets the callback types of each userdata, from the values of this block that its expressions refer to.
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
}

impl Reader<'_> {
    pub(super) fn fail<T>(&self, why: &'static str) -> Result<T> {
        Err(Invalid { at: self.at, why })
    }

    pub(super) fn word(&mut self) -> Result<u32> {
        let Some(word) = self.words.get(self.at) else { return self.fail("the plan ends too soon") };
        self.at += 1;
        Ok(*word)
    }

    pub(super) fn size(&mut self) -> Result<usize> {
        let size = self.word()? as usize;
        if size > 1 << 30 { self.fail("a size above 1 GiB") } else { Ok(size) }
    }

    pub(super) fn flag(&mut self) -> Result<bool> {
        match self.word()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => self.fail("neither 0 nor 1"),
        }
    }

    pub(super) fn many<T>(&mut self, mut one: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let count = self.word()? as usize;
        // Each entry has at least one word.
        if count > self.words.len() - self.at {
            return self.fail("more than there are words");
        }
        (0..count).map(|_| one(self)).collect()
    }

    pub(super) fn maybe<T>(&mut self, one: impl FnOnce(&mut Self) -> Result<T>) -> Result<Option<T>> {
        Ok(if self.flag()? { Some(one(self)?) } else { None })
    }

    /// Reads an optional field that is present if `is_there` is set.
    pub(super) fn given<T>(&mut self, is_there: bool, one: impl FnOnce(&mut Self) -> Result<T>) -> Result<Option<T>> {
        if is_there { one(self).map(Some) } else { Ok(None) }
    }

    pub(super) fn choice<T>(&mut self, of: impl FnOnce(u32) -> Option<T>) -> Result<T> {
        let word = self.word()?;
        match of(word) {
            Some(choice) => Ok(choice),
            None => self.fail("an unknown enumeration value"),
        }
    }

    pub(super) fn below(&mut self, limit: usize, why: &'static str) -> Result<u32> {
        let word = self.word()?;
        if word as usize >= limit { self.fail(why) } else { Ok(word) }
    }

    pub(super) fn text(&mut self) -> Result<u32> {
        self.below(self.texts, "a text index out of range")
    }

    pub(super) fn int(&mut self) -> Result<i128> {
        let mut value = 0u128;
        for shift in [0, 32, 64, 96] {
            value |= u128::from(self.word()?) << shift;
        }
        Ok(value.cast_signed())
    }

    pub(super) fn plan(&mut self) -> Result<Plan> {
        if self.word()? != words::MAGIC {
            return self.fail("not a plan, or one of another version");
        }
        let mut plan = Plan { handles: self.many(Self::handle)?, ..Plan::default() };
        self.handles = plan.handles.len();
        let parents = plan.handles.iter().filter_map(|handle| handle.parent);
        if parents.into_iter().any(|parent| parent as usize >= self.handles) {
            return self.fail("a handle index out of range");
        }
        let handles = &plan.handles;
        plan.metadata = self.many(|reader| {
            let name = reader.text()?;
            // Handles are identified by their names.
            let of = handles.iter().position(|handle| handle.name == name).map(|at| at as u32);
            let members = reader.many(|reader| {
                reader.text()?;
                reader.flag()
            })?;
            Ok(Metadata { of, members: members.len() })
        })?;
        self.metadata = plan.metadata.iter().map(|metadata| metadata.members).collect();
        let resources = self.many(|reader| Ok((reader.text()?, reader.flag()?)))?;
        self.resources = resources.len();
        plan.blocks = self.many(Self::block)?;
        let functions = self.many(|reader| Ok((reader.text()?, reader.maybe(Self::call)?)))?;
        (plan.function_names, plan.functions) = functions.into_iter().unzip();
        plan.callbacks = self.many(Self::call)?;
        if self.at == self.words.len() { Ok(plan) } else { self.fail("words behind the end of the plan") }
    }

    pub(super) fn handle(&mut self) -> Result<Handle> {
        let name = self.text()?;
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
        let block = self.word()?.checked_sub(1);
        let members = block.map(|block| Members { block, ..Members::default() });
        Ok(Handle { name, parent, has_memory: memory != 0, memory, initial, computed, members })
    }

    pub(super) fn scalar_size(&mut self) -> Result<usize> {
        match self.size()? {
            size @ (1 | 2 | 4 | 8 | 16) => Ok(size),
            _ => self.fail("a scalar size other than 1, 2, 4, 8 or 16 bytes"),
        }
    }

    pub(super) fn scalar(&mut self) -> Result<Scalar> {
        let flags = self.word()?;
        let bytes = self.scalar_size()?;
        Ok(Scalar { bytes, is_signed: flags & words::scalar::SIGNED != 0, is_float: flags & words::scalar::FLOAT != 0 })
    }

    pub(super) fn block(&mut self) -> Result<Block> {
        self.text()?;
        let bytes = self.size()?;
        let snapshots = self.many(Self::code)?;
        let values = self.many(Self::value)?;
        Ok(Block { bytes, snapshots, values, ..Block::default() })
    }

    pub(super) fn value(&mut self) -> Result<Value> {
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

    pub(super) fn member(&mut self) -> Result<(u32, u32)> {
        let of = self.below(self.metadata.len(), "a metadata index out of range")?;
        let members = self.metadata.get(of as usize).copied().unwrap_or(0);
        Ok((of, self.below(members, "a member index out of range")?))
    }

    pub(super) fn when<T>(&mut self, one: impl Fn(&mut Self) -> Result<T>) -> Result<Vec<When<T>>> {
        self.many(|reader| Ok(When { condition: reader.maybe(Self::code)?, then: one(reader)? }))
    }

    pub(super) fn call(&mut self) -> Result<Call> {
        // Places read it too, which are there already.
        let of_blocks = self.reads_errno;
        let mut call = self.call_without_errno()?;
        call.reads_errno = std::mem::replace(&mut self.reads_errno, of_blocks);
        Ok(call)
    }

    fn call_without_errno(&mut self) -> Result<Call> {
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
        // This clause is skipped: each call runs on the worker's thread for the caller's thread.
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
            reads_errno: false,
            has_userdata: false,
            fast: None,
            is_numbers: false,
            makes_objects: false,
        })
    }

    pub(super) fn native(&mut self) -> Result<u32> {
        self.below(self.natives, "a C function index out of range")
    }

    pub(super) fn key(&mut self) -> Result<Key> {
        Ok(match self.choice(KeyKind::of)? {
            KeyKind::Global => Key::Global,
            KeyKind::Thread => Key::Thread,
            KeyKind::Value => Key::Value(self.code()?),
        })
    }

    pub(super) fn store(&mut self) -> Result<Store> {
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

    pub(super) fn effect(&mut self) -> Result<Effect> {
        Ok(match self.choice(words::Effect::of)? {
            words::Effect::Set => Effect::Set(self.store()?),
            words::Effect::Ends => {
                let (of, member) = self.member()?;
                Effect::Ends(of, member, self.code()?)
            }
            words::Effect::Account => {
                self.choice(words::Change::of)?;
                self.below(self.resources, "a resource index out of range")?;
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
}
