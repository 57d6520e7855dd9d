//! Tests that make, CMake and Meson build a library that programs load in place of the real one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use lapis_cx::backend::Backend;
use lapis_cx::driver::{Effort, NoVerdicts, SourceText, compile};
use lapis_cx_tests::spec;

use super::{engine_headers, here, out, run};

/// Builds the engine of the tests as a static library.
fn engine(folder: &Path) -> PathBuf {
    let object = folder.join("engine.o");
    let mut command = Command::new("gcc");
    command.args(["-std=gnu11", "-O1", "-fPIC", "-Wall", "-Wextra", "-Werror", "-c", "-o"]).arg(&object);
    out(command.arg("-I").arg(engine_headers()).arg(here().join("engine.c")));
    let library = folder.join("libengine.a");
    out(Command::new("ar").arg("rcs").arg(&library).arg(object));
    library
}

/// Generates the files for a build system in `folder`, with a fuzzer.
fn print(text: Vec<u8>, system: &str, folder: &Path) {
    print_with(text, &[("build", system), ("fuzzer", "on")], folder);
}

/// Generates the files with these options of the backend.
fn print_with(text: Vec<u8>, options: &[(&str, &str)], folder: &Path) {
    let backend = lapis_cx_backends::by_name("remoting").unwrap();
    let backend = backend.with_options(options).unwrap();
    let root = SourceText { name: "library.cxspec".to_owned(), bytes: text };
    let backends: [&dyn Backend; 1] = [&*backend];
    let outcome = compile(root, &mut spec::importable(), &mut NoVerdicts, Effort::Build, &backends);
    assert!(!outcome.has_errors() && outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
    spec::write(&outcome, folder);
}

/// Builds the generated files, and returns the folder of the results.
fn build(system: &str, folder: &Path, variables: &[(&str, String)]) -> PathBuf {
    let library = engine(folder);
    let (source, result) = (folder.join("remoting"), folder.join("result"));
    fs::create_dir_all(&result).unwrap();
    let mut all = variables.to_vec();
    // The build of the small library names the engine; that of zlib finds it.
    let packages = folder.join("packages");
    if all.is_empty() {
        fs::create_dir_all(&packages).unwrap();
        let (include, lib) = (engine_headers(), folder.display());
        let text = format!(
            "includedir={}\nName: lapis-cx-remote\nDescription: engine\nVersion: 0.1.0\nCflags: -I${{includedir}}\n\
             Libs: -L{lib} -l:libengine.a\nLibs.private: -ldl\n",
            include.display()
        );
        fs::write(packages.join("lapis-cx-remote.pc"), text).unwrap();
    } else {
        all.push(("CX_REMOTE_INCLUDE", engine_headers().display().to_string()));
        all.push(("CX_REMOTE_LIB", format!("{} -ldl", library.display())));
    }
    let start = |program: &str| {
        let mut command = Command::new(program);
        command.env("PKG_CONFIG_PATH", &packages);
        command
    };
    match system {
        "make" => {
            let settings = all.iter().map(|(name, value)| format!("{name}={value}"));
            let mut command = start("make");
            command.arg("-f").arg(source.join("Makefile")).args(settings.collect::<Vec<_>>());
            out(command.args(["CFLAGS=-O1 -Wall -Wextra -Wpedantic -Werror"]).current_dir(&result));
            // A second build does nothing.
            let again = run(command.arg("-q").current_dir(&result));
            assert!(again.status.success());
        }
        "cmake" => {
            let settings = all.iter().map(|(name, value)| format!("-D{name}={}", value.replace(' ', ";")));
            out(start("cmake").arg("-S").arg(&source).arg("-B").arg(&result).args(settings));
            out(Command::new("cmake").arg("--build").arg(&result));
        }
        _ => {
            let setup = &mut start("meson");
            out(setup.arg("setup").arg(&result).arg(&source).envs(all.iter().map(|(name, value)| (name, value))));
            out(Command::new("meson").arg("compile").arg("-C").arg(&result));
        }
    }
    result
}

/// Links the worker as the tests' engine loads it.
fn worker(folder: &Path, result: &Path, name: &str) {
    let mut command = Command::new("gcc");
    command.args(["-std=gnu11", "-shared", "-fPIC", "-fvisibility=hidden", "-Dmain=cxr_test_main"]);
    // The engine finds `main` by name.
    command.arg("-include").arg(folder.join("main.h")).arg("-I").arg(engine_headers()).arg("-I").arg(here());
    fs::write(
        folder.join("main.h"),
        "__attribute__((visibility(\"default\"))) int cxr_test_main(int argc, char **argv);\n",
    )
    .unwrap();
    command.arg("-o").arg(result.join(format!("{name}.so"))).arg(folder.join("remoting").join(format!("{name}.c")));
    out(command.arg(here().join("engine.c")).arg("-ldl"));
}

/// Returns the functions that a library exports, with versions.
fn exports(library: &Path) -> Vec<String> {
    let text = out(Command::new("nm").args(["-D", "--defined-only"]).arg(library));
    let mut names: Vec<String> = text.lines().filter_map(|line| line.split(' ').nth(2)).map(str::to_owned).collect();
    names.sort();
    names
}

fn real_zlib() -> String {
    out(Command::new("gcc").arg("-print-file-name=libz.so.1")).trim().to_owned()
}

/// Returns the specification of zlib without one of its functions.
fn without_inflate_sync() -> Vec<u8> {
    let text = fs::read_to_string(spec::folder().join("zlib.cxspec")).unwrap();
    let start = text.find("        func inflateSync(").unwrap();
    let rest = &text[start..];
    format!("{}{}", &text[..start], &rest[rest.find("        }\n").unwrap() + 10..]).into_bytes()
}

/// A program that was linked with the real library, and Python's module, run without a message about versions.
fn zlib(system: &str) {
    let folder = tempfile::tempdir().unwrap();
    print(without_inflate_sync(), system, folder.path());
    let result = build(system, folder.path(), &[]);
    assert!(result.join("zlib_worker").is_file());
    // The shadow library is built on request only; here another file needs its name.
    let native = result.join("zlib_worker.so");
    assert!(!native.exists());
    let mut asked = Command::new(system);
    match system {
        "make" => asked.arg("-f").arg(folder.path().join("remoting/Makefile")).arg("shadow").current_dir(&result),
        "cmake" => asked.arg("--build").arg(&result).args(["--target", "zlib_shadow"]),
        _ => asked.arg("compile").arg("-C").arg(&result).arg("zlib_worker:shared_module"),
    };
    out(asked.env("PKG_CONFIG_PATH", folder.path().join("packages")));
    assert_eq!(exports(&native), ["cx_remote_shadow"]);
    fs::remove_file(native).unwrap();
    // The fuzzer is built on request only, too.
    let fuzzer = result.join("zlib_fuzz");
    assert!(!fuzzer.exists());
    let mut asked = Command::new(system);
    match system {
        "make" => asked.arg("-f").arg(folder.path().join("remoting/Makefile")).arg("fuzz").current_dir(&result),
        "cmake" => asked.arg("--build").arg(&result).args(["--target", "fuzz"]),
        _ => asked.arg("compile").arg("-C").arg(&result).arg("fuzz"),
    };
    out(asked.env("PKG_CONFIG_PATH", folder.path().join("packages")));
    worker(folder.path(), &result, "zlib_worker");

    let real = real_zlib();
    let guest = result.join("libz.so.1");
    assert_eq!(exports(&guest), exports(Path::new(&real)), "{system}");
    let dynamic = out(Command::new("readelf").arg("-d").arg(&guest));
    assert!(dynamic.contains("soname: [libz.so.1]"), "{dynamic}");
    let left_out = fs::read_to_string(result.join("zlib_left_out.txt")).unwrap();
    assert!(left_out.lines().any(|line| line == "function inflateSync"), "{left_out}");
    assert!(!left_out.contains("function deflate\n"), "{left_out}");

    let program = folder.path().join("program");
    let source = folder.path().join("program.c");
    fs::write(&source, PROGRAM).unwrap();
    out(Command::new("gcc").arg("-o").arg(&program).arg(&source).arg("-lz"));
    let expected = out(&mut Command::new(&program));
    let mut command = Command::new(&program);
    command.env("LD_LIBRARY_PATH", &result).env("CXR_TEST_REAL", &real);
    let output = run(&mut command);
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    // The fuzzer loads the guest library in its folder.
    let mut fuzz = Command::new(&fuzzer);
    fuzz.args(["--honest", "--count", "5", "--functions", "adler32,crc32,compress,compress2,compressBound,uncompress"]);
    let said = out(fuzz.env("CXR_TEST_REAL", &real));
    assert_eq!(said.lines().filter(|line| line.contains(": 40 calls, 0 not made, ")).count(), 5, "{said}");
    assert_eq!(out(fuzz.env("LD_LIBRARY_PATH", Path::new(&real).parent().unwrap())), said);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());

    // Without a worker there are no calls, so the calls above went through the guest.
    fs::remove_file(result.join("zlib_worker.so")).unwrap();
    let output = run(&mut command);
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("no worker"));
    worker(folder.path(), &result, "zlib_worker");

    let mut python = Command::new("python3");
    python.args(["-c", PYTHON]).env("LD_LIBRARY_PATH", &result).env("CXR_TEST_REAL", &real);
    let output = run(&mut python);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "True True\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// A call of a function that the specification does not describe aborts the program, unless the backend is told otherwise. The build lists
