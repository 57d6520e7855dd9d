#include <stdio.h>
#include "p.h"

static int event(int n, void *user) { return n + *(int *)user; }

int main(void) {
    int a = 10, b = 20;
    void *user = NULL;
    for (int n = 0; n < 3; n++) {
        p_box *box = p_open();
        p_set(box, event, &a);
        printf("%d\n", p_fire(box, n));
        p_replace(box, event, &b, &user);
        printf("%d %d\n", user == &a, p_fire(box, n));
        p_unset(box, &user);
        printf("%d %d\n", user == &b, p_fire(box, n));
        p_unset(box, &user);
        printf("%d\n", user == NULL);
        p_set(box, event, &a);
        printf("%d\n", p_take(box) == &a);
        p_set(box, event, &b);
        p_close(box, &user);
        printf("%d\n", user == &b);
    }
    return 0;
}
