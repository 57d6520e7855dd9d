#include <stdio.h>
#include "p.h"

static void show(p_node *node, p_node *parent, p_node *right) {
    if (node == NULL)
        return;
    printf("%d %d\n", node->n, node->other == (right ? right : (void *)parent));
    show(node->left, node, node->right);
    show(node->right, node, NULL);
}

int main(void) {
    for (int depth = 1; depth < 6; depth++)
        show(p_tree(depth), NULL, NULL);
    p_node nodes[5] = {
        {1, &nodes[4], &nodes[1], NULL}, {2, &nodes[3], &nodes[2], &nodes[3]}, {3, &nodes[0], NULL, NULL}, {4, NULL, NULL, &nodes[4]}, {5, NULL, NULL, NULL},
    };
    p_list *list = p_keep(nodes);
    printf("%d\n", p_follow(list));
    p_free(list);
    return 0;
}