/// such functions.
#[test]
fn missing_function_aborts_the_program() {
    use std::os::unix::process::ExitStatusExt;
    let folder = tempfile::tempdir().unwrap();
    let (program, source) = (folder.path().join("program"), folder.path().join("program.c"));
    let text = "#include <zlib.h>\n#include <stdio.h>\nint main(void) { z_stream s = { 0 }; printf(\"%d\\n\", inflateSync(&s)); return 0; }\n";
    fs::write(&source, text).unwrap();
    out(Command::new("gcc").arg("-o").arg(&program).arg(&source).arg("-lz"));
    for (mode, printed, logged) in [("abort", "", "aborts"), ("zero", "0\n", "returns 0")] {
        let folder = tempfile::tempdir().unwrap();
        print_with(without_inflate_sync(), &[("missing", mode)], folder.path());
        let result = build("make", folder.path(), &[]);
        let output = run(Command::new(&program).env("LD_LIBRARY_PATH", &result));
        assert_eq!(String::from_utf8_lossy(&output.stdout), printed, "{mode}");
        let expected = format!("net.zlib:Zlib: inflateSync is missing: {logged}\n");
        assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
        assert_eq!(
            (output.status.code(), output.status.signal()),
            if mode == "abort" { (None, Some(6)) } else { (Some(0), None) }
        );
        // The output of make when it reads the symbols.
        let mut script = Command::new("sh");
        script.arg(folder.path().join("remoting/zlib_symbols.sh")).arg(real_zlib()).args(["map", "c", "txt"]);
        let listed = run(script.current_dir(folder.path()));
        let said = String::from_utf8_lossy(&listed.stderr);
        assert!(listed.status.success() && said.contains("1 symbols") && said.contains(": inflateSync ..."), "{said}");
    }
}

