/* One program on four machines: what it computes is the same, and what stands behind its CXs is what the machine has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>

#include "cx.h"
#include "mulacc.h"

static const cx_uuid_t MULACC = {MULACC_HIGH, MULACC_LOW};

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, cx_last_error_string()); \
            exit(1); \
        } \
    } while (0)

/* Running sums of several libraries, each with a CX of its own or, if there is none, without. */
#define LIBRARIES 5
struct library {
    cx_sel_t sel;
    cx_word_t sum;
};

static cx_word_t add(struct library *library, cx_word_t a, cx_word_t b) {
    cx_sel_t before;
    if (!cx_sel_is_cx(library->sel)) {
        library->sum = library->sum + a * b;
        return library->sum;
    }
    before = cx_select(library->sel);
    library->sum = mulacc_mulacc(a, b);
    CHECK(cx_select(before) == library->sel);
    return library->sum;
}

static void *work(void *argument) {
    struct library libraries[LIBRARIES];
    cx_word_t seed = (cx_word_t)(uintptr_t)argument, result = 0;
    unsigned i;
    for (i = 0; i < LIBRARIES; i++) {
        libraries[i].sel = cx_open(&MULACC, cx_open_exclusive);
        libraries[i].sum = 0;
    }
    for (i = 0; i < 10000; i++) {
        seed = seed * 1103515245u + 12345u;
        result = result * 31u + add(&libraries[(seed >> 16) % LIBRARIES], seed >> 8 & 0xFFu, i);
    }
    /* A state that is saved, and loaded into another's. */
    if (cx_sel_is_cx(libraries[0].sel)) {
        cx_word_t image[2] = {0, 0}, other[2] = {0, 0};
        cx_select(libraries[0].sel);
        CHECK(cx_save(NULL, 0) == sizeof image && cx_save(image, sizeof image) == sizeof image);
        CHECK(image[1] == libraries[0].sum && image[0] == (4u | 3u));
        cx_select(libraries[1].sel);
        cx_restore(image, sizeof image);
        CHECK(cx_last_error() == CX_ERROR_NONE);
        CHECK(mulacc_mulacc(0, 0) == image[1]);
        CHECK(cx_save(other, sizeof other) == sizeof other && memcmp(image, other, sizeof image) == 0);
        cx_select(cx_sel_builtin);
    }
    for (i = 0; i < LIBRARIES; i++) {
        cx_close(libraries[i].sel);
    }
    return (void *)(uintptr_t)result;
}

/* What each machine is known by. */
static void machine(const char *name) {
    static const struct cx_platform_cxu ONE[] = {{{MULACC_HIGH, MULACC_LOW}, 1}, {{MULACC_HIGH, 3}, 0}};
    struct cx_counters counters;
    cx_sel_t a, b;
    int backing = CX_BACKING_NONE;
    if (strcmp(name, "soft") == 0) {
        backing = CX_BACKING_SOFT;
    } else if (strcmp(name, "few") == 0) {
        CHECK(cx_platform_load(NULL, 1) == CX_ERROR_FAULT);
        CHECK(cx_platform_load(ONE, 257) == CX_ERROR_INVALID);
        CHECK(cx_platform_load(ONE, 2) == CX_ERROR_NONE);
        CHECK(cx_platform_load(ONE, 2) == CX_ERROR_BUSY);
        backing = CX_BACKING_NATIVE;
    } else {
        CHECK(cx_platform_load(NULL, 0) == CX_ERROR_NONE);
        if (strcmp(name, "emulated") == 0) {
            CHECK(cx_emulate_absent(&MULACC) == CX_ERROR_NONE && cx_emulate_absent(NULL) == CX_ERROR_FAULT);
            backing = CX_BACKING_EMULATED;
        }
    }
    a = cx_open(&MULACC, cx_open_exclusive);
    b = cx_open(&MULACC, cx_open_exclusive);
    CHECK(cx_backing(a) == backing && cx_backing(cx_sel_builtin) == CX_BACKING_NONE);
    if (backing == CX_BACKING_NONE) {
        CHECK(a == cx_sel_invalid && cx_last_error() == CX_ERROR_NO_DEVICE);
        return;
    }
    cx_read_counters(&counters);
    CHECK(counters.traps == 0);
    CHECK(cx_backing_cost(a) > 0.0 && cx_backing_cost(cx_sel_builtin) < 0.0);
    CHECK(cx_backing(a) == backing && cx_status_read() == 0);
    cx_select(a);
    CHECK(mulacc_mulacc(1, 1) == 1 && mulacc_read_status() == 7u); /* nobody changed the state */
    cx_select(cx_sel_builtin);
    cx_close(a);
    a = cx_open(&MULACC, cx_open_exclusive);
    cx_read_counters(&counters);
    CHECK(counters.traps == 0 || backing != CX_BACKING_NATIVE);
    if (backing == CX_BACKING_NATIVE) {
        CHECK(cx_backing(b) == CX_BACKING_VIRTUALIZED);
        cx_select(b);
        CHECK(mulacc_mul(3, 4) == 12);
        CHECK(cx_backing(a) == CX_BACKING_VIRTUALIZED && cx_backing(b) == CX_BACKING_NATIVE);
        cx_select(a);
        CHECK(mulacc_mul(5, 6) == 30);
        cx_read_counters(&counters);
        CHECK(counters.traps == 2 && counters.swaps == 2 && counters.saved_bytes == 2 * sizeof(cx_word_t));
        CHECK(counters.loaded_bytes == 0);
        cx_select(cx_sel_builtin);
    }
    cx_close(a);
    cx_close(b);
    CHECK(cx_backing(a) == CX_BACKING_NONE);
}

