/* The listings of the CX API, section "CX library examples", as the document has them (listings/), in one program: the four
 * dotp give right sums, among functions that use custom instructions themselves. C11 and C++17; for RISC-V it is compiled, and
 * for all others it runs over software CXUs. */
#ifndef FREESTANDING
#include <stdio.h>
#endif

#include "cx.h"
#include "mulacc.h"

#ifdef FREESTANDING
#define printf(...) ((void)0)
#endif
#define alloca __builtin_alloca

static int failures;
#define CHECK(x) ((x) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #x)))

CX_NAME_R("cx_mac_reset", 0);
CX_NAME_R("cx_mac_mac", 1);

/* The document's code compares int with unsigned and turns one into the other, declares `inline static` and parameters (). */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wstrict-prototypes"
#elif !defined __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-declaration"
#endif
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wconversion"

#include "listings/assume.h"
static int dotp_sw(int as[], int bs[], unsigned n);
/* One name, four functions. */
#define dotp dotp_exclusive_cx_cc
#include "listings/exclusive_cx_cc.h"
#undef dotp
#define dotp dotp_exclusive_legacy_cc
#include "listings/exclusive_legacy_cc.h"
#undef dotp
#define dotp dotp_shared_cx_cc
#include "listings/shared_cx_cc.h"
#undef dotp
#define dotp dotp_shared_legacy_cc
#include "listings/shared_legacy_cc.h"
#undef dotp

#pragma GCC diagnostic error "-Wsign-compare"
#pragma GCC diagnostic error "-Wsign-conversion"
#pragma GCC diagnostic error "-Wconversion"

static cx_sel_t mine; /* a selector of the shared MAC */
static int software;  /* calls of dotp_sw */

static int value(int x) { return 3 * x + 1; }

static int dotp_sw(int as[], int bs[], unsigned n) {
    int sum = 0;
    software++;
    for (unsigned i = 0; i < n; ++i) sum += value(as[i]) * bs[i];
    return sum;
}

/* Knows nothing of CXs. It issues built-in custom instructions, of which this machine has none: that sets CX_STATUS_IF, and
 * on a selected MAC would spoil the sum. Below it stands a library that uses the shared MAC, and leaves its state behind. */
int legacy_func(int x) {
    cx_sel_t prev;
    CHECK(cx_get_sel() == cx_sel_builtin);
    (void)cx_status_clear(CX_STATUS_IF);
    CHECK(CUSTOM0_R("cx_mac_mac", 1000, 1000) == 0 && cx_status_clear(CX_STATUS_IF) == CX_STATUS_IF);
    CHECK(CUSTOM0_R(".insn r 0x0B, 1, 0", 1000, 1000) == 0 && cx_status_clear(CX_STATUS_IF) == CX_STATUS_IF);
    if (cx_sel_is_cx(mine)) {
        prev = cx_select(mine);
        CHECK((int)CUSTOM0_R(".insn r 0x0B, 0, 0", x, 1) == x);
        cx_select(prev);
    }
    return value(x);
}

/* Of the CX calling convention: it may use the shared MAC too, and leaves selection and state as they were. */
int cx_cc_func(int x) CX_CALL {
    static bool inside;
    int one = 1, none = 0;
    if (!inside && cx_sel_is_cx(mine)) {
        inside = true;
        CHECK(dotp_shared_cx_cc(mine, &none, &one, 1) == value(0));
        inside = false;
    }
    return value(x);
}

/* Where nothing is open, the libraries take their software. */
static void run(cx_sel_t exclusive, int open) {
    int as[] = {1, -2, 3, 40000, 5}, bs[] = {7, 8, -9, 1000, 11};
    int want = value(1) * 7 + value(-2) * 8 + value(3) * -9 + value(40000) * 1000 + value(5) * 11;
    cx_sel_t before[3];
    before[0] = cx_sel_builtin;
    before[1] = exclusive;
    before[2] = mine;
    /* Whatever the caller has selected, it has it again. */
    for (int i = 0; i < 3; ++i) {
        cx_select(before[i]);
        software = 0;
        CHECK(dotp_exclusive_cx_cc(exclusive, as, bs, 5) == want && cx_get_sel() == before[i]);
        CHECK(dotp_exclusive_legacy_cc(exclusive, as, bs, 5) == want && cx_get_sel() == before[i]);
        CHECK(dotp_shared_legacy_cc(mine, as, bs, 5) == want && cx_get_sel() == before[i]);
        CHECK(dotp_shared_cx_cc(mine, as, bs, 5) == want && cx_get_sel() == before[i]);
        CHECK(dotp_exclusive_cx_cc(exclusive, as, bs, 0) == 0 || !open);
        CHECK(software == (open ? 0 : 5));
    }
    if (open) {
        /* The CX convention preserves the state of the shared MAC, the default one does not. */
        cx_select(mine);
        CHECK(CUSTOM0_R("cx_mac_reset", 0, 0) == 0 && CUSTOM0_R("cx_mac_mac", 6, 7) == 42);
        CHECK(dotp_shared_cx_cc(mine, as, bs, 5) == want && CUSTOM0_R("cx_mac_mac", 0, 0) == 42);
        CHECK(dotp_shared_legacy_cc(mine, as, bs, 5) == want && (int)CUSTOM0_R("cx_mac_mac", 0, 0) == want);
    }
    cx_select(cx_sel_builtin);
}

/* What CUSTOM0_R makes of numbers: registers hold integers that are extended by their sign, also of 32 bits. */
static void numbers(void) {
    cx_select(mine);
    CHECK(CUSTOM0_R(".insn r 0x0B, 0, 0", -1, 1) == (cx_word_t)-1);
    CHECK(CUSTOM0_R(".insn r 0x0B, 1, 0", CUSTOM0_R(".insn r 0x0B, 0, 0", 6, 7), 1) == 84);
    (void)cx_status_clear(CX_STATUS_IF);
    /* The document's comment writes the MAC so, which is command 8. */
    CHECK(CUSTOM0_R(".insn r 0x0B, 0, 1", 6, 7) == 0 && cx_status_clear(CX_STATUS_IF) == CX_STATUS_IF);
    /* Command 1021 reads a word of the state: 5 + 8 * 127; 1023 is 7 + 8 * 127, the status word. */
    CHECK(CUSTOM0_R(".insn r 0x0B, 0, 0", 6, 7) == 42 && CUSTOM0_R(".insn r 0x0B, 5, 127", 0, 0) == 42);
    CHECK(CUSTOM0_R(".insn r 0x0B, 7, 127", 0, 0) == (3 | 1 << 2));
    cx_select(cx_sel_builtin);
}

int main(void) {
    static const cx_uuid_t exclusive_uuid = {MULACC_HIGH, MULACC_LOW}, shared_uuid = {MULACC_HIGH, 2};
    cx_sel_t exclusive;
    mine = cx_open(&shared_uuid, cx_open_shared);
    run(cx_open(&exclusive_uuid, cx_open_exclusive), 0);
    CHECK(cx_soft_register(&mulacc_soft) == CX_ERROR_NONE && cx_soft_register(&shared_soft) == CX_ERROR_NONE);
    mine = cx_open(&shared_uuid, cx_open_shared);
    exclusive = cx_open(&exclusive_uuid, cx_open_exclusive);
    run(exclusive, 1);
    numbers();
    cx_close(exclusive);
    cx_close(mine);
    printf("%d failures\n", failures);
    return failures != 0;
}
