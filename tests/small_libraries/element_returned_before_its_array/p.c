#include "p.h"

static p_e es[5] = {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}};

p_e *p_all(void) { return es; }
p_e *p_at(int i) { return es + i; }

int p_sum(const p_e *e, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 10 + e[i].x;
    return sum;
}

void p_set(p_e *e, int x) { e->x = x; }

void p_inc(void) {
    for (int i = 0; i < 5; i++)
        es[i].x++;
}
