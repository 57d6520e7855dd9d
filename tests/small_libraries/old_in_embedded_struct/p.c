#include "p.h"

int p_run(p_out *o) {
    int wide = o->in.wide, k = o->k;
    for (int i = 0; i < wide; i++)
        o->in.cells[i] = 10 + i;
    for (int i = 0; i < k; i++)
        o->more[i] = 20 + i;
    o->in.wide = 0;
    o->k = 0;
    return wide * 100 + k;
}
