/* Coroutines and jumps over CXs. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>
#include <stdlib.h>

#ifdef PRELOADED
/* As programs are that know nothing of cx_context.h: what is preloaded carries the CXs along. */
#include <setjmp.h>
#include <ucontext.h>
#include "cx.h"
typedef jmp_buf cx_jmp_buf;
#define cx_jmp_buf_tag __jmp_buf_tag
#define cx_setjmp setjmp
#define cx_longjmp longjmp
#define cx_swapcontext swapcontext
#else
#include "cx_context.h"
#endif
#include "mulacc.h"

static const cx_uuid_t EXCLUSIVE = {MULACC_HIGH, MULACC_LOW}, SHARED = {MULACC_HIGH, 2};

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, cx_last_error_string()); \
            exit(1); \
        } \
    } while (0)

#define COROUTINES 3
#define ROUNDS 50
static ucontext_t scheduler, coroutines[COROUTINES];
static char stacks[COROUTINES][64 * 1024];
static unsigned finished;
static cx_sel_t shared;

/* Each has an instance of its own, and takes its state of the shared one with it. */
static void coroutine(int me)
{
    cx_word_t own_sum = 0, shared_sum = 0;
    cx_sel_t own = cx_open(&EXCLUSIVE, cx_open_exclusive);
    int round;
    CHECK(cx_get_sel() == cx_sel_builtin);
    cx_select(shared);
    mulacc_mul(0, 0);
    for (round = 0; round < ROUNDS; round++) {
        cx_word_t a = (cx_word_t)(me + 1), b = (cx_word_t)round;
        cx_select(own);
        own_sum += a * b;
        CHECK(mulacc_mulacc(a, b) == own_sum);
        CHECK(cx_swapcontext(&coroutines[me], &scheduler) == 0);
        CHECK(cx_get_sel() == own);
        cx_select(shared);
        shared_sum += b;
        CHECK(mulacc_mulacc(1, b) == shared_sum);
        CHECK(cx_swapcontext(&coroutines[me], &scheduler) == 0);
        CHECK(cx_get_sel() == shared && mulacc_mulacc(0, 0) == shared_sum);
    }
    cx_close(own);
    finished++;
    /* The end of it goes on at the scheduler, which this leaves selected. */
}

static void run_coroutines(void)
{
    int i, turn;
    cx_sel_t mine = cx_open(&EXCLUSIVE, cx_open_exclusive);
    shared = cx_open(&SHARED, (cx_open_flags)(cx_open_shared | cx_open_ucontext));
    CHECK(cx_sel_is_cx(mine) && cx_sel_is_cx(shared));
    for (i = 0; i < COROUTINES; i++) {
        CHECK(getcontext(&coroutines[i]) == 0);
        coroutines[i].uc_stack.ss_sp = stacks[i];
        coroutines[i].uc_stack.ss_size = sizeof stacks[i];
        coroutines[i].uc_link = &scheduler;
        makecontext(&coroutines[i], (void (*)(void))coroutine, 1, i);
    }
    cx_select(shared);
    mulacc_mul(100, 100);
    cx_select(mine);
    mulacc_mul(7, 7);
    for (turn = 0; turn < (2 * ROUNDS + 1) * COROUTINES; turn++) {
        CHECK(cx_swapcontext(&scheduler, &coroutines[turn % COROUTINES]) == 0);
        CHECK(cx_get_sel() == mine && mulacc_mulacc(0, 0) == 49);
    }
    CHECK(finished == COROUTINES);
    cx_select(shared);
    CHECK(mulacc_mulacc(0, 0) == 10000);
    cx_select(cx_sel_builtin);
    cx_close(mine);
    cx_close(shared);
}

static cx_jmp_buf back;
/* So that no compiler sees that this never returns, and then warns of what calls it. */
static void (*volatile jump)(struct cx_jmp_buf_tag *, int) = cx_longjmp;

static void deep(int depth, cx_sel_t inner)
{
    char memory[64];
    memory[depth % 64] = (char)depth;
    if (depth > 0) {
        deep(depth - 1, inner);
    } else {
        cx_select(inner);
        mulacc_mulacc(5, 5);
        cx_select(shared);
        mulacc_mulacc(1, 1);
        jump(back, 3);
    }
    CHECK(memory[depth % 64] == (char)depth);
}

static void run_jumps(void)
{
    cx_sel_t outer = cx_open(&EXCLUSIVE, cx_open_exclusive), inner = cx_open(&EXCLUSIVE, cx_open_exclusive);
    int volatile jumps = 0;
    shared = cx_open(&SHARED, (cx_open_flags)(cx_open_shared | cx_open_ucontext));
    cx_select(inner);
    mulacc_mul(2, 2);
    cx_select(shared);
    mulacc_mul(6, 7);
    cx_select(outer);
    mulacc_mul(3, 3);
    switch (cx_setjmp(back)) {
    case 0:
        deep(20, inner);
        break;
    case 3:
        jumps = jumps + 1;
        CHECK(cx_get_sel() == outer && mulacc_mulacc(0, 0) == 9);
        cx_select(shared);
        CHECK(mulacc_mulacc(0, 0) == 42); /* takes part: as it was */
        cx_select(inner);
        CHECK(mulacc_mulacc(0, 0) == 4u + 25u * (cx_word_t)jumps); /* does not: as it is */
        if (jumps < 3) deep(20, inner);
        break;
    default:
        CHECK(0);
    }
    CHECK(jumps == 3);
    /* What is closed meanwhile is left out. */
    cx_close(inner);
    cx_close(shared);
#ifndef PRELOADED
    if (jumps == 3) {
        jumps = jumps + 1;
        cx_context_restore(back->context, back->size);
        CHECK(cx_last_error() == CX_ERROR_NONE && cx_get_sel() == outer);
    }
    CHECK(cx_context_save(NULL, 0) == cx_context_save(back->context, back->size));
    CHECK(cx_context_save(back->context, 3) == 0 && cx_last_error() == CX_ERROR_INVALID);
    cx_context_restore(back->context, 15);
    CHECK(cx_last_error() == CX_ERROR_INVALID);
#endif
    cx_select(cx_sel_builtin);
    cx_close(outer);
}

int main(int argc, char **argv)
{
    static const struct cx_platform_cxu FEW[] = {{{MULACC_HIGH, MULACC_LOW}, 1}, {{MULACC_HIGH, 2}, 1}};
    (void)argv;
    CHECK(cx_soft_register(&mulacc_soft) == 0 && cx_soft_register(&shared_soft) == 0);
    if (argc > 1) CHECK(cx_platform_load(FEW, 2) == 0);
    run_coroutines();
    run_jumps();
    puts("0 failures");
    return 0;
}
