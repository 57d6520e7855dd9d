//! C11 and C++17 programs against the headers and the libraries, with warnings as errors.
//!
//! Cargo builds the static and the shared library in one go with the crate that this test links, into the folder of the
//! test's own executable.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fmt::Write as _;
use std::mem::{align_of, offset_of, size_of};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use lapis_cx_runtime::{Backing, CsrOp, Error, PlatformCxu, Response, Sharing, SoftCxu, SoftFlags, Status};

const WARNINGS: [&str; 8] = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wundef", "-Werror", "-O1"];
/// What `rustc --print=native-static-libs` says for Linux.
const SYSTEM: [&str; 7] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"];

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn out(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().into()
}

/// A compiler, with the include folders and warnings; `None` if it is not installed. gcc and g++ have to be.
fn compiler(program: &str, language: &str) -> Option<Command> {
    let found = Command::new(program).arg("--version").output().is_ok();
    assert!(found || program.starts_with("clang"), "{program} is needed");
    let mut command = Command::new(program);
    let standard = if language == "c" { "-std=c11" } else { "-std=c++17" };
    command.args(WARNINGS).arg(standard);
    for folder in ["include", "../core/include", "tests/c"] {
        command.arg("-I").arg(here(folder));
    }
    command.args(["-x", language]);
    found.then_some(command)
}

fn text(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    String::from_utf8_lossy(out).into_owned() + &String::from_utf8_lossy(err)
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", text(&output));
    text(&output)
}

fn fails(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(!output.status.success(), "{command:?}\n{}", text(&output));
    text(&output)
}

/// What compiles the software CXUs in C, and what the program, in which language.
type Compilers = (&'static str, &'static str, &'static str);

const COMPILERS: [Compilers; 4] =
    [("gcc", "gcc", "c"), ("gcc", "g++", "c++"), ("clang", "clang", "c"), ("clang", "clang++", "c++")];

/// Which library of the runtime a program links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Library {
    Static,
    Shared,
}

/// A program of `tests/c` with the software CXUs and the runtime; `None` if a compiler is not installed.
fn linked(name: &str, compilers: Compilers, source: &str, flags: &[&str], library: Library) -> Option<PathBuf> {
    let (family, program, language) = compilers;
    let (mut soft, mut main) = (compiler(family, "c")?, compiler(program, language)?);
    let exe = out(&format!("{name}_{}", program.replace('+', "p")));
    let object = exe.with_extension("o");
    run(soft.args(flags).arg("-c").arg(here("tests/c/mulacc_soft.c")).arg("-o").arg(&object));
    main.args(flags).arg(here(&format!("tests/c/{source}.c"))).args(["-x", "none"]).arg(&object);
    let folder = libraries();
    match library {
        Library::Static => main.arg(folder.join("liblapis_cx_runtime.a")).args(SYSTEM),
        Library::Shared => {
            // A static library of the same name stands beside it.
            assert!(folder.join("liblapis_cx_runtime.so").exists());
            main.arg("-L").arg(&folder).arg("-llapis_cx_runtime");
            main.arg(format!("-Wl,-rpath,{}", folder.display())).arg("-lpthread")
        }
    };
    run(main.arg("-o").arg(&exe));
    Some(exe)
}

// Sentences: cx-api 12.
#[test]
fn programs_run() {
    for compilers in COMPILERS {
        for (xlen, library) in [("", Library::Static), ("-DCX_XLEN=32", Library::Static), ("", Library::Shared)] {
            let flags: Vec<&str> = Some(xlen).filter(|xlen| !xlen.is_empty()).into_iter().collect();
            let name = format!("program{xlen}{library:?}");
            let Some(exe) = linked(&name, compilers, "program", &flags, library) else { continue };
            // Cargo's search path has a folder before this one, with what an earlier build may have left there.
            let said = run(Command::new(&exe).env_remove("LD_LIBRARY_PATH"));
            assert_eq!(said, "0 failures\n", "{}", exe.display());
        }
    }
}

