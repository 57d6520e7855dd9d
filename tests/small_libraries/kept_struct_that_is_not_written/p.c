#include <stdlib.h>
#include "p.h"

struct p_H { p_S *s; };

p_H *p_open(void) { return calloc(1, sizeof(p_H)); }

int p_close(p_H *h) {
    free(h);
    return 0;
}

int p_attach(p_H *h, p_S *s) {
    h->s = s;
    return s->n;
}

int p_bump(p_H *h, p_S *s) {
    (void)h;
    s->n = 5;
    s->note = "note";
    return 0;
}

int p_fill(p_H *h, p_S *s) {
    h->s = s;
    s->n = 5;
    s->note = "fill";
    return 0;
}

int p_flag(p_H *h) { return h->s->flag; }
