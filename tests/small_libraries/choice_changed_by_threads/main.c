#include <pthread.h>
#include <stdio.h>
#include "p.h"

enum { THREADS = 4, CALLS = 50 };
static p_value value;
static p_point points[THREADS];
static int errors[THREADS];

static void *make_calls(void *of) {
    p_point *point = of;
    for (int n = 0; n < CALLS; n++) {
        errors[point - points] += p_next(&value, point);
        if (n % 7 == 0) errors[point - points] += p_check(&value);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int sum = 0, all = 0;
    for (int n = 0; n < THREADS; n++) pthread_create(&threads[n], NULL, make_calls, &points[n]);
    for (int n = 0; n < THREADS; n++) pthread_join(threads[n], NULL);
    for (int n = 0; n < THREADS; n++) sum += points[n].x + points[n].y, all += errors[n];
    printf("%d errors; %d %d %d, %d; check %d\n", all, value.count, value.kind, value.used, sum, p_check(&value));
    return 0;
}
