//! `cxc check --header` and `--needed-by`: the C side of a library.

use std::path::Path;
use std::process::Command;

use crate::support::{Folder, Run};

const SPEC: &str = r#"cxspec 1;
package org.example.t;
library Probe {
    c prefix "p_"; c header "p.h"; c soname "libp.so.1";
    enum Status: s32 { ok = 0, failed = -1, lost = -2 }
    enum Named: u32 { P_FLAG = 4, P_MORE = 8 }
    const P_LIMIT = 100;
    handle Box = "p_box *";
    struct Item { id: u32; weight: double; name: in cstr; tags: u8[4]; }
    callback Visit = "p_visit" (item: in [Item; 1], user: userdata) -> int;
    defaults { fails -1; }
    func open(name: in cstr, size: u32) -> new Box? { success ret != null; fails null; }
    func count(b: Box, flag: "XP_Bool" as bool) -> int;
    func state(b: Box) -> Status;
    func visit = "p_visit_all" (b: Box, each: Visit, user: userdata(each)) -> int;
    func close(b: own Box) -> void { success true; }
}
"#;

const HEADER: &str = "#include <stdint.h>
#include <stddef.h>
#define P_LIMIT 100
enum { P_OK, P_FAILED = -1, P_LOST = -2, P_FLAG = 4, P_MORE = 8 };
typedef unsigned char XP_Bool;
typedef struct p_box p_box;
typedef struct { uint32_t id; double weight; const char *name; uint8_t tags[4]; } p_Item;
typedef int (*p_visit)(const p_Item *item, void *user);
p_box *p_open(const char *name, uint32_t size);
int p_count(p_box *b, XP_Bool flag);
int p_state(p_box *b);
int p_visit_all(p_box *b, p_visit each, void *user);
void p_close(p_box *b);
";

fn folder(header: &str) -> Folder {
    let folder = Folder::new();
    folder.write("p.cxspec", SPEC);
    folder.write("p.h", header);
    folder
}

/// Runs `cxc check` with a compiler, which finds the header beside the specification.
fn cxc(folder: &Folder, compiler: &str, options: &str) -> Run {
    let mut command = folder.command(&format!("check p.cxspec --quiet --message-format json {options}"));
    command.env("PATH", std::env::var_os("PATH").unwrap()).env("CC", compiler);
    Run::new(command.output().unwrap())
}

fn check(folder: &Folder) -> Run {
    cxc(folder, "gcc", "--header")
}

#[test]
fn header_that_agrees_has_no_findings() {
    let folder = folder(HEADER);
    for compiler in ["gcc", "clang"] {
        let run = cxc(&folder, compiler, "--header");
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""), "{compiler}");
    }
}

