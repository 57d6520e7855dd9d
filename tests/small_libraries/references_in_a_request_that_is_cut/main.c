#include "p.h"
#include <stdio.h>

/* More than fits into the ring of a channel. */
enum { N = 1 << 20 };

static int memory[N];

int main(void)
{
    int count = 0;
    for (int round = 0; round < 3; round++) {
        p_keep(memory, N);
        p_add_later(&count);
        p_keep_and_add(memory, N, &count);
        p_end_later(memory);
        p_keep(memory, N);
        for (int n = 0; n < 2; n++) {
            const int same = p_bump(memory, N);
            printf("%d %d %d\n", same, memory[N - 1], count);
        }
        p_end_later(memory);
    }
    return 0;
}
