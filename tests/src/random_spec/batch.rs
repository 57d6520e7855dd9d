//! Generated code of many specs at once: one program answers the vectors of all of them.

use std::path::Path;
use std::process::Command;

use lapis_cx::contract::{Interface, Section};
use lapis_cx::driver::Outcome;
use lapis_cx::lower::ir;

use super::judge::{Fault, has_body, questions, runnable, same_answers};
use crate::agreement::{program, rust, vectors};
use crate::cc::{self, Compiler, Language};
use crate::spec;

/// How generated code is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// C.
    C {
        /// By whom.
        compiler: Compiler,
        /// At -O2; else at -O0 and with the sanitizer of undefined behaviour.
        optimised: bool,
        /// For which XLEN.
        xlen: u32,
    },
    /// Rust, for all XLENs.
    Rust {
        /// At level 3 and as edition 2024; else at level 0, with checks of overflow, as edition 2021.
        optimised: bool,
    },
}

/// All of them.
pub fn builds() -> Vec<Build> {
    let mut all = Vec::new();
    for optimised in [false, true] {
        for compiler in cc::COMPILERS {
            for xlen in [32, 64] {
                all.push(Build::C { compiler, optimised, xlen });
            }
        }
        all.push(Build::Rust { optimised });
    }
    all
}

/// Whether the generated code of some outcomes answers as the oracle does.
///
/// # Errors
///
/// What the compiler or the program said, or the first other answer.
///
/// # Panics
///
/// If files cannot be written.
pub fn agree(outcomes: &[&Outcome], build: Build) -> Result<(), Fault> {
    let folder = tempfile::tempdir().unwrap_or_else(|e| panic!("no temporary folder: {e}"));
    outcomes.iter().for_each(|outcome| spec::write(outcome, folder.path()));
    let interfaces: Vec<_> = outcomes.iter().flat_map(|outcome| runnable(outcome)).collect();
    match build {
        Build::C { compiler, optimised, xlen } => in_c(&interfaces, folder.path(), compiler, optimised, xlen),
        Build::Rust { optimised } => in_rust(&interfaces, folder.path(), optimised),
    }
    .map_err(|what| Fault { kind: format!("{build:?}"), what })
}

fn in_c(
    interfaces: &[(&Interface, ir::Interface)],
    folder: &Path,
    compiler: Compiler,
    optimised: bool,
    xlen: u32,
) -> Result<(), String> {
    let section = |interface: &'_ Interface| interface.sections.iter().position(|s| s.xlen == xlen);
    let parts: Vec<(&Interface, &Section)> =
        interfaces.iter().filter_map(|(i, _)| Some((*i, i.sections.get(section(i)?)?))).collect();
    // Where nothing runs at this XLEN there is nothing to ask.
    let runs = |section: &Section| section.commands.iter().any(has_body) || !section.csrs.is_empty();
    let parts: Vec<_> = parts.into_iter().filter(|(_, section)| runs(section)).collect();
    if parts.is_empty() {
        return Ok(());
    }
    let driver = folder.join("driver.c");
    std::fs::write(&driver, program::text(&parts)).map_err(|e| e.to_string())?;
    let mut command = compiler.command(Language::C11);
    match optimised {
        true => command.arg("-O2"),
        false => command.arg("-O0").args(compiler.sanitize()),
    };
    command.args(cc::WARNINGS).arg(format!("-DCX_XLEN={xlen}")).arg("-I").arg(folder.join("include"));
    command.arg(&driver);
    command.args(parts.iter().map(|(interface, _)| folder.join(format!("src/{}_fallback.c", spec::stem(interface)))));
    let to = folder.join("program");
    built(command.arg("-o").arg(&to))?;
    let asked: Vec<_> = parts.iter().map(|(_, section)| questions(section)).collect();
    let encoded: Vec<_> = parts.iter().zip(&asked).map(|((_, s), (v, _))| vectors::encode(s, v)).collect();
    let words = program::run(&to, &[], &program::input(&encoded))?;
    let mut rest = words.as_slice();
    for ((interface, section), (vectors, expected)) in parts.iter().zip(&asked) {
        let size = (vectors.len() * vectors::answer_words(section)).min(rest.len());
        let (mine, others) = rest.split_at(size);
        rest = others;
        same_answers(vectors, expected, &vectors::decode(section, mine))
            .map_err(|what| format!("{}:{}: {what}", interface.package, interface.name))?;
    }
    Ok(())
}

fn in_rust(interfaces: &[(&Interface, ir::Interface)], folder: &Path, optimised: bool) -> Result<(), String> {
    let mut modules = Vec::new();
    for (interface, lowered) in interfaces {
        for (section, lowered) in interface.sections.iter().zip(&lowered.sections) {
            modules.push(rust::Module { interface, section, lowered });
        }
    }
    if modules.is_empty() {
        return Ok(());
    }
    let source = folder.join("agree.rs");
    std::fs::write(&source, rust::text(&modules)).map_err(|e| e.to_string())?;
    let (edition, flags) = match optimised {
        true => ("2024", ["-Copt-level=3", "-Cdebug-assertions=off"]),
        false => ("2021", ["-Copt-level=0", "-Cdebug-assertions=on"]),
    };
    let to = folder.join("program");
    built(crate::rust::command("rustc", edition).args(flags).arg(&source).arg("-o").arg(&to))?;
    for rust::Module { interface, section, .. } in modules {
        let (vectors, expected) = questions(section);
        let input = program::bytes(&vectors::encode(section, &vectors).concat());
        let said = |what| format!("{}:{}: {what}", interface.package, interface.name);
        let words = program::run(&to, &[&rust::name(interface, section)], &input).map_err(said)?;
        same_answers(&vectors, &expected, &vectors::decode(section, &words)).map_err(said)?;
    }
    Ok(())
}

/// Runs a compiler.
fn built(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
