//! Two versions of one interface.

use super::rules::{self, Rule};
use super::section::{self, Found};
use super::{Change, Entry, Place};
use crate::contract::{Interface, Xintf};
use crate::source::Span;

/// Its changes: of the whole, then those of the sections, each once for all XLENs where it shows.
pub(super) fn compare(before: &Entry<'_>, old: &Interface, entry: &Entry<'_>, new: &Interface) -> Vec<Change> {
    let mut whole = Whole { found: Vec::new(), old: old.span, new: new.span };
    whole.names(&before.name, &entry.name, old, new);
    whole.identity(old, new);
    whole.inheritance(old, new);
    let xlens = |interface: &Interface| interface.sections.iter().map(|s| s.xlen).collect::<Vec<_>>();
    let (old_xlens, new_xlens) = (xlens(old), xlens(new));
    for xlen in new_xlens.iter().filter(|xlen| !old_xlens.contains(xlen)) {
        whole.add(&rules::XLEN_ADDED, format!("it has a section for XLEN {xlen}"));
    }
    for xlen in old_xlens.iter().filter(|xlen| !new_xlens.contains(xlen)) {
        whole.add(&rules::XLEN_REMOVED, format!("it has no section for XLEN {xlen} any more"));
    }

    let mut parts: Vec<(Found, Vec<u32>)> = Vec::new();
    let mut common = 0;
    for a in &old.sections {
        let Some(b) = new.sections.iter().find(|b| b.xlen == a.xlen) else { continue };
        common += 1;
        for mut found in section::compare(a, b) {
            // What a contract has no place for, such as the state block, is where its interface is.
            if found.old.is_none() && found.new.is_none() {
                (found.old, found.new) = (Some(old.span), Some(new.span));
            }
            match parts.iter_mut().find(|(other, _)| other.says(&found)) {
                Some((_, xlens)) => xlens.push(a.xlen),
                None => parts.push((found, vec![a.xlen])),
            }
        }
    }
    let may_differ = whole.found.iter().chain(parts.iter().map(|(found, _)| found)).any(|found| found.rule.hashed);
    if old.hash != new.hash && !may_differ {
        whole.add(&rules::CHANGED_OTHERWISE, "the contract hash changed, for a reason that is not told apart".into());
    }
    // The worst stands first.
    if breaks_its_promise(old, new) {
        let uuid = new.uuid.unwrap_or_default();
        let message = format!(
            "the contract is frozen under the UUID {uuid}, but changed: every program that opens this UUID relies on \
             the old one; give the interface a new UUID, or undo the change"
        );
        whole.found.insert(0, Found::new(&rules::CONTRACT_CHANGED, message, Some(old.span), Some(new.span)));
    }

    let change = |found: Found, xlens: Vec<u32>| Change {
        rule: found.rule,
        item: entry.name.clone(),
        everywhere: xlens.is_empty() || xlens.len() == common,
        xlens,
        message: found.message,
        old: found.old.map(|span| Place { root: before.root, span }),
        new: found.new.map(|span| Place { root: entry.root, span }),
    };
    let whole = whole.found.into_iter().map(|found| (found, Vec::new()));
    whole.chain(parts).map(|(found, xlens)| change(found, xlens)).collect()
}

/// Whether another contract goes under a UUID that was no draft's.
fn breaks_its_promise(old: &Interface, new: &Interface) -> bool {
    old.hash != new.hash && old.uuid.is_some() && old.uuid == new.uuid && !old.is_draft && !old.is_abstract
}

/// Changes of the whole interface.
struct Whole {
    found: Vec<Found>,
    old: Span,
    new: Span,
}

impl Whole {
    fn add(&mut self, rule: &'static Rule, message: String) {
        self.found.push(Found::new(rule, message, Some(self.old), Some(self.new)));
    }

    fn names(&mut self, before: &str, now: &str, old: &Interface, new: &Interface) {
        if before != now {
            self.add(&rules::INTERFACE_RENAMED, format!("the interface was `{before}`"));
        }
        if old.short != new.short {
            let name = |short: &Option<String>| short.as_ref().map_or("none".into(), |short| format!("`{short}`"));
            let message = format!("the short name was {}, and is {}", name(&old.short), name(&new.short));
            self.add(&rules::SHORT_CHANGED, message);
        }
        if old.docs != new.docs || old.long_name != new.long_name {
            self.add(&rules::DOCS_CHANGED, "the description of the interface changed".into());
        }
    }

    fn identity(&mut self, old: &Interface, new: &Interface) {
        match (old.uuid, new.uuid) {
            (None, Some(uuid)) => self.add(&rules::UUID_ADDED, format!("it has the UUID {uuid} now")),
            (Some(uuid), None) => self.add(&rules::UUID_REMOVED, format!("it has the UUID {uuid} no more")),
            (Some(a), Some(b)) if a != b => self.add(&rules::UUID_CHANGED, format!("the UUID was {a}, and is {b}")),
            _ => {}
        }
        let id = |xintf: Xintf| format!("{:#07x} ({:#015x} for RV64)", xintf.id20, xintf.id52);
        match (old.xintf, new.xintf) {
            (None, Some(xintf)) => self.add(&rules::XINTF_ADDED, format!("it has the xintf id {} now", id(xintf))),
            (Some(xintf), None) => {
                self.add(&rules::XINTF_REMOVED, format!("it has the xintf id {} no more", id(xintf)))
            }
            (Some(a), Some(b)) if a != b => {
                self.add(&rules::XINTF_CHANGED, format!("the xintf id was {}, and is {}", id(a), id(b)));
            }
            _ => {}
        }
        match (old.is_draft, new.is_draft) {
            (true, false) => self.add(&rules::MADE_FINAL, "it is no draft any more".into()),
            (false, true) => self.add(&rules::MADE_DRAFT, "it is a draft now".into()),
            _ => {}
        }
    }

    fn inheritance(&mut self, old: &Interface, new: &Interface) {
        match (old.is_abstract, new.is_abstract) {
            (true, false) => self.add(&rules::MADE_CONCRETE, "it is not abstract any more".into()),
            (false, true) => self.add(&rules::MADE_ABSTRACT, "it is abstract now".into()),
            _ => {}
        }
        match (old.state_context, new.state_context) {
            (false, true) => self.add(&rules::STATE_CONTEXT_ADDED, "it inherits `IStateContext` now".into()),
            (true, false) => self.add(&rules::STATE_CONTEXT_REMOVED, "it no longer inherits `IStateContext`".into()),
            _ => {}
        }
    }
}
