//! Generated C of many specs at once: one program answers the vectors of all of them.

use lapis_cx::contract::{Interface, Section};
use lapis_cx::driver::Outcome;

use super::judge::{Fault, questions, runnable, same_answers};
use crate::agreement::{program, vectors};
use crate::cc::{self, Compiler, Language};
use crate::spec;

/// How generated C is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Build {
    /// By whom.
    pub compiler: Compiler,
    /// At -O2; else at -O0 and with the sanitizer of undefined behaviour.
    pub optimised: bool,
    /// For which XLEN.
    pub xlen: u32,
}

/// All of them.
pub fn builds() -> Vec<Build> {
    let mut all = Vec::new();
    for optimised in [false, true] {
        for compiler in cc::COMPILERS {
            for xlen in [32, 64] {
                all.push(Build { compiler, optimised, xlen });
            }
        }
    }
    all
}

/// Whether the generated C of some outcomes answers as the oracle does.
///
/// # Errors
///
/// What the compiler or the program said, or the first other answer.
///
/// # Panics
///
/// If files cannot be written.
pub fn agree(outcomes: &[&Outcome], build: Build) -> Result<(), Fault> {
    let fault = |what: String| Fault { kind: format!("the generated C, {build:?}"), what };
    let folder = tempfile::tempdir().map_err(|e| fault(e.to_string()))?;
    outcomes.iter().for_each(|outcome| spec::write(outcome, folder.path()));
    let resolved: Vec<_> =
        outcomes.iter().flat_map(|outcome| runnable(outcome)).map(|(interface, _)| interface).collect();
    let section = |interface: &&Interface| interface.sections.iter().position(|s| s.xlen == build.xlen);
    let parts: Vec<(&Interface, &Section)> =
        resolved.iter().filter_map(|i| Some((*i, i.sections.get(section(i)?)?))).collect();
    if parts.is_empty() {
        return Ok(());
    }
    let driver = folder.path().join("driver.c");
    std::fs::write(&driver, program::text(&parts)).map_err(|e| fault(e.to_string()))?;
    let mut command = build.compiler.command(Language::C11);
    match build.optimised {
        true => command.arg("-O2"),
        false => command.arg("-O0").args(build.compiler.sanitize()),
    };
    command.args(cc::WARNINGS).arg(format!("-DCX_XLEN={}", build.xlen)).arg("-I").arg(folder.path().join("include"));
    let to = folder.path().join("program");
    command.arg(&driver);
    command.args(
        parts.iter().map(|(interface, _)| folder.path().join(format!("src/{}_fallback.c", spec::stem(interface)))),
    );
    let output = command.arg("-o").arg(&to).output().map_err(|e| fault(e.to_string()))?;
    if !output.status.success() {
        return Err(fault(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let asked: Vec<_> = parts.iter().map(|(_, section)| questions(section)).collect();
    let encoded: Vec<_> = parts.iter().zip(&asked).map(|((_, s), (v, _))| vectors::encode(s, v)).collect();
    let words = program::run(&to, &[], &program::input(&encoded)).map_err(fault)?;
    let mut rest = words.as_slice();
    for ((interface, section), (vectors, expected)) in parts.iter().zip(&asked) {
        let size = (vectors.len() * vectors::answer_words(section)).min(rest.len());
        let (mine, others) = rest.split_at(size);
        rest = others;
        same_answers(vectors, expected, &vectors::decode(section, mine))
            .map_err(|what| fault(format!("{}:{}: {what}", interface.package, interface.name)))?;
    }
    Ok(())
}
