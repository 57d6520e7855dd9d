/* The four dot products on a machine. Each computes what plain C does, whatever the functions that they call do to the
 * selection, to shared state, or by calling them again; and how often the runtime is called is as in the CX API's listings.
 * With AMBIENT for the older ABI: built-in is selected at each call and return, and all functions are of one convention. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dotp.h"

#include "cx.h"

#include "mac.h"
#include "smac.h"

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, cx_last_error_string()); \
            exit(1); \
        } \
    } while (0)

#ifdef __cplusplus
extern "C" {
#endif

/* The linker puts these around the runtime's own. */
cx_sel_t __real_cx_select(cx_sel_t sel);
size_t __real_cx_save(void *pv, size_t size);
void __real_cx_restore(void *pv, size_t size);
cx_sel_t __wrap_cx_select(cx_sel_t sel);
size_t __wrap_cx_save(void *pv, size_t size);
void __wrap_cx_restore(void *pv, size_t size);

static unsigned selects, saves, restores;

cx_sel_t __wrap_cx_select(cx_sel_t sel)
{
    selects++;
    return __real_cx_select(sel);
}

size_t __wrap_cx_save(void *pv, size_t size)
{
    saves++;
    return __real_cx_save(pv, size);
}

void __wrap_cx_restore(void *pv, size_t size)
{
    restores++;
    __real_cx_restore(pv, size);
}

#ifdef __cplusplus
}
#endif

enum { SIZE = 9 };
static int32_t a[SIZE], b[SIZE];
static int deep;        /* whether a function that is called calls again */
static int destructive; /* whether a legacy function uses the shared CX for itself */
static unsigned calls;

static int32_t changed(int32_t x)
{
    return (int32_t)((uint32_t)x * 3u + 1u);
}

static int32_t expected(void)
{
    uint32_t sum = 0;
    unsigned i;
    for (i = 0; i < SIZE; i++) {
        sum += (uint32_t)changed(a[i]) * (uint32_t)b[i];
    }
    return (int32_t)sum;
}

/* Predates CX: it counts on the built-in custom instructions, and other code of its kind may use the shared CX. */
int32_t legacy_func(int32_t x)
{
    calls++;
    CHECK(cx_get_sel() == cx_sel_builtin);
    if (destructive) {
        const cx_sel_t sel = cx_open(&smac_uuid, cx_open_shared);
        if (cx_sel_is_cx(sel)) {
            __real_cx_select(sel);
            (void)smac_mac((cx_word_t)x, 77);
            __real_cx_select(cx_sel_builtin);
            cx_close(sel);
        }
    }
    if (deep) {
        deep = 0;
        CHECK(dotp_exclusive_legacy(a, b, SIZE) == expected());
        CHECK(dotp_shared_legacy(a, b, SIZE) == expected());
        CHECK(dotp_shared_cx(a, b, SIZE) == expected());
        deep = 1;
    }
    return changed(x);
}

int32_t cx_cc_func(int32_t x)
{
    const cx_sel_t before = cx_get_sel();
#ifdef AMBIENT
    CHECK(before == cx_sel_builtin);
#endif
    calls++;
    if (deep) {
        deep = 0;
        CHECK(dotp_exclusive_cx(a, b, SIZE) == expected());
        CHECK(dotp_shared_cx(a, b, SIZE) == expected());
        CHECK(cx_get_sel() == before);
        deep = 1;
    }
    return changed(x);
}

/* The state of the shared CX as its user left it. */
static cx_sel_t mine;

static void leave_state(void)
{
    if (cx_sel_is_cx(mine)) {
        __real_cx_select(mine);
        (void)smac_reset();
        (void)smac_mac(6, 7);
    }
}

#ifndef AMBIENT
static void find_state(void)
{
    if (cx_sel_is_cx(mine)) {
        __real_cx_select(mine);
        CHECK(smac_mac(0, 0) == 42);
    }
    __real_cx_select(cx_sel_builtin);
}
#endif

static void count(const char *name, unsigned wanted_selects, unsigned wanted_saves, unsigned wanted_restores, int has_cx)
{
    const unsigned wanted[] = {wanted_selects, wanted_saves, wanted_restores};
    const unsigned counted[] = {selects, saves, restores};
    unsigned i;
    for (i = 0; i < 3; i++) {
        if (counted[i] != (has_cx ? wanted[i] : 0)) {
            fprintf(stderr, "%s: %u selects, %u saves, %u restores\n", name, selects, saves, restores);
            exit(1);
        }
    }
    selects = saves = restores = 0;
}

