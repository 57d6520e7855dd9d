//! Makes the parameters of functions and callbacks, and the members of structs.

use super::generate::Generator;
use super::model::{
    Buffer, Callback, Direction, Effect, Extent, From, Function, Gives, Library, Place, Returns, SCALARS, Scalar,
    Struct, Timing, Type, Valid,
};

/// A scope that is being made.
pub(super) struct Scopes<'a, 'b> {
    generator: &'a mut Generator<'b>,
    places: Vec<Place>,
    effects: Vec<Effect>,
}

/// Numbers that a size can be.
const SIZES: [Scalar; 8] =
    [Scalar::Size, Scalar::Int, Scalar::Uint, Scalar::Size, Scalar::U8, Scalar::U16, Scalar::Long, Scalar::U32];

impl<'a, 'b> Scopes<'a, 'b> {
    /// An empty scope.
    pub(super) fn new(generator: &'a mut Generator<'b>) -> Scopes<'a, 'b> {
        Scopes { generator, places: Vec::new(), effects: Vec::new() }
    }

    fn has(&self, feature: &str) -> bool {
        self.generator.has(feature)
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.generator.dice.one_in(n)
    }

    fn optional(&mut self) -> bool {
        self.has("optional") && self.one_in(3)
    }

    fn add(&mut self, ty: Type, optional: bool) -> u32 {
        let id = self.generator.id();
        self.places.push(Place { id, ty, optional, stated: false });
        id
    }

    fn scalar(&mut self) -> Scalar {
        *self.generator.dice.pick(&SCALARS).unwrap_or(&Scalar::Int)
    }

    fn integer(&mut self) -> u32 {
        let ty = *self.generator.dice.pick(&SIZES).unwrap_or(&Scalar::Int);
        self.add(Type::Scalar(ty), false)
    }

    /// A struct that fits, if there is one.
    fn structure(&mut self, fits: impl Fn(&Library, usize) -> bool) -> Option<usize> {
        let library = &self.generator.library;
        let has_tail = |at: usize| library.structs.get(at).is_some_and(Struct::has_tail);
        let all: Vec<usize> = (0..library.structs.len()).filter(|at| !has_tail(*at) && fits(library, *at)).collect();
        self.generator.dice.pick(&all).copied()
    }

    /// The members of a struct.
    pub(super) fn members(mut self) -> Vec<Place> {
        let me = self.generator.library.structs.len();
        for _ in 0..self.generator.dice.between(1, 4) {
            match self.generator.dice.below(12) {
                11 if self.has("local") => self.local(),
                10 if self.has("unions") => self.union(),
                0 if self.has("text") => {
                    let optional = self.optional();
                    self.add(Type::Text, optional);
                }
                1 => {
                    let (ty, n) = (self.scalar(), self.generator.dice.between(1, 5));
                    self.add(Type::Array(ty, n), false);
                }
                2 => {
                    if let Some(at) = self.structure(|_, _| true) {
                        self.add(Type::Struct(at), false);
                    }
                }
                3 | 4 if self.has("nested") => {
                    let direction = self.direction();
                    let buffer = self.buffer(direction, 1);
                    let optional = self.optional();
                    self.add(Type::Buffer(buffer), optional);
                }
                5 if self.has("lists") => {
                    self.add(Type::Buffer(one(Direction::In, Type::Struct(me))), true);
                }
                6 if self.has("handles") => {
                    let kind = self.generator.dice.index(self.generator.library.handles.len());
                    self.add(Type::Handle(kind, Gives::Use), true);
                }
                _ => {
                    let ty = self.scalar();
                    self.add(Type::Scalar(ty), false);
                }
            }
        }
        if self.places.is_empty() {
            self.integer();
        }
        self.places
    }

    /// The members of a struct behind a handle.
    pub(super) fn public(mut self) -> Vec<Place> {
        for _ in 0..self.generator.dice.between(1, 4) {
            let (ty, n) = (self.scalar(), self.generator.dice.between(1, 4));
            let is_array = self.one_in(4);
            self.add(if is_array { Type::Array(ty, n) } else { Type::Scalar(ty) }, false);
        }
        self.places
    }

