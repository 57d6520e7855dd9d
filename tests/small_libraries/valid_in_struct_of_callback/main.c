#include <stdio.h>
#include "p.h"

static int fill(int z, p_out *o) {
    o->k = 2;
    o->in->data[0] = 3;
    o->in->data[1] = 4;
    return z - 2;
}

int main(void) {
    printf("%d\n", p_run(fill));
    return 0;
}
