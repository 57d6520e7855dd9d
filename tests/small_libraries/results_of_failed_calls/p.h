#include <stddef.h>
typedef struct {
    int quotient;
    int rest;
} p_quotient;
p_quotient p_divide(int a, int b, int *error);
void *p_map(int id, size_t n);
const char *p_open(const char *name);
