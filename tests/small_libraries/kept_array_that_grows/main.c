#include <stdio.h>
#include "p.h"

int main(void) {
    static int numbers[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    p_keep(0, numbers, 4);
    p_keep(1, numbers, 8);
    printf("%d %d\n", p_sum(0), p_sum(1));
    numbers[0] = 100;
    p_keep(1, numbers, 8);
    printf("%d %d\n", p_sum(0), p_sum(1));
    return 0;
}
