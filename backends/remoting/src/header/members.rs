//! Members of C structs that the specification does not describe.

use std::collections::BTreeMap;

use lapis_cx::contract::library::ctype;
use lapis_cx::diagnostic::catalogue::driver as codes;
use lapis_cx::diagnostic::{Diagnostic, Severity};
use lapis_cx::source::Span;

use super::facts::MORE_MEMBERS;
use super::report::{quoted_after, region};
use super::{Fact, Probe};

/// Members of a header's struct that precede a described member, or the end of the struct.
pub(super) struct Undescribed {
    /// The position of the check that found them.
    pub(super) check: usize,
    /// The described member: `` `x` of `p_Item` ``.
    what: String,
    names: Vec<String>,
}

impl Probe {
    /// The members that are not described, by the span of the described member, or of the struct, behind them.
    pub(super) fn undescribed(&self, output: &str) -> BTreeMap<Span, Undescribed> {
        let mut of_checks: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for (at, name) in output.lines().filter_map(missing_initializer) {
            let names = of_checks.entry(at).or_default();
            names.extend((names.last() != Some(&name)).then_some(name));
        }
        let mut all = BTreeMap::new();
        for (at, names) in of_checks {
            let Some(check) = self.checks.get(at) else { continue };
            let Fact::Members { of, described } = &check.fact else { continue };
            let mut before = Vec::new();
            for name in names {
                match described.iter().find(|(one, _)| one == name) {
                    Some((_, span)) if !before.is_empty() => {
                        let what = format!("`{name}` of `{of}`");
                        let names = std::mem::take(&mut before);
                        all.insert(*span, Undescribed { check: at, what, names });
                    }
                    Some(_) => {}
                    None => before.push(name.to_owned()),
                }
            }
            // If there are more members than the probe finds, described members may follow.
            if (1..MORE_MEMBERS).contains(&before.len()) {
                let what = format!("the end of `{of}`");
                all.insert(check.span, Undescribed { check: at, what, names: before });
            }
        }
        all
    }
}

impl Undescribed {
    /// Reports undescribed members of `bytes` bytes before `what`, with their names if the compiler printed them.
    pub(super) fn with_size(named: Option<Undescribed>, what: &str, bytes: i64, span: Span) -> Diagnostic {
        let unnamed = Undescribed { check: 0, what: what.to_owned(), names: Vec::new() };
        named.unwrap_or(unnamed).diagnostic(span, bytes)
    }

    /// Reports members that take `bytes` bytes beside padding. 8 bytes or more may be a pointer.
    pub(super) fn diagnostic(&self, span: Span, bytes: i64) -> Diagnostic {
        let entry = &codes::HEADER_DIFFERS;
        let message = format!("the header's struct has members before {} that are not described", self.what);
        let names: Vec<String> = self.names.iter().map(|name| format!("`{name}`")).collect();
        let names = names.join(", ");
        let label = match (bytes, names.is_empty()) {
            (0, _) => format!("{names} in the header"),
            (_, true) => format!("{bytes} bytes more in the header"),
            (_, false) => format!("{bytes} bytes more in the header, with {names}"),
        };
        let diagnostic = Diagnostic::warning(entry, message, span, label)
            .help("describe them, except bit-fields; `local` marks a member that only one side uses");
        let effect = match bytes {
            0 => "members that are not described are not sent",
            1..8 => "members that are not described are not sent, and Rust cannot use the struct",
            _ => {
                "members that are not described are not sent: a pointer among them is null or private on the other side"
            }
        };
        let may_be_padding = names.is_empty() && bytes < i64::from(ctype::ADDRESS_BYTES);
        let severity = if may_be_padding { Severity::Note } else { Severity::Warning };
        Diagnostic { severity, ..diagnostic }.note(effect)
    }
}

/// The check and the member in a compiler's message about an initializer that lacks a member. Members without a name have none.
fn missing_initializer(line: &str) -> Option<(usize, &str)> {
    // gcc: "missing initializer for field 'x' of …"; clang: "missing field 'x' initializer".
    let (place, message) = line.split_once(": warning: ").or_else(|| line.split_once(": error: "))?;
    let message = message.strip_prefix("missing ").filter(|message| message.contains("initializer"))?;
    let (name, _) = quoted_after(message, "field '")?;
    let is_named = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || !c.is_ascii());
    Some((region(place)?, name)).filter(|_| is_named)
}
