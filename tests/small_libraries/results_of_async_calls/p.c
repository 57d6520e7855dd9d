#include <stdlib.h>
#include <string.h>
#include "p.h"

struct p_queue {
    int calls;
};

int p_fill(int *v, int value) {
    for (int i = 0; i < 4; i++)
        v[i] = value;
    return 0;
}
int p_sum(const int *v) { return v[0] + v[1] + v[2] + v[3]; }
int p_tick(void) { return 1; }
int p_size(int *n) {
    *n = 7;
    return 0;
}
int p_name(char *text) {
    strcpy(text, "name");
    return 0;
}
int p_use(const int *n, int more) { return *n + more; }
int p_total(const int *data, const int *n) {
    int sum = 0;
    for (int i = 0; i < *n; i++)
        sum += data[i];
    return sum;
}
int p_length(const char *text) { return (int)strlen(text); }
int p_nested(const p_outer *o) { return p_total(o->data, o->n); }
int p_thread_fill(int *v, int value) { return p_fill(v, value); }
int p_thread_sum(const int *v) { return p_sum(v); }
int p_thread_tick(void) { return 1; }
p_queue *p_open(void) { return calloc(1, sizeof(p_queue)); }
int p_queue_fill(p_queue *q, int *v, int value) {
    q->calls++;
    return p_fill(v, value);
}
int p_two(const int *a, const int *b) { return p_sum(a) * 100 + p_sum(b); }
int p_close(p_queue *q) {
    int calls = q->calls;
    free(q);
    return calls;
}
