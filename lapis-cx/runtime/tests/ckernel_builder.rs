//! ckernels: the builder against a model, and from C, C++ and Python.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use lapis_cx_runtime::ckernel::{Builder, Failure, Prefix, RawBuilder, destroy_child};
use proptest::prelude::*;

const WORD: usize = size_of::<usize>();

/// How often the ckernel was destroyed that has the address, and where its two children are. 0: there is none.
#[derive(Clone, Copy)]
#[repr(C)]
struct Owned {
    destroyed: *const AtomicU32,
    children: [isize; 2],
    filler: [u8; 5],
}

unsafe extern "C" fn destroy_owned(kernel: *mut Prefix) {
    // SAFETY: it is the destructor of such a ckernel.
    unsafe {
        let owned = kernel.add(1).cast::<Owned>().read_unaligned();
        (*owned.destroyed).fetch_add(1, Ordering::Relaxed);
        owned.children.iter().for_each(|child| destroy_child(kernel, *child));
    }
}

/// A step of a user of a builder.
#[derive(Clone, Debug)]
enum Step {
    Ensure(usize),
    EnsureLeaf(usize),
    TooMuch(usize),
    /// Another ckernel below the one of this number, if that has a place left. The second number: whether it gets there.
    Put(usize, bool),
    Reset,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        1 => (0usize..2000).prop_map(Step::Ensure),
        1 => (0usize..2000).prop_map(Step::EnsureLeaf),
        1 => (0usize..16).prop_map(|less| Step::TooMuch(usize::MAX / 2 - less)),
        8 => (any::<usize>(), any::<bool>()).prop_map(|(parent, made)| Step::Put(parent, made)),
        1 => Just(Step::Reset),
    ]
}

/// What should be in the builder.
struct Model {
    kernels: Vec<Kernel>,
    end: usize,
}

struct Kernel {
    offset: usize,
    destroyed: Box<AtomicU32>,
    children: [isize; 2],
}

fn word(builder: &mut Builder, offset: usize) -> usize {
    // SAFETY: inside of the capacity, all of which is initialised.
    unsafe { builder.kernel(0).unwrap().as_ptr().cast::<u8>().add(offset).cast::<usize>().read() }
}

fn check(builder: &mut Builder, model: &Model) {
    // What is behind the ckernels is zero, to the end.
    for offset in (model.end..builder.capacity()).step_by(WORD) {
        assert_eq!(word(builder, offset), 0, "{offset}");
    }
    for kernel in &model.kernels {
        assert_eq!(kernel.destroyed.load(Ordering::Relaxed), 0);
        let place = builder.kernel(kernel.offset).unwrap();
        // SAFETY: a ckernel was put there.
        let owned = unsafe { place.add(1).cast::<Owned>().read_unaligned() };
        assert!(std::ptr::eq(owned.destroyed, &*kernel.destroyed) && owned.filler == [7; 5]);
        assert_eq!(owned.children, kernel.children);
    }
}

