#include "p.h"

static const int *watched;
static size_t count;

int p_begin(p_s *s) { return ++s[1].n; }
int p_watch(p_s *s, const int *data, size_t n) {
    watched = data;
    count = n;
    return ++s->n;
}
int p_sum(p_s *s) {
    int sum = s->n;
    for (size_t i = 0; i < count; i++)
        sum += watched[i];
    return sum;
}
int p_end(p_s *s) {
    watched = NULL;
    count = 0;
    return s[1].n;
}
double p_keep(const double *values, size_t n) { return values[0] + values[n - 1]; }
