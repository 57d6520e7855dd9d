#include "p.h"
#include <stdlib.h>

struct p_h {
    int x;
};

static const char *data;

p_h *p_open(void) { return calloc(1, sizeof(p_h)); }

void p_close(p_h *h) { free(h); }

int p_set(int z, const p_out *o) {
    data = o->in.data;
    return data[0] + z;
}

int p_get(void) { return data[0]; }
