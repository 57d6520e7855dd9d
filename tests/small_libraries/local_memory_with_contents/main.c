/* The program writes all contents between a call with scratch memory and a call with contents. */
#include "p.h"
#include <stdio.h>
#include <stdlib.h>

static int memory[3];

static void set(int a, int b, int c)
{
    memory[0] = a;
    memory[1] = b;
    memory[2] = c;
}

static void show(const char *what, int result)
{
    printf("%s %d: %d %d %d\n", what, result, memory[0], memory[1], memory[2]);
}

static void seen(const int *there, int n, void *user)
{
    printf("%s %d %d %d\n", (const char *)user, n, there[0], there[2]);
}

int main(void)
{
    for (int round = 0; round < 2; round++) {
        set(0, 0, 0);
        printf("keep %d\n", p_keep(memory, 3));
        set(0, 0, 0);
        show("in", p_use_in(memory, 3));
        set(0, 0, 0);
        show("inout", p_use_inout(memory, 3));
        printf("scratch %d\n", p_scratch(memory, 3, 70));
        set(0, 5, 0);
        show("in", p_use_in(memory, 3));
        show("inout", p_use_inout(memory, 3));
        printf("scratch %d\n", p_scratch(memory, 3, 70));
        set(0, 10, 0);
        show("inout", p_use_inout(memory, 3));
        printf("scratch %d\n", p_scratch(memory + 1, 2, 70));
        show("out", p_use_out(memory, 3));
        show("inout", p_use_inout(memory, 3));
        printf("scratch %d\n", p_scratch(memory, 3, 9));
        p_show(seen, "seen");
        set(1, 2, 3);
        show("inout", p_use_inout(memory, 3));
        p_end(memory);
    }
    enum { LONG = 100000 };
    char *text = calloc(1, LONG);
    printf("until %d %d %d\n", p_until(text, LONG), p_until(text, 1), p_until(text, 0));
    int two[6];
    printf("two %d %d\n", p_two(two, two + 2, 4), p_two(two, two, 6));
    free(text);
    return 0;
}
