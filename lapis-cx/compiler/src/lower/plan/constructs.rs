//! Uses of constructs that not every backend carries out, as far as only a plan shows them: what must come back from where.

use std::collections::HashSet;

use super::block::has_identifier;
use super::call::planned;
use super::name::{function_of, name_of, span_of};
use super::read::{Place, Reading, Scene};
use super::{At, BlockId, Call, Effect, Key, Kind, Lifetime, Memory, Op, Ownership, Plan, Value};
use crate::contract::library::clause::Mode;
use crate::contract::library::construct::{Construct, ConstructUse};
use crate::contract::library::expr::ExprKind;
use crate::contract::library::place::{self, Declared, Type};
use crate::contract::library::{CallbackId, FunctionId, HandleId, Library};
use crate::int::Int;
use crate::source::Span;

/// The uses that the plan of a library shows. [`Library::constructs`] has the others.
pub fn construct_uses(library: &Library) -> Vec<ConstructUse> {
    let (plan, faults) = planned(library);
    let mut finder = Finder { library, plan: &plan, found: Vec::new() };
    for of in faults.left_out {
        let what = format!("the optional `{}` of a struct, which an expression at exit reads", finder.name(of));
        finder.push(Construct::RoomInStruct, what, finder.span(of));
    }
    for span in faults.fractions {
        finder.push(Construct::Fraction, "a floating-point number in an expression".to_owned(), span);
    }
    for (n, call) in (0..).zip(&plan.functions) {
        let Some(call) = call else { continue };
        let memory = Memory::Arguments(FunctionId(n));
        finder.files(call);
        finder.choices(call);
        finder.passed_blocks(call);
        finder.unbound_userdata(call);
        finder.objects_given_back(call);
        finder.variable_arguments(memory, call);
        if call.timing.iter().any(|timing| timing.then.mode != Mode::Sync) {
            finder.async_function(memory, call);
        }
    }
    for (n, call) in (0..).zip(&plan.callbacks) {
        finder.files(call);
        finder.choices(call);
        finder.passed_blocks(call);
        finder.functions_of_callback(call);
        if call.timing.iter().any(|timing| timing.then.mode != Mode::Sync) {
            finder.async_callback(Memory::CallbackArguments(CallbackId(n)), call);
        }
    }
    for block in plan.handles.iter().flatten() {
        finder.public_struct(*block, &mut HashSet::new());
    }
    finder.tagged_buffers();
    finder.handles();
    finder.undefined();
    finder.found
}

struct Finder<'a> {
    library: &'a Library,
    plan: &'a Plan,
    found: Vec<ConstructUse>,
}

impl<'a> Finder<'a> {
    fn push(&mut self, construct: Construct, what: String, span: Span) {
        self.found.push(ConstructUse { construct, what, span });
    }

