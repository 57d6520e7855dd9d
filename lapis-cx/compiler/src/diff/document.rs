//! Changes as text for people and as JSON for programs.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use super::rules::Breaks;
use super::{Change, Place};
use crate::source::{LineColumn, SourceMap};

/// The version of the JSON form.
const VERSION: u32 = 1;

/// `cxc diff --format json`: what changed, and whom it hurts. Members may be added later; these keep their meaning.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Differences")]
pub struct Document<'a> {
    /// Version of this form: 1.
    version: u32,
    /// The old side as it was named.
    old: &'a str,
    /// The new side as it was named.
    new: &'a str,
    /// Whether any change hurts anybody.
    breaking: bool,
    /// Item by item; in an item the worst comes first.
    changes: Vec<Entry<'a>>,
}

/// One change.
#[derive(Serialize, JsonSchema)]
struct Entry<'a> {
    /// The kind of change; `cxc diff` keeps the names.
    rule: &'static str,
    /// Whom it hurts, the worst first; empty if it is harmless.
    breaks: &'static [Breaks],
    /// Package and name of the item.
    item: &'a str,
    /// The XLENs where it shows; empty if it is about the whole item.
    xlens: &'a [u32],
    /// What changed: one sentence without a full stop.
    message: &'a str,
    /// Why it breaks what it breaks.
    why: &'static str,
    /// Where it stood, or `null`.
    old: Option<Location<'a>>,
    /// Where it stands, or `null`.
    new: Option<Location<'a>>,
}

impl<'a> Entry<'a> {
    fn new(change: &'a Change, old: &Side<'a>, new: &Side<'a>) -> Self {
        Entry {
            rule: change.rule.name,
            breaks: change.rule.breaks,
            item: &change.item,
            xlens: &change.xlens,
            message: &change.message,
            why: change.rule.why,
            old: old.locate(change.old),
            new: new.locate(change.new),
        }
    }
}

/// A place in a file.
#[derive(Serialize, JsonSchema)]
struct Location<'a> {
    /// The name of the file as the caller gave it.
    file: &'a str,
    #[serde(flatten)]
    at: LineColumn,
}

/// One side: its name, and the sources of each of its roots.
pub struct Side<'a> {
    /// As the user named it.
    pub name: &'a str,
    /// In the order of the roots.
    pub sources: Vec<&'a SourceMap>,
}

impl<'a> Side<'a> {
    fn locate(&self, place: Option<Place>) -> Option<Location<'a>> {
        let Place { root, span } = place?;
        let file = self.sources.get(root)?.get(span.file)?;
        Some(Location { file: file.name(), at: file.line_column(span.start) })
    }
}

/// Changes as they are shown: item by item, in an item the worst first.
fn sorted(changes: &[Change]) -> Vec<&Change> {
    let items: Vec<&str> = changes.iter().map(|change| change.item.as_str()).collect();
    let mut sorted: Vec<_> = changes.iter().collect();
    let rank = |change: &Change| change.rule.breaks.first().map_or(usize::MAX, |worst| *worst as usize);
    sorted.sort_by_key(|change| (items.iter().position(|item| *item == change.item), rank(change)));
    sorted
}

/// The changes as JSON.
pub fn json(changes: &[Change], old: &Side<'_>, new: &Side<'_>) -> String {
    let document = Document {
        version: VERSION,
        old: old.name,
        new: new.name,
        breaking: changes.iter().any(Change::is_breaking),
        changes: sorted(changes).into_iter().map(|change| Entry::new(change, old, new)).collect(),
    };
    // Strings, numbers and lists only: this cannot fail.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

/// The changes for people: for each item a list, at the end a summary.
pub fn text(changes: &[Change], old: &Side<'_>, new: &Side<'_>) -> String {
    let mut out = String::new();
    let mut item = None;
    for change in sorted(changes) {
        if item.replace(&change.item) != Some(&change.item) {
            let _ = writeln!(out, "{}", change.item);
        }
        let breaks: Vec<_> = change.rule.breaks.iter().map(|one| one.name()).collect();
        let breaks = if breaks.is_empty() { "harmless".to_owned() } else { breaks.join(", ") };
        let _ = write!(out, "  {breaks}: {}", change.message);
        if !change.everywhere {
            let xlens: Vec<_> = change.xlens.iter().map(u32::to_string).collect();
            let _ = write!(out, ", at XLEN {}", xlens.join(" and "));
        }
        let place = new.locate(change.new).or_else(|| old.locate(change.old));
        let place = place.map_or(String::new(), |Location { file, at }| format!("{file}:{}:{}: ", at.line, at.column));
        let _ = writeln!(out, " [{}]\n    {place}{}", change.rule.name, change.rule.why);
    }
    let _ = writeln!(out, "{}", summary(changes));
    out
}

/// Such as `3 changes: 1 identity, 2 source; 1 harmless`. A change counts for all that it breaks.
fn summary(changes: &[Change]) -> String {
    if changes.is_empty() {
        return "no change".to_owned();
    }
    let count = |test: &dyn Fn(&Change) -> bool| changes.iter().filter(|change| test(change)).count();
    let mut parts: Vec<String> = Vec::new();
    for one in Breaks::ALL {
        match count(&|change| change.rule.breaks.contains(&one)) {
            0 => {}
            n => parts.push(format!("{n} break{} {}", if n == 1 { "s" } else { "" }, one.name())),
        }
    }
    match count(&|change| !change.is_breaking()) {
        0 => {}
        n => parts.push(format!("{n} harmless")),
    }
    format!("{} change{}: {}", changes.len(), if changes.len() == 1 { "" } else { "s" }, parts.join(", "))
}
