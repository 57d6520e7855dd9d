#include "p.h"
#include <stdio.h>

static int memory[4] = { 5, 6, 7, 8 };

static int is_wrong(p_object *object, int first, int last)
{
    const int same = p_read(object, memory, 4);
    if (same && memory[0] == first && memory[3] == last) return 0;
    fprintf(stderr, "same %d, %d instead of %d, %d instead of %d\n", same, memory[0], first, memory[3], last);
    return 1;
}

int main(void)
{
    int wrong = 0;
    for (int how = 0; how < 6; how++) {
        const int first = memory[0], last = memory[3];
        p_object *const object = p_open();
        if (how % 2) p_change(object, memory, 4);
        else p_look(object, memory, 4);
        if (how / 2 == 1) p_wait();
        if (how / 2 == 2) p_change(object, memory, 4);
        p_set(object, memory, 4);
        wrong += is_wrong(object, first + 100, last + 101) + is_wrong(object, first + 100, last + 102);
        p_close(object);
    }
    p_keep_later(memory, 4);
    wrong += p_keep(memory + 1, 2) != 0;
    static int more[4], own[4] = { 1, 2, 3, 4 };
    p_look_later(more, 4);
    wrong += p_keep(more + 2, 2) != 0;
    /* The struct refers to the memory without a lifetime. */
    static p_struct of;
    p_keep_struct(&of);
    p_look_later(own, 4);
    of.memory = own;
    wrong += p_apply(&of) != 1;
    wrong += p_keep(own, 4) != 1 || own[1] != 3 || own[3] != 5;
    wrong += p_keep(own, 4) != 1 || own[3] != 6;
    return wrong;
}
