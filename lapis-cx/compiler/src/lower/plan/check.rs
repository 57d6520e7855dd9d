//! What a plan cannot do right: sizes that nobody knows in time, lifetimes that end too early, callbacks whose registration
//! nobody finds. Types and clauses are right each by itself; only the plan shows what they are together.

mod registration;

use std::collections::HashSet;

use super::call::planned;
use super::constructs::is_passed;
use super::name::{name_of, span_of};
use super::order::reads_of;
use super::read::{Place, Reading, Scene};
use super::{At, BlockId, Buffer, Call, Code, Kind, Lifetime, Op, Ownership, Plan, Size, Value};
use crate::contract::core::BinaryOp;
use crate::contract::library::{HandleId, Library};
use crate::diagnostic::catalogue::{library as codes, syntax, types};
use crate::diagnostic::{self, Diagnostic, Entry};
use crate::int::Int;
use crate::source::Span;

/// Complains about what cannot be marshalled.
pub fn check_library(library: &Library) -> Vec<Diagnostic> {
    let (plan, faults) = planned(library);
    if faults.is_too_large {
        let message = format!("calls of `{}` cannot be planned: there is too much in too little text", library.name);
        let diagnostic = Diagnostic::error(&types::TOO_LARGE, message, library.span, "of this library");
        return vec![diagnostic.note(
            "lengths that read what other buffers hold repeat the lengths of those; structs lie behind each other at most 60 \
             times, and one that names things of its place of use is planned for each",
        )];
    }
    let mut check = Check { library, plan: &plan, found: Vec::new(), said: HashSet::new() };
    check.circles(&faults.circles);
    check.positions(&faults.unclear);
    let mut seen = HashSet::new();
    for call in plan.functions.iter().flatten().chain(&plan.callbacks) {
        check.block(&mut vec![call.arguments], &mut seen);
        check.children(call);
    }
    check.registrations();
    check.tags();
    check.limits();
    check.found
}

struct Check<'a> {
    library: &'a Library,
    plan: &'a Plan,
    found: Vec<Diagnostic>,
    /// What has been said, of which values.
    said: HashSet<(diagnostic::Code, Place)>,
}

impl<'a> Check<'a> {
    fn span(&self, (memory, at): Place) -> Span {
        span_of(self.library, memory, at).unwrap_or(self.library.span)
    }

