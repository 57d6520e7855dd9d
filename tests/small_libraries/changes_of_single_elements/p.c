#include <string.h>
#include "p.h"

static int all[P_VALUES];

int *p_borrow(void) { return all; }
int p_sum(int *values, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i];
    return sum;
}
int p_reset(void) {
    memset(all, 0, sizeof all);
    return 0;
}
int p_sum_changed(int *values, int n) { return p_sum(values, n); }
