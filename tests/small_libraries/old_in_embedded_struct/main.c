#include <stdio.h>
#include "p.h"

int main(void) {
    int cells[4] = {0}, more[8] = {0};
    p_out o = {{2, cells}, 4, more};
    printf("%d %d %d\n", p_run(&o), o.in.wide, o.k);
    for (int i = 0; i < 4; i++)
        printf("%d ", cells[i]);
    for (int i = 0; i < 8; i++)
        printf("%d ", more[i]);
    printf("\n");
    return 0;
}