/// One program gives the same on a machine that no platform describes, over too few contexts, without the CX, and with
/// software that stands in.
// Sentences: state-context-virtualization 10, 21-22.
#[test]
fn a_program_runs_on_every_machine() {
    for compilers in [COMPILERS[0], COMPILERS[3]] {
        let Some(exe) = linked("platform", compilers, "platform", &[], Library::Static) else { continue };
        let said = ["soft", "few", "absent", "emulated"].map(|machine| run(Command::new(&exe).arg(machine)));
        assert_eq!(said[0].lines().count(), 4, "{}", said[0]);
        assert!(said.iter().all(|one| *one == said[0]), "{said:?}");
    }
}

/// The listings of the CX API, at each optimisation level: what reads the instruction's text does not lean on it.
// Sentences: cx-api 52-57.
#[test]
fn the_listings_of_the_document_run() {
    for compilers in COMPILERS {
        for (xlen, level) in [("-DCX_XLEN=64", "-O0"), ("-DCX_XLEN=32", "-O2")] {
            let name = format!("listings{xlen}{level}");
            let Some(exe) = linked(&name, compilers, "listings", &[xlen, level], Library::Static) else { continue };
            assert_eq!(run(&mut Command::new(&exe)), "0 failures\n", "{}", exe.display());
        }
    }
}

/// On RISC-V they are the instructions that they name, one each, in each spelling.
#[test]
fn the_listings_are_instructions_on_riscv() {
    let object = out("listings_riscv.o");
    for (program, language, target) in [
        ("riscv64-linux-gnu-gcc", "c", &[][..]),
        ("clang", "c", &["--target=riscv32-unknown-elf", "-march=rv32im", "-ffreestanding"]),
        ("clang++", "c++", &["--target=riscv64-unknown-elf", "-march=rv64im", "-ffreestanding"]),
    ] {
        let Some(mut compiler) = compiler(program, language) else { continue };
        // The bare compilers have no stdio.h, and without optimisation no function is copied.
        compiler.args(target).args(["-O0", "-DFREESTANDING", "-c"]).arg(here("tests/c/listings.c"));
        run(compiler.arg("-o").arg(&object));
        let listing = run(Command::new("llvm-objdump").args(["-d", "--no-leading-addr"]).arg(&object));
        let mut commands: Vec<u32> = listing.lines().filter_map(custom_0).collect();
        commands.sort_unstable();
        assert_eq!(commands, [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 8, 1021, 1023], "{program}\n{listing}");
    }
}

/// The command that a line of a disassembly issues, if it is one of custom-0.
fn custom_0(line: &str) -> Option<u32> {
    let bytes: Vec<u32> = line.split_whitespace().take(4).map_while(|b| u32::from_str_radix(b, 16).ok()).collect();
    let word = <[u32; 4]>::try_from(bytes).ok()?.into_iter().rev().fold(0, |word, byte| word << 8 | byte);
    (word & 0x7F == 0x0B).then_some(word >> 12 & 7 | word >> 25 << 3)
}

/// What `CUSTOM0_R` cannot read, and what nobody names, stops the build, and says what to do.
#[test]
fn instructions_that_are_not_one_stop_the_build() {
    let source = out("insn.c");
    for (program, language) in [("gcc", "c"), ("clang++", "c++")] {
        let refused = |insn: &str| {
            let program_text = format!(
                "#include \"cx_insn.h\"\nint main(void) {{ return (int)CUSTOM0_R({insn:?}, 1, 2); }}\n\
                 cx_reg_t cx_issue(uint32_t function, cx_reg_t a, cx_reg_t b) {{ return function + a + b; }}\n"
            );
            std::fs::write(&source, program_text).unwrap();
            Some(fails(compiler(program, language)?.arg(&source).arg("-o").arg(out("insn"))))
        };
        for insn in [
            ".insn r 0x0B, 8, 0",
            ".insn r 0x0B, 0, 128",
            ".insn r 0x0B, 0, 1000",
            ".insn r 0x0B, 0, 1 ",
            ".insn r 0x0B, 0, ",
            ".insn r 0x0B, 0,1",
            ".insn r 0x0B, 0, 1a",
            ".insn r 0x2B, 0, 1",
            ".insn",
            ".",
        ] {
            let Some(said) = refused(insn) else { continue };
            assert!(
                said.contains("CUSTOM0_R: write") && said.contains("with F3 from 0 to 7"),
                "{program} {insn}: {said}"
            );
        }
        let Some(said) = refused("mac.reset") else { continue };
        assert!(said.contains("undefined reference to `cx_insn_mac.reset'"), "{program}: {said}");
        for (name, number) in [("CX_NAME_R(\"mac\", 1024);", "1024"), ("CX_NAME_R(\"mac\", -1);", "-1")] {
            std::fs::write(&source, format!("#include \"cx_insn.h\"\n{name}\n")).unwrap();
            let said = fails(compiler(program, language).unwrap().arg("-c").arg(&source));
            assert!(said.contains("commands are 0 to 1023"), "{program} {number}: {said}");
        }
    }
}

