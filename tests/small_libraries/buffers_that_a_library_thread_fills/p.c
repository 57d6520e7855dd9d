#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "p.h"

struct p_transfer {
    p_device *device;
    int is_read, length;
    unsigned char *buffer;
    p_done done;
    void *user;
};
struct p_device {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    p_transfer *next;
    int is_closed, is_busy, count;
};

static void finish(p_transfer *t, int count) {
    int sum = 0;
    for (int i = 0; !t->is_read && i < t->length; i++)
        sum += t->buffer[i];
    if (t->is_read)
        memset(t->buffer, 'a' + count % 26, (size_t)t->length);
    t->done(t, sum, t->buffer, t->length, t->user);
}
static void *run(void *argument) {
    p_device *d = argument;
    pthread_mutex_lock(&d->lock);
    while (!d->is_closed) {
        p_transfer *t = d->next;
        if (t == NULL) {
            pthread_cond_wait(&d->changed, &d->lock);
            continue;
        }
        d->next = NULL;
        d->is_busy = 1;
        int count = d->count++;
        pthread_mutex_unlock(&d->lock);
        finish(t, count);
        pthread_mutex_lock(&d->lock);
        d->is_busy = 0;
        pthread_cond_broadcast(&d->changed);
    }
    pthread_mutex_unlock(&d->lock);
    return NULL;
}
p_device *p_open(void) {
    p_device *d = calloc(1, sizeof *d);
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->changed, NULL);
    pthread_create(&d->thread, NULL, run, d);
    return d;
}
void p_close(p_device *d) {
    pthread_mutex_lock(&d->lock);
    d->is_closed = 1;
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->lock);
    pthread_join(d->thread, NULL);
    free(d);
}
p_transfer *p_new(p_device *d) {
    p_transfer *t = calloc(1, sizeof *t);
    t->device = d;
    return t;
}
void p_free(p_transfer *t) { free(t); }
int p_submit(p_transfer *t, int is_read, unsigned char *buffer, int length, p_done done, void *user) {
    p_device *d = t->device;
    *t = (p_transfer){d, is_read, length, buffer, done, user};
    pthread_mutex_lock(&d->lock);
    d->next = t;
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->lock);
    return 0;
}
int p_wait(p_device *d) {
    pthread_mutex_lock(&d->lock);
    while (d->next || d->is_busy)
        pthread_cond_wait(&d->changed, &d->lock);
    pthread_mutex_unlock(&d->lock);
    return 0;
}
