#include <stdio.h>
#include "p.h"

static int add_one(int value, void *user) { return value + 1 + (user ? *(int *)user : 0); }
static int add_two(int value, void *user) { return value + 2 + (user ? *(int *)user : 0); }

#define ADD(n)                                                                                                            \
    static int add_##n(int value, void *user) { return value + 100 * n + (user ? 1 : 0); }
#define ALL(X)                                                                                                            \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19)
#define NAME(n) add_##n,
ALL(ADD)

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
    p_add many[] = {ALL(NAME)};
    for (int n = 0; n < 20; n++)
        p_keep(n, many[n], NULL);
    for (int n = 0; n < 20; n++)
        printf("%d ", p_run_kept(n, n));
    return 0;
}
