//! Platforms as processors in C: programs that use the document's functions over generated tables and devices, by
//! each compiler as C11 and C++17, at both XLENs.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use lapis_cx::driver::{Effort, NoImports, NoVerdicts, SourceText, compile};
use support::{WARNINGS, compilers, must, run, write};

/// Two devices at four levels. Unit 3 keeps something, and is found by `init`, which hands out a cookie.
fn board(xlen: u32) -> String {
    format!(
        r#"cxspec 1;
package org.example.board;

interface Frobate {{
    xintf 0xABCDE;
    xlen 32, 64;
    command frobate = 0 : xcmd (a: u<XLEN-12>, b: word) -> word {{ return a.zext(XLEN) -% b; }}
    command foo = 1 : xcmd (a: s8, b: word) -> s16 {{ if (b == 9) {{ trap; }} return a; }}
}}
interface Sums {{
    xintf 0x12345;
    short sums;
    xlen 32, 64;
    state exclusive {{ open: u1[2] = 0; sum: word[2] = 0; }}
    /// A cookie with the number of a context as its data, or error 11.
    command init = 0 : xcmd (lun: u12 @rs2) -> word {{
        let lun_bits = lun.zext(XLEN);
        if (open[0] == 0) {{ open[0] = 1; sum[0] = 0; return lun_bits; }}
        if (open[1] == 0) {{ open[1] = 1; sum[1] = 0; return lun_bits | 0x1000; }}
        return 11;
    }}
    command deinit = 1 : xcmd (context: u1) -> word {{ open[context] = 0; return sum[context]; }}
    command add = 2 : xcmd (context: u1, b: word) -> word {{ sum[context] = sum[context] +% b; return sum[context]; }}
    command not_an_xcmd = 3 : R () -> word {{ return 7; }}
}}
platform Board {{
    xlen {xlen};
    xcmds 8;
    harts 2;
    levels u, s, h, m;
    /// The first.
    device dev1 {{ unit 0 = Frobate; unit 64 = Frobate; }}
    device dev2 {{ unit 0 = Frobate; unit 4095 = Sums; }}
    lun 32 = Frobate {{ u, s, h -> dev1.0; m -> dev1.64; }}
    lun 34 = Frobate {{ s, h, m -> dev2.0; }}
    lun 4095 = Sums {{ u, m -> dev2.4095; }}
    discover Frobate {{ 0 at u -> lun 32; 0 at s, h, m -> lun 34; 1 at s, h, m -> lun 32; }}
    discover Sums {{ 0 at u, m -> lun 4095; }}
}}
platform Bare {{ xlen {xlen}; xcmds 2; levels u, m; }}
"#
    )
}

const STEM: &str = "org_example_board__Board";

/// Compiles and runs a program on the board; gives what it printed at both XLENs by all compilers, or how it ended.
fn ran(main: &str, extra: &[&str]) -> Result<String, String> {
    let mut printed = Vec::new();
    for xlen in [32, 64] {
        let source = SourceText { name: "board.cxspec".into(), bytes: board(xlen).into() };
        let outcome = compile(source, &mut NoImports, &mut NoVerdicts, Effort::Build, &[&lapis_cx_backend_c::C]);
        assert!(!outcome.has_errors(), "{:#?}", outcome.diagnostics);
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), &outcome.files);
        std::fs::write(dir.path().join("main.c"), main).unwrap();
        for (compiler, language) in compilers() {
            let mut args = language.to_vec();
            args.extend(WARNINGS);
            let width = format!("-DCX_XLEN={xlen}");
            args.extend([width.as_str(), "-Iinclude", "main.c", "src/org_example_board__Board_platform.c"]);
            args.extend(["src/org_example_board__Bare_platform.c", "src/org_example_board__Frobate_fallback.c"]);
            args.extend(["src/sums_fallback.c", "-o", "main", "-pthread"]);
            args.extend(extra);
            must(compiler, &args, dir.path());
            let output = run(dir.path().join("main").to_str().unwrap(), &[], dir.path());
            if !output.status.success() {
                return Err(output.status.to_string());
            }
            printed.push(String::from_utf8(output.stdout).unwrap());
        }
    }
    printed.dedup();
    assert_eq!(printed.len(), 1, "{printed:?}");
    Ok(printed.remove(0))
}

