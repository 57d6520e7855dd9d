/* The program writes what its memory had before the failed call, so that its contents are those of the last successful call. */
#include "p.h"
#include <setjmp.h>
#include <stdio.h>

static void set(int *memory, int n)
{
    for (int i = 0; i < n; i++) memory[i] = i + 1;
}

static jmp_buf left;

static void leave(void *user)
{
    (void)user;
    longjmp(left, 1);
}

/* The library fills memory between the calls, which the program does not write. */
static void operations(void)
{
    static int memory[4];
    for (int how = 0; how < 4; how++) {
        for (int i = 0; i < 4; i++) memory[i] = 0;
        /* A call that fails keeps nothing. */
        if (how != 3) p_keep(memory, 4);
        printf("start %d", how < 2 ? p_start(memory, 4) : p_start_on(memory, 4));
        p_tick();
        printf(" %d", p_finish(memory, 4));
        printf(" %d %d\n", memory[0], memory[3]);
        p_end(memory);
    }
}

static void nodes(void)
{
    static int lists[2][3];
    static p_node second = { 0, 3, lists[1], 0 }, first = { 0, 3, lists[0], &second };
    for (int round = 0; round < 3; round++) {
        first.a = 4;
        second.a = 5;
        set(lists[0], 3);
        set(lists[1], 3);
        if (round == 0) printf("nodes %d", p_keep_nodes(&first));
        else printf(" %d", p_sum_nodes(&first));
        printf(" %d", p_try_nodes(&first));
    }
    printf("\n");
}

static void calls_that_are_left(void)
{
    static int memory[4];
    set(memory, 4);
    p_keep(memory, 4);
    if (!setjmp(left)) p_call(memory, 4, leave, memory);
    set(memory, 4);
    printf("left %d", p_sum(memory, 4));
    printf(" %d", p_change(memory, 4, 0));
    printf(" %d %d\n", memory[0], memory[3]);
    p_end(memory);
}

int main(void)
{
    static int memory[4], out[4];
    for (int is_ok = 0; is_ok < 2; is_ok++) {
        set(memory, 4);
        printf("keep %d", p_keep(memory, 4));
        printf(" %d\n", p_kept_sum());
        printf("fill %d", p_fill(memory, 4, is_ok - 1));
        set(memory, 4);
        printf(" %d", p_sum(memory, 4));
        printf(" %d\n", p_kept_sum());
        printf("change %d", p_change(memory + 1, 2, is_ok - 1));
        set(memory, 4);
        printf(" %d", p_sum(memory, 4));
        printf(" %d\n", p_kept_sum());
        printf("fill_on %d", p_fill_on(memory, 4, is_ok));
        set(memory, 4);
        printf(" %d", p_sum(memory, 4));
        printf(" %d\n", p_change(memory, 4, 0));
        printf("after %d %d\n", memory[0], memory[3]);
        p_end(memory);
    }
    operations();
    nodes();
    calls_that_are_left();
    printf("keep_out %d", p_keep_out(out, 4));
    set(out, 4);
    printf(" %d\n", p_sum(out, 4) % 81);
    return 0;
}