    fn name(&self, (memory, at): Place) -> &'a str {
        name_of(self.library, memory, at)
    }

    fn span(&self, (memory, at): Place) -> Span {
        span_of(self.library, memory, at).unwrap_or(self.library.span)
    }

    /// Every value of a call with the value among its arguments that it lies in or behind, each block once.
    fn values(&self, call: &Call) -> Vec<(Place, &'a Value)> {
        let mut all = Vec::new();
        let mut seen = HashSet::new();
        self.block(call.arguments, None, &mut seen, &mut all);
        all
    }

    fn block(&self, id: BlockId, root: Option<Place>, seen: &mut HashSet<BlockId>, all: &mut Vec<(Place, &'a Value)>) {
        let plan = self.plan;
        let Some(block) = plan.blocks.get(id.index()).filter(|_| seen.insert(id)) else { return };
        for (at, value) in &block.values {
            self.value(root.unwrap_or((block.memory, *at)), value, seen, all);
        }
    }

    fn value(&self, of: Place, value: &'a Value, seen: &mut HashSet<BlockId>, all: &mut Vec<(Place, &'a Value)>) {
        all.push((of, value));
        match &value.kind {
            Kind::Block(id) => self.block(*id, Some(of), seen, all),
            Kind::Array { element, .. } => self.value(of, element, seen, all),
            Kind::Buffer(buffer) => self.value(of, &buffer.element, seen, all),
            Kind::Match { arms, default, .. } => {
                for case in arms.iter().map(|(_, case)| case).chain(default.as_deref()) {
                    self.value(of, case, seen, all);
                }
            }
            _ => {}
        }
    }

    /// Files that the library opens.
    fn files(&mut self, call: &Call) {
        for (of, value) in self.values(call) {
            if matches!(value.kind, Kind::File { .. }) && value.copy_out && !value.copy_in {
                let what = format!("a file that comes back in `{}`", self.name(of));
                self.push(Construct::FileResult, what, self.span(of));
            }
        }
    }

    /// Buffers that the callee fills and that are something else when the call returns.
    fn choices(&mut self, call: &Call) {
        for (of, value) in self.values(call) {
            let Kind::Match { value: on, arms, default } = &value.kind else { continue };
            if on.ops.as_slice() != [Op::IsEntry] {
                continue;
            }
            let fills = |is_entry: i32| {
                let is_chosen = |ranges: &[(Int, Int)]| {
                    ranges.iter().any(|(from, to)| (from.clone()..to.clone()).contains(&Int::from(is_entry)))
                };
                let chosen = arms.iter().find(|(ranges, _)| is_chosen(ranges)).map(|(_, case)| case);
                let case = chosen.or(default.as_deref()).unwrap_or(&NOTHING);
                matches!(&case.kind, Kind::Buffer(buffer) if buffer.is_out)
            };
            if fills(1) && !fills(0) {
                let what = format!(
                    "contents of `{}` that come back in a case which holds only before the call",
                    self.name(of)
                );
                self.push(Construct::EntryContents, what, self.span(of));
            }
        }
    }

    /// Blocks whose receiver has freed them when results are sent and lifetimes are evaluated, and `own` in contents that are not sent.
    fn passed_blocks(&mut self, call: &Call) {
        for (of, value) in self.values(call) {
            let Kind::Buffer(buffer) = &value.kind else { continue };
            let mut inner = Vec::new();
            self.value(of, &buffer.element, &mut HashSet::new(), &mut inner);
            let is_sent = !value.copy_in || buffer.is_in || buffer.is_out;
            if !is_sent && inner.iter().any(|(_, value)| is_passed(value)) {
                let what = format!("`own` in the contents of `{}`, which are not sent", self.name(of));
                self.push(Construct::PassedContents, what, self.span(of));
            }
            if buffer.ownership != Ownership::Taken {
                continue;
            }
            if buffer.is_out || value.on.is_some() || inner.iter().any(|(_, value)| outlives_block(value)) {
                let what = format!("more of the `own` block `{}` than its contents", self.name(of));
                self.push(Construct::PassedContents, what, self.span(of));
            }
        }
    }

    /// Userdata that a function passes without callbacks: the worker's library knows it by the address that it got with them.
    fn unbound_userdata(&mut self, call: &Call) {
        for (of, value) in self.values(call) {
            let is_unbound = matches!(&value.kind, Kind::Userdata { of: functions, .. } if functions.is_empty());
            if is_unbound && value.copy_in {
                let what = format!("the userdata `{}` without callbacks", self.name(of));
                self.push(Construct::UnboundUserdata, what, self.span(of));
            }
        }
    }

    /// Objects of a kind that the call takes with `own` and gives back with `new`. Where the result is the object that was taken, it lives on, which
    /// the worker finds out for results and `out` arguments of synchronous calls only.
    fn objects_given_back(&mut self, call: &Call) {
        let values = self.values(call);
        let is_taken = |kind: HandleId| {
            values.iter().any(|(_, value)| matches!(value.kind, Kind::Handle { of, is_own: true, .. } if of == kind))
        };
        let is_async = call.timing.iter().any(|timing| timing.then.mode != Mode::Sync);
        let block = self.plan.blocks.get(call.arguments.index());
        let is_found = |value: &Value| {
            let arguments = block.into_iter().flat_map(|block| &block.values).map(|(_, argument)| argument);
            arguments.into_iter().any(|argument| {
                std::ptr::eq(argument, value)
                    || matches!(&argument.kind, Kind::Buffer(buffer) if std::ptr::eq(&raw const buffer.element, value))
            })
        };
        for (of, value) in &values {
            let Kind::Handle { of: kind, is_new: true, .. } = value.kind else { continue };
            if value.copy_out && is_taken(kind) && (is_async || !is_found(value)) {
                let what = format!("an object in `{}` of a kind that the call also takes with `own`", self.name(*of));
                self.push(Construct::ObjectGivenBack, what, self.span(*of));
            }
        }
    }

    /// Variable arguments whose case is not the value of a parameter.
    fn variable_arguments(&mut self, memory: Memory, call: &Call) {
        if let Some(variables) = call.variables.as_ref().filter(|variables| variables.decider().is_none()) {
            let what = format!("variable arguments that `{}` selects", variables.value.text);
            let span = function_of(self.library, memory).map_or(self.library.span, |function| function.span);
            self.push(Construct::VariableChoice, what, span);
        }
    }

    /// Functions and userdata that a callback gives to the library.
    fn functions_of_callback(&mut self, call: &Call) {
        for (of, value) in self.values(call).into_iter().filter(|(_, value)| value.copy_out) {
            let what = match value.kind {
                Kind::Callback { .. } => "function",
                Kind::Userdata { .. } => "userdata",
                _ => continue,
            };
            let what = format!("a {what} that comes back in `{}` of a callback", self.name(of));
            self.push(Construct::CallbackFunction, what, self.span(of));
        }
    }

    /// Contents that come back of a call that is not waited for: a later call that is waited for and shares a lane delivers them.
    fn async_function(&mut self, memory: Memory, call: &Call) {
        self.late_sets(memory, call);
        let (plan, is_delivered) = (self.plan, self.is_delivered(call));
        // The caller cannot know which memory an implicit argument changes that the worker computes.
        let is_at_exit = |at: At| match at {
            At::Implicit(n) => call.implicits.get(n as usize).is_some_and(|implicit| implicit.at_exit),
            _ => false,
        };
        let is_lost = |(of, value): &(Place, &Value)| comes_late(plan, value) && (!is_delivered || is_at_exit(of.1));
        for (of, _) in self.values(call).into_iter().filter(is_lost) {
            let what = format!("contents of `{}` that come back of an `async` call", self.name(of));
            if !self.found.iter().any(|one| one.construct == Construct::AsyncContents && one.span == self.span(of)) {
                self.push(Construct::AsyncContents, what, self.span(of));
            }
        }
    }

    /// The same of a callback: nothing delivers what comes back of it.
    fn async_callback(&mut self, memory: Memory, call: &Call) {
        self.late_sets(memory, call);
        let plan = self.plan;
        for (of, value) in self.values(call) {
            let has_results = match &value.kind {
                Kind::Buffer(buffer) => buffer.is_out || has_results(plan, &buffer.element),
                Kind::File { is_out, .. } => *is_out,
                _ => false,
            };
            if has_results {
                let what = format!("contents of `{}` that come back of an `async` callback", self.name(of));
                self.push(Construct::AsyncContents, what, self.span(of));
            }
        }
    }

    /// Whether some call that may be waited for shares each lane in which this one may be ordered.
    fn is_delivered(&self, call: &Call) -> bool {
        let plan = self.plan;
        let others: Vec<&Key> = plan
            .functions
            .iter()
            .flatten()
            .filter(|other| may_be_waited_for(other))
            .flat_map(|other| lanes(other).into_iter().flatten())
            .collect();
        let is_shared =
            |key: &Key| others.iter().any(|other| std::mem::discriminant(*other) == std::mem::discriminant(key));
        lanes(call).iter().all(|keys| keys.iter().any(is_shared))
    }

    /// `set` of what is known only when the call has run: the caller stores metadata as soon as the call is sent.
    fn late_sets(&mut self, memory: Memory, call: &Call) {
        let scene_of = Reading { of: (memory, At::Ret), value: &NOTHING };
        for effect in &call.effects {
            let Effect::Set(store) = &effect.then else { continue };
            let scene = Scene { plan: self.plan, enclosing: &[call.arguments], this: scene_of };
            let is_late = |reading: &Reading<'_>| {
                let is_named_at_once = matches!(&reading.value.kind, Kind::Handle { is_new: true, .. });
                reading.value.copy_out && !reading.value.copy_in && !is_named_at_once
            };
            let at_exit = |op: &Op| matches!(op, Op::Errno | Op::Elapsed | Op::Call(..));
            if scene.reads(&store.value).iter().any(is_late) || store.value.ops.iter().any(at_exit) {
                let what = format!("`set` of `{}`, which is known only after the `async` call", store.value.text);
                let span = function_of(self.library, memory).map_or(self.library.span, |function| function.span);
                self.push(Construct::AsyncSet, what, span);
            }
        }
    }

    /// Members of a struct behind a handle: the worker sends them to the caller, which sends back the numbers that it changed.
    fn public_struct(&mut self, id: BlockId, seen: &mut HashSet<BlockId>) {
        let plan = self.plan;
        let Some(block) = plan.blocks.get(id.index()).filter(|_| seen.insert(id)) else { return };
        for (at, value) in &block.values {
            let of = (block.memory, *at);
            let is_copied = match &value.kind {
                Kind::Block(inner) => {
                    self.public_struct(*inner, seen);
                    true
                }
                kind => is_public(kind),
            };
            if !is_copied || value.on.is_some() {
                let what = format!("the member `{}` of a struct behind a handle", self.name(of));
                self.push(Construct::PublicMember, what, self.span(of));
            }
        }
    }

    /// Buffers whose address is the tag of a registration.
    fn tagged_buffers(&mut self) {
        let is_tag = |place: &place::Place| {
            matches!(&place.c, Some(Declared::Type(declared)) if matches!(declared.ty, Type::Userdata(_)))
                && matches!(place.ty, Type::Buffer { .. })
        };
        let library = self.library;
        for function in library.functions.iter().chain(&library.callbacks) {
            function.each_place(&mut |place, span| {
                if is_tag(place) {
                    self.push(Construct::UserdataBuffer, "`userdata(…)` as a buffer".to_owned(), span);
                }
            });
        }
    }

    /// Handles that no call gives: the worker knows none of them.
    fn handles(&mut self) {
        let (library, plan) = (self.library, self.plan);
        let (mut given, mut taken) = (HashSet::new(), HashSet::new());
        for (is_callback, call) in plan
            .functions
            .iter()
            .flatten()
            .map(|call| (false, call))
            .chain(plan.callbacks.iter().map(|call| (true, call)))
        {
            for (_, value) in self.values(call) {
                let Kind::Handle { of, is_optional, .. } = value.kind else { continue };
                if value.copy_out || is_callback {
                    given.insert(of);
                } else if !is_optional {
                    taken.insert(of);
                }
            }
        }
        // What runs in the caller may make objects, too.
        for function in library.functions.iter().zip(&plan.functions).filter(|(_, call)| call.is_none()).map(|(f, _)| f)
        {
            function.each_place(&mut |place, _| each_handle(place, &mut given));
        }
        for (n, handle) in (0..).zip(&library.handles) {
            if taken.contains(&HandleId(n)) && !given.contains(&HandleId(n)) {
                let what = format!("the handle `{}`, which no call gives the caller", handle.name);
                self.push(Construct::ForeignHandle, what, handle.span);
            }
        }
    }

    /// Functions that a `utility` only declares, and that no source or library of the worker defines.
    fn undefined(&mut self) {
        let library = self.library;
        if !library.binding.libs.is_empty() || !library.binding.source_spans.is_empty() {
            return;
        }
        let declared: Vec<&str> = library.utilities.iter().flat_map(|utility| only_declared(&utility.text)).collect();
        let is_own = |name: &str| library.functions.iter().any(|f| library.name_in_c(f.c.as_deref(), &f.name) == name);
        for name in declared.into_iter().filter(|name| !is_own(name)) {
            for function in library.functions.iter().chain(&library.callbacks) {
                for implicit in &function.implicits {
                    let ExprKind::Code(code) = &implicit.value.kind else { continue };
                    if has_identifier(&code.text, name) {
                        self.push(Construct::Undefined, format!("`{name}`, which nothing defines"), code.span);
                    }
                }
            }
        }
    }
}

