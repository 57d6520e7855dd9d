//! A plan as text for people: what a call sends, what comes back, and what else happens.

use std::fmt::Write;

use super::name::{name_of, name_of_memory};
use super::size::is_signed;
use super::{
    Buffer, Call, Code, Conditional, Effect, Key, Kind, Lifetime, Memory, Ownership, Plan, Store, Target, Value,
};
use crate::contract::library::clause::{Change, Mode, Thread};
use crate::contract::library::place::{Scalar, ZeroCopy};
use crate::contract::library::{Function, FunctionId, Library, MetadataId};
use crate::int::Int;

/// What happens when a function or callback is called, as text of several lines that ends with a line break.
pub fn describe(library: &Library, plan: &Plan, function: &Function, call: &Call) -> String {
    let mut text = Text { library, plan, function, out: String::new(), open: Vec::new() };
    text.call(call);
    text.out
}

/// At which of the two times values are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    Entry,
    Exit,
}

struct Text<'a> {
    library: &'a Library,
    plan: &'a Plan,
    function: &'a Function,
    out: String,
    /// Blocks around what is shown.
    open: Vec<super::BlockId>,
}

impl Text<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{:width$}{text}", "", width = depth * 2);
    }

    fn call(&mut self, call: &Call) {
        let params: Vec<&str> = self.function.params.iter().map(|param| param.name.as_str()).collect();
        let heading = format!("{}({})", self.function.name, params.join(", "));
        self.line(0, &heading);

        self.line(1, "how");
        let timing = choices(&call.timing, |timing| {
            let name = match timing.mode {
                Mode::Sync => "the caller waits",
                Mode::Async => "the caller does not wait",
                Mode::Flush => "the caller does not wait, and all that came before is executable",
            };
            let mut text = name.to_owned();
            if !timing.returns.is_empty() {
                let _ = write!(text, "; it gets {}", self.stores(&timing.returns));
            }
            if let Some(until) = &timing.until {
                let _ = write!(text, "; results are final when {}", until.text);
            }
            text
        });
        self.line(2, &timing.unwrap_or_else(|| "the caller waits".to_owned()));
        let order = choices(&call.order, |keys| in_turn(keys, "starts in the order of the caller's calls"));
        self.line(2, &order.unwrap_or_else(|| in_turn(&[Key::Global], "starts in the order of the caller's calls")));
        let monitor = choices(&call.monitor, |keys| in_turn(keys, "never runs at the same time as calls"));
        self.line(2, &monitor.unwrap_or_else(|| in_turn(&[Key::Global], "never runs at the same time as calls")));
        let thread = choices(&call.thread, |thread| match thread {
            Thread::Caller => "runs on the thread of the caller".to_owned(),
            Thread::Any => "runs on any thread".to_owned(),
            Thread::Main => "runs on the first thread".to_owned(),
        });
        thread.iter().for_each(|text| self.line(2, text));
        if let Some(slots) = call.slots {
            self.line(2, &format!("at most {slots} are registered at once"));
        }
        if call.is_once {
            self.line(2, "the registration ends with its first call");
        }

        // A callback is called by the worker.
        let is_callback = matches!(self.memory(call.arguments), Some(Memory::CallbackArguments(_)));
        let (caller, callee) = if is_callback { ("worker", "guest") } else { ("guest", "worker") };
        self.line(1, &format!("entry: {caller} to {callee}"));
        for Conditional { condition, then: (required, otherwise) } in &call.requires {
            let mut text = format!("requires {}", required.text);
            if let Some(condition) = condition {
                let _ = write!(text, " if {}", condition.text);
            }
            if !otherwise.is_empty() {
                let _ = write!(text, ", else {}", self.stores(otherwise));
            }
            self.line(2, &text);
        }
        for implicit in call.implicits.iter().filter(|implicit| !implicit.at_exit) {
            let text = format!("{} = {}", self.implicit(implicit.position), implicit.value.text);
            self.line(2, &text);
        }
        self.block(call.arguments, Moment::Entry, 2);
        for text in call.c_text.iter().filter(|text| text.then.is_before) {
            self.line(2, &conditional("text of C runs before the call", &text.condition));
        }
        for pass in &call.passes {
            let text = format!("the library gets {}", self.store(&pass.then));
            self.line(2, &conditional(&text, &pass.condition));
        }

        let success = choices(&call.success, |code| format!("if {}", code.text)).filter(|text| text != "if true");
        let success = success.map_or(String::new(), |text| format!(", {text}"));
        self.line(1, &format!("exit: {callee} to {caller}{success}"));
        for text in call.c_text.iter().filter(|text| !text.then.is_before) {
            self.line(2, &conditional("text of C runs after the call", &text.condition));
        }
        for implicit in call.implicits.iter().filter(|implicit| implicit.at_exit) {
            let text = format!("{} = {}", self.implicit(implicit.position), implicit.value.text);
            self.line(2, &text);
        }
        for Conditional { condition, then } in &call.effects {
            let text = self.effect(then);
            self.line(2, &conditional(&text, condition));
        }
        self.block(call.arguments, Moment::Exit, 2);
        for errno in call.errno.iter().filter(|errno| errno.then) {
            self.line(2, &conditional("errno  of the worker", &errno.condition));
        }
        if let Some(text) = choices(&call.fails, |stores| self.stores(stores)) {
            self.line(1, "without a call");
            self.line(2, &text);
        }
    }

    fn implicit(&self, position: u32) -> &str {
        self.function.implicits.get(position as usize).map_or("?", |implicit| implicit.name.as_str())
    }

    fn block(&mut self, id: super::BlockId, moment: Moment, depth: usize) {
        let Some(block) = self.plan.blocks.get(id.index()) else { return };
        if self.open.contains(&id) {
            return self.line(depth, "… as the one around it");
        }
        self.open.push(id);
        for (at, value) in &block.values {
            let name = name_of(self.library, block.memory, *at);
            self.value(name, value, moment, depth);
        }
        self.open.pop();
    }

    fn value(&mut self, name: &str, value: &Value, moment: Moment, depth: usize) {
        let on = match (&value.on, moment) {
            (Some(on), Moment::Exit) => format!(", if {} instead", on.text),
            _ => String::new(),
        };
        let itself = if moment == Moment::Entry { value.copy_in } else { value.copy_out };
        match &value.kind {
            Kind::Buffer(buffer) => self.buffer(name, buffer, itself, moment, (&on, depth)),
            Kind::Block(id) if itself => {
                self.line(depth, &format!("{name}  {}{on}", self.memory_of(*id)));
                self.block(*id, moment, depth + 1);
            }
            Kind::Array { count, valid, element, .. } if itself => {
                let valid =
                    valid.as_ref().map_or(String::new(), |valid| format!("; of which {} carry contents", valid.text));
                let text = format!("{name}  {} × {} inline{valid}{on}", count.text, self.flat(&element.kind));
                self.line(depth, &text);
                self.element(element, moment, depth + 1);
            }
            Kind::Match { value: number, arms, default } => {
                let before = self.out.len();
                self.line(depth, &format!("{name}  depends on {}{on}", number.text));
                let heading = self.out.len();
                for (patterns, value) in arms {
                    let patterns: Vec<String> = patterns
                        .iter()
                        .map(
                            |(from, to)| {
                                if *to == from + &Int::from(1) { from.to_string() } else { format!("{from}..{to}") }
                            },
                        )
                        .collect();
                    self.value(&patterns.join(" | "), value, moment, depth + 1);
                }
                if let Some(value) = default {
                    self.value("_", value, moment, depth + 1);
                }
                // In no case does anything happen.
                if self.out.len() == heading {
                    self.out.truncate(before);
                }
            }
            // Ownership changes at exit, whichever way the value itself has gone.
            Kind::Handle { is_own: true, of, .. } if moment == Moment::Exit && !itself => {
                let kind = self.library.handles.get(of.index()).map_or("?", |handle| &handle.name);
                self.line(depth, &format!("{name}  one reference of {kind} is gone{on}"));
            }
            Kind::Address { is_own: true } if moment == Moment::Exit && !itself => {
                self.line(depth, &format!("{name}  the region there ends{on}"));
            }
            Kind::File { is_out: true, .. } if moment == Moment::Exit && !itself => {
                self.line(depth, &format!("{name}  what was written to the file{on}"));
            }
            Kind::Nothing => {}
            Kind::Local { .. } if moment == Moment::Entry => {
                self.line(depth, &format!("{name}  not sent; zero on the worker"))
            }
            kind if itself => {
                let text = self.flat(kind);
                self.line(depth, &format!("{name}  {text}{on}"));
            }
            _ => {}
        }
    }

    fn memory(&self, id: super::BlockId) -> Option<Memory> {
        self.plan.blocks.get(id.index()).map(|block| block.memory)
    }

    fn memory_of(&self, id: super::BlockId) -> String {
        self.memory(id).map_or("?".to_owned(), |memory| name_of_memory(self.library, memory))
    }

    fn element(&mut self, element: &Value, moment: Moment, depth: usize) {
        match &element.kind {
            Kind::Block(id) => self.block(*id, moment, depth),
            Kind::Scalar { .. } | Kind::Enum { .. } | Kind::Address { .. } => {}
            _ => self.value("each", element, moment, depth),
        }
    }

    fn buffer(&mut self, name: &str, buffer: &Buffer, itself: bool, moment: Moment, (on, depth): (&str, usize)) {
        let (is_entry, contents) = match moment {
            Moment::Entry => (true, buffer.is_in),
            Moment::Exit => (false, buffer.is_out),
        };
        if !itself && !contents {
            match (buffer.ownership, moment) {
                (Ownership::EndsMirroredStruct, Moment::Exit) => {
                    self.line(depth, &format!("{name}  the worker's mirror ends{on}"))
                }
                (Ownership::Taken, Moment::Exit) => self.line(depth, &format!("{name}  the block ends{on}")),
                _ => {}
            }
            return;
        }
        let what = match &buffer.element.kind {
            Kind::Block(id) => self.memory_of(*id),
            kind => self.flat(kind),
        };
        let many = match (&buffer.count, &buffer.until) {
            (Some(count), None) => format!("{} × ", count.text),
            (Some(count), Some(until)) => format!("at most {}, up to the first {}: ", count.text, until.value.text),
            (None, Some(until)) => format!("up to the first {}: ", until.value.text),
            (None, None) => String::new(),
        };
        let mut text = format!("{name}  {many}{what}");
        if !contents {
            text += if is_entry { "; room only" } else { "; the pointer only" };
        }
        if let Some(valid) = buffer.valid.as_ref().filter(|_| contents && is_entry != buffer.is_out) {
            let _ = write!(text, "; of which {} carry contents", valid.text);
        }
        if is_entry || !buffer.is_in {
            text += if buffer.is_optional { "; or null" } else { "" };
            let ownership = match buffer.ownership {
                Ownership::Borrowed => "",
                Ownership::Given => "; the receiver has it from now on",
                Ownership::Taken => "; the callee takes it",
                Ownership::MirroredStruct => "; the worker keeps a mirror at a fixed address",
                Ownership::EndsMirroredStruct => "; the worker's mirror ends at exit",
            };
            text += ownership;
            let lifetime = self.lifetime(&buffer.lifetime);
            text += &lifetime.map_or(String::new(), |lifetime| format!("; the copy lives {lifetime}"));
            if let Some(allocator) = buffer.allocator {
                let made =
                    allocator.allocate.map_or(String::new(), |id| format!("made by {}, ", self.function_name(id)));
                let _ = write!(text, "; {made}freed by {}", self.function_name(allocator.free));
            }
            text += match buffer.zero_copy {
                None => "",
                Some(ZeroCopy::Virtual) => "; shared, not copied",
                Some(ZeroCopy::Physical) => "; shared and pinned, not copied",
            };
            text += &buffer.align.map_or(String::new(), |bytes| format!("; the copy is aligned to {bytes} bytes"));
        }
        self.line(depth, &(text + on));
        if contents || matches!(buffer.element.kind, Kind::Block(_)) && itself {
            self.element(&buffer.element, moment, depth + 1);
        }
    }

    /// A value without anything behind it.
    fn flat(&self, kind: &Kind) -> String {
        let optional = |is_optional: bool| if is_optional { ", or null" } else { "" };
        match kind {
            Kind::Scalar { scalar, .. } => bytes(scalar.wire_bytes(), sign(*scalar)),
            Kind::Enum { bytes: count, is_signed, .. } => bytes(*count, Some(*is_signed)),
            Kind::Address { is_own } => {
                format!("an address{}", if *is_own { "; the region there ends" } else { "" })
            }
            Kind::Handle { of, is_new, is_own, room, is_optional, .. } => {
                let name = self.library.handles.get(of.index()).map_or("?", |handle| &handle.name);
                let mut text = format!("handle {name}{}", optional(*is_optional));
                text += if *is_new { "; the receiver gains a reference" } else { "" };
                text += if *is_own { "; the call takes a reference" } else { "" };
                text + &room.as_ref().map_or(String::new(), |room| format!("; at least {} bytes behind it", room.text))
            }
            Kind::Callback { of, lifetime, is_optional } => {
                let name = self.library.callbacks.get(of.index()).map_or("?", |callback| &callback.name);
                let lifetime = self.lifetime(lifetime).map_or(String::new(), |text| format!("; it lives {text}"));
                format!("callback {name}{}{lifetime}", optional(*is_optional))
            }
            Kind::Userdata { of, lifetime } => {
                let of: Vec<&str> = of.iter().map(|code| code.text.as_str()).collect();
                let of = if of.is_empty() { String::new() } else { format!(" of {}", of.join(", ")) };
                let lifetime = self.lifetime(lifetime).map_or(String::new(), |text| format!("; it lives {text}"));
                format!("the caller's tag{of}{lifetime}")
            }
            Kind::Within { region, is_optional } => {
                let region = region.as_ref().map_or("any region", |code| &code.text);
                format!("an offset into {region}{}", optional(*is_optional))
            }
            Kind::File { is_descriptor, is_in, is_out, lifetime, .. } => {
                let name = if *is_descriptor { "descriptor" } else { "path" };
                let way = match (is_in, is_out) {
                    (true, false) => "to read",
                    (false, true) => "to write",
                    _ => "to read and write",
                };
                let lifetime = self.lifetime(lifetime).map_or(String::new(), |text| format!("; it lives {text}"));
                format!("the {name} of a file {way}{lifetime}")
            }
            Kind::Function(name) => format!("the caller's function named {}", name.text),
            Kind::Stream { .. } => "a stream".to_owned(),
            Kind::Block(id) => self.memory_of(*id),
            Kind::Buffer(_) => "a pointer".to_owned(),
            Kind::Array { .. } => "an array".to_owned(),
            Kind::Match { .. } => "one of several".to_owned(),
            Kind::Local { .. } => "a value that is not sent".to_owned(),
            Kind::Nothing => "nothing".to_owned(),
        }
    }

    fn lifetime(&self, lifetime: &Lifetime) -> Option<String> {
        Some(match lifetime {
            Lifetime::Call => return None,
            Lifetime::Static => "for ever".to_owned(),
            Lifetime::Manual => "until a call takes it".to_owned(),
            Lifetime::Handle(_, code) => format!("until {} dies", code.text),
            Lifetime::MirroredStruct(code) => format!("until the mirror of {} ends", code.text),
            Lifetime::Scope(of, member, code) => {
                format!("until the scope {} of {} ends", self.metadata(*of, *member), code.text)
            }
            Lifetime::Callback(code) => format!("until {} was called", code.text),
        })
    }

    fn metadata(&self, of: MetadataId, member: u32) -> &str {
        let member = self.library.metadata.get(of.index()).and_then(|table| table.members.get(member as usize));
        member.map_or("?", |member| member.name.as_str())
    }

    fn function_name(&self, id: FunctionId) -> &str {
        self.library.functions.get(id.index()).map_or("?", |function| function.name.as_str())
    }

    fn stores(&self, stores: &[Store]) -> String {
        stores.iter().map(|store| self.store(store)).collect::<Vec<_>>().join(", ")
    }

    fn store(&self, Store { target, value }: &Store) -> String {
        let target = match target {
            Target::Memory(code, _) | Target::Pointer(code) => code.text.clone(),
            Target::Metadata(of, member, code) => format!("{}.{}", code.text, self.metadata(*of, *member)),
            Target::MetadataElement(of, member, at, code) => {
                format!("{}.{}[{at}]", code.text, self.metadata(*of, *member))
            }
            Target::Errno => "errno".to_owned(),
        };
        format!("{target} = {}", value.text)
    }

    fn effect(&self, effect: &Effect) -> String {
        let list = |codes: &[Code]| codes.iter().map(|code| code.text.as_str()).collect::<Vec<_>>().join(", ");
        match effect {
            Effect::Set(store) => match store.target {
                Target::Metadata(..) | Target::MetadataElement(..) => {
                    format!("both sides remember {}", self.store(store))
                }
                _ => format!("in the caller's memory {}", self.store(store)),
            },
            Effect::Ends(of, member, code) => {
                format!("the scope {} of {} ends", self.metadata(*of, *member), code.text)
            }
            Effect::Account { change, resource, amount, at_entry } => {
                let name = self.library.resources.get(resource.index()).map_or("?", |resource| &resource.name);
                let verb = match change {
                    Change::Acquires => "takes",
                    Change::Releases => "gives back",
                    Change::Consumes => "uses",
                };
                let when = if *at_entry { ", asked before the call" } else { "" };
                format!("{verb} {} of {name}{when}", amount.text)
            }
            Effect::Record(of) if of.is_empty() => "is replayed to make its objects again".to_owned(),
            Effect::Record(of) => format!("is replayed to make {} again", list(of)),
            Effect::DependsOn(on) => format!("is replayed after what makes {}", list(on)),
            Effect::Snapshot(extract, restore) => {
                let (extract, restore) = (self.function_name(*extract), self.function_name(*restore));
                format!("{extract} saves the state of the object, {restore} loads it")
            }
        }
    }
}

