#include <pthread.h>
#include <stdlib.h>
#include "p.h"

struct p_worker {
    p_row *row;
    int steps;
    pthread_t thread;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *argument) {
    p_worker *w = argument;
    for (int i = 0; i < w->steps; i++) {
        pthread_mutex_lock(&lock);
        w->row->count = i % 8 + 1;
        w->row->sum++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}
p_worker *p_start(p_row *row, int steps) {
    p_worker *w = calloc(1, sizeof *w);
    w->row = row;
    w->steps = steps;
    pthread_create(&w->thread, NULL, run, w);
    return w;
}
int p_look(p_worker *w) {
    pthread_mutex_lock(&lock);
    int limit = w->row->limit;
    pthread_mutex_unlock(&lock);
    return limit;
}
int p_join(p_worker *w) {
    pthread_join(w->thread, NULL);
    int sum = w->row->sum;
    for (int i = 0; i < w->row->count; i++) {
        sum += w->row->items[i];
    }
    return sum;
}
int p_free(p_worker *w) {
    free(w);
    return 0;
}
