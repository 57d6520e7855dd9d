#include <stdio.h>
#include "p.h"

int main(void) {
    static char a[200000] = {9}, b[200000] = {8};
    p_h *h = p_open();
    p_out o = {{{a}, {b}}, h};
    printf("%d\n", p_set(4, &o));
    printf("%d %d\n", p_get(1), p_get(0));
    p_close(h);
    return 0;
}
