#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "p.h"

static p_node *root, *node;
static int is_kept_again, is_replaced, is_child_freed;

static p_node *make(int id) {
    p_node *made = calloc(1, sizeof *made);
    made->id = id;
    return made;
}

static int visit(p_node *of, p_node *visited, void *user) {
    (void)user;
    printf(" %d:%d", visited == node, visited->id);
    if (visited != node) return 1;
    if (is_child_freed) {
        p_node *child = visited->first;
        p_remove(visited, child);
        p_release(child);
        memset(child, 0x66, sizeof *child);
        free(child);
    }
    p_remove(of, visited);
    p_release(visited);
    node = NULL;
    if (is_kept_again) {
        memset(visited, 0, sizeof *visited);
        visited->id = 77;
        p_add(of, visited);
    } else {
        memset(visited, 0x66, sizeof *visited);
        free(visited);
    }
    if (is_replaced) p_add(of, make(88));
    return 2;
}

int main(void) {
    for (int mode = 0; mode < 8; mode++) {
        is_kept_again = mode & 1, is_replaced = mode & 2, is_child_freed = mode & 4;
        root = make(1);
        node = make(2);
        p_add(root, node);
        p_add(node, make(3));
        p_add(root, make(4));
        int sum = p_walk(root, visit, NULL);
        printf("; %d:", sum);
        for (p_node *one = root->first; one; one = one->next) printf(" %d", one->id);
        printf("\n");
    }
    return 0;
}
