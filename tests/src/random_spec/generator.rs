//! What the generator knows while it writes: the declarations so far and the body at hand.
//!
//! A body is checked once for each XLEN, heir of its interface and set of generics. Each of these is a *world*; what is
//! known of an expression is known for each world, and a construct is used only where all worlds allow it.

use lapis_cx::contract::EnumId;
use lapis_cx::contract::core::Type;
use lapis_cx::int::Int;

use super::dice::Dice;
use super::model::{Expr, ExprKind, Name, Raised, Role};
use super::types::Static;

/// An interface at one XLEN.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// 32 or 64.
    pub xlen: u32,
    /// Which interface.
    pub interface: usize,
}

/// A way in which a body is checked.
#[derive(Clone, Debug)]
pub struct World {
    /// The section.
    pub section: usize,
    /// The generics or the family index, with their values.
    pub generics: Vec<(Name, u32)>,
}

/// What a body may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only an expression of constants.
    Const,
    /// A function.
    Fn,
    /// A command.
    Command,
    /// A law.
    Law,
    /// A field of a CSR.
    Csr,
}

/// A local.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name.
    pub name: Name,
    /// What is known of it, by world.
    pub of: Vec<Static>,
    /// Whether it can be assigned.
    pub mutable: bool,
}

/// The body at hand.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its number.
    pub id: u32,
    /// What it may do.
    pub kind: Kind,
    /// Whether it stands in an interface.
    pub member: bool,
    /// The ways it is checked.
    pub worlds: Vec<World>,
    /// Which of them check the place at hand: under a constant condition not all do.
    pub active: Vec<bool>,
    /// Visible locals.
    pub vars: Vec<Var>,
    /// The type of the result, by world.
    pub result: Option<Vec<Type>>,
    /// How often the place at hand runs at most.
    pub factor: u64,
    /// Steps so far, at most.
    pub cost: u64,
    /// Whether `raise` may stand in it.
    pub may_raise: bool,
    /// Expressions that may still be written in the statement at hand.
    pub fuel: i32,
}

/// A constant or a state field.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name.
    pub name: Name,
    /// What is known of it, by section.
    pub of: Vec<Static>,
    /// The sections that have it; none for what belongs to the file.
    pub sections: Option<Vec<bool>>,
    /// Whether it is a state field.
    pub is_field: bool,
}

/// One set of generics of a function, by section.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The types of the parameters, each by section.
    pub params: Vec<Vec<Type>>,
    /// The type of the result, by section.
    pub result: Vec<Type>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Callee {
    /// Its name.
    pub name: Name,
    /// The sections that have it; none for what belongs to the file.
    pub sections: Option<Vec<bool>>,
    /// Whether it has generics: then arguments must have exactly the parameters' types.
    pub is_generic: bool,
    /// The instances that exist.
    pub instances: Vec<Instance>,
    /// Steps of a call, at most.
    pub cost: u64,
}

/// An enum.
#[derive(Clone, Debug)]
pub struct EnumInfo {
    /// Its name.
    pub name: Name,
    /// Its base.
    pub base: Type,
    /// Cases and their patterns.
    pub cases: Vec<(Name, Int)>,
    /// The sections that have it.
    pub sections: Vec<bool>,
}

/// A declared error.
#[derive(Clone, Debug)]
pub struct ErrorInfo {
    /// Its name.
    pub name: Name,
    /// The sections that have it.
    pub sections: Vec<bool>,
}

/// A command that laws may call: one with a body that gives a value and never traps.
#[derive(Clone, Debug)]
pub struct CommandInfo {
    /// Its name, or that of the family.
    pub name: Name,
    /// Which member of the family.
    pub index: Option<u32>,
    /// The sections that have it.
    pub sections: Vec<bool>,
    /// The types of its operands, each by section.
    pub operands: Vec<Vec<Type>>,
    /// The type of its result, by section.
    pub result: Vec<Type>,
    /// Whether it may look at state.
    pub has_state: bool,
}

/// A CSR.
#[derive(Clone, Debug)]
pub struct CsrInfo {
    /// Its name.
    pub name: Name,
    /// The sections that have it.
    pub sections: Vec<bool>,
    /// Whether it can be written.
    pub writable: bool,
}

/// See the module.
pub struct Generator {
    /// Where choices come from.
    pub dice: Dice,
    /// The names so far.
    pub names: Vec<Role>,
    /// The interfaces at their XLENs.
    pub sections: Vec<Section>,
    /// Constants and fields so far.
    pub globals: Vec<Global>,
    /// Functions so far.
    pub fns: Vec<Callee>,
    /// Enums so far.
    pub enums: Vec<EnumInfo>,
    /// Errors so far.
    pub errors: Vec<ErrorInfo>,
    /// Commands so far.
    pub commands: Vec<CommandInfo>,
    /// CSRs so far.
    pub csrs: Vec<CsrInfo>,
    /// The body at hand.
    pub body: Body,
    /// Bodies so far.
    pub bodies: u32,
}

