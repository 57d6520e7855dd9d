#include <stdio.h>
#include "p.h"

enum { VALUES = 600 };
static int values[VALUES];

static void event(int n, void *user) {
    for (int i = VALUES / 2; i < VALUES; i++)
        values[i] = *(int *)user + n + i;
}

int main(void) {
    for (int i = 0; i < VALUES; i++)
        values[i] = i;
    p_object *o = p_keep(values, VALUES);
    for (int round = 0; round < 4; round++) {
        int user = 1000 * round;
        printf("%d", round % 2 ? p_fill(o, event, &user) : p_double(o, event, &user));
        printf(" %d %d %d %d\n", values[0], values[VALUES / 2 - 1], values[VALUES / 2], values[VALUES - 1]);
        values[0]++;
        /* The next call stores the value that the library stored before. */
        values[1] = 0;
    }
    p_free(o);
    return 0;
}