    /// The members of a struct that ends with an array.
    pub(super) fn with_tail(mut self) -> Vec<Place> {
        for _ in 0..self.generator.dice.between(0, 2) {
            let ty = self.scalar();
            self.add(Type::Scalar(ty), false);
        }
        let (n, ty) = (self.integer(), self.scalar());
        self.add(Type::Tail(n, ty), false);
        self.places
    }

    /// A pointer to a struct that ends with an array.
    fn tail(&mut self) {
        let library = &self.generator.library;
        let Some(at) = library.structs.iter().position(Struct::has_tail) else { return };
        let direction = if self.one_in(2) { Direction::In } else { Direction::InOut };
        let optional = self.optional();
        self.add(Type::Buffer(one(direction, Type::Struct(at))), optional);
    }

    /// Two buffers of numbers, which may share memory.
    fn pair(&mut self) {
        for _ in 0..2 {
            let direction =
                *self.generator.dice.pick(&[Direction::In, Direction::Out, Direction::InOut]).unwrap_or(&Direction::In);
            let (n, ty) = (self.integer(), self.scalar());
            let optional = self.optional();
            self.add(Type::Buffer(Buffer { extent: Extent::Count(n), ..one(direction, Type::Scalar(ty)) }), optional);
        }
    }

    /// A union and the number that says which member is live.
    fn union(&mut self) {
        let on = self.add(Type::Scalar(Scalar::Int), false);
        let mut members = Vec::new();
        for value in 1..=i64::from(self.generator.dice.between(2, 4)) {
            let ty = match self.generator.dice.below(6) {
                0 if self.has("text") => Type::Text,
                1 => Type::Array(self.scalar(), self.generator.dice.between(1, 4)),
                2 => self.structure(|_, _| true).map_or(Type::Scalar(Scalar::Long), Type::Struct),
                3 if self.has("nested") => {
                    let direction = self.direction();
                    let pointed = self.structure(|library, at| direction != Direction::Out || flat(library, at));
                    Type::Buffer(one(direction, pointed.map_or(Type::Scalar(Scalar::Int), Type::Struct)))
                }
                _ => Type::Scalar(self.scalar()),
            };
            let optional = matches!(ty, Type::Text | Type::Buffer(_)) && self.optional();
            members.push((value, Place { id: self.generator.id(), ty, optional, stated: false }));
        }
        self.add(Type::Union(on, members), false);
    }

    /// The direction of an inner pointer.
    fn direction(&mut self) -> Direction {
        if !self.has("inner_out") {
            return Direction::In;
        }
        match self.generator.dice.below(3) {
            0 => Direction::In,
            1 => Direction::Out,
            _ => Direction::InOut,
        }
    }

    /// A buffer, and the places that say how large it is.
    fn buffer(&mut self, direction: Direction, depth: u32) -> Buffer {
        let element = self.element(direction, depth);
        let extent = self.extent(direction, &element);
        let untyped = depth == 0 && self.one_in(5);
        Buffer { direction, element: Box::new(element), extent, valid: None, always: false, untyped }
    }

    fn element(&mut self, direction: Direction, depth: u32) -> Place {
        let is_flat = direction == Direction::Out;
        match self.generator.dice.below(9) {
            0 | 1 if self.has("structs") => {
                let fits = |library: &Library, at: usize| !is_flat || flat(library, at);
                self.structure(fits).map_or_else(|| place(Type::Scalar(Scalar::Int)), |at| place(Type::Struct(at)))
            }
            2 if self.has("text") && direction == Direction::In => {
                let optional = self.optional();
                Place { optional, ..place(Type::Text) }
            }
            3 if self.has("nested") && !is_flat && depth < 2 => {
                let inner = self.direction();
                let mut buffer = self.buffer(inner, depth + 1);
                if self.one_in(4) && depth == 0 && matches!(buffer.element.ty, Type::Scalar(_)) {
                    buffer.extent = Extent::Index(self.generator.dice.between(0, 2));
                }
                let optional = self.optional();
                Place { optional, ..place(Type::Buffer(buffer)) }
            }
            _ => {
                let ty = self.scalar();
                place(Type::Scalar(ty))
            }
        }
    }

