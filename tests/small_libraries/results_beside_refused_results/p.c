#include "p.h"

static int calls;

void p_fill(int *to, int value) {
    calls++;
    for (int n = 0; n < 4; n++)
        to[n] = value;
}
void p_fill_too_many(int *count, int *to) {
    *count = 5;
    p_fill(to, 7);
}
int p_calls(void) { return calls; }
