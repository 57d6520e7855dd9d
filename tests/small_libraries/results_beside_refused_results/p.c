#include "p.h"

static int calls;

void p_fill(int *to, int value) {
    calls++;
    for (int n = 0; n < P_COUNT; n++) to[n] = value;
}
void p_fill_too_many(int *count, int *to) {
    calls++;
    *count = 5;
    for (int n = 0; n < 4; n++) to[n] = 7;
}
void p_fill_more(int *first, int *count, int *to) {
    p_fill(first, 8);
    calls--;
    p_fill_too_many(count, to);
}
int p_calls(void) { return calls; }
