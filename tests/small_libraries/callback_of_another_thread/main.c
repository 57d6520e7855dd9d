#include <stdio.h>
#include "p.h"

static p_pair pair = {1, 2, "old"};
static int all[4] = {1, 2, 3, 4};

static int step(int n, void *user) {
    (void)user;
    if (n == 1) {
        pair.after += 10;
        pair.name = "new";
    } else {
        all[0] += 100;
    }
    return 7;
}

int main(void) {
    printf("%d\n", p_watch(step, NULL));
    for (int n = 0; n < 3; n++) {
        printf("%d", p_run(&pair));
        printf(" %d %d %s\n", pair.before, pair.after, pair.name);
        printf("%d", p_sum(all, 4));
        printf(" %d %d %d %d\n", all[0], all[1], all[2], all[3]);
    }
    return 0;
}
