#include <stdio.h>
#include "p.h"

/* Returns how many numbers are not what the program has made of them. */
static int change(int *numbers, int round) {
    int wrong = 0;
    for (int i = 0; i < 300; i++) {
        numbers[i] = 1000 * round + i;
        wrong += p_raise(&numbers[i]) != 1000 * round + i + 1;
        wrong += numbers[i] != 1000 * round + i + 1;
    }
    return wrong;
}
int main(void) {
    static int own[300];
    p_keep(own, 300);
    int *lent = p_numbers();
    for (int round = 0; round < 3; round++) {
        printf("%d %d\n", change(own, round), change(lent, round));
        printf("%d\n", p_raise_all());
        int wrong = 0;
        for (int i = 299; i >= 0; i--) {
            wrong += p_raise(&lent[i]) != 1000 * round + i + 102;
            own[i] += 10;
            wrong += p_look(&own[i]) != 1000 * round + i + 11;
        }
        printf("%d %d %d\n", wrong, own[0], lent[0]);
    }
    return 0;
}
