#include <stdio.h>
#include "p.h"

/* Accepts what the program wrote, what the library wrote, and the sum that one process computes. */
static const char *check(double found, double program, double library) {
    return found == program || found == library || found == program + 1 ? "as written" : "mixed";
}

int main(void) {
    for (int round = 0; round < 3; round++) {
        int *counter = p_counter(), before = *counter;
        p_item *items = p_items(), old = items[150];
        *counter = 1000 + 255 * round;
        items[150].few = (short)(old.few + 254), items[150].many = 65535, items[150].rate = 1.5;
        items[149].many = round;
        p_add(1);
        counter = p_counter();
        items = p_items();
        printf("%s\n", check(*counter, 1000 + 255 * round, before + 1));
        printf("%s ", check(items[150].few, old.few + 254, old.few + 1));
        printf("%s ", check(items[150].many, 65535, old.many + 1));
        printf("%s %d\n", check(items[150].rate, 1.5, old.rate + 1), items[149].many);
        items[150].few = 511, items[150].many = 3 << 16, items[150].rate = 0.25;
        p_add(256);
        int sum = p_sum(items);
        items = p_items();
        double same = 2.0 * items[150].few + 3.0 * items[150].many + 5.0 * items[150].rate + 3.0 * round;
        printf("%s %s\n", check(items[150].few, 511, 511 + 256), sum == (int)same ? "same sum" : "another sum");
    }
    return 0;
}