fn conditional(text: &str, condition: &Option<Code>) -> String {
    condition.as_ref().map_or_else(|| text.to_owned(), |condition| format!("{text}, if {}", condition.text))
}

/// The last one that applies, in words: what holds under a condition first.
fn choices<T>(all: &[Conditional<T>], text: impl Fn(&T) -> String) -> Option<String> {
    let mut words: Vec<String> = Vec::new();
    for Conditional { condition, then } in all.iter().rev() {
        match condition {
            Some(condition) => words.push(format!("if {}: {}", condition.text, text(then))),
            None => {
                words.push(if words.is_empty() { text(then) } else { format!("else {}", text(then)) });
                break;
            }
        }
    }
    (!words.is_empty()).then(|| words.join("; "))
}

fn in_turn(keys: &[Key], what: &str) -> String {
    let key = |key: &Key| match key {
        Key::Global => "that all calls share".to_owned(),
        Key::Thread => "of the same thread".to_owned(),
        Key::Value(code) => format!("with the same {}", code.text),
    };
    match keys {
        [] => format!("{what}: of none"),
        [Key::Global] => format!("{what}: of all"),
        keys => format!("{what} {}", keys.iter().map(key).collect::<Vec<_>>().join(" or ")),
    }
}

/// Whether a scalar has a sign, where that matters.
fn sign(scalar: Scalar) -> Option<bool> {
    (!matches!(scalar, Scalar::Float | Scalar::Double | Scalar::Bool)).then(|| is_signed(scalar))
}

fn bytes(count: u32, is_signed: Option<bool>) -> String {
    let sign = match is_signed {
        Some(true) => ", signed",
        Some(false) => "",
        None => ", as they are",
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} byte{plural}{sign}")
}