/// CXUs of ckernels that are written in C; under valgrind, which sees what is destroyed twice, or never.
#[test]
fn cxus_of_ckernels_run() {
    for (xlen, compilers) in ["64", "64", "64", "64", "32"].into_iter().zip(COMPILERS.into_iter().cycle()) {
        let xlen = format!("-DCX_XLEN={xlen}");
        let name = format!("ckernel_cxu{xlen}");
        let Some(exe) = linked(&name, compilers, "ckernel_cxu", &[&xlen], Library::Static) else { continue };
        assert_eq!(run(&mut Command::new(&exe)), "0 failures\n", "{}", exe.display());
    }
    let exe = linked("valgrind_ckernel_cxu", COMPILERS[0], "ckernel_cxu", &["-g"], Library::Static).unwrap();
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect,possible"]);
    assert_eq!(run(valgrind.arg("--error-exitcode=9").arg(exe)), "0 failures\n");
}

/// A CXU in a shared library, which a program loads; what cannot be loaded is an error.
#[test]
fn cxus_are_loaded() {
    let (library, source, exe) = (out("libmulacc.so"), out("load.c"), out("load"));
    let mut soft = compiler("gcc", "c").unwrap();
    run(soft.args(["-shared", "-fPIC"]).arg(here("tests/c/mulacc_soft.c")).arg("-o").arg(&library));
    let program = format!(
        "#include <stdio.h>\n#include \"cx.h\"\n#include \"mulacc.h\"\nint main(void) {{\n\
         static const cx_uuid_t uuid = {{MULACC_HIGH, MULACC_LOW}};\nconst char *library = {:?};\n\
         printf(\"%d %d \", cx_soft_load(\"/none.so\", \"mulacc_soft\"), cx_soft_load(library, \"none\"));\n\
         printf(\"%d %d \", cx_soft_load(NULL, \"none\"), cx_soft_load(library, \"mulacc_soft\"));\n\
         printf(\"%d %d \", cx_soft_load(library, \"mulacc_soft\"), cx_soft_load(library, \"mulacc_soft_twin\"));\n\
         cx_select(cx_open(&uuid, cx_open_exclusive));\nprintf(\"%d\\n\", (int)mulacc_mul(6, 7));\nreturn 0; }}\n",
        library
    );
    std::fs::write(&source, program).unwrap();
    let mut main = compiler("gcc", "c").unwrap();
    main.arg(&source).args(["-x", "none"]).arg(libraries().join("liblapis_cx_runtime.a")).args(SYSTEM);
    run(main.arg("-o").arg(&exe));
    let (no_device, fault, busy) = (Error::NoDevice.code(), Error::Fault.code(), Error::Busy.code());
    assert_eq!(run(&mut Command::new(&exe)), format!("{no_device} {no_device} {fault} 0 0 {busy} 42\n"));
}

/// Under the address sanitizer, which also finds what is not given back.
#[test]
fn programs_run_under_sanitizers() {
    let flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover", "-g", "-Wno-cast-function-type"];
    for source in ["program", "platform", "context", "ckernel_cxu", "threads"] {
        let exe = linked(&format!("asan_{source}"), COMPILERS[0], source, &flags, Library::Static).unwrap();
        let machines: &[&str] = if source == "platform" { &["soft", "few", "absent", "emulated"] } else { &[""] };
        for machine in machines {
            let mut program = Command::new(&exe);
            // Coroutines leave stacks as the sanitizer does not expect it.
            program.env("ASAN_OPTIONS", "detect_stack_use_after_return=0");
            run(program.args(Some(machine).filter(|machine| !machine.is_empty())));
        }
    }
}

