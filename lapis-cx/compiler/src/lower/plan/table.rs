//! A plan as words, texts and functions: what backends print and the engine of remoting reads. This module resolves what a plan refers to,
//! into positions and bytes. The crate `lapis-cx-plan` has the types of the result and writes them as words.

mod call;

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use lapis_cx_plan::{self as words, Facts};

use super::code::metadata_elements;
use super::name::{name_of, name_of_memory};
use super::size::Sizes;
use super::{At, Block, Buffer, Code, Kind, Lifetime, Memory, Number, Op, Plan, Size, Value};
use crate::contract::library::expr::{Expr, ExprKind};
use crate::contract::library::place::{Type, ZeroCopy};
use crate::contract::library::{
    CallbackId, FnUseId, FunctionId, Handle, HandleId, Library, MetadataId, Owner, ResourceKind,
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

impl From<u32> for Word {
    fn from(number: u32) -> Word {
        Word::Number(number)
    }
}

/// The side that writes a plan: bytes are known to the compiler of the target.
#[derive(Clone, Debug, PartialEq)]
struct InC;

impl words::Side for InC {
    type Bytes = Word;
    type Word = Word;
    type Code = ();
    type Value = ();
    type Block = ();
    type Call = ();
    type Handle = ();
}

impl words::Encode<InC> for Word {
    fn encode(&self, out: &mut Vec<Word>) {
        out.push(self.clone());
    }
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
    let mut resolver = Resolver {
        library,
        plan,
        texts: Index::default(),
        asked: Index::default(),
        natives: Vec::new(),
        memory: Memory::Arguments(FunctionId(0)),
        values: &[],
        with_memory: HashSet::new(),
        reads_errno: false,
    };
    let words = resolver.plan().encode();
    Table { words, texts: resolver.texts.items, natives: resolver.natives }
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

/// Resolves what a plan refers to.
struct Resolver<'a> {
    library: &'a Library,
    plan: &'a Plan,
    texts: Index<String>,
    /// What each function does, and with which memory if that matters.
    asked: Index<(Option<Memory>, NativeText, u32)>,
    natives: Vec<Native>,
    /// The block or the arguments that are being resolved, and the values there.
    memory: Memory,
    values: &'a [(At, Value)],
    /// Types of handles of which some value says how large the stand-in memory is.
    with_memory: HashSet<u32>,
    /// An expression that was resolved since this was cleared reads `errno`.
    reads_errno: bool,
}

fn size(size: &Size) -> Word {
    match size {
        Size::Nothing => Word::Number(0),
        Size::Bytes(bytes) => Word::Number(*bytes),
        size => Word::Size(size.clone()),
    }
}

/// Converts a number to 128 bits. Numbers out of range become the nearest number in range.
fn int(value: &Int) -> i128 {
    value.to_i128().unwrap_or(if value.is_negative() { i128::MIN } else { i128::MAX })
}

fn number(number: &Number) -> words::Scalar<InC> {
    let Number { is_signed, is_char, is_float, .. } = *number;
    words::Scalar { is_signed, is_char, is_float, bytes: size(&number.size) }
}

impl<'a> Resolver<'a> {
    fn text(&mut self, text: &str) -> u32 {
        self.texts.of(text.to_owned())
    }

    fn native(&mut self, native: Native) -> u32 {
        let is_about_memory = !matches!(native.text, NativeText::Utility(_) | NativeText::Fn(_));
        let context = is_about_memory.then_some(native.context);
        let position = self.asked.of((context, native.text.clone(), native.operands));
        if position as usize == self.natives.len() {
            self.natives.push(native);
        }
        position
    }

    fn plan(&mut self) -> words::Plan<InC> {
        let (library, plan) = (self.library, self.plan);
        let blocks = plan.blocks.iter().map(|block| self.block(block)).collect();
        let functions = library.functions.iter().zip(&plan.functions).map(|(function, call)| words::Function {
            name: self.text(&library.name_in_c(function.c.as_deref(), &function.name)),
            call: call.as_ref().map(|call| self.call(call)),
        });
        let functions = functions.collect();
        let callbacks = plan.callbacks.iter().map(|call| self.call(call)).collect();
        let handles = (0..).zip(&library.handles).map(|(n, handle)| self.handle(HandleId(n), handle)).collect();
        let metadata = (0..).map(MetadataId).take(library.metadata.len()).map(|id| self.metadata(id)).collect();
        let resources = library.resources.iter().map(|resource| words::Resource {
            is_store: resource.kind == ResourceKind::Store,
            name: self.text(&resource.name),
        });
        words::Plan { resources: resources.collect(), handles, metadata, blocks, functions, callbacks }
    }

    fn handle(&mut self, id: HandleId, handle: &Handle) -> words::Handle<InC> {
        let members = handle.memory.and_then(|id| self.library.structs.get(id.index()));
        let members = members.map_or(&[][..], |def| def.members.as_slice());
        let (mut initial, mut computed) = (Vec::new(), Vec::new());
        for (n, member) in (0..).zip(members) {
            let (Some(value), Some(context)) = (&member.initial, handle.memory.map(Memory::Struct)) else { continue };
            let offset = Word::Offset(context, At::Member(n));
            let bytes = size(&Sizes { library: self.library }.size(&member.place));
            if let Some(value) = constant(value) {
                initial.push(words::Initial { offset, bytes, value: int(&value) });
            } else if let ExprKind::Code(code) = &value.kind {
                let text = NativeText::Expression(code.text.clone());
                computed.push(words::Computed {
                    offset,
                    bytes,
                    native: self.native(Native { context, text, operands: 0 }),
                });
            }
        }
        words::Handle {
            has_memory: handle.memory.is_some() || self.with_memory.contains(&(id.index() as u32)),
            name: self.text(&handle.name),
            bytes: size(&Size::Handle(id)),
            parent: handle.parent.map(|parent| parent.index() as u32),
            memory: size(&handle.memory.map_or(Size::Nothing, Size::Struct)),
            initial,
            computed,
            members: self.plan.handles.get(id.index()).copied().flatten().map(|block| block.index() as u32),
            facts: Facts(()),
        }
    }

    fn metadata(&mut self, id: MetadataId) -> words::Metadata {
        let library = self.library;
        let members = library.metadata.get(id.index()).map_or(&[][..], |metadata| metadata.members.as_slice());
        let owner = self.owner(id);
        let mut slots = Vec::new();
        for (n, member) in (0..).zip(members) {
            let one = words::MetadataMember {
                is_scope: matches!(member.place.ty, Type::Lifetime),
                name: self.text(&member.name),
            };
            slots.extend(std::iter::repeat_n(one, metadata_elements(library, id, n).unwrap_or(1) as usize));
        }
        words::Metadata { owner: self.text(&owner), members: slots }
    }

    /// Where a member of metadata lies among the numbers that are attached: an inline array has one for each element.
    fn slot(&self, of: MetadataId, member: u32) -> words::Slot {
        let before = (0..member).map(|before| metadata_elements(self.library, of, before).unwrap_or(1));
        words::Slot { of: of.index() as u32, member: before.sum() }
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

    fn block(&mut self, block: &'a Block) -> words::Block<InC> {
        (self.memory, self.values) = (block.memory, &block.values);
        let bytes = match block.memory {
            Memory::Arguments(id) => Size::Arguments(id),
            Memory::CallbackArguments(id) => Size::CallbackArguments(id),
            Memory::Struct(id) | Memory::Live(id, _) => Size::Struct(id),
        };
        let values = block.values.iter().map(|(at, value)| words::Value {
            is_result: *at == At::Ret,
            name: self.text(name_of(self.library, block.memory, *at)),
            offset: Word::Offset(block.memory, *at),
            ..self.value(value)
        });
        words::Block {
            values: values.collect(),
            name: self.text(&name_of_memory(self.library, block.memory)),
            bytes: size(&bytes),
            snapshots: self.codes(&block.olds),
            facts: Facts(()),
        }
    }

    /// A value that begins where what is around it does, and has no name: an element, a case.
    fn value(&mut self, value: &Value) -> words::Value<InC> {
        words::Value {
            copy_in: value.copy_in,
            copy_out: value.copy_out,
            is_result: false,
            name: self.text(""),
            offset: Word::Number(0),
            on: self.maybe(&value.on),
            kind: self.kind(&value.kind),
        }
    }

    fn kind(&mut self, kind: &Kind) -> words::Kind<InC> {
        use words::Kind as K;
        match kind {
            Kind::Nothing => K::Nothing,
            Kind::Scalar { scalar, size } => K::Scalar {
                scalar: number(&Number::of(*scalar, size.clone())),
                wire: Word::Number(scalar.wire_bytes()),
            },
            Kind::Enum { bytes: wire, is_signed, size: bytes } => K::Scalar {
                scalar: words::Scalar { is_signed: *is_signed, ..words::Scalar::unsigned(size(bytes)) },
                wire: Word::Number(*wire),
            },
            Kind::Address { is_own } => K::Address { is_own: *is_own },
            Kind::Handle { of, size: bytes, is_new, is_own, room, is_optional } => {
                let of = of.index() as u32;
                self.with_memory.extend(room.is_some().then_some(of));
                K::Handle(words::HandleValue {
                    is_new: *is_new,
                    is_own: *is_own,
                    is_optional: *is_optional,
                    of,
                    bytes: size(bytes),
                    capacity: self.maybe(room),
                })
            }
            Kind::Block(id) => K::Block(id.index() as u32),
            Kind::Array { count, valid, is_valid_known, stride, element } => K::Array(Box::new(words::Array {
                is_valid_known: *is_valid_known,
                stride: size(stride),
                count: self.code(count),
                valid: self.maybe(valid),
                element: self.value(element),
                facts: Facts(()),
            })),
            Kind::Buffer(buffer) => K::Buffer(Box::new(self.buffer(buffer))),
            Kind::Callback { of, lifetime, is_optional } => K::Callback {
                of: of.index() as u32,
                is_optional: *is_optional,
                lifetime: match lifetime {
                    Lifetime::Call | Lifetime::Callback(_) if self.is_once(*of) => words::Lifetime::Once(Vec::new()),
                    lifetime => self.lifetime(lifetime),
                },
            },
            Kind::Userdata { of, lifetime } => {
                let is_once = |code: &&Code| self.callback(code).is_some_and(|id| self.is_once(id));
                let once: Vec<Code> = of.iter().filter(is_once).cloned().collect();
                let lifetime = match lifetime {
                    Lifetime::Call | Lifetime::Callback(_) if !once.is_empty() => {
                        words::Lifetime::Once(self.codes(&once))
                    }
                    lifetime => self.lifetime(lifetime),
                };
                let of = of.iter().map(|code| words::Tagged {
                    callback: self.callback(code).map(|id| id.index() as u32),
                    function: self.code(code),
                });
                K::Userdata { of: of.collect(), lifetime }
            }
            Kind::Within { region, is_optional } => K::Within { is_optional: *is_optional, region: self.maybe(region) },
            Kind::File { is_descriptor, size: bytes, is_in, is_out, lifetime } => K::File(Box::new(words::File {
                is_descriptor: *is_descriptor,
                is_in: *is_in,
                is_out: *is_out,
                bytes: size(bytes),
                lifetime: self.lifetime(lifetime),
            })),
            Kind::Function(name) => K::Function(self.code(name)),
            Kind::Stream { is_in, is_out } => K::Stream { is_in: *is_in, is_out: *is_out },
            Kind::Match { value, arms, default } => K::Match(Box::new(words::Match {
                value: self.code(value),
                arms: arms
                    .iter()
                    .map(|(ranges, value)| words::Arm {
                        ranges: ranges.iter().map(|(from, to)| (int(from), int(to))).collect(),
                        value: self.value(value),
                    })
                    .collect(),
                default: default.as_deref().map(|value| self.value(value)),
                facts: Facts(()),
            })),
            Kind::Local { size: bytes } => K::Local { bytes: size(bytes) },
        }
    }

    fn buffer(&mut self, buffer: &Buffer) -> words::Buffer<InC> {
        let function = |id: FunctionId| id.index() as u32;
        words::Buffer {
            is_in: buffer.is_in,
            is_out: buffer.is_out,
            is_optional: buffer.is_optional,
            is_shared: buffer.zero_copy.is_some(),
            is_pinned: buffer.zero_copy == Some(ZeroCopy::Physical),
            is_measured: buffer.is_measured,
            has_always_memory: buffer.has_always_room,
            is_constant: buffer.is_constant,
            is_valid_known: buffer.is_valid_known,
            ownership: buffer.ownership,
            stride: size(&buffer.stride),
            alignment: buffer.align.map_or(0, u32::trailing_zeros),
            lifetime: self.lifetime(&buffer.lifetime),
            allocate: buffer.allocator.and_then(|allocator| allocator.allocate).map(function),
            free: buffer.allocator.map(|allocator| function(allocator.free)),
            count: self.maybe(&buffer.count),
            until: buffer
                .until
                .as_ref()
                .map(|until| words::Until { scalar: number(&until.compared), value: self.code(&until.value) }),
            valid: self.maybe(&buffer.valid),
            element: self.value(&buffer.element),
            facts: Facts(()),
        }
    }

    /// The callback in the same block that an expression names.
    fn callback(&self, code: &Code) -> Option<CallbackId> {
        let last = code.ops.iter().rev().find_map(|op| match op {
            Op::Field(memory, at) => Some((*memory, *at)),
            _ => None,
        });
        let (_, at) = last.filter(|(memory, _)| *memory == self.memory)?;
        let (_, value) = self.values.iter().find(|(other, _)| *other == at)?;
        match value.kind {
            Kind::Callback { of, .. } => Some(of),
            _ => None,
        }
    }

    /// Whether a callback is called once, maybe after the registering call returned.
    fn is_once(&self, id: CallbackId) -> bool {
        self.plan.callbacks.get(id.index()).is_some_and(|call| call.is_once)
    }

    fn lifetime(&mut self, lifetime: &Lifetime) -> words::Lifetime<InC> {
        use words::Lifetime as L;
        match lifetime {
            Lifetime::Call => L::Call,
            Lifetime::Static => L::Static,
            Lifetime::Manual => L::Manual,
            Lifetime::Handle(of, code) => L::Handle(of.index() as u32, self.code(code)),
            Lifetime::MirroredStruct(code) => L::MirroredStruct(self.code(code)),
            Lifetime::Scope(of, member, code) => L::Scope(self.slot(*of, *member), self.code(code)),
            Lifetime::Callback(code) => L::Callback(self.code(code)),
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
