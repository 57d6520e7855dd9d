#include "p.h"
#include <stdio.h>
#include <stdlib.h>

static int *memory;

static void show(const char *what, int result) {
    printf("  %s %d:", what, result);
    for (int i = 0; i < 5; i++)
        printf(" %d", memory[i]);
    printf("\n");
}

static void use(int seed) {
    p_keeps s = {memory, 5};
    int *rows[1] = {memory};
    for (int n = 0; n < 30; n++) {
        seed = (int)((unsigned)seed * 1103515245u + 12345u);
        /* The program writes too, and the next call must name the memory then. */
        if ((seed >> 9) % 2)
            memory[(seed >> 12 & 7) % 5] = seed >> 20;
        switch ((unsigned)seed >> 16 & 15) {
        case 0: show("use_in", p_use_in(memory, 5)); break;
        case 1: show("use_inout", p_use_inout(memory, 5)); break;
        case 2: show("use_out", p_use_out(memory, 5)); break;
        case 3: show("uses_in", p_uses_in(&s)); break;
        case 4: show("uses_inout", p_uses_inout(&s)); break;
        case 5: show("uses_out", p_uses_out(&s)); break;
        case 6: show("again_in", p_again_in(memory, 5)); break;
        case 7: show("again_inout", p_again_inout(memory, 5)); break;
        case 8: show("use_in", p_use_in(memory, 5)); show("sum", p_sum()); break;
        case 9: show("row_use_inout", p_row_use_inout(rows)); break;
        case 10: show("row_use_out", p_row_use_out(rows)); break;
        case 11: show("use_inout", p_use_inout(memory, 5)); show("part", p_part(memory + 1)); break;
        case 12: show("use_out", p_use_out(memory, 5)); show("give", (int)(p_give() - memory)); break;
        default: show("use_in", p_use_in(memory, 5)); show("part", p_part(memory)); break;
        }
    }
}

int main(void) {
    for (int way = 0; way < 12; way++)
        for (int seed = 1; seed < 40; seed++) {
            memory = malloc(5 * sizeof *memory);
            for (int i = 0; i < 5; i++)
                memory[i] = 10 * seed + i;
            p_keeps s = {memory, 5};
            int *rows[1] = {memory};
            switch (way) {
            case 0: p_keep_in(memory, 5); break;
            case 1: p_keep_inout(memory, 5); break;
            case 2: p_keep_out(memory, 5); break;
            case 3: p_keep_local(memory, 5); break;
            case 4: p_keeps_in(&s); break;
            case 5: p_keeps_inout(&s); break;
            case 6: p_keeps_out(&s); break;
            case 7: p_keeps_local(&s); break;
            case 8: p_row_in(rows); break;
            case 9: p_row_inout(rows); break;
            case 10: p_row_out(rows); break;
            case 11: p_row_local(rows); break;
            }
            /* The contents of local memory are never sent. */
            if (way % 4 == 3)
                p_use_out(memory, 5);
            printf("%d %d\n", way, seed);
            use(seed * 77 + way);
            p_end(memory);
            show("ended", p_use_inout(memory, 5));
            free(memory);
        }
    return 0;
}
