//! The texts for C and C++.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use lapis_cx::backend::Usage;
use lapis_cx::contract::core::Type;
use lapis_cx::contract::{Form, Interface, Section, Slot};
use lapis_cx::usage::Way;
use lapis_cx_backend_c::naming::{Names, Scope, local};
use lapis_cx_tests::cc::{COMPILERS, Compiler, LANGUAGES, Language, WARNINGS, run};

use crate::{Spec, is_as_said, said, specs};

/// What one interface gives, and the file with its program.
struct Shown<'a> {
    spec: &'a Spec,
    interface: &'a Interface,
    usage: Usage,
    program: PathBuf,
    stem: String,
}

/// All interfaces, each with its program beside the header that it includes. Of two with the same names the first one.
fn shown(specs: &[Spec]) -> Vec<Shown<'_>> {
    let mut stems = HashSet::new();
    let mut all = Vec::new();
    for spec in specs {
        for (interface, usage) in spec.usages("c") {
            let stem = Names::new(interface).stem;
            if !stems.insert(stem.clone()) {
                continue;
            }
            let program = spec.folder.join(format!("include/use_{stem}.c"));
            fs::write(&program, &usage.program).unwrap();
            all.push(Shown { spec, interface, usage, program, stem });
        }
    }
    all
}

impl Shown<'_> {
    fn section(&self, xlen: u32) -> Option<&Section> {
        self.interface.sections.iter().find(|section| section.xlen == xlen)
    }

    /// Functions of which each has the lines for one command or CSR, with its operands as parameters.
    fn functions(&self, xlen: u32) -> String {
        let Some(section) = self.section(xlen) else { return String::new() };
        let names = Names::new(self.interface);
        let taken = names.taken(self.interface);
        let mut text = String::new();
        for (i, snippet) in self.usage.commands.iter().enumerate() {
            let Some(command) = section.commands.iter().find(|c| c.name == snippet.name) else { continue };
            let mut scope = Scope::inside(&taken);
            let (mut params, mut constants) = (Vec::new(), String::new());
            for operand in &command.operands {
                let name: Cow<'_, str> = scope.fresh(local(&operand.name));
                let second = operand.slot == Slot::Rs2 && command.forms.contains(&Form::I);
                if operand.slot == Slot::Imm || second {
                    let _ = writeln!(constants, "    enum {{ {name} = 0 }};");
                } else {
                    params.push(format!("{} {name}", c_type(&names, section, &operand.ty)));
                }
            }
            let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
            let _ = writeln!(text, "void use_{}_{i}({params}) {{\n{constants}{}}}", self.stem, snippet.code);
        }
        for (i, snippet) in self.usage.csrs.iter().enumerate() {
            if section.csrs.iter().any(|csr| csr.name == snippet.name) {
                let _ = writeln!(text, "void use_{}_csr_{i}(void) {{\n{}}}", self.stem, snippet.code);
            }
        }
        text
    }
}

/// The C type of an operand.
fn c_type(names: &Names, section: &Section, ty: &Type) -> String {
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::Enum { id, .. } => names.member(&section.enums[id.index()].name),
        ty => {
            let sign = if ty.is_signed() { "" } else { "u" };
            format!("{sign}int{}_t", ty.width().next_power_of_two().max(8))
        }
    }
}

/// The folders of the runtime's headers.
fn with_headers(mut command: Command) -> Command {
    for folder in ["../lapis-cx/runtime/include", "../lapis-cx/core/include"] {
        command.arg("-I").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    }
    command
}

