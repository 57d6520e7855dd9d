#include <pthread.h>
#include <stdlib.h>
#include "posts.h"

struct posts_source {
    posts_hook post;
    void *user;
    int count;
    pthread_t thread;
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

int posts_wait(void) {
    return 0;
}
