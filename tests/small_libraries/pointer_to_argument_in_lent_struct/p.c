#include <stddef.h>
#include "p.h"

static int data[4] = {1, 2, 3, 4};
static p_lent lent = {4, data, NULL};

p_lent *p_lent_row(void) { return &lent; }

int p_apply(const int *buffer, int n, p_lent *row) { return row->data == buffer || row->at == buffer + n - 1; }

int p_sum(void) {
    int sum = lent.at ? *lent.at : 0;
    for (int i = 0; i < lent.n; i++)
        sum += lent.data[i];
    return sum;
}
