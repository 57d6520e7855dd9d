#include "p.h"

static p_node borrowed[1000];

void p_keep(p_node *node) { node->id++; }
p_node *p_borrow(int at) {
    borrowed[at] = (p_node){100 + at, 0, 0};
    return &borrowed[at];
}
int p_sum(p_node *first) {
    unsigned sum = 0;
    for (int i = 0; first && i < 20; first = first->next, i++) {
        sum = sum * 31 + (unsigned)first->id + (first->next && first->next->previous != first ? 1000 : 0);
    }
    return (int)(sum & 0xfffff);
}
static p_node *at(p_node *first, int position) {
    while (position--) {
        first = first->next;
    }
    return first;
}
static void take_out(p_node *node) {
    node->previous->next = node->next;
    if (node->next) {
        node->next->previous = node->previous;
    }
}
int p_move(p_node *first, int from, int behind) {
    p_node *node = at(first, from), *before = at(first, behind);
    if (node != before) {
        take_out(node);
        node->previous = before;
        node->next = before->next;
        if (before->next) {
            before->next->previous = node;
        }
        before->next = node;
    }
    return p_sum(first);
}
int p_unlink(p_node *first, p_node *node) {
    take_out(node);
    node->next = node->previous = 0;
    node->id += 100;
    return p_sum(first);
}
