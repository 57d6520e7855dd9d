/* Runs functions of a random library on a machine, and prints what they give. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rnd.h"

#include "cx.h"

#include "al.h"
#include "ce.h"
#include "cr.h"
#include "cu.h"
#include "ex.h"
#include "pu.h"

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s (%s), function %u\n", __FILE__, __LINE__, #condition, cx_last_error_string(), current); \
            exit(1); \
        } \
    } while (0)

typedef uint32_t (*function)(const uint32_t *a, uint32_t *out, uint32_t v0, uint32_t n);

struct row {
    function run;
    int follows_cx; /* it is of the CX calling convention */
    int preserves;  /* nothing that it calls destroys shared state */
};

static const struct row ROWS[] = {
#include "table.inc"
};

static unsigned current;

/* The shared CXs. Their states at once are those of their last user. */
enum { SHARED = 4, CALLEE_SAVE = 1 };
static cx_sel_t shared[SHARED];
static uint32_t noise = 1;

static uint32_t set(unsigned at, uint32_t a, uint32_t b)
{
    switch (at) {
    case 0: return cr_set(a, b);
    case CALLEE_SAVE: return ce_set(a, b);
    case 2: return al_set(a, b);
    default: return cu_set(a, b);
    }
}

static uint32_t get(unsigned at)
{
    switch (at) {
    case 0: return cr_get();
    case CALLEE_SAVE: return ce_get();
    case 2: return al_get();
    default: return cu_get();
    }
}

/* Of the default calling convention: it relies on the built-in instructions, and uses shared CXs for itself. One whose users
 * preserve its state it leaves alone. */
uint32_t rnd_legacy(uint32_t x)
{
    unsigned at;
    CHECK(cx_get_sel() == cx_sel_builtin);
    for (at = 0; at < SHARED; at++) {
        if (at != CALLEE_SAVE && cx_sel_is_cx(shared[at])) {
            cx_select(shared[at]);
            noise = noise * 1103515245u + 12345u;
            (void)set(at, noise, noise >> 7);
        }
    }
    cx_select(cx_sel_builtin);
    return x * 3u + 1u;
}

uint32_t rnd_aware(uint32_t x)
{
    return x ^ 0x55u;
}

static void check(const struct row *row, uint32_t mark, cx_sel_t before)
{
    unsigned at;
    CHECK(cx_get_sel() == before);
    for (at = 0; at < SHARED; at++) {
        if (cx_sel_is_cx(shared[at]) && ((row->follows_cx && row->preserves) || at == CALLEE_SAVE)) {
            cx_select(shared[at]);
            CHECK(get(at) == (at == 3 ? mark ^ (mark + 9) ^ 3 : mark ^ (mark + 9)));
        }
    }
    cx_select(cx_sel_builtin);
}

static uint32_t prepare(const struct row *row, uint32_t mark)
{
    unsigned at;
    for (at = 0; at < SHARED; at++) {
        if (cx_sel_is_cx(shared[at])) {
            cx_select(shared[at]);
            (void)set(at, mark, mark + 9);
        }
    }
    /* Code of the CX calling convention may be called with any selection. */
    cx_select(row->follows_cx && mark % 2 == 0 ? shared[0] : cx_sel_builtin);
    return mark;
}

int main(int argc, char **argv)
{
    const struct cx_soft_cxu *const cxus[] = {&pu_soft_cxu, &ex_soft_cxu, &cr_soft_cxu, &ce_soft_cxu, &al_soft_cxu, &cu_soft_cxu};
    const cx_uuid_t uuids[SHARED] = {cr_uuid, ce_uuid, al_uuid, cu_uuid};
    const char *machine = argc > 1 ? argv[1] : "soft";
    struct cx_platform_cxu few[6];
    unsigned at, round;
    for (at = 0; at < 6; at++) {
        CHECK(cx_soft_register(cxus[at]) == CX_ERROR_NONE);
        few[at].uuid = cxus[at]->uuid;
        few[at].contexts = cxus[at]->state_words > 0 ? 1 : 0;
    }
    if (strcmp(machine, "few") == 0) {
        CHECK(cx_platform_load(few, 6) == CX_ERROR_NONE);
    } else if (strcmp(machine, "soft") != 0) {
        CHECK(cx_platform_load(few, 0) == CX_ERROR_NONE);
        for (at = 0; at < 6 && strcmp(machine, "emulated") == 0; at++) {
            CHECK(cx_emulate_absent(&cxus[at]->uuid) == CX_ERROR_NONE);
        }
    }
    for (at = 0; at < SHARED; at++) {
        shared[at] = cx_open(&uuids[at], cx_open_shared);
    }
    for (current = 0; current < sizeof ROWS / sizeof ROWS[0]; current++) {
        const struct row *row = &ROWS[current];
        uint32_t sum = 0;
        for (round = 0; round < 30; round++) {
            const uint32_t a[3] = {round, round * 77u, 0xFFFFFFFFu - round};
            uint32_t out[8] = {round, 1, 2, 3, 4, 5, 6, 7};
            /* A null buffer has no elements, and neither has one of length 0. */
            uint32_t *const given = round % 5 == 4 ? NULL : out;
            const uint32_t n = round % 9;
            const uint32_t mark = prepare(row, round * 1000u);
            const cx_sel_t before = cx_get_sel();
            sum = sum * 31u + row->run(a, given, round * 0x01234567u, n);
            check(row, mark, before);
            for (at = 0; at < 8; at++) {
                sum = sum * 31u + out[at];
                CHECK(at < n || out[at] == (at == 0 ? round : at));
            }
        }
        printf("%08lX\n", (unsigned long)sum);
    }
    CHECK(cx_status_read() == 0);
    return 0;
}
