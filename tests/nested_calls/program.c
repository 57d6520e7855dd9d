#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "nests.h"

enum nested { NUMBER, PLAIN, BUFFER, HANDLE, ASYNC, NONE, DEEPER, NOTHING, NESTED };
enum outer { OUTER_NUMBER, OUTER_BUFFER, OUTER_HANDLE, OUTER_NONE, OUTERS };
static const char *const nested_names[] = { "number", "plain", "buffer", "handle", "async", "none", "deeper", "nothing" };

/* What a callback is called with, and what it did. */
struct scene {
    enum nested nested;
    pthread_mutex_t lock; pthread_cond_t changed;
    int seen, wrong, inside, overlaps; long order;
};

static int innermost(int value, void *user) { return nests_number(value) + *(int *)user; }

static int nested_call(enum nested nested, int value)
{
    int from[300], to[300], one = 1;
    switch (nested) {
    case NUMBER: return nests_number(value) - 3 * value;
    case PLAIN: return nests_plain(value) - 5 * value;
    case BUFFER:
        for (int i = 0; i < 300; i++) { from[i] = value * i; to[i] = -1; }
        if (nests_buffer(from, to, 300) != 300) return 1;
        for (int i = 0; i < 300; i++) if (to[i] != value * i + 1) return 2;
        return 0;
    case HANDLE: {
        nests_object made = nests_make(value + 7);
        if (!made) return 1;
        int found = nests_value(made);
        nests_free(made);
        return found - value - 7;
    }
    case ASYNC: nests_add(1); return 0;
    case NONE: nests_none(1); return 0;
    case DEEPER: return nests_hook_number(innermost, &one, 2, NESTS_HERE) - 1002 - 5;
    default: return 0;
    }
}

static int called(int value, void *user)
{
    struct scene *scene = user;
    pthread_mutex_lock(&scene->lock);
    scene->overlaps += scene->inside++ != 0;
    scene->order = scene->order * 7 + value + 1;
    pthread_mutex_unlock(&scene->lock);
    int wrong = nested_call(scene->nested, value) != 0;
    pthread_mutex_lock(&scene->lock);
    scene->wrong += wrong; scene->inside--; scene->seen++;
    pthread_cond_broadcast(&scene->changed);
    pthread_mutex_unlock(&scene->lock);
    return value + 1;
}
static void noticed(int value, void *user) { called(value, user); }

static void begin(struct scene *scene, enum nested nested)
{
    memset(scene, 0, sizeof *scene);
    scene->nested = nested;
    pthread_mutex_init(&scene->lock, 0); pthread_cond_init(&scene->changed, 0);
}
static void wait_for(struct scene *scene, int n)
{
    pthread_mutex_lock(&scene->lock);
    while (scene->seen < n) pthread_cond_wait(&scene->changed, &scene->lock);
    pthread_mutex_unlock(&scene->lock);
}

/* The result of the outer call as one number. */
#define OUTER(kind, f)                                                                                                           \
    static long outer_##kind(enum outer outer, struct scene *scene, int n, int where)                                            \
    {                                                                                                                            \
        int to[8]; long all = 0; nests_object made;                                                                              \
        switch (outer) {                                                                                                         \
        case OUTER_NUMBER: return nests_##kind##_number(f, scene, n, where);                                                     \
        case OUTER_BUFFER:                                                                                                       \
            all = nests_##kind##_buffer(f, scene, n, where, to);                                                                 \
            for (int i = 0; i < n; i++) all = all * 31 + to[i];                                                                  \
            return all;                                                                                                          \
        case OUTER_HANDLE:                                                                                                       \
            made = nests_##kind##_handle(f, scene, n, where);                                                                    \
            all = made ? nests_value(made) : -1;                                                                                 \
            if (made) nests_free(made);                                                                                          \
            return all;                                                                                                          \
        default: nests_##kind##_none(f, scene, n, where); return 5;                                                              \
        }                                                                                                                        \
    }
OUTER(hook, called)
OUTER(event, noticed)
OUTER(single, called)

