typedef struct p_pool p_pool;
typedef struct {
    int input, result;
} p_job;
typedef int (*p_done)(p_job *job, void *user);

p_pool *p_open(p_done done, void *user);
int p_submit(p_pool *pool, p_job *job);
int p_release(p_job *job);
int p_close(p_pool *pool);
