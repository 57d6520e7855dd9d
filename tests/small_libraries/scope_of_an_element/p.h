#include <stddef.h>
typedef struct {
    int n;
} p_s;
int p_begin(p_s *s);
int p_watch(p_s *s, const int *data, size_t n);
int p_sum(p_s *s);
int p_end(p_s *s);
double p_keep(const double *values, size_t n);
