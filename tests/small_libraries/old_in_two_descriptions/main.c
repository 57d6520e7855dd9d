#include <stdio.h>
#include "p.h"

int main(void) {
    int cells[4] = {0};
    p_s s = {4, 1, cells};
    printf("%d\n", p_run(&s, &s));
    printf("%d: %d %d %d %d\n", s.n, cells[0], cells[1], cells[2], cells[3]);
    return 0;
}
