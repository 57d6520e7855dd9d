#include <stdio.h>
#include "p.h"

static union {
    int numbers[8];
    double values[16];
} data;

int main(void) {
    p_s s[2] = {{1}, {2}};
    int begun = p_begin(s);
    for (int i = 0; i < 8; i++)
        data.numbers[i] = i;
    int watched = p_watch(&s[1], data.numbers, 8), sum = p_sum(&s[1]), ended = p_end(s);
    printf("%d %d %d %d\n", begun, watched, sum, ended);
    /* The library has given up this memory, so it may be in other memory. */
    for (int i = 0; i < 16; i++)
        data.values[i] = i + 0.5;
    double kept = p_keep(&data.values[1], 15);
    printf("%g\n", kept);
    return 0;
}