static NOTHING: Value = Value::NOTHING;

/// Whether the worker can send a member of a struct behind a handle to the caller.
fn is_public(kind: &Kind) -> bool {
    match kind {
        Kind::Nothing
        | Kind::Local { .. }
        | Kind::Scalar { .. }
        | Kind::Enum { .. }
        | Kind::Address { .. }
        | Kind::Handle { is_new: false, is_own: false, .. } => true,
        Kind::Array { count, valid: None, element, .. } => {
            let is_number = matches!(element.kind, Kind::Scalar { .. } | Kind::Enum { .. });
            let most = Int::from(lapis_cx_plan::MOST_MEMBER_ELEMENTS);
            is_number && matches!(count.ops.as_slice(), [Op::Int(count)] if *count <= most)
        }
        Kind::Buffer(buffer) => buffer.is_out && buffer.ownership == Ownership::Borrowed,
        _ => false,
    }
}

/// Whether contents of a value come back later than the call returns. New objects have a name at once.
fn comes_late(plan: &Plan, value: &Value) -> bool {
    match &value.kind {
        Kind::Buffer(buffer) if matches!(buffer.element.kind, Kind::Handle { is_new: true, .. }) => false,
        Kind::Buffer(buffer) => buffer.is_out || has_results(plan, &buffer.element),
        // What the library writes to a file is there for both.
        _ => false,
    }
}

