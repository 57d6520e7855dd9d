//! Numbers that a specification names for a value: cases of enums, cases of choices, and what its expressions compare the value with.

use std::collections::{BTreeMap, BTreeSet};

use lapis_cx::contract::library::Library;
use lapis_cx::contract::library::place::{Place, Type};
use lapis_cx::int::Int;
use lapis_cx::lower::plan::{At, Call, Code, Kind, Memory, Op, Plan, Value};

/// Of how many values of an enum, a choice and the like.
const MOST: usize = 64;

/// The numbers for each value of a block.
#[derive(Default)]
pub struct Named(BTreeMap<String, BTreeSet<i64>>);

fn key(memory: Memory, at: At) -> String {
    format!("{memory:?} {at:?}")
}

impl Named {
    /// Those of a library.
    pub fn of(library: &Library, plan: &Plan) -> Named {
        let mut named = Named::default();
        for block in &plan.blocks {
            for (at, value) in &block.values {
                named.value(value);
                if let Some(place) = place(library, block.memory, *at) {
                    named.enums(library, place, &key(block.memory, *at));
                }
            }
        }
        plan.functions.iter().flatten().chain(&plan.callbacks).for_each(|call| named.call(call));
        named
    }

    /// Those of one value.
    pub fn numbers(&self, memory: Memory, at: At) -> Vec<i64> {
        self.0.get(&key(memory, at)).into_iter().flatten().take(MOST).copied().collect()
    }

    fn add(&mut self, key: &str, number: &Int) {
        if let Some(number) = number.to_i128().and_then(|number| i64::try_from(number).ok()) {
            self.0.entry(key.to_owned()).or_default().insert(number);
        }
    }

    fn enums(&mut self, library: &Library, place: &Place, key: &str) {
        match &place.ty {
            Type::Enum(id) => {
                let def = library.sections.first().and_then(|section| section.enums.get(id.index()));
                if let Some(def) = def {
                    def.cases.iter().for_each(|case| self.add(key, &case.pattern.wrap(def.width, def.signed)));
                }
            }
            Type::Buffer { element, .. } | Type::Array { element, .. } => self.enums(library, element, key),
            _ => {}
        }
    }

    /// The constants beside what a code reads, and these numbers.
    fn code(&mut self, code: &Code, more: &[&Int]) {
        let is_constant = |op: &Op| match op {
            Op::Int(value) => Some(value.clone()),
            _ => None,
        };
        let constants: Vec<Int> = code.ops.iter().filter_map(is_constant).collect();
        for pair in code.ops.windows(2) {
            if let [Op::Field(memory, at), Op::Load(_)] = pair {
                let key = key(*memory, *at);
                constants.iter().chain(more.iter().copied()).for_each(|number| self.add(&key, number));
            }
        }
    }

    fn value(&mut self, value: &Value) {
        match &value.kind {
            Kind::Match { value, arms, default } => {
                let patterns = || arms.iter().flat_map(|(patterns, _)| patterns);
                let lasts: Vec<Int> =
                    patterns().filter_map(|(_, end)| Some(Int::from(end.to_i128()?.checked_sub(1)?))).collect();
                let all: Vec<&Int> = patterns().flat_map(|(first, end)| [first, end]).chain(&lasts).collect();
                self.code(value, &all);
                arms.iter().map(|(_, arm)| arm).chain(default.as_deref()).for_each(|arm| self.value(arm));
            }
            Kind::Array { element, .. } => self.value(element),
            Kind::Buffer(buffer) => self.value(&buffer.element),
            _ => {}
        }
    }

    fn call(&mut self, call: &Call) {
        let conditions = call.timing.iter().map(|one| &one.condition);
        let conditions = conditions.chain(call.effects.iter().map(|one| &one.condition));
        let conditions = conditions.chain(call.success.iter().map(|one| &one.condition));
        conditions.flatten().for_each(|code| self.code(code, &[]));
        call.requires.iter().for_each(|one| self.code(&one.then.0, &[]));
    }
}

/// The place of a value.
pub fn place(library: &Library, memory: Memory, at: At) -> Option<&Place> {
    let function = match memory {
        Memory::Arguments(id) => library.functions.get(id.index()),
        Memory::CallbackArguments(id) => library.callbacks.get(id.index()),
        Memory::Struct(id) | Memory::Live(id, _) => {
            let At::Member(n) = at else { return None };
            return library.structs.get(id.index())?.members.get(n as usize).map(|member| &member.place);
        }
    }?;
    match at {
        At::Param(n) => function.params.get(n as usize).map(|param| &param.place),
        At::Implicit(n) => function.implicits.get(n as usize).map(|implicit| &implicit.place),
        At::Ret => Some(&function.result),
        At::Variable(..) | At::Member(_) => None,
    }
}
