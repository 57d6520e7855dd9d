#include "p.h"
#include <stdio.h>

enum { N = 16 };

static int memory[N], other[N], wrong;

static void check(const char *what, int result, int expected)
{
    if (result == expected) return;
    fprintf(stderr, "%s: %d instead of %d\n", what, result, expected);
    wrong++;
}

static int fails_to_close(p_object *object, void *user)
{
    (void)user;
    return p_close_later(object, -1);
}

static int releases(p_object *object, void *user)
{
    (void)user;
    return p_close_later(object, 0);
}

int main(void)
{
    for (int round = 0; round < 3; round++) {
        p_object *object = p_open(memory, N);
        p_close_later(object, -1);
        check("after a failed close", p_step(object, memory, N), N);
        p_reset_later(object, -1);
        check("after a failed reset", p_step(object, memory, N), N);
        p_refer(object);
        p_close_later(object, 0);
        check("after one of two references", p_step(object, memory, N), N);
        check("closes in a callback", p_run(object, fails_to_close, 0), -1);
        check("after a failed close in a callback", p_step(object, memory, N), N);
        p_refer(object);
        check("releases in a callback", p_run(object, releases, 0), 1);
        check("after one of two references in a callback", p_step(object, memory, N), N);
        p_close_later(object, 0);
        /* A part of the memory, and of the memory of a child. */
        object = p_open(memory + 4, 4);
        check("part", p_step(object, memory + 4, 4), 4);
        p_open_part(object, other, N);
        p_close_later(object, 0);
        object = p_open(other + 8, 8);
        check("part of the child's", p_step(object, other + 8, 8), 8);
        p_reset_later(object, 0);
        p_close_later(object, 0);
        p_keep(memory, N);
        p_end_later(memory, -1);
        check("after a failed end", p_bump(memory, N), 1);
        p_end_later(memory, 0);
        p_keep(memory + 4, 4);
        check("kept part", p_bump(memory + 4, 4), 1);
        p_end_later(memory + 4, 0);
    }
    printf("%d %d %d %d\n", memory[0], memory[7], memory[N - 1], other[N - 1]);
    return wrong;
}
