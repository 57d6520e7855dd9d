#include "p.h"

int p_get(int *kind, void *data, int n) {
    char *to = data;
    *kind = 1;
    for (int i = 0; i < n; i++)
        to[i] = 'x';
    return n;
}