/// Whether a call changes a value, and not only memory behind its pointers.
fn has_results(plan: &Plan, value: &Value) -> bool {
    match &value.kind {
        Kind::Block(id) => {
            let block = plan.blocks.get(id.index());
            block.is_some_and(|block| block.values.iter().any(|(_, value)| has_results(plan, value)))
        }
        Kind::Array { element, .. } => has_results(plan, element),
        Kind::Match { arms, default, .. } => {
            arms.iter().map(|(_, case)| case).chain(default.as_deref()).any(|case| has_results(plan, case))
        }
        _ => value.copy_out,
    }
}

/// Whether the call takes this.
pub(super) fn is_passed(value: &Value) -> bool {
    match &value.kind {
        Kind::Handle { is_own, .. } | Kind::Address { is_own } => *is_own,
        Kind::Buffer(buffer) => matches!(buffer.ownership, Ownership::Taken | Ownership::EndsMirroredStruct),
        _ => false,
    }
}

/// Whether something in a block is needed after the call.
fn outlives_block(value: &Value) -> bool {
    let is_call = |lifetime: &Lifetime| matches!(lifetime, Lifetime::Call);
    match &value.kind {
        Kind::Buffer(buffer) => value.copy_out || value.on.is_some() || buffer.is_out || !is_call(&buffer.lifetime),
        Kind::Callback { lifetime, .. } | Kind::Userdata { lifetime, .. } => !is_call(lifetime),
        _ => value.copy_out || value.on.is_some(),
    }
}

