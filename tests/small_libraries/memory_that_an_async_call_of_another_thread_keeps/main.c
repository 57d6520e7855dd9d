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
    void *(*const all[])(void *) = { changes, reads_a_part, ends };
    for (int n = 0; n < 3; n++) {
        p_slow();
        p_keep(memory, 8);
        pthread_t thread;
        pthread_create(&thread, 0, all[n], 0);
        pthread_join(thread, 0);
        if (n < 2) p_end(memory);
        const int distance = n < 2 ? 0 : p_change(memory, 8);
        printf("%d: %d %d\n", distance, memory[4], memory[7]);
    }
    return 0;
}
