#include "p.h"

int main(void) {
    p_node nodes[2] = {{&nodes[1], "abc", 3}, {0, "x", 0}};
    if (p_begin(nodes) != 3 || p_sum(nodes) != 3)
        return 1;
    nodes[0].count = 2;
    return p_sum(nodes) == 2 ? 0 : 2;
}
