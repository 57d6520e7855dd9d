//! The texts for Rust.

use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use lapis_cx::backend::Usage;
use lapis_cx::contract::core::Type;
use lapis_cx::contract::{Form, Interface, Section, Slot};
use lapis_cx_backend_rust::naming::{self, Scope};
use lapis_cx_backend_rust::usage::{GUARD, XCMDS};
use lapis_cx_tests::cc::run;
use lapis_cx_tests::rust::{command, with_runtime};

use crate::{Spec, is_as_said, said, specs};

/// What one interface gives, and the file with its program.
struct Shown<'a> {
    spec: &'a Spec,
    interface: &'a Interface,
    usage: Usage,
    program: PathBuf,
    module: String,
}

/// All interfaces, each with its program beside the module that it uses. Of two with the same names the first one.
fn shown(specs: &[Spec]) -> Vec<Shown<'_>> {
    let mut modules = HashSet::new();
    let mut all = Vec::new();
    for spec in specs {
        for (interface, usage) in spec.usages("rust") {
            let module = naming::module(interface);
            if !modules.insert(module.clone()) {
                continue;
            }
            let program = spec.folder.join(format!("rust/use_{}.rs", naming::stem(&module)));
            fs::write(&program, &usage.program).unwrap();
            all.push(Shown { spec, interface, usage, program, module });
        }
    }
    all
}

impl Shown<'_> {
    fn section(&self, xlen: u32) -> Option<&Section> {
        self.interface.sections.iter().find(|section| section.xlen == xlen)
    }

    /// A module of functions of which each has the lines for one command or CSR, with its operands as parameters.
    fn functions(&self, xlen: u32) -> String {
        let Some(section) = self.section(xlen) else { return String::new() };
        let (module, name) = (&self.module, naming::type_name(&self.interface.name));
        let mut types = Scope::default();
        section.enums.iter().for_each(|def| types.reserve(naming::type_name(&def.name)));
        types.reserve(name.clone());
        let mut text = String::new();
        for (i, snippet) in self.usage.commands.iter().enumerate() {
            let Some(command) = section.commands.iter().find(|c| c.name == snippet.name) else { continue };
            let (mut scope, mut constants) = (Scope::default(), types.clone());
            let (mut params, mut lines) = (Vec::new(), String::new());
            for operand in &command.operands {
                let (ty, inner) = rust_type(module, section, &operand.ty);
                let second = operand.slot == Slot::Rs2 && command.forms.contains(&Form::I);
                if operand.slot == Slot::Imm || second {
                    let name = constants.fresh(&naming::screaming(&operand.name));
                    let zero = if inner == "bool" { "false" } else { "0" };
                    let _ = writeln!(lines, "    const {name}: {inner} = {zero};");
                }
                params.push(format!("{}: {ty}", scope.fresh(&naming::snake(&operand.name))));
            }
            let (guard, xcmds) = (scope.free(GUARD), scope.free(XCMDS));
            if command.forms.contains(&Form::Xcmd) {
                params.push(format!("{xcmds}: X"));
            }
            if self.interface.uuid.is_some() {
                params.push(format!("mut {guard}: {module}::Selected<G>"));
            }
            let _ = writeln!(
                text,
                "pub fn command_{i}<{}>({}) {{\n{lines}{}}}",
                PARAMETERS,
                params.join(", "),
                snippet.code
            );
        }
        for (i, snippet) in self.usage.csrs.iter().enumerate() {
            if section.csrs.iter().any(|csr| csr.name == snippet.name) {
                let guard = format!("mut {GUARD}: {module}::Selected<G>");
                let _ = writeln!(text, "pub fn csr_{i}<{PARAMETERS}>({guard}) {{\n{}}}", snippet.code);
            }
        }
        let allowed = "#[allow(unused_variables, unused_mut, unused_imports)]";
        let name = naming::type_name(&self.interface.name);
        format!(
            "{allowed}\npub mod use_{} {{\nuse crate::{module};\nuse crate::{module}::{name} as _;\n{text}}}\n",
            naming::stem(module)
        )
    }
}

/// The type parameters of the functions around lines.
const PARAMETERS: &str = "G: lapis_cx_core::Issue, X: lapis_cx_core::Xcmd";

/// The Rust type of an operand, and what is inside.
fn rust_type(module: &str, section: &Section, ty: &Type) -> (String, String) {
    let sign = if ty.is_signed() { "i" } else { "u" };
    let number = format!("{sign}{}", ty.width().next_power_of_two().max(8));
    match ty {
        Type::Bool => ("bool".to_owned(), "bool".to_owned()),
        Type::Enum { id, .. } => (format!("{module}::{}", naming::type_name(&section.enums[id.index()].name)), number),
        _ => (number.clone(), number),
    }
}

