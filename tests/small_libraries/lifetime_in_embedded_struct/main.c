#include <stdio.h>
#include "p.h"

int main(void) {
    static char data[200000] = {9};
    p_h *h = p_open();
    p_out o = {{data}, h, 3};
    printf("%d\n", p_set(4, &o));
    printf("%d\n", p_get());
    p_close(h);
    return 0;
}
