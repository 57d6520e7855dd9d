#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "left.h"

struct left_box {
    left_seen seen;
    void *user;
    const unsigned char *kept;
    int n;
    unsigned char memory[16];
};

left_box *left_open(left_seen seen, void *user) {
    left_box *box = calloc(1, sizeof *box);
    box->seen = seen;
    box->user = user;
    return box;
}
void left_close(left_box *box) { free(box); }

static int sum(const unsigned char *data, int n) {
    int sum = 0;
    while (n--)
        sum += *data++;
    return sum;
}
int left_sum(left_box *box, const unsigned char *data, int n, int calls) {
    int all = sum(data, n);
    if (calls)
        box->seen(all, box->user);
    return all;
}
int left_fill(left_box *box, unsigned char *data, int n, int value) {
    (void)box;
    memset(data, value, (size_t)n);
    return n;
}
int left_keep(left_box *box, const unsigned char *data, int n) {
    box->kept = data;
    box->n = n;
    return box->seen(n, box->user);
}
int left_kept(left_box *box) { return sum(box->kept, box->n); }
unsigned char *left_memory(left_box *box) { return box->memory; }
int left_change(left_box *box, unsigned char *memory) {
    memory[0] = 'B';
    return box->seen(0, box->user);
}
int left_first(left_box *box, const unsigned char *memory) { return memory == box->memory ? memory[0] : -1; }

static void *run(void *box) {
    ((left_box *)box)->seen(1, ((left_box *)box)->user);
    return NULL;
}
int left_thread(left_box *box) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, box))
        return -1;
    return pthread_join(thread, NULL);
}
