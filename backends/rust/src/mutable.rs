//! Which locals of a body are assigned more than once, so that they must be `mut`.

use lapis_cx::lower::ir::{Base, Body, Cx, LocalId, Stmt};

/// What happens to the locals of a body.
pub struct Locals {
    /// Scalars that may have a value when they are assigned.
    changed: Vec<bool>,
    /// How often an array is written to.
    writes: Vec<u32>,
    /// Loop variables.
    loops: Vec<bool>,
}

impl Locals {
    /// Looks through a body whose first `params` locals have a value from the start.
    pub fn new(body: &Body, params: usize) -> Locals {
        let n = body.locals.len();
        let mut locals = Locals { changed: vec![false; n], writes: vec![0; n], loops: vec![false; n] };
        let mut set: Vec<bool> = (0..n).map(|i| i < params).collect();
        locals.block(&body.stmts, &mut set);
        locals
    }

    /// Whether a scalar is assigned while it may have a value.
    pub fn is_changed(&self, id: LocalId) -> bool {
        self.changed.get(id.index()).copied().unwrap_or(false)
    }

    /// How often an array is written to.
    pub fn writes(&self, id: LocalId) -> u32 {
        self.writes.get(id.index()).copied().unwrap_or(0)
    }

    /// Whether this is the variable of a loop.
    pub fn is_loop(&self, id: LocalId) -> bool {
        self.loops.get(id.index()).copied().unwrap_or(false)
    }

    fn write(&mut self, base: Base) {
        if let Base::Local(id) = base
            && let Some(count) = self.writes.get_mut(id.index())
        {
            *count += 1;
        }
    }

    /// `set` says which scalars may have a value.
    fn block(&mut self, stmts: &[Stmt], set: &mut [bool]) {
        for stmt in stmts {
            match stmt {
                Stmt::Declare(id) => mark(set, *id, false),
                Stmt::Let(id, _) => mark(set, *id, true),
                Stmt::Assign(id, _) => {
                    if set.get(id.index()).copied().unwrap_or(false) {
                        mark(&mut self.changed, *id, true);
                    }
                    mark(set, *id, true);
                }
                Stmt::Store(base, ..) => self.write(*base),
                Stmt::Copy { dst, .. }
                | Stmt::Fill { dst, .. }
                | Stmt::CallInto(_, _, dst)
                | Stmt::Wide { dst, .. } => {
                    self.write(dst.base);
                }
                Stmt::If(_, then, other) => self.arms(&[then, other], set),
                Stmt::Switch { arms, default, .. } => {
                    let mut all: Vec<&[Stmt]> = arms.iter().map(|(_, body)| body.as_slice()).collect();
                    all.push(default);
                    self.arms(&all, set);
                }
                Stmt::For { var, body, .. } => {
                    mark(&mut self.loops, *var, true);
                    // What an earlier turn assigned has a value.
                    assigned(body, set);
                    self.block(body, set);
                }
                Stmt::Cx(cx) => {
                    if let Cx::Issue { into: Some((id, _)), .. } | Cx::Foreign { into: Some((id, _)), .. } = &**cx {
                        mark(set, *id, true);
                    }
                }
                Stmt::SetField(..)
                | Stmt::Return(_)
                | Stmt::Finish(..)
                | Stmt::SetStatus(_)
                | Stmt::SetStateWord(..)
                | Stmt::Reset => {}
            }
        }
    }

    fn arms(&mut self, arms: &[&[Stmt]], set: &mut [bool]) {
        let before = set.to_vec();
        for arm in arms {
            let mut own = before.clone();
            self.block(arm, &mut own);
            set.iter_mut().zip(&own).for_each(|(all, own)| *all |= own);
        }
    }
}

fn mark(flags: &mut [bool], id: LocalId, value: bool) {
    if let Some(flag) = flags.get_mut(id.index()) {
        *flag = value;
    }
}

fn assigned(stmts: &[Stmt], set: &mut [bool]) {
    for stmt in stmts {
        match stmt {
            Stmt::Assign(id, _) => mark(set, *id, true),
            Stmt::If(_, a, b) => {
                assigned(a, set);
                assigned(b, set);
            }
            Stmt::For { body, .. } => assigned(body, set),
            Stmt::Switch { arms, default, .. } => {
                arms.iter().for_each(|(_, body)| assigned(body, set));
                assigned(default, set);
            }
            _ => {}
        }
    }
}
