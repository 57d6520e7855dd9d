//! Random commands and CSRs.

use lapis_cx::contract::core::Type;

use super::generator::{CommandInfo, CsrInfo, Generator, Global, Kind, Var};
use super::item::Counter;
use super::model::*;
use super::types::Static;

/// Where custom CSRs that can be written begin; below 0x808 the tests ask for one that is not there.
const WRITABLE: [u16; 6] = [0x5C0, 0x6C0, 0x7C0, 0x840, 0x9C0, 0xAC0];
/// Where those begin that cannot.
const READ_ONLY: [u16; 4] = [0xCC0, 0xDC0, 0xEC0, 0xFC0];
/// Custom CSRs from each of these addresses on.
const ADDRESSES: u16 = 0x40;

impl Generator {
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

    /// A command; with `may_be_opaque` perhaps one without a body.
    pub fn command(&mut self, on: &[bool], counter: &mut Counter, may_be_opaque: bool) -> Option<Command> {
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
        match self.dice.below(8) {
            0 if last <= 7 => {
                forms.extend(["R", "I"]);
                registers = registers.max(1);
            }
            1 if last <= 7 => {
                forms.push("I");
                (registers, immediate) = (registers.min(1), Some(12));
            }
            2 if last <= 7 => {
                if self.dice.one_in(2) {
                    forms.push("R");
                }
                forms.push("xcmd");
                room = 12;
                counter.has_xcmd = true;
                // An xcmd has no place for a response.
                self.body.may_raise = false;
            }
            3 => {
                forms.push("flex");
                immediate = self.dice.one_in(2).then_some(5);
            }
            4 => forms.push("R"),
            5 => {
                // Other forms beside it carry as little.
                forms.push("flex25");
                (registers, immediate) = (0, self.dice.one_in(3).then_some(15));
                if self.dice.one_in(3) {
                    forms.push(if immediate.is_some() { "flex" } else { "R" });
                    immediate = immediate.map(|_| 5);
                }
            }
            6 => forms.extend(["flex", "R"]),
            _ => {}
        }
        let mut operands = Vec::new();
        let mut types_of = Vec::new();
        let in_rs2 = registers == 1 && !forms.contains(&"I") && self.dice.one_in(3);
        for at in 0..registers {
            let types = self.register_types(if at == 0 { room } else { 0 });
            operands.push(Operand { name: self.local(), ty: self.type_text(&types)?, is_imm: false, rs2: in_rs2 });
            types_of.push(types);
        }
        if let Some(most) = immediate {
            // It may stand anywhere.
            let at = self.dice.index(operands.len() + 1);
            let types = self.immediate_types(most);
            operands.insert(at, Operand { name: self.local(), ty: self.type_text(&types)?, is_imm: true, rs2: false });
            types_of.insert(at, types);
        }
        for (operand, types) in operands.iter().zip(&types_of) {
            let of = types.iter().cloned().map(Static::varies).collect();
            self.body.vars.push(Var { name: operand.name, of, mutable: false });
        }
        // Instructions of the forms flex and flex25 have no register for a result.
        let returns = forms.is_empty() || forms.iter().any(|form| !form.starts_with("flex"));
        let has_result = returns && !self.dice.one_in(6);
        let result = if has_result { Some(self.register_types(0)) } else { None };
        let text = match &result {
            Some(types) => Some(self.type_text(types)?),
            None => None,
        };
        let must_end = result.is_some();
        self.body.result.clone_from(&result);
        let latency = self.dice.one_in(6).then(|| (1, self.dice.between(1, 9)));
        let body = match may_be_opaque && self.dice.one_in(4) {
            true => None,
            false => {
                let depth = self.dice.between(1, 3);
                Some(self.statements(depth, must_end))
            }
        };
        if let (Some(body), Some(result)) = (&body, result)
            && !traps(body)
        {
            self.callable(name, family, &types_of, &result);
        }
        Some(Command { name, family, id, forms, operands, result: text, xlen, latency, body })
    }

    /// Types that at most so many bits hold.
    fn immediate_types(&mut self, most: u32) -> Vec<Type> {
        let enums = self.visible_enums();
        let ty = match self.dice.below(5) {
            0 => Type::Bool,
            1 if !enums.is_empty() => {
                let id = self.dice.pick(&enums).copied().unwrap_or(0);
                self.enum_type(id)
            }
            _ => {
                let (signed, width) = (self.dice.one_in(2), self.dice.between(1, most));
                if signed { Type::S(width) } else { Type::U(width) }
            }
        };
        let ty = if ty.width() > most { Type::U(most) } else { ty };
        vec![ty; self.body.worlds.len()]
    }