fn main_of(before: &str, statements: &str) -> String {
    format!(
        r#"#include <stdio.h>
#include <string.h>
#include "{STEM}.h"
#include "org_example_board__Bare.h"
#include "org_example_board__Frobate.h"
#include "sums.h"
#if CX_XLEN == 64
#define FROBATE org_example_board__Frobate__xintf52
#define SUMS sums_xintf52
#else
#define FROBATE org_example_board__Frobate__xintf
#define SUMS sums_xintf
#endif
static uuid_device_t id(cx_word_t uuid, unsigned dev)
{{
    return uuid_device_from((cx_word_t)(uuid << 12 | dev));
}}
static lun_data_t at(unsigned lun, cx_word_t data)
{{
    return lun_data_from((cx_word_t)(data << 12 | lun));
}}
static void show(lun_data_t rd)
{{
    printf("%u:%x ", (unsigned)rd.lun, (unsigned)rd.data);
}}
static void say(xext_long_t value)
{{
    printf("%ld ", (long)value);
}}
{before}
int main(void)
{{
    (void)id;
    (void)at;
    (void)show;
    (void)say;
{statements}
    return 0;
}}
"#
    )
}

/// Shows a trap, and gives 1000 and the command for rd.
const HANDLER: &str = r#"
static xext_long_t handler(const struct xext_trap *trap)
{
    printf("[%d %d>%u at %d lun %u] ", (int)trap->cause, (int)trap->from, trap->to,
        (int)cpu__current_privilege_level(), (unsigned)trap->rs1.lun);
    return 1000 + (xext_long_t)trap->command;
}
"#;

const LOAD: &str = r#"
    if (cpu__load(&org_example_board__Board).message != NULL) { return 1; }
    cpu__on_trap(handler);
"#;

// Sentences: overloadable-opcodes 12, 57-59, 65-66.
#[test]
fn xext_finds_what_the_tables_say_at_each_level() {
    let statements = format!(
        r#"{LOAD}
    static const enum privilege levels[] = {{user, super, hyper, mach}};
    for (int i = 0; i < 4; i++) {{
        if (cpu__set_privilege_level(levels[i]) != 0) {{ return 2; }}
        show(xext(id(FROBATE, 0), 0x54321));
        show(xext0(id(FROBATE, 1), 0xFFFFF));
        show(xextm1(id(SUMS, 0), 1));
        show(xextm1(id(FROBATE, 2), -1));
        show(xext(id(0xFFFFF, 0), -1));
        printf("| ");
    }}"#
    );
    // The number of the fallback comes without data.
    let want = "32:54321 1:0 4095:1 2:0 0:0 | 34:54321 32:fffff 2:0 2:0 0:0 | 34:54321 32:fffff 2:0 2:0 0:0 | \
                34:54321 32:fffff 4095:1 2:0 0:0 | ";
    assert_eq!(ran(&main_of(HANDLER, &statements), &[]), Ok(want.into()));
}

// Sentences: overloadable-opcodes 59-60, 68.
#[test]
fn xcmd_sends_each_command_to_the_fallback_of_the_unit() {
    let statements = format!(
        r#"{LOAD}
    say(xcmd0(at(32, 50), 8));
    say(xcmd0(at(34, 5), 8));
    say(xcmd1(at(32, 0xFF), 0));
    (void)cpu__set_privilege_level(user);
    say(xcmd0(at(32, 1), 0));
    say(org_example_board__Board__dev1(XEXT_PORT(64, 0), at(32, 3), 1));
    say((xext_long_t)cx_cpu_xcmd(0, lun_data_bits(at(32, 9)), 2));"#
    );
    assert_eq!(ran(&main_of(HANDLER, &statements), &[]), Ok("42 -3 -1 1 2 7 ".into()));
}

