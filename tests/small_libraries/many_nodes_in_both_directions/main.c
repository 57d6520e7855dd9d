#include <stdio.h>
#include "p.h"

enum { NODES = 40000 };

static p_node ring, nodes[NODES], last;

int main(void) {
    p_node *end = &ring;
    for (int at = 0; at < NODES; at++) {
        p_node *node = &nodes[at];
        node->v = at;
        node->prev = end;
        end->next = node;
        end = node;
    }
    end->next = &ring;
    ring.prev = end;
    printf("sum: %d\n", p_sum(&ring));
    printf("appended: %d\n", p_append(&ring, &last));
    printf("last: %d\n", ring.prev == &last && end->next == &last);
    for (p_node *node = ring.next; node != &ring; node = node->next)
        node->v += 10;
    printf("changed: %d\n", p_sum(&ring));
    return 0;
}
