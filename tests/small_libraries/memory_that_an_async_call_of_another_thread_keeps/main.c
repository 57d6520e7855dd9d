#include "p.h"
#include <pthread.h>
#include <stdio.h>

static int memory[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };

static void *changes(void *unused)
{
    (void)unused;
    printf("%d\n", p_change(memory, 8));
    return 0;
}

static void *changes_a_part(void *unused)
{
    (void)unused;
    printf("%d\n", p_change(memory + 2, 4));
    return 0;
}

static void *reads_a_part(void *unused)
{
    (void)unused;
    printf("%d\n", p_read(memory + 4, 4));
    return 0;
}

static void *ends(void *unused)
{
    (void)unused;
    printf("%d\n", p_end(memory));
    return 0;
}

int main(void)
{
    void *(*const all[])(void *) = { changes, reads_a_part, changes_a_part, ends };
    for (int n = 0; n < 4; n++) {
        if (n == 2) p_keep_now(memory, 4);
        p_slow();
        p_keep(memory, 8);
        pthread_t thread;
        pthread_create(&thread, 0, all[n], 0);
        pthread_join(thread, 0);
        if (n < 3) p_end(memory);
        printf("%d: %d %d %d\n", p_change(memory, 8), memory[4], memory[5], memory[7]);
    }
    return 0;
}
