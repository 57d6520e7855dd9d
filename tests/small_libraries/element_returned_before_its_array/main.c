#include <stdio.h>
#include "p.h"

int main(void) {
    printf("first %d\n", p_at(1)->x);
    p_e *all = p_all();
    printf("%d, same: %d\n", all[1].x, p_at(1) == all + 1);
    p_at(1)->x = 7;
    printf("%d, sum %d\n", all[1].x, p_sum(all, 5));
    all[1].x = 8;
    printf("sum %d, of one %d\n", p_sum(all, 5), p_sum(p_at(1), 1));
    p_set(p_at(1), 3);
    printf("%d, sum %d\n", p_all()[1].x, p_sum(all, 5));
    p_set(all + 1, 4);
    printf("%d\n", p_at(1)->x);
    p_inc();
    printf("%d %d\n", p_at(1)->x, p_all()[1].x);
    return 0;
}
