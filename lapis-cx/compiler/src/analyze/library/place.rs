//! Types of places: what is written, expanded and checked.

use std::rc::Rc;

use crate::contract::library::expr::{Expr, ExprKind, ValueKind, When};
use crate::contract::library::place::{Arm, Declared, Directions, Place, Scalar, Type};
use crate::contract::library::{Param, ctype};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::library as codes;
use crate::int::Int;
use crate::syntax::{Kind, Node};

use super::Lib;
use super::declare::TYPE_MARKS;
use super::expr::constant_of;
use super::outcome::range_of;
use super::scope::{Named, Scope, Typed};
use crate::analyze::types::{MAX_DIMENSIONS, too_many_dimensions};

/// What a place costs, in checks of expressions: it is kept, some hundred bytes of it.
pub(super) const PLACE_COST: u64 = 32;

/// Where a place stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A parameter of a function or callback.
    Param,
    /// A result.
    Result,
    /// An implicit argument.
    Implicit,
    /// An element, a member, metadata: its directions are those of what is around, unless it says more.
    Inner,
}

/// How a place is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    pub(super) role: Role,
    /// Only its shape is wanted: no expression is checked, nothing is said.
    pub(super) shape: bool,
    /// The callee makes it, so its lengths may be known at exit only.
    pub(super) late: bool,
}

impl Context {
    pub(super) fn new(role: Role) -> Context {
        Context { role, shape: false, late: matches!(role, Role::Result | Role::Inner) }
    }

    /// Only the shape, which says nothing.
    pub(super) fn shape() -> Context {
        Context { role: Role::Inner, shape: true, late: true }
    }

    fn at(self) -> When {
        if self.late { When::Exit } else { When::Entry }
    }

    fn late(self, late: bool) -> Context {
        Context { late: self.late || late, ..self }
    }
}

/// The parts of a `place_type`.
struct Written<'t> {
    declared: Option<Node<'t>>,
    base: Node<'t>,
    directions: Vec<Node<'t>>,
    optional: bool,
    attributes: Vec<Node<'t>>,
}

