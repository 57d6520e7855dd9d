#include <stdio.h>
#include "p.h"

static p_node nodes[4];
static p_person persons[3];

static int visit(p_node *node, void *user) {
    int before = node->value, after = p_add(node, 10);
    printf("node %td: %d %d %d\n", node - nodes, before, after, node->value);
    ++*(int *)user;
    return after;
}

static void walk(const char *shape, int *count) {
    printf("%s: %d\n", shape, p_walk(nodes, visit, count));
    for (int i = 0; i < 4; i++)
        printf(" %d", nodes[i].value);
    printf("\n");
}

static int compare(const p_person *a, const p_person *b, void *user) {
    (void)user;
    printf("%d of %td, %d of %td\n", a->age, a->boss ? a->boss - persons : -1, b->age, b->boss ? b->boss - persons : -1);
    return 0;
}

int main(void) {
    int count = 0;
    for (int i = 0; i < 4; i++)
        nodes[i] = (p_node){i, i < 3 ? &nodes[i + 1] : NULL, NULL};
    walk("list", &count);
    nodes[0].other = nodes[1].other = &nodes[3];
    walk("two pointers to one node", &count);
    nodes[3].next = &nodes[0];
    walk("cycle", &count);
    printf("%d\n", count);
    for (int i = 0; i < 3; i++)
        persons[i].age = i;
    persons[0].boss = &persons[2];
    persons[1].boss = &persons[0];
    for (int round = 0; round < 2; round++)
        p_swap_first(persons, 3, compare, NULL);
    return 0;
}
