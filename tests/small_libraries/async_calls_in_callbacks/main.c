#include <stdio.h>
#include "p.h"

static int inside;

static int event(void *user, int n) {
    if (n % 100 > 0) {
        p_fire(0);
        p_fire_named(n % 100 - 1, "x");
        inside = inside * 3 + p_sum();
    }
    return *(int *)user + n;
}

/* The call waits for those before it. */
static void report(void) {
    int sum = p_sum();
    printf("sum %d, inside %d\n", sum, inside);
}

int main(void) {
    int user = 10;
    p_set(event, &user);
    p_fire(1);
    report();
    p_fire(3);
    p_fire_named(2, "two");
    report();
    p_fire_from_thread(2);
    report();
    return 0;
}