    fn name(&self, (memory, at): Place) -> &'a str {
        name_of(self.library, memory, at)
    }

    /// Complains about a value, once.
    fn complain(
        &mut self,
        entry: &'static Entry,
        of: Place,
        message: String,
        label: impl Into<String>,
        more: impl FnOnce(&Self, Diagnostic) -> Diagnostic,
    ) {
        if self.said.insert((entry.code, of)) {
            let diagnostic = Diagnostic::error(entry, message, self.span(of), label);
            let diagnostic = more(self, diagnostic);
            self.found.push(diagnostic);
        }
    }

    /// Sizes that need each other. `known` are those that need what they hold themselves.
    fn circles(&mut self, known: &[Place]) {
        for of in known {
            let message = format!("the length of `{}` is needed to find itself", self.name(*of));
            self.complain(&codes::SIZE_CIRCLE, *of, message, "reads what it holds, before that has a length", |_, d| {
                d.help("`self` is the value itself, which its sender can measure: `strlen(self) + 1`; else name another argument")
            });
        }
        let plan = self.plan;
        for block in &plan.blocks {
            let mut there = HashSet::new();
            for (at, value) in &block.values {
                let mut reads: Vec<At> = reads_of(value, block.memory, &plan.blocks).into_iter().collect();
                reads.retain(|read| read != at && !there.contains(read));
                // What was left out of the block is not waited for.
                reads.retain(|read| block.values.iter().any(|(other, _)| other == read));
                reads.sort_unstable();
                there.insert(*at);
                let Some(first) = reads.first().map(|read| (block.memory, *read)) else { continue };
                let of = (block.memory, *at);
                if self.said.contains(&(codes::SIZE_CIRCLE.code, first)) {
                    continue;
                }
                let message = format!("`{}` and `{}` need each other's sizes", self.name(of), self.name(first));
                let label = format!("is not known before `{}` is", self.name(first));
                self.complain(&codes::SIZE_CIRCLE, of, message, label, |check, d| {
                    d.label(check.span(first), "and this not before the other")
                        .help("let one of them depend on an argument that depends on neither")
                });
            }
        }
    }

    /// What plans cannot hold: too many levels, and too many bytes.
    fn limits(&mut self) {
        let plan = self.plan;
        for block in &plan.blocks {
            for (at, value) in &block.values {
                let of = (block.memory, *at);
                if levels(value) > lapis_cx_plan::DEEPEST {
                    let message = format!("the type of `{}` is nested too deeply", self.name(of));
                    self.complain(&syntax::TOO_DEEP, of, message, "too many levels", |_, d| {
                        d.help("let a struct hold the inner part")
                    });
                }
                if !is_in_bounds(value) {
                    let message = format!("an inline array of `{}` has more than 1 GiB", self.name(of));
                    self.complain(&types::TOO_LARGE, of, message, "too large", |_, d| {
                        d.help("pass a pointer to the elements: `in [T; n]`")
                    });
                }
            }
        }
    }

    /// `index` where several lists of elements are around.
    fn positions(&mut self, unclear: &[Place]) {
        for of in unclear {
            let message = format!("`index` in the type of `{}` may be the position in several lists", self.name(*of));
            self.complain(&codes::POSITION, *of, message, "elements in elements", |_, d| {
                d.help("let a struct hold the inner list, or make it one list: `index` is then the position in the outer one")
            });
        }
    }

    fn block(&mut self, enclosing: &mut Vec<BlockId>, seen: &mut HashSet<BlockId>) {
        let plan = self.plan;
        let Some(block) = enclosing.last().and_then(|id| plan.blocks.get(id.index())) else { return };
        for (at, value) in &block.values {
            self.value((block.memory, *at), value, enclosing, seen);
        }
    }

    fn value(&mut self, of: Place, value: &'a Value, enclosing: &mut Vec<BlockId>, seen: &mut HashSet<BlockId>) {
        match &value.kind {
            Kind::Nothing
            | Kind::Scalar { .. }
            | Kind::Enum { .. }
            | Kind::Address { .. }
            | Kind::Handle { .. }
            | Kind::Function(_)
            | Kind::Stream { .. }
            | Kind::Local { .. } => {}
            Kind::Block(id) => {
                if seen.insert(*id) {
                    enclosing.push(*id);
                    self.block(enclosing, seen);
                    enclosing.pop();
                }
            }
            Kind::Array { count, valid, element, .. } => {
                if value.copy_in {
                    self.at_entry(of, value, count, enclosing, "the length of an inline array");
                }
                if let Some(valid) = valid {
                    if value.copy_in && !value.copy_out {
                        self.at_entry(of, value, valid, enclosing, "the number of valid elements that are sent");
                    }
                    self.valid(of, count, valid);
                }
                self.value(of, element, enclosing, seen);
            }
            Kind::Buffer(buffer) => {
                self.buffer(of, value, buffer, enclosing);
                self.value(of, &buffer.element, enclosing, seen);
            }
            Kind::Callback { lifetime, .. } | Kind::Userdata { lifetime, .. } | Kind::File { lifetime, .. } => {
                self.lifetime(of, lifetime, enclosing);
            }
            Kind::Within { region, .. } => {
                for region in region.iter().filter(|_| value.copy_in) {
                    self.at_entry(of, value, region, enclosing, "a region");
                }
            }
            Kind::Match { value: number, arms, default } => {
                let entry = at_entry(number);
                if entry.is_none() && value.copy_in {
                    self.at_entry(of, value, number, enclosing, "the choice of a type");
                }
                let has = |patterns: &[(Int, Int)]| {
                    entry.as_ref().is_none_or(|entry| patterns.iter().any(|(from, to)| from <= entry && entry < to))
                };
                for (_, value) in arms.iter().filter(|(patterns, _)| has(patterns)) {
                    self.value(of, value, enclosing, seen);
                }
                let is_named = entry.is_some() && arms.iter().any(|(patterns, _)| has(patterns));
                for value in default.iter().filter(|_| !is_named) {
                    self.value(of, value, enclosing, seen);
                }
            }
        }
    }

    fn buffer(&mut self, of: Place, value: &'a Value, buffer: &'a Buffer, enclosing: &[BlockId]) {
        for count in buffer.count.iter().filter(|_| value.copy_in) {
            self.at_entry(of, value, count, enclosing, "the length of a buffer");
        }
        for until in buffer.until.iter().filter(|_| value.copy_in && buffer.is_in) {
            self.at_entry(of, value, &until.value, enclosing, "the end of a buffer");
        }
        if let Some(valid) = &buffer.valid {
            if value.copy_in && buffer.is_in && !buffer.is_out {
                self.at_entry(of, value, valid, enclosing, "the number of valid elements that are sent");
            }
            buffer.count.iter().for_each(|count| self.valid(of, count, valid));
        }
        // The caller's memory is filled. A pointer that comes back itself is the library's.
        let is_callers = !value.copy_out && buffer.ownership != Ownership::Given;
        if is_callers && buffer.count.is_none() && buffer.is_out && !buffer.is_in {
            let message = "missing capacity of an `out` buffer".to_owned();
            self.complain(&codes::ROOM, of, message, "the library fills it, and its capacity is unknown", |_, d| {
                d.help("write `out [char; n until 0]` with the capacity n, or `out [new cstr; 1]` if the callee allocates the string")
            });
        }
        if is_callers && !buffer.is_in {
            self.tail(of, &buffer.element, &mut enclosing.to_vec());
        }
        self.lifetime(of, &buffer.lifetime, enclosing);
    }

    /// A struct that the library fills cannot say itself how many elements it has room for at its end.
    fn tail(&mut self, of: Place, element: &'a Value, enclosing: &mut Vec<BlockId>) {
        match &element.kind {
            Kind::Array { count, .. } if !matches!(count.ops.as_slice(), [Op::Int(_)]) => {
                let scene = Scene { plan: self.plan, enclosing, this: Reading { of, value: element } };
                let late = scene.reads(count).into_iter().find(|read| !read.value.copy_in);
                let Some(late) = late else { return };
                let message = format!("the length `{}` is not available before the call", self.name(late.of));
                self.complain(&codes::ROOM, of, message, "the length of its trailing array is unknown", |check, d| {
                    d.label(check.span(late.of), "is not sent")
                        .help("write `inout` to send it, or use an argument as the length: `T[argument]`")
                });
            }
            Kind::Block(id) if !enclosing.contains(id) => {
                let Some(block) = self.plan.blocks.get(id.index()) else { return };
                enclosing.push(*id);
                block.values.iter().for_each(|(_, value)| self.tail(of, value, enclosing));
                enclosing.pop();
            }
            Kind::Match { arms, default, .. } => {
                let cases = arms.iter().map(|(_, value)| value).chain(default.as_deref());
                cases.for_each(|value| self.tail(of, value, enclosing));
            }
            _ => {}
        }
    }

    /// An expression of a value that is evaluated before the call is sent: what comes back cannot be in it.
    fn at_entry(&mut self, of: Place, value: &'a Value, code: &'a Code, enclosing: &[BlockId], what: &str) {
        let scene = Scene { plan: self.plan, enclosing, this: Reading { of, value } };
        let Some(late) = scene.reads(code).into_iter().find(|read| !read.value.copy_in && read.value.copy_out) else {
            return;
        };
        let message = format!("`{}` is not available before the call", self.name(late.of));
        let label = format!("`{}` is evaluated before the call is sent", code.text);
        self.complain(&codes::NOT_AT_ENTRY, of, message, label, |check, d| {
            d.label(check.span(late.of), "is copied back only")
                .note(format!("{what} is evaluated before the call is sent"))
                .help("use arguments, the contents of `in` buffers, or metadata; `inout` sends the value too")
        });
    }

    /// More elements cannot be valid than there are.
    fn valid(&mut self, of: Place, count: &Code, valid: &Code) {
        let more = match (count.ops.as_slice(), valid.ops.as_slice()) {
            ([Op::Int(count)], [Op::Int(valid)]) => valid > count,
            (count, [ops @ .., Op::Int(more), Op::Binary(BinaryOp::Add)]) if ops == count => {
                *more > Int::ZERO && stays(count)
            }
            (count, [Op::Int(more), ops @ .., Op::Binary(BinaryOp::Add)]) if ops == count => {
                *more > Int::ZERO && stays(count)
            }
            _ => false,
        };
        if more {
            let message = format!("`@valid` is larger than the buffer: {} of {} elements", valid.text, count.text);
            self.complain(&codes::VALID, of, message, "always more than there are", |_, d| {
                d.help("write a number of elements from 0 to the length of the buffer")
            });
        }
    }

    /// What a call takes cannot keep anything alive after it.
    fn lifetime(&mut self, of: Place, lifetime: &'a Lifetime, enclosing: &[BlockId]) {
        let (Lifetime::Handle(_, code) | Lifetime::Scope(_, _, code) | Lifetime::MirroredStruct(code)) = lifetime
        else {
            return;
        };
        let scene = Scene { plan: self.plan, enclosing, this: Reading { of, value: &Value::NOTHING } };
        let Some(Reading { of: taken, value, .. }) = scene.named(code) else { return };
        if !is_passed(value) || taken == of {
            return;
        }
        let name = self.name(taken);
        let message = format!("the lifetime ends with `{name}`, which this call takes");
        self.complain(&codes::DIES_FIRST, of, message, "ends before the call returns", |check, d| {
            d.label(check.span(taken), "taken by this call")
                .help("use the lifetime of another handle, or `@lifetime(call)`")
        });
    }

    /// A new handle dies with its parent, so the call cannot take the only one that there is.
    fn children(&mut self, call: &Call) {
        let plan = self.plan;
        let Some(block) = plan.blocks.get(call.arguments.index()) else { return };
        let handle = |value: &'a Value| match &value.kind {
            Kind::Handle { of, is_new, is_own, .. } => Some((*of, *is_new, *is_own)),
            _ => None,
        };
        let made = |value: &'a Value| match &value.kind {
            Kind::Buffer(buffer) if buffer.is_out => handle(&buffer.element),
            _ => handle(value).filter(|_| value.copy_out),
        };
        let given: Vec<(Place, HandleId, bool)> = block
            .values
            .iter()
            .filter(|(_, value)| value.copy_in)
            .filter_map(|(at, value)| handle(value).map(|(of, _, is_own)| ((block.memory, *at), of, is_own)))
            .collect();
        for (at, value) in &block.values {
            let Some((child, true, _)) = made(value) else { continue };
            let Some(parent) = self.library.handles.get(child.index()).and_then(|handle| handle.parent) else {
                continue;
            };
            let mut parents = given.iter().filter(|(_, of, _)| *of == parent);
            let Some((taken, ..)) = parents.clone().next().copied() else { continue };
            if !parents.all(|(.., is_own)| *is_own) {
                continue;
            }
            let of = (block.memory, *at);
            let kind = |id: HandleId| self.library.handles.get(id.index()).map_or("?", |handle| &handle.name);
            let message =
                format!("the call takes the parent `{}` of the `{}` that it returns", kind(parent), kind(child));
            self.complain(&codes::DIES_FIRST, of, message, "destroyed with its parent", |check, d| {
                d.label(check.span(taken), "taken by this call")
                    .help("remove `own`, or declare the handle without `with`")
            });
        }
    }
}

