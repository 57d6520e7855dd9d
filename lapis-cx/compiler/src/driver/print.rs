//! Lowers a contract and has it printed, on all cores: interface by interface, and each backend a part of them at a time.

use crate::backend::{Backend, EmitError, File, Input};
use crate::contract::library::Library;
use crate::contract::{Contract, Interface};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::driver::BACKEND_DEFECT;
use crate::lower::{Abi, Program, lower_interface, lower_library};

use super::parallel;

/// Parts of a contract for each thread: what is left when the first one is done is small then.
const PARTS: usize = 4;

/// The files of all backends, each in source order; else what is wrong with the compiler.
pub(super) fn print(
    contract: &Contract,
    backends: &[&dyn Backend],
    workers: usize,
) -> Result<Vec<File>, Vec<Diagnostic>> {
    let program = lowered(contract, workers).ok_or_else(|| vec![parallel::panicked("lowering")])?;
    let count = program.interfaces.len();
    let len = if workers == 1 { count } else { count.div_ceil(workers * PARTS) }.max(1);
    let parts: Vec<_> = (0..count.max(1)).step_by(len).map(|start| start..count.min(start + len)).collect();
    let jobs: Vec<_> = backends.iter().flat_map(|backend| parts.iter().map(move |part| (*backend, part))).collect();
    let input = Input::new(contract, &program);
    let printed = parallel::map(&jobs, workers, |(backend, part)| backend.emit(input.part((*part).clone())));
    let mut files = Vec::new();
    let mut defects: Vec<(&str, Diagnostic)> = Vec::new();
    for ((backend, _), printed) in jobs.iter().zip(printed) {
        let name = backend.name();
        match printed {
            Some(Ok(part)) => files.extend(part),
            // One backend is said once.
            _ if defects.iter().any(|(said, _)| *said == name) => {}
            Some(Err(error)) => defects.push((name, defect(&error))),
            None => defects.push((name, parallel::panicked(&format!("backend `{name}`")))),
        }
    }
    if defects.is_empty() { Ok(files) } else { Err(defects.into_iter().map(|(_, defect)| defect).collect()) }
}

fn lowered(contract: &Contract, workers: usize) -> Option<Program> {
    let interfaces: Vec<&Interface> = contract.interfaces().collect();
    let lowered = parallel::map(&interfaces, workers, |interface| lower_interface(interface));
    let libraries: Vec<&Library> = contract.libraries().collect();
    let routines = parallel::map(&libraries, workers, |library| lower_library(library, Abi::Preserved));
    Some(Program {
        interfaces: lowered.into_iter().collect::<Option<_>>()?,
        libraries: routines.into_iter().collect::<Option<_>>()?,
    })
}

fn defect(error: &EmitError) -> Diagnostic {
    Diagnostic::without_place(&BACKEND_DEFECT, error.to_string())
}
