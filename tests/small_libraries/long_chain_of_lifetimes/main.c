#include <stdio.h>
#include "p.h"

enum { COUNT = 30000 };

int main(void) {
    static char blocks[COUNT + 1][8];
    for (int i = 0; i <= COUNT; i++)
        blocks[i][0] = (char)(i % 100);
    p_first(blocks[0]);
    for (int i = 0; i < COUNT; i++)
        p_link(blocks[i], blocks[i + 1]);
    p_drop(blocks[0]);
    printf("%d\n", p_links());
    return 0;
}
