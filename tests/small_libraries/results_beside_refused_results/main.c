#include "p.h"

static int first[P_COUNT], other[P_COUNT], last[P_COUNT];

/* Whether all elements have this value. */
static int has(const int *of, int value) {
    for (int n = 0; n < P_COUNT; n++)
        if (of[n] != value) return 0;
    return 1;
}

int main(void) {
    int count = 0, refused[4] = {0};
    p_fill(first, 1);
    p_fill_too_many(&count, refused);
    p_fill(last, 2);
    if (p_calls() != 3 || !has(first, 1) || refused[0] != 0 || !has(last, 2)) return 2;
    /* The worker finds the error when it has sent a part of the results. */
    p_fill(first, 3);
    p_fill_more(other, &count, refused);
    p_fill(last, 4);
    if (p_calls() != 6 || !has(first, 3) || refused[0] != 0 || !has(last, 4)) return 3;
    p_fill(last, 5);
    return p_calls() == 7 && has(last, 5) ? 0 : 4;
}
