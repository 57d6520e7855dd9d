//! What several roots of one command say together.

use std::path::Path;

use lapis_cx::backend::Backend;
use lapis_cx::driver::Outcome;
use lapis_cx::driver::together::Together;

use crate::report::Reporter;

/// Shows what a compiled root has in common with those before it, also of the files that these backends would write;
/// whether that is nothing.
pub fn stands_alone(
    together: &mut Option<Together>,
    spec: &Path,
    outcome: &Outcome,
    backends: &[&dyn Backend],
    reporter: &mut Reporter,
) -> bool {
    let Some(together) = together else { return true };
    let clashes = together.add(&spec.display().to_string(), &outcome.sources, outcome.contract.as_ref(), backends);
    let is_alone = clashes.is_empty();
    reporter.show(clashes, together.sources());
    is_alone
}