/// How many levels the words of a value have. Boxes and lists count, and the lists of a leaf: functions and ranges.
fn levels(value: &Value) -> u32 {
    let of_cases = |arms: &[(Vec<(Int, Int)>, Value)]| arms.iter().map(|(_, case)| 1 + levels(case)).max();
    match &value.kind {
        Kind::Buffer(buffer) => 1 + levels(&buffer.element),
        Kind::Array { element, .. } => 1 + levels(element),
        Kind::Match { arms, default, .. } => {
            1 + of_cases(arms).unwrap_or_default().max(default.as_deref().map_or(0, levels))
        }
        _ => 3,
    }
}

/// Whether the inline arrays of a value have no more bytes than a size in a plan, as far as is known without the C compiler.
fn is_in_bounds(value: &Value) -> bool {
    match &value.kind {
        Kind::Buffer(buffer) => least_bytes(&buffer.stride).is_some() && is_in_bounds(&buffer.element),
        Kind::Array { stride, count, element, .. } => {
            let bytes = match count.ops.as_slice() {
                [Op::Int(count)] => least_bytes(&Size::Array(Box::new(stride.clone()), count.clone())),
                _ => least_bytes(stride),
            };
            bytes.is_some() && is_in_bounds(element)
        }
        Kind::Match { arms, default, .. } => {
            arms.iter().map(|(_, case)| case).chain(default.as_deref()).all(is_in_bounds)
        }
        _ => true,
    }
}

