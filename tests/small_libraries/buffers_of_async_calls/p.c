#include <stdlib.h>
#include "p.h"

static int total;

void p_fill(int *v, size_t n, int start) {
    for (size_t i = 0; i < n; i++)
        v[i] = start + (int)i;
}
void p_put(int *v, size_t n, size_t at, int value) {
    if (at < n)
        v[at] = value;
}
void p_add(int *v, size_t n, int more) {
    for (size_t i = 0; i < n; i++)
        v[i] += more;
}
void p_copy(int *to, const int *from, size_t n) {
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
}
int p_sum(const int *v, size_t n) {
    int sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i];
    return total + sum;
}
void p_scale(int *v, size_t n, int by) {
    for (size_t i = 0; i < n; i++)
        v[i] *= by;
}
void p_run(const p_job *job, int more) { p_fill(job->values, job->count, job->values[0] + more); }
int p_first(const p_job *jobs, size_t n) {
    int sum = 0;
    for (size_t i = 0; i < n; i++)
        sum = sum * 10 + jobs[i].values[0];
    return sum;
}

struct p_queue {
    int sum;
};
p_queue *p_open(void) { return calloc(1, sizeof(p_queue)); }
void p_push(p_queue *q, int *v, size_t n) { p_fill(v, n, ++q->sum); }
void p_pull(p_queue *q, const int *v, size_t n) { q->sum += p_sum(v, n); }
int p_close(p_queue *q) {
    int sum = q->sum;
    free(q);
    return sum;
}

void p_wait(void) { total++; }
