#include <stdio.h>
#include <stdlib.h>
#include "p.h"

/// A ring of blocks of the program.
static p_node *ring(int count) {
    p_node *first = 0, *last = 0;
    for (int n = 0; n < count; n++) {
        p_node *node = calloc(1, sizeof *node);
        node->n = n;
        first = first ? first : node;
        node->prev = last ? last : node;
        (last ? last : node)->next = node;
        node->next = first;
        first->prev = last = node;
    }
    return first;
}

int main(void) {
    for (int count = 0; count < 8; count = count * 2 + 1) {
        p_node *first = p_list(count);
        if (first)
            first->n = 10;
        printf("%d nodes: %d", count, p_delete(first));
        printf(", %d", p_delete(ring(count)));
        first = p_list(count);
        if (first)
            first->prev->next = first;
        printf(", %d\n", p_delete(first));
    }
    return 0;
}
