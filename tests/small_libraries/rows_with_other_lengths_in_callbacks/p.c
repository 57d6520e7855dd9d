#include "p.h"

static int sum_of(p_node *node) {
    int sum = 0;
    for (int n = 0; n < node->count; n++)
        sum += node->row[n] += 1;
    return sum;
}

int p_run(p_node *node, p_callback callback, void *user) {
    int sum = 0;
    for (int round = 0; round < 4; round++)
        sum = sum * 2 + callback(node, round, user) + sum_of(node);
    return sum;
}

int p_set(p_node *node, int *row, int count) {
    node->row = row;
    node->count = count;
    return count ? row[0] : -1;
}

int p_use(p_node *node, int count) {
    node->count = count;
    return sum_of(node);
}
