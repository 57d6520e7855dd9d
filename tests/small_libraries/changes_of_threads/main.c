#include <pthread.h>
#include <stdio.h>
#include "p.h"

enum { THREADS = 4, CALLS = 50, ROUNDS = 20 };
static p_counters *counters;
static int number, own, *lent;
static p_row row = {0, 0, &own};

static void *run(void *unused) {
    for (int i = 0; i < CALLS; i++) {
        p_count(counters);
        p_count_only(counters);
        p_count_borrowed(lent);
    }
    return unused;
}

int main(void) {
    counters = p_open(&number, &row);
    lent = p_borrow();
    for (int round = 1; round <= ROUNDS; round++) {
        pthread_t threads[THREADS];
        row.plain = round;
        for (int i = 0; i < THREADS; i++)
            pthread_create(&threads[i], NULL, run, NULL);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        printf("%d %d %d %d\n", number, row.plain, row.locked, *lent);
    }
    printf("%d %d %d %d\n", p_count(counters), p_count_borrowed(lent), row.locked, row.own == &own);
    p_close(counters);
    return 0;
}
