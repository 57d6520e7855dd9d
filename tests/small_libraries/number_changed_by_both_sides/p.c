#include "p.h"

static int counter = 1;
static p_item items[200];

int *p_counter(void) { return &counter; }
p_item *p_items(void) { return items; }

void p_add(int by) {
    counter += by;
    items[150].few += by;
    items[150].many += by;
    items[150].rate += by;
}

int p_sum(const p_item *of) {
    double sum = 0;
    for (int at = 0; at < 200; at++)
        sum += of[at].kind + of[at].few * 2.0 + of[at].many * 3.0 + of[at].rate * 5;
    return (int)sum;
}
