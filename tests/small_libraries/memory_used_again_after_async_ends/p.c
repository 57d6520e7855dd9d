#include "p.h"
#include <sched.h>

struct p_object {
    int *memory;
};

static p_object object;
static int *kept;

int p_keep(int *memory, int n)
{
    kept = memory;
    memory[n - 1] += 100;
    return 0;
}

int p_run(p_get get, void *user)
{
    kept = get(user);
    return kept ? kept[0] : -1;
}

p_object *p_open(void) { return &object; }

int p_set(p_object *of, int *memory, int n)
{
    of->memory = memory;
    return n;
}

int p_reset(p_object *of)
{
    of->memory = 0;
    return 0;
}

/* Runs long enough for a call of another thread to arrive. */
int p_slow(void)
{
    for (int n = 0; n < 20000; n++) sched_yield();
    return 0;
}

int p_end(int *memory)
{
    if (kept == memory) kept = 0;
    return 0;
}

/* Changes the memory that the library keeps. Returns whether it is `memory`. */
int p_bump(int *memory, int n)
{
    if (kept) kept[n - 1]++;
    return memory == kept;
}
