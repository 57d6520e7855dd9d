/* Runs functions of a random library on a machine, and prints what they give. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rnd.h"

#include "cx.h"

#include "al.h"
#include "ba.h"
#include "bx.h"
#include "ce.h"
#include "cr.h"
#include "cu.h"
#include "ex.h"
#include "pu.h"
#include "qu.h"

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s (%s), function %u\n", __FILE__, __LINE__, #condition, cx_last_error_string(), current); \
            exit(1); \
        } \
    } while (0)

/* A call, with numbers that are cut to the types of the function. */
struct call {
    uint64_t a[3], out[8], b[2], v, w, n, result;
    bool t, is_null;
};

struct row {
    void (*run)(struct call *call);
    int follows_cx; /* it is of the CX calling convention */
    int preserves;  /* nothing that it calls destroys shared state */
    int is_signed;  /* its length may be negative */
};

static unsigned current;

#include "table.inc"

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
static void destroy(void)
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
}

uint32_t rnd_legacy(uint32_t x)
{
    destroy();
    return x * 3u + 1u;
}

int16_t rnd_narrow(int8_t x, uint64_t y)
{
    destroy();
    return (int16_t)(x * 5 - (int)(y & 0x7FFFu));
}

uint32_t rnd_aware(uint32_t x)
{
    return x ^ 0x55u;
}

bool rnd_flagged(bool x, size_t y)
{
    return x != ((y & 1u) != 0);
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

static uint32_t added(uint32_t sum, uint64_t word)
{
    return (sum * 31u + (uint32_t)word) * 31u + (uint32_t)(word >> 32);
}

static uint32_t run(const struct row *row)
{
    uint32_t sum = 0;
    uint32_t round;
    unsigned at;
    for (round = 0; round < 30; round++) {
        const uint64_t r = round;
        const uint32_t mark = prepare(row, round * 1000u);
        const cx_sel_t before = cx_get_sel();
        struct call call = {{r, r * 77u, ~(uint64_t)0 - r * 0x10001u}, {0}, {r * 3u, ~r}, 0, 0, 0, 0, false, false};
        for (at = 0; at < 8; at++) {
            call.out[at] = at * 0x8101018101018101u + r;
        }
        call.v = r * 0x8123456701234567u;
        call.w = r * 0x9E3779B97F4A7C15u;
        call.t = (round >> 1 & 1u) != 0;
        call.n = row->is_signed && round % 9 == 7 ? ~(uint64_t)2 : round % 9;
        /* A null buffer has no elements, and neither has one of length 0. */
        call.is_null = round % 5 == 4;
        row->run(&call);
        check(row, mark, before);
        sum = added(sum, call.result);
        for (at = 0; at < 8; at++) {
            sum = added(sum, call.out[at]);
        }
        for (at = 0; at < 2; at++) {
            sum = added(sum, call.b[at]);
        }
    }
    return sum;
}

int main(int argc, char **argv)
{
    const struct cx_soft_cxu *const cxus[] = {&pu_soft_cxu, &ex_soft_cxu, &cr_soft_cxu, &ce_soft_cxu, &al_soft_cxu,
                                              &cu_soft_cxu, &bx_soft_cxu, &qu_soft_cxu, &ba_soft_cxu};
    enum { ALL = sizeof cxus / sizeof cxus[0] };
    const cx_uuid_t uuids[SHARED] = {cr_uuid, ce_uuid, al_uuid, cu_uuid};
    const char *machine = argc > 1 ? argv[1] : "soft";
    const bool is_odd = strcmp(machine, "odd") == 0, is_even = strcmp(machine, "even") == 0;
    struct cx_platform_cxu few[ALL];
    unsigned at, count = 0;
    for (at = 0; at < ALL; at++) {
        CHECK(cx_soft_register(cxus[at]) == CX_ERROR_NONE);
        if (at % 2 == 1 ? !is_even : !is_odd) {
            few[count].uuid = cxus[at]->uuid;
            /* Without IStateContext contexts cannot be shared, so there are enough for those that are used at once. */
            few[count++].contexts = cxus[at] == &bx_soft_cxu ? 64 : cxus[at]->state_words > 0 ? 1 : 0;
        }
    }
    if (strcmp(machine, "few") == 0 || is_odd || is_even) {
        CHECK(cx_platform_load(few, count) == CX_ERROR_NONE);
    } else if (strcmp(machine, "soft") != 0) {
        CHECK(cx_platform_load(few, 0) == CX_ERROR_NONE);
        for (at = 0; at < ALL && strcmp(machine, "emulated") == 0; at++) {
            CHECK(cx_emulate_absent(&cxus[at]->uuid) == CX_ERROR_NONE);
        }
    }
    for (at = 0; at < SHARED; at++) {
        shared[at] = cx_open(&uuids[at], cx_open_shared);
    }
    for (current = 0; current < sizeof ROWS / sizeof ROWS[0]; current++) {
        const uint32_t sum = run(&ROWS[current]);
        printf("%08lX %02lX\n", (unsigned long)sum, (unsigned long)cx_status_read());
        (void)cx_status_clear(0xFF);
    }
    return 0;
}
