#include "p.h"

static int first[] = {1, 2, 3}, second[] = {4, 5, 6};
static int *rows[] = {first, second};
static p_table table = {rows};

int **p_rows(void) { return rows; }
p_table *p_open(void) { return &table; }
int p_sum(int **of) {
    int sum = of == rows;
    for (int i = 0; i < 6; i++) {
        sum = sum * 7 + rows[i / 3][i % 3];
    }
    return sum;
}
int p_total(p_table *of) { return p_sum(of->rows); }
