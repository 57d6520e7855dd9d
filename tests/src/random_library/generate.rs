//! Makes random libraries: which functions there are, and which calls a program makes.

use std::collections::BTreeSet;

use super::model::{
    Buffer, Callback, Effect, Extent, From, Function, Gives, Handle, Kept, Library, Lifetime, Place, Returns, Scalar,
    Slot, Step, Struct, Thread, Timing, Type, find,
};
use super::places::{Scopes, reaches_out};
use super::{model, names, program_c};
use crate::random_spec::dice::Dice;

/// Parts of the language that can be left out, by name.
pub const FEATURES: [&str; 51] = [
    "structs",
    "lists",
    "nested",
    "optional",
    "valid",
    "fails",
    "always",
    "sizes",
    "self",
    "until",
    "choice",
    "text",
    "handles",
    "parents",
    "metadata",
    "keep",
    "scope",
    "manual",
    "static",
    "callbacks",
    "callback_members",
    "shared_user",
    "slots",
    "once",
    "thread",
    "late",
    "async_callback",
    "async",
    "inner_calls",
    "errno",
    "within",
    "null_callback",
    "null_count",
    "inner_out",
    "async_calls",
    "async_out",
    "null_user",
    "alignment",
    "callback_lifetime",
    "unions",
    "tails",
    "public",
    "blocks",
    "callback_results",
    "aliases",
    "parallel",
    "many_threads",
    "passed",
    "kept_again",
    "shared",
    "local",
];

/// Features that let calls and callbacks come in another order than they were made in.
const CONCURRENT: [&str; 7] =
    ["async", "async_callback", "async_calls", "async_out", "late", "many_threads", "parallel"];

/// What a library may have.
#[derive(Clone, Debug)]
pub struct Options {
    /// About how many functions it has.
    pub functions: usize,
    /// Calls of its program.
    pub steps: usize,
    /// Features that are left out.
    pub without: BTreeSet<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options { functions: 30, steps: 90, without: BTreeSet::new() }
    }
}

/// Makes a library.
pub(super) struct Generator<'a> {
    pub(super) dice: Dice,
    pub(super) options: &'a Options,
    pub(super) library: Library,
    next: u32,
    /// Nothing is concurrent.
    pub(super) calm: bool,
}

/// The library of a seed.
pub fn library(seed: u64, options: &Options) -> Library {
    let mut dice = Dice::seeded(seed);
    let calm = dice.one_in(4);
    let mut generator = Generator { dice, options, library: Library::default(), next: 0, calm };
    generator.library.null_user = generator.has("null_user");
    generator.library.aliases = generator.has("aliases");
    generator.library.keeps_again = generator.has("kept_again");
    generator.library.aligned = generator.has("alignment") && generator.dice.one_in(2);
    generator.types();
    generator.slots();
    while generator.library.functions.len() < options.functions {
        generator.function();
    }
    generator.steps();
    generator.library
}

