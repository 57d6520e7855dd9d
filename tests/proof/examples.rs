//! The examples under valgrind's memcheck: no access that is wrong, and nothing lost.

use std::ffi::OsStr;
use std::process::Command;

use lapis_cx_tests::cc::{self, Compiler, Language, run};
use lapis_cx_tests::ckernel_cost::{write, write_all};
use lapis_cx_tests::{long, repository, spec};

use crate::Skipped;
use crate::c_project::{command, installed};
use crate::cargo_project::Project;

/// Findings end the program with 9. What is still reachable at the end is not lost.
const MEMCHECK: [&str; 5] =
    ["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"];

/// Runs a program, and gives what it prints.
fn checked(program: impl AsRef<OsStr>) -> String {
    let output = run(Command::new(MEMCHECK[0]).args(&MEMCHECK[1..]).arg(program));
    String::from_utf8(output.stdout).unwrap()
}

/// The program of the README, and the one that the build systems share; with `CX_LONG=1` as each of them builds it.
pub fn in_c() -> Skipped {
    let folder = tempfile::tempdir().unwrap();
    write_all(&spec::build("mulacc"), folder.path());
    let local = installed().home.join(".local");
    let mut gcc = Compiler::Gcc.command(Language::C11);
    gcc.arg("-I").arg(folder.path().join("include")).arg("-I").arg(local.join("include"));
    gcc.arg(repository().join("examples/mulacc/main.c")).arg(folder.path().join("src/mulacc_fallback.c"));
    gcc.args(["-x", "none"]).arg(local.join("lib/liblapis_cx_runtime.a")).args(["-lpthread", "-ldl", "-lm"]);
    assert_eq!(checked(cc::program::<&str>(gcc, &[], &folder.path().join("mulacc"))), "12\n42\n");

    let tools =
        [("make", "make -C src", "src/build"), ("cmake", "cmake -S src -B build && cmake --build build", "build")];
    let more = [("meson", "meson setup build src && ninja -C build", "build")];
    for (example, build, built) in tools.iter().take(if long() { 2 } else { 1 }).chain(more.iter().filter(|_| long())) {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("src");
        run(Command::new("cp").arg("-R").arg(repository().join("examples").join(example)).arg(&copy));
        run(command("sh").args(["-ec", build]).current_dir(folder.path()));
        let built = folder.path().join(built);
        assert_eq!(checked(built.join("main")), "mix 32767\nclipped 1\n", "{example}");
        let test = ["check", "test"].map(|name| built.join(name)).into_iter().find(|path| path.is_file());
        checked(test.unwrap());
    }
    None
}

/// What cargo runs, it runs under valgrind: the program on a CX, and the one in both languages; with `CX_LONG=1` all of them.
pub fn of_cargo() -> Skipped {
    let fast: [(&str, &[&str], &str); 2] = [
        ("cargo-cx", &["run"], "(Fallback, 42) 42\n(Cx, 42) 42\n"),
        ("cargo-c-and-rust", &["run"], "registered: 0\n12\n50\n"),
    ];
    let slow: [(&str, &[&str], &str); 3] = [
        ("cargo-fallback", &["test", "-q"], "running 1 test\n"),
        ("cargo-no-std", &["test", "-q"], "running 1 test\n"),
        ("cargo-workspace", &["run"], "7FFF2030 7FFF2030\n"),
    ];
    for (name, arguments, printed) in fast.iter().chain(slow.iter().filter(|_| long())) {
        let project = Project::of_example(name);
        let said = String::from_utf8(run(under_valgrind(&mut project.command(arguments))).stdout).unwrap();
        assert!(said.contains(printed), "{name}: {said}");
    }
    None
}

fn under_valgrind(cargo: &mut Command) -> &mut Command {
    let about = String::from_utf8(run(Command::new("rustc").arg("-vV")).stdout).unwrap();
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    cargo.env(format!("CARGO_TARGET_{}_RUNNER", host.to_uppercase().replace('-', "_")), MEMCHECK.join(" "))
}

/// ckernels over NumPy. What Python and NumPy lose is theirs.
pub fn in_python() -> Skipped {
    let folder = tempfile::tempdir().unwrap();
    let libraries = [("bitkit", "bk"), ("mulacc", "mulacc")].map(|(spec, name)| {
        write(spec, folder.path());
        let mut gcc = Compiler::Gcc.command(Language::C11);
        gcc.args(["-O1", "-g", "-shared", "-fPIC", "-I"]).arg(folder.path().join("include"));
        let source = folder.path().join(format!("src/{name}_ckernels.c"));
        cc::program(gcc, &[source], &folder.path().join(format!("{name}.so")))
    });
    let mut valgrind = Command::new(MEMCHECK[0]);
    valgrind.args(["--quiet", "--error-exitcode=9", "--leak-check=no"]).env("PYTHONMALLOC", "malloc");
    valgrind.arg("/usr/bin/python3").arg("-B").arg(repository().join("examples/ckernel-python/main.py"));
    valgrind.arg(std::env::current_exe().unwrap().with_file_name("liblapis_cx_runtime.so")).args(libraries);
    let said = String::from_utf8(run(&mut valgrind).stdout).unwrap();
    assert!(said.ends_with("threads    [650, 728, 806, 884]\n"), "{said}");
    None
}