/// Coroutines that makecontext made, and longjmp.
// Sentences: cx-api 7-11, 27.
#[test]
fn user_contexts_carry_selections_and_states() {
    for compilers in COMPILERS {
        let flags = ["-O2", "-Wno-cast-function-type"];
        let Some(exe) = linked("context", compilers, "context", &flags, Library::Static) else { continue };
        for machine in [None, Some("few")] {
            assert_eq!(run(Command::new(&exe).args(machine)), "0 failures\n", "{} {machine:?}", exe.display());
        }
    }
}

/// The same for a program that was built without the header: what is preloaded takes its calls over.
#[test]
fn user_contexts_of_other_binaries_do_too() {
    let preload = out("libcx_interpose.so");
    let mut build = Command::new("gcc");
    build.args(["-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC", "-o"]).arg(&preload);
    run(build.arg(here("interpose/cx_interpose.c")).arg("-ldl"));
    let flags = ["-O2", "-DPRELOADED", "-Wno-cast-function-type"];
    let exe = linked("preloaded", COMPILERS[0], "context", &flags, Library::Shared).unwrap();
    for machine in [None, Some("few")] {
        let mut program = Command::new(&exe);
        program.args(machine).env_remove("LD_LIBRARY_PATH");
        assert!(fails(&mut program).contains("context.c:"), "without it the selection stays behind");
        assert_eq!(run(program.env("LD_PRELOAD", &preload)), "0 failures\n", "{machine:?}");
    }
}

/// The layout and the numbers of the headers are those of the Rust side.
#[test]
fn headers_agree_with_rust() {
    let mut program = String::from("#include \"cx.h\"\n#define IS(x, n) CX_SAME((x) == (n), #x)\n");
    program += "#ifdef __cplusplus\n#define CX_SAME static_assert\n#else\n#define CX_SAME _Static_assert\n#endif\n";
    let mut is = |what: &str, value: usize| {
        writeln!(program, "IS({what}, {value});").unwrap();
    };
    is("CX_ABI_VERSION", lapis_cx_core::ABI_VERSION as usize);
    is("sizeof(struct cx_soft_cxu)", size_of::<SoftCxu>());
    is("sizeof(cx_sel_t)", 4);
    is("sizeof(cx_open_flags)", 4);
    let alignment = align_of::<SoftCxu>();
    is("offsetof(struct { char c; struct cx_soft_cxu d; }, d)", alignment);
    macro_rules! field {
        ($($field:ident)*) => { $( is(
            concat!("offsetof(struct cx_soft_cxu, ", stringify!($field), ")"),
            offset_of!(SoftCxu, $field),
        ); )* };
    }
    field!(abi_version struct_size uuid contract xlen sharing flags state_words state_size state_align
        name init issue save restore csr);
    is("sizeof(struct cx_platform_cxu)", size_of::<PlatformCxu>());
    is("offsetof(struct cx_platform_cxu, contexts)", offset_of!(PlatformCxu, contexts));
    is("sizeof(struct cx_counters)", 4 * size_of::<u64>());
    for (name, backing) in [
        ("NATIVE", Backing::Native),
        ("VIRTUALIZED", Backing::Virtualized),
        ("EMULATED", Backing::Emulated),
        ("SOFT", Backing::Soft),
    ] {
        is(&format!("CX_BACKING_{name}"), backing as usize);
    }
    for (name, response) in [
        ("OK", Response::Ok),
        ("CXU", Response::Cxu),
        ("STATE", Response::State),
        ("OFF", Response::Off),
        ("FUNC", Response::Func),
        ("OP", Response::Op),
        ("CUSTOM", Response::Custom),
    ] {
        is(&format!("CX_RESPONSE_{name}"), response.code() as usize);
    }
    for (name, op) in [("READ", CsrOp::Read), ("WRITE", CsrOp::Write), ("SET", CsrOp::Set), ("CLEAR", CsrOp::Clear)] {
        is(&format!("CX_CSR_{name}"), op as usize);
    }
    for (name, flag) in [
        ("IV", Status::INVALID_VERSION),
        ("IC", Status::INVALID_CXU),
        ("IS", Status::INVALID_STATE),
        ("OF", Status::OFF),
        ("IF", Status::INVALID_FUNCTION),
        ("OP", Status::OPERAND),
        ("CU", Status::CUSTOM),
    ] {
        is(&format!("CX_STATUS_{name}"), flag.bits() as usize);
    }
    for (name, sharing) in [
        ("STATELESS", Sharing::Stateless),
        ("EXCLUSIVE", Sharing::Exclusive),
        ("CALLER_SAVE", Sharing::CallerSave),
        ("CALLEE_SAVE", Sharing::CalleeSave),
        ("ALWAYS_INIT", Sharing::AlwaysInit),
        ("CUSTOM", Sharing::Custom),
    ] {
        is(&format!("CX_SHARING_{name}"), sharing as usize);
    }
    is("CX_SOFT_UCONTEXT", SoftFlags::UCONTEXT as usize);
    is("CX_SOFT_STATE_CONTEXT", SoftFlags::STATE_CONTEXT as usize);
    for (name, error) in [
        ("PERMISSION", Error::Permission),
        ("BUSY", Error::Busy),
        ("FAULT", Error::Fault),
        ("INVALID", Error::Invalid),
        ("NO_DEVICE", Error::NoDevice),
        ("BAD_SELECTOR", Error::BadSelector),
        ("NO_MEMORY", Error::NoMemory),
        ("TABLE_FULL", Error::TableFull),
        ("CXU", Error::Cxu),
    ] {
        is(&format!("CX_ERROR_{name}"), error.code() as usize);
    }
    let source = out("layout.c");
    std::fs::write(&source, program).unwrap();
    let mut gcc = compiler("gcc", "c").unwrap();
    run(gcc.arg("-fsyntax-only").arg(&source));
}

