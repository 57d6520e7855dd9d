//! What names mean where an expression stands.

use std::collections::HashMap;
use std::rc::Rc;

use crate::contract::library::expr::{Expr, ExprKind, ValueKind, When};
use crate::contract::library::place::Place;
use crate::contract::library::place::Type;
use crate::source::Span;
use crate::syntax::{Kind, Node};

use super::inherit::Level;

/// A checked expression, and the place whose value it is, to go on from.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) expr: Expr,
    /// Its shape: expressions inside of it (lengths, conditions) may be missing.
    pub(super) place: Option<Place>,
}

impl Typed {
    pub(super) fn new(value: ValueKind, when: When, kind: ExprKind) -> Typed {
        Typed { expr: Expr { value, when, kind }, place: None }
    }

    /// The value of a place.
    pub(super) fn of(place: Place, when: When, kind: ExprKind) -> Typed {
        Typed { expr: Expr { value: value_of(&place), when, kind }, place: Some(place) }
    }

    /// Stands where something was wrong; whatever is done with it is right.
    pub(super) fn poison() -> Typed {
        Typed::new(ValueKind::Any, When::Entry, ExprKind::Null)
    }
}

/// What expressions see in the value of a place.
pub(super) fn value_of(place: &Place) -> ValueKind {
    use crate::contract::library::place::{Declared, Scalar};
    match &place.ty {
        Type::Void => ValueKind::Void,
        Type::Scalar(Scalar::Bool) => ValueKind::Bool,
        Type::Scalar(Scalar::Float | Scalar::Double) => ValueKind::Float,
        Type::Scalar(_) | Type::Enum(_) => ValueKind::Int,
        Type::Handle(id) => ValueKind::Handle(*id),
        Type::Struct { id, .. } | Type::Live { id, .. } => ValueKind::Struct(*id),
        Type::Array { .. } => ValueKind::Array,
        Type::Match { .. } | Type::Tuple(_) => ValueKind::Any,
        // A descriptor is a number, a path a pointer.
        Type::File => match &place.c {
            Some(Declared::Type(declared)) => value_of(declared),
            _ => ValueKind::Pointer,
        },
        Type::Lifetime => ValueKind::Scope,
        Type::Ptr
        | Type::Callback(_)
        | Type::Buffer { .. }
        | Type::Within(_)
        | Type::Userdata(_)
        | Type::Function(_)
        | Type::Stream => ValueKind::Pointer,
    }
}

/// The text of a name, or of a path of members that begins with one, as `s.row`.
pub(super) fn path_of(node: Node<'_>) -> Option<String> {
    match node.kind() {
        Kind::name => Some(node.name().text().to_owned()),
        Kind::access_expr => {
            let mut parts = node.children();
            let (base, postfix) = (parts.next()?, parts.next()?);
            let is_member = postfix.kind() == Kind::field;
            is_member.then(|| Some(format!("{}.{}", path_of(base)?, postfix.name().text())))?
        }
        _ => None,
    }
}

/// The name with which a path of members begins.
pub(super) fn first_of_path(path: &str) -> &str {
    path.split('.').next().unwrap_or(path)
}

/// A parameter, an implicit argument or a member, as expressions see it.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: String,
    /// Its shape.
    pub(super) place: Place,
    pub(super) span: Span,
}

/// The names that an expression sees, apart from those of the library. Scopes are copied where they widen, so what is
/// large in them is shared.
#[derive(Clone, Default)]
pub(super) struct Scope<'t> {
    pub(super) params: Rc<Vec<Named>>,
    pub(super) implicits: Rc<Vec<Named>>,
    /// The parameters of the tuple around.
    pub(super) variables: Rc<Vec<Named>>,
    /// The members of the struct around.
    pub(super) siblings: Rc<Vec<Named>>,
    /// Names, and paths of members that begin with one, that each use of the struct around gives a value.
    pub(super) outer: Rc<Vec<String>>,
    /// The arguments of the named type that is being expanded.
    pub(super) arguments: Rc<HashMap<&'t str, Typed>>,
    /// The result, in a function or callback that has one.
    pub(super) ret: Option<Rc<Place>>,
    /// Whether this is a call, so that `ret`, `errno` and the like mean something.
    pub(super) is_call: bool,
    /// The value whose type the expression is part of.
    pub(super) this: Option<Rc<Place>>,
    /// Whether elements are around, so that `index` means something.
    pub(super) in_elements: bool,
    /// The `defaults` that reach places here, outermost first.
    pub(super) levels: Rc<Vec<Rc<Level<'t>>>>,
    /// Names that are not found are right: a type that is never used stands in no scope.
    pub(super) lenient: bool,
}

impl<'t> Scope<'t> {
    /// The same scope, inside of the type of a value.
    pub(super) fn with_self(&self, this: Place) -> Scope<'t> {
        Scope { this: Some(Rc::new(this)), ..self.clone() }
    }

    /// The same scope, inside of elements.
    pub(super) fn with_elements(&self) -> Scope<'t> {
        Scope { in_elements: true, ..self.clone() }
    }

    /// The value of a name that the scope itself declares.
    pub(super) fn find(&self, name: &str) -> Option<Typed> {
        if let Some(argument) = self.arguments.get(name) {
            return Some(argument.clone());
        }
        let tables = [&self.variables, &self.siblings, &self.params, &self.implicits];
        let kinds = [ExprKind::Variable, ExprKind::Sibling, ExprKind::Param, ExprKind::Implicit];
        for (table, kind) in tables.into_iter().zip(kinds) {
            if let Some((at, named)) = table.iter().enumerate().find(|(_, named)| named.name == name) {
                return Some(Typed::of(named.place.clone(), known_when(&named.place), kind(at as u32)));
            }
        }
        let outer = self.outer.iter().position(|n| n == name)?;
        Some(Typed::new(ValueKind::Any, When::Entry, ExprKind::Outer(outer as u32)))
    }

    /// All names that [`find`](Self::find) finds.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let tables = [&self.variables, &self.siblings, &self.params, &self.implicits];
        tables
            .into_iter()
            .flat_map(|table| table.iter())
            .map(|named| named.name.as_str())
            .chain(self.outer.iter().map(String::as_str))
            .chain(self.arguments.keys().copied())
    }
}

/// When the value of a place itself is known: a pointer is passed at entry, also where what it points to comes later.
fn known_when(place: &Place) -> When {
    let pointer = matches!(value_of(place), ValueKind::Pointer | ValueKind::Any | ValueKind::Handle(_));
    if place.directions.output && !place.directions.input && !pointer { When::Exit } else { When::Entry }
}

/// When what lies behind a place is known.
pub(super) fn contents_when(place: &Place) -> When {
    if place.directions.output && !place.directions.input { When::Exit } else { When::Entry }
}
