#include <stdio.h>
#include "p.h"

int main(void) {
    for (int count = 0; count < 5; count++) {
        p_node *first = p_make(count);
        printf("%d nodes: %d\n", count, p_sum(first));
        for (p_node *node = first; node; node = node->next)
            node->v += 10;
        printf("changed: %d\n", p_sum(first));
        if (first && first->next)
            printf("second: %d, backwards %d\n", p_sum(first->next), first->next->prev->v);
    }
    return 0;
}
