#include <stdio.h>
#include "p.h"

int main(void) {
    int **rows = p_rows();
    p_table *table = p_open();
    printf("%d %d %d\n", p_sum(rows), table->rows == rows, p_total(table));
    rows[1][0] = 44;
    printf("%d\n", p_sum(rows));
    table->rows[0][2] = -3;
    printf("%d\n", p_total(table));
    int *first = rows[0];
    rows[0] = rows[1];
    rows[1] = first;
    printf("%d\n", p_sum(rows));
    return 0;
}