    fn extent(&mut self, direction: Direction, element: &Place) -> Extent {
        let is_number = matches!(element.ty, Type::Scalar(ty) if !ty.is_real());
        let is_char = matches!(element.ty, Type::Scalar(Scalar::Char));
        let goes = direction == Direction::In;
        let k = self.generator.dice.between(1, 3);
        match self.generator.dice.below(14) {
            0 => Extent::Fixed(k),
            1 if self.has("sizes") => Extent::Times(self.integer(), k),
            2 if self.has("sizes") => Extent::Plus(self.integer(), k),
            3 if self.has("sizes") => Extent::Min(self.integer(), self.integer()),
            4 if self.has("sizes") => Extent::Max(self.integer(), self.integer()),
            5 if self.has("sizes") && matches!(element.ty, Type::Scalar(_)) => Extent::Bytes(self.integer()),
            6 if self.has("until") && is_number && goes => Extent::Zero,
            7 if self.has("until") && is_number => Extent::CountOrZero(self.integer()),
            8 | 9 if self.has("self") && is_char && goes => Extent::Length,
            10 if self.has("self") && is_char && goes => {
                let n = self.add(Type::Scalar(Scalar::Int), false);
                Extent::LengthIfNegative(n)
            }
            _ => Extent::Count(self.integer()),
        }
    }

    /// What a slot keeps: its size is a parameter.
    pub(super) fn kept(mut self) -> Buffer {
        let mut element = self.element(Direction::In, 2);
        if let Type::Struct(at) = element.ty
            && !lasts(&self.generator.library, at)
        {
            element = place(Type::Scalar(Scalar::Int));
        }
        let extent = if self.one_in(4) { Extent::Fixed(2) } else { Extent::Count(0) };
        Buffer {
            direction: Direction::In,
            element: Box::new(element),
            extent,
            valid: None,
            always: false,
            untyped: false,
        }
    }

    /// Parameters of a callback, without its userdata.
    pub(super) fn callback_params(mut self, is_async: bool) -> Vec<Place> {
        for _ in 0..self.generator.dice.between(0, 3) {
            match self.generator.dice.below(7) {
                6 if self.has("local") && !is_async => self.local(),
                0 | 1 => self.input(),
                2 | 3 if !is_async => self.output(false),
                4 if self.has("handles") => {
                    let kind = self.generator.dice.index(self.generator.library.handles.len());
                    self.add(Type::Handle(kind, Gives::Use), true);
                }
                _ => {
                    let ty = self.scalar();
                    self.add(Type::Scalar(ty), false);
                }
            }
        }
        let library = &self.generator.library;
        let has_out = |place: &Place| reaches_out(library, place, 4);
        if is_async && self.places.iter().any(has_out) {
            return Vec::new();
        }
        self.places
    }

    /// Something that only goes in, or whose inner buffers come back.
    fn input(&mut self) {
        if self.has("text") && self.one_in(5) {
            let optional = self.optional();
            self.add(Type::Text, optional);
            return;
        }
        let buffer = self.buffer(Direction::In, 0);
        let optional = self.optional();
        self.add(Type::Buffer(buffer), optional);
    }

    /// Memory whose contents each side has for itself.
    fn local(&mut self) {
        let ty = self.scalar();
        let extent = match self.generator.dice.below(3) {
            0 => Extent::Fixed(self.generator.dice.between(1, 9)),
            1 if self.has("sizes") => Extent::Plus(self.integer(), 1),
            _ => Extent::Count(self.integer()),
        };
        let optional = self.optional();
        self.add(Type::Buffer(Buffer { extent, ..one(Direction::Local, Type::Scalar(ty)) }), optional);
    }

