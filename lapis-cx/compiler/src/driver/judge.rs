//! Examples and laws of every interface, and what it says of live state, unless the same ones have passed before.

use crate::contract::{Contract, Item, Section};
use crate::diagnostic::Diagnostic;
use crate::oracle::{examples, laws, live, verdict};

use super::{Effort, Verdicts};

pub(super) fn judge(contract: &Contract, effort: Effort, verdicts: &mut dyn Verdicts) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let says_something = |s: &Section| !s.examples.is_empty() || !s.laws.is_empty() || s.live.is_some();
    for interface in contract.interfaces().filter(|i| i.sections.iter().any(says_something)) {
        let key = verdict::key(interface, effort);
        if verdicts.passed(&key) {
            continue;
        }
        let mut findings = examples::check(interface);
        findings.extend(laws::check(&interface.sections, effort));
        findings.extend(live::check(interface));
        if findings.is_empty() {
            verdicts.record(&key);
        }
        found.extend(findings);
    }
    for item in &contract.items {
        let Item::Laws(laws) = item else { continue };
        let key = verdict::key_of_laws(&laws.sections, effort);
        if !verdicts.passed(&key) {
            let findings = laws::check(&laws.sections, effort);
            if findings.is_empty() {
                verdicts.record(&key);
            }
            found.extend(findings);
        }
    }
    found
}
