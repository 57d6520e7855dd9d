#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include "p.h"

enum { THREADS = 8, CALLS = 200, ROUNDS = 3 };
static p_counters *counters;
static p_row row, *borrowed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *argument) {
    int at = (int)(intptr_t)argument;
    for (int i = 0; i < CALLS; i++) {
        p_count(counters, at);
        pthread_mutex_lock(&lock);
        ++borrowed->plain;
        ++borrowed->rest[at];
        pthread_mutex_unlock(&lock);
        p_touch(borrowed);
    }
    return NULL;
}

int main(void) {
    counters = p_open(&row);
    borrowed = p_borrow();
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t threads[THREADS];
        for (intptr_t i = 0; i < THREADS; i++)
            pthread_create(&threads[i], NULL, run, (void *)i);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        p_touch(borrowed);
        printf("%d %d %d\n", row.locked, borrowed->plain, borrowed->locked);
        for (int i = 0; i < THREADS; i++)
            printf("%d %d %d\n", row.rest[i], borrowed->rest[i], p_get(i));
    }
    p_close(counters);
    return 0;
}
