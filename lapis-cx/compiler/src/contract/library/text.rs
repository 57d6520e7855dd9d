//! What a library says, as text near to its source: for messages, for documentation, and to tell whether two versions
//! say the same. Ids differ between two versions of a library, names do not; so everything is printed by name.

use std::fmt::{Display, Write};

use super::clause::{Change, Clause, Key, Mode, Outcome, Path, Root, Step, Thread};
use super::expr::{Expr, ExprKind};
use super::place::{Declared, Lifetime, Place, Scalar, Type, ZeroCopy};
use super::{Function, FunctionId, InterfaceName, Library, Moment, Owner, Param, Struct, StructId};
use crate::contract::core::{BinaryOp, UnaryOp};

/// The names in reach of a place.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// The library.
    pub library: &'a Library,
    /// Names of parameters, by position.
    params: &'a [String],
    /// The function around it.
    function: Option<&'a Function>,
    /// The variable arguments around it, of one case.
    variables: &'a [Param],
    /// The struct around it.
    inside: Option<&'a Struct>,
}

/// Entries of a list, with commas.
fn list<T>(entries: &[T], text: impl Fn(&T) -> String) -> String {
    entries.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// The entry of a table by its number; the checker made sure that there is one.
fn entry<'t, T>(table: &'t [T], index: usize, name: impl Fn(&'t T) -> &'t str) -> &'t str {
    table.get(index).map_or("?", name)
}

fn interfaces(names: &[InterfaceName]) -> String {
    list(names, |name| format!("{}:{}", name.package, name.name))
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Neg => "-",
        UnaryOp::Not => "~",
        UnaryOp::LogicalNot => "!",
    }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Min => "min",
        BinaryOp::Max => "max",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::LogicalAnd => "&&",
        BinaryOp::LogicalOr => "||",
    }
}

pub(super) fn scalar(scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool => "bool".into(),
        Scalar::Char => "char".into(),
        Scalar::Short => "short".into(),
        Scalar::UShort => "ushort".into(),
        Scalar::Int => "int".into(),
        Scalar::UInt => "uint".into(),
        Scalar::Long => "long".into(),
        Scalar::ULong => "ulong".into(),
        Scalar::Size => "size".into(),
        Scalar::IntPtr => "intptr".into(),
        Scalar::UIntPtr => "uintptr".into(),
        Scalar::Unsigned(n) => format!("u{n}"),
        Scalar::Signed(n) => format!("s{n}"),
        Scalar::Float => "float".into(),
        Scalar::Double => "double".into(),
    }
}

impl<'a> Scope<'a> {
    /// Outside of functions and structs.
    pub fn new(library: &'a Library) -> Self {
        Scope { library, params: &[], function: None, variables: &[], inside: None }
    }

    /// In a function, whose parameters go by these names.
    pub fn function(library: &'a Library, function: &'a Function, params: &'a [String]) -> Self {
        Scope { params, function: Some(function), ..Scope::new(library) }
    }

