//! Makes a spec that shows a fault smaller, as long as it shows the same fault.

use lapis_cx::int::Int;

use super::model::*;

/// Counts the places where something can be left out, and leaves it out at one of them.
struct Editor {
    left: usize,
    done: bool,
}

impl Editor {
    /// Whether this is the place.
    fn here(&mut self) -> bool {
        if self.done {
            return false;
        }
        self.done = self.left == 0;
        self.left = self.left.saturating_sub(1);
        self.done
    }

    fn list<T>(&mut self, items: &mut Vec<T>) {
        let mut at = items.len();
        while at > 0 && !self.done {
            at -= 1;
            if self.here() {
                items.remove(at);
            }
        }
    }

    fn spec(&mut self, spec: &mut Spec) {
        self.list(&mut spec.items);
        for item in &mut spec.items {
            if let Item::Interface(interface) = item {
                self.list(&mut interface.members);
                self.list(&mut interface.bases);
                if interface.refines.is_some() && self.here() {
                    interface.refines = None;
                }
                if interface.has_context && self.here() {
                    interface.has_context = false;
                }
                if interface.short && self.here() {
                    interface.short = false;
                }
            }
        }
        for item in &mut spec.items {
            match item {
                Item::Const(item) => self.constant(item),
                Item::Function(item) => self.function(item),
                Item::Interface(interface) => interface.members.iter_mut().for_each(|m| self.member(m)),
                Item::Law(law) => self.law(law),
            }
        }
    }

    fn member(&mut self, member: &mut Member) {
        match member {
            Member::Const(item) => self.constant(item),
            Member::Function(item) => self.function(item),
            Member::Enum(item) => self.list(&mut item.cases),
            Member::Error(..) => {}
            Member::State(state) => {
                if state.live.is_some() && self.here() {
                    state.live = None;
                }
                self.list(&mut state.fields);
                state.fields.iter_mut().for_each(|(_, _, reset)| self.expr(reset));
            }
            Member::Command(command) => {
                if command.family.is_some() && self.here() {
                    command.family = None;
                }
                if command.xlen.is_some() && self.here() {
                    command.xlen = None;
                }
                self.list(&mut command.forms);
                self.list(&mut command.operands);
                if command.result.is_some() && self.here() {
                    command.result = None;
                }
                command.body.iter_mut().for_each(|body| self.stmts(body));
            }
            Member::Csr(csr) => {
                self.list(&mut csr.fields);
                for field in &mut csr.fields {
                    if field.warl && self.here() {
                        field.warl = false;
                    }
                    self.expr(&mut field.value);
                }
            }
            Member::Example(example) => {
                self.list(&mut example.steps);
                for step in &mut example.steps {
                    if let Step::Call { args, .. } = step {
                        args.iter_mut().for_each(|e| self.expr(e));
                    }
                }
            }
            Member::Law(law) => self.law(law),
        }
    }

    fn law(&mut self, law: &mut Law) {
        self.list(&mut law.params);
        self.expr(&mut law.holds);
    }

    fn constant(&mut self, item: &mut Const) {
        item.init.iter_mut().for_each(|e| self.expr(e));
    }

    fn function(&mut self, item: &mut Function) {
        self.stmts(&mut item.body);
    }

    fn stmts(&mut self, stmts: &mut Vec<Stmt>) {
        self.list(stmts);
        let mut at = 0;
        while at < stmts.len() && !self.done {
            let parts: Vec<Vec<Stmt>> = match stmts.get(at) {
                Some(Stmt::If(_, then, other)) => std::iter::once(then).chain(other).cloned().collect(),
                Some(Stmt::For(_, _, _, body)) => vec![body.clone()],
                Some(Stmt::Match(_, arms)) => arms.iter().map(|arm| arm.body.clone()).collect(),
                _ => Vec::new(),
            };
            for part in parts {
                if self.here() {
                    stmts.splice(at..=at, part);
                    return;
                }
            }
            at += 1;
        }
        stmts.iter_mut().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Let(_, _, e) | Stmt::Var(_, _, e) => self.expr(e),
            Stmt::Assign(_, path, op, e) => {
                self.list(path);
                if *op != "=" && self.here() {
                    *op = "=";
                }
                for step in path {
                    match step {
                        PlaceStep::Index(at) => self.expr(at),
                        PlaceStep::Slice(h, l) => [h, l].into_iter().for_each(|e| self.expr(e)),
                        PlaceStep::Part(at, w) => [at, w].into_iter().for_each(|e| self.expr(e)),
                    }
                }
                self.expr(e);
            }
            Stmt::If(cond, then, other) => {
                if other.is_some() && self.here() {
                    *other = None;
                }
                self.expr(cond);
                self.stmts(then);
                other.iter_mut().for_each(|other| self.stmts(other));
            }
            Stmt::For(_, lo, hi, body) => {
                [lo, hi].into_iter().for_each(|e| self.expr(e));
                self.stmts(body);
            }
            Stmt::Match(value, arms) => {
                self.list(arms);
                self.expr(value);
                for arm in arms {
                    self.list(&mut arm.patterns);
                    self.stmts(&mut arm.body);
                }
            }
            Stmt::Return(e) => e.iter_mut().for_each(|e| self.expr(e)),
            Stmt::Raise { commit, value, .. } => {
                if *commit && self.here() {
                    *commit = false;
                }
                if value.is_some() && self.here() {
                    *value = None;
                }
                value.iter_mut().for_each(|e| self.expr(e));
            }
            Stmt::Trap => {}
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        if self.done {
            return;
        }
        let is_small = matches!(expr.kind, ExprKind::Lit(..) | ExprKind::Bool(_) | ExprKind::Case(..));
        if !is_small {
            for kind in [ExprKind::Lit(Int::ZERO, Radix::Decimal, None), ExprKind::Bool(false)] {
                if self.here() {
                    expr.kind = kind;
                    return;
                }
            }
        }
        let children: Vec<Expr> = expr.kind.children().into_iter().cloned().collect();
        for child in children {
            if self.here() {
                *expr = child;
                return;
            }
        }
        if let ExprKind::List(items) = &mut expr.kind {
            self.list(items);
        }
        if let ExprKind::Lit(v, ..) = &mut expr.kind {
            // A shorter number may do.
            for shorter in [Int::ONE, v.shr(v.bits() / 2)] {
                if *v > shorter && self.here() {
                    *v = shorter;
                    return;
                }
            }
        }
        expr.kind.children_mut().into_iter().for_each(|e| self.expr(e));
    }
}

/// The smallest spec that is found by leaving out one thing after another while `wrong` holds, in at most `tries` tries.
pub fn shrink(spec: &Spec, tries: usize, mut wrong: impl FnMut(&Spec) -> bool) -> Spec {
    let mut best = spec.clone();
    let (mut at, mut since, mut tried) = (0, 0, 0);
    while tried < tries {
        let mut smaller = best.clone();
        let mut editor = Editor { left: at, done: false };
        editor.spec(&mut smaller);
        if !editor.done {
            // All places were tried; again, until nothing helps.
            if since == 0 || at == 0 {
                break;
            }
            (at, since) = (0, 0);
            continue;
        }
        tried += 1;
        if wrong(&smaller) {
            best = smaller;
            since += 1;
        } else {
            at += 1;
        }
    }
    best
}