/// A flag with special characters of make, the shell, CMake and Meson.
const HOSTILE: &str = r"-DHOSTILE=a 'b c' $(shell touch run1) $(touch run2) ${X} $X $$ %p # `touch run3` @X@ $<1:no> & | < > ; * ? ~ ! ^ { } [ ]";

/// Flags of the specification reach the compiler unchanged, and nothing in them is executed.
#[test]
fn flags_with_special_characters_reach_the_compiler() {
    for system in ["make", "cmake", "meson"] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("odd.h"), "const char *odd_text(void);\n").unwrap();
        let text = format!(
            "cxspec 1;\npackage org.example.odd;\nlibrary odd {{ c prefix \"odd_\"; c header \"odd.h\"; c soname \"libodd+x_1.so.1\"; \
             c cflags \"{HOSTILE}\", \"-DTWO=a b\", \"-DTWO=a b\"; c libs \"-lm\"; c sources(guest) \"odd-guest.c\"; \
             utility c\"\"\"#define ODD_TEXT(...) #__VA_ARGS__\n#define ODD(...) ODD_TEXT(__VA_ARGS__)\"\"\" \
             func text() -> cstr {{ fails c\"\"\" \"\" \"\"\"; replace c\"\"\"return ODD(HOSTILE) ODD(TWO);\"\"\" }} }}\n"
        );
        fs::write(folder.path().join("odd-guest.c"), "typedef int odd_nothing;\n").unwrap();
        print_with(text.into_bytes(), &[("build", system)], folder.path());
        let source = folder.path().display().to_string();
        let none = folder.path().join("no-real-library").display().to_string();
        let result = build(system, folder.path(), &[("SOURCE_DIR", source), ("ODD_REAL", none)]);
        let main = folder.path().join("main.c");
        fs::write(&main, "#include <stdio.h>\n#include \"odd.h\"\nint main(void) { puts(odd_text()); return 0; }\n")
            .unwrap();
        let program = folder.path().join("main");
        let mut gcc = Command::new("gcc");
        gcc.arg("-I").arg(folder.path()).arg("-o").arg(&program).arg(main).arg(result.join("libodd+x_1.so.1"));
        out(&mut gcc);
        let said = out(Command::new(&program).env("LD_LIBRARY_PATH", &result));
        let expected = HOSTILE.trim_start_matches("-DHOSTILE=");
        assert_eq!(said, format!("{expected}a b\n"), "{system}");
        for folder in [folder.path().to_owned(), folder.path().join("remoting"), result] {
            for name in ["run1", "run2", "run3"] {
                assert!(!folder.join(name).exists(), "{system} ran a part of a flag");
            }
        }
    }
}