    fn param(self, position: u32) -> &'a str {
        entry(self.params, position as usize, String::as_str)
    }

    fn implicit(self, position: u32) -> &'a str {
        self.function.map_or("?", |function| entry(&function.implicits, position as usize, |one| &one.name))
    }

    /// The same, among variable arguments of one case.
    pub fn among(self, variables: &'a [Param]) -> Self {
        Scope { variables, ..self }
    }

    /// In a struct.
    pub fn inside(library: &'a Library, def: &'a Struct) -> Self {
        Scope { inside: Some(def), ..Scope::new(library) }
    }

    /// The same, in a struct: of what it names, and of the function around.
    pub fn within(self, def: &'a Struct) -> Self {
        Scope { inside: Some(def), ..self }
    }

    fn structure(self, id: StructId) -> &'a str {
        entry(&self.library.structs, id.index(), |def| &def.name)
    }

    fn member(self, id: StructId, member: u32) -> &'a str {
        self.library
            .structs
            .get(id.index())
            .map_or("?", |def| entry(&def.members, member as usize, |member| &member.name))
    }

    /// The name of a function of the API.
    pub fn function_name(self, id: FunctionId) -> &'a str {
        entry(&self.library.functions, id.index(), |function: &Function| &function.name)
    }

    /// The name of what metadata is attached to.
    pub fn owner(self, owner: Owner) -> &'a str {
        match owner {
            Owner::Handle(id) => entry(&self.library.handles, id.index(), |handle| &handle.name),
            Owner::Struct(id) => self.structure(id),
            Owner::Type(id) => entry(&self.library.types, id.index(), |ty| &ty.name),
        }
    }

    /// A place with all that is said of it.
    pub fn place(self, place: &Place) -> String {
        let mut out = String::new();
        match &place.c {
            Some(Declared::Spelling(c)) => {
                let _ = write!(out, "c \"{c}\" as ");
            }
            Some(Declared::Type(ty)) => {
                let _ = write!(out, "{} as ", self.place(ty));
            }
            None => {}
        }
        let directions = place.directions;
        let words = [
            (directions.input && directions.output, "inout "),
            (directions.input && !directions.output, "in "),
            (directions.output && !directions.input, "out "),
            (directions.new, "new "),
            (directions.own, "own "),
            (directions.local, "local "),
        ];
        out.extend(words.into_iter().filter(|(holds, _)| *holds).map(|(_, word)| word));
        out += &self.ty(&place.ty);
        if let Some(named) = place.named {
            let _ = write!(out, " ({})", entry(&self.library.types, named.index(), |ty| &ty.name));
        }
        if place.optional {
            out.push('?');
        }
        let mut attribute = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                let _ = write!(out, " @{name}({value})");
            }
        };
        attribute("valid", place.valid.as_deref().map(|e| self.expr(e)));
        attribute("on", place.on.as_deref().map(|e| self.expr(e)));
        attribute("lifetime", place.lifetime.as_ref().map(|lifetime| self.lifetime(lifetime)));
        attribute(
            "allocator",
            place.allocator.map(|a| {
                let make = a.allocate.map_or("_", |id| self.function_name(id));
                format!("{make}, {}", self.function_name(a.free))
            }),
        );
        attribute("room", place.room.as_deref().map(|e| self.expr(e)));
        let zero_copy = place.zero_copy.map(|zero_copy| match zero_copy {
            ZeroCopy::Virtual => "virtual".to_owned(),
            ZeroCopy::Physical => "physical".to_owned(),
        });
        attribute("zero_copy", zero_copy);
        attribute("align", place.align.map(|bytes| bytes.to_string()));
        out
    }

    /// A lifetime as `@lifetime(…)` has it.
    pub fn lifetime(self, lifetime: &Lifetime) -> String {
        match lifetime {
            Lifetime::Call => "call".into(),
            Lifetime::Static => "static".into(),
            Lifetime::Manual => "manual".into(),
            Lifetime::Until(e) => self.expr(e),
        }
    }

    /// How a value travels, without what else is said of its place.
    pub fn ty(self, ty: &Type) -> String {
        let given = |outer: &[Expr]| match outer {
            [] => String::new(),
            outer => format!("({})", list(outer, |e| self.expr(e))),
        };
        match ty {
            Type::Void => "void".into(),
            Type::Scalar(one) => scalar(*one),
            Type::Enum(id) => self.enumeration(id.index()).into(),
            Type::Ptr => "ptr".into(),
            Type::Handle(id) => entry(&self.library.handles, id.index(), |handle| &handle.name).into(),
            Type::Struct { id, outer } => format!("{}{}", self.structure(*id), given(outer)),
            Type::Live { id, member, outer } => {
                format!("{}.{}{}", self.structure(*id), self.member(*id, *member), given(outer))
            }
            Type::Callback(id) => entry(&self.library.callbacks, id.index(), |callback| &callback.name).into(),
            Type::Buffer { element, len, until } => {
                let len = len.as_deref().map_or(String::new(), |e| format!("; {}", self.expr(e)));
                let until = until.as_deref().map_or(String::new(), |e| format!("; until {}", self.expr(e)));
                format!("[{}{len}{until}]", self.place(element))
            }
            Type::Array { element, len } => format!("{}[{}]", self.place(element), self.expr(len)),
            Type::Match { value, arms, default } => {
                let mut cases: Vec<String> = arms
                    .iter()
                    .map(|arm| {
                        let patterns = list(&arm.patterns, |(from, to)| format!("{from}..{to}"));
                        format!("{patterns} => {}", self.place(&arm.place))
                    })
                    .collect();
                cases.extend(default.as_deref().map(|place| format!("_ => {}", self.place(place))));
                format!("match ({}) {{ {} }}", self.expr(value), cases.join(", "))
            }
            Type::Within(None) => "within".into(),
            Type::Within(Some(of)) => format!("within({})", self.expr(of)),
            Type::Userdata(of) => format!("userdata({})", list(of, |e| self.expr(e))),
            Type::File => "file".into(),
            Type::Function(name) => format!("function({})", self.expr(name)),
            Type::Stream => "stream".into(),
            Type::Lifetime => "lifetime".into(),
            Type::Tuple(params) => {
                let params_text = |param: &Param| format!("{}: {}", param.name, self.among(params).place(&param.place));
                format!("({})", list(params, params_text))
            }
        }
    }

    /// Enums of the library are the same in each section.
    fn enumeration(self, index: usize) -> &'a str {
        self.library.sections.first().map_or("?", |section| entry(&section.enums, index, |def| &def.name))
    }

    /// An expression; an operation in another one is in parentheses.
    pub fn expr(self, expr: &Expr) -> String {
        let call = |name: &str, operands: &[&Expr]| format!("{name}({})", list(operands, |e| self.expr(e)));
        let many = |name: &str, operands: &[Expr]| format!("{name}({})", list(operands, |e| self.expr(e)));
        match &expr.kind {
            ExprKind::Int(v) => v.to_string(),
            ExprKind::Bool(v) => v.to_string(),
            ExprKind::Null => "null".into(),
            ExprKind::Text(text) => format!("{text:?}"),
            ExprKind::Case { of, case, .. } => {
                let name = self.library.sections.first().and_then(|section| section.enums.get(of.index()));
                let case = name.map_or("?", |def| entry(&def.cases, *case as usize, |case| &case.name));
                format!("{}.{case}", self.enumeration(of.index()))
            }
            ExprKind::Param(n) => self.param(*n).into(),
            ExprKind::Variable(n) => entry(self.variables, *n as usize, |param| &param.name).into(),
            ExprKind::Implicit(n) => self.implicit(*n).into(),
            ExprKind::Sibling(n) => {
                self.inside.map_or("?", |def| entry(&def.members, *n as usize, |member| &member.name)).into()
            }
            ExprKind::Outer(n) => self.inside.map_or("?", |def| entry(&def.outer, *n as usize, String::as_str)).into(),
            ExprKind::Ret => "ret".into(),
            ExprKind::SelfValue => "self".into(),
            ExprKind::Index => "index".into(),
            ExprKind::Errno => "errno".into(),
            ExprKind::Elapsed => "elapsed".into(),
            ExprKind::IsIn => "is_in".into(),
            ExprKind::IsOut => "is_out".into(),
            ExprKind::OnWorker => "on_worker".into(),
            ExprKind::OnGuest => "on_guest".into(),
            ExprKind::Old(e) => call("old", &[e]),
            ExprKind::Member { base, of, member } => format!("{}.{}", self.operand(base), self.member(*of, *member)),
            ExprKind::Metadata { base, of, member } => {
                let table = self.library.metadata.get(of.index());
                let name = table.map_or("?", |table| entry(&table.members, *member as usize, |member| &member.name));
                format!("{}.{}.{name}", self.expr(base), table.map_or("?", |table| self.owner(table.owner)))
            }
            ExprKind::Element(base, index) => format!("{}[{}]", self.operand(base), self.expr(index)),
            ExprKind::SizeofType(place) => format!("sizeof({})", self.place(place)),
            ExprKind::SizeofValue(e) => call("sizeof", &[e]),
            ExprKind::Strlen(e) => call("strlen", &[e]),
            ExprKind::Strchr(a, b) => call("strchr", &[a, b]),
            ExprKind::Physical(e) => call("physical", &[e]),
            ExprKind::Min(all) => many("min", all),
            ExprKind::Max(all) => many("max", all),
            ExprKind::Call(id, args) => many(self.function_name(*id), args),
            ExprKind::Fn(id, args) => many(entry(&self.library.fns, id.index(), |used| &used.name), args),
            ExprKind::Utility(name, args) => many(name, args),
            ExprKind::Code(code) => format!("{} {:?}", code.language, code.text),
            ExprKind::Unary(op, e) => format!("{}{}", unary(*op), self.operand(e)),
            ExprKind::Binary(op, a, b) => match binary(*op) {
                name @ ("min" | "max") => call(name, &[a, b]),
                symbol => format!("{} {symbol} {}", self.operand(a), self.operand(b)),
            },
            ExprKind::Select(c, a, b) => format!("{} ? {} : {}", self.operand(c), self.operand(a), self.operand(b)),
        }
    }

    /// An expression as part of an operation.
    fn operand(self, expr: &Expr) -> String {
        let text = self.expr(expr);
        let is_operation = match &expr.kind {
            ExprKind::Binary(op, ..) => !matches!(op, BinaryOp::Min | BinaryOp::Max),
            ExprKind::Select(..) => true,
            _ => false,
        };
        if is_operation { format!("({text})") } else { text }
    }

    /// A made-up result.
    pub fn outcomes(self, outcomes: &[Outcome]) -> String {
        list(outcomes, |one| format!("{} = {}", self.expr(&one.target), self.expr(&one.value)))
    }

    fn keys(self, keys: &[Key]) -> String {
        list(keys, |key| match key {
            Key::Global => "global".into(),
            Key::Thread => "thread".into(),
            Key::Value(e) => self.expr(e),
        })
    }

    /// A place inside of an argument.
    pub fn path(self, path: &Path) -> String {
        let function = self.function;
        let (name, mut place) = match path.root {
            Root::Param(n) => (self.param(n), function.and_then(|f| f.params.get(n as usize)).map(|p| &p.place)),
            Root::Implicit(n) => {
                (self.implicit(n), function.and_then(|f| f.implicits.get(n as usize)).map(|i| &i.place))
            }
            Root::Ret => ("ret", function.map(|f| &f.result)),
        };
        let mut out = name.to_owned();
        for step in &path.steps {
            match (step, place.map(|place| &place.ty)) {
                (Step::Elements, Some(Type::Buffer { element, .. } | Type::Array { element, .. })) => {
                    out += "[]";
                    place = Some(element);
                }
                (Step::Member(n), Some(Type::Struct { id, .. })) => {
                    let _ = write!(out, ".{}", self.member(*id, *n));
                    let def = self.library.structs.get(id.index());
                    place = def.and_then(|def| def.members.get(*n as usize)).map(|member| &member.place);
                }
                // The checker lets no other step through.
                _ => place = None,
            }
        }
        out
    }

    /// A clause, near to how the source has it.
    pub fn clause(self, clause: &Clause) -> String {
        let word = |word: &str, rest: &dyn Display| format!("{word} {rest}").trim_end().to_owned();
        match clause {
            Clause::Timing { mode, returns, until } => {
                let mode = match mode {
                    Mode::Sync => "sync",
                    Mode::Async => "async",
                    Mode::Flush => "flush",
                };
                let until = until.as_ref().map_or(String::new(), |e| format!(" until {}", self.expr(e)));
                word(mode, &format!("{}{until}", self.outcomes(returns)))
            }
            Clause::Ordered(keys) => word("ordered", &self.keys(keys)),
            Clause::Unordered => "unordered".into(),
            Clause::Monitor(keys) => word("monitor", &self.keys(keys)),
            Clause::Atomic => "atomic".into(),
            Clause::Thread(thread) => {
                let thread = match thread {
                    Thread::Caller => "caller",
                    Thread::Any => "any",
                    Thread::Main => "main",
                };
                word("thread", &thread)
            }
            Clause::Success(e) => word("success", &self.expr(e)),
            Clause::Fails(outcomes) => word("fails", &self.outcomes(outcomes)),
            Clause::Requires { condition, otherwise } => {
                word("requires", &format!("{} else {}", self.expr(condition), self.outcomes(otherwise)))
            }
            Clause::Errno => "errno".into(),
            Clause::Set { target, value } => word("set", &format!("{} = {}", self.expr(target), self.expr(value))),
            Clause::Pass { target, value } => word("pass", &format!("{} = {}", self.expr(target), self.expr(value))),
            Clause::Ends(scopes) => word("ends", &list(scopes, |e| self.expr(e))),
            Clause::Once => "once".into(),
            Clause::Slots(n) => word("slots", n),
            Clause::ByName => "by_name".into(),
            Clause::Account { change, resource, amount } => {
                let change = match change {
                    Change::Acquires => "acquires",
                    Change::Releases => "releases",
                    Change::Consumes => "consumes",
                };
                let resource = entry(&self.library.resources, resource.index(), |resource| &resource.name);
                word(change, &format!("{resource} {}", self.expr(amount)))
            }
            Clause::Record(objects) => word("record", &list(objects, |e| self.expr(e))),
            Clause::DependsOn(objects) => word("depends_on", &list(objects, |e| self.expr(e))),
            Clause::Snapshot { extract, restore } => {
                format!("snapshot {}, {}", self.function_name(*extract), self.function_name(*restore))
            }
            Clause::Refine { place, to } => format!("refine {}: {}", self.path(place), self.place(to)),
            Clause::Around(Moment::Before, code) => format!("before {} {:?}", code.language, code.text),
            Clause::Around(Moment::After, code) => format!("after {} {:?}", code.language, code.text),
            Clause::Replace(code) => format!("replace {} {:?}", code.language, code.text),
            Clause::CxCall => "cx_call".to_owned(),
            Clause::Impl { uses, .. } => {
                let uses = list(uses, |one| {
                    let (with, commands) = (interfaces(&one.interfaces), one.commands.join(" "));
                    format!("with {with} {{ {commands} }}{}", if one.has_else { " else" } else { "" })
                });
                word("impl", &uses)
            }
            Clause::When { condition, then, otherwise } => {
                let clauses = |clauses: &[Clause]| clauses.iter().map(|c| self.clause(c) + ";").collect::<String>();
                format!("if ({}) {{ {} }} else {{ {} }}", self.expr(condition), clauses(then), clauses(otherwise))
            }
        }
    }

    /// How C sees a place: what of it is a matter of who compiles against a header, not of how it travels.
    pub fn c_type(self, place: &Place) -> String {
        match &place.c {
            Some(Declared::Spelling(c)) => return c.clone(),
            Some(Declared::Type(ty)) => return self.c_type(ty),
            None => {}
        }
        // As in a C header: what the callee neither fills nor takes is `const`.
        let qualifier = if place.directions.output || place.directions.own { "" } else { "const " };
        match &place.ty {
            Type::Buffer { element, .. } => format!("{qualifier}{} *", self.c_type(element)),
            Type::Array { element, len } => format!("{}[{}]", self.c_type(element), self.expr(len)),
            Type::Match { arms, default, .. } => {
                let mut all: Vec<String> = arms.iter().map(|arm| self.c_type(&arm.place)).collect();
                all.extend(default.as_deref().map(|place| self.c_type(place)));
                all.sort();
                all.dedup();
                all.join(" or ")
            }
            Type::Struct { id, .. } | Type::Live { id, .. } => self.structure(*id).into(),
            Type::Ptr | Type::Userdata(_) => "void *".into(),
            Type::Within(of) => match of.as_deref().map(|e| &e.kind) {
                Some(ExprKind::Param(n)) => format!("the type of {}", self.param(*n)),
                _ => "void *".into(),
            },
            other => self.ty(other),
        }
    }
}
