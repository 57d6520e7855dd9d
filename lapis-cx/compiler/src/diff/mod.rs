//! What changed between two versions of a contract, and whom it hurts.
//!
//! Two sets of roots are compared, old and new. Items meet by package and name, then by UUID, then by equal contracts:
//! so a renamed interface is one. [`rules`] says of each kind of change what it breaks; the other modules find them. All
//! that is compared stands in the [`Contract`]: what leaves no trace there is no change.

mod command;
mod csr;
#[cfg(feature = "json")]
pub mod document;
mod interface;
mod library;
mod names;
mod platform;
pub mod rules;
mod section;
mod state;

use crate::contract::library::Library;
use crate::contract::platform::Platform;
use crate::contract::{Contract, Interface, Item};
use crate::source::Span;

pub use self::rules::Breaks;
use self::rules::Rule;

/// A place in one of the roots of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The position of the root.
    pub root: usize,
    /// Where in its compilation.
    pub span: Span,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What kind it is.
    pub rule: &'static Rule,
    /// The item: package, colon, name; the new name of one that was renamed.
    pub item: String,
    /// The XLENs where it shows, ascending; empty if it is about the item as a whole.
    pub xlens: Vec<u32>,
    /// Whether it shows at every XLEN that both sides have.
    pub everywhere: bool,
    /// What changed, in one sentence without a full stop.
    pub message: String,
    /// The place on the old side, if something stands there.
    pub old: Option<Place>,
    /// The place on the new side.
    pub new: Option<Place>,
}

impl Change {
    /// Whether it hurts anybody.
    pub fn is_breaking(&self) -> bool {
        !self.rule.breaks.is_empty()
    }
}

/// An item with the root it comes from.
struct Entry<'a> {
    name: String,
    kind: Kind<'a>,
    root: usize,
    span: Span,
}

#[derive(Clone, Copy)]
enum Kind<'a> {
    Interface(&'a Interface),
    Library(&'a Library),
    Platform(&'a Platform),
}

/// All changes from the old roots to the new ones: item by item, in the order of the new roots, removed items last.
pub fn compare(old: &[&Contract], new: &[&Contract]) -> Vec<Change> {
    let (old, new) = (entries(old), entries(new));
    let partners = pair(&old, &new);
    let mut changes = Vec::new();
    for (entry, partner) in new.iter().zip(&partners) {
        match partner.and_then(|place| old.get(place)) {
            Some(before) => match (before.kind, entry.kind) {
                (Kind::Interface(a), Kind::Interface(b)) => changes.extend(interface::compare(before, a, entry, b)),
                (Kind::Library(a), Kind::Library(b)) => changes.extend(library::compare(before, a, entry, b)),
                (Kind::Platform(a), Kind::Platform(b)) => changes.extend(platform::compare(before, a, entry, b)),
                _ => {}
            },
            None => changes.push(alone(entry, false)),
        }
    }
    let gone = old.iter().enumerate().filter(|(place, _)| !partners.contains(&Some(*place)));
    changes.extend(gone.map(|(_, entry)| alone(entry, true)));
    changes
}

fn entries<'a>(contracts: &[&'a Contract]) -> Vec<Entry<'a>> {
    let mut entries = Vec::new();
    for (root, contract) in contracts.iter().enumerate() {
        for item in &contract.items {
            let (name, kind, span) = match item {
                Item::Interface(interface) => (&interface.name, Kind::Interface(interface), interface.span),
                Item::Library(library) => (&library.name, Kind::Library(library), library.span),
                Item::Platform(platform) => (&platform.name, Kind::Platform(platform), platform.span),
                // Laws say what holds, not what is.
                Item::Laws(_) => continue,
            };
            entries.push(Entry { name: format!("{}:{name}", contract.package), kind, root, span });
        }
    }
    entries
}

/// Whether an old entry and a new one are one item.
type Meets<'f> = dyn Fn(&Entry<'_>, &Entry<'_>) -> bool + 'f;

/// For each new entry the place of the old one that it continues.
fn pair(old: &[Entry<'_>], new: &[Entry<'_>]) -> Vec<Option<usize>> {
    let mut partners: Vec<Option<usize>> = vec![None; new.len()];
    let same_name = |a: &Entry<'_>, b: &Entry<'_>| a.name == b.name && same_kind(a.kind, b.kind);
    let same_uuid = |a: &Entry<'_>, b: &Entry<'_>| match (a.kind, b.kind) {
        (Kind::Interface(a), Kind::Interface(b)) => a.uuid.is_some() && a.uuid == b.uuid,
        _ => false,
    };
    let same_contract = |a: &Entry<'_>, b: &Entry<'_>| match (a.kind, b.kind) {
        (Kind::Interface(a), Kind::Interface(b)) => a.hash == b.hash && has_commands(a),
        _ => false,
    };
    let ways: [&Meets<'_>; 3] = [&same_name, &same_uuid, &same_contract];
    for way in ways {
        for (place, entry) in new.iter().enumerate() {
            if partners.get(place).is_none_or(Option::is_some) {
                continue;
            }
            let is_free = |candidate: &usize| !partners.contains(&Some(*candidate));
            let meets = |candidate: &usize| old.get(*candidate).is_some_and(|before| way(before, entry));
            let found = (0..old.len()).filter(is_free).find(meets);
            if let Some(partner) = partners.get_mut(place) {
                *partner = found;
            }
        }
    }
    partners
}

fn same_kind(a: Kind<'_>, b: Kind<'_>) -> bool {
    std::mem::discriminant(&a) == std::mem::discriminant(&b)
}

/// Empty contracts are all equal: that says nothing.
fn has_commands(interface: &Interface) -> bool {
    interface.sections.iter().any(|section| !section.commands.is_empty())
}

/// An item that only one side has.
fn alone(entry: &Entry<'_>, is_old: bool) -> Change {
    let (what, added, removed) = match entry.kind {
        Kind::Interface(_) => ("interface", &rules::INTERFACE_ADDED, &rules::INTERFACE_REMOVED),
        Kind::Library(_) => ("library", &rules::LIBRARY_ADDED, &rules::LIBRARY_REMOVED),
        Kind::Platform(_) => ("platform", &rules::PLATFORM_ADDED, &rules::PLATFORM_REMOVED),
    };
    let place = Some(Place { root: entry.root, span: entry.span });
    Change {
        rule: if is_old { removed } else { added },
        item: entry.name.clone(),
        xlens: Vec::new(),
        everywhere: true,
        message: format!("the {what} is {}", if is_old { "gone" } else { "new" }),
        old: place.filter(|_| is_old),
        new: place.filter(|_| !is_old),
    }
}
