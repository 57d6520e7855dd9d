//! Prints the statements of one body.

use lapis_cx::contract::FieldId;
use lapis_cx::lower::ir::{
    self, Answer, Base, Body, Edge, Expr, ExprKind, LocalId, Shape, Slice, Stmt, Storage, WideOp,
};

use crate::expr::{scalar_type, storage_type};
use crate::helper::Helper;
use crate::naming::{self, Scope};
use crate::unit::Unit;

/// How the body that is being printed ends.
#[derive(Clone, Debug)]
pub enum Ending {
    /// A function or a body of the state.
    Plain,
    /// A command that reports its response through this pointer.
    Reported(String),
    /// A command whose response is not reported.
    Silent,
}

/// Prints one body.
pub struct Printer<'u, 's> {
    /// What the section shares.
    pub unit: &'u mut Unit<'s>,
    /// The name of the pointer to the state.
    pub state: String,
    /// C parameters of a command, with their types.
    pub params: Vec<(String, Edge)>,
    locals: Vec<String>,
    body: &'s Body,
    result: Option<Edge>,
    out: String,
    ending: Ending,
    scope: Scope,
    text: String,
    depth: usize,
}

impl<'u, 's> Printer<'u, 's> {
    /// A printer of a body whose locals get their names here.
    pub fn new(unit: &'u mut Unit<'s>, body: &'s Body) -> Printer<'u, 's> {
        let mut scope = Scope::inside(&unit.taken);
        // Loop variables have a scope of their own, so many may have one name; other locals must differ, as lowering may
        // have merged their scopes.
        let mut loops = vec![false; body.locals.len()];
        mark_loops(&body.stmts, &mut loops);
        for (local, _) in body.locals.iter().zip(&loops).filter(|(l, is_loop)| **is_loop && !l.name.is_empty()) {
            scope.reserve(&naming::local(&local.name));
        }
        let mut seen = Scope::inside(&unit.taken);
        let visible = |name: &str| Scope::inside(&unit.taken).fresh(&naming::local(name));
        let named = body.locals.iter().zip(&loops).map(|(local, is_loop)| match local.name.as_str() {
            "" => None,
            name if *is_loop => Some(visible(name)),
            name => Some(seen.fresh(&naming::local(name))),
        });
        let named: Vec<Option<String>> = named.collect();
        named.iter().flatten().for_each(|name| scope.reserve(name));
        let mut next = 0;
        let locals = named.into_iter().map(|name| name.unwrap_or_else(|| scope.temporary(&mut next))).collect();
        let (state, out) = (scope.fresh("st"), scope.fresh("out"));
        Printer {
            unit,
            state,
            params: Vec::new(),
            locals,
            body,
            result: None,
            out,
            ending: Ending::Plain,
            scope,
            text: String::new(),
            depth: 1,
        }
    }

    /// Prints a body that is not a command's; braces are the caller's.
    pub fn plain(mut self) -> String {
        self.block(&self.body.stmts);
        self.finished()
    }

    /// The text without a `return;` that the closing brace says as well.
    fn finished(self) -> String {
        match self.text.strip_suffix("    return;\n") {
            Some(text) if text.is_empty() || text.ends_with('\n') => text.to_owned(),
            _ => self.text,
        }
    }