/// A skewed header and a wrong XLEN are refused, with words that help; a repeated header is not.
#[test]
fn headers_refuse_skew() {
    let source = out("skew.c");
    let abi = lapis_cx_core::CX_ABI_H;
    let release = env!("CARGO_PKG_VERSION");
    let later = abi.replace("CX_ABI_VERSION 3", "CX_ABI_VERSION 4").replace(release, "9.8.7");
    let unknown = "#define CX_ABI_H\n#define CX_ABI_VERSION 4\n";
    for (before, of) in [(later.as_str(), "9.8.7"), (unknown, "of another release")] {
        let said = format!(
            "\"this header is for CX ABI 3 (lapis-cx {release}), but one before it for CX ABI 4 (lapis-cx {of}): generate all \
             of them with the cxc of the runtime in use\""
        );
        std::fs::write(&source, format!("{before}{abi}")).unwrap();
        for (program, language) in [("gcc", "c"), ("g++", "c++"), ("clang", "c"), ("clang++", "c++")] {
            let Some(mut compiler) = compiler(program, language) else { continue };
            let refused = fails(compiler.arg("-c").arg(&source));
            assert!(refused.contains(&said) || refused.contains(said.trim_matches('"')), "{program}: {refused}");
            assert_eq!(refused.matches("error:").count(), 1, "{program}: {refused}");
        }
    }
    // The folder of another release comes first.
    let mixed = out("mixed");
    std::fs::create_dir_all(&mixed).unwrap();
    std::fs::write(mixed.join("cx_abi.h"), &later).unwrap();
    std::fs::write(&source, "#include \"cx_abi.h\"\n#include <cx.h>\n").unwrap();
    let said = format!(
        "this cx.h is for CX ABI 3 (lapis-cx {release}), but the headers before it for CX ABI 4 (lapis-cx 9.8.7): take cx.h \
         and cx_abi.h of one release, and generate the others with its cxc"
    );
    for (program, language) in [("gcc", "c"), ("g++", "c++")] {
        let refused = fails(compiler(program, language).unwrap().arg("-iquote").arg(&mixed).arg("-c").arg(&source));
        assert!(refused.contains(&said), "{program}: {refused}");
    }
    std::fs::write(&source, abi).unwrap();
    for xlen in ["-DCX_XLEN=16", "-DCX_XLEN=128"] {
        let refused = fails(compiler("gcc", "c").unwrap().arg(xlen).arg("-c").arg(&source));
        assert!(refused.contains("CX_XLEN"), "{refused}");
    }
    std::fs::write(&source, format!("{abi}{abi}#include \"cx.h\"\n{abi}")).unwrap();
    run(compiler("gcc", "c").unwrap().arg("-fsyntax-only").arg(&source));
    let libuuid = "#define _UUID_UUID_H\ntypedef unsigned char uuid_t[16];\n";
    let both = "uuid_t theirs;\ncx_uuid_t ours;\n";
    std::fs::write(&source, format!("{libuuid}#include \"cx.h\"\n{both}")).unwrap();
    for (program, language) in [("gcc", "c"), ("g++", "c++")] {
        let mut compiler = compiler(program, language).unwrap();
        run(compiler.arg("-fsyntax-only").arg(&source));
    }
}

