#include <stdio.h>
#include "p.h"

#define COUNT 5

static void show(const p_node *first) {
    for (int i = 0; first && i < 12; first = first->next, i++) {
        printf(" %d(%d,%d)", first->id, first->previous ? first->previous->id : -1, first->next ? first->next->id : -1);
    }
    printf("\n");
}

int main(void) {
    static p_node own[1 << COUNT][COUNT];
    int used = 0;
    /* Each bit says whether a node is the program's. */
    for (int kinds = 0; kinds < 1 << COUNT; kinds++) {
        p_node *nodes[COUNT];
        for (int i = 0; i < COUNT; i++) {
            nodes[i] = kinds >> i & 1 ? &own[kinds][i] : p_borrow(used++);
            if (kinds >> i & 1) {
                p_keep(nodes[i]);
            }
        }
        for (int from = 1; from < COUNT; from++) {
            for (int behind = 0; behind < COUNT; behind++) {
                for (int i = 0; i < COUNT; i++) {
                    *nodes[i] = (p_node){i, i + 1 < COUNT ? nodes[i + 1] : 0, i ? nodes[i - 1] : 0};
                }
                int sum = p_move(nodes[0], from, behind);
                printf("%d %d %d: %d", kinds, from, behind, sum);
                show(nodes[0]);
                if (p_sum(nodes[0]) != sum) {
                    printf("other sum\n");
                }
            }
        }
        int sum = p_unlink(nodes[0], nodes[0]->next->next);
        printf("%d %d:", kinds, sum);
        show(nodes[0]);
    }
    return 0;
}
