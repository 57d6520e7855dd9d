#include "p.h"
#include <pthread.h>
#include <stddef.h>

static p_step step;
static void *user;

int p_watch(p_step to, void *of) {
    step = to;
    user = of;
    return 0;
}
static void *thread(void *n) {
    *(int *)n = step(*(int *)n, user);
    return NULL;
}
static int ask(int n) {
    pthread_t id;
    pthread_create(&id, NULL, thread, &n);
    pthread_join(id, NULL);
    return n;
}
int p_run(p_pair *pair) {
    int result = ask(1);
    pair->before += 1;
    return result;
}
int p_sum(int *all, int n) {
    int result = ask(2);
    all[n - 1] += result;
    return result;
}
