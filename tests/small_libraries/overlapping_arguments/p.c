#include "p.h"
int p_copy(int *to, const int *from, int count) {
    for (int i = 0; i < count; i++)
        to[i] = from[i];
    return (int)(to - from);
}
int p_add(int *sums, const int *numbers, int count) {
    for (int i = 0; i < count; i++)
        sums[i] += numbers[i];
    return (int)(sums - numbers);
}
int p_sum(const int *first, const int *second, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += first[i] * second[i];
    return sum;
}
