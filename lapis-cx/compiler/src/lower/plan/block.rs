//! Places become values of blocks.

use super::code::{Frame, Frames, MAX_STEPS};
use super::name::name_of;
use super::order::in_order;
use super::{At, Block, BlockId, Buffer, Code, Kind, Lifetime, Memory, Op, Ownership, Until, Value};
use crate::contract::library::clause::{Root, Step};
use crate::contract::library::expr::{Expr, ExprKind, ValueKind, When};
use crate::contract::library::place::{self, Declared, Place, Type};
use crate::contract::library::{Function, Library, StructId};
use crate::int::Int;

/// How many structs may lie in or behind each other.
const MAX_OPEN: usize = 60;

/// How many blocks a library has at most: a struct that names things of its place of use has one for each.
const MAX_BLOCKS: usize = 1 << 14;

/// What travels of the memory around a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flow {
    pub copy_in: bool,
    pub copy_out: bool,
}

/// An `arg` clause: another type for a place inside of an argument.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Refinement<'a> {
    /// All of them must hold; each holds if its expression has that truth value.
    pub conditions: Vec<(&'a Expr, bool)>,
    /// Where, from here.
    pub steps: &'a [Step],
    /// The place, whole.
    pub to: &'a Place,
}

/// What makes two uses of a struct the same.
#[derive(Clone, Debug, PartialEq)]
struct Use<'a> {
    memory: Memory,
    outer: &'a [Expr],
    flow: Flow,
    is_unsent: bool,
    refinements: Vec<Refinement<'a>>,
}