/// Each difference is reported once, at the declaration in the specification. Where gcc and clang differ, both places are given: clang prints no
/// types of functions in conflict.
#[test]
fn header_that_differs_is_reported_at_the_specification() {
    let cases = [
        // Prototypes: a parameter, a qualifier, the number of parameters, the result, an enum as the result.
        (
            "p_open(const char *name, uint32_t size)",
            "p_open(const char *name, uint64_t size)",
            "size|open",
            "`p_open` has another type",
        ),
        ("p_open(const char *name,", "p_open(char *name,", "name|open", "`p_open` has another type"),
        ("p_close(p_box *b)", "p_close(p_box *b, int n)", "close", "`p_close` has another type"),
        ("void p_close", "int p_close", "close", "`p_close` has another type"),
        ("int p_state", "enum p_status { P_GOOD, P_BAD } p_state", "state", "`p_state` has another type"),
        (
            "int p_state(p_box *b)",
            "enum p_status { P_GOOD, P_BAD = -1 } p_state(const p_box *b)",
            "b|state",
            "`p_state` has another type",
        ),
        (
            "typedef unsigned char XP_Bool",
            "typedef unsigned char P_Bool",
            "count|flag",
            "the C compiler rejects this description",
        ),
        ("(const p_Item *item, void *user);", "(const p_Item *item, long user);", "user", "`p_visit` has another type"),
        ("void p_close(p_box *b);", "", "close", "the headers do not declare the function `p_close`"),
        // Structs.
        ("uint32_t id;", "uint64_t id;", "id", "`id` of `p_Item` has another size"),
        ("uint32_t id;", "int32_t id;", "id", "`id` of `p_Item` is another kind"),
        ("uint32_t id;", "float id;", "id", "`id` of `p_Item` is another kind"),
        ("double weight;", "int64_t weight;", "weight", "`weight` of `p_Item` is another kind"),
        ("uint8_t tags[4];", "uint8_t tags[5];", "tags", "`tags` of `p_Item` has another size"),
        ("const char *name;", "int name;", "name", "`name` of `p_Item` has another size"),
        ("double weight;", "double mass;", "weight", "the headers do not declare the member `weight` of `p_Item`"),
        (
            "double weight;",
            "double weight; int more;",
            "name",
            "the header's struct has members before `name` of `p_Item`",
        ),
        // Values.
        ("P_LIMIT 100", "P_LIMIT 101", "P_LIMIT", "`P_LIMIT` has another value"),
        ("P_FLAG = 4", "P_FLAG = 8", "P_FLAG", "`P_FLAG` has another value"),
        ("P_FAILED = -1", "P_FAILED = 1", "failed", "`P_FAILED` has another value"),
        ("P_OK, P_FAILED = -1,", "P_STATUS_OK, P_STATUS_FAILED = 1,", "failed", "`P_STATUS_FAILED` has another value"),
        ("P_OK, P_FAILED = -1, P_LOST", "P_OK, P_FAILED = -1, P_FORGOT", "lost", "the headers do not declare `P_LOST`"),
        ("P_MORE", "P_LESS", "P_MORE", "the headers do not declare `P_MORE`"),
    ];
    for ((from, to, at, message), compiler) in cases.iter().flat_map(|case| [(case, "gcc"), (case, "clang")]) {
        assert!(HEADER.contains(from), "{from}");
        let header = HEADER
            .replace(from, to)
            .replace("XP_Bool flag", if from.contains("XP_Bool") { "int flag" } else { "XP_Bool flag" });
        let folder = folder(&header);
        let run = cxc(&folder, compiler, "--header");
        let findings = run.findings();
        let found = findings.iter().find(|finding| finding["message"].as_str().unwrap().contains(message));
        let found = found.unwrap_or_else(|| panic!("{to}, {compiler}: {}{}", run.stdout, run.stderr));
        let (start, end) = (&found["labels"][0]["start"]["byte"], &found["labels"][0]["end"]["byte"]);
        let spec = folder.read("p.cxspec");
        let marked = &spec[start.as_u64().unwrap() as usize..end.as_u64().unwrap() as usize];
        let (of_gcc, of_clang) = at.split_once('|').unwrap_or((at, at));
        let at = if compiler == "gcc" { of_gcc } else { of_clang };
        assert_eq!(marked, at, "{to}, {compiler}: {found}");
        let is_error = found["severity"] == "error";
        assert_eq!(run.code, i32::from(is_error), "{to}, {compiler}: {}", run.stdout);
    }
    // More mistakes than clang prints by itself, and a header with texts of the form of errors.
    let many = HEADER.replace("double weight", "float weight").replace("P_LIMIT 100", "P_LIMIT 101");
    let folder =
        folder(&many.replace("p_close(p_box *b);", "p_close(p_box *b, int n); /* p.h: error: no\n: error: */"));
    let messages = ["gcc", "clang"].map(|compiler| {
        let findings = cxc(&folder, compiler, "--header").findings();
        findings.iter().map(|finding| finding["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    });
    assert_eq!(messages[0].len(), 3, "{messages:?}");
    assert_eq!(messages[0], messages[1]);
}

/// Headers need not declare the cases of an enum, and may declare other things by these names.
#[test]
fn header_without_most_cases_of_an_enum_has_no_findings() {
    let spec = SPEC
        .replace("handle Box", "enum Kind: u8 { ok = 0, other = 1, read = 2, write = 3, size = 4 }\n    handle Box");
    let status = "P_OK, P_FAILED = -1, P_LOST = -2,";
    for cases in [status, "P_OK, P_BAD = -1,", "OK, KIND_OTHER = 5,", "P_KIND_READ = 1, P_KIND_WRITE,"] {
        let functions = "int read(int file); int write(int file);\np_box *p_open(";
        let folder = folder(&HEADER.replace(status, cases).replace("p_box *p_open(", functions));
        folder.write("p.cxspec", &spec);
        assert_eq!(check(&folder).stdout, "", "{cases}");
    }
}

#[test]
fn header_value_is_shown() {
    let folder = folder(&HEADER.replace("P_LIMIT 100", "P_LIMIT (-7)"));
    let run = check(&folder);
    assert_eq!(run.findings()[0]["labels"][0]["text"], "100 here, -7 in the header");
}

/// A mistake that many declarations share is reported once.
#[test]
fn header_mistake_of_many_declarations_is_reported_once() {
    for (from, to, marked, message) in [
        (
            "c prefix \"p_\"",
            "c prefix \"q_\"",
            "\"q_\"",
            "the headers declare none of 5 functions and types that begin with `q_`",
        ),
        (
            "handle Box = \"p_box *\"",
            "handle Box = \"p_bax *\"",
            "Box",
            "the headers do not declare the type `p_bax *` of the handle `Box`",
        ),
        (
            "struct Item {",
            "struct Item = \"p_item\" {",
            "Item",
            "the headers do not declare the complete type `p_item`",
        ),
    ] {
        assert!(SPEC.contains(from), "{from}");
        let (spec, folder) = (SPEC.replace(from, to), folder(HEADER));
        folder.write("p.cxspec", &spec);
        let run = check(&folder);
        let [finding] = run.findings().try_into().unwrap_or_else(|_| panic!("{to}: {}", run.stdout));
        let byte = |end: &str| finding["labels"][0][end]["byte"].as_u64().unwrap() as usize;
        assert_eq!((finding["message"].as_str(), &spec[byte("start")..byte("end")]), (Some(message), marked));
    }
}

/// Each gap is reported once, as a warning if it may hide a pointer.
#[test]
fn header_member_that_is_not_described_is_a_warning_if_it_may_be_a_pointer() {
    for (member, severity, label) in [
        ("void *hidden;", "warning", "8 bytes more in the header, with `hidden`"),
        ("double more; double weight_too;", "warning", "16 bytes more in the header, with `more`, `weight_too`"),
    ] {
        let folder = folder(&HEADER.replace("double weight;", &format!("{member} double weight;")));
        let run = check(&folder);
        let [finding] = run.findings().try_into().unwrap_or_else(|_| panic!("{member}: {}", run.stdout));
        assert_eq!((&finding["severity"], &finding["labels"][0]["text"]), (&severity.into(), &label.into()));
        assert_eq!(run.code, 0);
    }
}

/// Members that fit into padding change neither sizes nor offsets.
#[test]
fn header_member_in_padding_that_is_not_described_is_a_warning() {
    let item = "uint32_t id; double weight; const char *name; uint8_t tags[4];";
    let outer = "uint8_t id; p_Item item; uint8_t last;";
    let spec = SPEC.replace(
        "defaults {",
        "struct Outer { id: u8; item: Item; last: u8; }\n    struct Last { item: Item; n: u8; }\n    defaults {",
    );
    let cases = [
        (item, outer, vec![]),
        (
            "uint32_t id; char a, b; double weight; const char *name; uint8_t tags[4]; int last;",
            "uint8_t id; int flag; p_Item item; uint8_t last, more[3];",
            vec![("Item", "`last`"), ("weight", "`a`, `b`"), ("Outer", "`more`"), ("item", "`flag`")],
        ),
        // Members without a name, bit-fields and flexible arrays.
        (
            "uint32_t id; unsigned bits: 3, : 5; double weight; const char *name; uint8_t tags[4]; char rest[];",
            "uint8_t id; union { char c; int i; }; p_Item item; uint8_t last; struct { char d, e; };",
            vec![("weight", "`bits`")],
        ),
    ];
    for (in_item, in_outer, expected) in cases {
        let last = "typedef struct { p_Item item; uint8_t n; } p_Last;";
        let outer = format!("typedef struct {{ {in_outer} }} p_Outer;\n{last}\np_box *p_open(");
        let folder = folder(&HEADER.replace(item, in_item).replace("p_box *p_open(", &outer));
        folder.write("p.cxspec", &spec);
        let mut command = folder.command("check p.cxspec --message-format json --header --c-flag -Werror");
        let run = Run::new(command.env("PATH", std::env::var_os("PATH").unwrap()).output().unwrap());
        assert_eq!(run.code, 0, "{}", run.stdout);
        let findings = run.findings();
        assert_eq!(findings.len(), expected.len(), "{}", run.stdout);
        for (finding, (marked, names)) in findings.iter().zip(expected) {
            let label = &finding["labels"][0];
            let byte = |end: &str| label[end]["byte"].as_u64().unwrap() as usize;
            assert_eq!((&finding["severity"], &spec[byte("start")..byte("end")]), (&"warning".into(), marked));
            assert_eq!(label["text"], format!("{names} in the header"));
        }
    }
}

#[test]
fn header_member_that_is_a_flexible_array_or_a_bit_field() {
    let spec = SPEC
        .replace("tags: u8[4];", "count: u8; tags: u8[count];")
        .replace("in [Item; 1]", "\"const p_Item *\" as ptr");
    for (member, message) in [
        ("uint8_t count; uint8_t tags[];", None),
        ("uint8_t count; uint8_t tags[0];", None),
        ("uint8_t count; uint8_t tags[1];", None),
        ("uint8_t count; uint8_t tags[20000];", Some("the member is an array of 20000 elements in the header")),
        ("uint8_t count; uint8_t *tags;", Some("the member is not an array in the header")),
        ("uint8_t count; uint8_t tags;", Some("the member is not an array in the header")),
        ("uint8_t count; uint16_t tags[];", Some("an element of `tags` of `p_Item` has another size in the header")),
        (
            "uint8_t count; int8_t tags[];",
            Some("an element of `tags` of `p_Item` is another kind of number in the header"),
        ),
        ("uint8_t count: 4; uint8_t tags[];", Some("the member is a bit-field in the header")),
    ] {
        let folder = folder(&HEADER.replace("uint8_t tags[4];", member));
        folder.write("p.cxspec", &spec);
        let findings = check(&folder).findings();
        let messages: Vec<_> = findings.iter().map(|one| one["message"].clone()).collect();
        assert_eq!(messages, Vec::from_iter(message.map(serde_json::Value::from)), "{member}");
        if member.contains("20000") {
            let help = "write `u8[20000]`, or `u8[20000] @valid(count)` if only `count` elements have contents";
            let byte = |end: &str| findings[0]["labels"][0][end]["byte"].as_u64().unwrap() as usize;
            assert_eq!((&findings[0]["help"], &spec[byte("start")..byte("end")]), (&help.into(), "tags"));
        }
    }
}

#[test]
fn header_type_of_another_size_names_the_type_to_write() {
    for (from, to, at, help) in [
        ("uint32_t size)", "size_t size)", "size", "write `size`"),
        (
            "const char *name, uint32_t",
            "void *name, uint32_t",
            "name",
            "write `\"void *\" as in [u8; n]` for memory that the callee reads (`out` or `inout` if it writes there), `as userdata` for the \
             user's pointer of a callback, and `as ptr` only for an address that neither side reads",
        ),
        (
            "p_open(const char *name,",
            "p_open(char *name,",
            "name",
            "write `out` or `inout` if the callee writes there; the C type before the type, `\"char *\" as …`, only if it does not",
        ),
        ("int p_state", "unsigned char p_state", "state", "write `u8`"),
        (
            "int p_state",
            "enum p_status { P_GOOD, P_BAD } p_state",
            "state",
            "in C an enum is unsigned unless it has negative values: write `u32` as the base of `Status`, or the C type before it: \
             `\"enum p_status\" as Status`",
        ),
        (
            "p_box *p_open",
            "struct other *p_open",
            "open",
            "write the C type before a type of at least as many bytes: `\"struct other *\" as …`",
        ),
        ("typedef unsigned char XP_Bool", "typedef long XP_Bool", "flag", "write the type that the header has"),
    ] {
        assert!(HEADER.contains(from), "{from}");
        let folder = folder(&HEADER.replace(from, to));
        let finding = check(&folder).findings().swap_remove(0);
        let byte = |end: &str| finding["labels"][0][end]["byte"].as_u64().unwrap() as usize;
        assert_eq!((finding["help"].as_str(), &SPEC[byte("start")..byte("end")]), (Some(help), at), "{to}: {finding}");
    }
}

/// A cast to the header's type would hide these mistakes.
#[test]
fn header_pointer_of_another_direction_or_callback_names_what_to_write() {
    let spec = SPEC.replace(
        "func close",
        "callback Full = \"p_full\" (b: Box, user: userdata) -> void;
    callback Done(user: userdata) -> int;
    func used(b: Box, n: out [size; 1], k: in [Item; 1]) -> int;
    func done(b: Box, done: Done, user: userdata(done)) -> int;
    func close",
    );
    let header = HEADER.to_owned()
        + "typedef void (*p_full)(p_box *b, void *user); int p_used(p_box *b, size_t *n, const p_Item *k);
           int p_done(p_box *b, int (*done)(void *), void *user);\n";
    for (from, to, at, help) in [
        ("", "", "", ""),
        (
            "n: out [size; 1]",
            "n: in [size; 1]",
            "n",
            "write `out` or `inout` if the callee writes there; the C type before the type, `\"size_t *\" as …`, only if it does not",
        ),
        (
            "k: in [Item; 1]",
            "k: out [Item; 1]",
            "k",
            "write `in` if the callee only reads there; the C type before the type, `\"const p_Item *\" as …`, only if it writes",
        ),
        ("each: Visit", "each: Full", "each", "write `Visit`, the callback with the header's type"),
        ("done: Done", "done: Visit", "done", "write `Done`, the callback with the header's type"),
        (
            "callback Done(user: userdata)",
            "callback Done(n: int, user: userdata)",
            "done",
            "declare a callback with the header's type `int (*)(void *)` and write it here: the library calls it with the header's \
             arguments",
        ),
    ] {
        let (folder, spec) = (folder(&header), spec.replace(from, to));
        folder.write("p.cxspec", &spec);
        let run = check(&folder);
        let findings = run.findings();
        let byte =
            |finding: &serde_json::Value, end: &str| finding["labels"][0][end]["byte"].as_u64().unwrap() as usize;
        let found =
            findings.iter().map(|one| (one["help"].as_str().unwrap(), &spec[byte(one, "start")..byte(one, "end")]));
        let expected = Some((help, at)).filter(|(help, _)| !help.is_empty());
        assert_eq!(found.collect::<Vec<_>>(), Vec::from_iter(expected), "{to}: {}", run.stdout);
    }
}

/// The C compiler rejects the generated header if a type that only the library's header declares does not fit the plan.
#[test]
fn generated_header_with_types_of_other_sizes_does_not_compile() {
    let spec = SPEC
        .replace(
            "handle Box =",
            "struct Row { first: u32; }\n    struct Shown { n: u32; m: u64 = 1; }\n    handle Open = \"p_open_box *\" as Shown;\n    handle Box =",
        )
        .replace(
            "func state",
            "func shown() -> new Open? { success true; fails null; } func rows(rows: in [Row; until 0]) -> void { success true; }\n    func state",
        );
    let header = HEADER.to_owned()
        + "typedef struct { uint32_t first; } p_Row; typedef struct { uint32_t n; uint64_t m; } p_Shown; typedef p_Shown p_open_box;\n\
           p_open_box *p_shown(void); void p_rows(const p_Row *rows);\n";
    for (from, to, message) in [
        ("", "", ""),
        ("unsigned char XP_Bool", "short XP_Bool", "`XP_Bool` is not a number of at most 1 bytes"),
        ("uint64_t m;", "uint32_t m;", "`m` of `p_Shown` has another size"),
        ("uint32_t first;", "char first;", "the first member of a struct has fewer bytes"),
    ] {
        let folder = folder(&header.replace(from, to));
        folder.write("p.cxspec", &spec);
        let built = folder.cxc("build p.cxspec --backend remoting --out-dir out --quiet");
        assert_eq!(built.code, 0, "{}", built.stderr);
        let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("../remote/include");
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=c11", "-fsyntax-only", "-I.", "-x", "c", "out/remoting/probe_remote.h", "-I"]);
        let output = gcc.arg(engine).current_dir(folder.path(".")).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(message) && output.status.success() == message.is_empty(), "{to}: {text}");
    }
}

#[test]
fn header_that_cannot_be_compiled_is_reported() {
    for (header, message) in
        [("#error no\n", "rejects the header `p.h`"), ("unknown_type x;\n", "rejects the header `p.h`")]
    {
        let run = check(&folder(header));
        assert_eq!(run.code, 1, "{}", run.stdout);
        assert!(run.stdout.contains(message), "{}", run.stdout);
    }
    let missing = Folder::new();
    missing.write("p.cxspec", SPEC);
    let run = check(&missing);
    assert_eq!(run.codes(), ["CX0918"], "{}", run.stdout);
}

fn gcc(folder: &Folder, arguments: &[&str]) {
    let output = Command::new("gcc").args(arguments).current_dir(folder.path(".")).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A program, the real library and the header, of which the specification lacks something.
#[test]
fn needed_by_lists_what_the_specification_lacks() {
    let folder = folder(&format!("{HEADER}int p_more(void); int p_other(int);\n"));
    folder.write(
        "p.c",
        "#include \"p.h\"\nint p_data; int p_more(void) { return 1; } int p_other(int n) { return n; }\n\
         p_box *p_open(const char *n, uint32_t s) { return n && s ? 0 : 0; } void p_close(p_box *b) { (void)b; }\n",
    );
    folder.write(
        "main.c",
        "#include \"p.h\"\nint main(void) { p_close(0); return p_more() + p_data; }\n".replace("+ p_data", "- 1"),
    );
    gcc(&folder, &["-shared", "-fPIC", "-Wl,-soname,libp.so.1", "-o", "libp.so.1", "p.c"]);
    gcc(&folder, &["-o", "main", "main.c", "./libp.so.1"]);
    let needed = |file: &str| cxc(&folder, "gcc", &format!("--needed-by {file} --real libp.so.1"));
    for (file, count, names) in [
        ("main", "1 function", "p_more"),
        ("libp.so.1", "2 functions", "p_more, p_other"),
        ("p.h", "2 functions", "p_more, p_other"),
    ] {
        let run = needed(file);
        assert_eq!((run.code, run.codes()), (1, vec!["CX0919".to_owned()]), "{}", run.stdout);
        let finding = &run.findings()[0];
        assert_eq!(finding["message"], format!("`Probe` lacks {count} that {file} needs"));
        assert_eq!(finding["note"], names);
    }
    let none = needed(Path::new("/bin/true").to_str().unwrap());
    assert_eq!((none.code, none.stdout.as_str()), (0, ""), "{}", none.stdout);
    let no_program = needed("p.c");
    assert_eq!((no_program.code, no_program.codes()), (2, vec!["CX0901".to_owned()]));
}
