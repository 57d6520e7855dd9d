#include <pthread.h>
#include <stdlib.h>
#include "p.h"

struct p_counters {
    int *number;
    p_row *row;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int lent;

p_counters *p_open(int *number, p_row *row) {
    p_counters *c = malloc(sizeof *c);
    *c = (p_counters){number, row};
    return c;
}
static int count(int *number) {
    pthread_mutex_lock(&lock);
    int result = ++*number;
    pthread_mutex_unlock(&lock);
    return result;
}
int p_count(p_counters *c) { return count(&c->row->locked) + count(c->number); }
int p_count_only(p_counters *c) { return count(c->number); }
int *p_borrow(void) { return &lent; }
int p_count_borrowed(int *number) { return count(number); }
void p_close(p_counters *c) { free(c); }
