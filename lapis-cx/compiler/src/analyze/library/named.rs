//! Types by name, and the patterns of `match` types.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::contract::EnumId;
use crate::contract::library::construct::Construct;
use crate::contract::library::expr::{Expr, ValueKind, When};
use crate::contract::library::place::{Place, Scalar, Type};
use crate::contract::library::{StructId, TypeId};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{library as codes, names as name_codes};
use crate::int::Int;
use crate::source::Span;
use crate::syntax::{Kind, Node};

use super::Lib;
use super::declare::{Meaning, Parts};
use super::expr::{MAX_NESTING, constant_of, int};
use super::place::{Context, PLACE_COST, Role};
use super::scope::{Scope, Typed, first_of_path, value_of};
use super::table;
use crate::analyze::literal::literal;
use crate::analyze::names;

/// The shape of a named type.
pub(super) struct Shape {
    place: Option<Place>,
    /// How many levels of places it has.
    height: u32,
    /// How many places it has.
    size: u64,
}

/// The patterns of a `match` type so far.
pub(super) struct Patterns {
    /// The enum of the value, if it has one.
    of: Option<EnumId>,
    is_bool: bool,
    /// First value of each range: one past its last value, and where it stands.
    seen: BTreeMap<Int, (Int, Span)>,
    /// A pattern was wrong: nobody knows what it would have matched.
    uncertain: bool,
}

impl Patterns {
    pub(super) fn new(value: &Typed) -> Patterns {
        let of = match value.place.as_ref().map(|p| &p.ty) {
            Some(Type::Enum(id)) => Some(*id),
            _ => None,
        };
        Patterns { of, is_bool: value.expr.value == ValueKind::Bool, seen: BTreeMap::new(), uncertain: false }
    }
}