/// Two specifications share a folder: their common files are equal, and each build keeps the other library buildable.
#[test]
fn two_specifications_in_one_folder_build() {
    for (system, file) in [("make", "Makefile"), ("cmake", "CMakeLists.txt")] {
        let folder = tempfile::tempdir().unwrap();
        let shared = ["one", "two"].map(|name| {
            let text = format!(
                "cxspec 1;\npackage org.example.{name};\nlibrary {name} {{ c prefix \"{name}_\"; c header \"{name}.h\"; c soname \
                 \"lib{name}.so.1\"; func add(a: int, b: int) -> int; }}\n"
            );
            fs::write(folder.path().join(format!("{name}.h")), format!("int {name}_add(int a, int b);\n")).unwrap();
            print(text.into_bytes(), system, folder.path());
            fs::read_to_string(folder.path().join("remoting").join(file)).unwrap()
        });
        // `cxc` lets several specifications write the same file only with equal contents.
        assert_eq!(shared[0], shared[1]);
        let none = folder.path().join("no-real-library").display().to_string();
        let source = folder.path().display().to_string();
        let result =
            build(system, folder.path(), &[("SOURCE_DIR", source), ("ONE_REAL", none.clone()), ("TWO_REAL", none)]);
        for name in ["one", "two"] {
            assert!(result.join(format!("{name}_worker")).is_file(), "{system}");
            assert_eq!(exports(&result.join(format!("lib{name}.so.1"))), [format!("{name}_add")], "{system}");
        }
    }
}

/// A build without the real library, or with another one, reads the symbols again when the library appears. The library may be older than
/// the results, and a file with its name in the build folder is the guest library.
#[test]
fn symbols_of_changed_library_are_read_again() {
    for system in ["make", "cmake"] {
        let folder = tempfile::tempdir().unwrap();
        let real = super::small::real(folder.path());
        out(Command::new("touch").args(["-d", "2020-01-01"]).arg(&real));
        print(fs::read(here().join("small.cxspec")).unwrap(), system, folder.path());
        let build = |real: &str| {
            let (none, here) = (String::new(), here().display().to_string());
            let variables = [("SMALL_REAL", real.to_owned()), ("SOURCE_DIR", here), ("SMALL_LIBS", none)];
            let result = build(system, folder.path(), &variables);
            exports(&result.join("libsmall.so.1")).iter().any(|name| name.contains("@SMALL_"))
        };
        let real = real.display().to_string();
        assert!(!build("libsmall.so.1"), "{system}");
        assert!(!build("libsmall.so.1"), "{system}");
        assert!(build(&real), "{system}");
        assert!(!build("/nowhere/libsmall.so.1"), "{system}");
        assert!(build(&real), "{system}");
    }
}

/// Without the real library the symbols have no versions, and the loader warns a program that was linked with versions.
#[test]
fn library_without_versions_triggers_loader_warning() {
    let folder = tempfile::tempdir().unwrap();
    print(fs::read(spec::folder().join("zlib.cxspec")).unwrap(), "make", folder.path());
    let result = build("make", folder.path(), &[("ZLIB_REAL", "nowhere.so".to_owned())]);
    worker(folder.path(), &result, "zlib_worker");
    let (program, source) = (folder.path().join("program"), folder.path().join("program.c"));
    fs::write(&source, "#include <zlib.h>\nint main(void) { return compressBound(1) == 0; }\n").unwrap();
    out(Command::new("gcc").arg("-o").arg(&program).arg(&source).arg("-lz"));
    let mut command = Command::new(&program);
    let output = run(command.env("LD_LIBRARY_PATH", &result).env("CXR_TEST_REAL", real_zlib()));
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("no version information available"));
}

