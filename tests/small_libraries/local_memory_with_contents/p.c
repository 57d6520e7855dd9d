#include "p.h"
#include <string.h>

static int *kept, kept_count;

int p_keep(int *memory, int n)
{
    kept = memory;
    kept_count = n;
    return p_scratch(memory, n, 1000);
}

int p_scratch(int *memory, int n, int value)
{
    for (int i = 0; i < n; i++) memory[i] = value + i;
    return memory == kept;
}

int p_use_in(const int *memory, int n)
{
    int sum = memory == kept;
    for (int i = 0; i < n; i++) sum = sum * 10 + memory[i];
    return sum;
}

int p_use_inout(int *memory, int n)
{
    int sum = p_use_in(memory, n);
    memory[1] += 5;
    return sum;
}

int p_use_out(int *memory, int n)
{
    p_scratch(memory, n, 30);
    return memory == kept;
}

int p_show(p_seen seen, void *user)
{
    memset(kept, 0, (unsigned)kept_count * sizeof *kept);
    seen(kept, kept_count, user);
    return 0;
}

int p_until(char *text, int n)
{
    memset(text, 'x', (unsigned)n);
    return n && text[n - 1] == 'x';
}

int p_two(int *one, int *other, int n)
{
    for (int i = 0; i < n; i++) one[i] = other[i] = i;
    return (int)(other - one);
}

void p_end(int *memory) { kept = memory == kept ? 0 : kept; }
