#include "p.h"
static const p_node *kept;
int p_begin(const p_node *nodes) {
    kept = nodes;
    return nodes[0].peer == &nodes[1] ? nodes[1].count + nodes[0].count : -1;
}
int p_sum(const p_node *nodes) { return nodes == kept ? nodes[0].count + nodes[1].count : -2; }
