//! Random declarations and files.

use lapis_cx::contract::core::Type;
use lapis_cx::int::Int;

use super::dice::Dice;
use super::generator::{Callee, EnumInfo, ErrorInfo, Generator, Global, Instance, Kind, Section, Var};
use super::model::*;
use super::types::{Known, Static, Ty};

/// Which interface inherits from which, and what the first one leaves open.
struct Plan {
    /// The XLENs of all interfaces.
    xlens: Option<Vec<u32>>,
    /// How many interfaces there are.
    interfaces: usize,
    /// Whether the first is the base of the others, and abstract.
    has_base: bool,
    /// Whether the base leaves constants open; then it has no section of its own.
    is_open: bool,
}

/// A random file.
pub fn generate(mut dice: Dice, package: String) -> Spec {
    let has_base = dice.one_in(4);
    let plan = Plan {
        xlens: dice
            .pick(&[None, None, None, Some(vec![32]), Some(vec![64]), Some(vec![64, 32])])
            .cloned()
            .unwrap_or(None),
        interfaces: if has_base { dice.between(2, 3) as usize } else { 1 },
        has_base,
        is_open: has_base && dice.one_in(2),
    };
    let mut sections = Vec::new();
    for interface in usize::from(plan.is_open)..plan.interfaces {
        for xlen in plan.xlens.as_deref().unwrap_or(&[32, 64]) {
            sections.push(Section { xlen: *xlen, interface });
        }
    }
    let mut generator = Generator::new(dice, sections);
    let mut items = Vec::new();
    for _ in 0..generator.dice.between(0, 3) {
        items.extend(generator.constant(None).map(Item::Const));
    }
    for _ in 0..generator.dice.between(0, 2) {
        items.extend(generator.function(None).map(Item::Function));
    }
    let mut imports_context = false;
    let mut base = None;
    let mut counter = Counter { command: 0, error: 0, has_state: false, has_xcmd: false };
    for at in 0..plan.interfaces {
        let interface = generator.interface(&plan, at, base, &mut counter);
        imports_context |= interface.has_context;
        if plan.has_base && at == 0 {
            base = Some(interface.name);
        }
        items.push(Item::Interface(interface));
    }
    if generator.dice.one_in(2) {
        generator.dice.shuffle(&mut items);
    }
    Spec { names: generator.names, package, imports_context, items }
}

/// What all interfaces of a file share.
struct Counter {
    command: u32,
    error: u8,
    has_state: bool,
    has_xcmd: bool,
}

impl Generator {
    /// The sections that have the members of an interface.
    fn sections_of(&self, plan: &Plan, interface: usize) -> Vec<bool> {
        let inherits = plan.has_base && interface == 0;
        self.sections.iter().map(|s| inherits || s.interface == interface).collect()
    }

    fn interface(&mut self, plan: &Plan, at: usize, base: Option<Name>, counter: &mut Counter) -> Interface {
        let on = self.sections_of(plan, at);
        let name = self.name(Role::Interface);
        let is_base = plan.has_base && at == 0;
        let mut members = Vec::new();
        if is_base && plan.is_open {
            members.push(self.open_constant(&on));
        }
        if !is_base && plan.is_open {
            members.extend(self.given_constants(plan, at));
        }
        for _ in 0..self.dice.between(0, 2) {
            members.push(Member::Enum(self.enumeration(&on)));
        }
        for _ in 0..self.dice.between(0, 3) {
            members.extend(self.constant(Some(&on)).map(Member::Const));
        }
        for _ in 0..self.dice.between(0, 2) {
            members.extend(self.function(Some(&on)).map(Member::Function));
        }
        // One of the interfaces has the state; an heir of a base with state has it too.
        let mut has_context = false;
        if !counter.has_state && !self.dice.one_in(4) {
            counter.has_state = true;
            members.push(Member::State(self.state(&on)));
            has_context = self.dice.one_in(2);
            for _ in 0..self.dice.between(0, 2) {
                counter.error += 1 + self.dice.below(20) as u8;
                let name = self.name(Role::Global);
                self.errors.push(ErrorInfo { name, sections: on.clone() });
                members.push(Member::Error(name, counter.error));
            }
            // Of two heirs without a base both may have one.
            counter.has_state = !(plan.has_base && at > 0);
        }
        for _ in 0..self.dice.between(1, 4) {
            members.extend(self.command(&on, counter).map(Member::Command));
        }
        for _ in 0..self.dice.between(0, 2) {
            members.extend(self.law(&on).map(Member::Law));
        }
        let uuid = self.dice.one_in(2).then(|| {
            let bits = u128::from(self.dice.below(u64::MAX)) << 64 | u128::from(self.dice.below(u64::MAX)) | 1;
            bits & !(0xF << 76 | 0x3 << 62) | 0x4 << 76 | 0x2 << 62
        });
        Interface {
            name,
            is_abstract: is_base,
            has_context,
            base: base.filter(|_| !is_base),
            uuid: uuid.filter(|_| !is_base),
            // Nothing finds a device for an xcmd without one.
            xintf: counter.has_xcmd || self.dice.one_in(4),
            short: self.dice.one_in(2),
            xlens: plan.xlens.clone(),
            members,
        }
    }

