typedef struct p_job p_job;
struct p_job {
    int status;
    p_job *next;
    int mark;
};

int p_submit(p_job *job);
int p_wait(void);
int p_sum(p_job *job);
