//! Tests of `CX_REMOTE=shadow`: a correct specification reports no mistakes, and each planted mistake is reported by name.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, OnceLock, PoisonError};

use lapis_cx_tests::{cc, remoted, spec};

/// A planted mistake in zlib's specification: the original text, its replacement, and the function, parameter and kind that must be
/// reported.
struct Planted {
    right: &'static str,
    wrong: &'static str,
    named: &'static str,
}

const fn planted(right: &'static str, wrong: &'static str, named: &'static str) -> Planted {
    Planted { right, wrong, named }
}

const SIZES: [Planted; 6] = [
    planted(
        "source: in [u8; sourceLen], sourceLen: ulong, level",
        "source: in [u8; sourceLen / 2], sourceLen: ulong, level",
        "compress2: source: size",
    ),
    planted(
        "func compress2(dest: out [u8; destLen[0]] @valid(destLen[0])",
        "func compress2(dest: out [u8; destLen[0] / 32] @valid(min(destLen[0], old(destLen[0]) / 32))",
        "compress2: dest: size",
    ),
    planted(
        "next_out: out [u8; avail_out]? @valid(old(avail_out) - avail_out) @on(true);",
        "next_out: out [u8; avail_out]? @on(true);",
        "deflate: strm.next_out: size",
    ),
    planted(
        "dictionary: in [u8; dictLength]?,\n                dictLength: uint) -> int;\n        func inflateSet",
        "dictionary: in [u8; dictLength - 1]?,\n                dictLength: uint) -> int;\n        func inflateSet",
        "deflateSetDictionary: dictionary: size",
    ),
    planted(
        "buf: \"voidp\" as out [u8; len] @valid(max(ret, 0))",
        "buf: \"voidp\" as out [u8; len / 2] @valid(min(max(ret, 0), len / 2))",
        "gzread: buf: size",
    ),
    planted("as out [[u8; ret]; 1]", "as out [[u8; ret / 2]; 1]", "InFunc: buf: size"),
];

const DIRECTIONS: [Planted; 6] = [
    planted(
        "            implicit head: inout [GzHeadOut; 1]? @lifetime(strm) @on(true) = strm.headout;  // retained by inflateGetHeader\n",
        "",
        "inflate: direction",
    ),
    planted(
        "func uncompress(dest: out [u8; destLen[0]] @valid(destLen[0]) @on(true)",
        "func uncompress(dest: \"Bytef *\" as in [u8; destLen[0]]",
        "uncompress: dest: direction",
    ),
    planted(
        "func uncompress(dest: out [u8; destLen[0]] @valid(destLen[0]) @on(true)",
        "func uncompress(dest: out [u8; destLen[0]] @valid(destLen[0])",
        "uncompress: dest: direction",
    ),
    planted(
        "func uncompress(dest: out [u8; destLen[0]] @valid(destLen[0]) @on(true), destLen: inout [ulong; 1] @on(true)",
        "func uncompress(dest: out [u8; destLen[0]] @valid(destLen[0]) @on(true), destLen: \"uLongf *\" as in [ulong; 1]",
        "uncompress: destLen: direction",
    ),
    planted(
        "func crc32(crc: ulong, buf: in [u8; len]?",
        "func crc32(crc: ulong, buf: \"const Bytef *\" as out [u8; len]?",
        "crc32: buf: direction",
    ),
    planted("next_in:  in [u8; avail_in]?;", "next_in:  local ptr;", "deflate: strm.next_in: direction"),
];

const LIFETIMES: [Planted; 2] = [
    planted(
        "head: inout [GzHead; 1] @lifetime(strm)) -> int",
        "head: inout [GzHead; 1]) -> int",
        "deflateSetHeader: head: lifetime",
    ),
    planted(
        "window: local [u8; 1 << windowBits]? @lifetime(strm)",
        "window: local [u8; 1 << windowBits]?",
        "inflateBackInit: window: lifetime",
    ),
];

/// Refusals name the parameter too.
const REFUSED: [Planted; 1] = [planted(
    "func gzwrite(file: GzFile, buf",
    "func gzwrite(file: own GzFile, buf",
    "gzclose: file: refused: the worker does not do the call, which the library did: it is no object of this guest, or a dead one",
)];

fn real() -> PathBuf {
    let gcc = cc::run(Command::new("gcc").arg("-print-file-name=libz.so.1"));
    fs::canonicalize(String::from_utf8(gcc.stdout).unwrap().trim()).unwrap()
}

/// Compiles a program.
fn compiled(name: &str) -> PathBuf {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let program = FOLDER.get_or_init(|| tempfile::tempdir().unwrap()).path().join(name);
    if !program.exists() {
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&program);
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("shadow").join(name).with_extension("c");
        cc::run(gcc.arg(source).arg("-lz"));
    }
    program
}