#[test]
fn programs_and_lines_have_no_warnings() {
    let folder = tempfile::tempdir().unwrap();
    let specs = specs(folder.path());
    let all = shown(&specs);
    for xlen in [32, 64] {
        let mut text = String::new();
        for one in all.iter().filter(|one| one.section(xlen).is_some()) {
            let _ =
                writeln!(text, "#define main main_{}\n#include \"{}\"\n#undef main", one.stem, one.program.display());
            text += &one.functions(xlen);
        }
        let functions = text.matches("void use_").count();
        assert!(functions > 200, "{functions} commands and CSRs are not all");
        let unit = folder.path().join(format!("unit{xlen}.c"));
        fs::write(&unit, text).unwrap();
        for compiler in COMPILERS {
            for language in LANGUAGES {
                let mut command = with_headers(compiler.command(language));
                command.args(WARNINGS).args(["-fsyntax-only", "-Wno-unused-variable", "-Wno-unused-but-set-variable"]);
                run(command.arg(format!("-DCX_XLEN={xlen}")).arg(&unit));
            }
        }
    }
}

/// Compiles each program alone, with the fallbacks, by the compiler and at the XLEN given, links all with a main function
/// that takes a number, and runs each.
fn runs(compiler: Compiler, language: Language, xlen: u32) {
    let folder = tempfile::tempdir().unwrap();
    let specs = specs(folder.path());
    let all: Vec<Shown> = shown(&specs).into_iter().filter(|one| one.section(xlen).is_some()).collect();
    let mut sources = Vec::new();
    let (mut heads, mut cases) = (String::new(), String::new());
    for (i, one) in all.iter().enumerate() {
        let source = folder.path().join(format!("program{i}.c"));
        fs::write(&source, format!("#define main main_{i}\n#include \"{}\"\n", one.program.display())).unwrap();
        sources.extend([source, one.spec.folder.join(format!("src/{}_fallback.c", one.stem))]);
        let _ = writeln!(heads, "int main_{i}(void);");
        let _ = writeln!(cases, "    case {i}: return main_{i}();");
    }
    let main = folder.path().join("main.c");
    let text = format!(
        "#include <stdlib.h>\n{heads}int main(int argc, char **argv) {{\n    (void)argc;\n    switch (atoi(argv[1])) {{\n{cases}    }}\n    \
         return 2;\n}}\n"
    );
    fs::write(&main, text).unwrap();
    sources.push(main);
    let mut command = with_headers(compiler.command(language));
    command.args(WARNINGS).arg("-c").arg(format!("-DCX_XLEN={xlen}")).current_dir(folder.path());
    for one in &specs {
        command.arg("-I").arg(one.folder.join("include"));
    }
    run(command.args(&sources));
    let program = folder.path().join("all");
    let mut link = Command::new(compiler.tool(language).0);
    for source in &sources {
        link.arg(folder.path().join(source.file_name().unwrap()).with_extension("o"));
    }
    // Cargo puts the library beside the tests that depend on its crate.
    link.arg(std::env::current_exe().unwrap().with_file_name("liblapis_cx_runtime.a"));
    run(link.args(["-lpthread", "-ldl", "-lm", "-o"]).arg(&program));
    let mut numbers = 0;
    for (i, one) in all.iter().enumerate() {
        let output = Command::new(&program).arg(i.to_string()).output().unwrap();
        let stateful = one.interface.sections.iter().any(|s| s.state.is_some());
        let empty = one.interface.sections.iter().all(|s| s.commands.is_empty() && s.csrs.is_empty());
        // Without hardware there is no device with state, and nothing that has no commands.
        let absent = empty || (Way::of(one.interface) == Some(Way::Device) && stateful);
        assert!(!(absent && one.spec.compiled.is_shipped), "each shipped spec shows a program that runs");
        assert_eq!(output.status.code(), Some(i32::from(absent)), "{}: {output:?}\n{}", one.stem, one.usage.program);
        if !absent {
            let said = said(&one.usage.program, "printf(", ["/*", "*/"]);
            numbers += is_as_said(&one.stem, &said, &String::from_utf8_lossy(&output.stdout));
        }
    }
    assert!(numbers > 15, "{numbers} results are said");
}

#[test]
fn c_programs_run() {
    runs(Compiler::Gcc, Language::C11, 64);
}

#[test]
fn cpp_programs_run() {
    runs(Compiler::Clang, Language::Cpp17, 32);
}
