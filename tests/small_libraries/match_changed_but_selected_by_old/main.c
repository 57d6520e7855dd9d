#include <stdio.h>
#include "p.h"

int main(void) {
    char text[] = "HAL";
    long numbers[2] = {41, 1L << 40};
    p_s a = {0, 3, text}, b = {1, 2, numbers};
    printf("%d %d %d %s\n", p_change(&a), a.kind, a.n, text);
    printf("%d %d %d %ld %ld\n", p_change(&b), b.kind, b.n, numbers[0], numbers[1]);
    return 0;
}