/// The keys that order a call, for each case of its conditions.
fn lanes(call: &Call) -> Vec<&[Key]> {
    let mut all: Vec<&[Key]> = call.order.iter().map(|order| order.then.as_slice()).collect();
    if call.order.iter().all(|order| order.condition.is_some()) {
        all.push(&[Key::Global]);
    }
    all
}

fn may_be_waited_for(call: &Call) -> bool {
    let is_unconditional = |timing: &&super::Conditional<super::Timing>| timing.condition.is_none();
    match call.timing.iter().rfind(is_unconditional) {
        Some(timing) if timing.then.mode != Mode::Sync => {
            call.timing.iter().any(|timing| timing.then.mode == Mode::Sync)
        }
        _ => true,
    }
}

/// The handles in a place that comes back.
fn each_handle(place: &place::Place, given: &mut HashSet<HandleId>) {
    match &place.ty {
        Type::Handle(id) => {
            given.insert(*id);
        }
        Type::Buffer { element, .. } | Type::Array { element, .. } => each_handle(element, given),
        _ => {}
    }
}

/// The functions of a text of C that have a declaration there and no definition.
fn only_declared(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut depth = 0_u32;
    let (mut declared, mut defined) = (Vec::new(), HashSet::new());
    let mut begin = 0;
    for (at, c) in text.char_indices() {
        if !matches!(c, '{' | '}' | ';') {
            continue;
        }
        let head = text.get(begin..at).unwrap_or_default().trim_end();
        let name = head.ends_with(')').then(|| head.split('(').next()).flatten().map(str::trim_end);
        let name = name.and_then(|before| before.rsplit(|c: char| !is_word(c)).next()).filter(|name| !name.is_empty());
        match (c, depth) {
            ('{', 0) => defined.extend(name),
            (';', 0) => declared.extend(name),
            _ => {}
        }
        depth = match c {
            '{' => depth + 1,
            '}' => depth.saturating_sub(1),
            _ => depth,
        };
        begin = at + 1;
    }
    declared.retain(|name| !defined.contains(name));
    declared
}

#[cfg(test)]
mod tests {
    use super::only_declared;

    #[test]
    fn functions_without_a_body_are_only_declared() {
        let text = "int peek(void *s);\nstatic int twice(int n) { return peek(0) * 2; }\nint late(void); int late(void) { return 1; }";
        assert_eq!(only_declared(text), ["peek"]);
    }
}
