#include <pthread.h>
#include <stdlib.h>
#include "p.h"

struct p_worker {
    p_clock *clock;
    int n;
    int lent;
    pthread_t thread;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *argument) {
    p_worker *w = argument;
    for (int i = 0; i < w->n; i++) {
        pthread_mutex_lock(&lock);
        ++w->clock->ticks;
        ++w->lent;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}
p_worker *p_start(p_clock *clock, int n) {
    p_worker *w = calloc(1, sizeof *w);
    w->clock = clock;
    w->n = n;
    pthread_create(&w->thread, NULL, run, w);
    return w;
}
static int locked(const int *number) {
    pthread_mutex_lock(&lock);
    int result = *number;
    pthread_mutex_unlock(&lock);
    return result;
}
int p_look(p_worker *w) { return locked(&w->clock->limit); }
int *p_borrow(p_worker *w) { return &w->lent; }
int p_read(int *lent) { return locked(lent); }
int p_join(p_worker *w) {
    pthread_join(w->thread, NULL);
    return w->clock->ticks;
}
int p_free(p_worker *w) {
    free(w);
    return 0;
}
