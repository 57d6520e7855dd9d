#include "p.h"

static unsigned char buffer[1000];

unsigned char *p_buffer(void) { return buffer; }

size_t p_fill(unsigned char *b, size_t cap) {
    for (size_t at = 0; at < 4 && at < cap; at++)
        b[at] = 1;
    return 4;
}

int p_sum(const unsigned char *b, size_t n) {
    int sum = 0;
    while (n--)
        sum += *b++;
    return sum;
}

int p_own_sum(void) { return p_sum(buffer, sizeof buffer); }
