#include "p.h"

int p_change(p_s *s) {
    char *data = s->data;
    s->kind = 1;
    for (int i = 0; i < s->n; i++)
        data[i] = 'x';
    return s->n;
}