impl Generator<'_> {
    pub(super) fn has(&self, feature: &str) -> bool {
        debug_assert!(FEATURES.contains(&feature), "{feature}");
        !(self.options.without.contains(feature) || self.calm && CONCURRENT.contains(&feature))
    }

    pub(super) fn id(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    fn types(&mut self) {
        if self.has("handles") {
            let parent = self.has("parents").then_some(0);
            let plain = |parent| Handle { parent, public: Vec::new() };
            self.library.handles = vec![plain(None), plain(parent), plain(None)];
            if self.has("public") {
                let public = Scopes::new(self).public();
                self.library.handles.push(Handle { parent: None, public });
            }
        }
        if self.has("structs") {
            for _ in 0..6 {
                let members = Scopes::new(self).members();
                self.library.structs.push(Struct { members });
            }
        }
        if self.has("callbacks") {
            for _ in 0..5 {
                let callback = self.callback();
                self.library.callbacks.push(callback);
            }
        }
        if self.has("callbacks") && self.has("callback_members") && self.has("structs") {
            let members = self.callback_members();
            self.library.structs.push(Struct { members });
        }
        if self.has("structs") && self.has("tails") {
            let members = Scopes::new(self).with_tail();
            self.library.structs.push(Struct { members });
        }
    }

    fn callback(&mut self) -> Callback {
        let asynchronous = self.has("async_callback") && self.dice.one_in(4);
        let slots = (self.has("slots") && self.dice.one_in(6)).then_some(4);
        let mut params = Scopes::new(self).callback_params(asynchronous);
        if slots.is_none() {
            let id = self.id();
            params.push(Place { id, ty: Type::User(Vec::new()), optional: false, stated: false });
        }
        let once = self.has("once") && slots.is_none() && self.dice.one_in(5);
        let errno = self.has("errno") && !asynchronous && self.dice.one_in(3);
        Callback { params, result: !asynchronous && !self.dice.one_in(4), once, asynchronous, slots, errno }
    }

    /// Two callbacks and a userdata that they share.
    fn callback_members(&mut self) -> Vec<Place> {
        let (number, a, b, user) = (self.id(), self.id(), self.id(), self.id());
        let with_user: Vec<usize> =
            (0..self.library.callbacks.len()).filter(|at| self.library.callbacks.get(*at).is_some_and(plain)).collect();
        let Some(&first) = self.dice.pick(&with_user) else { return vec![scalar(number, Scalar::Int)] };
        let second = *self.dice.pick(&with_user).unwrap_or(&first);
        vec![
            scalar(number, Scalar::Int),
            Place { id: a, ty: Type::Callback(first), optional: self.has("null_callback"), stated: false },
            Place { id: b, ty: Type::Callback(second), optional: self.has("null_callback"), stated: false },
            Place { id: user, ty: Type::User(vec![a, b]), optional: false, stated: false },
        ]
    }

    fn slots(&mut self) {
        if !self.has("keep") {
            return;
        }
        for _ in 0..8 {
            let owner = (self.has("handles") && !self.dice.one_in(3))
                .then(|| self.dice.index(self.library.handles.len().min(3)));
            let is_callback = self.has("callbacks") && self.dice.one_in(2);
            let at = self.dice.index(self.library.callbacks.len().max(1));
            let is_once = is_callback && self.library.callbacks.get(at).is_some_and(|callback| callback.once);
            let lifetime = match owner {
                _ if is_once => Lifetime::Call,
                Some(_) if self.has("scope") && self.dice.one_in(3) => Lifetime::Scope,
                Some(_) => Lifetime::Owner,
                None if self.has("manual") && !is_callback && !self.dice.one_in(3) => Lifetime::Manual,
                None if self.has("static") => Lifetime::Static,
                None => continue,
            };
            let kept = if is_callback { Kept::Callback(at) } else { Kept::Buffer(Scopes::new(self).kept()) };
            self.library.slots.push(Slot { owner, kept, lifetime });
        }
    }

    fn function(&mut self) {
        let count = self.library.functions.len();
        let handles = self.library.handles.len();
        // Each kind of object can be made and ended.
        if count < 2 * handles {
            let function = if count.is_multiple_of(2) { self.open(count / 2) } else { self.close(count / 2) };
            self.library.functions.push(function);
            return;
        }
        let slots = self.library.slots.len();
        let about_slot = (count - 2 * handles) / 2;
        if about_slot < slots {
            let function =
                if (count - 2 * handles).is_multiple_of(2) { self.keep(about_slot) } else { self.use_slot(about_slot) };
            self.library.functions.push(function);
            return;
        }
        let function = self.plain_function();
        self.library.functions.push(function);
    }

    fn empty(&mut self, result: Returns) -> Function {
        let id = self.id();
        Function {
            id,
            params: Vec::new(),
            result,
            timing: Timing::Sync,
            fails: None,
            errno: false,
            effects: Vec::new(),
        }
    }

    fn handle(&mut self, kind: usize, gives: Gives) -> Place {
        Place { id: self.id(), ty: Type::Handle(kind, gives), optional: false, stated: false }
    }

    fn open(&mut self, kind: usize) -> Function {
        let mut function = self.empty(Returns::New(kind));
        if let Some(parent) = self.library.handles.get(kind).and_then(|handle| handle.parent) {
            let place = self.handle(parent, Gives::Use);
            function.params.push(place);
        }
        if self.has("metadata") {
            let id = self.id();
            function.params.push(scalar(id, Scalar::Size));
            function.effects.push(Effect::Set { value: id, of: None });
        }
        function
    }

    fn close(&mut self, kind: usize) -> Function {
        let mut function = self.empty(Returns::Status);
        let place = self.handle(kind, Gives::Own);
        function.effects.push(Effect::Close(place.id));
        function.params.push(place);
        if self.has("async") && self.dice.one_in(3) {
            function.timing = Timing::Async;
        }
        function
    }

    /// A function that keeps something in a slot.
    fn keep(&mut self, at: usize) -> Function {
        let mut function = self.empty(Returns::Status);
        let Some(slot) = self.library.slots.get(at).cloned() else { return function };
        let of = slot.owner.map(|kind| {
            let place = self.handle(kind, Gives::Use);
            function.params.push(place.clone());
            place.id
        });
        let id = self.id();
        match &slot.kept {
            Kept::Buffer(buffer) => {
                let mut buffer = buffer.clone();
                if let Extent::Count(count) = &mut buffer.extent {
                    *count = self.id();
                    function.params.push(scalar(*count, Scalar::Size));
                }
                function.params.push(Place { id, ty: Type::Buffer(buffer), optional: false, stated: true });
            }
            Kept::Callback(callback) => {
                let has_user = self.library.callbacks.get(*callback).is_some_and(Callback::has_user);
                let either = if self.has("callback_lifetime") { self.dice.below(3) } else { 0 };
                let optional = self.has("null_callback") && self.dice.one_in(3);
                let stated = !has_user || either != 0;
                function.params.push(Place { id, ty: Type::Callback(*callback), optional, stated });
                if has_user {
                    let user = self.id();
                    let ty = Type::User(vec![id]);
                    let is_once = slot.lifetime == Lifetime::Call;
                    function.params.push(Place { id: user, ty, optional: false, stated: either != 1 || is_once });
                }
            }
        }
        if let Kept::Callback(callback) = slot.kept
            && self.has("callback_results")
            && self.dice.one_in(2)
        {
            function.result = Returns::Callback(callback, None);
        }
        function.effects.push(Effect::Keep { place: id, slot: at, of });
        if self.has("async") && self.dice.one_in(5) && function.result == Returns::Status {
            function.timing = Timing::Async;
        }
        function
    }

    /// A function that reads, calls or ends what a slot keeps.
    fn use_slot(&mut self, at: usize) -> Function {
        let mut function = self.empty(Returns::Status);
        let Some(slot) = self.library.slots.get(at).cloned() else { return function };
        let of = slot.owner.map(|kind| {
            let place = self.handle(kind, Gives::Use);
            function.params.push(place.clone());
            place.id
        });
        function.effects.push(match &slot.kept {
            Kept::Buffer(_) => Effect::Show { slot: at, of },
            Kept::Callback(_) => {
                let (times, thread) = (self.dice.between(1, 3), self.thread());
                Effect::Call { from: From::Slot(at, of), times, thread }
            }
        });
        let ends = matches!(slot.lifetime, Lifetime::Scope | Lifetime::Manual) && self.dice.one_in(2);
        let is_late = function.effects.iter().any(|e| matches!(e, Effect::Call { thread: Thread::Late, .. }));
        if ends && !is_late {
            function.effects.push(Effect::Drop { slot: at, of });
            if slot.lifetime == Lifetime::Manual {
                let id = self.id();
                function.params.push(Place { id, ty: Type::Taken(at), optional: true, stated: false });
            }
        }
        if self.has("async") && self.dice.one_in(4) {
            function.timing = Timing::Async;
        }
        function
    }

    pub(super) fn thread(&mut self) -> Thread {
        match self.dice.below(6) {
            0 if self.has("thread") => Thread::Joined,
            1 if self.has("late") => Thread::Late,
            2 if self.has("many_threads") => Thread::Many,
            _ => Thread::Caller,
        }
    }

    /// A function of parameters by chance.
    fn plain_function(&mut self) -> Function {
        let mut function = self.empty(Returns::Status);
        let is_async = self.has("async") && self.dice.one_in(4);
        Scopes::new(self).function_params(&mut function, is_async);
        if is_async {
            function.timing = Timing::Async;
            return function;
        }
        let library = &self.library;
        let writes = function.params.iter().any(|place| reaches_out(library, place, 6));
        if self.has("async") && self.dice.one_in(12) && !writes {
            let id = self.id();
            function.params.push(scalar(id, Scalar::Int));
            function.timing = Timing::If(id);
        }
        if self.has("fails") && self.dice.one_in(3) && function.timing == Timing::Sync && !makes(&function) {
            let id = self.id();
            function.params.push(scalar(id, Scalar::Int));
            function.fails = Some(id);
        }
        function.errno = self.has("errno") && function.timing == Timing::Sync && self.dice.one_in(4);
        let is_fixed = function.fails.is_some() || function.timing != Timing::Sync;
        if !is_fixed && !returns_valid(&function.params) && self.dice.one_in(3) {
            function.result = Scopes::new(self).returns(&mut function);
        }
        function
    }

    fn steps(&mut self) {
        let mut alive: Vec<(usize, u32, Option<u32>)> = Vec::new();
        for _ in 0..self.options.steps {
            let Some(function) = self.dice.pick(&self.library.functions).cloned() else { return };
            let before = alive.clone();
            let Some(mut step) = self.step(&function, &mut alive) else { continue };
            step.parallel = self.has("parallel") && self.dice.one_in(2);
            let calls = |effect: &Effect| matches!(effect, Effect::Call { .. } | Effect::Keep { .. });
            // A call in a callback may change the number that is the size of a buffer of the outer call.
            let is_sized = function.params.iter().any(|place| model::has_meta_size(&place.ty));
            if self.has("inner_calls") && !is_sized && function.effects.iter().any(calls) && self.dice.one_in(2) {
                step.nested = self.inner(&before);
            }
            self.library.steps.push(step);
            if function.has_late_output() {
                self.use_results(&mut alive);
            }
        }
    }

    /// Adds calls of functions with plain buffers, which may use the results of the asynchronous call before them.
    fn use_results(&mut self, alive: &mut Vec<(usize, u32, Option<u32>)>) {
        let is_plain = |place: &Place| match &place.ty {
            Type::Buffer(buffer) => matches!(buffer.element.ty, Type::Scalar(_)),
            _ => false,
        };
        let uses = |one: &&Function| one.effects.is_empty() && one.params.iter().any(is_plain);
        let all: Vec<Function> = self.library.functions.iter().filter(uses).cloned().collect();
        for _ in 0..self.dice.below(4) {
            let Some(function) = self.dice.pick(&all) else { return };
            let step = self.step(function, alive);
            self.library.steps.extend(step);
        }
    }

    fn step(&mut self, function: &Function, alive: &mut Vec<(usize, u32, Option<u32>)>) -> Option<Step> {
        let id = self.id();
        let seed = self.dice.below(1 << 32);
        let mut step = Step {
            id,
            function: function.id,
            seed,
            plain: false,
            objects: Vec::new(),
            result: None,
            nested: None,
            inner: false,
            parallel: false,
        };
        let mut parent = None;
        let mut taken = Vec::new();
        for place in &function.params {
            let (kind, gives, count) = match &place.ty {
                Type::Handle(kind, gives) => (*kind, *gives, 1),
                Type::Buffer(Buffer { element, extent: Extent::Fixed(n), .. }) => match element.ty {
                    Type::Handle(kind, gives) => (kind, gives, *n),
                    _ => continue,
                },
                _ => continue,
            };
            for _ in 0..count {
                let variable = if gives == Gives::New {
                    self.id()
                } else {
                    let mine: Vec<u32> = alive.iter().filter(|(of, ..)| *of == kind).map(|(_, v, _)| *v).collect();
                    *self.dice.pick(&mine)?
                };
                if gives == Gives::Own {
                    taken.push(variable);
                }
                parent = Some(variable);
                step.objects.push((place.id, variable));
            }
        }
        if let Returns::New(_) = function.result {
            step.result = Some(self.id());
        }
        alive.retain(|(_, v, of)| !taken.contains(v) && !of.is_some_and(|of| taken.contains(&of)));
        for (kind, variable) in program_c::made(function, &step) {
            let has_parent = self.library.handles.get(kind).is_some_and(|handle| handle.parent.is_some());
            alive.push((kind, variable, parent.filter(|_| has_parent)));
        }
        Some(step)
    }

    /// A call that callbacks make.
    fn inner(&mut self, alive: &[(usize, u32, Option<u32>)]) -> Option<u32> {
        let simple = |function: &&Function| {
            let keeps = |effect: &Effect| matches!(effect, Effect::Show { .. } | Effect::Set { .. });
            // Callbacks at a time would change the same struct behind a handle.
            let is_alone = self.calm || names::public_objects(&self.library, function).is_empty();
            let makes = matches!(function.result, Returns::New(_)) || makes(function);
            function.effects.iter().all(keeps) && is_alone && !makes
        };
        let all: Vec<Function> = self.library.functions.iter().filter(simple).cloned().collect();
        let function = self.dice.pick(&all)?.clone();
        let mut step = self.step(&function, &mut alive.to_vec())?;
        step.inner = true;
        let id = step.id;
        self.library.steps.push(step);
        Some(id)
    }
}