impl<'t> Lib<'_, 't> {
    /// A place by its shape.
    pub(super) fn shape(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Place {
        self.place(scope, node, Context::shape())
    }

    /// A place. What is wrong with it is said, unless only its shape is wanted.
    pub(super) fn place(&mut self, scope: &Scope<'t>, node: Node<'t>, cx: Context) -> Place {
        if !self.enter(node, PLACE_COST) {
            return Place::of(Type::Ptr);
        }
        let place = self.bare_place(scope, node, cx);
        self.leave();
        place
    }

    fn bare_place(&mut self, scope: &Scope<'t>, node: Node<'t>, cx: Context) -> Place {
        let Some(written) = self.written(node, cx) else { return Place::of(Type::Ptr) };
        let directions = self.directions(&written.directions, cx);
        let inner = if cx.shape { scope.clone() } else { scope.with_self(self.shape(scope, node)) };
        let mut place = self.base(&inner, written.base, cx.late(directions.new), directions);
        place.directions = place.directions.and(directions);
        place.optional |= written.optional;
        if let Some(declared) = written.declared {
            place.c = self.declared(&inner, declared);
        }
        for attribute in written.attributes {
            self.attribute(&inner, &mut place, attribute, cx);
        }
        if !cx.shape {
            if let Some(declared) = written.declared {
                self.check_width(declared, written.base, &place);
                self.check_elements(declared, written.base, &place);
            }
            self.check_place(node, &place, written.optional, cx);
            self.type_defaults(&inner, &mut place, written.base, cx);
            self.check_directions(node, &place, cx);
        } else if place.directions.is_empty() && cx.role == Role::Param {
            place.directions = directions;
        }
        place
    }

    fn written(&mut self, node: Node<'t>, cx: Context) -> Option<Written<'t>> {
        let bases: Vec<_> = node.children_of(Kind::base_type).collect();
        let as_word = node.child(Kind::kw_as).map(|word| word.span().start);
        let (mut directions, mut stray) = (Vec::new(), None);
        for direction in node.children_of(Kind::direction) {
            match as_word {
                Some(at) if direction.span().start < at => stray = Some(direction),
                _ => directions.push(direction),
            }
        }
        if let (Some(stray), false) = (stray, cx.shape) {
            let message = format!("`{}` before `as`", stray.text());
            self.report(
                Diagnostic::error(&codes::DIRECTION, message, stray.span(), "on the C type")
                    .help(format!("write it behind: `… as {} …`", stray.text())),
            );
        }
        let (declared, base) = match bases.as_slice() {
            [base] => (None, *base),
            [declared, base] => (Some(*declared), *base),
            _ => return None,
        };
        Some(Written {
            declared,
            base,
            directions,
            optional: node.has(Kind::question),
            attributes: node.children_of(Kind::attr).collect(),
        })
    }

    fn directions(&mut self, words: &[Node<'t>], cx: Context) -> Directions {
        let mut all = Directions::default();
        for (i, word) in words.iter().enumerate() {
            let one = match word.text() {
                "in" => Directions { input: true, ..Directions::default() },
                "out" => Directions { output: true, ..Directions::default() },
                "inout" => Directions { input: true, output: true, ..Directions::default() },
                "new" => Directions { new: true, ..Directions::default() },
                "own" => Directions { own: true, ..Directions::default() },
                _ => Directions { local: true, ..Directions::default() },
            };
            let twice = words.iter().take(i).any(|earlier| earlier.text() == word.text());
            let data = |d: Directions| d.input || d.output;
            let clash = data(one) && data(all)
                || one.local && !all.is_empty()
                || all.local
                || one.own && all.new
                || one.new && all.own;
            if (twice || clash) && !cx.shape {
                let message = format!("`{}` does not go with what is before it", word.text());
                self.report(
                    Diagnostic::error(&codes::DIRECTION, message, word.span(), "one direction too many")
                        .help("one of `in`, `out`, `inout`; and perhaps one of `new`, `own`; or `local` alone"),
                );
            }
            all = all.and(one);
        }
        all
    }

    /// How C declares a place: the left side of `as`.
    fn declared(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Option<Declared> {
        match node.child(Kind::string) {
            Some(string) => self.spelled(string, TYPE_MARKS).map(Declared::Spelling),
            None => Some(Declared::Type(Box::new(self.base(scope, node, Context::shape(), Directions::default())))),
        }
    }

    /// A type without directions and attributes, with its dimensions.
    fn base(&mut self, scope: &Scope<'t>, node: Node<'t>, cx: Context, directions: Directions) -> Place {
        let core = node.children().next();
        let mut dims: Vec<_> = node.children_of(Kind::dim).collect();
        if let Some(dim) = dims.get(MAX_DIMENSIONS)
            && !cx.shape
        {
            self.report(too_many_dimensions(*dim));
        }
        dims.truncate(MAX_DIMENSIONS);
        // The place is as many levels higher.
        let levels = dims.len() as u32;
        self.depth += levels;
        self.deepest = self.deepest.max(self.depth);
        let mut place = match core {
            Some(core) => self.core(scope, core, cx, directions),
            None => Place::of(Type::Ptr),
        };
        self.depth -= levels;
        // `u8[3][2]` is 3 arrays of 2.
        for dim in dims.into_iter().rev() {
            let len = match dim.expr() {
                Some(len) if !cx.shape => self.number_at(scope, len, cx.at(), "the length of an inline array"),
                _ => Typed::poison().expr,
            };
            place = Place::of(Type::Array { element: Box::new(place), len: Box::new(len) });
        }
        place
    }

    fn core(&mut self, scope: &Scope<'t>, core: Node<'t>, cx: Context, directions: Directions) -> Place {
        match core.kind() {
            Kind::named_type => {
                let mut names = core.children_of(Kind::ident);
                let (Some(name), member) = (names.next(), names.next()) else { return Place::of(Type::Ptr) };
                let args: Vec<_> = core.child(Kind::args).into_iter().flat_map(|a| a.children()).collect();
                let args: Vec<_> = args.into_iter().filter(|a| a.is_expr() || a.kind() == Kind::named_arg).collect();
                self.named(scope, name, member, &args, cx).unwrap_or_else(unknown)
            }
            Kind::string => {
                if !cx.shape {
                    self.report(
                        Diagnostic::error(
                            &codes::DIRECTION,
                            "missing type behind `as`",
                            core.span(),
                            "how does it travel?",
                        )
                        .help(ctype::help(core.text().trim_matches('"')).unwrap_or_else(
                            || {
                                format!(
                                    "write `{} as …`, with `ptr` for an address that neither side reads",
                                    core.text()
                                )
                            },
                        )),
                    );
                }
                Place::of(Type::Ptr)
            }
            Kind::buffer => self.buffer(scope, core, cx, directions),
            Kind::match_type => self.match_type(scope, core, cx),
            Kind::tuple => {
                if cx.role != Role::Inner {
                    let message = "a tuple outside of variable arguments";
                    self.error(&codes::VARIADIC, core, message, "not a type of one value");
                }
                let params = self.tuple(scope, core, cx);
                Place::of(Type::Tuple(params))
            }
            _ => Place::of(Type::Ptr),
        }
    }

    fn buffer(&mut self, scope: &Scope<'t>, node: Node<'t>, cx: Context, directions: Directions) -> Place {
        let made_there = directions.output && !directions.input;
        let inner = Context { role: Role::Inner, ..cx.late(made_there) };
        let element = match node.child(Kind::place_type) {
            Some(element) => self.place(&scope.with_elements(), element, inner),
            None => Place::of(Type::Ptr),
        };
        let (mut len, mut until) = (None, None);
        if let Some(extent) = node.child(Kind::extent).filter(|_| !cx.shape) {
            let at = extent.child(Kind::kw_until).map(|word| word.span().start);
            for expr in extent.exprs() {
                let is_until = at.is_some_and(|at| at < expr.span().start);
                let what = if is_until { "the end of a buffer" } else { "the length of a buffer" };
                let value = self.number_at(scope, expr, cx.at(), what);
                if constant_of(&value).is_some_and(|v| v.is_negative()) && !is_until {
                    self.error(&codes::VALUE, expr, "a length is not negative", "less than 0");
                }
                if is_until {
                    self.check_end(expr, &element, constant_of(&value));
                }
                *(if is_until { &mut until } else { &mut len }) = Some(Box::new(value));
            }
        }
        Place::of(Type::Buffer { element: Box::new(element), len, until })
    }

    /// Complains if no element can be equal to the value that ends a buffer. Of structs the first member is compared.
    fn check_end(&mut self, node: Node<'t>, element: &Place, end: Option<Int>) {
        let compared = self.library.compared(element);
        let message = match (&compared.ty, range_of(&compared.ty)) {
            (Type::Scalar(Scalar::Float | Scalar::Double), _) if end != Some(Int::ZERO) => {
                "floating-point numbers are only compared with 0: write `until 0`, or the number of elements".to_owned()
            }
            (Type::Handle(_) | Type::Buffer { .. } | Type::Callback(_), _)
                if !compared.optional && end == Some(Int::ZERO) =>
            {
                "an element is never null, so none ends this buffer: write `?` after its type".to_owned()
            }
            (_, Some((from, to))) if end.as_ref().is_some_and(|end| *end < from || to < *end) => {
                format!("an element is from {from} to {to}, so none ends this buffer")
            }
            _ => return,
        };
        self.error(&codes::NO_END, node, &message, "no element is equal to this");
    }

    /// The parameters of a tuple; they see each other.
    fn tuple(&mut self, scope: &Scope<'t>, node: Node<'t>, cx: Context) -> Vec<Param> {
        let Some(places) = node.child(Kind::places) else { return Vec::new() };
        let nodes: Vec<_> = places.children_of(Kind::place_item).collect();
        if let (Some(rest), false) = (places.child(Kind::rest), cx.shape) {
            self.error(&codes::VARIADIC, rest, "a tuple has no variable arguments", "not here");
        }
        let shapes = self.named_shapes(scope, &nodes, cx.shape);
        let inner = Scope { variables: Rc::new(shapes), ..scope.clone() };
        let mut params = Vec::new();
        for node in nodes {
            let Some(ty) = node.child(Kind::place_type) else { continue };
            let cx = if cx.shape { cx } else { Context::new(Role::Param) };
            let place = self.place(&inner, ty, cx);
            params.push(Param {
                name: node.name().text().to_owned(),
                docs: node.docs(),
                place,
                span: node.name().span(),
            });
        }
        params
    }

    /// The shapes of parameters or members by name; names that are there already are complained about, unless `quiet`.
    pub(super) fn named_shapes(&mut self, scope: &Scope<'t>, nodes: &[Node<'t>], quiet: bool) -> Vec<Named> {
        let mut shapes: Vec<Named> = Vec::new();
        for node in nodes {
            let name = node.name();
            if !quiet {
                let twice = shapes.iter().find(|n| n.name == name.text()).map(|n| n.span);
                self.check_new_name(name, twice);
            }
            let Some(ty) = node.child(Kind::place_type) else { continue };
            let place = self.shape(scope, ty);
            shapes.push(Named { name: name.text().to_owned(), place, span: name.span() });
        }
        shapes
    }

    fn match_type(&mut self, scope: &Scope<'t>, node: Node<'t>, cx: Context) -> Place {
        let value_node = node.child(Kind::cond).and_then(|c| c.expr());
        let value = match value_node {
            Some(value) if !cx.shape => self.value_at(scope, value, cx.at(), "the value of a `match` type"),
            _ => Typed::poison(),
        };
        if let (Some(at), false) = (value_node, cx.shape)
            && !matches!(value.expr.value, ValueKind::Int | ValueKind::Bool | ValueKind::Any | ValueKind::Pointer)
        {
            self.wrong_value(at, "a number or a truth value", &value.expr);
        }
        let (mut arms, mut default) = (Vec::new(), None);
        let mut patterns = super::named::Patterns::new(&value);
        for arm in node.children_of(Kind::type_arm) {
            let Some(ty) = arm.child(Kind::place_type) else { continue };
            let mut ranges = Vec::new();
            let mut any = false;
            for pattern in arm.children_of(Kind::pattern) {
                if pattern.has(Kind::wildcard) {
                    any = true;
                } else if !cx.shape
                    && let Some(range) = self.type_pattern(&mut patterns, pattern)
                {
                    ranges.push(range);
                }
            }
            let late = is_exit_arm(&value.expr, &ranges, any);
            let place = self.place(scope, ty, cx.late(late));
            if default.is_some() && !cx.shape {
                self.error(&codes::MATCH_TYPE, arm, "a case after `_` is never reached", "remove it, or move it up");
            } else if any {
                default = Some(Box::new(place));
            } else {
                arms.push(Arm { patterns: ranges, place });
            }
        }
        let readable = !node.children().any(|n| n.is_bad());
        if default.is_none() && !cx.shape && readable && !self.is_complete(&patterns) {
            let label = "some values have no case";
            self.report(
                Diagnostic::error(&codes::MATCH_TYPE, "`match` type without a case for each value", node.span(), label)
                    .help("add `_ => …;` last"),
            );
        }
        // Expressions that go on from the value need a shape: that of the arms, if they agree.
        Place::of(Type::Match { value: Box::new(value.expr), arms, default })
    }

    /// Complains about a name of a parameter or member that cannot be.
    pub(super) fn check_new_name(&mut self, name: Node<'t>, twice: Option<crate::source::Span>) {
        use crate::diagnostic::catalogue::names::DUPLICATE;
        if name.is_broken() {
            return;
        }
        if super::table::RESERVED.contains(&name.text()) {
            let message = format!("the name `{}` has a meaning in expressions", name.text());
            let diagnostic = Diagnostic::error(&DUPLICATE, message, name.span(), "cannot be declared");
            self.report(diagnostic.help(format!(
                "choose another name: that of a parameter is no part of the API, and a member of a struct keeps its name in C: \
                 `c_{0} = \"{0}\": …`",
                name.text()
            )));
        } else if let Some(first) = twice {
            let message = format!("the name `{}` is taken", name.text());
            let diagnostic = Diagnostic::error(&DUPLICATE, message, name.span(), "cannot be used again");
            self.report(diagnostic.label(first, "first used here").help("choose another name"));
        }
    }
}

/// Stands for a type that is not known, which was said: whatever is done with its values is right.
fn unknown() -> Place {
    Place::of(Type::Tuple(Vec::new()))
}

/// Whether an arm is that of exit: where a type depends on the moment.
fn is_exit_arm(value: &Expr, ranges: &[(Int, Int)], any: bool) -> bool {
    let has =
        |n: u8| any || ranges.iter().any(|(lo, hi)| *lo <= Int::from(u32::from(n)) && Int::from(u32::from(n)) < *hi);
    match value.kind {
        ExprKind::IsIn => has(0) && !has(1) || any,
        ExprKind::IsOut => has(1) && !has(0) || any,
        _ => false,
    }
}