/* The device goes while it is in use. */
static void gone(void) {
    cx_sel_t a = cx_open(&MULACC, cx_open_exclusive);
    cx_select(a);
    CHECK(mulacc_mul(3, 4) == 12);
    CHECK(cx_revoke(&MULACC) == CX_ERROR_NONE && cx_revoke(NULL) == CX_ERROR_FAULT);
    CHECK(!cx_sel_is_cx(a) && cx_get_sel() == a);
    CHECK(cx_status_read() == 0 && mulacc_mul(3, 4) == 0 && cx_status_clear(CX_STATUS_IC) == CX_STATUS_IC);
    CHECK(cx_save(NULL, 0) != 0 && cx_save(&a, 0) == 0);
    CHECK(cx_open(&MULACC, cx_open_exclusive) == cx_sel_invalid && cx_last_error() == CX_ERROR_NO_DEVICE);
    cx_select(cx_sel_builtin);
    cx_close(a);
}

static void once(void *argument) { *(cx_word_t *)argument = mulacc_mulacc(2, 3); }

/* The one instance of the process. */
static void singleton(void) {
    cx_word_t sum = 0;
    CHECK(cx_singleton(&MULACC, cx_open_exclusive, NULL, once, &sum) == CX_ERROR_NONE && sum == 6);
    CHECK(cx_singleton(&MULACC, cx_open_exclusive, NULL, once, &sum) == CX_ERROR_NONE && sum == 12);
    CHECK(cx_get_sel() == cx_sel_builtin);
    CHECK(cx_singleton(&MULACC, cx_open_exclusive, NULL, NULL, &sum) == CX_ERROR_FAULT);
    CHECK(cx_singleton(NULL, cx_open_exclusive, NULL, once, &sum) == CX_ERROR_FAULT);
    CHECK(cx_singleton(&MULACC, cx_open_exclusive, "/none/state", once, &sum) == CX_ERROR_PERMISSION);
}

int main(int argc, char **argv) {
    pthread_t threads[3];
    uintptr_t i;
    CHECK(argc == 2);
    CHECK(cx_soft_register(&mulacc_soft) == CX_ERROR_NONE);
    machine(argv[1]);
    printf("%lu\n", (unsigned long)(cx_word_t)(uintptr_t)work((void *)(uintptr_t)1));
    for (i = 0; i < 3; i++) {
        CHECK(pthread_create(&threads[i], NULL, work, (void *)(i + 2)) == 0);
    }
    for (i = 0; i < 3; i++) {
        void *result;
        CHECK(pthread_join(threads[i], &result) == 0);
        printf("%lu\n", (unsigned long)(cx_word_t)(uintptr_t)result);
    }
    if (strcmp(argv[1], "absent") != 0) singleton();
    if (strcmp(argv[1], "few") == 0) gone();
    return 0;
}
