#include <pthread.h>
#include <stdlib.h>
#include "p.h"

struct p_counters {
    p_row *row;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static p_row borrowed;

p_counters *p_open(p_row *row) {
    p_counters *c = malloc(sizeof *c);
    c->row = row;
    return c;
}
int p_count(p_counters *c, int at) {
    pthread_mutex_lock(&lock);
    ++c->row->rest[at];
    int result = ++c->row->locked;
    pthread_mutex_unlock(&lock);
    return result;
}
p_row *p_borrow(void) { return &borrowed; }
int p_touch(p_row *row) {
    pthread_mutex_lock(&lock);
    int result = ++row->locked;
    pthread_mutex_unlock(&lock);
    return result;
}
int p_get(int at) { return borrowed.rest[at]; }
void p_close(p_counters *c) { free(c); }
