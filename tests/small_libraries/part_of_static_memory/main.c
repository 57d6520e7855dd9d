#include "p.h"

int main(void) {
    static int numbers[8];
    p_keep(numbers, 4);
    if (p_sum(numbers, 4) != 9 || p_sum(numbers + 2, 2) != 9)
        return 1;
    if (p_sum(numbers + 2, 4) != -1 || p_set(numbers + 2, 4) != -1)
        return 2;
    return p_set(numbers + 4, 4) == 0 && p_sum(numbers + 4, 4) == 400 ? 0 : 3;
}
