#include <stdlib.h>
#include "p.h"

struct p_object {
    int *values, n;
};

p_object *p_keep(int *values, int n) {
    p_object *o = malloc(sizeof *o);
    *o = (p_object){values, n};
    return o;
}
int p_fill(p_object *o, p_event event, void *user) {
    event(1, user);
    for (int i = 0; i < o->n / 2; i++)
        o->values[i] = 100 + i;
    return o->n / 2;
}
int p_double(p_object *o, p_event event, void *user) {
    o->values[0] *= 2;
    event(2, user);
    return o->values[0];
}
void p_free(p_object *o) { free(o); }