    /// A constant that each heir gives another value.
    fn open_constant(&mut self, on: &[bool]) -> Member {
        let name = self.name(Role::Global);
        let sized = self.dice.one_in(2);
        let mut of = Vec::new();
        let mut last = None;
        let mut v = Int::ZERO;
        for section in self.sections.clone() {
            if last != Some(section.interface) {
                v = Int::from(self.dice.between(1, 60));
                last = Some(section.interface);
            }
            of.push(if sized { Static::constant(Type::U(8), v.clone()) } else { Static::number(v.clone()) });
        }
        self.globals.push(Global { name, of, sections: Some(on.to_vec()), is_field: false });
        Member::Const(Const {
            name,
            ty: Some(if sized { TypeText::Plain(false, 8) } else { TypeText::Int }),
            init: None,
        })
    }

    /// The values of the constants that the base leaves open: they are the first globals of interfaces.
    fn given_constants(&mut self, plan: &Plan, at: usize) -> Vec<Member> {
        let on = self.sections_of(plan, at);
        let all: Vec<bool> = self.sections_of(plan, 0);
        let open = self.globals.iter().find(|g| g.sections.as_ref() == Some(&all)).cloned();
        self.begin(Kind::Const, Some(&on), &[]);
        let given = open.and_then(|open| {
            let of = self.project(&open.of);
            let v = of.first()?.int()?.clone();
            Some(Member::Const(Const { name: open.name, ty: None, init: Some(self.number(v)) }))
        });
        given.into_iter().collect()
    }

    fn enumeration(&mut self, on: &[bool]) -> Enum {
        let (name, signed) = (self.name(Role::Global), self.dice.one_in(5));
        let width = if self.dice.one_in(5) { self.dice.between(5, 32) } else { self.dice.between(1, 4) };
        let base = if signed { Type::S(width) } else { Type::U(width) };
        let (lo, hi) = base.range();
        let mut cases: Vec<(Name, Int)> = Vec::new();
        for _ in 0..self.dice.between(1, 5) {
            let v = self.dice.int(&lo, &hi);
            if cases.iter().all(|(_, other)| *other != v) {
                cases.push((self.name(Role::Case), v));
            }
        }
        let patterns = cases.iter().map(|(name, v)| (*name, v.wrap(width, false))).collect();
        self.enums.push(EnumInfo { name, base: base.clone(), cases: patterns, sections: on.to_vec() });
        Enum { name, base, cases }
    }

    fn constant(&mut self, on: Option<&[bool]>) -> Option<Const> {
        self.begin(Kind::Const, on, &[]);
        let name = self.name(Role::Global);
        let (ty, init, of) = match self.dice.below(5) {
            0 => {
                let init = self.int(3);
                self.is(&init, |s| s.int().is_some()).then_some(())?;
                let of = init.of.iter().map(|s| Static::number(s.int().cloned().unwrap_or(Int::ZERO))).collect();
                (Some(TypeText::Int), init, of)
            }
            1 => {
                let init = self.int(3);
                let of = init.of.iter().map(evaluated).collect::<Option<Vec<_>>>()?;
                (None, init, of)
            }
            kind => {
                let types = if kind == 2 { self.table_types() } else { self.some_types() };
                let (text, init) = (self.type_text(&types)?, self.init(&types));
                let of = init.of.iter().zip(&types).map(|(s, ty)| {
                    let known = match (&s.known, ty) {
                        (Known::Int(v), Type::U(_) | Type::S(_) | Type::Bool | Type::Enum { .. }) => {
                            Known::Int(v.clone())
                        }
                        _ => Known::Some,
                    };
                    Static { known, ..Static::varies(ty.clone()) }
                });
                let of = of.collect();
                (Some(text), init, of)
            }
        };
        let rest = Static::dead();
        let of = self.by_section::<Static>(&of, rest);
        self.globals.push(Global { name, of, sections: on.map(<[bool]>::to_vec), is_field: false });
        Some(Const { name, ty, init: Some(init) })
    }