/// Builds guest, worker and the shadow library for a specification of zlib.
fn made(text: &str, folder: &Path) -> PathBuf {
    let outcome = spec::build_text("zlib", text);
    let variables = [("CFLAGS", "-O0 -Wall -Wextra -Werror")];
    let remoting = remoted::make(&outcome, folder, &variables);
    remoted::make_shadow(&remoting, &variables);
    remoting
}

/// Returns the lines that shadow mode logs for a specification of zlib.
fn found_in(text: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let remoting = made(text, folder.path());
    let log = folder.path().join("log");
    let mut command = remoted::command(&compiled("program"), &remoting, &real());
    command.env("CX_REMOTE", "shadow").env("CX_REMOTE_SHADOW_LOG", &log).arg(folder.path().join("file.gz"));
    let Output { status, stderr, .. } = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&stderr);
    // The program gets the results of the real library, whatever the specification states.
    assert!(status.success(), "{status}: {stderr}");
    assert_eq!(stderr, "");
    fs::read_to_string(log).unwrap().lines().map(str::to_owned).collect()
}

fn shipped() -> String {
    fs::read_to_string(spec::folder().join("zlib.cxspec")).unwrap()
}

fn all_are_named(all: &[Planted]) {
    for Planted { right, wrong, named } in all {
        let shipped = shipped();
        assert_eq!(shipped.matches(right).count(), 1, "{right}");
        let found = found_in(&shipped.replace(right, wrong));
        let is_named = found.iter().any(|line| line == named || line.starts_with(&format!("{named}: ")));
        assert!(is_named, "{named}: {found:#?}");
        println!("{named}:\n    {}", found.join("\n    "));
    }
}

#[test]
fn correct_specification_reports_no_mistakes() {
    let found = found_in(&shipped());
    let [summary] = &found[..] else { panic!("{found:#?}") };
    assert!(summary.ends_with(" calls compared, mistakes found: 0"), "{summary}");
}

/// Returns the files that a program leaves in a folder, including its output, which is appended to existing text.
fn files_of(command: &mut Command) -> BTreeMap<PathBuf, Vec<u8>> {
    let home = tempfile::tempdir().unwrap();
    let output = home.path().join("output");
    fs::write(&output, "what was there\n").unwrap();
    let output = fs::OpenOptions::new().append(true).open(output).unwrap();
    let said = command.current_dir(&home).env("TMPDIR", home.path()).stdout(output).output().unwrap();
    assert!(said.status.success(), "{said:?}");
    assert_eq!(String::from_utf8_lossy(&said.stderr), "");
    let entries = fs::read_dir(&home).unwrap().map(|entry| entry.unwrap().path());
    let contents = |path: &Path| if path.is_dir() { Vec::new() } else { fs::read(path).unwrap() };
    entries.map(|path| (path.strip_prefix(&home).unwrap().to_owned(), contents(&path))).collect()
}

/// Both libraries run, and only one writes the program's files. A correct specification reports no mistakes, also for calls that cannot be
/// compared.
#[test]
fn files_are_the_same_as_natively() {
    let folder = tempfile::tempdir().unwrap();
    let remoting = made(&shipped(), folder.path());
    let (program, log) = (compiled("files"), folder.path().join("log"));
    let native = files_of(Command::new(&program).env_remove("LD_LIBRARY_PATH").env_remove("CX_REMOTE"));
    assert!(native.len() > 7 && native.values().any(|contents| contents.len() > 600), "{native:?}");
    let mut command = remoted::command(&program, &remoting, &real());
    let compared = files_of(command.env("CX_REMOTE", "shadow").env("CX_REMOTE_SHADOW_LOG", &log));
    let text = |contents: &Vec<u8>| String::from_utf8_lossy(contents).into_owned();
    for (path, contents) in &native {
        let found = compared.get(path);
        assert_eq!(found, Some(contents), "{}: {:?}\n{}", path.display(), found.map(text), text(contents));
    }
    assert_eq!(compared.len(), native.len(), "no copy is left: {:?}", compared.keys());
    let found = fs::read_to_string(log).unwrap();
    let found: Vec<_> = found.lines().collect();
    let [pipe, number, folder, summary] = found[..] else { panic!("{found:#?}") };
    assert_eq!(
        pipe,
        "gzdopen: fd: not compared: it is a pipe, a socket or a device, which two libraries cannot both have"
    );
    assert_eq!(number, "gzerror: ret: not compared: it names a file, which has another name in the worker");
    let both = "and two libraries cannot both have it";
    assert_eq!(folder, format!("gzopen: path: not compared: it is a folder that may be written, {both}"));
    assert!(summary.ends_with(" calls compared, 8 not compared, mistakes found: 0"), "{summary}");
}

