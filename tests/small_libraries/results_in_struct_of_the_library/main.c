#include <stdio.h>
#include "p.h"

int main(void) {
    p_s *s = p_get();
    printf("%d %d\n", s->cells[0], s->cells[3]);
    for (int i = 1; i < 3; i++) {
        s->cells[i] = 50;
        printf("%d:", p_bump(s));
        printf(" %d %d %d %d, %d\n", s->cells[0], s->cells[1], s->cells[2], s->cells[3], p_peek());
    }
    return 0;
}
