#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
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

static void finish(int value, void *user) {
    post(value, user);
}

/* All threads repeatedly pass the same function with the same userdata: a registration is used again while its last use ends. */
static struct tag shared;

static void *uses(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        struct tag own = {0};
        assert(posts_run(post, &own, COUNT) == 0);
        assert(posts_run(post, &shared, COUNT) == 0);
        posts_source source = posts_open(post, &own, COUNT);
        assert(source && posts_close(source) == 0);
        assert(posts_start(post, &own, COUNT) == 0 && posts_wait() == 0);
        assert(posts_finish(post, finish, &own) == 0 && posts_finish(post, NULL, &own) == 0);
        alarm(TIMEOUT_SECONDS);
        while (atomic_load(&own.calls) < 3 * COUNT + 3)
            usleep(100);
        assert(atomic_load(&own.calls) == 3 * COUNT + 3 && atomic_load(&own.sum) == 3 * COUNT * (COUNT - 1) / 2 + 4);
    }
    return unused;
}

static int sum;

static int done(int of, void *user) {
    assert(*(int *)user == of);
    sum += of;
    return 0;
}

/* Memory that the library keeps until a callback, again and again at the same addresses. */
static void until_called(void) {
    enum { SIZE = 100000, WRITES = 4 };
    static unsigned char bytes[WRITES][SIZE];
    int expected[WRITES];
    for (int round = 0; round < 50; round++) {
        /* Writes with one shared tag, and with separate tags. */
        int is_shared = round % 2;
        for (int i = 0; i < WRITES; i++) {
            memset(bytes[i], is_shared ? round : round + i, SIZE);
            expected[i] = SIZE * bytes[i][0];
            assert(posts_write(bytes[i], SIZE, done, &expected[is_shared ? 0 : i]) == 0);
        }
        assert(posts_pump() == WRITES);
    }
    printf("written %d\n", sum);
}

/* The object that keeps memory ends in an asynchronous call, and the memory is used again at once. */
static void ends_later(void) {
    unsigned char bytes[1000];
    for (int round = 0; round < 100; round++) {
        struct tag unused = {0};
        posts_source first = posts_open(post, &unused, 0), second = posts_open(post, &unused, 0);
        memset(bytes, 1, sizeof bytes);
        assert(posts_keep(first, bytes, sizeof bytes) == 1000);
        assert(posts_drop(first) == 0);
        memset(bytes, 2, sizeof bytes);
        assert(posts_keep(second, bytes, sizeof bytes) == 2000);
        assert(posts_close(second) == 0);
    }
    puts("ended");
}

int main(void) {
    until_called();
    ends_later();
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
