//! Statements.

use super::super::model::*;
use super::Printer;
use super::layout::Token;

impl Printer<'_> {
    pub(super) fn block(&mut self, stmts: &[Stmt]) {
        self.end("{");
        stmts.iter().for_each(|s| self.stmt(s));
        self.put("}");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(name, ty, init) => {
                self.put("let");
                self.name(*name);
                if let Some(ty) = ty {
                    self.put(":");
                    self.type_text(ty);
                }
                self.put("=");
                self.expr(init, 0);
                self.put(";");
            }
            Stmt::Var(name, ty, init) => {
                self.put("var");
                self.name(*name);
                self.put(":");
                self.type_text(ty);
                self.put("=");
                self.expr(init, 0);
                self.put(";");
            }
            Stmt::Assign(name, path, op, value) => {
                self.name(*name);
                path.iter().for_each(|step| self.place_step(step));
                self.put(*op);
                self.expr(value, 0);
                self.put(";");
            }
            Stmt::If(cond, then, other) => {
                self.puts(&["if", "("]);
                self.expr(cond, 0);
                self.put(")");
                self.block(then);
                match other.as_deref() {
                    None => {}
                    // `else if` and `else { if }` mean the same.
                    Some([only @ Stmt::If(..)]) if !self.style.all_parentheses => {
                        self.put("else");
                        return self.stmt(only);
                    }
                    Some(other) => {
                        self.put("else");
                        self.block(other);
                    }
                }
            }
            Stmt::For(name, lo, hi, body) => {
                self.put("for");
                self.name(*name);
                self.put("in");
                self.range(lo, hi);
                self.block(body);
            }
            Stmt::Match(value, arms) => {
                self.puts(&["match", "("]);
                self.expr(value, 0);
                self.put(")");
                self.end("{");
                for arm in arms {
                    for (i, pattern) in arm.patterns.iter().enumerate() {
                        if i > 0 {
                            self.put("|");
                        }
                        self.pattern(pattern);
                    }
                    self.put("=>");
                    self.block(&arm.body);
                    self.tokens.push(Token::Break);
                }
                self.put("}");
            }
            Stmt::Return(value) => {
                self.put("return");
                if let Some(value) = value {
                    self.expr(value, 0);
                }
                self.put(";");
            }
            Stmt::Raise { error, commit, value } => {
                self.put("raise");
                self.raised(*error);
                if *commit {
                    self.puts(&["@", "commit"]);
                }
                if let Some(value) = value {
                    self.put("->");
                    self.expr(value, 0);
                }
                self.put(";");
            }
            Stmt::Trap => self.puts(&["trap", ";"]),
        }
        self.tokens.push(Token::Break);
    }

    pub(super) fn range(&mut self, lo: &Expr, hi: &Expr) {
        self.expr(lo, 0);
        self.put("..");
        self.expr(hi, 0);
    }

    fn place_step(&mut self, step: &PlaceStep) {
        self.put("[");
        match step {
            PlaceStep::Index(at) => self.expr(at, 0),
            PlaceStep::Slice(h, l) => {
                self.expr(h, 0);
                self.put(":");
                self.expr(l, 0);
            }
            PlaceStep::Part(at, w) => {
                self.expr(at, 0);
                self.put("+:");
                self.expr(w, 0);
            }
        }
        self.put("]");
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Int(v) => self.int(v),
            Pattern::Range(lo, hi) => {
                self.int(lo);
                self.put("..");
                self.int(hi);
            }
            Pattern::Bool(v) => self.put(if *v { "true" } else { "false" }),
            Pattern::Name(name) => self.name(*name),
            Pattern::Any => self.put("_"),
        }
    }
}
