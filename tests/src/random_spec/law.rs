//! Random laws: what is true of all numbers, written with random ones.

use lapis_cx::contract::core::Type;

use super::generator::{Generator, Kind, Var};
use super::model::*;
use super::types::{Known, Static};

impl Generator {
    /// A law of an interface, or of the package.
    pub fn law(&mut self, on: Option<&[bool]>) -> Option<Law> {
        self.begin(Kind::Law, on, &[]);
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
        match self.dice.below(6) {
            0 => return self.truth_of_command(),
            1 => return self.truth_of_csr(),
            _ => {}
        }
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

    /// What is true of whatever a command gives, also beside an error; it is called once, or twice if it has no state.
    fn truth_of_command(&mut self) -> Option<Expr> {
        let visible: Vec<_> = self.commands.iter().filter(|c| self.sees(Some(&c.sections))).cloned().collect();
        let command = self.dice.pick(&visible)?.clone();
        let mut args = Vec::new();
        for operand in &command.operands {
            let types = self.project(operand);
            args.push(self.of_types(&types, 1)?);
        }
        let results = self.project(&command.result);
        let of = results.iter().cloned().map(Static::varies).collect();
        let kind = match command.index {
            Some(index) => ExprKind::Member(command.name, index, args),
            None => ExprKind::Call(command.name, args),
        };
        let call = Expr { kind, of };
        if !command.has_state && self.dice.one_in(2) {
            return self.binary("==", call.clone(), call);
        }
        let widths: Vec<u32> = results.iter().map(Type::width).collect();
        let (pattern, most) = (self.method(call, "unsigned")?, self.ones(&widths)?);
        self.binary("<=", pattern, most)
    }

    /// Reading twice, and reading before a write that gives what was there.
    fn truth_of_csr(&mut self) -> Option<Expr> {
        let visible: Vec<_> = self.csrs.iter().filter(|c| self.sees(Some(&c.sections))).cloned().collect();
        let csr = self.dice.pick(&visible)?.clone();
        let words: Vec<Type> = (0..self.body.worlds.len()).map(|w| Type::U(self.xlen_in(w))).collect();
        let written = match csr.writable && self.dice.one_in(2) {
            true => vec![self.of_types(&words, 2)?],
            false => Vec::new(),
        };
        let of: Vec<Static> = words.into_iter().map(Static::varies).collect();
        let access = |args| Expr { kind: ExprKind::Call(csr.name, args), of: of.clone() };
        self.binary("==", access(Vec::new()), access(written))
    }
}