impl<'t> Lib<'_, 't> {
    /// The type of a name, perhaps with a member (`U.m`) or arguments. `None` after a complaint.
    pub(super) fn named(
        &mut self,
        scope: &Scope<'t>,
        name: Node<'t>,
        member: Option<Node<'t>>,
        args: &[Node<'t>],
        cx: Context,
    ) -> Option<Place> {
        let text = name.text();
        if let Some(scalar) = table::scalar(text) {
            self.no_more(name, member, args, cx);
            return Some(Place::of(Type::Scalar(scalar)));
        }
        if text == "stream" && !cx.shape {
            self.uses(Construct::Stream, "stream", name.span());
        }
        let simple = match text {
            "void" => Some(Type::Void),
            "ptr" => Some(Type::Ptr),
            "file" => Some(Type::File),
            "stream" => Some(Type::Stream),
            "lifetime" => Some(Type::Lifetime),
            "cstr" => Some(Type::Buffer {
                element: Box::new(Place::of(Type::Scalar(Scalar::Char))),
                len: None,
                until: Some(Box::new(int(Int::ZERO).expr)),
            }),
            _ => None,
        };
        if let Some(ty) = simple {
            self.no_more(name, member, args, cx);
            return Some(Place::of(ty));
        }
        match text {
            "userdata" => return Some(Place::of(Type::Userdata(self.registrations(scope, args, cx)))),
            "within" => return Some(Place::of(self.within(scope, name, args, cx))),
            "function" => {
                let expr = match args {
                    _ if cx.shape => Typed::poison().expr,
                    [one] => self.value_at(scope, *one, When::Entry, "the name of a function").expr,
                    _ => {
                        self.count(name, 1, args.len());
                        Typed::poison().expr
                    }
                };
                return Some(Place::of(Type::Function(Box::new(expr))));
            }
            _ => {}
        }
        let Some(symbol) = self.symbols.get(text).copied() else {
            if !cx.shape {
                let known: Vec<&str> = self.symbols.keys().copied().chain(table::type_names()).collect();
                self.unknown(name, "type", known.into_iter());
            }
            return None;
        };
        match symbol.meaning {
            Meaning::Type(id, node) => {
                if let Some(member) = member {
                    self.no_more(name, Some(member), &[], cx);
                }
                return self.expand(scope, id, node, name, args, cx);
            }
            Meaning::Struct(id) => return self.struct_type(scope, id, name, member, args, cx),
            _ => {}
        }
        self.no_more(name, member, args, cx);
        Some(Place::of(match symbol.meaning {
            Meaning::Enum(Some(id)) => Type::Enum(id),
            Meaning::Enum(None) => return None,
            Meaning::Handle(id) => Type::Handle(id),
            Meaning::Callback(id) => Type::Callback(id),
            other => {
                if !cx.shape {
                    let message = format!("`{text}` is {}, not a type", other.what());
                    let diagnostic = Diagnostic::error(&name_codes::WRONG_KIND, message, name.span(), other.what());
                    self.report(diagnostic.label(symbol.span, "declared here"));
                }
                return None;
            }
        }))
    }

    fn no_more(&mut self, name: Node<'t>, member: Option<Node<'t>>, args: &[Node<'t>], cx: Context) {
        if cx.shape {
            return;
        }
        if let Some(member) = member {
            let message = format!("`{}` is no union", name.text());
            self.error(&name_codes::WRONG_KIND, member, message, "only a union has live members");
        }
        if !args.is_empty() {
            self.count(name, 0, args.len());
        }
    }

    fn count(&mut self, name: Node<'t>, wanted: usize, found: usize) {
        let s = if wanted == 1 { "" } else { "s" };
        let message = format!("the type `{}` takes {wanted} argument{s}, not {found}", name.text());
        self.error(&codes::TYPE_ARGUMENTS, name, message, "wrong number of arguments");
    }

    fn struct_type(
        &mut self,
        scope: &Scope<'t>,
        id: StructId,
        name: Node<'t>,
        member: Option<Node<'t>>,
        args: &[Node<'t>],
        cx: Context,
    ) -> Option<Place> {
        if !args.is_empty() && !cx.shape {
            self.count(name, 0, args.len());
        }
        let outer = self.outer(scope, id, name, cx);
        let Some(member) = member else { return Some(Place::of(Type::Struct { id, outer })) };
        let table = self.library.structs.get(id.index())?;
        if !table.is_union {
            self.no_more(name, Some(member), &[], cx);
            return None;
        }
        match table.members.iter().position(|m| m.name == member.text()) {
            Some(at) => Some(Place::of(Type::Live { id, member: at as u32, outer })),
            None => {
                let known: Vec<String> = table.members.iter().map(|m| m.name.clone()).collect();
                if !cx.shape {
                    self.unknown(member, "member", known.iter().map(String::as_str));
                }
                None
            }
        }
    }

    /// Values for the names that a struct takes from where it is used.
    fn outer(&mut self, scope: &Scope<'t>, id: StructId, at: Node<'t>, cx: Context) -> Vec<Expr> {
        let outer = match self.library.structs.get(id.index()) {
            Some(s) if !cx.shape => s.outer.clone(),
            _ => return Vec::new(),
        };
        let mut values = Vec::new();
        for name in outer {
            match self.value_of_path(scope, &name) {
                Some(typed) => values.push(typed.expr),
                None => {
                    if !scope.lenient {
                        let message = format!("`{}` needs `{name}`, which is not in scope here", at.text());
                        let diagnostic = Diagnostic::error(&codes::OUT_OF_SCOPE, message, at.span(), "in this use");
                        let def = self.library.structs.get(id.index());
                        let declared = def.map(|s| s.span);
                        let members = def.into_iter().flat_map(|s| s.members.iter().map(|m| m.name.as_str()));
                        let help = match names::nearest(first_of_path(&name), members) {
                            Some(near) => format!("did you mean its member `{near}`?"),
                            None => format!("give this place a parameter or member `{name}`, or another struct"),
                        };
                        self.report(match declared {
                            Some(span) => {
                                diagnostic.label(span, format!("a member of it refers to `{name}`")).help(help)
                            }
                            None => diagnostic.help(help),
                        });
                    }
                    values.push(Typed::poison().expr);
                }
            }
        }
        values
    }

    /// The value of a name, or of a path of members that begins with one.
    fn value_of_path(&mut self, scope: &Scope<'t>, path: &str) -> Option<Typed> {
        scope.find(path).or_else(|| {
            let mut names = path.split('.');
            let first = scope.find(names.next()?)?;
            names.try_fold(first, |base, name| self.member_of(&base, name))
        })
    }

    /// What a named type stands for, in the scope of its use.
    fn expand(
        &mut self,
        scope: &Scope<'t>,
        id: TypeId,
        node: Node<'t>,
        name: Node<'t>,
        args: &[Node<'t>],
        cx: Context,
    ) -> Option<Place> {
        if self.expanding.contains(&name.text()) {
            if !cx.shape {
                let message = format!("the type `{}` contains itself", name.text());
                self.report(
                    Diagnostic::error(&name_codes::CYCLE, message, name.span(), "again here")
                        .label(node.name().span(), "declared here")
                        .help("a `struct` may point to itself"),
                );
            }
            return None;
        }
        let known = self.shapes.as_ref().and_then(|shapes| shapes.get(&id)).filter(|_| cx.shape);
        if let Some(cost) = known.filter(|k| self.depth + k.height <= MAX_NESTING).map(|k| k.size * PLACE_COST) {
            let is_paid = self.afford(name, cost);
            return self.shapes.as_ref()?.get(&id).filter(|_| is_paid)?.place.clone();
        }
        let params: Vec<_> =
            node.child(Kind::type_params).into_iter().flat_map(|p| p.children_of(Kind::ident)).collect();
        if params.len() != args.len() && !cx.shape {
            self.count(name, params.len(), args.len());
            return None;
        }
        let mut arguments = (*scope.arguments).clone();
        for (i, param) in params.iter().enumerate() {
            let value = match args.get(i) {
                Some(arg) if !cx.shape => self.value(scope, *arg),
                _ => Typed::poison(),
            };
            arguments.insert(param.text(), value);
        }
        let inner = Scope { arguments: Rc::new(arguments), ..scope.clone() };
        let before = self.found.len();
        let deepest = std::mem::replace(&mut self.deepest, self.depth);
        self.expanding.push(name.text());
        // Which directions make sense, the place of the use says.
        let cx = Context { role: Role::Inner, ..cx };
        let place = node.child(Kind::place_type).map(|ty| self.place(&inner, ty, cx));
        self.expanding.pop();
        // What is wrong stands in the type; where it was used is worth a word.
        for found in self.found.iter_mut().skip(before).filter(|d| d.labels.len() == 1) {
            found.labels.push(crate::diagnostic::Label {
                span: name.span(),
                text: format!("in this use of `{}`", name.text()),
            });
        }
        let height = self.deepest - self.depth;
        self.deepest = self.deepest.max(deepest);
        let place = place.map(|place| Place { named: Some(id), ..place });
        if let (true, Some(shapes)) = (cx.shape, &mut self.shapes) {
            let size = place.as_ref().map_or(1, size_of);
            shapes.insert(id, Shape { place: place.clone(), height, size });
        }
        place
    }

    /// The callbacks whose userdata a place is.
    fn registrations(&mut self, scope: &Scope<'t>, args: &[Node<'t>], cx: Context) -> Vec<Expr> {
        if cx.shape {
            return Vec::new();
        }
        let mut of = Vec::new();
        for arg in args {
            let typed = self.value(scope, *arg);
            let fits = match typed.place.as_ref().map(|p| &p.ty) {
                Some(Type::Callback(_) | Type::Match { .. }) => true,
                Some(Type::Buffer { element, .. }) => matches!(element.ty, Type::Struct { .. }),
                Some(_) => false,
                None => typed.expr.value == ValueKind::Any,
            };
            if !fits {
                let what = typed.place.as_ref().map_or(typed.expr.value, value_of);
                let message = format!("userdata belongs to callbacks, and `{}` is {}", arg.text(), self.describe(what));
                self.report(
                    Diagnostic::error(&codes::USERDATA, message, arg.span(), "not a callback")
                        .help("name parameters that are callbacks, or pointers to a struct of callbacks"),
                );
            }
            of.push(typed.expr);
        }
        of
    }

    fn within(&mut self, scope: &Scope<'t>, name: Node<'t>, args: &[Node<'t>], cx: Context) -> Type {
        match args {
            _ if cx.shape => Type::Within(None),
            [any] if any.text() == "any" => Type::Within(None),
            [one] => {
                let typed = self.value(scope, *one);
                if !matches!(typed.expr.value, ValueKind::Pointer | ValueKind::Any) {
                    self.wrong_value(*one, "a pointer", &typed.expr);
                }
                Type::Within(Some(Box::new(typed.expr)))
            }
            _ => {
                self.count(name, 1, args.len());
                Type::Within(None)
            }
        }
    }

    /// A pattern as a half-open range; `None` after a complaint.
    pub(super) fn type_pattern(&mut self, patterns: &mut Patterns, node: Node<'t>) -> Option<(Int, Int)> {
        let range = self.pattern_value(patterns, node);
        let Some((lo, hi)) = range else {
            patterns.uncertain = true;
            return None;
        };
        if hi <= lo {
            self.error(&codes::MATCH_TYPE, node, "this range holds no value", "its end is not in it");
            return None;
        }
        let before = patterns.seen.range(..&hi).next_back().filter(|(_, (end, _))| lo < *end);
        if let Some((_, (_, first))) = before {
            let first = *first;
            self.report(
                Diagnostic::error(&codes::MATCH_TYPE, "this value has a case already", node.span(), "never reached")
                    .label(first, "matched here"),
            );
            return None;
        }
        patterns.seen.insert(lo.clone(), (hi.clone(), node.span()));
        Some((lo, hi))
    }

    fn pattern_value(&mut self, patterns: &Patterns, node: Node<'t>) -> Option<(Int, Int)> {
        let one = |v: Int| {
            let next = &v + &Int::ONE;
            (v, next)
        };
        if node.has(Kind::kw_true) || node.has(Kind::kw_false) {
            return Some(one(Int::from(u32::from(node.has(Kind::kw_true)))));
        }
        let mut numbers = Vec::new();
        for number in node.children_of(Kind::signed_int) {
            match literal(number.child(Kind::int)?) {
                Ok(typed) => numbers.push(typed.int().map(|v| if number.has(Kind::minus) { -&v } else { v })?),
                Err(found) => {
                    self.report(found);
                    return None;
                }
            }
        }
        match numbers.as_slice() {
            [v] => return Some(one(v.clone())),
            [lo, hi] => return Some((lo.clone(), hi.clone())),
            _ => {}
        }
        let name = node.child(Kind::ident)?;
        let cases = self.cases_of(name.text());
        let mine = cases
            .iter()
            .find(|(id, ..)| patterns.of == Some(*id))
            .or_else(|| cases.first().filter(|_| cases.len() == 1));
        match (mine, self.symbols.get(name.text()).map(|s| s.meaning)) {
            (Some((_, _, value)), _) => Some(one(value.clone())),
            (None, Some(Meaning::Const(_))) => {
                let value = self.name(&Scope::default(), name);
                constant_of(&value.expr).map(one)
            }
            (None, _) if cases.len() > 1 => {
                let message = format!("`{}` is a case of several enums", name.text());
                let diagnostic = Diagnostic::error(&codes::MATCH_TYPE, message, name.span(), "which one?");
                self.report(diagnostic.help("write its number, or make the value one of an enum"));
                None
            }
            (None, _) => {
                self.unknown(name, "case or constant", std::iter::empty());
                None
            }
        }
    }

    /// Whether all values have a case.
    pub(super) fn is_complete(&self, patterns: &Patterns) -> bool {
        if patterns.uncertain {
            return true;
        }
        let covers = |v: u32| {
            let v = Int::from(v);
            patterns.seen.range(..=&v).next_back().is_some_and(|(_, (end, _))| v < *end)
        };
        if patterns.is_bool {
            return covers(0) && covers(1);
        }
        let Some(id) = patterns.of else { return false };
        let named = self.checkers.first().and_then(|c| c.section.enums.get(id.index()));
        named.is_some_and(|e| {
            e.cases.iter().all(|case| {
                let v = case.pattern.wrap(e.width, e.signed);
                patterns.seen.range(..=&v).next_back().is_some_and(|(_, (end, _))| v < *end)
            })
        })
    }

    /// Checks the named types that nothing uses, as far as that goes without a scope.
    pub(super) fn unused_types(&mut self, parts: &Parts<'t>) {
        for node in &parts.types {
            let params = node.child(Kind::type_params).into_iter().flat_map(|p| p.children_of(Kind::ident));
            let mut arguments = std::collections::HashMap::new();
            let mut first: std::collections::HashMap<&str, Span> = std::collections::HashMap::new();
            for param in params {
                let twice = first.insert(param.text(), param.span());
                self.check_new_name(param, twice);
                arguments.insert(param.text(), Typed::poison());
            }
            let scope = Scope {
                arguments: Rc::new(arguments),
                lenient: true,
                is_call: true,
                in_elements: true,
                ..Scope::default()
            };
            if let Some(ty) = node.child(Kind::place_type) {
                self.expanding.push(node.name().text());
                self.place(&scope, ty, Context::new(Role::Inner));
                self.expanding.pop();
            }
        }
    }
}

/// How many places there are in one.
fn size_of(place: &Place) -> u64 {
    1 + match &place.ty {
        Type::Buffer { element, .. } | Type::Array { element, .. } => size_of(element),
        Type::Match { arms, default, .. } => {
            arms.iter().map(|arm| size_of(&arm.place)).chain(default.as_deref().map(size_of)).sum()
        }
        Type::Tuple(params) => params.iter().map(|param| size_of(&param.place)).sum(),
        _ => 0,
    }
}
