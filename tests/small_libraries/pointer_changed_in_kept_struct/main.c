#include <stdio.h>
#include <stdlib.h>
#include "p.h"

static int seen(p_lent *lent) {
    lent->cells[0] = 20;
    return lent->cells[lent->n - 1];
}

int main(void) {
    static p_row row;
    int few[4] = {1, 2, 3, 4}, n = 1000000, *many = calloc((size_t)n, sizeof *many);
    row = (p_row){4, few, few + 1};
    p_keep(&row);
    printf("%d\n", p_sum_of_kept());
    many[0] = 50;
    many[n - 1] = 7;
    row = (p_row){n, many, many + n - 1};
    printf("%d", p_sum(&row));
    printf(" %d\n", p_sum_of_kept());
    row = (p_row){2, many + 1, many + 2};
    many[2] = 1000;
    printf("%d", p_sum(&row));
    printf(" %d\n", p_sum_of_kept());

    p_lent *lent = p_lent_row();
    printf("%d\n", lent->cells[3]);
    printf("%d", p_grow(seen, 100000));
    printf(" %d %d\n", lent->cells[0], lent->cells[lent->n - 1]);
    return 0;
}
