#include "p.h"
#include <stdlib.h>

struct p_h {
    int x;
};

static char data[200000] = {7};
static p_in in = {data};
static p_out out[2];

p_h *p_open(void) { return calloc(1, sizeof(p_h)); }

void p_close(p_h *h) { free(h); }

p_out *p_get(p_h *a, p_h *b) {
    out[0] = (p_out){a, &in};
    out[1] = (p_out){b, &in};
    return out;
}
