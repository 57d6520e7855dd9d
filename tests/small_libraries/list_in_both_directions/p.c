#include <stdlib.h>
#include "p.h"

p_node *p_make(int count) {
    p_node *first = NULL, *last = NULL;
    for (int at = 0; at < count; at++) {
        p_node *node = calloc(1, sizeof *node);
        node->v = at;
        node->prev = last;
        if (last)
            last->next = node;
        else
            first = node;
        last = node;
    }
    return first;
}

int p_sum(const p_node *node) {
    int sum = 0;
    for (; node; node = node->next)
        sum = sum * 3 + node->v;
    return sum;
}
