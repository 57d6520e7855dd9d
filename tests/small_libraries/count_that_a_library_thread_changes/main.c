#include <stdio.h>
#include "p.h"

enum { STEPS = 20000, CALLS = 200 };

int main(void) {
    for (int round = 0; round < 20; round++) {
        int items[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        p_row row = {8, 0, items, 0};
        p_worker *w = p_start(&row, STEPS);
        int wrong = 0;
        for (int i = 0; i < CALLS; i++) {
            row.limit = i;
            wrong += p_look(w) != i;
        }
        int sum = p_join(w);
        printf("%d %d %d %d\n", wrong, sum, row.sum, row.count);
        p_free(w);
    }
    return 0;
}