// Sentences: overloadable-opcodes 42-43, 45-46, 61, 77.
#[test]
fn the_fallbacks_are_there_at_all_levels_under_their_ids() {
    let statements = format!(
        r#"{LOAD}
    static xext_long_t (*const xcmds[])(lun_data_t, xext_long_t) = {{xcmd0, xcmd1, xcmd2, xcmd3, xcmd4, xcmd5, xcmd6, xcmd7}};
    static const enum privilege levels[] = {{user, super, hyper, mach}};
    for (int i = 0; i < 4; i++) {{
        (void)cpu__set_privilege_level(levels[i]);
        show(xextm1(id(org_RiscV__Fallback__Trap__uuid, 0), 3));
        show(xext(id(org_RiscV__Fallback__ReturnZero__uuid, 0), 4));
        show(xext(id(org_RiscV__Fallback__ReturnMinusOne__uuid, 0), 5));
        show(xext(id(org_RiscV__Fallback__ReturnMinusOne__uuid, 1), 5));
        for (int k = 0; k < 8; k++) {{
            if (xcmds[k](at(1, 77), 5) != 0 || xcmds[k](at(2, 77), 5) != -1) {{ return 3; }}
        }}
        say(xcmd7(at(0, 77), 5));
    }}"#
    );
    let luns = "0:3 1:4 2:5 0:0 ";
    let want = format!(
        "{luns}[1 1>2 at 2 lun 0] 1007 {luns}[1 2>4 at 4 lun 0] 1007 {luns}[1 4>8 at 8 lun 0] 1007 {luns}[1 8>0 at 8 lun 0] 1007 "
    );
    assert_eq!(ran(&main_of(HANDLER, &statements), &[]), Ok(want));
}

// Sentences: overloadable-opcodes 67, 72.
#[test]
fn bad_use_traps_with_its_cause_and_never_crashes() {
    let statements = format!(
        r#"{LOAD}
    (void)cpu__set_privilege_level(user);
    say(xcmd0(at(34, 0), 0));   /* there at other levels only */
    say(xcmd0(at(9, 0), 0));    /* the number of an error */
    say(xcmd0(at(3, 0), 0));    /* reserved */
    say(xcmd1(at(32, 0), 9));   /* the command itself traps */
    say(xcmd7(at(32, 0), 9));   /* no such command */
    say(xcmd3(at(4095, 0), 9)); /* a command, but no xcmd */
    say(cpu__set_privilege_level((enum privilege)3));
    say((xext_long_t)cx_cpu_xcmd(8, 0, 0));
    say((int)cpu__current_privilege_level());
    if (cpu__load(&org_example_board__Bare).message != NULL) {{ return 1; }}
    cpu__on_trap(handler);
    say(cpu__set_privilege_level(hyper));
    (void)cpu__set_privilege_level(user);
    say(xcmd1(at(0, 0), 0));
    say(xcmd2(at(1, 0), 0));
    show(xext0(id(FROBATE, 0), 0));"#
    );
    let want = "[2 1>2 at 2 lun 34] 1000 [2 1>2 at 2 lun 9] 1000 [2 1>2 at 2 lun 3] 1000 [3 1>2 at 2 lun 32] 1001 \
                [4 1>2 at 2 lun 32] 1007 [4 1>2 at 2 lun 4095] 1003 -1 [5 1>2 at 2 lun 0] 1008 1 -1 \
                [1 1>8 at 8 lun 0] 1001 [5 1>8 at 8 lun 1] 1002 1:0 ";
    assert_eq!(ran(&main_of(HANDLER, &statements), &[]), Ok(want.into()));
}

