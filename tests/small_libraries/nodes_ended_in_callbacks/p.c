#include "p.h"

int p_each(p_node *head, p_visit visit, void *user) {
    int sum = 0;
    for (p_node *node = head; node; node = node->next) {
        node->id += 100;
        visit(node, user);
        sum += node->id;
    }
    return sum;
}
int p_push(p_node *head, p_node *node) {
    node->next = head->next;
    head->next = node;
    return node->id;
}
int p_pop(p_node *head) {
    int id = head->next->id;
    head->next = head->next->next;
    return id;
}
int p_release(p_node *node) { return node != 0; }