static void grid(FILE *out, enum nested nested)
{
    struct scene scene;
    for (int where = NESTS_HERE; where <= NESTS_THREAD; where++) {
        for (enum outer outer = 0; outer < OUTERS; outer++) {
            for (int kind = 0; kind < 3; kind++) {
                int n = kind == 2 ? 1 : 4;
                begin(&scene, nested);
                long result = kind == 0 ? outer_hook(outer, &scene, n, where)
                            : kind == 1 ? outer_event(outer, &scene, n, where) : outer_single(outer, &scene, n, where);
                /* A library's thread that does not wait for a callback may be ahead of it. */
                wait_for(&scene, n);
                fprintf(out, "%s %d %d %d: %ld, seen %d wrong %d overlaps %d order %ld\n", nested_names[nested], where, outer, kind,
                        result, scene.seen, scene.wrong, scene.overlaps, scene.order);
            }
        }
        begin(&scene, nested);
        nests_later(called, &scene, 3, where);
        wait_for(&scene, 3);
        fprintf(out, "%s %d later: wrong %d order %ld\n", nested_names[nested], where, scene.wrong, scene.order);
        nests_object object = nests_make(1);
        for (int kind = 0; kind < 3; kind++) {
            begin(&scene, nested);
            nests_watch(object, kind != 1 ? called : 0, kind != 0 ? noticed : 0, &scene);
            int result = nests_fire(object, 2, where), n = kind == 2 ? 4 : 2;
            wait_for(&scene, n);
            fprintf(out, "%s %d late %d: %d, seen %d wrong %d\n", nested_names[nested], where, kind, result, scene.seen, scene.wrong);
        }
        nests_free(object);
    }
    /* Functions for one call each that come after their call, and twice with the same data. */
    struct scene other;
    begin(&scene, nested); begin(&other, nested);
    int awaited = nests_await(called, &scene); awaited = nests_await(called, &other); awaited = nests_await(called, &scene);
    int arrived = nests_arrive(6);
    fprintf(out, "%s awaited %d arrived %d seen %d %d wrong %d %d\n", nested_names[nested], awaited, arrived, scene.seen, other.seen,
            scene.wrong, other.wrong);
}

struct part { char *text; size_t size; };
static void *in_thread(void *arg)
{
    struct part *part = arg;
    FILE *out = open_memstream(&part->text, &part->size);
    for (enum nested nested = 0; nested < NESTED; nested++) grid(out, nested);
    fclose(out);
    return 0;
}

/* The resident memory of a process in KiB; 0 if it has none. */
static long resident(const char *process)
{
    char name[64], line[256];
    long kib = 0;
    snprintf(name, sizeof name, "/proc/%s/status", process);
    FILE *from = fopen(name, "r");
    while (from && fgets(line, sizeof line, from)) sscanf(line, "VmRSS: %ld", &kib);
    if (from) fclose(from);
    return kib;
}

/* The resident memory of this process, and of the one that has the library. */
static void memory(long kib[2])
{
    char worker[32];
    snprintf(worker, sizeof worker, "%d", nests_process());
    kib[0] = resident("self"); kib[1] = resident(worker);
    assert(kib[0] > 0 && kib[1] > 0);
}

/* The calls of one thread, and then those of four threads, as often as the argument says. Memory does not grow after the first rounds. */
int main(int argc, char **argv)
{
    enum { THREADS = 4, WARM = 20, MOST_KIB = 4096 };
    int rounds = argc > 1 ? atoi(argv[1]) : 1, failed = 0;
    long before[2] = { 0 }, after[2] = { 0 };
    struct part first = { 0 };
    pthread_t threads[THREADS];
    in_thread(&first);
    fputs(first.text, stdout);
    printf("total %d\n", nests_total());
    for (int round = 0; round < rounds; round++) {
        struct part parts[THREADS] = { 0 };
        if (round == WARM) memory(before);
        for (int i = 0; i < THREADS; i++) assert(!pthread_create(&threads[i], 0, in_thread, &parts[i]));
        for (int i = 0; i < THREADS; i++) {
            pthread_join(threads[i], 0);
            if (strcmp(parts[i].text, first.text)) { printf("round %d, thread %d: %s\n", round, i, parts[i].text); failed = 1; }
            free(parts[i].text);
        }
    }
    memory(after);
    for (int i = 0; i < 2 && rounds > WARM; i++)
        if (after[i] > before[i] + MOST_KIB) { printf("memory %ld KiB, then %ld KiB\n", before[i], after[i]); failed = 1; }
    printf("threads %s\n", failed ? "differ" : "same");
    free(first.text);
    return failed;
}
