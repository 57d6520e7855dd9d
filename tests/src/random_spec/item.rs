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
    /// How many of them are abstract: each inherits from the one before it, the others from the last one.
    bases: usize,
    /// Whether the base leaves constants open; then it has no section of its own.
    is_open: bool,
    /// Whether commands may be without a body; then each UUID is a literal.
    has_opaque: bool,
}

/// A random file.
pub fn generate(mut dice: Dice, package: String) -> Spec {
    let bases = if dice.one_in(4) { dice.between(1, 2) as usize } else { 0 };
    let plan = Plan {
        xlens: dice
            .pick(&[None, None, None, Some(vec![32]), Some(vec![64]), Some(vec![64, 32])])
            .cloned()
            .unwrap_or(None),
        interfaces: bases + if bases > 0 { dice.between(1, 2) as usize } else { 1 },
        bases,
        is_open: bases > 0 && dice.one_in(2),
        has_opaque: dice.one_in(6),
    };
    let mut sections = Vec::new();
    for interface in if plan.is_open { plan.bases } else { 0 }..plan.interfaces {
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
    let mut counter = Counter { command: 0, error: 0, csr: 0, has_state: false, has_xcmd: false };
    // At package level both XLENs are tried.
    if plan.xlens.as_ref().is_none_or(|all| all.len() == 2) && generator.dice.one_in(3) {
        items.extend(generator.law(None).map(Item::Law));
    }
    for at in 0..plan.interfaces {
        let interface = generator.interface(&plan, at, base, &mut counter);
        imports_context |= interface.has_context;
        if at < plan.bases {
            base = Some(interface.name);
        } else if generator.dice.one_in(5) {
            items.push(Item::Interface(generator.refining(&interface)));
        }
        items.push(Item::Interface(interface));
    }
    if generator.dice.one_in(2) {
        generator.dice.shuffle(&mut items);
    }
    Spec { names: generator.names, package, imports_context, items }
}

/// What all interfaces of a file share.
pub struct Counter {
    /// The next function id.
    pub command: u32,
    /// The last error code.
    pub error: u8,
    /// CSRs so far.
    pub csr: u16,
    /// Whether the interfaces to come inherit state.
    pub has_state: bool,
    /// Whether there is a command of form xcmd.
    pub has_xcmd: bool,
}

impl Generator {
    /// The sections that have the members of an interface.
    fn sections_of(&self, plan: &Plan, interface: usize) -> Vec<bool> {
        let is_base = interface < plan.bases;
        self.sections.iter().map(|s| s.interface == interface || is_base && s.interface > interface).collect()
    }

    fn interface(&mut self, plan: &Plan, at: usize, base: Option<Name>, counter: &mut Counter) -> Interface {
        let on = self.sections_of(plan, at);
        let name = self.name(Role::Interface);
        let is_base = at < plan.bases;
        let mut members = Vec::new();
        if at == 0 && plan.is_open {
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
            let (state, functions) = self.state(&on);
            members.extend(functions.into_iter().map(Member::Function));
            members.push(Member::State(state));
            has_context = self.dice.one_in(2);
            for _ in 0..self.dice.between(0, 2) {
                counter.error += 1 + self.dice.below(20) as u8;
                let name = self.name(Role::Global);
                self.errors.push(ErrorInfo { name, sections: on.clone() });
                members.push(Member::Error(name, counter.error));
            }
            // Of two heirs without a base both may have one.
            counter.has_state = plan.bases == 0 || is_base;
        }
        for _ in 0..if self.dice.one_in(3) { self.dice.between(1, 3) } else { 0 } {
            members.extend(self.csr(&on, counter).map(Member::Csr));
        }
        for _ in 0..self.dice.between(1, 4) {
            members.extend(self.command(&on, counter, plan.has_opaque).map(Member::Command));
        }
        for _ in 0..self.dice.between(0, 2) {
            members.extend(self.law(Some(&on)).map(Member::Law));
        }
        let uuid = (plan.has_opaque || self.dice.one_in(2)).then(|| self.uuid());
        Interface {
            name,
            is_abstract: is_base,
            has_context,
            bases: base.into_iter().collect(),
            refines: None,
            uuid: uuid.filter(|_| !is_base),
            // Nothing finds a device for an xcmd without one.
            xintf: counter.has_xcmd || self.dice.one_in(4),
            short: self.dice.one_in(2),
            xlens: plan.xlens.clone(),
            members,
        }
    }

    /// Another one for each interface, also where no choices are left: each has made a name before.
    fn uuid(&mut self) -> u128 {
        let bits = u128::from(self.dice.below(u64::MAX)) << 64 | u128::from(self.dice.below(u64::MAX));
        bits & !(0xF << 76 | 0x3 << 62 | 0xFFFF_FFFF) | 0x4 << 76 | 0x2 << 62 | self.names.len() as u128
    }

    /// Another interface that refines one: with the same members, and perhaps without its laws.
    fn refining(&mut self, refined: &Interface) -> Interface {
        let mut copy = refined.clone();
        copy.name = self.name(Role::Interface);
        copy.refines = Some(refined.name);
        // Of equal contracts `uuid auto` would be the same.
        copy.uuid = Some(self.uuid());
        let keeps_laws = self.dice.one_in(2);
        copy.members.retain(|m| keeps_laws || !matches!(m, Member::Law(_)));
        copy
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

    fn state(&mut self, on: &[bool]) -> (State, Vec<Function>) {
        self.begin(Kind::Const, Some(on), &[]);
        let sharing =
            self.dice.word(&["exclusive", "shared(caller_save)", "shared(callee_save)", "shared(always_init)"]);
        let ucontext = *self.dice.pick(&[None, Some(false), Some(true)]).unwrap_or(&None);
        let mut fields = Vec::new();
        let mut all_types: Vec<Vec<Type>> = Vec::new();
        let count = self.dice.between(1, 5);
        while fields.len() < count as usize {
            self.body.fuel = 20;
            let types = self.some_types();
            let Some(text) = self.type_text(&types) else { continue };
            let (name, reset) = (self.name(Role::Global), self.init(&types));
            let of: Vec<Static> = types.iter().cloned().map(Static::varies).collect();
            let of = self.by_section(&of, Static::dead());
            all_types.push(types);
            fields.push((name, text, reset));
            self.globals.push(Global { name, of, sections: Some(on.to_vec()), is_field: true });
        }
        let functions = match self.dice.one_in(5) {
            true => self.live(on, &all_types).unwrap_or_default(),
            false => Vec::new(),
        };
        let live = functions.first().zip(functions.last()).map(|(save, restore)| (save.name, restore.name));
        (State { sharing, live, ucontext, fields }, functions)
    }

    /// One or two functions that say what is live of state of these types (each by world): first the words of the fields
    /// that they look at, then what they make of them.
    fn live(&mut self, on: &[bool], fields: &[Vec<Type>]) -> Option<Vec<Function>> {
        let words = |g: &Self, w: usize, fields: &[Vec<Type>]| -> u64 {
            let xlen = u64::from(g.xlen_in(w));
            fields.iter().filter_map(|types| Some(types.get(w)?.bits().div_ceil(xlen))).sum()
        };
        let looked_at = fields.get(..self.dice.between(0, 3) as usize).unwrap_or(fields);
        let worlds = 0..self.body.worlds.len();
        // Each word of each state that is tried is asked for.
        if worlds.clone().any(|w| words(self, w, fields) > 40) {
            return None;
        }
        let first = worlds.map(|w| words(self, w, looked_at)).max()?;
        let mut functions = Vec::new();
        for restores in [false, true] {
            if restores && self.dice.one_in(2) {
                break;
            }
            self.begin(Kind::Fn, Some(on), &[]);
            let (name, index, width) = (self.name(Role::Global), self.local(), self.dice.between(10, 17));
            let mut params = vec![(index, TypeText::Plain(false, width))];
            let of = vec![Static::varies(Type::U(width)); self.body.worlds.len()];
            self.body.vars.push(Var { name: index, of: of.clone(), mutable: false });
            for types in looked_at {
                let param = self.local();
                params.push((param, self.type_text(types)?));
                let of = types.iter().cloned().map(Static::varies).collect();
                self.body.vars.push(Var { name: param, of, mutable: false });
            }
            let at = Expr { kind: ExprKind::Name(index), of };
            let always = self.binary("<", at, self.number(Int::from(first as u32)))?;
            let value = match restores {
                // Everything, as what is not live is 0 in an image.
                true => self.everywhere(ExprKind::Bool(true), Static::constant(Type::Bool, Int::ONE)),
                false => {
                    let rest = self.bool(2);
                    self.binary("||", always.clone(), rest).unwrap_or(always)
                }
            };
            let body = vec![Stmt::Return(Some(value))];
            functions.push(Function { name, generics: Vec::new(), params, result: TypeText::Bool, body });
        }
        Some(functions)
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
