#include "p.h"

static int *kept, kept_count;

int p_keep(int *memory, int n)
{
    kept = memory;
    kept_count = n;
    return 0;
}

int p_keep_out(int *memory, int n)
{
    p_fill(memory, n, 0);
    return p_keep(memory, n) - 1;
}

int p_fill(int *memory, int n, int result)
{
    for (int i = 0; i < n; i++) memory[i] = 100 + i;
    return result;
}

int p_change(int *memory, int n, int result)
{
    for (int i = 0; i < n; i++) memory[i] *= 7;
    return result;
}

int p_fill_on(int *memory, int n, int is_sent) { return p_fill(memory, n, is_sent); }

int p_sum(const int *memory, int n)
{
    int sum = memory == kept;
    for (int i = 0; i < n; i++) sum = sum * 3 + memory[i];
    return sum;
}

int p_kept_sum(void) { return p_sum(kept, kept_count); }
void p_end(int *memory) { kept = memory == kept ? 0 : kept; }