fn take(builder: &mut Builder, model: &mut Model, step: &Step) {
    let before = builder.capacity();
    match *step {
        Step::Ensure(bytes) => {
            builder.ensure_capacity(bytes).unwrap();
            assert!(builder.capacity() >= before.max(bytes + size_of::<Prefix>()));
        }
        Step::EnsureLeaf(bytes) => {
            builder.ensure_capacity_leaf(bytes).unwrap();
            assert!(builder.capacity() >= before.max(bytes));
            assert!(bytes > before || builder.capacity() == before);
        }
        Step::TooMuch(bytes) => {
            assert_eq!(builder.ensure_capacity_leaf(bytes), Err(Failure::NoMemory));
            assert_eq!(builder.capacity(), before);
        }
        Step::Put(parent, made) => {
            let parent = parent.checked_rem(model.kernels.len());
            let free = parent.and_then(|i| model.kernels[i].children.iter().position(|c| *c == 0));
            let offset = model.end;
            match (parent, free) {
                (None, _) => {}
                (Some(_), None) => return,
                (Some(i), Some(place)) => {
                    // The parent says where its child will be, before there is one.
                    let parent = &mut model.kernels[i];
                    let child = (offset - parent.offset) as isize;
                    parent.children[place] = child;
                    builder.ensure_capacity(offset).unwrap();
                    let at = builder.kernel(parent.offset).unwrap();
                    // SAFETY: a ckernel was put there.
                    unsafe {
                        let mut owned = at.add(1).cast::<Owned>().read_unaligned();
                        owned.children[place] = child;
                        at.add(1).cast::<Owned>().write_unaligned(owned);
                    }
                }
            }
            if made {
                let destroyed = Box::new(AtomicU32::new(0));
                let owned = Owned { destroyed: &*destroyed, children: [0; 2], filler: [7; 5] };
                let prefix = Prefix { function: std::ptr::null_mut(), destructor: Some(destroy_owned) };
                // SAFETY: the destructor destroys its own children only; nothing was put there yet.
                model.end = unsafe { builder.put(offset, prefix, owned) }.unwrap();
                assert!(builder.capacity() >= model.end + size_of::<Prefix>());
                model.kernels.push(Kernel { offset, destroyed, children: [0; 2] });
            } else if parent.is_some() {
                // It stays empty: later ones come behind it.
                model.end += size_of::<Prefix>();
                builder.ensure_capacity(model.end).unwrap();
            }
        }
        Step::Reset => {
            builder.reset();
            gone(model);
            assert_eq!(builder.capacity(), 16 * WORD);
        }
    }
}

/// All ckernels were destroyed, once each.
fn gone(model: &mut Model) {
    for kernel in model.kernels.drain(..) {
        assert_eq!(kernel.destroyed.load(Ordering::Relaxed), 1);
    }
    model.end = 0;
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]
    #[test]
    fn the_builder_is_as_the_model(steps in prop::collection::vec(step(), 0..60)) {
        let mut builder = Builder::new().unwrap();
        let mut model = Model { kernels: Vec::new(), end: 0 };
        for step in &steps {
            take(&mut builder, &mut model, step);
            check(&mut builder, &model);
        }
        drop(builder);
        gone(&mut model);
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let mut builder = Builder::new().unwrap();
    assert_eq!(builder.ensure_capacity(usize::MAX), Err(Failure::NoMemory));
    let prefix = Prefix { function: std::ptr::null_mut(), destructor: None };
    // SAFETY: nothing is put anywhere.
    unsafe {
        assert_eq!(builder.put(4, prefix, 0u8), Err(Failure::Invalid));
        assert_eq!(builder.put(usize::MAX - 7, prefix, 0u8), Err(Failure::NoMemory));
    }
    for offset in [1, 4, 15 * WORD, 16 * WORD, usize::MAX, usize::MAX - 7] {
        assert!(builder.kernel(offset).is_none(), "{offset}");
    }
    assert!(builder.kernel(14 * WORD).is_some());
    // SAFETY: the builder is there.
    assert_eq!(unsafe { (*builder.as_raw()).m_capacity }, size_of::<RawBuilder>() as isize - 2 * WORD as isize);
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Where cargo put the libraries of this crate.
fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().into()
}

/// What a command prints.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}; `tests/run` installs it"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}\n{said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

/// The program of C, built; the flags are those of its compiler.
fn program(compiler: &str, flags: &[&str]) -> PathBuf {
    let name = format!("ckernel-{}{}", compiler.replace('+', "p"), flags.concat().replace(['/', ' '], ""));
    let exe = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let (standard, language) = if compiler.ends_with("++") { ("-std=c++17", "c++") } else { ("-std=c11", "c") };
    let mut command = Command::new(compiler);
    command.args([standard, "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wundef", "-Werror", "-g"]);
    command.args(flags).arg("-I").arg(here("include")).arg("-I").arg(here("../core/include"));
    command.args(["-x", language]).arg(here("tests/c/ckernel.c")).args(["-x", "none"]);
    command.arg(libraries().join("liblapis_cx_runtime.a"));
    command.args(["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"]).arg("-o").arg(&exe);
    run(&mut command);
    exe
}

