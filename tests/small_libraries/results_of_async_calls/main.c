#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include "p.h"

enum { THREADS = 3, ROUNDS = 2000 };
static atomic_int is_over;
static p_queue *queues[2];

/* Makes calls in the lanes of all threads, with memory that only this thread uses. */
static void *others(void *wrong) {
    for (int round = 1; !is_over; round++) {
        int v[4] = {0};
        p_tick();
        p_fill(v, round);
        *(int *)wrong += p_sum(v) != 4 * round;
        p_thread_fill(v, round + 1);
        *(int *)wrong += p_thread_sum(v) != 4 * (round + 1);
    }
    return NULL;
}

static void *fill_in_thread(void *v) {
    p_thread_fill(v, 5);
    return NULL;
}

static void *fill_first(void *v) {
    p_queue_fill(queues[0], v, 1);
    return NULL;
}

static void *fill_second(void *v) {
    p_queue_fill(queues[1], v, 2);
    return NULL;
}

static void in_thread(void *(*work)(void *), void *v) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, v);
    pthread_join(thread, NULL);
}

int main(void) {
    pthread_t threads[THREADS];
    int wrong[THREADS + 3] = {0};
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, others, &wrong[i]);
    for (int round = 1; round <= ROUNDS; round++) {
        int v[4] = {0};
        p_fill(v, round);
        p_tick();
        wrong[THREADS] += v[3] != round;
        p_thread_fill(v, -round);
        p_thread_tick();
        wrong[THREADS + 1] += v[3] != -round;
        p_fill(v, round);
        wrong[THREADS + 2] += p_sum(v) != 4 * round;
    }
    is_over = 1;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS + 3; i++)
        printf("wrong %d\n", wrong[i]);

    static const int data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int start = -1; start <= 1; start++) {
        int n = start * 0x7fffffff;
        p_size(&n);
        printf("use %d\n", p_use(&n, 100));
        n = start * 0x40000000;
        p_size(&n);
        printf("total %d\n", p_total(data, &n));
        n = start * 0x40000000;
        p_outer o = {&n, data};
        p_size(&n);
        printf("nested %d\n", p_nested(&o));
    }
    /* Before the string is written, no zero ends it on its page. */
    char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *text = page + 4096 - 16;
    mprotect(page + 4096, 4096, PROT_NONE);
    memset(text, 'x', 16);
    p_name(text);
    printf("length %d\n", p_length(text));

    for (int round = 0; round < 20; round++) {
        int a[4] = {0}, b[4] = {0};
        in_thread(fill_in_thread, a);
        if (p_sum(a) != 20)
            printf("thread %d\n", p_sum(a));
        queues[0] = p_open();
        queues[1] = p_open();
        in_thread(fill_first, a);
        in_thread(fill_second, b);
        if (p_two(a, b) != 408)
            printf("queues %d\n", p_two(a, b));
        p_close(queues[0]);
        p_close(queues[1]);
    }
    return 0;
}
