#include "p.h"

static int cells[4] = {1, 2, 3, 4};
static p_s own = {4, cells};

p_s *p_get(void) { return &own; }

int p_bump(p_s *s) {
    for (int i = 0; i < s->n; i++)
        s->cells[i] += 10;
    return s == &own;
}

int p_peek(void) { return cells[0] * 1000 + cells[1]; }
