#include "p.h"

static int *kept;

int p_keep(int *memory, int n)
{
    kept = memory;
    memory[n - 1] += 100;
    return 0;
}

int p_keep_and_add(int *memory, int n, int *to)
{
    ++*to;
    return p_keep(memory, n);
}

int p_add_later(int *to)
{
    *to += 10;
    return 0;
}

int p_end_later(int *memory)
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
