#include <stdio.h>
#include "p.h"

enum { TICKS = 20000, CALLS = 300 };

int main(void) {
    for (int round = 0; round < 20; round++) {
        p_clock clock = {0, "name", 0};
        p_worker *w = p_start(&clock, TICKS);
        int *lent = p_borrow(w);
        int wrong = 0;
        for (int i = 0; i < CALLS; i++) {
            clock.limit = i;
            clock.name[0] = (char)i;
            wrong += p_look(w) != i;
            p_read(lent);
        }
        int ticks = p_join(w);
        lent = p_borrow(w);
        printf("%d %d %d %d %d %d\n", wrong, ticks, clock.ticks, clock.limit, clock.name[0], *lent);
        p_free(w);
    }
    return 0;
}
