#include <pthread.h>
#include <stdlib.h>
#include "posts.h"

struct posts_source {
    posts_hook post;
    void *user;
    int count;
    pthread_t thread;
    const unsigned char *bytes;
    size_t n;
};

static void *post_all(void *of) {
    posts_source source = of;
    for (int value = 0; value < source->count; value++)
        source->post(value, source->user);
    return NULL;
}

posts_source posts_open(posts_hook post, void *user, int count) {
    posts_source source = malloc(sizeof *source);
    if (!source)
        return NULL;
    *source = (struct posts_source){.post = post, .user = user, .count = count};
    if (pthread_create(&source->thread, NULL, post_all, source) == 0)
        return source;
    free(source);
    return NULL;
}

int posts_close(posts_source source) {
    pthread_join(source->thread, NULL);
    free(source);
    return 0;
}

int posts_run(posts_hook post, void *user, int count) {
    posts_source source = posts_open(post, user, count);
    return source ? posts_close(source) : -1;
}

int posts_start(posts_hook post, void *user, int count) {
    return posts_run(post, user, count);
}

struct finish {
    posts_end first, second;
    void *user;
};

static void *finish_all(void *of) {
    struct finish finish = *(struct finish *)of;
    free(of);
    finish.first(1, finish.user);
    if (finish.second)
        finish.second(2, finish.user);
    return NULL;
}

int posts_finish(posts_end first, posts_end second, void *user) {
    struct finish *finish = malloc(sizeof *finish);
    pthread_t thread;
    if (!finish)
        return -1;
    *finish = (struct finish){.first = first, .second = second, .user = user};
    if (pthread_create(&thread, NULL, finish_all, finish) != 0)
        return -1;
    pthread_detach(thread);
    return 0;
}

int posts_wait(void) {
    return 0;
}

static int sum_of(const unsigned char *bytes, size_t n) {
    int sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += bytes[i];
    return sum;
}

static struct {
    const unsigned char *bytes;
    size_t n;
    posts_done done;
    void *user;
} written[16];
static int writes;

int posts_write(const unsigned char *bytes, size_t n, posts_done done, void *user) {
    if (writes == sizeof written / sizeof *written)
        return -1;
    written[writes].bytes = bytes, written[writes].n = n;
    written[writes].done = done, written[writes++].user = user;
    return 0;
}

int posts_pump(void) {
    int all = writes;
    writes = 0;
    for (int i = 0; i < all; i++)
        if (written[i].done(sum_of(written[i].bytes, written[i].n), written[i].user) != 0)
            return -1;
    return all;
}

int posts_keep(posts_source source, const unsigned char *bytes, size_t n) {
    int sum = sum_of(source->bytes, source->n) + sum_of(bytes, n);
    source->bytes = bytes, source->n = n;
    return sum;
}

int posts_drop(posts_source source) {
    return posts_close(source);
}
