#include <stdio.h>
#include "p.h"

int main(void) {
    for (size_t cap = 10; cap <= 1000; cap *= 10) {
        unsigned char *b = p_buffer();
        b[cap - 1] = 50;
        p_fill(b, cap);
        printf("own %d, ", p_own_sum());
        printf("%d %d\n", b[cap - 1], p_sum(b, 1000));
    }
    return 0;
}
