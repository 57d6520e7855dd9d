#include "p.h"
#include <stdio.h>

int main(void)
{
    int data[16] = { 0 }, more[16] = { 0 };
    for (int n = 0; n < 4; n++) {
        p_later(more, 16);
        const int result = p_fill(0, data, more, 16);
        printf("%d %d %d %d\n", result, data[0], data[3], more[15]);
    }
    return 0;
}
