#include <stddef.h>
void p_fill(int *v, size_t n, int start);
void p_put(int *v, size_t n, size_t at, int value);
void p_add(int *v, size_t n, int more);
void p_copy(int *to, const int *from, size_t n);
int p_sum(const int *v, size_t n);
void p_scale(int *v, size_t n, int by);

typedef struct {
    int *values;
    size_t count;
} p_job;
void p_run(const p_job *job, int more);
int p_first(const p_job *jobs, size_t n);

typedef struct p_queue p_queue;
p_queue *p_open(void);
void p_push(p_queue *q, int *v, size_t n);
void p_pull(p_queue *q, const int *v, size_t n);
int p_close(p_queue *q);

void p_wait(void);
