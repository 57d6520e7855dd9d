#include "p.h"

int p_run(p_s *a, p_s *b) {
    for (int i = 0; i < 4; i++)
        a->p[i] = 7;
    int n = a->n;
    a->n = 0;
    return n * 10 + (a == b);
}
