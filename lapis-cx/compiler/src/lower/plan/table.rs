//! A plan as words, texts and functions: what backends print and the engine of remoting reads. The crate `lapis-cx-plan` has the
//! grammar and all numbers.

mod call;
mod code;

use std::collections::HashMap;
use std::hash::Hash;

use lapis_cx_plan::{self as words, MAGIC};

use super::code::metadata_elements;
use super::name::{name_of, name_of_memory};
use super::size::{Sizes, is_signed, wire_bytes};
use super::{At, Block, Buffer, Kind, Lifetime, Memory, Number, Ownership, Plan, Size, Value};
use crate::contract::library::expr::{Expr, ExprKind};
use crate::contract::library::place::{Scalar, Type, ZeroCopy};
use crate::contract::library::{
    FnUseId, FunctionId, Handle, HandleId, Library, Member, MetadataId, Owner, ResourceKind,
};
use crate::int::Int;

/// A plan as an engine reads it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The plan.
    pub words: Vec<Word>,
    /// Texts that words name by position; each is there once.
    pub texts: Vec<String>,
    /// Functions that words name by position; each is there once.
    pub natives: Vec<Native>,
}

/// 32 bits.
#[derive(Clone, Debug, PartialEq)]
pub enum Word {
    /// A number.
    Number(u32),
    /// Where a value lies in memory, in bytes. The compiler of the target knows.
    Offset(Memory, At),
    /// How large something is, in bytes. The compiler of the target knows.
    Size(Size),
}

/// A function that the target's compiler makes of text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Native {
    /// The memory whose address the function gets, and whose members its text names.
    pub context: Memory,
    /// What it does.
    pub text: NativeText,
    /// How many numbers it takes.
    pub operands: u32,
}

/// What a [`Native`] does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NativeText {
    /// An expression of C over the values in memory.
    Expression(String),
    /// Statements of C before or after a call, which may name its arguments.
    Statements(String),
    /// A function of `utility` with the operands; its context does not matter.
    Utility(String),
    /// A function of the API with the operands; its arguments are the memory.
    Call(FunctionId),
    /// A function of the language with the operands; its context does not matter.
    Fn(FnUseId),
}

/// Writes a plan as words.
pub fn table(library: &Library, plan: &Plan) -> Table {
    let mut writer = Writer {
        library,
        plan,
        words: Vec::new(),
        texts: Index::default(),
        asked: Index::default(),
        natives: Vec::new(),
        memory: Memory::Arguments(FunctionId(0)),
    };
    writer.plan();
    Table { words: writer.words, texts: writer.texts.items, natives: writer.natives }
}

/// Items, each of them once.
struct Index<T> {
    items: Vec<T>,
    positions: HashMap<T, u32>,
}

impl<T> Default for Index<T> {
    fn default() -> Self {
        Index { items: Vec::new(), positions: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Index<T> {
    fn of(&mut self, item: T) -> u32 {
        if let Some(position) = self.positions.get(&item) {
            return *position;
        }
        let position = self.items.len() as u32;
        self.items.push(item.clone());
        self.positions.insert(item, position);
        position
    }
}

struct Writer<'a> {
    library: &'a Library,
    plan: &'a Plan,
    words: Vec<Word>,
    texts: Index<String>,
    /// What each function does, and with which memory if that matters.
    asked: Index<(Option<Memory>, NativeText, u32)>,
    natives: Vec<Native>,
    /// The block or the arguments that are being written.
    memory: Memory,
}

impl<'a> Writer<'a> {
    fn number(&mut self, number: u32) {
        self.words.push(Word::Number(number));
    }

    fn flag(&mut self, flag: bool) {
        self.number(u32::from(flag));
    }

    /// Those flags that hold, together.
    fn flags(&mut self, flags: &[(bool, u32)]) {
        let held = flags.iter().filter(|(holds, _)| *holds);
        self.number(held.fold(0, |all, (_, flag)| all | flag));
    }

    fn size(&mut self, size: &Size) {
        self.words.push(match size {
            Size::Nothing => Word::Number(0),
            Size::Bytes(bytes) => Word::Number(*bytes),
            size => Word::Size(size.clone()),
        });
    }

    fn offset(&mut self, memory: Memory, at: At) {
        self.words.push(Word::Offset(memory, at));
    }

    fn text(&mut self, text: &str) {
        let position = self.texts.of(text.to_owned());
        self.number(position);
    }

    fn native(&mut self, native: Native) {
        let is_about_memory = !matches!(native.text, NativeText::Utility(_) | NativeText::Fn(_));
        let context = is_about_memory.then_some(native.context);
        let position = self.asked.of((context, native.text.clone(), native.operands));
        if position as usize == self.natives.len() {
            self.natives.push(native);
        }
        self.number(position);
    }

    /// 128 bits. What does not fit is cut to the nearest number that does.
    fn int(&mut self, value: &Int) {
        let nearest = if value.is_negative() { i128::MIN } else { i128::MAX };
        let bits = value.to_i128().unwrap_or(nearest);
        for position in 0..4 {
            self.number((bits >> (32 * position)) as u32);
        }
    }

    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as u32);
        for item in items {
            write(self, item);
        }
    }

