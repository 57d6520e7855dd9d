#ifndef LINKS_H
#define LINKS_H
typedef struct links_node links_node;
struct links_node {
    int id;
    links_node *next;
};
/* Lets `a` point to `b`. */
int links_tie(links_node *a, links_node *b);
/* Lets the last node point to the first node. Returns the number of nodes. */
int links_ring(links_node *a);
/* Reverses the list, and returns how many nodes it has. */
int links_reverse(links_node **first);
int links_circle(links_node *a);
int links_long(links_node *a);
int links_number(int x);
#endif
