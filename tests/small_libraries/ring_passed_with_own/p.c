#include <stdlib.h>
#include "p.h"

p_node *p_list(int n) {
    p_node *first = 0, *last = 0;
    for (int i = 0; i < n; i++) {
        p_node *node = calloc(1, sizeof *node);
        node->n = i;
        node->prev = last;
        if (last)
            last->next = node;
        else
            first = node;
        first->prev = last = node;
    }
    return first;
}

int p_delete(p_node *first) {
    int sum = 0;
    for (p_node *node = first, *next; node; node = next == first ? 0 : next) {
        sum = sum * 3 + node->n + 10 * (node->prev != 0) + 5 * (node->prev == node);
        next = node->next;
        if (node != first)
            free(node);
    }
    free(first);
    return sum;
}
