#include <stdio.h>
#include "p.h"

int main(void) {
    static p_S attached = {1, 2, "a"}, filled = {1, 42, 0};
    p_H *h = p_open();
    printf("%d\n", p_attach(h, &attached));
    attached.flag = 77;
    p_bump(h, &attached);
    printf("%d %d %s, the library has %d\n", attached.n, attached.flag, attached.note, p_flag(h));
    p_fill(h, &filled);
    printf("%d %d %s, the library has %d\n", filled.n, filled.flag, filled.note, p_flag(h));
    return p_close(h);
}
