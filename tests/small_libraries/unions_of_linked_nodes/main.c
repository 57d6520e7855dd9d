#include <stdio.h>
#include "p.h"

static void set(p_node *node, int kind) {
    node->kind = kind;
    if (kind == 0) {
        node->value.number = 5;
    } else if (kind == 2) {
        node->value.d = 2.5;
    } else {
        node->value.pair.a = 70, node->value.pair.b = 80;
    }
}

static void show(const p_node *node) {
    printf("%d ", node->kind);
    switch (node->kind) {
    case 0: printf("%ld\n", node->value.number); break;
    case 1: printf("node %d\n", node->value.node->id); break;
    case 2: printf("%g\n", node->value.d); break;
    default: printf("%d %d\n", node->value.pair.a, node->value.pair.b);
    }
}

int main(void) {
    static p_node own[2] = {{3, 0, 0, {7}}, {4, 0, 0, {8}}};
    p_keep(own);
    p_node *all[2] = {own, p_nodes()};
    for (int i = 0; i < 32; i++) {
        p_node *node = all[i % 2];
        int first = i / 2 % 4, second = i / 8;
        int before = p_set(node, first);
        printf("%d: %d", i, before);
        before = p_set(node, second);
        printf(" %d ", before);
        show(node);
        before = p_set(node + 1, first);
        set(node + 1, second == 1 ? 0 : second);
        p_link(node);
        printf("%d %d ", before, node->next == node + 1);
        show(node + 1);
        p_link(node);
    }
    return 0;
}
