#include "p.h"

int p_add(int a, int b) { return a + b; }

int p_sum(const int *list, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) sum += list[i];
    return sum;
}