/// A machine without overloadable opcodes: the table of its CXUs, for the runtime, and nothing of a processor.
#[test]
fn a_platform_without_levels_has_the_table_of_its_cxus() {
    for xlen in [32, 64] {
        let platforms = format!(
            "cxspec 1;\npackage org.example.plain;\n\
             draft interface Sum {{\n uuid \"6d2c3d0e-5c1f-4a35-9d21-7a0b1c2d3e4f\";\n state exclusive {{ sum: u32 = 0; }}\n \
             command add = 0 : R (a: u32) -> u32 {{ sum = sum +% a; return sum; }}\n}}\n\
             platform Plain {{ xlen {xlen}; cxu 0 = Sum {{ level 2; contexts 3; }} }}\n\
             platform Empty {{ xlen {xlen}; }}\n"
        );
        let source = SourceText { name: "plain.cxspec".into(), bytes: platforms.into() };
        let outcome = compile(source, &mut NoImports, &mut NoVerdicts, Effort::Build, &[&lapis_cx_backend_c::C]);
        assert!(!outcome.has_errors(), "{:#?}", outcome.diagnostics);
        let of_platforms = outcome.files.iter().map(|file| file.path.as_str()).filter(|path| !path.contains("Sum"));
        let stem = "org_example_plain__Plain";
        let expected = [format!("include/{stem}.h"), format!("src/{stem}_platform.c")];
        assert_eq!(of_platforms.collect::<Vec<_>>(), expected);
        assert!(outcome.files.iter().all(|file| !file.path.contains("Plain") || !file.text.contains("cpu__")));
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), &outcome.files);
        let main = format!(
            "#include \"{stem}.h\"\nint main(void)\n{{\n    const struct cx_platform_cxu *cxu = {stem}__cxus;\n    \
             return sizeof {stem}__cxus == sizeof *cxu && cxu->contexts == 3\n        \
             && cxu->uuid.high == 0x6d2c3d0e5c1f4a35u && cxu->uuid.low == 0x9d217a0b1c2d3e4fu ? 0 : 1;\n}}\n"
        );
        std::fs::write(dir.path().join("main.c"), main).unwrap();
        for (compiler, language) in compilers() {
            let mut args = language.to_vec();
            args.extend(WARNINGS);
            let width = format!("-DCX_XLEN={xlen}");
            let table = format!("src/{stem}_platform.c");
            args.extend([width.as_str(), "-Iinclude", "main.c", &table, "-o", "main"]);
            must(compiler, &args, dir.path());
            assert!(run(dir.path().join("main").to_str().unwrap(), &[], dir.path()).status.success());
        }
        // Registers of another width: on RISC-V it is the compiler's target that is wrong, and elsewhere a definition.
        let other = 96 - xlen;
        let table = format!("src/{stem}_platform.c");
        for (target, wanted) in [
            (format!("--target=riscv{other}"), format!("compile with -march=rv{xlen}... and -mabi=")),
            ("-m64".to_owned(), format!("build with -DCX_XLEN={xlen}")),
        ] {
            let width = format!("-DCX_XLEN={other}");
            let args = [target.as_str(), &width, "-ffreestanding", "-Iinclude", "-fsyntax-only", &table];
            let output = run("clang", &args, dir.path());
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(!output.status.success() && said.contains(&wanted), "{args:?}: {said}");
        }
    }
}

#[test]
fn a_trap_that_nobody_takes_ends_the_program() {
    let load = "    if (cpu__load(&org_example_board__Board).message != NULL) { return 1; }\n";
    for call in ["    (void)xcmd0(at(0, 0), 0);\n".to_owned(), format!("{load}    (void)xcmd0(at(40, 0), 0);\n")] {
        let ended = ran(&main_of("", &call), &[]).unwrap_err();
        assert!(ended.contains("signal"), "{call}: {ended}");
    }
    // Before a platform is loaded there are the fallbacks and nothing else.
    let statements =
        "    show(xext(id(FROBATE, 0), 1));\n    show(xextm1(id(FROBATE, 0), 1));\n    say(xcmd0(at(2, 0), 1));\n";
    assert_eq!(ran(&main_of("", statements), &[]), Ok("0:0 2:0 -1 ".into()));
}

