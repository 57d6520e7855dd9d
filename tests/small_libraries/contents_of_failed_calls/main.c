/* The program writes what its memory had before the failed call, so that its contents are those of the last successful call. */
#include "p.h"
#include <stdio.h>

static void set(int *memory, int n)
{
    for (int i = 0; i < n; i++) memory[i] = i + 1;
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
    printf("keep_out %d", p_keep_out(out, 4));
    set(out, 4);
    printf(" %d\n", p_sum(out, 4) % 81);
    return 0;
}