    /// The type of a table.
    fn table_types(&mut self) -> Vec<Type> {
        let len = self.dice.between(2, 40);
        self.some_int_types().into_iter().map(|ty| Type::array(ty, len)).collect()
    }

    fn function(&mut self, on: Option<&[bool]>) -> Option<Function> {
        let is_generic = self.dice.one_in(3);
        let (name, body) = (self.name(Role::Global), self.bodies + 1);
        let generics: Vec<Name> = match is_generic {
            true => (0..self.dice.between(1, 2)).map(|_| self.name(Role::Local(body))).collect(),
            false => Vec::new(),
        };
        // The first generic is a width, the second the length of an array.
        let mut sets: Vec<Vec<(Name, Vec<u32>)>> = Vec::new();
        for _ in 0..if is_generic { self.dice.between(1, 3) } else { 0 } {
            let (width, len, by_xlen) = (self.some_width().min(100), self.dice.between(1, 5), self.dice.one_in(4));
            let widths = self.sections.iter().map(|s| if by_xlen { s.xlen } else { width }).collect();
            let values = [widths, vec![len; self.sections.len()]];
            sets.push(generics.iter().copied().zip(values).collect());
        }
        self.begin(Kind::Fn, on, &sets);
        let mut params = Vec::new();
        let names = self.generic_exprs();
        for at in 0..self.dice.between(generics.len() as u32, 3) as usize {
            let param = self.local();
            let (types, text) = match names.get(at) {
                Some(generic) => {
                    let signed = self.dice.one_in(3);
                    let value = |w: usize| generic.of.get(w).and_then(|s| s.int()?.to_u32()).unwrap_or(1);
                    let of = |n: u32| if signed { Type::S(n) } else { Type::U(n) };
                    let count = self.body.worlds.len();
                    if at == 0 {
                        let types: Vec<Type> = (0..count).map(|w| of(value(w))).collect();
                        (types, TypeText::Computed(signed, Box::new(generic.clone())))
                    } else {
                        let elem = TypeText::Plain(signed, 8);
                        let types: Vec<Type> = (0..count).map(|w| Type::array(of(8), value(w))).collect();
                        (types, TypeText::Array(Box::new(elem), vec![generic.clone()]))
                    }
                }
                None => {
                    let types = self.some_types();
                    let text = self.type_text(&types)?;
                    (types, text)
                }
            };
            self.body.vars.push(Var {
                name: param,
                of: types.iter().cloned().map(Static::varies).collect(),
                mutable: false,
            });
            params.push((param, types, text));
        }
        let result = self.some_types();
        let text = self.type_text(&result)?;
        self.body.result = Some(result.clone());
        let depth = self.dice.between(0, 3);
        let stmts = self.statements(depth, true);
        let each = sets.len().max(1);
        let instances = (0..each).map(|set| {
            let of = |types: &[Type]| {
                let mine: Vec<Type> = types.iter().skip(set).step_by(each).cloned().collect();
                let worlds: Vec<usize> = self.body.worlds.iter().skip(set).step_by(each).map(|w| w.section).collect();
                let mut all = vec![Type::Bool; self.sections.len()];
                for (section, ty) in worlds.into_iter().zip(mine) {
                    if let Some(place) = all.get_mut(section) {
                        *place = ty;
                    }
                }
                all
            };
            Instance { params: params.iter().map(|(_, types, _)| of(types)).collect(), result: of(&result) }
        });
        let instances = instances.collect();
        self.fns.push(Callee {
            name,
            sections: on.map(<[bool]>::to_vec),
            is_generic,
            instances,
            cost: self.body.cost + 5,
        });
        let params = params.into_iter().map(|(name, _, text)| (name, text)).collect();
        Some(Function { name, generics, params, result: text, body: stmts })
    }

