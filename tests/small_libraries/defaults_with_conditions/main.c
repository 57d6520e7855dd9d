#include "p.h"
#include <stdio.h>

int main(void)
{
    for (int n = -1; n < 3; n++) {
        int to = 9;
        printf("%d", p_fill(n, 10, &to));
        printf(" %d %d\n", to, p_last());
    }
    for (int n = 6; n < 8; n++) {
        int to = 9;
        printf("%d", p_check(n, &to));
        printf(" %d\n", to);
    }
    printf("%d %d\n", p_reset(1), p_last());
    return 0;
}
