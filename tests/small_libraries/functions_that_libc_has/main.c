#include <stdio.h>
#include "p.h"

int main(void) {
    p_seed(42);
    for (int i = 0; i < 8; i++)
        printf("%d ", p_roll(6));
    printf("%ld\n", random());
    return 0;
}
