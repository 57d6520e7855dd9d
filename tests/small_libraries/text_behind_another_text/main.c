#include <stdio.h>
#include "p.h"

static char block[] = "one text\0another\0x\0much longer one\0b";
static const char *const texts[] = {block, block + 9, block + 17, block + 19, block + 35, 0};

static int callback(p_node *node, int round, void *user) {
    const int *next = user;
    printf("%d %s", round, node->name ? node->name : "-");
    printf(" %d", p_set(node, texts[next[round]]));
    printf(" %s\n", node->name ? node->name : "-");
    if (round == 2)
        node->name = texts[next[0]];
    return 1;
}

int main(void) {
    static int next[][4] = {{1, 3, 0, 3}, {4, 3, 2, 1}, {0, 2, 5, 0}, {0, 1, 0, 1}};
    static p_node nodes[4];
    for (int n = 0; n < 4; n++) {
        printf("%d\n", p_set(&nodes[n], texts[n]));
        printf("%d\n", p_run(&nodes[n], callback, next[n]));
        printf("%s\n", nodes[n].name ? nodes[n].name : "-");
    }
    p_node *month = (p_node *)p_months();
    for (int n = 0; n < 4; n++) {
        printf("%d %s", month->id, month->name);
        printf(" %d\n", p_next(month));
    }
    return 0;
}
