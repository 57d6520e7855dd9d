#include "p.h"
#include <stddef.h>

int p_submit(p_job *job) {
    job->status++;
    return 0;
}
int p_wait(void) { return 0; }
int p_sum(p_job *job) {
    int sum = 0;
    for (; job != NULL; job = job->next) sum = 10 * sum + job->status + job->mark;
    return sum;
}
