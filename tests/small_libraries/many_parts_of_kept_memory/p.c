#include "p.h"

static int *kept, kept_count, lent[300];

void p_keep(int *numbers, int count) {
    kept = numbers;
    kept_count = count;
}
int p_raise(int *number) { return ++*number; }
int p_look(const int *number) { return *number; }
int *p_numbers(void) { return lent; }
int p_raise_all(void) {
    int sum = 0;
    for (int i = 0; i < 300; i++) {
        sum += lent[i] += 100;
    }
    for (int i = 0; i < kept_count; i++) {
        sum += 3 * kept[i];
    }
    return sum;
}