// Sentences: overloadable-opcodes 19-20, 80.
#[test]
fn a_device_is_initialised_by_a_command_that_hands_out_a_cookie() {
    let statements = format!(
        r#"{LOAD}
    lun_data_t device = xext(id(SUMS, 0), 0);
    lun_data_t a = lun_data_from((cx_word_t)xcmd0(device, device.lun));
    lun_data_t b = lun_data_from((cx_word_t)xcmd0(device, device.lun));
    lun_data_t none = lun_data_from((cx_word_t)xcmd0(device, device.lun));
    show(a);
    show(b);
    printf("%d %d %u ", lun_data_failed(a), lun_data_failed(none), (unsigned)none.lun);
    say(xcmd2(a, 5));
    say(xcmd2(b, 7));
    say(xcmd2(a, 5));
    say(xcmd1(b, 0));
    show(lun_data_from((cx_word_t)xcmd0(device, device.lun)));"#
    );
    assert_eq!(ran(&main_of(HANDLER, &statements), &[]), Ok("4095:0 4095:1 0 1 11 5 7 10 7 4095:1 ".into()));
}

#[test]
fn what_a_device_keeps_belongs_to_its_hart() {
    let before = format!(
        r#"{HANDLER}
#include <pthread.h>
static void *other_hart(void *result)
{{
    lun_data_t a;
    if (cpu__load(&org_example_board__Board).message != NULL) {{ return NULL; }}
    (void)cpu__set_privilege_level(user);
    a = lun_data_from((cx_word_t)xcmd0(at(4095, 0), 4095));
    *(xext_long_t *)result = xcmd2(a, 1);
    return NULL;
}}"#
    );
    let statements = format!(
        r#"{LOAD}
    xext_long_t result = -1;
    pthread_t thread;
    (void)xcmd0(at(4095, 0), 4095);
    say(xcmd2(at(4095, 0), 40));
    if (pthread_create(&thread, NULL, other_hart, &result) != 0 || pthread_join(thread, NULL) != 0) {{ return 4; }}
    say(result);
    say(xcmd2(at(4095, 0), 2));
    say((int)cpu__current_privilege_level());"#
    );
    assert_eq!(ran(&main_of(&before, &statements), &[]), Ok("40 1 42 8 ".into()));
}

// Sentences: overloadable-opcodes 12, 16.
#[test]
fn stubs_of_interfaces_run_on_the_processor() {
    let statements = format!(
        r#"{LOAD}
    cx_cookie_t c = org_example_board__Frobate__xext(0);
    printf("%u ", (unsigned)cx_cookie_lun(c));
    say((xext_long_t)org_example_board__Frobate__frobate(c, 44, 2));
    say(org_example_board__Frobate__foo(c, -5, 1));
    say(org_example_board__Frobate__foo(c, -5, 9));
    say(org_example_board__Frobate__foo_cookie(org_example_board__Frobate__xext_with(0, (cx_word_t)-6), 1));
    c = cx_cookie_from((cx_word_t)sums_init(sums_xext0(0), 4095));
    say((xext_long_t)sums_add(c, 0, 6));
    say((xext_long_t)sums_deinit(c, 0));
    c = org_example_board__Frobate__xextm1(7);
    say(org_example_board__Frobate__foo(c, 3, 4));"#
    );
    let want = "34 42 -5 [3 8>0 at 8 lun 34] 1001 -6 6 6 -1 ";
    assert_eq!(ran(&main_of(HANDLER, &statements), &["-DCX_XCMD_CPU"]), Ok(want.into()));
}

#[test]
fn a_handler_may_do_the_command_at_its_own_level() {
    let before = r#"
static xext_long_t climb(const struct xext_trap *trap)
{
    printf("%d ", (int)cpu__current_privilege_level());
    return trap->to == 0 ? 99 : (xext_long_t)cx_cpu_xcmd(trap->command, lun_data_bits(trap->rs1), (cx_word_t)trap->rs2);
}
"#;
    let statements = format!(
        "{}    (void)cpu__set_privilege_level(user);\n    say(xcmd0(at(34, 50), 8));\n    say(xcmd0(at(35, 0), 0));\n    \
         say((int)cpu__current_privilege_level());\n",
        LOAD.replace("handler", "climb")
    );
    assert_eq!(ran(&main_of(before, &statements), &[]), Ok("2 42 2 4 8 8 99 1 ".into()));
}

