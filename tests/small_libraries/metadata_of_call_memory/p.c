#include <stdlib.h>
#include "p.h"

int p_note(const p_s *s, size_t n) { return s->n + (int)n; }
p_s *p_made(size_t n) {
    p_s *s = malloc(sizeof *s);
    s->n = (int)n;
    return s;
}
int p_sum(const p_s *s, const unsigned char *bytes) {
    int sum = 0;
    for (int n = 0; bytes && n < s->n; n++)
        sum += bytes[n];
    return sum;
}
