//! Attributes of places, written there or by `defaults type` and `arg`.

use crate::contract::library::FunctionId;
use crate::contract::library::construct::Construct;
use crate::contract::library::expr::{Expr, ValueKind, When};
use crate::contract::library::place::{Allocator, Lifetime, Place, Type, ZeroCopy};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::library as codes;
use crate::syntax::{Kind, Node};

use super::Lib;
use super::declare::Meaning;
use super::expr::constant_of;
use super::place::Context;
use super::scope::{Scope, value_of};
use super::table::{self, AttributeArguments, Places};
use crate::analyze::expr::without_parentheses;
use crate::analyze::names;

/// The largest alignment in bytes that `@align` may state: a page.
const LARGEST_ALIGNMENT: u32 = 4096;

impl<'t> Lib<'_, 't> {
    /// Applies an attribute to a place. Where only the shape is wanted, that it is pinned is all that counts.
    pub(super) fn attribute(&mut self, scope: &Scope<'t>, place: &mut Place, node: Node<'t>, cx: Context) {
        let name = node.name();
        let row = table::ATTRIBUTES.iter().find(|(n, ..)| *n == name.text());
        let args: Vec<_> = node.child(Kind::args).into_iter().flat_map(|a| a.exprs().collect::<Vec<_>>()).collect();
        if cx.shape {
            if name.text() == "zero_copy" {
                place.zero_copy = Some(match args.first() {
                    Some(kind) if kind.text() == "physical" => ZeroCopy::Physical,
                    _ => ZeroCopy::Virtual,
                });
            }
            return;
        }
        let Some((_, form, places, kind)) = row else {
            let known: Vec<_> = table::ATTRIBUTES.iter().map(|(n, ..)| *n).collect();
            let message = format!("there is no attribute `@{}` of places", name.text());
            let diagnostic = Diagnostic::error(&codes::ATTRIBUTE, message, name.span(), "not known");
            self.report(match names::nearest(name.text(), known.iter().copied()) {
                Some(near) => diagnostic.help(format!("did you mean `@{near}`?")),
                None => diagnostic.help(format!("there are {}", names::quoted_list(&known))),
            });
            return;
        };
        if !fits(name.text(), *places, place) {
            let message = format!("`@{}` is for {}", name.text(), places.words());
            let diagnostic = Diagnostic::error(&codes::ATTRIBUTE, message, node.span(), "not for this place");
            return self.report(match place.ty {
                Type::Match { .. } => {
                    diagnostic.help("write it at the cases, or at the members of a union that the cases name")
                }
                _ => diagnostic,
            });
        }
        let said_before = match name.text() {
            "valid" => place.valid.is_some(),
            "on" => place.on.is_some(),
            "lifetime" => place.lifetime.is_some(),
            "allocator" => place.allocator.is_some(),
            "room" => place.room.is_some(),
            "align" => place.align.is_some(),
            _ => place.zero_copy.is_some(),
        };
        // What a named type says, its use may say otherwise.
        if said_before && place.named.is_none() {
            let message = format!("duplicate `@{}`", name.text());
            self.error(&codes::ATTRIBUTE, node, message, "again here");
        }
        let least = usize::from(*kind != AttributeArguments::ZeroCopy);
        let most = if *kind == AttributeArguments::Functions { 2 } else { 1 };
        if node.child(Kind::args).is_some_and(|a| a.has(Kind::named_arg)) || args.len() < least || args.len() > most {
            let message = format!("`@{}` is not written like this", name.text());
            let diagnostic = Diagnostic::error(&codes::ATTRIBUTE, message, node.span(), "wrong arguments");
            return self.report(diagnostic.help(format!("the form is `{form}`")));
        }
        if *kind == AttributeArguments::ZeroCopy && !cx.shape {
            self.uses(Construct::ZeroCopy, "@zero_copy", node.span());
        }
        match (kind, args.as_slice()) {
            (AttributeArguments::Number, [one]) if name.text() == "valid" => {
                let at = if place.directions.output || cx.late { When::Exit } else { When::Entry };
                place.valid = Some(Box::new(self.number_at(scope, *one, at, "what is valid of an `in` buffer")));
            }
            (AttributeArguments::Number, [one]) => {
                place.room = Some(Box::new(self.number_at(scope, *one, When::Exit, "the room")));
            }
            (AttributeArguments::Condition, [one]) => {
                place.on = Some(Box::new(self.condition_at(scope, *one, When::Exit, "the condition")));
            }
            (AttributeArguments::Lifetime, [one]) => {
                place.lifetime = self.lifetime(scope, *one);
                let is_kept = !matches!(place.lifetime, None | Some(Lifetime::Call));
                if is_kept && matches!(place.ty, Type::Handle(_)) && !cx.late && !cx.shape {
                    self.uses(Construct::HandleLifetime, "@lifetime", node.span());
                }
            }
            (AttributeArguments::Functions, [free]) => {
                let id = self.function_of(*free);
                id.into_iter().for_each(|id| self.check_allocator(None, (id, *free)));
                place.allocator = id.map(|free| Allocator { allocate: None, free });
            }
            (AttributeArguments::Functions, [allocate, free]) => {
                let (made, freed) = (self.function_of(*allocate), self.function_of(*free));
                if let (Some(made), Some(freed)) = (made, freed) {
                    self.check_allocator(Some((made, *allocate)), (freed, *free));
                }
                place.allocator = freed.filter(|_| made.is_some()).map(|free| Allocator { allocate: made, free });
            }
            (AttributeArguments::Alignment, [one]) => place.align = self.alignment(scope, *one),
            (AttributeArguments::ZeroCopy, []) => place.zero_copy = Some(ZeroCopy::Virtual),
            (_, [kind]) => {
                place.zero_copy = match kind.text() {
                    "virtual" => Some(ZeroCopy::Virtual),
                    "physical" => Some(ZeroCopy::Physical),
                    other => {
                        let message = format!("there is no shared memory of kind `{other}`");
                        let label = "expected `virtual` or `physical`";
                        self.error(&codes::ATTRIBUTE, *kind, message, label);
                        None
                    }
                };
            }
            _ => {}
        }
    }

    fn alignment(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Option<u32> {
        let expr = self.number_at(scope, node, When::Entry, "an alignment");
        let bytes = constant_of(&expr).and_then(|n| n.to_u32());
        let bytes = bytes.filter(|bytes| bytes.is_power_of_two() && *bytes <= LARGEST_ALIGNMENT);
        if bytes.is_none() && !matches!(expr.value, ValueKind::Any) {
            let message = format!("an alignment is a constant power of two from 1 to {LARGEST_ALIGNMENT}, in bytes");
            self.error(&codes::ATTRIBUTE, node, message, "not such a number");
        }
        bytes
    }

    fn lifetime(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Option<Lifetime> {
        let word = without_parentheses(node);
        match word.text() {
            "call" => return Some(Lifetime::Call),
            "static" => return Some(Lifetime::Static),
            "manual" => return Some(Lifetime::Manual),
            _ => {}
        }
        let typed = self.value(scope, node);
        let ends =
            matches!(typed.expr.value, ValueKind::Handle(_) | ValueKind::Scope | ValueKind::Pointer | ValueKind::Any);
        if !ends {
            self.report(
                Diagnostic::error(
                    &codes::LIFETIME,
                    format!("a lifetime cannot end with {}", self.describe(typed.expr.value)),
                    node.span(),
                    "this never ends",
                )
                .help("name a handle, a twin, a callback, or a `lifetime` member of metadata; or `call`, `static`, `manual`"),
            );
            return None;
        }
        Some(Lifetime::Until(Box::new(typed.expr)))
    }

    /// A function of the library by its name.
    pub(super) fn function_of(&mut self, node: Node<'t>) -> Option<FunctionId> {
        let word = without_parentheses(node);
        match self.symbols.get(word.text()).map(|s| (s.meaning, s.span)) {
            Some((Meaning::Function(id), _)) => return Some(id),
            Some((other, span)) => {
                let message = format!("`{}` is {}, not a function of the library", word.text(), other.what());
                let entry = &crate::diagnostic::catalogue::names::WRONG_KIND;
                let diagnostic = Diagnostic::error(entry, message, word.span(), other.what());
                self.report(diagnostic.label(span, "declared here"));
            }
            None => {
                let known: Vec<&str> = self.symbols.keys().copied().collect();
                let name = if word.kind() == Kind::name { word.name() } else { word };
                self.unknown(name, "function of the library", known.into_iter());
            }
        }
        None
    }

    /// What `defaults type T` and `defaults handle` say of places of this type, as far as the place itself says nothing.
    pub(super) fn type_defaults(&mut self, scope: &Scope<'t>, place: &mut Place, base: Node<'t>, cx: Context) {
        let written = base.child(Kind::named_type).map(|n| n.name().text());
        let levels = scope.levels.clone();
        for level in levels.iter().rev() {
            let of_type = written.and_then(|name| level.types.get(name)).copied();
            let of_handle = level.handles.filter(|_| matches!(place.ty, Type::Handle(_)));
            for clauses in of_type.into_iter().chain(of_handle) {
                for clause in clauses.children_of(Kind::arg_clause) {
                    let of_self = clause.child(Kind::part_place).is_some_and(|p| p.text() == "self");
                    if !of_self {
                        continue;
                    }
                    let mut default = Place::of(place.ty.clone());
                    default.directions = place.directions;
                    for attr in clause.children_of(Kind::attr) {
                        self.attribute(scope, &mut default, attr, cx);
                    }
                    place.valid = place.valid.take().or(default.valid);
                    place.on = place.on.take().or(default.on);
                    place.lifetime = place.lifetime.take().or(default.lifetime);
                    place.allocator = place.allocator.take().or(default.allocator);
                    place.room = place.room.take().or(default.room);
                    place.zero_copy = place.zero_copy.take().or(default.zero_copy);
                    place.align = place.align.or(default.align);
                }
            }
        }
    }

    /// A scope of lifetimes.
    pub(super) fn scope_value(&mut self, scope: &Scope<'t>, node: Node<'t>) -> Expr {
        let expr = self.value(scope, node).expr;
        if !matches!(expr.value, ValueKind::Scope | ValueKind::Any) {
            let found = self.describe(expr.value);
            let message = format!("only a scope of lifetimes ends, and this is {found}");
            self.report(
                Diagnostic::error(&codes::LIFETIME, message, node.span(), "not a scope")
                    .help("declare it: `metadata Handle { name: lifetime; }`"),
            );
        }
        expr
    }
}

/// Returns whether an attribute of these places may stand on one. On a `match`, it must hold for each case, so cases that are structs or
/// members of unions have it themselves.
fn fits(name: &str, places: Places, place: &Place) -> bool {
    if let Type::Match { arms, default, .. } = &place.ty {
        let mut cases = arms.iter().map(|arm| &arm.place).chain(default.as_deref());
        let has_members = |case: &Place| matches!(case.ty, Type::Struct { .. } | Type::Live { .. });
        // A `match` without cases stands for a type that is not known.
        return match name {
            "on" => true,
            "lifetime" => !cases.any(has_members),
            _ => cases.next().is_none(),
        };
    }
    match places {
        Places::All => true,
        _ if matches!(place.ty, Type::Tuple(_)) => true,
        Places::PointersToElements => matches!(place.ty, Type::Buffer { .. }),
        Places::Buffers => matches!(place.ty, Type::Buffer { .. } | Type::Array { .. }),
        Places::Pointers => {
            matches!(value_of(place), ValueKind::Pointer | ValueKind::Handle(_)) || matches!(place.ty, Type::File)
        }
        Places::Handles => matches!(place.ty, Type::Handle(_)),
    }
}
