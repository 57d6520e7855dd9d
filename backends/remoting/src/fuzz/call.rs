//! Functions of the API are called, and callbacks are there to be called.

use std::collections::BTreeSet;

use lapis_cx::contract::library::clause::Mode;
use lapis_cx::lower::plan::{BlockId, Call, Code, Conditional, Effect, Kind, Ownership, Plan, Target, Value};
use lapis_cx_backend_c::library::{declared, function_name};

use super::code::{self, Place, Stage, Why};
use super::{Phase, Printed, Printer, line};
use crate::{Passed, ctype, guest, naming, words};

impl Printer<'_> {
    /// Prints the call of a function.
    pub(super) fn function(&mut self, at: usize, passed: Option<Passed>) -> Result<Printed, Why> {
        let unit = self.unit;
        let library = unit.library;
        let (Some(function), Some(plan)) = (library.functions.get(at), unit.plan.functions.get(at)) else {
            return Err("a function that is not there");
        };
        if !guest::is_exported(function) {
            return Err("only another function gives its address (`by_name`)");
        }
        let Some(call) = plan else { return Err(crate::without_call(function)) };
        if !matches!(passed, Some(Passed::Fixed)) {
            return Err("variable arguments");
        }
        self.uses = BTreeSet::new();
        let make = self.block(call.arguments, Phase::Make)?;
        let see = self.block(call.arguments, Phase::See)?;
        let arguments = unit.names.arguments(function);
        let mut out = format!(
            "{{\n    {arguments} a;\n    memset(&a, 0, sizeof a);\n    const cxf_scope root[1] = {{{{ (uintptr_t)&a, \
             (uintptr_t)&a, 0, NULL }}}};\n    cxf_begin(c, &a, sizeof a);\n    {make}(c, root, root);\n"
        );
        for required in &call.requires {
            let holds = format!("!cxf_holds({})", self.of_call(&required.then.0, Stage::Entry)?);
            let condition = self.condition(required, Stage::Entry)?;
            line(&mut out, 1, &format!("{condition}if ({holds}) c->has_failed |= cxf.is_honest;"));
        }
        line(&mut out, 1, "if (c->has_failed) return false;");
        for timing in &call.timing {
            let is_async = timing.then.mode != Mode::Sync;
            if is_async || timing.condition.is_some() || call.timing.len() > 1 {
                let condition = self.condition(timing, Stage::Entry)?;
                line(&mut out, 1, &format!("{condition}c->is_async = {is_async};"));
            }
        }
        line(&mut out, 1, "cxf_make(c);");
        let list: Vec<String> =
            ctype::params(library, function).iter().map(|param| format!("a.{}", naming::member(param.name))).collect();
        let result = ctype::result(library, function).map_or_else(String::new, |_| format!("a.{} = ", naming::RESULT));
        // In parentheses it is no macro with arguments; one that gives it another name is the header's business.
        line(&mut out, 1, &format!("{result}({})({});", function_name(library, function), list.join(", ")));
        line(&mut out, 1, "c->error = errno;");
        line(&mut out, 1, "c->has_succeeded = true;");
        for success in &call.success {
            let holds = self.of_call(&success.then, Stage::Exit)?;
            let condition = self.condition(success, Stage::Exit)?;
            line(&mut out, 1, &format!("{condition}c->has_succeeded = cxf_holds({holds});"));
        }
        line(&mut out, 1, &format!("{see}(c, root, root, c->has_succeeded);"));
        let is_unlike = self.effects(call, &mut out)?;
        line(&mut out, 1, "cxf_end(c);");
        line(&mut out, 1, "return true;");
        out += "}\n";
        let ends = Search { plan: &unit.plan, seen: Vec::new() }.block(call.arguments);
        let flags = match (is_unlike, ends) {
            (false, false) => "0",
            (true, false) => "CXF_UNLIKE",
            (false, true) => "CXF_ENDS",
            (true, true) => "CXF_UNLIKE | CXF_ENDS",
        };
        let name = words::literal(&function.name);
        Ok(Printed {
            head: format!("static bool cxf_call_{at}(cxf_call *c)"),
            text: out,
            uses: std::mem::take(&mut self.uses),
            row: format!("{{ {name}, cxf_call_{at}, {flags} }}"),
        })
    }

    /// What is remembered of objects: whether something happens that the library itself does not do.
    fn effects(&mut self, call: &Call, out: &mut String) -> Result<bool, Why> {
        let mut is_unlike = !call.c_text.is_empty() || !call.passes.is_empty();
        for effect in &call.effects {
            let Effect::Set(store) = &effect.then else { continue };
            let Target::Metadata(of, member, key) = &store.target else {
                is_unlike = true;
                continue;
            };
            let condition = self.condition(effect, Stage::Exit)?;
            let (key, value) = (self.of_call(key, Stage::Exit)?, self.of_call(&store.value, Stage::Exit)?);
            let of = of.index();
            line(out, 1, &format!("if (c->has_succeeded) {condition}cxf_attach({of}, {key}, {member}, {value});"));
        }
        Ok(is_unlike)
    }

    /// An expression of the arguments.
    fn of_call(&self, code: &Code, stage: Stage) -> Result<String, Why> {
        code::number(self.unit, code, Place { scope: "root", stage, olds: &[] })
    }

    fn condition<T>(&self, conditional: &Conditional<T>, stage: Stage) -> Result<String, Why> {
        let Some(condition) = &conditional.condition else { return Ok(String::new()) };
        Ok(format!("if (cxf_holds({})) ", self.of_call(condition, stage)?))
    }

    /// Prints a function that the library calls.
    pub(super) fn callback(&mut self, at: usize) -> Result<Printed, Why> {
        let unit = self.unit;
        let library = unit.library;
        let (Some(callback), Some(call)) = (library.callbacks.get(at), unit.plan.callbacks.get(at)) else {
            return Err("a callback that is not there");
        };
        // A callback that takes callbacks would need them before it is there.
        self.callbacks = vec![Err("a callback that takes callbacks"); library.callbacks.len()];
        self.uses = BTreeSet::new();
        let hear = self.block(call.arguments, Phase::Hear)?;
        let tell = self.block(call.arguments, Phase::Tell)?;
        let arguments = unit.names.callback_arguments(callback);
        let list = ctype::list(library, callback, naming::member);
        let head = declared(&ctype::declared_result(library, callback), &format!("cxf_callback_{at}({list})"));
        let mut out = format!(
            "{{\n    {arguments} a;\n    cxf_call c[1];\n    memset(&a, 0, sizeof a);\n    const cxf_scope root[1] = {{{{ \
             (uintptr_t)&a, (uintptr_t)&a, 0, NULL }}}};\n"
        );
        for param in ctype::params(library, callback) {
            let member = naming::member(param.name);
            line(&mut out, 1, &format!("a.{member} = {member};"));
        }
        line(&mut out, 1, "cxf_called(c);");
        line(&mut out, 1, &format!("{hear}(c, root, root, true);"));
        line(&mut out, 1, "cxf_answer(c);");
        line(&mut out, 1, &format!("{tell}(c, root, root);"));
        if ctype::result(library, callback).is_some() {
            line(&mut out, 1, &format!("return a.{};", naming::RESULT));
        }
        out += "}\n";
        let uses = std::mem::take(&mut self.uses);
        Ok(Printed { head: format!("static {head}"), text: out, uses, row: String::new() })
    }
}

/// Looks for arguments that end something.
struct Search<'a> {
    plan: &'a Plan,
    seen: Vec<BlockId>,
}

impl Search<'_> {
    fn block(&mut self, id: BlockId) -> bool {
        if self.seen.contains(&id) {
            return false;
        }
        self.seen.push(id);
        let plan = self.plan;
        plan.blocks.get(id.index()).is_some_and(|block| block.values.iter().any(|(_, value)| self.value(value)))
    }

    fn value(&mut self, value: &Value) -> bool {
        match &value.kind {
            Kind::Handle { is_own, .. } | Kind::Address { is_own } => *is_own,
            Kind::Block(id) => self.block(*id),
            Kind::Array { element, .. } => self.value(element),
            Kind::Buffer(buffer) => {
                matches!(buffer.ownership, Ownership::Taken | Ownership::EndsMirroredStruct)
                    || self.value(&buffer.element)
            }
            Kind::Match { arms, default, .. } => {
                arms.iter().map(|(_, arm)| arm).chain(default.as_deref()).any(|arm| self.value(arm))
            }
            _ => false,
        }
    }
}