    /// Prints the body of a command or of an access of a CSR: parameter list, with these types, and statements. `state` is
    /// the type of the state, if it gets one.
    pub fn issued(
        mut self,
        params: &[ir::Param],
        result: Option<Edge>,
        types: &[String],
        state: Option<&str>,
        reports: bool,
    ) -> (String, String) {
        let mut list = Vec::new();
        if let Some(state) = state {
            list.push(format!("{state} *{}", self.state));
        }
        let mut direct = Vec::new();
        for (i, (param, ty)) in params.iter().zip(types).enumerate() {
            // A word of the right type is its own local; others begin as the low bits of what was passed.
            let own = self.body.stmts.iter().find_map(|stmt| match stmt {
                Stmt::Let(id, Expr { kind: ExprKind::Arg(n), .. }) if *n as usize == i => Some(*id),
                _ => None,
            });
            let named = |id: &LocalId| self.body.locals.get(id.index()).is_some_and(|l| !l.name.is_empty());
            let own = own.filter(named).filter(|_| matches!(param.edge, Edge::Bool | Edge::Unsigned(32 | 64)));
            let name = match own {
                Some(id) => {
                    direct.push(id);
                    self.local(id)
                }
                None => {
                    let name = naming::local(&param.name);
                    let name = if self.scope.has(&name) { format!("{name}_in") } else { name };
                    self.scope.fresh(&name)
                }
            };
            list.push(format!("{ty} {name}"));
            self.params.push((name, param.edge));
        }
        self.result = result;
        self.ending = if reports {
            let status = self.scope.fresh("status");
            list.push(format!("uint32_t *{status}"));
            Ending::Reported(status)
        } else {
            Ending::Silent
        };
        let mut used = Vec::new();
        arguments_read(&self.body.stmts, &mut used);
        for (i, (name, _)) in self.params.clone().iter().enumerate() {
            if !used.contains(&(i as u32)) {
                self.line(&format!("(void){name};"));
            }
        }
        let stmts = self.body.stmts.iter();
        let kept: Vec<&Stmt> = stmts.filter(|stmt| !matches!(stmt, Stmt::Let(id, _) if direct.contains(id))).collect();
        for stmt in kept {
            self.stmt(stmt);
        }
        let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
        (list, self.finished())
    }

    /// Prints a function: parameter list and statements.
    pub fn function(mut self, function: &ir::Function) -> (String, String) {
        let mut list = Vec::new();
        for (local, name) in self.body.locals.iter().zip(&self.locals).take(function.params as usize) {
            list.push(match local.shape {
                Shape::Scalar(storage) => format!("{} {name}", storage_type(storage)),
                Shape::Array { storage, .. } => format!("const {} *{name}", storage_type(storage)),
            });
        }
        if let Shape::Array { storage, .. } = function.result {
            list.push(format!("{} *{}", storage_type(storage), self.out));
        }
        let mut used = Vec::new();
        lapis_cx::lower::block_uses(&self.body.stmts, &mut |u| used.push(u));
        for i in 0..function.params {
            if !used.contains(&lapis_cx::lower::Use::Local(LocalId(i))) {
                let name = self.local(LocalId(i));
                self.line(&format!("(void){name};"));
            }
        }
        self.block(&self.body.stmts);
        let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
        (list, self.finished())
    }

    /// The name of a local.
    pub fn local(&self, id: LocalId) -> String {
        self.locals.get(id.index()).cloned().unwrap_or_default()
    }

    /// A field of the state.
    pub fn field(&self, id: FieldId) -> String {
        format!("{}->{}", self.state, self.unit.fields.get(id.index()).map_or("", String::as_str))
    }

    /// The status word.
    pub fn status(&self) -> String {
        format!("{}->{}", self.state, naming::STATUS)
    }

    /// The storage of a field.
    pub fn field_storage(&self, id: FieldId) -> Storage {
        let fields = self.unit.section.state.as_ref().map(|s| s.fields.as_slice()).unwrap_or_default();
        match fields.get(id.index()).map(|f| f.shape) {
            Some(Shape::Scalar(storage) | Shape::Array { storage, .. }) => storage,
            None => Storage::U32,
        }
    }

    /// The name of an array.
    pub fn base(&self, base: Base) -> String {
        match base {
            Base::Local(id) => self.local(id),
            Base::Field(id) => self.field(id),
            Base::Table(id) => self.unit.table(id),
            Base::Out => self.out.clone(),
        }
    }

    /// The storage of an array's elements.
    pub fn storage(&self, base: Base) -> Storage {
        let of = |shape: Shape| match shape {
            Shape::Scalar(storage) | Shape::Array { storage, .. } => storage,
        };
        match base {
            Base::Local(id) => self.body.locals.get(id.index()).map_or(Storage::U32, |l| of(l.shape)),
            Base::Field(id) => self.field_storage(id),
            Base::Table(id) => self.unit.section.tables.get(id.0 as usize).map_or(Storage::U32, |t| t.storage),
            Base::Out => self.out_storage(),
        }
    }

