//! Two versions of an interface at one XLEN.

use super::rules::Rule;
use super::{command, csr, names, state};
use crate::contract::Section;
use crate::contract::core::Type;
use crate::source::Span;

/// A change at one XLEN.
pub(super) struct Found {
    pub(super) rule: &'static Rule,
    pub(super) message: String,
    pub(super) old: Option<Span>,
    pub(super) new: Option<Span>,
}

impl Found {
    pub(super) fn new(rule: &'static Rule, message: String, old: Option<Span>, new: Option<Span>) -> Self {
        Found { rule, message, old, new }
    }

    /// Whether it is the same change at another XLEN.
    pub(super) fn says(&self, other: &Found) -> bool {
        (self.rule, &self.message) == (other.rule, &other.message)
    }
}

/// Its changes: commands, state, CSRs, then what they name.
pub(super) fn compare(old: &Section, new: &Section) -> Vec<Found> {
    let mut found = command::compare(old, new);
    found.extend(state::compare(old, new));
    found.extend(csr::compare(old, new));
    found.extend(names::errors(old, new));
    found.extend(names::enums(old, new));
    found.extend(names::consts(old, new));
    found
}

/// How the entries of two tables belong together.
pub(super) struct Pairs<'a, T> {
    /// The same entry in both.
    pub(super) both: Vec<(&'a T, &'a T)>,
    /// Another name for what has the same key.
    pub(super) renamed: Vec<(&'a T, &'a T)>,
    pub(super) removed: Vec<&'a T>,
    pub(super) added: Vec<&'a T>,
}

/// Pairs entries by name; then those that are left, in their order, where `same` says that only the name differs.
pub(super) fn pairs<'a, T>(
    old: &'a [T],
    new: &'a [T],
    name: impl Fn(&T) -> &str,
    same: impl Fn(&T, &T) -> bool,
) -> Pairs<'a, T> {
    let has = |table: &[T], entry: &T| table.iter().any(|other| name(other) == name(entry));
    let both = new.iter().filter_map(|b| Some((old.iter().find(|a| name(a) == name(b))?, b))).collect();
    let mut removed: Vec<&T> = old.iter().filter(|a| !has(new, a)).collect();
    let mut renamed = Vec::new();
    let mut added = Vec::new();
    for b in new.iter().filter(|b| !has(old, b)) {
        match removed.iter().position(|a| same(a, b)) {
            Some(place) => renamed.push((removed.remove(place), b)),
            None => added.push(b),
        }
    }
    Pairs { both, renamed, removed, added }
}

/// Whether two types of two sections are the same: an enum by its name, as its cases are compared on their own.
pub(super) fn same_type(old: &Section, a: &Type, new: &Section, b: &Type) -> bool {
    a.text(old) == b.text(new)
}
