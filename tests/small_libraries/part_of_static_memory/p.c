#include "p.h"

void p_keep(int *numbers, int count) { numbers[count - 1] = 9; }

int p_sum(const int *numbers, int count) {
    int sum = 0;
    while (count--)
        sum += *numbers++;
    return sum;
}

int p_set(int *numbers, int count) {
    for (int at = 0; at < count; at++)
        numbers[at] = 100;
    return 0;
}
