#include <stddef.h>
#include "links.h"

int links_tie(links_node *a, links_node *b) {
    a->next = b;
    return 0;
}

int links_ring(links_node *a) {
    int count = 1;
    links_node *last = a;
    for (; last->next; last = last->next)
        count++;
    last->next = a;
    return count;
}

int links_reverse(links_node **first) {
    links_node *left = *first, *done = NULL;
    int count = 0;
    for (; left; count++) {
        links_node *next = left->next;
        left->next = done;
        done = left, left = next;
    }
    *first = done;
    return count;
}

int links_circle(links_node *a) {
    static links_node circle = {7, &circle};
    a->next = &circle;
    return 0;
}

int links_long(links_node *a) {
    static links_node nodes[100000];
    for (int i = 0; i + 1 < 100000; i++)
        nodes[i].next = nodes + i + 1;
    a->next = nodes;
    return 0;
}

int links_number(int x) {
    return x + 1;
}
