//! Expressions: exact integers, pointers and handles.

use crate::contract::EnumId;
use crate::contract::library::expr::{Expr, ExprKind, ValueKind, When};
use crate::contract::library::place::{Place, Type};
use crate::contract::library::{Owner, StructId};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{library as codes, names as name_codes, syntax, types};
use crate::int::Int;
use crate::syntax::{Kind, Node};

use super::Lib;
use super::declare::{HOME, Meaning};
use super::scope::{Scope, Typed, contents_when, path_of, value_of};
use super::table;
use crate::analyze::checker::Symbol as ItemSymbol;
use crate::analyze::expr::without_parentheses;
use crate::analyze::literal::literal;
use crate::analyze::names;
use crate::analyze::typed::Ty;

/// Places and expressions nest so deeply together at most.
pub(super) const MAX_NESTING: u32 = 200;

impl<'t> Lib<'_, 't> {
    /// Goes one level deeper, to what costs so many checks; false, after a complaint, if that is too deep for the stack or
    /// takes too long. The caller comes back up with [`Self::leave`].
    pub(super) fn enter(&mut self, node: Node<'t>, cost: u64) -> bool {
        if self.depth >= MAX_NESTING {
            let message = "this is nested too deeply";
            let diagnostic = Diagnostic::error(&syntax::TOO_DEEP, message, node.span(), "too many levels");
            self.report(diagnostic.note("what named types stand for counts too"));
            return false;
        }
        if !self.afford(node, cost) {
            return false;
        }
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        true
    }

    /// Takes checks from the budget; false, after a complaint, if it does not have them.
    pub(super) fn afford(&mut self, node: Node<'t>, cost: u64) -> bool {
        if self.world.take_checks(cost) {
            return true;
        }
        if self.world.may_complain_of_time() {
            let message = "the file takes too long to check";
            let diagnostic = Diagnostic::error(&types::TOO_LARGE, message, node.span(), "gave up here");
            self.report(diagnostic.note("a named type is checked at each of its uses"));
        }
        false
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Checks an expression that is evaluated at `at`: what is known later is an error in it.
    pub(super) fn value_at(&mut self, scope: &Scope<'t>, node: Node<'t>, at: When, what: &str) -> Typed {
        let typed = self.value(scope, node);
        if typed.expr.when > at {
            let late = self.late_name(scope, node);
            let (span, name) = late.map_or((node.span(), "this".to_owned()), |n| (n.span(), format!("`{}`", n.text())));
            let message = format!("{name} is not known before the call");
            self.report(
                Diagnostic::error(&codes::NOT_AT_ENTRY, message, span, "known only after the call")
                    .note(format!("{what} is evaluated before the call is sent"))
                    .help("use arguments, what `in` brings, or metadata; `old(e)` is a value before the call"),
            );
            return Typed::poison();
        }
        typed
    }

    /// The first part of an expression that is known at exit only.
    fn late_name(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Option<Node<'t>> {
        let parts = node.descendants(|n| matches!(n.kind(), Kind::access_expr | Kind::name | Kind::call));
        let before = self.found.len();
        let mut late = None;
        for part in parts {
            if self.value(scope, part).expr.when == When::Exit {
                late = Some(part);
            }
        }
        self.found.truncate(before);
        late
    }

    /// A number: an integer, or what may be one.
    pub(super) fn number_at(&mut self, scope: &Scope<'t>, node: Node<'t>, at: When, what: &str) -> Expr {
        let typed = self.value_at(scope, node, at, what);
        if !matches!(typed.expr.value, ValueKind::Int | ValueKind::Any) {
            let help =
                points_to_number(&typed).then(|| format!("write `{}[0]` for the number it points to", node.text()));
            self.wrong_value_but(node, "a number", &typed.expr, help);
            return Typed::poison().expr;
        }
        typed.expr
    }

    /// A condition.
    pub(super) fn condition_at(&mut self, scope: &Scope<'t>, node: Node<'t>, at: When, what: &str) -> Expr {
        let typed = self.value_at(scope, node, at, what);
        self.as_condition(typed.expr, node)
    }

    pub(super) fn as_condition(&mut self, expr: Expr, node: Node<'t>) -> Expr {
        if matches!(expr.value, ValueKind::Bool | ValueKind::Any) {
            return expr;
        }
        let label = format!("this is {}", self.describe(expr.value));
        let diagnostic = Diagnostic::error(&codes::VALUE, "a condition is true or false", node.span(), label);
        self.report(match expr.value {
            ValueKind::Int => diagnostic.help("compare it, as in `x != 0`"),
            ValueKind::Pointer | ValueKind::Handle(_) => diagnostic.help("compare it, as in `p != null`"),
            _ => diagnostic,
        });
        Typed::poison().expr
    }

    pub(super) fn wrong_value(&mut self, node: Node<'t>, wanted: &str, expr: &Expr) {
        self.wrong_value_but(node, wanted, expr, None);
    }

    /// As [`Self::wrong_value`], with what was perhaps meant.
    fn wrong_value_but(&mut self, node: Node<'t>, wanted: &str, expr: &Expr, help: Option<String>) {
        let found = self.describe(expr.value);
        let message = format!("expected {wanted}, found {found}");
        let diagnostic = Diagnostic::error(&codes::VALUE, message, node.span(), format!("this is {found}"));
        self.report(Diagnostic { help, ..diagnostic });
    }

    /// A value in words.
    pub(super) fn describe(&self, value: ValueKind) -> String {
        match value {
            ValueKind::Int => "a number".to_owned(),
            ValueKind::Bool => "a truth value".to_owned(),
            ValueKind::Float => "a fraction".to_owned(),
            ValueKind::Null => "`null`".to_owned(),
            ValueKind::Pointer => "a pointer".to_owned(),
            ValueKind::Handle(id) => match self.library.handles.get(id.index()) {
                Some(handle) => format!("a handle `{}`", handle.name),
                None => "a handle".to_owned(),
            },
            ValueKind::Struct(id) => match self.library.structs.get(id.index()) {
                Some(s) => format!("a struct `{}`", s.name),
                None => "a struct".to_owned(),
            },
            ValueKind::Array => "an array".to_owned(),
            ValueKind::Scope => "a scope of lifetimes".to_owned(),
            ValueKind::Void => "nothing".to_owned(),
            ValueKind::Any => "a value".to_owned(),
        }
    }

    /// Checks an expression.
    pub(super) fn value(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Typed {
        let node = without_parentheses(node);
        if !self.enter(node, 1) {
            return Typed::poison();
        }
        let typed = self.bare_value(scope, node);
        self.leave();
        typed
    }

    fn bare_value(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Typed {
        match node.kind() {
            Kind::int => match literal(node) {
                Ok(typed) => int(typed.int().unwrap_or(Int::ZERO)),
                Err(found) => {
                    self.report(found);
                    Typed::poison()
                }
            },
            Kind::kw_true => Typed::new(ValueKind::Bool, When::Entry, ExprKind::Bool(true)),
            Kind::kw_false => Typed::new(ValueKind::Bool, When::Entry, ExprKind::Bool(false)),
            Kind::name => self.name(scope, node.name()),
            Kind::unary => self.unary(scope, node),
            Kind::binary => self.binary(scope, node),
            Kind::ternary => self.ternary(scope, node),
            Kind::call => self.call(scope, node),
            Kind::code => Typed::new(ValueKind::Any, When::Entry, ExprKind::Code(self.code(node))),
            Kind::access_expr => self.access(scope, node),
            Kind::string => {
                let text = crate::analyze::identity::unquoted(node);
                Typed::new(ValueKind::Pointer, When::Entry, ExprKind::Text(text))
            }
            Kind::list | Kind::comprehension => {
                self.error(&codes::VALUE, node, "there are no lists in a library's expressions", "a list");
                Typed::poison()
            }
            _ => Typed::poison(),
        }
    }

    /// A name: of the scope, a word of the language, a constant or a case.
    pub(super) fn name(&mut self, scope: &Scope<'t>, name: Node<'t>) -> Typed {
        let text = name.text();
        if let Some(found) = scope.find(text) {
            return found;
        }
        if let Some(found) = self.reserved(scope, name) {
            return found;
        }
        if let Some(symbol) = self.symbols.get(text).copied() {
            return match symbol.meaning {
                Meaning::Const(decl) => self.constant(decl, name),
                other => {
                    let message = format!("`{text}` is {}, not a value", other.what());
                    let diagnostic = Diagnostic::error(&name_codes::WRONG_KIND, message, name.span(), other.what());
                    self.report(match other {
                        Meaning::Function(_) | Meaning::Fn(_) => diagnostic.help(format!("call it: `{text}(…)`")),
                        Meaning::Enum(_) => diagnostic.help(format!("name a case: `{text}.…`, or the case alone")),
                        _ => diagnostic,
                    });
                    Typed::poison()
                }
            };
        }
        match self.cases_of(text).as_slice() {
            [] => {}
            [(id, case, value)] => return self.case(*id, *case, value.clone()),
            [(first, ..), (second, ..), ..] => {
                let names = [*first, *second].map(|id| self.enum_name(id));
                let message = format!("`{text}` is a case of `{}` and of `{}`", names[0], names[1]);
                self.report(
                    Diagnostic::error(&codes::VALUE, message, name.span(), "which one?")
                        .help(format!("write `{}.{text}`", names[0])),
                );
                return Typed::poison();
            }
        }
        let item = self.checkers.first().and_then(|checker| checker.symbol(HOME, text));
        match item {
            Some(ItemSymbol::Const(decl)) => return self.constant(decl, name),
            Some(ItemSymbol::Broken) => return Typed::poison(),
            Some(other) => {
                let message = format!("`{text}` is {}, not a value", other.what());
                self.error(&name_codes::WRONG_KIND, name, message, other.what());
                return Typed::poison();
            }
            None => {}
        }
        if !scope.lenient {
            let known: Vec<String> = scope
                .names()
                .map(str::to_owned)
                .chain(self.symbols.keys().map(|k| (*k).to_owned()))
                .chain(self.all_cases().map(str::to_owned))
                .chain(table::RESERVED.iter().map(|r| (*r).to_owned()))
                .collect();
            self.unknown(name, "value", known.iter().map(String::as_str));
        }
        Typed::poison()
    }

    /// `ret`, `self`, `index` and the like; `None` for other words.
    fn reserved(&mut self, scope: &Scope<'t>, name: Node<'t>) -> Option<Typed> {
        let call_only = |typed: Typed| Some(typed).filter(|_| scope.is_call || scope.lenient);
        let found = match name.text() {
            "null" => return Some(Typed::new(ValueKind::Null, When::Entry, ExprKind::Null)),
            "ret" => match &scope.ret {
                Some(place) => Some(Typed::of((**place).clone(), When::Exit, ExprKind::Ret)),
                None => Some(Typed::new(ValueKind::Any, When::Exit, ExprKind::Ret)).filter(|_| scope.lenient),
            },
            "self" => match &scope.this {
                Some(place) => Some(Typed::of((**place).clone(), When::Entry, ExprKind::SelfValue)),
                None => Some(Typed::new(ValueKind::Any, When::Entry, ExprKind::SelfValue)).filter(|_| scope.lenient),
            },
            "index" => Some(Typed::new(ValueKind::Int, When::Entry, ExprKind::Index))
                .filter(|_| scope.in_elements || scope.lenient),
            "errno" => call_only(Typed::new(ValueKind::Int, When::Exit, ExprKind::Errno)),
            "elapsed" => call_only(Typed::new(ValueKind::Int, When::Exit, ExprKind::Elapsed)),
            "is_in" => call_only(Typed::new(ValueKind::Bool, When::Entry, ExprKind::IsIn)),
            "is_out" => call_only(Typed::new(ValueKind::Bool, When::Entry, ExprKind::IsOut)),
            "on_worker" => call_only(Typed::new(ValueKind::Bool, When::Entry, ExprKind::OnWorker)),
            "on_guest" => call_only(Typed::new(ValueKind::Bool, When::Entry, ExprKind::OnGuest)),
            _ => return None,
        };
        Some(found.unwrap_or_else(|| {
            let (word, why) = match name.text() {
                "ret" => ("ret", "there is no result here"),
                "self" => ("self", "it is the value whose type is being given, and there is none here"),
                "index" => ("index", "it is the position among the elements around, and there are none here"),
                other => (other, "it belongs to a call, and there is none here"),
            };
            let message = format!("`{word}` means nothing here");
            self.report(Diagnostic::error(&codes::VALUE, message, name.span(), "not here").note(why));
            Typed::poison()
        }))
    }

    fn constant(&mut self, decl: crate::analyze::checker::Decl<'t>, name: Node<'t>) -> Typed {
        let value = self.checkers.last_mut().and_then(|checker| checker.const_value(decl));
        match value {
            Some(constant) => match (constant.ty, constant.value) {
                (Ty::Sized(crate::contract::core::Type::Bool), Some(v)) => {
                    Typed::new(ValueKind::Bool, When::Entry, ExprKind::Bool(!v.is_zero()))
                }
                (_, Some(v)) => int(v),
                (_, None) => {
                    let message = format!("the array `{}` cannot be used in a library's expressions", name.text());
                    self.error(&codes::VALUE, name, message, "an array");
                    Typed::poison()
                }
            },
            None => Typed::poison(),
        }
    }

    fn case(&mut self, of: EnumId, case: u32, value: Int) -> Typed {
        let kind = ExprKind::Case { of, case, value };
        let place = Place::of(Type::Enum(of));
        Typed { place: Some(place), ..Typed::new(ValueKind::Int, When::Entry, kind) }
    }

    pub(super) fn enums(&self) -> &[crate::contract::Enum] {
        self.checkers.first().map_or(&[], |checker| checker.section.enums.as_slice())
    }

    pub(super) fn enum_name(&self, id: EnumId) -> String {
        self.enums().get(id.index()).map_or_else(String::new, |e| e.name.clone())
    }

    fn all_cases(&self) -> impl Iterator<Item = &str> {
        self.enums().iter().flat_map(|e| &e.cases).map(|case| case.name.as_str())
    }

    /// Every case of a name, with the number it is: patterns of a signed base are read with their sign.
    pub(super) fn cases_of(&self, name: &str) -> Vec<(EnumId, u32, Int)> {
        let mut found = Vec::new();
        for (i, e) in self.enums().iter().enumerate() {
            if let Some(at) = e.cases.iter().position(|case| case.name == name)
                && let Some(case) = e.cases.get(at)
            {
                found.push((EnumId(i as u32), at as u32, case.pattern.wrap(e.width, e.signed)));
            }
        }
        found
    }

    /// The number of a case of one enum.
    pub(super) fn case_of(&self, id: EnumId, name: &str) -> Option<(u32, Int)> {
        self.cases_of(name).into_iter().find(|(e, ..)| *e == id).map(|(_, case, value)| (case, value))
    }

    fn access(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Typed {
        let mut parts = node.children();
        let (Some(base), Some(postfix)) = (parts.next(), parts.next()) else { return Typed::poison() };
        match postfix.kind() {
            Kind::field => {
                // The use of a struct gives such a path its value as a whole.
                let of_use = path_of(node).and_then(|path| scope.find(&path));
                of_use.unwrap_or_else(|| self.member(scope, base, postfix.name()))
            }
            Kind::dim => {
                let typed = self.value(scope, base);
                let Some(at) = postfix.expr() else { return Typed::poison() };
                let index = self.number_at(scope, at, When::Exit, "a position");
                self.element(typed, index, base)
            }
            Kind::method => {
                let message = format!("values of a library have no method `{}`", postfix.name().text());
                self.report(
                    Diagnostic::error(&codes::VALUE, message, postfix.name().span(), "a method").help(
                        "numbers are exact here; `min`, `max`, `&`, `<<` and the like do what methods do elsewhere",
                    ),
                );
                Typed::poison()
            }
            _ => {
                self.error(&codes::VALUE, postfix, "numbers are exact here and have no bits to take", "bits");
                Typed::poison()
            }
        }
    }

    fn element(&mut self, base: Typed, index: Expr, node: Node<'t>) -> Typed {
        let when = base.expr.when.max(index.when);
        let (element, when) = match base.place.as_ref().map(|p| (p, &p.ty)) {
            Some((place, Type::Buffer { element, .. })) => (Some((**element).clone()), when.max(contents_when(place))),
            Some((_, Type::Array { element, .. })) => (Some((**element).clone()), when),
            // All cases begin with what tells them apart.
            Some((place, Type::Match { .. })) => (first_struct(place).cloned(), when),
            _ if base.expr.value == ValueKind::Any => (None, when),
            _ => {
                let what = self.describe(base.expr.value);
                let message = format!("{what} has no elements");
                self.error(&codes::VALUE, node, message, "not a buffer");
                return Typed::poison();
            }
        };
        let value = element.as_ref().map_or(ValueKind::Any, value_of);
        let kind = ExprKind::Element(Box::new(base.expr), Box::new(index));
        Typed { expr: Expr { value, when, kind }, place: element }
    }

    /// `Enum.case`, a member of a struct, or metadata.
    fn member(&mut self, scope: &Scope<'t>, base: Node<'t>, name: Node<'t>) -> Typed {
        if base.kind() == Kind::name
            && scope.find(base.text()).is_none()
            && let Some(symbol) = self.symbols.get(base.text()).copied()
            && let Meaning::Enum(id) = symbol.meaning
        {
            let Some(id) = id else { return Typed::poison() };
            if let Some((case, value)) = self.case_of(id, name.text()) {
                return self.case(id, case, value);
            }
            let cases: Vec<String> =
                self.enums().get(id.index()).into_iter().flat_map(|e| &e.cases).map(|c| c.name.clone()).collect();
            let message = format!("`{}` has no case `{}`", base.text(), name.text());
            let cases: Vec<_> = cases.iter().map(String::as_str).collect();
            let diagnostic = Diagnostic::error(&name_codes::UNKNOWN_NAME, message, name.span(), "no such case");
            self.report(diagnostic.help(match names::nearest(name.text(), cases.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("its cases are {}", names::quoted_list(&cases)),
            }));
            return Typed::poison();
        }
        let typed = self.value(scope, base);
        let Some(place) = typed.place.clone() else {
            if typed.expr.value != ValueKind::Any {
                self.no_member(base, name, &typed.expr);
            } else if !scope.lenient {
                self.unknown_member(base, name);
            }
            return Typed { expr: Expr { value: ValueKind::Any, ..typed.expr }, place: None };
        };
        if let Some(found) = self.member_of(&typed, name.text()) {
            return found;
        }
        if matches!(place.ty, Type::Match { .. }) {
            let message = format!("what `{}` is depends on a choice: it has no member `{}`", base.text(), name.text());
            let diagnostic = Diagnostic::error(&codes::METADATA, message, name.span(), "no such member");
            self.report(diagnostic.help("let the choice depend on another argument, or on metadata of one"));
            return Typed::poison();
        }
        if typed.expr.value == ValueKind::Any {
            return Typed { expr: Expr { value: ValueKind::Any, ..typed.expr }, place: None };
        }
        self.no_member(base, name, &typed.expr);
        Typed::poison()
    }

    /// What a value has under a name: what is attached to it, or else the member of a struct.
    pub(super) fn member_of(&self, typed: &Typed, name: &str) -> Option<Typed> {
        let place = typed.place.as_ref()?;
        // A struct, or a pointer to one.
        let of = match &place.ty {
            Type::Struct { id, .. } | Type::Live { id, .. } => Some(*id),
            Type::Buffer { element, .. } => match &element.ty {
                Type::Struct { id, .. } => Some(*id),
                _ => None,
            },
            _ => None,
        };
        self.metadata_of(place, of, &typed.expr, name).or_else(|| match (of, &place.ty) {
            (Some(id), Type::Struct { .. } | Type::Live { .. }) => self.struct_member(id, &typed.expr, name),
            _ => None,
        })
    }

    fn struct_member(&self, id: StructId, base: &Expr, name: &str) -> Option<Typed> {
        let members = &self.library.structs.get(id.index())?.members;
        let at = members.iter().position(|m| m.name == name)?;
        let place = members.get(at)?.place.clone();
        let when = base.when.max(contents_when(&place).min(if is_pointer(&place) { When::Entry } else { When::Exit }));
        let kind = ExprKind::Member { base: Box::new(base.clone()), of: id, member: at as u32 };
        Some(Typed::of(place, when, kind))
    }

    fn metadata_of(&self, place: &Place, of: Option<StructId>, base: &Expr, name: &str) -> Option<Typed> {
        let owners = [
            place.named.map(Owner::Type),
            of.map(|id| Owner::Struct(self.viewed(id))),
            match place.ty {
                Type::Handle(id) => Some(Owner::Handle(id)),
                _ => None,
            },
        ];
        for owner in owners.into_iter().flatten() {
            let table = self.library.metadata.iter().position(|m| m.owner == owner);
            let Some(metadata) = table.and_then(|at| self.library.metadata.get(at)) else { continue };
            let Some(at) = metadata.members.iter().position(|m| m.name == name) else { continue };
            let place = metadata.members.get(at)?.place.clone();
            let of = crate::contract::library::MetadataId(table? as u32);
            let kind = ExprKind::Metadata { base: Box::new(base.clone()), of, member: at as u32 };
            return Some(Typed::of(place, base.when, kind));
        }
        None
    }

    /// The struct that a view shows.
    pub(super) fn viewed(&self, id: StructId) -> StructId {
        let mut at = id;
        for _ in 0..self.library.structs.len() {
            match self.library.structs.get(at.index()).and_then(|s| s.view_of) {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    }

    /// The names that may follow a value and `.`: members of its struct, and metadata.
    fn members_of(&self, value: ValueKind) -> impl Iterator<Item = &str> {
        let (members, owner) = match value {
            ValueKind::Struct(id) => {
                (self.library.structs.get(id.index()).map(|s| &s.members), Some(Owner::Struct(self.viewed(id))))
            }
            ValueKind::Handle(id) => (None, Some(Owner::Handle(id))),
            _ => (None, None),
        };
        let metadata = self.library.metadata.iter().filter(move |metadata| Some(metadata.owner) == owner);
        let all = members.into_iter().chain(metadata.map(|metadata| &metadata.members)).flatten();
        all.map(|member| member.name.as_str())
    }

    /// Reports a member of a value whose type is not known where the member is named, such as that of a name which the place of use declares.
    fn unknown_member(&mut self, base: Node<'t>, name: Node<'t>) {
        let message =
            format!("the type of `{}` is not known here, so neither is its member `{}`", base.text(), name.text());
        let diagnostic = Diagnostic::error(&codes::METADATA, message, name.span(), "not known here");
        self.report(diagnostic.help(
            "name it where its type is declared: in the function write `arg s[].m …` for an attribute of the member `m` of the struct that `s` points to",
        ));
    }

    fn no_member(&mut self, base: Node<'t>, name: Node<'t>, expr: &Expr) {
        let what = self.describe(expr.value);
        let message = format!("{what} has no member `{}`", name.text());
        let diagnostic = Diagnostic::error(&codes::METADATA, message, name.span(), "no such member");
        if let Some(near) = names::nearest(name.text(), self.members_of(expr.value)) {
            let help = format!("did you mean `{near}`?");
            return self.report(diagnostic.help(help));
        }
        self.report(match expr.value {
            ValueKind::Handle(id) => {
                let name = self.library.handles.get(id.index()).map_or_else(String::new, |h| h.name.clone());
                diagnostic.help(format!("declare it: `metadata {name} {{ … }}`"))
            }
            ValueKind::Pointer => {
                diagnostic.help(format!("write `{}[0].{}` for the first element", base.text(), name.text()))
            }
            _ => diagnostic,
        });
    }
}

fn is_pointer(place: &Place) -> bool {
    matches!(value_of(place), ValueKind::Pointer)
}

pub(super) fn int(value: Int) -> Typed {
    Typed::new(ValueKind::Int, When::Entry, ExprKind::Int(value))
}

/// Whether it is the address of numbers.
fn points_to_number(typed: &Typed) -> bool {
    let element = typed.place.as_ref().and_then(|place| match &place.ty {
        Type::Buffer { element, .. } => Some(element),
        _ => None,
    });
    element.is_some_and(|element| value_of(element) == ValueKind::Int)
}

/// The value of an expression that is a plain number.
pub(super) fn constant_of(expr: &Expr) -> Option<Int> {
    match &expr.kind {
        ExprKind::Int(v) | ExprKind::Case { value: v, .. } => Some(v.clone()),
        _ => None,
    }
}

/// Returns the type of the elements of the first case of a choice, if all cases that are buffers have structs as elements.
fn first_struct(place: &Place) -> Option<&Place> {
    let Type::Match { arms, default, .. } = &place.ty else { return None };
    let cases = arms.iter().map(|arm| &arm.place).chain(default.as_deref());
    let mut elements = cases.filter_map(|case| match &case.ty {
        Type::Buffer { element, .. } => Some(&**element),
        _ => None,
    });
    let is_struct = |element: &&Place| matches!(element.ty, Type::Struct { .. });
    let first = elements.next().filter(is_struct)?;
    elements.all(|element| is_struct(&element)).then_some(first)
}
