#include <stdio.h>
#include "p.h"

static void see(void *context, p_padded *all) {
    const int *number = context;
    all[0].a = 1, all[0].b = 2, all[1].a = 3, all[1].b = *number;
}

int main(void) {
    static p_padded own[4];
    p_keep(own);
    p_padded local[4] = {{0, 0}}, *padded[] = {p_padded_all(), own, local};
    p_named *named = p_named_all();
    for (int i = 0; i < 24; i++) {
        p_padded *all = padded[i % 3];
        int at = i / 3 % 2, count = 2 - i / 6 % 2, number = i / 12;
        all[1].b = 7 + i, all[2].b = 8;
        p_fill(all + at, count, number);
        printf("%d: %d %d %d\n", i, all[0].b, all[1].b, all[2].b);
        all[at].b = 9 + i;
        p_fill_some(all + at, 2, count, number);
        printf("%d\n", all[at].b);
        int result = p_run(all, see, &number);
        printf("%d %d %d\n", result, all[0].a, all[1].b);
        named[1].b = 7, named[1].name = "seven";
        p_fill_named(named + at, 3, 2 - at, number);
        printf("%ld %s\n", named[1].b, named[1].name ? named[1].name : "no name");
    }
    return 0;
}
