#include "p.h"

int p_later(int *data, int n)
{
    data[n - 1]++;
    return 0;
}

int p_fill(long *count, int *data, int *more, int n)
{
    if (count) count[0] = 4;
    for (int i = 0; i < 4; i++) data[i] = 50 + i;
    more[n - 1]++;
    return 4;
}