    /// Something that comes back.
    fn output(&mut self, can_fail: bool) {
        let direction = if self.one_in(2) { Direction::Out } else { Direction::InOut };
        let mut buffer = self.buffer(direction, 0);
        let optional = self.optional();
        let can_end = matches!(buffer.extent, Extent::CountOrZero(_));
        let is_simple = matches!(buffer.element.ty, Type::Scalar(_)) && direction == Direction::Out && !can_end;
        if self.has("valid") && is_simple && !self.one_in(3) {
            self.valid(&mut buffer);
        }
        buffer.always = can_fail && buffer.valid.is_none() && self.has("always") && self.one_in(5);
        self.add(Type::Buffer(buffer), optional);
    }

    /// A buffer of an asynchronous call, whose contents arrive with a later call.
    fn late_output(&mut self) {
        let scalar = self.scalar();
        let direction = if self.one_in(2) { Direction::Out } else { Direction::InOut };
        let extent = match self.one_in(2) {
            true => Extent::Fixed(self.generator.dice.between(1, 600)),
            false => Extent::Count(self.add(Type::Scalar(Scalar::Size), false)),
        };
        if scalar != Scalar::Bool {
            self.generator.library.late_outputs = true;
            self.add(Type::Buffer(Buffer { extent, ..one(direction, Type::Scalar(scalar)) }), false);
        }
    }

    /// A number that says how much of a buffer was written.
    fn valid(&mut self, buffer: &mut Buffer) {
        let pointer = |direction| one(direction, Type::Scalar(Scalar::Size));
        match self.generator.dice.below(4) {
            0 => {
                let optional = self.has("null_count") && self.optional();
                let of = self.add(Type::Buffer(pointer(Direction::Out)), optional);
                buffer.valid = Some(Valid::MinFirst(of));
            }
            1 => {
                let of = self.add(Type::Buffer(pointer(Direction::InOut)), false);
                buffer.extent = Extent::Old(of);
                buffer.valid = Some(Valid::First(of));
            }
            _ => {
                let of = self.add(Type::Buffer(pointer(Direction::Out)), false);
                buffer.valid = Some(Valid::First(of));
            }
        }
    }

    fn choice(&mut self) {
        let on = self.add(Type::Scalar(Scalar::Int), false);
        let mut cases = Vec::new();
        for value in 1..=i64::from(self.generator.dice.between(1, 3)) {
            let ty = match self.generator.dice.below(4) {
                0 if self.has("text") => Type::Text,
                _ => {
                    let direction = self.direction();
                    Type::Buffer(self.buffer(direction, 1))
                }
            };
            cases.push((value, ty));
        }
        let optional = self.optional();
        self.add(Type::Choice(on, cases), optional);
    }

    fn call(&mut self) {
        let count = self.generator.library.callbacks.len();
        if count == 0 {
            return;
        }
        let at = self.generator.dice.index(count);
        let item = self.generator.library.callbacks.get(at);
        let has_user = item.is_some_and(Callback::has_user);
        // Of two callbacks with one userdata both are of one type.
        let is_shared = has_user && self.has("shared_user") && self.one_in(3);
        let mut all = Vec::new();
        for _ in 0..=u32::from(is_shared) {
            let optional = self.has("null_callback") && self.optional();
            all.push(self.add(Type::Callback(at), optional));
        }
        let user = has_user.then(|| self.add(Type::User(all.clone()), false));
        for id in all {
            let times = self.generator.dice.between(1, 3);
            let thread = match self.generator.thread() {
                super::model::Thread::Late => super::model::Thread::Caller,
                other => other,
            };
            self.effects.push(Effect::Call { from: From::Params(id, user), times, thread });
        }
    }

    fn call_members(&mut self) {
        let has_callbacks = |library: &Library, at: usize| {
            let members = library.structs.get(at).map(|item| &item.members);
            members.is_some_and(|all| all.iter().any(|place| matches!(place.ty, Type::Callback(_))))
        };
        let Some(at) = self.structure(has_callbacks) else { return };
        let optional = self.optional();
        let of = self.add(Type::Buffer(one(Direction::In, Type::Struct(at))), optional);
        let members = self.generator.library.structs.get(at).map(|item| item.members.clone()).unwrap_or_default();
        let Some(user) = members.iter().find(|place| matches!(place.ty, Type::User(_))) else { return };
        for member in members.iter().filter(|place| matches!(place.ty, Type::Callback(_))) {
            let from = From::Members(of, member.id, user.id);
            self.effects.push(Effect::Call { from, times: 2, thread: super::model::Thread::Caller });
        }
    }

