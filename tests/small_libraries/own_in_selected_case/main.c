#include <stdio.h>
#include "p.h"

int main(void) {
    for (int n = 0; n < 3; n++) {
        p_tree *tree = p_make(2);
        printf("%d %d %llu %llu\n", tree->op, tree->u.n->op, tree->u.n->u.n->u.k, tree->u.n->next->u.k);
        p_free(tree);
        for (int at = 0; at < 5; at++) {
            int *numbers = p_numbers(at);
            printf("%d %d\n", numbers[0], numbers[7]);
        }
    }
    return 0;
}
