#include <stdio.h>
#include "p.h"

int main(void) {
    int *values = p_borrow();
    for (int step = 40; step > 1; step /= 6) {
        for (int i = 0; i < P_VALUES; i++)
            values[i] = 1;
        printf("%d\n", p_sum(values, P_VALUES));
        for (int i = 0; i < P_VALUES; i += step) {
            values[i] = 2;
            p_sum(&values[i], 1);
        }
        p_reset();
        printf("%d", p_sum_changed(values, P_VALUES));
        printf(" %d", p_sum(values, P_VALUES));
        printf(" %d\n", p_sum_changed(values, P_VALUES));
    }
    return 0;
}
