#include "p.h"

static int row[100000] = {1, 2, 3};

static int callback(p_node *node, int round, void *user) {
    (void)user;
    if (round == 1)
        node->count = 100000;
    return 1;
}

int main(void) {
    p_node node = {3, row};
    return p_run(&node, callback, 0) >= 0 || row[3] != 0;
}
