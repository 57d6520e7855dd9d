#include "p.h"

static int calls;

void p_fill(int value, int *to) {
    calls++;
    for (int n = 0; n < 2000; n++)
        to[n] = value;
}
int p_calls(void) { return calls; }
