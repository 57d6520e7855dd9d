#include "p.h"

int p_add(p_node *parent, p_node *node) {
    node->next = parent->first;
    parent->first = node;
    return node->id;
}
int p_remove(p_node *parent, p_node *node) {
    p_node **link = &parent->first;
    while (*link != node) link = &(*link)->next;
    *link = node->next;
    node->next = 0;
    return node->id;
}
int p_release(p_node *node) { return node != 0; }
int p_walk(p_node *root, p_visit visit, void *user) {
    int sum = 0;
    for (int n = 0; n < 4; n++) {
        p_node *node = root->first;
        for (int skipped = 0; node && skipped < n; skipped++) node = node->next;
        if (!node) break;
        node->id += 1000;
        sum += visit(root, node, user);
    }
    for (p_node *node = root->first; node; node = node->next) sum += node->id;
    return sum;
}
