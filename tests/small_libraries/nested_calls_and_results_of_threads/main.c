#include "p.h"
#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 300 };

static int event(int n, void *user)
{
    (void)user;
    return n + (p_total() >= 0);
}

static void *runs(void *arg)
{
    int sum = 0;
    for (int n = 0; n < ROUNDS; n++) {
        sum += p_run(2, event, 0);
        sum += p_total() >= 0;
    }
    *(int *)arg = sum;
    return 0;
}

static void *adds(void *arg)
{
    for (int n = 0; n < ROUNDS; n++) {
        p_add_later(arg, n);
        if (n % 3 == 0) p_total();
    }
    p_total();
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    int results[2] = { 0, 0 };
    pthread_create(&threads[0], 0, runs, &results[0]);
    pthread_create(&threads[1], 0, adds, &results[1]);
    for (int n = 0; n < 2; n++) pthread_join(threads[n], 0);
    printf("%d %d %d\n", results[0], results[1], p_total());
    return 0;
}