impl Generator {
    /// A generator before its first declaration.
    pub fn new(dice: Dice, sections: Vec<Section>) -> Generator {
        let body = Body {
            id: 0,
            kind: Kind::Const,
            member: false,
            worlds: Vec::new(),
            active: Vec::new(),
            vars: Vec::new(),
            result: None,
            factor: 1,
            cost: 0,
            may_raise: true,
            fuel: 0,
        };
        let (names, globals, fns, enums, errors) = Default::default();
        let (commands, csrs) = Default::default();
        Generator { dice, names, sections, globals, fns, enums, errors, commands, csrs, body, bodies: 0 }
    }

    /// A new name.
    pub fn name(&mut self, role: Role) -> Name {
        self.names.push(role);
        Name(self.names.len() as u32 - 1)
    }

    /// A new name of the body.
    pub fn local(&mut self) -> Name {
        self.name(Role::Local(self.body.id))
    }

    /// XLEN of a section.
    pub fn xlen_of(&self, section: usize) -> u32 {
        self.sections.get(section).map_or(32, |s| s.xlen)
    }

    /// Begins a body that is checked in some sections, in each with each set of generics.
    pub fn begin(&mut self, kind: Kind, sections: Option<&[bool]>, generics: &[Vec<(Name, Vec<u32>)>]) {
        self.bodies += 1;
        let mut worlds = Vec::new();
        for section in 0..self.sections.len() {
            if sections.is_some_and(|on| on.get(section) != Some(&true)) {
                continue;
            }
            let instance = |set: &Vec<(Name, Vec<u32>)>| World {
                section,
                generics: set.iter().map(|(name, v)| (*name, v.get(section).copied().unwrap_or(1))).collect(),
            };
            match generics {
                [] => worlds.push(World { section, generics: Vec::new() }),
                sets => worlds.extend(sets.iter().map(instance)),
            }
        }
        self.body = Body {
            id: self.bodies,
            kind,
            member: sections.is_some(),
            active: vec![true; worlds.len()],
            worlds,
            vars: Vec::new(),
            result: None,
            factor: 1,
            cost: 0,
            may_raise: true,
            fuel: 30,
        };
    }

    /// What is known by section, by world of the body.
    pub fn project<T: Clone>(&self, by_section: &[T]) -> Vec<T> {
        self.body.worlds.iter().filter_map(|w| by_section.get(w.section).cloned()).collect()
    }

    /// What is known by world, by section: of the last world of each; `rest` where there is none.
    pub fn by_section<T: Clone>(&self, by_world: &[T], rest: T) -> Vec<T> {
        let mut all = vec![rest; self.sections.len()];
        for (world, value) in self.body.worlds.iter().zip(by_world) {
            if let Some(place) = all.get_mut(world.section) {
                *place = value.clone();
            }
        }
        all
    }

    /// Whether a declaration can be named here.
    pub fn sees(&self, sections: Option<&[bool]>) -> bool {
        match sections {
            None => true,
            Some(on) => {
                self.body.member
                    && self
                        .body
                        .worlds
                        .iter()
                        .zip(&self.body.active)
                        .all(|(w, active)| !active || on.get(w.section) == Some(&true))
            }
        }
    }

    /// All names of values that can be used here.
    pub fn values(&self) -> Vec<Expr> {
        let mut all: Vec<Expr> =
            self.body.vars.iter().map(|v| Expr { kind: ExprKind::Name(v.name), of: v.of.clone() }).collect();
        for global in &self.globals {
            let readable = !global.is_field || matches!(self.body.kind, Kind::Command | Kind::Csr);
            if readable && self.sees(global.sections.as_deref()) {
                all.push(Expr { kind: ExprKind::Name(global.name), of: self.project(&global.of) });
            }
        }
        all
    }

    /// The enums that can be named here.
    pub fn visible_enums(&self) -> Vec<u32> {
        (0..self.enums.len() as u32)
            .filter(|i| self.enums.get(*i as usize).is_some_and(|e| self.sees(Some(&e.sections))))
            .collect()
    }

    /// What can be raised here.
    pub fn visible_errors(&self) -> Vec<Raised> {
        let mut all = vec![Raised::Word("op")];
        all.extend(self.errors.iter().filter(|e| self.sees(Some(&e.sections))).map(|e| Raised::Error(e.name)));
        all
    }

    /// The type of an enum.
    pub fn enum_type(&self, id: u32) -> Type {
        Type::Enum { id: EnumId(id), width: self.enums.get(id as usize).map_or(1, |e| e.base.width()) }
    }

    /// The base of an enum; the type itself of any other.
    pub fn base_of(&self, ty: &Type) -> Type {
        match ty {
            Type::Enum { id, .. } => self.enums.get(id.index()).map_or(Type::Bool, |e| e.base.clone()),
            other => other.clone(),
        }
    }

    /// Counts steps at the place at hand.
    pub fn spend(&mut self, steps: u64) {
        self.body.cost += steps * self.body.factor;
    }
}