// Sentences: overloadable-opcodes 8, 60, 79-81.
#[test]
fn wrong_tables_are_not_loaded_and_the_row_is_named() {
    let before = r#"
static xext_long_t device(unsigned short port, lun_data_t rs1, xext_long_t rs2)
{
    (void)rs1;
    return port + rs2;
}
static struct uuid_device_priv2lun luns[3];
static struct lun_priv2device_subdevice routes[3];
static void reset(void)
{
    for (unsigned i = 0; i < 3; i++) {
        luns[i].uuid_dev = id(0x12345u, i);
        luns[i].reqpriv = user | mach;
        luns[i].lun.id = (unsigned short)((32u + i) & 0xFFFu);
        routes[i].lun = luns[i].lun;
        routes[i].reqpriv = user | mach;
        routes[i].devAddr_subdevId.device_addr = device;
        routes[i].devAddr_subdevId.subdeviceId = (unsigned short)(i & 0xFFFu);
    }
}
static void load(unsigned levels, unsigned xcmds)
{
    struct xext_platform platform = {"mine", (unsigned char)levels, (unsigned char)xcmds, 3, luns, 3, routes};
    struct xext_error error = cpu__load(&platform);
    printf("%s %u\n", error.message == NULL ? "good" : error.message, (unsigned)error.row);
    reset();
}
"#;
    let statements = r#"
    reset();
    load(user | mach, 8);
    load(0, 8);
    load(user | mach, 9);
    routes[1].lun.id = 32; load(user | mach, 8);
    routes[2].lun.id = 30; load(user | mach, 8);
    routes[2].lun.id = 31; load(user | mach, 8);
    routes[0].lun.id = 40; load(user | mach, 8);
    routes[0].reqpriv = 0; load(user | mach, 8);
    routes[0].devAddr_subdevId.device_addr = NULL; load(user | mach, 8);
    load(mach, 8);
    luns[1].uuid_dev = luns[0].uuid_dev; load(user | mach, 8);
    luns[2].uuid_dev = id(0x12345u, 3); load(user | mach, 8);
    luns[0].uuid_dev = id(2, 0); load(user | mach, 8);
    luns[0].uuid_dev = id(0x12346u, 0); load(user | mach, 8);
    luns[2].lun.id = 8; load(user | mach, 8);
    luns[2].lun.id = 35; load(user | mach, 8);
    routes[2].reqpriv = user; load(user | mach, 8);
    luns[1].reqpriv = user; load(user | mach, 8);
    say(cpu__load(NULL).message != NULL);
"#;
    let twice = "an earlier row has the same";
    let want = [
        "good 0".to_owned(),
        "a platform has one or more of the levels user, super, hyper and mach 0".into(),
        "a platform has 1 to 8 xcmd instructions 0".into(),
        format!("device_subdevice_map: {twice} lun at a level of this one 1"),
        "device_subdevice_map: luns below 32 are fallbacks, reserved, or numbers of errors 2".into(),
        "device_subdevice_map: luns below 32 are fallbacks, reserved, or numbers of errors 2".into(),
        "device_subdevice_map: rows ascend by lun, and the one before this one comes behind it 1".into(),
        "device_subdevice_map: a row needs levels, of those that the platform has 0".into(),
        "device_subdevice_map: there is no device 0".into(),
        "device_subdevice_map: a row needs levels, of those that the platform has 0".into(),
        format!("lun_map: {twice} id and sequence number at a level of this one 1"),
        "lun_map: sequence numbers have no gaps, and the one before is not there at a level of this row 2".into(),
        "lun_map: ids 0 to 2 are those of the fallbacks, which are there without a row 0".into(),
        "lun_map: rows ascend by id and sequence number, and the one before this one comes behind it 1".into(),
        "lun_map: luns below 32 are fallbacks, reserved, or numbers of errors 2".into(),
        "lun_map: the lun leads to no device at a level of this row 2".into(),
        "lun_map: the lun leads to no device at a level of this row 2".into(),
        "lun_map: sequence numbers have no gaps, and the one before is not there at a level of this row 2".into(),
        "1 ".into(),
    ];
    let printed = ran(&main_of(before, statements), &[]).unwrap();
    assert_eq!(printed.lines().collect::<Vec<_>>(), want);
}