#[test]
fn programs_run() {
    // clang traps, as its runtime is a package of its own; so only gcc finds leaks.
    let gcc = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let clang = ["-O1", "-fsanitize=undefined", "-fsanitize-trap=undefined"];
    for (compiler, flags) in [("gcc", gcc), ("g++", gcc), ("clang", clang), ("clang++", clang)] {
        // The program asks for more memory than there can be.
        let mut command = Command::new(program(compiler, &flags));
        let said = run(command.arg("3000").env("ASAN_OPTIONS", "allocator_may_return_null=1"));
        assert_eq!(said, "0 failures\n", "{compiler}");
    }
}

/// By hand with a million: `valgrind --leak-check=full target/tmp/ckernel-gcc-O2 1000000`.
#[test]
fn what_is_built_and_destroyed_leaves_nothing() {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--leak-check=full", "--show-leak-kinds=all", "--errors-for-leak-kinds=all"]);
    let said = run(valgrind.arg("--error-exitcode=9").arg(program("gcc", &["-O2"])).arg("5000"));
    assert_eq!(said, "0 failures\n");
}

/// The layout of the headers is that of the Rust side, and they are good for bare RISC-V.
#[test]
fn headers_agree_with_rust() {
    use lapis_cx_core::ckernel::*;
    let mut program = String::from("#include \"ckernel.h\"\n");
    let mut is = |what: &str, value: usize| {
        writeln!(program, "_Static_assert({what} == {value}, \"{}\");", what.replace('"', "")).unwrap();
    };
    macro_rules! same {
        ($($name:literal $type:ident { $($field:ident)* })*) => { $(
            is(concat!("sizeof(", $name, ")"), size_of::<$type>());
            $(is(concat!("offsetof(", $name, ", ", stringify!($field), ")"), std::mem::offset_of!($type, $field));)*
        )* };
    }
    same! {
        "ckernel_prefix" Prefix { function destructor }
        "ckernel_builder" RawBuilder { m_data m_capacity m_static_data }
        "ckernel_error" Error { status code index message }
        "ckernel_call" Call { error initial state state_size }
        "ckernel_type" Type { kind size width }
        "ckernel_command" Command { name id flags operands result operand single strided }
        "ckernel_set" Set {
            abi_version struct_size name contract xlen count commands data_size state_size init
        }
    }
    is("sizeof(ckernel_composition)", size_of::<Composition>());
    is("offsetof(ckernel_composition, inner_state)", std::mem::offset_of!(Composition, inner_state));
    is("CKERNEL_MOST_OPERANDS", MOST_OPERANDS);
    is("CKERNEL_STRIDED", Kind::Strided as usize);
    is("CKERNEL_ABI_VERSION", CKERNEL_ABI_VERSION as usize);
    is("CKERNEL_MESSAGE_SIZE", MESSAGE_SIZE);
    is("-CKERNEL_NO_MEMORY", -(Failure::NoMemory as i32) as usize);
    is("-CKERNEL_INVALID", -(Failure::Invalid as i32) as usize);
    let check = |compiler: &str, flags: &[&str], text: &str| {
        let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ckernel_layout.c");
        std::fs::write(&source, text).unwrap();
        let mut command = std::process::Command::new(compiler);
        command.args(flags).arg("-I").arg(here("include")).arg("-I").arg(here("../core/include"));
        command.args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]).arg(source);
        command.output().unwrap()
    };
    let good = check("gcc", &[], &program);
    assert!(good.status.success(), "{}", String::from_utf8_lossy(&good.stderr));
    for target in ["--target=riscv32-unknown-elf", "--target=riscv64-unknown-elf"] {
        let good = check("clang", &[target, "-ffreestanding"], "#include \"ckernel_abi.h\"\n#include \"ckernel.h\"\n");
        assert!(good.status.success(), "{}", String::from_utf8_lossy(&good.stderr));
    }
    let skewed = "#define CKERNEL_ABI_H\n#define CKERNEL_ABI_VERSION 2\n#include \"ckernel_abi.h\"\n";
    let bad = check("gcc", &[], skewed);
    let said = String::from_utf8_lossy(&bad.stderr);
    assert!(said.contains("this header is for ckernel ABI 1") && said.matches("error:").count() == 1, "{said}");
}

#[test]
fn python_needs_nothing_but_ctypes() {
    let library = libraries().join("liblapis_cx_runtime.so");
    assert_eq!(run(Command::new("python3").arg(here("tests/ckernel.py")).arg(library)), "good 2\n");
}
