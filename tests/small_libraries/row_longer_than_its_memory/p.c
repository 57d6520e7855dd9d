#include "p.h"

int p_run(p_node *node, p_callback callback, void *user) {
    int sum = 0;
    for (int round = 0; round < 4; round++) {
        int result = callback(node, round, user);
        if (result < 0) return result;
        for (int n = 0; n < node->count; n++) sum += node->row[n] += result;
    }
    return sum;
}