    fn option<T>(&mut self, item: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.flag(item.is_some());
        if let Some(item) = item {
            write(self, item);
        }
    }

    fn plan(&mut self) {
        let (library, plan) = (self.library, self.plan);
        self.number(MAGIC);
        self.number(library.handles.len() as u32);
        for (position, handle) in (0..).zip(&library.handles) {
            self.handle(Size::Handle(HandleId(position)), handle);
            let block = plan.handles.get(position as usize).copied().flatten();
            self.number(block.map_or(0, |block| block.index() as u32 + 1));
        }
        self.number(library.metadata.len() as u32);
        for (position, metadata) in (0..).zip(&library.metadata) {
            let owner = self.owner(MetadataId(position));
            self.text(&owner);
            let id = MetadataId(position);
            let members = (0..).zip(&metadata.members);
            let slots: Vec<&Member> = members
                .flat_map(|(n, member)| {
                    std::iter::repeat_n(member, metadata_elements(library, id, n).unwrap_or(1) as usize)
                })
                .collect();
            self.list(&slots, |writer, member| {
                writer.text(&member.name);
                writer.flag(matches!(member.place.ty, Type::Lifetime));
            });
        }
        self.list(&library.resources, |writer, resource| {
            writer.text(&resource.name);
            writer.flag(resource.kind == ResourceKind::Store);
        });
        self.list(&plan.blocks, Self::block);
        let functions: Vec<_> = library.functions.iter().zip(&plan.functions).collect();
        self.list(&functions, |writer, (function, call)| {
            writer.text(&library.name_in_c(function.c.as_deref(), &function.name));
            writer.option(call.as_ref(), Self::call);
        });
        self.list(&plan.callbacks, Self::call);
    }

    fn handle(&mut self, size: Size, handle: &Handle) {
        self.text(&handle.name);
        self.size(&size);
        self.number(handle.parent.map_or(0, |parent| parent.index() as u32 + 1));
        let Some(id) = handle.memory else {
            self.number(0);
            self.number(0);
            return self.number(0);
        };
        self.size(&Size::Struct(id));
        let sizes = Sizes { library: self.library };
        let members = self.library.structs.get(id.index()).map_or(&[][..], |def| def.members.as_slice());
        let initials = (0..).zip(members).filter_map(|(n, member)| {
            let value = constant(member.initial.as_ref()?)?;
            Some((At::Member(n), sizes.size(&member.place), value))
        });
        let initials: Vec<_> = initials.collect();
        self.list(&initials, |writer, (at, size, value)| {
            writer.offset(Memory::Struct(id), *at);
            writer.size(size);
            writer.int(value);
        });
        let computed = (0..).zip(members).filter_map(|(n, member)| match &member.initial.as_ref()?.kind {
            ExprKind::Code(code) => Some((At::Member(n), sizes.size(&member.place), code.text.clone())),
            _ => None,
        });
        let computed: Vec<_> = computed.collect();
        self.list(&computed, |writer, (at, size, text)| {
            let context = Memory::Struct(id);
            writer.offset(context, *at);
            writer.size(size);
            writer.native(Native { context, text: NativeText::Expression(text.clone()), operands: 0 });
        });
    }

    /// Where a member of metadata lies among the numbers that are attached: an inline array has one for each element.
    fn slot(&self, of: MetadataId, member: u32) -> u32 {
        (0..member).map(|before| metadata_elements(self.library, of, before).unwrap_or(1)).sum()
    }

