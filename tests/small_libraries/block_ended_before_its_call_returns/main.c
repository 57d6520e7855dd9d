#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "p.h"

static int is_freed;
static char *reused;

static int done(p_job *job, void *user) {
    int *sum = user, result = job->result;
    *sum += result;
    printf("done %d: %d\n", result, p_release(job));
    if (is_freed) {
        free(job);
        reused = malloc(sizeof *job);
        memset(reused, 'n', sizeof *job);
    }
    return result;
}

int main(void) {
    int sum = 0;
    p_pool *pool = p_open(done, &sum);
    p_job kept = {0, 0};
    for (int n = 0; n < 6; n++) {
        is_freed = n % 2;
        p_job *job = is_freed ? malloc(sizeof *job) : &kept;
        job->input = n;
        printf("submit %d\n", p_submit(pool, job));
        if (is_freed) printf("%.8s\n", reused);
        free(reused);
        reused = NULL;
    }
    printf("close %d, %d\n", p_close(pool), sum);
    return 0;
}
