#include <stdlib.h>
#include "p.h"

static p_row *kept;
static int cells[4] = {1, 2, 3, 4};
static p_lent lent = {4, cells};

void p_keep(p_row *row) { kept = row; }

int p_sum(p_row *row) {
    int sum = *row->first;
    for (int i = 0; i < row->n; i++)
        sum += row->cells[i];
    return sum;
}
int p_sum_of_kept(void) { return p_sum(kept); }

p_lent *p_lent_row(void) { return &lent; }

int p_grow(p_seen seen, int n) {
    lent.cells = malloc((size_t)n * sizeof *lent.cells);
    for (int i = 0; i < n; i++)
        lent.cells[i] = 9;
    lent.n = n;
    int result = seen(&lent);
    return result + lent.cells[0];
}
