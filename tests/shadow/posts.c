#include "posts.h"

void posts_fill(int *to, int n)
{
    for (int i = 0; i < n; i++) to[i] = i + 1;
}

void posts_add(int *to, int n)
{
    for (int i = 0; i < n; i++) to[i] += 1;
}

int posts_wait(void)
{
    return 0;
}