    /// The name of what metadata is attached to.
    fn owner(&self, id: MetadataId) -> String {
        let library = self.library;
        let name = match library.metadata.get(id.index()).map(|metadata| metadata.owner) {
            Some(Owner::Handle(id)) => library.handles.get(id.index()).map(|handle| &handle.name),
            Some(Owner::Struct(id)) => library.structs.get(id.index()).map(|def| &def.name),
            Some(Owner::Type(id)) => library.types.get(id.index()).map(|named| &named.name),
            None => None,
        };
        name.map_or("?", String::as_str).to_owned()
    }

    fn block(&mut self, block: &Block) {
        self.memory = block.memory;
        let name = name_of_memory(self.library, block.memory);
        self.text(&name);
        self.size(&match block.memory {
            Memory::Arguments(id) => Size::Arguments(id),
            Memory::CallbackArguments(id) => Size::CallbackArguments(id),
            Memory::Struct(id) | Memory::Live(id, _) => Size::Struct(id),
        });
        self.list(&block.olds, Self::code);
        let library = self.library;
        self.list(&block.values, |writer, (at, value)| {
            writer.text(name_of(library, block.memory, *at));
            writer.offset(block.memory, *at);
            writer.value(value);
        });
    }

    /// A value that begins where what is around it does, and has no name: an element, a case.
    fn inner(&mut self, value: &Value) {
        self.text("");
        self.number(0);
        self.value(value);
    }

    /// A value behind its name and offset.
    fn value(&mut self, value: &Value) {
        use words::value::{COMES, GOES, ON};
        self.flags(&[(value.goes, GOES), (value.comes, COMES), (value.on.is_some(), ON)]);
        value.on.iter().for_each(|on| self.code(on));
        self.kind(&value.kind);
    }

    fn kind(&mut self, kind: &Kind) {
        use words::{Kind as K, buffer, file, handle};
        self.number(
            match kind {
                Kind::Nothing => K::Nothing,
                Kind::Scalar { .. } | Kind::Enum { .. } => K::Scalar,
                Kind::Address { .. } => K::Address,
                Kind::Handle { .. } => K::Handle,
                Kind::Block(_) => K::Block,
                Kind::Array { .. } => K::Array,
                Kind::Buffer(_) => K::Buffer,
                Kind::Callback { .. } => K::Callback,
                Kind::Userdata { .. } => K::Userdata,
                Kind::Within { .. } => K::Within,
                Kind::File { .. } => K::File,
                Kind::Function(_) => K::Function,
                Kind::Stream { .. } => K::Stream,
                Kind::Match { .. } => K::Match,
                Kind::Local { .. } => K::Local,
            }
            .word(),
        );
        match kind {
            Kind::Nothing => {}
            Kind::Scalar { scalar, size } => {
                let is_float = matches!(scalar, Scalar::Float | Scalar::Double);
                self.compared(&Number { size: size.clone(), is_signed: is_signed(*scalar), is_float });
                self.number(wire_bytes(*scalar));
            }
            Kind::Enum { bytes, is_signed, size } => {
                self.compared(&Number { size: size.clone(), is_signed: *is_signed, is_float: false });
                self.number(*bytes);
            }
            Kind::Address { is_own } => self.flag(*is_own),
            Kind::Handle { of, size, is_new, is_own, room, is_optional } => {
                self.number(of.index() as u32);
                self.flags(&[
                    (*is_new, handle::NEW),
                    (*is_own, handle::OWN),
                    (*is_optional, handle::OPTIONAL),
                    (room.is_some(), handle::ROOM),
                ]);
                self.size(size);
                room.iter().for_each(|room| self.code(room));
            }
            Kind::Block(id) => self.number(id.index() as u32),
            Kind::Array { count, valid, stride, element } => {
                self.flags(&[(valid.is_some(), buffer::VALID)]);
                self.size(stride);
                self.code(count);
                valid.iter().for_each(|valid| self.code(valid));
                self.inner(element);
            }
            Kind::Buffer(buffer) => self.buffer(buffer),
            Kind::Callback { of, lifetime, is_optional } => {
                self.number(of.index() as u32);
                self.flag(*is_optional);
                self.lifetime(lifetime);
            }
            Kind::Userdata { of, lifetime } => {
                self.list(of, Self::code);
                self.lifetime(lifetime);
            }
            Kind::Within { region, is_optional } => {
                self.flag(*is_optional);
                self.option(region.as_ref(), Self::code);
            }
            Kind::File { is_descriptor, size, takes_in, takes_out, lifetime } => {
                self.flags(&[(*is_descriptor, file::DESCRIPTOR), (*takes_in, file::IN), (*takes_out, file::OUT)]);
                self.size(size);
                self.lifetime(lifetime);
            }
            Kind::Function(name) => self.code(name),
            Kind::Stream { takes_in, takes_out } => {
                self.flags(&[(*takes_in, file::IN), (*takes_out, file::OUT)]);
            }
            Kind::Match { value, arms, default } => {
                self.code(value);
                self.list(arms, |writer, (patterns, value)| {
                    writer.list(patterns, |writer, (from, to)| {
                        writer.int(from);
                        writer.int(to);
                    });
                    writer.inner(value);
                });
                self.option(default.as_deref(), Self::inner);
            }
            Kind::Local { room, lifetime } => self.option(room.as_ref(), |writer, (count, size)| {
                writer.code(count);
                writer.size(size);
                writer.lifetime(lifetime);
            }),
        }
    }

