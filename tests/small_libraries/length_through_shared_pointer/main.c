#include <stdio.h>
#include "p.h"

int main(void) {
    char data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    p_in in = {data};
    p_out up[2] = {{1, &in}, {8, &in}}, down[2] = {{8, &in}, {1, &in}};
    printf("%d %d\n", p_sum(up, 2), p_sum(down, 2));
    return 0;
}
