#include "p.h"

int p_append(p_node *ring, p_node *node) {
    node->next = ring;
    node->prev = ring->prev;
    ring->prev->next = node;
    ring->prev = node;
    return ++ring->v;
}

int p_sum(p_node *ring) {
    unsigned sum = 0;
    for (p_node *node = ring->next; node != ring; node = node->next)
        sum = sum * 3 + node->v;
    return sum & 0xffffff;
}
