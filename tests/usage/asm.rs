//! The texts for assembly.

use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use lapis_cx_tests::cc::run;

use crate::specs;

#[test]
fn functions_and_lines_are_assembled() {
    let folder = tempfile::tempdir().unwrap();
    let specs = specs(folder.path());
    for xlen in [32, 64] {
        let (mut stems, mut text) = (HashSet::new(), String::new());
        let mut labels = 0;
        for spec in &specs {
            for (interface, usage) in spec.usages("asm") {
                let stem = Path::new(&usage.files[0]).file_stem().unwrap().to_string_lossy().into_owned();
                let section = interface.sections.iter().find(|section| section.xlen == xlen);
                // Of two with the same names the first one.
                let Some(section) = section.filter(|_| stems.insert(stem.clone())) else { continue };
                let function = spec.folder.join(format!("asm/use_{stem}.S"));
                fs::write(&function, &usage.program).unwrap();
                let _ = writeln!(text, "#include \"{}\"", function.display());
                let commands = usage.commands.iter().filter(|s| section.commands.iter().any(|c| c.name == s.name));
                let csrs = usage.csrs.iter().filter(|s| section.csrs.iter().any(|c| c.name == s.name));
                for snippet in commands.chain(csrs) {
                    let _ = writeln!(text, "label_{labels}:\n{}", snippet.code);
                    labels += 1;
                }
            }
        }
        assert!(labels > 200, "{labels} commands and CSRs are not all");
        let source = folder.path().join(format!("unit{xlen}.S"));
        fs::write(&source, text).unwrap();
        let preprocessed = folder.path().join(format!("unit{xlen}.s"));
        let (march, mabi) = (format!("-march=rv{xlen}i"), if xlen == 32 { "-mabi=ilp32" } else { "-mabi=lp64" });
        let clang = |arguments: &[&str]| {
            let mut clang = Command::new("clang");
            clang.arg(format!("--target=riscv{xlen}")).args([&march, mabi, "-Wall", "-Werror"]).args(arguments);
            clang.arg(&source).current_dir(folder.path());
            clang
        };
        run(&mut clang(&["-Wa,--fatal-warnings", "-c", "-o", "clang.o"]));
        let mut preprocess = clang(&["-E"]);
        run(preprocess.arg("-o").arg(&preprocessed));
        let mut gnu = Command::new("riscv64-linux-gnu-as");
        run(gnu
            .args(["--fatal-warnings", &format!("{march}_zicsr"), mabi, "-o", "gnu.o"])
            .arg(&preprocessed)
            .current_dir(folder.path()));
    }
}
