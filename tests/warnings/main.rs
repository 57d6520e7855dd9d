//! Generated C compiles without a warning as C11 and as C++17, by gcc and clang, at each XLEN; a header needs nothing
//! before it; two headers live in one file.

#![allow(clippy::unwrap_used, clippy::panic)]

mod rust;

use std::path::Path;

use lapis_cx_tests::cc::{COMPILERS, LANGUAGES, WARNINGS, run};
use lapis_cx_tests::spec;

/// Compiles one file in every language, by every compiler, at every XLEN, without a warning.
fn compiles_everywhere(source: &Path, include: &Path, to: &Path) {
    for compiler in COMPILERS {
        for language in LANGUAGES {
            for xlen in [32, 64] {
                let mut command = compiler.command(language);
                command.args(WARNINGS).args(["-O2", "-c"]).arg(format!("-DCX_XLEN={xlen}"));
                command.arg("-I").arg(include).arg(source).arg("-o").arg(to);
                run(&mut command);
            }
        }
    }
}

#[test]
fn headers_and_fallbacks_have_no_warnings() {
    for name in spec::shipped() {
        let outcome = spec::build(&name);
        let folder = tempfile::tempdir().unwrap();
        spec::write(&outcome, folder.path());
        let include = folder.path().join("include");
        let mut compiled = 0;
        for file in &outcome.files {
            let path = folder.path().join(&file.path);
            if file.path.ends_with(".c") {
                compiles_everywhere(&path, &include, &folder.path().join("fallback.o"));
                compiled += 1;
            } else if let Some(header) = file.path.strip_prefix("include/") {
                // Nothing stands before the include, and including twice does no harm.
                let unit = folder.path().join("unit.c");
                let text = format!("#include \"{header}\"\n#include \"{header}\"\nint unit;\n");
                std::fs::write(&unit, text).unwrap();
                compiles_everywhere(&unit, &include, &folder.path().join("unit.o"));
                compiled += 1;
            }
        }
        let interfaces = spec::contract(&outcome).interfaces().filter(|i| !i.is_abstract).count();
        assert_eq!(compiled, 2 * interfaces, "{name}: a header and a fallback for each interface");
    }
}

#[test]
fn headers_of_several_specs_share_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::new();
    for name in spec::shipped() {
        let outcome = spec::build(&name);
        spec::write(&outcome, folder.path());
        for file in outcome.files.iter().filter_map(|f| f.path.strip_prefix("include/")) {
            text += &format!("#include \"{file}\"\n");
        }
    }
    let unit = folder.path().join("unit.c");
    std::fs::write(&unit, text + "int unit;\n").unwrap();
    compiles_everywhere(&unit, &folder.path().join("include"), &folder.path().join("unit.o"));
}
