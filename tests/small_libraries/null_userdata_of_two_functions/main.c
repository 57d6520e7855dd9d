#include <stdio.h>
#include "p.h"

static int add_one(int value, void *user) { return value + 1 + (user ? *(int *)user : 0); }
static int add_two(int value, void *user) { return value + 2 + (user ? *(int *)user : 0); }

int main(void) {
    static int number = 7;
    p_add all[] = {NULL, add_one, add_two};
    void *users[] = {NULL, &number};
    for (int n = 0; n < 3 * 3 * 2; n++) {
        p_pair pair = {all[n / 6], all[n / 2 % 3], users[n % 2]};
        printf("%d %d", p_set(pair.f, pair.g, pair.user), p_run(n));
        printf(" %d %d", p_set_pair(&pair), p_run(2 * n));
        printf(" %d %d\n", p_set_once(all[1 + n % 2], pair.user), p_run_once(n));
    }
    return 0;
}
