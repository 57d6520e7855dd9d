#include "p.h"

int p_walk(p_node *head, p_visit visit, void *user) {
    int sum = 0, count = 0;
    for (p_node *node = head; node && count < 6; node = node->next, count++)
        sum += visit(node, user);
    return sum;
}

int p_add(p_node *node, int by) {
    node->value += by;
    if (node->other)
        node->other->value += 1;
    return node->value;
}

void p_swap_first(p_person *persons, int n, p_compare compare, void *user) {
    p_person first = persons[0];
    compare(&first, &persons[1], user);
    persons[0] = persons[1];
    persons[1] = first;
    for (int i = 1; i < n; i++)
        compare(&persons[i - 1], &persons[i], user);
}
