#include <stdio.h>
#include "p.h"

static int rows[3][64] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};

static void show(const p_node *node) {
    printf("  %d of row %d:", node->count, (int)((node->row - rows[0]) / 64));
    for (int n = 0; n < 9; n++)
        printf(" %d", rows[n / 3][n % 3]);
    printf("\n");
}

static int callback(p_node *node, int round, void *user) {
    const int *next = user;
    show(node);
    node->row[1] += 100;
    printf("%d %d\n", round, p_set(node, rows[next[round]], 3 - (round == 2)));
    if (round == 3) {
        node->row = rows[next[0]];
        node->count = 3;
        node->row[2] += 1000;
    }
    return 1;
}

int main(void) {
    static int next[][4] = {{1, 2, 0, 2}, {2, 1, 2, 1}, {0, 2, 0, 0}, {0, 1, 0, 1}};
    static p_node nodes[3];
    for (int n = 0; n < 4; n++) {
        p_node *node = &nodes[n % 3];
        printf("%d\n", p_set(node, rows[n % 3], 3));
        printf("%d\n", p_run(node, callback, next[n]));
        show(node);
        printf("%d\n", p_set(node, rows[n % 3], 1));
        printf("%d\n", p_use(node, 3));
        show(node);
    }
    return 0;
}
