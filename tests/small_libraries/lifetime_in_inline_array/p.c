#include "p.h"
#include <stdlib.h>

struct p_h {
    int x;
};

static const char *data[2];

p_h *p_open(void) { return calloc(1, sizeof(p_h)); }

void p_close(p_h *h) { free(h); }

int p_set(int z, const p_out *o) {
    for (int i = 0; i < 2; i++)
        data[i] = o->ins[i].data;
    return data[0][0] + z;
}

int p_get(int i) { return data[i][0]; }
