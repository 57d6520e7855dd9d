#include <stdlib.h>
#include <unistd.h>
#include "p.h"

enum { COUNT = 500, LIMIT = 2000000 };

static int results[COUNT][2000];

static int is_filled(int at, int value) {
    for (int n = 0; n < 2000; n++)
        if (results[at][n] != value)
            return 0;
    return 1;
}

int main(int argc, char **argv) {
    (void)argc;
    if (!getenv("CX_REMOTE_KEPT_BYTES")) {
        setenv("CX_REMOTE_KEPT_BYTES", "2000000", 1);
        execv("/proc/self/exe", argv);
        return 2;
    }
    for (int n = 0; n < COUNT; n++)
        p_fill(n + 1, results[n]);
    int made = p_calls();
    for (int n = 0; n < COUNT; n++)
        if (!is_filled(n, n < made ? n + 1 : 0))
            return 3;
    if (made == 0 || made > LIMIT / (int)sizeof results[0])
        return 4;
    /* The results were delivered, so there is room again. */
    p_fill(-7, results[COUNT - 1]);
    return p_calls() == made + 1 && is_filled(COUNT - 1, -7) ? 0 : 5;
}
