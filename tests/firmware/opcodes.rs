//! Overloadable opcodes that trap: a platform without a CXU answers them as its processor in C does.

use lapis_cx_tests::cc::{self, COMPILERS, LANGUAGES, WARNINGS, run};
use lapis_cx_tests::spec;
use std::process::Command;

use super::{build, includes};

const BOARD: &str = "cxspec 1;
package org.example.board;
interface Sums {
    xintf 0x12345;
    short sums;
    xlen 32, 64;
    state exclusive { sum: word = 0; }
    command add = 0 : xcmd (a: u8, b: word) -> word { sum = sum +% b +% a.zext(XLEN); return sum; }
    command get = 7 : xcmd () -> word { return sum; }
}
platform Board {
    xlen XLEN; xcmds 8; levels u, m;
    device dev { unit 5 = Sums; }
    lun 40 = Sums { u, m -> dev.5; }
    discover Sums { 0 at u, m -> lun 40; }
}
platform Empty { xlen XLEN; }
";

/// Each instruction, and what is found in rd.
const MAIN: &str = r#"#include <stdio.h>
#include "cx.h"
#include "org_example_board__Board_machine.h"
#include "sums.h"
#include "org_example_board__Board.h"
#if CX_XLEN == 64
#define SUMS sums_xintf52
#else
#define SUMS sums_xintf
#endif
#define CHECK(condition) do { if (!(condition)) { printf("%d: %s\n", __LINE__, #condition); return 1; } } while (0)
static cx_word_t regs[32], pc;
static xext_long_t handler(const struct xext_trap *taken)
{
    return 0x70 + (xext_long_t)taken->cause;
}
static bool trap(uint32_t funct7, uint32_t funct3, cx_word_t rs1, cx_word_t rs2)
{
    regs[3] = rs1;
    regs[4] = rs2;
    regs[5] = 0x55;
    return cx_trap(regs, &pc, funct7 << 25 | 4u << 20 | 3u << 15 | funct3 << 12 | 5u << 7 | 0x7Bu);
}
int main(void)
{
    const cx_uuid_t none = {1, 2};
#if CX_LINKED
    CHECK(cpu__load(&org_example_board__Board).message == NULL);
#endif
    CHECK(trap(1, 0, (cx_word_t)SUMS << 12, 9) && regs[5] == (9u << 12 | 40u) && pc == 4);
    CHECK(trap(1, 1, (cx_word_t)SUMS << 12 | 1u, 0) && regs[5] == 1 && pc == 8);
    CHECK(trap(1, 2, (cx_word_t)77u << 12, 0) && regs[5] == 2);
    CHECK(trap(0, 0, 7u << 12 | 40u, 100) && regs[5] == 107);
    CHECK(trap(0, 0, 1u << 12 | 40u, 1) && regs[5] == 109);
    CHECK(trap(0, 7, 40u, 0) && regs[5] == 109);
    CHECK(trap(0, 3, 1u, 0) && regs[5] == 0);
    CHECK(trap(0, 3, 2u, 0) && regs[5] == (cx_word_t)-1 && pc == 32);
    /* A lookup that finds nothing gives lun 0, whose commands trap: to the handler of the level, or they are not the machine's. */
    CHECK(!trap(0, 3, 0, 0) && !trap(0, 0, 99u, 0) && regs[5] == 0x55 && pc == 32);
    cpu__on_trap(handler);
    CHECK(trap(0, 3, 0, 0) && regs[5] == 0x70 + XEXT_CAUSE_FALLBACK && pc == 36);
    cpu__on_trap(NULL);
    CHECK(!trap(1, 3, 0, 0) && !trap(2, 0, 0, 0) && regs[5] == 0x55 && pc == 36);
    CHECK(cx_open(&none, cx_open_shared) == cx_sel_invalid && cx_last_error() == CX_ERROR_NO_DEVICE);
    /* Under built-in a command is none of the machine's, nor is a CSR 0x7C0 that a program looks for. */
    regs[10] = 0x66;
    CHECK(!cx_trap(regs, &pc, 0x0000050Bu) && !cx_trap(regs, &pc, 0x7C002573u) && !cx_trap(regs, &pc, 0x0000055Bu));
    CHECK(regs[10] == 0x66 && pc == 36 && cx_status_read() == 0);
    CHECK(cx_select(cx_sel_invalid) == cx_sel_builtin);
    CHECK(cx_trap(regs, &pc, 0x0000050Bu) && regs[10] == 0 && pc == 40 && cx_status_write(0) == CX_STATUS_IC);
    /* Of a CSR that is read only, 0xCC0, a write is illegal, and a read is not. */
    regs[10] = 0x66;
    CHECK(!cx_trap(regs, &pc, 0xCC029573u) && !cx_trap(regs, &pc, 0xCC02A573u) && !cx_trap(regs, &pc, 0xCC00D573u));
    CHECK(regs[10] == 0x66 && pc == 40 && cx_status_read() == 0);
    CHECK(cx_trap(regs, &pc, 0xCC002573u) && regs[10] == 0 && pc == 44 && cx_status_write(0) == CX_STATUS_IC);
    return 0;
}
"#;

#[test]
fn overloadable_opcodes_trap_too() {
    for xlen in [32, 64] {
        let folder = tempfile::tempdir().unwrap();
        spec::write(&build("board", &BOARD.replace("XLEN;", &format!("{xlen};"))), folder.path());
        std::fs::write(folder.path().join("main.c"), MAIN).unwrap();
        for (compiler, language) in COMPILERS.into_iter().flat_map(|c| LANGUAGES.map(|l| (c, l))) {
            let command = || {
                let mut command = compiler.command(language);
                command.args(WARNINGS).args(includes(folder.path())).arg(format!("-DCX_XLEN={xlen}"));
                command
            };
            let sources = ["main.c", "src/org_example_board__Board_machine.c"];
            let others = ["src/org_example_board__Board_platform.c", "src/sums_fallback.c"];
            for (linked, others) in [(0, &others[..0]), (1, &others[..])] {
                let mut command = command();
                command.arg(format!("-DCX_LINKED={linked}"));
                let sources: Vec<_> = sources.iter().chain(others).map(|file| folder.path().join(file)).collect();
                run(&mut Command::new(cc::program(command, &sources, &folder.path().join("main"))));
            }
            let empty = folder.path().join("src/org_example_board__Empty_machine.c");
            run(command().arg("-c").arg(empty).arg("-o").arg(folder.path().join("empty.o")));
        }
    }
}

/// Each error has the runtime's words.
#[test]
fn errors_say_what_the_runtime_says() {
    for error in lapis_cx_core::Error::ALL {
        let message = error.message().to_str().unwrap();
        assert!(lapis_cx_core::CX_API_C.contains(&format!("return \"{message}\";")), "{message}");
    }
}
