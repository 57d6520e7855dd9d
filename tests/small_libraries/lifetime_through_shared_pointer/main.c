#include <stdio.h>
#include "p.h"

int main(void) {
    static char data[200000] = {9};
    p_h *a = p_open(), *b = p_open();
    p_in in = {data};
    p_out o[2] = {{1, &in, a}, {2, &in, b}};
    printf("%d\n", p_set(o, 2));
    printf("%d %d\n", p_get(a), p_get(b));
    p_close(a);
    printf("%d\n", p_get(b));
    p_close(b);
    return 0;
}
