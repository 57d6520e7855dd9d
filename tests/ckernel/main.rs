//! The commands of the shipped specs as ckernels: each gives what the oracle gives, one value at a time and many at once, in any
//! layout of memory and on several threads; compiled by gcc and clang, with what finds undefined behaviour and races.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use lapis_cx::contract::{Section, Semantics};
use lapis_cx::driver::Outcome;
use lapis_cx::lower::ir;
use lapis_cx::oracle::vectors::{self as oracle, cost};
use lapis_cx_backend_c::naming::Names;
use lapis_cx_tests::agreement::vectors::{Answer, Vector};
use lapis_cx_tests::agreement::{program, vectors};
use lapis_cx_tests::cc::{Compiler, Language};
use lapis_cx_tests::ckernel_cost::{measure, write, write_all};
use lapis_cx_tests::{cc, long, spec};

/// Steps of the oracle for one command.
const STEPS: u64 = 1_000_000;

/// A way to compile the ckernels.
struct Build {
    name: &'static str,
    compiler: Compiler,
    flags: &'static [&'static str],
}

const BUILDS: [Build; 3] = [
    Build {
        name: "sanitized",
        compiler: Compiler::Gcc,
        flags: &["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    },
    Build { name: "races", compiler: Compiler::Gcc, flags: &["-O1", "-fsanitize=thread"] },
    Build { name: "optimised", compiler: Compiler::Clang, flags: &["-O3"] },
];

/// Where the driver finds the operands of each command.
fn registers(section: &ir::Section) -> String {
    let mut out = String::from("static const unsigned char REGISTERS[][3] = {");
    for command in section.every_command() {
        let places = command.params.iter().map(|param| param.register.unwrap_or(2).to_string()).collect::<Vec<_>>();
        let _ = write!(out, "{{{}}}, ", if places.is_empty() { "0".to_owned() } else { places.join(", ") });
    }
    out + "};\n"
}

/// A folder for an interface at an XLEN, with what the drivers include.
fn part(folder: &Path, names: &Names, lowered: &ir::Section) -> PathBuf {
    let part = folder.join(format!("{}_{}", names.stem, lowered.xlen));
    std::fs::create_dir_all(&part).unwrap();
    let text = format!(
        "#include \"{0}.h\"\n#include \"{0}_ckernels.h\"\n#define SET {1}\n#define SOFT {2}\n{3}",
        names.stem,
        names.member("ckernels"),
        names.member("soft_cxu"),
        registers(lowered)
    );
    let is_partial = lowered.state.as_ref().is_some_and(|state| state.live.is_some());
    let text = text + if is_partial { "#define PARTIAL_IMAGES\n" } else { "" };
    std::fs::write(part.join("part.h"), text).unwrap();
    part
}

/// What the ckernels answer to vectors, one value at a time; the driver ends if many at once come to something else.
fn drive(
    folder: &Path,
    part: &Path,
    names: &Names,
    build: &Build,
    section: &Section,
    made: &[Vector],
    bodies: &[PathBuf],
) -> Vec<Answer> {
    let mut input = vec![made.len() as u64, vectors::answer_words(section) as u64 - 2];
    input.extend(vectors::encode(section, made).concat());
    let mut command = build.compiler.command(Language::C11);
    command.args(build.flags).args(cc::WARNINGS).args(["-pthread", &format!("-DCX_XLEN={}", section.xlen)]);
    command.arg("-I").arg(folder.join("include")).arg("-I").arg(part).args(bodies);
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("ckernel/driver.c");
    let sources = [driver, folder.join(names.ckernels())];
    let built = cc::program(command, &sources, &part.join(build.name));
    let found = program::run(&built, &[], &program::bytes(&input));
    let found = found.unwrap_or_else(|e| panic!("{}, XLEN {}, {}: {e}", names.stem, section.xlen, build.name));
    vectors::decode(section, &found)
}

fn agree(name: &str) {
    agree_all(&spec::build(name), if long() { 50_000 } else { 1000 });
}

/// Agreement about at most `most` vectors for each command.
fn agree_all(outcome: &Outcome, most: usize) {
    let folder = tempfile::tempdir().unwrap();
    let contract = spec::contract(outcome);
    let lowered = lapis_cx::lower::lower(contract);
    write_all(outcome, folder.path());
    for (interface, lowered) in contract.interfaces().zip(&lowered.interfaces).filter(|(i, _)| !i.is_abstract) {
        for (section, lowered) in interface.sections.iter().zip(&lowered.sections) {
            let opaque = |c: &lapis_cx::contract::Command| matches!(c.semantics, Semantics::Opaque);
            // Bodies that are left open have nothing to agree about: see `opaque_commands_run`.
            if section.commands.is_empty() || section.commands.iter().any(opaque) {
                continue;
            }
            let names = Names::new(interface);
            let part = part(folder.path(), &names, lowered);
            // The oracle takes its time for long commands.
            let longest = section.commands.iter().map(|command| cost(section, command)).max().unwrap_or(1);
            let mut made = vectors::some(section, most.min((STEPS / longest) as usize).max(50), 1);
            // Commands that there are, and no accesses of CSRs.
            made.retain(|v| section.commands.iter().any(|c| u64::from(c.id) == v.function));
            let expected = vectors::expect(section, &made);
            // One that finds undefined behaviour at 32 bits, and optimised code at 64. The ckernels of all specs take turns on
            // threads alike, so that one with state is enough to look for races.
            let suits = |build: &&Build| match build.name {
                "sanitized" => section.xlen == 32,
                "optimised" => section.xlen == 64,
                _ => names.stem == "mulacc",
            };
            for build in BUILDS.iter().filter(|build| long() || suits(build)) {
                let found = drive(folder.path(), &part, &names, build, section, &made, &[]);
                assert_eq!(found.len(), expected.len());
                for ((vector, expected), found) in made.iter().zip(&expected).zip(&found) {
                    assert_eq!(expected, found, "XLEN {}, {}: {vector:#x?}", section.xlen, build.name);
                }
            }
        }
    }
}

/// One test for each spec, so that they run side by side; and one that none is forgotten.
macro_rules! agree {
    ($($name:ident)*) => {
        $(#[test] fn $name() { agree(stringify!($name)); })*

        #[test]
        fn every_spec_is_here() {
            let has_commands = |name: &String| {
                let contract = spec::build(name).contract.unwrap();
                contract.interfaces().flat_map(|i| &i.sections).any(|s| !s.commands.is_empty())
            };
            let shipped: Vec<_> = spec::shipped().into_iter().filter(has_commands).collect();
            assert_eq!(shipped, [$(stringify!($name)),*]);
        }
    };
}
agree!(bitkit crc32c crypto fallback frobate keccak mulacc pair rocknroll simd tile);

#[test]
fn what_is_awkward_agrees() {
    agree_all(&spec::build_text("torture", include_str!("../../backends/torture.cxspec")), 100);
    agree_all(&spec::build_text("names", include_str!("../../backends/rust/tests/names.cxspec")), 100);
}

#[test]
fn what_only_csrs_call_is_left_out() {
    let text = include_str!("../../lapis-cx/compiler/tests/cases/ok/csrs.cxspec");
    agree_all(&spec::build_text("csrs", text), 200);
}

#[test]
fn images_of_what_is_live_agree() {
    let text = include_str!("../../lapis-cx/compiler/tests/cases/ok/live.cxspec");
    agree_all(&spec::build_text("live", text), 200);
}

/// ckernels over ckernels of two interfaces, with the runtime.
#[test]
fn what_is_made_of_others_runs() {
    let folder = tempfile::tempdir().unwrap();
    ["bitkit", "mulacc"].iter().for_each(|name| write(name, folder.path()));
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for build in BUILDS.iter().filter(|build| build.name != "races") {
        let mut command = build.compiler.command(Language::C11);
        command.args(build.flags).args(cc::WARNINGS).arg("-I").arg(folder.path().join("include"));
        command
            .arg("-I")
            .arg(here.join("../lapis-cx/runtime/include"))
            .arg("-I")
            .arg(here.join("../lapis-cx/core/include"));
        let names = ["bk_ckernels", "bk_fallback", "mulacc_ckernels", "mulacc_fallback"];
        let sources = names.map(|name| folder.path().join(format!("src/{name}.c")));
        command.arg(here.join("ckernel/whole.c")).args(sources).args(["-x", "none"]);
        // Built with the crate that this test links.
        command.arg(std::env::current_exe().unwrap().with_file_name("liblapis_cx_runtime.a"));
        command.args(["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"]);
        let to = folder.path().join(build.name);
        cc::run(command.arg("-o").arg(&to));
        let said = cc::run(&mut std::process::Command::new(to));
        assert_eq!(String::from_utf8_lossy(&said.stdout), "0 failures\n", "{}", build.name);
    }
}

/// The ckernels of an interface are commands of a CXU: it is as the fallback.
fn cxu_agrees(outcome: &Outcome, xlen: u32, bodies: &[PathBuf]) {
    let folder = tempfile::tempdir().unwrap();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let contract = spec::contract(outcome);
    write_all(outcome, folder.path());
    let lowered = lapis_cx::lower::lower(contract);
    let mut interfaces = contract.interfaces().zip(&lowered.interfaces).filter(|(i, _)| !i.is_abstract);
    let (interface, lowered) = interfaces.next().unwrap();
    let names = Names::new(interface);
    let part = part(folder.path(), &names, lowered.sections.iter().find(|section| section.xlen == xlen).unwrap());
    let mut command = Compiler::Gcc.command(Language::C11);
    command.args(BUILDS[0].flags).args(cc::WARNINGS).arg(format!("-DCX_XLEN={xlen}")).arg("-I").arg(part);
    for include in ["../lapis-cx/runtime/include", "../lapis-cx/core/include"] {
        command.arg("-I").arg(here.join(include));
    }
    command.arg("-I").arg(folder.path().join("include")).arg(here.join("ckernel/cxu.c")).args(bodies);
    command.arg(folder.path().join(names.ckernels())).arg(folder.path().join(names.fallback()));
    command.args(["-x", "none"]).arg(std::env::current_exe().unwrap().with_file_name("liblapis_cx_runtime.a"));
    command.args(["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"]);
    let to = folder.path().join("cxu");
    cc::run(command.arg("-o").arg(&to));
    let said = String::from_utf8(cc::run(&mut std::process::Command::new(to)).stdout).unwrap();
    let own = interface.sections.iter().find(|s| s.xlen == xlen).unwrap().commands.iter().filter(|c| c.id < 1020);
    assert_eq!(said, format!("{} commands\n", own.count()), "{}", names.stem);
}

#[test]
fn a_cxu_of_ckernels_is_as_the_fallback() {
    for (name, xlen) in [("bitkit", 64), ("mulacc", 32), ("keccak", 64), ("tile", 32)] {
        cxu_agrees(&spec::build(name), xlen, &[]);
    }
}

/// Commands whose bodies are in C: of these the fallback says what one value at a time gives, and the driver what many do.
#[test]
fn opaque_commands_run() {
    let outcome = spec::build_text("opaque", include_str!("opaque.cxspec"));
    let bodies = [Path::new(env!("CARGO_MANIFEST_DIR")).join("ckernel/opaque.c")];
    let folder = tempfile::tempdir().unwrap();
    write_all(&outcome, folder.path());
    let contract = spec::contract(&outcome);
    let lowered = lapis_cx::lower::lower(contract);
    let mut interfaces = contract.interfaces().zip(&lowered.interfaces).filter(|(i, _)| !i.is_abstract);
    let (interface, lowered) = interfaces.next().unwrap();
    let names = Names::new(interface);
    for ((section, lowered), build) in interface.sections.iter().zip(&lowered.sections).zip([&BUILDS[0], &BUILDS[2]]) {
        cxu_agrees(&outcome, section.xlen, &bodies);
        let contexts = oracle::contexts(section, 16, 3);
        let made: Vec<Vector> = section
            .commands
            .iter()
            .flat_map(|command| oracle::operands(section, command, 200, 5).into_iter().map(|o| (command.id, o)))
            .zip(contexts.iter().cycle())
            .map(|((id, operands), context)| Vector { function: id.into(), operands, context: context.clone() })
            .collect();
        let part = part(folder.path(), &names, lowered);
        let found = drive(folder.path(), &part, &names, build, section, &made, &bodies);
        // Each way to answer is among them.
        for response in [0, 2, 3, 5, 6] {
            assert!(found.iter().any(|answer| answer.response == response), "{response}");
        }
    }
}

/// The example: ckernels over NumPy arrays, from Python with nothing but ctypes.
#[test]
fn the_example_in_python_prints_what_it_should() {
    let folder = tempfile::tempdir().unwrap();
    ["bitkit", "mulacc"].iter().for_each(|name| write(name, folder.path()));
    let libraries = ["bk", "mulacc"].map(|name| {
        let mut command = Compiler::Gcc.command(Language::C11);
        command.args(["-O3", "-shared", "-fPIC", "-I"]).arg(folder.path().join("include"));
        let source = folder.path().join(format!("src/{name}_ckernels.c"));
        cc::program(command, &[source], &folder.path().join(format!("{name}.so")))
    });
    // The one of Debian, for which Debian has NumPy.
    let mut python = std::process::Command::new("/usr/bin/python3");
    python.arg("-B").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/ckernel-python/main.py"));
    python.arg(std::env::current_exe().unwrap().with_file_name("liblapis_cx_runtime.so")).args(libraries);
    let said = String::from_utf8(cc::run(&mut python).stdout).unwrap();
    let expected = "\
ror        [ 2  4  6  8 10 12 14 16 18 20 22 24]
backwards  [24 18 12  6]
a table    [[2, 6], [10, 14], [18, 22]]
bound      [2 4 6 8]
composed   [16 11 16 16 18]
raised     bk.divchk: an operand is in error (element 2) [100, 100, 18446744073709551615, 0]
dot        650 650
and on     1300 1300
threads    [650, 728, 806, 884]
";
    assert_eq!(said, expected);
}

/// A loop over a ckernel takes at most a twentieth more instructions than one that is written by hand.
#[test]
fn loops_cost_what_loops_by_hand_cost() {
    let folder = tempfile::tempdir().unwrap();
    ["bitkit", "mulacc"].iter().for_each(|name| write(name, folder.path()));
    for compiler in cc::COMPILERS {
        for cost in measure(folder.path(), compiler, &["-O3"]) {
            assert!(cost.ratio() <= 1.05, "{compiler:?}: {cost:?}, {:.3}", cost.ratio());
        }
    }
}
