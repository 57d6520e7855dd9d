//! Clauses, resolved: one arm for each row of the [table](super::table).

use std::rc::Rc;

use crate::contract::library::clause::{Change, Clause, Key, Mode, Path, Root, Step, Thread};
use crate::contract::library::construct::Construct;
use crate::contract::library::expr::{Expr, ExprKind, ValueKind, When};
use crate::contract::library::place::{Place, Type};
use crate::contract::library::{Moment, ResourceId};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{library as codes, names as name_codes};
use crate::syntax::{Kind, Node};

use super::Lib;
use super::declare::Meaning;
use super::expr::constant_of;
use super::inherit::{is_replaced, word_of};
use super::place::{Context, Role};
use super::scope::{Scope, Typed};
use super::table::{Arguments, Row, Target};
use crate::analyze::expr::without_parentheses;

/// Stands before the reason why a clause of `defaults` does not fit a function.
pub(super) const ARRIVES_WRONG: &str = ", where it means nothing: ";

impl<'t> Lib<'_, 't> {
    /// All clauses that reach a body. What is wrong with an inherited one is said where it arrives, at `name`.
    pub(super) fn clauses(
        &mut self,
        scope: &Scope<'t>,
        own: Option<Node<'t>>,
        outer: &[Option<Node<'t>>],
        on: Target,
        name: Node<'t>,
    ) -> Vec<Clause> {
        for body in own.into_iter().chain(outer.iter().copied().flatten()) {
            self.check_repeated(body, on);
        }
        let mut clauses = Vec::new();
        let all = self.reaching(own, outer, on);
        self.check_results(scope, &all, name);
        let success = all.iter().map(|reaching| reaching.clause).find(|clause| clause.kind() == Kind::success_clause);
        for reaching in all {
            let before = self.found.len();
            self.inherited = reaching.inherited;
            self.replaced = reaching.replaced;
            let clause = self.clause(scope, reaching.clause, on);
            if std::mem::take(&mut self.inherited) {
                self.arrived(before, reaching.clause, name);
            }
            clauses.extend(clause);
        }
        self.check_whole(own, &clauses);
        if on == Target::Function {
            self.check_failure(scope.ret.as_deref(), success.map(|clause| clause.span()), &clauses, name);
        }
        clauses
    }

    /// A name of an inherited clause that is not in scope, or a value that does not fit there, is a finding about the
    /// function that it reaches.
    fn arrived(&mut self, before: usize, clause: Node<'t>, name: Node<'t>) {
        let about_arrival = [
            &name_codes::UNKNOWN_NAME,
            &codes::VALUE,
            &codes::OUTCOME,
            &codes::NOT_AT_ENTRY,
            &codes::METADATA,
            &codes::OUT_OF_RANGE,
        ];
        let found: Vec<_> = self.found.drain(before..).collect();
        for found in found {
            if !about_arrival.iter().any(|entry| entry.code == found.code) {
                self.found.push(found);
                continue;
            }
            let is_unknown = found.code == name_codes::UNKNOWN_NAME.code;
            let name_of = |leaf: &Node<'_>| Some(leaf.span()) == found.span();
            if is_unknown
                && clause.leaves().find(name_of).is_none_or(|leaf| !self.parameter_names.contains(leaf.text()))
            {
                // No function has this name: the mistake is in the clause itself.
                self.found.push(found);
                continue;
            }
            // The same clause may reach others, where it is wrong too.
            self.seen.remove(&(found.code, found.span()));
            let Some(label) = found.labels.first() else { continue };
            let word = word_of(clause).map_or("", |w| w.text());
            if found.code == codes::OUT_OF_RANGE.code {
                self.does_not_hold(found, word, name);
                continue;
            }
            let message = format!("`{word}` reaches `{}`{ARRIVES_WRONG}{}", name.text(), found.message);
            let label_here = format!("`{word}` of the `defaults` does not fit");
            self.report(
                Diagnostic::error(&codes::OUT_OF_SCOPE, message, name.span(), label_here)
                    .label(label.span, "inherited from here")
                    .help(format!(
                        "write another `{word}` for this function, or move the function out of the block with these `defaults`"
                    )),
            );
        }
    }

    /// What no clause shows alone.
    fn check_whole(&mut self, own: Option<Node<'t>>, clauses: &[Clause]) {
        let instead = |c: &&Clause| matches!(c, Clause::Replace(_) | Clause::Impl { .. });
        if clauses.iter().filter(instead).count() > 1
            && let Some(second) = own.and_then(|o| o.children_of(Kind::impl_clause).last())
        {
            let message = "a function has one body: `replace` or `impl`";
            self.error(&codes::REPEATED, second, message, "and a second one");
        }
    }

    fn clause(&mut self, scope: &Scope<'t>, node: Node<'t>, on: Target) -> Option<Clause> {
        let row = self.row_of(node, on)?;
        self.on = on;
        match node.kind() {
            Kind::fact => self.fact(scope, node, row),
            Kind::timing => {
                let mode = match row.name {
                    "sync" => Mode::Sync,
                    "async" => Mode::Async,
                    _ => Mode::Flush,
                };
                let returns = node.child(Kind::outcome).map(|o| self.outcome(scope, o, row)).unwrap_or_default();
                if let (Mode::Sync, Some(outcome)) = (mode, node.child(Kind::outcome)) {
                    self.report(
                        Diagnostic::error(
                            &codes::CLAUSE_ARGUMENTS,
                            "`sync` returns what the real call returns",
                            outcome.span(),
                            "nothing is returned early",
                        )
                        .help("remove `returns`"),
                    );
                }
                if let Some(until) = node.expr() {
                    self.uses(Construct::Until, "until", until.span());
                }
                let until = node.expr().map(|e| self.condition_at(scope, e, When::Exit, "`until`"));
                Some(Clause::Timing { mode, returns, until })
            }
            Kind::success_clause => {
                let expr = node.expr()?;
                Some(Clause::Success(self.condition_at(scope, expr, row.at, "`success`")))
            }
            Kind::fails_clause => Some(Clause::Fails(self.outcome(scope, node.child(Kind::outcome)?, row))),
            Kind::requires_clause => {
                let condition = self.condition_at(scope, node.expr()?, row.at, "`requires`");
                let otherwise = node.child(Kind::outcome).map(|o| self.outcome(scope, o, row)).unwrap_or_default();
                Some(Clause::Requires { condition, otherwise })
            }
            Kind::arg_clause => self.refine(scope, node),
            // They are arguments, which come first.
            Kind::implicit_clause => None,
            Kind::set_clause => self.set(scope, node),
            Kind::pass_clause => self.pass(scope, node),
            Kind::when_clause => {
                let condition = node.child(Kind::cond).and_then(|c| c.expr())?;
                let condition = self.condition_at(scope, condition, row.at, "the condition of `when`");
                let mut bodies = node.children_of(Kind::clauses);
                let then = bodies.next().map(|b| self.branch(scope, b, on)).unwrap_or_default();
                let otherwise = bodies.next().map(|b| self.branch(scope, b, on)).unwrap_or_default();
                let is_all_replaced = then.is_empty() && otherwise.is_empty() && self.inherited;
                (!is_all_replaced).then_some(Clause::When { condition, then, otherwise })
            }
            Kind::around_clause => {
                let moment = if row.name == "before" { Moment::Before } else { Moment::After };
                Some(Clause::Around(moment, self.code(node.child(Kind::code)?)))
            }
            Kind::replace_clause => Some(Clause::Replace(self.code(node.child(Kind::code)?))),
            Kind::impl_clause => self.impl_body(node),
            _ => None,
        }
    }

    /// The clauses of a branch of `when`.
    fn branch(&mut self, scope: &Scope<'t>, body: Node<'t>, on: Target) -> Vec<Clause> {
        self.check_repeated(body, on);
        let mut clauses = Vec::new();
        let replaced = Rc::clone(&self.replaced);
        for node in body.children().filter(|node| !is_replaced(*node, &replaced)) {
            if matches!(node.kind(), Kind::replace_clause | Kind::impl_clause | Kind::implicit_clause) {
                let word = word_of(node).map_or("", |w| w.text());
                let message = format!("`{word}` holds always, or not at all");
                self.error(&codes::CLAUSE_PLACE, node, message, "not under a condition");
                continue;
            }
            clauses.extend(self.clause(scope, node, on));
        }
        clauses
    }

    /// A clause without a syntax of its own.
    fn fact(&mut self, scope: &Scope<'t>, node: Node<'t>, row: &'static Row) -> Option<Clause> {
        let list = node.child(Kind::args);
        let named: Vec<_> = list.into_iter().flat_map(|a| a.children_of(Kind::named_arg)).collect();
        let args: Vec<_> = list.into_iter().flat_map(|a| a.exprs().collect::<Vec<_>>()).collect();
        let wrong = |lib: &mut Self| {
            let message = format!("`{}` is not written like this", row.name);
            let diagnostic = Diagnostic::error(&codes::CLAUSE_ARGUMENTS, message, node.span(), "wrong arguments");
            lib.report(diagnostic.help(format!("the form is `{}`", row.form)));
            None
        };
        if !named.is_empty() && !matches!(row.arguments, Arguments::Amount(_)) {
            return wrong(self);
        }
        let is_of_callback = self.on == Target::Callback;
        match row.name {
            "acquires" | "releases" | "consumes" => self.uses(Construct::Resource, row.name, node.span()),
            "record" | "depends_on" | "snapshot" => self.uses(Construct::Replay, row.name, node.span()),
            "ordered" | "monitor" if is_of_callback => self.uses(Construct::CallbackOrder, row.name, node.span()),
            "thread" if args.iter().any(|one| one.text() == "main") => {
                self.uses(Construct::MainThread, "thread(main)", node.span());
            }
            _ => {}
        }
        match row.arguments {
            Arguments::None if list.is_none() => Some(match row.name {
                "unordered" => Clause::Unordered,
                "atomic" => Clause::Atomic,
                "errno" => Clause::Errno,
                "once" => Clause::Once,
                "cx_call" => Clause::CxCall,
                _ => Clause::ByName,
            }),
            Arguments::Keys if !args.is_empty() => {
                let keys = args.iter().map(|arg| self.key(scope, *arg, row)).collect();
                Some(if row.name == "ordered" { Clause::Ordered(keys) } else { Clause::Monitor(keys) })
            }
            Arguments::Word(words) => match args.as_slice() {
                [one] if words.contains(&one.text()) => Some(Clause::Thread(match one.text() {
                    "caller" => Thread::Caller,
                    "any" => Thread::Any,
                    _ => Thread::Main,
                })),
                _ => wrong(self),
            },
            Arguments::Count => match args.as_slice() {
                [one] => {
                    let expr = self.number_at(scope, *one, When::Entry, "a number of slots");
                    match constant_of(&expr).and_then(|v| v.to_u32()).filter(|n| (1..=65536).contains(n)) {
                        Some(n) => Some(Clause::Slots(n)),
                        None => {
                            let message = "the number of slots is a constant from 1 to 65536";
                            self.error(&codes::CLAUSE_ARGUMENTS, *one, message, "not such a number");
                            None
                        }
                    }
                }
                _ => wrong(self),
            },
            Arguments::Amount(kind) => match (named.as_slice(), args.as_slice()) {
                ([amount], []) => {
                    let value = self.number_at(scope, amount.expr()?, row.at, "an amount");
                    let resource = self.resource(amount.name(), kind, row)?;
                    let change = match row.name {
                        "acquires" => Change::Acquires,
                        "releases" => Change::Releases,
                        _ => Change::Consumes,
                    };
                    Some(Clause::Account { change, resource, amount: value })
                }
                _ => wrong(self),
            },
            Arguments::Scopes if !args.is_empty() => {
                Some(Clause::Ends(args.iter().map(|arg| self.scope_value(scope, *arg)).collect()))
            }
            Arguments::Objects(least) if args.len() >= least => {
                let objects = args.iter().map(|arg| self.object(scope, *arg)).collect();
                Some(if row.name == "record" { Clause::Record(objects) } else { Clause::DependsOn(objects) })
            }
            Arguments::Snapshot => match args.as_slice() {
                [extract, restore] => {
                    let (write, read) = (self.function_of(*extract), self.function_of(*restore));
                    let (write, read) = (write?, read?);
                    let made = scope.ret.as_ref().filter(|ret| ret.directions.new);
                    let object = scope.this.as_ref().or(made).and_then(|place| match place.ty {
                        Type::Handle(id) => Some(id),
                        _ => None,
                    });
                    self.check_snapshot(object, (write, *extract), (read, *restore));
                    Some(Clause::Snapshot { extract: write, restore: read })
                }
                _ => wrong(self),
            },
            _ => wrong(self),
        }
    }

    fn key(&mut self, scope: &Scope<'t>, node: Node<'t>, row: &Row) -> Key {
        match without_parentheses(node).text() {
            "global" if scope.find("global").is_none() => return Key::Global,
            "thread" if scope.find("thread").is_none() => return Key::Thread,
            _ => {}
        }
        let what = format!("`{}`", row.name);
        let expr = self.value_at(scope, node, row.at, &what).expr;
        if !matches!(expr.value, ValueKind::Int | ValueKind::Pointer | ValueKind::Handle(_) | ValueKind::Any) {
            self.wrong_value(node, "a handle, a pointer or a number", &expr);
        }
        Key::Value(expr)
    }

    fn object(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Expr {
        let expr = self.value(scope, node).expr;
        if !matches!(expr.value, ValueKind::Pointer | ValueKind::Handle(_) | ValueKind::Any) {
            self.wrong_value(node, "a handle or a pointer", &expr);
        }
        expr
    }

    fn resource(
        &mut self,
        name: Node<'t>,
        kind: crate::contract::library::ResourceKind,
        row: &Row,
    ) -> Option<ResourceId> {
        match self.symbols.get(name.text()).map(|s| (s.meaning, s.span)) {
            Some((Meaning::Resource(id), span)) => {
                let is = self.library.resources.get(id.index())?.kind;
                if is == kind {
                    return Some(id);
                }
                let word = |k| match k {
                    crate::contract::library::ResourceKind::Rate => "rate",
                    crate::contract::library::ResourceKind::Store => "store",
                };
                let message = format!("`{}` is of a {}, and `{}` is a {}", row.name, word(kind), name.text(), word(is));
                let diagnostic = Diagnostic::error(&codes::RESOURCE, message, name.span(), "the wrong kind");
                self.report(diagnostic.label(span, "declared here").help(
                    "a rate is used up with `consumes`; a store is taken with `acquires` and given back with `releases`",
                ));
                None
            }
            Some((other, span)) => {
                let message = format!("`{}` is {}, not a resource", name.text(), other.what());
                let diagnostic = Diagnostic::error(&name_codes::WRONG_KIND, message, name.span(), other.what());
                self.report(diagnostic.label(span, "declared here"));
                None
            }
            None => {
                let known: Vec<String> = self.library.resources.iter().map(|r| r.name.clone()).collect();
                self.unknown(name, "resource", known.iter().map(String::as_str));
                None
            }
        }
    }

    /// Complains about a value of another kind than its target.
    pub(super) fn assignable(&mut self, target: &Expr, value: &Expr, node: Node<'t>) {
        use ValueKind::{Any, Bool, Float, Handle, Int, Null, Pointer};
        let fits = match (target.value, value.value) {
            (Any, _) | (_, Any) => true,
            (Pointer | Handle(_), Null) => true,
            (Float, Int) | (Bool, Int) | (Int, Bool) => true,
            (wanted, found) => wanted == found,
        };
        if !fits {
            let wanted = self.describe(target.value);
            self.wrong_value(node, &wanted, value);
        }
    }

    fn set(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Option<Clause> {
        let parts: Vec<_> = node.exprs().collect();
        let [place, value] = parts.as_slice() else { return None };
        let typed = self.value(scope, *place);
        let is_local = self.is_local(scope, &typed);
        let fits =
            matches!(typed.expr.kind, ExprKind::Metadata { .. }) || is_local || typed.expr.value == ValueKind::Any;
        if !fits {
            self.report(
                Diagnostic::error(&codes::SET, "only metadata and `local` places are set", place.span(), "neither")
                    .note("`out` contents come back by themselves, and `pass` changes an argument")
                    .help("declare it: `metadata Handle { name: type; }`"),
            );
        } else if typed.expr.value == ValueKind::Scope {
            let message = "a scope of lifetimes has no value";
            self.report(Diagnostic::error(&codes::SET, message, place.span(), "a scope").help("write `ends(…)`"));
        }
        let value_node = *value;
        let value = self.value(scope, value_node).expr;
        self.metadata_fits(&typed.expr, &value, value_node);
        Some(Clause::Set { target: typed.expr, value })
    }

    /// Whether a value is a `local` argument, or lies in or behind one.
    fn is_local(&self, scope: &Scope<'t>, typed: &Typed) -> bool {
        let mut around = &typed.expr;
        while let ExprKind::Element(base, _) | ExprKind::Member { base, .. } = &around.kind {
            around = base;
        }
        let argument = match around.kind {
            ExprKind::Param(n) => scope.params.get(n as usize).map(|param| &param.place),
            _ => None,
        };
        [argument, typed.place.as_ref()].into_iter().flatten().any(|place| place.directions.local)
    }

    fn metadata_fits(&mut self, target: &Expr, value: &Expr, node: Node<'t>) {
        // Metadata keeps addresses of any kind in a `ptr`.
        if target.value == ValueKind::Pointer && matches!(value.value, ValueKind::Pointer | ValueKind::Handle(_)) {
            return;
        }
        if target.value == ValueKind::Array && value.value == ValueKind::Array {
            return;
        }
        self.assignable(target, value, node);
    }

    fn pass(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Option<Clause> {
        let parts: Vec<_> = node.exprs().collect();
        let [place, value] = parts.as_slice() else { return None };
        let target = self.value(scope, *place).expr;
        if !matches!(target.kind, ExprKind::Param(_)) {
            let message = "`pass` gives the library another value of a parameter";
            self.error(&codes::SET, *place, message, "not a parameter");
        }
        let value_node = *value;
        let value = self.value_at(scope, value_node, When::Entry, "`pass`").expr;
        self.assignable(&target, &value, value_node);
        Some(Clause::Pass { target, value })
    }

    /// `arg place: T` and `arg place @a`.
    fn refine(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Option<Clause> {
        let written = node.child(Kind::part_place)?;
        if written.name().text() == "self" {
            // `defaults type` and `defaults handle` have put it on the places.
            if scope.this.is_none() {
                let message = "`self` is the value of a type, in `defaults type`";
                self.error(&codes::REFINE, written.name(), message, "there is none here");
            } else if let Some(ty) = node.child(Kind::place_type) {
                let message = "a handle is what its declaration says, everywhere";
                self.report(
                    Diagnostic::error(&codes::REFINE, message, ty.span(), "another type")
                        .help("declare the places with another type, or give one place of a call another: `arg p: T`"),
                );
            }
            return None;
        }
        let (path, shape) = self.path(scope, written)?;
        let scope = if path.steps.contains(&Step::Elements) { &scope.with_elements() } else { scope };
        let inner = scope.with_self(shape.clone());
        let role = if path.steps.is_empty() && path.root != Root::Ret { Role::Param } else { Role::Inner };
        let cx = Context::new(role);
        let to = match node.child(Kind::place_type) {
            Some(ty) => self.place(scope, ty, cx),
            None => {
                let mut place = self.whole_place(&path).unwrap_or(shape);
                for attr in node.children_of(Kind::attr) {
                    // It says so in place of what the place itself says.
                    match attr.name().text() {
                        "valid" => place.valid = None,
                        "on" => place.on = None,
                        "lifetime" => place.lifetime = None,
                        "allocator" => place.allocator = None,
                        "room" => place.room = None,
                        "zero_copy" => place.zero_copy = None,
                        "align" => place.align = None,
                        _ => {}
                    }
                }
                for attr in node.children_of(Kind::attr) {
                    self.attribute(&inner, &mut place, attr, cx);
                }
                self.check_place(node, &place, false, cx);
                place
            }
        };
        Some(Clause::Refine { place: path, to })
    }

    /// A place inside of an argument with all that is said of it.
    fn whole_place(&self, path: &Path) -> Option<Place> {
        let mut place = match path.root {
            Root::Param(n) => self.whole.params.get(n as usize)?,
            Root::Implicit(n) => self.whole.implicits.get(n as usize)?,
            Root::Ret => self.whole.result.as_ref()?,
        };
        for step in &path.steps {
            place = match (&place.ty, step) {
                (Type::Buffer { element, .. } | Type::Array { element, .. }, Step::Elements) => element,
                (Type::Struct { id, .. } | Type::Live { id, .. }, Step::Member(n)) => {
                    &self.library.structs.get(id.index())?.members.get(*n as usize)?.place
                }
                _ => return None,
            };
        }
        Some(place.clone())
    }

    /// A place inside of an argument, and its shape.
    fn path(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Option<(Path, Place)> {
        let name = node.name();
        let root = scope.find(name.text());
        let (root, mut place) = match (root.as_ref().map(|t| (&t.expr.kind, &t.place)), name.text(), &scope.ret) {
            (Some((ExprKind::Param(i), Some(place))), ..) => (Root::Param(*i), place.clone()),
            (Some((ExprKind::Implicit(i), Some(place))), ..) => (Root::Implicit(*i), place.clone()),
            (None, "ret", Some(place)) => (Root::Ret, (**place).clone()),
            _ => {
                let known: Vec<String> = scope.names().map(str::to_owned).collect();
                self.unknown(name, "parameter", known.iter().map(String::as_str));
                return None;
            }
        };
        let mut steps = Vec::new();
        for step in node.children().skip(1).filter(|n| n.kind() != Kind::dot) {
            let next = match (&place.ty, step.kind()) {
                (Type::Buffer { element, .. } | Type::Array { element, .. }, Kind::elements) => {
                    steps.push(Step::Elements);
                    Some((**element).clone())
                }
                (Type::Struct { id, .. } | Type::Live { id, .. }, Kind::ident) => {
                    let members =
                        self.library.structs.get(id.index()).map(|s| s.members.as_slice()).unwrap_or_default();
                    let at = members.iter().position(|m| m.name == step.text());
                    steps.extend(at.map(|at| Step::Member(at as u32)));
                    at.and_then(|at| members.get(at)).map(|m| m.place.clone())
                }
                (Type::Match { .. }, _) => return None,
                _ => None,
            };
            let Some(next) = next else {
                let what = self.describe(super::scope::value_of(&place));
                let (message, help) = if step.kind() == Kind::elements {
                    (format!("{what} has no elements"), "`[]` goes into the elements of a buffer")
                } else {
                    (
                        format!("{what} has no member `{}`", step.text()),
                        "`p[].m` goes into the structs that `p` points to",
                    )
                };
                self.report(Diagnostic::error(&codes::REFINE, message, step.span(), "cannot go on").help(help));
                return None;
            };
            place = next;
        }
        Some((Path { root, steps }, place))
    }
}
