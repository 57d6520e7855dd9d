//! Small edits of one spec, and what each is said to break.

#![allow(clippy::unwrap_used, clippy::panic)]

mod interface;
mod library;
mod platform;

use std::collections::BTreeSet;

use lapis_cx::contract::Contract;
use lapis_cx::diff::{Breaks, Change, compare, rules};
use lapis_cx::driver::{Effort, NoImports, SourceText, Unjudged, compile};

use interface::BASE;

fn contract(text: &str) -> Contract {
    compiled(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The contract, or the first error.
fn compiled(text: &str) -> Result<Contract, String> {
    let root = SourceText { name: "t.cxspec".to_owned(), bytes: text.as_bytes().to_vec() };
    let outcome = compile(root, &mut NoImports, &mut Unjudged, Effort::Build, &[]);
    match outcome.diagnostics.iter().find(|d| d.is_error() && !d.code.is_of_identity()) {
        Some(error) => Err(format!("{}: {}", error.code, error.message)),
        None => Ok(outcome.contract.unwrap()),
    }
}

fn hashes(contract: &Contract) -> Vec<&str> {
    contract.interfaces().map(|interface| interface.hash.as_str()).collect()
}

/// The changes from one text to another. Whatever changes a hash is a change that may; and nothing differs from itself.
fn changes(old: &str, new: &str) -> Vec<Change> {
    let (old, new) = (contract(old), contract(new));
    assert_eq!(compare(&[&old], &[&old]), []);
    assert_eq!(compare(&[&new], &[&new]), []);
    let changes = compare(&[&old], &[&new]);
    let named = changes.iter().any(|change| change.rule.hashed && *change.rule != rules::CHANGED_OTHERWISE);
    let same_items = hashes(&old).len() == hashes(&new).len();
    assert!(!same_items || hashes(&old) == hashes(&new) || named, "{changes:#?}");
    changes
}

fn names(changes: &[Change]) -> Vec<String> {
    let breaks = |change: &Change| change.rule.breaks.iter().map(|one| one.name()).collect::<Vec<_>>().join(" ");
    let xlens = |change: &Change| if change.everywhere { String::new() } else { format!(" @{:?}", change.xlens) };
    changes.iter().map(|change| format!("{}: {}{}", change.rule.name, breaks(change), xlens(change))).collect()
}

/// Tries edits of a text that belong together, there and back; returns what is not as expected.
fn wrong(base: &str, edited: &str, expected: &[&str], seen: &mut BTreeSet<&'static str>) -> Option<String> {
    if let Err(error) = compiled(edited) {
        return Some(format!("\n  {error}\n"));
    }
    let found = changes(base, edited);
    let back = changes(edited, base);
    assert_eq!(found.is_empty(), back.is_empty());
    seen.extend(found.iter().chain(&back).map(|change| change.rule.name));
    let found = names(&found);
    (found != expected).then(|| format!("\n  {found:?}\n  {expected:?}\n"))
}

/// An edit: the text it replaces, the text it puts there, and the changes that it is.
type Edit = (&'static str, &'static str, &'static [&'static str]);

/// Edits that belong together, and the changes that they are.
type Group = (&'static [(&'static str, &'static str)], &'static [&'static str]);

/// Each edit and its way back; and no rule that none of them shows.
#[test]
fn edits_break_what_they_break() {
    let mut seen = BTreeSet::new();
    let mut all = String::new();
    for (base, edits, groups) in [
        (interface::BASE, interface::EDITS, interface::GROUPS),
        (interface::STATEFUL, interface::STATEFUL_EDITS, &[]),
        (platform::BASE, platform::EDITS, platform::GROUPS),
        (library::BASE, library::EDITS, library::GROUPS),
    ] {
        for (from, to, expected) in edits {
            assert!(base.contains(from), "{from}");
            let wrong = wrong(base, &base.replacen(from, to, 1), expected, &mut seen);
            all.extend(wrong.map(|wrong| format!("{from} -> {to}{wrong}")));
        }
        for (edits, expected) in groups {
            let edited = edits.iter().fold(base.to_owned(), |text, (from, to)| text.replace(from, to));
            let wrong = wrong(base, &edited, expected, &mut seen);
            all.extend(wrong.map(|wrong| format!("{edits:?}{wrong}")));
        }
    }
    assert!(all.is_empty(), "{all}");
    // The first is shown below, the second is for what nobody thought of.
    let others = ["contract-changed", "changed-otherwise"];
    let missing: Vec<_> = rules::ALL.iter().map(|rule| rule.name).filter(|name| !seen.contains(name)).collect();
    assert_eq!(missing, others);
}

/// The worst of all, and what is none of it.
#[test]
fn a_uuid_names_one_contract() {
    let fixed = BASE.replace("draft interface", "interface");
    let broken = |old: &str, from: &str, to: &str| {
        let found = changes(old, &old.replace(from, to));
        found.iter().any(|change| change.rule.breaks.contains(&Breaks::Identity))
    };
    assert!(broken(&fixed, "total +% a", "total -% a"));
    assert!(broken(&fixed, "    command peek", "    command more = 7 : R () { }\n    command peek"));
    let found = changes(&fixed, &fixed.replace("total +% a", "total -% a"));
    assert!(found[0].rule.name == "contract-changed" && found[0].message.contains("5f1d3a0e"), "{found:?}");
    for harmless in [("Counts", "Counts more"), ("command peek", "command look"), ("(1, 2)", "(2, 2)")] {
        assert!(!broken(&fixed, harmless.0, harmless.1), "{harmless:?}");
    }
    // A draft may change, and a new contract takes a new UUID.
    assert!(!broken(BASE, "total +% a", "total -% a"));
    let renewed = fixed.replace("5f1d3a0e", "6f1d3a0e").replace("total +% a", "total -% a");
    assert_eq!(names(&changes(&fixed, &renewed)), ["uuid-changed: abi", "body-changed: behaviour"]);
    let automatic = fixed.replace("\"5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa\"", "auto");
    assert!(!broken(&automatic, "total +% a", "total -% a"));
}

#[test]
fn changes_say_where() {
    let edited = BASE.replace("command peek", "\n    command look");
    let (old, new) = (contract(BASE), contract(&edited));
    let change = compare(&[&old], &[&new]).remove(0);
    let text = |side: &str, place: Option<lapis_cx::diff::Place>| {
        let span = place.unwrap().span;
        side[span.start as usize..span.end as usize].to_owned()
    };
    assert_eq!((text(BASE, change.old), text(&edited, change.new)), ("peek".to_owned(), "look".to_owned()));
    // A state block has no place in a contract: its interface stands for it.
    let edited = BASE.replace("state exclusive", "state shared(caller_save)");
    let change = compare(&[&old], &[&contract(&edited)]).remove(0);
    let name = contract(BASE).interfaces().next().unwrap().name.clone();
    assert_eq!((change.rule.name, text(BASE, change.old)), ("sharing-changed", name.clone()));
    assert_eq!(text(&edited, change.new), name);
}
