/* Kills a worker or a guest at random moments and checks that nothing is left: `kills ROUNDS SEED`. A round is a process with two
 * threads that make calls until one fails. Each call succeeds or returns its declared failure result; each process ends. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "places.h"

enum { FAILED = -99, LARGEST = 300000 };

/* Memory that the round and the killing process share. */
static struct shared {
    _Atomic int worker;
    _Atomic unsigned calls;
} *shared;

static uint64_t state;

static unsigned below(unsigned limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % limit;
}

static int tells(int value, void *user)
{
    return value == 0 ? *(int *)user : places_call(tells, user, value - 1);
}

static int compares(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Returns false after a call failed. */
static int calls(unsigned n, unsigned char *from, unsigned char *to)
{
    int ten = 10, numbers[] = {3, 1, 2};
    size_t size = 1 + (size_t)n * 7919 % LARGEST;
    int said = places_copy(from, to, size);
    if (said == FAILED)
        return 0;
    assert(said == (int)size && memcmp(from, to, size) == 0);
    said = places_call(tells, &ten, 3);
    /* A callback in the call may have failed first. */
    if (said != 14)
        return assert(places_process() == FAILED), 0;
    said = places_sort(numbers, 3, compares);
    if (said == FAILED || places_process() == FAILED)
        return 0;
    assert(said == 0 && numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 3);
    places_box box = places_open((int)n);
    if (box == NULL)
        return 0;
    const places_info *info = places_look(box);
    if (info == NULL)
        return 0;
    assert(info->size == (int)n && info->uses == 1);
    said = places_close(box);
    assert(said == 0 || said == FAILED);
    return said == 0;
}

static void *works(void *unused)
{
    unsigned char *from = malloc(LARGEST), *to = malloc(LARGEST);
    assert(from && to);
    memset(from, 42, LARGEST);
    for (unsigned n = 0; calls(n, from, to); n++)
        atomic_fetch_add(&shared->calls, 1);
    free(from);
    free(to);
    return unused;
}

static void round_of_calls(void)
{
    pthread_t other;
    int worker = places_process();
    assert(worker > 0);
    assert(pthread_create(&other, NULL, works, NULL) == 0);
    atomic_store(&shared->worker, worker);
    works(NULL);
    pthread_join(other, NULL);
    assert(places_process() == FAILED);
    _exit(0);
}

int main(int count, char **arguments)
{
    assert(count == 3);
    int rounds = atoi(arguments[1]);
    state = strtoull(arguments[2], NULL, 10) | 1;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(shared != MAP_FAILED);
    /* Orphans become children of this process. */
    assert(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
    for (int round = 0; round < rounds; round++) {
        /* A hang ends the whole test. */
        alarm(120);
        atomic_store(&shared->worker, 0);
        atomic_store(&shared->calls, 0);
        pid_t guest = fork();
        assert(guest >= 0);
        if (guest == 0)
            round_of_calls();
        int worker, status, kills_guest = round % 2;
        while ((worker = atomic_load(&shared->worker)) == 0)
            assert(waitpid(guest, &status, WNOHANG) == 0);
        unsigned until = below(30);
        while (atomic_load(&shared->calls) < until)
            assert(waitpid(guest, &status, WNOHANG) == 0);
        for (volatile unsigned wait = below(100000); wait > 0; wait--)
            ;
        assert(kill(kills_guest ? guest : worker, SIGKILL) == 0);
        assert(waitpid(guest, &status, 0) == guest);
        if (kills_guest ? !WIFSIGNALED(status) : !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            fprintf(stderr, "round %d: the guest ended with %#x\n", round, status);
            return 1;
        }
        /* The worker, for which no other process waits. */
        while (waitpid(-1, &status, __WALL) > 0)
            ;
        assert(errno == ECHILD);
        assert(kill(worker, 0) == -1 && errno == ESRCH);
    }
    printf("%d rounds\n", rounds);
    return 0;
}