/// The bytes that a type has at least; `None` if these are more than a plan can hold.
fn least_bytes(size: &Size) -> Option<u64> {
    let bytes = match size {
        Size::Array(element, count) => least_bytes(element)?.checked_mul(count.to_u64()?)?,
        Size::Scalar(scalar) => u64::from(scalar.wire_bytes()),
        _ => 1,
    };
    Some(bytes).filter(|bytes| *bytes <= u64::from(lapis_cx_plan::LARGEST))
}

/// The number that decides at entry, of a choice that is one between entry and exit.
fn at_entry(number: &Code) -> Option<Int> {
    match number.ops.as_slice() {
        [Op::IsEntry] => Some(Int::ONE),
        [Op::Int(one), Op::IsEntry, Op::Binary(BinaryOp::Sub)] if *one == Int::ONE => Some(Int::ZERO),
        _ => None,
    }
}

/// Whether an expression has the same value at entry and at exit: it reads numbers that are passed by value.
fn stays(ops: &[Op]) -> bool {
    ops.iter().all(|op| {
        matches!(
            op,
            Op::Int(_)
                | Op::Arguments
                | Op::Field(_, At::Param(_))
                | Op::Load(_)
                | Op::Sizeof(_)
                | Op::Min
                | Op::Max
                | Op::Unary(_)
                | Op::Binary(_)
        )
    })
}