    /// Lets laws call a command, or each member of a family.
    fn callable(&mut self, name: Name, family: Option<(Name, u32, u32)>, operands: &[Vec<Type>], result: &[Type]) {
        let has_state = self.globals.iter().any(|g| g.is_field && self.sees(g.sections.as_deref()));
        let indices: Vec<Option<u32>> = match family {
            Some((_, lo, hi)) => (lo..hi).map(Some).collect(),
            None => vec![None],
        };
        let each = indices.len();
        for (place, index) in indices.into_iter().enumerate() {
            let sections = self.body.worlds.iter().skip(place).step_by(each).map(|w| w.section).collect::<Vec<_>>();
            let of = |types: &[Type]| {
                let mut all = vec![Type::Bool; self.sections.len()];
                for (section, ty) in sections.iter().zip(types.iter().skip(place).step_by(each)) {
                    if let Some(place) = all.get_mut(*section) {
                        *place = ty.clone();
                    }
                }
                all
            };
            let (operands, result) = (operands.iter().map(|types| of(types)).collect(), of(result));
            let sections = (0..self.sections.len()).map(|s| sections.contains(&s)).collect();
            self.commands.push(CommandInfo { name, index, sections, operands, result, has_state });
        }
    }

    /// A CSR: one that can be written shows fields of state, any other what can be computed from it.
    pub fn csr(&mut self, on: &[bool], counter: &mut Counter) -> Option<Csr> {
        self.begin(Kind::Csr, Some(on), &[]);
        let state = self.globals.iter().filter(|g| g.is_field && self.sees(g.sections.as_deref()));
        let mut state: Vec<Global> = state.cloned().collect();
        let writable = !state.is_empty() && self.dice.one_in(2);
        let first = match !writable && self.dice.one_in(2) {
            true => self.dice.pick(&READ_ONLY),
            false => self.dice.pick(&WRITABLE),
        };
        let address = first? + counter.csr;
        counter.csr += 1;
        (counter.csr < ADDRESSES).then_some(())?;
        let name = self.name(Role::Global);
        let mut fields = Vec::new();
        let mut at = 0;
        for _ in 0..self.dice.between(0, 5) {
            self.body.fuel = 24;
            at += if self.dice.one_in(3) { self.dice.between(1, 9) } else { 0 };
            let (types, value) = match writable {
                true => {
                    let place = self.dice.index(state.len().max(1));
                    let Some(field) = (place < state.len()).then(|| state.remove(place)) else { break };
                    let of = self.project(&field.of);
                    let types: Vec<Type> = of.iter().map(Static::core).collect();
                    (types, Some(Expr { kind: ExprKind::Name(field.name), of }))
                }
                false => {
                    let types = self.register_types(0);
                    let value = self.of_types(&types, 3);
                    (types, value)
                }
            };
            let is_scalar = self.each_active(|w| !matches!(types.get(w), Some(Type::Array { .. })));
            let ends: Vec<u32> = types.iter().map(|ty| at + ty.width()).collect();
            if !is_scalar || !self.each_active(|w| ends.get(w).is_some_and(|end| *end <= self.xlen_in(w))) {
                continue;
            }
            let highest: Vec<u32> = ends.iter().map(|end| end - 1).collect();
            let one = types.iter().all(|ty| ty.width() == 1) && self.dice.one_in(2);
            fields.push(CsrField {
                name: self.name(Role::Case),
                hi: self.numbers(&highest)?,
                lo: (!one).then(|| self.number(at)),
                ty: self.type_text(&types)?,
                value: value?,
                warl: writable && matches!(types.first(), Some(Type::Enum { .. })) && self.dice.one_in(2),
            });
            at = ends.into_iter().max()?;
        }
        self.dice.shuffle(&mut fields);
        self.csrs.push(CsrInfo { name, sections: on.to_vec(), writable });
        Some(Csr { name, address, writable, fields })
    }
}

/// Whether there is a `trap` in some statements.
fn traps(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| match stmt {
        Stmt::Trap => true,
        Stmt::If(_, then, other) => traps(then) || other.as_ref().is_some_and(|other| traps(other)),
        Stmt::For(_, _, _, body) => traps(body),
        Stmt::Match(_, arms) => arms.iter().any(|arm| traps(&arm.body)),
        _ => false,
    })
}