    fn buffer(&mut self, buffer: &Buffer) {
        use words::{Ownership as O, buffer as f};
        self.flags(&[
            (buffer.count.is_some(), f::COUNT),
            (buffer.until.is_some(), f::UNTIL),
            (buffer.valid.is_some(), f::VALID),
            (buffer.takes_in, f::IN),
            (buffer.takes_out, f::OUT),
            (buffer.is_optional, f::OPTIONAL),
            (buffer.zero_copy.is_some(), f::SHARED),
            (buffer.zero_copy == Some(ZeroCopy::Physical), f::PINNED),
            (buffer.is_measured, f::MEASURED),
            (buffer.has_always_room, f::ALWAYS_ROOM),
        ]);
        let ownership = match buffer.ownership {
            Ownership::Lent => O::Lent,
            Ownership::Given => O::Given,
            Ownership::Taken => O::Taken,
            Ownership::Twin => O::Twin,
            Ownership::EndsTwin => O::EndsTwin,
        };
        self.number(ownership.word());
        self.size(&buffer.stride);
        self.lifetime(&buffer.lifetime);
        let function = |id: FunctionId| id.index() as u32 + 1;
        let (allocate, free) = buffer
            .allocator
            .map_or((0, 0), |allocator| (allocator.allocate.map_or(0, function), function(allocator.free)));
        self.number(allocate);
        self.number(free);
        buffer.count.iter().for_each(|count| self.code(count));
        if let Some(until) = &buffer.until {
            self.compared(&until.compared);
            self.code(&until.value);
        }
        buffer.valid.iter().for_each(|valid| self.code(valid));
        self.inner(&buffer.element);
    }

    /// The flags and the size of a number.
    fn compared(&mut self, number: &Number) {
        use words::scalar::{FLOAT, SIGNED};
        self.flags(&[(number.is_signed, SIGNED), (number.is_float, FLOAT)]);
        self.size(&number.size);
    }

    fn lifetime(&mut self, lifetime: &Lifetime) {
        use words::Lifetime as L;
        match lifetime {
            Lifetime::Call => self.number(L::Call.word()),
            Lifetime::Static => self.number(L::Static.word()),
            Lifetime::Manual => self.number(L::Manual.word()),
            Lifetime::Handle(of, code) => {
                self.number(L::Handle.word());
                self.number(of.index() as u32);
                self.code(code);
            }
            Lifetime::Twin(code) => {
                self.number(L::Twin.word());
                self.code(code);
            }
            Lifetime::Scope(of, member, code) => {
                self.number(L::Scope.word());
                self.number(of.index() as u32);
                self.number(self.slot(*of, *member));
                self.code(code);
            }
            Lifetime::Callback(code) => {
                self.number(L::Callback.word());
                self.code(code);
            }
        }
    }
}

/// The value of an expression that names nothing; the checker has folded the operators of those.
fn constant(expr: &Expr) -> Option<Int> {
    match &expr.kind {
        ExprKind::Int(value) | ExprKind::Case { value, .. } => Some(value.clone()),
        ExprKind::Bool(value) => Some(Int::from(i64::from(*value))),
        ExprKind::Null => Some(Int::ZERO),
        _ => None,
    }
}
