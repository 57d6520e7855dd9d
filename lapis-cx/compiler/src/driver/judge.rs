//! Examples and laws of every interface, and what it says of live state, unless the same ones have passed before.

use crate::contract::Contract;
use crate::diagnostic::Diagnostic;
use crate::oracle::{examples, laws, live, verdict};

use super::{Effort, Verdicts};

pub(super) fn judge(contract: &Contract, effort: Effort, verdicts: &mut dyn Verdicts) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for interface in contract.interfaces() {
        let key = verdict::key(interface, effort);
        if verdicts.passed(&key) {
            continue;
        }
        let mut findings = examples::check(interface);
        findings.extend(laws::check(interface, effort));
        findings.extend(live::check(interface));
        if findings.is_empty() {
            verdicts.record(&key);
        }
        found.extend(findings);
    }
    found
}
