#include <stdio.h>
#include "p.h"

int main(void) {
    static p_node nodes[5];
    for (int i = 0; i < 5; i++) {
        nodes[i] = (p_node){10 + i, i < 4 ? &nodes[i + 1] : 0, &nodes[i / 2]};
    }
    p_keep(nodes, 5);
    printf("%d %d\n", nodes[4].number, p_sum(nodes));
    while (!p_unlink(nodes)) {
        printf("next is %d: %d\n", nodes[0].next->number, p_sum(nodes));
    }
    nodes[0].next = &nodes[3];
    nodes[3].other = &nodes[3];
    printf("%d\n", p_sum(nodes));

    nodes[1] = (p_node){11, 0, 0}, nodes[2] = (p_node){12, 0, 0}, nodes[0].next = &nodes[1];
    int replaced = p_replace(nodes, 2);
    printf("%d %d %d %d\n", replaced, nodes[0].next->number, nodes[1].number, p_sum(nodes));
    p_node own = {50, &nodes[1], 0};
    replaced = p_replace(&own, 4);
    printf("%d %d %d %d\n", replaced, own.next == &nodes[4], nodes[1].number, nodes[4].number);

    p_node *first = p_nodes(), *second = first->next, *third = second->next;
    printf("%d\n", p_sum(first));
    first->other = third;
    second->other = first;
    printf("%d\n", p_sum(first));
    third->other = third;
    printf("%d %d\n", p_sum(first), p_sum(second));

    static char text[32] = "text";
    p_keep_text(text);
    p_append(" that is longer");
    printf("%d %s\n", p_length(text), text);
    p_append("!");
    printf("%d\n", p_length(text));
    printf("%s\n", text);
    return 0;
}
