//! Functions that the Rust module leaves out: those that need text in C, or parts of the engine that only C can use.

use lapis_cx::contract::library::Library;
use lapis_cx::lower::plan::{BlockId, Call, Code, Effect, Key, Kind, Lifetime, Op, Plan, Store, Target, Value};

/// Returns why a function is left out; `None` if it is not.
pub fn why(library: &Library, plan: &Plan, at: usize) -> Option<&'static str> {
    let function = library.functions.get(at)?;
    let Some(Some(call)) = plan.functions.get(at) else { return Some(crate::without_call(function)) };
    if function.rest.is_some() {
        return Some("variable arguments");
    }
    let mut search = Search { plan, seen: Vec::new(), found: None };
    search.call(call);
    search.found
}

struct Search<'a> {
    plan: &'a Plan,
    seen: Vec<Seen>,
    found: Option<&'static str>,
}

#[derive(PartialEq)]
enum Seen {
    Block(BlockId),
    Callback(usize),
}

impl Search<'_> {
    fn find(&mut self, what: &'static str) {
        self.found.get_or_insert(what);
    }

    fn call(&mut self, call: &Call) {
        if !call.c_text.is_empty() {
            self.find("text of C around the call (`before`, `after`)");
        }
        self.block(call.arguments);
        call.implicits.iter().for_each(|implicit| self.code(&implicit.value));
        call.variables.iter().for_each(|variables| self.code(&variables.value));
        for timing in &call.timing {
            self.codes(&timing.condition);
            self.stores(&timing.then.returns);
            self.codes(&timing.then.until);
        }
        for keys in call.order.iter().chain(&call.monitor) {
            self.codes(&keys.condition);
            keys.then.iter().for_each(|key| {
                if let Key::Value(code) = key {
                    self.code(code);
                }
            });
        }
        call.thread.iter().for_each(|one| self.codes(&one.condition));
        for success in &call.success {
            self.codes(&success.condition);
            self.code(&success.then);
        }
        for requires in &call.requires {
            self.codes(&requires.condition);
            self.code(&requires.then.0);
            self.stores(&requires.then.1);
        }
        for fails in &call.fails {
            self.codes(&fails.condition);
            self.stores(&fails.then);
        }
        call.errno.iter().for_each(|one| self.codes(&one.condition));
        for pass in &call.passes {
            self.codes(&pass.condition);
            self.store(&pass.then);
        }
        for effect in &call.effects {
            self.codes(&effect.condition);
            match &effect.then {
                Effect::Set(store) => self.store(store),
                Effect::Ends(_, _, code) | Effect::Account { amount: code, .. } => self.code(code),
                Effect::Record(codes) | Effect::DependsOn(codes) => codes.iter().for_each(|code| self.code(code)),
                Effect::Snapshot(..) => {}
            }
        }
    }

    fn block(&mut self, id: BlockId) {
        if self.seen.contains(&Seen::Block(id)) {
            return;
        }
        self.seen.push(Seen::Block(id));
        let plan = self.plan;
        if let Some(block) = plan.blocks.get(id.index()) {
            block.olds.iter().for_each(|code| self.code(code));
            block.values.iter().for_each(|(_, value)| self.value(value));
        }
    }

    fn value(&mut self, value: &Value) {
        self.codes(&value.on);
        match &value.kind {
            Kind::Handle { room, .. } => self.codes(room),
            Kind::Block(id) => self.block(*id),
            Kind::Array { count, valid, element, .. } => {
                self.code(count);
                self.codes(valid);
                self.value(element);
            }
            Kind::Buffer(buffer) => {
                self.codes(&buffer.count);
                buffer.until.iter().for_each(|until| self.code(&until.value));
                self.codes(&buffer.valid);
                self.lifetime(&buffer.lifetime);
                self.value(&buffer.element);
            }
            Kind::Callback { of, lifetime, .. } => {
                self.lifetime(lifetime);
                let (plan, at) = (self.plan, of.index());
                if !self.seen.contains(&Seen::Callback(at)) {
                    self.seen.push(Seen::Callback(at));
                    plan.callbacks.get(at).into_iter().for_each(|call| self.call(call));
                }
            }
            Kind::Userdata { of, lifetime } => {
                of.iter().for_each(|code| self.code(code));
                self.lifetime(lifetime);
            }
            Kind::Within { region, .. } => self.codes(region),
            Kind::File { lifetime, .. } => self.lifetime(lifetime),
            Kind::Function(code) => {
                self.code(code);
                self.find("a pointer to a function of the API");
            }
            Kind::Match { value, arms, default } => {
                self.code(value);
                arms.iter().for_each(|(_, value)| self.value(value));
                default.iter().for_each(|value| self.value(value));
            }
            Kind::Stream { .. } => self.find("a stream"),
            Kind::Scalar { .. } | Kind::Enum { .. } | Kind::Address { .. } | Kind::Local { .. } | Kind::Nothing => {}
        }
    }

    fn lifetime(&mut self, lifetime: &Lifetime) {
        match lifetime {
            Lifetime::Handle(_, code)
            | Lifetime::MirroredStruct(code)
            | Lifetime::Scope(_, _, code)
            | Lifetime::Callback(code) => {
                self.code(code);
            }
            Lifetime::Call | Lifetime::Static | Lifetime::Manual => {}
        }
    }

    fn stores(&mut self, stores: &[Store]) {
        stores.iter().for_each(|store| self.store(store));
    }

    fn store(&mut self, store: &Store) {
        match &store.target {
            Target::Memory(code, _)
            | Target::Pointer(code)
            | Target::Metadata(_, _, code)
            | Target::MetadataElement(_, _, _, code) => self.code(code),
            Target::Errno => {}
        }
        self.code(&store.value);
    }

    fn codes(&mut self, code: &Option<Code>) {
        code.iter().for_each(|code| self.code(code));
    }

    fn code(&mut self, code: &Code) {
        for op in &code.ops {
            match op {
                Op::Native(..) => self.find("an expression of C"),
                Op::Utility(..) => self.find("a function of `utility`"),
                Op::Call(..) => self.find("an expression that asks a function of the API"),
                Op::Fn(..) => self.find("an expression that calls a function of the language"),
                _ => {}
            }
        }
    }
}
