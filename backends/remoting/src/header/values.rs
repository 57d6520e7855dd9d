//! The names that cases of enums have in the headers.

use std::collections::{BTreeMap, HashSet};

use lapis_cx::diagnostic::Diagnostic;
use lapis_cx::diagnostic::catalogue::driver as codes;
use lapis_cx::source::Span;

use super::report::Finding;
use super::{Case, Fact, Probe};

/// How the headers spell the cases of enums.
pub(super) struct Spellings {
    /// The spelling of each enum, by its position. At least half of its cases are declared as such, and more if the spelling is a guess.
    chosen: BTreeMap<usize, usize>,
    missing: Vec<(usize, Diagnostic)>,
}

impl Probe {
    pub(super) fn spellings(&self, findings: &[Finding<'_>]) -> Spellings {
        // gcc reports a name that is not declared once, even if several checks use it.
        let unusable = self.names(findings, |finding| !finding.is_conflict());
        let undeclared = self.names(findings, |finding| finding.message.contains("undeclared"));
        let cases = || {
            self.checks.iter().enumerate().filter_map(|(at, check)| match &check.fact {
                Fact::Value { name, case: Some(case), .. } => Some((at, check.span, name, *case)),
                _ => None,
            })
        };
        let is_declared = |name: &str| !unusable.contains(name);
        // The declared cases and all cases, by enum and spelling.
        let mut counts: BTreeMap<(usize, usize), (usize, usize)> = BTreeMap::new();
        for (_, _, name, case) in cases() {
            let count = counts.entry((case.of, case.spelling)).or_default();
            *count = (count.0 + usize::from(is_declared(name)), count.1 + 1);
        }
        let mut chosen = BTreeMap::new();
        for (of, spelling) in counts.keys().copied() {
            let declared = |spelling: usize| counts.get(&(of, spelling)).map_or(0, |count| count.0);
            let (known, all) = counts.get(&(of, spelling)).copied().unwrap_or_default();
            let is_better = chosen.get(&of).is_none_or(|best| known > declared(*best));
            // A single derived name can be that of something else, as `EOF` for a case `eof`.
            let is_known = if spelling == 0 { known > 0 && 2 * known >= all } else { known > 1 && 2 * known > all };
            if is_known && is_better {
                chosen.insert(of, spelling);
            }
        }
        let known: HashSet<Span> =
            cases().filter(|(_, _, name, _)| is_declared(name)).map(|(_, span, ..)| span).collect();
        let missing = cases().filter(|(_, span, name, case)| {
            chosen.get(&case.of) == Some(&case.spelling) && !known.contains(span) && undeclared.contains(name.as_str())
        });
        let missing = missing.map(|(at, span, name, case)| {
            let (known, all) = counts.get(&(case.of, case.spelling)).copied().unwrap_or_default();
            let message = format!("the headers do not declare `{name}`");
            let label = format!("{known} of the {all} cases of the enum are declared");
            let diagnostic = Diagnostic::warning(&codes::HEADER_DIFFERS, message, span, label);
            (at, diagnostic.help("correct the name, or remove the case; if another header declares it, add `c header`"))
        });
        let missing = missing.collect();
        Spellings { chosen, missing }
    }

    /// Returns the names of values of which a finding satisfies the predicate.
    fn names(&self, findings: &[Finding<'_>], is_such: impl Fn(&Finding<'_>) -> bool) -> HashSet<&str> {
        let name = |finding: &Finding<'_>| match &self.checks.get(finding.check?)?.fact {
            Fact::Value { name, .. } => Some(name.as_str()),
            _ => None,
        };
        findings.iter().filter(|finding| is_such(finding)).filter_map(name).collect()
    }
}

impl Spellings {
    /// Whether a case has a name that the headers use for the cases of its enum.
    pub(super) fn has(&self, case: Case) -> bool {
        case.spelling == 0 || self.chosen.get(&case.of) == Some(&case.spelling)
    }

    /// The cases that the headers do not declare, with the positions of their checks.
    pub(super) fn missing(self) -> Vec<(usize, Diagnostic)> {
        self.missing
    }
}
