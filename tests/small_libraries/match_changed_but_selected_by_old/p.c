#include "p.h"

int p_change(p_s *s) {
    int n = s->n;
    for (int i = 0; i < n; i++) {
        if (s->kind)
            ((long *)s->data)[i] += 1;
        else
            ((char *)s->data)[i] += 1;
    }
    s->kind = !s->kind;
    s->n = 0;
    return n;
}