const PROGRAM: &str = r#"
#include <stdio.h>
#include <string.h>
#include <zlib.h>
int main(void)
{
    static Bytef text[4096], small[4096], back[4096];
    memset(text, 'x', sizeof text);
    uLongf n = sizeof small, m = sizeof back;
    printf("%d %lu\n", compress2(small, &n, text, sizeof text, 9), n);
    printf("%d %lu %d\n", uncompress(back, &m, small, n), m, memcmp(back, text, m));
    printf("%s %lu %lu\n", zlibVersion(), compressBound(100), crc32(0, text, 100));
    gzFile file = gzopen("/dev/null", "w");
    printf("%d\n", gzprintf(file, "%s %d", "text", 5));
    printf("%d\n", gzclose(file));
    return 0;
}
"#;

const PYTHON: &str = "
import zlib
data = bytes(range(256)) * 100
packer = zlib.compressobj(wbits=31)
packed = packer.compress(data) + packer.flush()
print(zlib.decompress(zlib.compress(data)) == data, zlib.decompress(packed, 31) == data)
";

#[test]
fn zlib_by_make() {
    zlib("make");
}

#[test]
fn zlib_by_cmake() {
    zlib("cmake");
}

#[test]
fn zlib_by_meson() {
    zlib("meson");
}

/// Covers old versions of symbols, data, hidden functions, and a missing real library.
#[test]
fn symbols_match_the_real_library() {
    for system in ["make", "cmake", "meson"] {
        symbols(system);
    }
}

fn symbols(system: &str) {
    let folder = tempfile::tempdir().unwrap();
    let real = super::small::real(folder.path());
    print(fs::read(here().join("small.cxspec")).unwrap(), system, folder.path());
    // The headers of the specification are in the folder in which the build searches for sources.
    let variables = |real: String| {
        [("SMALL_REAL", real), ("SOURCE_DIR", here().display().to_string()), ("SMALL_LIBS", String::new())]
    };
    let result = build(system, folder.path(), &variables(real.display().to_string()));
    let mut expected = exports(&real);
    // Functions that programs get by name only are not exported, and neither is data.
    expected.retain(|name| !["small_secret", "small_counter"].contains(&name.as_str()));
    assert_eq!(exports(&result.join("libsmall.so.1")), expected);
    let left_out = fs::read_to_string(result.join("small_left_out.txt")).unwrap();
    let mut left_out: Vec<&str> = left_out.lines().collect();
    left_out.sort();
    assert_eq!(left_out, ["function small_add@SMALL_1.0", "function small_left_out", "object small_counter"]);

    let other = tempfile::tempdir().unwrap();
    print(fs::read(here().join("small.cxspec")).unwrap(), system, other.path());
    let result = build(system, other.path(), &variables("nowhere.so".to_owned()));
    assert_eq!(fs::read_to_string(result.join("small_left_out.txt")).unwrap(), "");
    let names = exports(&result.join("libsmall.so.1"));
    assert_eq!(names.len(), 14, "{names:?}");
    assert!(names.iter().all(|name| name.starts_with("small_") && !name.contains('@')), "{names:?}");
}

/// Runs make in the folder of a specification of the small library, and returns what it says on standard error.
fn make_says(text: &str, variables: &[String]) -> String {
    let folder = tempfile::tempdir().unwrap();
    print(text.as_bytes().to_vec(), "make", folder.path());
    let mut make = Command::new("make");
    make.arg("-C").arg(folder.path().join("remoting")).args(variables).env_remove("MAKEFLAGS");
    let output = make.env("PKG_CONFIG_LIBDIR", folder.path()).env_remove("PKG_CONFIG_PATH").output().unwrap();
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn engine_that_is_not_found_is_an_error_that_names_the_variable() {
    let text = fs::read_to_string(here().join("small.cxspec")).unwrap();
    let said = make_says(&text, &[]);
    assert!(said.contains("set PKG_CONFIG_PATH to the folder lib/pkgconfig"), "{said}");
    assert_eq!(make_says(&text, &["clean".to_owned()]), "");
}

/// Programs would load the real library, and not the guest library.
#[test]
fn real_library_with_another_soname_triggers_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let real = format!("SMALL_REAL={}", super::small::real(folder.path()).display());
    let variables = [real, "CX_REMOTE_LIB=none".to_owned(), "small.map".to_owned()];
    let text = fs::read_to_string(here().join("small.cxspec")).unwrap();
    assert!(!make_says(&text, &variables).contains("SONAME"));
    let said = make_says(&text.replace("\"libsmall.so.1\"", "\"libsmall.so.2\""), &variables);
    let (has, named) = ("has the SONAME libsmall.so.1", "the specification names libsmall.so.2.");
    assert!(
        said.contains(has) && said.contains(named) && said.contains("write `c soname \"libsmall.so.1\"`"),
        "{said}"
    );
}
