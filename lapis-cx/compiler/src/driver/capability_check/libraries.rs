//! Libraries of others whose calls a backend sends to another process.

use std::collections::BTreeMap;

use crate::backend::Backend;
use crate::contract::Contract;
use crate::contract::library::construct::ConstructUse;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::driver as codes;
use crate::driver::Imports;
use crate::lower::plan::construct_uses;

/// Rejects constructs of libraries that a backend does not carry out, once for each place.
pub(super) fn check(contract: &Contract, backend: &dyn Backend) -> Vec<Diagnostic> {
    let can = backend.capabilities();
    let lacks = can.not_carried_out;
    if !can.remote_libraries || lacks.is_empty() {
        return Vec::new();
    }
    let libraries = contract.libraries().filter(|library| library.binding.is_real());
    let mut uses: BTreeMap<_, ConstructUse> = BTreeMap::new();
    for library in libraries {
        for one in library.constructs.iter().cloned().chain(construct_uses(library)) {
            if lacks.contains(&one.construct) {
                uses.entry((one.span.file, one.span.start, one.construct)).or_insert(one);
            }
        }
    }
    let rejected = uses.into_values().map(|one| {
        let message = format!("{}: not implemented by the {} backend", one.what, backend.name());
        let found = Diagnostic::error(&codes::NOT_CARRIED_OUT, message, one.span, "not implemented");
        found.help(one.construct.help())
    });
    rejected.collect()
}

/// Rejects sources of C that are not there, if a backend builds them.
pub(in crate::driver) fn missing_sources(
    contract: &Contract,
    backends: &[&dyn Backend],
    imports: &mut dyn Imports,
) -> Vec<Diagnostic> {
    if !backends.iter().any(|backend| backend.capabilities().remote_libraries) {
        return Vec::new();
    }
    let libraries = contract.libraries().filter(|library| library.binding.is_real());
    let sources = libraries.flat_map(|library| &library.binding.source_spans);
    let missing = sources.filter(|(path, _)| !imports.has_source(path));
    let missing = missing.map(|(path, span)| {
        let message = format!("there is no source file `{path}`");
        let found = Diagnostic::error(&codes::NO_SOURCE, message, *span, "not found beside the spec");
        found.help("correct the path, which is relative to the folder of the spec, or add the file")
    });
    missing.collect()
}
