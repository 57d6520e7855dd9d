#include <pthread.h>
#include <stdio.h>
#include "p.h"

enum { ROUNDS = 20, THREADS = 4, CALLS = 50 };
static p_value values[ROUNDS];
static p_point points[ROUNDS][THREADS];
static int errors[THREADS];
static int round_of_calls;

static void *make_calls(void *of) {
    p_point *point = of;
    p_value *value = &values[round_of_calls];
    int *error = &errors[point - points[round_of_calls]];
    for (int n = 0; n < CALLS; n++) {
        *error += p_next(value, point);
        if (n % 7 == 0) *error += p_check(value);
    }
    return NULL;
}

int main(void) {
    for (round_of_calls = 0; round_of_calls < ROUNDS; round_of_calls++) {
        pthread_t threads[THREADS];
        p_value *value = &values[round_of_calls];
        p_point *point = points[round_of_calls];
        int sum = 0, all = 0;
        for (int n = 0; n < THREADS; n++) pthread_create(&threads[n], NULL, make_calls, &point[n]);
        for (int n = 0; n < THREADS; n++) pthread_join(threads[n], NULL);
        for (int n = 0; n < THREADS; n++) sum += point[n].x + point[n].y, all += errors[n];
        printf("%d errors; %d %d %d, %d; check %d\n", all, value->count, value->kind, value->used, sum, p_check(value));
    }
    return 0;
}
