#include <stdio.h>
#include "p.h"

int main(void) {
    p_s *s = p_get();
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += s->b[i];
    printf("%d\n", sum);
    return 0;
}
