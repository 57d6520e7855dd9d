#include <stdio.h>
#include "p.h"

static int throws(void *user) {
    if (user)
        p_throw(7);
    return 3;
}

int main(void) {
    int user = 0;
    if (p_run(throws, NULL) != 3 || p_add(1, 2) != 3)
        return 1;
    return p_run(throws, &user) != -1 || p_add(1, 2) != -1;
}
