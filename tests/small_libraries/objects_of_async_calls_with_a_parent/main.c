#include <stdio.h>
#include "p.h"

int main(void) {
    static int values[400];
    for (int n = 0; n < 400; n++) values[n] = n;
    for (int n = 0; n < 3; n++) {
        p_base *base = p_open();
        p_part *part = NULL;
        p_make(base, &part);
        printf("%d\n", p_keep(part, values + n, 100 + 60 * n));
        p_close(base);
    }
    return 0;
}