    fn object(&mut self) {
        let kind = self.generator.dice.index(self.generator.library.handles.len());
        let n = self.generator.dice.between(1, 3);
        let array = |direction, gives| Buffer {
            direction,
            element: Box::new(place(Type::Handle(kind, gives))),
            extent: Extent::Fixed(n),
            valid: None,
            always: false,
            untyped: false,
        };
        match self.generator.dice.below(4) {
            0 => {
                self.add(Type::Buffer(array(Direction::In, Gives::Use)), false);
            }
            1 if self.generator.library.handles.get(kind).is_some_and(|handle| handle.parent.is_none()) => {
                self.add(Type::Buffer(array(Direction::Out, Gives::New)), false);
            }
            2 if self.has("metadata") => {
                let of = self.add(Type::Handle(kind, Gives::Use), false);
                let direction = self.direction();
                let mut buffer = self.buffer(direction, 2);
                buffer.element = Box::new(place(Type::Scalar(Scalar::U8)));
                buffer.extent = Extent::Meta(of);
                self.add(Type::Buffer(buffer), false);
            }
            _ => {
                self.add(Type::Handle(kind, Gives::Use), false);
            }
        }
    }

    /// Parameters of a function, and what it does with them.
    pub(super) fn function_params(mut self, function: &mut Function, is_async: bool) {
        for _ in 0..self.generator.dice.between(1, 4) {
            match self.generator.dice.below(16) {
                15 if self.has("local") && !is_async => self.local(),
                14 if self.has("passed") => {
                    let (on, optional) = (self.integer(), self.optional());
                    let ty = Type::Passed(self.scalar(), on);
                    self.add(ty, optional);
                }
                12 if self.has("tails") && !is_async => self.tail(),
                13 if self.has("aliases") && !is_async => self.pair(),
                0 | 1 => self.input(),
                2..=4 if !is_async => self.output(function.fails.is_none()),
                5 if self.has("choice") && !is_async => self.choice(),
                6 if self.has("structs") => {
                    if let Some(at) = self.structure(|_, _| true) {
                        self.add(Type::Struct(at), false);
                    }
                }
                7 | 8 if self.has("handles") => self.object(),
                9 | 10 if self.has("callbacks") && (!is_async || self.has("async_calls")) => self.call(),
                11 if self.has("callback_members") && (!is_async || self.has("async_calls")) => self.call_members(),
                _ => {
                    let ty = self.scalar();
                    self.add(Type::Scalar(ty), false);
                }
            }
        }
        if is_async && self.has("async_out") && !self.one_in(3) {
            self.late_output();
        }
        if is_async {
            let library = &self.generator.library;
            let stays = |place: &Place| place.is_late_output() || !reaches_out(library, place, 4);
            let places: Vec<Place> = self.places.iter().filter(|place| stays(place)).cloned().collect();
            self.effects.retain(|effect| match effect {
                Effect::Call { from: From::Members(of, ..), .. } => places.iter().any(|place| place.id == *of),
                _ => true,
            });
            self.places = places;
        }
        // One place at most says its size by the result.
        if self.has("valid") && !is_async && self.one_in(4) {
            let n = self.add(Type::Scalar(Scalar::Int), false);
            let element = Box::new(place(Type::Scalar(Scalar::U16)));
            let optional = false;
            let buffer = Buffer {
                direction: Direction::Out,
                element,
                extent: Extent::Count(n),
                valid: Some(Valid::Result),
                always: false,
                untyped: false,
            };
            self.add(Type::Buffer(buffer), optional);
        }
        function.params = self.places;
        function.effects = self.effects;
    }