fn makes(function: &Function) -> bool {
    function.params.iter().any(|place| match &place.ty {
        Type::Buffer(buffer) => matches!(buffer.element.ty, Type::Handle(_, Gives::New)),
        _ => false,
    })
}

fn plain(callback: &Callback) -> bool {
    callback.has_user() && !callback.once
}

/// A number that is a parameter or a member.
pub(super) fn scalar(id: u32, scalar: Scalar) -> Place {
    Place { id, ty: Type::Scalar(scalar), optional: false, stated: false }
}

fn returns_valid(params: &[Place]) -> bool {
    params.iter().any(|place| match &place.ty {
        Type::Buffer(buffer) => buffer.valid == Some(model::Valid::Result),
        _ => false,
    })
}

/// Leaves out calls that a program may not make: of functions that are gone, or on objects that are not there.
pub fn repair(library: &mut Library) {
    let mut alive: Vec<(u32, Option<u32>)> = Vec::new();
    let steps = std::mem::take(&mut library.steps);
    let mut inner: BTreeSet<u32> = BTreeSet::new();
    for mut step in steps {
        let Some(function) = library.function(step.function) else { continue };
        let made = program_c::made(function, &step);
        let is_made = |v: u32| made.iter().any(|(_, made)| *made == v);
        let used: Vec<(u32, u32)> = step.objects.iter().filter(|(_, v)| !is_made(*v)).copied().collect();
        if used.iter().any(|(_, v)| !alive.iter().any(|(a, _)| a == v)) {
            continue;
        }
        if step.inner {
            inner.insert(step.id);
            library.steps.push(step);
            continue;
        }
        step.nested = step.nested.filter(|id| inner.contains(id));
        let takes = |id: u32| {
            let place = find(&function.params, id).map(|place| &place.ty);
            matches!(place, Some(Type::Handle(_, Gives::Own)))
                || matches!(place, Some(Type::Buffer(b)) if matches!(b.element.ty, Type::Handle(_, Gives::Own)))
        };
        let taken: Vec<u32> = used.iter().filter(|(id, _)| takes(*id)).map(|(_, v)| *v).collect();
        let parent = used.iter().map(|(_, v)| *v).next_back();
        alive.retain(|(v, of)| !taken.contains(v) && !of.is_some_and(|of| taken.contains(&of)));
        for (kind, v) in made {
            let has_parent = library.handles.get(kind).is_some_and(|handle| handle.parent.is_some());
            alive.push((v, parent.filter(|_| has_parent)));
        }
        library.steps.push(step);
    }
    let called: BTreeSet<u32> = library.steps.iter().filter_map(|step| step.nested).collect();
    library.steps.retain(|step| !step.inner || called.contains(&step.id));
}