    fn state(&mut self, on: &[bool]) -> State {
        self.begin(Kind::Const, Some(on), &[]);
        let sharing =
            self.dice.word(&["exclusive", "shared(caller_save)", "shared(callee_save)", "shared(always_init)"]);
        let ucontext = *self.dice.pick(&[None, Some(false), Some(true)]).unwrap_or(&None);
        let mut fields = Vec::new();
        let count = self.dice.between(1, 5);
        while fields.len() < count as usize {
            self.body.fuel = 20;
            let types = self.some_types();
            let Some(text) = self.type_text(&types) else { continue };
            let (name, reset) = (self.name(Role::Global), self.init(&types));
            let of: Vec<Static> = types.into_iter().map(Static::varies).collect();
            let of = self.by_section(&of, Static::dead());
            fields.push((name, text, reset));
            self.globals.push(Global { name, of, sections: Some(on.to_vec()), is_field: true });
        }
        State { sharing, ucontext, fields }
    }

    /// Scalar types that fit registers of `room` bits less than XLEN.
    fn register_types(&mut self, room: u32) -> Vec<Type> {
        for _ in 0..4 {
            let types = self.some_scalar_types();
            if self.each_active(|w| types.get(w).is_some_and(|ty| ty.width() + room <= self.xlen_in(w))) {
                return types;
            }
        }
        let (signed, count) = (self.dice.one_in(3), self.body.worlds.len());
        let of = |n: u32| if signed { Type::S(n) } else { Type::U(n) };
        (0..count).map(|w| of(self.xlen_in(w) - room)).collect()
    }

    fn command(&mut self, on: &[bool], counter: &mut Counter) -> Option<Command> {
        let xlen = self.dice.one_in(8).then(|| if self.dice.one_in(2) { 32 } else { 64 });
        let on: Vec<bool> =
            on.iter().zip(&self.sections).map(|(on, s)| *on && xlen.is_none_or(|x| x == s.xlen)).collect();
        if !on.contains(&true) {
            return None;
        }
        let (name, body) = (self.name(Role::Global), self.bodies + 1);
        let mut sets = Vec::new();
        let mut family = None;
        if self.dice.one_in(5) {
            let (index, lo) = (self.name(Role::Local(body)), self.dice.between(0, 2));
            let hi = lo + self.dice.between(1, 3);
            family = Some((index, lo, hi));
            sets.extend((lo..hi).map(|k| vec![(index, vec![k; self.sections.len()])]));
        }
        counter.command += if self.dice.one_in(6) { self.dice.between(1, 90) } else { 0 };
        let id = counter.command;
        let last = id + family.map_or(0, |(_, _, hi)| hi - 1);
        counter.command = last + 1;
        if last > 900 {
            return None;
        }
        self.begin(Kind::Command, Some(&on), &sets);
        let mut forms: Vec<&'static str> = Vec::new();
        let (mut immediate, mut room) = (None, 0);
        let mut registers = self.dice.between(0, 2);
        match self.dice.below(6) {
            0 if last <= 7 => {
                forms.extend(["R", "I"]);
                registers = registers.max(1);
            }
            1 if last <= 7 => {
                forms.push("I");
                (registers, immediate) = (registers.min(1), Some(12));
            }
            2 if last <= 7 => {
                forms.extend(["R", "xcmd"]);
                room = 12;
                counter.has_xcmd = true;
                // An xcmd has no place for a response.
                self.body.may_raise = false;
            }
            3 => {
                forms.push("flex");
                immediate = self.dice.one_in(2).then_some(5);
                registers = registers.min(2);
            }
            4 => forms.push("R"),
            _ => {}
        }
        let mut operands = Vec::new();
        for at in 0..registers {
            let types = self.register_types(if at == 0 { room } else { 0 });
            let name = self.local();
            operands.push(Operand { name, ty: self.type_text(&types)?, is_imm: false, rs2: false });
            self.body.vars.push(Var { name, of: types.into_iter().map(Static::varies).collect(), mutable: false });
        }
        if let Some(most) = immediate {
            let name = self.local();
            // Of form I any type may stand; what 12 bits cannot give cannot be issued.
            let (signed, width) = (self.dice.one_in(2), self.dice.between(1, most));
            let ty = if signed { Type::S(width) } else { Type::U(width) };
            let of = vec![Static::varies(ty); self.body.worlds.len()];
            operands.push(Operand { name, ty: TypeText::Plain(signed, width), is_imm: true, rs2: false });
            self.body.vars.push(Var { name, of, mutable: false });
        }
        let result = if self.dice.one_in(6) { None } else { Some(self.register_types(0)) };
        let text = match &result {
            Some(types) => Some(self.type_text(types)?),
            None => None,
        };
        let must_end = result.is_some();
        self.body.result = result;
        let depth = self.dice.between(1, 3);
        let stmts = self.statements(depth, must_end);
        let latency = self.dice.one_in(6).then(|| (1, self.dice.between(1, 9)));
        Some(Command { name, family, id, forms, operands, result: text, xlen, latency, body: stmts })
    }

