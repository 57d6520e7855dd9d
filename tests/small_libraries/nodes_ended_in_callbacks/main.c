#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "p.h"

enum { COUNT = 4 };
static p_node *nodes[COUNT];
static void *reused;

static int position(const p_node *node) {
    for (int n = 0; n < COUNT; n++)
        if (nodes[n] == node) return n;
    return -1;
}

static void show(void) {
    for (p_node *node = nodes[0]; node; node = node->next) printf(" %d:%d", position(node), node->id);
    printf("\n");
}

static void keep_again(p_node *node, void *user) {
    (void)user;
    printf("visit %d %d\n", position(node), node->id);
    node->id++;
    if (node != nodes[0]) return;
    printf("pop %d\n", p_pop(node));
    printf("release %d\n", p_release(nodes[1]));
    *nodes[1] = (p_node){11, NULL};
    printf("push %d\n", p_push(node, nodes[1]));
}

static void drop(p_node *node, void *user) {
    (void)user;
    node->id++;
    if (node != nodes[0]) return;
    printf("pop %d\n", p_pop(node));
    printf("release %d\n", p_release(nodes[1]));
    free(nodes[1]);
    reused = malloc(sizeof *nodes[1]);
    memset(reused, 0x77, sizeof *nodes[1]);
    nodes[1] = NULL;
}

int main(void) {
    for (int n = 0; n < COUNT; n++) *(nodes[n] = malloc(sizeof(p_node))) = (p_node){n, NULL};
    for (int n = COUNT - 1; n > 0; n--) p_push(nodes[0], nodes[n]);
    printf("%d\n", p_each(nodes[0], keep_again, NULL));
    show();
    printf("%d\n", p_each(nodes[0], drop, NULL));
    show();
    return 0;
}
