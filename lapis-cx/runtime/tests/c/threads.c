/* Threads that meet: they register the same CXUs, open the same CXs over one state context of a hart, use the one instance of the
 * process, and one of them takes a CX away that the others use. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cx.h"
#include "mulacc.h"

#define THREADS 4u
#define TURNS 200u

static const cx_uuid_t MULACC = {MULACC_HIGH, MULACC_LOW}, SHARED = {MULACC_HIGH, 2};

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, cx_last_error_string()); \
            exit(1); \
        } \
    } while (0)

/* Guarded by nothing but the singleton. */
static cx_word_t uses;

static void once(void *argument) {
    uses++;
    *(cx_word_t *)argument = mulacc_mulacc(1, 1);
}

/* Whether the thread's shared CX still answers; then it gives the sum. */
static int answers(cx_word_t sum) {
    cx_word_t got = mulacc_mulacc(1, 1);
    if (cx_status_clear(CX_STATUS_IC) & CX_STATUS_IC) {
        CHECK(got == 0);
        return 0;
    }
    CHECK(got == sum);
    return 1;
}

static void *work(void *argument) {
    uintptr_t id = (uintptr_t)argument;
    cx_sel_t own[2], shared;
    cx_word_t turn, reached = 0;
    int there = 1;
    CHECK(cx_soft_register(&mulacc_soft) == CX_ERROR_NONE && cx_soft_register(&shared_soft) == CX_ERROR_NONE);
    CHECK(cx_soft_register(&mulacc_soft_twin) == CX_ERROR_BUSY);
    own[0] = cx_open(&MULACC, cx_open_exclusive);
    own[1] = cx_open(&MULACC, cx_open_exclusive);
    shared = cx_open(&SHARED, cx_open_shared);
    CHECK(cx_sel_is_cx(own[0]) && cx_sel_is_cx(own[1]));
    CHECK(cx_sel_is_cx(shared) || cx_last_error() == CX_ERROR_NO_DEVICE);
    for (turn = 1; turn <= TURNS; turn++) {
        cx_word_t sum = 0;
        unsigned i;
        for (i = 0; i < 2; i++) {
            cx_select(own[i]);
            CHECK(mulacc_mulacc((cx_word_t)id, i + 1) == (cx_word_t)(id * (i + 1) * turn));
        }
        cx_select(shared);
        there = answers(turn) && there;
        if (id == 1 && turn == TURNS / 2) CHECK(cx_revoke(&SHARED) == CX_ERROR_NONE);
        CHECK(id != 1 || turn <= TURNS / 2 || !there);
        cx_select(cx_sel_builtin);
        CHECK(cx_singleton(&MULACC, cx_open_exclusive, NULL, once, &sum) == CX_ERROR_NONE);
        CHECK(sum > reached);
        reached = sum;
    }
    cx_close(own[0]);
    /* The rest is open when the thread ends. */
    return NULL;
}

int main(int argc, char **argv) {
    static const struct cx_platform_cxu FEW[] = {{{MULACC_HIGH, MULACC_LOW}, 1}, {{MULACC_HIGH, 2}, 1}};
    pthread_t threads[THREADS];
    uintptr_t i;
    cx_word_t sum = 0;
    CHECK(argc == 1 && argv[0] != NULL);
    CHECK(cx_platform_load(FEW, 2) == CX_ERROR_NONE);
    for (i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, work, (void *)(i + 1)) == 0);
    for (i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(cx_singleton(&MULACC, cx_open_exclusive, NULL, once, &sum) == CX_ERROR_NONE);
    CHECK(uses == THREADS * TURNS + 1 && sum == uses);
    puts("0 failures");
    return 0;
}