/// Plans one function after the other; blocks are shared where they can be.
pub(super) struct Planner<'a> {
    pub frames: Frames<'a>,
    pub blocks: Vec<Block>,
    /// Blocks that depend on nothing around them.
    known: Vec<(Use<'a>, BlockId)>,
    /// Blocks that are being made.
    open: Vec<(Use<'a>, BlockId)>,
    /// The C type of the elements that are being planned, if the specification gives that of the buffer around them.
    element_type: Option<&'a str>,
    /// Whether the values that are being planned are the elements of `local` memory: none of them is sent, whatever directions they have.
    is_unsent: bool,
}

impl<'a> Planner<'a> {
    pub fn new(library: &'a Library, function: &'a Function) -> Planner<'a> {
        let frames = Frames {
            library,
            function,
            names: Vec::new(),
            at: None,
            this: None,
            measured: Vec::new(),
            circles: Vec::new(),
            unclear: Vec::new(),
            fractions: Vec::new(),
            is_at_element: false,
            left: MAX_STEPS,
            depth: 0,
            is_too_large: false,
            is_passed: false,
            is_at_both: false,
            is_at_entry: false,
            case: None,
            stack: Vec::new(),
        };
        Planner {
            frames,
            blocks: Vec::new(),
            known: Vec::new(),
            open: Vec::new(),
            element_type: None,
            is_unsent: false,
        }
    }

    /// Begins a function, whose arguments are the outermost block.
    pub fn begin(&mut self, function: &'a Function, memory: Memory) {
        self.frames.function = function;
        self.frames.names = function.params.iter().map(|param| param.name.clone()).collect();
        self.frames.stack = vec![Frame { memory, outer: &[], olds: Vec::new(), elements: 0 }];
    }

    /// Ends it with these values.
    pub fn finish(&mut self, memory: Memory, values: Vec<(At, Value)>) -> BlockId {
        let olds = self.frames.stack.pop().map(|frame| frame.olds).unwrap_or_default();
        let values = in_order(values, memory, &self.blocks);
        self.blocks.push(Block { memory, values, olds });
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// The struct behind a handle, whose members the worker sends to the caller; `None` if all members are `local`.
    pub fn public_struct(&mut self, id: StructId) -> Option<BlockId> {
        let id = self.block(Memory::Struct(id), &[], Flow { copy_in: false, copy_out: true }, &[]);
        let is_copied = |(_, value): &(At, Value)| !matches!(value.kind, Kind::Nothing | Kind::Local { .. });
        self.blocks.get(id.index()).filter(|block| block.values.iter().any(is_copied)).map(|_| id)
    }

    /// The arguments of the function, with what its `arg` clauses say.
    pub fn arguments(&mut self, refinements: &[(Root, Refinement<'a>)]) -> Vec<(At, Value)> {
        let of = |root: Root| -> Vec<Refinement<'a>> {
            refinements.iter().filter(|(of, _)| *of == root).map(|(_, one)| one.clone()).collect()
        };
        let function = self.frames.function;
        let mut values = Vec::new();
        for (n, param) in (0..).zip(&function.params) {
            let flow = Flow { copy_in: true, copy_out: false };
            self.frames.enter(At::Param(n));
            values.push((At::Param(n), self.value(&param.place, flow, false, &of(Root::Param(n)))));
        }
        values.extend(self.variable_arguments(function));
        for (n, implicit) in (0..).zip(&function.implicits) {
            let at_exit = is_at_exit(&implicit.place);
            let flow = Flow { copy_in: !at_exit, copy_out: at_exit };
            self.frames.enter(At::Implicit(n));
            values.push((At::Implicit(n), self.value(&implicit.place, flow, false, &of(Root::Implicit(n)))));
        }
        if !matches!(function.result.ty, Type::Void) {
            let flow = Flow { copy_in: false, copy_out: true };
            self.frames.enter(At::Ret);
            values.push((At::Ret, self.value(&function.result, flow, true, &of(Root::Ret))));
        }
        values
    }

    /// A place in memory of which this travels. `inherits`: contents of a pointer travel with the memory around, unless the
    /// place has directions of its own.
    pub fn value(&mut self, place: &'a Place, flow: Flow, inherits: bool, refinements: &[Refinement<'a>]) -> Value {
        // The last clause wins. One under a condition leaves the others for when that does not hold.
        let mut others = refinements.to_vec();
        if let Some(at) = others.iter().rposition(|one| one.steps.is_empty()) {
            let later = others.split_off(at + 1);
            let Some(refinement) = others.pop() else { return Value::NOTHING };
            let to = self.value(refinement.to, flow, inherits, &later);
            if refinement.conditions.is_empty() {
                return to;
            }
            others.extend(later);
            let otherwise = self.value(place, flow, inherits, &others);
            let kind = Kind::Match {
                value: self.all_at_both(&refinement.conditions),
                arms: vec![(vec![(Int::from(1), Int::from(2))], to)],
                default: Some(Box::new(otherwise)),
            };
            return Value { copy_in: flow.copy_in, copy_out: flow.copy_out, on: None, kind };
        }
        self.unrefined(place, (flow, inherits), refinements)
    }

    /// Plans a value whose type no clause changes.
    fn unrefined(&mut self, place: &'a Place, (flow, inherits): (Flow, bool), refinements: &[Refinement<'a>]) -> Value {
        let d = place.directions;
        let says = d.input || d.output;
        let is_pointer = matches!(place.ty, Type::Buffer { .. } | Type::File | Type::Stream | Type::Match { .. });
        // A pointer travels with its block; what is said of its direction is said of the contents.
        let own = if says && !is_pointer { Flow { copy_in: d.input, copy_out: d.output } } else { flow };
        // Without a length there is no room that the library could be given: the pointer is its own.
        let is_theirs = inherits && !d.input && d.output && matches!(place.ty, Type::Buffer { len: None, .. });
        let own = if is_theirs { Flow { copy_in: false, ..own } } else { own };
        let around = self.frames.this.replace(place);
        let on = place.on.as_deref().filter(|_| !self.is_unsent).map(|e| self.frames.code(e));
        // A request carries the address of `local` memory with a length: the library needs the memory, and later arguments can name it.
        let has_address = own.copy_in && matches!(place.ty, Type::Buffer { len: Some(_), .. });
        let is_value_unsent = self.is_unsent || d.local && !has_address;
        let kind = if d.local && !has_address {
            Kind::Local { size: self.frames.sizes().size(place) }
        } else {
            self.kind(place, own, inherits, refinements)
        };
        self.frames.this = around;
        Value {
            copy_in: own.copy_in && !is_value_unsent,
            copy_out: own.copy_out && !self.is_unsent && !d.local,
            on,
            kind,
        }
    }

    /// Whether all conditions hold, which are those of the function.
    pub fn all(&mut self, conditions: &[(&'a Expr, bool)]) -> Code {
        use crate::contract::core::{BinaryOp, UnaryOp};
        let (mut ops, mut texts) = (Vec::new(), Vec::new());
        let is_inside = self.frames.stack.len() > 1;
        ops.extend(is_inside.then_some(Op::EnterArguments));
        for (n, (condition, holds)) in conditions.iter().enumerate() {
            let code = self.frames.code_of_arguments(condition);
            ops.extend(code.ops);
            ops.extend((!holds).then_some(Op::Unary(UnaryOp::LogicalNot)));
            ops.extend((n > 0).then_some(Op::Binary(BinaryOp::LogicalAnd)));
            texts.push(if *holds { code.text } else { format!("!({})", code.text) });
        }
        ops.extend(is_inside.then_some(Op::Leave));
        Code { ops, text: texts.join(" && ") }
    }

    /// Whether all conditions hold, for what is asked at entry and at exit.
    fn all_at_both(&mut self, conditions: &[(&'a Expr, bool)]) -> Code {
        self.frames.is_at_both = true;
        let code = self.all(conditions);
        self.frames.is_at_both = false;
        code
    }

    fn kind(&mut self, place: &'a Place, flow: Flow, inherits: bool, refinements: &[Refinement<'a>]) -> Kind {
        let d = place.directions;
        let is_optional = place.optional;
        match &place.ty {
            Type::Void | Type::Lifetime | Type::Tuple(_) => Kind::Nothing,
            Type::Scalar(scalar) => Kind::Scalar { scalar: *scalar, size: self.frames.sizes().size(place) },
            Type::Enum(id) => {
                let (bytes, is_signed) = self.frames.sizes().base(*id);
                Kind::Enum { bytes, is_signed, size: self.frames.sizes().size(place) }
            }
            Type::Ptr => Kind::Address { is_own: d.own },
            Type::Handle(of) => {
                let room = place.room.as_deref().map(|e| self.frames.code(e));
                Kind::Handle {
                    of: *of,
                    size: self.frames.sizes().size(place),
                    is_new: d.new,
                    is_own: d.own,
                    room,
                    is_optional,
                }
            }
            Type::Struct { id, outer } => Kind::Block(self.block(Memory::Struct(*id), outer, flow, refinements)),
            Type::Live { id, member, outer } => {
                Kind::Block(self.block(Memory::Live(*id, *member), outer, flow, refinements))
            }
            Type::Callback(of) => Kind::Callback { of: *of, lifetime: self.lifetime(place), is_optional },
            Type::Buffer { element, len, until } => {
                let lengths = (len.as_deref(), until.as_deref());
                let flow = if inherits { flow } else { Flow { copy_in: false, copy_out: false } };
                Kind::Buffer(Box::new(self.buffer(place, element, lengths, flow, refinements)))
            }
            Type::Array { element, len } => {
                let count = self.frames.code_at_both(len);
                let stride = self.frames.sizes().size(element);
                self.in_elements(true);
                let element = self.value(element, flow, true, &inside(refinements, Step::Elements));
                self.in_elements(false);
                let (valid, is_valid_known) = self.valid(place);
                Kind::Array { count, valid, is_valid_known, stride, element: Box::new(element) }
            }
            Type::Match { value, arms, default } => {
                let value = self.frames.code_at_both(value);
                let lifetime = self.lifetime(place);
                let mut case = |case: &'a Place| {
                    // The lifetime and the `?` behind the choice hold for each case.
                    let mut value = self.unrefined(case, (flow, inherits), &[]);
                    inherit(&mut value.kind, is_optional, &lifetime);
                    value
                };
                let arms = arms.iter().map(|arm| (arm.patterns.clone(), case(&arm.place))).collect();
                Kind::Match { value, arms, default: default.as_deref().map(|place| Box::new(case(place))) }
            }
            Type::Within(region) => {
                Kind::Within { region: region.as_deref().map(|e| self.frames.code(e)), is_optional }
            }
            Type::Userdata(of) => {
                let lifetime = self.lifetime_of_tag(place, of);
                Kind::Userdata { of: of.iter().map(|e| self.frames.code(e)).collect(), lifetime }
            }
            Type::File => Kind::File {
                size: self.frames.sizes().size(place),
                is_descriptor: matches!(&place.c, Some(Declared::Type(place)) if matches!(place.ty, Type::Scalar(_))),
                is_in: d.input,
                is_out: d.output,
                lifetime: self.lifetime(place),
            },
            Type::Function(name) => Kind::Function(self.frames.code(name)),
            Type::Stream => Kind::Stream { is_in: d.input, is_out: d.output },
        }
    }

    /// A buffer, whose contents travel with `flow` unless it says otherwise.
    fn buffer(
        &mut self,
        place: &'a Place,
        element: &'a Place,
        (len, until): (Option<&'a Expr>, Option<&'a Expr>),
        flow: Flow,
        refinements: &[Refinement<'a>],
    ) -> Buffer {
        let d = place.directions;
        let is_unsent = self.is_unsent || d.local;
        let contents = match d {
            _ if is_unsent => Flow { copy_in: false, copy_out: false },
            place::Directions { input: false, output: false, .. } => flow,
            _ => Flow { copy_in: d.input, copy_out: d.output },
        };
        let is_struct = matches!(element.ty, Type::Struct { .. });
        let ownership = match (d, element.directions) {
            (place::Directions { new: true, .. }, _) => Ownership::Given,
            (place::Directions { own: true, .. }, _) => Ownership::Taken,
            (_, place::Directions { new: true, .. }) if is_struct => Ownership::MirroredStruct,
            (_, place::Directions { own: true, .. }) if is_struct => Ownership::EndsMirroredStruct,
            _ => Ownership::Borrowed,
        };
        let stride = self.frames.sizes().size(element);
        let c_type = place.c.as_ref().map_or(self.element_type, spelling);
        self.frames.is_passed = false;
        let count = len.map(|e| self.frames.code_at_both(e));
        let is_measured = count.as_ref().is_some_and(|count| self.reads_own_contents(count));
        // Without contents, there is no end of them, and none are valid.
        let until = until.filter(|_| !is_unsent);
        let (valid, is_valid_known) = if is_unsent { (None, false) } else { self.valid(place) };
        Buffer {
            is_measured,
            has_always_room: false,
            is_constant: c_type.map(has_constant_elements).unwrap_or(match self.frames.at {
                // A result without a C type is a pointer to constant elements.
                Some((_, At::Ret)) => ownership != Ownership::Given && !d.output,
                _ => !contents.copy_out && !d.local && ownership != Ownership::Given,
            }),
            count,
            until: until
                .map(|e| Until { compared: self.frames.sizes().compared(element), value: self.frames.code_at_both(e) }),
            valid,
            is_valid_known,
            element: {
                let inner = c_type.and_then(|text| Some(text.rsplit_once('*')?.0.trim_end()));
                let around = std::mem::replace(&mut self.element_type, inner);
                let is_outer_unsent = std::mem::replace(&mut self.is_unsent, is_unsent);
                self.in_elements(true);
                let element = self.value(element, contents, true, &inside(refinements, Step::Elements));
                self.in_elements(false);
                (self.element_type, self.is_unsent) = (around, is_outer_unsent);
                element
            },
            stride,
            is_in: contents.copy_in,
            is_out: contents.copy_out,
            is_optional: place.optional,
            lifetime: self.lifetime(place),
            ownership,
            allocator: place.allocator,
            zero_copy: place.zero_copy,
            align: place.align,
        }
    }

    /// What is planned next is an element of a list; `false`: no longer.
    fn in_elements(&mut self, is_inside: bool) {
        if let Some(frame) = self.frames.stack.last_mut() {
            frame.elements = if is_inside { frame.elements + 1 } else { frame.elements.saturating_sub(1) };
        }
    }

    /// Whether the number of elements of a buffer is read from the elements: by `strlen(self)`, by a function of C that gets the buffer, or by text
    /// of C that names it.
    fn reads_own_contents(&self, count: &Code) -> bool {
        let own = self.frames.at.map(|(memory, at)| (memory, name_of(self.frames.library, memory, at)));
        self.frames.is_passed
            || count.ops.iter().any(|op| match op {
                Op::Received => true,
                Op::Native(memory, text) => own.is_some_and(|(of, name)| of == *memory && has_identifier(text, name)),
                _ => false,
            })
    }

    /// Returns how many elements of a place are valid, and whether that can be evaluated before the call, without C code.
    fn valid(&mut self, place: &'a Place) -> (Option<Code>, bool) {
        let Some(e) = place.valid.as_deref() else { return (None, false) };
        let code = self.frames.code(e);
        let is_known = e.when == When::Entry && !code.ops.iter().any(|op| matches!(op, Op::Native(..)));
        (Some(code), is_known)
    }

    /// How long the registration of callbacks lives: as their tag says, else as the first of the callbacks says.
    fn lifetime_of_tag(&mut self, tag: &'a Place, of: &'a [Expr]) -> Lifetime {
        let level = self.frames.stack.len().saturating_sub(1);
        let callbacks = of.iter().filter_map(|e| self.frames.place(e, level)).filter(|place| may_be_callback(place));
        let said = [tag].into_iter().chain(callbacks).find(|place| place.lifetime.is_some());
        said.map_or(Lifetime::Call, |place| self.lifetime(place))
    }

    fn lifetime(&mut self, place: &'a Place) -> Lifetime {
        match &place.lifetime {
            None | Some(place::Lifetime::Call) => Lifetime::Call,
            Some(place::Lifetime::Static) => Lifetime::Static,
            Some(place::Lifetime::Manual) => Lifetime::Manual,
            Some(place::Lifetime::Until(e)) => self.until(e),
        }
    }

    fn until(&mut self, e: &'a Expr) -> Lifetime {
        let level = self.frames.stack.len().saturating_sub(1);
        let (named, depth) = self.frames.resolved(e, level);
        match (&named.value, &named.kind) {
            (ValueKind::Handle(id), _) => Lifetime::Handle(*id, self.frames.code(e)),
            (ValueKind::Scope, ExprKind::Metadata { base, of, member }) => {
                Lifetime::Scope(*of, *member, self.frames.code_of_outer(base, depth))
            }
            // The place of use says what a name in a struct is.
            _ if let Some(Type::Handle(id)) = self.frames.place(e, level).map(|place| &place.ty) => {
                Lifetime::Handle(*id, self.frames.code(e))
            }
            _ => {
                let is_callback = self.frames.place(e, level).is_some_and(may_be_callback);
                let code = self.frames.code(e);
                if is_callback { Lifetime::Callback(code) } else { Lifetime::MirroredStruct(code) }
            }
        }
    }

    /// The block of a struct, or of the live member of a union.
    fn block(&mut self, memory: Memory, outer: &'a [Expr], flow: Flow, refinements: &[Refinement<'a>]) -> BlockId {
        let this = Use { memory, outer, flow, is_unsent: self.is_unsent, refinements: refinements.to_vec() };
        if let Some((_, id)) = self.known.iter().chain(&self.open).find(|(known, _)| *known == this) {
            return *id;
        }
        let id = BlockId(self.blocks.len() as u32);
        if self.open.len() == MAX_OPEN || self.blocks.len() == MAX_BLOCKS {
            self.frames.is_too_large = true;
            return BlockId(0);
        }
        self.blocks.push(Block { memory, values: Vec::new(), olds: Vec::new() });
        self.open.push((this, id));
        self.frames.stack.push(Frame { memory, outer, olds: Vec::new(), elements: 0 });
        let element_type = self.element_type.take();
        let (Memory::Struct(of) | Memory::Live(of, _)) = memory else { return id };
        let members = self.members(of);
        let live = |n: u32| !matches!(memory, Memory::Live(_, live) if live != n);
        let mut values = Vec::new();
        for (n, place) in (0..).zip(members).filter(|(n, _)| live(*n)) {
            let around = self.frames.enter(At::Member(n));
            let value = self.value(place, flow, true, &inside(refinements, Step::Member(n)));
            self.frames.at = around;
            values.push((At::Member(n), value));
        }
        self.element_type = element_type;
        let olds = self.frames.stack.pop().map(|frame| frame.olds).unwrap_or_default();
        let values = in_order(values, memory, &self.blocks);
        if let Some(block) = self.blocks.get_mut(id.index()) {
            (block.values, block.olds) = (values, olds);
        }
        // What names the place around is that place's only.
        if let Some(made) = self.open.pop()
            && outer.is_empty()
            && refinements.is_empty()
        {
            self.known.push(made);
        }
        id
    }

    fn members(&self, of: StructId) -> impl Iterator<Item = &'a Place> + use<'a> {
        let library = self.frames.library;
        library.structs.get(of.index()).into_iter().flat_map(|def| &def.members).map(|member| &member.place)
    }
}

/// Returns the C type that a specification gives; of a type that is no pointer, it is empty. `None` if it gives only the type of the elements.
fn spelling(declared: &Declared) -> Option<&str> {
    match declared {
        Declared::Spelling(text) => Some(text),
        Declared::Type(declared) if matches!(declared.ty, Type::Buffer { .. }) => spelling(declared.c.as_ref()?),
        Declared::Type(_) => Some(""),
    }
}

/// Returns whether a C type is a pointer to constant elements.
fn has_constant_elements(c_type: &str) -> bool {
    c_type.rsplit_once('*').is_some_and(|(pointee, _)| {
        has_identifier(pointee.rsplit_once('*').map_or(pointee, |(_, elements)| elements), "const")
    })
}

/// Whether a place holds a callback, in some case at least.
fn may_be_callback(place: &Place) -> bool {
    match &place.ty {
        Type::Callback(_) => true,
        Type::Match { arms, default, .. } => {
            arms.iter().map(|arm| &arm.place).chain(default.as_deref()).any(may_be_callback)
        }
        _ => false,
    }
}

/// What is said of a choice is said of its cases: that it may be null, and a lifetime where they have none of their own.
fn inherit(kind: &mut Kind, may_be_null: bool, said: &Lifetime) {
    let inherit_lifetime = |own: &mut Lifetime| {
        if matches!(own, Lifetime::Call) {
            *own = said.clone();
        }
    };
    match kind {
        Kind::Buffer(buffer) => {
            buffer.is_optional |= may_be_null;
            inherit_lifetime(&mut buffer.lifetime);
        }
        Kind::Callback { lifetime, is_optional, .. } => {
            *is_optional |= may_be_null;
            inherit_lifetime(lifetime);
        }
        Kind::Handle { is_optional, .. } | Kind::Within { is_optional, .. } => *is_optional |= may_be_null,
        Kind::Userdata { lifetime, .. } | Kind::File { lifetime, .. } => inherit_lifetime(lifetime),
        Kind::Match { arms, default, .. } => {
            let cases = arms.iter_mut().map(|(_, case)| case).chain(default.as_deref_mut());
            cases.for_each(|case| inherit(&mut case.kind, may_be_null, said));
        }
        Kind::Nothing
        | Kind::Scalar { .. }
        | Kind::Enum { .. }
        | Kind::Address { .. }
        | Kind::Block(_)
        | Kind::Array { .. }
        | Kind::Function(_)
        | Kind::Local { .. }
        | Kind::Stream { .. } => {}
    }
}

/// Whether text of C contains an identifier.
pub fn has_identifier(text: &str, name: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).any(|word| word == name)
}

/// What is left of refinements one step further.
fn inside<'a>(refinements: &[Refinement<'a>], step: Step) -> Vec<Refinement<'a>> {
    let next = |one: &Refinement<'a>| {
        let (first, steps) = one.steps.split_first()?;
        (*first == step).then(|| Refinement { steps, ..one.clone() })
    };
    refinements.iter().filter_map(next).collect()
}

/// Whether an implicit argument is computed on the worker: it only comes back.
pub(super) fn is_at_exit(place: &Place) -> bool {
    place.directions.output && !place.directions.input
}
