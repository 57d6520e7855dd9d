//! Memory for `out` arguments that the caller leaves out. (Language, "Rules that hold everywhere", rule 5)
//!
//! In a size query such as `out [T; n]? @valid(min(n, count[0])), count: out [u32; 1]?` the caller may pass null for `count`,
//! and the expression needs it all the same. So the library gets memory for it.

use std::collections::HashSet;

use super::block::has_identifier;
use super::name::name_of;
use super::read::{Place, Reading, Scene};
use super::{At, Block, BlockId, Buffer, Call, Code, Effect, Kind, Op, Plan, Target, Value};
use crate::contract::library::Library;

/// Marks the optional `out` arguments of a call that an expression at exit names. Returns those optional `out` members of structs
/// that such an expression names: for them there is no mark, as their pointers lie in the caller's own memory.
pub(super) fn mark(library: &Library, plan: &mut Plan, call: &Call) -> Vec<Place> {
    let mut exit = Exit { library, plan, enclosing: vec![call.arguments], open: HashSet::new(), named: Vec::new() };
    exit.call(call);
    let arguments = plan.blocks.get(call.arguments.index()).map(|block| block.memory);
    let (own, others): (Vec<Place>, Vec<Place>) =
        exit.named.into_iter().partition(|(memory, _)| Some(*memory) == arguments);
    let values = plan.blocks.get_mut(call.arguments.index()).into_iter().flat_map(|block| &mut block.values);
    for (_, value) in values.filter(|(at, _)| own.iter().any(|(_, named)| named == at)) {
        each_optional_out(value, &mut |buffer| buffer.has_always_room = true);
    }
    others
}

/// The buffers of a value that the caller may leave out and that only come back, in each case of a choice.
fn each_optional_out(value: &mut Value, mark: &mut impl FnMut(&mut Buffer)) {
    match &mut value.kind {
        Kind::Buffer(buffer) if is_optional_out(buffer) => mark(buffer),
        Kind::Match { arms, default, .. } => {
            let cases = arms.iter_mut().map(|(_, value)| value).chain(default.as_deref_mut());
            cases.for_each(|value| each_optional_out(value, mark));
        }
        _ => {}
    }
}

fn is_optional_out(buffer: &Buffer) -> bool {
    buffer.is_optional && buffer.is_out && !buffer.is_in
}

fn may_be_optional_out(value: &Value) -> bool {
    match &value.kind {
        Kind::Buffer(buffer) => is_optional_out(buffer),
        Kind::Match { arms, default, .. } => {
            arms.iter().map(|(_, value)| value).chain(default.as_deref()).any(may_be_optional_out)
        }
        _ => false,
    }
}

/// What expressions of a call are part of, rather than of a value.
static NOTHING: Value = Value::NOTHING;

/// Collects what the expressions name that a call evaluates at exit.
struct Exit<'a> {
    library: &'a Library,
    plan: &'a Plan,
    /// The blocks around, the arguments first.
    enclosing: Vec<BlockId>,
    open: HashSet<BlockId>,
    named: Vec<Place>,
}

impl<'a> Exit<'a> {
    fn call(&mut self, call: &Call) {
        let Some(block) = self.plan.blocks.get(call.arguments.index()) else { return };
        let implicits = call.implicits.iter().filter(|implicit| implicit.at_exit).map(|implicit| &implicit.value);
        let success = call.success.iter().map(|success| &success.then);
        let finals = call.timing.iter().filter_map(|timing| timing.then.until.as_ref());
        let effects = call.effects.iter().flat_map(|effect| codes_of(&effect.then));
        for code in implicits.chain(success).chain(finals).chain(effects) {
            self.code((block.memory, At::Ret), &NOTHING, code);
        }
        self.block(block);
    }

    fn block(&mut self, block: &'a Block) {
        for (at, value) in &block.values {
            self.value((block.memory, *at), value);
        }
    }

    /// What decides at exit about a value, and about all that lies in or behind it.
    fn value(&mut self, of: Place, value: &'a Value) {
        value.on.iter().for_each(|on| self.code(of, value, on));
        match &value.kind {
            Kind::Block(id) => {
                let Some(block) = self.plan.blocks.get(id.index()) else { return };
                if self.open.insert(*id) {
                    self.enclosing.push(*id);
                    self.block(block);
                    self.enclosing.pop();
                }
            }
            Kind::Array { count, valid, element, .. } => {
                if value.copy_out {
                    valid.iter().for_each(|valid| self.code(of, value, valid));
                }
                if !value.copy_in {
                    self.code(of, value, count);
                }
                self.value(of, element);
            }
            Kind::Buffer(buffer) => {
                if buffer.is_out {
                    buffer.valid.iter().for_each(|valid| self.code(of, value, valid));
                }
                if !value.copy_in {
                    let until = buffer.until.as_ref().map(|until| &until.value);
                    buffer.count.iter().chain(until).for_each(|code| self.code(of, value, code));
                }
                self.value(of, &buffer.element);
            }
            Kind::Handle { room: Some(room), .. } if value.copy_out => self.code(of, value, room),
            Kind::Match { value: number, arms, default } => {
                if !value.copy_in {
                    self.code(of, value, number);
                }
                for case in arms.iter().map(|(_, case)| case).chain(default.as_deref()) {
                    self.value(of, case);
                }
            }
            _ => {}
        }
    }

    fn code(&mut self, of: Place, value: &'a Value, code: &Code) {
        let plan = self.plan;
        let scene = Scene { plan, enclosing: &self.enclosing, this: Reading { of, value } };
        let named: Vec<Place> = scene
            .reads_beyond_null(code)
            .into_iter()
            .filter(|reading| reading.of != of && may_be_optional_out(reading.value))
            .map(|reading| reading.of)
            .collect();
        self.named.extend(named);
        // Text of C names arguments too.
        for op in &code.ops {
            let Op::Native(memory, text) = op else { continue };
            let blocks = self.enclosing.iter().filter_map(|id| plan.blocks.get(id.index()));
            let values = blocks.filter(|block| block.memory == *memory).flat_map(|block| &block.values);
            let named = values.filter(|(at, value)| {
                may_be_optional_out(value) && has_identifier(text, name_of(self.library, *memory, *at))
            });
            self.named.extend(named.map(|(at, _)| (*memory, *at)).filter(|named| *named != of));
        }
    }
}

/// The expressions of an effect that are evaluated at exit.
fn codes_of(effect: &Effect) -> Vec<&Code> {
    match effect {
        Effect::Set(store) => {
            let target = match &store.target {
                Target::Memory(code, _)
                | Target::Pointer(code)
                | Target::Metadata(_, _, code)
                | Target::MetadataElement(_, _, _, code) => Some(code),
                Target::Errno => None,
            };
            target.into_iter().chain([&store.value]).collect()
        }
        Effect::Ends(_, _, code) => vec![code],
        Effect::Account { amount, at_entry: false, .. } => vec![amount],
        Effect::Account { .. } | Effect::Snapshot(..) => Vec::new(),
        Effect::Record(codes) | Effect::DependsOn(codes) => codes.iter().collect(),
    }
}
