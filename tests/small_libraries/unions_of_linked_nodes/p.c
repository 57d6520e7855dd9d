#include "p.h"

static p_node nodes[2] = {{1, 0, 0, {5}}, {2, 0, 0, {6}}}, *kept;

p_node *p_nodes(void) { return nodes; }
void p_keep(p_node *all) { kept = all; }
static int value(const p_node *node) {
    switch (node->kind) {
    case 0: return (int)node->value.number;
    case 1: return node->value.node->id;
    case 2: return (int)(node->value.d * 8);
    default: return node->value.pair.a * 10 + node->value.pair.b;
    }
}
int p_set(p_node *node, int kind) {
    int before = value(node);
    node->kind = kind;
    if (kind == 0) {
        node->value.number = 3;
    } else if (kind == 1) {
        node->value.node = node >= kept && node < kept + 2 ? kept : nodes;
    } else if (kind == 2) {
        node->value.d = 1.5;
    } else {
        node->value.pair.a = 4, node->value.pair.b = 9;
    }
    return before;
}
int p_link(p_node *node) {
    node->next = node->next ? 0 : node + 1;
    return 1;
}