    fn out_storage(&self) -> Storage {
        let functions = &self.unit.section.functions;
        match functions.iter().find(|f| std::ptr::eq(&f.body, self.body)).map(|f| f.result) {
            Some(Shape::Scalar(storage) | Shape::Array { storage, .. }) => storage,
            None => Storage::U32,
        }
    }

    fn line(&mut self, text: &str) {
        let indent = "    ".repeat(self.depth);
        self.text.push_str(&indent);
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn block(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn indented(&mut self, stmts: &[Stmt]) {
        self.depth += 1;
        self.block(stmts);
        self.depth -= 1;
    }

    /// A value that goes to memory: narrow storage wants the cast said.
    fn stored(&mut self, storage: Storage, e: &Expr) -> String {
        let bits = match storage {
            Storage::U8 | Storage::U16 => storage.bits(),
            _ => return self.expr(e),
        };
        match &e.kind {
            ExprKind::Const(v) => v.to_string(),
            // An element of the same storage needs no way through a word.
            ExprKind::Element(base, index) if self.storage(*base) == storage => self.element(*base, index),
            ExprKind::Field(id) if self.field_storage(*id) == storage => self.field(*id),
            _ => self.cut(storage_type(storage), bits, e),
        }
    }

    /// A cast to a narrower type, which does what a mask of its width would.
    fn cut(&mut self, ty: &str, bits: u32, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Binary(ir::BinaryOp::And, a, mask) if mask.as_const() == Some(ir::ones(bits)) => self.cast(ty, a),
            _ => self.cast(ty, e),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Declare(id) => {
                let name = self.local(*id);
                let text = match self.body.locals.get(id.index()).map(|l| l.shape) {
                    Some(Shape::Array { storage, len }) => format!("{} {name}[{len}];", storage_type(storage)),
                    Some(Shape::Scalar(storage)) => format!("{} {name};", storage_type(storage)),
                    None => return,
                };
                self.line(&text);
            }
            Stmt::Let(id, e) => {
                let (ty, name, e) = (scalar_type(e.ty), self.local(*id), self.expr(e));
                self.line(&format!("{ty} {name} = {e};"));
            }
            Stmt::Assign(id, e) => {
                let name = self.local(*id);
                self.assign(&name, e);
            }
            Stmt::SetField(id, e) => {
                let (place, storage) = (self.field(*id), self.field_storage(*id));
                if matches!(storage, Storage::U32 | Storage::U64) {
                    return self.assign(&place, e);
                }
                let value = self.stored(storage, e);
                self.line(&format!("{place} = {value};"));
            }
            Stmt::Store(base, index, e) => {
                let (place, storage) = (self.element(*base, index), self.storage(*base));
                let value = self.stored(storage, e);
                self.line(&format!("{place} = {value};"));
            }
            Stmt::Copy { dst, src, len } => self.copy(dst, src, *len),
            Stmt::Fill { dst, len, value } => {
                let storage = self.storage(dst.base);
                let value = self.stored(storage, value);
                self.each(*len, |p, i| {
                    let place = p.element_of(dst, i);
                    p.line(&format!("{place} = {value};"));
                });
            }
            Stmt::CallInto(id, args, dst) => {
                let mut args = self.arguments(args);
                args.push(self.slice(dst));
                let name = self.unit.function(*id);
                self.line(&format!("{name}({});", args.join(", ")));
            }
            Stmt::Wide { dst, limbs, op } => self.wide(dst, *limbs, op),
            Stmt::If(c, then, other) => self.branch("if", c, then, other),
            Stmt::For { var, lo, hi, body } => {
                let (ty, name) = (scalar_type(lo.ty), self.local(*var));
                let (lo, hi) = (self.expr(lo), self.expr(hi));
                self.line(&format!("for ({ty} {name} = {lo}; {name} < {hi}; {name}++) {{"));
                self.indented(body);
                self.line("}");
            }
            Stmt::Switch { value, arms, default } => {
                let value = self.expr(value);
                self.line(&format!("switch ({value}) {{"));
                for (values, body) in arms {
                    for v in values {
                        self.line(&format!("case {v}u{}:", if *v > u64::from(u32::MAX) { "ll" } else { "" }));
                    }
                    self.arm(body);
                }
                self.line("default:");
                self.arm(default);
                self.line("}");
            }
            Stmt::Return(Some(e)) => {
                let e = self.expr(e);
                self.line(&format!("return {e};"));
            }
            Stmt::Return(None) => self.line("return;"),
            Stmt::Finish(answer, value) => self.finish(*answer, value.as_ref()),
            Stmt::SetStatus(e) => {
                let place = self.status();
                self.assign(&place, e);
            }
            Stmt::SetStateWord(index, value) => {
                let (name, state) = (self.unit.write_word.clone(), self.state.clone());
                let (index, value) = (self.expr(index), self.expr(value));
                self.line(&format!("{name}({state}, {index}, {value});"));
            }
            Stmt::Reset => {
                let (name, state) = (self.unit.reset.clone(), self.state.clone());
                self.line(&format!("{name}({state});"));
            }
        }
    }

    /// `x = x + e` is said as `x += e`.
    fn assign(&mut self, place: &str, e: &Expr) {
        if let ExprKind::Binary(op, a, b) = &e.kind
            && self.expr(a) == place
        {
            let sign = match op {
                ir::BinaryOp::Add => "+=",
                ir::BinaryOp::Sub => "-=",
                ir::BinaryOp::Mul => "*=",
                ir::BinaryOp::Div => "/=",
                ir::BinaryOp::Rem => "%=",
                ir::BinaryOp::And => "&=",
                ir::BinaryOp::Or => "|=",
                ir::BinaryOp::Xor => "^=",
                ir::BinaryOp::Shl => "<<=",
                ir::BinaryOp::Shr => ">>=",
            };
            let b = self.expr(b);
            return self.line(&format!("{place} {sign} {b};"));
        }
        let e = self.expr(e);
        self.line(&format!("{place} = {e};"));
    }

    fn branch(&mut self, word: &str, c: &Expr, then: &[Stmt], other: &[Stmt]) {
        let c = self.expr(c);
        self.line(&format!("{word} ({c}) {{"));
        self.indented(then);
        match other {
            [] => self.line("}"),
            [Stmt::If(c, then, other)] => self.branch("} else if", c, then, other),
            _ => {
                self.line("} else {");
                self.indented(other);
                self.line("}");
            }
        }
    }

    fn arm(&mut self, body: &[Stmt]) {
        self.depth += 1;
        // Braces, as an arm may declare locals.
        self.line("{");
        self.indented(body);
        self.line("}");
        if !lapis_cx::lower::ends(body) {
            self.line("break;");
        }
        self.depth -= 1;
    }

    fn each(&mut self, len: u32, f: impl FnOnce(&mut Self, &str)) {
        if len == 1 {
            return f(self, "0");
        }
        // A fresh name in a scope of its own: the next loop may use it again.
        let i = self.scope.fresh("i");
        self.line(&format!("for (uint32_t {i} = 0; {i} < {len}u; {i}++) {{"));
        self.depth += 1;
        f(self, &i);
        self.depth -= 1;
        self.line("}");
        self.scope.release(&i);
    }

    fn copy(&mut self, dst: &Slice, src: &Slice, len: u32) {
        self.each(len, |p, i| {
            let (to, from) = (p.element_of(dst, i), p.element_of(src, i));
            p.line(&format!("{to} = {from};"));
        });
    }

    fn wide(&mut self, dst: &Slice, limbs: u32, op: &WideOp) {
        let r = self.slice(dst);
        let n = limbs.to_string();
        let (helper, args) = match op {
            WideOp::Word(e) => (Helper::FromWord, vec![r, self.expr(e), n]),
            WideOp::Resize(a, m) => (Helper::Resize, vec![r, n, self.slice(a), m.to_string()]),
            WideOp::Not(a) => (Helper::Not, vec![r, self.slice(a), n]),
            WideOp::Shl(a, by) => (Helper::Shl, vec![r, self.slice(a), self.expr(by), n]),
            WideOp::Shr(a, by) => (Helper::Shr, vec![r, self.slice(a), self.expr(by), n]),
            WideOp::Mask(width) => (Helper::Mask, vec![r, width.to_string(), n]),
            WideOp::SignExtend(width) => (Helper::SignExtend, vec![r, width.to_string(), n]),
            WideOp::Add(a, b) => (Helper::Add, vec![r, self.slice(a), self.slice(b), n]),
            WideOp::Sub(a, b) => (Helper::Sub, vec![r, self.slice(a), self.slice(b), n]),
            WideOp::Mul(a, b) => (Helper::Mul, vec![r, self.slice(a), self.slice(b), n]),
            WideOp::And(a, b) => (Helper::And, vec![r, self.slice(a), self.slice(b), n]),
            WideOp::Or(a, b) => (Helper::Or, vec![r, self.slice(a), self.slice(b), n]),
            WideOp::Xor(a, b) => (Helper::Xor, vec![r, self.slice(a), self.slice(b), n]),
            WideOp::Rem(a, b) => (Helper::Rem, vec![r, self.slice(a), self.slice(b), n]),
            WideOp::Div(a, b) => {
                self.unit.division_limbs = self.unit.division_limbs.max(limbs);
                (Helper::Div, vec![r, self.slice(a), self.slice(b), n])
            }
        };
        let name = self.unit.helper(helper);
        self.line(&format!("{name}({});", args.join(", ")));
    }

    fn finish(&mut self, answer: Answer, value: Option<&Expr>) {
        if let Ending::Reported(status) = &self.ending {
            let text = format!("*{status} = {};", answer_name(answer));
            self.line(&text);
        }
        let Some((value, edge)) = value.zip(self.result) else { return self.line("return;") };
        let text = match (edge, &value.kind) {
            (Edge::Bool | Edge::Unsigned(32 | 64), _) => self.expr(value),
            (_, ExprKind::Const(0)) => "0".to_owned(),
            (Edge::Unsigned(_), ExprKind::Const(v)) => v.to_string(),
            (Edge::Unsigned(bits) | Edge::Signed(bits), _) => self.cut(&edge_type(edge), bits, value),
        };
        self.line(&format!("return {text};"));
    }
}

/// The C type at the edge.
pub fn edge_type(edge: Edge) -> String {
    match edge {
        Edge::Bool => "bool".to_owned(),
        Edge::Unsigned(n) => format!("uint{n}_t"),
        Edge::Signed(n) => format!("int{n}_t"),
    }
}

/// The constant of a response.
fn answer_name(answer: Answer) -> &'static str {
    match answer {
        Answer::Ok => "CX_RESPONSE_OK",
        Answer::Off => "CX_RESPONSE_OFF",
        Answer::Func => "CX_RESPONSE_FUNC",
        Answer::Op => "CX_RESPONSE_OP",
        Answer::Custom => "CX_RESPONSE_CUSTOM",
        Answer::Trap => "CX_RESPONSE_TRAP",
    }
}

/// Marks the variables of loops.
fn mark_loops(stmts: &[Stmt], loops: &mut [bool]) {
    for stmt in stmts {
        match stmt {
            Stmt::For { var, body, .. } => {
                if let Some(flag) = loops.get_mut(var.index()) {
                    *flag = true;
                }
                mark_loops(body, loops);
            }
            Stmt::If(_, a, b) => {
                mark_loops(a, loops);
                mark_loops(b, loops);
            }
            Stmt::Switch { arms, default, .. } => {
                arms.iter().for_each(|(_, body)| mark_loops(body, loops));
                mark_loops(default, loops);
            }
            _ => {}
        }
    }
}

/// The operands of a command that its body reads.
fn arguments_read(stmts: &[Stmt], used: &mut Vec<u32>) {
    lapis_cx::lower::block_uses(stmts, &mut |u| {
        if let lapis_cx::lower::Use::Argument(i) = u {
            used.push(i);
        }
    });
}