#[test]
fn wrong_size_is_reported() {
    all_are_named(&SIZES);
}

#[test]
fn wrong_direction_is_reported() {
    all_are_named(&DIRECTIONS);
}

#[test]
fn wrong_lifetime_is_reported() {
    all_are_named(&LIFETIMES);
}

#[test]
fn refused_call_is_reported() {
    all_are_named(&REFUSED);
}

/// Runs a program of another test with its library in shadow mode, where it must print what it prints natively. Returns the lines of the log.
fn compared(folder: &str, name: &str, program: &str) -> Vec<String> {
    let library = remoted::Library::make(folder, name, "-O1", &["-D_GNU_SOURCE"]);
    let (real, here) = (library.real.to_string_lossy(), library.here.to_string_lossy());
    let real_of = format!("{}_REAL", name.to_uppercase());
    remoted::make_shadow(&library.remoting, &[("CFLAGS", "-O1"), (&real_of, &real), ("SOURCE_DIR", &here)]);
    let (program, log) = (library.program(program), library.folder.path().join("log"));
    let native = remoted::said(&mut remoted::command(&program, library.folder.path(), &library.real));
    let mut command = remoted::command(&program, &library.remoting, &library.real);
    let shadowed = remoted::said(command.env("CX_REMOTE", "shadow").env("CX_REMOTE_SHADOW_LOG", &log));
    let log = fs::read_to_string(log).unwrap();
    assert_eq!(shadowed, native, "{log}");
    log.lines().map(str::to_owned).collect()
}

/// The real library has trampolines and addresses of the engine in place of functions and userdata. The program gets its own back.
#[test]
fn functions_and_userdata_that_the_library_returns_are_those_of_the_program() {
    let found = compared("kept_memory", "shelves", "program");
    assert!(matches!(&found[..], [summary] if summary.ends_with("mistakes found: 0")), "{found:#?}");
}

#[test]
fn library_and_functions_of_the_program_see_the_errno_that_they_see_natively() {
    let found = compared("nested_calls", "numbers", "numbers_program");
    assert!(matches!(&found[..], [summary] if summary.ends_with("mistakes found: 0")), "{found:#?}");
}

/// The real library calls functions in structs itself, so the worker's library cannot have them too. These calls, and the calls on their objects,
/// are not compared.
#[test]
fn callbacks_in_structs_are_not_compared_and_no_mistakes() {
    let why = "not compared: the real library calls a function in a struct or buffer itself";
    let found = compared("nested_calls", "functions", "functions_program");
    let [of_struct, swap, summary] = &found[..] else { panic!("{found:#?}") };
    assert_eq!([of_struct, swap], [&format!("of_struct: Op: {why}"), &format!("swap: Op: {why}")]);
    assert!(summary.ends_with(" calls compared, 4 not compared, mistakes found: 0"), "{summary}");
    let found = compared("nested_calls", "kept", "kept_program");
    let [change, say, summary] = &found[..] else { panic!("{found:#?}") };
    assert_eq!([change, say], [&format!("fire: Change: {why}"), &format!("fire: Say: {why}")]);
    assert!(summary.ends_with(" not compared, mistakes found: 0"), "{summary}");
}

/// The worker's library gets memory where the program passes null, and functions that have no slot in the real library. Long lists do not exhaust
/// the stack, and a thread can make calls while it ends.
#[test]
fn arguments_that_only_differ_in_form_are_no_mistakes() {
    let found = compared("shadow", "arguments", "arguments_program");
    let [map, run_at, run, summary] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(map, "map: map: not compared: the real library calls it itself, as all `slots` have a function");
    let why = "Read: not compared: the real library calls a function in a struct or buffer itself";
    assert_eq!([run_at, run], [&format!("run_at: {why}"), &format!("run: {why}")]);
    assert!(summary.ends_with(" 4 not compared, mistakes found: 0"), "{summary}");
}

/// Shadow mode reports a wrong size and a wrong direction of asynchronous calls.
#[test]
fn wrong_size_and_direction_of_asynchronous_calls_are_reported() {
    let found = compared("shadow", "posts", "posts_program");
    let [fill, add, summary] = &found[..] else { panic!("{found:#?}") };
    assert!(fill.starts_with("fill: to: size: "), "{fill}");
    assert!(add.starts_with("add: to: direction: "), "{add}");
    assert!(summary.ends_with("mistakes found: 2"), "{summary}");
}