/// Each header that is installed says itself what it needs, in any order and as often as it is included.
#[test]
fn headers_stand_alone() {
    let folders = ["include", "../core/include"].map(|folder| std::fs::read_dir(here(folder)).unwrap());
    let names = folders.into_iter().flatten().map(|file| file.unwrap().file_name().into_string().unwrap());
    let source = out("alone.c");
    for name in names {
        let twice = format!("#include \"{name}\"\n").repeat(2);
        let functions = if name == "xext.h" { "#define XEXT_IMPLEMENTATION\n" } else { "" };
        for (first, last) in [("", ""), ("#include \"cx.h\"\n", ""), ("", "#include \"cx.h\"\n")] {
            std::fs::write(&source, format!("{functions}{first}{twice}{last}")).unwrap();
            for (program, language) in [("gcc", "c"), ("g++", "c++")] {
                // setjmp.h and ucontext.h are not of the language.
                run(compiler(program, language).unwrap().args(["-D_GNU_SOURCE", "-fsyntax-only"]).arg(&source));
            }
        }
    }
}

/// The text that goes into generated headers is good for bare RISC-V, where clang is there to try it.
#[test]
fn header_compiles_for_riscv() {
    let source = out("bare.c");
    let same = "CX_XLEN == __riscv_xlen && sizeof(cx_word_t) == sizeof(cx_reg_t)";
    let abi = lapis_cx_core::CX_ABI_H;
    std::fs::write(&source, format!("{abi}_Static_assert({same}, \"\");\n")).unwrap();
    for target in ["riscv32-unknown-elf", "riscv64-unknown-elf"] {
        if let Some(mut clang) = compiler("clang", "c") {
            clang.arg(format!("--target={target}")).arg("-ffreestanding");
            run(clang.arg("-fsyntax-only").arg(&source));
        }
    }
}

/// The shared library shows `cx_*` and `ckernel_*` only.
#[test]
fn exports() {
    let library = libraries().join("liblapis_cx_runtime.so");
    let listed = run(Command::new("nm").args(["-D", "--defined-only"]).arg(library));
    let mut names: Vec<&str> = listed.lines().filter_map(|l| l.split(' ').nth(2)).collect();
    names.sort_unstable();
    // One a line, so that who adds one meets nobody else's.
    let wanted = [
        "ckernel_bind",
        "ckernel_builder_construct",
        "ckernel_builder_destruct",
        "ckernel_builder_ensure_capacity",
        "ckernel_builder_ensure_capacity_leaf",
        "ckernel_builder_reset",
        "ckernel_compose",
        "ckernel_compose_begin",
        "ckernel_compose_outer",
        "ckernel_make",
        "cx_abi3_csr",
        "cx_abi3_issue",
        "cx_backing",
        "cx_backing_cost",
        "cx_ckernel_register",
        "cx_ckernel_withdraw",
        "cx_close",
        "cx_context_restore",
        "cx_context_save",
        "cx_emulate_absent",
        "cx_error_string",
        "cx_get_sel",
        "cx_last_error",
        "cx_last_error_string",
        "cx_open",
        "cx_platform_load",
        "cx_read_counters",
        "cx_restore",
        "cx_revoke",
        "cx_save",
        "cx_sel_is_cx",
        "cx_select",
        "cx_singleton",
        "cx_soft_load",
        "cx_soft_register",
        "cx_status_clear",
        "cx_status_read",
        "cx_status_write",
    ];
    assert_eq!(names, wanted);
}
