#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include "p.h"

static p_Event event;
static void *user;
static int sum;

void p_set(p_Event set, void *data) {
    event = set;
    user = data;
}
void p_fire(int n) {
    int result = event(user, n);
    sum += result;
}
void p_fire_named(int n, const char *name) { p_fire(n + 100 * (int)strlen(name)); }

static void *run(void *n) {
    p_fire((int)(intptr_t)n);
    return NULL;
}
void p_fire_from_thread(int n) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, (void *)(intptr_t)n);
    pthread_join(thread, NULL);
}
int p_sum(void) { return sum; }
