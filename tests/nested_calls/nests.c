#include <errno.h>
#include <pthread.h>
#include <unistd.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "nests.h"
struct nests_object_s { int value; nests_hook hook; nests_event event; void *user; };
/* Calls of one kind of callback, on this thread or on one of the library's own. */
struct job { nests_hook hook; nests_event event; void *user; int n, sum; };
static void *work(void *arg)
{
    struct job *job = arg;
    for (int i = 0; i < job->n; i++) {
        if (job->hook) job->sum += job->hook(i, job->user);
        if (job->event) job->event(i, job->user);
    }
    return 0;
}
static int run(nests_hook hook, nests_event event, void *user, int n, int where)
{
    struct job job = { hook, event, user, n, 0 };
    pthread_t thread;
    if (where == NESTS_HERE) work(&job);
    else if (!pthread_create(&thread, 0, work, &job)) pthread_join(thread, 0);
    return job.sum;
}
nests_object nests_make(int value) { nests_object made = calloc(1, sizeof *made); made->value = value; return made; }
#define FAMILY(kind, of)                                                                                                         \
    int nests_##kind##_number(nests_##kind f, void *user, int n, int where) { return 1000 + n + run(of, user, n, where); }       \
    int nests_##kind##_buffer(nests_##kind f, void *user, int n, int where, int *to)                                             \
    {                                                                                                                            \
        int sum = run(of, user, n, where);                                                                                       \
        for (int i = 0; i < n; i++) to[i] = sum + i;                                                                             \
        return 2000 + n;                                                                                                         \
    }                                                                                                                            \
    nests_object nests_##kind##_handle(nests_##kind f, void *user, int n, int where) { return nests_make(run(of, user, n, where)); } \
    void nests_##kind##_none(nests_##kind f, void *user, int n, int where) { run(of, user, n, where); }
#define HOOK f, 0
#define EVENT 0, f
FAMILY(hook, HOOK)
FAMILY(event, EVENT)
FAMILY(single, HOOK)
void nests_later(nests_hook hook, void *user, int n, int where) { run(hook, 0, user, n, where); }
int nests_watch(nests_object object, nests_hook hook, nests_event event, void *user)
{
    object->hook = hook; object->event = event; object->user = user;
    return 0;
}
int nests_fire(nests_object object, int n, int where) { return n + run(object->hook, object->event, object->user, n, where); }
static _Thread_local struct { nests_single single; void *user; } awaited[4]; static _Thread_local int count;
int nests_await(nests_single single, void *user)
{
    awaited[count].single = single; awaited[count].user = user;
    return ++count;
}
/* All that were awaited on this thread arrive, the last one first. */
int nests_arrive(int value)
{
    int sum = 0;
    while (count) { count--; sum = sum * 10 + awaited[count].single(value, awaited[count].user); }
    return sum;
}
static atomic_int total;
int nests_number(int value) { return value * 3; }
int nests_plain(int value) { return value * 5; }
int nests_buffer(const int *from, int *to, int n) { for (int i = 0; i < n; i++) to[i] = from[i] + 1; return n; }
int nests_value(nests_object object) { return object->value; }
void nests_free(nests_object object) { free(object); }
void nests_add(int value) { total += value; }
void nests_none(int value) { total += value; }
int nests_total(void) { return total; }
int nests_process(void) { return (int)getpid(); }
/* What a callback leaves in errno, as the library finds it. */
int nests_errno(nests_hook hook, void *user, int value) { errno = 0; hook(value, user); return errno; }
int nests_nulls(nests_hook hook, void *user) { return (hook != 0) * 2 + (user != 0); }
int nests_keep(int *data, int n) { int sum = 0; for (int i = 0; i < n; i++) sum += ++data[i]; return sum; }
void nests_drop(int *data) { (void)data; }