    fn law(&mut self, on: &[bool]) -> Option<Law> {
        self.begin(Kind::Law, Some(on), &[]);
        let name = self.name(Role::Global);
        let mut params = Vec::new();
        for _ in 0..self.dice.between(1, 3) {
            let (types, param) = (self.some_types(), self.local());
            params.push((param, self.type_text(&types)?));
            self.body.vars.push(Var {
                name: param,
                of: types.into_iter().map(Static::varies).collect(),
                mutable: false,
            });
        }
        let holds = self.truth()?;
        let plain = |s: &Static| s.sized() == Some(&Type::Bool) && s.known == Known::No;
        self.is(&holds, plain).then_some(Law { name, params, holds })
    }

    /// What is true of all numbers.
    fn truth(&mut self) -> Option<Expr> {
        let (a, b) = (self.int(2), self.int(2));
        let same = |g: &Self, x: Option<Expr>, y: Option<Expr>| g.binary("==", x?, y?);
        match self.dice.below(9) {
            0 => same(self, self.binary("+", a.clone(), b.clone()), self.binary("+", b, a)),
            1 => {
                let other = self.binary("-", b.clone(), a.clone())?;
                same(self, self.binary("-", a, b), self.unary("-", other))
            }
            2 => {
                let twice = self.unary("~", self.unary("~", a.clone())?);
                same(self, twice, Some(a))
            }
            3 => self.binary("<=", self.min_max("min", a.clone(), b.clone())?, self.min_max("max", a, b)?),
            4 => {
                let not = self.unary("!", self.binary(">=", a.clone(), b.clone())?);
                same(self, self.binary("<", a, b), not)
            }
            5 => {
                let bits = self.resize(a.clone(), "split", &vec![1; self.body.worlds.len()])?;
                same(self, self.method(bits, "join"), self.method(a, "unsigned"))
            }
            6 => {
                let (q, r) = (self.binary("/", a.clone(), b.clone())?, self.binary("%", a.clone(), b.clone())?);
                let whole = self.binary("+%", self.binary("*%", q, b)?, r);
                same(self, whole, Some(a))
            }
            7 => {
                let wide = self.resize(a.clone(), "ext", &vec![600; self.body.worlds.len()])?;
                let widths: Vec<u32> = a.of.iter().map(|s| s.core().width()).collect();
                same(self, self.resize(wide, "trunc", &widths), Some(a))
            }
            _ => {
                let c = self.binary("<", a.clone(), b.clone())?;
                let (low, high) = (self.select(c.clone(), a.clone(), b.clone())?, self.min_max("min", a, b)?);
                self.binary("==", low, high)
            }
        }
    }
}

/// What is known of a constant by its initialiser.
fn evaluated(init: &Static) -> Option<Static> {
    match (&init.ty, &init.known) {
        (Ty::Unsized { .. }, Known::Int(v)) => Some(Static::number(v.clone())),
        (Ty::Unsized { .. }, _) => None,
        (Ty::Sized(_), Known::No) => Some(Static { known: Known::Some, ..init.clone() }),
        _ => Some(init.clone()),
    }
}
