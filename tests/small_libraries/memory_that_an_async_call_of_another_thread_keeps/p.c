#include "p.h"
#include <sched.h>

static int *kept;

/* Runs long enough for a call of another thread to arrive. */
int p_slow(void)
{
    for (int n = 0; n < 20000; n++) sched_yield();
    return 0;
}

int p_keep(int *memory, int n)
{
    kept = memory;
    return n;
}

int p_keep_now(int *memory, int n) { return p_keep(memory, n); }

/* Returns the distance from the memory that the library keeps, or 100 without such memory. */
int p_change(int *memory, int n)
{
    memory[n - 1] += 10;
    return kept ? (int)(memory - kept) : 100;
}

/* Returns the distance from the memory that the library keeps. */
int p_read(int *memory, int n)
{
    kept[4]++;
    memory[n - 1]++;
    return (int)(memory - kept);
}

int p_end(int *memory)
{
    if (kept != memory) return -1;
    kept = 0;
    return 0;
}