    /// What a function returns.
    pub(super) fn returns(mut self, function: &mut Function) -> Returns {
        match self.generator.dice.below(8) {
            6 if self.has("blocks") => {
                let n = self.integer();
                function.params.append(&mut self.places);
                Returns::Block(self.scalar(), n)
            }
            7 if self.has("callback_results") => {
                let callback = |place: &Place| match place.ty {
                    Type::Callback(at) => Some((at, place.id)),
                    _ => None,
                };
                let all: Vec<(usize, u32)> = function.params.iter().filter_map(callback).collect();
                self.generator.dice.pick(&all).map_or(Returns::Void, |(at, id)| Returns::Callback(*at, Some(*id)))
            }
            0 => Returns::Void,
            1 if self.has("text") => Returns::Text,
            2 if self.has("shared") && self.generator.calm && function.timing == Timing::Sync => {
                let scalar = self.scalar();
                let n = self.generator.dice.between(1, 2000);
                if scalar == Scalar::Bool { Returns::Void } else { Returns::Shared(scalar, n) }
            }
            2 => Returns::Elements(Scalar::U16, self.generator.dice.between(1, 9)),
            3 if self.has("structs") => match self.structure(flat) {
                Some(at) => Returns::Struct(at),
                None => Returns::Void,
            },
            4 if self.has("within") => {
                let fits = |place: &&Place| match &place.ty {
                    Type::Buffer(buffer) => {
                        buffer.direction == Direction::In && matches!(buffer.element.ty, Type::Scalar(_))
                    }
                    Type::Text => true,
                    _ => false,
                };
                let all: Vec<u32> = function.params.iter().filter(fits).map(|place| place.id).collect();
                self.generator.dice.pick(&all).map_or(Returns::Void, |id| Returns::Within(*id))
            }
            _ => Returns::Number(self.scalar()),
        }
    }
}

/// A pointer to one element.
fn one(direction: Direction, ty: Type) -> Buffer {
    Buffer {
        direction,
        element: Box::new(place(ty)),
        extent: Extent::Fixed(1),
        valid: None,
        always: false,
        untyped: false,
    }
}

fn place(ty: Type) -> Place {
    Place { id: 0, ty, optional: false, stated: false }
}

/// Whether all that a struct has is in itself.
fn flat(library: &Library, at: usize) -> bool {
    library.structs.get(at).is_some_and(|item| {
        item.members.iter().all(|place| match place.ty {
            Type::Scalar(_) | Type::Array(..) => true,
            Type::Struct(inner) => flat(library, inner),
            _ => false,
        })
    })
}

/// Whether a struct can be read later as it was: nothing in it comes back, and it leads to no object and no function, which can end before.
fn lasts(library: &Library, at: usize) -> bool {
    let ty = Type::Struct(at);
    !has_reference(library, &ty, 6) && !reaches_out(library, &place(ty), 6)
}

/// Whether something of this type leads to an object or to a function, or may do so.
fn has_reference(library: &Library, ty: &Type, depth: u32) -> bool {
    match ty {
        Type::Callback(_) | Type::Handle(..) | Type::Union(..) => true,
        Type::Buffer(buffer) => has_reference(library, &buffer.element.ty, depth),
        Type::Struct(at) if depth > 0 => (library.structs.get(*at))
            .is_some_and(|item| item.members.iter().any(|place| has_reference(library, &place.ty, depth - 1))),
        Type::Choice(_, cases) => cases.iter().any(|(_, ty)| has_reference(library, ty, depth)),
        _ => false,
    }
}

/// Whether something in a place comes back.
pub(super) fn reaches_out(library: &Library, place: &Place, depth: u32) -> bool {
    match &place.ty {
        Type::Buffer(buffer) => buffer.direction.comes() || reaches_out(library, &buffer.element, depth),
        Type::Struct(at) if depth > 0 => (library.structs.get(*at))
            .is_some_and(|item| item.members.iter().any(|place| reaches_out(library, place, depth - 1))),
        Type::Choice(_, cases) => cases.iter().any(|(_, ty)| reaches_out(library, &self::place(ty.clone()), depth)),
        Type::Union(_, members) => members.iter().any(|(_, place)| reaches_out(library, place, depth)),
        _ => false,
    }
}
