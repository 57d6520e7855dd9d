#include <stdio.h>
#include "p.h"

int main(void) {
    p_h *a = p_open(), *b = p_open();
    p_out *o = p_get(a, b);
    printf("%d\n", o[1].in->data[0]);
    p_close(a);
    printf("%d\n", o[1].in->data[0]);
    p_close(b);
    return 0;
}
