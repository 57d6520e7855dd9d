#include "p.h"
#include <pthread.h>
#include <stdlib.h>

struct p_pool {
    p_done done;
    void *user;
    p_job *job;
    int result;
};

p_pool *p_open(p_done done, void *user) {
    p_pool *pool = calloc(1, sizeof *pool);
    *pool = (p_pool){done, user, NULL, 0};
    return pool;
}
static void *run(void *of) {
    p_pool *pool = of;
    pool->job->result = 2 * pool->job->input;
    pool->result = pool->done(pool->job, pool->user);
    return NULL;
}
int p_submit(p_pool *pool, p_job *job) {
    pthread_t thread;
    pool->job = job;
    pthread_create(&thread, NULL, run, pool);
    pthread_join(thread, NULL);
    return pool->result;
}
int p_release(p_job *job) { return job != NULL; }
int p_close(p_pool *pool) {
    free(pool);
    return 0;
}