static void all(int has_cx)
{
    const int32_t wanted = expected();
    calls = 0;
    CHECK(dotp_exclusive_legacy(a, b, SIZE) == wanted);
    if (!deep) {
        count("exclusive, legacy", 2 + 2 * SIZE, 0, 0, has_cx);
    }
    CHECK(cx_get_sel() == cx_sel_builtin);
    CHECK(dotp_shared_legacy(a, b, SIZE) == wanted);
    if (!deep) {
        count("shared, legacy", 2 + 2 * SIZE, SIZE, SIZE, has_cx);
    }
    CHECK(cx_get_sel() == cx_sel_builtin);
    /* Called with a CX selected whose state is in use, as code of the CX calling convention may. */
    leave_state();
#ifdef AMBIENT
    __real_cx_select(cx_sel_builtin);
    CHECK(dotp_exclusive_cx(a, b, SIZE) == wanted);
    if (!deep) {
        count("exclusive, CX", 2 + 2 * SIZE, 0, 0, has_cx);
    }
    CHECK(dotp_shared_cx(a, b, SIZE) == wanted);
    if (!deep) {
        count("shared, CX", 2 + 2 * SIZE, SIZE, SIZE, has_cx);
    }
    CHECK(cx_get_sel() == cx_sel_builtin);
#else
    CHECK(dotp_exclusive_cx(a, b, SIZE) == wanted);
    if (!deep) {
        count("exclusive, CX", 2, 0, 0, has_cx);
    }
    CHECK(dotp_shared_cx(a, b, SIZE) == wanted);
    if (!deep) {
        count("shared, CX", 2, 1, 1, has_cx);
    }
    CHECK(cx_get_sel() == (cx_sel_is_cx(mine) ? mine : cx_sel_builtin));
    find_state();
#endif
    CHECK(deep || calls == 4 * SIZE);
    CHECK(dotp_exclusive_legacy(a, b, 0) == 0 && dotp_shared_cx(a, b, 0) == 0);
    selects = saves = restores = 0;
}

int main(int argc, char **argv)
{
    const char *machine = argc > 1 ? argv[1] : "soft";
    const int has_cx = strcmp(machine, "absent") != 0;
    uint32_t seed = 1;
    unsigned i, round;
    const struct cx_platform_cxu few[] = {{mac_uuid, 1}, {smac_uuid, 1}};
    CHECK(cx_soft_register(&mac_soft_cxu) == CX_ERROR_NONE && cx_soft_register(&smac_soft_cxu) == CX_ERROR_NONE);
    if (strcmp(machine, "few") == 0) {
        CHECK(cx_platform_load(few, 2) == CX_ERROR_NONE);
    } else if (strcmp(machine, "soft") != 0) {
        CHECK(cx_platform_load(few, 0) == CX_ERROR_NONE);
        if (strcmp(machine, "emulated") == 0) {
            CHECK(cx_emulate_absent(&mac_uuid) == CX_ERROR_NONE && cx_emulate_absent(&smac_uuid) == CX_ERROR_NONE);
        }
    }
    mine = cx_open(&smac_uuid, cx_open_shared);
    CHECK(cx_sel_is_cx(mine) == (has_cx != 0));
    for (round = 0; round < 40; round++) {
        for (i = 0; i < SIZE; i++) {
            seed = seed * 1103515245u + 12345u;
            a[i] = (int32_t)seed;
            seed = seed * 1103515245u + 12345u;
            b[i] = (int32_t)(seed >> (round % 20));
        }
        deep = round % 4 == 3;
        destructive = round % 2;
        all(has_cx);
        if (round % 8 == 5) {
            dotp_cx_close();
        }
        printf("%ld ", (long)expected());
    }
    printf("\n");
    CHECK(cx_status_read() == 0);
    if (strcmp(machine, "few") == 0) {
        /* The device goes away: the fallback serves from now on. */
        CHECK(cx_revoke(&mac_uuid) == CX_ERROR_NONE && cx_revoke(&smac_uuid) == CX_ERROR_NONE);
        deep = 0;
        all(0);
        CHECK(cx_status_read() == 0);
    }
    return 0;
}
