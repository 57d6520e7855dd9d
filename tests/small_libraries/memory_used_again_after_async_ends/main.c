#include "p.h"
#include <pthread.h>
#include <stdio.h>

static int memory[16] = { 1, 2, 3, 4 };

static void show(int *of)
{
    for (int n = 0; n < 2; n++) {
        const int same = p_bump(of, 4);
        printf("%d %d\n", same, of[3]);
    }
}

static void *keeps(void *of)
{
    p_keep(of, 4);
    show(of);
    return 0;
}

static int *get(void *user) { return user; }

int main(void)
{
    for (int offset = 0; offset <= 8; offset += 4) {
        p_keep(memory, 16);
        p_slow();
        p_end(memory);
        pthread_t thread;
        pthread_create(&thread, 0, keeps, memory + offset);
        pthread_join(thread, 0);
        show(memory + offset);
        p_end(memory + offset);
    }
    p_object *const object = p_open();
    p_keep(memory, 16);
    p_set(object, memory, 16);
    p_slow();
    p_reset(object);
    p_end(memory);
    pthread_t thread;
    pthread_create(&thread, 0, keeps, memory);
    pthread_join(thread, 0);
    p_end(memory);
    p_keep(memory, 4);
    p_end(memory);
    printf("%d\n", p_run(get, memory));
    show(memory);
    p_end(memory);
    return 0;
}
