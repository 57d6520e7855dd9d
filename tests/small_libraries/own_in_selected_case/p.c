#include "p.h"

/* The library's own allocator uses the same memory again. */
static union {
    p_tree tree;
    int numbers[8];
} blocks[8];
static int used;

static p_tree *make(int depth) {
    p_tree *tree = &blocks[used++].tree;
    *tree = (p_tree){depth > 0, {.k = 7}, 0};
    if (depth > 0) {
        tree->u.n = make(depth - 1);
        tree->next = make(0);
    }
    return tree;
}
p_tree *p_make(int depth) { return make(depth); }

void p_free(p_tree *tree) {
    if (tree->op)
        p_free(tree->u.n);
    if (tree->next)
        p_free(tree->next);
    used--;
}

int *p_numbers(int at) {
    for (int n = 0; n < 8; n++)
        blocks[at].numbers[n] = at + n;
    return blocks[at].numbers;
}
