//! Generated C compiles without a warning as C11 and as C++17, by gcc and clang, at each XLEN; a header needs nothing
//! before it; two headers live in one file.

#![allow(clippy::unwrap_used, clippy::panic)]

mod rust;

use std::path::Path;

use lapis_cx::backend::platforms;
use lapis_cx::driver::Outcome;
use lapis_cx_tests::cc::{COMPILERS, LANGUAGES, WARNINGS, run};
use lapis_cx_tests::spec;

/// Compiles one file in every language, by every compiler, at each of these XLENs, without a warning.
fn compiles_everywhere(source: &Path, include: &Path, to: &Path, xlens: &[u32]) {
    for compiler in COMPILERS {
        for language in LANGUAGES {
            for xlen in xlens {
                let mut command = compiler.command(language);
                command.args(WARNINGS).args(["-O2", "-c"]).arg(format!("-DCX_XLEN={xlen}"));
                // What libraries are made of includes the CX API.
                for of in ["runtime", "core"] {
                    command.arg("-I").arg(spec::folder().join(format!("../lapis-cx/{of}/include")));
                }
                command.arg("-I").arg(include).arg(source).arg("-o").arg(to);
                run(&mut command);
            }
        }
    }
}

/// What a file is printed from: the XLEN of a platform, which has one; else both.
fn xlens(outcome: &Outcome, path: &str) -> Vec<u32> {
    let platform = platforms(spec::contract(outcome)).find(|platform| path.contains(&format!("__{}", platform.name)));
    platform.map_or_else(|| vec![32, 64], |platform| vec![platform.xlen])
}

/// All shipped specs, built into one folder: platforms lean on the interfaces of others.
fn built(folder: &Path) -> Vec<Outcome> {
    let outcomes = spec::shipped().into_iter().map(|name| spec::build(&name));
    let outcomes: Vec<_> = outcomes.inspect(|outcome| spec::write(outcome, folder)).collect();
    // The headers of a library that is not here.
    for library in outcomes.iter().flat_map(|outcome| spec::contract(outcome).libraries()) {
        let is_real = library.binding.soname.is_some() && library.functions.iter().any(|f| f.has_body());
        for header in library.binding.headers.iter().filter(|_| is_real) {
            std::fs::write(folder.join("include").join(header), "").unwrap();
        }
    }
    outcomes
}

#[test]
fn headers_and_sources_have_no_warnings() {
    let folder = tempfile::tempdir().unwrap();
    let include = folder.path().join("include");
    for outcome in built(folder.path()) {
        let mut compiled = 0;
        for file in &outcome.files {
            let (path, xlens) = (folder.path().join(&file.path), xlens(&outcome, &file.path));
            if file.path.starts_with("remoting/") {
                // It needs headers of others, and has tests of its own (`tests/remoting`).
            } else if file.path.ends_with(".c") {
                compiles_everywhere(&path, &include, &folder.path().join("fallback.o"), &xlens);
                compiled += 1;
            } else if let Some(header) = file.path.strip_prefix("include/") {
                // Nothing stands before the include, and including twice does no harm.
                let unit = folder.path().join("unit.c");
                let text = format!("#include \"{header}\"\n#include \"{header}\"\nint unit;\n");
                std::fs::write(&unit, text).unwrap();
                compiles_everywhere(&unit, &include, &folder.path().join("unit.o"), &xlens);
                compiled += 1;
            }
        }
        let contract = spec::contract(&outcome);
        let items = contract.interfaces().filter(|i| !i.is_abstract).count() + platforms(contract).count();
        let libraries = contract.libraries().filter(|library| library.functions.iter().any(|f| f.has_body())).count();
        assert_eq!(compiled, 2 * (items + libraries), "a header and a source for each");
    }
}

#[test]
fn headers_of_several_specs_share_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let outcomes = built(folder.path());
    for xlen in [32, 64] {
        let mut text = String::new();
        for outcome in &outcomes {
            let headers = outcome.files.iter().filter(|f| xlens(outcome, &f.path).contains(&xlen));
            for file in headers.filter_map(|f| f.path.strip_prefix("include/")) {
                text += &format!("#include \"{file}\"\n");
            }
        }
        let unit = folder.path().join("unit.c");
        std::fs::write(&unit, text + "int unit;\n").unwrap();
        compiles_everywhere(&unit, &folder.path().join("include"), &folder.path().join("unit.o"), &[xlen]);
    }
}
