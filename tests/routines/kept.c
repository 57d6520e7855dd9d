/* Mistakes that were made once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"

#include "cx.h"

#include "bare.h"
#include "ce.h"
#include "cr.h"
#include "ex.h"
#include "own.h"

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, cx_last_error_string()); \
            exit(1); \
        } \
    } while (0)

int main(int argc, char **argv)
{
    const struct cx_soft_cxu *const cxus[] = {&ex_soft_cxu, &ce_soft_cxu, &cr_soft_cxu, &bare_soft_cxu, &own_soft_cxu};
    const char *machine = argc > 1 ? argv[1] : "soft";
    const char text[] = {'a', (char)0xE9};
    const bool ways[] = {false, true};
    const int8_t p[] = {-1, 127, -128};
    int16_t q[] = {-5, 32767, 0};
    struct cx_platform_cxu few[5];
    cx_sel_t user, bare;
    unsigned at;
    for (at = 0; at < 5; at++) {
        CHECK(cx_soft_register(cxus[at]) == CX_ERROR_NONE);
        few[at].uuid = cxus[at]->uuid;
        few[at].contexts = 1;
    }
    if (strcmp(machine, "few") == 0) {
        CHECK(cx_platform_load(few, 5) == CX_ERROR_NONE);
    } else if (strcmp(machine, "soft") != 0) {
        CHECK(cx_platform_load(few, 0) == CX_ERROR_NONE);
        for (at = 0; at < 5 && strcmp(machine, "emulated") == 0; at++) {
            CHECK(cx_emulate_absent(&cxus[at]->uuid) == CX_ERROR_NONE);
        }
    }
    user = cx_open(&ce_uuid, cx_open_shared);
    bare = cx_open(&bare_uuid, cx_open_shared);
    if (cx_sel_is_cx(user)) {
        cx_select(user);
        (void)ce_set(3);
        cx_select(bare);
        (void)bare_add(100);
        cx_select(cx_sel_builtin);
    }
    CHECK(kept_nested(10) == (15 ^ 10));
    CHECK(kept_inner_only(9) == 9);
    if (cx_sel_is_cx(user)) {
        cx_select(user);
        CHECK(ce_get() == 3);
        cx_select(cx_sel_builtin);
    }
    kept_off();
    CHECK(kept_after_off(3) == 4);
    CHECK(kept_fails(7) == 0);
    (void)cx_status_clear(CX_STATUS_CU);
    CHECK(kept_status(1) == (1u << 2 | 3u));
    CHECK(kept_bare(2) == 7 && kept_bare(2) == 7);
    for (at = 0; at < 2; at++) {
        CHECK(kept_sets(2) == 3 && kept_adds(2) == (strcmp(machine, "absent") == 0 ? 99 : 7));
    }
    CHECK(kept_chars((char)0xFF, text, sizeof text) == 0xFF + 'a' + 0xE9);
    CHECK(kept_next('a') == 'b' && kept_next_of_next((char)0xFF) == 1);
    CHECK(kept_both(true, ways) && !kept_both(true, (const bool[]){false, false}));
    CHECK(kept_bytes(p, q, 3) == -2 && q[0] == -6 && q[1] == -32642 && q[2] == -128);
#if CX_XLEN == 32
    CHECK(kept_sizes(65536, 65536) == 0 && kept_longs(-5, 3, 4) == -6);
#else
    CHECK(kept_sizes(65536, 65536) == (size_t)1 << 32 && kept_longs(-5, 3, 4) == -6);
#endif
    CHECK(kept_squared(9) == 81 && kept_minus(5) == -5);
    CHECK(cx_get_sel() == cx_sel_builtin && cx_status_read() == 0);
    kept_cx_close();
    return 0;
}