#[test]
fn lines_have_no_warnings() {
    let folder = tempfile::tempdir().unwrap();
    let specs = specs(folder.path());
    let all = shown(&specs);
    for (xlen, edition) in [(32, "2021"), (64, "2024")] {
        let mut text = String::new();
        for one in all.iter().filter(|one| one.section(xlen).is_some()) {
            let path = one.spec.folder.join(naming::file(one.interface));
            let _ = writeln!(text, "#[path = \"{}\"]\npub mod {};", path.display(), one.module);
            text += &one.functions(xlen);
        }
        let functions = text.matches("pub fn ").count();
        assert!(functions > 200, "{functions} commands and CSRs are not all");
        let source = folder.path().join("lines.rs");
        fs::write(&source, text).unwrap();
        let mut rustc = command("rustc", edition);
        rustc.args(["--crate-type", "lib", "--emit=metadata"]).arg(format!("--cfg=cx_xlen=\"{xlen}\""));
        run(rustc.arg(&source).arg("-o").arg(folder.path().join("lines.rmeta")));
    }
}

/// Builds a program that links the runtime.
fn build(folder: &Path, edition: &str, source: &Path) -> PathBuf {
    lapis_cx_tests::rust::program(with_runtime(edition), source, &folder.join("program"))
}

#[test]
fn programs_run() {
    let folder = tempfile::tempdir().unwrap();
    let specs = specs(folder.path());
    let all = shown(&specs);
    // In one crate, as linking takes longer than all of them.
    let (mut modules, mut cases) = (String::new(), String::new());
    for (i, one) in all.iter().enumerate() {
        let _ = writeln!(
            modules,
            "mod program{i} {{\n    include!(\"{}\");\n    pub fn run() -> std::process::ExitCode {{\n        \
             std::process::Termination::report(main())\n    }}\n}}",
            one.program.display()
        );
        let _ = writeln!(cases, "        Some(\"{i}\") => program{i}::run(),");
    }
    let text = format!(
        "{modules}fn main() -> std::process::ExitCode {{\n    match std::env::args().nth(1).as_deref() {{\n{cases}        _ => \
         std::process::ExitCode::from(2),\n    }}\n}}\n"
    );
    let source = folder.path().join("main.rs");
    fs::write(&source, text).unwrap();
    let program = build(folder.path(), "2024", &source);
    let mut numbers = 0;
    for (i, one) in all.iter().enumerate() {
        let output = Command::new(&program).arg(i.to_string()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}: {output:?}\n{}", one.module, one.usage.program);
        let said = said(&one.usage.program, "println!(", ["//", ""]);
        numbers += is_as_said(&one.module, &said, &String::from_utf8_lossy(&output.stdout));
    }
    assert!(numbers > 15, "{numbers} results are said");
    // One of them as people have it: a crate of its own, also in the edition before.
    let alone = all.iter().find(|one| one.module == "mulacc").unwrap();
    let program = build(folder.path(), "2021", &alone.program);
    assert_eq!(run(&mut Command::new(program)).stdout, b"12\n42\n");
}

/// The type that the note names is that of the trait, at both widths.
#[test]
fn code_for_both_widths_compiles_at_each() {
    let folder = tempfile::tempdir().unwrap();
    let specs = specs(folder.path());
    let all = shown(&specs);
    let with_note = |module: &str| all.iter().find(|one| one.module == module).unwrap().usage.note.clone();
    let mulacc = all.iter().find(|one| one.module == "mulacc").unwrap();
    let word = lapis_cx_tests::blocks(&mulacc.usage.note, "rust").concat().replace("lapis_cx_runtime", "lapis_cx_core");
    let path = mulacc.spec.folder.join(naming::file(mulacc.interface));
    let text = format!(
        "#[path = \"{}\"]\npub mod mulacc;\n{word}\npub fn dot(unit: &mut impl mulacc::MulAcc, pairs: &[(u16, Word)]) -> Word {{\n    \
         pairs.iter().fold(unit.mul(0, 0), |_, (a, b)| unit.mulacc((*a).into(), *b))\n}}\n",
        path.display()
    );
    let source = folder.path().join("widths.rs");
    fs::write(&source, text).unwrap();
    for xlen in [32, 64] {
        let mut rustc = command("rustc", "2021");
        rustc.args(["--crate-type", "lib", "--emit=metadata"]).arg(format!("--cfg=cx_xlen=\"{xlen}\""));
        run(rustc.arg(&source).arg("-o").arg(folder.path().join("widths.rmeta")));
    }
    // Where every type is the same at both there is nothing to know.
    assert_eq!(with_note("crc32c"), "");
}

#[test]
fn programs_of_shipped_specs_are_formatted() {
    let folder = tempfile::tempdir().unwrap();
    let specs = specs(folder.path());
    let alone = folder.path().join("alone");
    fs::create_dir(&alone).unwrap();
    fs::write(alone.join("rustfmt.toml"), "").unwrap();
    let mut sources = Vec::new();
    for one in shown(&specs).into_iter().filter(|one| one.spec.compiled.is_shipped) {
        // The module stands for what is generated, which is not the question here.
        fs::write(alone.join(Path::new(&one.usage.files[0]).file_name().unwrap()), "// Empty.\n").unwrap();
        let source = alone.join(format!("use_{}.rs", naming::stem(&one.module)));
        fs::write(&source, &one.usage.program).unwrap();
        sources.push(source);
    }
    assert!(sources.len() > 10);
    run(Command::new("rustfmt").args(["--edition", "2024", "--check", "--config-path"]).arg(&alone).args(sources));
}
