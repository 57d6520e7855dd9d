#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
#include "posts.h"

enum { COUNT = 5, ROUNDS = 100, THREADS = 4, TIMEOUT_SECONDS = 60 };

struct tag {
    atomic_int sum, calls;
};

static void post(int value, void *user) {
    struct tag *tag = user;
    atomic_fetch_add(&tag->sum, value);
    atomic_fetch_add(&tag->calls, 1);
}

/* The same function with the same userdata again and again, in all threads: a registration is used anew while its last use ends. */
static struct tag shared;

static void *uses(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        struct tag own = {0};
        assert(posts_run(post, &own, COUNT) == 0);
        assert(posts_run(post, &shared, COUNT) == 0);
        posts_source source = posts_open(post, &own, COUNT);
        assert(source && posts_close(source) == 0);
        assert(posts_start(post, &own, COUNT) == 0 && posts_wait() == 0);
        alarm(TIMEOUT_SECONDS);
        while (atomic_load(&own.calls) < 3 * COUNT)
            usleep(100);
        assert(atomic_load(&own.calls) == 3 * COUNT && atomic_load(&own.sum) == 3 * COUNT * (COUNT - 1) / 2);
    }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert(pthread_create(&threads[i], NULL, uses, NULL) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    while (atomic_load(&shared.calls) < THREADS * ROUNDS * COUNT)
        usleep(100);
    printf("%d callbacks, sum %d\n", atomic_load(&shared.calls), atomic_load(&shared.sum));
    return 0;
}
