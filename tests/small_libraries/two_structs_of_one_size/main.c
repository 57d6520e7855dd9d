#include <stdio.h>
#include "p.h"

int main(void) {
    p_a a = {"x", 0};
    printf("%d\n", p_run(&a, (const p_b *)&a) == 'x' + (int)(long)a.p);
    return 0;
}
